//! Memory of the servers.

use super::{Check, Evidence, Facts, Finding, Said};
use crate::catalog::Feature;
use crate::system::memory::ServerMemory;
use crate::units::{Bytes, Fraction, about_count, grouped};

use Check::{Each, Once};

/// The rules of this file.
pub(super) const RULES: &[(&str, Check)] =
    &[("MEM001", Once(memory_below_rule)), ("MEM002", Once(database_not_cached)), ("MEM003", Each(memory_exhausted))];

fn memory_below_rule(facts: &Facts<'_>) -> Option<Finding> {
    let memory = facts.memory;
    if memory.there >= memory.rule {
        return None;
    }
    let site = facts.site;
    let (files, users) = (site.data.files.value, site.people.developers.value);
    Some(
        Finding::warning(
            Said::from(format!(
                "the server has {} of memory, and Perforce's rule of thumb is {}",
                memory.there,
                memory.rule.estimated()
            ))
            .then("below it commands read from disk with locks held"),
            Said::from(format!("buy memory up to {}", facts.memory_to_buy(memory.rule)))
                .then(format!("{} hold the whole database", facts.memory_to_buy(memory.all))),
            vec![
                Evidence::new("KB2957", format!("1.5 KB a file for {} files", grouped(files))),
                Evidence::new("SAG", format!("64 MB a user for {} users", grouped(users))),
                Evidence::answer("server.ram", &site.server.ram, site.server.ram.value),
            ],
        )
        .costing(facts.slowed(0.001)),
    )
}

fn database_not_cached(facts: &Facts<'_>) -> Option<Finding> {
    /// Below, it is shown as 0 %.
    const NONE: f64 = 0.005;

    let memory = facts.memory;
    if memory.hit >= HIT_MIN {
        return None;
    }
    let db = &facts.site.data.db_size;
    let medium = facts.deployment.mount("db").map(|m| &m.medium);
    let medium = medium.and_then(|id| facts.catalog.media.get(id));
    let store = if facts.on_export("db").is_some() {
        "the filer"
    } else if medium.is_some_and(|m| m.kind == "flash") {
        "flash"
    } else {
        "disks"
    };
    let ram = &facts.site.server.ram;
    let hit = Fraction::new(memory.hit).estimated();
    Some(
        Finding::warning(
            if memory.hit < NONE {
                Said::from(format!(
                    "processes take all {} of memory, so that no page of the database stays there",
                    memory.there
                ))
                .then(format!(
                    "each read waits for {store}, with \
                 locks held"
                ))
            } else {
                Said::from(format!(
                    "only {hit} of the database's page reads are found in {} of memory (should be {})",
                    memory.there,
                    Fraction::new(HIT_MIN)
                ))
                .then(format!(
                    "the others wait for {store}, \
                 with locks held"
                ))
            },
            Said::from("buy memory").detail(format!(
                "{} hold the whole database ({}) and all processes",
                facts.memory_to_buy(memory.all),
                db.value
            )),
            vec![
                Evidence::answer("server.ram", ram, ram.value),
                Evidence::new("model", format!("hit ratio {hit}")),
                Evidence::answer("data.db_size", db, db.value),
                Evidence::new("SAG", "reads of the database's volume should be near zero"),
                facts.measured("N08-pam-range", "stated-range"),
            ],
        )
        .costing(facts.loaded(0.01 * (1.0 - facts.memory.hit))),
    )
}

/// At 2 % misses a listing that reads a hundred pages waits for two random reads, some 10 ms on a
/// disk, as long as the command itself takes (P4LOGS: 2 to 11 ms).
pub(in crate::advisor) const HIT_MIN: f64 = 0.98;

fn memory_exhausted(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    alone(facts, out);
    let site = facts.site;
    for memory in facts.memory.servers.iter().filter(|m| m.is_short()) {
        let (path, answer) =
            if memory.server == 0 { ("server.ram", &site.server.ram) } else { ("edge.ram", &site.edge.ram) };
        let size = |bytes: f64| Bytes::new(bytes).estimated();
        let parts = [
            (format!("{} connections", about_count(memory.connections)), memory.processes),
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
        out.push(
            Finding::critical(
                Said::from(format!(
                    "{} needs {} of memory at the peak and has {}",
                    facts.deployment.server_in_words(memory.server),
                    size(memory.need()),
                    Bytes::new(memory.there)
                ))
                .then(format!("p4d processes are then killed or swapped out. The need: {}", parts.join(", "))),
                remedy(facts, memory),
                vec![
                    Evidence::new("P4LOGS", "4 to 20 MB a process of a small command"),
                    Evidence::new("KB2957", "about 1 KB a file of a large command"),
                    Evidence::answer("people.connections_at_peak", connections, connections.value),
                    Evidence::answer(path, answer, answer.value),
                ],
            )
            .costing(facts.standstill(1.0, 50.0)),
        );
    }
}

/// Edges hold part of the connections: while they are down, the commit server has to hold all.
fn alone(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let servers = &facts.memory.servers;
    let Some(commit) = servers.first().filter(|_| servers.len() > 1) else {
        return;
    };
    let Some(all) = ServerMemory::all_on_commit(servers) else {
        return;
    };
    if servers.iter().any(ServerMemory::is_short) || !all.is_short() {
        return;
    }
    let site = facts.site;
    let connections = &site.people.connections_at_peak;
    out.push(
        Finding::warning(
            Said::from(format!(
                "without its edges the commit server needs {} of memory at the peak and has {}",
                Bytes::new(all.need()).estimated(),
                Bytes::new(all.there)
            ))
            .then(format!(
                "if they fail, their {} \
             connections exhaust it",
                about_count(all.connections - commit.connections)
            )),
            remedy(facts, &all),
            vec![
                Evidence::new("P4LOGS", "4 to 20 MB a process of a small command"),
                Evidence::answer("people.connections_at_peak", connections, connections.value),
                Evidence::answer("server.ram", &site.server.ram, site.server.ram.value),
            ],
        )
        .costing(facts.standstill(1.0, 50.0)),
    );
}

fn remedy(facts: &Facts<'_>, memory: &ServerMemory) -> Said {
    let release = facts.site.server.release.value;
    let buy = facts.memory_to_buy(Bytes::new(memory.need()));
    let mut words = vec![format!("give it {buy} of memory")];
    let most = memory.processes_most();
    if release.has(Feature::MaxCommands) && most >= 1.0 && most.is_finite() {
        words.push(format!("until then set server.maxcommands to {most:.0}, so that further commands are refused"));
    }
    words.push(if release.has(Feature::CommandMemory) {
        "set MaxMemory for groups whose commands list whole trees".to_owned()
    } else {
        format!(
            "set MaxResults for groups whose commands list whole trees (MaxMemory needs release {})",
            Feature::CommandMemory.since()
        )
    });
    let swap = Bytes::new(memory.need() - memory.there).estimated();
    words.push(format!("keep at least {swap} of swap as a safety net"));
    words.into_iter().collect()
}
