use super::{Evidence, Facts, Finding, Rule, Severity};
use crate::site::Release;
use crate::system::memory::ServerMemory;
use crate::units::Bytes;

pub(super) static RULE: Rule = Rule {
    id: "MEM003",
    name: "memory-exhausted",
    summary: "a server needs more memory at the peak than it has",
    since: "0.1.0",
    docs: "\
### What it does
Fires for each server whose processes, large commands and operating system need more memory at the peak than the server has. A
warning where all servers have enough, and the commit server would not without its edges.

### Why it matters
Without swap the operating system ends processes of p4d; with swap every command waits for it. A command that is ended while it
writes can leave a server that has to be recovered.

### Evidence
P4LOGS for the memory of a connection's process; KB2957 for about 1 KB a file of a large command; the operating system and the
largest tree are assumed (`models/memory.toml`).

### What to do
Buy memory. Until then refuse what does not fit: server.maxcommands (from release 2013.1), MaxMemory of groups (from 2022.2, the
first release that tracks a command's memory), MaxResults before that. Swap as a net.

### Limits
Processes of 4 MB are the low end of what logs show: scripts that list whole depots take more. An assumed number of connections
is one for each person at work.
",
    check,
};

/// Release from which `server.maxcommands` is known, as the settings have it.
const MAXCOMMANDS: Release = Release::new(2013, 1);
/// Release that first tracks the memory of a command.
const MAXMEMORY: Release = Release::new(2022, 2);
/// Servers are sold with memory in steps of so much.
const STEP: f64 = 8.0 * 1024.0 * 1024.0 * 1024.0;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    alone(facts, out);
    let site = facts.site;
    for memory in facts.memory.servers.iter().filter(|m| m.is_short()) {
        let (path, answer) = if memory.server == 0 {
            ("server.ram", &site.server.ram)
        } else {
            ("edge.ram", &site.edge.ram)
        };
        let size = |bytes: f64| Bytes::new(bytes);
        let connections = &site.people.connections_at_peak;
        out.push(RULE.finding(
            Severity::Critical,
            format!(
                "{} needs {} of memory at the peak and has {}: {:.0} connections take {}, large syncs {}, the largest other \
                 command {}, the system {}; processes are ended or swapped out",
                facts.deployment.server_in_words(memory.server),
                size(memory.need()),
                size(memory.there),
                memory.connections,
                size(memory.processes),
                size(memory.syncs),
                size(memory.largest),
                size(memory.system)
            ),
            remedy(site.server.release.value, memory),
            vec![
                Evidence::new("P4LOGS", "4 to 20 MB a process of a small command"),
                Evidence::new("KB2957", "about 1 KB a file of a large command"),
                Evidence::answer("people.connections_at_peak", connections, connections.value),
                Evidence::answer(path, answer, answer.value),
            ],
        ));
    }
}

/// Edges hold part of the connections: while they are down, the commit server has to hold all.
fn alone(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let servers = &facts.memory.servers;
    let Some(commit) = servers.first().filter(|_| servers.len() > 1) else {
        return;
    };
    let sum = |part: fn(&ServerMemory) -> f64| servers.iter().map(part).sum::<f64>();
    let all = ServerMemory {
        connections: sum(|m| m.connections),
        processes: sum(|m| m.processes),
        syncs: sum(|m| m.syncs),
        ..*commit
    };
    if servers.iter().any(ServerMemory::is_short) || !all.is_short() {
        return;
    }
    let site = facts.site;
    let connections = &site.people.connections_at_peak;
    out.push(RULE.finding(
        Severity::Warning,
        format!(
            "without its edges the commit server needs {} of memory at the peak and has {}: it does not survive their \
             {:.0} connections when they are down",
            Bytes::new(all.need()),
            Bytes::new(all.there),
            all.connections - commit.connections
        ),
        remedy(site.server.release.value, &all),
        vec![
            Evidence::new("P4LOGS", "4 to 20 MB a process of a small command"),
            Evidence::answer("people.connections_at_peak", connections, connections.value),
            Evidence::answer("server.ram", &site.server.ram, site.server.ram.value),
        ],
    ));
}

fn remedy(release: Release, memory: &ServerMemory) -> String {
    let buy = Bytes::new((memory.need() / STEP).ceil() * STEP);
    let mut words = vec![format!("{buy} of memory")];
    let most = memory.processes_most();
    if release >= MAXCOMMANDS && most >= 1.0 && most.is_finite() {
        words.push(format!(
            "until then server.maxcommands at {most:.0}, which refuses more"
        ));
    }
    words.push(if release >= MAXMEMORY {
        "MaxMemory for groups whose commands list whole trees".to_owned()
    } else {
        "MaxResults for groups whose commands list whole trees (MaxMemory needs release 2022.2)"
            .to_owned()
    });
    let swap = Bytes::new(memory.need() - memory.there);
    words.push(format!("swap of at least {swap} as a net"));
    words.join("; ")
}
