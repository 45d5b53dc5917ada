//! The published benchmarks as loads: the same model runs under them as under a site.
//!
//! N13-commands says what browse, sync, branchsubmit and deltas do; P17-dataset the run of 48 syncs.

use super::{Arrival, Call, Group, Load};

/// Files of the branchsubmit benchmark (N13 4.2, P17, and by its standard form N08).
pub const BRANCH_FILES: f64 = 70_000.0;
/// Browses of the browse benchmark: 64 children, 65,536 browses (N13-browse-sample).
pub const BROWSES: f64 = 65_536.0;
/// Children of browse and sync (N13-browse-sample, N13-sync-sample).
pub const CHILDREN: f64 = 64.0;
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
        depot_bytes,
        connections,
        cold: false,
    }
}

fn closed(name: &str, population: f64, calls: Vec<Call>, threads: f64) -> Group {
    Group {
        name: name.to_owned(),
        arrival: Arrival::Closed {
            population,
            think_time: 0.0,
        },
        calls,
        remote: None,
        threads,
        connected: false,
        proxied: false,
    }
}

/// Browse: 64 children drill down random paths without thinking; `listings` dirs and fstat a filelog.
///
/// Elapsed time of the benchmark = [`BROWSES`] over the group's throughput.
pub fn browse(listings: f64) -> Load {
    let calls = vec![
        Call {
            weight: listings,
            ..Call::once("dirs", LISTING, 0.0)
        },
        Call {
            weight: listings,
            ..Call::once("fstat", LISTING, 0.0)
        },
        Call::once("filelog", 1.0, 0.0),
    ];
    load(closed("browse children", CHILDREN, calls, 1.0), 34e9, 0.0)
}

/// Branchsubmit's commit of 70,000 files, alone on the server.
pub fn branchsubmit() -> Load {
    let calls = vec![Call::once("branchsubmit-commit", BRANCH_FILES, 0.0)];
    load(closed("branchsubmit", 1.0, calls, 1.0), 34e9, 0.0)
}

/// 48 syncs of which `in_flight` run at once, ten threads each, `sent` bytes a sync (P17-dataset).
pub fn parallel_syncs(in_flight: f64, sent: f64) -> Load {
    let calls = vec![Call::once("sync", 27_500.0, sent)];
    Load {
        cold: true,
        ..load(closed("syncs", in_flight, calls, 10.0), 40e9, 480e9)
    }
}
