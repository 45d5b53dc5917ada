use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "OSX005",
    name: "virtual-machine-traps",
    summary: "the virtual machine takes memory or time away from the server",
    docs: "\
### What it does
Fires for each of `memory-ballooning`, `vm-snapshots` and `processor-steal` of `today.signs`.

### Why it matters
Ballooning takes the page cache that the memory was bought for, and may swap processes out. A snapshot of the
machine stops it while tables are locked, and its log slows each write. Steal is time that other machines had
while locks were held.

### Evidence
The signs are the site's; MEM002 and MEM003 have what memory is worth here.

### What to do
Reserve all memory and the cores for this machine; no snapshots of the running machine; no live migration in
working hours.

### Limits
The model assumes the memory and cores that were stated: where these are taken away its times are too short.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let ram = facts.memory.there;
    let cores = &facts.site.server.cores;
    let traps = [
        (
            "memory-ballooning",
            format!(
                "the host takes memory back from the virtual machine: of {ram} less is there than was bought, and the page cache goes first"
            ),
            "reserve all of the machine's memory on the host, and remove the balloon driver"
                .to_owned(),
            0.01,
        ),
        (
            "vm-snapshots",
            format!(
                "snapshots of the running machine stop it with tables locked, and {} wait",
                facts.people_in_words()
            ),
            "delete the snapshots, and back up checkpoints and depots in their place".to_owned(),
            0.005,
        ),
        (
            "processor-steal",
            format!(
                "other machines take time of the {} cores, also while locks are held",
                cores.value
            ),
            "reserve the cores, or move the machine; look at the st column of vmstat 1".to_owned(),
            0.008,
        ),
    ];
    for (word, message, action, share) in traps {
        if let Some(sign) = facts.seen(word) {
            out.push(
                RULE.finding(
                    Severity::Warning,
                    message,
                    action,
                    vec![
                        sign,
                        Evidence::answer("server.ram", &facts.site.server.ram, ram),
                    ],
                )
                .costing(facts.slowed(share)),
            );
        }
    }
}
