//! Edges and replicas: their archives, their copies, whether they help.

use super::commands::PUBLISHED;
use super::{A_DAY, Check, Evidence, Facts, Finding, Said, Severity, WORK_HOURS};
use crate::catalog::Value;
use crate::site::Backup;
use crate::system::ResourceKind;
use crate::units::{Bytes, Fraction, Seconds, about_count, grouped, significant};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("EDG001", Each(archive_pull_queue)),
    ("EDG002", Each(too_few_pull_threads)),
    ("EDG003", Once(listed_pull_queue)),
    ("EDG004", Once(edge_without_copy)),
    ("EDG005", Once(idle_edges)),
];

fn archive_pull_queue(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// A weekend and a day, after which people look for what is missing (assumed) \[s\].
    const LONG: f64 = 3.0 * A_DAY;

    // An edge with volumes of its own stands in another town and shares nothing.
    if facts.deployment.shared_depot && facts.deployment.office_volumes.is_empty() {
        return;
    }
    let share = &facts.site.edge.depot_share;
    let served = &facts.deployment.offices;
    let offices = facts.site.people.sites.iter().enumerate();
    for (i, office) in offices.filter(|(_, o)| served.contains(&o.name)) {
        let Some(seeding) = facts.seeding(&office.name) else {
            continue;
        };
        let time = seeding.time.value;
        if time <= A_DAY {
            continue;
        }
        let files = facts.site.data.revisions.value * share.value.get();
        let listed = Seconds::new(files * ROW).estimated();
        let severity = if time > LONG { Severity::Warning } else { Severity::Note };
        out.push(
            Finding::new(
                severity,
                Said::from(format!(
                    "the edge in {} has up to {} archive files to pull: its seeding ({}) takes {}, limited by {}",
                    office.name,
                    about_count(files),
                    facts.site.size_estimated(Bytes::new(seeding.bytes)),
                    Seconds::new(time).estimated(),
                    seeding.limit
                ))
                .then(format!(
                    "each file is a row of rdb.lbr, and a list of all (p4 pull -l) holds that table {listed} and stops replication"
                )),
                Said::from(
                    "copy the archives before the edge starts, and monitor with the summary",
                )
                .detail("p4 pull -ls, never p4 pull -l"),
                [
                    Evidence::answer(
                        &format!("people.site.{i}.bandwidth"),
                        &office.bandwidth,
                        office.bandwidth.value.in_bits(),
                    ),
                    Evidence::answer("edge.depot_share", share, share.value),
                ]
                .into_iter()
                .chain(published())
                .collect(),
            )
            .costing(office.developers.value * WORK_HOURS * 0.01),
        );
    }
}

fn too_few_pull_threads(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// Share of the time that a queue's servers may be busy before it grows at each burst (LAZOWSKA1984).
    const BUSY_MAX: f64 = 0.7;
    /// Round trips of a file: request and data (assumed).
    const ROUND_TRIPS: f64 = 2.0;

    // An edge with volumes of its own stands in another town and shares nothing.
    if facts.deployment.shared_depot && facts.deployment.office_volumes.is_empty() {
        return;
    }
    let work = &facts.site.workload;
    let files = work.submits_per_day.value.get() * work.files_per_submit.value * work.peak_to_mean.value;
    let file = facts.site.data.file_size.value.get();
    let threads = threads(facts);
    let served = &facts.deployment.offices;
    let offices = facts.site.people.sites.iter().enumerate();
    for (i, office) in offices.filter(|(_, o)| served.contains(&o.name)) {
        let line = office.bandwidth.value.get().max(f64::MIN_POSITIVE);
        let busy = files * (ROUND_TRIPS * office.round_trip.value.get() + file / line);
        if busy <= BUSY_MAX * threads {
            continue;
        }
        let wanted = (busy / BUSY_MAX).ceil();
        let full = files * file / line;
        let action = if full > BUSY_MAX {
            Said::from("give the office a faster line")
                .detail(format!("new archives alone take {} of it at the peak", Fraction::new(full).estimated()))
        } else {
            Said::from(format!("start about {wanted} pull threads on the edge"))
                .detail("p4 configure set EDGE#startup.N=\"pull -u -i 1\" for each")
                .then("watch p4 pull -ls")
        };
        out.push(
            Finding::warning(
                Said::from(format!(
                    "new archives need {} pull threads on the edge in {} at the peak, and {threads} are configured",
                    significant(busy, 2),
                    office.name
                ))
                .then(if busy < threads {
                    "its queue grows at each burst, and syncs there wait for files"
                } else {
                    "its queue grows as long as the peak lasts, and syncs there wait for files"
                }),
                action,
                vec![
                    Evidence::answer(
                        &format!("people.site.{i}.round_trip"),
                        &office.round_trip,
                        office.round_trip.value,
                    ),
                    Evidence::answer("workload.submits_per_day", &work.submits_per_day, work.submits_per_day.value),
                    Evidence::new("P4PULL", "most installations run too few archive pull threads"),
                ],
            )
            .costing(office.developers.value * WORK_HOURS * 0.02),
        );
    }
}

/// Those that the emitted configuration starts on an edge over a long line.
fn threads(facts: &Facts<'_>) -> f64 {
    let settings = facts.catalog.settings.get("p4-configure-edge");
    let lines = settings.into_iter().flat_map(|file| &file.list);
    let pulls = lines.filter(|s| matches!(&s.value, Value::Text(text) if text.value.starts_with("pull -u")));
    pulls.count() as f64
}

fn listed_pull_queue(facts: &Facts<'_>) -> Option<Finding> {
    /// A queue that a night does not empty at ten files a second is some 300,000; a third of it is worth a look (assumed).
    const QUEUE_MIN: f64 = 100_000.0;
    /// Monitors read each minute \[s\].
    const MINUTE: f64 = 60.0;

    let queue = facts.site.today.pull_queue.as_ref();
    let sign = facts.seen("pull-list-polled");
    let files = queue.map_or(0.0, |queue| queue.value);
    if sign.is_none() && files < QUEUE_MIN {
        return None;
    }
    let hold = files * ROW;
    let severity = if hold >= MINUTE { Severity::Critical } else { Severity::Warning };
    let held = |files: f64| Seconds::new(files * ROW).estimated();
    let length = if queue.is_some() {
        Said::from(format!("{} files wait to be pulled", about_count(files)))
            .then(format!("a list of them (p4 pull -l) holds rdb.lbr for {}", held(files)))
    } else {
        Said::from("it is not stated how many files wait to be pulled (p4 pull -ls shows it)").then(format!(
            "a list of them (p4 pull -l) holds rdb.lbr, for {} where \
             they are {}",
            held(QUEUE_MIN),
            about_count(QUEUE_MIN)
        ))
    };
    let mut evidence = Vec::from(published());
    if let Some(queue) = queue {
        evidence.push(Evidence::answer("today.pull_queue", queue, about_count(files)));
    }
    evidence.extend(sign);
    Some(
        Finding::new(
            severity,
            length.and("metadata replication waits"),
            "change monitoring to p4 pull -ls (the summary), and start more pull -u threads until the queue empties",
            evidence,
        )
        .costing(facts.slowed(0.01)),
    )
}

/// One row of a list: 199 s for 8.8 million (P4PROM55) \[s\].
pub(super) const ROW: f64 = 22.6e-6;

/// What was published of such lists.
pub(super) fn published() -> [Evidence; 2] {
    [
        Evidence::new("P4PROM55", "8.8 million rows of rdb.lbr listed in 199 s with the table held"),
        Evidence::new("P4PULLCMD", "p4 pull -ls prints the summary alone"),
    ]
}

fn edge_without_copy(facts: &Facts<'_>) -> Option<Finding> {
    let backup = &facts.site.protection.backup;
    let bare = matches!(backup.value, Backup::None | Backup::Snapshots);
    let served = &facts.deployment.offices;
    if served.is_empty() || !backup.is_stated() || !bare {
        return None;
    }
    let people = facts.site.people.sites.iter().filter(|o| served.contains(&o.name));
    let people: f64 = people.map(|o| o.developers.value).sum();
    Some(
        Finding::warning(
            format!(
                "the workspaces of {} people exist on the edges alone ({}), and backup by {} does not reach them",
                grouped(people),
                served.join(", "),
                backup.value.word()
            ),
            "make a checkpoint on each edge each night (p4 admin checkpoint) and copy it to the main office",
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("P4DIST", "an edge has tables that no other server has"),
            ],
        )
        .costing(people * 8.0 * 0.1),
    )
}

fn idle_edges(facts: &Facts<'_>) -> Option<Finding> {
    /// Of a server with all the load: well below the half that QUE003 calls busy (assumed).
    const BUSY_MAX: f64 = 0.3;

    let d = facts.deployment;
    let beside = f64::from(d.edges) - d.offices.len() as f64;
    if beside <= 0.0 {
        return None;
    }
    // What no published server does alone needs them.
    let commands = facts.site.workload.commands_per_day.value;
    if (commands * Seconds::new(A_DAY)) > PUBLISHED {
        return None;
    }
    let used = facts.utilization(&[ResourceKind::Processor, ResourceKind::ClientNetwork]);
    let locks = facts.prediction.locks.iter().map(|l| l.utilization);
    let together = locks.fold(used, f64::max) * (beside + 1.0);
    if together >= BUSY_MAX {
        return None;
    }
    Some(
        Finding::note(
            Said::from(format!("{beside} edges beside the commit server bring nothing")).detail(format!(
                "without them it would be at most {} busy at the peak",
                Fraction::new(together).estimated()
            )),
            Said::from("leave them out until the load has grown")
                .then("each is one more server to upgrade and to back up"),
            vec![
                Evidence::new("model", format!("{} busy with all the load", Fraction::new(together).estimated())),
                facts.measured("P17-replication", "edges"),
            ],
        )
        .costing(1.0),
    )
}
