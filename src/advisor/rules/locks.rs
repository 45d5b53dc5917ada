//! Locks of tables, and who waits for them.

use super::builds::of_their_own;
use super::hosts::upgrade;
use super::{A_DAY, Check, Evidence, Facts, Finding, Part, Said, Severity, WORKDAYS};
use crate::catalog::{Feature, Release};
use crate::system::LockPrediction;
use crate::units::{Fraction, Seconds, about_count, grouped};
use crate::workload::Clients;

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("QUE001", Once(long_commit)),
    ("QUE002", Once(locks_on_reads)),
    ("QUE003", Once(busy_lock)),
    ("QUE004", Each(long_holder)),
    ("PLC014", Once(server_locks_on_disk)),
];

fn long_commit(facts: &Facts<'_>) -> Option<Finding> {
    /// How long people wait before they turn to something else, and so start to complain (assumed).
    const HOLD_MAX: f64 = 10.0;

    if facts.largest_commit <= HOLD_MAX {
        return None;
    }
    let files = &facts.site.workload.largest_submit_files;
    let hold = Seconds::new(facts.largest_commit).estimated();
    let path = if facts.on_export("db").is_some() || facts.on_export("journal").is_some() {
        "block storage for database and journal"
    } else {
        "a processor with a faster clock"
    };
    Some(
        Finding::warning(
            Said::from(format!(
                "a submit of {} files blocks all other submits for {hold} or longer",
                grouped(files.value)
            ))
            .then("commands that need the same tables wait too"),
            Said::from("split such submits, or run them outside the peak").then(format!("{path} shortens the hold")),
            vec![
                Evidence::new("model", format!("hold of {hold} on an idle server")),
                Evidence::answer("workload.largest_submit_files", files, files.value),
                facts.measured("P17-branchsubmit-ssd", "commit"),
                facts.measured("P17-branchsubmit-fb", "commit"),
            ],
        )
        .costing(facts.standstill(facts.largest_commit / 3600.0, WORKDAYS))
        .about(["submit"]),
    )
}

fn locks_on_reads(facts: &Facts<'_>) -> Option<Finding> {
    if facts.deployment.read_locks.peeks() {
        return None;
    }
    let server = &facts.site.server;
    let (release, peeking) = (server.release.value, server.peeking.value);
    let mut evidence = vec![
        Evidence::answer("server.release", &server.release, release),
        facts.measured("P17-lockless", "lockless-from"),
        Evidence::new("P4LOCKLESS", "with db.peeking at 2 or 3 most reads take no lock"),
    ];
    // A release that cannot read without locks has no such setting.
    let with = if release.lockless() {
        evidence.insert(1, Evidence::answer("server.peeking", &server.peeking, peeking));
        format!(" and db.peeking={peeking}")
    } else {
        String::new()
    };
    let action = if release.lockless() {
        Said::from("run p4 configure set db.peeking=2")
    } else {
        upgrade(facts, release)
            .detail(format!("from {} on reads take no lock with db.peeking=2", Feature::Lockless.since()))
    };
    Some(
        Finding::warning(
            Said::from(format!("reads take table locks with release {release}{with}"))
                .then("reads and writes then wait for each other"),
            action,
            evidence,
        )
        .costing(facts.loaded(0.02)),
    )
}

/// What takes locks less often.
fn less_often(release: Release) -> &'static str {
    if release.lockless() {
        "edges, db.peeking"
    } else if release.edges() {
        "edges, a release that reads without locks"
    } else {
        "a release that reads without locks"
    }
}

fn busy_lock(facts: &Facts<'_>) -> Option<Finding> {
    /// At it a FIFO queue's mean wait, U / (1 - U) holds, is as long as a hold (LAZOWSKA1984).
    const UTILIZATION_MAX: f64 = 0.5;

    // What has it for long, a checkpoint of the live database among them, has rules of its own.
    let long = |lock: &LockPrediction| {
        let holds = facts.prediction.long_holds.iter();
        let of_it = holds.filter(|h| h.lock == lock.lock.name || h.holder.clients == Clients::LiveCheckpoints);
        of_it.map(|hold| hold.rate * hold.hold).sum::<f64>()
    };
    let locks = facts.prediction.locks.iter();
    let mut busy: Vec<_> = locks.filter(|l| l.utilization - long(l) > UTILIZATION_MAX).collect();
    busy.sort_by(|a, b| b.utilization.total_cmp(&a.utilization));
    let (lock, others) = busy.split_first()?;
    let share = |lock: &LockPrediction| Fraction::new(lock.utilization).estimated();
    let hold = Seconds::new(lock.hold).estimated();
    let wait = Seconds::new(lock.write_wait).estimated();
    let read = Seconds::new(lock.read_wait).estimated();
    let used = share(lock);
    let others: Vec<String> = others.iter().map(|lock| format!("{} {}", lock.lock.name, share(lock))).collect();
    let others = if others.is_empty() { String::new() } else { format!("also {}", others.join(", ")) };
    Some(
        Finding::warning(
            Said::from(format!("the lock {} is busy {used} of the time", lock.lock.name)).then(format!("commands that write wait {wait} for it, commands that read {read}, \
                 since it is held for up to {hold}")).then(others),
            format!(
                "shorten the hold (block storage, memory, a faster clock, smaller submits), or take the lock less often ({})",
                less_often(facts.site.server.release.value)
            ),
            vec![
                Evidence::new("model", format!("{} is busy {used} of the time at the peak", lock.lock.name)),
                Evidence::new("JOHNSON1995", "capacity and waits of a FIFO readers-writer lock"),
                Evidence::new("KB2514", "the same waits and holds, read from the server's log"),
            ],
        )
        .costing(facts.loaded(0.01 * lock.utilization))
        .about(busy.iter().map(|lock| lock.lock.name.as_str())),
    )
}

fn long_holder(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    /// Shorter ones are the business of QUE003 (assumed: what a person takes for an answer at once) \[s\].
    const HOLD_MIN: f64 = 1.0;
    /// From here on people call it a hang (assumed) \[s\].
    const HANG: f64 = 10.0;
    /// How many are named.
    const NAMED: usize = 3;

    let holds = facts.prediction.long_holds.iter();
    // Checkpoints of the live database have a rule of their own.
    let holds = holds.filter(|h| h.holder.clients != Clients::LiveCheckpoints);
    for hold in holds.filter(|h| h.hold > HOLD_MIN).take(NAMED) {
        let time = Seconds::new(hold.hold).estimated();
        // Rates are those of the peak.
        let a_day = hold.rate / facts.site.workload.peak_to_mean.value * A_DAY;
        let met = hold.met_by.first();
        let share = met.map_or(0.0, |(_, share)| *share);
        let met = met.map_or(String::new(), |(work, share)| {
            format!("at the peak {} of {work} wait for one", Fraction::new(*share).estimated())
        });
        let severity = if hold.hold > HANG { Severity::Warning } else { Severity::Note };
        let waits = facts.standstill(hold.hold / 3600.0, WORKDAYS * a_day * share.min(1.0));
        out.push(
            Finding::new(
                severity,
                Said::from(format!("{} holds {} for {time} at a time, {}", hold.holder, hold.lock, times_a_day(a_day)))
                    .then(met),
                remedy(hold.holder.what(), facts.site.server.release.value),
                vec![
                    Evidence::new("model", format!("{} held for {time}", hold.lock)),
                    Evidence::new("KB2514", "who holds, and who waits, read from the server's log"),
                ],
            )
            .costing(facts.if_loaded(waits))
            .about([hold.holder.what()]),
        );
    }
}

/// "about 30 times a day".
pub(super) fn times_a_day(count: f64) -> String {
    match count {
        count if count < 0.7 => "less than once a day".to_owned(),
        count if count < 1.5 => "about once a day".to_owned(),
        count => format!("about {} times a day", about_count(count)),
    }
}

/// What to change in the holder.
fn remedy(what: &str, release: Release) -> Said {
    match what {
        "label" => "use automatic labels (a Revision: field in p4 label) in place of p4 tag and p4 labelsync".into(),
        "client-delete" if release.has(Feature::PartitionedWorkspaces) => {
            Said::from("delete large workspaces at night")
                .detail("p4 client -d NAME")
                .then("builds in partitioned ones, whose tables are files of their own")
        }
        "client-delete" => Said::from("delete large workspaces at night").detail("p4 client -d NAME"),
        "submit" | "shelve" | "integrate" => Said::from("submit and branch in pieces, or outside the peak")
            .then("block storage for database and journal shortens the hold"),
        "flush" | "sync" | "large sync" => of_their_own(release),
        _ => Said::from("run it outside the peak or on a replica, and limit it")
            .detail("MaxScanRows and MaxLockTime in p4 group"),
    }
}

fn server_locks_on_disk(facts: &Facts<'_>) -> Option<Finding> {
    let sign = facts.seen("server-locks-on-disk");
    // The emitted configuration puts the folder on a tmpfs.
    let is_emitted = !facts.is_there
        && facts.deployment.system == "linux"
        && facts.site.server.release.value.has(Feature::ServerLocksDir);
    let export = facts
        .on_export("db")
        .filter(|_| !is_emitted)
        .map(|mount| (facts.array_name(mount), facts.protocol_name(mount)));
    if sign.is_none() && export.is_none() {
        return None;
    }
    let commands = about_count(facts.site.workload.commands_per_day.value.get() * A_DAY);
    let place = export
        .as_ref()
        .map_or("on disk".to_owned(), |(device, protocol)| format!("on {device} over {protocol}, beside the database"));
    let mut evidence = vec![
        Evidence::new("KB3163", "each command takes locks below server.locks"),
        Evidence::new("SDP", "server.locks on a tmpfs"),
    ];
    // Who saw the folder need not say where the database lies.
    let unstated = if sign.is_some() { None } else { facts.unstated(&["db"], &[Part::Store]) };
    evidence.extend(sign);
    Some(
        Finding::new(
            if export.is_some() { Severity::Warning } else { Severity::Note },
            Said::from(format!("the folder server.locks lies {place}"))
                .then(format!("{commands} commands a day lock files there")),
            if facts.setting("p4-configure", "server.locks.dir").is_some() {
                "make a folder on a tmpfs, run p4 configure set server.locks.dir=/run/p4locks, then restart p4d"
            } else {
                "make a folder on a tmpfs, stop p4d, and put a link to it in place of server.locks"
            },
            evidence,
        )
        .costing(facts.slowed(0.001))
        .about(facts.on_export("db").map(|mount| mount.set_name(facts.catalog).name))
        .unless(unstated),
    )
}
