//! Microbenchmarks of a folder's volume: what p4d lives on, measured instead of assumed.
//!
//! [`Place`] says whether a folder may be measured, [`Plan`] what will be done and what it takes, [`run`]
//! does it and gives a [`Measured`], which is the result file. [`compare()`] holds two of them against each
//! other, [`Evidence`] turns one into runs and free parameters that the calibration blends.
//!
//! ```text
//!  place ─► run ─► matrix ─► prepare ─► round (closed) × n ─► steady? ─► round (open) ─► result ─► compare
//!            │                                                                              └────► evidence
//!            └► scratch: the only folder that is written to, removed on every way out
//! ```
//!
//! Nothing here is written outside the scratch folder, and nothing is removed that was not made here. It
//! reads clocks, starts threads and asks the machine what it is; it must not know the desktop.

mod account;
mod blocks;
mod buffer;
mod circumstances;
mod compare;
mod data;
mod echo;
pub mod environment;
mod evidence;
mod formulas;
pub(crate) mod ground;
pub mod guard;
mod idle;
mod journal;
mod layout;
mod leftover;
mod locks;
mod matrix;
mod names;
pub mod network;
pub mod options;
mod packing;
mod place;
mod plan;
mod result;
mod root;
mod round;
mod rows;
mod run;
mod scratch;
mod session;
mod shown;
pub mod signals;
mod standing;
mod steady;
mod stopwatch;
mod submit;
mod system;

pub use compare::{Compared, Comparison, compare, differences};
pub use environment::Environment;
pub use evidence::Evidence;
pub use leftover::{Cleaned, Leftover, Others, clean, others};
pub use locks::{Api, Pattern};
pub use matrix::{Kind, Mode, Order, Test, full, quick};
pub use place::Place;
pub use plan::{FILE_BYTES, Plan, ROUND};
pub(crate) use result::read_toml;
pub use result::{KIND, Measured, OpenLoop, PartTimes, SCHEMA, Settings, Tested, Times, is_result};
pub(crate) use run::timestamp;
pub use run::{Progress, run};
pub use shown::{comparison_page, page, plan_page, span};
pub use standing::Standing;
pub use steady::{Verdict, judge};
pub use stopwatch::{Part, now};
pub use system::Space;

/// Why there is no measurement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// The folder or the plan is none that may be measured.
    #[error("{0}")]
    Refused(String),
    /// A result file that cannot be used.
    #[error("{0}")]
    Input(String),
    /// The measurement failed; nothing of it is left.
    #[error("{0}")]
    Failed(String),
    /// Somebody stopped it; nothing of it is left.
    #[error("stopped; all files of the run were removed")]
    Interrupted,
}
