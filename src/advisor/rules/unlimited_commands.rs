use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Release;
use crate::units::{Bytes, about_count, grouped};

pub(super) static RULE: Rule = Rule {
    id: "MEM005",
    name: "unlimited-commands",
    summary: "one command can take the server's memory",
    docs: "\
### What it does
Fires where a command that lists every file would need more than half of the memory, or where `today.signs` has
`no-command-limits`.

### Why it matters
`p4 files //...` keeps about 1 KB a file while it runs. One script, or one mistyped path, then takes the page
cache or the whole server.

### Evidence
KB2957 for 1 KB a file; P4HELP for the limits of groups and for server.maxcommands.

### What to do
Limits for all but administrators: MaxResults and MaxScanRows in `p4 group`, MaxMemory from release 2022.2 on,
`server.maxcommands`.

### Limits
Reads without locks do not obey MaxLockTime (db.peeking.usemaxlock is 0): MaxScanRows is their brake.
",
    check,
};

/// 1 KB a file (KB2957) \[B\].
const A_FILE: f64 = 1024.0;
/// Half of the memory for one command (assumed).
const SHARE_MAX: f64 = 0.5;
/// Release that first tracks the memory of a command.
const MAXMEMORY: Release = Release::new(2022, 2);

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let files = &facts.site.data.files;
    let need = files.value * A_FILE;
    let share = need / facts.memory.there.get().max(1.0);
    let sign = facts.seen("no-command-limits");
    if sign.is_none() && share <= SHARE_MAX {
        return;
    }
    let results = two_significant((files.value / 10.0).clamp(10_000.0, 5_000_000.0));
    let memory = if facts.site.server.release.value >= MAXMEMORY {
        "; MaxMemory beside it"
    } else {
        ""
    };
    let setting = facts.setting("p4-configure", "server.commandlimits");
    let setting = setting.map_or(String::new(), |value| {
        format!("; run p4 configure set server.commandlimits={value}")
    });
    let stopped = if sign.is_some() {
        "and nothing stops it"
    } else {
        "unless a limit stops it"
    };
    let mut evidence = vec![
        Evidence::answer("data.files", files, grouped(files.value)),
        Evidence::new("KB2957", "about 1 KB a file of a large command"),
        Evidence::new("P4LOCKLESS", "commands that peek do not obey MaxLockTime"),
    ];
    evidence.extend(sign);
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "one command that lists all {} files takes {} of {} memory, {stopped}",
                about_count(files.value),
                Bytes::new(need).estimated(),
                facts.memory.there
            ),
            format!(
                "set MaxResults: {results:.0} and MaxScanRows: {:.0} for a group of all users (p4 group){memory}{setting}",
                results * 10.0,
            ),
            evidence,
        )
        .costing(facts.standstill(0.5, 4.0)),
    );
}

/// Two digits of a count: limits are guesses.
fn two_significant(x: f64) -> f64 {
    let step = 10_f64.powf(x.log10().floor() - 1.0);
    (x / step).round() * step
}
