//! What is asked of the server, and how often.

use super::{A_DAY, Check, Evidence, Facts, Finding, Said, Severity};
use crate::catalog::Feature;
use crate::site::Office;
use crate::system::{Overload, PredictError, Resource, ResourceKind};
use crate::units::{Bytes, Fraction, Seconds, about_count, grouped};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("QUE005", Once(polling_flood)),
    ("QUE006", Each(expensive_tool_reads)),
    ("QUE008", Once(exclusive_opens)),
    ("QUE011", Once(overloaded_peak)),
    ("EDG006", Once(more_commands_than_published)),
    ("MEM005", Once(unlimited_commands)),
];

fn polling_flood(facts: &Facts<'_>) -> Option<Finding> {
    /// Two fifths, twice what is assumed for any site (`workload.polling_share`).
    const SHARE_MAX: f64 = 0.4;

    let work = &facts.site.workload;
    let (share, polls) = (&work.polling_share, &work.polls);
    let is_known = share.is_stated() || !polls.is_empty();
    if share.value.get() <= SHARE_MAX || !is_known {
        return None;
    }
    let peak = work.commands_per_day.value.get() * share.value.get() * work.peak_to_mean.value;
    let most = polls.iter().max_by(|a, b| a.rate.get().total_cmp(&b.rate.get()));
    let tool = most.and_then(|polls| facts.catalog.tools.get(&polls.tool));
    let by = tool.map_or(String::new(), |tool| format!("most of it comes from {}", tool.entry.title));
    let action = tool.map_or_else(
        || {
            Said::from("count the commands by program in one day's log, and raise that program's interval")
                .then("builds by trigger in place of polling")
        },
        |tool| tool.remedy.value.as_str().into(),
    );
    let mut evidence = vec![
        Evidence::answer("workload.polling_share", share, share.value.estimated()),
        Evidence::new("P4LOGS", "floods of fstat, opened and changes from editors and builds"),
    ];
    if let Some(tools) = &work.tools {
        evidence.push(Evidence::answer("workload.tools", tools, tools.value.join(", ")));
    }
    Some(
        Finding::warning(
            Said::from(format!(
                "polling is {} of all commands, about {} a second at the peak",
                share.value.estimated(),
                about_count(peak)
            ))
            .then(by)
            .then(
                "no person waits for its answers, and it takes \
                 processes, memory and locks from people's commands",
            ),
            action,
            evidence,
        )
        .costing(facts.slowed(0.004 * share.value.get())),
    )
}

fn expensive_tool_reads(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// One lockless row (P4LOGS: 22.4 million rows in 61 s) \[s\].
    const ROW: f64 = 2.7e-6;
    /// Shorter ones do not matter (assumed) \[s\].
    const TIME_MIN: f64 = 1.0;
    /// From here on it is felt (assumed) \[s\].
    const LONG: f64 = 10.0;
    /// About 5 s of reading (assumed).
    const SCAN_ROWS: f64 = 2_000_000.0;

    let rows = &facts.site.data.revisions;
    let time = rows.value * ROW;
    if time <= TIME_MIN {
        return;
    }
    let polls = facts.site.workload.polls.iter();
    let tools = polls.filter_map(|polls| facts.catalog.tools.get(&polls.tool));
    for tool in tools.filter(|tool| tool.scans) {
        let severity = if time > LONG { Severity::Warning } else { Severity::Note };
        let shown = Seconds::new(time).estimated();
        out.push(
            Finding::new(
                severity,
                Said::from(format!(
                    "a poll of {} that finds no recent change reads up to {} rows, about {shown} of a core; no time here counts such polls",
                    tool.entry.title,
                    about_count(rows.value)
                ))
                .then("it pushes other pages out of memory"),
                Said::from(tool.remedy.value.as_str()).then(format!("put its user into a group with MaxScanRows: {:.0} (p4 group)", SCAN_ROWS.min(rows.value))),
                vec![
                    Evidence::answer("data.revisions", rows, grouped(rows.value)),
                    Evidence::new("P4LOGS", "22.4 million rows read in 61 s by one changes -m1"),
                    Evidence::new("P4LOCKLESS", "commands that peek do not obey MaxLockTime"),
                ],
            )
            .costing(facts.slowed(0.001)),
        );
    }
}

fn exclusive_opens(facts: &Facts<'_>) -> Option<Finding> {
    /// From half of the files on artists are most of the users (assumed).
    const BINARY_MIN: f64 = 0.5;

    let share = &facts.site.data.binary_share;
    let distant = facts.site.people.sites.iter();
    let served = |o: &&Office| facts.deployment.offices.contains(&o.name);
    let far = distant.filter(served).max_by(|a, b| {
        let trip = |o: &Office| o.round_trip.value.get();
        trip(a).total_cmp(&trip(b))
    });
    let files = facts.site.workload.files_per_edit.value;
    let wait = far.map_or(String::new(), |office| {
        let all = Seconds::new(office.round_trip.value.get() * files).estimated();
        format!("an edit of {files} files in {} waits up to {all} for that", office.name)
    });
    let mut evidence = vec![
        Evidence::answer("data.binary_share", share, share.value),
        Evidence::new("P4DIST", "opens of +l files are settled on the commit server"),
    ];
    let (severity, cost) = match facts.seen("exclusive-opens") {
        Some(sign) => {
            evidence.push(sign);
            (Severity::Warning, facts.slowed(0.003))
        }
        None if far.is_some() && share.is_stated() && share.value.get() >= BINARY_MIN => {
            (Severity::Note, facts.slowed(0.0005))
        }
        None => return None,
    };
    Some(
        Finding::new(
            severity,
            Said::from("exclusive opens (+l) go to the commit server one by one, whatever the edge")
                .then(format!("{} of the files are binary", share.value))
                .then(wait),
            "give +l in p4 typemap to the extensions that cannot be merged, and not to whole trees",
            evidence,
        )
        .costing(cost),
    )
}

fn overloaded_peak(facts: &Facts<'_>) -> Option<Finding> {
    let error = facts.overload?;
    let action = match error.resource().map(Resource::kind) {
        Some(ResourceKind::Lock) => Said::from("shorten or avoid the holds of that lock")
            .detail("block storage or flash for database and journal, lockless reads, fewer large commands"),
        Some(ResourceKind::ClientNetwork | ResourceKind::Wan) => {
            Said::from("add links or faster ones, or edges and proxies").then("storage will not help")
        }
        Some(ResourceKind::Processor) => Said::from("add cores or edges, and poll less").then("storage will not help"),
        _ => Said::from("put what lies there on faster or more drives").detail("flash for the database first"),
    };
    let stated = facts.site.workload.commands_per_day.is_stated();
    // A peak that nobody stated comes after what the answers say.
    let (severity, load, weight) = if stated {
        (Severity::Critical, "today's peak", 1.0)
    } else {
        (Severity::Warning, "today's assumed peak", 0.1)
    };
    let (what, needs) = match error {
        PredictError::Saturated { resource, utilization } => {
            let Overload { what, needs } = Overload::of(resource, *utilization);
            (what, needs)
        }
        error => (error.to_string(), None),
    };
    let needs = needs.unwrap_or_else(|| "it cannot keep up".to_owned());
    // What is overloaded, by the name that other findings have for it too.
    let names = error.resource().map(|resource| resource.name.clone());
    let share = Fraction::new(facts.headroom.factor.min(1.0)).estimated();
    Some(
        Finding::new(
            severity,
            Said::from(format!("{what} at {load}"))
                .detail(needs)
                .then(format!("about {share} of that peak is carried")),
            action,
            vec![
                Evidence::new("model", error.to_string()),
                Evidence::new("LAZOWSKA1984", "the busiest resource bounds what a system does"),
            ],
        )
        .costing(weight * facts.loaded(0.05))
        .about(names),
    )
}

fn more_commands_than_published(facts: &Facts<'_>) -> Option<Finding> {
    let commands = &facts.site.workload.commands_per_day;
    let servers = facts.deployment.servers() as f64;
    let each = commands.value.get() * A_DAY / servers;
    if each <= PUBLISHED {
        return None;
    }
    let wanted = (each * servers / PUBLISHED).ceil() - 1.0;
    let most = facts.site.infrastructure.edges_max.value;
    let action = if facts.site.server.release.value.edges() {
        Said::from(format!("spread builds and tools over about {wanted} edges and read-only replicas in the same data centre (infrastructure.edges_max \
             is {most})")).detail("no published server answers so many alone")
    } else {
        "upgrade to a release with edges (2013.2), and spread builds and tools over them".into()
    };
    let who = if servers > 1.0 {
        format!("each of {servers} servers answers")
    } else {
        "the server alone answers".to_owned()
    };
    Some(
        Finding::warning(
            Said::from(format!("{who} {} commands a day", about_count(each)))
                .then("the busiest published server answers 12 million"),
            action,
            vec![
                Evidence::answer("workload.commands_per_day", commands, commands.value),
                Evidence::new("P4DIST", "edges and replicas take commands off the commit server"),
            ],
        )
        .costing(facts.slowed(0.005)),
    )
}

/// Google's, 2011, as the site file's reference cites it.
pub(super) const PUBLISHED: f64 = 12e6;

fn unlimited_commands(facts: &Facts<'_>) -> Option<Finding> {
    /// 1 KB a file (KB2957) \[B\].
    const A_FILE: f64 = 1024.0;
    /// Half of the memory for one command (assumed).
    const SHARE_MAX: f64 = 0.5;

    let files = &facts.site.data.files;
    let need = files.value * A_FILE;
    let share = need / facts.memory.there.get().max(1.0);
    let sign = facts.seen("no-command-limits");
    if sign.is_none() && share <= SHARE_MAX {
        return None;
    }
    let results = two_significant((files.value / 10.0).clamp(10_000.0, 5_000_000.0));
    let memory = if facts.site.server.release.value.has(Feature::CommandMemory) { "MaxMemory beside it" } else { "" };
    let setting = facts.setting("p4-configure", "server.commandlimits");
    let setting = setting.map_or(String::new(), |value| format!("run p4 configure set server.commandlimits={value}"));
    let stopped = if sign.is_some() { "and nothing stops it" } else { "unless a limit stops it" };
    let mut evidence = vec![
        Evidence::answer("data.files", files, grouped(files.value)),
        Evidence::new("KB2957", "about 1 KB a file of a large command"),
        Evidence::new("P4LOCKLESS", "commands that peek do not obey MaxLockTime"),
    ];
    evidence.extend(sign);
    Some(
        Finding::warning(
            format!(
                "one command that lists all {} files takes {} of {} memory, {stopped}",
                about_count(files.value),
                Bytes::new(need).estimated(),
                facts.memory.there
            ),
            Said::from(format!(
                "set MaxResults: {results:.0} and MaxScanRows: {:.0} for a group of all users (p4 group)",
                results * 10.0
            ))
            .then(memory)
            .then(setting),
            evidence,
        )
        .costing(facts.standstill(0.5, 4.0)),
    )
}

/// Two digits of a count: limits are guesses.
fn two_significant(x: f64) -> f64 {
    let step = 10_f64.powf(x.log10().floor() - 1.0);
    (x / step).round() * step
}
