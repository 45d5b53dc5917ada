//! Sources of which those are missed who wait, near what a lock can do, against the formula.

use plimsoll::queueing::locks::{LockUser, wait};
use plimsoll::sim::{Discipline, Mode, Model, Step};

use super::support::{closed, exp, lock, open, run, serve, station, steady_for};

/// Takes the lock for 1 s on average.
fn take(mode: Mode) -> Vec<Step> {
    vec![Step::Lock(vec![(0, mode)]), serve(0, exp(1.0)), Step::Unlock(vec![0])]
}

#[test]
fn near_capacity_a_crowd_waits_for_less_since_it_is_in_line_itself() {
    // Customers, share of writers, think time (so that 86 to 96 % of capacity are used), and how far off waits may be; of
    // customers who come at random they would be 30 to 100 % too long.
    let rows = [(300, 0.2, 170.0, 0.06), (300, 0.2, 150.0, 0.06), (300, 0.1, 100.0, 0.06), (50, 0.2, 26.0, 0.12)];
    for (customers, writers, think, most) in rows {
        let model = Model {
            stations: vec![station(Discipline::Delay, 1.0)],
            locks: vec![lock("table")],
            classes: vec![closed(
                customers,
                think,
                vec![Step::Choose(vec![(writers, take(Mode::Exclusive)), (1.0 - writers, take(Mode::Shared))])],
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
            source: 0,
        };
        let found = wait(&[user(1.0 - writers, false), user(writers, true)]).unwrap();
        let simulated = |exclusive: bool| {
            let mut users = outcome.locks[0].users.iter();
            users.find(|user| user.exclusive == exclusive).unwrap().wait
        };
        for (found, truth) in [(found.read_wait, simulated(false)), (found.write_wait, simulated(true))] {
            let error = found / truth - 1.0;
            assert!(error.abs() < most, "{customers}, {think} s: {found} {truth}");
        }
    }
}

#[test]
fn who_has_another_lock_alone_comes_one_at_a_time_and_at_random() {
    // Rates of those who have another lock alone meanwhile, and of all others; holds are of 1 s.
    for (own, others) in [(0.2, 0.2), (0.4, 0.2), (0.2, 0.5), (0.4, 0.4)] {
        let alone = |locks: &[usize]| {
            vec![
                Step::Lock(locks.iter().map(|lock| (*lock, Mode::Exclusive)).collect()),
                serve(0, exp(1.0)),
                Step::Unlock(locks.to_vec()),
            ]
        };
        let timed = |activity: usize, body: Vec<Step>| vec![Step::Timed { activity, body }];
        let model = Model {
            stations: vec![station(Discipline::Delay, 1.0)],
            locks: vec![lock("earlier"), lock("later")],
            classes: vec![open(own, timed(0, alone(&[0, 1]))), open(others, timed(1, alone(&[1])))],
            activities: vec!["own".into(), "others".into()],
            ..Model::default()
        };
        let outcome = run(&model, &steady_for(400_000.0));
        let user = |rate: f64, source: usize, population: Option<f64>| LockUser {
            rate,
            hold: 1.0,
            scv: 1.0,
            exclusive: true,
            population,
            source,
        };
        let users = [user(own, 0, Some(1.0)), user(others, 1, None)];
        let found = wait(&users).unwrap().user_wait;
        let errors = found.iter().enumerate().map(|(activity, found)| {
            let mut users = outcome.locks[1].users.iter();
            let of_activity = users.find(|user| user.activity == Some(activity));
            found / of_activity.unwrap().wait - 1.0
        });
        // Those who have another lock find whom they kept waiting before, which is not told.
        let [own, of_others] = errors.collect::<Vec<f64>>()[..] else { panic!("two kinds") };
        assert!((-0.4..0.0).contains(&own), "{users:?}: {own}");
        assert!(of_others.abs() < 0.12, "{users:?}: {of_others}");
    }
}
