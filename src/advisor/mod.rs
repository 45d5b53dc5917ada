//! Which deployment, and why: candidates, constraints, ranking, findings, growth, sensitivity.
//!
//! ```text
//!  Site + Catalog ─► candidates ─► constraints ─► system::predict ─► scores ─► ranking ─► Advice
//!                        (dropped, with the reason kept)                  └─► rules, growth, sensitivity
//! ```
//!
//! Knows what makes one deployment better than another for a site. Must not know any output format.

mod advice;
mod advise;
mod against;
mod as_it_is;
mod bill;
mod borrowed;
mod candidates;
mod compare;
mod confirm;
mod confirm_limit;
mod contest;
pub mod criteria;
mod curves;
mod deciding;
mod demand;
mod driver;
mod drives;
mod edges;
mod equip;
mod evidence;
mod facts;
mod finding;
mod guard_rails;
mod headroom;
mod heed;
mod helps;
mod instance;
mod instead;
mod layout_prediction;
mod lint;
mod load_and_stores;
mod load_limit;
mod merged;
mod misses;
mod next_server;
mod of_there;
mod opening;
mod over_load;
mod over_time;
mod passed_over;
mod prepared;
mod proxies;
mod ranking;
mod recovery;
mod rented;
pub mod rules;
mod safety;
mod said;
mod score;
mod search;
mod sensitivity;
mod server_drives;
mod shared_error;
mod size_drivers;
mod sizing;
mod standby;
mod stated_times;
mod stores;
mod targets;
pub mod today;
mod unstated;
mod variance_share;
pub mod what_if;
mod why_not;
mod worlds;

pub use advice::{Advice, Alternative, Chosen};
pub use advise::{advise, advise_confirmed};
pub use against::{Difference, Effect, differences, settled, untried};
pub use as_it_is::{AsItIs, ID as AS_IT_IS, Move};
pub use bill::{Bill, BillLine, Costs, Quantity, bill};
pub use borrowed::{Borrowed, borrowed};
pub use candidates::{Candidate, Dropped, can_rent, candidates, choices_for, offered};
pub use compare::{Column, Judged, columns, pareto_front, side_by_side};
pub use confirm::{Ask, Budget, SEEN_LEAST, Stage, confirm};
pub use contest::{Contest, Lead, Rival};
pub use criteria::Criterion;
pub use curves::{Curves, curves};
pub use deciding::{Deciding, Turns, deciding};
pub use driver::Driver;
pub use drives::{asked_for as drives_asked_for, beyond_stated as drives_beyond_stated};
pub use edges::{EdgeWorth, EdgesEnd, NextEdge};
pub use evidence::observed;
pub(crate) use facts::people;
pub use guard_rails::GuardRails;
pub use headroom::{Bottleneck, FACTOR_LEAST, Headroom, MemoryLimit, Overload};
pub use helps::{Faster, Help};
pub use instance::{Cap, CapRow, InstanceFit, Instances, asked_of_instance};
pub use instead::Instead;
pub use layout_prediction::{
    LayoutPrediction, NoForecast, OpenTime, best_of_each, best_of_layout, forecasts_confirmed, layout_predictions,
};
pub use load_and_stores::{LoadAndStores, LoadPoint, StorePoint, StoreYears, load_and_stores};
pub use load_limit::LoadLimit;
pub use misses::{Miss, Wanted};
pub use opening::{OFFICES, OPENING, is_of_a_list};
pub use over_load::{Busiest, ClassCurve, Closeness, Curve, CurvePoint, Stop, curve};
pub use over_time::{ClassYears, OverTime, YearPoint, over_time};
pub use prepared::Prepared;
pub use recovery::{
    Availability, Case, CaseTime, Disaster, Left, Lost, Recovered, Recovery, Standby, Timed as TimedJob, Told,
    Verdict as WindowVerdict, Window as JobWindow, recovery,
};
pub use safety::{MemoryShort, memory_short};
pub use said::Said;
pub use score::{Score, Scores, Timed};
pub use sensitivity::{End, Influence};
pub use size_drivers::size_drivers;
pub use stated_times::{StatedTime, StatedTimes};
pub use stores::{Limit, grows_by};
pub use targets::{Want, missed, target_word, tightest};
pub use unstated::{Part, Unstated};
pub use variance_share::{VarianceShare, VarianceSource};
pub use worlds::{Standing, Worlds};
