use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::{Overload, PredictError, Resource, ResourceKind};
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "QUE011",
    name: "overloaded-peak",
    summary: "today's peak asks for more than a resource or lock can do",
    docs: "\
### What it does
Fires where the deployment cannot keep up with today's peak: critical, or a warning where nobody stated the commands of a day. The other findings are then of the largest load
that it carries.

### Why it matters
Work arrives faster than it is done: queues grow for as long as the peak lasts, and no response time can be
given.

### Evidence
LAZOWSKA1984: no system works beyond the demand that its busiest resource can do; the demand is the model's.

### What to do
Relieve the resource that is named; everything else brings nothing until then.

### Limits
Demands rest on assumptions where questions are open: the questions name those that decide.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(error) = facts.overload else {
        return;
    };
    let action = match error.resource().map(Resource::kind) {
        Some(ResourceKind::Lock) => {
            "shorten or avoid the holds of that lock: block storage or flash for database and journal, lockless reads, fewer large commands"
        }
        Some(ResourceKind::ClientNetwork | ResourceKind::Wan) => {
            "add links or faster ones, or edges and proxies; storage will not help"
        }
        Some(ResourceKind::Processor) => "add cores or edges, and poll less; storage will not help",
        _ => "put what lies there on faster or more drives: flash for the database first",
    };
    let stated = facts.site.workload.commands_per_day.is_stated();
    // A peak that nobody stated comes after what the answers say.
    let (severity, load, weight) = if stated {
        (Severity::Critical, "today's peak", 1.0)
    } else {
        (Severity::Warning, "today's assumed peak", 0.1)
    };
    let (what, needs) = match error {
        PredictError::Saturated {
            resource,
            utilization,
        } => {
            let Overload { what, needs } = Overload::of(resource, *utilization);
            (what, needs)
        }
        error => (error.to_string(), None),
    };
    let needs = needs.unwrap_or_else(|| "it cannot keep up".to_owned());
    // What is overloaded, by the name that other findings have for it too.
    let names = error.resource().map(|resource| resource.name.clone());
    let share = Fraction::new(facts.headroom.factor.min(1.0)).estimated();
    out.push(
        RULE.finding(
            severity,
            format!("{what} at {load}: {needs}; about {share} of that peak is carried"),
            action,
            vec![
                Evidence::new("model", error.to_string()),
                Evidence::new(
                    "LAZOWSKA1984",
                    "the busiest resource bounds what a system does",
                ),
            ],
        )
        .costing(weight * facts.loaded(0.05))
        .about(names),
    );
}
