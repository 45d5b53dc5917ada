//! The site's load as it is rehearsed.

use crate::site::Site;
use crate::workload::{Arrival, Clients, Group, Load, from_site};

/// Most connections: each has a thread at either end and two sockets.
pub(super) const CONNECTIONS_MAX: f64 = 2000.0;

/// A multiple of the site's load with data and large syncs at a scale: all clients beside one server, in whole numbers. What that
/// changes of the site goes to the notes.
pub(super) fn rehearsed_load(site: &Site, factor: f64, scale: f64, notes: &mut Vec<String>) -> Result<Load, String> {
    let mut load = from_site::load(site).scaled(factor);
    // Checkpoints are not rehearsed.
    let is_rehearsed = |group: &Group| group.clients != Clients::LiveCheckpoints;
    load.groups.retain(is_rehearsed);
    if load.instances > 1.0 {
        return Err(format!(
            "the site has {} instances of p4d: rehearse one at a time, with server.instances = 1 and its own people",
            load.instances
        ));
    }
    if load.groups.iter().any(|group| group.remote.is_some()) {
        notes.push("people of distant offices work beside the server: lines to offices are not rehearsed".to_owned());
    }
    load.connections *= scale;
    load.beside.system *= scale;
    load.beside.syncs *= scale;
    load.beside.largest *= scale;
    load.db_bytes *= scale;
    load.db_hot_bytes *= scale;
    load.depot_bytes *= scale;
    load.distance.tcp_window = f64::INFINITY;
    for group in &mut load.groups {
        group.remote = None;
        group.of_builds = 0.0;
        if group.clients.are_large_syncs() {
            for call in &mut group.calls {
                call.files = (call.files * scale).max(1.0);
                call.bytes *= scale;
            }
            // A rehearsal has clients: as many as are in flight where nothing holds them up, who pause for the rest of the time.
            if let Arrival::Open { rate } = group.arrival {
                let share = rate / site.workload.large_syncs_at_peak();
                let population = site.workload.large_syncs_at_once * share;
                let pause = (population.round().max(1.0) - population) / rate;
                group.arrival = Arrival::Closed { population, think_time: pause.max(0.0) * scale };
            }
        }
    }
    let before = load.groups.len();
    load.groups.retain(|group| match group.arrival {
        Arrival::Closed { population, .. } if group.clients.are_large_syncs() => population >= 0.5,
        _ => true,
    });
    if load.groups.len() < before {
        notes.push("at this load there is less than half a large sync in flight: none is rehearsed".to_owned());
    }
    let load = load.in_whole_clients();
    let clients: f64 = load
        .groups
        .iter()
        .map(|group| match group.arrival {
            Arrival::Closed { population, .. } => population * group.threads.max(1.0),
            Arrival::Open { .. } => 0.0,
        })
        .sum();
    if clients > CONNECTIONS_MAX {
        return Err(format!(
            "{clients:.0} connections at this load; one machine rehearses up to {CONNECTIONS_MAX:.0}: choose a smaller --load"
        ));
    }
    Ok(load)
}
