//! The figures that sites with the SDP watch, under the names of `p4prometheus`, as one text in Prometheus' format.
//!
//! The figures are sums over the whole log: a textfile collector may take them, and a second log begins anew.

use crate::serverlog::analysis::Findings;

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

/// One metric: its samples by label.
fn metric(
    out: &mut String,
    (name, kind, help): (&str, &str, &str),
    key: &str,
    samples: impl Iterator<Item = (String, f64)>,
) {
    let samples: Vec<(String, f64)> = samples.collect();
    if samples.is_empty() {
        return;
    }
    out.extend([
        "# HELP ",
        name,
        " ",
        help,
        "\n# TYPE ",
        name,
        " ",
        kind,
        "\n",
    ]);
    for (value, amount) in samples {
        let amount = format!("{amount:.3}");
        let amount = amount.trim_end_matches('0').trim_end_matches('.');
        let labels = if key.is_empty() {
            String::new()
        } else {
            format!("{{{key}=\"{}\"}}", label(&value))
        };
        out.extend([name, &labels, " ", amount, "\n"]);
    }
}

#[expect(clippy::too_many_lines, reason = "one metric after the other")]
/// The text. It names functions, programs, tables and triggers, and no user, workspace or address.
pub fn prometheus(findings: &Findings) -> String {
    let mut out = String::new();
    let one = |amount: f64| std::iter::once((String::new(), amount));
    let lines = findings.quality.log.understood.lines;
    metric(
        &mut out,
        (
            "p4_prom_log_lines_read",
            "counter",
            "A count of log lines read",
        ),
        "",
        one(lines as f64),
    );
    metric(
        &mut out,
        (
            "p4_prom_cmds_processed",
            "counter",
            "A count of all cmds processed",
        ),
        "",
        one(findings.quality.records as f64),
    );
    metric(
        &mut out,
        (
            "p4_prom_cmds_pending",
            "gauge",
            "A count of all current cmds (not completed)",
        ),
        "",
        one(findings.quality.endings.pending as f64),
    );
    let most = findings.server.active.map(|(count, _)| count as f64);
    metric(
        &mut out,
        (
            "p4_cmds_running_max",
            "gauge",
            "The max number of running commands that the server stated",
        ),
        "",
        most.into_iter().flat_map(one),
    );
    let paused = findings.server.paused.map(|(count, _)| count as f64);
    metric(
        &mut out,
        (
            "p4_cmds_paused_max",
            "gauge",
            "The max number of (resource pressure) paused commands",
        ),
        "",
        paused.into_iter().flat_map(one),
    );
    metric(
        &mut out,
        (
            "p4_cmds_paused_cumulative",
            "counter",
            "Total time of commands paused due to resource pressure (seconds)",
        ),
        "",
        one(findings.parts.paused_s),
    );
    let functions = || findings.functions.rows.iter();
    metric(
        &mut out,
        (
            "p4_cmd_counter",
            "counter",
            "A count of completed p4 cmds (by cmd)",
        ),
        "cmd",
        functions().map(|(name, t)| (name.clone(), t.commands as f64)),
    );
    metric(
        &mut out,
        (
            "p4_cmd_cumulative_seconds",
            "counter",
            "The total in seconds (by cmd)",
        ),
        "cmd",
        functions().map(|(name, t)| (name.clone(), t.lapse_s)),
    );
    metric(
        &mut out,
        (
            "p4_cmd_error_counter",
            "counter",
            "A count of cmd errors (by cmd)",
        ),
        "cmd",
        functions()
            .filter(|(_, t)| t.failed > 0)
            .map(|(name, t)| (name.clone(), t.failed as f64)),
    );
    // The log counts processor time where any command has it; p4d on Windows has none.
    let with_usage = findings.quality.with_usage > 0;
    let used = || functions().filter(|_| with_usage);
    metric(
        &mut out,
        (
            "p4_cmd_user_cpu_cumulative_seconds",
            "counter",
            "The total in user CPU seconds (by cmd)",
        ),
        "cmd",
        used().map(|(name, t)| (name.clone(), t.processor_s - t.system_s)),
    );
    metric(
        &mut out,
        (
            "p4_cmd_system_cpu_cumulative_seconds",
            "counter",
            "The total in system CPU seconds (by cmd)",
        ),
        "cmd",
        used().map(|(name, t)| (name.clone(), t.system_s)),
    );
    let programs = || findings.program_records.rows.iter();
    metric(
        &mut out,
        (
            "p4_cmd_program_counter",
            "counter",
            "A count of completed p4 cmds (by program)",
        ),
        "program",
        programs().map(|(name, t)| (name.clone(), t.commands as f64)),
    );
    metric(
        &mut out,
        (
            "p4_cmd_program_cumulative_seconds",
            "counter",
            "The total in seconds (by program)",
        ),
        "program",
        programs().map(|(name, t)| (name.clone(), t.lapse_s)),
    );
    let mut tables: Vec<_> = findings
        .tables
        .rows
        .iter()
        .map(|(name, sum)| (name.strip_prefix("db.").unwrap_or(name).to_owned(), sum))
        .collect();
    tables.sort_by(|a, b| a.0.cmp(&b.0));
    let tables = || tables.iter();
    metric(
        &mut out,
        (
            "p4_total_read_wait_seconds",
            "counter",
            "The total waiting for read locks in seconds (by table)",
        ),
        "table",
        tables().map(|(name, sum)| (name.clone(), sum.read_wait_s.0)),
    );
    metric(
        &mut out,
        (
            "p4_total_read_held_seconds",
            "counter",
            "The total read locks held in seconds (by table)",
        ),
        "table",
        tables().map(|(name, sum)| (name.clone(), sum.read_held_s.0)),
    );
    metric(
        &mut out,
        (
            "p4_total_write_wait_seconds",
            "counter",
            "The total waiting for write locks in seconds (by table)",
        ),
        "table",
        tables().map(|(name, sum)| (name.clone(), sum.write_wait_s.0)),
    );
    metric(
        &mut out,
        (
            "p4_total_write_held_seconds",
            "counter",
            "The total write locks held in seconds (by table)",
        ),
        "table",
        tables().map(|(name, sum)| (name.clone(), sum.write_held_s.0)),
    );
    let triggers = findings.triggers.rows.iter();
    metric(
        &mut out,
        (
            "p4_total_trigger_lapse_seconds",
            "counter",
            "The total lapse time for triggers in seconds (by trigger)",
        ),
        "trigger",
        triggers
            .filter(|(_, sum)| sum.timed > 0)
            .map(|(name, sum)| (name.clone(), sum.lapse_s)),
    );
    out
}
