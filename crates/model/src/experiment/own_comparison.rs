//! Comparisons of a measurement of one's own: a ratio of two readings, or which of several is better.
//!
//! Who has changed one thing and run twice often knows the ratio better than either time: what both runs
//! share cancels. Knows how such a table is written; its rows are judged and fitted as any other.

use std::collections::{BTreeMap, BTreeSet};

use super::comparison::{Stated, Term, pair, term};
use super::measure::{is_measurable, read_spread};
use super::own::check_id;
use super::rows::{Claim, Form, Row, of_neighbours};
use super::run::Run;
use crate::calibration::{DatumKind, Dimension};
use crate::diag::quoted;
use crate::document::{Located, Reader};
use crate::units::Fraction;

/// What a table claims.
enum Kind {
    /// Two readings, their quotient and its relative error.
    Ratio((Term, Term), f64, f64),
    /// Readings from the better to the worse, and whether they are about equal.
    Order(Vec<Term>, bool),
}

/// Reads one `[[comparison]]`; `runs` are those that it may name, `ids` the ids that are taken.
pub(super) fn rows_of(r: &Reader<'_>, runs: &BTreeMap<String, Run>, ids: &mut BTreeSet<String>) -> Vec<Row> {
    r.require(&["id"]);
    let id = r.text("id");
    if let Some(id) = &id {
        check_id(r, id);
        if !ids.insert(id.value.clone()) {
            let message = format!("{} occurs twice", quoted(&id.value));
            r.report("EXP002", message, &id.place, "each needs an id of its own");
        }
    }
    if let Some(datum) = r.text("datum") {
        let message = format!("{} names a published datum", quoted(&r.full("datum")));
        let found = "a comparison of your own states what you found";
        r.report("EXP003", message, &datum.place, found);
    }
    // For people.
    drop(r.text("why"));
    let sigma = r.quantity::<Fraction>("sigma").map(|s| s.value.get());
    let kind = kind(r, runs);
    let less_is_better = r.boolean("less_is_better").is_none_or(|b| b.value);
    r.finish();
    let (Some(id), Some(kind)) = (id, kind) else {
        return Vec::new();
    };
    let id = id.value;
    let row = |name: String, kind, claim, spread, (over, under): (Term, Term)| Row {
        id: name,
        datum: id.clone(),
        kind,
        topic: None,
        claim,
        dimension: Dimension::Number,
        spread,
        sigma,
        restates: Vec::new(),
        no_mechanism: None,
        form: Form::Quotient(over, under, Stated::Quotient),
    };
    match kind {
        Kind::Ratio(pair, measured, spread) => {
            let claim = Claim::Exactly(measured);
            let name = format!("{id} ratio");
            vec![row(name, DatumKind::Ratio, claim, spread, pair)]
        }
        Kind::Order(terms, tied) => {
            let claim = of_neighbours(tied);
            let neighbours = terms.windows(2).map(|pair| {
                let (better, worse) = (pair[0].clone(), pair[1].clone());
                let sign = if tied { "≈" } else { ">" };
                let name = format!("{id}: {} {sign} {}", better.run, worse.run);
                let pair = if less_is_better { (worse, better) } else { (better, worse) };
                row(name, DatumKind::Ordering, claim, 0.0, pair)
            });
            neighbours.collect()
        }
    }
}

fn kind(r: &Reader<'_>, runs: &BTreeMap<String, Run>) -> Option<Kind> {
    let (ratio, order) = (r.texts("ratio"), r.texts("order"));
    let tied = r.boolean("tied").is_some_and(|tied| tied.value);
    match (ratio, order) {
        (Some(ratio), None) => {
            r.require(&["measured", "spread"]);
            let measured = r.number("measured");
            if let Some(measured) = measured.as_ref().filter(|m| !is_measurable(m.value)) {
                let message = format!("{} must be above 0 and finite", quoted(&r.full("measured")));
                let found = "the first reading over the second, as a plain number";
                r.report("EXP002", message, &measured.place, found);
            }
            let spread = read_spread(r);
            let pair = pair(r, &ratio, runs)?;
            Some(Kind::Ratio(pair, measured?.value, spread?))
        }
        (None, Some(order)) => {
            if order.len() < 2 {
                let message = format!("{} names two readings or more", quoted(&r.full("order")));
                let found = "such as [\"RUN elapsed\", \"RUN elapsed\"], the better first";
                r.report("EXP002", message, r.place(), found);
            }
            let terms = order.iter().map(|text: &Located<String>| term(r, text, runs));
            Some(Kind::Order(terms.collect::<Option<_>>()?, tied))
        }
        _ => {
            let message = "a comparison has either `ratio` or `order`";
            let found = "`ratio` with `measured` and `spread`, or `order`, the better first";
            r.report("EXP003", message, r.place(), found);
            None
        }
    }
}

/// The readings that the comparisons of a file name, as \"RUN MEASURE\".
pub(super) fn named(file: &Reader<'_>) -> BTreeSet<String> {
    let tables = file.tables("comparison").into_iter();
    let texts = tables.flat_map(|table| [table.texts("ratio"), table.texts("order")]);
    let texts = texts.flatten().flatten();
    texts.map(|text| text.value).collect()
}
