//! Edge servers, one by one where they help most: where there are offices to choose from, the counts and the order of a layout's
//! file are only the first guess.
//!
//! An office whose line cannot take its work comes first, whatever else is gained. What the next edge gains is at most what it
//! gained one edge before, as good as always: so only the office that promised most is looked at again each time (accelerated
//! greedy; Minoux 1978, "Accelerated greedy algorithms for maximizing submodular set functions").

use std::cmp::Ordering;

use super::candidates::Candidate;
use super::drives;
use super::ranking::{Failed, Solved, rank, solve_one};
use super::score::{self, Scores, best_times};
use super::targets::wants;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Layout};
use crate::parallel;
use crate::site::Site;
use crate::system::capacity::RoleSize;
use crate::system::{Choices, Prediction, Resource};
use crate::workload::Load;

/// Layouts whose edges are placed one by one, the best first.
const LAYOUTS: usize = 2;
/// Offices that are looked at for the next edge, those first that miss most of what they want.
const OFFICES: usize = 12;
/// An edge that raises the score by less, as a logarithm, and mends no target is not placed: closer scores are tied.
const WORTH: f64 = 0.01;
/// Share of all people below which an office gets no edge for its score alone (assumed).
const PEOPLE: f64 = 0.05;
/// A time that is so near to its target, as a share of it, counts as half missed (assumed).
const NEAR: f64 = 0.8;

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
    fn is_worth_it(self, people: f64) -> bool {
        self.met > 0.0 || self.met == 0.0 && self.score > WORTH && people >= PEOPLE
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
    /// Targets that are missed; those that nearly are count half.
    missed: f64,
}

impl Step {
    /// What it has over one before; over nothing where there is none.
    fn gain(&self, before: Option<&Self>) -> Gain {
        let score = before.map_or(0.0, |before| before.scores.total.ln());
        Gain {
            met: before.map_or(0.0, |before| before.missed) - self.missed,
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

/// Targets that a prediction misses, of one office or of all; those that it nearly misses count half.
fn missed(site: &Site, prediction: &Prediction, office: Option<&str>) -> f64 {
    let classes = prediction.classes.iter();
    let classes = classes.filter(|class| office.is_none() || class.work.clients.office() == office);
    let wants = classes.flat_map(|class| wants(site, class));
    let each = wants.map(|want| match want.time / want.limit {
        share if share > 1.0 => 1.0,
        share if share > NEAR => 0.5,
        _ => 0.0,
    });
    each.sum()
}

/// More deployments of the best layouts that take edges, each with one edge more than the one before.
pub(super) fn one_by_one(search: &Search<'_>, solved: &[Solved], failed: &[Failed]) -> Vec<Solved> {
    let site = search.site;
    let most = site.infrastructure.edges_max.value as usize;
    if most == 0 || !site.server.release.value.edges() {
        return Vec::new();
    }
    let times: Vec<_> = solved.iter().map(|s| s.times.clone()).collect();
    let best = best_times(&times);
    let step = |solved: Solved| {
        let deployment = &solved.candidate.deployment;
        Step {
            scores: score::scores(site, search.catalog, deployment, &solved.times, &best),
            missed: missed(site, &solved.prediction, None),
            solved,
        }
    };
    let mut ranked: Vec<Step> = solved.iter().cloned().map(step).collect();
    ranked.sort_by_key(|one| rank(&one.solved, &one.scores));
    let first = ranked.iter().map(|one| &one.solved.candidate);
    let all = first.chain(failed.iter().map(|(candidate, _)| candidate));
    let mut starts: Vec<(&Layout, &Candidate)> = Vec::new();
    for candidate in all {
        let layout = search.catalog.layouts.get(&candidate.deployment.layout);
        let Some(layout) = layout.filter(|layout| layout.edges.iter().any(|edges| *edges > 0))
        else {
            continue;
        };
        let is_new = |(other, _): &(&Layout, &Candidate)| other.entry.id != layout.entry.id;
        if candidate.choices.offices.len() > 1 && starts.iter().all(is_new) {
            starts.push((layout, candidate));
        }
    }
    starts.truncate(LAYOUTS);
    let grown = starts.into_iter().flat_map(|(layout, candidate)| {
        let way = Way {
            search,
            layout,
            choices: &candidate.choices,
            most,
            step: &step,
        };
        way.grow()
    });
    grown.collect()
}

/// The way of one layout from its fewest edges on.
struct Way<'a, S> {
    search: &'a Search<'a>,
    layout: &'a Layout,
    choices: &'a Choices,
    most: usize,
    step: &'a S,
}

impl<S: Fn(Solved) -> Step + Sync> Way<'_, S> {
    /// The layout with edges in these offices; why not where it cannot be solved.
    fn with(&self, chosen: &[String]) -> Result<Step, Option<Box<Failed>>> {
        let others = self.choices.offices.iter();
        let others = others.filter(|office| !chosen.contains(office));
        let choices = Choices {
            edges: chosen.len() as u32,
            offices: chosen.iter().chain(others).cloned().collect(),
            ..self.choices.clone()
        };
        let Search { site, catalog, .. } = *self.search;
        let candidate = drives::bound(site, catalog, self.layout, choices)
            .ok()
            .ok_or(None)?;
        let solved = solve_one(self.search, candidate).map_err(Some)?;
        Ok((self.step)(solved))
    }

    fn with_also(&self, chosen: &[String], office: &str, before: Option<&Step>) -> Option<Open> {
        let mut more = chosen.to_vec();
        more.push(office.to_owned());
        let step = self.with(&more).ok()?;
        Some(Open {
            office: office.to_owned(),
            gain: step.gain(before),
            beside: chosen.len(),
            step,
        })
    }

    /// Edges in the offices whose lines cannot take their work, until the rest is solved.
    fn relieved(&self) -> (Vec<String>, Option<Step>) {
        let mut chosen: Vec<String> = Vec::new();
        loop {
            let error = match self.with(&chosen) {
                Ok(step) => return (chosen, Some(step)),
                Err(error) => error,
            };
            let resource = error.as_ref().and_then(|failed| failed.1.resource());
            let mut offices = self.choices.offices.iter();
            let relieves = |office: &&String| {
                let line = Resource::line_to(office);
                !chosen.contains(office) && resource == Some(&line)
            };
            match offices.find(relieves) {
                Some(office) if chosen.len() < self.most => chosen.push(office.clone()),
                _ => return (chosen, None),
            }
        }
    }

    /// The deployments on the way to the last edge that is worth its place.
    fn grow(&self) -> Vec<Solved> {
        let site = self.search.site;
        let fewest = self.layout.edges.iter().copied().min().unwrap_or(0) as usize;
        let (mut chosen, mut before) = self.relieved();
        let relieved = before.iter().filter(|_| !chosen.is_empty());
        let mut way: Vec<Solved> = relieved.map(|step| step.solved.clone()).collect();
        // Without any edge at all it may be another layout.
        before = before.filter(|_| chosen.len() >= fewest);
        let mut offices: Vec<&String> = self.choices.offices.iter().collect();
        offices.retain(|office| !chosen.contains(office));
        if let Some(before) = &before {
            let prediction = &before.solved.prediction;
            let missed = |office: &String| missed(site, prediction, Some(office));
            // Equal ones stay in the order of people and round trip.
            offices.sort_by(|a, b| missed(b).total_cmp(&missed(a)));
        }
        offices.truncate(OFFICES);
        let all = parallel::map(&offices, |office| {
            self.with_also(&chosen, office, before.as_ref())
        });
        let mut open: Vec<Open> = all.into_iter().flatten().collect();
        let people = |office: &str| {
            let mut offices = site.people.sites.iter();
            let office = offices.find(|one| one.name == office);
            office.map_or(0.0, |office| {
                office.developers.value / site.people.developers.value
            })
        };
        while chosen.len() < self.most {
            let best = (0..open.len()).max_by(|a, b| open[*a].gain.order(open[*b].gain));
            let Some(next) = best.map(|best| open.swap_remove(best)) else {
                break;
            };
            if next.beside < chosen.len() {
                open.extend(self.with_also(&chosen, &next.office, before.as_ref()));
                continue;
            }
            if chosen.len() >= fewest && !next.gain.is_worth_it(people(&next.office)) {
                // A smaller office may gain nothing but its score; another may mend a target.
                if next.gain.met == 0.0 && next.gain.score > WORTH {
                    continue;
                }
                break;
            }
            chosen.push(next.office);
            way.push(next.step.solved.clone());
            before = Some(next.step);
        }
        way
    }
}
