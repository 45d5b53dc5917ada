use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::{Fraction, Seconds};

pub(super) static RULE: Rule = Rule {
    id: "QUE003",
    name: "busy-lock",
    summary: "a table lock is held so much of the time that commands queue for it",
    since: "0.1.0",
    docs: "\
### What it does
Fires for each lock more than half of whose capacity is in use at the peak.

### Why it matters
A lock is a queue that more hardware does not widen. At 50 % the mean wait is as long as a hold; close
to 100 % a single large command makes the queue grow for minutes.

### Evidence
Wait, hold and utilization from the model (JOHNSON1995, FIFO readers-writer locks); KB2514 for the same
quantities in the log.

### What to do
Shorten the hold: block storage for db and journal, memory, a faster clock, smaller submits. Or take the
lock less often: reads without locks, edges for the workspaces' tables, fewer labels and workspaces.

### Limits
Which tables a command locks is taken from logs of recent releases; older ones lock more.
",
    check,
};

/// At it a FIFO queue's mean wait, U / (1 - U) holds, is as long as a hold (LAZOWSKA1984).
const UTILIZATION_MAX: f64 = 0.5;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let locks = facts.prediction.locks.iter();
    for lock in locks.filter(|l| l.utilization > UTILIZATION_MAX) {
        let hold = Seconds::new(lock.hold).estimated();
        let wait = Seconds::new(lock.write_wait).estimated();
        let read = Seconds::new(lock.read_wait).estimated();
        let used = Fraction::new(lock.utilization).estimated();
        out.push(RULE.finding(
            Severity::Warning,
            format!(
                "the lock {} is busy {used} of the time; commands that write wait {wait} for it, commands that read {read}, \
                 since it is held for up to {hold}",
                lock.name
            ),
            "shorten the hold (block storage, memory, a faster clock, smaller submits), or take the lock less often (edges, \
             db.peeking)",
            vec![
                Evidence::new("model", format!("{} is busy {used} of the time at the peak", lock.name)),
                Evidence::new("JOHNSON1995", "capacity and waits of a FIFO readers-writer lock"),
                Evidence::new("KB2514", "the same waits and holds, read from the server's log"),
            ],
        ).costing(facts.slowed(0.01 * lock.utilization)));
    }
}
