use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "QUE002",
    name: "locks-on-reads",
    summary: "reads take table locks and wait behind writes",
    docs: "\
### What it does
Fires when reads take locks: before release 2013.3, or with db.peeking below 2.

### Why it matters
A long scan makes writers wait, and a long submit makes readers wait; commands that come later queue
behind both. Without locks, reads see a consistent state and no command waits for them.

### Evidence
P17-lockless names the release; P4LOCKLESS lists the commands that profit; RN2013.3 introduced it.

### What to do
Release 2013.3 or later, then `p4 configure set db.peeking=2`.

### Limits
With 2, syncs and listings still lock db.revhx while they read; 3 frees them of that and makes them read all revisions of a
file. The model follows P4LOCKLESS; how long db.revhx stays locked is published nowhere: batches of 10,000 rows are assumed.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    if facts.deployment.read_locks.peeks() {
        return;
    }
    let server = &facts.site.server;
    let (release, peeking) = (server.release.value, server.peeking.value);
    let mut evidence = vec![
        Evidence::answer("server.release", &server.release, release),
        facts.measured("P17-lockless", "lockless-from"),
        Evidence::new(
            "P4LOCKLESS",
            "with db.peeking at 2 or 3 most reads take no lock",
        ),
    ];
    // A release that cannot read without locks has no such setting.
    let with = if release.lockless() {
        evidence.insert(
            1,
            Evidence::answer("server.peeking", &server.peeking, peeking),
        );
        format!(" and db.peeking={peeking}")
    } else {
        String::new()
    };
    let action = if release.lockless() {
        "run p4 configure set db.peeking=2"
    } else {
        "upgrade to release 2013.3 or later and set db.peeking=2"
    };
    out.push(RULE.finding(
        Severity::Warning,
        format!("reads take table locks with release {release}{with}; reads and writes then wait for each other"),
        action,
        evidence,
    ).costing(facts.loaded(0.02)));
}
