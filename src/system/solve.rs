//! Solves a deployment under a load: a queueing network inside an iteration over the locks.
//!
//! Method (surrogate delays; Jacobson and Lazowska 1982 for simultaneous resource possession): the
//! network of stations is solved with each group's lock waits as a delay; the residence times under
//! each lock give its hold; holds and rates give the waits of a FIFO readers–writer lock
//! ([`crate::queueing::locks`]); the waits go back into the network until nothing moves.
//!
//! Assumptions: of the tables that are taken together a command waits for the worst one; work that
//! nobody waits for (destaging, log lines) loads the devices as an open stream; threads of one
//! client share its delays evenly.

use std::collections::BTreeMap;

use super::demand::{Cost, commit_hold, cost};
use super::deployment::Deployment;
use super::lens::Lens;
use super::plant::{Demand, Io, Plant, ResourceKind};
use super::prediction::{
    ClassPrediction, CommitSection, Interval, LockPrediction, PredictError, Prediction,
    ResourcePrediction,
};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::queueing::locks::{self, LockUser};
use crate::queueing::{self, Class, Method, Network, Solution, SolveError};
use crate::workload::{Arrival, Call, Group, Load};

/// Rounds of the lock iteration.
const ROUNDS_MAX: usize = 80;
/// Relative change below which it has settled.
const SETTLED: f64 = 1e-4;
/// A closed group of at most so many clients is solved exactly where it is alone.
const EXACT_CLIENTS: f64 = 200.0;

/// One call of a group on one server.
struct Piece {
    group: usize,
    call: usize,
    server: usize,
    /// Times a cycle of the group, on this server.
    weight: f64,
    cost: Cost,
}

/// How much work an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Schweitzer's approximation: for searches that solve hundreds of networks.
    Search,
    /// The Linearizer, or the exact method where one small group is alone: for answers that are shown.
    Shown,
}

/// Predicts what `deployment` does under `load`.
pub fn predict(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    effort: Effort,
) -> Result<Prediction, PredictError> {
    predict_through(
        Lens::default(),
        deployment,
        load,
        catalog,
        calibration,
        effort,
    )
}

/// The same, with one number shifted by the lens.
pub fn predict_through(
    lens: Lens,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    effort: Effort,
) -> Result<Prediction, PredictError> {
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    let pieces = pieces(&mut plant, load);
    let lock_station = plant.lock_waits();
    let state = settle(&plant, load, &pieces, lock_station, effort)?;
    let mut prediction = report(&plant, load, &pieces, &state);
    drop(plant);
    prediction.used = lens.into_used();
    Ok(prediction)
}

/// How long a commit of `files` files holds the commit section on an idle server \[s\]: what everybody
/// else waits for.
pub fn commit_time(
    deployment: &Deployment,
    load: &Load,
    files: f64,
    catalog: &Catalog,
    calibration: &Calibration,
) -> f64 {
    let lens = Lens::default();
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    let alone = crate::workload::experiments::branchsubmit();
    let call = Call::once("branchsubmit-commit", files, 0.0);
    commit_hold(&mut plant, &alone.groups[0], &call)
}

/// The share of a group's work that each server gets: main-office groups spread evenly, a distant
/// office has the edge of its own number while there are edges.
fn routing(deployment: &Deployment, load: &Load, group: usize) -> Vec<f64> {
    let servers = deployment.servers();
    let offices = load.groups[..group]
        .iter()
        .filter(|g| g.remote.is_some())
        .count();
    let mut shares = vec![0.0; servers];
    if load.groups[group].remote.is_some() {
        // The edge of its number, or the commit server from afar where there is none for it.
        let edge = offices + 1;
        shares[if edge < servers { edge } else { 0 }] = 1.0;
    } else {
        let distant = load.groups.iter().filter(|g| g.remote.is_some()).count();
        // Edges that stand at distant offices do not serve the main one.
        let here = servers - distant.min(servers - 1);
        let first: Vec<usize> = (0..servers)
            .filter(|s| *s == 0 || *s > servers - here)
            .collect();
        for server in &first {
            shares[*server] = 1.0 / first.len() as f64;
        }
    }
    shares
}

fn pieces(plant: &mut Plant<'_>, load: &Load) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (g, group) in load.groups.iter().enumerate() {
        let shares = routing(plant.deployment, load, g);
        for (c, call) in group.calls.iter().enumerate() {
            for (server, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let cost = cost(plant, group, call, server);
                pieces.push(Piece {
                    server,
                    group: g,
                    call: c,
                    weight: call.weight * share,
                    cost,
                });
            }
        }
    }
    pieces
}

/// Where the iteration stands.
struct State {
    solution: Solution,
    /// Residence over demand, by group and station.
    stretch: Vec<Vec<f64>>,
    /// Mean lock wait of each piece \[s\].
    waits: Vec<f64>,
    locks: Vec<LockPrediction>,
    rounds: usize,
    /// Demand of a group that its threads share, by group: removed from the network, added to reports.
    shared: Vec<Demand>,
    later_share: f64,
}

fn settle(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece],
    lock_station: usize,
    effort: Effort,
) -> Result<State, PredictError> {
    let n = plant.stations.len();
    let (demands, shared) = group_demands(plant, load, pieces);
    let mut waits = vec![0.0; pieces.len()];
    let mut rates: Vec<f64> = load
        .groups
        .iter()
        .map(|g| {
            if let Arrival::Open { rate } = g.arrival {
                rate
            } else {
                0.0
            }
        })
        .collect();
    let mut later_share = 1.0;
    for round in 1..=ROUNDS_MAX {
        let (solution, share) = solve_network(
            plant,
            load,
            pieces,
            &demands,
            &waits,
            &rates,
            lock_station,
            later_share,
            effort,
        )?;
        later_share = share;
        let stretch: Vec<Vec<f64>> = load
            .groups
            .iter()
            .enumerate()
            .map(|(g, _)| stretch(&solution, g, &demands[g], &shared[g], n, lock_station))
            .collect();
        let new_rates: Vec<f64> = (0..load.groups.len())
            .map(|g| solution.classes[g].throughput)
            .collect();
        let (new_waits, locks) = lock_waits(load, pieces, &stretch, &new_rates)?;
        let moved = |a: f64, b: f64, scale: f64| (a - b).abs() > SETTLED * scale.max(1e-9);
        let moving = waits
            .iter()
            .zip(&new_waits)
            .any(|(a, b)| moved(*a, *b, a.max(*b).max(1e-4)))
            || rates.iter().zip(&new_rates).any(|(a, b)| moved(*a, *b, *b));
        // Damped more as rounds go by, so that a convoy that swings comes to rest.
        let keep = if round < 10 { 0.3 } else { 0.7 };
        for (wait, new) in waits.iter_mut().zip(&new_waits) {
            *wait = if round == 1 {
                *new
            } else {
                keep * *wait + (1.0 - keep) * new
            };
        }
        rates = new_rates;
        if !moving || round == ROUNDS_MAX {
            return Ok(State {
                solution,
                stretch,
                waits,
                locks,
                rounds: round,
                shared,
                later_share,
            });
        }
    }
    Err(PredictError::Unsolved(
        "the lock iteration took no step".to_owned(),
    ))
}

/// Demand of each group a cycle, and what its threads take off it.
fn group_demands(plant: &Plant<'_>, load: &Load, pieces: &[Piece]) -> (Vec<Vec<f64>>, Vec<Demand>) {
    let n = plant.stations.len();
    let mut demands = vec![vec![0.0; n]; load.groups.len()];
    let mut shared = vec![Demand::default(); load.groups.len()];
    for piece in pieces {
        let threads = load.groups[piece.group].threads.max(1.0);
        for (k, seconds) in piece.cost.total.iter() {
            let seconds = seconds * piece.weight;
            let kind = plant.stations[k].1;
            let splits = matches!(
                kind,
                ResourceKind::Delay
                    | ResourceKind::Slots
                    | ResourceKind::Disks
                    | ResourceKind::Processor
            );
            let kept = if splits { seconds / threads } else { seconds };
            demands[piece.group][k] += kept;
            shared[piece.group].add(k, seconds - kept);
        }
    }
    (demands, shared)
}

#[expect(
    clippy::too_many_arguments,
    reason = "the state of one iteration, used here alone"
)]
fn solve_network(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece],
    demands: &[Vec<f64>],
    waits: &[f64],
    rates: &[f64],
    lock_station: usize,
    later_share: f64,
    effort: Effort,
) -> Result<(Solution, f64), PredictError> {
    let n = plant.stations.len();
    let mut later = Demand::default();
    for piece in pieces {
        later.add_all(&piece.cost.later, piece.weight * rates[piece.group]);
    }
    let mut classes: Vec<Class> = load
        .groups
        .iter()
        .enumerate()
        .map(|(g, group)| {
            let mut demands = demands[g].clone();
            demands[lock_station] = pieces
                .iter()
                .zip(waits)
                .filter(|(piece, _)| piece.group == g)
                .map(|(piece, wait)| piece.weight * wait)
                .sum();
            match group.arrival {
                Arrival::Closed {
                    population,
                    think_time,
                } => Class::closed(&group.name, population, think_time, demands),
                Arrival::Open { rate } => Class::open(&group.name, rate, demands),
            }
        })
        .collect();
    classes.push(Class::open("later", 1.0, later.dense(n)));
    let stations = plant
        .stations
        .iter()
        .map(|(station, _)| station.clone())
        .collect();
    let mut network = Network { stations, classes };
    let mut share = later_share;
    let mut last = None;
    // Devices that cannot keep up with what is destaged slow their clients down; here the stream is
    // thinned until the network has a solution, and the device shows as saturated.
    for _ in 0..12 {
        if let Some(class) = network.classes.last_mut() {
            class.demands = later.dense(n).iter().map(|d| d * share).collect();
        }
        match solve_once(&network, load, effort) {
            Ok(solution) => return Ok((solution, share)),
            Err(SolveError::Saturated {
                station,
                utilization,
            }) => {
                let destaged = load
                    .groups
                    .iter()
                    .any(|g| matches!(g.arrival, Arrival::Closed { .. }));
                let k = network
                    .stations
                    .iter()
                    .position(|s| s.name == station)
                    .unwrap_or(0);
                if !destaged || network.classes.last().is_none_or(|c| c.demands[k] <= 0.0) {
                    return Err(PredictError::Saturated {
                        resource: station,
                        utilization,
                    });
                }
                share *= 0.6;
                last = Some(PredictError::Saturated {
                    resource: station,
                    utilization,
                });
            }
            Err(error) => return Err(PredictError::Unsolved(error.to_string())),
        }
    }
    Err(last
        .unwrap_or_else(|| PredictError::Unsolved("the open streams alone saturate".to_owned())))
}

fn solve_once(network: &Network, load: &Load, effort: Effort) -> Result<Solution, SolveError> {
    let alone = match load.groups.as_slice() {
        [
            Group {
                arrival: Arrival::Closed { population, .. },
                ..
            },
        ] => *population <= EXACT_CLIENTS,
        _ => false,
    };
    match effort {
        Effort::Shown if alone => queueing::solve(network),
        Effort::Search => queueing::mixed::solve(network, Method::Schweitzer),
        Effort::Shown => {
            queueing::mixed::solve(network, Method::Linearizer).or_else(|error| match error {
                SolveError::NotConverged { .. } => {
                    queueing::mixed::solve(network, Method::Schweitzer)
                }
                other => Err(other),
            })
        }
    }
}

/// Residence over demand of one group at each station: 1 where nobody waits.
fn stretch(
    solution: &Solution,
    group: usize,
    demands: &[f64],
    shared: &Demand,
    n: usize,
    lock_station: usize,
) -> Vec<f64> {
    let shared = shared.dense(n);
    (0..n)
        .map(|k| {
            let demand = demands[k] + shared[k];
            if k == lock_station || demand <= 0.0 {
                1.0
            } else {
                solution.classes[group].residence_time[k] / demand
            }
        })
        .collect()
}

fn lock_waits(
    load: &Load,
    pieces: &[Piece],
    stretch: &[Vec<f64>],
    rates: &[f64],
) -> Result<(Vec<f64>, Vec<LockPrediction>), PredictError> {
    /// Who takes a lock: piece, section, and how.
    type Users = Vec<(usize, usize, LockUser)>;
    let mut users: BTreeMap<(String, usize), Users> = BTreeMap::new();
    for (p, piece) in pieces.iter().enumerate() {
        let population = match load.groups[piece.group].arrival {
            Arrival::Closed { population, .. } => Some((population / load.instances).max(1.0)),
            Arrival::Open { .. } => None,
        };
        for (s, section) in piece.cost.sections.iter().enumerate() {
            let hold = section
                .inside
                .iter()
                .map(|(k, d)| d * stretch[piece.group][k])
                .sum();
            let rate = rates[piece.group] * piece.weight / load.instances;
            for (table, exclusive) in &section.tables {
                if table.starts_with("clients/") {
                    continue; // one command a workspace: no contention between clients
                }
                let user = LockUser {
                    rate,
                    hold,
                    scv: 1.0,
                    exclusive: *exclusive,
                    population,
                };
                users
                    .entry((table.clone(), section.server))
                    .or_default()
                    .push((p, s, user));
            }
        }
    }
    let mut section_wait: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut locks = Vec::new();
    for ((table, server), entries) in &users {
        if !entries.iter().any(|(_, _, user)| user.exclusive) {
            continue;
        }
        let list: Vec<LockUser> = entries.iter().map(|(_, _, user)| *user).collect();
        let name = format!("{table} on {}", Plant::server_name(*server));
        let wait = locks::wait(&list).map_err(|error| match error {
            locks::LockError::Saturated { utilization } => PredictError::Saturated {
                resource: format!("lock {name}"),
                utilization,
            },
            locks::LockError::Invalid { .. } => PredictError::Unsolved(error.to_string()),
        })?;
        for ((p, s, _), w) in entries.iter().zip(&wait.user_wait) {
            let worst = section_wait.entry((*p, *s)).or_insert(0.0);
            *worst = worst.max(*w);
        }
        let hold = list
            .iter()
            .filter(|u| u.exclusive && u.rate > 0.0)
            .map(|u| u.hold)
            .fold(0.0, f64::max);
        locks.push(LockPrediction {
            name,
            write_wait: wait.write_wait,
            read_wait: wait.read_wait,
            hold,
            utilization: wait.utilization,
        });
    }
    let mut waits = vec![0.0; pieces.len()];
    for ((p, _), wait) in &section_wait {
        waits[*p] += wait;
    }
    locks.sort_by(|a, b| {
        b.utilization
            .total_cmp(&a.utilization)
            .then(a.name.cmp(&b.name))
    });
    Ok((waits, locks))
}

fn report(plant: &Plant<'_>, load: &Load, pieces: &[Piece], state: &State) -> Prediction {
    let rates: Vec<f64> = (0..load.groups.len())
        .map(|g| state.solution.classes[g].throughput)
        .collect();
    let resources = plant
        .stations
        .iter()
        .enumerate()
        .filter(|(_, (station, _))| station.kind != queueing::StationKind::Delay)
        .map(|(k, (station, kind))| {
            let servers = match station.kind {
                queueing::StationKind::Queueing { servers } => f64::from(servers),
                queueing::StationKind::Delay => 1.0,
            };
            let more: f64 = (0..rates.len())
                .map(|g| rates[g] * state.shared[g].dense(plant.stations.len())[k] / servers)
                .sum();
            let busy = state.solution.stations[k].utilization + more;
            let thinned = if state.later_share < 1.0 && busy > 0.9 {
                1.0
            } else {
                busy
            };
            ResourcePrediction {
                name: station.name.clone(),
                kind: *kind,
                utilization: thinned.min(1.0),
            }
        })
        .collect();
    Prediction {
        classes: classes(plant, load, pieces, state, &rates),
        resources,
        locks: state.locks.clone(),
        commit: commit_section(load, pieces, state),
        io: io(pieces, &rates),
        group_rates: rates,
        db_hit: plant.db_hit,
        depot_hit: plant.depot_hit,
        used: BTreeMap::new(),
        method: format!(
            "{:?}, {} rounds over the locks",
            state.solution.method, state.rounds
        ),
    }
}

/// Requests a second of each server's volumes.
fn io(pieces: &[Piece], rates: &[f64]) -> BTreeMap<(usize, &'static str), Io> {
    let mut io: BTreeMap<(usize, &'static str), Io> = BTreeMap::new();
    for piece in pieces {
        for (role, work) in &piece.cost.io {
            let rate = rates[piece.group] * piece.weight;
            io.entry((piece.server, role)).or_default().add(*work, rate);
        }
    }
    io
}

fn commit_section(load: &Load, pieces: &[Piece], state: &State) -> Option<CommitSection> {
    pieces
        .iter()
        .flat_map(|piece| {
            let stretch = &state.stretch[piece.group];
            let files = load.groups[piece.group].calls[piece.call].files;
            piece
                .cost
                .sections
                .iter()
                .filter(|s| s.commit)
                .map(move |section| CommitSection {
                    hold: section.inside.iter().map(|(k, d)| d * stretch[k]).sum(),
                    files,
                })
        })
        .max_by(|a, b| a.files.total_cmp(&b.files))
}

/// Sums of one kind of work over its calls and servers.
#[derive(Default)]
struct Sum {
    rate: f64,
    time: f64,
    sent: f64,
    parts: BTreeMap<ResourceKind, f64>,
    transfer: bool,
}

fn classes(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece],
    state: &State,
    rates: &[f64],
) -> Vec<ClassPrediction> {
    let mut order: Vec<(String, &'static str)> = Vec::new();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for (piece, wait) in pieces.iter().zip(&state.waits) {
        let group = &load.groups[piece.group];
        let call = &group.calls[piece.call];
        let command = &plant.catalog.commands[&call.command];
        let name = class_name(group, command.response, &call.command);
        if !sums.contains_key(&name) {
            order.push((name.clone(), command.response));
        }
        let sum = sums.entry(name).or_default();
        let rate = rates[piece.group] * piece.weight;
        let mut time = *wait;
        *sum.parts.entry(ResourceKind::Lock).or_default() += rate * wait;
        for (k, demand) in piece.cost.total.iter() {
            let seconds = demand * state.stretch[piece.group][k];
            time += seconds;
            *sum.parts.entry(plant.stations[k].1).or_default() += rate * seconds;
        }
        sum.rate += rate;
        sum.time += rate * time;
        sum.sent += rate * piece.cost.sent;
        sum.transfer |= command.kind == "transfer";
    }
    order
        .into_iter()
        .filter_map(|(name, response)| {
            let sum = &sums[&name];
            if sum.rate <= 0.0 {
                return None;
            }
            let mean = sum.time / sum.rate;
            let id = if sum.transfer {
                "p95.transfer"
            } else {
                "p95.command"
            };
            // Round trips are the same each time; the rest varies.
            let fixed = sum
                .parts
                .get(&ResourceKind::Delay)
                .map_or(0.0, |s| s / sum.rate);
            let p95 = fixed + (mean - fixed) * plant.parameter(id);
            let mut parts: Vec<_> = sum.parts.iter().map(|(k, s)| (*k, s / sum.rate)).collect();
            parts.sort_by(|a, b| b.1.total_cmp(&a.1));
            Some(ClassPrediction {
                name,
                response,
                mean: Interval::exact(mean),
                p95: Interval::exact(p95),
                throughput: sum.rate,
                rate: sum.transfer.then(|| sum.sent / sum.time),
                parts,
            })
        })
        .collect()
}

/// "browse" for a person beside the server, "browse (Montreal)" elsewhere, "automation" for machines.
fn class_name(group: &Group, response: &str, command: &str) -> String {
    let work = if response == "none" {
        command
    } else {
        response
    };
    match (&group.remote, group.name.as_str()) {
        (Some(remote), _) => format!("{work} ({})", remote.office),
        (None, "developers") => work.to_owned(),
        (None, "large syncs") => "large sync".to_owned(),
        (None, other) => format!("{work} ({other})"),
    }
}
