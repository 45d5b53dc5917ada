//! Solves the candidates of a site and ranks them.

use std::collections::BTreeMap;

use std::collections::BTreeSet;

use super::bill::{self, Bill, Costs};
use super::candidates::Candidate;
use super::criteria::Criterion;
use super::drives;
use super::edges::{self, IdleEdges};
use super::equip::{equip, give_memory, on_other_instance};
use super::instance::carried;
use super::proxies;
use super::recovery::{Promise, Unkept};
use super::rules::{BUSY_DISKS, HIT_MIN};
use super::safety::{Rank, Safety};
use super::score::{Scores, Timed, best_times, times};
use super::search::Search;
use super::standby;
use super::targets::missed;
use crate::catalog::{Form, Named, Server};
use crate::parallel;
use crate::system::capacity;
use crate::system::{Deployment, PredictError, Prediction, Resource, ResourceKind, predict_with_commit};

/// A candidate that was solved.
#[derive(Clone)]
pub(super) struct Solved {
    pub(super) candidate: Candidate,
    pub(super) prediction: Prediction,
    pub(super) times: Vec<(Timed, f64)>,
    pub(super) largest_commit: f64,
    pub(super) missed: Vec<String>,
    /// What it does not keep of what the site states on failures, with its standby.
    pub(super) unkept: Unkept,
    /// What of it only that standby keeps.
    pub(super) by_standby: Vec<Promise>,
    pub(super) safety: Safety,
    /// Edges that are not worth their place.
    pub(super) idle: Option<IdleEdges>,
    /// What it is made of, where the site has prices.
    pub(super) bill: Option<Bill>,
}

/// How many of the site's targets, and of what it states on failures, are missed; then the work that is lost \[s\] where the
/// stated RPO is among them.
pub(super) type Misses = (usize, u64);

impl Solved {
    /// What it misses.
    pub(super) fn misses(&self) -> Misses {
        let (unkept, lost) = self.unkept.rank();
        (self.missed.len() + unkept, lost)
    }
}

/// A candidate that saturates, and where.
pub(super) type Failed = (Candidate, PredictError);

/// How many of db, journal and log lie on storage that other servers could mount: exports.
pub(super) fn exposed(d: &Deployment) -> usize {
    let on_export = |role: &&str| d.mount(role).is_some_and(|m| m.filesystem.is_none());
    ["db", "journal", "log"].iter().filter(|role| on_export(role)).count()
}

/// What was solved.
pub(super) struct Ranked {
    /// The choice, then the others in the order in which they are listed.
    pub(super) solved: Vec<(Solved, Scores)>,
    /// What saturates.
    pub(super) failed: Vec<Failed>,
    /// The best time of each kind of work among all \[s\].
    pub(super) best_times: Vec<(Timed, f64)>,
    /// What cost is judged by.
    pub(super) costs: Costs,
}

/// Solves the candidates: ranked, best first, those that saturate, and the best time of each kind of work; scored beside
/// others whose best times are these.
pub(super) fn solve_all(search: &Search<'_>, candidates: &[Candidate], others: &[(Timed, f64)]) -> Ranked {
    let outcomes = parallel::map(candidates, |candidate| solve_one(search, candidate.clone()));
    let (mut solved, mut failed) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(one) => solved.push(one),
            Err(one) => failed.push(*one),
        }
    }
    if others.is_empty() {
        proxies::place(search, &mut solved, &mut failed);
        edges::one_by_one(search, &mut solved, &failed);
        let layouts = candidates.iter().map(|c| c.deployment.layout.as_str());
        let layouts: BTreeSet<&str> = layouts.collect();
        edges::mark_idle(search, &mut solved, layouts.len() > 1);
    }
    let costs = price_all(&mut solved);
    let times = solved.iter().map(|s| s.times.clone());
    let beside = (!others.is_empty()).then(|| others.to_vec());
    let all_times: Vec<_> = times.chain(beside).collect();
    let best = best_times(&all_times);
    let mut ranked: Vec<(Solved, Scores)> = solved
        .into_iter()
        .map(|s| {
            let scores = search.scores(&s, &best);
            (s, scores)
        })
        .collect();
    ranked.sort_by_key(|(solved, scores)| rank(solved, scores));
    // The first is the choice; the others are listed by what they miss and by their score.
    if let Some((_, rest)) = ranked.split_first_mut() {
        rest.sort_by(|a, b| {
            let key = |(s, _): &(Solved, Scores)| {
                let is_short = s.safety.does_not_last().is_some();
                (s.safety.rank(), s.misses(), !s.by_standby.is_empty(), s.idle.is_some(), is_short)
            };
            key(a).cmp(&key(b)).then(b.1.total.total_cmp(&a.1.total))
        });
    }
    Ranked { solved: ranked, failed, best_times: best, costs }
}

/// Gives each of the candidates its price, where these can be held against each other.
fn price_all(solved: &mut [Solved]) -> Costs {
    let bills: Vec<&Bill> = solved.iter().filter_map(|s| s.bill.as_ref()).collect();
    let currency = bills.iter().find_map(|bill| bill.currency.clone());
    let Some(currency) = currency.filter(|_| bills.len() == solved.len()) else {
        return Costs::Unpriced;
    };
    if bills.iter().all(|bill| bill.total().is_none()) {
        let lines = bills.iter().flat_map(|bill| bill.unpriced());
        let items = lines.map(|line| (line.item.id.clone(), line.item.clone()));
        let items: BTreeMap<String, Named> = items.collect();
        return Costs::Relative(items.into_values().collect());
    }
    match bill::comparable(&bills) {
        Err(missing) => Costs::Relative(missing),
        Ok(totals) => {
            for (one, total) in solved.iter_mut().zip(totals) {
                one.times.push((Timed::Price, total));
            }
            Costs::Money(currency)
        }
    }
}

/// Order of preference: safety ([`Safety`]), fewer missed targets (RTO, RPO and availability among them), less work lost where the
/// RPO is missed, no standby that only these need, no idle edges, room to the horizon, the score (two digits: closer ones are
/// tied), fewer of db, journal and log on exports (N13-best), fewer systems and servers, the cheaper protocol, the id.
pub(super) fn rank(
    s: &Solved,
    scores: &Scores,
) -> (Rank, Misses, bool, bool, bool, i64, usize, usize, i64, i64, i64, String) {
    let d = &s.candidate.deployment;
    let value = |name| scores.by_criterion.iter().find(|c| c.criterion == name).map_or(0.0, |c| c.value);
    let (cost, performance) = (value(Criterion::Cost), value(Criterion::Performance));
    (
        s.safety.rank(),
        s.misses(),
        !s.by_standby.is_empty(),
        s.idle.is_some(),
        s.safety.does_not_last().is_some(),
        -(scores.total * 200.0).round() as i64,
        exposed(d),
        d.devices().len() + d.edges as usize + usize::from(d.cache.is_some()),
        -(cost * 100.0).round() as i64,
        -(performance * 1e4).round() as i64,
        -(scores.total * 1e6).round() as i64,
        format!("{}{:?}", d.layout, d.volumes.iter().map(|v| &v.filesystem).collect::<Vec<_>>()),
    )
}

/// Whether one is preferred to another by what comes before every score.
pub(super) fn comes_before_scores(one: &Solved, other: &Solved) -> bool {
    let of = |s: &Solved| {
        (s.safety.rank(), s.misses(), !s.by_standby.is_empty(), s.idle.is_some(), s.safety.does_not_last().is_some())
    };
    of(one) < of(other)
}

/// Gives a candidate its drives, its memory and what it rents, and solves it; where nobody counted the drives of the server and they
/// are overloaded or full, it gets more of them.
pub(super) fn solve_one(search: &Search<'_>, mut candidate: Candidate) -> Result<Solved, Box<Failed>> {
    let bare = candidate.clone();
    equip(search, &mut candidate);
    let solved = match predicted(search, candidate) {
        Err(failed) if failed.1.resource().is_some_and(are_disks) => with_drives(search, &bare).ok_or(failed)?,
        Ok(full) if full.safety.full.is_some() => with_drives(search, &bare).unwrap_or(full),
        other => other?,
    };
    // Where a target is missed, memory for the whole database is weighed before another server.
    let better = (!solved.missed.is_empty()).then(|| with_memory(search, &solved));
    let better = better.flatten();
    let solved = better.filter(|b| b.missed.len() < solved.missed.len()).unwrap_or(solved);
    Ok(rent_instance(search, &solved).unwrap_or(solved))
}

/// A deployment on volumes of a provider, on the smallest of its instances that carries it with as much memory, and as many cores
/// where the site states them; none where the site names a server, or its server has drives.
fn rent_instance(search: &Search<'_>, solved: &Solved) -> Option<Solved> {
    let (site, catalog, calibration) = search.known();
    let Candidate { deployment, choices } = &solved.candidate;
    let is_instance = |server: &Server| server.form == Form::Instance;
    let is_rented = deployment.private_sets(0).iter().any(|mount| mount.is_cloud());
    let server = catalog.servers.get(&deployment.server);
    if site.names_server() || !is_rented || deployment.is_machine(0) || server.is_none_or(is_instance) {
        return None;
    }
    let provider = choices.provider.as_ref();
    let all = catalog.instances_like(&deployment.server, provider, &deployment.system);
    let cores = &site.server.cores;
    let least = if cores.is_stated() { cores.value } else { 0.0 };
    let holds = |one: &&Server| one.memory.value.get() >= deployment.memory && one.cores.value >= least;
    all.into_iter().filter(holds).find_map(|instance| {
        let other = on_other_instance(search, &solved.candidate, instance);
        let other = predicted(search, other).ok()?;
        let on_it = (&other.candidate.deployment, search.load);
        let rows = carried(catalog, calibration, on_it, &other.prediction);
        (rows.is_some() && other.misses() <= solved.misses()).then_some(other)
    })
}

fn are_disks(resource: &Resource) -> bool {
    resource.kind() == ResourceKind::Disks
}

/// A candidate whose disks are overloaded or do not hold today's data, with the fewest drives that do and stay below the limit of a
/// rule, or else carry the load at all; `None` where no number of those that may be bought does.
fn with_drives(search: &Search<'_>, bare: &Candidate) -> Option<Solved> {
    let (site, catalog, _) = search.known();
    let mut carries = None;
    for mut more in drives::more(site, catalog, bare) {
        equip(search, &mut more);
        let solved = predicted(search, more).ok();
        let Some(solved) = solved.filter(|solved| solved.safety.full.is_none()) else {
            continue;
        };
        let mut resources = solved.prediction.resources.iter();
        let is_busy = resources.any(|r| are_disks(&r.resource) && r.utilization > BUSY_DISKS);
        if !is_busy {
            return Some(solved);
        }
        carries.get_or_insert(solved);
    }
    carries
}

/// Solves a candidate that has its equipment.
fn predicted(search: &Search<'_>, candidate: Candidate) -> Result<Solved, Box<Failed>> {
    let Search { site, catalog, calibration, load, .. } = *search;
    let files = site.workload.largest_submit_files.value;
    let deployment = &candidate.deployment;
    match predict_with_commit(deployment, load, files, catalog, calibration) {
        Ok(does) => Ok(solve(search, candidate, does)),
        Err(error) => Err(Box::new((candidate, error))),
    }
}

/// Whether more memory would hold more of the database that is asked for.
pub(super) fn wants_memory(search: &Search<'_>, solved: &Solved) -> bool {
    let (hit, deployment) = (solved.prediction.db_hit, &solved.candidate.deployment);
    let memory = capacity::memory(search.site, search.calibration, deployment, search.load, hit);
    hit < HIT_MIN && memory.all.get() > deployment.memory
}

/// The same with memory for all processes and the whole database; `None` where it has that or the database is found in memory.
pub(super) fn with_memory(search: &Search<'_>, solved: &Solved) -> Option<Solved> {
    let Search { site, catalog, calibration, load, .. } = *search;
    if !wants_memory(search, solved) {
        return None;
    }
    let mut candidate = solved.candidate.clone();
    let before = candidate.deployment.memory;
    let hit = solved.prediction.db_hit;
    let all = capacity::memory(site, calibration, &candidate.deployment, load, hit).all;
    give_memory(catalog, &mut candidate, all.get(), 0.0);
    let is_more = candidate.deployment.memory > before;
    is_more.then(|| predicted(search, candidate).ok()).flatten()
}

pub(super) fn solve(
    search: &Search<'_>,
    candidate: Candidate,
    (prediction, largest_commit): (Prediction, f64),
) -> Solved {
    let Search { site, catalog, calibration, load, sizes, .. } = *search;
    let missed = missed(site, &prediction);
    let deployment = &candidate.deployment;
    let kept = standby::kept(search, deployment, &prediction);
    let safety = Safety::of(site, catalog, calibration, deployment, load, sizes);
    let known = search.known();
    let bill = (!site.prices.is_empty()).then(|| bill::bill(known, deployment, (load, sizes), &prediction));
    Solved {
        bill,
        times: times(&prediction, largest_commit),
        candidate,
        prediction,
        largest_commit,
        missed,
        unkept: kept.broken,
        by_standby: kept.by_standby,
        safety,
        idle: None,
    }
}
