//! The files of `models/` inside the binary: `build.rs` lists whatever the folders hold.

/// Kind, id and text of each file.
pub(super) const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// The works that origins cite.
pub(super) const REFERENCES: &str = include_str!("../../../../models/references.toml");

/// The text of one of them.
pub(super) fn text(kind: &str, id: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(k, i, _)| *k == kind && *i == id);
    found.map(|(.., text)| *text)
}
/// Id and text of each file of `models/rules`, by id: what a rule of the advice says of itself.
pub const RULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));
