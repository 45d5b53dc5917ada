//! The same deployment as a process model for the simulator: each command walks through its script (`script.rs`).
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
//! outside locks, while content crosses a link as one stream; storage's links have their part of it at the same time,
//! and the command waits for both.

use std::collections::BTreeMap;
use std::ops::Range;

use super::deployment::Deployment;
use super::lens::{Lens, Numbers};
use super::piece::{Piece, pieces};
use super::plant::{Plant, ResourceKind};
use super::resource::{Resource, Spot};
use super::sheet::Scripts;
use super::staging::Staging;
use super::tables::{LockOrder, Table};
use super::waking::Sleeping;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Scenario};
use crate::queueing::StationKind;
use crate::sim::{Arrivals, Bulk, Class, Discipline, Distribution, Lock, Model, Sleeper, Source, Station, Step};
use crate::workload::{Arrival, Group, Load, Work};

/// A deployment under a load, to be simulated.
#[derive(Debug, Clone)]
pub struct Process {
    /// What the simulator takes.
    pub model: Model,
    /// By activity of the model.
    pub activities: Vec<Activity>,
    /// By class of the model: its group of the load. Clients of one instance are a class.
    pub(super) groups: Vec<usize>,
    /// By station of the model: what it is.
    pub kinds: Vec<ResourceKind>,
    /// By lock of the model: its table, and the server that has it.
    pub(super) tables: Vec<(String, usize)>,
    /// The numbers that it was made from, by name.
    pub used: Numbers,
}

/// A kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// Which kind of work it is.
    pub work: Work,
    /// As printed: "browse", "submit (Montreal)".
    pub name: String,
}

/// Describes `deployment` under `load` for the simulator; populations become whole. A scenario's herds are
/// the last groups of `load` ([`crate::workload::from_site::with_herds`]); a sentence if it cannot happen here.
pub fn process(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    scenario: Option<&Scenario>,
) -> Result<Process, String> {
    let models = (catalog, calibration);
    let (process, ()) = process_of(deployment, load, models, scenario, false, |_, _| ())?;
    Ok(process)
}

/// The same, and what else is made of its pieces. With `by_call` each piece, one call of a group on one server, is an activity
/// of its own, in their order.
pub(super) fn process_of<T>(
    deployment: &Deployment,
    load: &Load,
    (catalog, calibration): (&Catalog, &Calibration),
    scenario: Option<&Scenario>,
    by_call: bool,
    of_pieces: impl FnOnce(&Plant<'_>, &[Piece<'_>]) -> T,
) -> Result<(Process, T), String> {
    let lens = Lens::forgetful();
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    let pieces = pieces(&mut plant, load, Scripts::Kept);
    let staging = scenario.map(|scenario| Staging::new(scenario, &mut plant)).transpose()?;
    let mut builder = Builder::new(&plant, load, &pieces);
    builder.by_call = by_call;
    let mut process = builder.build();
    if let Some(staging) = staging {
        staging.apply(&mut process, load);
    }
    let made = of_pieces(&plant, &pieces);
    drop(plant);
    process.used = lens.into_used();
    Ok((process, made))
}

/// A table of one instance.
type InstanceTable<'a> = (usize, Table<'a>);

/// Builds the model; [`super::script`] has the steps of its commands.
pub(super) struct Builder<'b, 'a> {
    pub(super) plant: &'b Plant<'a>,
    load: &'b Load,
    pieces: &'b [Piece<'a>],
    pub(super) order: LockOrder<'a>,
    /// Those that somebody takes alone, in the order in which all take them.
    pub(super) locks: BTreeMap<InstanceTable<'b>, usize>,
    /// Stations of commits, in their order.
    pub(super) bulks: Vec<usize>,
    activities: Vec<Activity>,
    /// Whether each piece is an activity of its own, in their order.
    by_call: bool,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(plant: &'b Plant<'a>, load: &'b Load, pieces: &'b [Piece<'a>]) -> Self {
        let mut locks = BTreeMap::new();
        let order = LockOrder::of(plant.catalog);
        let tables = pieces.iter().flat_map(|piece| {
            let sections = piece.cost.sections.iter();
            sections.flat_map(|section| order.tables(&piece.cost, section))
        });
        for (table, exclusive) in tables {
            for instance in (0..instances(load)).filter(|_| exclusive) {
                locks.insert((instance, table), 0);
            }
        }
        for (index, lock) in locks.values_mut().enumerate() {
            *lock = index;
        }
        let stations = plant.stations.iter().enumerate();
        let bulks = stations.filter(|(_, (_, resource))| matches!(resource.spot, Spot::Commits(_)));
        Self {
            plant,
            load,
            pieces,
            order,
            locks,
            bulks: bulks.map(|(k, _)| k).collect(),
            activities: Vec::new(),
            by_call: false,
        }
    }

    fn build(mut self) -> Process {
        let mut groups = Vec::new();
        let mut classes = Vec::new();
        if self.by_call {
            let pieces = self.pieces.iter();
            self.activities = pieces.map(|p| self.done(p.group, p.call)).collect();
        }
        for group in 0..self.load.groups.len() {
            for class in self.classes(group) {
                groups.push(group);
                classes.push(class);
            }
        }
        let all = instances(self.load);
        let locks = self.locks.keys().map(|(instance, (server, _, table))| Lock {
            name: of_instance(&Resource::lock(table, *server).name, *instance, all),
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
                        // Of commits one is under way at a time, for all who wait.
                        servers: match station.kind {
                            StationKind::LoadDependent { .. } => 1.0,
                            _ => self.plant.servers(k),
                        },
                        speeds: Vec::new(),
                    })
                    .collect(),
                locks: locks.collect(),
                bulks: self.bulks.iter().map(|station| self.bulk(*station)).collect(),
                sleepers: Sleeping::all(self.plant)
                    .iter()
                    .map(|sleeping| Sleeper { station: sleeping.station, delay: sleeping.delay, after: sleeping.after })
                    .collect(),
                activities: self.activities.iter().map(|a| a.name.clone()).collect(),
                classes,
                ..Model::default()
            },
            activities: self.activities,
            groups,
            kinds: self.plant.stations.iter().map(|(_, one)| one.kind()).collect(),
            tables: self.locks.keys().map(|(_, (server, _, table))| ((*table).to_owned(), *server)).collect(),
            used: BTreeMap::new(),
        }
    }

    /// Commits at a station, which are served together: each that joins is longer by its part of one alone.
    fn bulk(&self, station: usize) -> Bulk {
        let joined = self.plant.parameter("commit.joined");
        Bulk { station, joined: joined / (1.0 + joined) }
    }

    /// The clients of a group: those of each instance a class of its own, since nobody who is stuck at one goes on at
    /// another; a stream of commands goes to all of them.
    fn classes(&mut self, group: usize) -> Vec<Class> {
        let (all, name) = (instances(self.load), self.load.groups[group].clients.to_string());
        match self.load.groups[group].arrival {
            Arrival::Closed { population, think_time } => {
                let population = population.round().max(1.0) as usize;
                let first = |instance: usize| population * instance / all;
                let of_instance = |instance: usize| {
                    let source = closed(first(instance + 1) - first(instance), think_time);
                    let name = of_instance(&name, instance, all);
                    self.class(group, name, source, instance..instance + 1)
                };
                let instances = (0..all).filter(|i| first(i + 1) > first(*i));
                instances.map(of_instance).collect()
            }
            Arrival::Open { rate } => {
                let calls = &self.load.groups[group].calls;
                let total: f64 = calls.iter().map(|call| call.weight.max(0.0)).sum();
                let arrivals = if rate > 0.0 {
                    let mean = 1.0 / (rate * total);
                    Arrivals::Renewal(Distribution::Exponential { mean })
                } else {
                    Arrivals::Never
                };
                vec![self.class(group, name, Source::Open(arrivals), 0..all)]
            }
        }
    }

    /// Clients of some instances.
    fn class(&mut self, group: usize, name: String, source: Source, instances: Range<usize>) -> Class {
        let of_group = &self.load.groups[group].calls;
        let calls: Vec<(f64, Vec<Step>)> = (0..of_group.len())
            .map(|call| {
                let body = self.call(group, call, instances.clone());
                (of_group[call].weight, body)
            })
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        let program = match source {
            // A stream of commands: each is one of them.
            Source::Open(_) => vec![Step::Choose(calls)],
            Source::Closed { .. } => cycle(calls),
        };
        Class { name, source, program, priority: 0, profile: None }
    }

    /// One call, on one of the servers that its group uses and one of these instances.
    fn call(&mut self, group: usize, call: usize, instances: Range<usize>) -> Vec<Step> {
        let pieces = self.pieces.iter().enumerate();
        let on_servers: Vec<(usize, &Piece)> = pieces.filter(|(_, p)| p.group == group && p.call == call).collect();
        let mut choices = Vec::new();
        for (index, piece) in on_servers {
            for instance in instances.clone() {
                let mut script = self.script(&self.load.groups[group], piece, instance);
                if self.by_call {
                    let (activity, body) = (index, script);
                    script = vec![Step::Timed { activity, body }];
                }
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
        // The size is drawn before the server: it is the same however many servers there are.
        let factor = self.size(&self.load.groups[group], call);
        let body = vec![Step::Sized { factor, body }];
        if self.by_call {
            return body;
        }
        let activity = self.activity(group, call);
        vec![Step::Timed { activity, body }]
    }

    /// How a command's work varies around its mean.
    fn size(&self, group: &Group, call: usize) -> Distribution {
        // A herd comes with the size that its scenario says.
        if group.arrival == (Arrival::Open { rate: 0.0 }) {
            Distribution::Constant(1.0)
        } else {
            let command = &self.plant.catalog.commands[&group.calls[call].command];
            Distribution::of(1.0, self.plant.size_scv(command))
        }
    }

    /// What a call of a group is.
    fn done(&self, group: usize, call: usize) -> Activity {
        let group = &self.load.groups[group];
        let call = &group.calls[call];
        let command = &self.plant.catalog.commands[&call.command];
        let work = Work::new(&group.clients, command.response, &call.command);
        Activity { name: work.to_string(), work }
    }

    fn activity(&mut self, group: usize, call: usize) -> usize {
        let done = self.done(group, call);
        let known = self.activities.iter().position(|a| a.work == done.work);
        known.unwrap_or_else(|| {
            self.activities.push(done);
            self.activities.len() - 1
        })
    }
}

fn instances(load: &Load) -> usize {
    load.instances.round().max(1.0) as usize
}

/// A name with its instance, if there are several.
fn of_instance(name: &str, instance: usize, all: usize) -> String {
    if all > 1 { format!("{name}, instance {}", instance + 1) } else { name.to_owned() }
}

fn closed(population: usize, think_time: f64) -> Source {
    let think =
        if think_time > 0.0 { Distribution::Exponential { mean: think_time } } else { Distribution::Constant(0.0) };
    Source::Closed { population: population as u32, think }
}

/// What a client does between two thinks: one of its commands where the weights are shares, else each
/// so many times.
fn cycle(calls: Vec<(f64, Vec<Step>)>) -> Vec<Step> {
    const SHARES: f64 = 1e-9;
    let total: f64 = calls.iter().map(|(weight, _)| weight).sum();
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
