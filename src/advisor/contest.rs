//! How sure the choice is: with what chance another layout is better, and what that hangs on.
//!
//! Method (delta method on the logarithm of the scores' ratio): each free parameter of the fit is shifted
//! by one sigma with all that it scales, and the slopes are combined by the fit's covariance; each other
//! uncertain number is shifted alone; each unanswered question goes to both ends of its range, which
//! counts as an 80 % interval; and the model's own error, as far as the two do not share it
//! ([`super::kinship`]). Where the lead is as normal as its parts are small, the chance that the other is
//! better is Φ(−lead/σ).
//!
//! What the lead hangs on is told by parameter, question and figure ([`super::doubt`]). Only layouts that
//! miss as few targets as the chosen one are in the contest.

use std::collections::{BTreeMap, BTreeSet};

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::bill;
use super::doubt::{self, Doubt, DoubtKind};
use super::kinship;
use super::ranking::Solved;
use super::safety::Rank;
use super::score::{self, Scores, Timed, times};
use super::sensitivity::{Of, Range, made, renewed};
use super::worlds::{self, Unknowns, Worlds};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::posterior::Posterior;
use crate::site::Site;
use crate::system::capacity;
use crate::system::{Choices, Deployment, Prediction, Resting, Used};
use crate::workload::Load;

/// Chance of a rival from which it cannot be told apart: the lead's 80 % interval holds zero.
const TIED: f64 = 0.1;
/// Rivals that are looked at: those next by score.
const RIVALS: usize = 3;
/// Lead of one that saturates where the other does not, in logarithms of the score: far beyond any lead that
/// is in doubt, and no more.
const SATURATED: f64 = 1.0;
/// What scores settle to, as the locks come to rest: nobody can tell leads below it.
const SETTLES: f64 = 1e-3;
/// The score's best times are so far below all others that nothing is cut off.
const FAR_BELOW: f64 = 1e-6;

/// The contest of the chosen layout with the next ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contest {
    /// The others, the likeliest to be better first.
    pub rivals: Vec<Rival>,
    /// What the lead over the likeliest of them hangs on, most first.
    pub doubts: Vec<Doubt>,
    /// Published data whose errors are behind those of them that a fit moved, with their shares of the
    /// lead's variance, most first.
    pub data: Vec<(String, f64)>,
    /// How the layouts fare in sampled worlds.
    pub worlds: Worlds,
}

impl Contest {
    /// What of that kind the lead hangs on most.
    pub fn most(&self, kind: DoubtKind) -> Option<&Doubt> {
        self.doubts.iter().find(|doubt| doubt.kind == kind)
    }
}

/// A layout that might be better.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its layout.
    pub layout: String,
    /// By how much the chosen one's score is larger, as the logarithm of their ratio.
    pub lead: f64,
    /// One-sigma error of the lead.
    pub sigma: f64,
    /// Chance that it is better.
    pub chance: f64,
}

impl Rival {
    /// Whether nobody can tell it from the chosen one.
    pub fn is_tied(&self) -> bool {
        self.chance >= TIED
    }
}

/// What all evaluations share.
struct Ring<'r> {
    site: &'r Site,
    catalog: &'r Catalog,
    calibration: &'r Calibration,
    load: &'r Load,
    /// Whether cost is judged in money.
    is_priced: bool,
}

/// One of the layouts.
pub(super) struct Side {
    deployment: Deployment,
    choices: Choices,
    prediction: Prediction,
    missed: usize,
    /// How safe it is, and whether a store is full before the horizon.
    safety: (Rank, bool),
    scores: Scores,
    /// What it costs, where cost is judged in money.
    price: Option<f64>,
}

impl Side {
    fn new(solved: &Solved, scores: &Scores) -> Self {
        Self {
            deployment: solved.candidate.deployment.clone(),
            choices: solved.candidate.choices.clone(),
            prediction: solved.prediction.clone(),
            missed: solved.missed.len(),
            safety: (solved.safety.rank(), solved.safety.fills.is_some()),
            scores: scores.clone(),
            price: score::price(&solved.times),
        }
    }

    fn solved(&self) -> (&Deployment, &Prediction) {
        (&self.deployment, &self.prediction)
    }
}

/// The chosen one first, then those that it is compared with.
pub(super) fn sides(ranked: &[(Solved, Scores)]) -> Vec<Side> {
    let mut sides: Vec<Side> = Vec::new();
    for (solved, scores) in ranked {
        let known = |side: &Side| side.deployment.layout == solved.candidate.deployment.layout;
        let first = sides.first();
        let worse = first.is_some_and(|first| {
            solved.missed.len() != first.missed
                || (solved.safety.rank(), solved.safety.fills.is_some()) != first.safety
        });
        if solved.safety.full.is_none() && !worse && !sides.iter().any(known) {
            sides.push(Side::new(solved, scores));
        }
        if sides.len() > RIVALS {
            break;
        }
    }
    sides
}

/// The contest between the first of `sides` and the others; `ranges` are the site's.
pub(super) fn contest(
    site: &Site,
    ranges: &[Range],
    catalog: &Catalog,
    calibration: &Calibration,
    load: &Load,
    sides: &[Side],
) -> Contest {
    let ring = Ring {
        site,
        catalog,
        calibration,
        load,
        is_priced: sides.iter().all(|side| side.price.is_some()),
    };
    let Some((chosen, others)) = sides.split_first() else {
        return Contest::default();
    };
    let parts = Parts::of(&ring, ranges, sides);
    let posterior = &calibration.posterior;
    let leads: Vec<f64> = others
        .iter()
        .map(|other| (chosen.scores.total / other.scores.total).ln())
        .collect();
    let layouts: Vec<String> = sides.iter().map(|s| s.deployment.layout.clone()).collect();
    let unknowns = Unknowns {
        slopes: &parts.slopes,
        moves: &parts.both_ways,
        own: &parts.own,
    };
    let worlds = worlds::sample(&layouts, &leads, &unknowns, posterior);
    let rivals = others.iter().enumerate().map(|(r, other)| {
        let told = parts.of_rival(posterior, r);
        let sigma = told.sigma;
        let lead = leads[r];
        let rival = Rival {
            layout: other.deployment.layout.clone(),
            lead,
            sigma,
            chance: Normal::standard().cdf(-lead / sigma),
        };
        (rival, told)
    });
    let mut rivals: Vec<(Rival, Told)> = rivals.collect();
    rivals.sort_by(|a, b| b.0.chance.total_cmp(&a.0.chance));
    let (doubts, data) = rivals.first_mut().map_or_else(Default::default, |(_, t)| {
        (std::mem::take(&mut t.doubts), std::mem::take(&mut t.data))
    });
    Contest {
        rivals: rivals.into_iter().map(|(rival, _)| rival).collect(),
        data,
        doubts,
        worlds,
    }
}

/// What is known of one lead.
struct Told {
    sigma: f64,
    doubts: Vec<Doubt>,
    data: Vec<(String, f64)>,
}

/// What the leads over all rivals depend on.
struct Parts {
    /// Change of each lead by the logarithm of a free parameter; none where it touches nothing.
    slopes: Vec<Option<Vec<f64>>>,
    /// Change of each lead by one sigma of something else.
    moves: Vec<(DoubtKind, String, Vec<f64>)>,
    /// The same of numbers and questions, downward and upward with their signs.
    both_ways: Vec<[Vec<f64>; 2]>,
    /// One sigma of the model's own error of each lead.
    own: Vec<f64>,
}

impl Parts {
    fn of(ring: &Ring<'_>, ranges: &[Range], sides: &[Side]) -> Self {
        let rests = sides.iter().map(|side| ring.rest(side));
        let rests: Vec<Option<Resting<'_>>> = rests.collect();
        let best = rests[0].as_ref().and_then(|rest| {
            let found = rest.shifted([], ring.files()).ok()?;
            Some(ring.times(ring.site, &sides[0].deployment, ring.load, found))
        });
        let best: Vec<(Timed, f64)> = best
            .unwrap_or_default()
            .into_iter()
            .map(|(name, time)| (name, time * FAR_BELOW))
            .collect();
        let unshifted: Vec<Option<f64>> = sides
            .iter()
            .zip(&rests)
            .map(|(side, rest)| ring.shifted(side, rest.as_ref()?, &[], &best))
            .collect();
        let changes = |logs: &[Option<f64>]| -> Vec<f64> {
            (1..sides.len())
                .map(|rival| lead(logs, rival) - lead(&unshifted, rival))
                .collect()
        };
        let scaled = |factors: &[(&str, f64)]| {
            let all = sides.iter().zip(&rests).zip(&unshifted);
            let logs = all.map(|((side, rest), unshifted)| {
                let rest = rest.as_ref()?;
                // What a layout does not read does not move it.
                if factors
                    .iter()
                    .any(|(name, _)| rest.used().contains_key(*name))
                {
                    ring.shifted(side, rest, factors, &best)
                } else {
                    *unshifted
                }
            });
            changes(&logs.collect::<Vec<_>>())
        };
        let posterior = &ring.calibration.posterior;
        let used = || rests.iter().flatten().map(Resting::used);
        let names: BTreeSet<&String> = used().flat_map(BTreeMap::keys).collect();
        let slope = |i: usize| {
            let (free, sigma) = (&posterior.free[i], posterior.covariance[i][i].sqrt());
            let touches = free.scales.iter().any(|name| names.contains(name));
            (touches && sigma > 0.0).then(|| {
                let factors = free.scales.iter().map(|name| (name.as_str(), sigma.exp()));
                let changes = scaled(&factors.collect::<Vec<_>>()).into_iter();
                changes.map(|change| change / sigma).collect()
            })
        };
        let slopes = (0..posterior.free.len()).map(slope).collect();
        let mut moves: Vec<(DoubtKind, String, Vec<f64>)> = Vec::new();
        let mut both_ways: Vec<[Vec<f64>; 2]> = Vec::new();
        for name in names {
            let used = used().find_map(|used| used.get(name));
            let unsure = |u: &&Used| u.origin.kind() != "fitted" && u.is_uncertain();
            if let Some(used) = used.filter(unsure) {
                let up = scaled(&[(name, used.spread.exp())]);
                both_ways.push([up.iter().map(|x| -x).collect(), up.clone()]);
                moves.push((DoubtKind::Number, name.clone(), up));
            }
        }
        let quantile = Normal::standard().inverse_cdf(0.9);
        for Range { of, field, ends } in ranges {
            let kind = match of {
                Of::Assumption => DoubtKind::Question,
                Of::Measured => DoubtKind::Measured,
            };
            let varied = |end: usize| {
                let all = sides.iter().zip(&rests);
                let logs =
                    all.map(|(side, rest)| ring.varied(&ends[end].1, side, rest.as_ref()?, &best));
                changes(&logs.collect::<Vec<_>>())
            };
            let [low, high] = [0, 1].map(varied);
            let by_sigma = |end: &[f64]| end.iter().map(|x| x / quantile).collect();
            both_ways.push([by_sigma(&low), by_sigma(&high)]);
            let half = low.iter().zip(&high);
            let half = half.map(|(low, high)| f64::midpoint(low.abs(), high.abs()) / quantile);
            moves.push((kind, field.clone(), half.collect()));
        }
        let own = performance_weight(&sides[0].scores) * posterior.discrepancy;
        let (first, others) = (sides[0].solved(), sides[1..].iter());
        let apart = others.map(|side| kinship::apart(first, side.solved()));
        let own: Vec<f64> = apart.map(|apart| (own * apart).hypot(SETTLES)).collect();
        let name = "the model's own error".to_owned();
        moves.push((DoubtKind::Model, name, own.clone()));
        Self {
            slopes,
            moves,
            both_ways,
            own,
        }
    }

    /// One-sigma error of the lead over a rival, and its parts.
    fn of_rival(&self, posterior: &Posterior, rival: usize) -> Told {
        let slopes = self.slopes.iter();
        let slopes: Vec<Option<f64>> = slopes.map(|s| Some(s.as_ref()?[rival])).collect();
        let mut doubts = doubt::of_parameters(posterior, &slopes);
        doubts.extend(self.moves.iter().map(|(kind, name, moves)| Doubt {
            kind: *kind,
            name: name.clone(),
            share: moves[rival].powi(2),
        }));
        let variance: f64 = doubts.iter().map(|d| d.share).sum();
        for doubt in &mut doubts {
            doubt.share /= variance;
        }
        doubts.retain(|d| d.share > 0.0);
        doubts.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.name.cmp(&b.name)));
        Told {
            sigma: variance.sqrt(),
            doubts,
            data: doubt::of_data(posterior, &slopes, variance),
        }
    }
}

/// The site's weight of performance, over the sum of weights.
fn performance_weight(scores: &Scores) -> f64 {
    let performance = scores.by_criterion.iter();
    let mut performance = performance.filter(|score| score.criterion == "performance");
    performance.next().map_or(0.0, |score| score.weight)
}

/// Lead of the first over a rival, of whom one may saturate.
fn lead(logs: &[Option<f64>], rival: usize) -> f64 {
    match (logs[0], logs[rival]) {
        (Some(first), Some(other)) => first - other,
        (None, Some(_)) => -SATURATED,
        (Some(_), None) => SATURATED,
        (None, None) => 0.0,
    }
}

impl Ring<'_> {
    fn rest<'s>(&'s self, side: &'s Side) -> Option<Resting<'s>> {
        Resting::of(&side.deployment, self.load, self.catalog, self.calibration).ok()
    }

    /// Files of the commit that everybody waits for.
    fn files(&self) -> f64 {
        self.site.workload.largest_submit_files.value
    }

    /// What is scored of a deployment that does this, and whose largest commit takes so long.
    fn times(
        &self,
        site: &Site,
        deployment: &Deployment,
        load: &Load,
        (prediction, commit): (Prediction, f64),
    ) -> Vec<(Timed, f64)> {
        let mut times = times(&prediction, commit);
        if self.is_priced {
            let sizes = capacity::sizes(site, load, self.catalog, self.calibration);
            let bill = bill(site, self.catalog, deployment, &sizes);
            times.push((Timed::Price, bill.total().unwrap_or_default()));
        }
        times
    }

    /// Logarithm of a layout's score with numbers so many times as large; none where it saturates.
    fn shifted(
        &self,
        side: &Side,
        rest: &Resting<'_>,
        factors: &[(&str, f64)],
        best: &[(Timed, f64)],
    ) -> Option<f64> {
        let found = rest.shifted(factors.iter().copied(), self.files()).ok()?;
        let times = self.times(self.site, &side.deployment, self.load, found);
        let scores = score::scores(self.site, self.catalog, &side.deployment, &times, best);
        Some(scores.total.ln())
    }

    /// The same with an answer of the site at an end of its range.
    fn varied(
        &self,
        site: &Site,
        side: &Side,
        rest: &Resting<'_>,
        best: &[(Timed, f64)],
    ) -> Option<f64> {
        let choices = renewed(&side.choices, site, self.catalog);
        let layout = &side.deployment.layout;
        let (deployment, load) = made(site, self.catalog, self.calibration, layout, &choices)?;
        let files = site.workload.largest_submit_files.value;
        let found = rest.near(&deployment, &load, files).ok()?;
        let times = self.times(site, &deployment, &load, found);
        let scores = score::scores(site, self.catalog, &deployment, &times, best);
        Some(scores.total.ln())
    }
}
