//! Readers–writer locks and pools against known answers.

use plimsoll::queueing::closed_forms;
use plimsoll::sim::{Discipline, Distribution, Mode, Model, Pool, Step, Stopped};

use super::support::{assert_close, closed, exp, lock, open, run, serve, station, steady_for};

/// Takes lock 0 for some time.
fn hold(mode: Mode, time: Distribution) -> Vec<Step> {
    vec![Step::Lock(vec![(0, mode)]), serve(0, time), Step::Unlock(vec![0])]
}

fn locked(classes: Vec<plimsoll::sim::Class>) -> Model {
    Model { stations: vec![station(Discipline::Delay, 1.0)], locks: vec![lock("table")], classes, ..Model::default() }
}

#[test]
fn a_saturated_lock_passes_as_many_writers_as_the_renewal_argument_says() {
    // R30b: writers a second = 1/(S_w + S_r·ln(1 + λ_r/λ_w)).
    for (share, read, write, rate) in
        [(0.1, 1.0, 1.0, 0.302_79), (0.02, 0.05, 0.2, 2.527_80), (0.5, 1.0, 2.0, 0.371_31)]
    {
        let customer = Step::Choose(vec![
            (share, hold(Mode::Exclusive, exp(write))),
            (1.0 - share, hold(Mode::Shared, exp(read))),
        ]);
        let model = locked(vec![closed(600, 0.0, vec![customer])]);
        let outcome = run(&model, &steady_for(40_000.0 / rate));
        let (used, truth) = (outcome.locks[0].exclusive, rate * write);
        assert_close("held by writers", used, truth);
        assert!((used.value / truth - 1.0).abs() < 0.02);
    }
}

#[test]
fn writers_alone_are_a_queue() {
    let writers = open(5.0, hold(Mode::Exclusive, Distribution::Constant(0.1)));
    let outcome = run(&locked(vec![writers]), &steady_for(20_000.0));
    let truth = closed_forms::mg1(5.0, 0.1, 0.0).unwrap();
    assert_close("R", outcome.classes[0].total.response, truth.response_time);
    let (lock, total) = (&outcome.locks[0], &outcome.classes[0].total);
    assert_close("held", lock.exclusive, 0.5);
    assert!((lock.users[0].wait - 0.05).abs() < 0.002 && (lock.users[0].hold - 0.1).abs() < 1e-9);
    assert!((total.lock_wait - lock.users[0].wait).abs() < 1e-4);
    // The one victim and the one culprit, and all waiting is blamed on somebody.
    assert!((lock.blame[0].waiting - lock.waiting.value).abs() < 1e-9);
}

#[test]
fn readers_never_wait_for_readers() {
    let readers = open(50.0, hold(Mode::Shared, exp(0.5)));
    let outcome = run(&locked(vec![readers]), &steady_for(2_000.0));
    assert_eq!(outcome.locks[0].waiting.value, 0.0);
    assert_close("R", outcome.classes[0].total.response, 0.5);
}

#[test]
fn a_pool_makes_a_queue_of_many_servers() {
    let program = vec![Step::Take { pool: 0, count: 1 }, serve(0, exp(1.0)), Step::Give { pool: 0, count: 1 }];
    let mut model = locked(vec![open(6.4, program)]);
    model.pools = vec![Pool { name: "threads".into(), capacity: 8 }];
    let outcome = run(&model, &steady_for(20_000.0));
    assert_close("R", outcome.classes[0].total.response, 1.286_028_1);
    assert_close("taken", outcome.pools[0].taken, 6.4);
}

#[test]
fn a_lock_held_in_series_is_blamed_on_the_activity_that_holds_it() {
    let timed = |activity, body| vec![Step::Timed { activity, body }];
    let mut model = locked(vec![
        open(2.0, timed(0, hold(Mode::Shared, exp(0.05)))),
        open(0.2, timed(1, hold(Mode::Exclusive, exp(1.0)))),
    ]);
    model.activities = vec!["browse".into(), "submit".into()];
    let outcome = run(&model, &steady_for(100_000.0));
    let (browse, submit) = (&outcome.activities[0], &outcome.activities[1]);
    assert!((browse.response.value - browse.lock_wait - 0.05).abs() < 0.002);
    assert!((submit.response.value - submit.lock_wait - 1.0).abs() < 0.05);
    let worst = outcome.locks[0].blame[0];
    assert_eq!((worst.victim, worst.culprit), (Some(0), Some(1)));
    let all: f64 = outcome.locks[0].blame.iter().map(|b| b.waiting).sum();
    assert!((all / outcome.locks[0].waiting.value - 1.0).abs() < 1e-6);
    // Little's law at the lock.
    let waits = browse.throughput.value * browse.lock_wait + submit.throughput.value * submit.lock_wait;
    assert!((waits / outcome.locks[0].waiting.value - 1.0).abs() < 1e-3);
}

/// From the beginning on a lock is kept for most of a long cycle: who comes accumulates, but not for ever.
#[test]
fn who_waits_for_a_long_hold_does_not_accumulate_without_bound() {
    let (kept, between) = (3800.0, 200.0);
    let cycle = kept + between;
    let mut keeper = hold(Mode::Exclusive, Distribution::Constant(kept));
    keeper.push(serve(0, exp(between)));
    let model = locked(vec![
        closed(1, 0.0, keeper),
        open(5.0, hold(Mode::Shared, exp(1e-4))),
        // So that much happens in one cycle.
        open(500.0, vec![serve(0, exp(1e-3))]),
    ]);
    let outcome = run(&model, &steady_for(10.0 * cycle));
    assert_eq!(outcome.stopped, Stopped::Done);
    // Who comes while it is kept waits for the rest of that.
    let wait = kept / cycle * kept / 2.0;
    assert_close("wait", outcome.classes[1].total.response, wait);
}
