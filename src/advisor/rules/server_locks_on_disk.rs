use crate::catalog::Release;
use crate::system::Mount;
use crate::units::about_count;

use super::{A_DAY, Evidence, Facts, Finding, Part, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    id: "PLC014",
    name: "server-locks-on-disk",
    summary: "the server's lock files lie on disk or on an export",
    docs: "\
### What it does
Fires where `today.signs` has `server-locks-on-disk`, or where the database of today's system lies on an export and with
it `server.locks`. A warning on an export.

### Why it matters
Each command opens and locks files below server.locks. They need no durability; on NFS each is a call to the
filer.

### Evidence
KB3163 for the folder; SDP puts it on a tmpfs; `server.locks.dir` moves it.

### What to do
Set it to a folder on a tmpfs: `p4 configure set server.locks.dir=/run/p4locks`, then restart p4d. The emitted
configuration does both on Linux from release 2018.1 on.

### Limits
The folder is made anew after a reboot; lockless reads need it.
",
    check,
};

/// From here on the emitted configuration puts the folder on a tmpfs (`models/settings/p4-configure.toml`).
const EMITTED_SINCE: Release = Release::new(2018, 1);

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let sign = facts.seen("server-locks-on-disk");
    let is_emitted = !facts.is_there
        && facts.deployment.system == "linux"
        && facts.site.server.release.value >= EMITTED_SINCE;
    let export = facts
        .on_export("db")
        .filter(|_| !is_emitted)
        .map(|mount| (mount.device.clone(), mount.protocol.clone()));
    if sign.is_none() && export.is_none() {
        return;
    }
    let commands = about_count(facts.site.workload.commands_per_day.value.get() * A_DAY);
    let place = export
        .as_ref()
        .map_or("on disk".to_owned(), |(device, protocol)| {
            format!("on {device} over {protocol}, beside the database")
        });
    let mut evidence = vec![
        Evidence::new("KB3163", "each command takes locks below server.locks"),
        Evidence::new("SDP", "server.locks on a tmpfs"),
    ];
    // Who saw the folder need not say where the database lies.
    let unstated = if sign.is_some() {
        None
    } else {
        facts.unstated(&["db"], &[Part::Store])
    };
    evidence.extend(sign);
    out.push(
        RULE.finding(
            if export.is_some() { Severity::Warning } else { Severity::Note },
            format!("the folder server.locks lies {place}; {commands} commands a day lock files there"),
            if facts.setting("p4-configure", "server.locks.dir").is_some() {
                "make a folder on a tmpfs, run p4 configure set server.locks.dir=/run/p4locks, then restart p4d"
            } else {
                "make a folder on a tmpfs, stop p4d, and put a link to it in place of server.locks"
            },
            evidence,
        )
        .costing(facts.slowed(0.001))
        .about(facts.on_export("db").map(Mount::set_name))
        .unless(unstated),
    );
}
