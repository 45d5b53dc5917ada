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
use crate::system::{Deployment, Mount, ProxyPlace, predict_with_commit, role_in_words};
use crate::units::{Bytes, list};

/// The id that stands in place of a layout's.
pub const ID: &str = "today";
/// What it is called.
pub(super) const TITLE: &str = "As it is today";

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
    pub moves: Vec<Move>,
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
    let moves = moves(&deployment, target);
    let candidate = Candidate { deployment: deployment.clone(), choices: system.choices };
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
        Err(error) => (row(None, None, None, None, error.to_string(), true), vec![error.to_string()]),
        Ok(does) => {
            let solved = solve(&search, candidate, does);
            let scores = search.scores(&solved, best);
            let is_better = rank(&solved, &scores) < rank(&chosen.0, &chosen.1);
            let why = if moves.is_empty() {
                "it is the recommended layout".to_owned()
            } else if is_better {
                "it does no worse by anything that is judged: nothing has to be bought for the load".to_owned()
            } else {
                why_not(site, Some(chosen), &solved, &scores)
            };
            let price = score::price(&solved.times);
            let missed = solved.missed.clone();
            let choices = Some(solved.candidate.choices.clone());
            let before = comes_before_scores(&chosen.0, &solved);
            let row = row(choices, Some(solved.prediction.clone()), Some(scores), price, why, before);
            (row, missed)
        }
    };
    Some(AsItIs { candidate, missed, carries, moves })
}

/// Something that changes on the way from a deployment to another.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// What lies elsewhere then, and on which volume.
    Volumes(Vec<&'static str>, Box<Mount>),
    /// Another model of server.
    Server(String),
    /// More memory \[B\]: before and then.
    Memory([f64; 2]),
    /// Another operating system.
    OperatingSystem(String),
    /// Edges in offices.
    Edges(Vec<String>),
    /// So many edges beside the commit server.
    EdgesBeside(u32),
    /// Proxies.
    Proxies(Vec<ProxyPlace>),
    /// A standby in a place.
    Standby(String),
}

impl Move {
    /// "database, journal to 4 NVMe drives in RAID 10", "64 GiB of memory in place of 17 GiB", "an edge in Lyon".
    pub fn in_words(&self, catalog: &Catalog) -> String {
        match self {
            Self::Volumes(roles, mount) => {
                let roles = roles.iter().map(|role| role_in_words(role));
                let roles: Vec<&str> = roles.collect();
                format!("{} to {}", roles.join(", "), store_in_words(catalog, mount))
            }
            Self::Server(model) => format!("{} as the server", catalog.servers.called(model)),
            Self::Memory(memory) => {
                let [before, then] = memory.map(Bytes::new);
                format!("{then} of memory in place of {before}")
            }
            Self::OperatingSystem(system) => format!("{system} as the operating system"),
            Self::Edges(offices) => format!("an edge in {}", list(offices)),
            Self::EdgesBeside(1) => "an edge beside the commit server".to_owned(),
            Self::EdgesBeside(edges) => format!("{edges} edges beside the commit server"),
            Self::Proxies(places) => {
                let places = places.iter().map(ProxyPlace::in_words);
                format!("a proxy {}", list(&places.collect::<Vec<_>>()))
            }
            Self::Standby(place) => format!("a standby in {place}"),
        }
    }
}

/// What changes from a deployment to another; nothing where they are alike.
pub(super) fn moves(from: &Deployment, to: &Deployment) -> Vec<Move> {
    let mut volumes: Vec<(&Mount, Vec<&'static str>)> = Vec::new();
    for mount in &to.volumes {
        let stays = |role: &&'static str| {
            let there = from.mount(role);
            there.is_some_and(|there| is_same_store(there, mount) && stays_in(from, there, to, mount))
        };
        let roles = mount.roles.iter().copied();
        let moved = roles.filter(|role| *role != "offline_db" && !stays(role));
        match volumes.iter_mut().find(|(known, _)| known.shares_disks(mount) && is_same_store(known, mount)) {
            Some((_, held)) => held.extend(moved),
            None => volumes.push((mount, moved.collect())),
        }
    }
    volumes.retain(|(_, roles)| !roles.is_empty());
    let volumes = volumes.into_iter();
    let mut moves: Vec<Move> = volumes.map(|(mount, roles)| Move::Volumes(roles, Box::new(mount.clone()))).collect();
    if from.server != to.server {
        moves.push(Move::Server(to.server.clone()));
    }
    if to.memory > from.memory {
        moves.push(Move::Memory([from.memory, to.memory]));
    }
    if from.system != to.system {
        moves.push(Move::OperatingSystem(to.system.clone()));
    }
    let new = to.offices.iter().filter(|office| !from.offices.contains(office));
    let new: Vec<String> = new.cloned().collect();
    moves.extend((!new.is_empty()).then_some(Move::Edges(new)));
    let beside = |d: &Deployment| d.edges.saturating_sub(d.offices.len() as u32);
    if beside(to) > beside(from) {
        moves.push(Move::EdgesBeside(beside(to)));
    }
    let new = to.proxies.iter().filter(|proxy| from.proxy(&proxy.place).is_none());
    let new: Vec<ProxyPlace> = new.map(|proxy| proxy.place.clone()).collect();
    moves.extend((!new.is_empty()).then_some(Move::Proxies(new)));
    if let (Some(standby), None) = (&to.standby, &from.standby) {
        moves.push(Move::Standby(standby.place().to_owned()));
    }
    moves
}

/// Whether what lies on one volume lies as well on a store of the same kind.
fn is_same_store(there: &Mount, mount: &Mount) -> bool {
    (&there.device, &there.medium, &there.protocol) == (&mount.device, &mount.medium, &mount.protocol)
}

/// Whether what lies on a set of disks stays where that set is taken apart: most of it does, of parts that are alike that with the archives.
fn stays_in(from: &Deployment, there: &Mount, to: &Deployment, mount: &Mount) -> bool {
    let mates = from.volumes.iter().filter(|mate| mate.shares_disks(there));
    let roles = mates.flat_map(|mate| mate.roles.iter().copied());
    let mut parts: Vec<(&Mount, Vec<&str>)> = Vec::new();
    for role in roles.filter(|role| *role != "offline_db") {
        let Some(then) = to.mount(role).filter(|then| is_same_store(there, then)) else {
            continue;
        };
        match parts.iter_mut().find(|(part, _)| part.shares_disks(then)) {
            Some((_, held)) => held.push(role),
            None => parts.push((then, vec![role])),
        }
    }
    let size = |(_, held): &&(&Mount, Vec<&str>)| (held.len(), held.contains(&"depot"));
    let stays = parts.iter().max_by_key(size);
    stays.is_none_or(|(part, _)| part.shares_disks(mount))
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
