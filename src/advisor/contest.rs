//! How sure the choice is: with what chance another layout is better, and what that hangs on.
//!
//! Method (delta method on the logarithm of the scores' ratio): each free parameter of the fit is shifted
//! by one sigma with all that it scales, and the slopes are combined by the fit's covariance; each other
//! uncertain number is shifted alone; each unanswered question goes to both ends of its range, which
//! counts as an 80 % interval; and the model's own error, as far as the two do not share it
//! ([`super::shared_error`]). The chance that the other is better is its share of the sampled worlds ([`super::worlds`]).
//!
//! What the lead hangs on is told by parameter, question and figure ([`super::variance_share`]). Only layouts that
//! miss as few targets as the chosen one are in the contest.

use std::borrow::Cow;
use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::bill;
use super::criteria::Criterion;
use super::ranking::{Misses, Solved};
use super::safety::Rank;
use super::score::{self, Scores, Timed, times};
use super::sensitivity::{Of, Range, made, renewed};
use super::shared_error;
use super::variance_share::{self, VarianceShare, VarianceSource};
use super::worlds::{self, Unknowns, Worlds};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::parallel;
use crate::posterior::{NumberId, Posterior};
use crate::site::Site;
use crate::system::capacity;
use crate::system::{Choices, Deployment, Prediction, Resting, Used};
use crate::workload::Load;

/// Chance of a rival from which the two are tied: the lead's 80 % interval holds zero.
const TIED: f64 = 0.1;
/// Chance of a rival above which the two are no longer tied but the rival is likelier to be better: one half is known to 1 %.
const LIKELIER: f64 = 0.55;
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
    pub doubts: Vec<VarianceShare>,
    /// Published data whose errors are behind those of them that a fit moved, with their shares of the
    /// lead's variance, most first.
    pub data: Vec<(String, f64)>,
    /// How the layouts fare in sampled worlds.
    pub worlds: Worlds,
}

impl Contest {
    /// What of the wanted sources the lead depends on most.
    pub fn most(&self, is_wanted: impl Fn(&VarianceSource) -> bool) -> Option<&VarianceShare> {
        let mut doubts = self.doubts.iter();
        doubts.find(|doubt| is_wanted(&doubt.source))
    }
}

/// How the score of the chosen layout stands against that of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// It is larger with the whole 80 % interval.
    Clear,
    /// The 80 % interval of the lead holds zero, and the other is not likelier to be better.
    Tied,
    /// The other is likelier to be better: something else than the score decides.
    Behind,
}

impl Lead {
    /// "worse", "tied", "likelier better": the verdict on the other.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clear => "worse",
            Self::Tied => "tied",
            Self::Behind => "likelier better",
        }
    }
}

/// A layout that might be better.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its layout.
    pub layout: String,
    /// By how much the chosen one's score is larger, as the logarithm of their ratio.
    pub lead: f64,
    /// The same in four fifths of the sampled worlds: from, to.
    pub range: [f64; 2],
    /// Chance that it is better: its share of the sampled worlds.
    pub chance: f64,
}

impl Rival {
    /// How the chosen one stands against it.
    pub fn standing(&self) -> Lead {
        match self.chance {
            chance if chance < TIED => Lead::Clear,
            chance if chance > LIKELIER => Lead::Behind,
            _ => Lead::Tied,
        }
    }
}

/// What all evaluations share.
struct Inputs<'r> {
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
    missed: Misses,
    /// How safe it is, whether it needs a standby and has idle edges, and whether a store is full before the horizon.
    safety: (Rank, bool, bool, bool),
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
            missed: solved.misses(),
            safety: standing(solved),
            scores: scores.clone(),
            price: score::price(&solved.times),
        }
    }

    fn solved(&self) -> (&Deployment, &Prediction) {
        (&self.deployment, &self.prediction)
    }
}

/// What comes before every score.
fn standing(solved: &Solved) -> (Rank, bool, bool, bool) {
    let is_short = solved.safety.does_not_last().is_some();
    let needs_standby = !solved.by_standby.is_empty();
    (solved.safety.rank(), needs_standby, solved.idle.is_some(), is_short)
}

/// The chosen one first, then those that it is compared with.
pub(super) fn sides(ranked: &[(Solved, Scores)]) -> Vec<Side> {
    let mut sides: Vec<Side> = Vec::new();
    for (solved, scores) in ranked {
        let known = |side: &Side| side.deployment.layout == solved.candidate.deployment.layout;
        let first = sides.first();
        let worse = first.is_some_and(|first| solved.misses() != first.missed || standing(solved) != first.safety);
        if solved.safety.full.is_none() && !worse && !sides.iter().any(known) {
            sides.push(Side::new(solved, scores));
        }
        if sides.len() > RIVALS {
            break;
        }
    }
    sides
}

/// Logarithms of the layouts' scores; none where one saturates.
type Logs = Vec<Option<f64>>;

/// The layouts, and what each shift does to their scores: found once, whichever of them is the first.
pub(super) struct Contestants<'c> {
    sides: Vec<&'c Side>,
    ranges: &'c [Range],
    posterior: &'c Posterior,
    /// One sigma of each free parameter of the fit; none where it touches nothing.
    fitted: Vec<Option<f64>>,
    /// Other numbers that are uncertain.
    unsure: Vec<NumberId>,
    unshifted: Logs,
    /// Where each of these parameters and numbers is larger by one sigma, and at both ends of each range.
    shifted: Vec<Logs>,
}

impl<'c> Contestants<'c> {
    /// Of these layouts; `ranges` are the site's.
    pub(super) fn of(
        site: &Site,
        ranges: &'c [Range],
        catalog: &Catalog,
        calibration: &'c Calibration,
        load: &Load,
        sides: &'c [Side],
    ) -> Self {
        let inputs =
            Inputs { site, catalog, calibration, load, is_priced: sides.iter().all(|side| side.price.is_some()) };
        let scores = ShiftedScores::at(&inputs, sides);
        let posterior = &calibration.posterior;
        let numbers = scores.numbers();
        let touched = posterior.free.iter().enumerate().map(|(i, free)| {
            let sigma = posterior.covariance[i][i].sqrt();
            let touches = free.scales.iter().any(|number| numbers.contains_key(number));
            (touches && sigma > 0.0).then_some((free, sigma))
        });
        let touched: Vec<_> = touched.collect();
        let unsure = |u: &&Used| u.origin.kind() != "fitted" && u.is_uncertain();
        let unsure: Vec<(&NumberId, &Used)> =
            numbers.iter().map(|(number, used)| (*number, *used)).filter(|(_, used)| unsure(used)).collect();
        let fitted = touched.iter().flatten().map(|(free, sigma)| {
            let scales = free.scales.iter();
            Shift::Scaled(scales.map(|number| (number, sigma.exp())).collect())
        });
        let others = unsure.iter().map(|(number, used)| Shift::Scaled(vec![(number, used.spread.exp())]));
        let ends = ranges.iter().flat_map(|range| &range.ends);
        let ends = ends.map(|(_, site)| Shift::Varied(site));
        let shifts: Vec<Shift<'_>> = fitted.chain(others).chain(ends).collect();
        Self {
            sides: sides.iter().collect(),
            ranges,
            posterior,
            fitted: touched.iter().map(|touched| Some(touched.as_ref()?.1)).collect(),
            unsure: unsure.iter().map(|(number, _)| (*number).clone()).collect(),
            shifted: scores.of_each(&shifts),
            unshifted: scores.unshifted,
        }
    }

    /// Makes another the first; the others keep their order.
    pub(super) fn put_first(&mut self, layout: &str) {
        let mut sides = self.sides.iter();
        let Some(place) = sides.position(|side| side.deployment.layout == layout) else {
            return;
        };
        self.sides[..=place].rotate_right(1);
        for logs in self.shifted.iter_mut().chain([&mut self.unshifted]) {
            logs[..=place].rotate_right(1);
        }
    }

    /// The contest between the first and the others.
    pub(super) fn contest(&self) -> Contest {
        let Some((chosen, others)) = self.sides.split_first() else {
            return Contest::default();
        };
        let parts = Parts::of(self);
        let posterior = self.posterior;
        let leads: Vec<f64> = others.iter().map(|other| (chosen.scores.total / other.scores.total).ln()).collect();
        let sides = self.sides.iter();
        let layouts: Vec<String> = sides.map(|s| s.deployment.layout.clone()).collect();
        let unknowns = Unknowns { slopes: &parts.slopes, moves: &parts.both_ways, own: &parts.own };
        let worlds = worlds::sample(&layouts, &leads, &unknowns, posterior);
        let standings = worlds.standings.iter().skip(1);
        let rivals = std::iter::zip(others, standings).enumerate();
        let rivals = rivals.map(|(r, (other, standing))| {
            let told = parts.of_rival(posterior, r);
            let rival = Rival {
                layout: other.deployment.layout.clone(),
                lead: leads[r],
                range: standing.lead,
                chance: standing.ahead,
            };
            (rival, told)
        });
        let mut rivals: Vec<(Rival, Told)> = rivals.collect();
        rivals.sort_by(|a, b| b.0.chance.total_cmp(&a.0.chance));
        let (doubts, data) = rivals
            .first_mut()
            .map_or_else(Default::default, |(_, t)| (std::mem::take(&mut t.doubts), std::mem::take(&mut t.data)));
        Contest { rivals: rivals.into_iter().map(|(rival, _)| rival).collect(), data, doubts, worlds }
    }
}

/// What is known of one lead.
struct Told {
    doubts: Vec<VarianceShare>,
    data: Vec<(String, f64)>,
}

/// What the leads over all rivals depend on.
struct Parts {
    /// Change of each lead by the logarithm of a free parameter; none where it touches nothing.
    slopes: Vec<Option<Vec<f64>>>,
    /// Change of each lead by one sigma of something else.
    moves: Vec<(VarianceSource, Vec<f64>)>,
    /// The same of numbers and questions, downward and upward with their signs.
    both_ways: Vec<[Vec<f64>; 2]>,
    /// One sigma of the model's own error of each lead.
    own: Vec<f64>,
}

impl Parts {
    fn of(from: &Contestants<'_>) -> Self {
        let change = |logs: &Logs| -> Vec<f64> {
            let rivals = 1..from.sides.len();
            let changes = rivals.map(|rival| lead(logs, rival) - lead(&from.unshifted, rival));
            changes.collect()
        };
        let mut changes = from.shifted.iter().map(change);
        let mut next = || changes.next().unwrap_or_default();
        let slopes = from.fitted.iter().map(|sigma| {
            let sigma = (*sigma)?;
            Some(next().into_iter().map(|change| change / sigma).collect())
        });
        let slopes = slopes.collect();
        let mut moves: Vec<(VarianceSource, Vec<f64>)> = Vec::new();
        let mut both_ways: Vec<[Vec<f64>; 2]> = Vec::new();
        for number in &from.unsure {
            let up = next();
            both_ways.push([up.iter().map(|x| -x).collect(), up.clone()]);
            moves.push((VarianceSource::Number(number.clone()), up));
        }
        let quantile = Normal::standard().inverse_cdf(0.9);
        for Range { of, field, .. } in from.ranges {
            let source = match of {
                Of::Assumption => VarianceSource::Question(field.clone()),
                Of::Measured => VarianceSource::Measured(field.clone()),
            };
            let [low, high] = [next(), next()];
            let by_sigma = |end: &[f64]| end.iter().map(|x| x / quantile).collect();
            both_ways.push([by_sigma(&low), by_sigma(&high)]);
            let half = low.iter().zip(&high);
            let half = half.map(|(low, high)| f64::midpoint(low.abs(), high.abs()) / quantile);
            moves.push((source, half.collect()));
        }
        let sides = &from.sides;
        let own = performance_weight(&sides[0].scores) * from.posterior.discrepancy;
        let (first, others) = (sides[0].solved(), sides[1..].iter());
        let apart = others.map(|side| shared_error::apart(first, side.solved()));
        let own: Vec<f64> = apart.map(|apart| (own * apart).hypot(SETTLES)).collect();
        moves.push((VarianceSource::Model, own.clone()));
        Self { slopes, moves, both_ways, own }
    }

    /// What the variance of the lead over a rival is made of.
    fn of_rival(&self, posterior: &Posterior, rival: usize) -> Told {
        let slopes = self.slopes.iter();
        let slopes: Vec<Option<f64>> = slopes.map(|s| Some(s.as_ref()?[rival])).collect();
        let mut doubts = variance_share::of_parameters(posterior, &slopes);
        doubts.extend(
            self.moves
                .iter()
                .map(|(source, moves)| VarianceShare { source: source.clone(), share: moves[rival].powi(2) }),
        );
        let variance: f64 = doubts.iter().map(|d| d.share).sum();
        for doubt in &mut doubts {
            doubt.share /= variance;
        }
        doubts.retain(|d| d.share > 0.0);
        doubts.sort_by(|a, b| {
            let by_name = || a.source.to_string().cmp(&b.source.to_string());
            b.share.total_cmp(&a.share).then_with(by_name)
        });
        Told { doubts, data: variance_share::of_data(posterior, &slopes, variance) }
    }
}

/// The site's weight of performance, over the sum of weights.
fn performance_weight(scores: &Scores) -> f64 {
    let performance = scores.by_criterion.iter();
    let mut performance = performance.filter(|score| score.criterion == Criterion::Performance);
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

/// What is different from what the layouts are judged by.
enum Shift<'s> {
    /// Numbers are so many times as large.
    Scaled(Vec<(&'s NumberId, f64)>),
    /// An answer of the site is at an end of its range.
    Varied(&'s Site),
}

/// The layouts at rest, from where it is looked what a shift does to their scores.
struct ShiftedScores<'l> {
    inputs: &'l Inputs<'l>,
    sides: &'l [Side],
    rests: Vec<Option<Resting<'l>>>,
    best: Vec<(Timed, f64)>,
    unshifted: Logs,
}

impl<'l> ShiftedScores<'l> {
    fn at(inputs: &'l Inputs<'l>, sides: &'l [Side]) -> Self {
        let Inputs { load, catalog, calibration, .. } = inputs;
        let rests = parallel::map(sides, |side| {
            Resting::of(&side.deployment, load, Inputs::files(inputs.site), catalog, calibration).ok()
        });
        let mut shifted_scores = Self { inputs, sides, rests, best: Vec::new(), unshifted: Vec::new() };
        let best = shifted_scores.found(0, &Shift::Scaled(Vec::new()));
        let best = best.map_or_else(Vec::new, |found| found.times).into_iter();
        shifted_scores.best = best.map(|(name, time)| (name, time * FAR_BELOW)).collect();
        let all = 0..sides.len();
        shifted_scores.unshifted = all.map(|side| shifted_scores.score(side, &Shift::Scaled(Vec::new()))).collect();
        shifted_scores
    }

    /// The numbers that any of the layouts rests on.
    fn numbers(&self) -> BTreeMap<&NumberId, &Used> {
        let used = self.rests.iter().rev().flatten().flat_map(Resting::used);
        used.collect()
    }

    /// The scores after each shift.
    fn of_each(&self, shifts: &[Shift<'_>]) -> Vec<Logs> {
        let count = self.sides.len();
        let pairs: Vec<(usize, &Shift<'_>)> =
            shifts.iter().flat_map(|shift| (0..count).map(move |side| (side, shift))).collect();
        let logs = parallel::map(&pairs, |(side, shift)| self.score(*side, shift));
        logs.chunks(count).map(<[_]>::to_vec).collect()
    }

    /// Logarithm of a layout's score; none where it saturates.
    fn score(&self, side: usize, shift: &Shift<'_>) -> Option<f64> {
        if let Shift::Scaled(factors) = shift
            && let Some(known) = self.unshifted.get(side)
        {
            // What a layout does not read does not move it.
            let used = self.rests[side].as_ref()?.used();
            if !factors.iter().any(|(number, _)| used.contains_key(*number)) {
                return *known;
            }
        }
        let found = self.found(side, shift)?;
        let site = match shift {
            Shift::Scaled(_) => self.inputs.site,
            Shift::Varied(site) => site,
        };
        let scores = score::scores(site, self.inputs.catalog, &found.deployment, &found.times, &self.best);
        Some(scores.total.ln())
    }

    /// What a layout is and does then.
    fn found(&self, side: usize, shift: &Shift<'_>) -> Option<Found<'_>> {
        let (inputs, rest) = (self.inputs, self.rests[side].as_ref()?);
        let there = &self.sides[side];
        match shift {
            Shift::Scaled(factors) => {
                let factors = factors.iter().copied();
                let does = rest.shifted(factors).ok()?;
                let deployment = Cow::Borrowed(&there.deployment);
                Some(inputs.found(inputs.site, deployment, inputs.load, &does))
            }
            Shift::Varied(site) => {
                let choices = renewed(&there.choices, inputs.site, site, inputs.catalog);
                let layout = &there.deployment.layout;
                let (catalog, calibration) = (inputs.catalog, inputs.calibration);
                let (deployment, load) = made(site, catalog, calibration, layout, &choices)?;
                let does = rest.near(&deployment, &load, Inputs::files(site)).ok()?;
                Some(inputs.found(site, Cow::Owned(deployment), &load, &does))
            }
        }
    }
}

/// A layout, and what its score is made of.
struct Found<'f> {
    deployment: Cow<'f, Deployment>,
    times: Vec<(Timed, f64)>,
}

impl Inputs<'_> {
    /// Files of the commit that everybody waits for.
    fn files(site: &Site) -> f64 {
        site.workload.largest_submit_files.value
    }

    /// A deployment that does this, and whose largest commit takes so long.
    fn found<'f>(
        &self,
        site: &Site,
        deployment: Cow<'f, Deployment>,
        load: &Load,
        (prediction, commit): &(Prediction, f64),
    ) -> Found<'f> {
        let mut times = times(prediction, *commit);
        if self.is_priced {
            let sizes = capacity::sizes(site, load, self.catalog, self.calibration);
            let known = (site, self.catalog, self.calibration);
            let bill = bill(known, &deployment, (load, &sizes), prediction);
            times.push((Timed::Price, bill.total().unwrap_or_default()));
        }
        Found { deployment, times }
    }
}
