use super::super::targets::tightest;
use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Target;
use crate::system::{ClassPrediction, ResourceKind};
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "NET006",
    name: "slow-syncs",
    summary: "syncs are slow, and where their time goes decides what helps",
    docs: "\
### What it does
Fires where `today.signs` has `slow-syncs`. Says where the model finds the time of a sync.

### Why it matters
A sync is read from the depot, sent over the network, and written by the client. The slowest of the three sets
the pace; the other two can be had twice as fast for nothing.

### Evidence
The parts are the model's; P4LOGS: `rpc snd/rcv` of the log is the time of network and client.

### What to do
Measure one: `p4 -Ztrack sync`, and read `rpc ... snd/rcv` (network and client) against `lbr` reads (depot).

### Limits
The estimate is of the deployment as it is described, not of the switch between.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("slow-syncs") else {
        return;
    };
    // Of all syncs of people the one that is farthest from what is wanted of it.
    let farthest = |class: &&ClassPrediction| {
        let want = tightest(facts.site, class);
        want.map_or(0.0, |want| want.time / want.limit)
    };
    let syncs = facts.prediction.classes.iter();
    let syncs =
        syncs.filter(|class| matches!(class.work.target(), Some(Target::Sync | Target::LargeSync)));
    let Some(sync) = syncs.max_by(|a, b| farthest(a).total_cmp(&farthest(b))) else {
        return;
    };
    let message = match facts.overload {
        Some(overload) => format!(
            "syncs are slow today, and {overload}; until that is mended, what else slows them is not known"
        ),
        None => of_its_parts(sync),
    };
    let threads = if facts.site.server.release.value.parallel_syncs() {
        "; then p4 configure set net.parallel.max=10"
    } else {
        ""
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            message,
            format!("run p4 -Ztrack sync on one slow client: rpc snd/rcv is network and client, lbr reads are the depot{threads}"),
            vec![sign, Evidence::new("P4LOGS", "rpc snd/rcv and lbr reads of each sync in the log")],
        )
        .costing(facts.slowed(0.005)),
    );
}

/// Where its time goes, and what follows for storage.
fn of_its_parts(sync: &ClassPrediction) -> String {
    let total: f64 = sync.parts.iter().map(|(_, time)| time).sum();
    let parts = sync.parts.iter().take(3).map(|(kind, time)| {
        let share = Fraction::new(time / total.max(f64::MIN_POSITIVE)).estimated();
        format!("{} {share}", kind.in_words())
    });
    let parts: Vec<String> = parts.collect();
    let storage = sync
        .parts
        .first()
        .is_some_and(|(kind, _)| is_storage(*kind));
    let helps = if storage {
        "storage is the largest part"
    } else {
        "faster storage will not help"
    };
    let name = &sync.name;
    let parts = parts.join(", ");
    format!("syncs are slow today; the model finds the time of {name} in {parts}: {helps}")
}

/// Whether faster storage shortens it.
pub(super) fn is_storage(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Disks
            | ResourceKind::Stream
            | ResourceKind::Ports
            | ResourceKind::Slots
            | ResourceKind::Connections
            | ResourceKind::StorageNetwork
    )
}
