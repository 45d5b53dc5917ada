//! `plimsoll simulate`: the steady peak, scenarios, traces, and what is refused.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use plimsoll::advisor::best_of_layout;
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::page::blocks_text;
use plimsoll::report::{self, Simulation, Wanted};
use plimsoll::sim::{self, Estimate, Run, Span, Stopped};
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::process::process;
use plimsoll::workload::from_site;
use serde_json::Value;

use crate::cli::{Ran, example, plimsoll, scratch};

fn simulate(site: &str, arguments: &[&str]) -> Ran {
    let path = example(site);
    plimsoll(&[&["simulate", path.as_str()], arguments].concat())
}

const HOUR: [&str; 4] = ["--scenario", "peak-hour", "--replications", "2"];

#[test]
fn an_hour_is_the_same_on_one_thread_and_on_two_and_differs_by_seed() {
    let with = |more: &[&str]| {
        let arguments = [&HOUR, &["--layout", "n13-fc", "--format", "json"], more].concat();
        let ran = simulate("netapp-lab-2013", &arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let one = with(&["--threads", "1"]);
    assert_eq!(one, with(&["--threads", "2"]));
    assert_ne!(one, with(&["--threads", "2", "--seed", "2"]));
}

#[test]
fn a_steady_state_ends_at_its_events_alike_on_any_threads_and_says_what_it_reached() {
    let with = |more: &[&str]| {
        let limits = ["--layout", "n13-fc", "--events", "200000"];
        let ran = simulate("netapp-lab-2013", &[&limits, more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let one = with(&["--threads", "1"]).out;
    assert_eq!(one, with(&["--threads", "2"]).out);
    let words = one.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "it ended at its limit of 200000 events a replication",
        "Requested: every mean to ± 2 %. Reached for ",
        "Not reached: ",
    ] {
        assert!(words.contains(expected), "no {expected:?} in {one}");
    }
    let studio = simulate("game-studio", &["--events", "200000"]).out;
    let words = studio.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "Rare (less than 0.1 % of all commands; they do not prolong the simulation): ",
        "submit (Montreal) (seen ",
        "`--precision 2%` includes rare kinds of work",
    ] {
        assert!(words.contains(expected), "no {expected:?} in {studio}");
    }
    let answer = with(&["--format", "json"]).json();
    let run = &answer["run"];
    assert_eq!(run["stopped"], "events");
    assert_eq!(run["precision_wanted_fraction"], 0.02);
    assert_eq!(run["rare_fraction"], 0.001);
    assert_eq!(run["events_max"], 200_000);
    for kind in answer["predictions"].as_array().unwrap() {
        let mean = kind["response_time_s"]["value"].as_f64().unwrap();
        let reached = kind["response_time_half_width_s"].as_f64().is_some_and(|half| half <= 0.02 * mean);
        assert_eq!(kind["precision_reached"], reached, "{kind:#}");
        assert!(kind["completions"].as_u64().unwrap() > 0);
    }
}

/// A simulation of NetApp's laboratory whose means are all known to 1 %.
fn precise(wanted: Wanted) -> Simulation {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let path = example("netapp-lab-2013");
    let site = site::load(path.as_ref(), &[], &Vocabulary::of(&catalog)).unwrap();
    let deployment = best_of_layout(&site, &catalog, &calibration, "n13-fc").unwrap();
    let load = from_site::load(&site);
    let process = process(&deployment, &load, &catalog, &calibration, None).unwrap();
    let run = Run { span: Span::Window { from: 1.0, until: 60.0 }, ..Run::default() };
    let one = sim::simulate(&process.model, &run, 0, &mut |_| ControlFlow::Continue(()));
    let mut outcome = sim::fold(&process.model, &run, &[one.unwrap()]);
    for found in &mut outcome.activities {
        found.completions = 10_000;
        found.response = Estimate { value: 1.0, half_width: 0.01 };
    }
    Simulation {
        process,
        outcome,
        scenario: None,
        short: None,
        seed: 1,
        confidence: 0.95,
        wanted: Some(wanted),
        model_factors: BTreeMap::new(),
    }
}

#[test]
fn a_sentence_says_what_was_not_waited_for_and_how_to_ask_for_more() {
    let wanted = Wanted { precision: 0.02, rare: 0.001, events_max: 30_000_000, is_default: true };
    let words = |simulation: &Simulation| {
        let text = blocks_text(&report::simulation_blocks(simulation));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut simulation = precise(wanted);
    let all = simulation.process.activities.len();
    let text = words(&simulation);
    assert!(text.contains("Requested: every mean to ± 2 %. Reached for every kind of work."), "{text}");
    assert!(!text.contains("--precision") && !text.contains("rare"), "{text}");
    let place = |name: &str, simulation: &Simulation| {
        let mut activities = simulation.process.activities.iter();
        activities.position(|a| a.name == name).unwrap()
    };
    let (rare, frequent) = (place("large sync", &simulation), place("edit", &simulation));
    let change = |idx: usize, completions: u64, relative: f64, simulation: &mut Simulation| {
        let found = &mut simulation.outcome.activities[idx];
        found.completions = completions;
        found.response.half_width = relative * found.response.value;
    };
    change(rare, 12, 0.3, &mut simulation);
    change(frequent, 5000, 0.04, &mut simulation);
    simulation.outcome.stopped = Stopped::Events;
    let text = words(&simulation);
    let reached = all - 2;
    for expected in [
        "it ended at its limit of 30 million events a replication".to_owned(),
        format!("Reached for {reached} of {all} kinds of work. Not reached: edit (seen 5000 times, ± 4.0 %)."),
        "Rare (less than 0.1 % of all commands; they do not prolong the simulation): large sync (seen 12 times, ± 30 %)."
            .to_owned(),
        "`--precision 2%` simulates longer, for rare kinds of work too.".to_owned(),
    ] {
        assert!(text.contains(&expected), "no {expected:?} in {text}");
    }
    // With a requested precision rare kinds count too.
    simulation.wanted = Some(Wanted { rare: 0.0, is_default: false, ..wanted });
    let text = words(&simulation);
    assert!(text.contains("large sync (seen 12 times, ± 30 %), edit (seen 5000 times, ± 4.0 %)"), "{text}");
    assert!(text.contains("A larger `--events`"), "{text}");
    change(rare, 1, f64::INFINITY, &mut simulation);
    assert!(words(&simulation).contains("large sync (seen once, no interval)"));
}

#[test]
fn json_has_percentiles_with_intervals_and_locks() {
    let arguments = [&HOUR[..], &["--layout", "n13-split", "--format", "json"]].concat();
    let answer = simulate("ea-redwood-shores-2007", &arguments).json();
    assert_eq!(answer["scenario"], "The peak hour");
    assert_eq!(answer["run"]["replications"], 2);
    assert_eq!(answer["run"]["stopped"], "done");
    let classes = answer["predictions"].as_array().unwrap();
    let browse = classes.iter().find(|c| c["class"] == "browse").unwrap();
    let percentiles = browse["response_time_percentiles"].as_array().unwrap();
    let times: Vec<f64> = percentiles.iter().map(|p| p["time_s"]["value"].as_f64().unwrap()).collect();
    assert_eq!(times.len(), 4);
    assert!(times.is_sorted() && times[0] > 0.0, "{times:?}");
    assert!(percentiles[2]["time_s"]["low"].as_f64().unwrap() <= times[2]);
    // Little's law holds for what waits at each lock.
    let locks = answer["locks"].as_array().unwrap();
    assert!(locks.iter().any(|l| l["name"] == "db.have on commit server"));
    let seconds = answer["run"]["time_s"].as_f64().unwrap();
    for lock in locks {
        let waited: f64 = lock["users"]
            .as_array()
            .unwrap()
            .iter()
            .map(|u| u["acquisitions"].as_f64().unwrap() * u["wait_s"].as_f64().unwrap())
            .sum();
        let waiting = lock["waiting"]["value"].as_f64().unwrap();
        assert!((waited / seconds - waiting).abs() <= 0.02 * waiting + 1e-3, "{lock:#}");
    }
    let pieces = answer["series"]["classes"][0]["completions"].as_array().unwrap();
    assert_eq!(pieces.len(), 60);
}

#[test]
fn a_large_submit_holds_up_the_others_when_it_comes() {
    let arguments = ["--scenario", "large-submit", "--replications", "1", "--layout", "n13-nfs", "--format", "json"];
    let answer = simulate("netapp-lab-2013", &arguments).json();
    let classes = answer["predictions"].as_array().unwrap();
    let large: Vec<&Value> = classes.iter().filter(|c| c["class"].as_str().unwrap().contains("herd at")).collect();
    assert_eq!(large.len(), 1);
    assert_eq!(large[0]["completions"], 1);
    let usual = classes.iter().find(|c| c["class"] == "submit").unwrap();
    let mean = |c: &Value| c["response_time_s"]["value"].as_f64().unwrap();
    assert!(mean(large[0]) > 20.0 * mean(usual), "20,000 files take longer");
}

#[test]
fn what_cannot_be_simulated_is_refused_in_a_sentence() {
    let unknown = simulate("netapp-lab-2013", &["--scenario", "wroking-day"]);
    assert_eq!(unknown.code, 3);
    assert!(unknown.err.contains("did you mean \"working-day\"?"), "{}", unknown.err);
    let edge = simulate("netapp-lab-2013", &["--layout", "n13-fc", "--scenario", "failing-edge"]);
    assert_eq!(edge.code, 3);
    assert!(edge.err.contains("there is no edge that could fail in this layout"), "{}", edge.err);
    assert_eq!(simulate("netapp-lab-2013", &["--precision", "0"]).code, 2);
}

#[test]
fn a_trace_has_every_event_and_never_overwrites() {
    let folder = scratch("trace");
    let (events, holds) = (folder.join("events.csv"), folder.join("holds.jsonl"));
    let arguments = [
        &HOUR[..2],
        &["--replications", "1", "--layout", "n13-fc", "--trace-events", "2000"],
        &["--trace", events.to_str().unwrap()],
        &["--trace-locks", holds.to_str().unwrap()],
    ]
    .concat();
    let ran = simulate("netapp-lab-2013", &arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = plimsoll::document::read_text(&events).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("time_s,customer,class,event,at,how"));
    let times: Vec<f64> = lines.map(|l| l.split(',').next().unwrap().parse().unwrap()).collect();
    assert!(times.len() == 2000 && times.is_sorted());
    let text = plimsoll::document::read_text(&holds).unwrap();
    for line in text.lines() {
        let hold: Value = serde_json::from_str(line).unwrap();
        let time = |key: &str| hold[key].as_f64().unwrap();
        assert!(time("asked_s") <= time("granted_s") && time("granted_s") <= time("released_s"));
    }
    let again = simulate("netapp-lab-2013", &arguments);
    assert_eq!(again.code, 3);
    assert!(again.err.contains("cannot write the trace"), "{}", again.err);
    assert!(again.err.contains("--force"), "{}", again.err);
    let first = plimsoll::document::read_text(&events).unwrap();
    assert_eq!(simulate("netapp-lab-2013", &[&arguments[..], &["--force"]].concat()).code, 0);
    assert_eq!(plimsoll::document::read_text(&events).unwrap(), first);
    let twice = [&arguments[..6], &["--trace-locks", events.to_str().unwrap()]].concat();
    let twice = [&twice[..], &["--trace", events.to_str().unwrap()]].concat();
    let ran = simulate("netapp-lab-2013", &twice);
    assert!(ran.refused().contains("two outputs"), "{}", ran.err);
}

/// However it ends: on Linux a trace has no name until it is whole.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_is_stopped_leaves_nothing() {
    let folder = scratch("trace-stopped");
    for (signal, code) in [("-INT", Some(130)), ("-KILL", None), ("-TERM", None)] {
        let mut run = std::process::Command::new("env")
            .args(["--default-signal=INT,TERM", env!("CARGO_BIN_EXE_plimsoll")])
            .args(["simulate", &example("netapp-lab-2013"), "--layout", "n13-fc", "-q"])
            .args(["--trace-events", "1000000000", "--scenario", "working-day"])
            .arg("--trace")
            .arg(folder.join("events.csv"))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The trace is being written once the run holds a file in the folder, which no name shows.
        let handles = format!("/proc/{}/fd", run.id());
        let holds = || {
            let handles = std::fs::read_dir(&handles).into_iter().flatten().flatten();
            let mut led = handles.filter_map(|handle| std::fs::read_link(handle.path()).ok());
            led.any(|path| path.starts_with(&folder))
        };
        while !holds() {
            assert!(run.try_wait().unwrap().is_none(), "it ended early");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        let sent = std::process::Command::new("kill").args([signal, &run.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let ended = run.wait().unwrap();
        assert_eq!(ended.code(), code, "{signal}: {ended:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{signal}");
    }
}

/// A limit of events that ends before the failure is raised until the failure is past.
#[test]
fn a_failure_is_in_the_run_whatever_the_limit_of_events() {
    let folder = scratch("simulate_failure");
    let text = "schema = 1\nname = \"Few\"\n[people]\ndevelopers = 5\n[workload]\nautomation_share = \"0 %\"\npolling_share = \"0 %\"\n\
                commands_per_day = \"500 /day\"\nlarge_syncs_per_day = \"1 /day\"\n[server]\nlocal_disks = 4\n";
    let path = crate::cli::write(&folder, "site.toml", text);
    let ran = plimsoll(&[
        "simulate",
        &path,
        "--layout",
        "single-volume",
        "--scenario",
        "failing-disk",
        "--events",
        "1000",
        "--replications",
        "1",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (_, time) = ran.out.split_once("replication, ").expect("how it was run");
    let hours: f64 = time.split(" h").next().unwrap().parse().expect("hours");
    assert!(hours >= 14.0, "{}", ran.out);
}

/// What cannot be simulated names what can, and that is simulated then.
#[test]
fn an_overloaded_layout_names_what_to_simulate() {
    for arguments in [["--layout", "nfs-all", "--load", "3"].as_slice(), &["--load", "12"]] {
        let ran = simulate("game-studio", &[arguments, &["--events", "20000"]].concat());
        let said = ran.refused();
        let (_, hint) = said.rsplit_once("--layout ").expect("a layout");
        let words: Vec<&str> = hint.split([' ', '.']).collect();
        let mut next = vec!["--layout", words[0]];
        let load = hint.split_once("--load ").map(|(_, rest)| rest);
        let load = load.map_or("3", |rest| rest.split_once(' ').unwrap().0);
        next.extend(["--load", load, "--events", "20000"]);
        let ran = simulate("game-studio", &next);
        assert!(ran.code <= 1, "{next:?}: {}", ran.err);
    }
}
