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

/// So many commands a day on whole workspaces and branches.
fn beside_long_commands(a_day: u32, read_locks: ReadLocks) -> (Deployment, Load) {
    let line =
        format!("long_commands_per_day = \"{a_day} /day\"\nbranch_files = 1000000\n[server]");
    let site = read(&ORDINARY.text().replace("[server]", &line));
    let choices = Choices {
        read_locks,
        ..rich(&site)
    };
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
        assert!(
            few <= every && none <= 1.01 * few,
            "{a_day}: {every} {few} {none}"
        );
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
    assert!(
        obliterate.files > 999_999.0 && obliterate.hold > 1.0,
        "{obliterate:?}"
    );
    let text = plimsoll::report::prediction_text(&found, None);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let files = plimsoll::units::grouped(obliterate.files);
    assert!(
        words.contains(&format!("Obliterate of {files} files holds the lock")),
        "{text}"
    );
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
        group(
            Clients::Benchmark("readers".to_owned()),
            0.05,
            Call::once("have", 10.0, 0.0),
        ),
        group(
            Clients::LongCommands,
            a_second,
            Call::once("client-delete", files, 0.0),
        ),
    ];
    (deployment, load)
}

#[test]
fn a_long_holder_interrupts_as_doshi_says() {
    // Interruptions that come at a rate λ and last V: who comes at random waits λ·E[V²]/2, as do those who come first after
    // none. Sizes are exponential: E[V²] = 2·E[V]².
    let (a_second, files) = (0.004, 3e6);
    let (deployment, load) = interrupted(a_second, files);
    let found = shown(&deployment, &load);
    let name = |prediction: &Prediction| {
        let mut classes = prediction.classes.iter();
        let readers =
            |c: &&ClassPrediction| c.work.clients == Clients::Benchmark("readers".to_owned());
        classes.find(readers).expect("they are there").name.clone()
    };
    let mut locks = found.locks.iter();
    let have = locks.find(|lock| lock.lock.name.starts_with("db.have"));
    let hold = have.expect("it is locked").hold;
    assert!((1.0..30.0).contains(&hold), "{hold}");
    let formula = a_second * hold * hold;
    let solved = lock_part(&found, &name(&found));
    assert!(
        (0.85..1.2).contains(&(solved / formula)),
        "{solved} {formula}"
    );
    let (process, outcome) = simulated(&deployment, &load, 600.0);
    let at = process
        .activities
        .iter()
        .position(|a| a.name == name(&found));
    let response = outcome.activities[at.expect("it is simulated")]
        .response
        .value;
    let alone = {
        let (deployment, load) = interrupted(1e-9, files);
        crate::class(&shown(&deployment, &load), &name(&found))
            .expect("it is there")
            .mean
            .value
    };
    let simulated = response - alone;
    assert!(
        (0.8..1.25).contains(&(simulated / formula)),
        "{simulated} {formula}"
    );
}
