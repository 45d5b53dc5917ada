//! Single stations against closed forms.

use plimsoll::queueing::closed_forms;
use plimsoll::sim::{Bulk, Discipline, Distribution, Model, Sleeper, Step};

use super::support::{assert_close, closed, exp, open, run, serve, single, station, steady_for};

#[test]
fn mm1_has_its_response_number_and_utilization() {
    let model = single(Discipline::Fcfs, 1.0, 0.8, exp(1.0));
    let outcome = run(&model, &steady_for(200_000.0));
    assert_close("W", outcome.classes[0].total.response, 5.0);
    assert_close("L", outcome.classes[0].number, 4.0);
    assert_close("Q", outcome.stations[0].queue_length, 4.0);
    assert_close("U", outcome.stations[0].utilization, 0.8);
    assert_close("X", outcome.stations[0].throughput, 0.8);
    // The response is exponential: quantiles are -5·ln(1 − p).
    for (probability, quantile) in &outcome.classes[0].total.quantiles {
        assert_close("quantile", *quantile, -5.0 * (1.0 - probability).ln());
    }
}

#[test]
fn mmm_has_its_response() {
    let model = single(Discipline::Fcfs, 8.0, 6.4, exp(1.0));
    let outcome = run(&model, &steady_for(20_000.0));
    assert_close("W", outcome.classes[0].total.response, 1.286_028_1);
    assert_close("U", outcome.stations[0].utilization, 0.8);
}

#[test]
fn mg1_follows_pollaczek_and_khinchine() {
    for (service, scv) in
        [(Distribution::Constant(0.7), 0.0), (Distribution::of(0.7, 0.25), 0.25), (Distribution::of(0.7, 4.0), 4.0)]
    {
        let model = single(Discipline::Fcfs, 1.0, 1.0, service);
        let outcome = run(&model, &steady_for(150_000.0));
        let truth = closed_forms::mg1(1.0, 0.7, scv).unwrap();
        assert_close("R", outcome.classes[0].total.response, truth.response_time);
    }
}

#[test]
fn processor_sharing_and_lcfs_depend_on_the_mean_alone() {
    for discipline in [Discipline::Ps, Discipline::LcfsPr] {
        for service in [Distribution::Constant(0.6), Distribution::of(0.6, 5.0)] {
            let model = single(discipline, 1.0, 1.0, service);
            let outcome = run(&model, &steady_for(150_000.0));
            assert_close("R", outcome.classes[0].total.response, 0.6 / 0.4);
            assert_close("U", outcome.stations[0].utilization, 0.6);
        }
    }
}

#[test]
fn priorities_wait_as_cobham_says() {
    // Two classes, λ = 0.3 and 0.4, S = 1 both exponential: R0 = 0.7.
    let mut model = Model {
        stations: vec![station(Discipline::Priority, 1.0)],
        classes: vec![open(0.3, vec![serve(0, exp(1.0))]), open(0.4, vec![serve(0, exp(1.0))])],
        ..Model::default()
    };
    model.classes[1].priority = 1;
    let outcome = run(&model, &steady_for(150_000.0));
    let high = 0.7 / 0.7 + 1.0;
    let low = 0.7 / (0.7 * 0.3) + 1.0;
    assert_close("high", outcome.classes[0].total.response, high);
    assert_close("low", outcome.classes[1].total.response, low);

    model.stations[0].discipline = Discipline::PreemptivePriority;
    let outcome = run(&model, &steady_for(150_000.0));
    let high = 1.0 / 0.7;
    let low = 1.0 / 0.7 + 0.7 / (0.7 * 0.3);
    assert_close("high, preemptive", outcome.classes[0].total.response, high);
    assert_close("low, preemptive", outcome.classes[1].total.response, low);
}

/// Bulk service where each takes a second alone, counted at a station of its own.
fn bulk(joined: f64) -> (Model, Step) {
    let model = Model {
        stations: vec![station(Discipline::Ps, 1.0)],
        bulks: vec![Bulk { station: 0, joined }],
        ..Model::default()
    };
    let body = vec![serve(0, Distribution::Constant(1.0))];
    (model, Step::Bulk { bulk: 0, body })
}

#[test]
fn commits_that_share_flushes_follow_renewal() {
    for rate in [0.2, 1.0, 3.0] {
        let (mut model, step) = bulk(0.0);
        model.classes = vec![open(rate, vec![step])];
        let outcome = run(&model, &steady_for(60_000.0));
        let truth = closed_forms::group_commit(rate, 1.0).unwrap();
        let what = format!("at {rate}/s");
        assert_close(&what, outcome.classes[0].total.response, truth.response_time);
        assert_close(&what, outcome.stations[0].utilization, truth.utilization);
        assert_close(&what, outcome.stations[0].residence, truth.response_time);
    }
}

#[test]
fn of_those_who_come_back_at_once_each_waits_for_two_services() {
    // One takes a + b, each who joins b: n of them in turns take 2a + nb.
    let joined = 0.05;
    for many in [1, 2, 16] {
        let (mut model, step) = bulk(joined);
        model.classes = vec![closed(many, 0.0, vec![step])];
        let outcome = run(&model, &steady_for(10_000.0));
        let n = f64::from(many);
        let services = if many > 1 { 2.0 } else { 1.0 };
        let turn = services * (1.0 - joined) + n * joined;
        assert_close("turn", outcome.classes[0].total.response, turn);
    }
}

#[test]
fn servers_that_sleep_while_they_are_idle_wake_as_the_formula_says() {
    // Where customers hardly hold each other up, so that a delay is its customer's alone; both runs meet the same customers.
    for (servers, rate, service, after) in
        [(1, 0.5, 0.01, 1.0), (4, 0.4, 1.0, 3.0), (8, 2.0, 1.0, 1.0), (16, 3.0, 1.0, 2.0)]
    {
        let awake = single(Discipline::Ps, f64::from(servers), rate, exp(service));
        let delay = 0.01 * service;
        let sleeping = Model { sleepers: vec![Sleeper { station: 0, delay, after }], ..awake.clone() };
        let span = steady_for(400_000.0 / rate);
        let [awake, sleeping] = [&awake, &sleeping].map(|model| {
            let outcome = run(model, &span);
            outcome.classes[0].total.response.value
        });
        let share = closed_forms::woken(rate, rate * service, servers, after).unwrap();
        let found = (sleeping - awake) / delay;
        assert!((found / share - 1.0).abs() < 0.03, "{servers} servers: {found}, {share}");
    }
}
