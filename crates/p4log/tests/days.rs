//! Working days: those on which people work, whatever builds do.

use std::fmt::Write as _;

use plimsoll_p4log::serverlog::Reader;
use plimsoll_p4log::serverlog::analysis::{Analysis, Day, Findings};
use plimsoll_p4log::serverlog::answers::{answers, working_days};
use plimsoll_p4log::serverlog::quality::Log;

/// A week from a Monday on: a build every ten minutes, and 40 people's commands an hour from nine to five, for so many days.
fn week(people_days: u32) -> Findings {
    let mut log = String::new();
    for minute in 0..7 * 1440_u32 {
        let (day, clock) = (2 + minute / 1440, minute % 1440);
        let at = format!("2026/03/{day:02} {:02}:{:02}:00", clock / 60, clock % 60);
        let mut call = |user: &str, program: &str, call: &str| {
            let pid = 1000 + minute;
            let start =
                format!("Perforce server info:\n\t{at} pid {pid} {user}@{user}-ws 192.0.2.4 [{program}] '{call}'\n");
            writeln!(
                log,
                "{start}\nPerforce server info:\n\t{at} pid {pid} completed .010s 1+1us 0+0io 0+0net 4088k 0pf\n"
            )
            .expect("a text takes all");
        };
        if minute % 10 == 0 {
            call("build", "jenkins.p4-plugin/1.14", &format!("user-sync //depot/{minute}/..."));
        } else if day - 2 < people_days && (540..1020).contains(&clock) && minute % 3 != 0 {
            let user = format!("dev{}", minute % 7);
            call(&user, "P4V/NTX64/2024.1/1", &format!("user-edit //depot/{minute}"));
        }
    }
    let mut analysis = Analysis::default();
    let mut reader = Reader::new();
    reader.read(0, &mut log.as_bytes(), &mut analysis).expect("a slice is read without errors");
    reader.finish(&mut analysis);
    analysis.finish(Log::default())
}

#[test]
fn a_weekend_of_builds_is_none() {
    let findings = week(5);
    let days = working_days(&findings);
    assert_eq!(days.len(), 5);
    // Builds are a smaller share of a working day than of the week.
    let share = |field: &str| {
        let found = answers(&findings).into_iter().find(|one| one.field == field);
        let value = found.expect("it is decided").value;
        value.trim_end_matches(" %").parse::<f64>().expect("a share")
    };
    let builds = days.iter().map(|day| day.automated.1).sum::<u64>() as f64;
    let all = days.iter().map(Day::commands).sum::<u64>() as f64;
    let stated = share("workload.automation_share");
    assert!((stated - 100.0 * builds / all).abs() < 0.6, "{stated}");
    assert!(stated < 100.0 * findings.automation.fraction - 3.0, "{stated}");
}

#[test]
fn where_nobody_is_a_person_all_days_count() {
    assert_eq!(working_days(&week(0)).len(), 7);
}
