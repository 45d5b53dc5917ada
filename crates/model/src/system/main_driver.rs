//! The main driver of each figure of a prediction: of all uncertain numbers, the one whose error moves it most.
//!
//! The numbers are shifted one after another to find the intervals anyway ([`super::interval`]); this only
//! watches. It knows nothing of the site's unanswered questions, which may matter more.

use std::collections::BTreeMap;

use super::prediction::Prediction;
use crate::posterior::NumberId;

/// What may be larger or smaller than it is taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uncertain {
    /// A free parameter of the fit, by its id, with all numbers that it scales.
    Free(String),
    /// A number that the fit does not move.
    Number(NumberId),
}

impl Uncertain {
    /// The id that `plimsoll explain` takes.
    pub fn id(&self) -> String {
        match self {
            Self::Free(id) => id.clone(),
            Self::Number(number) => number.explained(),
        }
    }
}

/// The number whose error moves a figure most.
#[derive(Debug, Clone, PartialEq)]
pub struct MainDriver {
    /// It.
    pub number: Uncertain,
    /// What the figure is times as large when the number is larger by one sigma.
    pub factor: f64,
}

/// A logarithm of a change that says nothing.
const LEAST: f64 = 1e-3;

/// Watches numbers being shifted.
pub(super) struct Watch {
    unshifted: BTreeMap<String, f64>,
    most: BTreeMap<String, MainDriver>,
}

impl Watch {
    /// From what is predicted when nothing is shifted.
    pub(super) fn new(unshifted: &Prediction) -> Self {
        Self { unshifted: figures(unshifted).collect(), most: BTreeMap::new() }
    }

    /// What one number, larger by one sigma, makes of them.
    pub(super) fn see(&mut self, number: &Uncertain, shifted: &Prediction) {
        for (name, is) in figures(shifted) {
            let Some(was) = self.unshifted.get(&name) else {
                continue;
            };
            let factor = is / was;
            let change = factor.ln().abs();
            let known = self.most.get(&name);
            let most = known.map_or(LEAST, |driver| driver.factor.ln().abs());
            if change.is_finite() && change > most {
                let number = number.clone();
                self.most.insert(name, MainDriver { number, factor });
            }
        }
    }

    /// By figure: kind of work, resource, lock.
    pub(super) fn found(self) -> BTreeMap<String, MainDriver> {
        self.most
    }
}

/// 95th percentile by kind of work, busy fraction by resource, the longer wait by lock.
fn figures(prediction: &Prediction) -> impl Iterator<Item = (String, f64)> {
    let classes = prediction.classes.iter();
    let resources = prediction.resources.iter();
    let locks = prediction.locks.iter();
    classes
        .map(|class| (class.name.clone(), class.p95.value))
        .chain(resources.map(|r| (r.resource.name.clone(), r.utilization)))
        .chain(locks.map(|l| (l.lock.name.clone(), l.write_wait.max(l.read_wait))))
}
