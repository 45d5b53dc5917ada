//! What lengthens stays at stations beyond what the network knows: jobs that come together, and what is left for later; and
//! how that is where somebody holds tables for long.

use super::around::Around;
use super::balance::Frame;
use super::leftover::Leftover;
use super::links::Late;
use super::pauses::Pauses;
use super::quiet::LongHold;
use super::solve::Effort;
use super::tides::Tide;
use super::together::Gathering;
use crate::queueing::Flows;

/// Where that is told.
pub(super) struct Stays {
    gatherings: Vec<Gathering>,
    leftovers: Vec<Leftover>,
}

/// Residence over what each group waits for at each station.
pub(super) struct Longer {
    /// Without what clients left for later.
    before: Option<Vec<Vec<f64>>>,
    pub(super) stretch: Vec<Vec<f64>>,
}

impl Longer {
    /// The same without what clients left for later.
    pub(super) fn before(&self) -> &[Vec<f64>] {
        self.before.as_ref().unwrap_or(&self.stretch)
    }
}

/// What is otherwise under the locks of a section that is held for long than usual stays say.
pub(super) struct Otherwise {
    pub(super) piece: usize,
    /// Of all sections.
    pub(super) section: usize,
    pub(super) station: usize,
    /// By how much a cycle is longer \[s\].
    cycle: f64,
    /// By how much the hold is: what is left for later is there in its beginning, and not in the rest of the cycle \[s\].
    pub(super) hold: f64,
    /// Variance of the hold, beyond that of sizes \[s²\].
    pub(super) variance: f64,
    /// By how much the hold is longer right after another client's \[s\].
    pub(super) after_another: f64,
}

impl Otherwise {
    /// As something that is done later.
    pub(super) fn late(&self) -> Late {
        Late {
            piece: self.piece,
            station: self.station,
            seconds: self.cycle,
        }
    }
}

impl Stays {
    pub(super) fn of(frame: &Frame<'_, '_>, effort: Effort) -> Self {
        match effort {
            Effort::Search => Self {
                gatherings: Vec::new(),
                leftovers: Vec::new(),
            },
            Effort::Shown => Self {
                gatherings: Gathering::all(frame),
                leftovers: Leftover::all(frame),
            },
        }
    }

    /// What stays are, where the network has these.
    pub(super) fn longer(
        &self,
        frame: &Frame<'_, '_>,
        rates: &[f64],
        alone: &[Vec<f64>],
    ) -> Option<Longer> {
        if self.gatherings.is_empty() && self.leftovers.is_empty() {
            return None;
        }
        let mut stretch = frame.together(&self.gatherings, rates, alone);
        let mut before = None;
        if !self.leftovers.is_empty() {
            before = Some(stretch.clone());
            let busy = (&*frame.busy(rates), &*frame.coming(rates));
            Leftover::lengthen(&self.leftovers, rates, busy, &mut stretch);
        }
        Some(Longer { before, stretch })
    }

    /// How stays of all who come and go rise and fall, where they are these without what clients left for later, and under locks
    /// these.
    pub(super) fn tides(
        &self,
        frame: &Frame<'_, '_>,
        around: &Around,
        at: (&Flows, &[f64]),
        stays: (&[Vec<f64>], &[Vec<f64>]),
    ) -> Option<[Tide; 2]> {
        if self.leftovers.is_empty() && around.jams.is_empty() {
            return None;
        }
        frame.tides(&self.leftovers, around, at, stays)
    }

    /// What is otherwise in long holds, where stays are these without what clients left for later, and under locks these.
    pub(super) fn in_long_holds(
        &self,
        frame: &Frame<'_, '_>,
        (pauses, long): (&Pauses, Vec<LongHold>),
        (flows, rates): (&Flows, &[f64]),
        (before, told): (&[Vec<f64>], &[Vec<f64>]),
    ) -> Vec<Otherwise> {
        let (busy, coming) = (frame.busy(rates), frame.coming(rates));
        let mut otherwise: Vec<Otherwise> = Vec::new();
        for hold in &long {
            let piece = &frame.pieces[hold.piece];
            let group = piece.group;
            let inside = piece.cost.insides().nth(hold.own);
            for (k, demand) in inside.iter().flat_map(|inside| inside.iter()) {
                let usual = before[group][k];
                if !frame.plant.stations[k].0.kind.greatest_speed().is_finite() || usual <= 1.0 {
                    continue;
                }
                let at = (busy[k], coming[k]);
                let left = Leftover::of_others(&self.leftovers, (group, k), rates, at, usual);
                let others = frame.others((pauses, hold), (flows, rates), k, left);
                let quiet = others.meanwhile(usual);
                // Of several servers it is told of the whole cycle, with the first of its long holds there.
                let of_cycle = |other: &Otherwise| (other.piece, other.station) == (hold.piece, k);
                let cycle = match others.on_average() {
                    None => demand * (quiet - usual),
                    Some(_) if otherwise.iter().any(of_cycle) => 0.0,
                    Some(average) => piece.cost.total().get(k) * (average - usual),
                };
                let mut found = Otherwise {
                    piece: hold.piece,
                    section: hold.section,
                    station: k,
                    cycle,
                    hold: demand * (quiet - told[group][k]),
                    variance: 0.0,
                    after_another: 0.0,
                };
                let left = self.leftovers.iter().find(|left| left.is_of(group, k));
                if let Some(left) = left {
                    let beside = |longer: f64| {
                        left.beside(&self.leftovers, rates, (busy[k], others.busy), longer)
                    };
                    let meanwhile = beside(quiet);
                    let under = left.under((hold.piece, hold.own), &meanwhile);
                    let longer = meanwhile.longer_under(others.through, under);
                    found.hold += longer;
                    found.variance =
                        meanwhile.variance(others.through, demand, demand * quiet + longer);
                    found.after_another = meanwhile.after_another(others.through, under, demand);
                }
                otherwise.push(found);
            }
        }
        otherwise
    }
}
