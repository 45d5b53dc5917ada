use super::{Evidence, Facts, Finding, Rule, Severity, memory_to_buy};
use crate::site::Release;
use crate::system::memory::ServerMemory;
use crate::units::{Bytes, about_count};

pub(super) static RULE: Rule = Rule {
    id: "MEM003",
    name: "memory-exhausted",
    summary: "a server needs more memory at the peak than it has",
    docs: "\
### What it does
Fires for each server whose processes, large commands and operating system need more memory at the peak than the server has. A
warning where all servers have enough, and the commit server would not without its edges.

### Why it matters
Without swap the operating system kills p4d processes; with swap every command waits for the disk. A command that is killed while
it writes can leave a server that has to be recovered.

### Evidence
P4LOGS for the memory of a connection's process; KB2957 for about 1 KB a file of a large command; the operating system and the
largest tree are assumed (`models/memory.toml`).

### What to do
Buy memory. Until then limit the commands: server.maxcommands (from release 2013.1), MaxMemory of groups (from 2022.2, the
first release that tracks a command's memory), MaxResults before that. Keep swap space as a safety net.

### Limits
Processes of 4 MB are the low end of what logs show: scripts that list whole depots take more. Where the number of connections
is assumed, it is one for each person at work.
",
    check,
};

/// Release from which `server.maxcommands` is known, as the settings have it.
const MAXCOMMANDS: Release = Release::new(2013, 1);
/// Release that first tracks the memory of a command.
const MAXMEMORY: Release = Release::new(2022, 2);

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    alone(facts, out);
    let site = facts.site;
    for memory in facts.memory.servers.iter().filter(|m| m.is_short()) {
        let (path, answer) = if memory.server == 0 {
            ("server.ram", &site.server.ram)
        } else {
            ("edge.ram", &site.edge.ram)
        };
        let size = |bytes: f64| Bytes::new(bytes).estimated();
        let parts = [
            (
                format!("{} connections", about_count(memory.connections)),
                memory.processes,
            ),
            ("large syncs".to_owned(), memory.syncs),
            ("the largest other command".to_owned(), memory.largest),
            ("the operating system".to_owned(), memory.system),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(_, bytes)| *bytes > 0.0)
            .map(|(what, bytes)| format!("{what} {}", size(bytes)))
            .collect();
        let connections = &site.people.connections_at_peak;
        out.push(RULE.finding(
            Severity::Critical,
            format!(
                "{} needs {} of memory at the peak and has {}; p4d processes are then killed or swapped out. The need: {}",
                facts.deployment.server_in_words(memory.server),
                size(memory.need()),
                Bytes::new(memory.there),
                parts.join(", ")
            ),
            remedy(site.server.release.value, memory),
            vec![
                Evidence::new("P4LOGS", "4 to 20 MB a process of a small command"),
                Evidence::new("KB2957", "about 1 KB a file of a large command"),
                Evidence::answer("people.connections_at_peak", connections, connections.value),
                Evidence::answer(path, answer, answer.value),
            ],
        ).costing(facts.standstill(1.0, 50.0)));
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
            "without its edges the commit server needs {} of memory at the peak and has {}; if they fail, their {} \
             connections exhaust it",
            Bytes::new(all.need()).estimated(),
            Bytes::new(all.there),
            about_count(all.connections - commit.connections)
        ),
        remedy(site.server.release.value, &all),
        vec![
            Evidence::new("P4LOGS", "4 to 20 MB a process of a small command"),
            Evidence::answer("people.connections_at_peak", connections, connections.value),
            Evidence::answer("server.ram", &site.server.ram, site.server.ram.value),
        ],
    ).costing(facts.standstill(1.0, 50.0)));
}

fn remedy(release: Release, memory: &ServerMemory) -> String {
    let buy = memory_to_buy(Bytes::new(memory.need()));
    let mut words = vec![format!("give it {buy} of memory")];
    let most = memory.processes_most();
    if release >= MAXCOMMANDS && most >= 1.0 && most.is_finite() {
        words.push(format!(
            "until then set server.maxcommands to {most:.0}, so that further commands are refused"
        ));
    }
    words.push(if release >= MAXMEMORY {
        "set MaxMemory for groups whose commands list whole trees".to_owned()
    } else {
        "set MaxResults for groups whose commands list whole trees (MaxMemory needs release 2022.2)"
            .to_owned()
    });
    let swap = Bytes::new(memory.need() - memory.there).estimated();
    words.push(format!("keep at least {swap} of swap as a safety net"));
    words.join("; ")
}
