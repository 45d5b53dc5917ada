//! Edge servers, one by one where they help most: where there are offices to choose from, the counts and the order of a layout's
//! file are only the first guess.
//!
//! What the next edge gains is at most what it gained one edge before, as good as always: so only the office that promised most
//! is looked at again each time (accelerated greedy; Minoux 1978, "Accelerated greedy algorithms for maximizing submodular set
//! functions").

use std::cmp::Ordering;

use super::drives;
use super::ranking::{Solved, rank, solve_one};
use super::score::{self, Scores, best_times};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::parallel;
use crate::site::Site;
use crate::system::Choices;
use crate::system::capacity::RoleSize;
use crate::workload::Load;

/// Layouts whose edges are placed one by one, the best first.
const LAYOUTS: usize = 2;
/// An edge that raises the score by less, as a logarithm, and mends no target is not placed: closer scores are tied.
const WORTH: f64 = 0.01;

/// What is known of the search.
pub(super) struct Search<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    pub(super) load: &'a Load,
    pub(super) sizes: &'a [RoleSize],
}

/// What an edge brings: targets that are met with it, then the score, as a logarithm.
#[derive(Clone, Copy)]
struct Gain {
    met: f64,
    score: f64,
}

impl Gain {
    fn is_worth_it(self) -> bool {
        self.met > 0.0 || self.met == 0.0 && self.score > WORTH
    }

    fn order(self, other: Self) -> Ordering {
        let met = self.met.total_cmp(&other.met);
        met.then(self.score.total_cmp(&other.score))
    }
}

/// A deployment on the way, with its score beside those that were solved before.
struct Step {
    solved: Solved,
    scores: Scores,
}

impl Step {
    /// What it has over one before; over nothing where there is none.
    fn gain(&self, before: Option<&Self>) -> Gain {
        let missed = |step: &Self| step.solved.missed.len() as f64;
        let score = before.map_or(0.0, |before| before.scores.total.ln());
        Gain {
            met: before.map_or(0.0, missed) - missed(self),
            score: self.scores.total.ln() - score,
        }
    }
}

/// An office that may get the next edge.
struct Open {
    office: String,
    /// What its edge gained when it was last looked at, beside so many others.
    gain: Gain,
    beside: usize,
    step: Step,
}

/// More deployments of the best layouts that take edges, each with one edge more than the one before.
pub(super) fn one_by_one(search: &Search<'_>, solved: &[Solved]) -> Vec<Solved> {
    let site = search.site;
    let most = site.infrastructure.edges_max.value as usize;
    let times: Vec<_> = solved.iter().map(|s| s.times.clone()).collect();
    let best = best_times(&times);
    let step = |solved: Solved| {
        let deployment = &solved.candidate.deployment;
        let scores = score::scores(site, search.catalog, deployment, &solved.times, &best);
        Step { solved, scores }
    };
    let layout = |s: &Solved| search.catalog.layouts.get(&s.candidate.deployment.layout);
    let takes_edges = |s: &&Solved| {
        let edges = layout(s).is_some_and(|l| l.edges.iter().any(|edges| *edges > 0));
        edges && s.candidate.choices.offices.len() > 1
    };
    if most == 0 || !site.server.release.value.edges() {
        return Vec::new();
    }
    let mut starts: Vec<Step> = solved
        .iter()
        .filter(takes_edges)
        .cloned()
        .map(step)
        .collect();
    starts.sort_by_key(|start| rank(&start.solved, &start.scores));
    let mut seen: Vec<String> = Vec::new();
    starts.retain(|start| {
        let id = &start.solved.candidate.deployment.layout;
        let is_new = !seen.contains(id);
        seen.push(id.clone());
        is_new
    });
    starts.truncate(LAYOUTS);
    let grown = starts.iter().flat_map(|start| {
        let choices = &start.solved.candidate.choices;
        grow(search, &start.solved, choices, most, &step)
    });
    grown.collect()
}

/// The deployments on the way from a layout's fewest edges to the last that is worth its place.
fn grow(
    search: &Search<'_>,
    start: &Solved,
    choices: &Choices,
    most: usize,
    step: &(impl Fn(Solved) -> Step + Sync),
) -> Vec<Solved> {
    let catalog = search.catalog;
    let Some(layout) = catalog.layouts.get(&start.candidate.deployment.layout) else {
        return Vec::new();
    };
    let fewest = layout.edges.iter().copied().min().unwrap_or(0) as usize;
    let with = |chosen: &[String]| {
        let others = choices.offices.iter().filter(|o| !chosen.contains(o));
        let choices = Choices {
            edges: chosen.len() as u32,
            offices: chosen.iter().chain(others).cloned().collect(),
            ..choices.clone()
        };
        let candidate = drives::bound(search.site, catalog, layout, choices).ok()?;
        Some(step(solve_one(search, candidate).ok()?))
    };
    let with_also = |chosen: &[String], office: &String, before: Option<&Step>| {
        let mut more = chosen.to_vec();
        more.push(office.clone());
        let step = with(&more)?;
        Some(Open {
            office: office.clone(),
            gain: step.gain(before),
            beside: chosen.len(),
            step,
        })
    };
    let mut chosen: Vec<String> = Vec::new();
    let mut way: Vec<Solved> = Vec::new();
    let mut before = (fewest == 0).then(|| with(&chosen)).flatten();
    // All offices once; then the one that promised most, until it still does.
    let all = parallel::map(&choices.offices, |office| {
        with_also(&[], office, before.as_ref())
    });
    let mut open: Vec<Open> = all.into_iter().flatten().collect();
    while chosen.len() < most {
        let best = (0..open.len()).max_by(|a, b| open[*a].gain.order(open[*b].gain));
        let Some(next) = best.map(|best| open.swap_remove(best)) else {
            break;
        };
        if next.beside < chosen.len() {
            open.extend(with_also(&chosen, &next.office, before.as_ref()));
            continue;
        }
        if chosen.len() >= fewest && !next.gain.is_worth_it() {
            break;
        }
        chosen.push(next.office);
        way.push(next.step.solved.clone());
        before = Some(next.step);
    }
    way
}
