//! What the workers work out: pure functions from plain questions to plain answers.
//!
//! One file a kind of question. Knows the library; must not know the window, nor who asks.

mod accuracy;
mod advised;
mod against;
mod checked;
mod compared;
mod from_today;
mod grown;
mod logged;
mod rehearsal;
pub mod sensitivities;
pub mod simulated;
mod tried;

use std::path::PathBuf;
use std::sync::Arc;

use super::state::{Day, Pin};
use crate::advisor::what_if::Change;
use crate::site::Site;

pub use accuracy::{Accuracy, Figure};
pub use advised::Advised;
pub use against::Against;
pub use checked::{Checked, REPLICATIONS};
pub use compared::{Column, Compared};
pub use from_today::FromToday;
pub use grown::Grown;
pub use logged::{Logged, Read};
pub use rehearsal::{
    Course, KindCourse, NO_FOLDER, RehearsalAsked, RehearsalPlan, RehearsalResult, Rehearsing,
};
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

/// What can be asked.
#[derive(Debug, Clone)]
pub enum Asked {
    /// What to do.
    Advice(Arc<Site>),
    /// What would be.
    WhatIf(Arc<Advised>, Arc<Change>),
    /// The same what-if, simulated.
    Check(Arc<Advised>, Arc<Change>),
    /// So many years ahead.
    Growth(Arc<Advised>, Arc<Change>, f64),
    /// Several layouts side by side.
    Comparison(Arc<Advised>, Vec<Pin>),
    /// A day.
    Simulation(Arc<Advised>, Arc<Change>, Day),
    /// How well the model predicts what was published.
    Accuracy,
    /// What to change first in today's system.
    Today(Arc<Site>),
    /// What differs from another file: its path and its text.
    Against(Arc<Site>, PathBuf, Arc<str>),
    /// What a server log says.
    Log(Vec<PathBuf>),
    /// What a rehearsal will do; what killed runs left in its folders is removed first, or not.
    RehearsalPlan(RehearsalAsked, bool),
    /// To rehearse.
    Rehearsal(RehearsalAsked),
}

/// Questions are the same if they are about the same things.
impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Advice(a), Self::Advice(b)) | (Self::Today(a), Self::Today(b)) => {
                Arc::ptr_eq(a, b) || a == b
            }
            (Self::WhatIf(a, x), Self::WhatIf(b, y)) | (Self::Check(a, x), Self::Check(b, y)) => {
                Arc::ptr_eq(a, b) && x == y
            }
            (Self::Growth(a, x, n), Self::Growth(b, y, m)) => Arc::ptr_eq(a, b) && x == y && n == m,
            (Self::Comparison(a, x), Self::Comparison(b, y)) => Arc::ptr_eq(a, b) && x == y,
            (Self::Simulation(a, x, d), Self::Simulation(b, y, e)) => {
                Arc::ptr_eq(a, b) && x == y && d == e
            }
            (Self::Accuracy, Self::Accuracy) => true,
            (Self::Against(a, x, t), Self::Against(b, y, u)) => {
                (Arc::ptr_eq(a, b) || a == b) && x == y && t == u
            }
            (Self::Log(a), Self::Log(b)) => a == b,
            (Self::RehearsalPlan(a, x), Self::RehearsalPlan(b, y)) => a == b && x == y,
            (Self::Rehearsal(a), Self::Rehearsal(b)) => a == b,
            _ => false,
        }
    }
}

/// What was found.
#[derive(Debug, Clone)]
pub enum Answer {
    /// What to do; first by what is solved alone, then confirmed by simulation.
    Advice {
        /// What was found so far.
        found: Arc<Advised>,
        /// Whether this is all.
        is_last: bool,
    },
    /// What would be; first without its curve.
    WhatIf {
        /// What was found so far.
        found: Arc<Tried>,
        /// Whether this is all.
        is_last: bool,
    },
    /// What the simulator found of it, or as much as there is.
    Check {
        /// What was found so far.
        found: Arc<Checked>,
        /// Whether this is all.
        is_last: bool,
    },
    /// The years ahead.
    Growth(Arc<Grown>),
    /// Several layouts side by side.
    Comparison(Arc<Compared>),
    /// A day, or as much of it as there is.
    Simulation {
        /// What was found so far.
        found: Arc<Simulated>,
        /// Whether this is all.
        is_last: bool,
    },
    /// How well the model predicts what was published.
    Accuracy(Arc<Accuracy>),
    /// What to change first in today's system.
    Today(Arc<FromToday>),
    /// What differs from another site.
    Against(Arc<Against>),
    /// What a server log says, or how far it is read.
    Log {
        /// What was found so far.
        found: Arc<Logged>,
        /// Whether this is all.
        is_last: bool,
    },
    /// What a rehearsal will do.
    RehearsalPlan(Arc<RehearsalPlan>),
    /// A rehearsal, or how far it is.
    Rehearsal {
        /// What was counted so far.
        found: Arc<Rehearsing>,
        /// Whether this is all.
        is_last: bool,
    },
}

/// Answers are the same if they are one and the same.
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Advice {
                    found: a,
                    is_last: x,
                },
                Self::Advice {
                    found: b,
                    is_last: y,
                },
            ) => Arc::ptr_eq(a, b) && x == y,
            (
                Self::WhatIf {
                    found: a,
                    is_last: x,
                },
                Self::WhatIf {
                    found: b,
                    is_last: y,
                },
            ) => Arc::ptr_eq(a, b) && x == y,
            (
                Self::Check {
                    found: a,
                    is_last: x,
                },
                Self::Check {
                    found: b,
                    is_last: y,
                },
            ) => Arc::ptr_eq(a, b) && x == y,
            (Self::Growth(a), Self::Growth(b)) => Arc::ptr_eq(a, b),
            (Self::Comparison(a), Self::Comparison(b)) => Arc::ptr_eq(a, b),
            (
                Self::Simulation {
                    found: a,
                    is_last: x,
                },
                Self::Simulation {
                    found: b,
                    is_last: y,
                },
            ) => Arc::ptr_eq(a, b) && x == y,
            (Self::Accuracy(a), Self::Accuracy(b)) => Arc::ptr_eq(a, b),
            (Self::Today(a), Self::Today(b)) => Arc::ptr_eq(a, b),
            (Self::Against(a), Self::Against(b)) => Arc::ptr_eq(a, b),
            (
                Self::Log {
                    found: a,
                    is_last: x,
                },
                Self::Log {
                    found: b,
                    is_last: y,
                },
            ) => Arc::ptr_eq(a, b) && x == y,
            (
                Self::Rehearsal {
                    found: a,
                    is_last: x,
                },
                Self::Rehearsal {
                    found: b,
                    is_last: y,
                },
            ) => Arc::ptr_eq(a, b) && x == y,
            (Self::RehearsalPlan(a), Self::RehearsalPlan(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}
