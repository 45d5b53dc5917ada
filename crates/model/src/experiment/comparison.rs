//! Figures that compare runs: a ratio, an ordering, a set whose members are not known apart.

use std::collections::BTreeMap;

use super::amount::unknown;
use super::run::Run;
use crate::calibration::{Calibration, Datum};
use crate::diag::quoted;
use crate::document::{Located, Reader};

/// A reading of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The run's id.
    pub run: String,
    /// The measure's name.
    pub measure: String,
}

/// A claim of a datum about several runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The datum.
    pub datum: String,
    /// What is compared, and how.
    pub kind: Kind,
    /// One-sigma relative error besides the figure's own.
    pub sigma: Option<f64>,
    /// Data whose figures it only puts in other words.
    pub restates: Vec<String>,
    /// Why the model cannot say it yet; such a claim is shown and moves no parameter.
    pub no_mechanism: Option<String>,
    /// Whether less of it is better, for an order.
    pub less_is_better: bool,
}

/// How runs are compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A figure that is one reading over another.
    Ratio {
        /// The figure.
        figure: String,
        /// Over, under.
        pair: (Term, Term),
        /// What of the quotient the figure states.
        stated: Stated,
    },
    /// The datum's order, with the reading that stands for each of its names.
    Order(BTreeMap<String, Term>),
    /// Figures that are the same quotients, nobody knows which is which: their means are compared.
    Set {
        /// The figures.
        figures: Vec<String>,
        /// Over, under.
        pairs: Vec<(Term, Term)>,
        /// What of the quotient the figures state.
        stated: Stated,
    },
}

/// What a figure states of a quotient q.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// q.
    Quotient,
    /// 1 - q: time saved.
    Saved,
    /// q - 1: an increase.
    Increase,
}

impl Stated {
    pub(super) fn of(self, quotient: f64) -> f64 {
        match self {
            Self::Quotient => quotient,
            Self::Saved => 1.0 - quotient,
            Self::Increase => quotient - 1.0,
        }
    }
}

const STATED: [&str; 3] = ["quotient", "saved", "increase"];

impl Comparison {
    pub(super) fn read(r: &Reader<'_>, calibration: &Calibration, runs: &BTreeMap<String, Run>) -> Option<Self> {
        r.require(&["datum"]);
        let id = r.text("datum")?;
        let Some(datum) = calibration.datum(&id.value) else {
            let ids = calibration.data().map(|d| d.id.as_str());
            unknown(r, "datum", (&id.value, &id.place), ids);
            return None;
        };
        let sigma = r.quantity::<crate::units::Fraction>("sigma").map(|s| s.value.get());
        let stated = match r.word("states", &STATED).map(|s| s.value) {
            Some("saved") => Stated::Saved,
            Some("increase") => Stated::Increase,
            _ => Stated::Quotient,
        };
        let restates = r.texts("restates").unwrap_or_default();
        let no_mechanism = r.text("no_mechanism").map(|t| t.value);
        let less_is_better = r.boolean("less_is_better").is_none_or(|b| b.value);
        let order = r.item("order");
        let ratio = r.texts("ratio");
        let pairs = r.tables("pair");
        let figure = r.text("figure");
        let figures = r.texts("figures");
        r.finish();
        let kind = match (order, ratio) {
            (Some(_), None) => Kind::Order(order_of(r, datum, runs)?),
            (None, Some(ratio)) => {
                Kind::Ratio { figure: known_figure(r, datum, &figure?)?, pair: pair(r, &ratio, runs)?, stated }
            }
            _ => Kind::Set {
                figures: figures?.iter().filter_map(|f| known_figure(r, datum, f)).collect(),
                pairs: pairs
                    .iter()
                    .filter_map(|row| {
                        let ratio = row.texts("ratio");
                        row.finish();
                        pair(row, &ratio?, runs)
                    })
                    .collect(),
                stated,
            },
        };
        Some(Self {
            datum: datum.id.clone(),
            kind,
            sigma,
            restates: restates.into_iter().map(|t| t.value).collect(),
            no_mechanism,
            less_is_better,
        })
    }
}

fn known_figure(r: &Reader<'_>, datum: &Datum, figure: &Located<String>) -> Option<String> {
    if datum.value(&figure.value).is_some() {
        return Some(figure.value.clone());
    }
    let names = datum.values.iter().map(|v| v.name.as_str());
    unknown(r, "figure", (&figure.value, &figure.place), names);
    None
}

pub(super) fn pair(r: &Reader<'_>, texts: &[Located<String>], runs: &BTreeMap<String, Run>) -> Option<(Term, Term)> {
    let [over, under] = texts else {
        let message = format!("{} names two readings", quoted(&r.full("ratio")));
        r.report("EXP002", message, r.place(), "such as [\"RUN elapsed\", \"RUN elapsed\"]");
        return None;
    };
    Some((term(r, over, runs)?, term(r, under, runs)?))
}

pub(super) fn term(r: &Reader<'_>, text: &Located<String>, runs: &BTreeMap<String, Run>) -> Option<Term> {
    let (run, measure) = text.value.rsplit_once(' ').unwrap_or((&text.value, ""));
    let Some(found) = runs.get(run) else {
        unknown(r, "run", (run, &text.place), runs.keys().map(String::as_str));
        return None;
    };
    if !found.measures.iter().any(|m| m.name == measure) {
        let names = found.measures.iter().map(|m| m.name.as_str());
        unknown(r, "measure", (measure, &text.place), names);
        return None;
    }
    Some(Term { run: run.to_owned(), measure: measure.to_owned() })
}

fn order_of(r: &Reader<'_>, datum: &Datum, runs: &BTreeMap<String, Run>) -> Option<BTreeMap<String, Term>> {
    let mut terms = BTreeMap::new();
    for item in r.table("order")?.entries() {
        let text = item.text()?;
        let key = Located { value: item.name.clone(), place: item.key.clone() };
        if !datum.order.contains(&key.value) {
            let names = datum.order.iter().map(String::as_str);
            unknown(r, "name in the order", (&key.value, &key.place), names);
            return None;
        }
        terms.insert(key.value, term(r, &text, runs)?);
    }
    Some(terms)
}
