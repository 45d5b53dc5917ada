//! The lock's waits against exact cases and a small simulation.

use plimsoll::queueing::closed_forms::{machine_repairman, mg1};
use plimsoll::queueing::locks::{LockError, LockUser, capacity, wait, wait_from};

use super::near;

fn user(rate: f64, hold: f64, exclusive: bool) -> LockUser {
    LockUser { rate, hold, scv: 1.0, exclusive, population: None, source: 0 }
}

#[test]
fn writers_alone_are_pollaczek_khinchine() {
    for scv in [0.0, 1.0, 4.0] {
        let writer = LockUser { scv, ..user(0.8, 1.0, true) };
        let expected = mg1(0.8, 1.0, scv).unwrap().waiting_time;
        near(wait(&[writer]).unwrap().write_wait, expected, 1e-12);
    }
}

#[test]
fn readers_alone_never_wait() {
    let waits = wait(&[user(1e6, 10.0, false), user(5.0, 1.0, false)]).unwrap();
    assert_eq!((waits.read_wait, waits.write_wait, waits.utilization), (0.0, 0.0, 0.0));
    assert_eq!(wait(&[]).unwrap().user_wait, Vec::<f64>::new());
}

#[test]
fn a_single_writer_waits_for_the_readers_that_hold_the_lock_only() {
    // The longest of a Poisson number of unit holds with mean 1: Σ (1 − e^−t)/t = 0.796 599 6.
    let writer = LockUser { population: Some(1.0), source: 1, ..user(1e-3, 1.0, true) };
    let waits = wait(&[user(1.0, 1.0, false), writer]).unwrap();
    near(waits.write_wait, 0.796_599_6, 5e-3);
    // A single writer never meets itself.
    assert_eq!(wait(&[writer]).unwrap().write_wait, 0.0);
}

#[test]
fn a_customer_who_takes_a_lock_in_two_ways_never_waits_for_itself() {
    let alone = |rate: f64, exclusive: bool| LockUser { population: Some(1.0), ..user(rate, 1.0, exclusive) };
    let waits = wait(&[alone(0.3, true), alone(0.3, false)]).unwrap();
    assert_eq!(waits.user_wait, [0.0, 0.0]);
    // Of two such customers each meets the other, for one hold at most.
    let both = |exclusive| LockUser { population: Some(2.0), ..user(0.3, 1.0, exclusive) };
    let waits = wait(&[both(true), both(false)]).unwrap();
    assert!(waits.user_wait.iter().all(|wait| *wait > 0.0 && *wait <= 1.0));
}

#[test]
fn a_population_bounds_the_wait() {
    let writer = LockUser { population: Some(4.0), ..user(3.0, 1.0, true) };
    let waits = wait(&[writer]).unwrap();
    near(waits.write_wait, 3.0, 1e-12);
    assert!(waits.utilization > 1.0);
    let error = wait(&[user(3.0, 1.0, true)]).unwrap_err();
    assert!(matches!(error, LockError::Saturated { utilization } if utilization == 3.0));
    let error = wait(&[user(f64::NAN, 1.0, true)]).unwrap_err();
    assert!(matches!(error, LockError::Invalid { user_idx: 0, field: "rate", .. }));
}

#[test]
fn near_capacity_a_crowd_of_writers_is_a_machine_repairman() {
    // Customers, how busy they keep the lock, and how far off the wait may be; as of customers who come at random it would
    // be up to 160 % too long.
    let rows = [(50, 0.7, 0.06), (50, 0.95, 0.04), (285, 0.8, 0.03), (285, 0.95, 0.03), (2400, 0.98, 0.01)];
    for (machines, busy, most) in rows {
        let shop = |running: f64| machine_repairman(machines, running, 1.0, 1).unwrap();
        let (mut rare, mut often) = (1e6, 1e-3);
        for _ in 0..60 {
            let running = f64::sqrt(rare * often);
            if shop(running).utilization < busy {
                rare = running;
            } else {
                often = running;
            }
        }
        let truth = shop(rare);
        let writer = LockUser { population: Some(f64::from(machines)), ..user(truth.throughput, 1.0, true) };
        let found = wait(&[writer]).unwrap().write_wait;
        let error = found / truth.waiting_time - 1.0;
        assert!(error.abs() < most, "{machines} at {busy}: {error}");
    }
}

#[test]
fn waits_grow_with_every_rate() {
    let at = |readers: f64, writers: f64| wait(&[user(readers, 0.1, false), user(writers, 0.2, true)]).unwrap();
    let mut last = at(0.0, 0.0);
    for step in 1..40 {
        let next = at(f64::from(step) * 0.25, f64::from(step) * 0.05);
        assert!(next.read_wait >= last.read_wait && next.write_wait >= last.write_wait);
        last = next;
    }
}

/// Fraction of readers, their hold and that of writers; fraction of capacity; mean waits of readers
/// and of writers in a simulation of 40 million acquisitions with exponential holds, of which the
/// highest loads have a standard error near 2 %.
#[test]
fn waits_agree_with_a_simulation_over_loads_and_mixes() {
    let rows = [
        ([0.5, 1.0, 1.0], 0.1, 0.07041, 0.12896),
        ([0.5, 1.0, 1.0], 0.3, 0.30444, 0.48071),
        ([0.5, 1.0, 1.0], 0.6, 1.22886, 1.59795),
        ([0.5, 1.0, 1.0], 0.8, 3.58836, 4.10589),
        ([0.5, 1.0, 1.0], 0.9, 8.43580, 9.04095),
        ([0.9, 1.0, 1.0], 0.1, 0.04809, 0.30521),
        ([0.9, 1.0, 1.0], 0.3, 0.27412, 0.99701),
        ([0.9, 1.0, 1.0], 0.6, 1.37200, 2.74645),
        ([0.9, 1.0, 1.0], 0.8, 4.36124, 6.17950),
        ([0.9, 1.0, 1.0], 0.9, 10.63869, 12.68402),
        ([0.98, 0.05, 0.2], 0.1, 0.01289, 0.04249),
        ([0.98, 0.05, 0.2], 0.3, 0.06038, 0.13747),
        ([0.98, 0.05, 0.2], 0.6, 0.25714, 0.38811),
        ([0.98, 0.05, 0.2], 0.8, 0.76007, 0.92417),
        ([0.98, 0.05, 0.2], 0.9, 1.80617, 1.98825),
        ([0.9, 0.2, 1.0], 0.1, 0.07679, 0.10719),
        ([0.9, 0.2, 1.0], 0.3, 0.31076, 0.41923),
        ([0.9, 0.2, 1.0], 0.6, 1.20058, 1.44871),
        ([0.9, 0.2, 1.0], 0.8, 3.44379, 3.79290),
        ([0.9, 0.2, 1.0], 0.9, 8.02157, 8.41686),
        ([0.9, 3.0, 0.3], 0.1, 0.04961, 1.05033),
        ([0.9, 3.0, 0.3], 0.3, 0.45234, 3.01023),
        ([0.9, 3.0, 0.3], 0.6, 2.55082, 6.98146),
        ([0.9, 3.0, 0.3], 0.8, 8.42342, 14.04444),
        ([0.9, 3.0, 0.3], 0.9, 20.86380, 27.10460),
    ];
    for ([share, read_hold, write_hold], used, read, write) in rows {
        let rate = used / capacity(share, read_hold, 1.0 - share, write_hold);
        let readers = user(rate * share, read_hold, false);
        let found = wait(&[readers, user(rate * (1.0 - share), write_hold, true)]).unwrap();
        for (found, truth) in [(found.read_wait, read), (found.write_wait, write)] {
            let error = found / truth - 1.0;
            assert!(error.abs() < 0.04, "{share} {read_hold} {write_hold} at {used}: {error}");
        }
    }
}

/// Rate, mean hold, and whether it holds alone.
type Kind = (f64, f64, bool);

/// Readers of several kinds and writers, each with rate and mean hold, at a fraction of capacity; mean
/// waits of readers and of writers in a simulation of 200 to 500 million acquisitions with
/// exponential holds, with standard errors of 0.2 to 2 %.
#[test]
fn rare_long_readers_are_not_hidden_by_the_mean_hold() {
    let thousandfold = [(0.891, 1.0, false), (0.009, 1000.0, false), (0.1, 1.0, true)];
    // A large sync reads a table for 24 s every four minutes.
    let sync = [(10.0, 0.01, false), (3.0, 0.05, true), (0.004, 24.0, false)];
    let spread = [(0.8, 0.1, false), (0.1, 1.0, false), (0.01, 10.0, false), (0.09, 1.0, true)];
    let rows: [(&[Kind], f64, f64, f64); 8] = [
        (&thousandfold, 0.3, 324.1841, 395.8999),
        (&thousandfold, 0.6, 1285.2038, 1367.3897),
        (&thousandfold, 0.85, 5090.1367, 5177.3706),
        (&thousandfold, 0.95, 17_427.5, 17_514.1),
        (&sync, 0.3, 3.3866, 3.4205),
        (&sync, 0.6, 11.9593, 11.9969),
        (&sync, 0.85, 45.07, 45.1145),
        (&spread, 0.6, 4.9477, 6.1593),
    ];
    for (kinds, used, read, write) in rows {
        let at = |times: f64| {
            let users = kinds.iter().map(|(rate, hold, exclusive)| user(rate * times, *hold, *exclusive));
            wait(&users.collect::<Vec<_>>()).unwrap()
        };
        // The share of capacity is proportional to the rates.
        let little = 1e-3;
        let found = at(used * little / at(little).utilization);
        for (found, truth) in [(found.read_wait, read), (found.write_wait, write)] {
            let error = found / truth - 1.0;
            assert!(error.abs() < 0.03, "{kinds:?} at {used}: {error}");
        }
    }
}

/// People away for a mean time between reads (80 %) and writes that hold for 0.1 s, and long readers or a
/// long writer, away and holding for a mean time: rates of all, and mean waits of people's reads
/// and writes, in a simulation of 60 million acquisitions with exponential times.
#[test]
fn who_waits_at_a_shut_lock_does_not_come_again() {
    let people = 50.0;
    // Long customers, their hold, whether they write; rates; waits.
    let rows = [
        ((1.0, 5.0, false), (0.9965, 1.0 / 204.63), (0.0595, 0.1294)),
        ((1.0, 200.0, false), (0.9607, 1.0 / 4246.6), (1.8978, 2.1505)),
        ((1.0, 200.0, true), (0.9602, 1.0 / 4210.39), (1.9747, 1.9754)),
        ((5.0, 50.0, false), (0.9746, 5.0 / 5071.59), (1.1528, 1.3964)),
        ((1.0, 50.0, false), (9.23, 1.0 / 1048.53), (0.2977, 0.3949)),
    ];
    for ((many, hold, exclusive), (rate, long), (read, write)) in rows {
        let of_people =
            |share: f64, exclusive| LockUser { population: Some(people), ..user(rate * share, 0.1, exclusive) };
        let waits = wait(&[
            of_people(0.8, false),
            of_people(0.2, true),
            LockUser { population: Some(many), source: 1, ..user(long, hold, exclusive) },
        ]);
        let found = waits.unwrap().user_wait;
        for (found, truth) in [(found[0], read), (found[1], write)] {
            let error = found / truth - 1.0;
            assert!(error.abs() < 0.08, "{many} for {hold} s: {error}");
        }
    }
}

#[test]
fn a_lock_found_from_another_is_as_one_found_alone() {
    let users = |times: f64| [user(3.0 * times, 0.1, false), user(0.01, 20.0, false), user(times, 0.2, true)];
    let mut before = None;
    wait_from(&users(1.0), &mut before).unwrap();
    let found = wait_from(&users(1.02), &mut before).unwrap();
    let alone = wait(&users(1.02)).unwrap();
    near(found.read_wait, alone.read_wait, 1e-3);
    near(found.write_wait, alone.write_wait, 1e-3);
}

/// Editors who have another table alone already come to this one one at a time: readers are a source.
fn one_at_a_time(rate: f64) -> [LockUser; 2] {
    [
        LockUser { population: Some(2436.0), ..user(215.0, 0.0025, false) },
        LockUser { population: Some(1.0), source: 1, ..user(rate, 0.0042, true) },
    ]
}

#[test]
fn who_comes_one_at_a_time_fills_no_lock() {
    let waits = wait(&one_at_a_time(100.0)).unwrap();
    assert!(waits.utilization > 0.5, "{}", waits.utilization);
    // The readers alone exclude nobody.
    assert!(waits.asked < 1e-12, "{}", waits.asked);
    let unlimited = one_at_a_time(100.0).map(|user| LockUser { population: None, ..user });
    let unlimited = wait(&unlimited).unwrap();
    near(unlimited.asked, unlimited.utilization, 1e-12);
}

#[test]
fn who_comes_one_at_a_time_waits_as_long_from_wherever_a_lock_was_at_rest() {
    for rate in [20.0, 60.0, 90.0] {
        let users = one_at_a_time(rate);
        let alone = wait(&users).unwrap();
        for other in [1.0, 30.0, 110.0] {
            let mut rest = None;
            wait_from(&one_at_a_time(other), &mut rest).unwrap();
            let found = wait_from(&users, &mut rest).unwrap();
            near(found.read_wait, alone.read_wait, 2e-3);
            near(found.write_wait, alone.write_wait, 2e-3);
        }
    }
}
