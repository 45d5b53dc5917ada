//! What a fit makes of the model's numbers: a factor for each that it moved.
//!
//! A number is named as a prediction names it: `parameter row_write.2017`, `arrays/fas3270.sync_service`.

use std::collections::BTreeMap;

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

/// Factors by the name of the number; a number without one stands as in its file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Factors(pub BTreeMap<String, Factor>);

impl Factors {
    /// What a fit makes of a number.
    pub fn of(&self, name: &str) -> Option<&Factor> {
        self.0.get(name)
    }

    /// The numbers that data moved and whose names begin with `prefix`, without it.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a Factor)> {
        let from = self.0.range(prefix.to_owned()..);
        let below =
            from.map_while(move |(name, factor)| Some((name.strip_prefix(prefix)?, factor)));
        below.filter(|(_, factor)| !factor.ids.is_empty())
    }

    /// Both at once: where a number has a factor in each, their product.
    #[must_use]
    pub fn times(mut self, others: &Self) -> Self {
        for (name, other) in &others.0 {
            match self.0.get_mut(name) {
                Some(factor) => factor.times *= other.times,
                None => drop(self.0.insert(name.clone(), other.clone())),
            }
        }
        self
    }

    /// Factors alone, by name.
    pub fn plain(&self) -> BTreeMap<String, f64> {
        let all = self.0.iter();
        all.map(|(name, factor)| (name.clone(), factor.times))
            .collect()
    }

    /// The factor of a number, 1 where no fit moved it.
    pub fn factor(&self, name: &str) -> f64 {
        self.of(name).map_or(1.0, |f| f.times)
    }
}
