//! A present server in the place of the one that a site has today: a part of what is recommended where nothing that stands on the
//! old one meets the targets, or carries the load at all.

use super::candidates::candidates;
use super::of_there::is_stated;
use super::ranking::{Misses, solve_all};
use super::safety::Rank;
use super::search::Search;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Form, Server};
use crate::site::{NextServer, Observed, Site, Vocabulary};
use crate::system::capacity;
use crate::workload::from_site;

/// The present machine with the fewest cores that are at least so many.
pub(super) fn present(catalog: &Catalog, cores: f64) -> Option<&Server> {
    let present = catalog
        .servers
        .values()
        .filter(|one| one.is_of_today() && one.form == Form::Machine && one.cores.value >= cores);
    present.min_by(|a, b| a.cores.value.total_cmp(&b.cores.value))
}

/// Whether no server that is sold today runs an operating system.
pub(super) fn is_left_behind(catalog: &Catalog, system: &str) -> bool {
    let mut servers = catalog.servers.values();
    !servers.any(|server| server.is_of_today() && server.systems.contains(&system))
}

/// The site on a present server, where the one that it has today is older and nothing says that it stays or what follows it, and
/// what is built on the old one misses more of what is wanted than on the present one.
pub(super) fn on_next_server(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<Site> {
    let next = next(site, catalog)?;
    let kept = best(site, catalog, calibration);
    if kept.as_ref().is_some_and(|kept| kept.1.0 == 0) {
        return None;
    }
    let observed = Observed { next: Some(next), ..site.observed.clone() };
    let moved = site.with_observed(observed, vocabulary)?;
    let then = best(&moved, catalog, calibration)?;
    kept.is_none_or(|kept| then < kept).then_some(moved)
}

/// What would take the place of a site's server.
fn next(site: &Site, catalog: &Catalog) -> Option<NextServer> {
    let there = site.server.model.as_ref()?;
    let machine = catalog.servers.get(&there.value)?;
    let stays = site.today.model.is_some() || machine.is_of_today() || machine.form != Form::Machine;
    if stays || !is_stated(site) {
        return None;
    }
    let server = present(catalog, site.server.cores.value)?;
    let systems = &site.infrastructure.operating_systems.value;
    let runs = systems.iter().filter(|id| server.systems.contains(&id.as_str()));
    let mut runs: Vec<String> = runs.cloned().collect();
    if runs.is_empty() {
        runs.extend(server.systems.first().map(|&system| system.to_owned()));
    }
    let stated = site.infrastructure.filesystems.as_ref();
    let filesystems = stated.map(|stated| {
        let all = stated.value.iter();
        let has = |id: &&String| {
            let filesystem = catalog.filesystems.get(*id);
            filesystem.is_some_and(|one| one.is_on(&runs, site.server.release.value.year()))
        };
        all.filter(has).cloned().collect::<Vec<_>>()
    });
    if filesystems.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    Some(NextServer {
        there: there.value.clone(),
        model: server.entry.id.clone(),
        systems: runs,
        filesystems,
        why: format!("nothing on {} meets what is wanted", machine.entry.name),
    })
}

/// How safe the best of a site's deployments is, and what it misses; none where nothing carries the load.
fn best(site: &Site, catalog: &Catalog, calibration: &Calibration) -> Option<(Rank, Misses)> {
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let search = Search::of((site, catalog, calibration), &load, &sizes);
    let ranked = solve_all(&search, &candidates(site, catalog).0, &[]);
    let (first, _) = ranked.solved.first()?;
    let holds = first.safety.full.is_none();
    holds.then(|| (first.safety.rank(), first.misses()))
}
