//! Solves a deployment under a load: a queueing network inside an iteration over the locks.
//!
//! Method (surrogate delays; Jacobson and Lazowska 1982 for simultaneous resource possession): the
//! network of stations is solved with each group's lock waits as a delay; the residence times under
//! each lock give its hold; holds and rates give the waits of a FIFO readers–writer lock
//! ([`crate::queueing::locks`]); the waits, and the work that is done later ([`super::balance`]), go
//! back into the network until nothing moves ([`super::mixing`]). For answers that are shown, the
//! fast approximation goes first and the better one from where it came to rest.
//!
//! Assumptions: of the tables that are taken together a command waits for each other command once;
//! work that nobody waits for (destaging, log lines) loads the devices as an open stream; threads of
//! one client share its work outside locks evenly ([`super::threads`]); a link has the blocks of a transfer while its
//! client has those before ([`super::links`]).

use super::answer::report;
use super::around::beside_throngs;
use super::balance::Frame;
use super::contention::Contention;
use super::cost::Cost;
use super::demand::cost;
use super::deployment::Deployment;
use super::flow::Flow;
use super::lens::Lens;
use super::links::Late;
use super::mixing::Mixing;
use super::plant::{Demand, Plant, Seconds};
use super::prediction::{LockPrediction, PredictError, Prediction};
use super::restless::Restless;
use super::sheet::{Scripts, Sheet};
use super::stays::{Longer, Otherwise, Stays};
use super::tables::LockOrder;
use super::threads::of_a_thread;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Command};
use crate::queueing::{self, Flows, Method, Network, SolveError, Solver};
use crate::workload::{Arrival, Clients, Group, Load};

/// Rounds of the lock iteration.
const ROUNDS_MAX: usize = 200;
/// Rounds with the better method after that.
const SHOWN_ROUNDS_MAX: usize = 100;
/// Relative change of a group's cycle, and of what is spare, below which it has settled in a search, where the next round
/// would change it by a twentieth of that or less. Waits that are told follow from these, and are told anew from the last
/// round: of all candidates' figures 99 in 100 are within 4e-5 of those of rounds carried on to 1e-10, and all within 4e-4.
const SETTLED_SEARCH: f64 = 5e-4;
/// The same where the better method takes over.
const SETTLED_FIRST: f64 = 1e-5;
/// The same for answers that are shown: near saturation a wait moves ten times as much.
const SETTLED_SHOWN: f64 = 1e-6;
/// The same after so many rounds with it: who waits where longest changes from one round to the next, and an answer is not
/// known better than that.
const NEARLY_SETTLED: f64 = 1e-4;
const PATIENCE: usize = 30;
/// Change of a number of customers in a sweep at which searches have solved the network, as a fraction of its
/// class' population.
const NEAR: f64 = 1e-6;
/// A closed group of at most so many clients is solved exactly where it is alone.
const EXACT_CLIENTS: f64 = 200.0;

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

/// How much work an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Schweitzer's approximation, and locks without their rare long holds: for searches that solve hundreds of networks.
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
    let lens = match effort {
        Effort::Search => Lens::forgetful(),
        Effort::Shown => Lens::default(),
    };
    predict_through(lens, deployment, load, catalog, calibration, effort)
}

/// The same, with one number shifted by the lens.
pub fn predict_through(
    lens: Lens<'_>,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
    effort: Effort,
) -> Result<Prediction, PredictError> {
    let mut plant = Plant::new(deployment, catalog, calibration, &lens, load);
    let pieces = pieces(&mut plant, load, Scripts::Dropped);
    let lock_station = plant.lock_waits();
    let state = settle(&plant, load, &pieces, lock_station, effort)?;
    let mut prediction = report(&plant, load, &pieces, state);
    drop(plant);
    prediction.used = lens.into_used();
    Ok(prediction)
}

/// The share of a group's work that each server gets: that of a distant office goes to its edge, or to the commit server
/// where it has none; all else is spread evenly over the servers that are not in distant offices.
pub(super) fn routing(deployment: &Deployment, load: &Load, group: usize) -> Vec<f64> {
    let servers = deployment.servers();
    let mut shares = vec![0.0; servers];
    if let Clients::Office(name) = &load.groups[group].clients {
        let mut offices = deployment.offices.iter();
        let edge = offices.position(|office| office == name);
        shares[edge.map_or(0, |edge| edge + 1)] = 1.0;
    } else {
        let near: Vec<usize> = (0..servers)
            .filter(|server| !deployment.is_distant(*server))
            .collect();
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

/// Where the iteration stands.
pub(super) struct State {
    pub(super) method: Method,
    /// Cycles of each group \[1/s\].
    pub(super) rates: Vec<f64>,
    /// Residence over what is waited for, by group and station.
    pub(super) stretch: Vec<Vec<f64>>,
    /// Mean lock wait of each piece \[s\].
    pub(super) waits: Vec<f64>,
    /// By piece, if told: how likely it is stuck in a pause, and its mean wait for pauses \[s\].
    pub(super) paused: Vec<(f64, f64)>,
    /// What waits for a link at its end.
    pub(super) late: Vec<Late>,
    pub(super) locks: Vec<LockPrediction>,
    pub(super) rounds: usize,
    /// Whether nothing moved any more; else the rounds ran out on a swing.
    pub(super) at_rest: bool,
    /// Busy share of each station.
    pub(super) utilization: Vec<f64>,
}

fn settle(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece<'_>],
    lock_station: usize,
    effort: Effort,
) -> Result<State, PredictError> {
    let frame = Frame::new(plant, load, pieces, lock_station);
    let mut contention = Contention::new(
        load,
        pieces,
        &LockOrder::of(plant.catalog),
        &plant.all_servers(),
        effort,
    );
    let idle = frame.idle();
    if effort == Effort::Search {
        let goal = (effort, SETTLED_SEARCH, ROUNDS_MAX);
        return rounds(&frame, &mut contention, idle, goal).map(|(found, _)| found);
    }
    // The fast method goes most of the way.
    let first = (Effort::Search, SETTLED_FIRST, ROUNDS_MAX);
    let (quick, flow) = rounds(&frame, &mut contention, idle, first)?;
    // What swung to the end is not made to rest by a better method.
    let more = if quick.rounds < ROUNDS_MAX {
        SHOWN_ROUNDS_MAX
    } else {
        1
    };
    let goal = (effort, SETTLED_SHOWN, more);
    let (mut shown, _) = rounds(&frame, &mut contention, flow, goal)?;
    shown.rounds += quick.rounds;
    Ok(shown)
}

/// Solves the network again and again until rates and waits are those that it was solved with.
fn rounds(
    frame: &Frame<'_, '_>,
    contention: &mut Contention<'_>,
    mut flow: Flow,
    (effort, settled, rounds_max): (Effort, f64, usize),
) -> Result<(State, Flow), PredictError> {
    let Frame { load, pieces, .. } = frame;
    let mut mixing = Mixing::new();
    let mut was_saturated = false;
    let mut restless = Restless::new(rounds_max);
    let stays = Stays::of(frame, effort);
    let (mut network, mut solver) = (frame.network(), Solver::new());
    for round in 1..=rounds_max {
        frame.put(&flow, &mut network);
        let flows = solve_once(&mut solver, &network, load, effort)?;
        let rates = &flows.throughput[..load.groups.len()];
        let alone = frame.stretch(&flows);
        let longer = stays.longer(frame, rates, &alone);
        let stretch = longer.as_ref().map_or(&alone, |longer| &longer.stretch);
        let before = longer.as_ref().map_or(&*alone, Longer::before);
        let (calm, around) = beside_throngs(frame, contention, (rates, stretch), effort);
        let otherwise = contention.long_holds().map_or_else(Vec::new, |held| {
            stays.in_long_holds(frame, held, (&flows, rates), (before, &calm))
        });
        let tides = stays.tides(frame, &around, (&flows, rates), (before, &calm));
        let told = (&*calm, &*otherwise, tides.as_ref());
        let saturated = contention.find(told, (rates, &around), effort)?;
        let mut by_group = vec![0.0; load.groups.len()];
        for (piece, wait) in pieces.iter().zip(contention.by_piece()) {
            by_group[piece.group] += piece.weight * wait;
        }
        let apart = frame.apart(&flows, (stretch, &alone), (&by_group, &flow.apart));
        for (wait, join) in by_group.iter_mut().zip(frame.joins(&flows, stretch)) {
            *wait += join;
        }
        let mut late = frame.late(&network, &flows, stretch);
        if let Some(pauses) = contention.pauses() {
            late.extend(frame.released(pauses, rates, stretch));
            late.extend(frame.thinning(pauses, &around, stretch));
            late.extend(otherwise.iter().map(Otherwise::late));
            late.sort_by_key(|late| late.piece);
        }
        add_late(&late, pieces, &mut by_group);
        let image = Flow {
            spare: frame.at_rest(&flow.spare, &flows),
            waits: by_group,
            beside_own: frame.beside_own(&flows, rates, &flow.beside_own),
            apart,
        };
        let (x, g) = (frame.unknowns(&flow), frame.unknowns(&image));
        let distance = frame.distance((&flow, &x), (&image, &g), &flows);
        let patient = effort == Effort::Search || round <= PATIENCE;
        let at_rest = distance <= if patient { settled } else { NEARLY_SETTLED };
        if at_rest || round == rounds_max {
            // On the way a lock may be asked for more than it can do; at rest that is the answer, and where rounds swing
            // between that and less as well.
            let swings = || restless.saturated().filter(|_| !at_rest);
            if let Some(error) = saturated.or_else(swings) {
                return Err(error);
            }
            let state = State {
                method: flows.method,
                utilization: frame.utilization(rates),
                rates: rates.to_vec(),
                stretch: longer.map_or(alone, |longer| longer.stretch),
                waits: contention.by_piece().to_vec(),
                paused: contention.paused(),
                late,
                locks: contention.predictions(),
                rounds: round,
                at_rest,
            };
            return Ok((state, flow));
        }
        if round == 1 && saturated.is_some() {
            // As often as that nobody can come.
            flow.ease();
            continue;
        }
        // The stand-in for the waits at a saturated lock says little of those where it is none.
        if was_saturated && saturated.is_none() {
            mixing.forget();
        }
        was_saturated = saturated.is_some();
        let mixed = frame.flow(&mixing.next(&x, &g));
        flow = restless.next(round, (distance, flow), saturated, mixed);
    }
    Err(PredictError::Unsolved(
        "locks and work for later do not come to rest".to_owned(),
    ))
}

/// Adds to each group's waits what is done later or sooner, which shortens a cycle by no more than what is waited in it.
fn add_late(late: &[Late], pieces: &[Piece<'_>], by_group: &mut [f64]) {
    for late in late {
        let piece = &pieces[late.piece];
        by_group[piece.group] += piece.weight * late.seconds;
    }
    for wait in by_group {
        *wait = wait.max(0.0);
    }
}

fn solve_once(
    solver: &mut Solver,
    network: &Network,
    load: &Load,
    effort: Effort,
) -> Result<Flows, PredictError> {
    let alone = match load.groups.as_slice() {
        [
            Group {
                arrival: Arrival::Closed { population, .. },
                ..
            },
        ] => *population <= EXACT_CLIENTS,
        _ => false,
    };
    let solution = match effort {
        Effort::Shown if alone => queueing::solve(network).map(|solution| Flows::of(&solution)),
        Effort::Search => solver.flows(network, Method::Schweitzer, Some(NEAR)),
        Effort::Shown => match solver.flows(network, Method::Linearizer, None) {
            // Not settled, or no room for a network of each class.
            Err(SolveError::NotConverged { .. } | SolveError::Unsuitable { .. }) => {
                solver.flows(network, Method::Schweitzer, None)
            }
            solved => solved,
        },
    };
    solution.map_err(|error| match error {
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
