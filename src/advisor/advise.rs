//! The main job: from a site to a recommendation that can be defended line by line.

use super::candidates::{Candidate, Dropped, candidates};
use super::contest::{self, Contest};
use super::growth::{self, Headroom};
use super::ranking::{Failed, Solved, solve_all};
use super::rules::{self, Facts, Finding};
use super::score::Scores;
use super::sensitivity::{self, Influence};
use super::stores;
use super::words::{nothing_fits, sentence, why_not};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};
use crate::system::capacity::{self, Memory, RoleSize};
use crate::system::{Choices, Deployment, Effort, Prediction, interval, predict};
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
    let ranges = sensitivity::ranges(site, vocabulary);
    let contest = contest::contest(site, &ranges, catalog, calibration, &load, sides);
    let (first, scores) = ranked.swap_remove(0);
    let mut chosen = choose(site, catalog, calibration, first, scores, &load, sizes);
    let influences = sensitivity::influences(
        site,
        &ranges,
        catalog,
        calibration,
        &chosen.deployment.layout,
        &chosen.choices,
    );
    interval::widen(&mut chosen.prediction, |class| {
        let moves = influences.iter().flat_map(|i| &i.moves);
        let moves = moves.filter(|moved| moved.class == class);
        moves.map(|moved| (moved.down, moved.up)).collect()
    });
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
        stores::provision(site, catalog, &mut candidate.deployment, &sizes);
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
