use super::{Evidence, Facts, Finding, Rule, Severity, memory_to_buy};
use crate::units::grouped;

pub(super) static RULE: Rule = Rule {
    id: "MEM001",
    name: "memory-below-rule",
    summary: "the server has less memory than Perforce's rule of thumb recommends",
    docs: "\
### What it does
Fires when a server has less memory than 1.5 KB a file and 64 MB a user.

### Why it matters
The rule holds the pages that one large query needs and each user's process. Below it the page cache
is emptied by ordinary work and commands read from disk while they hold locks.

### Evidence
The rule is Perforce's own, in KB2957 and SAG.

### What to do
Buy memory up to the rule; up to the size of the database where it is affordable.

### Limits
Perforce calls the rule a conservative estimate. A database of which half fits in memory still does
well; see MEM002 for what the model predicts.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let memory = facts.memory;
    if memory.there >= memory.rule {
        return;
    }
    let site = facts.site;
    let (files, users) = (site.data.files.value, site.people.developers.value);
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "the server has {} of memory, and Perforce's rule of thumb is {}; below it commands read from disk with locks held",
            memory.there,
            memory.rule.estimated()
        ),
        format!(
            "buy memory up to {}; {} hold the whole database",
            memory_to_buy(memory.rule),
            memory_to_buy(memory.all)
        ),
        vec![
            Evidence::new("KB2957", format!("1.5 KB a file for {} files", grouped(files))),
            Evidence::new("SAG", format!("64 MB a user for {} users", grouped(users))),
            Evidence::answer("server.ram", &site.server.ram, site.server.ram.value),
        ],
    ).costing(facts.slowed(0.001)));
}
