//! What the published data made of the model's numbers: the outcome of the fit, on which all else stands.
//!
//! `calibration/fit.toml` says which numbers may move, together with which others, and how far from
//! what they stand at (the prior). `calibration/fitted.toml`, written by `plimsoll calibrate`, holds the
//! logarithms of their factors and the covariance. The loaders of catalogue and parameters multiply
//! their numbers by these factors as they read them, so that nobody meets a number before its fit
//! unless they ask for it (`uncalibrated`).
//!
//! Knows the names of numbers ([`NumberId`]) and factors. Must not know what the numbers mean, nor any datum; the fit
//! itself is [`crate::fit`].
//!
//! ```
//! use plimsoll_model::posterior::{NumberId, Posterior};
//! let posterior = Posterior::embedded();
//! let factors = posterior.factors();
//! let row_write = factors.of(&NumberId::parameter("row_write.2017")).unwrap();
//! assert!(row_write.spread < 0.1 && row_write.ids.contains(&"P17-branchsubmit-ssd".to_owned()));
//! ```

mod factors;
mod number_id;
mod read;
mod write;

pub use factors::{Factor, Factors};
pub use number_id::{EntryKind, KINDS, NumberId};
pub(crate) use read::one as read_free;
pub use write::fit_toml;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::diag::{Diagnostic, Diagnostics, quoted};
use crate::document::{self, Reader, read_text};

/// What each code of this module means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[(
    "FIT001",
    "A fit.toml or fitted.toml does not hold together: an id used twice, a covariance that is no triangle, another schema. See calibration/README.md.",
)];

const FIT: (&str, &str) = ("fit.toml", include_str!("../../../../calibration/fit.toml"));
/// Name and text of the fit inside the binary.
pub const FITTED: (&str, &str) = ("fitted.toml", include_str!("../../../../calibration/fitted.toml"));

/// One free parameter: a factor on one or several numbers of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Free {
    /// Its id.
    pub id: String,
    /// A noun phrase.
    pub title: String,
    /// The numbers that it scales.
    pub scales: Vec<NumberId>,
    /// One-sigma error of the logarithm before any datum.
    pub prior: f64,
    /// Where the prior comes from.
    pub why: String,
    /// Whether somebody's own measurement brought it: it scales what a folder lays over as well.
    pub own: bool,
}

impl Free {
    /// The error of one number, which somebody's own measurement may move.
    pub(crate) fn own_error(number: NumberId, spread: f64) -> Self {
        Self {
            id: number.to_string(),
            title: number.to_string(),
            scales: vec![number],
            prior: spread,
            why: "the error of the number".to_owned(),
            own: true,
        }
    }
}

/// How far one figure pulls the free parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Gain {
    /// The figure.
    pub row: String,
    /// Its datum.
    pub datum: String,
    /// By how much the logarithm of each free parameter would be larger if the figure were larger by one σ of
    /// its error, as logarithms go.
    pub moves: Vec<f64>,
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
    /// What each figure does to them: the sum of their squares is the part of the covariance that comes
    /// from errors of the data, the rest is the prior's.
    pub gains: Vec<Gain>,
    /// One-sigma relative error of the model itself, as leaving data out shows it.
    pub discrepancy: f64,
}

impl Posterior {
    /// What the binary carries.
    ///
    /// # Panics
    ///
    /// If an embedded file is broken: the tests load them.
    pub fn embedded() -> Self {
        Self::load(None).unwrap_or_else(|d| panic!("embedded fit:\n{}", d.render()))
    }

    /// What the binary carries, or `fit.toml` and `fitted.toml` of a folder where they are there.
    pub fn load(over: Option<&Path>) -> Result<Self, Box<Diagnostics>> {
        let mut diagnostics = Diagnostics::default();
        let mut text_of = |(name, embedded): (&str, &str)| {
            let path = over.map(|folder| folder.join(name)).filter(|path| path.exists());
            let (shown, text) = match path {
                None => (format!("calibration/{name}"), embedded.to_owned()),
                Some(path) => match read_text(&path) {
                    Ok(text) => (path.to_string_lossy().into_owned(), text),
                    Err(error) => {
                        let message = format!("{}: {error}", quoted(&path.to_string_lossy()));
                        diagnostics.push(Diagnostic::error("DOC001", message));
                        return None;
                    }
                },
            };
            Some(diagnostics.add_source(shown, text))
        };
        let (fit, fitted) = (text_of(FIT), text_of(FITTED));
        let root = |id: Option<_>| document::parse(id?, &diagnostics);
        let mut posterior =
            root(fit).map_or_else(Self::default, |root| Self::of_prior(read::free(&Reader::new(&root, &diagnostics))));
        if let Some(root) = root(fitted) {
            read::fitted(&Reader::new(&root, &diagnostics), &mut posterior);
        }
        if diagnostics.has_errors() { Err(Box::new(diagnostics)) } else { Ok(posterior) }
    }

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
            gains: Vec::new(),
            discrepancy: 0.0,
        }
    }

    /// The same of numbers that stand where the data put them already.
    #[must_use]
    pub fn standing(&self) -> Self {
        Self { shift: vec![0.0; self.shift.len()], ..self.clone() }
    }

    /// Without the numbers that `is_laid_over` names, which the published data know nothing of.
    #[must_use]
    pub fn reaching(mut self, is_laid_over: impl Fn(&NumberId) -> bool) -> Self {
        for free in self.free.iter_mut().filter(|free| !free.own) {
            free.scales.retain(|name| !is_laid_over(name));
        }
        self
    }

    /// Leaves free parameters out: what is known of the others stays as it is.
    pub(crate) fn leave_out(&mut self, places: Range<usize>) {
        self.free.drain(places.clone());
        self.shift.drain(places.clone());
        self.moved_by.drain(places.clone());
        self.covariance.drain(places.clone());
        for row in &mut self.covariance {
            row.drain(places.clone());
        }
        for gain in &mut self.gains {
            gain.moves.drain(places.clone());
        }
    }

    /// The factors of all numbers, each free parameter being at `shift`.
    pub fn factors_at(&self, shift: &[f64]) -> Factors {
        let mut factors = Factors::default();
        for (i, free) in self.free.iter().enumerate() {
            for name in &free.scales {
                let factor = factors.0.entry(name.clone()).or_insert_with(|| Factor {
                    times: 1.0,
                    spread: 0.0,
                    ids: Vec::new(),
                });
                factor.times *= shift[i].exp();
                factor.ids.extend(self.moved_by[i].iter().cloned());
            }
        }
        for (name, factor) in &mut factors.0 {
            let movers: Vec<usize> = (0..self.free.len()).filter(|i| self.free[*i].scales.contains(name)).collect();
            let pairs = movers.iter().flat_map(|i| movers.iter().map(move |j| (*i, *j)));
            let variance: f64 = pairs.map(|(i, j)| self.covariance[i][j]).sum();
            factor.spread = variance.max(0.0).sqrt();
            factor.ids.sort();
            factor.ids.dedup();
        }
        factors
    }

    /// The same without errors and origins, each times what `held` says of it.
    pub(crate) fn times_at(&self, shift: &[f64], held: &Factors) -> BTreeMap<NumberId, f64> {
        let mut times = held.plain();
        for (free, shift) in self.free.iter().zip(shift) {
            for name in &free.scales {
                *times.entry(name.clone()).or_insert(1.0) *= shift.exp();
            }
        }
        times
    }

    /// The factors where the data put them.
    pub fn factors(&self) -> Factors {
        self.factors_at(&self.shift)
    }

    /// The same without errors and origins.
    pub fn times(&self) -> BTreeMap<NumberId, f64> {
        self.times_at(&self.shift, &Factors::default())
    }

    /// Those of them that reach what a folder lays over the binary's files.
    pub fn own_factors(&self) -> Factors {
        let own =
            |free: &Free| Free { scales: if free.own { free.scales.clone() } else { Vec::new() }, ..free.clone() };
        let free = self.free.iter().map(own).collect();
        Self { free, ..self.clone() }.factors()
    }
}
