//! The pieces of a load: what one call of a group costs on one server.
//!
//! Knows which server a group uses; not how anything is solved.

use super::cost::Cost;
use super::demand::cost;
use super::deployment::Deployment;
use super::plant::{Demand, Plant, Seconds};
use super::sheet::{Scripts, Sheet};
use super::threads::of_a_thread;
use crate::catalog::Command;
use crate::workload::Load;

/// One call of a group on one server.
pub(super) struct Piece<'a> {
    pub(super) group: usize,
    pub(super) call: usize,
    pub(super) server: usize,
    /// Times a cycle of the group, on this server.
    pub(super) weight: f64,
    pub(super) cost: Cost<'a>,
    pub(super) command: &'a Command,
    /// Squared coefficient of variation of its size.
    pub(super) size_scv: f64,
    /// Of each section, what takes as long whatever the size is while it has its tables \[s\].
    pub(super) fixed: Vec<f64>,
    /// What one of several threads does, in all and while links have the next blocks; none where there is one, which does all.
    thread: Option<(Demand, Demand)>,
}

impl Piece<'_> {
    /// What its client waits for: of the work that its threads share, the part of one.
    pub(super) fn waited(&self) -> Seconds<'_> {
        let thread = self.thread.as_ref().map(|(all, _)| all.seconds());
        thread.unwrap_or_else(|| self.cost.total())
    }

    /// The part of it that goes on while links have the next blocks.
    pub(super) fn meanwhile(&self) -> Seconds<'_> {
        let thread = self.thread.as_ref().map(|(_, part)| part.seconds());
        thread.unwrap_or_else(|| self.cost.meanwhile())
    }
}

/// The share of a group's work that each server gets: that of a distant office goes to its edge, or to the commit server
/// where it has none; all else is spread evenly over the servers that are not in distant offices.
pub(super) fn routing(deployment: &Deployment, load: &Load, group: usize) -> Vec<f64> {
    let servers = deployment.servers();
    let mut shares = vec![0.0; servers];
    if let Some(name) = load.groups[group].clients.office() {
        let mut offices = deployment.offices.iter();
        let edge = offices.position(|office| office == name);
        shares[edge.map_or(0, |edge| edge + 1)] = 1.0;
    } else {
        let near: Vec<usize> = (0..servers).filter(|server| !deployment.is_distant(*server)).collect();
        for server in &near {
            shares[*server] = 1.0 / near.len() as f64;
        }
    }
    shares
}

pub(super) fn pieces<'a>(plant: &mut Plant<'a>, load: &Load, scripts: Scripts) -> Vec<Piece<'a>> {
    let calls: usize = load.groups.iter().map(|group| group.calls.len()).sum();
    let mut pieces = Vec::with_capacity(calls * plant.deployment.servers());
    let mut sheet = Sheet::new(scripts);
    for (g, group) in load.groups.iter().enumerate() {
        let shares = routing(plant.deployment, load, g);
        for (c, call) in group.calls.iter().enumerate() {
            let command = &plant.catalog.commands[&call.command];
            for (server, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let cost = cost(plant, &mut sheet, group, (call, command), server);
                pieces.push(Piece {
                    server,
                    group: g,
                    call: c,
                    weight: call.weight * share,
                    size_scv: plant.size_scv(command),
                    fixed: cost.insides().map(|inside| plant.fixed(inside)).collect(),
                    command,
                    thread: (group.threads > 1.0).then(|| of_a_thread(plant, group.threads, &cost)),
                    cost,
                });
            }
        }
    }
    pieces
}
