use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::system::ResourceKind;
use crate::units::Fraction;

pub(super) static RULE: Rule = Rule {
    id: "BLD004",
    name: "idle-proxy",
    summary: "proxies relieve a link that is not busy",
    docs: "\
### What it does
Fires where the deployment has proxies and the server's link to its clients is less than 20 % busy at the peak.

### Why it matters
A proxy keeps file content near its users; metadata and locks are the server's as before. Where the link has
room it answers no faster, and it is a cache to clean and a machine to run.

### Evidence
Utilization is the model's; E07-proxy for a server whose disks it relieved.

### What to do
Leave it out, unless it stands in a distant office.

### Limits
The model gives a proxy's hits to the archive disks and the link; a slow archive store may still want it.
",
    check,
};

/// A quarter of what NET001 calls nearly full (assumed).
const BUSY_MIN: f64 = 0.2;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let used = facts.utilization(&[ResourceKind::ClientNetwork]);
    if !facts.deployment.proxies || used >= BUSY_MIN {
        return;
    }
    let shown = Fraction::new(used).estimated();
    out.push(
        RULE.finding(
            Severity::Note,
            format!("proxies for builds bring little: the server's link is {shown} busy with them, and they answer no metadata"),
            "leave them out until the link is busy, and look first at locks and processor",
            vec![
                Evidence::new("model", format!("the link to the clients is {shown} busy at the peak")),
                Evidence::new("E07-proxy", "proxies relieved a server whose archive disks were busy"),
            ],
        )
        .costing(1.0),
    );
}
