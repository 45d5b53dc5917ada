//! Every claim that the model can be held against, one row each, and what the model says to it.

use std::collections::BTreeMap;

use super::comparison::{Comparison, Kind, Stated, Term};
use super::measure::What;
use super::run::{Readings, Run};
use crate::calibration::{Bound, Calibration, DatumKind, DatumValue, Dimension};

/// Tied names of an order are within this factor of each other.
const TIED: f64 = 1.15;
/// A name that stands behind another is worse by at least this factor: what predictions settle to.
const BEHIND: f64 = 1.0001;

/// What a pair of names of an order claims of worse over better.
pub(super) fn of_neighbours(tied: bool) -> Claim {
    if tied { Claim::Between(1.0 / TIED, TIED) } else { Claim::Between(BEHIND, f64::INFINITY) }
}

/// What a row claims of the predicted value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Claim {
    /// It is this.
    Exactly(f64),
    /// It lies between these; one of them may be 0 or infinite.
    Between(f64, f64),
}

impl Claim {
    /// Logarithmic distance of `predicted` from the claim; 0 where it holds, NaN for no positive number.
    pub fn residual(self, predicted: f64) -> f64 {
        match self {
            Self::Exactly(value) => (predicted / value).ln(),
            Self::Between(low, _) if predicted < low => (predicted / low).ln(),
            Self::Between(_, high) if predicted > high => (predicted / high).ln(),
            Self::Between(..) if predicted > 0.0 => 0.0,
            Self::Between(..) => f64::NAN,
        }
    }
}

/// How a predicted value comes out of readings.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Reading(Term),
    Quotient(Term, Term, Stated),
    /// The mean of what figures state of quotients.
    Mean(Vec<(Term, Term)>, Stated),
}

/// What a row's figure tells of, where the tables ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// How fast the commit section is passed.
    Commit,
    /// How long syncs with content take.
    Sync,
}

/// A claim about the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Datum and figure, or datum and the two names of an order.
    pub id: String,
    /// The datum.
    pub datum: String,
    /// Value, ratio or ordering.
    pub kind: DatumKind,
    /// What its measure tells of.
    pub topic: Option<Topic>,
    /// What is claimed, in base units.
    pub claim: Claim,
    /// What it measures.
    pub dimension: Dimension,
    /// One-sigma error of the figure, as a share of it.
    pub spread: f64,
    /// One-sigma error of the set-up besides, where its file states one.
    pub sigma: Option<f64>,
    /// Data that say the same: a fit must not count it again.
    pub restates: Vec<String>,
    /// Why the model cannot say it yet: it is shown and not fitted.
    pub no_mechanism: Option<String>,
    pub(super) form: Form,
}

impl Row {
    /// Whether a fit goes by it.
    pub fn is_fitted(&self) -> bool {
        self.restates.is_empty() && self.no_mechanism.is_none()
    }

    /// One-sigma error of the figure as a statement about the run described: its own and the set-up's.
    pub fn stated_error(&self) -> f64 {
        self.spread.hypot(self.sigma.unwrap_or(0.0))
    }

    /// An increase as the quotient that it is of: the model errs by a share of times, and what it errs by has no meaning as a share of
    /// a difference between them.
    fn into_quotient(self) -> Self {
        let (Form::Quotient(over, under, Stated::Increase), Claim::Exactly(increase)) = (&self.form, self.claim) else {
            return self;
        };
        // What is a share of the increase is so much of the quotient.
        let share = increase / (1.0 + increase);
        Self {
            claim: Claim::Exactly(1.0 + increase),
            dimension: Dimension::Number,
            spread: self.spread * share,
            sigma: self.sigma.map(|sigma| sigma * share),
            form: Form::Quotient(over.clone(), under.clone(), Stated::Quotient),
            ..self
        }
    }

    /// What it reads in the numerator and in the denominator, by run: of several quotients the first.
    pub(crate) fn runs(&self) -> (&str, Option<&str>) {
        match &self.form {
            Form::Reading(term) => (&term.run, None),
            Form::Quotient(over, under, _) => (&over.run, Some(&under.run)),
            Form::Mean(pairs, _) => pairs.first().map_or(("", None), |(over, under)| (&over.run, Some(&under.run))),
        }
    }

    /// What the model says; none where a run has no readings.
    pub fn predicted(&self, readings: &BTreeMap<&str, Readings>) -> Option<f64> {
        let value = |term: &Term| Some(*readings.get(term.run.as_str())?.get(&term.measure)?);
        let quotient = |a: &Term, b: &Term| Some(value(a)? / value(b)?);
        match &self.form {
            Form::Reading(term) => value(term),
            Form::Quotient(over, under, stated) => Some(stated.of(quotient(over, under)?)),
            Form::Mean(pairs, stated) => {
                let all: Option<Vec<f64>> =
                    pairs.iter().map(|(over, under)| Some(stated.of(quotient(over, under)?))).collect();
                mean(&all?)
            }
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// All rows, by the order of runs and comparisons.
pub(super) fn rows(calibration: &Calibration, runs: &BTreeMap<String, Run>, comparisons: &[Comparison]) -> Vec<Row> {
    let mut rows = Vec::new();
    for run in runs.values() {
        rows.extend(of_run(calibration, run));
    }
    for comparison in comparisons {
        let compared = of_comparison(calibration, comparison).into_iter();
        rows.extend(compared.map(|row| Row {
            restates: comparison.restates.clone(),
            no_mechanism: comparison.no_mechanism.clone(),
            ..row
        }));
    }
    rows
}

fn of_run(calibration: &Calibration, run: &Run) -> Vec<Row> {
    let Some(datum) = run.datum.as_ref().and_then(|id| calibration.datum(id)) else {
        return Vec::new();
    };
    let answered = run.measures.iter().filter_map(|m| Some((m, m.figure.as_ref()?)));
    answered
        .filter_map(|(measure, figure)| {
            let published = datum.value(figure)?;
            let term = Term { run: run.id.clone(), measure: measure.name.clone() };
            Some(Row {
                kind: DatumKind::Value,
                topic: topic(run, &measure.what),
                no_mechanism: measure.no_mechanism.clone(),
                ..row(&datum.id, published, measure.sigma, Form::Reading(term))
            })
        })
        .collect()
}

/// What a measure of a run tells of.
fn topic(run: &Run, what: &What) -> Option<Topic> {
    match what {
        What::CommitTime | What::CommitRate => Some(Topic::Commit),
        What::Elapsed { group, .. } | What::Cycle { group } => {
            let mut calls = run.workload.groups[*group].calls.iter();
            calls.any(|c| c.command == "sync").then_some(Topic::Sync)
        }
        What::Rate { .. } | What::Traffic { .. } | What::Busy { .. } => None,
    }
}

/// What somebody measured themselves; a run is its own datum.
pub(super) fn own_rows(run: &Run) -> impl Iterator<Item = Row> {
    let measured = run.measures.iter().filter_map(|m| Some((m, m.measured.as_ref()?)));
    measured.map(|(measure, measured)| Row {
        id: format!("{} {}", run.id, measure.name),
        datum: run.id.clone(),
        kind: DatumKind::Value,
        topic: topic(run, &measure.what),
        claim: Claim::Exactly(measured.value),
        dimension: measured.dimension,
        spread: measured.spread,
        sigma: measure.sigma,
        restates: Vec::new(),
        no_mechanism: None,
        form: Form::Reading(Term { run: run.id.clone(), measure: measure.name.clone() }),
    })
}

fn row(datum: &str, published: &DatumValue, sigma: Option<f64>, form: Form) -> Row {
    Row {
        id: format!("{datum} {}", published.name),
        datum: datum.to_owned(),
        kind: DatumKind::Ratio,
        topic: None,
        claim: match published.bound() {
            Bound::Exactly(value) => Claim::Exactly(value),
            Bound::AtLeast(value) => Claim::Between(value, f64::INFINITY),
            Bound::AtMost(value) => Claim::Between(0.0, value),
            Bound::Between(low, high) => Claim::Between(low, high),
        },
        dimension: published.dimension,
        spread: published.spread.unwrap_or(0.0),
        sigma,
        restates: Vec::new(),
        no_mechanism: None,
        form,
    }
}

fn of_comparison(calibration: &Calibration, comparison: &Comparison) -> Vec<Row> {
    let Some(datum) = calibration.datum(&comparison.datum) else {
        return Vec::new();
    };
    let sigma = comparison.sigma;
    match &comparison.kind {
        Kind::Ratio { figure, pair: (over, under), stated } => {
            let form = Form::Quotient(over.clone(), under.clone(), *stated);
            let published = datum.value(figure);
            let row = published.map(|p| row(&datum.id, p, sigma, form));
            row.map(Row::into_quotient).into_iter().collect()
        }
        Kind::Set { figures, pairs, stated } => {
            // Which figure is of which pair is not known: the model has nearly the same value for all, which counts once.
            let known = figures.iter().filter_map(|figure| datum.value(figure));
            let known: Vec<&DatumValue> = known.collect();
            let values: Vec<f64> = known.iter().filter_map(|known| known.value).collect();
            let spread = known.iter().filter_map(|known| known.spread);
            let all = mean(&values).zip(known.first()).map(|(value, first)| {
                let form = Form::Mean(pairs.clone(), *stated);
                Row {
                    id: format!("{} mean", datum.id),
                    claim: Claim::Exactly(value),
                    spread: spread.fold(0.0, f64::max),
                    ..row(&datum.id, first, sigma, form)
                }
            });
            all.into_iter().collect()
        }
        Kind::Order(terms) => {
            let named: Vec<(&String, &Term)> =
                datum.order.iter().filter_map(|name| Some((name, terms.get(name)?))).collect();
            let tied = |a: &String, b: &String| datum.tied.iter().any(|group| group.contains(a) && group.contains(b));
            named
                .windows(2)
                .map(|pair| {
                    let ((first, better), (second, worse)) = (pair[0], pair[1]);
                    let (over, under) = if comparison.less_is_better { (worse, better) } else { (better, worse) };
                    let tied = tied(first, second);
                    let (sign, claim) = (if tied { "≈" } else { ">" }, of_neighbours(tied));
                    Row {
                        id: format!("{} {first} {sign} {second}", datum.id),
                        datum: datum.id.clone(),
                        kind: DatumKind::Ordering,
                        topic: None,
                        claim,
                        dimension: Dimension::Number,
                        spread: 0.0,
                        sigma,
                        restates: Vec::new(),
                        no_mechanism: None,
                        form: Form::Quotient(over.clone(), under.clone(), Stated::Quotient),
                    }
                })
                .collect()
        }
    }
}
