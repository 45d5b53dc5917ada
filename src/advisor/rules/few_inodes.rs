use super::{Evidence, Facts, Finding, Part, Rule, Severity};
use crate::units::{Bytes, about_count, grouped};

pub(super) static RULE: Rule = Rule {
    id: "CAP007",
    name: "few-inodes",
    summary: "the depots' filesystem may run out of inodes before it is full",
    docs: "\
### What it does
Fires where the depots lie on ext3 or ext4 and an archive file is smaller than 16 KiB on average: depot size
over revisions.

### Why it matters
With compressed storage each revision is a file. ext makes a fixed number of inodes when it is formatted, one
for each 16 KiB: smaller files use them up, and p4d fails with free space left.

### Evidence
EXTDOC for the ratio; lbr.autocompress of the emitted configuration stores each revision as a file.

### What to do
XFS, which makes inodes as they are needed, or `mkfs.ext4 -T news`, one for each 4 KiB. `df -i` shows how many
are left.

### Limits
Text in RCS files has one file for all revisions.
",
    check,
};

/// One inode for so many bytes, as mke2fs.conf has it \[B\].
const AN_INODE: f64 = 16_384.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let Some(mount) = facts.deployment.mount("depot") else {
        return;
    };
    let ext = mount
        .filesystem
        .as_deref()
        .filter(|fs| fs.starts_with("ext"));
    let (depot, revisions) = (&facts.site.data.depot_size, &facts.site.data.revisions);
    let file = depot.value.get() / revisions.value.max(1.0);
    let Some(ext) = ext.filter(|_| file < AN_INODE) else {
        return;
    };
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "an archive file has {} on average, and {ext} makes an inode for each 16 KiB: {} of them are used up before the \
                 volume is full",
                Bytes::new(file).estimated(),
                about_count(depot.value.get() / AN_INODE)
            ),
            "format the depots with XFS, or with mkfs.ext4 -T news; look at df -i",
            vec![
                Evidence::answer("data.depot_size", depot, depot.value),
                Evidence::answer("data.revisions", revisions, grouped(revisions.value)),
                Evidence::new("EXTDOC", "inodes are made when the filesystem is, one for each 16 KiB"),
            ],
        )
        .costing(facts.standstill(4.0, 0.2))
        .unless(facts.unstated(&["depot"], &[Part::Filesystem])),
    );
}
