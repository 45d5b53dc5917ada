use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::memory::ServerMemory;
use crate::units::Bytes;

pub(super) static RULE: Rule = Rule {
    id: "MEM004",
    name: "swapping",
    summary: "the server swaps",
    docs: "\
### What it does
Fires where `today.signs` has `swapping`.

### Why it matters
A page of a process that comes back from swap takes a thousand times as long as memory, and its command holds
locks meanwhile.

### Evidence
E07-standard sets swappiness 10, as does the emitted sysctl file; MEM003 has what the peak needs.

### What to do
Find who takes the memory (`ps -eo rss,args --sort=-rss | head`), limit the commands, then buy memory.

### Limits
Swap that is full and quiet is harmless: look at the si and so columns of vmstat.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("swapping") else {
        return;
    };
    let need = facts.memory.servers.first().map_or(0.0, ServerMemory::need);
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("the server swaps; the model finds a need of {} at the peak in {}", Bytes::new(need).estimated(), facts.memory.there),
            "run ps -eo rss,args --sort=-rss | head at the peak, limit these commands (MaxMemory or MaxResults in p4 group), and set vm.swappiness=10",
            vec![
                sign,
                Evidence::answer("server.ram", &facts.site.server.ram, facts.memory.there),
                Evidence::new("E07-standard", "vm.swappiness 10"),
            ],
        )
        .costing(facts.slowed(0.02)),
    );
}
