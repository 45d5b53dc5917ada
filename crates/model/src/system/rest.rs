//! Where a deployment came to rest, and what it does when a number, an answer or the load is a little different.
//!
//! Method: at rest x = G(x, θ). Where numbers θ are others, the rest moves by (I − ∂G/∂x)⁻¹·(G(x, θ) − x) to first order (implicit
//! function theorem), with ∂G/∂x found once by differences, all on logarithms. The same step is taken until G answers what it is
//! asked (chord method, Kelley 1995, section 5.4.1): two rounds as a rule. So a shift across a kink, where a limit changes over or a
//! lock fills, is no slope but a solution; what does not come to rest within a few rounds is solved from the beginning.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::balance::Frame;
use super::flow::Flow;
use super::lens::{Lens, Numbers, Places};
use super::lock_waits::KnownLocks;
use super::mixing::{SMALL, STRIDE_MAX};
use super::prediction::{PredictError, Prediction};
use super::solve::{self, Iteration, State};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::posterior::NumberId;
use crate::queueing::Solver;
use crate::system::deployment::Deployment;
use crate::workload::Load;

/// By how much a logarithm is moved to see what hangs on it.
const STEP: f64 = 1e-3;
/// Rounds after which it is solved from the beginning.
const ROUNDS_MOST: usize = 6;
/// How closely a network is solved: what is asked for is a difference.
const NEAR: f64 = 1e-9;
/// Relative change of the unknowns in a round at which they are at rest; of what the first round moved them by, the part that
/// may be left, and the most that it may be.
const SETTLED: f64 = 1e-6;
const PART: f64 = 0.01;
const MOST: f64 = 3e-4;

/// Where an iteration came to rest.
pub(super) struct Rest {
    /// Logarithms of the unknowns.
    logs: DVector<f64>,
    solver: Solver,
    locks: KnownLocks,
    /// I − ∂G/∂x.
    slopes: LU<f64, Dyn, Dyn>,
    shape: Vec<usize>,
}

impl Rest {
    /// Of an iteration that a flow came to rest in.
    pub(super) fn of(
        frame: &Frame<'_, '_>,
        mut iteration: Iteration<'_, '_, '_>,
        flow: &Flow,
    ) -> Result<Self, PredictError> {
        let round = iteration.last_round(NEAR, flow)?;
        let logs = logs(&frame.unknowns(flow));
        let image = self::logs(&frame.unknowns(&round.image));
        let (locks, solver) = (iteration.lock_waits.known(), iteration.solver.clone());
        let contended = frame.contended.len();
        let mut matrix = DMatrix::identity(logs.len(), logs.len());
        for i in 0..logs.len() {
            let mut moved = logs.clone();
            // Toward less that is spare and longer waits, where both can be.
            moved[i] += if i < contended { -STEP } else { STEP };
            let flow = frame.flow(&unknowns(&moved));
            let step = self::logs(&frame.unknowns(&flow))[i] - logs[i];
            if step == 0.0 {
                continue;
            }
            let round = iteration.last_round(NEAR, &flow)?;
            let column = (self::logs(&frame.unknowns(&round.image)) - &image) / step;
            for (j, slope) in column.iter().enumerate() {
                matrix[(j, i)] -= slope;
            }
        }
        Ok(Self { logs, solver, locks, slopes: matrix.lu(), shape: shape(frame) })
    }

    /// Where a frame that differs by little comes to rest; none where it does not within a few rounds, or differs by much.
    pub(super) fn near(&self, frame: &Frame<'_, '_>, catalog: &Catalog) -> Option<State> {
        if shape(frame) != self.shape {
            return None;
        }
        let mut iteration = Iteration::new(frame, catalog, Some((&self.locks, &self.solver)));
        let mut at = self.logs.clone();
        let mut enough = SETTLED;
        for count in 0..ROUNDS_MOST {
            let flow = frame.flow(&unknowns(&at));
            let round = iteration.last_round(NEAR, &flow).ok()?;
            if round.saturated.is_some() {
                return None;
            }
            let (x, image) = (frame.unknowns(&flow), frame.unknowns(&round.image));
            let distance = frame.distance((&flow, &x), (&round.image, &image), &round.flows);
            if count == 0 {
                enough = (PART * distance).clamp(SETTLED, MOST);
            }
            if distance <= enough {
                return Some(iteration.state(round));
            }
            let x = logs(&x);
            let mut step = self.slopes.solve(&(logs(&image) - &x))?;
            step.apply(|step| *step = step.clamp(-STRIDE_MAX, STRIDE_MAX));
            at = x + step;
        }
        None
    }
}

fn logs(unknowns: &[f64]) -> DVector<f64> {
    DVector::from_iterator(unknowns.len(), unknowns.iter().map(|x| (x + SMALL).ln()))
}

fn unknowns(logs: &DVector<f64>) -> Vec<f64> {
    let all = logs.iter().map(|log| (log.exp() - SMALL).max(0.0));
    all.collect()
}

/// What the unknowns of a frame are of.
fn shape(frame: &Frame<'_, '_>) -> Vec<usize> {
    let contended = frame.contended.iter().map(|(station, _)| *station);
    let closed = frame.cycle.iter().map(|cycle| usize::from(cycle.is_some()));
    let threads = frame.threads.iter().map(|threads| threads.group);
    let sizes = [frame.contended.len(), frame.cycle.len(), frame.demands.first().map_or(0, Vec::len)];
    sizes.into_iter().chain(contended).chain(closed).chain(threads).collect()
}

/// A deployment at rest under a load.
pub struct Resting<'a> {
    deployment: &'a Deployment,
    load: &'a Load,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    /// None where what hangs on what was not found: then all is solved from the beginning.
    rest: Option<Rest>,
    places: Places,
    prediction: Prediction,
    /// How long a commit of so many files takes there.
    commit: (f64, f64),
}

impl<'a> Resting<'a> {
    /// Solves it, and finds what its rest hangs on; and how long a commit of so many files holds the commit section on an idle
    /// server, where that is asked for.
    pub fn of(
        deployment: &'a Deployment,
        load: &'a Load,
        files: f64,
        catalog: &'a Catalog,
        calibration: &'a Calibration,
    ) -> Result<Self, PredictError> {
        let lens = Lens::default();
        let (solved, rest) = solve::at_rest(&lens, deployment, load, files, catalog, calibration)?;
        let (used, places) = lens.into_places();
        let mut prediction = solved.prediction;
        prediction.used = used;
        Ok(Self { deployment, load, catalog, calibration, rest, places, prediction, commit: (files, solved.commit) })
    }

    /// What it does.
    pub fn prediction(&self) -> &Prediction {
        &self.prediction
    }

    /// The numbers that this rests on.
    pub fn used(&self) -> &Numbers {
        &self.prediction.used
    }

    /// What it does where numbers are so many times as large; and how long the commit then takes \[s\].
    pub fn shifted<'n>(
        &self,
        factors: impl IntoIterator<Item = (&'n NumberId, f64)>,
    ) -> Result<(Prediction, f64), PredictError> {
        let lens = Lens::shifting(&self.places, factors);
        self.solve(&lens, self.deployment, self.load, self.commit.0)
    }

    /// The same of another deployment, load or commit, which differ by little.
    pub fn near(&self, deployment: &Deployment, load: &Load, commit: f64) -> Result<(Prediction, f64), PredictError> {
        if (deployment, load, commit) == (self.deployment, self.load, self.commit.0) {
            return Ok((self.prediction.clone(), self.commit.1));
        }
        self.solve(&Lens::forgetful(), deployment, load, commit)
    }

    fn solve(
        &self,
        lens: &Lens<'_>,
        deployment: &Deployment,
        load: &Load,
        commit: f64,
    ) -> Result<(Prediction, f64), PredictError> {
        let (catalog, calibration) = (self.catalog, self.calibration);
        let rest = self.rest.as_ref();
        let solved = solve::solve(rest, lens, deployment, load, commit, catalog, calibration)?;
        Ok((solved.prediction, solved.commit))
    }
}

/// Where a deployment came to rest whose numbers are multiplied by factors: what a fit looks at again and again with other
/// factors and a load that hangs on them.
pub struct Anchor {
    rest: Option<Rest>,
    places: Places,
}

impl Anchor {
    /// Solves it with these factors, and finds what its rest hangs on.
    pub fn of(
        factors: &BTreeMap<NumberId, f64>,
        deployment: &Deployment,
        load: &Load,
        catalog: &Catalog,
        calibration: &Calibration,
    ) -> Result<(Prediction, Self), PredictError> {
        let lens = Lens::scaling(factors).placing();
        let (solved, rest) = solve::at_rest(&lens, deployment, load, 0.0, catalog, calibration)?;
        let (_, places) = lens.into_places();
        Ok((solved.prediction, Self { rest, places }))
    }

    /// What it does with other factors and another load; the prediction does not say which numbers went in.
    pub fn near(
        &self,
        factors: &BTreeMap<NumberId, f64>,
        deployment: &Deployment,
        load: &Load,
        catalog: &Catalog,
        calibration: &Calibration,
    ) -> Result<Prediction, PredictError> {
        let lens = Lens::scaling_known(&self.places, factors);
        let rest = self.rest.as_ref();
        let solved = solve::solve(rest, &lens, deployment, load, 0.0, catalog, calibration)?;
        Ok(solved.prediction)
    }
}
