//! Changes of what clients send: windows, rows in db.have, threads of a large sync.

use super::super::rules::SHARE_MIN;
use crate::workload::{Clients, Load};

/// Has each connection to a distant office keep in flight what fills its line; `None` where it fills half of it today.
pub(in crate::advisor) fn widen(load: &mut Load) -> Option<()> {
    let lines = load.groups.iter().filter_map(|group| group.remote.as_ref());
    let fills = lines.map(|line| line.bandwidth * line.round_trip);
    let window = fills.fold(0.0, f64::max);
    let now = load.distance.tcp_window;
    (now < SHARE_MIN * window).then(|| load.distance.tcp_window = window)
}

/// Lets the builds' share of syncs leave db.have alone; `None` where there are none.
pub(super) fn populate(load: &mut Load, share: f64) -> Option<()> {
    let mut changed = None;
    for group in &mut load.groups {
        let share = match group.clients {
            Clients::Automation => 1.0,
            Clients::LargeSyncs => share,
            _ => continue,
        };
        let mut alone = Vec::new();
        for call in group.calls.iter_mut().filter(|call| call.command == "sync") {
            let mut other = call.clone();
            "sync-p".clone_into(&mut other.command);
            other.weight *= share;
            call.weight *= 1.0 - share;
            alone.push(other);
            changed = Some(());
        }
        group.calls.extend(alone);
        group.calls.retain(|call| call.weight > 0.0);
    }
    changed
}

/// So many threads for each large sync; `None` where all have as many.
pub(super) fn parallel(load: &mut Load, threads: f64) -> Option<()> {
    let mut changed = None;
    for group in &mut load.groups {
        if group.clients.are_large_syncs() && group.threads < threads {
            group.threads = threads;
            changed = Some(());
        }
    }
    changed
}
