//! Processor costs of today's servers follow from the clock and the family of their processors.

use super::*;
use plimsoll::catalog::host::{MEASURED, TODAY};
use plimsoll::posterior::{EntryKind, NumberId};

/// The ordinary site at next to no load, without large syncs, with these processors.
fn idle(server: &'static str, processor: Option<&str>, clock: Option<f64>) -> Prediction {
    let site = Answers { large_syncs: 0, server, ..ORDINARY }.site();
    let choices = Choices {
        cores: 16.0,
        local: Some(("nvme".to_owned(), 12.0)),
        memory: 128.0 * 1024.0_f64.powi(3),
        processor: processor.map(str::to_owned),
        clock,
        ..rich(&site)
    };
    let load = from_site::load(&site).scaled(1e-6);
    shown(&on("local-all", &choices), &load)
}

/// Seconds that each kind of work spends at processors.
fn processor_times(prediction: &Prediction) -> Vec<f64> {
    let of_class = |class: &ClassPrediction| -> f64 {
        let parts = class.parts.iter();
        let own = parts.filter(|(kind, _)| *kind == ResourceKind::Processor);
        own.map(|(_, seconds)| seconds).sum()
    };
    prediction.classes.iter().map(of_class).collect()
}

pub(super) fn parameter(id: &str) -> f64 {
    let found = CALIBRATION.parameter(id);
    found.unwrap_or_else(|| panic!("no {id}")).value.value
}

fn assert_ratio(a: &Prediction, b: &Prediction, ratio: f64) {
    let (a, b) = (processor_times(a), processor_times(b));
    assert_eq!(a.len(), b.len());
    assert!(a.iter().sum::<f64>() > 0.0);
    for (a, b) in a.iter().zip(b).filter(|(a, _)| **a > 0.0) {
        assert!((a / b / ratio - 1.0).abs() < 1e-4, "{a} {b} {ratio}");
    }
}

#[test]
fn a_clock_twice_as_fast_halves_processor_times() {
    let at = |clock| idle("present-16c", Some("genoa"), Some(clock));
    assert_ratio(&at(2e9), &at(4e9), 2.0);
}

/// The closed form: the costs of 2017 times the ratio of the speeds.
#[test]
fn costs_are_those_of_2017_times_the_ratio_of_the_speeds() {
    let of_2017 = idle("pure-host", None, None);
    let speed = parameter("speed.2017");
    // At the speed of the host of 2017 nothing differs.
    let same = idle("present-16c", Some("skylake"), Some(speed));
    assert_ratio(&same, &of_2017, parameter("speed_error.2026"));
    let turin = &CATALOG.processors["turin"];
    let own = idle("present-16c", Some("turin"), None);
    let ratio = speed / (turin.clock.value.get() * turin.ipc.value) * parameter("speed_error.2026");
    assert_ratio(&own, &of_2017, ratio);
}

#[test]
fn families_are_in_the_order_of_their_speeds() {
    let order = ["skylake", "ice-lake", "sapphire-rapids", "emerald-rapids", "genoa", "turin", "granite-rapids"];
    let times = order.map(|id| {
        let prediction = idle("present-16c", Some(id), None);
        processor_times(&prediction).iter().sum::<f64>()
    });
    assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
}

/// What it rests on is listed with its errors, and counts as measured only with a measurement of one's own.
#[test]
fn a_prediction_lists_what_the_speed_rests_on() {
    let prediction = idle("present-16c", Some("turin"), None);
    for name in [
        "processors/turin.ipc",
        "processors/turin.clock",
        "parameter speed.2017",
        "parameter speed_error.2026",
        "parameter row_read.2017",
    ] {
        let used = prediction.used.get(&NumberId::read(name).expect("a name"));
        let used = used.unwrap_or_else(|| panic!("{name} is not listed"));
        assert!(used.spread > 0.0, "{name}");
    }
    // A stated clock is an answer and not a number of the model.
    let stated = idle("present-16c", Some("turin"), Some(4e9));
    assert!(!stated.used.contains_key(&EntryKind::Processor.number("turin", "clock")));
    let old = idle("pure-host", None, None);
    let is_new = |number: &&NumberId| {
        let name = number.to_string();
        number.kind() == Some(EntryKind::Processor) || name.contains("speed.") || name.contains(TODAY)
    };
    assert_eq!(old.used.keys().find(is_new), None);
}

pub(super) const TEAM: &str = "schema = 1\nname = \"Any\"\n[people]\ndevelopers = 300\n";

#[test]
fn an_unanswered_processor_is_a_case_of_its_own() {
    let site = read(TEAM);
    let open = site.assumptions();
    let range = open.iter().find(|a| a.field == "server.processor");
    let range = range.expect("nobody answered it");
    assert_eq!((&*range.low, &*range.value, &*range.high), ("skylake", "sapphire-rapids", "turin"));
    let choices = choices_for(&site, &CATALOG);
    assert_eq!(choices.processor.as_deref(), Some("sapphire-rapids"));
    // The clock is the family's, in the case as well.
    assert_eq!(choices.clock, None);
    let clock = site.server.clock.expect("it is assumed");
    assert_eq!(clock.value, CATALOG.processors["sapphire-rapids"].clock.value);
    for (end, id) in [(&range.low_override, "skylake"), (&range.high_override, "turin")] {
        let sets = [format!("server.processor={end}")];
        let varied = site::parse("site.toml", TEAM, &sets, &Vocabulary::of(&CATALOG));
        let varied = varied.unwrap_or_else(|d| panic!("{}", d.render()));
        let choices = choices_for(&varied, &CATALOG);
        assert_eq!(choices.processor.as_deref(), Some(id));
        let clock = varied.server.clock.expect("it is assumed");
        assert_eq!(clock.value, CATALOG.processors[id].clock.value);
    }
}

#[test]
fn a_named_model_of_today_has_its_own_clock_and_an_open_family() {
    let site = read(&format!("{TEAM}[server]\nmodel = \"present-32c\"\n"));
    let choices = choices_for(&site, &CATALOG);
    let clock = CATALOG.servers["present-32c"].clock.value;
    assert_eq!(choices.clock, Some(clock.get()));
    let open = site.assumptions();
    let range = open.iter().find(|a| a.field == "server.processor");
    assert!(range.is_some_and(|range| range.low_override != range.high_override));
    let stated = format!("{TEAM}[server]\nprocessor = \"milan\"\nclock = \"3.1 GHz\"\n");
    let choices = choices_for(&read(&stated), &CATALOG);
    assert_eq!(choices.processor.as_deref(), Some("milan"));
    assert_eq!(choices.clock, Some(3.1e9));
}

#[test]
fn older_servers_keep_the_costs_of_their_generation() {
    for (id, server) in &CATALOG.servers {
        let lines = format!("{TEAM}[server]\nmodel = {id:?}\nrelease = \"2025.2\"\n");
        let site = read(&lines);
        let choices = choices_for(&site, &CATALOG);
        let is_today = server.generation == TODAY;
        assert_eq!(choices.processor.is_some(), is_today, "{id}");
        let open = site.assumptions();
        let asked = ["server.processor", "server.clock"];
        let assumed = open.iter().filter(|a| asked.contains(&&*a.field)).count();
        assert_eq!(assumed, if is_today { 2 } else { 0 }, "{id}");
        if !is_today {
            let stated = format!("{lines}processor = \"turin\"\nclock = \"4 GHz\"\n");
            let choices = choices_for(&read(&stated), &CATALOG);
            assert_eq!(choices.processor, None, "{id}");
        }
    }
    // Where no model is named, a stated processor says what the machine is, but not before 2013.3.
    let of = |release| {
        let text = format!("{TEAM}[server]\nrelease = \"{release}\"\nprocessor = \"skylake\"\n");
        choices_for(&read(&text), &CATALOG).processor
    };
    assert_eq!(of("2016.2").as_deref(), Some("skylake"));
    assert_eq!(of("2012.1"), None);
    assert_eq!(MEASURED, "2017");
}
