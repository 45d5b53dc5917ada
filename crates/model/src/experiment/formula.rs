//! A figure that a few numbers of the model make up directly, without a deployment and a load: what a
//! microbenchmark measures.
//!
//! It is a sum of products of numbers and of their reciprocals, such as the time of a read from a device,
//! which is that of the request, of the array's front end and of the medium. Knows names, values and
//! factors; must not know what they mean.

use std::collections::BTreeMap;

use super::comparison::Term;
use super::measure::is_measurable;
use super::rows::{Claim, Form, Row};
use crate::calibration::{DatumKind, Dimension};
use crate::posterior::{Free, NumberId};
use crate::system::Used;

/// Name of a formula's only reading.
const VALUE: &str = "value";

/// A number of the model.
#[derive(Debug, Clone)]
pub struct Named {
    /// Which.
    pub id: NumberId,
    /// As it stands before any fit.
    pub used: Used,
}

impl Named {
    /// Free with its error as the prior.
    pub fn free(&self) -> Free {
        Free::own_error(self.id.clone(), self.used.spread)
    }
}

/// A constant, times numbers, over others.
#[derive(Debug, Clone, Default)]
pub struct Product {
    /// The constant.
    pub times: f64,
    /// Numbers above the line.
    pub numbers: Vec<Named>,
    /// Numbers below it.
    pub over: Vec<Named>,
}

/// What somebody measured, and the sum of products that it is.
#[derive(Debug, Clone)]
pub struct Formula {
    /// Its id, and that of its datum.
    pub id: String,
    /// The sum.
    pub sum: Vec<Product>,
    /// What it measures.
    pub dimension: Dimension,
    /// What was measured, in base units.
    pub measured: f64,
    /// How far repetitions lie from each other: one-sigma relative error.
    pub spread: f64,
    /// What the formula leaves out: one-sigma relative error besides.
    pub sigma: f64,
}

impl Formula {
    /// Its value where each number is multiplied by its factor.
    pub fn value(&self, factors: &BTreeMap<NumberId, f64>) -> f64 {
        let seen = |named: &Named| named.used.value * factors.get(&named.id).copied().unwrap_or(1.0);
        let product = |product: &Product| {
            let above: f64 = product.numbers.iter().map(seen).product();
            let below: f64 = product.over.iter().map(seen).product();
            product.times * above / below
        };
        self.sum.iter().map(product).sum()
    }

    /// Every number in it.
    pub fn numbers(&self) -> impl Iterator<Item = &Named> {
        let products = self.sum.iter();
        products.flat_map(|p| p.numbers.iter().chain(&p.over))
    }

    /// Its reading, as a run gives them.
    pub fn readings(&self, factors: &BTreeMap<NumberId, f64>) -> super::Readings {
        super::Readings::from([(VALUE.to_owned(), self.value(factors))])
    }

    /// The claim that it makes; none where nobody can have measured that.
    pub fn row(&self) -> Option<Row> {
        is_measurable(self.measured).then(|| Row {
            id: self.id.clone(),
            datum: self.id.clone(),
            kind: DatumKind::Value,
            topic: None,
            claim: Claim::Exactly(self.measured),
            dimension: self.dimension,
            spread: self.spread,
            sigma: Some(self.sigma),
            restates: Vec::new(),
            no_mechanism: None,
            form: Form::Reading(Term { run: self.id.clone(), measure: VALUE.to_owned() }),
        })
    }
}
