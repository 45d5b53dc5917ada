use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "CAP006",
    name: "many-checkpoints-kept",
    summary: "kept checkpoints and journals fill their volume",
    docs: "\
### What it does
Fires where checkpoints and rotated journals take more than a quarter of what their store holds, and how many
are kept was stated.

### Why it matters
They are copies of the same rows, and beside the depots they take the room that people's files need; a full
volume stops the server.

### Evidence
The sizes are the arithmetic of `src/system/capacity.rs`; SDP keeps 7 and moves the rest off the machine.

### What to do
Keep fewer on the machine (KEEPCKPS and KEEPJNLS of the deployment package) and copy them elsewhere each night.

### Limits
Compressed checkpoints are a tenth of plain ones.
",
    check,
};

/// From a quarter on they compete with the data (assumed).
const SHARE_MAX: f64 = 0.25;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let kept = &facts.site.protection.checkpoints_kept;
    if !kept.is_stated() {
        return;
    }
    let stores = facts.headroom.capacity.iter();
    let found = stores.filter_map(|limit| {
        let part = limit.parts.iter().find(|(role, _)| *role == "checkpoint")?;
        let bytes = part.1[0];
        let share = bytes.get() / limit.usable.get().max(1.0);
        (share > SHARE_MAX).then_some((limit, bytes, share))
    });
    for (limit, bytes, share) in found.take(1) {
        out.push(
            RULE.finding(
                Severity::Note,
                format!(
                    "{} kept checkpoints and their journals take {}, {} of {}",
                    kept.value,
                    bytes.estimated(),
                    Fraction::new(share).estimated(),
                    limit.store
                ),
                "keep fewer on the machine (KEEPCKPS, KEEPJNLS), and copy them to another store each night",
                vec![
                    Evidence::answer("protection.checkpoints_kept", kept, kept.value),
                    Evidence::new("SDP", "the package keeps seven, and more elsewhere"),
                ],
            )
            .costing(1.0),
        );
    }
}
