//! `plimsoll solve`: methods, comparisons, sweeps, saturation, and an interrupt.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::cli::{Ran, plimsoll, scratch, write};

const JAIN: &str = "assets/examples/networks/jain-terminals.toml";
const MM1: &str = "assets/examples/networks/mm1.toml";
const SATURATED: &str = "schema = 1\n[station.cpu]\n[class.jobs]\nrate = \"3 /s\"\ndemand.cpu = \"0.5 s\"\n";

fn solve(arguments: &[&str]) -> Ran {
    plimsoll(&[&["solve"], arguments].concat())
}

/// A file of a scratch folder.
fn with(name: &str, text: &str) -> String {
    let folder = scratch(name);
    write(&folder, "network.toml", text);
    folder.join("network.toml").to_string_lossy().into_owned()
}

#[test]
fn one_network_as_text() {
    insta::assert_snapshot!("solve_text", solve(&[JAIN]).done());
}

#[test]
fn several_classes_as_text() {
    let path = "assets/examples/networks/lazowska-148.toml";
    insta::assert_snapshot!("solve_text_mixed", solve(&[path]).done());
}

#[test]
fn bounds_as_text() {
    insta::assert_snapshot!("solve_bounds", solve(&[JAIN, "--method", "bounds"]).done());
}

#[test]
fn methods_side_by_side() {
    let ran = solve(&[JAIN, "--compare", "exact,convolution,amva,linearizer"]);
    insta::assert_snapshot!("solve_compare", ran.done());
}

#[test]
fn a_sweep_as_text_and_csv() {
    let sweep = ["--sweep", "population=1,20"];
    insta::assert_snapshot!("solve_sweep", solve(&[&[JAIN], &sweep[..]].concat()).done());
    let csv = ["--format", "csv"];
    let ran = solve(&[&[JAIN], &sweep[..], &csv[..]].concat());
    insta::assert_snapshot!("solve_sweep_csv", ran.done());
}

#[test]
fn a_sweep_says_where_the_network_is_saturated() {
    let path = with("solve-sweep-saturated", SATURATED);
    let arguments = [path.as_str(), "--sweep", "jobs.rate=1:3", "--format", "csv"];
    let ran = solve(&arguments);
    let lines: Vec<&str> = ran.done().lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[1].starts_with("1,ok,1,1,"), "{}", lines[1]);
    assert!(lines[2].contains("saturated"), "{}", lines[2]);
    let cells = |line: &str| line.split(',').count();
    assert_eq!(cells(lines[0]), cells(lines[3]));
}

#[test]
fn json_has_the_numbers_of_the_text() {
    let answer = solve(&[MM1, "--format", "json"]).json();
    assert_eq!(answer["method"], "auto");
    let response = answer["classes"][0]["response_time_s"].as_f64().unwrap();
    assert!((response - 5.0).abs() < 1e-9);
    assert_eq!(answer["bottleneck"]["name"], "server");
    let sweep = ["--sweep", "jobs.rate=0.5:1.5:0.5", "--format", "json"];
    let swept = solve(&[&[MM1], &sweep[..]].concat()).json();
    let points = swept["points"].as_array().unwrap();
    assert_eq!(points.len(), 3);
    assert_eq!(points[1]["saturated"]["what"], "station \"server\"");
}

#[test]
fn saturation_is_an_answer_with_code_1() {
    let path = with("solve-saturated", SATURATED);
    let ran = solve(&[&path]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("station \"cpu\" is saturated: arrivals bring 150.0 % of what it can do"));
    let ran = solve(&[&path, "--method", "sim"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("note: customers arrive faster than they leave"));
    let ran = solve(&[&path, "--format", "json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["saturated"]["utilization"], 1.5);
}

#[test]
fn an_override_changes_the_answer() {
    let ran = solve(&[MM1, "--set", "class.jobs.rate=0.5 /s", "--format", "json"]);
    let response = ran.json()["classes"][0]["response_time_s"].as_f64();
    assert!((response.unwrap() - 2.0).abs() < 1e-9);
}

#[test]
fn a_wrong_command_line_is_code_2() {
    for (arguments, part) in [
        (&["--method", "exat"][..], "did you mean \"exact\"?"),
        (&["--compare", "exact,guess"][..], "known: auto, exact"),
        (&["--sweep", "population"][..], "write KEY=FROM:TO"),
        (&["--sweep", "jobs.rate=0.1:0.9"][..], "give the step: jobs.rate=0.1:0.9:0.1"),
        (&["--format", "csv"][..], "--format csv needs --sweep"),
        (&["--precision", "0"][..], "between 0.001% and 50%"),
        (&["--compare", "exact", "--method", "sim"][..], "cannot be used with"),
    ] {
        let ran = solve(&[&[MM1], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn wrong_input_is_code_3() {
    for (arguments, part) in [
        (&["missing.toml"][..], "there is no file \"missing.toml\""),
        (&[MM1, "--sweep", "jbs.rate=1:2"][..], "did you mean \"jobs.rate\"?"),
        (&[MM1, "--sweep", "population=1:2"][..], "no class is closed"),
        (&[MM1, "--set", "class.jobs.prority=1"][..], "did you mean \"priority\"?"),
        (&[MM1, "--set", "class.jobs.rate"][..], "an override needs a key and a value"),
        (
            &["assets/examples/networks/lru-cache.toml", "--method", "exact"][..],
            "there is no exact answer: cache \"pages\" has the hit ratio",
        ),
    ] {
        let ran = solve(arguments);
        assert!(ran.refused().contains(part), "{arguments:?}: {}", ran.err);
    }
    solve(&["tests/broken-networks/units.toml", "--format", "json"]).refused_in_json();
}

#[test]
fn what_looks_wrong_is_told_beside_the_answer() {
    let text = "schema = 1\n[station.cpu]\n[class.jobs]\nrate = \"1 /s\"\nservice.cpu = \"1 ms\"\nrouting = { cpu = { cpu = 0.995 } }\n";
    let ran = solve(&[&with("solve-warned", text)]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("warning[NET005]"), "{}", ran.err);
    assert!(ran.out.contains("solved by"));
    let path = with("solve-warned-json", text);
    let answer = solve(&[&path, "--format", "json"]).json();
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn a_simulation_does_not_depend_on_threads() {
    let run = |threads| {
        let arguments = [MM1, "--method", "sim", "--precision", "5%", "--threads", threads];
        solve(&[&arguments[..], &["--format", "json"]].concat()).json()
    };
    let one = run("1");
    assert_eq!(one, run("3"));
    let response = &one["classes"][0]["response_time_s"];
    assert!(response["low"].as_f64().unwrap() < 5.0 && 5.0 < response["high"].as_f64().unwrap());
    let other = solve(&[MM1, "--method", "sim", "--precision", "5%", "--seed", "2", "--format", "json"]);
    assert_ne!(one, other.json());
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_what_there_is() {
    let child = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["solve", MM1, "--method", "sim", "--precision", "0.001%"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("note: interrupted"), "{text}");
    assert!(text.contains("response time"), "{text}");
}

#[test]
fn what_is_not_carried_is_said_before_it_is_simulated() {
    // Each of these filled the memory, or ran for half a minute.
    for (name, text, at) in [
        (
            "burst",
            "schema = 1\n[station.s0]\n[class.c0]\nburst = { rates = [\"1e-9 /s\",\"1e6 /s\"], stays = [\"1e6 s\",\"1e-6 s\"] }\ndemand = { s0 = \"1e8 s\" }\n",
            "s0",
        ),
        (
            "hang",
            "schema = 1\n[station.s0]\nkind = \"lcfs-pr\"\nservers = 1000\n[station.s1]\nkind = \"delay\"\n[class.c0]\nrate = \"1e9 /s\"\ndemand = { s0 = \"3 ms\" }\n",
            "s0",
        ),
        (
            "spawned",
            "schema = 1\n[station.cpu]\n[class.c]\nrate = \"10 /s\"\npath = [{ spawn = [{ station = \"cpu\", service = \"1 s\" }] }]\n",
            "cpu",
        ),
    ] {
        let path = with(name, text);
        let ran = solve(&[&path, "--method", "sim"]);
        assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{name}: {}", ran.out);
        let told = format!("up a second at station \"{at}\"");
        let flat = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("does not carry this load") && flat.contains(&told), "{flat}");
        let json = solve(&[&path, "--method", "sim", "--format", "json"]);
        assert_eq!(json.code, 1);
        let piles = &json.json()["run"]["piles_up"];
        assert_eq!(piles["name"], at);
        assert!(piles["jobs_per_s"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn more_jobs_than_a_simulation_keeps_are_an_error() {
    let path = with(
        "crowd",
        "schema = 1\n[station.wide]\nkind = \"delay\"\n[class.c]\nrate = \"1e6 /s\"\ndemand = { wide = \"1000 s\" }\n",
    );
    let ran = solve(&[&path, "--method", "sim"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.err.contains("more than 2000000 jobs"), "{}", ran.err);
}

#[test]
fn no_text_of_a_file_or_argument_reaches_the_terminal_raw() {
    let path = with(
        "escape",
        "schema = 1\ntitle = \"a\\u001b]0;PWN\\u0007\\u001b[31mred\"\nsource = \"\\u001b[2J\\u202ex\\u009b\"\n[station.s]\n[class.c]\nrate = \"0.5 /s\"\ndemand.s = \"1 s\"\n",
    );
    let odd = "/tmp/\u{1b}[31mx\u{202e}\nerror: y\u{9b}.toml";
    for arguments in [
        &[path.as_str()][..],
        &[path.as_str(), "--format", "json"],
        &[path.as_str(), "--sweep", "c.rate=0.1:0.2:0.1"],
        &[odd],
        &[path.as_str(), odd],
        &["--\u{1b}[31mx\u{202e}\nerror: y"],
        &[path.as_str(), "--set", odd],
    ] {
        let ran = solve(arguments);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains(plimsoll::diag::is_harmful), "{arguments:?}: {text:?}");
            assert!(!text.contains("\nerror: y"), "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn a_spreadsheet_runs_no_name_of_a_file() {
    let path = with(
        "formula",
        "schema = 1\n[station.\"=cmd|calc!A0\"]\n[class.\"@SUM(1)\"]\npopulation = 3\nthink = \"1 s\"\ndemand = { \"=cmd|calc!A0\" = \"1 s\" }\n",
    );
    let ran = solve(&[&path, "--sweep", "population=1:3", "--format", "csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut lines = ran.out.lines();
    for cell in lines.next().unwrap().split(',') {
        assert!(!cell.starts_with(['=', '@', '+', '-', '\t', '\r']), "{cell:?}");
    }
    // Numbers are numbers.
    for cell in lines.flat_map(|line| line.split(',')).filter(|cell| *cell != "ok") {
        assert!(cell.parse::<f64>().is_ok(), "{cell:?}");
    }
}

#[test]
fn many_classes_at_many_stations_take_a_method_that_has_room() {
    let mut text = "schema = 1\n".to_owned();
    for station in 0..400 {
        text.extend([format!("[station.s{station}]\n")]);
    }
    for class in 0..120 {
        text.extend([format!(
            "[class.c{class}]\npopulation = 2\nthink = \"1 s\"\ndemand = {{ s{class} = \"1 ms\", s399 = \"1 ms\" }}\n"
        )]);
    }
    let path = with("wide", &text);
    let answer = solve(&[&path, "--format", "json"]).json();
    assert!(answer["solved_by"].as_str().unwrap().contains("Schweitzer"), "{}", answer["solved_by"]);
    let ran = solve(&[&path, "--method", "linearizer"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("more than there is room for"), "{}", ran.err);
}
