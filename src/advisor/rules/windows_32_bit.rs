use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Release;
use crate::units::Bytes;

pub(super) static RULE: Rule = Rule {
    id: "OSX001",
    name: "windows-32-bit",
    summary: "a 32-bit server: 2 GB a process, and on Windows a limit of connections",
    docs: "\
### What it does
Fires when p4d or the server has 32 bits; critical in addition where it runs on Windows with a release
before 2006.2 and a server holds more than 130 connections.

### Why it matters
A process addresses 2 GB, however much the machine has: large commands fail and the page cache is small.
On Windows 2,048 descriptors at 15 a connection lead to crashes, up to six a day.

### Evidence
E07-win32; E07-lock for the further gain of 64 bits.

### What to do
Use a 64-bit server with a 64-bit p4d, preferably on Linux.

### Limits
The limit of connections is that of the POSIX layer; native I/O removed it in 2006.2.
",
    check,
};

/// Connections that exhaust 2,048 descriptors at about 15 each (E07-win32).
const CONNECTIONS_MAX: f64 = 130.0;
/// Address space of a 32-bit process \[B\] (E07-win32).
const PROCESS: f64 = 2e9;
/// The first release with native I/O on Windows (E07-win32).
const NATIVE: Release = Release::new(2006, 2);

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let server = &facts.site.server;
    let model = facts.catalog.servers.get(&facts.deployment.server);
    if server.bits.value != 32.0 && model.is_none_or(|m| m.bits.value != 32.0) {
        return;
    }
    out.push(
        RULE.finding(
            Severity::Warning,
            format!(
                "a 32-bit p4d process can use {} of the {} of memory, so that large commands fail",
                Bytes::new(PROCESS).si(),
                Bytes::new(facts.deployment.memory).si()
            ),
            "use a 64-bit p4d on a 64-bit server",
            vec![
                facts.measured("E07-win32", "process-memory"),
                facts.measured("E07-lock", "linux64-to-best-32bit"),
                Evidence::answer("server.bits", &server.bits, server.bits.value),
            ],
        )
        .costing(facts.standstill(1.0, 10.0)),
    );
    let volumes = facts.deployment.volumes.iter();
    let mut filesystems = volumes.filter_map(|m| m.filesystem.as_deref());
    let systems = &facts.site.infrastructure.operating_systems.value;
    let windows = systems.iter().all(|s| s == "windows") || filesystems.any(|fs| fs == "ntfs");
    let people = &facts.site.people.connections_at_peak;
    let connections = people.value / facts.deployment.servers() as f64;
    if !windows || server.release.value >= NATIVE || connections <= CONNECTIONS_MAX {
        return;
    }
    out.push(RULE.finding(
        Severity::Critical,
        format!("{connections:.0} connections to a server exceed the {CONNECTIONS_MAX} that 2,048 descriptors allow; p4d then crashes"),
        "use a 64-bit server on Linux, or at least release 2006.2 with native I/O",
        vec![
            facts.measured("E07-win32", "users"),
            facts.measured("E07-win32", "descriptors"),
            Evidence::answer("people.connections_at_peak", people, people.value),
        ],
    ).costing(facts.standstill(1.0, 10.0)));
}
