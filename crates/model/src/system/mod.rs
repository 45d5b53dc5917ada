//! A deployment under a load, as one queueing network, and what the network says.
//!
//! ```text
//!  layout + choices ──bind──► Deployment ─┐
//!                                         ├─ Plant (stations) + Cost (demands, lock sections)
//!  site ──workload──► Load ───────────────┘            │
//!                                     queueing::solve ◄┴► locks::wait   (rounds)
//!                                                      │
//!                                                  Prediction
//! ```
//!
//! Knows how p4d uses processors, memory, volumes, networks and locks; every number is taken through
//! a [`Lens`], which remembers it with its origin. Must not know which deployment is better, nor any
//! output format.

mod among;
mod answer;
mod at_once;
mod balance;
mod batch_arrivals;
mod bind;
mod busiest;
pub mod cache;
pub mod capacity;
mod commit;
mod contests;
pub mod correction;
mod cost;
mod demand;
pub mod deployment;
pub mod disk_set;
mod drives;
mod dump;
pub mod durations;
mod flow;
mod flushes;
pub mod interval;
mod lens;
mod links;
mod lock_waits;
pub mod logged;
mod long_holds;
mod main_driver;
pub mod memory;
mod mixing;
mod occupancy;
pub mod own_error;
mod percentile;
mod piece;
mod plant;
pub mod prediction;
pub mod process;
mod proxy;
pub mod replay;
mod resource;
mod rest;
mod script;
mod sheet;
mod solve;
mod staging;
mod tables;
mod threads;
pub mod unmeasured;
mod wait_attribution;
mod waking;

pub use bind::{BindError, bind, standby_volumes};
pub use busiest::Busiest;
pub use commit::commit_time;
pub use deployment::{
    Bought, Choices, Deployment, LOCAL_DISKS, Mount, OfficeDisks, StandbyServer, Whose, role_in_words,
};
pub use disk_set::{DiskSet, SetId};
pub use durations::{Duration, Durations, Job, JobOf, durations, estimates, missed_while_growing};
pub use lens::{Lens, Numbers, Used};
pub use main_driver::{MainDriver, Uncertain};
pub use plant::{Io, ResourceKind};
pub use prediction::{
    ClassPrediction, CommitSection, Confirmation, InFlight, Interval, LockPrediction, LongHold, Overload, PredictError,
    Prediction, ResourcePrediction, Simulated, Simulation,
};
pub use proxy::{Proxy, ProxyPlace};
pub use resource::{Resource, Spot};
pub use rest::{Anchor, Resting};
pub use solve::{predict, predict_through, predict_with_commit};
pub use tables::{LockOrder, is_workspace};
