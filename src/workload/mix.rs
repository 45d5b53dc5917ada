//! Which commands people, machines and pollers send: the mix of `models/mix.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::diag::Diagnostics;
use crate::document::{self, Kind, Reader};

/// Shares by group and command, each group's adding up to one.
pub type Mix = BTreeMap<String, Vec<(String, f64)>>;

/// The file as embedded.
pub const TEXT: &str = include_str!("../../models/mix.toml");

/// The mix inside the binary.
pub static EMBEDDED: LazyLock<Mix> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("models/mix.toml", TEXT);
    let mix = document::parse(source, &diagnostics).map(|root| read(&root, &diagnostics));
    assert!(
        !diagnostics.has_errors(),
        "embedded mix:\n{}",
        diagnostics.render()
    );
    mix.unwrap_or_default()
});

fn read(root: &document::Value, diagnostics: &Diagnostics) -> Mix {
    let Kind::Table(groups) = &root.kind else {
        return Mix::new();
    };
    let mut mix = Mix::new();
    for (name, (_, group)) in groups {
        let Kind::Table(commands) = &group.kind else {
            continue;
        };
        let shares: Vec<(String, f64)> = commands
            .iter()
            .filter_map(|(command, (_, entry))| {
                let reader = Reader::new(entry, diagnostics);
                reader.require(&["value"]);
                let share = reader.number("value")?.value;
                reader.origin()?;
                reader.finish();
                Some((command.clone(), share))
            })
            .collect();
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        mix.insert(
            name.clone(),
            shares.into_iter().map(|(c, s)| (c, s / total)).collect(),
        );
    }
    mix
}
