//! A table that is shut for long shuts those that are held meanwhile.

use super::*;

/// How long a sync waits for its tables, db.have among them, and a spec that never takes it [s].
fn waits(large_syncs: u32) -> (f64, f64) {
    let site = Answers {
        submits: 20,
        large_syncs,
        // A submit keeps what it has while it waits for db.have, as it did until 2013.3.
        release: "2012.2",
        ..ORDINARY
    }
    .site();
    let choices = Choices {
        lockless: false,
        ..rich(&site)
    };
    let prediction = shown(&on("n13-nfs", &choices), &from_site::load(&site));
    (
        lock_part(&prediction, "sync"),
        lock_part(&prediction, "client-spec"),
    )
}

/// A submit that waits for db.have shuts db.counters, which every command reads.
#[test]
fn a_large_sync_holds_up_commands_that_never_take_its_tables() {
    let ((_, without), (sync, spec)) = (waits(0), waits(4));
    assert!(sync > 0.05, "{sync}");
    assert!(spec > 10.0 * without, "{without} {spec}");
    assert!((0.2..1.1).contains(&(spec / sync)), "{spec} {sync}");
}
