//! Reading a network file: each part in a file of its own.

mod class;
mod distribution;
mod names;
mod order;
mod path;
mod resources;
mod routing;
mod visits;

use names::{Names, check_name};

use crate::diag::{Diagnostic, Diagnostics};
use crate::document::{Item, Kind, Reader, Value};
use crate::sim::Model;

/// Most stations, classes, locks, pools or caches.
const NAMES_MAX: usize = 1000;

/// What a file says.
pub(super) struct Read {
    pub(super) title: Option<String>,
    pub(super) source: Option<String>,
    pub(super) model: Model,
}

/// Reads everything; what is wrong is in the sink.
pub(super) fn network(root: &Value, diagnostics: &Diagnostics) -> Read {
    let reader = Reader::new(root, diagnostics);
    reader.require(&["schema"]);
    check_schema(&reader);
    let title = reader.text("title").map(|text| text.value);
    let source = reader.text("source").map(|text| text.value);
    let stations = table(&reader, "station");
    let classes = table(&reader, "class");
    let mut model = Model::default();
    let mut names = Names::default();
    for item in &stations {
        let (station, stream) = resources::station(item);
        names.streams.push(stream);
        model.stations.push(station);
    }
    for item in &table(&reader, "lock") {
        model.locks.push(resources::lock(item));
    }
    for item in &table(&reader, "pool") {
        model.pools.push(resources::pool(item));
    }
    for item in &table(&reader, "cache") {
        model.caches.push(resources::cache(item));
    }
    names.stations = model.stations.iter().map(|s| s.name.clone()).collect();
    names.locks = model.locks.iter().map(|l| l.name.clone()).collect();
    names.pools = model.pools.iter().map(|p| p.name.clone()).collect();
    names.caches = model.caches.iter().map(|c| c.name.clone()).collect();
    for item in &classes {
        let class = class::class(item, &mut names);
        model.classes.extend(class);
    }
    names.order.check(&names, diagnostics);
    model.activities = names.activities;
    reader.finish();
    for (items, what, example) in [(&stations, "station", "[station.cpu]"), (&classes, "class", "[class.users]")] {
        if items.is_empty() && !reader.keys().any(|key| key == what) {
            let place = reader.place();
            diagnostics.push(
                Diagnostic::error("NET006", format!("the network has no {what}"))
                    .at(place.source, 0..0, "in this file")
                    .help(format!("add a table such as {example}")),
            );
        }
    }
    Read { title, source, model }
}

/// The entries of a table of names, each with a good name.
fn table<'a>(reader: &Reader<'a>, key: &'static str) -> Vec<Item<'a>> {
    if let Some(item) = reader.item(key)
        && matches!(item.value().kind, Kind::List(_))
    {
        let d = item.problem("DOC005", format!("{key:?} must be a table of names"), "found a list");
        let help = format!("each {key} is a table with its name: write [{key}.NAME], in single brackets");
        reader.diagnostics().push(d.help(help));
        return Vec::new();
    }
    let mut items = reader.named(key);
    if let Some(first_too_many) = items.get(NAMES_MAX) {
        let message = format!("a network has at most {NAMES_MAX} of {key:?}");
        let found = format!("number {} of {}", NAMES_MAX + 1, items.len());
        let place = &first_too_many.key;
        let d = Diagnostic::error("DOC007", message);
        reader.diagnostics().push(d.at(place.source, place.span.clone(), found));
        items.truncate(NAMES_MAX);
    }
    for item in &items {
        check_name(item);
    }
    items
}

fn check_schema(reader: &Reader<'_>) {
    let Some(schema) = reader.number("schema") else {
        return;
    };
    if schema.value != 1.0 {
        reader.diagnostics().push(
            Diagnostic::error("DOC007", "this plimsoll reads networks of schema 1")
                .at(schema.place.source, schema.place.span, format!("found {}", schema.value))
                .help("docs/network-file.md describes schema 1"),
        );
    }
}
