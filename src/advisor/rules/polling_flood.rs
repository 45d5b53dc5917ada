use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::about_count;

pub(super) static RULE: Rule = Rule {
    id: "QUE005",
    name: "polling-flood",
    summary: "tools that poll send a large part of all commands",
    docs: "\
### What it does
Fires when more than 40 % of the commands are polls, and the share is stated or follows from `workload.tools`.
Names the tool that sends most.

### Why it matters
Nobody waits for a poll, and each takes a process, memory, the tables that every command reads, and a part of a
core. Faster storage serves polls faster, and no person.

### Evidence
The share is the site's or from the rates of `models/tools`, which are assumed; P4LOGS for floods of fstat,
opened and changes in real logs.

### What to do
Poll less often, in the tool's own settings; triggers in place of polling for builds; a read-only replica for
what has to poll.

### Limits
The rates are guesses by tool: one day's server log, counted by the program's name in brackets, replaces them.
",
    check,
};

/// Two fifths, twice what is assumed for any site (`workload.polling_share`).
const SHARE_MAX: f64 = 0.4;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let work = &facts.site.workload;
    let (share, polls) = (&work.polling_share, &work.polls);
    let is_known = share.is_stated() || !polls.is_empty();
    if share.value.get() <= SHARE_MAX || !is_known {
        return;
    }
    let peak = work.commands_per_day.value.get() * share.value.get() * work.peak_to_mean.value;
    let most = polls
        .iter()
        .max_by(|a, b| a.rate.get().total_cmp(&b.rate.get()));
    let tool = most.and_then(|polls| facts.catalog.tools.get(&polls.tool));
    let by = tool.map_or(String::new(), |tool| {
        format!("; most of it comes from {}", tool.entry.title)
    });
    let action = tool.map_or_else(
        || "count the commands by program in one day's log, and raise that program's interval; builds by trigger in place of polling".to_owned(),
        |tool| tool.remedy.value.clone(),
    );
    let mut evidence = vec![
        Evidence::answer("workload.polling_share", share, share.value.estimated()),
        Evidence::new(
            "P4LOGS",
            "floods of fstat, opened and changes from editors and builds",
        ),
    ];
    if let Some(tools) = &work.tools {
        evidence.push(Evidence::answer(
            "workload.tools",
            tools,
            tools.value.join(", "),
        ));
    }
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "polling is {} of all commands, about {} a second at the peak{by}; no person waits for its answers, and it takes \
                 processes, memory and locks from people's commands",
                share.value.estimated(),
                about_count(peak)
            ),
            action,
            evidence,
        )
        .costing(facts.slowed(0.004 * share.value.get())),
    );
}
