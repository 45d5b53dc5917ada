//! Proxies where they pay: beside the build farm, and in offices whose people read much and write little.
//!
//! A proxy saves transfers, and no round trip: it stays where a target is met with it, or where people wait so many hours a year
//! less as it costs to run (`models/criteria.toml`). All places are tried together first, and that one is left out whose loss
//! costs least, until each of the rest is worth its place. Edges come after: one has to gain on what the proxies reach already.

use super::candidates::{Candidate, choices_for};
use super::criteria;
use super::drives;
use super::edges::{Gain, OFFICES};
use super::ranking::{Failed, Solved, rank, solve_one};
use super::score::{self, best_times};
use super::search::Search;
use super::targets::wants;
use crate::catalog::Catalog;
use crate::parallel;
use crate::site::Site;
use crate::system::{PredictError, Proxy, ProxyPlace, Resource};
use crate::workload::{Arrival, Call, Group, from_site};

/// A proxy that a site would buy for a place: with drives for its cache and for what is read from them at the peak, and as many
/// machines as their links to the clients take.
pub(super) fn proxy(site: &Site, catalog: &Catalog, place: ProxyPlace) -> Proxy {
    let cache = site.proxy.cache.value.get();
    let hits = site.proxy.hits.value.get();
    let id = medium_of(site, catalog, &place);
    let medium = catalog.media.get(&id);
    let stated = site.edge.drive_size.as_ref().map(|size| size.value.get());
    let sold = || medium.map(|medium| medium.sold_for(cache).get());
    let disk_bytes = stated.or_else(sold).unwrap_or(cache).max(1.0);
    let asked = asked_for(site, catalog, &place);
    let link = catalog.networks.get(&site.infrastructure.client_network.value);
    let link = link.map_or(f64::INFINITY, |link| link.bandwidth.value.get() * link.efficiency.value.get() * LINK_BUSY);
    let machines = (asked / link).ceil().max(1.0);
    let stream = medium.map_or(f64::INFINITY, |medium| medium.stream.value.get());
    let for_cache = (cache / disk_bytes * (1.0 - ROUNDED)).ceil();
    let for_reads = (asked * hits / machines / stream).ceil();
    Proxy { place, cache, hits, machines, disks: for_cache.max(for_reads).max(1.0), disk_bytes, medium: id }
}

/// What the cache of a proxy lies on: a volume of the provider beside builds in its cloud, else drives as edges have them.
fn medium_of(site: &Site, catalog: &Catalog, place: &ProxyPlace) -> String {
    let own = &site.edge.local_medium;
    let choices = choices_for(site, catalog);
    let is_in_cloud = *place == ProxyPlace::Builds && choices.local.is_none();
    let provider = choices.provider.filter(|_| is_in_cloud && !own.is_stated());
    let provider = provider.and_then(|id| catalog.providers.get(&id));
    provider.map_or_else(|| own.value.clone(), |provider| provider.general.clone())
}

/// How busy the link of a proxy is at the peak at most: as NET001 has it for the server's.
const LINK_BUSY: f64 = 0.8;

/// Content that the clients of a proxy ask for at the peak \[B/s\].
fn asked_for(site: &Site, catalog: &Catalog, place: &ProxyPlace) -> f64 {
    let load = from_site::load(site);
    let of = |group: &Group| match (group.clients.office(), place) {
        (Some(office), ProxyPlace::Office(name)) if office == name => 1.0,
        (None, ProxyPlace::Builds) => group.of_builds,
        _ => 0.0,
    };
    let cycles = |group: &Group| match group.arrival {
        Arrival::Open { rate } => rate,
        // As if commands took no time.
        Arrival::Closed { population, think_time } => population / think_time.max(1.0),
    };
    let is_read = |call: &&Call| {
        let command = catalog.commands.get(&call.command);
        command.is_some_and(|command| command.kind == "transfer")
    };
    let groups = load.groups.iter().map(|group| {
        let reads = group.calls.iter().filter(is_read);
        let content: f64 = reads.map(|call| call.weight * call.bytes).sum();
        of(group) * cycles(group) * content
    });
    groups.sum()
}

/// How far a size that was rounded to three digits may lie below what it stands for.
const ROUNDED: f64 = 1e-3;

/// The proxies that a site has today.
pub(super) fn of_today(site: &Site, catalog: &Catalog) -> Vec<Proxy> {
    let builds = site.today.proxies.as_ref().is_some_and(|has| has.value);
    let builds = builds.then_some(ProxyPlace::Builds);
    let offices = site.people.sites.iter();
    let offices = offices.filter(|office| office.proxy.as_ref().is_some_and(|has| has.value));
    let offices = offices.map(|office| ProxyPlace::Office(office.name.clone()));
    let places = builds.into_iter().chain(offices);
    places.map(|place| proxy(site, catalog, place)).collect()
}

/// What a proxy costs to run \[person-hours/year\].
fn proxy_hours() -> f64 {
    criteria::amount("proxy_worth", "hours_a_year")
}

/// Gives the solved candidates, and those that saturate without, the proxies that pay for the best of them.
pub(super) fn place(search: &Search<'_>, solved: &mut Vec<Solved>, failed: &mut Vec<Failed>) {
    if !search.site.infrastructure.proxies.value {
        return;
    }
    // An edge that stands where a proxy would do says nothing of the proxy.
    let edges = |candidate: &Candidate| candidate.deployment.edges;
    let candidates = || {
        let solved = solved.iter().map(|one| &one.candidate);
        solved.chain(failed.iter().map(|(one, _)| one))
    };
    let fewest = candidates().map(edges).min();
    let bare = solved.iter();
    let bare = bare.filter(|one| Some(edges(&one.candidate)) == fewest);
    let first = best(search, bare);
    let offices = candidates().next().map(|one| by_need(search.site, one, first, &*failed));
    let all = places(search.site, search.catalog, offices.unwrap_or_default());
    if all.is_empty() {
        return;
    }
    let mut overloaded: Vec<Failed> = Vec::new();
    let mut with_all: Vec<Solved> = if let Some(first) = first {
        let tried = with(search, &first.candidate, &all).ok();
        tried.into_iter().collect()
    } else {
        let bare = candidates().filter(|one| Some(edges(one)) == fewest);
        let bare: Vec<&Candidate> = bare.collect();
        let tried = parallel::map(&bare, |one| with(search, one, &all));
        let (solved, failed): (Vec<_>, Vec<_>) = tried.into_iter().partition(Result::is_ok);
        overloaded.extend(failed.into_iter().filter_map(Result::err).map(|one| *one));
        solved.into_iter().filter_map(Result::ok).collect()
    };
    if with_all.is_empty() {
        // It takes edges, whatever proxies do.
        let first = best(search, solved.iter());
        with_all.extend(first.and_then(|first| with(search, &first.candidate, &all).ok()));
    }
    let Some(first) = best(search, with_all.iter()) else {
        // Nothing carries the load: how much of it is carried depends on them all the same.
        failed.extend(overloaded);
        return;
    };
    let kept = worth_their_place(search, first.clone(), all);
    if kept.is_empty() {
        return;
    }
    let again = parallel::map(solved, |one| with(search, &one.candidate, &kept));
    for (one, again) in solved.iter_mut().zip(again) {
        if let Ok(again) = again {
            *one = again;
        }
    }
    let again = parallel::map(failed, |(one, _)| with(search, one, &kept));
    *failed = Vec::new();
    for outcome in again {
        match outcome {
            Ok(one) => solved.push(one),
            Err(one) => failed.push(*one),
        }
    }
}

/// The distant offices, those first whose line saturates, then those that are farthest beyond what they want, or nearest to it.
fn by_need(site: &Site, candidate: &Candidate, solved: Option<&Solved>, failed: &[Failed]) -> Vec<String> {
    let mut offices = candidate.choices.offices.clone();
    let saturates = |office: &String| {
        let line = Resource::line_to(office);
        solved.is_none() && failed.iter().any(|(_, why)| why.resource() == Some(&line))
    };
    let need = |office: &String| {
        let classes = solved.iter().flat_map(|one| &one.prediction.classes);
        let own = classes.filter(|class| class.work.clients.office() == Some(office));
        let wants = own.flat_map(|class| wants(site, class));
        wants.map(|want| want.time / want.limit).fold(0.0, f64::max)
    };
    offices.sort_by(|a, b| {
        let first = saturates(b).cmp(&saturates(a));
        // Equal ones stay in the order of people and round trip.
        first.then_with(|| need(b).total_cmp(&need(a)))
    });
    offices
}

/// Where a proxy could stand: beside builds, and in the first of the offices.
fn places(site: &Site, catalog: &Catalog, offices: Vec<String>) -> Vec<Proxy> {
    let builds = site.workload.automation_share.value.get() > 0.0;
    let builds = builds.then_some(ProxyPlace::Builds);
    let offices = offices.into_iter().take(OFFICES);
    let places = builds.into_iter().chain(offices.map(ProxyPlace::Office));
    places.map(|place| proxy(site, catalog, place)).collect()
}

/// The one that ranks first of those that compete.
fn best<'s>(search: &Search<'_>, solved: impl Iterator<Item = &'s Solved> + Clone) -> Option<&'s Solved> {
    let times: Vec<_> = solved.clone().map(|one| one.times.clone()).collect();
    let best = best_times(&times);
    let Search { site, catalog, .. } = *search;
    solved.min_by_key(|one| {
        let deployment = &one.candidate.deployment;
        let scores = score::scores(site, catalog, deployment, &one.times, &best);
        rank(one, &scores)
    })
}

/// A candidate with these proxies, as far as it has a use for them; its sets are sized anew, from what the layout has and not from
/// what they were sized to.
fn with(search: &Search<'_>, candidate: &Candidate, proxies: &[Proxy]) -> Result<Solved, Box<Failed>> {
    let mut candidate = candidate.clone();
    candidate.choices.proxies = proxies.to_vec();
    let served = candidate.deployment.offices.len();
    candidate.deployment.proxies = candidate.choices.proxies_beside(served);
    let (site, catalog, _) = search.known();
    let layout = &catalog.layouts[&candidate.deployment.layout];
    match drives::bound(site, catalog, layout, candidate.choices.clone()) {
        Ok(anew) => solve_one(search, anew),
        Err(error) => Err(Box::new((candidate, PredictError::Unsolved(error.to_string())))),
    }
}

/// Those of the proxies of a deployment that are worth their place.
fn worth_their_place(search: &Search<'_>, mut has: Solved, mut left: Vec<Proxy>) -> Vec<Proxy> {
    loop {
        let places: Vec<usize> = (0..left.len()).collect();
        let without = parallel::map(&places, |place| {
            let mut fewer = left.clone();
            fewer.remove(*place);
            with(search, &has.candidate, &fewer).ok()
        });
        let gains = without.into_iter().enumerate().filter_map(|(place, less)| {
            let less = less?;
            Some((place, Gain::of(search.site, &has, &less), less))
        });
        let idle = gains.filter(|(_, gain, _)| !gain.is_worth(proxy_hours()));
        let Some((place, _, less)) = idle.min_by(|a, b| a.1.order(b.1)) else {
            return left;
        };
        left.remove(place);
        has = less;
    }
}
