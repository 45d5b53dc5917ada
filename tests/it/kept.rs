//! Pages that the tests make and compare: with `UPDATE=1` they are written instead. `tests/renew.sh` runs all of them.

use std::path::Path;

use plimsoll::document::read_text;

/// Compares a whole page, by its path from the project's folder, with `fresh`.
#[track_caller]
pub(crate) fn page(path: &str, fresh: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let is_old = read_text(&file).unwrap_or_default() != fresh;
    if is_old && std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, fresh).unwrap();
    } else {
        assert!(!is_old, "{path} is not what its test makes; tests/renew.sh pages renews it");
    }
}

/// Compares what stands between `<!-- NAME -->` and `<!-- /NAME -->` of a page with `fresh`.
#[track_caller]
pub(crate) fn section(path: &str, name: &str, fresh: &str) {
    let text = read_text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&open).unwrap_or_else(|| panic!("{path} has no {open}"));
    let (_, after) = rest.split_once(&close).unwrap_or_else(|| panic!("{path} has no {close}"));
    page(path, &format!("{before}{open}{fresh}{close}{after}"));
}
