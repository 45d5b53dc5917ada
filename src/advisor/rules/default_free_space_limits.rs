use super::{Evidence, Facts, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "CAP008",
    name: "default-free-space-limits",
    summary: "p4d notices a full volume too late",
    docs: "\
### What it does
Fires where `today.signs` has `default-free-space-limits`.

### Why it matters
p4d refuses commands when a volume has less free than `filesys.*.min`. The default of 250 MB is filled by one
large submit: then the journal breaks off, and the server has to be recovered.

### Evidence
P4HELP for the defaults, P4CONF and SDP for larger ones; the values are those of
`models/settings/p4-configure.toml`.

### What to do
Set them as the emitted configuration does, and alert a day before they are met. Releases before 2011.1 lack them.

### Limits
They stop the work of everybody until there is space: that is their purpose.
",
    check,
};

const NAMES: [&str; 4] = [
    "filesys.P4ROOT.min",
    "filesys.P4JOURNAL.min",
    "filesys.P4LOG.min",
    "filesys.depot.min",
];

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("default-free-space-limits") else {
        return;
    };
    let lines = NAMES.iter().filter_map(|name| {
        let value = facts.setting("p4-configure", name)?;
        Some(format!("p4 configure set {name}={value}"))
    });
    let lines: Vec<String> = lines.collect();
    let (stops, action) = if lines.is_empty() {
        let release = facts.site.server.release.value;
        (
            "p4d goes on until a volume is full",
            format!(
                "alert while a tenth of each volume is free: release {release} lacks filesys.*.min, which came with 2011.1"
            ),
        )
    } else {
        (
            "p4d stops at 250 MB of free space, which one large submit fills",
            format!("run {}", lines.join(", ")),
        )
    };
    let depot = &facts.site.data.depot_growth;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!("{stops}; a journal that breaks off is lost work"),
            action,
            vec![
                sign,
                Evidence::answer("data.depot_growth", depot, depot.value),
                Evidence::new("P4HELP", "filesys.*.min is 250 MB by default"),
            ],
        )
        .costing(facts.standstill(4.0, 0.1)),
    );
}
