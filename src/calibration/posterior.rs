//! The free parameters of the fit, and what the data made of them.
//!
//! `fit.toml` says which numbers may move, together with which others, and how far from what they
//! stand at (the prior). `fitted.toml` is the outcome of `plimsoll calibrate`: logarithmic shifts and
//! their covariance. Knows no data and does no fit: [`crate::fit`] does.

use super::check::{Claims, mandatory};
use super::factors::{Factor, Factors};
use super::source::check_schema;
use crate::diag::Diagnostic;
use crate::document::{Item, Reader};
use crate::units::Fraction;

/// One free parameter: a factor on one or several numbers of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Free {
    /// Its id.
    pub id: String,
    /// A noun phrase.
    pub title: String,
    /// The numbers that it scales, by the name under which a prediction lists them.
    pub scales: Vec<String>,
    /// One-sigma error of the logarithm before any datum.
    pub prior: f64,
    /// Where the prior comes from.
    pub why: String,
}

/// Free parameters with their shifts from the prior, on the logarithmic scale.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Posterior {
    /// What may move.
    pub free: Vec<Free>,
    /// How far each moved: the logarithm of its factor.
    pub shift: Vec<f64>,
    /// Covariance of the logarithms.
    pub covariance: Vec<Vec<f64>>,
    /// The data that moved each.
    pub moved_by: Vec<Vec<String>>,
    /// One-sigma relative error of the model itself, as leaving data out shows it.
    pub discrepancy: f64,
}

impl Posterior {
    /// Nothing moved: what is known before any datum.
    pub fn of_prior(free: Vec<Free>) -> Self {
        let n = free.len();
        let mut covariance = vec![vec![0.0; n]; n];
        for (i, one) in free.iter().enumerate() {
            covariance[i][i] = one.prior * one.prior;
        }
        Self {
            shift: vec![0.0; n],
            moved_by: vec![Vec::new(); n],
            free,
            covariance,
            discrepancy: 0.0,
        }
    }

    /// The factors of all numbers, each free parameter being at `shift`.
    pub fn factors_at(&self, shift: &[f64]) -> Factors {
        let mut factors = Factors::default();
        for (i, free) in self.free.iter().enumerate() {
            for name in &free.scales {
                let factor = factors.0.entry(name.clone()).or_insert_with(|| Factor {
                    factor: 1.0,
                    spread: 0.0,
                    ids: Vec::new(),
                });
                factor.factor *= shift[i].exp();
                factor.ids.extend(self.moved_by[i].iter().cloned());
            }
        }
        for (name, factor) in &mut factors.0 {
            let movers: Vec<usize> = (0..self.free.len())
                .filter(|i| self.free[*i].scales.contains(name))
                .collect();
            let pairs = movers
                .iter()
                .flat_map(|i| movers.iter().map(move |j| (*i, *j)));
            let variance: f64 = pairs.map(|(i, j)| self.covariance[i][j]).sum();
            factor.spread = variance.max(0.0).sqrt();
            factor.ids.sort();
            factor.ids.dedup();
        }
        factors
    }

    /// The factors where the data put them.
    pub fn factors(&self) -> Factors {
        self.factors_at(&self.shift)
    }
}

/// Reads `fit.toml`; a later file of that name takes the place of an earlier one.
pub(super) fn read_free(reader: &Reader<'_>) -> Vec<Free> {
    check_schema(reader);
    let mut ids = Claims::default();
    let tables = reader.tables("free");
    let free = tables.iter().filter_map(|table| {
        table.require(&["scales", "prior"]);
        let id = mandatory(table, "id");
        if let Some(id) = &id {
            ids.claim(table, id, "free parameter");
        }
        let (title, why) = (mandatory(table, "title"), mandatory(table, "why"));
        let scales = table.texts("scales");
        let prior = table.quantity::<Fraction>("prior");
        table.finish();
        Some(Free {
            id: id?.value,
            title: title?.value,
            scales: scales?.into_iter().map(|s| s.value).collect(),
            prior: prior?.value.get(),
            why: why?.value,
        })
    });
    let free = free.collect();
    reader.finish();
    free
}

/// Reads `fitted.toml` over the priors; what it does not name stays at its prior.
pub(super) fn read_fitted(reader: &Reader<'_>, posterior: &mut Posterior) {
    check_schema(reader);
    let discrepancy = reader.quantity::<Fraction>("discrepancy");
    posterior.discrepancy = discrepancy.map_or(0.0, |d| d.value.get());
    let mut places = Vec::new();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for table in reader.tables("fitted") {
        table.require(&["shift", "moved_by", "covariance"]);
        let (id, shift) = (mandatory(&table, "id"), table.number("shift"));
        let moved_by = table.texts("moved_by");
        let row = numbers(&table, "covariance");
        // What is shown beside the shift is worked out from it.
        let _: Option<_> = table.raw("factor");
        let _: Option<_> = table.raw("spread");
        table.finish();
        let (Some(id), Some(shift)) = (id, shift) else {
            continue;
        };
        let place = posterior.free.iter().position(|free| free.id == id.value);
        if let Some(i) = place {
            posterior.shift[i] = shift.value;
            posterior.moved_by[i] = moved_by
                .unwrap_or_default()
                .into_iter()
                .map(|t| t.value)
                .collect();
        }
        if row.len() != rows.len() + 1 {
            let message = "`covariance` has one number for each parameter up to this one";
            reader
                .diagnostics()
                .push(Diagnostic::error("CAL018", message).at(
                    table.place().source,
                    table.place().span.clone(),
                    format!("{} numbers; {} are wanted", row.len(), rows.len() + 1),
                ));
            return;
        }
        places.push(place);
        rows.push(row);
    }
    for (a, row) in rows.iter().enumerate() {
        for (b, value) in row.iter().enumerate() {
            if let (Some(i), Some(j)) = (places[a], places[b]) {
                posterior.covariance[i][j] = *value;
                posterior.covariance[j][i] = *value;
            }
        }
    }
    reader.finish();
}

fn numbers(reader: &Reader<'_>, key: &'static str) -> Vec<f64> {
    let items = reader.item(key).and_then(|item| item.list("numbers"));
    let items: Vec<Item<'_>> = items.unwrap_or_default();
    items
        .iter()
        .filter_map(|i| Some(i.number()?.value))
        .collect()
}
