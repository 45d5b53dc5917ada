//! `plimsoll calibrate --add`: a measurement of one's own against the published data.

use std::path::Path;

use plimsoll::document;
use serde_json::Value;

use crate::cli::{Ran, example, plimsoll, scratch, write};
use crate::site_hostile::is_harmless;

const EXAMPLE: &str = include_str!("../../assets/examples/measurements/branchsubmit.toml");
const README: &str = include_str!("../../calibration/README.md");
const ARRAY: &str = include_str!("../../models/arrays/flashblade.toml");
const LAYOUT: &str = include_str!("../../models/layouts/p17-fb.toml");

const HEAD: &str = r#"schema = 1

[measured]
title = "Submit of 70,000 files"
who = "A. Admin"
when = "2026-10-17"
where = "room 2"
hardware = "as in the guide"
"#;

/// A run like that of a published datum, with one figure.
fn run(id: &str, like: &str, measured: &str) -> String {
    format!(
        "\n[[run]]\nid = \"{id}\"\nlike = \"{like}\"\n\
         measure = [{{ name = \"commit\", what = \"commit-time\", measured = \"{measured}\", spread = \"3 %\" }}]\n"
    )
}

fn free(scales: &str) -> String {
    format!(
        "\n[[free]]\nid = \"our-sync\"\ntitle = \"synchronous write of our array\"\nscales = [\"{scales}\"]\n\
         prior = \"80 %\"\nwhy = \"the data sheet says nothing\"\n"
    )
}

fn add(path: &str, arguments: &[&str]) -> Ran {
    plimsoll(&[&["calibrate", "--add", path], arguments].concat())
}

fn json(path: &str, arguments: &[&str]) -> Value {
    let ran = add(path, &[arguments, &["--format", "json"]].concat());
    let answer = ran.json();
    let agrees = answer["verdict"]["shared_parameters_moved"] == true;
    assert_eq!(ran.code, i32::from(!agrees), "{}", ran.out);
    answer
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A free parameter that moved: value and logarithm of the interval's width, before and after.
fn moved(answer: &Value, id: &str) -> Option<[(f64, f64); 2]> {
    let all = answer["parameters"].as_array().unwrap();
    let one = all.iter().find(|p| p["id"] == id)?;
    Some(["before", "after"].map(|when| {
        let [value, low, high] = ["value", "low", "high"].map(|key| number(&one[when][key]));
        assert!(low < value && value < high, "{one:#}");
        (value, (high / low).ln())
    }))
}

/// The user's own array, a copy of one of the catalogue, and a layout on it.
fn own_array(folder: &Path) -> String {
    let array = ARRAY.replace("id = \"flashblade\"", "id = \"ours\"");
    let layout =
        LAYOUT.replace("id = \"p17-fb\"", "id = \"ours-nfs\"").replace("device = \"flashblade\"", "device = \"ours\"");
    assert!(array != ARRAY && layout.contains("\"ours\""));
    write(folder, "models/arrays/ours.toml", array);
    write(folder, "models/layouts/ours-nfs.toml", layout);
    folder.join("models").to_str().unwrap().to_owned()
}

fn own_run() -> String {
    let run = run("ours", "P17-branchsubmit-fb", "40 s");
    format!("{HEAD}{run}layout = \"ours-nfs\"\n{}", free("arrays/ours.sync_service"))
}

#[test]
fn the_example_of_the_readme_is_blended() {
    let start = EXAMPLE.find("schema = 1").unwrap();
    assert!(
        README.contains(&EXAMPLE[start..]),
        "calibration/README.md shows assets/examples/measurements/branchsubmit.toml"
    );
    let path = "assets/examples/measurements/branchsubmit.toml";
    let ran = add(path, &[]);
    for word in ["A. Admin, Example Games", "agrees with the published data", "our-drives"] {
        assert!(ran.done().contains(word), "{word}: {}", ran.out);
    }
    assert_eq!(ran, add(path, &[]), "the same bytes");
    let quiet = add(path, &["--quiet"]);
    assert!(quiet.done().starts_with("the measurement agrees"), "{}", quiet.out);
}

#[test]
fn a_consistent_datum_narrows_and_pulls() {
    let answer = json("assets/examples/measurements/branchsubmit.toml", &[]);
    assert_eq!(answer["verdict"]["agrees"], true);
    // The host is slower than was thought, and so are the drives.
    let [before, after] = moved(&answer, "host.2026").expect("it moved");
    assert!(after.1 < 0.8 * before.1, "narrower: {before:?} {after:?}");
    assert!(after.0 > before.0, "slower: {before:?} {after:?}");
    let [before, after] = moved(&answer, "our-drives").expect("it moved");
    assert!(after.1 < 0.8 * before.1, "narrower: {before:?} {after:?}");
    assert!(after.0 < before.0, "slower: {before:?} {after:?}");
    for datum in answer["data"].as_array().unwrap() {
        let [measured, after] = ["measured", "after"].map(|key| number(&datum[key]));
        let before = number(&datum["before"]["value"]);
        assert!((after / measured).ln().abs() < (before / measured).ln().abs(), "nearer with it: {datum:#}");
    }
    // What other data hold fast moves little.
    for parameter in answer["parameters"].as_array().unwrap() {
        if parameter["own"] == false {
            assert!(number(&parameter["sigmas"]).abs() < 1.0, "{parameter:#}");
        }
    }
}

/// One figure: the least sum of squares is the square of its distance in units of the predicted error.
#[test]
fn one_figure_has_the_chi_squared_of_its_distance() {
    let folder = scratch("add-chi");
    for measured in ["1.30 s", "1.50 s", "1.75 s"] {
        let text = format!("{HEAD}{}", run("again", "P17-branchsubmit-fa", measured));
        let answer = json(&write(&folder, "result.toml", text), &[]);
        let distance = number(&answer["data"][0]["standardised_residual"]);
        let chi_squared = number(&answer["verdict"]["chi_squared"]);
        assert!((chi_squared - distance * distance).abs() < 0.02 * chi_squared + 1e-3, "{chi_squared} {distance}");
        assert_eq!(answer["verdict"]["degrees_of_freedom"], 1);
    }
}

#[test]
fn a_contradiction_is_reported_and_not_averaged_in() {
    let folder = scratch("add-contradicts");
    let text = format!("{HEAD}{}", run("too fast", "P17-branchsubmit-fa", "500 ms"));
    let text = text.replace("room 2", "room \\u001b[31m2");
    let path = write(&folder, "result.toml", text);
    let answer = json(&path, &[]);
    assert_eq!(answer["verdict"]["agrees"], false);
    assert!(number(&answer["verdict"]["p_fraction"]) < 1e-6);
    assert!(number(&answer["data"][0]["standardised_residual"]) < -4.0);
    assert_eq!(answer["parameters"], Value::Array(Vec::new()));
    assert_eq!(answer["data"][0]["before"]["value"], answer["data"][0]["after"]);
    let ran = add(&path, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(is_harmless(&ran.out), "{:?}", ran.out);
    for word in ["contradicts the published data beyond chance", "too fast commit", "--force"] {
        let flat = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(word), "{word}: {}", ran.out);
    }
    // However far off: a wrong unit is the usual reason.
    let text = format!("{HEAD}{}", run("hours", "P17-branchsubmit-fa", "1.5 h"));
    let hours = json(&write(&folder, "hours.toml", text), &[]);
    assert_eq!(hours["data"][0]["before"]["value"], answer["data"][0]["before"]["value"]);
    let forced = json(&path, &["--force"]);
    assert_eq!(forced["verdict"]["forced"], true);
    assert_eq!(forced["verdict"]["agrees"], false);
    let [before, after] = moved(&forced, "row_write").expect("it moved");
    assert!(after.0 < before.0, "faster: {before:?} {after:?}");
}

#[test]
fn a_contradiction_moves_and_saves_nothing_and_says_where_it_is() {
    let folder = scratch("add-nothing");
    let free = free("arrays/flashblade.sync_service").replace("80 %", "40 %");
    let text = format!("{HEAD}{}{free}", run("slow", "P17-branchsubmit-fb", "400 s"));
    let path = write(&folder, "result.toml", text);
    let saved = folder.join("saved");
    let answer = json(&path, &["--save", saved.to_str().unwrap()]);
    assert_eq!(answer["verdict"]["agrees"], false);
    for nothing in ["numbers", "saved"] {
        assert_eq!(answer[nothing], Value::Array(Vec::new()), "{nothing}");
    }
    assert!(!saved.exists());
    for parameter in answer["parameters"].as_array().unwrap() {
        assert_eq!(parameter["before"], parameter["after"], "{parameter:#}");
    }
    let datum = &answer["data"][0];
    assert_eq!(datum["contradicts"], true);
    // What the file sets free is the least known of what moves the figure.
    let explained = &datum["explained_by"];
    assert_eq!(explained["id"], "our-sync", "{datum:#}");
    assert!(number(&explained["factor"]) > 5.0, "{datum:#}");
    let ran = add(&path, &[]);
    let flat = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["result.toml:", ":11: slow commit was measured as", "6.67 min", "nothing is saved", "our-sync"] {
        let glued = flat.replace(' ', "");
        assert!(glued.contains(&words.replace(' ', "")), "{words}: {}", ran.out);
    }
}

/// What an experiment states as a site does: the window of its connections, its system, its write cache, its mounts.
#[test]
fn a_run_states_what_a_site_can() {
    let folder = scratch("add-states");
    let far = r#"
[[lab]]
id = "far"
server = "x86-2012"
client_network = "eth-1g"
ethernet = "eth-1g"
fabric = "fc-8g"
release = "2013.1"
why = "before the window grew by itself"

[[workload]]
id = "one"
title = "one sync of 100 MB"
why = "ours"
db = "1 GB"
[[workload.group]]
name = "people"
population = 1
round_trip = "150 ms"
bandwidth = "125 MB/s"
call = [{ command = "sync", files = 10, bytes = "100 MB" }]

[[run]]
id = "sync"
lab = "far"
layout = "p17-ssd"
workload = "one"
measure = [{ name = "cycle", what = "cycle", measured = "230 s", spread = "20 %" }]
"#;
    let cycle = |more: &str| {
        let text = format!("{HEAD}{far}{more}\n");
        let answer = json(&write(&folder, "far.toml", text), &["--force"]);
        number(&answer["data"][0]["before"]["value"])
    };
    // 100 MB through a window of 64 KiB at 150 ms a round trip.
    let window = 1e8 / 65_536.0 * 0.15;
    let found = cycle("");
    assert!((0.8..1.3).contains(&(found / window)), "{found} {window}");
    let found = cycle("tcp_window = \"4 MiB\"");
    assert!(found < window / 10.0, "{found}");
    let wrong = format!("{HEAD}{far}system = \"linus\"\n");
    let ran = add(&write(&folder, "far.toml", wrong), &[]);
    assert!(ran.refused().contains("did you mean"), "{}", ran.err);

    let commit = |like: &str, more: &str| {
        let text = format!("{HEAD}{}{more}\n", run("ours", like, "1 s"));
        let answer = json(&write(&folder, "like.toml", text), &["--force"]);
        number(&answer["data"][0]["before"]["value"])
    };
    let nfs = "P17-branchsubmit-fb";
    assert_eq!(commit(nfs, "mount_options = \"nconnect=1\""), commit(nfs, "mount_options = \"\""));
}

/// What is replaced by what, then the error's code and line, and words of its message.
const BROKEN: &str = r#"
, spread = "3 %"   =>   =>DOC004 13 run[0].measure[0].spread
27 s   => 27 /s   =>DOC006 13 must be a time
27 s   => 0 s   =>EXP002 13 must be above 0
27 s   => 1e300 s   =>EXP002 13 must be above 0 and finite
3 %   => 300 %   =>EXP002 13 at most 100 %
spread = "3 %"   => spread = "3 %", figure = "commit"   =>EXP003 13 published figure
spread = "3 %"   => spread = "3 %", no_mechanism = "why"   =>DOC003 13 nothing reads this
id = "ours"   => id = "ours"; datum = "P17-branchsubmit-fb"   =>EXP003 12 published datum
P17-branchsubmit-fb   => P17-branchsubmit-fbb   =>EXP001 12 did you mean "P17-branchsubmit-fb"?
2026-10-17   => last autumn   =>EXP002 6 is no date
room 2   =>   =>EXP003 7 is empty
who = "A. Admin"   => whom = "A. Admin"   =>DOC004 3 measured.who
blade.sync_service   => blade.sync_servic   =>EXP001 18 did you mean "arrays/flashblade.sync_service"?
"80 %"   => "0 %"   =>FIT001 19 must be above 0
"our-sync"   => "sync_service"   =>FIT001 16 occurs twice
id = "ours"   => id = "P17-sync-fa-fa"   =>EXP002 10 occurs twice
id = "ours"   => id = "a \" b"   =>EXP002 11 is no id
"#;

/// Breaks `good` in each of these ways and looks for the error.
fn broken(folder: &str, good: &str, cases: &str) {
    let folder = scratch(folder);
    for case in cases.trim().lines() {
        let parts: Vec<&str> = case.split("=>").map(str::trim).collect();
        let [from, to, error] = parts[..] else {
            panic!("{case}");
        };
        let error: Vec<&str> = error.splitn(3, ' ').collect();
        let (code, line, words) = (error[0], error[1], error[2]);
        assert!(good.contains(from), "{from}");
        let to = to.replace("; ", "\n");
        let path = write(&folder, "result.toml", good.replacen(from, &to, 1));
        let ran = add(&path, &[]);
        let err = ran.refused();
        assert!(err.contains(code) && err.contains(words), "{case}: {err}");
        let place = format!("result.toml:{line}:");
        assert!(err.contains(&place) && err.contains('^'), "{case}: {err}");
        let errors = add(&path, &["--format", "json"]).refused_in_json();
        let errors = errors["errors"].as_array().unwrap();
        let line: u64 = line.parse().unwrap();
        let is_it = |e: &Value| e["code"] == code && e["line"] == line;
        assert!(errors.iter().any(is_it), "{case}: {errors:#?}");
    }
}

#[test]
fn a_broken_file_names_line_and_field() {
    let folder = scratch("add-broken");
    let good =
        format!("{HEAD}{}{}", run("ours", "P17-branchsubmit-fb", "27 s"), free("arrays/flashblade.sync_service"));
    broken("add-broken", &good, BROKEN);
    let other = good.replace("P17-branchsubmit-fb", "P17-branchsubmit-fa");
    let path = write(&folder, "result.toml", other);
    let ran = add(&path, &[]);
    assert!(ran.refused().contains("no number that a run"), "block storage reads none: {}", ran.err);
    assert!(add("no/such/file.toml", &[]).refused().contains("DOC001"));
}

/// Two runs of which only their ratio or order was measured.
fn compared(claim: &str) -> String {
    let run = |id: &str, like: &str| {
        let run = run(id, like, "1 s");
        run.replace(", measured = \"1 s\", spread = \"3 %\"", "")
    };
    format!(
        "{HEAD}{}{}\n[[comparison]]\nid = \"over\"\n{claim}\n",
        run("nfs", "P17-branchsubmit-fb"),
        run("block", "P17-branchsubmit-fa"),
    )
}

const RATIO: &str = "ratio = [\"nfs commit\", \"block commit\"]\nmeasured = 20\nspread = \"5 %\"";
const ORDER: &str = "order = [\"nfs commit\", \"block commit\"]";

#[test]
fn a_ratio_of_two_runs_pulls_what_they_do_not_share() {
    let folder = scratch("add-ratio");
    let text = compared(RATIO);
    let answer = json(&write(&folder, "result.toml", text), &[]);
    let datum = &answer["data"][0];
    assert_eq!((&datum["id"], &datum["run"]), (&"over ratio".into(), &"over".into()));
    let [before, after] = [&datum["before"]["value"], &datum["after"]].map(number);
    assert!((after / 20.0).ln().abs() < (before / 20.0).ln().abs(), "nearer with it: {datum:#}");
    // What both runs pay alike says nothing of their ratio.
    let sigmas = |id: &str| {
        let all = answer["parameters"].as_array().unwrap();
        let one = all.iter().find(|p| p["id"] == id);
        one.map_or(0.0, |p| number(&p["sigmas"]).abs())
    };
    assert!(sigmas("sync_service") > 2.0 * sigmas("command"), "{answer:#}");
}

#[test]
fn an_order_counts_only_where_it_is_violated() {
    let folder = scratch("add-order-claims");
    let holds = ORDER.replace("nfs commit\", \"block", "block commit\", \"nfs");
    let answer = json(&write(&folder, "holds.toml", compared(&holds)), &[]);
    assert_eq!(answer["verdict"]["degrees_of_freedom"], 0);
    assert_eq!(number(&answer["verdict"]["chi_squared"]), 0.0);
    assert_eq!(answer["parameters"], Value::Array(Vec::new()));
    assert_eq!(answer["data"][0]["measured"], Value::Null);
    assert_eq!(answer["data"][0]["holds"], true);
    // NFS commits ten times as slowly: nobody believes the contrary.
    let answer = json(&write(&folder, "wrong.toml", compared(ORDER)), &[]);
    assert_eq!(answer["verdict"]["agrees"], false);
    assert_eq!(answer["verdict"]["degrees_of_freedom"], 1);
    assert_eq!(answer["data"][0]["holds"], false);
    let ran = add(&write(&folder, "wrong.toml", compared(ORDER)), &[]);
    assert!(ran.out.contains("above 1"), "{}", ran.out);
}

#[test]
fn the_example_of_comparisons_is_blended() {
    let path = "assets/examples/measurements/mount-options.toml";
    let example = document::read_text(Path::new(path)).unwrap();
    let readme = README.find("id = \"what locks cost\"").expect("it is shown");
    let shown = &README[readme..README[readme..].find("```").unwrap() + readme];
    let plain = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(plain(&example).contains(plain(shown).trim_end()), "{shown}");
    let answer = json(path, &[]);
    assert_eq!(answer["verdict"]["agrees"], true);
    assert_eq!(answer["data"].as_array().unwrap().len(), 3);
}

/// As [`BROKEN`], of comparisons.
const BROKEN_COMPARISON: &str = r#"
"nfs commit", => "nfs comit", =>EXP001 22 did you mean "commit"?
"nfs commit", => "nsf commit", =>EXP001 22 did you mean "nfs"?
, "block commit" =>  =>EXP002 20 names two readings
measured = 20 => measured = 0 =>EXP002 23 above 0
measured = 20 => measured = "20 s" =>DOC005 23 number
5 % => 500 % =>EXP002 24 at most 100 %
spread = "5 %" =>  =>DOC004 20 comparison[0].spread
id = "over" => id = "over"; datum = "P17-branchsubmit-fb" =>EXP003 22 published datum
id = "over" => id = "nfs" =>EXP002 21 occurs twice
id = "over" => id = "over"; order = ["nfs commit", "block commit"] =>EXP003 20 either `ratio` or `order`
"block commit"] => "P17-branchsubmit-fa commit"] =>EXP003 15 says nothing
id = "over" => id = "over"; figure = "x" =>DOC003 22 nothing reads this
"#;

#[test]
fn a_broken_comparison_names_line_and_field() {
    broken("add-broken-comparison", &compared(RATIO), BROKEN_COMPARISON);
}

#[test]
fn what_is_saved_changes_predictions_on_ones_own_array() {
    let folder = scratch("add-save");
    let models = own_array(&folder);
    let path = write(&folder, "result.toml", own_run());
    let saved = folder.join("saved");
    let saved = saved.to_str().unwrap();
    let site = example("pure-lab-2017");
    let arguments = ["--models", &models, "--save", saved, "--site", &site];
    let answer = json(&path, &arguments);
    let files = answer["saved"].as_array().unwrap();
    assert!(files.iter().all(|f| f["replaced"] == false), "{files:?}");
    assert_eq!(files.len(), 2);
    assert_eq!(std::fs::read_dir(saved).unwrap().count(), 2, "nothing half written stays");
    assert_eq!(answer["advice"]["changed"], answer["advice"]["before"] != answer["advice"]["after"]);

    let commit = |calibration: &[&str]| {
        let base = [
            "predict",
            &site,
            // Large syncs would fill db.have on NFS.
            "--set",
            "workload.concurrent_syncs=0",
            "--layout",
            "ours-nfs",
            "--models",
            &models,
            "--format",
            "json",
        ];
        let prediction: Value = serde_json::from_str(&plimsoll(&[&base, calibration].concat()).out).unwrap();
        let all = prediction["numbers"].as_array().unwrap();
        let number = all.iter().find(|n| n["name"] == "arrays/ours.sync_service").unwrap();
        let classes = prediction["predictions"].as_array().unwrap();
        let submit = classes.iter().find(|c| c["class"] == "submit").unwrap();
        (number["origin"].clone(), submit["response_time_s"]["value"].as_f64().unwrap())
    };
    let (before, after) = (commit(&[]), commit(&["--calibration", saved]));
    assert_eq!((&before.0, &after.0), (&"assumed".into(), &"fitted".into()));
    assert!(after.1 > 1.15 * before.1, "{before:?} {after:?}");

    // Blended once more, the same measurement is no news for what it told.
    let again = path.replace("result", "again");
    let text = own_run().replace("\"ours\"\nlike", "\"again\"\nlike");
    let text = &text[..text.find("\n[[free]]").unwrap()];
    std::fs::write(&again, text).unwrap();
    let second = json(&again, &["--models", &models, "--calibration", saved]);
    let datum = &second["data"][0];
    let [before, after] = [&datum["before"]["value"], &answer["data"][0]["after"]].map(number);
    assert!((before / after).ln().abs() < 1e-3, "{before} {after}");

    let refused = add(&path, &arguments);
    assert!(refused.refused().contains("--overwrite"), "{}", refused.err);
    let answer = json(&path, &[&arguments[..], &["--overwrite"]].concat());
    assert!(answer["saved"].as_array().unwrap().iter().all(|f| f["replaced"] == true));
}

/// Two files one after the other know as much as one with both runs.
#[test]
fn the_order_of_measurements_does_not_matter() {
    let folder = scratch("add-order");
    let runs = [run("first", "P17-branchsubmit-fb", "32 s"), run("second", "P17-branchsubmit-fa", "1.7 s")];
    let free = free("arrays/flashblade.sync_service");
    let both = write(&folder, "both.toml", format!("{HEAD}{}{}{free}", runs[0], runs[1]));
    let one = write(&folder, "one.toml", format!("{HEAD}{}{free}", runs[0]));
    let two = write(&folder, "two.toml", format!("{HEAD}{}", runs[1]));
    let saved = folder.join("saved");
    let saved = saved.to_str().unwrap();
    json(&one, &["--save", saved]);
    json(&two, &["--calibration", saved, "--save", saved, "--overwrite"]);
    let at_once = folder.join("at-once");
    let at_once = at_once.to_str().unwrap();
    json(&both, &["--save", at_once]);
    let shifts = |folder: &str| {
        let text = document::read_text(&Path::new(folder).join("fitted.toml")).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("shift = "));
        lines.map(|shift| shift.parse().unwrap()).collect::<Vec<f64>>()
    };
    let (a, b) = (shifts(saved), shifts(at_once));
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert!((a - b).abs() < 5e-3, "{a} {b}");
    }
}

#[test]
fn options_of_add_need_it_and_go_with_no_other_task() {
    let path = "assets/examples/measurements/branchsubmit.toml";
    for arguments in [
        vec!["calibrate", "--save", "nowhere"],
        vec!["calibrate", "--force"],
        vec!["calibrate", "--add", path, "--overwrite"],
        vec!["calibrate", "--add", path, "--check"],
        vec!["calibrate", "--add", path, "--write", "nowhere"],
    ] {
        let ran = plimsoll(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
    }
    assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("nowhere").exists());
}

/// A thousand random reads of flash: whether a page is one request stands at a limit, and no error of it, however small, makes the
/// interval another one.
#[test]
fn a_number_that_stands_at_a_limit_adds_no_more_than_its_error() {
    let folder = scratch("limit");
    let text = r#"
[[workload]]
id = "reads"
title = "random reads of pages by one process"
why = "a test of the drives"
db = "500 GB"
db_hot = "500 GB"
depot = "1 TB"
connections = 1
cold = true

[[workload.group]]
name = "reader"
population = 1
call = [{ command = "fstst-8k-read" }]

[[lab]]
id = "ours"
server = "present-16c"
client_network = "eth-10g"
ethernet = "eth-10g"
fabric = "fc-8g"
release = "2025.1"
peeking = 2
why = "the catalogue's entry of that size"

[[run]]
id = "reads"
lab = "ours"
layout = "local-pairs"
workload = "reads"
measure = [{ name = "elapsed", what = "elapsed", cycles = 1, measured = "98 ms", spread = "3 %" }]
"#;
    let file = write(&folder, "reads.toml", format!("{HEAD}{text}"));
    let interval = |spread: &str| {
        let stands = r#"origin = "assumed", spread = "0 %", note = "4 KiB blocks in extents"#;
        let xfs = include_str!("../../models/filesystems/xfs.toml");
        assert!(xfs.contains(stands));
        let models = folder.join("models");
        std::fs::create_dir_all(models.join("filesystems")).expect("a folder");
        let xfs = xfs.replace(stands, &stands.replace("0 %", spread));
        std::fs::write(models.join("filesystems/xfs.toml"), xfs).expect("a file");
        let answer = json(&file, &["--models", &models.to_string_lossy()]);
        let before = &answer["data"][0]["before"];
        [&before["low"], &before["high"]].map(number)
    };
    let [low, high] = interval("0 %");
    assert!(low < 0.098 && 0.098 < high && high / low < 10.0, "{low} {high}");
    for spread in ["0.01 %", "30 %"] {
        let [small, large] = interval(spread);
        let wider = (large / small).ln() / (high / low).ln();
        assert!((0.99..1.1).contains(&wider), "{spread}: {small} to {large}");
    }
}
