//! The main job: from a site to a recommendation that can be defended line by line.

use super::candidates::{Candidate, Dropped, candidates};
use super::growth::{self, Headroom, target};
use super::rules::{self, Facts, Finding};
use super::score::{self, LARGEST_COMMIT, Scores, best_times, times};
use super::sensitivity::{self, Influence};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};
use crate::system::capacity::{self, Memory, RoleSize};
use crate::system::{
    Choices, Deployment, Effort, PredictError, Prediction, commit_time, interval, predict,
};
use crate::units::Seconds;
use crate::workload::{Load, from_site};

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
    /// Targets that it misses, in words.
    pub missed: Vec<String>,
    /// Sizes of its volumes by role.
    pub sizes: Vec<RoleSize>,
    /// Memory there and worth having.
    pub memory: Memory,
    /// How far to its limits.
    pub headroom: Headroom,
}

/// A layout that is not the one, and why.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The layout's id.
    pub layout: String,
    /// The best that could be made of it; `None` where it could not be bound at all.
    pub deployment: Option<Deployment>,
    /// What it does, where it was solved.
    pub prediction: Option<Prediction>,
    /// Its scores, where it was solved.
    pub scores: Option<Scores>,
    /// Why it is not the one.
    pub why_not: String,
}

/// What `advise` says.
#[derive(Debug, Clone)]
pub struct Advice {
    /// The recommendation; `None` where nothing that the site has can do it.
    pub chosen: Option<Chosen>,
    /// One sentence.
    pub sentence: String,
    /// The other layouts, best first.
    pub alternatives: Vec<Alternative>,
    /// Risks and rules.
    pub findings: Vec<Finding>,
    /// Which unanswered questions matter, most first.
    pub influences: Vec<Influence>,
    /// How many deployments were solved.
    pub solved: usize,
    /// The load that they were solved under.
    pub load: Load,
}

/// A candidate that was solved.
struct Solved {
    candidate: Candidate,
    prediction: Prediction,
    times: Vec<(String, f64)>,
    largest_commit: f64,
    missed: Vec<String>,
    full: Option<String>,
}

/// A candidate that saturates, and where.
type Failed = (Candidate, PredictError);

/// Recommends a deployment for a site.
pub fn advise(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Advice {
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let (candidates, dropped) = candidates(site, catalog);
    let count = candidates.len();
    let (mut ranked, failed) = solve_all(site, catalog, calibration, candidates, &load, &sizes);
    // The first is the choice; the others are listed by what they miss and by their score.
    if let Some((_, rest)) = ranked.split_first_mut() {
        rest.sort_by(|a, b| {
            let key = |r: &(Solved, Scores)| (r.0.full.is_some(), r.0.missed.len());
            key(a).cmp(&key(b)).then(b.1.total.total_cmp(&a.1.total))
        });
    }
    let winner = ranked.first().is_some_and(|(s, _)| s.full.is_none());
    let alternatives = alternatives(site, &ranked, failed, dropped, winner);
    if !winner {
        return Advice {
            chosen: None,
            sentence: nothing_fits(&alternatives),
            alternatives,
            findings: Vec::new(),
            influences: Vec::new(),
            solved: count,
            load,
        };
    }
    let (first, scores) = ranked.swap_remove(0);
    let chosen = choose(site, catalog, calibration, first, scores, &load, sizes);
    let influences = sensitivity::influences(
        site,
        vocabulary,
        catalog,
        calibration,
        &chosen.deployment.layout,
        &chosen.choices,
    );
    let findings = rules::check(&Facts {
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
    });
    Advice {
        sentence: sentence(site, catalog, &chosen),
        chosen: Some(chosen),
        alternatives,
        findings,
        influences,
        solved: count,
        load,
    }
}

/// How many of db, journal and log lie on storage that other servers could mount: exports.
fn exposed(d: &Deployment) -> usize {
    let on_export = |role: &&str| d.mount(role).is_some_and(|m| m.filesystem.is_none());
    ["db", "journal", "log"]
        .iter()
        .filter(|role| on_export(role))
        .count()
}

/// Solves the candidates: ranked, best first, and those that saturate.
fn solve_all(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    candidates: Vec<Candidate>,
    load: &Load,
    sizes: &[RoleSize],
) -> (Vec<(Solved, Scores)>, Vec<Failed>) {
    let mut solved = Vec::new();
    let mut failed = Vec::new();
    for mut candidate in candidates {
        growth::provision(site, catalog, &mut candidate.deployment, sizes);
        let deployment = &candidate.deployment;
        match predict(deployment, load, catalog, calibration, Effort::Search) {
            Ok(p) => solved.push(solve(site, catalog, calibration, candidate, p, load, sizes)),
            Err(error) => failed.push((candidate, error)),
        }
    }
    let all_times: Vec<_> = solved.iter().map(|s| s.times.clone()).collect();
    let best = best_times(&all_times);
    let mut ranked: Vec<(Solved, Scores)> = solved
        .into_iter()
        .map(|s| {
            let scores = score::scores(site, catalog, &s.candidate.deployment, &s.times, &best);
            (s, scores)
        })
        .collect();
    ranked.sort_by_key(rank);
    (ranked, failed)
}

/// Order of preference: room for the data, fewer missed targets, the score (two digits: closer ones
/// cannot be told apart), fewer of db, journal and log on exports (N13-best), fewer systems and servers, the cheaper protocol, the id.
fn rank((s, scores): &(Solved, Scores)) -> (bool, usize, i64, usize, usize, i64, i64, i64, String) {
    let d = &s.candidate.deployment;
    let value = |name| {
        scores
            .by_criterion
            .iter()
            .find(|c| c.criterion == name)
            .map_or(0.0, |c| c.value)
    };
    let (cost, performance) = (value("cost"), value("performance"));
    (
        s.full.is_some(),
        s.missed.len(),
        -(scores.total * 200.0).round() as i64,
        exposed(d),
        d.devices().len() + d.edges as usize + usize::from(d.cache.is_some()),
        -(cost * 100.0).round() as i64,
        -(performance * 1e4).round() as i64,
        -(scores.total * 1e6).round() as i64,
        format!(
            "{}{:?}",
            d.layout,
            d.volumes.iter().map(|v| &v.filesystem).collect::<Vec<_>>()
        ),
    )
}

fn solve(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    candidate: Candidate,
    prediction: Prediction,
    load: &Load,
    sizes: &[RoleSize],
) -> Solved {
    let files = site.workload.largest_submit_files.value;
    let largest_commit = commit_time(&candidate.deployment, load, files, catalog, calibration);
    let missed = missed(site, &prediction);
    let full = growth::capacity(site, catalog, &candidate.deployment, sizes)
        .into_iter()
        .find(|l| l.needed > l.usable)
        .map(|l| {
            format!(
                "{} holds {} and {} are needed at the horizon",
                l.store, l.usable, l.needed
            )
        });
    Solved {
        times: times(&prediction, largest_commit),
        candidate,
        prediction,
        largest_commit,
        missed,
        full,
    }
}

/// Targets that a prediction misses, in words.
pub fn missed(site: &Site, prediction: &Prediction) -> Vec<String> {
    prediction
        .classes
        .iter()
        .filter(|c| !c.name.contains("(automation)"))
        .filter_map(|c| {
            let (limit, time) = target(site, c)?;
            (time > limit).then(|| {
                let (time, limit) = (Seconds::new(time), Seconds::new(limit));
                format!("{} takes {time} where {limit} is wanted", c.name)
            })
        })
        .collect()
}

fn choose(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    first: Solved,
    scores: Scores,
    load: &Load,
    sizes: Vec<RoleSize>,
) -> Chosen {
    let Candidate {
        deployment,
        choices,
    } = first.candidate;
    let shown = predict(&deployment, load, catalog, calibration, Effort::Shown);
    let mut prediction = shown.unwrap_or(first.prediction);
    interval::add_intervals(&mut prediction, &deployment, load, catalog, calibration);
    let connections = load.connections / deployment.servers() as f64;
    let memory = capacity::memory(
        site,
        calibration,
        deployment.memory,
        connections,
        prediction.db_hit,
    );
    let headroom = growth::headroom(
        site,
        catalog,
        calibration,
        &deployment,
        load,
        &prediction,
        &sizes,
    );
    Chosen {
        deployment,
        choices,
        prediction,
        scores,
        largest_commit: first.largest_commit,
        missed: first.missed,
        sizes,
        memory,
        headroom,
    }
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
            deployment: Some(s.candidate.deployment.clone()),
            prediction: Some(s.prediction.clone()),
            scores: Some(scores.clone()),
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
            deployment: Some(candidate.deployment),
            prediction: None,
            scores: None,
            why_not: error.to_string(),
        });
    }
    for dropped in dropped {
        list.push(Alternative {
            layout: dropped.layout,
            deployment: None,
            prediction: None,
            scores: None,
            why_not: dropped.reason,
        });
    }
    list
}

/// Why `s` is not the chosen one: constraints first, then what it loses most by.
fn why_not(site: &Site, chosen: Option<&(Solved, Scores)>, s: &Solved, scores: &Scores) -> String {
    if let Some(full) = &s.full {
        return full.clone();
    }
    let Some((first, best)) = chosen else {
        return "nothing was chosen".to_owned();
    };
    if s.missed.len() > first.missed.len() {
        return s.missed.join("; ");
    }
    let mut losses: Vec<(f64, String)> = Vec::new();
    for (mine, theirs) in scores.by_criterion.iter().zip(&best.by_criterion) {
        let loss = mine.weight * (theirs.value / mine.value).ln();
        if loss <= 0.002 {
            continue;
        }
        losses.push((
            loss,
            if mine.criterion == "performance" {
                slowest(first, s)
            } else {
                format!(
                    "{} {} ({:.2}) against {} ({:.2})",
                    mine.criterion.replace('_', " "),
                    mine.word(),
                    mine.value,
                    theirs.word(),
                    theirs.value
                )
            },
        ));
    }
    let _ = site;
    losses.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words: Vec<String> = losses.into_iter().take(2).map(|(_, words)| words).collect();
    if words.is_empty() {
        return format!(
            "cannot be told apart by score ({:.3} against {:.3}); the chosen one is simpler or cheaper",
            scores.total, best.total
        );
    }
    words.join("; ")
}

/// The kind of work in which `other` loses most against `first`, with both times.
fn slowest(first: &Solved, other: &Solved) -> String {
    let worst = other
        .times
        .iter()
        .filter_map(|(name, time)| {
            let best = first.times.iter().find(|(n, _)| n == name)?.1;
            Some((time / best, name, *time, best))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match worst {
        Some((ratio, name, time, best)) if ratio > 1.005 => format!(
            "slower: {name} {}{} against {}",
            if *name == LARGEST_COMMIT { "" } else { "p95 " },
            Seconds::new(time),
            Seconds::new(best)
        ),
        _ => "slower over all kinds of work together".to_owned(),
    }
}

fn nothing_fits(alternatives: &[Alternative]) -> String {
    let reason = alternatives
        .first()
        .map_or("the site allows no layout", |a| a.why_not.as_str());
    format!("Nothing that this site has can do it: {reason}.")
}

/// "Put db, journal and log on …, depots on …: …".
fn sentence(site: &Site, catalog: &Catalog, chosen: &Chosen) -> String {
    let d = &chosen.deployment;
    let mut places: Vec<(String, Vec<&str>)> = Vec::new();
    for mount in &d.volumes {
        let place = place(catalog, mount);
        let roles = mount
            .roles
            .iter()
            .copied()
            .filter(|r| !matches!(*r, "offline_db"));
        match places.iter_mut().find(|(p, _)| *p == place) {
            Some((_, held)) => held.extend(roles),
            None => places.push((place, roles.collect())),
        }
    }
    let parts: Vec<String> = places
        .iter()
        .map(|(place, roles)| format!("{} on {place}", list(roles)))
        .collect();
    let edges = match d.edges {
        0 => String::new(),
        1 => ", with a commit server and one edge".to_owned(),
        n => format!(", with a commit server and {n} edges"),
    };
    let beside = d.edges as usize - d.offices.len();
    let shared = match (d.offices.as_slice(), beside) {
        ([], 0) => String::new(),
        ([], _) if d.shared_depot => " that share the depots".to_owned(),
        ([], _) => String::new(),
        (offices, 0) => format!(" in {}", offices.join(" and ")),
        (offices, _) => format!(", of them one each in {}", offices.join(" and ")),
    };
    let proxies = if d.proxies {
        "; build farms read through proxies"
    } else {
        ""
    };
    let cache = d
        .cache
        .as_ref()
        .map_or(String::new(), |c| format!("; add the cache {c}"));
    let verdict = if chosen.missed.is_empty() {
        let h = &chosen.headroom;
        let growth = &site.data.db_growth;
        let assumed = if growth.is_stated() { "" } else { ", assumed" };
        let when = h.reached_in.map_or(String::new(), |t| {
            format!(", reached in {t} with {}{assumed}", growth.value)
        });
        let held = if growth::has_targets(site) {
            "all targets hold"
        } else {
            "response times stay within three times today's"
        };
        format!("{held} up to {:.1} times today's peak{when}", h.factor)
    } else {
        format!("even so it misses a target: {}", chosen.missed.join("; "))
    };
    format!(
        "Put {}{edges}{shared}{proxies}{cache}: {verdict}.",
        parts.join("; ")
    )
}

/// "FlashArray over iSCSI with xfs".
pub(super) fn place(catalog: &Catalog, mount: &crate::system::Mount) -> String {
    let fs = mount
        .filesystem
        .as_ref()
        .map_or(String::new(), |fs| format!(" with {fs}"));
    match mount.device.as_str() {
        "local-raid" => format!(
            "{} disks of the server ({}, {}){fs}",
            mount.disks, mount.medium, mount.raid
        ),
        "cloud-block" => format!("cloud disks ({}){fs}", mount.medium),
        device => {
            let raid = if catalog
                .arrays
                .get(device)
                .is_some_and(|a| a.raid != mount.raid)
            {
                format!(" ({})", mount.raid)
            } else {
                String::new()
            };
            format!("{device}{raid} over {}{fs}", mount.protocol)
        }
    }
}

/// "db, journal and log".
fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The best deployment that a site can make of one layout; for a reference layout whatever its own
/// devices need, even if the site does not have them.
pub fn best_of_layout(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    id: &str,
) -> Result<Deployment, String> {
    let layout = catalog
        .layouts
        .get(id)
        .ok_or_else(|| format!("no layout {id:?}"))?;
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let (candidates, reason) = super::candidates::of_layout(site, catalog, layout);
    let mut best: Option<(f64, Deployment)> = None;
    let mut failure = None;
    for mut candidate in candidates {
        growth::provision(site, catalog, &mut candidate.deployment, &sizes);
        match predict(
            &candidate.deployment,
            &load,
            catalog,
            calibration,
            Effort::Search,
        ) {
            Err(error) => failure = Some(error.to_string()),
            Ok(prediction) => {
                let judged = prediction.classes.iter().filter(|c| c.response != "none");
                let score: f64 = judged.map(|c| c.p95.value.ln()).sum();
                if best.as_ref().is_none_or(|(b, _)| score < *b) {
                    best = Some((score, candidate.deployment));
                }
            }
        }
    }
    match (best, failure) {
        (Some((_, deployment)), _) => Ok(deployment),
        (None, Some(failure)) => Err(failure),
        (None, None) => super::candidates::fixed(site, catalog, layout)
            .map_err(|error| reason.unwrap_or_else(|| error.to_string())),
    }
}
