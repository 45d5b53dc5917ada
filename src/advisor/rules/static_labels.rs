use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::units::{about_count, grouped};

pub(super) static RULE: Rule = Rule {
    id: "QUE009",
    name: "static-labels",
    summary: "static labels write a row for each file",
    docs: "\
### What it does
Fires where `today.signs` has `static-labels`.

### Why it matters
`p4 tag` and `p4 labelsync` write one row a file and hold db.label exclusively for all of them; reads of the
label wait, and the database grows by each label.

### Evidence
SCHEMA for db.label, one row a label and file; the workspace's size is the site's.

### What to do
Automatic labels: `p4 label NAME` with `Revision: @CHANGE`, which is one row; delete old static ones at night.

### Limits
A label of files at different changes has to stay static.
",
    check,
};

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(sign) = facts.seen("static-labels") else {
        return;
    };
    let files = &facts.site.data.workspace_files;
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "each static label of a workspace writes up to {} rows with db.label locked; commands that read labels wait",
                about_count(files.value)
            ),
            "use automatic labels: p4 label NAME, with Revision: @CHANGE in place of p4 tag and p4 labelsync",
            vec![
                sign,
                Evidence::answer("data.workspace_files", files, grouped(files.value)),
                Evidence::new("SCHEMA", "db.label has a row for each label and file"),
            ],
        )
        .costing(facts.slowed(0.001)),
    );
}
