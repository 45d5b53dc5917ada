use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::checkpoint_time::CHECKPOINT_TIME;
use crate::units::{Seconds, two_digits};

pub(super) static RULE: Rule = Rule {
    id: "RCV010",
    name: "checkpoint-far-from-estimate",
    summary: "a checkpoint takes another time than database, drives and core explain",
    docs: "\
### What it does
Fires where the stated time of the last checkpoint (`today.checkpoint_time`) is more than three times what the model
estimates for today's system, or less than a third of it. A warning where it is longer.

### Why it matters
A checkpoint reads each row once. What makes it take many times longer slows other commands too, and a new server or new
drives need not end it. All times of checkpoints, replays and restores in the answer follow the stated one.

### Evidence
The time is stated; the estimate is that of `src/system/durations.rs` on today's system, from rows, media and cores.

### What to do
Find the reason first. Long: pages of the database out of order (rebuild it from a checkpoint), slow or busy drives, a
checkpoint of a database that works meanwhile. Short: only a part was checkpointed, or the size of the database is another.
`iostat -x 5` beside one checkpoint shows within its time which one: busy drives, or one busy core.

### Limits
Drives and cores that nobody stated are assumed: state them as `[[today.volume]]` and `server.processor`.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let stated = facts.site.today.checkpoint_time.as_ref();
    let observed = facts.recovery.observed.as_ref().filter(|o| o.is_far());
    let (Some(stated), Some(observed)) = (stated, observed) else {
        return;
    };
    let db = &facts.site.data.db_size;
    let estimate = Seconds::new(observed.modelled.value).estimated();
    let ratio = observed.ratio();
    let is_long = ratio > 1.0;
    let (severity, message, action) = if is_long {
        let message = format!(
            "a checkpoint of {} takes {}, {} times the estimate of {estimate}: the database is fragmented, its drives are slow or \
             busy, or it works meanwhile",
            db.value,
            stated.value,
            two_digits(ratio)
        );
        let action = "run iostat -x 5 beside one checkpoint (as long as it takes): drives near 100 % busy with small reads mean a \
                      fragmented database (replay a checkpoint into a new folder and swap), one busy core means p4d itself";
        (Severity::Warning, message, action)
    } else {
        let message = format!(
            "a checkpoint of {} takes {}, and the estimate is {estimate}: perhaps it covers a part of the database, or the size is another",
            db.value, stated.value
        );
        let action = "compare the size of the db.* files with data.db_size (du -sch db.*, a minute) and the time with the log of the job";
        (Severity::Note, message, action)
    };
    let evidence = vec![
        Evidence::answer(CHECKPOINT_TIME, stated, stated.value),
        Evidence::answer("data.db_size", db, db.value),
        Evidence::new(
            "model",
            format!(
                "{estimate} on today's system, limited by {}",
                observed.limit
            ),
        ),
    ];
    out.push(
        RULE.finding(severity, message, action, evidence)
            .costing(facts.slowed(if is_long { 0.005 } else { 0.0 })),
    );
}
