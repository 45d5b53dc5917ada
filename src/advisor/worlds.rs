//! The choice over sampled worlds: how often each layout is the best, and what it loses where it is not.
//!
//! A world is one draw of everything that is not known: the fit's parameters together, by their covariance; every other
//! uncertain number; each unanswered question, with the effect of the end of its range on whose side it falls; and the
//! model's own error on each lead. Leads move linearly with each, by the slopes that [`super::contest`] found, so that a
//! world costs some additions and no solution. The regret of a layout in a world is what its score lacks of the best
//! (Savage 1951); the layout of least mean regret is the one to choose.

use nalgebra::DMatrix;

use crate::posterior::Posterior;
use crate::units::{Fraction, grouped};

/// Worlds that are sampled: a share of one half is known to ± 1 %.
const WORLDS: usize = 2000;
/// Draws are cut off here, in standard deviations: slopes hold near the middle.
const FARTHEST: f64 = 3.0;
/// A rival has to have so much less regret, as a logarithm of the score, to be chosen in place of the first: twice what
/// the ranking calls a tie.
const CLEARLY: f64 = 0.01;

/// The layouts in the sampled worlds, the recommended one first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Worlds {
    /// How many were sampled; 0 where there is no rival.
    pub count: usize,
    /// One a layout, those compared with in the order of their scores.
    pub standings: Vec<Standing>,
}

/// One layout in the sampled worlds.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Its id.
    pub layout: String,
    /// Share of the worlds in which no other has a better score.
    pub best: f64,
    /// Share of the worlds in which its score is better than the first's.
    pub ahead: f64,
    /// The lead of the first over it that four fifths of the worlds leave, as logarithms of the ratio of both scores: its 10th and 90th
    /// percentile. It holds zero where `ahead` is a tenth or more.
    pub lead: [f64; 2],
    /// Mean loss against the best of each world, as a logarithm of the score.
    pub regret: f64,
}

impl Worlds {
    /// The layout that has clearly less regret than the first; nothing where the first is the choice.
    pub(super) fn least_regret(&self) -> Option<&str> {
        let (first, others) = self.standings.split_first()?;
        let least = others.iter().min_by(|a, b| a.regret.total_cmp(&b.regret))?;
        (least.regret < first.regret - CLEARLY).then_some(least.layout.as_str())
    }

    /// Why a layout that scores higher with the assumed answers is not the first.
    pub(super) fn riskier(&self, layout: &str) -> String {
        let mut others = self.standings.iter();
        let other = others.find(|standing| standing.layout == layout);
        let below = [other, self.standings.first()].map(|standing| {
            let regret = standing.map_or(0.0, |standing| standing.regret);
            Fraction::new(-(-regret).exp_m1()).estimated()
        });
        let [below, first] = below;
        format!(
            "it scores higher with the assumed answers, but is the greater risk: over {} sampled cases it falls {below} below the best on average, the recommended one {first}",
            grouped(self.count as f64)
        )
    }

    /// By how much another's score is better than the first's on average, in words; why it is not recommended all the same.
    pub(crate) fn gains(&self, layout: &str) -> Option<String> {
        let mut others = self.standings.iter();
        let other = others.find(|standing| standing.layout == layout)?;
        let gain = self.standings.first()?.regret - other.regret;
        let percent = Fraction::new(gain.exp_m1().abs()).estimated();
        Some(if gain > 0.0 {
            format!("it gains {percent} on average, too little to decide")
        } else {
            format!("where it is worse it is so by more: it loses {percent} on average")
        })
    }

    /// The next best after the first, by regret.
    pub fn second(&self) -> Option<&Standing> {
        let others = self.standings.get(1..)?.iter();
        others.min_by(|a, b| a.regret.total_cmp(&b.regret))
    }
}

/// What moves leads.
pub(super) struct Unknowns<'a> {
    /// Change of each lead by the logarithm of a free parameter; none where it touches nothing.
    pub(super) slopes: &'a [Option<Vec<f64>>],
    /// Change of each lead by one standard deviation of something else, downward and upward.
    pub(super) moves: &'a [[Vec<f64>; 2]],
    /// Error of the model on each lead, one standard deviation.
    pub(super) own: &'a [f64],
}

/// Samples worlds of layouts of which the first leads each other by `leads`.
pub(super) fn sample(layouts: &[String], leads: &[f64], unknowns: &Unknowns<'_>, posterior: &Posterior) -> Worlds {
    if leads.is_empty() {
        return Worlds::default();
    }
    let together = parameters(unknowns.slopes, posterior);
    let mut draws = Draws(0x5eed);
    let mut best = vec![0_usize; layouts.len()];
    let mut ahead = vec![0_usize; layouts.len()];
    let mut regret = vec![0.0; layouts.len()];
    // Scores of a world, relative to the first's.
    let mut scores = vec![0.0; layouts.len()];
    let mut all: Vec<Vec<f64>> = vec![Vec::with_capacity(WORLDS); layouts.len()];
    for _ in 0..WORLDS {
        let mut world: Vec<f64> = leads.to_vec();
        for column in &together {
            add(&mut world, column, draws.normal());
        }
        for [down, up] in unknowns.moves {
            let z = draws.normal();
            let side = if z < 0.0 { down } else { up };
            add(&mut world, side, z.abs());
        }
        for (lead, own) in world.iter_mut().zip(unknowns.own) {
            *lead += own * draws.normal();
        }
        for (score, lead) in scores[1..].iter_mut().zip(&world) {
            *score = -lead;
        }
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Of equals the first counts.
        if let Some(place) = scores.iter().position(|score| *score >= most) {
            best[place] += 1;
        }
        for ((sum, count), score) in regret.iter_mut().zip(&mut ahead).zip(&scores) {
            *sum += most - score;
            *count += usize::from(*score > 0.0);
        }
        for (leads, score) in all.iter_mut().zip(&scores) {
            leads.push(-score);
        }
    }
    let standings = layouts.iter().zip(best).zip(ahead).zip(regret).zip(all);
    Worlds {
        count: WORLDS,
        standings: standings
            .map(|((((layout, best), ahead), regret), leads)| Standing {
                layout: layout.clone(),
                best: best as f64 / WORLDS as f64,
                ahead: ahead as f64 / WORLDS as f64,
                regret: regret / WORLDS as f64,
                lead: four_fifths(leads),
            })
            .collect(),
    }
}

/// The 10th and 90th percentile.
fn four_fifths(mut all: Vec<f64>) -> [f64; 2] {
    all.sort_by(f64::total_cmp);
    let tenth = WORLDS / 10;
    [tenth, WORLDS - 1 - tenth].map(|place| all.get(place).copied().unwrap_or_default())
}

fn add(leads: &mut [f64], change: &[f64], times: f64) {
    for (lead, change) in leads.iter_mut().zip(change) {
        *lead += change * times;
    }
}

/// Changes of the leads by independent draws, as many as there are parameters that touch something: slopes times the
/// covariance's Cholesky factor; times its diagonal where it has none.
fn parameters(slopes: &[Option<Vec<f64>>], posterior: &Posterior) -> Vec<Vec<f64>> {
    let touched: Vec<(usize, &Vec<f64>)> =
        slopes.iter().enumerate().filter_map(|(i, slope)| Some((i, slope.as_ref()?))).collect();
    let n = touched.len();
    let covariance = DMatrix::from_fn(n, n, |a, b| posterior.covariance[touched[a].0][touched[b].0]);
    let diagonal = DMatrix::from_diagonal(&covariance.diagonal().map(|v| v.max(0.0).sqrt()));
    let factor = nalgebra::Cholesky::new(covariance).map_or(diagonal, |found| found.l());
    let rivals = touched.first().map_or(0, |(_, slope)| slope.len());
    (0..n)
        .map(|draw| {
            let change = |rival: usize| {
                let rows = touched.iter().enumerate();
                rows.map(|(row, (_, slope))| slope[rival] * factor[(row, draw)]).sum()
            };
            (0..rivals).map(change).collect()
        })
        .collect()
}

/// Random numbers: `SplitMix64` (Steele, Lea and Flood 2014), the same in every run.
struct Draws(u64);

impl Draws {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In (0, 1).
    fn uniform(&mut self) -> f64 {
        const STEPS: f64 = 9_007_199_254_740_992.0;
        ((self.bits() >> 11) as f64 + 0.5) / STEPS
    }

    /// Standard normal (Box and Muller 1958), cut off.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        let z = radius * (std::f64::consts::TAU * self.uniform()).cos();
        z.clamp(-FARTHEST, FARTHEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worlds(leads: &[f64], moves: &[[Vec<f64>; 2]], own: &[f64]) -> Worlds {
        let layouts: Vec<String> = (0..=leads.len()).map(|i| i.to_string()).collect();
        let posterior = Posterior::embedded();
        let slopes = vec![None; posterior.free.len()];
        let unknowns = Unknowns { slopes: &slopes, moves, own };
        sample(&layouts, leads, &unknowns, &posterior)
    }

    /// One rival, a normal lead: the share is Φ(lead/σ), the regret σ(φ(t) − t(1 − Φ(t))).
    #[test]
    fn one_rival_is_as_the_normal_distribution_says() {
        let found = worlds(&[0.1], &[], &[0.2]);
        let first = &found.standings[0];
        assert!((first.best - 0.6915).abs() < 0.03, "{first:?}");
        assert!((first.regret - 0.2 * 0.1978).abs() < 0.004, "{first:?}");
        let other = &found.standings[1];
        assert!((other.regret - first.regret - 0.1).abs() < 0.02, "{other:?}");
        assert_eq!(found, worlds(&[0.1], &[], &[0.2]));
    }

    /// A question whose one end costs the first dearly: it leads in the middle, and the other is the choice.
    #[test]
    fn what_one_answer_would_cost_dearly_is_not_chosen() {
        let lopsided = [vec![-0.5], vec![0.0]];
        let found = worlds(&[0.02], std::slice::from_ref(&lopsided), &[0.001]);
        assert_eq!(found.least_regret(), Some("1"));
        let even = [vec![-0.1], vec![0.1]];
        let found = worlds(&[0.02], std::slice::from_ref(&even), &[0.001]);
        assert_eq!(found.least_regret(), None);
    }

    #[test]
    fn without_rivals_there_are_no_worlds() {
        assert_eq!(worlds(&[], &[], &[]), Worlds::default());
    }
}
