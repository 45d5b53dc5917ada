//! Reads `fit.toml` and `fitted.toml`, every problem reported.

use std::collections::BTreeSet;

use super::{Free, Gain, NumberId, Posterior};
use crate::diag::quoted;
use crate::document::{Item, Located, Reader};
use crate::units::Fraction;

fn schema(reader: &Reader<'_>) {
    reader.require(&["schema"]);
    if let Some(schema) = reader.number("schema").filter(|s| s.value != 1.0) {
        let found = format!("found {}", schema.value);
        reader.report("FIT001", "`schema` must be 1", &schema.place, found);
    }
}

/// Reads `fit.toml`; a later file of that name takes the place of an earlier one.
pub(super) fn free(reader: &Reader<'_>) -> Vec<Free> {
    schema(reader);
    let mut ids = BTreeSet::new();
    let tables = reader.tables("free");
    let free = tables.iter().filter_map(|table| {
        let own = table.boolean("own").is_some_and(|own| own.value);
        let free = one(table, &mut ids)?;
        Some(Free { own, ..free })
    });
    let free = free.collect();
    reader.finish();
    free
}

/// Reads one free parameter; `ids` are those that are taken.
pub(crate) fn one(table: &Reader<'_>, ids: &mut BTreeSet<String>) -> Option<Free> {
    table.require(&["id", "title", "scales", "prior", "why"]);
    let id = table.text("id");
    if let Some(id) = id.as_ref().filter(|id| !ids.insert(id.value.clone())) {
        let message = format!("free parameter {} occurs twice", quoted(&id.value));
        table.report("FIT001", message, &id.place, "each needs an id of its own");
    }
    let (title, why) = (table.text("title"), table.text("why"));
    let scales = table.texts("scales");
    let scales = scales.map(|names| names.iter().filter_map(|name| number(table, name)).collect());
    let prior = table.quantity::<Fraction>("prior");
    if let Some(prior) = prior.as_ref().filter(|p| p.value.get() <= 0.0) {
        let message = format!("{} must be above 0", quoted(&table.full("prior")));
        let found = "a number that is known exactly is not free";
        table.report("FIT001", message, &prior.place, found);
    }
    table.finish();
    Some(Free {
        id: id?.value,
        title: title?.value,
        scales: scales?,
        prior: prior?.value.get(),
        why: why?.value,
        own: false,
    })
}

/// The number of that name; one that no number can have is reported.
pub(crate) fn number(table: &Reader<'_>, name: &Located<String>) -> Option<NumberId> {
    let found = NumberId::read(&name.value);
    if found.is_none() {
        let message = format!("{} is no name of a number", quoted(&name.value));
        let found = "`parameter ID`, or `KIND/ID.KEY` of an entry of the catalogue";
        table.report("FIT001", message, &name.place, found);
    }
    found
}

/// Reads `fitted.toml` over the priors; what it does not name stays at its prior.
pub(super) fn fitted(reader: &Reader<'_>, posterior: &mut Posterior) {
    schema(reader);
    let discrepancy = reader.quantity::<Fraction>("discrepancy");
    posterior.discrepancy = discrepancy.map_or(0.0, |d| d.value.get());
    let mut places = Vec::new();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for table in reader.tables("fitted") {
        table.require(&["id", "shift", "moved_by", "covariance"]);
        let (id, shift) = (table.text("id"), table.number("shift"));
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
            posterior.moved_by[i] = moved_by.unwrap_or_default().into_iter().map(|t| t.value).collect();
        }
        if row.len() != rows.len() + 1 {
            let message = "`covariance` has one number for each parameter up to this one";
            let found = format!("{} numbers; {} are wanted", row.len(), rows.len() + 1);
            table.report("FIT001", message, table.place(), found);
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
    posterior.gains = gains(reader, posterior);
    reader.finish();
}

/// What each figure does to the parameters; those that `fit.toml` does not name are passed over.
fn gains(reader: &Reader<'_>, posterior: &Posterior) -> Vec<Gain> {
    let tables = reader.tables("gain");
    let gains = tables.iter().filter_map(|table| {
        table.require(&["row", "datum", "moves"]);
        let (row, datum) = (table.text("row"), table.text("datum"));
        let entries = table.table("moves").map(|moves| moves.entries());
        table.finish();
        let mut moves = vec![0.0; posterior.free.len()];
        for item in entries? {
            let place = posterior.free.iter().position(|free| free.id == item.name);
            if let (Some(place), Some(number)) = (place, item.number()) {
                moves[place] = number.value;
            }
        }
        let (row, datum) = (row?.value, datum?.value);
        Some(Gain { row, datum, moves })
    });
    gains.collect()
}

fn numbers(reader: &Reader<'_>, key: &'static str) -> Vec<f64> {
    let items = reader.item(key).and_then(|item| item.list("numbers"));
    let items: Vec<Item<'_>> = items.unwrap_or_default();
    items.iter().filter_map(|i| Some(i.number()?.value)).collect()
}
