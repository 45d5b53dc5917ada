//! Edge servers, one by one where they help most until none is worth its place: where there are offices to choose from, the
//! counts and the order of a layout's file are only the first guess.
//!
//! An edge is worth its place where a target is met with it, or where people wait so many hours a year less as it costs to run
//! (`models/criteria.toml`).
//!
//! An office whose line cannot take its work comes first, whatever else is gained. What the next edge gains is at most what it
//! gained one edge before, as good as always: so only the office that promised most is looked at again each time (accelerated
//! greedy; Minoux 1978, "Accelerated greedy algorithms for maximizing submodular set functions").

use std::cmp::Ordering;
use std::fmt;

use super::candidates::Candidate;
use super::criteria;
use super::drives;
use super::facts::{A_DAY, WORKDAYS};
use super::ranking::{Failed, Solved, rank, solve_one};
use super::score::{self, best_times, is_judged};
use super::search::Search;
use super::targets::wants;
use crate::catalog::Layout;
use crate::parallel;
use crate::site::{Per, Site};
use crate::system::{Choices, ClassPrediction, Prediction, Resource};
use crate::units::{Fraction, about_count, list};

/// Layouts whose edges are placed one by one, the best first.
const LAYOUTS: usize = 2;
/// Offices that are looked at for the next edge, those first that miss most of what they want.
pub(super) const OFFICES: usize = 12;
/// Work that takes so many times as long with an edge takes longer (assumed).
const LONGER: f64 = 1.05;
/// A time that is so near to its target, as a share of it, counts as half missed (assumed).
const NEAR: f64 = 0.8;

/// What edges, or proxies, bring: targets that are met with them, then the hours a year that people wait less.
#[derive(Clone, Copy)]
pub(super) struct Gain {
    met: f64,
    hours: f64,
}

impl Gain {
    /// Of one deployment over another of the same site.
    pub(super) fn of(site: &Site, with: &Solved, without: &Solved) -> Self {
        Self {
            met: missed(site, &without.prediction, None) - missed(site, &with.prediction, None),
            hours: hours_saved(site, &with.prediction, &without.prediction),
        }
    }

    /// Whether it is worth what costs so many hours a year to run.
    pub(super) fn is_worth(self, hours: f64) -> bool {
        self.met > 0.0 || self.met == 0.0 && self.hours >= hours
    }

    pub(super) fn order(self, other: Self) -> Ordering {
        let met = self.met.total_cmp(&other.met);
        met.then(self.hours.total_cmp(&other.hours))
    }
}

/// What the edges of a deployment beyond those of `without` cost \[person-hours/year\]: care, and what is bought for them in servers'
/// prices: by the bills where the site has prices for all of it, lines and licences among them, else each edge's server and its
/// array.
fn edge_hours(with: &Solved, without: &Solved) -> f64 {
    let of = |name| criteria::amount("edge_worth", name);
    let deployment = &with.candidate.deployment;
    let more = f64::from(deployment.edges - without.candidate.deployment.edges);
    let in_servers = || {
        let (with, without) = (with.bill.as_ref()?, without.bill.as_ref()?);
        let mut lines = with.lines.iter();
        let server = lines.find(|l| l.item.id == deployment.server && l.unit == Per::Unit)?;
        let price = server.price.as_ref()?.value.amount;
        let is_whole = with.is_complete() && without.is_complete() && price > 0.0;
        let a_year = (with.total()? - without.total()?).max(0.0) / with.years;
        is_whole.then_some(a_year / (price / of("server_years")))
    };
    let own = deployment.office_volumes.iter().chain(&deployment.edge_volumes);
    let has_array = own.clone().any(|mount| mount.is_own() && !mount.is_private());
    let assumed = more * (1.0 + if has_array { of("array_servers") } else { 0.0 });
    let servers = in_servers().unwrap_or(assumed);
    more * of("care_hours_a_year") + servers * of("server_hours_a_year")
}

/// How much less people wait with a deployment than without it \[person-hours/year\].
pub(super) fn hours_saved(site: &Site, with: &Prediction, without: &Prediction) -> f64 {
    const AN_HOUR: f64 = 3600.0;
    let judged = with.classes.iter().filter(|class| is_judged(class));
    let saved = judged.filter_map(|class| {
        let mut before = without.classes.iter();
        let before = before.find(|before| before.work == class.work)?;
        let less = before.mean.value - class.mean.value;
        Some(class.throughput / site.workload.peak_to_mean.value * less)
    });
    saved.sum::<f64>() * A_DAY * WORKDAYS / AN_HOUR
}

/// An office that may get the next edge.
struct Open {
    office: String,
    /// What its edge gained when it was last looked at, beside so many others.
    gain: Gain,
    beside: usize,
    solved: Solved,
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

/// More deployments of the best layouts that take edges, each with one edge more than the one before; those with fewer that the
/// same choices make are dropped.
pub(super) fn one_by_one(search: &Search<'_>, solved: &mut Vec<Solved>, failed: &[Failed]) {
    let site = search.site;
    let most = site.infrastructure.edges_max.value as usize;
    if most == 0 || !site.server.release.value.edges() {
        return;
    }
    let times: Vec<_> = solved.iter().map(|s| s.times.clone()).collect();
    let best = best_times(&times);
    let mut ranked: Vec<&Solved> = solved.iter().collect();
    ranked.sort_by_cached_key(|one| {
        let deployment = &one.candidate.deployment;
        let scores = score::scores(site, search.catalog, deployment, &one.times, &best);
        rank(one, &scores)
    });
    let first = ranked.iter().map(|one| &one.candidate);
    let all = first.chain(failed.iter().map(|(candidate, _)| candidate));
    let mut starts: Vec<(&Layout, Candidate)> = Vec::new();
    for candidate in all {
        let layout = search.catalog.layouts.get(&candidate.deployment.layout);
        let Some(layout) = layout.filter(|layout| takes_edges(layout)) else {
            continue;
        };
        let is_new = |(other, _): &(&Layout, Candidate)| other.entry.id != layout.entry.id;
        if candidate.choices.offices.len() > 1 && starts.iter().all(is_new) {
            starts.push((layout, candidate.clone()));
        }
    }
    starts.truncate(LAYOUTS);
    for (layout, start) in starts {
        let way = Way { search, layout, choices: &start.choices, most };
        let grown = way.grow();
        let Some(last) = grown.last() else {
            continue;
        };
        let edges = last.candidate.deployment.edges;
        solved.retain(|one| {
            let is_alike =
                one.candidate.deployment.layout == layout.entry.id && alike(&one.candidate.choices, &start.choices);
            !is_alike || one.candidate.deployment.edges > edges
        });
        solved.extend(grown.into_iter().last());
    }
}

/// Whether a layout may have edges.
fn takes_edges(layout: &Layout) -> bool {
    layout.edges.iter().any(|edges| *edges > 0)
}

/// Whether choices differ in their edges alone.
fn alike(a: &Choices, b: &Choices) -> bool {
    let stores = |choices: &Choices| {
        let Choices { block, file, object, filesystem, cache, .. } = choices.clone();
        (block, file, object, filesystem, cache)
    };
    stores(a) == stores(b)
}

/// Marks the deployments of which an edge is not worth its place: one of the same layout with fewer is as safe, meets as many
/// targets, and saves its people nearly as much time. Where several layouts compete, one that needs edges is held against itself
/// without any.
pub(super) fn mark_idle(search: &Search<'_>, solved: &mut [Solved], compete: bool) {
    let edges = |one: &Solved| one.candidate.deployment.edges;
    let mut bare: Vec<Candidate> = Vec::new();
    for one in solved.iter().filter(|one| compete && edges(one) > 0) {
        let Candidate { deployment, choices } = &one.candidate;
        let Some(layout) = search.catalog.layouts.get(&deployment.layout) else {
            continue;
        };
        let known = |other: &Candidate| other.deployment.layout == deployment.layout && alike(&other.choices, choices);
        if layout.edges.contains(&0) || bare.iter().any(known) {
            continue;
        }
        let without = Choices { edges: 0, bought: Vec::new(), ..choices.clone() };
        bare.extend(drives::bound(search.site, search.catalog, layout, without).ok());
    }
    let bare = parallel::map(&bare, |candidate| solve_one(search, candidate.clone()).ok());
    let bare: Vec<Solved> = bare.into_iter().flatten().collect();
    let last = |one: &Solved| (one.safety.rank(), one.safety.does_not_last().is_some());
    let idle = |one: &Solved| {
        let fewer = solved.iter().chain(&bare).filter(|other| {
            other.candidate.deployment.layout == one.candidate.deployment.layout
                && edges(other) < edges(one)
                && alike(&other.candidate.choices, &one.candidate.choices)
        });
        let mut fewer = fewer.filter(|other| last(other) <= last(one));
        fewer.find_map(|other| {
            let more = edges(one) - edges(other);
            let gain = Gain::of(search.site, one, other);
            let cost = edge_hours(one, other);
            (!gain.is_worth(cost)).then_some(IdleEdges { edges: more, hours: gain.hours.max(0.0), cost })
        })
    };
    let idle: Vec<Option<IdleEdges>> = solved.iter().map(idle).collect();
    for (one, idle) in solved.iter_mut().zip(idle) {
        one.idle = idle;
    }
}

/// Edges that are not worth their place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct IdleEdges {
    /// How many.
    edges: u32,
    /// What people wait less for all of them \[person-hours/year\].
    hours: f64,
    /// What all of them cost \[person-hours/year\].
    cost: f64,
}

impl IdleEdges {
    /// "one edge saves 12 hours of waiting a year and mends no target, and costs about 200 hours a year"; `whose` edges follows their
    /// number.
    pub(super) fn in_words(self, whose: &str) -> String {
        let (edges, s) = match self.edges {
            1 => ("one edge".to_owned(), "s"),
            n => (format!("{n} edges"), ""),
        };
        format!(
            "{edges}{whose} save{s} {} of waiting a year and mend{s} no target, and cost{s} about {} a year",
            hours_in_words(self.hours),
            hours_in_words(self.cost)
        )
    }
}

/// Of the layout that is spoken of: "one edge of it saves …".
impl fmt::Display for IdleEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(" of it"))
    }
}

/// "30 hours", "1 hour".
fn hours_in_words(hours: f64) -> String {
    match about_count(hours) {
        one if one == "1" => "1 hour".to_owned(),
        hours => format!("{hours} hours"),
    }
}

/// An edge in an office, and what it is there for: beside the same deployment without it.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeWorth {
    /// Where it stands.
    pub office: String,
    /// Whether the line to its office does not take the work without it; nothing else is known then.
    pub relieves_line: bool,
    /// Kinds of work whose target is met only with it.
    pub meets: Vec<String>,
    /// What people wait less for it \[person-hours/year\].
    pub hours: f64,
    /// The kind of work that takes clearly longer with it, and how many times as long, 95 % of the times.
    pub longer: Option<(String, f64)>,
}

impl EdgeWorth {
    fn of(site: &Site, office: &str, with: &Solved, without: Option<&Solved>) -> Self {
        let Some(without) = without else {
            return Self {
                office: office.to_owned(),
                relieves_line: true,
                meets: Vec::new(),
                hours: 0.0,
                longer: None,
            };
        };
        let (after, before) = (&with.prediction, &without.prediction);
        let misses = |class: &ClassPrediction| wants(site, class).iter().any(|w| !w.is_met());
        let judged = after.classes.iter().filter(|class| is_judged(class));
        let pairs = judged.filter_map(|class| Some((class, before.class(&class.work)?)));
        let pairs: Vec<(&ClassPrediction, &ClassPrediction)> = pairs.collect();
        let met = pairs.iter().filter(|(with, without)| misses(without) && !misses(with));
        let times = |(with, without): &(&ClassPrediction, &ClassPrediction)| {
            (with.name.clone(), with.p95.value / without.p95.value)
        };
        let longest = pairs.iter().map(times).max_by(|a, b| a.1.total_cmp(&b.1));
        Self {
            office: office.to_owned(),
            relieves_line: false,
            meets: met.map(|(with, _)| with.name.clone()).collect(),
            hours: hours_saved(site, after, before),
            longer: longest.filter(|(_, times)| *times >= LONGER),
        }
    }

    /// "the edge in Lyon meets the target of sync (Lyon) and saves 1,200 hours of waiting a year; large sync (Lyon) takes 10 % longer".
    pub fn in_words(&self) -> String {
        let office = &self.office;
        if self.relieves_line {
            return format!("the line to {office} does not take its work without the edge");
        }
        let s = if self.meets.len() == 1 { "" } else { "s" };
        let meets = (!self.meets.is_empty()).then(|| format!("meets the target{s} of {}", list(&self.meets)));
        let saves = format!("saves {} of waiting a year", hours_in_words(self.hours));
        let saves = (self.hours >= 1.0 || meets.is_none()).then_some(saves);
        let brings: Vec<String> = meets.into_iter().chain(saves).collect();
        let longer = self.longer.as_ref().map_or(String::new(), |(work, times)| {
            let more = Fraction::new(times - 1.0).estimated();
            format!("; {work} takes {more} longer")
        });
        format!("the edge in {office} {}{longer}", brings.join(" and "))
    }
}

/// What each edge in an office of a deployment is there for.
pub(super) fn worth(search: &Search<'_>, solved: &Solved) -> Vec<EdgeWorth> {
    let Candidate { deployment, choices } = &solved.candidate;
    let Some(layout) = search.catalog.layouts.get(&deployment.layout) else {
        return Vec::new();
    };
    let most = search.site.infrastructure.edges_max.value as usize;
    let way = Way { search, layout, choices, most };
    parallel::map(&deployment.offices, |office| {
        let without = way.without(&deployment.offices, office);
        EdgeWorth::of(search.site, office, solved, without.as_ref())
    })
}

/// What ended the placing of edges.
#[derive(Debug, Clone, PartialEq)]
pub enum EdgesEnd {
    /// The site allows no more, though the next would be worth its place.
    Allowed(NextEdge),
    /// Every distant office has one, and nobody asks for more.
    AllPlaced,
    /// The next costs more than it brings.
    NotWorth(NextEdge),
}

/// The edge that would help most of those that are not placed.
#[derive(Debug, Clone, PartialEq)]
pub struct NextEdge {
    /// Its office; none beside the commit server, where no office is distant.
    pub office: Option<String>,
    /// What people would wait less \[person-hours/year\].
    pub hours: f64,
    /// Whether a target is met with it.
    meets: bool,
    /// What is busiest then, and how busy, where the site states how many edges it allows.
    busiest: Option<(Resource, f64)>,
}

impl NextEdge {
    fn of(search: &Search<'_>, office: Option<String>, gain: Gain, with: &Solved) -> Self {
        let asks = search.site.infrastructure.edges_max.is_stated();
        Self { office, hours: gain.hours, meets: gain.met > 0.0, busiest: asks.then(|| with.prediction.bottleneck()) }
    }

    /// "an edge in Lyon would save 30 hours of waiting a year".
    fn brings(&self) -> String {
        let place = self.office.as_ref();
        let place = place.map_or("beside the commit server".to_owned(), |office| format!("in {office}"));
        let meets = if self.meets { "help to meet a target and " } else { "" };
        format!("an edge {place} would {meets}save {} of waiting a year", hours_in_words(self.hours.max(0.0)))
    }

    /// "; busiest then: lock db.have on commit server, 43 %"; empty where nobody asked.
    fn busiest(&self) -> String {
        self.busiest.as_ref().map_or(String::new(), |(resource, busy)| {
            let busy = Fraction::new(*busy).estimated();
            format!("; busiest then: {resource}, {busy}")
        })
    }
}

impl EdgesEnd {
    /// Why an office without an edge has none: "an edge in Lyon would save 30 hours of waiting a year, less than it costs
    /// to run"; `None` where every office has one.
    pub fn why(&self) -> Option<String> {
        match self {
            Self::AllPlaced => None,
            // Only who states it allows no more.
            Self::Allowed(next) if next.busiest.is_none() => Some(format!(
                "the estimate assumes that no more edges are wanted (infrastructure.edges_max): {}",
                next.brings()
            )),
            Self::Allowed(next) => Some(format!(
                "no more edges are allowed (infrastructure.edges_max): {}{}",
                next.brings(),
                next.busiest()
            )),
            Self::NotWorth(next) => Some(format!("{}, less than it costs to run{}", next.brings(), next.busiest())),
        }
    }
}

/// What ended the placing of edges for a deployment; `None` where its layout takes none, or no office is distant and nobody states how
/// many edges there may be.
pub(super) fn end(search: &Search<'_>, solved: &Solved) -> Option<EdgesEnd> {
    let Candidate { deployment, choices } = &solved.candidate;
    let layout = search.catalog.layouts.get(&deployment.layout)?;
    let site = search.site;
    if !takes_edges(layout) || !site.server.release.value.edges() {
        return None;
    }
    let most = site.infrastructure.edges_max.value as usize;
    let is_allowed = (deployment.edges as usize) < most;
    let way = Way { search, layout, choices, most };
    let beside = || {
        let asks = is_allowed && site.infrastructure.edges_max.is_stated();
        let with = asks.then(|| way.beside(deployment.edges + 1)).flatten()?;
        let gain = Gain::of(site, &with, solved);
        Some(EdgesEnd::NotWorth(NextEdge::of(search, None, gain, &with)))
    };
    if choices.offices.is_empty() {
        return beside();
    }
    let chosen = deployment.offices.clone();
    let left = choices.offices.iter().filter(|office| !chosen.contains(office));
    let left: Vec<&String> = left.take(OFFICES).collect();
    if left.is_empty() {
        return Some(beside().unwrap_or(EdgesEnd::AllPlaced));
    }
    let open = parallel::map(&left, |office| way.with_also(&chosen, office, Some(solved)));
    let next = open.into_iter().flatten().max_by(|a, b| a.gain.order(b.gain))?;
    let is_worth = next.gain.is_worth(edge_hours(&next.solved, solved));
    let edge = NextEdge::of(search, Some(next.office), next.gain, &next.solved);
    Some(if is_worth && !is_allowed { EdgesEnd::Allowed(edge) } else { EdgesEnd::NotWorth(edge) })
}

/// The way of one layout from its fewest edges on.
struct Way<'a> {
    search: &'a Search<'a>,
    layout: &'a Layout,
    choices: &'a Choices,
    most: usize,
}

impl Way<'_> {
    /// The layout with edges in these offices; why not where it cannot be solved.
    fn with(&self, chosen: &[String]) -> Result<Solved, Option<Box<Failed>>> {
        let others = self.choices.offices.iter();
        let others = others.filter(|office| !chosen.contains(office));
        let choices = Choices {
            edges: chosen.len() as u32,
            offices: chosen.iter().chain(others).cloned().collect(),
            bought: Vec::new(),
            ..self.choices.clone()
        };
        self.solve(choices)
    }

    /// The layout without the edge in one of these offices; none where it cannot be solved so.
    fn without(&self, chosen: &[String], office: &String) -> Option<Solved> {
        let others = chosen.iter().filter(|other| *other != office);
        self.with(&others.cloned().collect::<Vec<_>>()).ok()
    }

    /// The layout with so many edges in the same place as the commit server.
    fn beside(&self, edges: u32) -> Option<Solved> {
        let choices = Choices { edges, bought: Vec::new(), ..self.choices.clone() };
        self.solve(choices).ok()
    }

    fn solve(&self, choices: Choices) -> Result<Solved, Option<Box<Failed>>> {
        let Search { site, catalog, .. } = *self.search;
        let candidate = drives::bound(site, catalog, self.layout, choices).ok().ok_or(None)?;
        solve_one(self.search, candidate).map_err(Some)
    }

    fn with_also(&self, chosen: &[String], office: &str, before: Option<&Solved>) -> Option<Open> {
        let mut more = chosen.to_vec();
        more.push(office.to_owned());
        let solved = self.with(&more).ok()?;
        let site = self.search.site;
        let gain = match before {
            Some(before) => Gain::of(site, &solved, before),
            // Over nothing, what it misses decides.
            None => Gain { met: 1.0 / (1.0 + missed(site, &solved.prediction, None)), hours: 0.0 },
        };
        Some(Open { office: office.to_owned(), gain, beside: chosen.len(), solved })
    }

    /// Edges in the offices whose lines cannot take their work, until the rest is solved.
    fn relieved(&self) -> (Vec<String>, Option<Solved>) {
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

    /// The deployments on the way to the last edge that is worth its place; last the one whose edges all are, beside each other.
    fn grow(&self) -> Vec<Solved> {
        let mut way = self.grow_all();
        let fewest = self.fewest();
        let mut last = way.last().cloned();
        while let Some(solved) = last.take() {
            let chosen = &solved.candidate.deployment.offices;
            if chosen.len() <= fewest.max(1) {
                break;
            }
            // The one that was placed last is worth its place.
            let earlier = &chosen[..chosen.len() - 1];
            let without = parallel::map(earlier, |office| self.without(chosen, office));
            let idle = without.into_iter().flatten().find(|without| {
                let gain = Gain::of(self.search.site, &solved, without);
                !gain.is_worth(edge_hours(&solved, without))
            });
            if let Some(without) = idle {
                way.push(without.clone());
                last = Some(without);
            }
        }
        way
    }

    fn fewest(&self) -> usize {
        self.layout.edges.iter().copied().min().unwrap_or(0) as usize
    }

    fn grow_all(&self) -> Vec<Solved> {
        let site = self.search.site;
        let fewest = self.fewest();
        let (mut chosen, mut before) = self.relieved();
        let relieved = before.iter().filter(|_| !chosen.is_empty());
        let mut way: Vec<Solved> = relieved.cloned().collect();
        let mut offices: Vec<&String> = self.choices.offices.iter().collect();
        offices.retain(|office| !chosen.contains(office));
        if let Some(before) = &before {
            let prediction = &before.prediction;
            let missed = |office: &String| missed(site, prediction, Some(office));
            // Equal ones stay in the order of people and round trip.
            offices.sort_by(|a, b| missed(b).total_cmp(&missed(a)));
        }
        offices.truncate(OFFICES);
        let all = parallel::map(&offices, |office| self.with_also(&chosen, office, before.as_ref()));
        let mut open: Vec<Open> = all.into_iter().flatten().collect();
        while chosen.len() < self.most {
            let best = (0..open.len()).max_by(|a, b| open[*a].gain.order(open[*b].gain));
            let Some(next) = best.map(|best| open.swap_remove(best)) else {
                break;
            };
            if next.beside < chosen.len() {
                open.extend(self.with_also(&chosen, &next.office, before.as_ref()));
                continue;
            }
            let cost = before.as_ref().map_or(0.0, |before| edge_hours(&next.solved, before));
            if chosen.len() >= fewest && !next.gain.is_worth(cost) {
                break;
            }
            chosen.push(next.office);
            way.push(next.solved.clone());
            before = Some(next.solved);
        }
        way
    }
}
