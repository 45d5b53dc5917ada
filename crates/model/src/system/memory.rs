//! Memory that each server needs at the peak, and the page cache that it leaves.
//!
//! need = operating system + connections × process + large syncs in flight + the largest other command. A server
//! that has less ends processes or swaps. The page cache is what the first three leave: the largest command runs now and
//! then, and takes its memory from the cache meanwhile.

use super::deployment::Deployment;
use super::piece::routing;
use crate::workload::{Arrival, Load};

/// Memory of one server at the peak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServerMemory {
    /// Which: 0 is the commit server.
    pub server: usize,
    /// What it has \[B\].
    pub there: f64,
    /// Connections that it holds.
    pub connections: f64,
    /// Their processes \[B\].
    pub processes: f64,
    /// The operating system \[B\].
    pub system: f64,
    /// Large syncs in flight \[B\].
    pub syncs: f64,
    /// The largest other command \[B\].
    pub largest: f64,
}

impl ServerMemory {
    /// What it needs \[B\].
    pub fn need(&self) -> f64 {
        self.system + self.processes + self.syncs + self.largest
    }

    /// What is left for the page cache while the largest other command does not run \[B\].
    pub fn cache(&self) -> f64 {
        (self.there - self.system - self.processes - self.syncs).max(0.0)
    }

    /// Whether it needs more than it has.
    pub fn is_short(&self) -> bool {
        self.need() > self.there
    }

    /// The commit server with the connections and large syncs of all: its edges may fail. `None` without servers.
    pub fn all_on_commit(servers: &[Self]) -> Option<Self> {
        let sum = |part: fn(&Self) -> f64| servers.iter().map(part).sum::<f64>();
        let commit = *servers.first()?;
        Some(Self {
            connections: sum(|m| m.connections),
            processes: sum(|m| m.processes),
            syncs: sum(|m| m.syncs),
            ..commit
        })
    }

    /// Processes that fit beside the rest; zero where not even one does.
    pub fn processes_most(&self) -> f64 {
        let each = self.processes / self.connections;
        let free = self.there - (self.need() - self.processes);
        if each > 0.0 { (free / each).floor().max(0.0) } else { f64::INFINITY }
    }
}

/// Memory of each server under a load, where a connection's process takes `process` bytes. Connections follow the
/// people: an office's are at its edge, the others evenly on the commit server and the edges beside it.
pub fn of_servers(deployment: &Deployment, load: &Load, process: f64) -> Vec<ServerMemory> {
    let people = shares(deployment, load, |group| match load.groups[group].arrival {
        Arrival::Closed { population, think_time } if think_time > 0.0 => population,
        _ => 0.0,
    });
    let syncs = shares(deployment, load, |group| match load.groups[group].arrival {
        Arrival::Open { rate } if load.groups[group].clients.are_large_syncs() => rate,
        _ => 0.0,
    });
    (0..deployment.servers())
        .map(|server| {
            let connections = load.connections * people[server];
            ServerMemory {
                server,
                there: deployment.memory_of(server),
                connections,
                processes: connections * process,
                system: load.beside.system,
                syncs: load.beside.syncs * syncs[server],
                largest: load.beside.largest,
            }
        })
        .collect()
}

/// The part of each server in groups that weigh so much; evenly on servers that are not in distant offices where no
/// group weighs anything.
fn shares(deployment: &Deployment, load: &Load, weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut shares = vec![0.0; deployment.servers()];
    let mut sum = 0.0;
    for group in 0..load.groups.len() {
        let weight = weight(group);
        sum += weight;
        let parts = routing(deployment, load, group);
        for (share, part) in shares.iter_mut().zip(parts) {
            *share += weight * part;
        }
    }
    if sum > 0.0 {
        for share in &mut shares {
            *share /= sum;
        }
        return shares;
    }
    let near: Vec<usize> = (0..shares.len()).filter(|s| !deployment.is_distant(*s)).collect();
    for server in &near {
        shares[*server] = 1.0 / near.len() as f64;
    }
    shares
}
