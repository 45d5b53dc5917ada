use super::database_not_cached::HIT_MIN;
use super::slow_syncs::is_storage;
use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "EVD003",
    name: "storage-will-not-help",
    summary: "the busiest resource is no storage",
    docs: "\
### What it does
Fires where the busiest resource or lock is busy for more than 50 % of the time at the peak, is no storage, and
all storage is less than half as busy.

### Why it matters
Money for faster storage then brings nothing that a user feels: the queue stands elsewhere.

### Evidence
Utilizations of the model; LAZOWSKA1984: the busiest resource bounds a system.

### What to do
Relieve what is named. Locks: shorter or fewer holds. Processor: a faster clock, fewer polls. Network: links,
edges, proxies. Line: an edge.

### Limits
It is quiet for locks where the database lies on an export or does not fit the memory: these are held while storage is
waited for.
",
    check,
};

/// At it a queue's mean wait is as long as the service (LAZOWSKA1984).
const BUSY_MIN: f64 = 0.5;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let judged = |kind: ResourceKind| !matches!(kind, ResourceKind::Delay | ResourceKind::Client);
    let busy = facts.prediction.busy();
    let (storage, others): (Vec<_>, Vec<_>) = busy
        .filter(|(resource, _)| judged(resource.kind()))
        .partition(|(resource, _)| is_storage(resource.kind()));
    let Some((resource, used)) = others.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return;
    };
    let kind = resource.kind();
    let the = if resource.is_lock() { "the " } else { "" };
    let name = format!("{the}{resource}");
    let stored = storage.iter().map(|(_, used)| *used).fold(0.0, f64::max);
    if used <= BUSY_MIN || stored * 2.0 >= used {
        return;
    }
    if kind == ResourceKind::Lock && held_for_storage(facts) {
        return;
    }
    let [shown, stored] = [used, stored].map(|u| Fraction::new(u).estimated());
    let action = match kind {
        ResourceKind::Lock => {
            "shorten the holds or take the lock less often; run p4 lockstat at the peak to see whose they are"
        }
        ResourceKind::Processor => {
            "a faster clock, fewer polls, edges for builds; run p4 monitor show at the peak to see what runs"
        }
        ResourceKind::Wan => {
            "an edge at the office, or a faster line; run ping and a timed p4 sync there"
        }
        _ => "more or faster links, edges or proxies; run sar -n DEV 1 at the peak to see the link",
    };
    out.push(
        RULE.finding(
            Severity::Note,
            format!(
                "faster storage will not help: {name} ({}) is {shown} busy at the peak, and no storage is more than {stored} busy",
                kind.in_words()
            ),
            action,
            vec![
                Evidence::new("model", format!("{name} {shown} busy, storage at most {stored}")),
                Evidence::new("LAZOWSKA1984", "the busiest resource bounds what a system does"),
            ],
        )
        .costing(facts.slowed(0.0005))
        .about([&resource.name]),
    );
}

/// Whether locks are held while storage is waited for: the database on an export, or on disks with pages that memory lacks.
fn held_for_storage(facts: &Facts<'_>) -> bool {
    facts.on_export("db").is_some() || facts.memory.hit < HIT_MIN
}
