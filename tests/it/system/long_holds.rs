//! Large syncs that hold tables for long, and who waits for them.

use super::*;

/// A site with so many large syncs, on NFS.
fn beside(large_syncs: u32) -> Prediction {
    let site = Answers {
        submits: 20,
        large_syncs,
        // A submit keeps what it has while it waits for db.have, as it did until 2013.3.
        release: "2012.2",
        ..ORDINARY
    }
    .site();
    let choices = Choices {
        read_locks: ReadLocks::All,
        ..rich(&site)
    };
    let load = in_flight(from_site::load(&site), f64::from(large_syncs));
    shown(&on("n13-nfs", &choices), &load)
}

/// How long each kind of work waits for tables there [s].
fn waits<const N: usize>(large_syncs: u32, kinds: [&str; N]) -> [f64; N] {
    let prediction = beside(large_syncs);
    kinds.map(|kind| lock_part(&prediction, kind))
}

/// A client that makes long pauses meets those of the other clients only.
#[test]
fn nobody_waits_for_a_long_hold_of_his_own() {
    let [sync, large] = waits(1, ["sync", "large sync"]);
    let [_, beside_another] = waits(2, ["sync", "large sync"]);
    assert!(sync > 0.03, "{sync}");
    assert!(large < 0.1 * beside_another, "{large} {beside_another}");
}

#[test]
fn who_is_let_go_into_the_next_pause_waits_for_all_of_it() {
    // Submits come to what the next large sync reads; shelves have passed it, and go on.
    let [submit, shelve] = waits(1, ["submit", "shelve"]);
    let [submit_of_many, shelve_of_many] = waits(6, ["submit", "shelve"]);
    let (one, many) = (submit / shelve, submit_of_many / shelve_of_many);
    assert!(many > 1.1 * one, "{many} {one}");
}

/// What is told of a table counts its readers' waits for who has it for long, though all his holds are pauses.
#[test]
fn readers_wait_at_the_table_that_a_large_sync_reads() {
    let prediction = beside(4);
    let mut locks = prediction.locks.iter();
    let have = locks.find(|lock| lock.lock.name.starts_with("db.have"));
    let have = have.unwrap();
    assert!(have.read_wait > 0.02 && have.write_wait > 0.01, "{have:?}");
}
