use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::advisor::instance::{Cap, CapRow, rows};
use crate::system::memory::ServerMemory;
use crate::units::{Bytes, Fraction, grouped, two_digits};

pub(super) static RULE: Rule = Rule {
    id: "CLD001",
    name: "instance-limits",
    summary: "the peak takes most of what an instance of a cloud has for its volumes or its network",
    docs: "\
### What it does
Fires where the server is an instance of a cloud, and the peak takes more than 70 % of the operations or of the
bandwidth that the instance has for all its volumes, or of its network.

### Why it matters
An instance has one limit for all its volumes, whatever is bought with each of them, and small ones reach more
than that only in short bursts. Beyond it every volume waits, and commands hold their locks meanwhile.

### Evidence
EBSDOC: volumes share the instance's bandwidth and operations; the needs are the model's, the limits those of
`models/servers`.

### What to do
Take a larger instance: the answer names the smallest of the catalogue that carries the site. More operations for
one volume do not help beyond the instance's own.

### Limits
The sizes of the catalogue are a class of memory-rich instances; providers have others.
",
    check,
};

/// Beyond it requests wait longer than they are served (LAZOWSKA1984).
const SHARE_MAX: f64 = 0.7;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let memory = facts.memory.servers.iter().map(ServerMemory::need);
    let memory = memory.fold(0.0, f64::max);
    let rows = rows(facts.catalog, facts.deployment, memory, facts.prediction);
    // Memory and cores have findings of their own, and hold for any machine.
    let of_instances = rows
        .iter()
        .filter(|row| !matches!(row.cap, Cap::Memory | Cap::Cores));
    let worst = of_instances.max_by(|a, b| a.share().total_cmp(&b.share()));
    let Some(worst) = worst.filter(|row| row.share() > SHARE_MAX) else {
        return;
    };
    let server = &facts.deployment.server;
    let share = Fraction::new(worst.share()).estimated();
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "{server} has {} for {}, and the peak takes {share} of it; volumes and clients then wait for the instance",
                limit(*worst),
                of(worst.cap)
            ),
            "take a larger instance; more operations or bandwidth for one volume do not help beyond what the instance has",
            vec![
                Evidence::new("model", format!("{} needed at the peak", shown(worst.cap, worst.needs))),
                Evidence::new("EBSDOC", "an instance has one limit for all its volumes"),
            ],
        )
        .costing(facts.loaded(0.005)),
    );
}

/// "40,000 operations/s".
fn limit(row: CapRow) -> String {
    shown(row.cap, row.has.unwrap_or(0.0))
}

fn shown(cap: Cap, amount: f64) -> String {
    match cap {
        Cap::Memory => Bytes::new(amount).estimated(),
        Cap::Cores => format!("{amount} cores"),
        Cap::Operations => format!("{} operations/s", grouped(amount.round())),
        Cap::Volumes => format!("{} MB/s", grouped((amount / 1e6).round())),
        Cap::Network => format!("{} Gb/s", two_digits(amount * 8e-9)),
    }
}

fn of(cap: Cap) -> &'static str {
    match cap {
        Cap::Memory => "all processes",
        Cap::Cores => "all commands",
        Cap::Operations | Cap::Volumes => "all its volumes together",
        Cap::Network => "its network",
    }
}
