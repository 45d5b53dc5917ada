//! Links and lines between clients and servers.

use super::{Busy, Check, Evidence, Facts, Finding, Said, Severity, WORK_HOURS};
use crate::advisor::headroom::is_held_by_window;
use crate::advisor::targets::tightest;
use crate::catalog::{Called, Feature, Form, Transport};
use crate::site::{Office, Release, Target};
use crate::system::{ClassPrediction, ProxyPlace, Resource, ResourceKind};
use crate::units::{BytesPerSecond, Fraction, Seconds, grouped, list};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("NET001", Once(saturated_client_network)),
    ("NET002", Each(distant_office_without_edge)),
    ("NET003", Once(shared_storage_and_client_network)),
    ("NET004", Once(busy_office_line)),
    ("NET005", Each(small_tcp_window)),
    ("NET006", Once(slow_syncs)),
    ("NET007", Each(largest_over_line)),
];

fn saturated_client_network(facts: &Facts<'_>) -> Option<Finding> {
    /// Streams of TCP share a link fairly up to about there; above, each further sync slows all others.
    /// P17's single link ran at 88 % of its rate when it was called the bottleneck (P17-sync-fa-fb).
    const UTILIZATION_MAX: f64 = 0.8;

    let Busy { words: busy, evidence, resources } = facts.busier(&[ResourceKind::ClientNetwork], UTILIZATION_MAX)?;
    let site = &facts.site.infrastructure;
    let (links, network) =
        (facts.deployment.client_links, facts.catalog.networks.called(&facts.deployment.client_network));
    let edges = if site.edges_max.value > f64::from(facts.deployment.edges) && facts.site.server.release.value.edges() {
        "add edges beside the commit server for builds and offices, or "
    } else {
        ""
    };
    Some(
        Finding::warning(
            Said::from(format!("the link to the clients ({links} × {network}) is nearly full ({busy})"))
                .then("each further large sync slows all others"),
            format!("{edges}use more or faster links to the clients, or put proxies beside builds"),
            vec![
                evidence,
                Evidence::new("P17-network-bound", "this link saturates before the storage"),
                facts.measured("P17-sync-fa-fb", "elapsed-average"),
                facts.measured("P17-sync-3edge", "elapsed-average"),
                Evidence::answer("infrastructure.client_links", &site.client_links, links),
            ],
        )
        .costing(facts.loaded(0.004))
        .about(resources.iter().map(|r| &r.name)),
    )
}

fn distant_office_without_edge(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// Round trip of about a continent's width \[s\]: ten round trips are then 0.2 s, which people feel
    /// (assumed).
    const ROUND_TRIP_MIN: f64 = 0.020;

    let served = &facts.deployment.offices;
    let edges_max = &facts.site.infrastructure.edges_max;
    let excluded = edges_max.is_stated() && edges_max.value < 1.0;
    let offices = facts.site.people.sites.iter().enumerate();
    let offices = offices.filter(|(_, o)| !served.contains(&o.name) && o.has_room());
    for (i, office) in offices.filter(|(_, o)| o.round_trip.value.get() >= ROUND_TRIP_MIN) {
        let trip = office.round_trip.value;
        let path = format!("people.site.{i}.round_trip");
        let release = facts.site.server.release.value;
        let missed = misses(facts, office, |_| true);
        let severity = if missed { Severity::Warning } else { Severity::Note };
        let place = ProxyPlace::Office(office.name.clone());
        let has_proxy = facts.deployment.proxy(&place).is_some();
        // Its proxy pays, an edge beside that does not, and everybody has what is wanted.
        if has_proxy && !missed && facts.weighed_proxies() {
            continue;
        }
        let missing = if missed {
            "each command waits for several round trips, and a target is missed"
        } else {
            "each command waits for several round trips"
        };
        out.push(
            Finding::new(
                severity,
                Said::from(format!(
                    "the {} people in {} have {} and a round trip of {trip} to the server",
                    grouped(office.developers.value),
                    office.name,
                    if has_proxy { "a proxy, no edge," } else { "no edge" }
                ))
                .then(missing),
                remedy(office, release, [excluded, !has_proxy && !facts.weighed_proxies()]),
                vec![
                    Evidence::answer(&path, &office.round_trip, trip),
                    Evidence::new("P4DIST", "edges, from release 2013.2 on, answer most commands at their office"),
                    facts.measured("P17-replication", "edges"),
                    Evidence::new("E07-proxy", "syncs through proxies no longer load the main disks"),
                ],
            )
            .costing(office.developers.value * WORK_HOURS * 0.02),
        );
    }
}

/// "place an edge in Lyon, or a proxy where an edge is too much"; where edges are excluded or need a newer release, what else.
fn remedy(office: &Office, release: Release, [excluded, may_have_proxy]: [bool; 2]) -> Said {
    let office = &office.name;
    let (edge, proxy) = (format!("place an edge in {office}"), format!("place a proxy in {office}"));
    match (excluded, may_have_proxy) {
        (true, true) => Said::from(format!("{proxy}, or allow edges (infrastructure.edges_max is 0)")),
        (true, false) => Said::from(format!("{edge}: allow edges (infrastructure.edges_max is 0)")),
        (false, true) if release.edges() => Said::from(format!("{edge}, or a proxy where an edge is too much")),
        (false, false) if release.edges() => edge.into(),
        (false, true) => Said::from(proxy).then(format!("edges need release 2013.2, and the server runs {release}")),
        (false, false) => Said::from(format!("upgrade from {release} to release 2013.2 or later, then {edge}")),
    }
}

/// Whether such a kind of work at the office takes longer than its target.
pub(super) fn misses(facts: &Facts<'_>, office: &Office, such: impl Fn(Target) -> bool) -> bool {
    let classes = facts.prediction.classes.iter();
    classes
        .filter(|c| c.work.clients.office() == Some(&office.name))
        .filter(|c| c.work.target().is_some_and(&such))
        .any(|c| tightest(facts.site, c).is_some_and(|want| !want.is_met()))
}

fn shared_storage_and_client_network(facts: &Facts<'_>) -> Option<Finding> {
    /// With one link to the clients there is none left for the storage.
    const LINKS_MAX: f64 = 1.0;

    let d = facts.deployment;
    let server = facts.catalog.servers.get(&d.server);
    let is_instance = server.is_some_and(|server| server.form == Form::Instance);
    if d.client_links > LINKS_MAX || is_instance {
        return None;
    }
    let shared = d.volumes.iter().find(|m| {
        let protocol = facts.catalog.protocols.get(&m.protocol);
        protocol.is_some_and(|p| p.transport == Transport::Ethernet) && m.network.as_ref() == Some(&d.client_network)
    });
    let mount = shared?;
    let site = &facts.site.infrastructure;
    Some(
        Finding::note(
            Said::from(format!(
                "clients and {} share one network ({})",
                facts.array_name(mount),
                facts.catalog.networks.called(&d.client_network)
            ))
            .then("the estimate assumes separate links, and syncs are slower than that"),
            "give the storage a port and a network of its own, unless it has them already",
            vec![
                facts.measured("N13-hardware", "client-network"),
                facts.measured("N13-hardware", "storage-network"),
                Evidence::new("P17-network-bound", "the link to the clients saturates first"),
                Evidence::answer(
                    "infrastructure.storage_network",
                    &site.storage_network,
                    facts.catalog.networks.called(&site.storage_network.value),
                ),
            ],
        )
        .costing(facts.slowed(0.0005))
        .suspected(),
    )
}

fn busy_office_line(facts: &Facts<'_>) -> Option<Finding> {
    /// As EDG002 has it: from about there on waiting grows fast.
    const BUSY_MAX: f64 = 0.7;

    let Busy { words: busy, evidence, resources } = facts.busier(&[ResourceKind::Wan], BUSY_MAX)?;
    let is_busy = |o: &&Office| resources.contains(&Resource::line_to(&o.name));
    let offices: Vec<&Office> = facts.site.people.sites.iter().filter(is_busy).collect();
    let bare = offices.iter();
    let bare = bare.filter(|o| o.has_room() && !facts.deployment.offices.contains(&o.name));
    let bare: Vec<&str> = bare.map(|o| o.name.as_str()).collect();
    let action = if !bare.is_empty() && facts.site.server.release.value.edges() {
        let offices = list(&bare);
        Said::from(format!("place an edge or a proxy in {offices}, or order a faster line"))
            .then("faster storage does not help")
    } else {
        let release = facts.site.server.release.value;
        let means = [Feature::SparseStreams, Feature::DeltaTransfer];
        let means = means.into_iter().filter(|means| release.has(*means));
        let means: Vec<&str> = means.map(Feature::title).collect();
        let by = if means.is_empty() { String::new() } else { format!(" ({})", means.join(", ")) };
        Said::from(format!("order a faster line, sync builds outside working hours, and send less{by}"))
            .then("faster storage does not help")
    };
    let people: f64 = offices.iter().map(|o| o.developers.value).sum();
    let lines = if resources.len() == 1 { "the line to an office is" } else { "the lines to offices are" };
    let mut all = vec![evidence, Evidence::new("P4DIST", "an edge fetches each archive once for its office")];
    let offices = facts.site.people.sites.iter().enumerate();
    for (i, office) in offices.filter(|(_, o)| is_busy(o)) {
        all.push(Evidence::answer(
            &format!("people.site.{i}.bandwidth"),
            &office.bandwidth,
            office.bandwidth.value.in_bits(),
        ));
    }
    Some(
        Finding::warning(Said::from(format!("{lines} nearly full at the peak")).detail(busy), action, all)
            .costing(people * WORK_HOURS * 0.01)
            .about(resources.iter().map(|r| &r.name)),
    )
}

/// What lets a connection keep enough in flight for the longest line, with the values of the emitted configuration.
fn larger_window(facts: &Facts<'_>) -> Said {
    if facts.site.server.release.value.has(Feature::Autotune) {
        let size = facts.setting("linux-network", "net.ipv4.tcp_wmem");
        let size = size.filter(|_| facts.deployment.system == "linux");
        let size = size.map_or(String::new(), |size| format!(", and sysctl -w net.ipv4.tcp_wmem='{size}'"));
        return Said::from(format!("run p4 configure set net.autotune=1{size}"))
            .then("parallel syncs use several connections");
    }
    let size = facts.setting("p4-configure", "net.tcpsize");
    let size = size.map_or(String::new(), |size| {
        let proxies = if facts.deployment.proxies.is_empty() { "" } else { ", proxies" };
        format!("set net.tcpsize={size} on server{proxies} and clients, or ")
    });
    let since = Feature::Autotune.since();
    format!("{size}upgrade to release {since} or later (net.autotune)").into()
}

fn small_tcp_window(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let server = &facts.site.server;
    let (window, release) = (&server.tcp_window, server.release.value);
    if !window.is_stated() && release.has(Feature::Autotune) {
        return;
    }
    // The window is one setting of the server, for the longest line.
    let action = || larger_window(facts);
    let offices = facts.site.people.sites.iter().enumerate();
    // Slow syncs were seen: then the size of old releases is no mere assumption.
    let sign = facts.seen("slow-syncs");
    for (i, office) in offices {
        let trip = office.round_trip.value.get();
        let line = office.bandwidth.value;
        let rate = window.value.get() / trip.max(f64::MIN_POSITIVE);
        if !is_held_by_window(facts.site, office) {
            continue;
        }
        // Syncs that are too slow there cost as much as an office without an edge (NET002).
        let slow = misses(facts, office, |target| matches!(target, Target::Sync | Target::LargeSync));
        let share = if slow { 0.02 } else { 0.005 };
        out.push(
            Finding::warning(
                Said::from(format!(
                    "one connection to {} moves at most {} of the line's {}",
                    office.name,
                    BytesPerSecond::new(rate).in_bits(),
                    line.in_bits()
                ))
                .detail(format!("its window of {} is in flight for {}", window.value, office.round_trip.value)),
                action(),
                sign.iter()
                    .cloned()
                    .chain([
                        Evidence {
                            is_assumed: sign.is_none() && !window.is_stated(),
                            ..Evidence::answer("server.tcp_window", window, window.value)
                        },
                        Evidence::answer(
                            &format!("people.site.{i}.round_trip"),
                            &office.round_trip,
                            office.round_trip.value,
                        ),
                        Evidence::new("TCPIP", "a connection moves a window a round trip"),
                    ])
                    .collect(),
            )
            .costing(office.developers.value * WORK_HOURS * share),
        );
    }
}

fn largest_over_line(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// A break, as BLD005 has it: longer, people do something else (assumed) \[s\].
    const TIME_MAX: f64 = 1800.0;

    let site = facts.site;
    let largest = [
        ("data.largest_file", "file", &site.data.largest_file),
        ("workload.largest_submit_size", "submit", &site.workload.largest_submit_size),
    ];
    for (field, what, answer) in largest {
        let Some(answer) = answer else {
            continue;
        };
        let over = |office: &Office| answer.value.get() / office.bandwidth.value.get();
        let offices = site.people.sites.iter().enumerate();
        let slow = offices.filter(|(_, office)| office.is_distant() && over(office) > TIME_MAX);
        let slowest = slow.max_by(|a, b| over(a.1).total_cmp(&over(b.1)));
        let Some((i, office)) = slowest else {
            continue;
        };
        let line = office.bandwidth.value.in_bits();
        let time = Seconds::new(over(office)).estimated();
        out.push(
            Finding::note(
                Said::from(format!(
                    "the largest {what}, {}, takes at least {time} over the line to {}",
                    answer.value, office.name
                ))
                .then("no edge and no proxy shortens the first transfer"),
                "order a faster line, or send it outside working hours and let one fetch of it fill the office's edge or proxy",
                vec![
                    Evidence::answer(field, answer, answer.value),
                    Evidence::answer(
                        &format!("people.site.{i}.bandwidth"),
                        &office.bandwidth,
                        line,
                    ),
                ],
            )
            .costing(office.developers.value),
        );
    }
}

/// A line that one connection fills to the half is well used by two (assumed).
pub(in crate::advisor) const SHARE_MIN: f64 = 0.5;

fn slow_syncs(facts: &Facts<'_>) -> Option<Finding> {
    let sign = facts.seen("slow-syncs")?;
    // Of all syncs of people the one that is farthest from what is wanted of it.
    let farthest = |class: &&ClassPrediction| {
        let want = tightest(facts.site, class);
        want.map_or(0.0, |want| want.time / want.limit)
    };
    let syncs = facts.prediction.classes.iter();
    let syncs = syncs.filter(|class| matches!(class.work.target(), Some(Target::Sync | Target::LargeSync)));
    let sync = syncs.max_by(|a, b| farthest(a).total_cmp(&farthest(b)))?;
    let message = match facts.overload {
        Some(overload) => Said::from(format!("syncs are slow today, and {overload}"))
            .then("until that is mended, what else slows them is not known"),
        None => of_its_parts(sync),
    };
    let threads = if facts.site.server.release.value.has(Feature::ParallelSyncs) {
        "then p4 configure set net.parallel.max=10"
    } else {
        ""
    };
    Some(
        Finding::warning(
            message,
            Said::from("run p4 -Ztrack sync on one slow client")
                .detail("rpc snd/rcv is network and client, lbr reads are the depot")
                .then(threads),
            vec![sign, Evidence::new("P4LOGS", "rpc snd/rcv and lbr reads of each sync in the log")],
        )
        .costing(facts.slowed(0.005)),
    )
}

/// Where its time goes, and what follows for storage.
fn of_its_parts(sync: &ClassPrediction) -> Said {
    let total: f64 = sync.parts.iter().map(|(_, time)| time).sum();
    let parts = sync.parts.iter().take(3).map(|(kind, time)| {
        let share = Fraction::new(time / total.max(f64::MIN_POSITIVE)).estimated();
        format!("{} {share}", kind.in_words())
    });
    let parts: Vec<String> = parts.collect();
    let storage = sync.parts.first().is_some_and(|(kind, _)| is_storage(*kind));
    let helps = if storage { "storage is the largest part" } else { "faster storage will not help" };
    let name = &sync.name;
    let parts = parts.join(", ");
    Said::from("syncs are slow today").then(format!("the model finds the time of {name} in {parts}: {helps}"))
}

/// Whether faster storage shortens it.
pub(super) fn is_storage(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Disks
            | ResourceKind::Stream
            | ResourceKind::Ports
            | ResourceKind::Slots
            | ResourceKind::Connections
            | ResourceKind::StorageNetwork
    )
}
