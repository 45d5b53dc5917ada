//! Reading numbers through a lens: which were used, with what origin, and what if one were different.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::origin::{Origin, Sourced};
use crate::units::Quantity;

/// A number that a prediction rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Used {
    /// The value in base units.
    pub value: f64,
    /// The value with its unit.
    pub shown: String,
    /// Where it comes from.
    pub origin: Origin,
    /// One-sigma relative error.
    pub spread: f64,
}

/// Hands out numbers, remembers which, and can shift one of them to see what it does.
#[derive(Debug, Default)]
pub struct Lens {
    used: RefCell<BTreeMap<String, Used>>,
    shifted: Option<(String, f64)>,
}

impl Lens {
    /// A lens through which the number `name` looks `factor` times as large.
    pub fn shifting(name: &str, factor: f64) -> Self {
        Self {
            used: RefCell::default(),
            shifted: Some((name.to_owned(), factor)),
        }
    }

    /// A quantity, in base units.
    pub fn quantity<Q: Quantity>(&self, name: &str, sourced: &Sourced<Q>) -> f64 {
        self.take(name, sourced.value.base(), sourced, || {
            sourced.value.to_string()
        })
    }

    /// A plain number.
    pub fn number(&self, name: &str, sourced: &Sourced<f64>) -> f64 {
        self.take(name, sourced.value, sourced, || sourced.value.to_string())
    }

    /// A plain number with its text as shown in its file.
    pub fn shown(&self, name: &str, sourced: &Sourced<f64>, shown: &str) -> f64 {
        self.take(name, sourced.value, sourced, || shown.to_owned())
    }

    fn take<T>(
        &self,
        name: &str,
        value: f64,
        sourced: &Sourced<T>,
        shown: impl Fn() -> String,
    ) -> f64 {
        let mut used = self.used.borrow_mut();
        if !used.contains_key(name) {
            let (origin, spread) = (sourced.origin.clone(), sourced.spread);
            used.insert(
                name.to_owned(),
                Used {
                    value,
                    shown: shown(),
                    origin,
                    spread,
                },
            );
        }
        match &self.shifted {
            Some((shifted, factor)) if shifted == name => value * factor,
            _ => value,
        }
    }

    /// Every number handed out, by name.
    pub fn into_used(self) -> BTreeMap<String, Used> {
        self.used.into_inner()
    }
}
