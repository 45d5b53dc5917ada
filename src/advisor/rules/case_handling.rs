use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::about_count;

pub(super) static RULE: Rule = Rule {
    id: "OSX002",
    name: "case-handling",
    summary: "a move from Windows changes how names are compared",
    docs: "\
### What it does
Fires where the site states Windows among the systems that its server can run, and the server of the deployment runs
another.

### Why it matters
p4d on Windows takes README and Readme for one file; on Linux for two unless it is started with -C1. A
checkpoint that is replayed with the other setting gives a database in which files are missing.

### Evidence
SAG on case-insensitive servers; E07-standard ran such a server on Linux with a wrapper.

### What to do
Start the new server with `-C1` everywhere (p4d -C1, p4d -C1 -jr, verify), or convert names first with the
vendor's script.

### Limits
Sites whose clients are Windows and Mac alone are best left case-insensitive.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let systems = &facts.site.infrastructure.operating_systems;
    let runs = systems.value.iter().any(|system| system == "windows");
    if !systems.is_stated() || !runs || facts.deployment.system == "windows" {
        return;
    }
    let files = &facts.site.data.files;
    out.push(
        RULE.finding(
            Severity::Note,
            format!("a server that moves from Windows to {} compares the names of {} files by case", facts.deployment.system, about_count(files.value)),
            "replay the checkpoint and start p4d with -C1 (p4d -C1 -r ROOT -jr CHECKPOINT), so that names compare as before",
            vec![
                Evidence::answer("infrastructure.operating_systems", systems, systems.value.join(", ")),
                Evidence::new("E07-standard", "a case-insensitive server on Linux"),
                Evidence::new("SAG", "p4d -C1 is case-insensitive on Unix"),
            ],
        )
        .costing(1.0),
    );
}
