use super::full_build_workspaces::of_their_own;
use super::{Evidence, Facts, Finding, Rule, Severity, WORKDAYS};
use crate::catalog::Release;
use crate::units::{Fraction, Seconds, about_count};

pub(super) static RULE: Rule = Rule {
    id: "QUE004",
    name: "long-holder",
    summary: "a kind of work holds a table lock for seconds, and everything behind it stands still",
    docs: "\
### What it does
Fires for each kind of work that holds a table lock for more than 1 s at a time, by name: a note, and a warning
above 10 s.

### Why it matters
Such a hold is rare, and means say nothing about it: every command that needs the table waits for its end, and
blocks others meanwhile. People call it a hang.

### Evidence
The holds and who meets them are the model's (docs/model.md); KB2514 calls the holder the culprit and those that
wait the victims, and reads both from the log.

### What to do
Change the one command, not the storage: automatic labels in place of static ones, large workspaces deleted at
night, partitioned workspaces for builds, large submits and branches in pieces.

### Limits
The model has the commands of its own mix; a script that nobody mentioned is only in the server's log.
",
    check,
};

/// Shorter ones are the business of QUE003 (assumed: what a person takes for an answer at once) \[s\].
const HOLD_MIN: f64 = 1.0;
/// From here on people call it a hang (assumed) \[s\].
const HANG: f64 = 10.0;
/// How many are named.
const NAMED: usize = 3;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let holds = facts.prediction.long_holds.iter();
    for hold in holds.filter(|h| h.hold > HOLD_MIN).take(NAMED) {
        let time = Seconds::new(hold.hold).estimated();
        let often = about_count(hold.rate * DAY);
        let met = hold.met_by.first();
        let share = met.map_or(0.0, |(_, share)| *share);
        let met = met.map_or(String::new(), |(work, share)| {
            format!(
                "; {} of {work} wait for one",
                Fraction::new(*share).estimated()
            )
        });
        let severity = if hold.hold > HANG {
            Severity::Warning
        } else {
            Severity::Note
        };
        let waits = facts.standstill(
            hold.hold / 3600.0,
            WORKDAYS * hold.rate * DAY * share.min(1.0),
        );
        out.push(
            RULE.finding(
                severity,
                format!(
                    "{} holds {} for {time} at a time, about {often} times in 8 hours at the peak{met}",
                    hold.holder, hold.lock
                ),
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

/// A working day \[s\].
const DAY: f64 = 8.0 * 3600.0;

/// What to change in the holder.
fn remedy(what: &str, release: Release) -> &'static str {
    match what {
        "label" => {
            "use automatic labels (a Revision: field in p4 label) in place of p4 tag and p4 labelsync"
        }
        "client-delete" if release.partitioned_workspaces() => {
            "delete large workspaces at night: p4 client -d NAME; builds in partitioned ones, whose tables are files of their own"
        }
        "client-delete" => "delete large workspaces at night: p4 client -d NAME",
        "submit" | "shelve" | "integrate" => {
            "submit and branch in pieces, or outside the peak; block storage for database and journal shortens the hold"
        }
        "flush" | "sync" | "large sync" => of_their_own(release),
        _ => {
            "run it outside the peak or on a replica, and limit it: MaxScanRows and MaxLockTime in p4 group"
        }
    }
}
