//! The machine: processors, memory, drives of its own, network.

use std::collections::{BTreeMap, BTreeSet};

use super::Answers;
use crate::collected::amount::{count, iec};
use crate::collected::facts::{Collected, Found};
use crate::collected::names::processor;
use crate::collected::volumes::text;
use crate::diag::harmless_line;

/// The value of a line of `lscpu`.
fn line<'c>(collected: &'c Collected, name: &str) -> Option<&'c Found<(String, String)>> {
    collected.processors.iter().find(|found| found.value.0 == name)
}

pub(super) fn machine(collected: &Collected, answers: &mut Answers) {
    let of = |name: &str| line(collected, name).map(|found| found.value.1.as_str());
    let number = |name: &str| of(name).and_then(count).filter(|n| *n >= 1.0);
    let cores = number("Core(s) per socket").zip(number("Socket(s)")).map(|(cores, sockets)| cores * sockets);
    let cores = cores.or_else(|| {
        number("CPU(s)").zip(number("Thread(s) per core")).map(|(all, threads)| (all / threads).max(1.0).floor())
    });
    match (cores, number("CPU(s)")) {
        (Some(cores), _) => {
            let found = line(collected, "Core(s) per socket").or_else(|| line(collected, "CPU(s)"));
            if let Some(found) = found {
                answers.know("server.cores", cores.to_string(), found.at());
            }
        }
        (None, Some(all)) => answers.ask(
            "server.cores",
            format!("How many cores does the server have? It has {all} logical processors, and the outputs do not say how many threads a core has: `lscpu` does."),
        ),
        (None, None) => {}
    }
    if let Some(found) = line(collected, "Model name") {
        let (family, model) = (of("CPU family").unwrap_or(""), of("Model").unwrap_or(""));
        let shown = harmless_line(&found.value.1);
        match processor(&found.value.1, family, model) {
            Some(name) => match (&name.id, &name.what) {
                (Some(id), _) => answers.know("server.processor", text(id), found.at()),
                (None, what) => answers.ask(
                    "server.processor",
                    format!(
                        "The processor is {shown}, {}, which the catalogue does not have. Which family comes nearest?",
                        what.as_deref().unwrap_or("another")
                    ),
                ),
            },
            None => answers.ask("server.processor", format!("Of which family is the processor {shown}?")),
        }
        answers.ask(
            "server.clock",
            format!("At which clock do all cores of {shown} run together? lscpu shows that of a single core; the data sheet has the all-core turbo."),
        );
    }
    let vendor = of("Hypervisor vendor");
    let metal =
        line(collected, "Model name").is_some().then_some("the server is no virtual machine, as far as lscpu shows");
    if let Some(seen) = vendor
        .map(|vendor| format!("the server is a virtual machine ({})", harmless_line(vendor)))
        .or(metal.map(str::to_owned))
    {
        answers.seen.push(seen);
    }
    let exact = collected.memory.iter().find(|found| found.from == "/proc/meminfo");
    if let Some(found) = exact.or(collected.memory.first()) {
        answers.know("server.ram", text(&iec(found.value)), found.at());
    } else if let Some(found) = collected.memory_without_unit.first() {
        answers.ask(
            "server.ram",
            format!("How much memory does the server have? `free` shows {} without a unit: KiB by itself, MiB with -m. `grep MemTotal /proc/meminfo` has one.", found.value),
        );
    }
}

/// The server's own drives under today's volumes.
pub(super) fn own_drives(collected: &Collected, answers: &mut Answers) {
    let own = answers.volumes.iter().filter_map(|volume| volume.own.as_ref());
    let (mut disks, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for drives in own {
        disks.extend(drives.disks.iter().cloned());
        kinds.extend(drives.medium.clone());
    }
    let from = collected.trees.last().map(Found::at);
    let Some(from) = from.filter(|_| !disks.is_empty()) else {
        return;
    };
    answers.know("server.local_disks", disks.len().to_string(), from);
    if let (1, Some(kind)) = (kinds.len(), kinds.pop_first()) {
        answers.know("server.local_medium", text(&kind), from);
    }
}

pub(super) fn network(collected: &Collected, answers: &mut Answers) {
    const NAMES: [(f64, &str); 4] = [(1e9, "eth-1g"), (10e9, "eth-10g"), (25e9, "eth-25g"), (100e9, "eth-100g")];
    let is_port = |name: &str| {
        !["lo", "docker", "veth", "virbr", "br", "bond", "team", "tun", "tap"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let mut ports: BTreeMap<&str, &Found<(String, f64)>> = BTreeMap::new();
    for found in collected.ports.iter().filter(|found| is_port(&found.value.0) && found.value.1 > 0.0) {
        ports.insert(&found.value.0, found);
    }
    let shown: Vec<String> = ports
        .iter()
        .map(|(name, found)| format!("{} at {:.0} Gb/s", harmless_line(name), found.value.1 / 1e9))
        .collect();
    match (ports.len(), ports.values().next()) {
        (1, Some(found)) => match NAMES.iter().find(|(speed, _)| *speed == found.value.1) {
            Some((_, id)) => answers.know("infrastructure.client_network", text(id), found.at()),
            None => answers.ask(
                "infrastructure.client_network",
                format!("Which network joins the server and its clients? Its port is {}.", shown.join(", ")),
            ),
        },
        (2.., _) => answers.ask(
            "infrastructure.client_network",
            format!("Which of the server's ports lead to its clients: {}?", shown.join(", ")),
        ),
        _ => {}
    }
}
