//! The system that is there as a candidate of its own, judged as the others are, and what leads from it to another.

use super::advice::Alternative;
use super::candidates::Candidate;
use super::headroom;
use super::load_limit::LoadLimit;
use super::of_there::is_stated;
use super::ranking::{Solved, comes_before_scores, rank, solve};
use super::score::{self, Scores, Timed};
use super::search::Search;
use super::today;
use super::why_not::why_not;
use crate::catalog::{Called, Catalog};
use crate::system::{Deployment, Mount, predict_with_commit, role_in_words};
use crate::units::Bytes;

/// The id that stands in place of a layout's.
const ID: &str = "today";
/// What it is called.
const TITLE: &str = "As it is today";

/// The system that is there.
#[derive(Debug, Clone)]
pub struct AsItIs {
    /// It as a candidate, and why it is not recommended.
    pub candidate: Alternative,
    /// Targets that it misses, in words; of a peak that saturates why it does.
    pub missed: Vec<String>,
    /// Largest multiple of the peak that it carries, and what ends that; none where model and answers disagree about it.
    pub carries: Option<(f64, LoadLimit)>,
    /// What changes on the way to the recommended layout; nothing where it is that.
    pub moves: Vec<String>,
}

/// The system that is there, where it was stated, beside the recommended one; `best` are the times that performance is judged by.
pub(super) fn as_it_is(
    search: &Search<'_>,
    chosen: &(Solved, Scores),
    target: &Deployment,
    best: &[(Timed, f64)],
) -> Option<AsItIs> {
    let (site, catalog, calibration) = search.known();
    if !is_stated(site) {
        return None;
    }
    let system = today::system(site, catalog, calibration).ok()?;
    let known = (site, catalog, calibration);
    let search = Search::of(known, &system.load, &system.sizes);
    let mut deployment = system.deployment;
    TITLE.clone_into(&mut deployment.title);
    let carries = (!site.observed.disagrees)
        .then(|| headroom::carried(site, catalog, calibration, &deployment, &system.load, 1.0));
    let moves = moves(catalog, &deployment, target);
    let candidate = Candidate {
        deployment: deployment.clone(),
        choices: system.choices,
    };
    let row = |choices, prediction, scores, price, why_not, comes_before_scores| Alternative {
        layout: ID.to_owned(),
        choices,
        deployment: Some(deployment.clone()),
        prediction,
        scores,
        price,
        why_not,
        comes_before_scores,
    };
    let files = site.workload.largest_submit_files.value;
    let solved = predict_with_commit(&deployment, &system.load, files, catalog, calibration);
    let (candidate, missed) = match solved {
        Err(error) => (
            row(None, None, None, None, error.to_string(), true),
            vec![error.to_string()],
        ),
        Ok(does) => {
            let solved = solve(&search, candidate, does);
            let scores = search.scores(&solved, best);
            let is_better = rank(&solved, &scores) < rank(&chosen.0, &chosen.1);
            let why = if moves.is_empty() {
                "it is the recommended layout".to_owned()
            } else if is_better {
                "it does no worse by anything that is judged: nothing has to be bought for the load"
                    .to_owned()
            } else {
                why_not(site, Some(chosen), &solved, &scores)
            };
            let price = score::price(&solved.times);
            let missed = solved.missed.clone();
            let choices = Some(solved.candidate.choices.clone());
            let before = comes_before_scores(&chosen.0, &solved);
            let row = row(
                choices,
                Some(solved.prediction.clone()),
                Some(scores),
                price,
                why,
                before,
            );
            (row, missed)
        }
    };
    Some(AsItIs {
        candidate,
        missed,
        carries,
        moves,
    })
}

/// What changes from a deployment to another: volumes, server, memory, edges, proxies, standby; nothing where they are alike.
///
/// "database, journal to 4 NVMe drives in RAID 10", "64 GiB of memory in place of 17 GiB", "an edge in Lyon".
pub(super) fn moves(catalog: &Catalog, from: &Deployment, to: &Deployment) -> Vec<String> {
    let mut stores: Vec<(String, Vec<&str>)> = Vec::new();
    for mount in &to.volumes {
        let shown = mount.roles.iter().filter(|role| **role != "offline_db");
        let moved = shown.filter(|role| {
            from.mount(role)
                .is_none_or(|there| !is_same_store(there, mount))
        });
        let roles: Vec<&str> = moved.map(|role| role_in_words(role)).collect();
        let store = store_in_words(catalog, mount);
        match stores.iter_mut().find(|(known, _)| *known == store) {
            Some((_, held)) => held.extend(roles),
            None => stores.push((store, roles)),
        }
    }
    stores.retain(|(_, roles)| !roles.is_empty());
    let volumes = stores.into_iter();
    let volumes = volumes.map(|(store, roles)| format!("{} to {store}", roles.join(", ")));
    let mut moves: Vec<String> = volumes.collect();
    if from.server != to.server {
        moves.push(format!(
            "{} as the server",
            catalog.servers.called(&to.server)
        ));
    }
    if to.memory > from.memory {
        let [memory, before] = [to.memory, from.memory].map(Bytes::new);
        moves.push(format!("{memory} of memory in place of {before}"));
    }
    if from.system != to.system {
        moves.push(format!("{} in place of {}", to.system, from.system));
    }
    let new = to
        .offices
        .iter()
        .filter(|office| !from.offices.contains(office));
    let new: Vec<&str> = new.map(String::as_str).collect();
    if !new.is_empty() {
        moves.push(format!("an edge in {}", new.join(", ")));
    }
    let beside = |d: &Deployment| (d.edges as usize).saturating_sub(d.offices.len());
    if beside(to) > beside(from) {
        moves.push(format!("{} edges beside the commit server", beside(to)));
    }
    let new = to
        .proxies
        .iter()
        .filter(|proxy| from.proxy(&proxy.place).is_none());
    let new: Vec<String> = new.map(|proxy| proxy.place.in_words()).collect();
    if !new.is_empty() {
        moves.push(format!("a proxy {}", new.join(", ")));
    }
    if let (Some(standby), None) = (&to.standby, &from.standby) {
        moves.push(format!("a standby in {}", standby.place()));
    }
    moves
}

/// Whether what lies on one volume lies as well on a store of the same kind.
fn is_same_store(there: &Mount, mount: &Mount) -> bool {
    (&there.device, &there.medium, &there.protocol)
        == (&mount.device, &mount.medium, &mount.protocol)
}

/// "4 NVMe drives in RAID 10", "FlashBlade over NFS version 3".
fn store_in_words(catalog: &Catalog, mount: &Mount) -> String {
    let medium = catalog.media.called(&mount.medium);
    if mount.is_local() {
        let raid = catalog.raid.called(&mount.raid);
        return format!("{} local {medium}s in {raid}", mount.disks);
    }
    if mount.is_cloud() {
        return format!("a {medium}");
    }
    let array = catalog.arrays.called(&mount.device);
    format!("{array} over {}", mount.reached(catalog))
}
