//! The memory of servers: the numbers of `models/memory.toml`.

use std::sync::LazyLock;

use super::storage::sizes;
use crate::diag::Diagnostics;
use crate::document::{self, Reader};
use crate::origin::{Origin, Sourced};
use crate::units::{Bytes, Fraction};

/// The file as embedded.
pub const TEXT: &str = include_str!("../../../../models/memory.toml");

/// The numbers of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The operating system with its daemons.
    pub system: Sourced<Bytes>,
    /// What a command holds for each file of its tree.
    pub command_file: Sourced<Bytes>,
    /// Share of all files in the largest tree that one command names.
    pub largest_tree: Sourced<Fraction>,
    /// Sizes that servers are ordered with, the smallest first.
    pub sold: Vec<Bytes>,
}

impl Numbers {
    /// The smallest size that is sold and holds so many bytes; beyond the largest as many of it as hold them, so that the need stays
    /// visible.
    pub fn sold_for(&self, need: Bytes) -> Bytes {
        // What was reckoned is no byte larger than a size that is sold.
        let holds = |size: &&Bytes| size.get() >= need.get() * 0.999;
        let largest = self.sold.last().map_or(need, |size| *size);
        let several = Bytes::new((need.get() / largest.get()).ceil() * largest.get());
        self.sold.iter().find(holds).copied().unwrap_or(several)
    }

    /// Each with its name, value with unit, origin and one-sigma relative error.
    pub fn shown(&self) -> impl Iterator<Item = (&'static str, String, &Origin, f64)> {
        let (system, file, tree) = (&self.system, &self.command_file, &self.largest_tree);
        [
            ("system", system.value.to_string(), &system.origin, system.spread),
            ("command_file", file.value.to_string(), &file.origin, file.spread),
            ("largest_tree", tree.value.to_string(), &tree.origin, tree.spread),
        ]
        .into_iter()
    }
}

/// The numbers inside the binary.
pub static EMBEDDED: LazyLock<Numbers> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("models/memory.toml", TEXT);
    let numbers = document::parse(source, &diagnostics).and_then(|root| read(&Reader::new(&root, &diagnostics)));
    match numbers {
        Some(numbers) if !diagnostics.has_errors() => numbers,
        _ => panic!("embedded memory:\n{}", diagnostics.render()),
    }
});

fn read(r: &Reader<'_>) -> Option<Numbers> {
    r.require(&["schema", "system", "command_file", "largest_tree", "sold"]);
    r.number("schema")?;
    let numbers = Numbers {
        system: r.sourced("system")?,
        command_file: r.sourced("command_file")?,
        largest_tree: r.sourced("largest_tree")?,
        sold: sizes(r, "sold"),
    };
    r.finish();
    Some(numbers)
}
