//! A crowd of which those are missed who wait, near what its lock can do, against the formula.

use plimsoll::queueing::locks::{LockUser, wait};
use plimsoll::sim::{Discipline, Mode, Model, Step};

use super::support::{closed, exp, lock, run, serve, station, steady_for};

/// Takes the lock for 1 s on average.
fn take(mode: Mode) -> Vec<Step> {
    vec![
        Step::Lock(vec![(0, mode)]),
        serve(0, exp(1.0)),
        Step::Unlock(vec![0]),
    ]
}

#[test]
fn near_capacity_a_crowd_waits_for_less_since_it_is_in_line_itself() {
    // Customers, share of writers, think time (so that 86 to 96 % of capacity are used), and how far off waits may be; of
    // customers who come at random they would be 30 to 100 % too long.
    let rows = [
        (300, 0.2, 170.0, 0.06),
        (300, 0.2, 150.0, 0.06),
        (300, 0.1, 100.0, 0.06),
        (50, 0.2, 26.0, 0.12),
    ];
    for (customers, writers, think, most) in rows {
        let model = Model {
            stations: vec![station(Discipline::Delay, 1.0)],
            locks: vec![lock("table")],
            classes: vec![closed(
                customers,
                think,
                vec![Step::Choose(vec![
                    (writers, take(Mode::Exclusive)),
                    (1.0 - writers, take(Mode::Shared)),
                ])],
            )],
            ..Model::default()
        };
        let outcome = run(&model, &steady_for(400_000.0));
        let rate = outcome.classes[0].total.throughput.value;
        let user = |share: f64, exclusive: bool| LockUser {
            rate: rate * share,
            hold: 1.0,
            scv: 1.0,
            exclusive,
            population: Some(f64::from(customers)),
            in_turn: false,
            crowd: 0,
        };
        let found = wait(&[user(1.0 - writers, false), user(writers, true)]).unwrap();
        let simulated = |exclusive: bool| {
            let mut users = outcome.locks[0].users.iter();
            users.find(|user| user.exclusive == exclusive).unwrap().wait
        };
        for (found, truth) in [
            (found.read_wait, simulated(false)),
            (found.write_wait, simulated(true)),
        ] {
            let error = found / truth - 1.0;
            assert!(
                error.abs() < most,
                "{customers}, {think} s: {found} {truth}"
            );
        }
    }
}
