//! What only a model of p4d knows: readers and writers, the commit section.

use super::*;

/// Before 2013.3 whoever reads waits for whoever writes; with db.peeking 2 at db.revhx alone, with 3 hardly.
#[test]
fn writers_hold_up_readers_where_reads_take_locks() {
    let wait = |read_locks: ReadLocks, submits: u32| {
        let site = Answers { submits, files_per_submit: 50, large_syncs: 0, ..ORDINARY }.site();
        let deployment = on("san-four-volumes", &Choices { read_locks, ..rich(&site) });
        let prediction = shown(&deployment, &from_site::load(&site));
        (lock_part(&prediction, "browse"), crate::class(&prediction, "browse").expect("there").mean.value)
    };
    let ((few, _), (many, _)) = (wait(ReadLocks::All, 2), wait(ReadLocks::All, 20));
    assert!(many > 3.0 * few && few > 0.0, "{few} {many}");
    let (nearly, _) = wait(ReadLocks::Few, 20);
    let ((_, without), (lockless, mean)) = (wait(ReadLocks::None, 2), wait(ReadLocks::None, 20));
    assert!(lockless < 0.05 * many, "{lockless} {many}");
    assert!(lockless < nearly && nearly < many, "{lockless} {nearly} {many}");
    assert!(mean < without * 1.1, "{mean} {without}");
}

/// With db.peeking 3 a read goes over all revisions of its files in db.rev, which costs as many rows more.
#[test]
fn reads_beside_db_revhx_cost_more_where_files_have_more_revisions() {
    let site = Answers { large_syncs: 0, ..ORDINARY }.site();
    let time = |read_locks, revisions_a_file| {
        let choices = Choices { read_locks, ..rich(&site) };
        let load = Load { revisions_a_file, ..from_site::load(&site) };
        let prediction = shown(&on("san-four-volumes", &choices), &load);
        crate::class(&prediction, "sync").expect("there").mean.value
    };
    assert!(time(ReadLocks::None, 30.0) > 1.001 * time(ReadLocks::None, 1.0));
    assert!((time(ReadLocks::Few, 30.0) / time(ReadLocks::Few, 1.0) - 1.0).abs() < 1e-9);
}

#[test]
fn the_commit_section_grows_linearly_with_the_files() {
    let (_, load, _) = ordinary("split");
    for deployment in layouts(&rich(&ORDINARY.site())) {
        let hold = |files: f64| commit_time(&deployment, &load, files, &CATALOG, &CALIBRATION);
        let (a, b, c) = (hold(10_000.0), hold(20_000.0), hold(30_000.0));
        assert!(b > a, "{}", deployment.layout);
        assert!(((c - b) / (b - a) - 1.0).abs() < 1e-9, "{}: {a} {b} {c}", deployment.layout);
        assert!((hold(1000.0) - hold(500.0)) / (500.0 * (b - a) / 10_000.0) - 1.0 < 1e-9);
    }
}

#[test]
fn a_large_commit_over_nfs_takes_at_least_five_times_as_long() {
    for server in ["n08-host", "dl580-g7", "pure-host", "present-32c"] {
        for filer in ["fas3070", "fas3270", "flashblade"] {
            let site = ORDINARY.site();
            let load = from_site::load(&site);
            let block = if filer == "flashblade" { "flasharray" } else { filer };
            let choices = Choices {
                server: server.to_owned(),
                block: Some((block.to_owned(), "iscsi".to_owned())),
                file: Some((filer.to_owned(), "nfsv3".to_owned())),
                ..rich(&site)
            };
            let hold = |layout: &str| commit_time(&on(layout, &choices), &load, 70_000.0, &CATALOG, &CALIBRATION);
            let (nfs, block) = (hold("nfs-all"), hold("san-four-volumes"));
            assert!(nfs >= 5.0 * block, "{server} {filer}: {nfs} {block}");
        }
    }
}
