//! Solves a deployment under a load: a queueing network inside an iteration over the locks.
//!
//! Method (surrogate delays; Jacobson and Lazowska 1982 for simultaneous resource possession): the
//! network of stations is solved with each group's lock waits as a delay; the residence times under
//! each lock give its hold; holds and rates give the waits of a FIFO readers–writer lock
//! ([`crate::queueing::locks`]); the waits, and the work that is done later ([`super::balance`]), go
//! back into the network until nothing moves ([`super::mixing`]). For answers that are shown, the
//! fast approximation goes first and the better one from where it came to rest.
//!
//! Assumptions: of the tables that are taken together a command waits for the worst one; work that
//! nobody waits for (destaging, log lines) loads the devices as an open stream; threads of one
//! client share its delays evenly.

use std::collections::BTreeMap;

use super::balance::{Flow, Frame};
use super::demand::{Cost, commit_hold, cost};
use super::deployment::Deployment;
use super::lens::Lens;
use super::mixing::Mixing;
use super::plant::{Io, Plant, ResourceKind};
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
/// Share of a lock's capacity up to which its formula is used where some users are unlimited.
const LOCK_FULL: f64 = 0.995;
/// A closed group of at most so many clients is solved exactly where it is alone.
const EXACT_CLIENTS: f64 = 200.0;

/// One call of a group on one server.
pub(super) struct Piece {
    pub(super) group: usize,
    call: usize,
    server: usize,
    /// Times a cycle of the group, on this server.
    pub(super) weight: f64,
    pub(super) cost: Cost,
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
    /// Busy share of each station.
    utilization: Vec<f64>,
}

fn settle(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece],
    lock_station: usize,
    effort: Effort,
) -> Result<State, PredictError> {
    let frame = Frame::new(plant, load, pieces, lock_station);
    // The fast method goes most of the way, whatever the answer is for.
    let (quick, flow) = rounds(&frame, frame.idle(), Effort::Search)?;
    if effort == Effort::Search {
        return Ok(quick);
    }
    let (mut shown, _) = rounds(&frame, flow, effort)?;
    shown.rounds += quick.rounds;
    Ok(shown)
}

/// Solves the network again and again until rates and waits are those that it was solved with.
fn rounds(
    frame: &Frame<'_, '_>,
    mut flow: Flow,
    effort: Effort,
) -> Result<(State, Flow), PredictError> {
    let Frame { load, pieces, .. } = frame;
    let n = frame.plant.stations.len();
    let mut mixing = Mixing::new();
    for round in 1..=ROUNDS_MAX {
        let solution = solve_network(frame, &flow, effort)?;
        let stretch: Vec<Vec<f64>> = (0..load.groups.len())
            .map(|g| stretch(frame, &solution, g, n))
            .collect();
        let rates: Vec<f64> = (0..load.groups.len())
            .map(|g| solution.classes[g].throughput)
            .collect();
        let (waits, locks, saturated) = lock_waits(load, pieces, &stretch, &rates)?;
        let mut by_group = vec![0.0; load.groups.len()];
        for (piece, wait) in pieces.iter().zip(&waits) {
            by_group[piece.group] += piece.weight * wait;
        }
        let image = Flow {
            spare: frame.at_rest(&flow.spare, &solution),
            waits: by_group,
        };
        let (x, g) = (frame.unknowns(&flow), frame.unknowns(&image));
        if Mixing::distance(&x, &g) <= SETTLED || round == ROUNDS_MAX {
            // On the way a lock may be asked for more than it can do; at rest that is the answer.
            if let Some(error) = saturated {
                return Err(error);
            }
            let state = State {
                solution,
                stretch,
                waits,
                locks,
                rounds: round,
                utilization: frame.utilization(&rates),
            };
            return Ok((state, flow));
        }
        flow = frame.flow(&mixing.next(&x, &g));
    }
    Err(PredictError::Unsolved(
        "the lock iteration took no step".to_owned(),
    ))
}

fn solve_network(
    frame: &Frame<'_, '_>,
    flow: &Flow,
    effort: Effort,
) -> Result<Solution, PredictError> {
    let mut classes: Vec<Class> = frame
        .load
        .groups
        .iter()
        .enumerate()
        .map(|(g, group)| {
            let mut demands = frame.demands[g].clone();
            demands[frame.lock_station] = flow.waits[g];
            match group.arrival {
                Arrival::Closed {
                    population,
                    think_time,
                } => Class::closed(&group.name, population, think_time, demands),
                Arrival::Open { rate } => Class::open(&group.name, rate, demands),
            }
        })
        .collect();
    classes.push(Class::open("later", 1.0, frame.later(flow)));
    let stations = frame
        .plant
        .stations
        .iter()
        .map(|(s, _)| s.clone())
        .collect();
    let network = Network { stations, classes };
    solve_once(&network, frame.load, effort).map_err(|error| match error {
        SolveError::Saturated {
            station,
            utilization,
        } => PredictError::Saturated {
            resource: station,
            utilization,
        },
        error => PredictError::Unsolved(error.to_string()),
    })
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
fn stretch(frame: &Frame<'_, '_>, solution: &Solution, group: usize, n: usize) -> Vec<f64> {
    (0..n)
        .map(|k| {
            let demand = frame.demands[group][k] + frame.shared[group][k];
            if k == frame.lock_station || demand <= 0.0 {
                1.0
            } else {
                solution.classes[group].residence_time[k] / demand
            }
        })
        .collect()
}

/// Mean wait of each piece, the locks, and the most saturated of them as an error.
type LockWaits = (Vec<f64>, Vec<LockPrediction>, Option<PredictError>);

/// Who takes each table of each server: piece, section and how.
type Users = BTreeMap<(String, usize), Vec<(usize, usize, LockUser)>>;

/// Waits for one lock; beyond what it can do, how much it is asked for, and as a stand-in until the
/// asking falls the waits at nearly all that it can do, many times over.
fn lock_wait(users: &[LockUser]) -> Result<(locks::LockWait, Option<f64>), PredictError> {
    let wait = |users: &[LockUser]| match locks::wait(users) {
        Ok(wait) => Ok(Ok(wait)),
        Err(locks::LockError::Saturated { utilization }) => Ok(Err(utilization)),
        Err(error @ locks::LockError::Invalid { .. }) => {
            Err(PredictError::Unsolved(error.to_string()))
        }
    };
    let asked = match wait(users)? {
        Ok(found) if found.utilization < LOCK_FULL || !unlimited(users) => {
            return Ok((found, None));
        }
        Ok(found) => found.utilization,
        Err(asked) => asked,
    };
    // The share of capacity is proportional to the rates.
    let slower: Vec<LockUser> = users
        .iter()
        .map(|u| LockUser {
            rate: u.rate * LOCK_FULL / asked,
            ..*u
        })
        .collect();
    let mut found = wait(&slower)?.map_err(|utilization| PredictError::Saturated {
        resource: "a lock".to_owned(),
        utilization,
    })?;
    // Steep near what it can do, so that it hardly passes that at rest; far beyond, no more than a step.
    let times = asked / LOCK_FULL;
    let factor = times.min(3.0).powi(8) * (times / 3.0).max(1.0);
    for wait in found
        .user_wait
        .iter_mut()
        .chain([&mut found.read_wait, &mut found.write_wait])
    {
        *wait *= factor;
    }
    found.utilization = asked;
    Ok((found, (asked >= 1.0).then_some(asked)))
}

/// Whether some users come however many of them wait.
fn unlimited(users: &[LockUser]) -> bool {
    users.iter().any(|u| u.population.is_none() && u.rate > 0.0)
}

fn lock_waits(
    load: &Load,
    pieces: &[Piece],
    stretch: &[Vec<f64>],
    rates: &[f64],
) -> Result<LockWaits, PredictError> {
    let mut users = Users::new();
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
    let mut worst_lock: Option<(f64, String)> = None;
    for ((table, server), entries) in &users {
        if !entries.iter().any(|(_, _, user)| user.exclusive) {
            continue;
        }
        let list: Vec<LockUser> = entries.iter().map(|(_, _, user)| *user).collect();
        let name = format!("{table} on {}", Plant::server_name(*server));
        let (wait, asked) = lock_wait(&list)?;
        if let Some(asked) = asked
            && worst_lock.as_ref().is_none_or(|(most, _)| asked > *most)
        {
            worst_lock = Some((asked, name.clone()));
        }
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
    let saturated = worst_lock.map(|(utilization, name)| PredictError::Saturated {
        resource: format!("lock {name}"),
        utilization,
    });
    Ok((waits, locks, saturated))
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
        .map(|(k, (station, kind))| ResourcePrediction {
            name: station.name.clone(),
            kind: *kind,
            utilization: state.utilization[k],
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
