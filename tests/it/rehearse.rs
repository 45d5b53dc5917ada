//! `plimsoll rehearse`: what is planned, what is measured, and that nothing stays behind.

use std::fs;
use std::path::Path;

use plimsoll::document::read_text;
use serde_json::Value;

use crate::cli::{Ran, example, plimsoll, scratch, write};

/// Small and short: a second, and some MiB.
const SMALL: [&str; 8] = ["--time", "1 s", "--warm-up", "0.5 s", "--max-bytes", "64 MiB", "--keep-free", "0 B"];

fn rehearse(at: &Path, more: &[&str]) -> Ran {
    of(&example("game-studio"), at, more)
}

/// The site of the points, whose commands are short and many.
const POINTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rehearsal-site.toml");

fn of(site: &str, at: &Path, more: &[&str]) -> Ran {
    let at = at.to_str().expect("UTF-8");
    plimsoll(&[&["rehearse", site, "--at", at, "--quiet"], &SMALL[..], more].concat())
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

fn planned(more: &[&str]) -> Value {
    let folder = scratch("rehearse-plan");
    let ran = rehearse(&folder, &[&["--dry-run", "--format", "json"], more].concat());
    assert!(is_empty(&folder), "a dry run writes nothing");
    ran.json()
}

fn rate(plan: &Value) -> f64 {
    let kinds = plan["kinds"].as_array().expect("kinds");
    kinds.iter().filter_map(|kind| kind["planned_per_s"].as_f64()).sum()
}

#[test]
fn the_planned_rates_are_those_of_the_site_times_the_load() {
    use plimsoll::site::{self, Vocabulary};
    use plimsoll::workload::{Arrival, from_site};
    let catalog = plimsoll::catalog::Catalog::embedded();
    let text = read_text(Path::new(&example("game-studio"))).expect("the example");
    let site = site::parse("game-studio", &text, &[], &Vocabulary::of(&catalog)).expect("a site");
    let load = from_site::load(&site);
    let asked: f64 = load
        .groups
        .iter()
        .map(|group| {
            let calls: f64 = group.calls.iter().map(|call| call.weight).sum();
            match group.arrival {
                // Large syncs are played by clients who sync one after another.
                Arrival::Open { .. } if group.clients.are_large_syncs() => 0.0,
                Arrival::Open { rate } => rate * calls,
                Arrival::Closed { think_time, .. } if think_time <= 0.0 => 0.0,
                Arrival::Closed { population, think_time } => population / think_time * calls,
            }
        })
        .sum();
    for load in ["0.1", "1", "0.5"] {
        let found = rate(&planned(&["--load", load]));
        let expected = asked * load.parse::<f64>().expect("a number");
        assert!((found / expected - 1.0).abs() < 1e-9, "load {load}: {found} planned, {expected} asked");
    }
}

#[test]
fn a_rehearsal_measures_predicts_and_leaves_nothing() {
    let folder = scratch("rehearse-run");
    let saved = scratch("rehearse-saved").join("result.toml");
    let ran = of(
        POINTS,
        &folder,
        &[
            "--load",
            "1",
            "--set",
            "workload.concurrent_syncs=1",
            "--format",
            "json",
            "--save",
            saved.to_str().expect("UTF-8"),
        ],
    );
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    assert!(is_empty(&folder), "nothing stays");
    let answer = ran.json();
    let kinds = answer["kinds"].as_array().expect("kinds");
    let measured: Vec<&Value> = kinds.iter().filter(|kind| kind["commands"].as_u64() > Some(0)).collect();
    assert!(measured.len() > 3, "{answer:#}");
    for kind in &measured {
        let mean = kind["measured_mean_s"]["value"].as_f64().expect("a mean");
        let longest = kind["measured_longest_s"].as_f64().expect("the longest");
        assert!(mean > 0.0 && mean <= longest * 1.001, "{kind:#}");
    }
    let is_predicted = answer["predicted_saturated"].is_string()
        || kinds.iter().all(|kind| kind["predicted_mean_s"]["value"].as_f64() > Some(0.0));
    assert!(is_predicted, "{answer:#}");
    assert_eq!(answer["environment"]["devices"].as_array().map(Vec::len), Some(3));
    // What was saved is the same, and the calibration takes it.
    let saved_text = read_text(&saved).expect("saved");
    let table: toml::Table = saved_text.parse().expect("TOML");
    assert_eq!(table["kind"].as_str(), Some("plimsoll rehearse"));
    let blended = plimsoll(&["calibrate", "--add", saved.to_str().expect("UTF-8"), "--as", "medium=nvme"]);
    assert!(matches!(blended.code, 0 | 1 | 3), "{}", blended.err);
    assert!(blended.code != 3 || blended.err.contains("no measurement"), "{}", blended.err);
}

#[test]
fn what_cannot_be_rehearsed_is_refused_before_anything_is_written() {
    let folder = scratch("rehearse-refused");
    let at = folder.to_str().expect("UTF-8").to_owned();
    for (more, said) in [
        (&["--load", "0"][..], "from 0.01 to 100"),
        (&["--load", "90"], "connections"),
        (&["--scale", "2"], "up to 1"),
        (&["--time", "1 ms"], "at least 0.5 s"),
        (&["--max-bytes", "1 MiB"], "at least 64 MiB"),
        (&["--max-time", "1 s"], "shorter than"),
        (&["--set", "server.instances=2"], "instances"),
    ] {
        let site = example("game-studio");
        // The last of an option that is there twice would be a usage error: the small ones are left out where they are asked for.
        let small = SMALL.chunks(2).filter(|pair| pair[0] != more[0]).flatten().copied();
        let arguments: Vec<&str> = ["rehearse", site.as_str(), "--at", at.as_str()]
            .into_iter()
            .chain(small)
            .chain(more.iter().copied())
            .collect();
        let ran = plimsoll(&arguments);
        assert!(ran.refused().contains(said), "{more:?}: {}", ran.err);
    }
    for at in ["db=/tmp", "db=/tmp,journal=/tmp,depot=/tmp,db=/tmp", "db=,journal=/tmp,depot=/tmp", "/nowhere/at/all"] {
        let ran = rehearse(Path::new(at), &[]);
        ran.refused();
    }
    let ran = rehearse(Path::new("/"), &["--dry-run"]);
    let refused = ran.refused();
    assert!(refused.contains("is the root directory of a volume") && refused.contains("plimsoll-test"), "{refused}");
    // A folder that looks like a server's root.
    write(&folder, "db.rev", "");
    write(&folder, "db.have", "");
    assert!(rehearse(&folder, &[]).refused().contains("P4ROOT"));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
}

#[cfg(target_os = "linux")]
mod stopped {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::process::CommandExt as _;
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use super::*;

    /// Kills in the suite, and how many run side by side; `PLIMSOLL_KILLS=100` is for a quiet hour.
    const KILLS: u64 = 10;
    const AT_ONCE: u64 = 5;

    #[expect(
        clippy::disallowed_methods,
        reason = "how many kills is asked for by the person who tests, and changes no result"
    )]
    fn kills() -> u64 {
        let wanted = std::env::var("PLIMSOLL_KILLS").ok();
        wanted.and_then(|n| n.parse().ok()).unwrap_or(KILLS)
    }

    /// Moments and signals: the same each time. With more kills they reach until the load is driven.
    fn chance(number: u64, below: u64) -> u64 {
        let mixed = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) % below
    }

    fn start(folder: &Path, more: &[&str]) -> Child {
        Command::new("env")
            .args(["--default-signal=HUP,INT,QUIT,TERM", env!("CARGO_BIN_EXE_plimsoll"), "rehearse", POINTS])
            .args(["--at", folder.to_str().expect("UTF-8")])
            .args(["--time", "60 s", "--warm-up", "1 s", "--load", "2"])
            .args(["--max-bytes", "64 MiB", "--keep-free", "0 B"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Whatever it starts is of its group.
            .process_group(0)
            .spawn()
            .expect("the binary runs")
    }

    fn send(child: &Child, signal: &str) {
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Processes of a group.
    fn of_group(group: u32) -> Vec<PathBuf> {
        let processes = fs::read_dir("/proc").expect("/proc").flatten();
        let is_of = |path: &PathBuf| {
            let stat = fs::File::open(path.join("stat"));
            let stat = stat.and_then(std::io::read_to_string).unwrap_or_default();
            // After the name, which may hold anything: state, parent, group.
            let rest = stat.rsplit_once(')').map(|(_, rest)| rest.to_owned());
            let group_of = rest.and_then(|rest| rest.split_whitespace().nth(2)?.parse().ok());
            group_of == Some(group)
        };
        processes.map(|entry| entry.path()).filter(is_of).collect()
    }

    /// Signals that a process catches, the lowest bit for signal 1.
    fn caught(process: u32) -> u64 {
        let status = fs::File::open(format!("/proc/{process}/status"));
        let status = status.and_then(std::io::read_to_string).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    fn signalled(number: u64, range_ms: u64) {
        let folder = scratch(&format!("rehearse-signal-{number}"));
        let (signal, bit) = [("-TERM", 14), ("-INT", 1), ("-HUP", 0)][chance(number, 3) as usize];
        let moment = chance(number + 1000, range_ms);
        let child = start(&folder, &["--quiet"]);
        let group = child.id();
        std::thread::sleep(Duration::from_millis(moment));
        let listens = caught(group) >> bit & 1 == 1;
        send(&child, signal);
        let ended = child.wait_with_output().expect("an end");
        let what = format!("kill {number}, {signal} after {moment} ms: {ended:?}");
        // Before it listens to signals there is nothing to clean up.
        assert!(matches!(ended.status.code(), None | Some(130)), "{what}");
        assert!(ended.status.code().is_some() || !listens, "{what}");
        assert!(is_empty(&folder), "left something: {what}");
        assert_eq!(of_group(group), Vec::<PathBuf>::new(), "{what}");
    }

    /// `PLIMSOLL_KILLS=100 cargo test --test it a_signal_at_any_moment`.
    #[test]
    fn a_signal_at_any_moment_leaves_nothing() {
        let range_ms = if kills() > KILLS { 12_000 } else { 3_000 };
        let numbers: Vec<u64> = (0..kills()).collect();
        std::thread::scope(|scope| {
            for first in 0..AT_ONCE {
                let own = numbers.iter().filter(move |n| *n % AT_ONCE == first);
                let work = || own.for_each(|number| signalled(*number, range_ms));
                let thread = std::thread::Builder::new().name("kills".to_owned());
                thread.spawn_scoped(scope, work).expect("a thread");
            }
        });
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The next run names what a kill left, leaves it alone, and `--clean` removes it.
    fn killed(folder: &Path, moment: Option<u64>) -> bool {
        let mut child = start(folder, &["--quiet"]);
        match moment {
            Some(moment) => std::thread::sleep(Duration::from_millis(moment)),
            None => {
                for _ in 0..4000 {
                    if !is_empty(folder) {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
        let group = child.id();
        child.kill().expect("killed");
        child.wait().expect("an end");
        assert_eq!(of_group(group), Vec::<PathBuf>::new());
        let left = names(folder);
        let mut next = start(folder, &[]);
        let mut said = BufReader::new(next.stderr.take().expect("a pipe"));
        for _ in &left {
            let mut line = String::new();
            said.read_line(&mut line).expect("a line");
            let is_named = left.iter().any(|name| line.contains(name.as_str()));
            assert!(is_named && line.contains("--clean"), "{left:?}: {line}");
        }
        send(&next, "-TERM");
        next.wait().expect("an end");
        assert_eq!(names(folder), left, "what others left stays");
        let cleaned = rehearse(folder, &["--clean"]);
        assert_eq!(cleaned.done().contains("removed "), !left.is_empty());
        assert!(is_empty(folder));
        !left.is_empty()
    }

    #[test]
    fn what_a_killed_run_leaves_is_named_and_removed_on_request() {
        let folder = scratch("rehearse-killed");
        assert!(killed(&folder, None), "nobody cleans up behind a kill");
        for number in 0..kills() / 10 {
            killed(&folder, Some(chance(number + 2000, 12_000)));
        }
    }
}
