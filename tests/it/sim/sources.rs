//! Where customers come from, and what happens at given times.

use plimsoll::sim::{Arrivals, Discipline, Distribution, Happening, HappeningKind, Model, Profile, Run, Source, Span};

use super::support::{assert_close, class, closed, exp, open, run, serve, single, station, steady_for};

fn until(time: f64, piece: f64) -> Run {
    Run { span: Span::Until { time, piece }, ..Run::default() }
}

fn delay(source: Source) -> Model {
    Model {
        stations: vec![station(Discipline::Delay, 1.0)],
        classes: vec![class(source, vec![serve(0, exp(0.1))])],
        ..Model::default()
    }
}

#[test]
fn bursts_have_their_mean_rate() {
    // 20/s for a tenth of the time, 1/s for the rest.
    let source = Arrivals::Bursts { rates: [20.0, 1.0], stays: [2.0, 18.0] };
    let outcome = run(&delay(Source::Open(source)), &steady_for(60_000.0));
    assert_close("X", outcome.classes[0].total.throughput, 2.9);
}

#[test]
fn a_profile_multiplies_rates_and_divides_think_times() {
    let profile = Some(Profile { piece: 100.0, factors: vec![0.0, 1.0, 4.0] });
    // Done at once, so that a completion is in the piece of its arrival.
    let at_once = || vec![serve(0, Distribution::Constant(0.0))];
    let mut model = Model {
        stations: vec![station(Discipline::Delay, 1.0)],
        classes: vec![open(2.0, at_once()), closed(20, 10.0, at_once())],
        ..Model::default()
    };
    model.activities = vec!["open".into(), "closed".into()];
    for (activity, class) in model.classes.iter_mut().enumerate() {
        class.profile.clone_from(&profile);
        let body = class.program.clone();
        class.program = vec![plimsoll::sim::Step::Timed { activity, body }];
    }
    let outcome = run(&model, &until(30_000.0, 100.0));
    let completions = &outcome.series.unwrap().completions;
    for (activity, rate) in [(0, 2.0), (1, 2.0)] {
        for (phase, factor) in [0.0, 1.0, 4.0].into_iter().enumerate() {
            let count: u64 = completions[activity].iter().skip(phase).step_by(3).sum();
            let expected = 100.0 * 100.0 * rate * factor;
            let off = (count as f64 - expected).abs();
            assert!(off <= 5.0 * expected.sqrt() + 5.0, "{activity} {phase}: {count}");
        }
    }
}

#[test]
fn a_station_that_stands_still_keeps_the_work_in_progress() {
    let happening = |at, factor| Happening { at, kind: HappeningKind::Speed { station: 0, factor } };
    let model = Model {
        classes: vec![class(Source::Open(Arrivals::At(vec![1.0])), vec![serve(0, Distribution::Constant(10.0))])],
        happenings: vec![happening(5.0, 0.0), happening(25.0, 0.5)],
        ..single(Discipline::Fcfs, 1.0, 1.0, exp(1.0))
    };
    for discipline in [Discipline::Fcfs, Discipline::Ps, Discipline::LcfsPr, Discipline::Delay] {
        let mut model = model.clone();
        model.stations[0].discipline = discipline;
        let outcome = run(&model, &until(100.0, 10.0));
        // 4 s of work, 20 s still, 6 s of work at half the speed.
        let total = &outcome.classes[0].total;
        assert_eq!((total.completions, total.longest), (1, 36.0));
        assert!(total.response.half_width.is_infinite());
    }
}

#[test]
fn a_herd_comes_evenly_spread() {
    let mut model = single(Discipline::Fcfs, 1.0, 1.0, Distribution::Constant(1.0));
    model.classes[0].source = Source::Open(Arrivals::Never);
    model.happenings = vec![Happening { at: 10.0, kind: HappeningKind::Arrive { class: 0, count: 4, within: 2.0 } }];
    let outcome = run(&model, &until(20.0, 5.0));
    // They come at 10, 10.5, 11 and 11.5, and leave at 11, 12, 13 and 14.
    let total = &outcome.classes[0].total;
    assert_eq!((total.completions, total.response.value, total.longest), (4, 1.75, 2.5));
    assert_eq!(outcome.events, 8);
    let series = outcome.series.unwrap();
    assert_eq!(series.utilization[0], [0.0, 0.0, 0.8, 0.0]);
    assert_eq!(outcome.stations[0].queue_length.value, 7.0 / 20.0);
}

#[test]
fn given_arrivals_come_when_they_are_given() {
    let mut model = single(Discipline::Ps, 1.0, 1.0, Distribution::Constant(1.0));
    model.classes[0].source = Source::Open(Arrivals::At(vec![0.0, 0.5, 9.0]));
    let outcome = run(&model, &until(10.0, 1.0));
    // The first two share from 0.5 on: they leave at 1.5 and 2.
    assert_eq!(outcome.classes[0].total.completions, 3);
    assert_eq!(outcome.classes[0].total.response.value, (1.5 + 1.5 + 1.0) / 3.0);
}

#[test]
fn work_that_is_never_done_is_no_steady_state() {
    for rate in [1.05, 3.0] {
        let mut model = single(Discipline::Fcfs, 1.0, rate, exp(1.0));
        model.classes.push(open(0.01, vec![serve(0, exp(1.0))]));
        let outcome = run(&model, &Run::default());
        assert_eq!(outcome.stopped, plimsoll::sim::Stopped::Unsteady);
        assert!(outcome.events < 20_000_000, "{}", outcome.events);
        assert!(outcome.stations[0].utilization.value > 0.95);
    }
}
