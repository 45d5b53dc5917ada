//! Simulated queueing networks: a discrete-event core that is driven by data.
//!
//! ```text
//!  Model ──compile──► flat program ─┐
//!  Run (seed, span) ────────────────┴─► event loop ──► Replication ──fold──► Outcome
//! ```
//!
//! Knows customers, stations, locks, pools, caches and random streams; times are seconds. Must not
//! know what a station stands for, read a file or a clock, or start a thread: replications are
//! independent of each other, so a caller may run them on as many threads as it likes and fold them
//! in their order. The same model, seed and version give the same bytes.

mod calendar;
mod cells;
mod compile;
pub mod distribution;
mod engine;
pub mod fold;
pub mod measure;
pub mod model;
mod order;
pub mod outcome;
pub mod paired;
mod pieces;
pub mod piling;
mod program;
mod random;
pub mod run;
mod sampler;
pub mod simulate;
pub mod trace;
pub mod validate;
mod ziggurat;

pub use distribution::Distribution;
pub use fold::fold;
pub use measure::Replication;
pub use model::{
    Arrivals, Bulk, Cache, CacheKind, Class, Discipline, Happening, HappeningKind, Lock, Mode, Model, ModelError, Pool,
    Profile, Route, Sleeper, Source, Station, Step, Visit,
};
pub use outcome::{
    ActivityOutcome, Blame, ClassOutcome, Estimate, LockOutcome, LockUseOutcome, Outcome, PoolOutcome, Series,
    StationClassOutcome, StationOutcome, Stopped,
};
pub use paired::{Alternative, Difference, differences};
pub use piling::{Pile, Spot};
pub use random::Uniform;
pub use run::{Means, Progress, Run, Span};
pub use simulate::{simulate, simulate_traced};
pub use trace::{Event, What};
pub use validate::JOBS_MAX;
