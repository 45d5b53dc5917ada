//! Works that origins cite besides the calibration sources.

use std::collections::BTreeMap;

use crate::document::{Readable, Reader};

record! {
    /// One work.
    struct Reference {
        /// Short id, `SAG`.
        id: String,
        /// Who wrote it.
        author: String,
        /// When.
        year: String,
        /// Its title.
        title: String,
        /// Section, page or address.
        place: String = |reader, _| Readable::required(reader, "where"),
        /// What it is used for here.
        used_for: String,
    }
}

pub(super) fn read(r: &Reader<'_>) -> BTreeMap<String, Reference> {
    r.number("schema");
    let tables = r.tables("reference");
    let references = tables.iter().filter_map(Reference::of);
    let references = references.map(|reference| (reference.id.clone(), reference));
    let references = references.collect();
    r.finish();
    references
}
