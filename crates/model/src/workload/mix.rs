//! Which commands people, machines and pollers send, and what they touch: `models/mix.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::diag::Diagnostics;
use crate::document::{self, Kind, Reader};
use crate::origin::Sourced;

/// The numbers of the file by table and key.
#[derive(Debug, Default)]
pub struct Mix(BTreeMap<String, Vec<(String, Sourced<f64>)>>);

/// The file as embedded.
pub const TEXT: &str = include_str!("../../../../models/mix.toml");

/// The mix inside the binary.
pub static EMBEDDED: LazyLock<Mix> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("models/mix.toml", TEXT);
    let mix = document::parse(source, &diagnostics).map(|root| read(&root, &diagnostics));
    assert!(!diagnostics.has_errors(), "embedded mix:\n{}", diagnostics.render());
    mix.unwrap_or_default()
});

impl Mix {
    /// The commands of a group with their shares, which add up to one.
    ///
    /// ```
    /// let shares: f64 = plimsoll_model::workload::mix::EMBEDDED.shares("polling").map(|(_, s)| s).sum();
    /// assert!((shares - 1.0).abs() < 1e-12);
    /// ```
    pub fn shares(&self, group: &str) -> impl Iterator<Item = (&str, f64)> {
        let shares = self.0.get(group).map_or(&[][..], Vec::as_slice);
        let total: f64 = shares.iter().map(|(_, share)| share.value).sum();
        shares.iter().map(move |(command, share)| (command.as_str(), share.value / total))
    }

    /// A number of the table `sizes`.
    ///
    /// # Panics
    ///
    /// If the embedded file lacks it: a test asks for each.
    pub fn size(&self, name: &str) -> f64 {
        let sizes = self.0.get("sizes").into_iter().flatten();
        sizes
            .filter(|(key, _)| key == name)
            .map(|(_, size)| size.value)
            .next()
            .unwrap_or_else(|| panic!("models/mix.toml has no size {name:?}"))
    }

    /// Every number with its origin, named `mix interactive.fstat`.
    pub fn numbers(&self) -> impl Iterator<Item = (String, &Sourced<f64>)> {
        self.0.iter().flat_map(|(table, entries)| {
            entries.iter().map(move |(key, number)| (format!("mix {table}.{key}"), number))
        })
    }
}

fn read(root: &document::Value, diagnostics: &Diagnostics) -> Mix {
    let Kind::Table(tables) = &root.kind else {
        return Mix::default();
    };
    let mut mix = Mix::default();
    for (name, (_, table)) in tables {
        let Kind::Table(entries) = &table.kind else {
            continue;
        };
        let numbers = entries.iter().filter_map(|(key, (_, entry))| {
            let reader = Reader::new(entry, diagnostics);
            reader.require(&["value"]);
            let value = reader.number("value")?.value;
            let origin = reader.origin()?;
            reader.finish();
            Some((key.clone(), Sourced::new(value, origin)))
        });
        mix.0.insert(name.clone(), numbers.collect());
    }
    mix
}
