//! What ran at that moment.

use std::collections::BTreeMap;

use super::Answers;
use crate::collected::amount::iec;
use crate::collected::facts::Collected;
use crate::diag::harmless_line;
use crate::units::{counted, grouped};

/// What ran, waited or was busy at that moment: no peak, so that it answers no question.
pub(super) fn load(collected: &Collected, answers: &mut Answers) {
    if !collected.running.is_empty() {
        let all = collected.running.len();
        let active = collected.running.iter().filter(|found| found.value.status == 'R').count();
        answers.seen.push(format!(
            "{} of p4d at that moment, {} with a command that ran (`p4 monitor show`)",
            match all {
                1 => "1 process".to_owned(),
                _ => format!("{} processes", grouped(all as f64)),
            },
            grouped(active as f64)
        ));
        answers.ask(
            "people.connections_at_peak",
            format!(
                "How many connections does the server hold at the peak? At the moment of `p4 monitor show` it was {}.",
                grouped(all as f64)
            ),
        );
    }
    for found in &collected.transfers {
        let (transfers, bytes) = found.value;
        if transfers > 0.0 {
            answers.seen.push(format!(
                "{} of archives under way or waiting in the replica, {} (`p4 pull -ls`)",
                counted(transfers as u64, "transfer"),
                iec(bytes)
            ));
        }
    }
    let of = |which: &str| {
        collected.journals.iter().find(|found| found.value.0 == which).map(|found| (found.value.1, found.value.2))
    };
    if let (Some(replica), Some(master)) = (of("replica"), of("master"))
        && replica != master
    {
        let behind = if replica.0 == master.0 {
            format!("{} of journal", iec((master.1 - replica.1).max(0.0)))
        } else {
            format!("{} rotations of the journal", grouped((master.0 - replica.0).max(0.0)))
        };
        answers.seen.push(format!("the replica is {behind} behind (`p4 pull -lj`)"));
    }
    // The last sample of iostat: the first one is the mean since the machine was started.
    let mut last: BTreeMap<&str, f64> = BTreeMap::new();
    for found in &collected.busy {
        last.insert(&found.value.device, found.value.busy_fraction);
    }
    let busiest = last.iter().max_by(|a, b| a.1.total_cmp(b.1));
    if let Some((device, fraction)) = busiest.filter(|(_, fraction)| **fraction >= 0.01) {
        answers.seen.push(format!(
            "the busiest device was {}, {:.0} % of the time (`iostat`)",
            harmless_line(device),
            fraction * 100.0
        ));
    }
    if collected.log_lines > 0 {
        answers.seen.push(format!(
            "{} of a server log, which are not read here: plimsoll init SITE.toml --log FILE does",
            counted(collected.log_lines as u64, "line")
        ));
    }
}
