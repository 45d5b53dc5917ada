//! What is read off a run, and which published figure it answers to.

use std::ops::RangeInclusive;

use super::amount::{Amount, Known};
use crate::calibration::Dimension;
use crate::diag::quoted;
use crate::document::{Located, Reader};
use crate::system::Prediction;
use crate::units::{BytesPerSecond, Fraction, PerSecond, Quantity, Seconds};
use crate::workload::{Arrival, Load};

/// One number of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Its name in the run.
    pub name: String,
    /// The figure of the run's datum that it answers to; none where only comparisons read it.
    pub figure: Option<String>,
    /// Which number.
    pub what: What,
    /// Why the model cannot say it yet; the figure is shown and moves no parameter.
    pub no_mechanism: Option<String>,
    /// What the run repeats to, and the description leaves open: one-sigma relative error besides the
    /// figure's own.
    pub sigma: Option<f64>,
    /// What somebody measured themselves, in place of a published figure.
    pub measured: Option<Measured>,
}

/// A figure of one's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// In base units.
    pub value: f64,
    /// What it measures.
    pub dimension: Dimension,
    /// How far repetitions of the run lie from each other: one-sigma relative error.
    pub spread: f64,
}

/// A number of a prediction.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Time for so many cycles of the group, all clients together \[s\].
    Elapsed {
        /// Place of the group.
        group: usize,
        /// Cycles.
        cycles: Amount,
    },
    /// Time of one client's cycle without its thinking \[s\].
    Cycle {
        /// Place of the group.
        group: usize,
    },
    /// So many of a call a second \[1/s\].
    Rate {
        /// Place of the group.
        group: usize,
        /// Place of the call.
        call: usize,
    },
    /// How long the commit section is held \[s\].
    CommitTime,
    /// Files committed a second while it is held \[1/s\].
    CommitRate,
    /// Bytes a second to and from the volumes of a role, all servers together \[B/s\].
    Traffic {
        /// The role.
        role: &'static str,
    },
    /// Busy fraction of the busiest resource of a kind.
    Busy {
        /// Part of the resource's name.
        resource: String,
    },
}

/// What somebody can have measured, in base units: a picosecond to thirty million years, up to a petabyte a second.
const MEASURED: RangeInclusive<f64> = 1e-12..=1e15;
const WORDS: [&str; 7] = ["elapsed", "cycle", "rate", "commit-time", "commit-rate", "traffic", "busy"];
const ROLES: [&str; 4] = ["db", "journal", "log", "depot"];

impl Measure {
    pub(super) fn read(r: &Reader<'_>, workload: &super::Workload, known: &Known<'_>) -> Option<Self> {
        r.require(&["name", "what"]);
        let (name, figure) = (r.text("name"), r.text("figure"));
        let sigma = r.quantity::<Fraction>("sigma").map(|s| s.value.get());
        let what = What::read(r, workload, known);
        // Who measures something themselves wants it to count.
        let (no_mechanism, measured) = if known.own {
            (None, Measured::read(r, what.as_ref()))
        } else {
            (r.text("no_mechanism").map(|t| t.value), None)
        };
        r.finish();
        Some(Self { name: name?.value, figure: figure.map(|f| f.value), no_mechanism, what: what?, sigma, measured })
    }
}

impl Measured {
    /// Reads `measured` with its `spread`; a file of one's own answers to no published figure. None where
    /// only a comparison reads the measure.
    fn read(r: &Reader<'_>, what: Option<&What>) -> Option<Self> {
        if let Some(figure) = r.text("figure") {
            let message = format!("{} names a published figure", quoted(&r.full("figure")));
            let found = "the fit holds it already: state your result as `measured`";
            r.report("EXP003", message, &figure.place, found);
        }
        if r.raw("measured").is_none() && r.raw("spread").is_none() {
            return None;
        }
        r.require(&["measured", "spread"]);
        let spread = read_spread(r);
        let dimension = what?.dimension();
        let value = match dimension {
            Dimension::Time => r.quantity::<Seconds>("measured").map(located_base),
            Dimension::Rate => r.quantity::<PerSecond>("measured").map(located_base),
            Dimension::Bandwidth => r.quantity::<BytesPerSecond>("measured").map(located_base),
            _ => r.quantity::<Fraction>("measured").map(located_base),
        };
        let (value, spread) = (value?, spread?);
        if !is_measurable(value.value) {
            let message = format!("{} must be above 0 and finite", quoted(&r.full("measured")));
            let found = "the fit uses its logarithm";
            r.report("EXP002", message, &value.place, found);
        }
        Some(Self { value: value.value, dimension, spread })
    }
}

/// Whether somebody can have measured it.
pub(super) fn is_measurable(value: f64) -> bool {
    MEASURED.contains(&value)
}

/// Reads `spread`: how far repetitions lie from each other, one sigma.
pub(super) fn read_spread(r: &Reader<'_>) -> Option<f64> {
    let spread = r.quantity::<Fraction>("spread")?;
    let error = spread.value.get();
    if !(error > 0.0 && error <= 1.0) {
        let message = format!("{} must be above 0 % and at most 100 %", quoted(&r.full("spread")));
        let found = "how far runs lie from each other, as a share: \"5 %\"";
        r.report("EXP002", message, &spread.place, found);
    }
    Some(error)
}

fn located_base<Q: Quantity>(found: Located<Q>) -> Located<f64> {
    Located { value: found.value.base(), place: found.place }
}

impl What {
    fn read(r: &Reader<'_>, workload: &super::Workload, known: &Known<'_>) -> Option<Self> {
        let what = r.word("what", &WORDS)?;
        Some(match what.value {
            "elapsed" => {
                r.require(&["cycles"]);
                let cycles = known.number(r, "cycles")?;
                if cycles == Amount::Stated(0.0) {
                    let place = r.number("cycles")?.place;
                    let message = format!("{} must be above 0", quoted(&r.full("cycles")));
                    let found = "no time passes without a cycle";
                    r.report("EXP002", message, &place, found);
                }
                Self::Elapsed { group: group(r, workload)?, cycles }
            }
            "cycle" => Self::Cycle { group: group(r, workload)? },
            "rate" => {
                r.require(&["call"]);
                let group = group(r, workload)?;
                let calls = &workload.groups[group].calls;
                let wanted = r.text("call")?;
                let Some(call) = calls.iter().position(|c| c.command == wanted.value) else {
                    let ids = calls.iter().map(|c| c.command.as_str());
                    super::amount::unknown(r, "call", (&wanted.value, &wanted.place), ids);
                    return None;
                };
                Self::Rate { group, call }
            }
            "commit-time" => Self::CommitTime,
            "commit-rate" => Self::CommitRate,
            "traffic" => {
                r.require(&["role"]);
                let role = r.word("role", &ROLES)?.value;
                Self::Traffic { role }
            }
            _ => {
                r.require(&["resource"]);
                let resource = r.text("resource")?.value;
                Self::Busy { resource }
            }
        })
    }

    /// What it measures.
    fn dimension(&self) -> Dimension {
        match self {
            Self::Elapsed { .. } | Self::Cycle { .. } | Self::CommitTime => Dimension::Time,
            Self::Rate { .. } | Self::CommitRate => Dimension::Rate,
            Self::Traffic { .. } => Dimension::Bandwidth,
            Self::Busy { .. } => Dimension::Share,
        }
    }

    /// Reads it off a prediction of `load`; none where the prediction has no such thing.
    pub(super) fn of(&self, prediction: &Prediction, load: &Load, parameter: &impl Fn(&str) -> f64) -> Option<f64> {
        Some(match self {
            Self::Elapsed { group, cycles } => cycles.value(parameter) / prediction.group_rates[*group],
            Self::Cycle { group } => match load.groups[*group].arrival {
                Arrival::Closed { population, think_time } => population / prediction.group_rates[*group] - think_time,
                Arrival::Open { .. } => return None,
            },
            Self::Rate { group, call } => prediction.group_rates[*group] * load.groups[*group].calls[*call].weight,
            Self::CommitTime => prediction.commit?.hold,
            Self::CommitRate => prediction.commit?.rate(),
            Self::Traffic { role } => {
                let volumes = prediction.io.iter().filter(|((_, r), _)| r == role);
                volumes.map(|(_, io)| io.bytes).sum()
            }
            Self::Busy { resource } => {
                let named = prediction.resources.iter();
                let named = named.filter(|r| r.resource.name.contains(resource.as_str()));
                named.map(|r| r.utilization).reduce(f64::max)?
            }
        })
    }

    /// Every amount in it.
    pub(super) fn amounts(&self) -> Option<&Amount> {
        match self {
            Self::Elapsed { cycles, .. } => Some(cycles),
            _ => None,
        }
    }
}

/// The group that a measure is about: the only one, or the one that it names.
fn group(r: &Reader<'_>, workload: &super::Workload) -> Option<usize> {
    let names = || workload.groups.iter().map(|g| g.name.as_str());
    let Some(wanted) = r.text("group") else {
        if workload.groups.len() == 1 {
            return Some(0);
        }
        let message = "several groups: `group` must say which is meant";
        let found = names().collect::<Vec<_>>().join(", ");
        r.report("EXP002", message, r.place(), found);
        return None;
    };
    let place = names().position(|name| name == wanted.value);
    if place.is_none() {
        super::amount::unknown(r, "group", (&wanted.value, &wanted.place), names());
    }
    place
}
