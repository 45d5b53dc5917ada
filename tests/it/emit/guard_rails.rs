//! Limits and alarms lie between the usual peak and where the server gives way; promtool evaluates the rules on series of a
//! simulated peak, where it is installed.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use plimsoll::advisor::GuardRails;
use plimsoll::document::read_text;
use plimsoll::emit::ConfigFile;
use serde_json::Value;

use super::Advised;
use super::parsed::servers;
use crate::cli::{example, plimsoll, scratch, write};

/// What is set for the whole installation.
fn configurables(advised: &Advised) -> BTreeMap<String, String> {
    let release = advised.advice.chosen.as_ref().unwrap().deployment.release;
    let (installation, _) = servers(release, &advised.files());
    let all = installation.configurables.into_iter();
    all.filter(|((server, _), _)| server == "any").map(|((_, name), value)| (name, value)).collect()
}

/// A rule: its name, what it compares, and with what.
fn rules(file: &ConfigFile) -> BTreeMap<String, (String, f64)> {
    let text = |start: &str| {
        let lines = file.lines.iter().filter_map(move |line| line.text.strip_prefix(start));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let names = text("  - alert: ").into_iter();
    names
        .zip(text("    expr: "))
        .map(|(name, expression)| {
            let expression = expression.trim_matches('\'').to_owned();
            let (left, right) = expression.rsplit_once(['>', '<']).expect("a comparison");
            let threshold = right.rsplit(' ').next().and_then(|last| last.parse().ok());
            (name, (left.trim().to_owned(), threshold.unwrap_or(f64::NAN)))
        })
        .collect()
}

#[test]
fn thresholds_lie_above_the_usual_peak_and_below_what_comes_next() {
    for (example, overrides) in
        [("game-studio", &[][..]), ("game-studio", &["server.cores=2"]), ("pure-lab-2017", &["server.release=2025.2"])]
    {
        let advised = Advised::example(example, overrides);
        let chosen = advised.advice.chosen.as_ref().unwrap();
        let set = configurables(&advised);
        let number = |name: &str| set[name].parse::<f64>().unwrap();
        let guards = GuardRails::of(chosen, 0);
        assert!(guards.stalled <= guards.stalled_at_limit, "{guards:?}");
        assert!(guards.blocked <= guards.running, "{guards:?}");
        let (medium, high) = (number("sys.pressure.mem.medium"), number("sys.pressure.mem.high"));
        if guards.leaves_memory() {
            assert!(100.0 * guards.memory < medium && medium <= high - 7.0, "{guards:?} {medium}");
        } else {
            assert!(medium >= 100.0, "{guards:?} {medium}");
        }
        let processors = number("sys.pressure.os.cpu.high");
        if guards.pausing_helps() {
            let (peak, limit) = (100.0 * guards.stalled, 100.0 * guards.stalled_at_limit);
            assert!((peak..=limit.ceil()).contains(&processors), "{guards:?} {processors}");
        } else {
            assert!(processors >= 100.0, "{guards:?} {processors}");
        }
        assert_eq!(number("sys.pressure.max.pause.time"), 0.0, "a preview comes first");
        let rules = rules(&advised.file("commit-server/p4-alerts.yml"));
        assert!(rules["P4CommandsBlocked"].1 >= 2.0 * guards.blocked, "{rules:?}");
        assert!(rules["P4CommandsRunning"].1 >= 2.0 * guards.running, "{rules:?}");
        assert_eq!(rules.contains_key("P4ProcessorsShort"), guards.pausing_helps(), "{rules:?}");
    }
}

#[test]
fn releases_without_a_feature_get_none_of_its_limits() {
    let advised = Advised::example("netapp-lab-2013", &[]);
    let set = configurables(&advised);
    assert!(set.keys().all(|name| !name.starts_with("sys.pressure")), "{set:?}");
    let limits = advised.file("commit-server/p4-group-limits.sh").render();
    assert!(limits.contains("MaxLockTime=") && !limits.contains("MaxMemory"), "{limits}");
    let alerts = advised.file("commit-server/p4-alerts.yml").render();
    assert!(!alerts.contains("p4_cmds_paused"), "{alerts}");
}

#[test]
fn limits_of_groups_let_the_largest_ordinary_command_pass() {
    let small = Advised::example("game-studio", &[]);
    let large = Advised::example("game-studio", &["data.workspace_files=3000000"]);
    let limit = |advised: &Advised, name: &str| {
        let file = advised.file("commit-server/p4-group-limits.sh");
        let mut lines = file.lines.iter();
        let value = lines.find_map(|line| line.text.strip_prefix(&format!("{name}=")));
        value.unwrap().parse::<f64>().unwrap()
    };
    for name in ["MaxResults", "MaxScanRows"] {
        assert!(limit(&large, name) >= limit(&small, name), "{name}");
    }
    assert!(limit(&large, "MaxResults") >= 3e6);
    assert!(limit(&small, "MaxScanRows") >= limit(&small, "MaxResults"));
    assert!((1000.0..=30_000.0).contains(&limit(&small, "MaxLockTime")));
}

/// Whether promtool takes it; `None` where it is not installed.
#[expect(clippy::print_stderr, reason = "says that it was skipped")]
fn promtool(arguments: &[&str], folder: &Path) -> Option<Result<(), String>> {
    let mut command = Command::new("promtool");
    let Ok(ran) = command.args(arguments).current_dir(folder).output() else {
        eprintln!("skipped: there is no promtool here; .ci/run installs it");
        return None;
    };
    let said = [ran.stdout, ran.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    Some(if ran.status.success() { Ok(()) } else { Err(said) })
}

#[test]
fn rules_with_hostile_names_are_rules_all_the_same() {
    let name = "/hx'\"} or vector(1) # {{ $labels }}\\";
    let advised = Advised::example("game-studio", &[]);
    let mut hostile = advised;
    let chosen = hostile.advice.chosen.as_mut().unwrap();
    for volume in &mut chosen.deployment.volumes {
        name.clone_into(&mut volume.mount_point);
    }
    let file = hostile.file("commit-server/p4-alerts.yml");
    let text = file.render();
    let expressions = file.lines.iter().filter(|line| line.text.contains("expr: "));
    assert!(expressions.clone().count() > 5);
    for line in expressions {
        // In single quotes, each quote within doubled.
        let within = line.text.split_once('\'').unwrap().1.strip_suffix('\'').unwrap();
        assert!(!within.replace("''", "").contains('\''), "{}", line.text);
    }
    assert!(!text.contains("{{"), "{text}");
    let folder = scratch("hostile-alerts");
    write(&folder, "p4-alerts.yml", text);
    if let Some(checked) = promtool(&["check", "rules", "p4-alerts.yml"], &folder) {
        checked.unwrap_or_else(|said| panic!("{said}"));
    }
}

/// How long the usual peak is simulated.
const MINUTES: usize = 14;

/// Commands that run and that wait, at each minute of a simulated peak; of those that begin in minutes
/// of a jam each waits for its end.
struct Peak {
    running: [u32; MINUTES],
    blocked: [u32; MINUTES],
}

impl Peak {
    fn of(log: &str, jam: std::ops::Range<u32>) -> Self {
        let mut peak = Self { running: [0; MINUTES], blocked: [0; MINUTES] };
        let commands = log.lines().filter_map(|line| {
            let command: Value = serde_json::from_str(line).unwrap();
            let lapse = command["lapse_s"].as_f64()?;
            let time = command["start"].as_str()?[11..19].split(':');
            let time = time.map(|part| part.parse::<u32>().unwrap());
            Some((time.fold(0, |time, part| 60 * time + part), lapse, command))
        });
        let commands: Vec<_> = commands.collect();
        let first = commands.iter().map(|(second, ..)| *second).min().unwrap();
        for (second, lapse, command) in commands {
            let second = second - first;
            let waits = |table: &Value| {
                ["read_wait_ms", "write_wait_ms"].map(|key| table["total"][key].as_f64().unwrap_or(0.0))
            };
            let tables = command["tables"].as_array().into_iter().flatten();
            let waited = tables.flat_map(waits).sum::<f64>() / 1e3;
            let (lapse, waited) = if jam.contains(&(second / 60)) {
                let left = f64::from(60 * jam.end - second);
                (lapse + left, left)
            } else {
                (lapse, waited)
            };
            let at = f64::from(second);
            for minute in 0..MINUTES {
                let then = 60.0 * minute as f64;
                let is_there = |until: f64| u32::from((at..at + until).contains(&then));
                peak.running[minute] += is_there(lapse);
                peak.blocked[minute] += is_there(waited);
            }
        }
        peak
    }

    /// Its series for promtool.
    fn series(&self) -> String {
        let mut text = String::new();
        for (name, values) in [("p4_cmds_running", &self.running), ("p4_locks_cmds_blocked", &self.blocked)] {
            let values = values.map(|value| value.to_string()).join(" ");
            text.push_str("  - series: '");
            text.push_str(name);
            text.push_str("{serverid=\"commit\"}'\n    values: '");
            text.push_str(&values);
            text.push_str("'\n");
        }
        text
    }
}

/// A test of promtool: these series, and the alerts that fire at a minute.
fn test(series: &str, minutes: &[u32], firing: &[&str]) -> String {
    let samples = firing.iter().map(|alert| format!("\n    - labels: '{{alertname=\"{alert}\"}}'\n      value: 1"));
    let samples = if firing.is_empty() { " []".to_owned() } else { samples.collect() };
    let tests = minutes.iter().map(|minute| {
        format!(
            "  - expr: count by (alertname) (ALERTS{{alertstate=\"firing\"}})\n    eval_time: {minute}m\n    exp_samples:{samples}\n"
        )
    });
    let tests: String = tests.collect();
    format!("- interval: 1m\n  input_series:\n{series}  promql_expr_test:\n{tests}")
}
#[test]
fn alerts_are_silent_at_a_simulated_peak_and_name_a_jam_a_full_volume_and_a_replica_that_lags() {
    let folder = scratch("alerts");
    let (site, out) = (example("game-studio"), folder.join("out"));
    let out = out.to_str().unwrap();
    let fewer = ["--load", "0.3"];
    plimsoll(&[&["advise", &site, "--no-confirm", "--out", out], &fewer[..]].concat());
    let config = Path::new(out).join("config");
    let log = folder.join("log");
    let log = log.to_str().unwrap();
    let simulate = ["simulate", &site, "--log", log, "--log-time", "14 min"];
    assert_eq!(plimsoll(&[&simulate[..], &fewer[..]].concat()).code, 0);
    let lines = folder.join("lines.jsonl");
    plimsoll(&["workload", log, "--jsonl", lines.to_str().unwrap()]);
    let lines = std::io::read_to_string(std::fs::File::open(lines).unwrap()).unwrap();
    let clean = Peak::of(&lines, 0..0);
    assert!(clean.running.iter().sum::<u32>() > 14, "nobody works");
    let jam = Peak::of(&lines, 5..13);
    let alerts = read_text(&config.join("commit-server/p4-alerts.yml")).unwrap();
    let mount = alerts.split("mountpoint=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let full =
        format!("  - series: 'node_filesystem_avail_bytes{{mountpoint=\"{mount}\"}}'\n    values: '1e12x4 0x50'\n");
    let plenty = full.replace("0x50", "1e12x50");
    let every: Vec<u32> = (2..14).step_by(2).collect();
    let mut text = "rule_files:\n- p4-alerts.yml\nevaluation_interval: 1m\ntests:\n".to_owned();
    text += &test(&(clean.series() + &plenty), &every, &[]);
    text += &test(&jam.series(), &[12], &["P4CommandsBlocked", "P4CommandsRunning"]);
    text += &test(&(clean.series() + &full), &[10], &["P4DatabaseVolumeFull"]);
    write(&folder, "p4-alerts.yml", &alerts);
    write(&folder, "test.yml", &text);
    let lag = "  - series: 'p4_pull_replica_lag'\n    values: '0x4 1e12x50'\n";
    let standby = std::fs::read_dir(&config).unwrap().map(|entry| entry.unwrap().path());
    let standby = standby.filter(|path| path.join("p4-alerts.yml").is_file());
    let mut lagging = standby.filter(|path| !path.ends_with("commit-server"));
    if let Some(other) = lagging.next() {
        let rules = read_text(&other.join("p4-alerts.yml")).unwrap();
        write(&folder, "other.yml", rules);
        let head = "rule_files:\n- other.yml\nevaluation_interval: 1m\ntests:\n";
        write(&folder, "lag.yml", head.to_owned() + &test(lag, &[12], &["P4ReplicaLags"]));
    }
    for arguments in
        [&["check", "rules", "p4-alerts.yml"][..], &["test", "rules", "test.yml"], &["test", "rules", "lag.yml"]]
    {
        if folder.join(arguments[2]).is_file()
            && let Some(checked) = promtool(arguments, &folder)
        {
            checked.unwrap_or_else(|said| panic!("{said}\n{text}"));
        }
    }
}
