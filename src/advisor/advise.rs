//! The main job: from a site to a recommendation that can be defended line by line.

use super::bill::{self, Bill, Costs};
use super::candidates::{Candidate, Dropped, candidates, lacking, unused_arrays};
use super::confirm::{Ask, Stage};
use super::confirm_limit::confirm_with_limit;
use super::contest::{self, Contest, Contestants};
use super::edges::{self, EdgesEnd};
use super::facts::people;
use super::headroom::{self, Headroom, Overload};
use super::instance::{self, Instances};
use super::lint;
use super::ranking::{Failed, Ranked, Solved, solve_all};
use super::recovery::{Recovery, recovery};
use super::rules::{self, Facts, Finding, Severity};
use super::score::{self, Scores, Timed};
use super::search::Search;
use super::sensitivity::{self, Influence, Subject};
use super::sizing::Sizing;
use super::standby;
use super::stores;
use super::targets::missed;
use super::today;
use super::unstated::Unstated;
use super::why_not::{why_not, with_drives};
use crate::calibration::Calibration;
use crate::catalog::{Called, Catalog};
use crate::site::{Site, Vocabulary};
use crate::system::capacity::{self, Memory, RoleSize};
use crate::system::{
    Choices, Deployment, PredictError, Prediction, Spot, commit_time, interval, predict,
};
use crate::units::{BytesPerSecond, about_count};
use crate::workload::{Load, from_site};

/// Where the system that is there carries so many times as much as a new one, the advice says so (assumed).
const MUCH_MORE: f64 = 1.1;
/// How closely the load is known that an overloaded layout carries.
const CLOSELY: f64 = 1.02;
/// So many of the best are simulated where one after the other is found to be overloaded: each takes its seconds.
const TRIED_MOST: usize = 3;

/// The recommended deployment with everything that is said of it.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// What it is.
    pub deployment: Deployment,
    /// What was chosen for its layout.
    pub choices: Choices,
    /// What it does at the peak, with intervals.
    pub prediction: Prediction,
    /// Its scores.
    pub scores: Scores,
    /// How long the largest submit holds the commit section \[s\].
    pub largest_commit: f64,
    /// How long the commit of a branch operation holds it \[s\].
    pub branch_commit: f64,
    /// Targets that it misses, in words.
    pub missed: Vec<String>,
    /// What must be said first: memory that is missing, database and journal on one set of disks.
    pub cautions: Vec<String>,
    /// Whether it does not survive its peak or the horizon as it is: memory or room is missing.
    pub falls_short: bool,
    /// Sizes of its volumes by role.
    pub sizes: Vec<RoleSize>,
    /// Memory there and worth having.
    pub memory: Memory,
    /// How far to its limits.
    pub headroom: Headroom,
    /// How it fails and recovers.
    pub recovery: Recovery,
    /// What it is made of, with the site's prices.
    pub bill: Bill,
    /// What it is compared by with other layouts, without a standby, where cost is judged in money.
    pub price: Option<f64>,
    /// What ended the placing of edges; none where no office is distant, or the layout takes no edge.
    pub edges_end: Option<EdgesEnd>,
    /// Which instance of a cloud carries it; none of a deployment that needs no instance.
    pub instances: Option<Instances>,
}

/// A layout that is not the one, and why.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The layout's id.
    pub layout: String,
    /// What was chosen for it; `None` where it could not be bound at all.
    pub choices: Option<Choices>,
    /// The best that could be made of it; `None` where it could not be bound at all.
    pub deployment: Option<Deployment>,
    /// What it does, where it was solved.
    pub prediction: Option<Prediction>,
    /// Its scores, where it was solved.
    pub scores: Option<Scores>,
    /// What it costs over the horizon, where cost is judged in money.
    pub price: Option<f64>,
    /// Why it is not the one.
    pub why_not: String,
}

impl Alternative {
    /// Its protocols and filesystems: "iscsi + nfsv3, xfs"; nothing where it could not be bound.
    pub fn in_words(&self, catalog: &Catalog) -> String {
        let Some(d) = &self.deployment else {
            return String::new();
        };
        let protocols = d.volumes.iter().map(|m| m.reached(catalog));
        let mut protocols: Vec<&str> = protocols.collect();
        protocols.dedup();
        let filesystems = d.volumes.iter().filter_map(|m| m.filesystem.as_deref());
        let filesystems = filesystems.map(|id| catalog.filesystems.called(id));
        let mut filesystems: Vec<&str> = filesystems.collect();
        filesystems.dedup();
        let with = if filesystems.is_empty() { "" } else { ", " };
        format!("{}{with}{}", protocols.join(" + "), filesystems.join(" + "))
    }
}

/// What `advise` says.
#[derive(Debug, Clone)]
pub struct Advice {
    /// The recommendation; `None` where nothing that the site has can do it.
    pub chosen: Option<Chosen>,
    /// What today's load overloads least, where it overloads everything that the site has room on.
    pub overload: Option<Overload>,
    /// The other layouts, best first.
    pub alternatives: Vec<Alternative>,
    /// The systems that the site describes and the recommendation does not use, by id, and why.
    pub unused: Vec<(String, String)>,
    /// Risks and rules.
    pub findings: Vec<Finding>,
    /// Which unanswered questions matter, most first.
    pub influences: Vec<Influence>,
    /// How sure the choice is.
    pub contest: Contest,
    /// The best time of each kind of work among all that were solved \[s\]: what performance is judged by.
    pub best_times: Vec<(Timed, f64)>,
    /// What cost is judged by.
    pub costs: Costs,
    /// How many deployments were solved.
    pub solved: usize,
    /// The load that they were solved under.
    pub load: Load,
}

impl Advice {
    /// Whether it does not do today what the site wants: a target is missed, memory or room is short, nothing fits.
    pub fn falls_short(&self) -> bool {
        let chosen = self.chosen.as_ref();
        chosen.is_none_or(|c| c.falls_short || !c.missed.is_empty())
    }
}

/// Recommends a deployment for a site, by what is solved alone.
pub fn advise(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Advice {
    advise_confirmed(site, vocabulary, catalog, calibration, &Ask::NOTHING)
}

/// The same, and what is recommended is confirmed by simulation: it is judged by what that found.
#[expect(
    clippy::too_many_lines,
    reason = "the steps of the main job, one after the other"
)]
pub fn advise_confirmed(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
    ask: &Ask<'_>,
) -> Advice {
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let (candidates, dropped) = candidates(site, catalog);
    (ask.doing)(Stage::Ranking(candidates.len()));
    let search = Search::of((site, catalog, calibration), &load, &sizes);
    let Ranked {
        solved: mut ranked,
        failed,
        best_times,
        costs,
    } = solve_all(&search, &candidates, &[]);
    let count = ranked.len() + failed.len();
    let winner = ranked.first().is_some_and(|(s, _)| s.safety.full.is_none());
    let overload = if winner {
        None
    } else {
        least_overloaded(site, catalog, calibration, &failed, &load, &sizes)
    };
    if !winner {
        let findings =
            of_what_is_there(site, catalog, calibration, overload.as_ref(), &load, &sizes);
        return Advice {
            chosen: None,
            overload,
            unused: unused(site, catalog, &ranked, &failed, winner),
            alternatives: alternatives(
                site,
                &ranked,
                failed,
                nearest(site, catalog, dropped),
                winner,
            ),
            findings,
            influences: Vec::new(),
            contest: Contest::default(),
            best_times,
            costs,
            solved: count,
            load,
        };
    }
    (ask.doing)(Stage::Contest);
    let ranges = sensitivity::ranges(site, vocabulary);
    let mut refuted: Vec<Failed> = Vec::new();
    let (chosen, contest, passed_over) = loop {
        let sides = contest::sides(&ranked);
        let mut contestants = Contestants::of(site, &ranges, catalog, calibration, &load, &sides);
        let mut contest = contestants.contest();
        // Where what is not known would cost the best of the middle more than another, the other is chosen.
        let other = contest.worlds.least_regret();
        let place = other.and_then(|other| {
            let of = |(s, _): &(Solved, Scores)| s.candidate.deployment.layout == other;
            ranked.iter().position(of)
        });
        let passed_over = place.map(|place| {
            contestants.put_first(&ranked[place].0.candidate.deployment.layout);
            contest = contestants.contest();
            ranked[..=place].rotate_right(1);
            ranked[1].0.candidate.deployment.layout.clone()
        });
        match choose(&search, &ranked[0], ask) {
            Ok(chosen) => break (chosen, contest, passed_over),
            // The simulation is as good a witness as the solution: the layout is overloaded, and the next is looked at.
            Err(error) => {
                let (unsteady, _) = ranked.remove(0);
                refuted.push((unsteady.candidate, error));
            }
        }
        let is_safe = |(s, _): &(Solved, Scores)| s.safety.full.is_none();
        if refuted.len() == TRIED_MOST || !ranked.first().is_some_and(is_safe) {
            let (candidate, error) = &refuted[0];
            let overload = headroom::overload_simulated(
                catalog,
                calibration,
                &candidate.deployment,
                &load,
                error,
                ask,
            );
            let findings =
                of_what_is_there(site, catalog, calibration, overload.as_ref(), &load, &sizes);
            refuted.extend(failed);
            return Advice {
                chosen: None,
                overload,
                unused: unused(site, catalog, &ranked, &refuted, false),
                alternatives: alternatives(site, &ranked, refuted, dropped, false),
                findings,
                influences: Vec::new(),
                contest: Contest::default(),
                best_times,
                costs,
                solved: count,
                load,
            };
        }
    };
    refuted.extend(failed);
    let unused = unused(site, catalog, &ranked, &refuted, winner);
    let mut alternatives = alternatives(site, &ranked, refuted, dropped, winner);
    if let Some(passed_over) = passed_over
        && let Some(found) = alternatives.iter_mut().find(|a| a.layout == passed_over)
    {
        let why = "the best as far as is known, but over the sampled cases it loses more of the score on average";
        found.why_not = match &found.deployment {
            Some(deployment) => with_drives(site, deployment, why.to_owned()),
            None => why.to_owned(),
        };
    }
    let subject = Subject {
        layout: &chosen.deployment.layout,
        choices: &chosen.choices,
        grows: true,
    };
    let open = (&ranges[..], sensitivity::Of::Assumption);
    let mut influences = sensitivity::influences(site, open, catalog, calibration, &subject);
    influences.retain(Influence::matters);
    let mut findings = rules::check(&Facts {
        site,
        catalog,
        calibration,
        deployment: &chosen.deployment,
        prediction: &chosen.prediction,
        sizes: &chosen.sizes,
        memory: &chosen.memory,
        headroom: &chosen.headroom,
        largest_commit: chosen.largest_commit,
        influences: &influences,
        recovery: &chosen.recovery,
        is_there: false,
        unstated: &Unstated::default(),
        overload: None,
    });
    search.explain(&mut findings, &ranked, chosen.edges_end.as_ref());
    findings.extend(only_today(site, catalog, calibration, &findings));
    rules::sort(&mut findings, |_| false);
    Advice {
        overload,
        unused,
        chosen: Some(chosen),
        alternatives,
        findings,
        influences,
        contest,
        best_times,
        costs,
        solved: count,
        load,
    }
}

/// Why each system that the site describes is not used: no layout can use it, or what the best layout with it lacks.
fn unused(
    site: &Site,
    catalog: &Catalog,
    ranked: &[(Solved, Scores)],
    failed: &[Failed],
    winner: bool,
) -> Vec<(String, String)> {
    let chosen = ranked.first().filter(|_| winner);
    let on = |d: &Deployment, id: &str| d.devices().contains(&id);
    let left = site.equipment.iter().map(|own| own.id.as_str());
    let left = left.filter(|id| chosen.is_none_or(|(s, _)| !on(&s.candidate.deployment, id)));
    let mut reasons = Vec::new();
    for id in left {
        let mut solved = ranked.iter();
        let best = solved.find(|(s, _)| on(&s.candidate.deployment, id));
        let mut failed = failed.iter();
        let overloaded = failed.find(|(candidate, _)| on(&candidate.deployment, id));
        let with = |d: &Deployment, why: String| {
            let (name, title) = (catalog.arrays.called(id), &d.title);
            format!("{name} is not used. The best layout with it, \"{title}\": {why}")
        };
        let why = match (best, overloaded) {
            (Some((s, scores)), _) => {
                let why = why_not(site, chosen, s, scores);
                with(&s.candidate.deployment, why)
            }
            (None, Some((candidate, error))) => {
                let more = more_writes(catalog, id, error).unwrap_or_default();
                with(&candidate.deployment, format!("{error}{more}"))
            }
            (None, None) => {
                let mut all = unused_arrays(site, catalog).into_iter();
                let Some((_, why)) = all.find(|(array, _)| array == id) else {
                    continue;
                };
                format!("no layout can use {}: {why}", catalog.arrays.called(id))
            }
        };
        reasons.push((id.to_owned(), why));
    }
    reasons
}

/// What would carry the writes that an array does not take: "; an array that takes more than 70 MB/s of writes would carry them".
fn more_writes(catalog: &Catalog, id: &str, error: &PredictError) -> Option<String> {
    let PredictError::Saturated {
        resource,
        utilization,
    } = error
    else {
        return None;
    };
    let has = catalog.arrays.get(id)?.write_bandwidth.value;
    let needs = BytesPerSecond::new(has.get() * utilization).estimated();
    matches!(resource.spot, Spot::Writes(_)).then(|| {
        format!(
            "; an array that takes more than {needs} of writes would carry them (it takes {})",
            has.estimated()
        )
    })
}

/// Layouts that cannot be bound, those first that come nearest to what the site has.
fn nearest(site: &Site, catalog: &Catalog, mut dropped: Vec<Dropped>) -> Vec<Dropped> {
    // Drives can be added: what else is excluded comes after that.
    dropped.sort_by_key(|out| {
        let lacks = lacking(site, catalog, &out.layout);
        (lacks, out.drives == 0, out.drives)
    });
    dropped
}

/// What endangers or slows the system that is there, where it was stated, and no longer the recommended one: until the
/// recommendation is built, people work on it.
fn only_today(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    recommended: &[Finding],
) -> Vec<Finding> {
    if !is_stated(site) {
        return Vec::new();
    }
    let known = |rule: &str| {
        let mut all = recommended.iter();
        all.any(|f| f.rule == rule || f.also.contains(&rule))
    };
    let found = today::system(site, catalog, calibration)
        .map(|system| today::findings(site, catalog, calibration, &system));
    let found = found.unwrap_or_default().into_iter();
    found
        .filter(|f| f.severity > Severity::Note && !known(f.rule))
        .map(Finding::of_today)
        .collect()
}

/// Whether the system that is there was stated.
pub(super) fn is_stated(site: &Site) -> bool {
    site.infrastructure.current_layout.is_some() || !site.today.volumes.is_empty()
}

/// Where nothing is recommended, what the rules find in the system that is there, if it was stated or there is no other;
/// else in the layout that is overloaded least.
fn of_what_is_there(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    overload: Option<&Overload>,
    load: &Load,
    sizes: &[RoleSize],
) -> Vec<Finding> {
    if let Some(overload) = overload.filter(|_| !is_stated(site)) {
        let subject = lint::Subject {
            deployment: &overload.deployment,
            load,
            sizes,
            stores: Sizing::of(site, catalog, sizes).capacity(&overload.deployment),
            is_there: false,
            unstated: Unstated::default(),
        };
        return lint::lint(site, catalog, calibration, subject);
    }
    today::system(site, catalog, calibration)
        .map(|system| today::findings(site, catalog, calibration, &system))
        .unwrap_or_default()
}

/// Of each layout that today's load overloads the first is looked at, and the first with proxies; the one that carries most is taken,
/// with proxies only where it carries more by [`CLOSELY`].
fn least_overloaded(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    failed: &[Failed],
    load: &Load,
    sizes: &[RoleSize],
) -> Option<Overload> {
    let mut seen: Vec<(&str, bool)> = Vec::new();
    let mut best: Option<Overload> = None;
    for (candidate, error) in failed {
        let deployment = &candidate.deployment;
        let key = (deployment.layout.as_str(), deployment.proxies.is_empty());
        if seen.contains(&key) {
            continue;
        }
        let limits = Sizing::of(site, catalog, sizes).capacity(deployment);
        if limits.iter().any(|limit| limit.more_today > 0.0) {
            continue;
        }
        seen.push(key);
        let found = headroom::overload(catalog, calibration, deployment, load, error);
        let least = if deployment.proxies.is_empty() {
            1.0
        } else {
            CLOSELY
        };
        let is_better = |f: &Overload| best.as_ref().is_none_or(|b| f.factor > least * b.factor);
        if let Some(found) = found.filter(is_better) {
            best = Some(found);
        }
    }
    best
}

fn choose(
    search: &Search<'_>,
    (first, scores): &(Solved, Scores),
    ask: &Ask<'_>,
) -> Result<Chosen, PredictError> {
    let (site, catalog, calibration) = search.known();
    let (load, sizes) = (search.load, search.sizes);
    (ask.doing)(Stage::Chosen);
    let Candidate {
        mut deployment,
        choices,
    } = first.candidate.clone();
    let shown = predict(&deployment, load, catalog, calibration);
    let mut prediction = shown.unwrap_or_else(|_| first.prediction.clone());
    interval::add_intervals(&mut prediction, &deployment, load, catalog, calibration);
    let known = (site, catalog, calibration);
    confirm_with_limit(known, &mut prediction, &deployment, load, ask)?;
    (ask.doing)(Stage::Findings);
    deployment = standby::with(search, &deployment, &prediction);
    let bill = bill::bill(known, &deployment, (load, sizes), &prediction);
    let memory = capacity::memory(site, calibration, &deployment, load, prediction.db_hit);
    let headroom = headroom::headroom(
        site,
        catalog,
        calibration,
        &deployment,
        load,
        &prediction,
        sizes,
    );
    let recovery = recovery(site, catalog, calibration, &deployment, load, &prediction);
    for (name, number) in &recovery.used {
        let known = prediction.used.entry(name.clone());
        known.or_insert_with(|| number.clone());
    }
    let instances = instance::instances(
        site,
        catalog,
        calibration,
        (&deployment, &choices),
        (load, sizes),
        &prediction,
    );
    let safety = &first.safety;
    let mut cautions = safety.cautions();
    cautions.extend(stores::edges_in_words(site, &deployment));
    let there = today::carried_by_stated(site, catalog, calibration);
    cautions.extend(there.and_then(|factor| {
        let people = people(&about_count(factor * site.people.developers.value));
        (factor > MUCH_MORE * headroom.factor).then(|| {
            format!("today's system carries more within the same targets, about {people}: `plimsoll advise --from-today` improves it step by step")
        })
    }));
    let files = site.workload.branch_files.value;
    let branch_commit = commit_time(&deployment, load, files, catalog, calibration);
    Ok(Chosen {
        bill,
        instances,
        price: score::price(&first.times),
        edges_end: edges::end(search, first),
        branch_commit,
        deployment,
        choices,
        scores: scores.clone(),
        largest_commit: first.largest_commit,
        missed: missed(site, &prediction),
        falls_short: safety.short.is_some() || safety.fills.is_some(),
        cautions,
        sizes: sizes.to_vec(),
        memory,
        headroom,
        recovery,
        prediction,
    })
}

fn alternatives(
    site: &Site,
    ranked: &[(Solved, Scores)],
    failed: Vec<Failed>,
    dropped: Vec<Dropped>,
    winner: bool,
) -> Vec<Alternative> {
    let chosen = ranked.first().filter(|_| winner);
    let mut list: Vec<Alternative> = Vec::new();
    let key = |d: &Deployment| {
        let protocols: Vec<&str> = d.volumes.iter().map(|v| v.protocol.as_str()).collect();
        (d.layout.clone(), protocols.join(" "), d.edges)
    };
    let mut seen = Vec::new();
    if let Some((s, _)) = chosen {
        seen.push(key(&s.candidate.deployment));
    }
    for (s, scores) in ranked {
        let k = key(&s.candidate.deployment);
        if seen.contains(&k) {
            continue;
        }
        seen.push(k);
        list.push(Alternative {
            layout: s.candidate.deployment.layout.clone(),
            choices: Some(s.candidate.choices.clone()),
            deployment: Some(s.candidate.deployment.clone()),
            prediction: Some(s.prediction.clone()),
            scores: Some(scores.clone()),
            price: score::price(&s.times),
            why_not: why_not(site, chosen, s, scores),
        });
    }
    for (candidate, error) in failed {
        let k = key(&candidate.deployment);
        if seen.contains(&k) {
            continue;
        }
        seen.push(k);
        list.push(Alternative {
            layout: candidate.deployment.layout.clone(),
            choices: Some(candidate.choices),
            deployment: Some(candidate.deployment),
            prediction: None,
            scores: None,
            price: None,
            why_not: error.to_string(),
        });
    }
    for dropped in dropped {
        list.push(Alternative {
            layout: dropped.layout,
            choices: None,
            deployment: None,
            prediction: None,
            scores: None,
            price: None,
            why_not: dropped.reason,
        });
    }
    list
}
