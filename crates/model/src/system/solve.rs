//! Solves a deployment under a load: a queueing network inside an iteration over the table locks.
//!
//! Method: surrogate delays (Jacobson and Lazowska 1982, "Analyzing queueing networks with simultaneous resource
//! possession", CACM 25(2)). The network of stations is solved with each group's lock waits as a delay; the residence times under
//! each lock give its holds; holds and rates give the waits at the locks ([`super::lock_waits`]); waits, and the work that is done
//! later ([`super::balance`]), go back into the network until nothing moves ([`super::mixing`]). Schweitzer's approximation goes
//! first, and the Linearizer from where that came to rest; one small group alone is solved exactly.
//!
//! Assumptions: work that no command waits for (destaging, log lines) loads the devices as an open stream; threads of one client
//! share its work outside locks evenly ([`super::threads`]) and arrive at a station together ([`super::batch_arrivals`]); a link has the
//! blocks of a transfer while its client has those before ([`super::links`]).
//!
//! Error against the simulator, by release and load: `docs/agreement.md`.

use super::answer::report;
use super::balance::Frame;
use super::batch_arrivals::BatchStation;
use super::commit::hold;
use super::flow::Flow;
use super::lens::Lens;
use super::links::Late;
use super::lock_waits::{KnownLocks, LockWaits};
use super::long_holds::{Long, Stall};
use super::mixing::Mixing;
use super::piece::pieces;
use super::plant::Plant;
use super::prediction::{LockPrediction, PredictError, Prediction};
use super::rest::Rest;
use super::sheet::Scripts;
use super::tables::LockOrder;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::queueing::{self, Flows, Method, Network, SolveError, Solver};
use crate::system::deployment::Deployment;
use crate::workload::{Arrival, Group, Load};

/// Most rounds over the locks before the last method takes over, and with that.
const ROUNDS_FIRST: usize = 40;
const ROUNDS_MOST: usize = 120;
/// Relative change of a group's cycle, and of what is spare, in a round below which Schweitzer's approximation hands over.
const SETTLED_FIRST: f64 = 1e-3;
/// The same where the iteration is at rest.
const SETTLED: f64 = 3e-5;
/// The same where rounds run out: a change of a hundredth is far below the model's error.
const SETTLED_LATE: f64 = 1e-2;
/// Change of a number of customers in a sweep at which Schweitzer's approximation has solved the network, as a fraction of
/// its class' population.
const NEAR: f64 = 1e-6;
/// The same of the last method, as a part of what the round before changed, and the least that it is: a network need not be solved
/// more closely than what is asked of it is known.
const NEARER: f64 = 1e-5;
const NEAREST: f64 = 1e-11;
/// A closed group of at most so many clients is solved exactly where it is alone.
const EXACT_CLIENTS: f64 = 200.0;

/// Predicts what `deployment` does under `load`, and which numbers went in.
pub fn predict(
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<Prediction, PredictError> {
    predict_through(Lens::default(), deployment, load, catalog, calibration)
}

/// The same, with every number read through a lens that may shift some and remember which were used.
pub fn predict_through(
    lens: Lens<'_>,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<Prediction, PredictError> {
    let solved = solve(None, &lens, deployment, load, 0.0, catalog, calibration)?;
    let mut prediction = solved.prediction;
    prediction.used = lens.into_used();
    Ok(prediction)
}

/// What a deployment does, and how long a commit of so many files holds the commit section on an idle server \[s\].
pub fn predict_with_commit(
    deployment: &Deployment,
    load: &Load,
    files: f64,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<(Prediction, f64), PredictError> {
    let lens = Lens::forgetful();
    let solved = solve(None, &lens, deployment, load, files, catalog, calibration)?;
    Ok((solved.prediction, solved.commit))
}

/// What a deployment does, and what else is known of it then.
pub(super) struct Solved {
    pub(super) prediction: Prediction,
    /// How long a commit of so many files as were asked for holds the commit section on an idle server \[s\].
    pub(super) commit: f64,
}

/// Solves a deployment: from nothing, or from where one came to rest that differs by little; and how long a commit of so many
/// files holds the commit section.
pub(super) fn solve(
    rest: Option<&Rest>,
    lens: &Lens<'_>,
    deployment: &Deployment,
    load: &Load,
    files: f64,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<Solved, PredictError> {
    let mut plant = Plant::new(deployment, catalog, calibration, lens, load);
    let pieces = pieces(&mut plant, load, Scripts::Dropped);
    let lock_station = plant.lock_waits();
    let frame = Frame::new(&plant, load, &pieces, lock_station);
    let near = rest.and_then(|rest| rest.near(&frame, catalog));
    let state = near.map_or_else(
        || {
            let mut iteration = Iteration::new(&frame, catalog, None);
            let (_, round) = iteration.come_to_rest()?;
            Ok(iteration.state(round))
        },
        Ok,
    )?;
    let prediction = report(&frame, state);
    let commit = commit_of(&mut plant, files);
    Ok(Solved { prediction, commit })
}

/// How long a commit of so many files takes; nothing where it is not asked for.
fn commit_of(plant: &mut Plant<'_>, files: f64) -> f64 {
    if files > 0.0 { hold(plant, files) } else { 0.0 }
}

/// What a deployment does under a load, and where it comes to rest; none where that was not found.
pub(super) fn at_rest(
    lens: &Lens<'_>,
    deployment: &Deployment,
    load: &Load,
    files: f64,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<(Solved, Option<Rest>), PredictError> {
    let mut plant = Plant::new(deployment, catalog, calibration, lens, load);
    let pieces = pieces(&mut plant, load, Scripts::Dropped);
    let lock_station = plant.lock_waits();
    let frame = Frame::new(&plant, load, &pieces, lock_station);
    let mut iteration = Iteration::new(&frame, catalog, None);
    let (flow, round) = iteration.come_to_rest()?;
    let prediction = report(&frame, iteration.state(round));
    let rest = Rest::of(&frame, iteration, &flow).ok();
    let commit = commit_of(&mut plant, files);
    Ok((Solved { prediction, commit }, rest))
}

/// Where the iteration came to rest.
pub(super) struct State {
    pub(super) method: Method,
    /// Cycles of each group \[1/s\].
    pub(super) rates: Vec<f64>,
    /// Residence over what is waited for, by group and station.
    pub(super) stretch: Vec<Vec<f64>>,
    /// Mean lock wait of each piece \[s\].
    pub(super) waits: Vec<f64>,
    /// The same as a mixture.
    pub(super) stalls: Vec<Vec<Stall>>,
    /// What waits for a link at its end.
    pub(super) late: Vec<Late>,
    /// What a command waits until a processor is awake, by server \[s\].
    pub(super) wakes: Vec<f64>,
    pub(super) locks: Vec<LockPrediction>,
    /// By long holds: of which piece most are, the table, and which they are.
    pub(super) long: Vec<(usize, String, Long)>,
    pub(super) rounds: usize,
    /// Busy share of each station.
    pub(super) utilization: Vec<f64>,
}

pub(super) struct Iteration<'i, 'f, 'p> {
    frame: &'i Frame<'f, 'p>,
    pub(super) lock_waits: LockWaits<'f>,
    batch_stations: Vec<BatchStation>,
    network: Network,
    pub(super) solver: Solver,
    pub(super) rounds: usize,
}

/// One round: what the network makes of a flow.
pub(super) struct Round {
    pub(super) flows: Flows,
    /// Residence over demand, by group and station.
    stretch: Vec<Vec<f64>>,
    late: Vec<Late>,
    wakes: Vec<f64>,
    pub(super) saturated: Option<PredictError>,
    pub(super) image: Flow,
}

impl<'i, 'f, 'p> Iteration<'i, 'f, 'p> {
    pub(super) fn new(frame: &'i Frame<'f, 'p>, catalog: &Catalog, known: Option<(&KnownLocks, &Solver)>) -> Self {
        let (locks, solver) = known.unzip();
        let order = LockOrder::of(catalog);
        Self {
            frame,
            lock_waits: LockWaits::new(frame.load, frame.pieces, &order, locks),
            batch_stations: BatchStation::all(frame),
            network: frame.network(),
            solver: solver.cloned().unwrap_or_default(),
            rounds: 0,
        }
    }

    /// The method that has the last word.
    fn last_method(&self) -> Method {
        match self.frame.load.groups.as_slice() {
            [Group { arrival: Arrival::Closed { population, .. }, .. }] if *population <= EXACT_CLIENTS => {
                Method::Exact
            }
            _ => Method::Linearizer,
        }
    }

    /// The flow that answers itself, and what the network makes of it.
    pub(super) fn come_to_rest(&mut self) -> Result<(Flow, Round), PredictError> {
        let idle = self.frame.idle();
        let (flow, _) = self.rounds(Method::Schweitzer, SETTLED_FIRST, idle)?;
        let (flow, round) = self.rounds(self.last_method(), SETTLED, flow)?;
        match round.saturated {
            Some(error) => Err(error),
            None => Ok((flow, round)),
        }
    }

    /// What a round at rest comes to.
    pub(super) fn state(&self, round: Round) -> State {
        let rates = &round.flows.throughput[..self.frame.load.groups.len()];
        State {
            method: round.flows.method,
            utilization: self.frame.utilization(rates),
            rates: rates.to_vec(),
            stretch: round.stretch,
            waits: self.lock_waits.by_piece().to_vec(),
            stalls: self.lock_waits.stalls(),
            late: round.late,
            wakes: round.wakes,
            locks: self.lock_waits.predictions(),
            long: self.lock_waits.long(rates),
            rounds: self.rounds,
        }
    }

    /// A round by the last method, with the network solved this closely.
    pub(super) fn last_round(&mut self, near: f64, flow: &Flow) -> Result<Round, PredictError> {
        self.rounds += 1;
        self.round(self.last_method(), near, flow)
    }

    /// Solves the network again and again until it answers a flow with itself. On the way a lock may be asked for more than it can
    /// do; at rest that is the answer.
    fn rounds(&mut self, method: Method, settled: f64, mut flow: Flow) -> Result<(Flow, Round), PredictError> {
        let mut mixing = Mixing::new();
        let mut was_saturated = false;
        let mut near = NEAR;
        let is_first = method == Method::Schweitzer;
        let most = if is_first { ROUNDS_FIRST } else { ROUNDS_MOST };
        for count in 1..=most {
            self.rounds += 1;
            let round = self.round(method, near, &flow)?;
            let (x, g) = (self.frame.unknowns(&flow), self.frame.unknowns(&round.image));
            let distance = self.frame.distance((&flow, &x), (&round.image, &g), &round.flows);
            if !is_first {
                near = (NEARER * distance).clamp(NEAREST, NEAR);
            }
            // The first method only has to come near.
            let late = count == most && (is_first || distance <= SETTLED_LATE);
            if distance <= settled || late {
                return Ok((flow, round));
            }
            if count == most {
                return Err(round.saturated.unwrap_or_else(|| {
                    let swing = format!(
                        "the waits for locks and devices do not converge: after {count} iterations they still change by {:.1} % each",
                        100.0 * distance
                    );
                    PredictError::Unsolved(swing)
                }));
            }
            let saturated = round.saturated.is_some();
            if count == 1 && saturated {
                // The first guess has commands come as often as they never can.
                flow.ease();
                continue;
            }
            // The waits of a saturated lock say little of those where it is not.
            if was_saturated && !saturated {
                mixing.forget();
            }
            was_saturated = saturated;
            flow = self.frame.flow(&mixing.next(&x, &g));
        }
        Err(PredictError::Unsolved("no iteration was made".to_owned()))
    }

    fn round(&mut self, method: Method, near: f64, flow: &Flow) -> Result<Round, PredictError> {
        let frame = self.frame;
        frame.put(flow, &mut self.network);
        let flows = self.solve_network(method, near)?;
        let rates = &flows.throughput[..frame.load.groups.len()];
        let alone = frame.stretch(&flows);
        let stretch = frame.batch_stretch(&self.batch_stations, rates, &alone);
        let saturated = self.lock_waits.find(rates, &stretch)?;
        let mut waits = vec![0.0; frame.load.groups.len()];
        for (piece, wait) in frame.pieces.iter().zip(self.lock_waits.by_piece()) {
            waits[piece.group] += piece.weight * wait;
        }
        let apart = frame.apart(&flows, (&stretch, &alone), (&waits, &flow.apart));
        for (wait, join) in waits.iter_mut().zip(frame.joins(&flows, &stretch)) {
            *wait += join;
        }
        let late = frame.late(&self.network, &flows, &stretch);
        for late in &late {
            let piece = &frame.pieces[late.piece];
            waits[piece.group] += piece.weight * late.seconds;
        }
        let wakes = frame.wakes(rates);
        for piece in frame.pieces {
            waits[piece.group] += piece.weight * wakes[piece.server];
        }
        let image = Flow { spare: frame.at_rest(&flow.spare, &flows), waits, apart };
        Ok(Round { flows, stretch, late, wakes, saturated, image })
    }

    fn solve_network(&mut self, method: Method, near: f64) -> Result<Flows, PredictError> {
        let solved = match method {
            Method::Exact => queueing::solve(&self.network).map(|solution| Flows::of(&solution)),
            Method::Linearizer => match self.solver.flows(&self.network, method, Some(near)) {
                // Not settled, or no room for a network of each class.
                Err(SolveError::NotConverged { .. } | SolveError::Unsuitable { .. }) => {
                    self.solver.flows(&self.network, Method::Schweitzer, Some(near))
                }
                solved => solved,
            },
            method => self.solver.flows(&self.network, method, Some(near)),
        };
        solved.map_err(|error| match error {
            SolveError::Saturated { station, utilization, .. } => {
                PredictError::Saturated { resource: self.frame.plant.resource(station), utilization }
            }
            error => PredictError::Unsolved(error.to_string()),
        })
    }
}
