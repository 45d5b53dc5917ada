//! Loads in the manner of the published benchmarks, with what the laws vary as an argument.

use plimsoll::workload::{Arrival, Call, Clients, Group, Load};

/// Children of browse and sync (N13-browse-sample, N13-sync-sample).
const CHILDREN: f64 = 64.0;
/// Files in one folder of a listing.
const LISTING: f64 = 10.0;

fn load(group: Group, db_bytes: f64, depot_bytes: f64) -> Load {
    let connections = match group.arrival {
        Arrival::Closed { population, .. } => population,
        Arrival::Open { .. } => 1.0,
    };
    Load {
        groups: vec![group],
        db_bytes,
        client_rate: f64::INFINITY,
        db_hot_bytes: db_bytes / 2.0,
        instances: 1.0,
        revisions_a_file: 1.0,
        dump: plimsoll::workload::Dump::default(),
        depot_bytes,
        connections,
        beside: plimsoll::workload::Beside::default(),
        large_syncs_at_once: None,
        cold: false,
        distance: plimsoll::workload::Distance::default(),
    }
}

fn closed(name: &str, population: f64, calls: Vec<Call>, threads: f64) -> Group {
    Group {
        clients: Clients::Benchmark(name.to_owned()),
        arrival: Arrival::Closed { population, think_time: 0.0 },
        calls,
        remote: None,
        threads,
        connected: false,
        of_builds: 0.0,
    }
}

/// Browse: 64 children drill down random paths without thinking; `listings` dirs and fstat a filelog.
pub(super) fn browse(listings: f64) -> Load {
    let calls = vec![
        Call { weight: listings, ..Call::once("dirs", LISTING, 0.0) },
        Call { weight: listings, ..Call::once("fstat", LISTING, 0.0) },
        Call::once("filelog", 1.0, 0.0),
    ];
    load(closed("browse children", CHILDREN, calls, 1.0), 34e9, 0.0)
}

/// 48 syncs of which `in_flight` run at once, ten threads each, `sent` bytes a sync (P17-dataset).
pub(super) fn parallel_syncs(in_flight: f64, sent: f64) -> Load {
    let calls = vec![Call::once("sync", 27_500.0, sent)];
    Load { cold: true, ..load(closed("syncs", in_flight, calls, 10.0), 40e9, 480e9) }
}
