//! The same deployment as a process model for the simulator: each command walks through its script.
//!
//! Takes the plant and the costs that the analytic solver takes, in the order of the commands' steps:
//! work at stations, lock sections entered and left, work that nobody waits for. Nothing is averaged
//! over the locks: a command holds what it has while it waits for the next.
//!
//! Assumptions: a command's many small requests at a device share it with others', so that every
//! station is processor sharing (the fluid limit of round robin), whose means do not depend on the
//! distribution of sizes; the sizes of commands are exponential and those of transfers as spread as
//! their percentile says, round trips are the same each time; the tables of a section are taken at
//! once when it begins, one after the other in one order; the threads of a client share its work
//! outside locks.

use std::collections::BTreeMap;

use super::answer::class_name;
use super::demand::{Act, Cost, Section};
use super::deployment::Deployment;
use super::lens::{Lens, Used};
use super::plant::{Demand, Plant, ResourceKind};
use super::solve::{Piece, pieces};
use super::staging::{self, Staging};
use crate::calibration::Calibration;
use crate::catalog::{self, Catalog};
use crate::queueing::StationKind;
use crate::sim::{
    Arrivals, Class, Discipline, Distribution, Lock, Mode, Model, Source, Station, Step,
};
use crate::workload::{Arrival, Group, Load};

/// A deployment under a load, to be simulated.
#[derive(Debug, Clone)]
pub struct Process {
    /// What the simulator takes.
    pub model: Model,
    /// By activity of the model.
    pub activities: Vec<Activity>,
    /// By station of the model: what it is.
    pub kinds: Vec<ResourceKind>,
    /// The numbers that it was made from, by name.
    pub used: BTreeMap<String, Used>,
}

/// A kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// "browse", "submit (Montreal)".
    pub name: String,
    /// Which target judges it: `browse`, `edit`, `sync`, `submit`, `none`.
    pub response: &'static str,
    /// Mean bytes to the client, for transfers.
    pub bytes: Option<f64>,
}

/// Describes `deployment` under `load` for the simulator. Populations become whole.
pub fn process(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Process {
    let lens = Lens::default();
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    let pieces = pieces(&mut plant, load);
    let mut process = Builder::new(&plant, load, &pieces).build();
    drop(plant);
    process.used = lens.into_used();
    process
}

/// The same through a scenario, whose herds are the last groups of `load`
/// ([`crate::workload::from_site::with_herds`]); a sentence if it cannot happen here.
pub fn staged(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    staging: Staging<'_>,
) -> Result<Process, String> {
    let lens = Lens::default();
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    let pieces = pieces(&mut plant, load);
    let failures = staging::failures(&mut plant, staging.scenario)?;
    let mut process = Builder::new(&plant, load, &pieces).build();
    process.model.happenings = failures;
    staging.apply(&mut process.model, load);
    drop(plant);
    process.used = lens.into_used();
    Ok(process)
}

/// A table in p4d's order: server, instance, rank of the table, its name.
type Table<'a> = (usize, usize, usize, &'a str);

struct Builder<'b, 'a> {
    plant: &'b Plant<'a>,
    load: &'b Load,
    pieces: &'b [Piece<'a>],
    /// Where each table stands in p4d's order.
    ranks: BTreeMap<&'b str, usize>,
    /// Those that somebody takes alone, in the order in which all take them.
    locks: BTreeMap<Table<'b>, usize>,
    /// Spread of the sizes of commands and of transfers.
    sizes: [Distribution; 2],
    activities: Vec<Activity>,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(plant: &'b Plant<'a>, load: &'b Load, pieces: &'b [Piece<'a>]) -> Self {
        // The 95th percentile of a normal spread lies 1.645 of it above the mean.
        let spread = (plant.parameter("p95.transfer") - 1.0) / 1.645;
        let mut locks = BTreeMap::new();
        let ranks = ranks(plant.catalog);
        let sections = pieces.iter().flat_map(|piece| &piece.cost.sections);
        for section in sections {
            for (table, exclusive) in &section.tables {
                if *exclusive && !is_workspace(table) {
                    for instance in 0..instances(load) {
                        locks.insert(key(&ranks, section, instance, table), 0);
                    }
                }
            }
        }
        for (index, lock) in locks.values_mut().enumerate() {
            *lock = index;
        }
        Self {
            plant,
            load,
            pieces,
            ranks,
            locks,
            sizes: [
                Distribution::Exponential { mean: 1.0 },
                Distribution::of(1.0, spread * spread),
            ],
            activities: Vec::new(),
        }
    }

    fn build(mut self) -> Process {
        let groups = 0..self.load.groups.len();
        let classes: Vec<Class> = groups.map(|group| self.class(group)).collect();
        let several = instances(self.load) > 1;
        let locks = self.locks.keys().map(|(server, instance, _, table)| {
            let server = Plant::server_name(*server);
            let name = if several {
                format!("{table} on {server}, instance {}", instance + 1)
            } else {
                format!("{table} on {server}")
            };
            Lock { name }
        });
        let stations = self.plant.stations.iter().enumerate();
        Process {
            model: Model {
                stations: stations
                    .map(|(k, (station, _))| Station {
                        name: station.name.clone(),
                        discipline: match station.kind {
                            StationKind::Delay => Discipline::Delay,
                            _ => Discipline::Ps,
                        },
                        servers: self.plant.servers(k),
                        speeds: Vec::new(),
                    })
                    .collect(),
                locks: locks.collect(),
                activities: self.activities.iter().map(|a| a.name.clone()).collect(),
                classes,
                ..Model::default()
            },
            activities: self.activities,
            kinds: self.plant.stations.iter().map(|(_, kind)| *kind).collect(),
            used: BTreeMap::new(),
        }
    }

    fn class(&mut self, group_idx: usize) -> Class {
        let load = self.load;
        let group = &load.groups[group_idx];
        let calls: Vec<(f64, Vec<Step>)> = (0..group.calls.len())
            .map(|call| (group.calls[call].weight, self.call(group_idx, call)))
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        let total: f64 = calls.iter().map(|(weight, _)| weight).sum();
        let (source, program) = match group.arrival {
            // A stream of commands: each is one of them.
            Arrival::Open { rate: 0.0 } => {
                (Source::Open(Arrivals::Never), vec![Step::Choose(calls)])
            }
            Arrival::Open { rate } => {
                let mean = 1.0 / (rate * total);
                let between = Distribution::Exponential { mean };
                (
                    Source::Open(Arrivals::Renewal(between)),
                    vec![Step::Choose(calls)],
                )
            }
            Arrival::Closed {
                population,
                think_time,
            } => {
                let mean = think_time;
                let think = if mean > 0.0 {
                    Distribution::Exponential { mean }
                } else {
                    Distribution::Constant(0.0)
                };
                let population = population.round().max(1.0) as u32;
                (Source::Closed { population, think }, cycle(calls, total))
            }
        };
        Class {
            name: group.name.clone(),
            source,
            program,
            priority: 0,
            profile: None,
        }
    }

    /// One call, on one of the servers and instances that its group uses.
    fn call(&mut self, group: usize, call: usize) -> Vec<Step> {
        let activity = self.activity(group, call);
        let on_servers: Vec<&Piece> = self
            .pieces
            .iter()
            .filter(|p| p.group == group && p.call == call)
            .collect();
        let mut choices = Vec::new();
        for piece in on_servers {
            for instance in 0..instances(self.load) {
                let script = self.script(&self.load.groups[group], piece, instance);
                choices.push((piece.weight, script));
            }
        }
        let body = match choices.pop() {
            Some((_, only)) if choices.is_empty() => only,
            last => {
                choices.extend(last);
                vec![Step::Choose(choices)]
            }
        };
        vec![Step::Timed { activity, body }]
    }

    fn activity(&mut self, group: usize, call: usize) -> usize {
        let group = &self.load.groups[group];
        let call = &group.calls[call];
        let command = &self.plant.catalog.commands[&call.command];
        let name = class_name(group, command.response, &call.command);
        let known = self.activities.iter().position(|a| a.name == name);
        known.unwrap_or_else(|| {
            self.activities.push(Activity {
                name,
                response: command.response,
                bytes: (command.kind == "transfer").then_some(call.bytes),
            });
            self.activities.len() - 1
        })
    }

    fn script(&self, group: &Group, piece: &Piece, instance: usize) -> Vec<Step> {
        let cost = &piece.cost;
        let command = &group.calls[piece.call].command;
        let transfer = self.plant.catalog.commands[command].kind == "transfer";
        let threads = group.threads.round().max(1.0) as u32;
        let mut body = Vec::new();
        let mut held = Vec::new();
        for act in &cost.script {
            match act {
                Act::Work(demand) if held.is_empty() && threads > 1 => {
                    let thread = self.work(demand, 1.0 / f64::from(threads));
                    body.push(Step::Fork(vec![thread; threads as usize]));
                }
                Act::Work(demand) => body.extend(self.work(demand, 1.0)),
                Act::Enter(section) => {
                    let taken = self.tables(&cost.sections[*section], instance);
                    held = taken.iter().map(|(lock, _)| *lock).collect();
                    if !taken.is_empty() {
                        body.push(Step::Lock(taken));
                    }
                }
                Act::Leave => {
                    if !held.is_empty() {
                        body.push(Step::Unlock(std::mem::take(&mut held)));
                    }
                }
            }
        }
        body.extend(self.later(cost));
        let factor = self.sizes[usize::from(transfer)].clone();
        vec![Step::Sized { factor, body }]
    }

    /// Work at the stations, one after the other.
    fn work(&self, demand: &Demand, share: f64) -> Vec<Step> {
        let work = demand.iter().filter(|(k, _)| !self.plant.is_part(*k));
        work.map(|(station, seconds)| {
            let seconds = seconds * share * self.plant.split_servers(station);
            let service = Distribution::Constant(seconds);
            if self.plant.stations[station].1 == ResourceKind::Delay {
                Step::Fixed { station, service }
            } else {
                Step::Serve { station, service }
            }
        })
        .collect()
    }

    fn later(&self, cost: &Cost) -> Option<Step> {
        let work = self.work(&cost.later, 1.0);
        (!work.is_empty()).then_some(Step::Spawn(work))
    }

    /// The locks of a section in their order; a table that is named twice is taken alone if once is.
    fn tables(&self, section: &Section, instance: usize) -> Vec<(usize, Mode)> {
        let mut taken: BTreeMap<usize, Mode> = BTreeMap::new();
        for (table, exclusive) in &section.tables {
            let key = key(&self.ranks, section, instance, table);
            let Some(lock) = self.locks.get(&key) else {
                continue; // nobody takes it alone
            };
            let mode = taken.entry(*lock).or_insert(Mode::Shared);
            if *exclusive {
                *mode = Mode::Exclusive;
            }
        }
        taken.into_iter().collect()
    }
}

/// One workspace's commands wait for each other only: no contention between people.
pub(super) fn is_workspace(table: &str) -> bool {
    table.starts_with("clients/")
}

/// p4d takes the locks of a command in one order for all, that of the tables in a checkpoint.
fn ranks(catalog: &Catalog) -> BTreeMap<&str, usize> {
    let steps = catalog.commands.get("checkpoint").map(|c| &c.steps);
    let tables = steps.into_iter().flatten().find_map(|step| match step {
        catalog::Step::Lock { tables, .. } => Some(tables),
        _ => None,
    });
    let tables = tables.into_iter().flatten().enumerate();
    tables.map(|(rank, table)| (table.as_str(), rank)).collect()
}

/// Lock files such as `meta/commit` come before tables, tables that the order does not know after them.
fn key<'s>(
    ranks: &BTreeMap<&str, usize>,
    section: &Section,
    instance: usize,
    table: &'s str,
) -> Table<'s> {
    let rank = match ranks.get(table) {
        Some(rank) => rank + 1,
        None if table.starts_with("db.") => usize::MAX,
        None => 0,
    };
    (section.server, instance, rank, table)
}

fn instances(load: &Load) -> usize {
    load.instances.round().max(1.0) as usize
}

/// What a client does between two thinks: one of its commands where the weights are shares, else each
/// so many times.
fn cycle(calls: Vec<(f64, Vec<Step>)>, total: f64) -> Vec<Step> {
    const SHARES: f64 = 1e-9;
    if (total - 1.0).abs() < SHARES {
        return vec![Step::Choose(calls)];
    }
    let mut program = Vec::new();
    for (weight, body) in calls {
        let (times, part) = (weight.floor() as u32, weight.fract());
        if part > 0.0 {
            let maybe = vec![(part, body.clone()), (1.0 - part, Vec::new())];
            program.push(Step::Choose(maybe));
        }
        match times {
            0 => {}
            1 => program.extend(body),
            times => program.push(Step::Repeat { times, body }),
        }
    }
    program
}
