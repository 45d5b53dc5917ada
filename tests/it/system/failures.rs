//! A part of the storage that fails: the simulator and the analysis take the same away.

use super::*;
use plimsoll::advisor::what_if::{Base, Change, what_if};
use plimsoll::catalog::Scenario;
use plimsoll::catalog::scenario::Part;
use plimsoll::sim::HappeningKind;
use plimsoll::units::{BytesPerSecond, Seconds};

/// A catalogue whose filer has slow ports, so that they limit large syncs.
fn slow_ports() -> Catalog {
    let mut catalog = Catalog::embedded();
    let array = catalog.arrays.get_mut("fas3270").expect("it is an array");
    array.bandwidth.value = BytesPerSecond::new(60e6);
    catalog
}

/// The working day's peak alone, with a controller of the depots' store gone from the first minute, or whole.
fn peak(catalog: &Catalog, fails: bool) -> Scenario {
    let mut scenario = catalog.scenarios["failing-controller"].clone();
    scenario.length = Seconds::new(8.0 * 3600.0);
    let whole = scenario.stretches.iter().find(|s| s.people == 1.0);
    let mut whole = whole.expect("the peak is a stretch").clone();
    whole.until = scenario.length;
    scenario.stretches = vec![whole];
    for failure in &mut scenario.failures {
        failure.at = Seconds::new(0.0);
        failure.until = scenario.length;
        failure.part = Part::Controller("depot");
    }
    if !fails {
        scenario.failures.clear();
    }
    scenario
}

/// Mean time of a large sync, simulated through a scenario \[s\].
fn through(catalog: &Catalog, deployment: &Deployment, load: &Load, scenario: &Scenario) -> f64 {
    let made = process(deployment, load, catalog, &CALIBRATION, Some(scenario));
    let made = made.expect("it can happen");
    let length = scenario.length.get();
    let run = Run { span: Span::Until { time: length, piece: length }, ..Run::default() };
    let one = sim::simulate(&made.model, &run, 0, &mut |_| ControlFlow::Continue(()));
    let found = sim::fold(&made.model, &run, &[one.expect("it runs")]);
    found.activities[0].response.value
}

#[test]
fn a_failed_controller_halves_the_ports_in_simulation_and_analysis_alike() {
    let catalog = slow_ports();
    let site = ORDINARY.site();
    let mut load = in_flight(from_site::load(&site), f64::from(ORDINARY.large_syncs));
    load.groups.retain(|group| group.clients == Clients::LargeSyncs);
    let deployment = on("san-four-volumes", &rich(&site));
    let base = Base {
        site: &site,
        vocabulary: &Vocabulary::of(&catalog),
        catalog: &catalog,
        calibration: &CALIBRATION,
        layout: "san-four-volumes",
        choices: &rich(&site),
        confirmed: None,
    };
    let failed = what_if(&base, &Change { failure: Some(Part::Controller("depot")), ..Change::default() });
    let failed = failed.expect("a pair loses one");
    let left = failed.left.as_deref().expect("what is left of the array");
    let rate = |catalog: &Catalog| catalog.arrays["fas3270"].bandwidth.value.get();
    assert!((rate(left) / rate(&catalog) - 0.5).abs() < 1e-9);
    let analysed = |catalog: &Catalog| {
        let found = predict(&deployment, &load, catalog, &CALIBRATION).expect("it is closed");
        found.classes[0].mean.value
    };
    let analysed = analysed(left) / analysed(&catalog);
    let simulated = |fails| through(&catalog, &deployment, &load, &peak(&catalog, fails));
    let simulated = simulated(true) / simulated(false);
    assert!(analysed > 1.8, "ports do not limit: {analysed:.3}");
    assert!(
        (simulated / analysed - 1.0).abs() < 0.1,
        "{simulated:.3} times as long as simulated, {analysed:.3} as solved"
    );
}

/// What used to change nothing: on block storage a forced write waits for the controller's own rate, not for its ports.
#[test]
fn a_failed_controller_slows_forced_writes_and_pauses_first() {
    let (_, load, deployment) = ordinary("san-four-volumes");
    let mut scenario = peak(&CATALOG, true);
    scenario.failures[0].at = Seconds::new(3600.0);
    scenario.failures[0].until = Seconds::new(7200.0);
    let made = process(&deployment, &load, &CATALOG, &CALIBRATION, Some(&scenario));
    let model = made.expect("it can happen").model;
    let speeds = |name: &str| -> Vec<(f64, f64)> {
        let of = model.happenings.iter().filter_map(|h| match h.kind {
            HappeningKind::Speed { station, factor } if model.stations[station].name.starts_with(name) => {
                Some((h.at, factor))
            }
            _ => None,
        });
        of.collect()
    };
    let array = &CATALOG.arrays["fas3270"];
    let pause = array.takeover.as_ref().expect("it is stated").value.get();
    let course = [(3600.0, 0.0), (3600.0 + pause, 0.5), (7200.0, 1.0)];
    for station in ["ports of NetApp FAS3270", "transfer of NetApp FAS3270"] {
        assert_eq!(speeds(station), course, "{station}");
    }
}
