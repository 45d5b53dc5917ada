//! Jobs that come to a station together: what the analytic side says of them beside the simulated one, which has each
//! thread.

use super::*;

/// Mean response of a kind of work \[s\], by the analytic side and by the simulated one, with its half-width.
fn both(deployment: &Deployment, load: &Load, class: &str, hours: f64) -> (f64, f64, f64) {
    let analytic = crate::class(&shown(deployment, load), class).expect("it is there").mean.value;
    let (process, found) = simulated(deployment, load, hours);
    let activity = process.activities.iter().position(|a| a.name == class);
    let response = &found.activities[activity.expect("it is simulated")].response;
    (analytic, response.value, response.half_width)
}

/// Syncs of so many threads on a few disks, and resolves that read there too.
fn syncs_and_resolves(threads: f64) -> (f64, f64, f64) {
    let site = Answers { large_syncs: 0, ..ORDINARY }.site();
    let choices = Choices {
        local: Some(("disk-15k".to_owned(), 4.0)),
        // Who reads tables holds up nobody here: it is about disks.
        read_locks: ReadLocks::None,
        ..rich(&site)
    };
    let mut load = benchmarks::parallel_syncs(1.0, 2e9);
    load.groups[0].threads = threads;
    load.groups.push(Group {
        clients: Clients::MainOffice,
        arrival: Arrival::Open { rate: 0.5 },
        threads: 1.0,
        calls: vec![Call::once("resolve", 10.0, 1e5)],
        ..load.groups[0].clone()
    });
    both(&on("single-volume", &choices), &load, "resolve", 20.0)
}

/// Ten are at the disks at once for a part of the time in which one would be there for all of it.
#[test]
fn threads_that_come_to_few_disks_together_hold_up_others_as_simulated() {
    let found = [1.0, 10.0].map(|threads| {
        let (analytic, simulated, half_width) = syncs_and_resolves(threads);
        let error = ((analytic - simulated).abs() - half_width).max(0.0) / simulated;
        assert!(error < 0.05, "{threads}: {analytic}, simulated {simulated} ± {half_width}");
        analytic
    });
    assert!(found[1] > 3.0 * found[0], "{found:?}");
}

/// Large syncs and builds, whose link has as much of the tables as of what is sent: a client who reads tables has no blocks
/// there meanwhile.
#[test]
fn blocks_come_after_their_client_has_read_its_tables_as_simulated() {
    let (mut deployment, ordinary) = suns("flasharray-only");
    // It is about the link: waits for locks, which the analytic solution overestimates, would hide it.
    deployment.read_locks = ReadLocks::None;
    let mut load = in_flight(ordinary.scaled(6.0), SUNS_IN_FLIGHT);
    load.groups.retain(|group| group.clients != Clients::MainOffice);
    let (analytic, simulated, half_width) = both(&deployment, &load, "large sync", 200.0);
    // What the simulation leaves open must not decide.
    assert!(half_width < 0.03 * simulated, "{simulated} ± {half_width}");
    let error = ((analytic - simulated).abs() - half_width).max(0.0) / simulated;
    assert!(error < 0.1, "{analytic}, simulated {simulated} ± {half_width}");
}
