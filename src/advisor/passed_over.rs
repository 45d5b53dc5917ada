//! What is not recommended, and why: the other layouts, and systems that the site describes.

use super::advice::Alternative;
use super::candidates::{Dropped, lacking, unused_arrays};
use super::helps::more_writes;
use super::ranking::{Failed, Solved, comes_before_scores};
use super::score::{self, Scores};
use super::why_not::why_not;
use crate::catalog::{Called, Catalog};
use crate::site::Site;
use crate::system::Deployment;

/// Why each system that the site describes is not used: no layout can use it, or what the best layout with it lacks.
pub(super) fn unused(
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
                let more = more_writes(catalog, error);
                let more = more.map_or(String::new(), |more| format!("; {more}"));
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

/// Layouts that cannot be bound, those first that come nearest to what the site has.
pub(super) fn nearest(site: &Site, catalog: &Catalog, mut dropped: Vec<Dropped>) -> Vec<Dropped> {
    // Drives can be added: what else is excluded comes after that.
    dropped.sort_by_key(|out| {
        let lacks = lacking(site, catalog, &out.layout);
        (lacks, out.drives == 0, out.drives)
    });
    dropped
}

pub(super) fn alternatives(
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
            comes_before_scores: chosen.is_none_or(|(first, _)| comes_before_scores(first, s)),
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
            comes_before_scores: true,
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
            comes_before_scores: true,
        });
    }
    list
}
