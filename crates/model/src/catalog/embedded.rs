//! The files of `models/` inside the binary: `build.rs` lists whatever the folders hold.

use super::EntryKind;

/// Folder, id and text of each file.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// Kind, id and text of each file. A test holds that each folder is a kind.
pub(super) fn files() -> impl Iterator<Item = (EntryKind, &'static str, &'static str)> {
    let kind = |folder| EntryKind::of_folder(folder);
    (FILES.iter()).filter_map(move |(folder, id, text)| Some((kind(folder)?, *id, *text)))
}

/// The works that origins cite.
pub(super) const REFERENCES: &str = include_str!("../../../../models/references.toml");

/// The text of one of them.
pub(super) fn text(kind: EntryKind, id: &str) -> Option<&'static str> {
    let mut files = FILES.iter();
    let found = files.find(|(folder, own, _)| *folder == kind.folder() && *own == id);
    found.map(|(.., text)| *text)
}

/// Id and text of each file of `models/rules`, by id: what a rule of the advice says of itself.
pub const RULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));
