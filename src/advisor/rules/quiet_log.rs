use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "EVD004",
    name: "quiet-log",
    summary: "the server does not record what its commands cost",
    docs: "\
### What it does
Fires where the stated level of the server log is below 3, or where `today.signs` has `untracked-log` or
`monitor-off`.

### Why it matters
Without level 3 and track=1 the log has slow commands alone, and nobody can say who holds which table. Whatever
is bought then is bought on a guess.

### Evidence
P4LOGS for what each level has; P17-configurables logged at server=3, track=1; the cost is small unless the log
lies on NFS.

### What to do
Three lines, without a restart: `p4 configure set server=3`, `track=1`, `monitor=1`.

### Limits
The log grows: some 2 KB a command. It wants a volume and rotation.
",
    check,
};

/// The level from which on the log has the cost of each command.
const LEVEL_MIN: f64 = 3.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let level = &facts.site.server.log_level;
    let quiet = level.is_stated() && level.value < LEVEL_MIN;
    let signs = ["untracked-log", "monitor-off"].map(|sign| facts.seen(sign));
    if !quiet && signs.iter().all(Option::is_none) {
        return;
    }
    let set = |name| {
        facts
            .setting("p4-configure", name)
            .unwrap_or_else(|| "1".to_owned())
    };
    let mut evidence = vec![
        Evidence::answer("server.log_level", level, level.value),
        Evidence::new(
            "P4LOGS",
            "from level 3 with track=1 on each command's pages, rows and locks",
        ),
    ];
    evidence.extend(signs.into_iter().flatten());
    out.push(
        RULE.finding(
            Severity::Note,
            format!(
                "the server logs at level {} and does not record all that its commands cost: your answers do not show which \
                 command waits for which",
                level.value
            ),
            if facts.site.server.release.value.configures() {
                format!(
                    "run p4 configure set server=3, p4 configure set track={} and p4 configure set monitor={}; keep a day's log",
                    set("track"),
                    set("monitor")
                )
            } else {
                format!(
                    "start p4d with -v server=3 -v track={}, run p4 counter -f monitor {}, and keep a day's log",
                    set("track"),
                    set("monitor")
                )
            },
            evidence,
        )
        .costing(facts.slowed(0.0002)),
    );
}
