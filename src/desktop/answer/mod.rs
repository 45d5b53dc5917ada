//! What the workers work out: pure functions from plain questions to plain answers.
//!
//! One file a kind of question, and a row of `lanes!` at the end of this one. Knows the library; must not know the
//! window, nor who asks.

mod accuracy;
mod advised;
mod against;
mod checked;
mod compared;
mod from_today;
mod grown;
mod logged;
pub mod sensitivities;
pub mod simulated;
mod tried;

use std::path::PathBuf;
use std::sync::Arc;

use super::lane::{Found, Lane, Same, lanes};
use super::state::{Day, Pin};
use crate::advisor::what_if::Change;
use crate::site::Site;

pub use accuracy::Accuracy;
pub use advised::Advised;
pub use against::Against;
pub use checked::{Checked, REPLICATIONS};
pub use compared::Compared;
pub use from_today::FromToday;
pub use grown::Grown;
pub use logged::{Logged, Read};
pub use simulated::{Control, Signal, Simulated, scenario};
pub use tried::{Before, Tried};

/// Something to work out; answers carry the number of their question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Its number within its lane.
    pub generation: u64,
    /// What is asked.
    pub asked: Asked,
}

lanes! {
    /// What to do; first by what is solved alone, then confirmed by simulation.
    Advice(Arc<Site>) -> Advised;
        advice, "advice", "computing the advice…";
    /// What would be; first without its curve.
    WhatIf(Same<Advised>, Arc<Change>) -> Tried;
        what_if, "what if", "computing the what-if…";
    /// The same what-if, simulated, or as much as there is.
    Check(Same<Advised>, Arc<Change>) -> Checked;
        check, "check", "simulating the what-if…";
    /// So many years ahead.
    Growth(Same<Advised>, Arc<Change>, f64) -> Grown;
        growth, "growth", "computing growth…";
    /// Several layouts side by side.
    Comparison(Same<Advised>, Vec<Pin>) -> Compared;
        comparison, "comparison", "comparing…";
    /// A day, or as much of it as there is.
    Simulation(Same<Advised>, Arc<Change>, Day) -> Simulated;
        simulation, "simulation", "simulating…";
    /// What to change first in today's system.
    Today(Arc<Site>) -> FromToday;
        today, "today", "computing changes of today's system…";
    /// What differs from another file: its path and its text.
    Against(Arc<Site>, PathBuf, Arc<str>) -> Against;
        against, "against", "comparing with the other site…";
    /// What a server log says, or how far it is read.
    Log(Vec<PathBuf>) -> Logged;
        log, "server log", "reading the log…";
    /// How well the model predicts what was published.
    Accuracy -> Accuracy;
        accuracy, "accuracy", "predicting published measurements…";
}
