//! Backup, checkpoints, and what a failure costs.

use super::locks::times_a_day;
use super::{A_DAY, Check, Evidence, Facts, Finding, Part, Said, Severity, WORKDAYS};
use crate::advisor::recovery::{Recovered, Verdict};
use crate::advisor::stated_times::{is_live, stated};
use crate::catalog::Feature;
use crate::site::Backup;
use crate::system::Job;
use crate::units::{Fraction, Seconds, two_digits};
use crate::workload::Clients;

use Check::Once;

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] = &[
    ("RCV001", Once(slow_recovery)),
    ("RCV002", Once(live_checkpoint)),
    ("RCV003", Once(checkpoint_longer_than_night)),
    ("RCV004", Once(availability_missed)),
    ("RCV005", Once(long_verify)),
    ("RCV006", Once(no_backup)),
    ("RCV007", Once(snapshots_beside_data)),
    ("RCV008", Once(checkpoint_beside_db)),
    ("RCV010", Once(checkpoint_far_from_estimate)),
];

fn slow_recovery(facts: &Facts<'_>) -> Option<Finding> {
    /// Working hours until everything is made anew that nothing brings back (assumed).
    const WEEK: f64 = 40.0;

    let asked = &facts.site.protection;
    let (rto, rpo) = (&asked.rto, &asked.rpo);
    let late = |one: &&Recovered| rto.is_stated() && one.rto == Verdict::Missed;
    let loses = |one: &&Recovered| one.loses_too_much(asked);
    let all = || facts.recovery.disasters.iter();
    // The one that lasts longest; one that never ends before all.
    let length = |one: &&Recovered| one.time.map_or(f64::INFINITY, |time| time.value);
    let longest = all().filter(late).max_by(|a, b| length(a).total_cmp(&length(b)));
    let worst = longest.or_else(|| all().find(loses))?;
    let lost = &worst.lost;
    let hours = worst.time.map_or(WEEK, |time| time.value / 3600.0);
    let mut parts = Vec::new();
    if late(&worst) {
        parts.extend(match worst.time {
            Some(time) => vec![format!(
                "people work again {} after {lost} is lost (RTO {})",
                Seconds::new(time.value).estimated(),
                rto.value
            )],
            None => vec![format!("no backup survives the loss of {lost} (RTO {})", rto.value), worst.how.clone()],
        });
    }
    if loses(&worst) && worst.time.is_some() {
        parts.push(format!("{} is lost with {lost} (RPO {})", worst.lost_in_words(), rpo.value));
    }
    if parts.is_empty() {
        parts.push(format!("all work is lost with {lost}"));
    }
    let mut action = match facts.recovery.standby {
        Some(standby) => Said::from("run a standby on a machine and store of its own").detail(format!(
            "it takes over in about {} and loses about {}",
            Seconds::new(standby.switch).estimated(),
            Seconds::new(standby.lag).estimated()
        )),
        None if late(&worst) => {
            Said::from("have the standby take over sooner").detail("practise and script the switch")
        }
        None => Said::from("mirror the journal's storage to another room as it is written, or accept that loss")
            .detail("a standby is always some seconds behind, and more on a narrow line"),
    };
    if worst.time.is_none() && asked.backup.value == Backup::Snapshots {
        action = action.after("copy snapshots or checkpoints to another store, or");
    }
    let backup = &asked.backup;
    let mut evidence = vec![
        Evidence::new("model", format!("{}; {}", worst.how, worst.journal)),
        Evidence::answer("protection.backup", backup, backup.value.word()),
    ];
    // What nobody stated is not what is missed.
    if rto.is_stated() {
        evidence.push(Evidence::answer("protection.rto", rto, rto.value));
    }
    if rpo.is_stated() {
        evidence.push(Evidence::answer("protection.rpo", rpo, rpo.value));
    }
    Some(
        Finding::warning(parts.into_iter().collect::<Said>(), action, evidence)
            .costing(facts.standstill(hours, 0.1) + facts.slowed(0.002)),
    )
}

fn live_checkpoint(facts: &Facts<'_>) -> Option<Finding> {
    /// A pause that a night forgives (assumed) \[s\].
    const TIME_MAX: f64 = 60.0;
    /// From here on it is a standstill (assumed) \[s\].
    const LONG: f64 = 300.0;
    /// Part of those at work by day who are there, or whose builds are, by night (assumed).
    const AT_NIGHT: f64 = 0.1;

    if !is_live(facts.site) {
        return None;
    }
    let backup = &facts.site.protection.backup;
    let sign = facts.seen("live-checkpoint");
    let mut holds = facts.prediction.long_holds.iter();
    let by_day = holds.find(|hold| hold.holder.clients == Clients::LiveCheckpoints);
    let (time, model) = facts.job_time(Job::CheckpointLive)?;
    let time = by_day.map_or(time, |hold| hold.hold);
    if time <= TIME_MAX {
        return None;
    }
    let shown = Seconds::new(time).estimated();
    let (waits, days) = if let Some(hold) = by_day {
        let a_day = hold.rate * A_DAY;
        let met = hold.met_by.first();
        let met = met.map_or(String::new(), |(work, share)| {
            let share = Fraction::new(*share).estimated();
            format!("; at the peak {share} of {work} wait for one")
        });
        let waits = format!("{} while people work{met}", times_a_day(a_day));
        let share = hold.met_by.first().map_or(0.0, |(_, share)| *share);
        (waits, WORKDAYS * a_day * share.min(1.0))
    } else {
        let people = facts.people_in_words();
        (format!("{people} and all builds wait, each night"), WORKDAYS * AT_NIGHT)
    };
    let action = if facts.has_standby() {
        "checkpoint the standby in its place (daily_checkpoint.sh of the SDP)"
    } else {
        "checkpoint an offline copy in its place (daily_checkpoint.sh of the SDP)"
    };
    let mut evidence = vec![
        Evidence::answer("protection.backup", backup, backup.value.word()),
        model,
        Evidence::new("SDP", "checkpoints are made of the offline copy"),
    ];
    evidence.extend(sign);
    Some(
        Finding::new(
            if time > LONG { Severity::Warning } else { Severity::Note },
            Said::from(format!("a checkpoint of the live database locks all tables for {shown}")).then(waits),
            action,
            evidence,
        )
        .costing(facts.standstill(time / 3600.0, days)),
    )
}

fn checkpoint_longer_than_night(facts: &Facts<'_>) -> Option<Finding> {
    let window = &facts.site.protection.night_window;
    let (time, model) = facts.job_time(Job::CheckpointOffline)?;
    if time <= window.value.get() {
        return None;
    }
    let stated = facts.site.today.checkpoint_time.as_ref();
    let offline = facts.job(Job::CheckpointOffline)?;
    let shown = facts.recovery.told(&offline.duration);
    let threads = if facts.site.server.release.value.has(Feature::ParallelCheckpoints) {
        let setting = facts.setting("p4-configure", "db.checkpoint.threads");
        let number = setting.map_or(String::new(), |number| format!("={number}"));
        format!("p4 configure set db.checkpoint.threads{number} and p4d -jcp")
    } else {
        format!("release {} for {}", Feature::ParallelCheckpoints.since(), Feature::ParallelCheckpoints.title())
    };
    let mut evidence = vec![
        Evidence::answer("protection.night_window", window, window.value),
        model,
        Evidence::new("P4HELP", "db.checkpoint.threads from release 2022.2 on"),
    ];
    if let Some(stated) = stated {
        evidence.push(Evidence::answer("today.checkpoint_time", stated, stated.value));
    }
    let mut actions = Vec::new();
    if !facts.is_on_flash("db") {
        actions.push("put the database on flash".to_owned());
    }
    // A standby is said where there is one alone: to buy one is a change of its own.
    let instead = match (is_live(facts.site), facts.has_standby()) {
        (true, true) => {
            Some("checkpoint the standby in place of the live database, which takes as long, but locks nobody")
        }
        (true, false) => {
            Some("checkpoint an offline copy in place of the live database, which takes as long, but locks nobody")
        }
        (false, _) => None,
    };
    actions.extend(instead.map(str::to_owned));
    actions.push(threads);
    actions.push("delete old workspaces and labels".to_owned());
    Some(
        Finding::warning(
            format!("a checkpoint takes {shown}, longer than the night's {}", window.value),
            actions.into_iter().collect::<Said>(),
            evidence,
        )
        .costing(facts.slowed(if stated.is_some() { 0.005 } else { 0.001 })),
    )
}

fn availability_missed(facts: &Facts<'_>) -> Option<Finding> {
    /// Hours of a year.
    const HOURS: f64 = 8766.0;

    let asked = &facts.site.protection.availability;
    let found = facts.recovery.availability.filter(|a| asked.is_stated() && !a.is_met())?;
    let down = Seconds::years(found.wanted - found.expected).estimated();
    let action = match facts.recovery.standby {
        Some(standby) => Said::from("run a standby on a machine and store of its own")
            .detail(format!("it takes over in about {}", Seconds::new(standby.switch).estimated())),
        None => "practise and script the switch to the standby, and shorten it".into(),
    };
    Some(
        Finding::warning(
            Said::from(format!(
                "the server is expected to answer {:.3} % of the time, and {} is wanted",
                100.0 * found.expected,
                asked.value
            ))
            .detail(format!("{down} a year are missing")),
            action,
            vec![
                Evidence::answer("protection.availability", asked, asked.value),
                Evidence::new("model", "failures of the commit server and the time of each recovery"),
            ],
        )
        .costing(facts.standstill((found.wanted - found.expected) * HOURS, 1.0)),
    )
}

fn long_verify(facts: &Facts<'_>) -> Option<Finding> {
    /// A weekend \[s\].
    const TIME_MAX: f64 = 2.0 * A_DAY;

    let timed = facts.job(Job::Verify).filter(|t| t.duration.time.value > TIME_MAX)?;
    let shown = Seconds::new(timed.duration.time.value).estimated();
    let depot = &facts.site.data.depot_size;
    Some(
        Finding::note(
            format!("p4 verify of all {} takes {shown} on an idle server, so in practice nobody runs it", depot.value),
            Said::from("verify a part each night")
                .detail("p4 verify -q //DEPOT/...@>=CHANGE, on a replica where there is one"),
            vec![
                Evidence::answer("data.depot_size", depot, depot.value),
                Evidence::new("model", format!("verify takes {shown}, limited by {}", timed.duration.limit)),
            ],
        )
        .costing(1.0),
    )
}

fn no_backup(facts: &Facts<'_>) -> Option<Finding> {
    let backup = &facts.site.protection.backup;
    if !backup.is_stated() || backup.value != Backup::None {
        return None;
    }
    let depot = &facts.site.data.depot_size;
    Some(
        Finding::critical(
            format!("nothing backs up {} of depots and the work of {}", depot.value, facts.people_in_words()),
            Said::from("make a checkpoint each night (p4 admin checkpoint), and copy it, the journals and the depots to another machine").then("better run a standby"),
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("SAG", "checkpoints, journals and the archives make a backup"),
            ],
        )
        .costing(facts.standstill(400.0, 0.05)),
    )
}

fn snapshots_beside_data(facts: &Facts<'_>) -> Option<Finding> {
    let backup = &facts.site.protection.backup;
    if !backup.is_stated() || backup.value != Backup::Snapshots {
        return None;
    }
    let d = facts.deployment;
    let (Some(db), Some(depot)) = (d.mount("db"), d.mount("depot")) else {
        return None;
    };
    if db.device != depot.device || facts.is_rented(db) {
        return None;
    }
    Some(
        Finding::note(
            format!(
                "snapshots of {} lie on it, as do database and depots: 1 store holds the data and their backup",
                facts.array_name(db)
            ),
            Said::from("copy them to another system each night, and snapshot db and journal together")
                .detail("p4d -r P4ROOT -c \"SNAPSHOT COMMAND\""),
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("N13-snapmirror", "snapshots are copied to another system"),
            ],
        )
        .costing(facts.standstill(40.0, 0.01))
        .unless(facts.unstated(&["db", "depot"], &[Part::Store])),
    )
}

fn checkpoint_beside_db(facts: &Facts<'_>) -> Option<Finding> {
    let backup = &facts.site.protection.backup;
    let d = facts.deployment;
    let (Some(db), Some(checkpoint)) = (d.mount("db"), d.mount("checkpoint")) else {
        return None;
    };
    if !backup.is_stated() || backup.value != Backup::Checkpoint || !db.shares_disks(checkpoint) {
        return None;
    }
    let elsewhere = if facts.site.server.release.value.has(Feature::Configure) {
        "p4 configure set journalPrefix=/OTHER/checkpoints/p4_1"
    } else {
        "p4d -jc /OTHER/checkpoints/p4_1"
    };
    Some(
        Finding::warning(
            Said::from(format!("checkpoints lie on the drives of the database ({})", facts.drives_in_words(db)))
                .detail("they slow the server while they are written, and are lost with it"),
            format!("write them elsewhere ({elsewhere}), and copy them to another machine"),
            vec![
                Evidence::answer("protection.backup", backup, backup.value.word()),
                Evidence::new("N13-best", "a volume for each kind of data"),
                Evidence::new("SAG", "checkpoints belong on another device than the database"),
            ],
        )
        .costing(facts.standstill(16.0, 0.03))
        .unless(facts.unstated(&["db", "checkpoint"], &[Part::Roles])),
    )
}

fn checkpoint_far_from_estimate(facts: &Facts<'_>) -> Option<Finding> {
    let mut all = facts.recovery.observed.iter().flat_map(|found| &found.all);
    let observed = all.find(|one| one.is_far())?;
    let (_, _, stated) = stated(facts.site).find(|(field, ..)| *field == observed.field)?;
    let what = match observed.job {
        Job::Replay => "a replay of the checkpoint",
        Job::RestoreDatabase => "a restore of the database",
        _ => "a checkpoint",
    };
    let db = &facts.site.data.db_size;
    let estimate = Seconds::new(observed.modelled.value).estimated();
    let ratio = observed.ratio();
    let is_long = ratio > 1.0;
    let (severity, message, action) = if is_long {
        let message = Said::from(format!(
            "{what} of {} takes {}, {} times the estimate of {estimate}",
            db.value,
            stated.value,
            two_digits(ratio)
        ))
        .detail(
            "the database is fragmented, its drives are slow or \
             busy, or it works meanwhile",
        );
        let action = Said::from("run iostat -x 5 beside the next one (as long as it takes)").detail("drives near 100 % busy with small reads mean a \
                      fragmented database (replay a checkpoint into a new folder and swap), one busy core means p4d itself");
        (Severity::Warning, message, action)
    } else {
        let message =
            Said::from(format!("{what} of {} takes {}, and the estimate is {estimate}", db.value, stated.value))
                .detail(if observed.contradicts {
                    "perhaps it covers a part of the database, or the size is another; the time is not used"
                } else {
                    "perhaps it covers a part of the database, or the size is another"
                });
        let action: Said = "compare the size of the db.* files with data.db_size (du -sch db.*, a minute) and the time with the log of the job".into();
        (Severity::Note, message, action)
    };
    let evidence = vec![
        Evidence::answer(observed.field, stated, stated.value),
        Evidence::answer("data.db_size", db, db.value),
        Evidence::new("model", format!("{estimate} on today's system, limited by {}", observed.limit)),
    ];
    Some(Finding::new(severity, message, action, evidence).costing(facts.slowed(if is_long { 0.005 } else { 0.0 })))
}
