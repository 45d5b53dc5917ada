//! Published measurements as runs of the model: a deployment, a workload, what is read off.
//!
//! ```text
//!  calibration/experiments/*.toml ─► Run (deployment + workload) ─► system::predict ─► Reading ─┐
//!                                    Comparison (ratio, order, set) ◄───────────────────────────┤
//!  calibration/*.toml ─► Datum ─────────────────────────────────────────► published figure ─────┴─► Row
//! ```
//!
//! Knows how an experiment file is written, how a run is set up and which numbers of a prediction
//! answer to a published figure. Must not know how parameters are fitted, nor any output format.
//!
//! ```
//! use plimsoll_model::{calibration::Calibration, catalog::Catalog, experiment::Experiments};
//! let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
//! let experiments = Experiments::embedded(&catalog, &calibration);
//! let run = experiments.run("N13-mount-both").unwrap();
//! let (readings, _) = run.predict(&catalog, &calibration, &Default::default()).unwrap();
//! let elapsed = readings["elapsed"]; // 406 s were measured
//! assert!((elapsed / 406.0 - 1.0).abs() < 0.05);
//! ```

mod amount;
mod comparison;
mod embedded;
mod formula;
mod maintenance;
mod measure;
mod own;
mod own_comparison;
mod read;
mod rows;
mod run;
mod workload;

pub use amount::Amount;
pub use comparison::{Comparison, Kind, Term};
pub use embedded::FILES;
pub use formula::{Formula, Named, Product};
pub use maintenance::Maintenance;
pub use measure::{Measure, Measured, What};
pub use own::{Head, Measurement};
pub use read::{CODES, Experiments};
pub use rows::{Claim, Row, Topic};
pub use run::{Lab, Readings, Run, RunError, Setup};
pub use workload::{Call, Group, Workload};
