//! What a fit makes of the model's numbers: a factor for each that it moved.

use std::collections::BTreeMap;

use super::{EntryKind, NumberId};

/// What a fit makes of one number.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// Times the number as it stands in its file.
    pub times: f64,
    /// One-sigma relative error of the product.
    pub spread: f64,
    /// The data that moved it.
    pub ids: Vec<String>,
}

/// Factors by number; a number without one stands as in its file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Factors(pub BTreeMap<NumberId, Factor>);

impl Factors {
    /// What a fit makes of a number.
    pub fn of(&self, number: &NumberId) -> Option<&Factor> {
        self.0.get(number)
    }

    /// The parameters that data moved, by id.
    pub fn of_parameters(&self) -> impl Iterator<Item = (&str, &Factor)> {
        self.moved().filter_map(|(number, factor)| match number {
            NumberId::Parameter(id) => Some((id.as_str(), factor)),
            NumberId::Entry { .. } => None,
        })
    }

    /// The numbers of an entry of the catalogue that data moved, by key.
    pub fn of_entry(&self, kind: EntryKind, id: &str) -> impl Iterator<Item = (&str, &Factor)> {
        self.moved().filter_map(move |(number, factor)| match number {
            NumberId::Entry { kind: own, entry, key } if *own == kind && entry == id => Some((key.as_str(), factor)),
            _ => None,
        })
    }

    fn moved(&self) -> impl Iterator<Item = (&NumberId, &Factor)> {
        self.0.iter().filter(|(_, factor)| !factor.ids.is_empty())
    }

    /// Factors alone, by number.
    pub fn plain(&self) -> BTreeMap<NumberId, f64> {
        let all = self.0.iter();
        all.map(|(number, factor)| (number.clone(), factor.times)).collect()
    }

    /// The factor of a number, 1 where no fit moved it.
    pub fn factor(&self, number: &NumberId) -> f64 {
        self.of(number).map_or(1.0, |f| f.times)
    }
}
