use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::Seconds;

pub(super) static RULE: Rule = Rule {
    id: "QUE007",
    name: "unexplained-stalls",
    summary: "everything stalls, and the answers do not show which command holds the lock",
    docs: "\
### What it does
Fires where `today.signs` has `stalls`. Names the longest hold that the model finds, and says what to measure
where it finds none.

### Why it matters
Behind nearly every stall stands one command that holds a table. Buying storage before it is known makes the
stall shorter at best.

### Evidence
KB2514: the holder is read from the log as held times of seconds; the model's holds for what the answers imply.

### What to do
During a stall: `p4 monitor show -ael` and `p4 lockstat`. Afterwards look in the log for held times of six
digits.

### Limits
A stall of the storage or of a virtual machine looks alike: then nobody holds, and everybody waits.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("stalls") else {
        return;
    };
    let longest = facts.prediction.long_holds.iter();
    let longest = longest.max_by(|a, b| a.hold.total_cmp(&b.hold));
    let known = match longest {
        Some(hold) => format!(
            "the longest hold that your answers imply is {} by {}",
            Seconds::new(hold.hold).estimated(),
            hold.holder
        ),
        None => format!(
            "your answers imply no long hold (the largest submit takes {}), so the command that holds the lock is not known",
            Seconds::new(facts.largest_commit).estimated()
        ),
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("everything stalls now and then; {known}"),
            "run p4 monitor show -ael and p4 lockstat during a stall, and grep -E '\\+[0-9]{5,}ms' in the server log afterwards",
            vec![sign, Evidence::new("KB2514", "held times of the log name the command that everybody waits for")],
        )
        .costing(facts.slowed(0.01)),
    );
}
