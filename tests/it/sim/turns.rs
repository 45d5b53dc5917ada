//! Readers who take turns at a second lock, which each of them wants alone, against the formula for the first.

use plimsoll::queueing::locks::{LockUser, wait};
use plimsoll::sim::{Class, Discipline, Mode, Model, Step};

use super::support::{exp, lock, open, run, serve, station, steady_for};

/// Takes these locks together for some time.
fn section(locks: &[(usize, Mode)], hold: f64) -> Vec<Step> {
    let taken = locks.iter().map(|(lock, _)| *lock).collect();
    let steps = vec![
        Step::Lock(locks.to_vec()),
        serve(0, exp(hold)),
        Step::Unlock(taken),
    ];
    vec![Step::Timed {
        activity: usize::from(locks[0].1 == Mode::Exclusive),
        body: steps,
    }]
}

fn reader(rate: f64, hold: f64, in_turn: bool) -> LockUser {
    LockUser {
        rate,
        hold,
        scv: 1.0,
        exclusive: false,
        in_turn,
        population: None,
        crowd: 0,
    }
}

#[test]
fn a_writer_waits_for_the_turns_of_readers_that_were_let_in_together() {
    // Rate and hold of readers who take turns, of those who do not, and of writers. Errors of up to 3.5 % were seen.
    let mixes = [
        [(5.0, 0.05), (0.0, 0.0), (1.0, 0.2)],
        [(4.0, 0.05), (20.0, 0.03), (1.0, 0.1)],
        [(1.0, 0.3), (5.0, 0.3), (1.0, 0.3)],
    ];
    for [turns, plain, writers] in mixes {
        for busy in [0.3, 0.6, 0.8] {
            let users = |times: f64| {
                let writer = LockUser {
                    exclusive: true,
                    ..reader(times * writers.0, writers.1, false)
                };
                [
                    reader(times * turns.0, turns.1, true),
                    reader(times * plain.0, plain.1, false),
                    writer,
                ]
            };
            // What is asked for goes with the rates.
            let little = 1e-3;
            let times = busy * little / wait(&users(little)).unwrap().utilization;
            let found = wait(&users(times)).unwrap();
            let (shared, alone) = (Mode::Shared, Mode::Exclusive);
            let kinds: [(f64, Vec<Step>); 3] = [
                (turns.0, section(&[(0, shared), (1, alone)], turns.1)),
                (plain.0, section(&[(0, shared)], plain.1)),
                (writers.0, section(&[(0, alone)], writers.1)),
            ];
            let come = kinds.into_iter().filter(|(rate, _)| *rate > 0.0);
            let classes: Vec<Class> = come
                .map(|(rate, steps)| open(rate * times, steps))
                .collect();
            let model = Model {
                stations: vec![station(Discipline::Delay, 1.0)],
                locks: vec![lock("first"), lock("second")],
                classes,
                activities: vec!["read".into(), "write".into()],
                ..Model::default()
            };
            let outcome = run(&model, &steady_for(40_000.0 / times));
            let mean = |exclusive: bool| {
                let users = outcome.locks[0].users.iter();
                let of_mode = users.filter(|user| user.exclusive == exclusive);
                let (sum, all) = of_mode.fold((0.0, 0.0), |(sum, all), user| {
                    let number = user.acquisitions as f64;
                    (sum + number * user.wait, all + number)
                });
                sum / all
            };
            for (what, found, truth) in [
                ("write", found.write_wait, mean(true)),
                ("read", found.read_wait, mean(false)),
            ] {
                let error = found / truth - 1.0;
                assert!(
                    error.abs() < 0.06,
                    "{turns:?} {plain:?} {busy}: {what} {found} {truth}"
                );
            }
        }
    }
}
