//! What would be: the recommended deployment as it is, and with a change, with how both bend under load.

use std::sync::Arc;

use super::super::engine::Engine;
use super::advised::Advised;
use super::sensitivities::Sensitivities;
use crate::advisor::what_if::{Change, Changed, what_if};
use crate::advisor::{Closeness, Curve, Overload, curve};
use crate::system::Prediction;

/// Loads that a curve is solved for: enough for a line that looks smooth.
const CURVE_POINTS: usize = 20;

/// A change with what it does.
#[derive(Debug, Clone)]
pub struct Tried {
    /// What was changed.
    pub change: Arc<Change>,
    /// Without the change; made once for a recommendation.
    pub before: Arc<Before>,
    /// With it.
    pub after: Arc<Changed>,
    /// Response times of the changed deployment over its load; none until it is computed.
    pub curve: Option<Arc<Curve>>,
    /// At which load it would still work, where that of the change overloads it; none until it is computed.
    pub carries: Option<Arc<Overload>>,
}

/// What a change is compared with.
#[derive(Debug)]
pub struct Before {
    /// The recommended deployment.
    pub changed: Arc<Changed>,
    /// What it does.
    pub prediction: Prediction,
    /// Its response times over its load.
    pub curve: Arc<Curve>,
    /// How much each number moves the time that limits.
    pub sensitivities: Sensitivities,
}

impl Before {
    /// Works it out.
    pub(super) fn new(engine: &Engine, advised: &Advised) -> Result<Self, String> {
        let changed = try_out(engine, advised, &Change::default())?;
        let prediction = changed.prediction.clone().map_err(|e| e.to_string())?;
        Ok(Self {
            curve: Arc::new(bend(engine, advised, &changed)),
            sensitivities: Sensitivities::of(engine, advised, &prediction),
            prediction,
            changed: Arc::new(changed),
        })
    }
}

impl Tried {
    /// Works all of it out; a sentence where the change cannot be made.
    pub fn new(engine: &Engine, advised: &Advised, change: Arc<Change>) -> Result<Self, String> {
        Ok(Self::point(engine, advised, change)?.bent(engine, advised))
    }

    /// Without its curve, which takes ten times as long: what a pointer that is being moved waits for.
    pub fn point(engine: &Engine, advised: &Advised, change: Arc<Change>) -> Result<Self, String> {
        let before = advised.before(engine)?;
        let is_same = change.is_none();
        let after = if is_same { before.changed.clone() } else { Arc::new(try_out(engine, advised, &change)?) };
        let curve = is_same.then(|| before.curve.clone());
        Ok(Self { change, before, after, curve, carries: None })
    }

    /// The same with its curve.
    #[must_use]
    pub fn bent(self, engine: &Engine, advised: &Advised) -> Self {
        let curve = self.curve;
        let curve = curve.unwrap_or_else(|| Arc::new(bend(engine, advised, &self.after)));
        let carries = self.after.carries(&engine.catalog, &engine.calibration);
        Self { curve: Some(curve), carries: carries.map(Arc::new), ..self }
    }
}

pub(super) fn try_out(engine: &Engine, advised: &Advised, change: &Change) -> Result<Changed, String> {
    let base = advised.base(engine).ok_or_else(|| "nothing is recommended that could be changed".to_owned())?;
    what_if(&base, change).map_err(|error| error.to_string())
}

/// The curve of a deployment; its bands are as wide, relatively, as the recommendation's intervals.
fn bend(engine: &Engine, advised: &Advised, changed: &Changed) -> Curve {
    let chosen = advised.advice.chosen.as_ref();
    // Of another layout neither its intervals nor a simulation is known.
    let chosen = chosen.filter(|chosen| chosen.deployment.layout == changed.deployment.layout);
    curve(
        &changed.site,
        changed.catalog(advised.catalog(engine)),
        &engine.calibration,
        &changed.deployment,
        &changed.load,
        chosen.map(|chosen| &chosen.prediction),
        CURVE_POINTS,
        Closeness::Quick,
    )
}
