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
    let choices = Choices { read_locks: ReadLocks::All, ..rich(&site) };
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

/// So many commands a day on whole workspaces and branches.
fn beside_long_commands(a_day: u32, read_locks: ReadLocks) -> (Deployment, Load) {
    let line = format!("long_commands_per_day = \"{a_day} /day\"\nbranch_files = 1000000\n[server]");
    let site = read(&ORDINARY.text().replace("[server]", &line));
    let choices = Choices { read_locks, ..rich(&site) };
    (on("local-all", &choices), from_site::load(&site))
}

/// Seconds a second that all commands wait for locks.
fn waiting(prediction: &Prediction) -> f64 {
    let classes = prediction.classes.iter();
    let waits = classes.map(|class| class.throughput * lock_part(prediction, &class.name));
    waits.sum()
}

#[test]
fn waits_fall_with_peeking_and_never_to_nothing() {
    for a_day in [0, 20, 500] {
        let of = |read_locks| {
            let (deployment, load) = beside_long_commands(a_day, read_locks);
            shown(&deployment, &load)
        };
        let all = [ReadLocks::All, ReadLocks::Few, ReadLocks::None].map(of);
        let [every, few, none] = [0, 1, 2].map(|at| waiting(&all[at]));
        assert!(few <= every && none <= 1.01 * few, "{a_day}: {every} {few} {none}");
        for prediction in &all {
            // Syncs write db.have whatever reads lock.
            assert!(lock_part(prediction, "sync") > 0.0, "{a_day}");
            let mut locks = prediction.locks.iter();
            let have = locks.find(|lock| lock.lock.name.starts_with("db.have"));
            assert!(have.expect("it is locked").write_wait > 0.0, "{a_day}");
        }
    }
}

#[test]
fn the_answer_names_what_a_long_command_holds() {
    let (deployment, load) = beside_long_commands(20, ReadLocks::Few);
    let found = shown(&deployment, &load);
    let mut holds = found.long_holds.iter();
    let obliterate = holds.find(|hold| hold.holder.what() == "obliterate");
    let obliterate = obliterate.expect("it holds the tables of a commit");
    assert!(obliterate.files > 999_999.0 && obliterate.hold > 1.0, "{obliterate:?}");
    let text = plimsoll::report::prediction_text(&found, None);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let files = plimsoll::units::grouped(obliterate.files);
    assert!(words.contains(&format!("Obliterate of {files} files holds the lock")), "{text}");
}

/// Few commands of one kind that read a table, beside fewer of another that has it alone for long.
fn interrupted(a_second: f64, files: f64) -> (Deployment, Load) {
    let (deployment, mut load) = beside_long_commands(0, ReadLocks::All);
    let group = |clients: Clients, rate: f64, call: Call| Group {
        clients,
        arrival: Arrival::Open { rate },
        calls: vec![call],
        remote: None,
        threads: 1.0,
        connected: true,
        of_builds: 0.0,
    };
    load.groups = vec![
        group(Clients::Benchmark("readers".to_owned()), 0.05, Call::once("have", 10.0, 0.0)),
        group(Clients::LongCommands, a_second, Call::once("client-delete", files, 0.0)),
    ];
    (deployment, load)
}

fn readers(prediction: &Prediction) -> &ClassPrediction {
    let clients = Clients::Benchmark("readers".to_owned());
    let mut classes = prediction.classes.iter();
    let found = classes.find(|class| class.work.clients == clients);
    found.expect("they are there")
}

/// Holds of a table that come at a rate λ and last V on average: V, how long a reader waits by λ·E[V²]/2 (Doshi 1986), and by the
/// model \[s\]. Sizes are exponential: E[V²] = 2·E[V]².
pub(super) fn interruptions(a_second: f64, files: f64) -> [f64; 3] {
    let (deployment, load) = interrupted(a_second, files);
    let found = shown(&deployment, &load);
    let mut locks = found.locks.iter();
    let have = locks.find(|lock| lock.lock.name.starts_with("db.have"));
    let hold = have.expect("it is locked").hold;
    let waited = lock_part(&found, &readers(&found).name);
    [hold, a_second * hold * hold, waited]
}

#[test]
fn a_long_holder_interrupts_as_doshi_says() {
    let (a_second, files) = (0.004, 3e6);
    let [hold, formula, solved] = interruptions(a_second, files);
    assert!((1.0..30.0).contains(&hold), "{hold}");
    assert!((0.95..1.05).contains(&(solved / formula)), "{solved} {formula}");
    let (deployment, load) = interrupted(a_second, files);
    let found = shown(&deployment, &load);
    let alone = readers(&found).mean.value - solved;
    let (process, outcome) = simulated(&deployment, &load, 600.0);
    let mut activities = process.activities.iter();
    let at = activities.position(|activity| activity.name == readers(&found).name);
    let at = at.expect("it is simulated");
    let simulated = outcome.activities[at].response.value - alone;
    assert!((0.85..1.15).contains(&(simulated / formula)), "{simulated} {formula}");
}

/// So many checkpoints of the live database a day.
fn beside_checkpoints(a_day: f64, read_locks: ReadLocks) -> (Site, Deployment, Load) {
    let line = format!("live_checkpoints_per_day = \"{a_day} /day\"\n[server]");
    let site = read(&ORDINARY.text().replace("[server]", &line));
    let choices = Choices { read_locks, ..rich(&site) };
    let load = from_site::load(&site);
    (site, on("local-all", &choices), load)
}

/// A checkpoint holds its tables for as long as it is estimated to take.
#[test]
fn a_live_checkpoint_holds_all_tables_for_as_long_as_it_takes() {
    let (site, deployment, load) = beside_checkpoints(0.5, ReadLocks::Few);
    let found = shown(&deployment, &load);
    let hold = checkpoint_in(&found);
    let (standing, library) = (CALIBRATION.posterior.standing(), (&CATALOG, &CALIBRATION));
    let jobs = durations(&site, &deployment, &load, library.0, library.1, &standing);
    let takes = jobs.time(Job::CheckpointLive).expect("it is there").value;
    assert!((hold / takes - 1.0).abs() < 0.01, "{hold} {takes}");
    // Of several instances each has its own, of its part of the database.
    let mut load = load;
    load.instances = 4.0;
    let of_each = checkpoint_in(&shown(&deployment, &load));
    assert!((0.2..0.3).contains(&(of_each / hold)), "{of_each} {hold}");
    // More people make no more checkpoints.
    let rate = |load: &Load| {
        let mut groups = load.groups.iter();
        let group = groups.find(|group| group.clients == Clients::LiveCheckpoints);
        group.expect("they are there").arrival
    };
    assert_eq!(rate(&load.scaled(2.0)), rate(&load));
}

/// How long a live checkpoint holds its tables \[s\].
fn checkpoint_in(prediction: &Prediction) -> f64 {
    let mut holds = prediction.long_holds.iter();
    let hold = holds.find(|hold| hold.holder.clients == Clients::LiveCheckpoints);
    hold.expect("it holds the tables").hold
}

/// Each takes the same time V: who comes to write waits for what is left of one, λV²/2 on the mean; in both engines.
#[test]
fn who_writes_waits_for_what_is_left_of_a_live_checkpoint() {
    let a_second = 0.004;
    let (_, deployment, mut load) = beside_checkpoints(0.5, ReadLocks::Few);
    (load.db_bytes, load.db_hot_bytes) = (1e9, 1e9);
    load.groups.retain(|group| group.clients == Clients::LiveCheckpoints);
    load.groups[0].arrival = Arrival::Open { rate: a_second };
    let writers = Group {
        clients: Clients::Benchmark("readers".to_owned()),
        arrival: Arrival::Open { rate: 0.05 },
        calls: vec![Call::once("edit", 1.0, 0.0)],
        ..load.groups[0].clone()
    };
    load.groups.push(writers);
    let found = shown(&deployment, &load);
    let formula = 0.5 * a_second * checkpoint_in(&found).powi(2);
    let waits = lock_part(&found, &readers(&found).name);
    assert!((0.95..1.05).contains(&(waits / formula)), "{waits} {formula}");
    let alone = readers(&found).mean.value - waits;
    let (process, outcome) = simulated(&deployment, &load, 600.0);
    let mut activities = process.activities.iter();
    let at = activities.position(|activity| activity.name == readers(&found).name);
    let at = at.expect("it is simulated");
    let simulated = outcome.activities[at].response.value - alone;
    assert!((0.85..1.15).contains(&(simulated / formula)), "{simulated} {formula}");
}

/// Reads that lock nothing pass a checkpoint by; what writes waits for it all the same.
#[test]
fn waits_for_a_checkpoint_fall_with_peeking_and_never_to_nothing() {
    let of = |read_locks| {
        let (_, deployment, load) = beside_checkpoints(0.5, read_locks);
        shown(&deployment, &load)
    };
    let all = [ReadLocks::All, ReadLocks::Few, ReadLocks::None].map(of);
    let [every, few, none] = [0, 1, 2].map(|at| waiting(&all[at]));
    assert!(few < every && none <= 1.01 * few, "{every} {few} {none}");
    for prediction in &all {
        assert!(lock_part(prediction, "edit") > 1e-3);
    }
    let [locking, passing] = [0, 1].map(|at| lock_part(&all[at], "browse"));
    assert!(passing < 0.01 * locking, "{passing} {locking}");
    let text = plimsoll::report::prediction_text(&all[1], None);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("A live checkpoint holds all tables for"), "{text}");
}

/// Where one in twenty meets a checkpoint, the 95th percentile is that of the others or far longer: the interval has both, and does not
/// reach as far to the other side.
#[test]
fn a_percentile_between_few_and_long_is_not_shorter_than_what_all_wait_for() {
    let (_, deployment, mut load) = beside_checkpoints(0.5, ReadLocks::Few);
    let hold = checkpoint_in(&shown(&deployment, &load));
    for part_of_the_time in [0.03, 0.06, 0.09, 0.12] {
        let mut groups = load.groups.iter_mut();
        let checkpoints = groups.find(|group| group.clients == Clients::LiveCheckpoints);
        checkpoints.expect("they are there").arrival = Arrival::Open { rate: part_of_the_time / hold };
        let mut found = shown(&deployment, &load);
        add_intervals(&mut found, &deployment, &load, &CATALOG, &CALIBRATION);
        let mut classes = found.classes.iter();
        let edit = classes.find(|class| class.name == "edit").expect("people edit");
        assert!(edit.p95.low > 0.2 * edit.away_from_locks(), "{part_of_the_time}: {edit:?}");
    }
}
