//! The figures that sites with the SDP watch, under the names of `p4prometheus`, as one text in Prometheus' format.
//!
//! The figures are sums over the whole log: a textfile collector may take them, and a second log begins anew.

use std::collections::BTreeMap;

use crate::serverlog::analysis::{Cost as _, Findings, TableSum};
use crate::serverlog::pseudonym::OWN_LOCKS;

/// A label value as the format wants it.
fn label(text: &str) -> String {
    let mut out = String::new();
    for c in crate::diag::harmless_line(text).chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            c => out.push(c),
        }
    }
    out
}

/// Metrics, one after the other.
struct Metrics(String);

impl Metrics {
    /// A counter of the whole log.
    fn counter(&mut self, name: &str, help: &str, amount: f64) {
        self.metric("counter", name, help, [(String::new(), amount)]);
    }

    /// The largest of a figure, if the log states it.
    fn gauge(&mut self, name: &str, help: &str, amount: Option<f64>) {
        self.metric("gauge", name, help, amount.map(|amount| (String::new(), amount)));
    }

    /// A counter by names of one sort, which the help says.
    fn counter_by<'n>(&mut self, key: &str, name: &str, help: &str, amounts: impl Iterator<Item = (&'n str, f64)>) {
        let samples = amounts.map(|(value, amount)| (format!("{{{key}=\"{}\"}}", label(value)), amount));
        self.metric("counter", name, &format!("{help} (by {key})"), samples);
    }

    /// A metric: its samples by labels; nothing without samples.
    fn metric(&mut self, kind: &str, name: &str, help: &str, samples: impl IntoIterator<Item = (String, f64)>) {
        let mut head = format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (labels, amount) in samples {
            let amount = format!("{amount:.3}");
            let amount = amount.trim_end_matches('0').trim_end_matches('.');
            self.0.extend([&std::mem::take(&mut head), name, &labels, " ", amount, "\n"]);
        }
    }
}

/// The text. It names functions, programs, tables and triggers, and no user, workspace or address.
pub fn prometheus(findings: &Findings) -> String {
    let mut out = Metrics(String::new());
    whole_log(&mut out, findings);
    by_command(&mut out, findings);
    by_table(&mut out, findings);
    out.0
}

fn whole_log(out: &mut Metrics, findings: &Findings) {
    let (quality, server) = (&findings.quality, &findings.server);
    let lines = quality.log.understood.lines as f64;
    out.counter("p4_prom_log_lines_read", "A count of log lines read", lines);
    let records = quality.records as f64;
    out.counter("p4_prom_cmds_processed", "A count of all cmds processed", records);
    let pending = quality.endings.pending as f64;
    out.gauge("p4_prom_cmds_pending", "A count of all current cmds (not completed)", Some(pending));
    let most = server.active.map(|(count, _)| count as f64);
    let running = "The max number of running commands that the server stated";
    out.gauge("p4_cmds_running_max", running, most);
    let most = server.paused.map(|(count, _)| count as f64);
    let paused = "The max number of (resource pressure) paused commands";
    out.gauge("p4_cmds_paused_max", paused, most);
    let paused = "Total time of commands paused due to resource pressure (seconds)";
    out.counter("p4_cmds_paused_cumulative", paused, findings.parts.paused_s);
}

/// By function, and by program.
fn by_command(out: &mut Metrics, findings: &Findings) {
    let functions = || findings.functions.rows.iter();
    let count = functions().map(|(name, t)| (name.as_str(), t.commands as f64));
    out.counter_by("cmd", "p4_cmd_counter", "A count of completed p4 cmds", count);
    let lapse = functions().map(|(name, t)| (name.as_str(), t.lapse_s));
    out.counter_by("cmd", "p4_cmd_cumulative_seconds", "The total in seconds", lapse);
    let failed = functions().filter(|(_, t)| t.failed > 0);
    let failed = failed.map(|(name, t)| (name.as_str(), t.failed as f64));
    out.counter_by("cmd", "p4_cmd_error_counter", "A count of cmd errors", failed);
    // The log counts processor time where any command has it; p4d on Windows has none.
    let used = || functions().filter(|_| findings.quality.with_usage > 0);
    let user = used().map(|(name, t)| (name.as_str(), t.processor_s - t.system_s));
    let help = "The total in user CPU seconds";
    out.counter_by("cmd", "p4_cmd_user_cpu_cumulative_seconds", help, user);
    let system = used().map(|(name, t)| (name.as_str(), t.system_s));
    let help = "The total in system CPU seconds";
    out.counter_by("cmd", "p4_cmd_system_cpu_cumulative_seconds", help, system);

    let programs = || findings.program_records.rows.iter();
    let count = programs().map(|(name, t)| (name.as_str(), t.commands as f64));
    out.counter_by("program", "p4_cmd_program_counter", "A count of completed p4 cmds", count);
    let lapse = programs().map(|(name, t)| (name.as_str(), t.lapse_s));
    out.counter_by("program", "p4_cmd_program_cumulative_seconds", "The total in seconds", lapse);
}

/// By table, and by trigger.
fn by_table(out: &mut Metrics, findings: &Findings) {
    let mut tables: BTreeMap<&str, TableSum> = BTreeMap::new();
    for (name, sum) in &findings.tables.rows {
        // A lock file of no known kind may be called after anybody.
        let name = match name.strip_prefix("db.").unwrap_or(name) {
            name if name.contains('/') && !OWN_LOCKS.contains(&name) => "other locks",
            name => name,
        };
        tables.entry(name).or_default().merge(sum);
    }
    let mut times = |name: &str, what: &str, seconds: fn(&TableSum) -> f64| {
        let amounts = tables.iter().map(|(table, sum)| (*table, seconds(sum)));
        out.counter_by("table", name, &format!("The total {what} in seconds"), amounts);
    };
    times("p4_total_read_wait_seconds", "waiting for read locks", |t| t.read_wait_s.0);
    times("p4_total_read_held_seconds", "read locks held", |t| t.read_held_s.0);
    times("p4_total_write_wait_seconds", "waiting for write locks", |t| t.write_wait_s.0);
    times("p4_total_write_held_seconds", "write locks held", |t| t.write_held_s.0);

    let triggers = findings.triggers.rows.iter();
    let lapse = triggers.filter(|(_, sum)| sum.timed > 0);
    let lapse = lapse.map(|(name, sum)| (name.as_str(), sum.lapse_s));
    let help = "The total lapse time for triggers in seconds";
    out.counter_by("trigger", "p4_total_trigger_lapse_seconds", help, lapse);
}
