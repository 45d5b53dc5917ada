use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::LockPrediction;
use crate::units::{Fraction, Seconds};

pub(super) static RULE: Rule = Rule {
    id: "QUE003",
    name: "busy-lock",
    summary: "a table lock is held so much of the time that commands queue for it",
    docs: "\
### What it does
Fires where more than half of a lock's capacity is in use at the peak; names the busiest and the others.

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
    let mut busy: Vec<_> = locks.filter(|l| l.utilization > UTILIZATION_MAX).collect();
    busy.sort_by(|a, b| b.utilization.total_cmp(&a.utilization));
    let Some((lock, others)) = busy.split_first() else {
        return;
    };
    let share = |lock: &LockPrediction| Fraction::new(lock.utilization).estimated();
    let hold = Seconds::new(lock.hold).estimated();
    let wait = Seconds::new(lock.write_wait).estimated();
    let read = Seconds::new(lock.read_wait).estimated();
    let used = share(lock);
    let others: Vec<String> = others
        .iter()
        .map(|lock| format!("{} {}", lock.lock.name, share(lock)))
        .collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!("; also {}", others.join(", "))
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "the lock {} is busy {used} of the time; commands that write wait {wait} for it, commands that read {read}, \
                 since it is held for up to {hold}{others}",
                lock.lock.name
            ),
            "shorten the hold (block storage, memory, a faster clock, smaller submits), or take the lock less often (edges, \
             db.peeking)",
            vec![
                Evidence::new("model", format!("{} is busy {used} of the time at the peak", lock.lock.name)),
                Evidence::new("JOHNSON1995", "capacity and waits of a FIFO readers-writer lock"),
                Evidence::new("KB2514", "the same waits and holds, read from the server's log"),
            ],
        )
        .costing(facts.loaded(0.01 * lock.utilization))
        .about(busy.iter().map(|lock| lock.lock.name.as_str())),
    );
}
