//! Works that origins cite besides the calibration sources.

use std::collections::BTreeMap;

use super::bare;
use crate::document::Reader;

/// One work.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Short id, `SAG`.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// When.
    pub year: String,
    /// Its title.
    pub title: String,
    /// Section, page or address.
    pub place: String,
    /// What it is used for here.
    pub used_for: String,
}

pub(super) fn read(r: &Reader<'_>) -> BTreeMap<String, Reference> {
    r.number("schema");
    let references = r.tables("reference").iter().filter_map(read_one).collect();
    r.finish();
    references
}

fn read_one(r: &Reader<'_>) -> Option<(String, Reference)> {
    r.require(&["id", "author", "year", "title", "where", "used_for"]);
    let text = |key| bare(r.text(key));
    let (id, author, year) = (text("id"), text("author"), text("year"));
    let (title, place, used_for) = (text("title"), text("where"), text("used_for"));
    r.finish();
    let reference = Reference {
        id: id?,
        author: author?,
        year: year?,
        title: title?,
        place: place?,
        used_for: used_for?,
    };
    Some((reference.id.clone(), reference))
}
