use super::more_commands_than_published::PUBLISHED;
use super::{A_DAY, Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;
use crate::units::{Fraction, Seconds};

pub(super) static RULE: Rule = Rule {
    id: "EDG005",
    name: "idle-edges",
    summary: "edges beside the commit server relieve nothing",
    docs: "\
### What it does
Fires where edges stand beside the commit server and its processor, network and locks would be less than 30 %
busy with all their load.

### Why it matters
An edge is one more server to upgrade, back up and replicate to, and submits through it take longer. It pays
where the commit server is busy.

### Evidence
Utilizations are the model's; P17-replication for what edges took off a server that was busy.

### What to do
Leave them out until the load has grown; keep edges for distant offices.

### Limits
Edges for other reasons, such as maintenance without standstill, are not judged.
",
    check,
};

/// Of a server with all the load: well below the half that QUE003 calls busy (assumed).
const BUSY_MAX: f64 = 0.3;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let d = facts.deployment;
    let beside = f64::from(d.edges) - d.offices.len() as f64;
    if beside <= 0.0 {
        return;
    }
    // What no published server does alone needs them.
    let commands = facts.site.workload.commands_per_day.value;
    if (commands * Seconds::new(A_DAY)) > PUBLISHED {
        return;
    }
    let used = facts.utilization(&[ResourceKind::Processor, ResourceKind::ClientNetwork]);
    let locks = facts.prediction.locks.iter().map(|l| l.utilization);
    let together = locks.fold(used, f64::max) * (beside + 1.0);
    if together >= BUSY_MAX {
        return;
    }
    out.push(
        RULE.finding(
            Severity::Note,
            format!(
                "{beside} edges beside the commit server bring nothing: without them it would be at most {} busy at the peak",
                Fraction::new(together).estimated()
            ),
            "leave them out until the load has grown; each is one more server to upgrade and to back up",
            vec![
                Evidence::new("model", format!("{} busy with all the load", Fraction::new(together).estimated())),
                facts.measured("P17-replication", "edges"),
            ],
        )
        .costing(1.0),
    );
}
