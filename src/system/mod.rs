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
mod around;
mod balance;
mod bind;
mod blame;
pub mod cache;
pub mod capacity;
mod closures;
mod commit;
mod contention;
mod contests;
mod cost;
mod demand;
pub mod deployment;
mod drives;
mod flow;
pub mod interval;
mod leftover;
mod lens;
mod links;
mod lock_wait;
pub mod memory;
mod mixing;
mod once;
mod overlap;
mod pauses;
mod percentile;
mod plant;
pub mod prediction;
pub mod process;
mod quiet;
mod released;
mod restless;
mod room;
mod script;
mod sections;
mod sheet;
mod solve;
mod staging;
mod stays;
mod steady;
mod sway;
mod tables;
mod thinning;
mod threads;
mod throngs;
mod tides;
mod together;
mod turns;
mod while_held;

pub use bind::{BindError, bind};
pub use commit::{commit_time, commit_time_through};
pub use deployment::{CLOUD_DISKS, Choices, Deployment, LOCAL_DISKS, Mount, OfficeDisks};
pub use lens::{Lens, Used};
pub use plant::{Io, ResourceKind};
pub use prediction::{
    ClassPrediction, CommitSection, Interval, LockPrediction, PredictError, Prediction,
    ResourcePrediction,
};
pub use solve::{Effort, predict, predict_through};
pub use sway::Sway;
