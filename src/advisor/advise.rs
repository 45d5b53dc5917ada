//! The main job: from a site to a recommendation that can be defended line by line.

use super::candidates::{Candidate, Dropped, candidates};
use super::contest::{self, Contest};
use super::growth::{self, Headroom, target};
use super::rules::{self, Facts, Finding};
use super::score::{self, Scores, best_times, times};
use super::sensitivity::{self, Influence};
use super::words::{nothing_fits, sentence, why_not};
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
    /// How sure the choice is.
    pub contest: Contest,
    /// How many deployments were solved.
    pub solved: usize,
    /// The load that they were solved under.
    pub load: Load,
}

/// A candidate that was solved.
pub(super) struct Solved {
    pub(super) candidate: Candidate,
    pub(super) prediction: Prediction,
    pub(super) times: Vec<(String, f64)>,
    pub(super) largest_commit: f64,
    pub(super) missed: Vec<String>,
    pub(super) full: Option<String>,
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
            contest: Contest::default(),
            solved: count,
            load,
        };
    }
    let sides = contest::sides(&ranked);
    let contest = contest::contest(site, vocabulary, catalog, calibration, &load, sides);
    let (first, scores) = ranked.swap_remove(0);
    let mut chosen = choose(site, catalog, calibration, first, scores, &load, sizes);
    let influences = sensitivity::influences(
        site,
        vocabulary,
        catalog,
        calibration,
        &chosen.deployment.layout,
        &chosen.choices,
    );
    let names: Vec<String> = chosen
        .prediction
        .classes
        .iter()
        .map(|c| c.name.clone())
        .collect();
    for name in names {
        let moves = influences.iter().flat_map(|i| &i.moves);
        let moves = moves.filter(|m| m.class == name).map(|m| (m.down, m.up));
        interval::widen(&mut chosen.prediction, &name, moves);
    }
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
        contest,
        solved: count,
        load,
    }
}

/// How many of db, journal and log lie on storage that other servers could mount: exports.
pub(super) fn exposed(d: &Deployment) -> usize {
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
