//! The dependency rule: a module imports only from those above it. Between crates the compiler holds it.

use std::fs;
use std::path::Path;

use plimsoll::document;

/// The modules in order; none may use one that stands further down.
const ORDER: &[&str] = &[
    "units",
    "diag",
    "origin",
    "files",
    "document",
    "parallel",
    "page",
    "stats",
    "queueing",
    "sim",
    "network",
    "posterior",
    "catalog",
    "calibration",
    "serverlog",
    "site",
    "collected",
    "workload",
    "system",
    "experiment",
    "fit",
    "bench",
    "rehearse",
    "advisor",
    "emit",
    "report",
    "cli",
    "desktop",
];

/// Further arrows that must not exist although they point upward, and why.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("site", "system", "the questionnaire does not know how it will be solved"),
    ("workload", "system", "the load does not know hardware"),
    ("catalog", "site", "the catalogue does not know the user's site"),
    ("bench", "advisor", "a measurement does not know what will be made of it"),
    ("cli", "desktop", "the binary hands the window in"),
    ("desktop", "cli", "the window and the command line are two faces of one library"),
];

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|m| *m == module)
}

/// Says which way an arrow should point, if it points the wrong way.
fn complaint(module: &str, target: &str) -> Option<String> {
    let from = rank(module)?;
    if let Some((.., why)) = FORBIDDEN.iter().find(|(m, t, _)| *m == module && *t == target) {
        return Some(format!("`{module}` must not use `{target}`: {why}"));
    }
    match rank(target) {
        Some(to) if to > from => Some(format!(
            "`{module}` must not use `{target}`: the arrow points from `{target}` to `{module}`; move what is \
             needed up, or pass it in"
        )),
        Some(_) => None,
        None => Some(format!(
            "`{module}` uses `crate::{target}`, which is no module of ORDER (write one `use crate::module` a line)"
        )),
    }
}

/// What a source text of `module` does wrong.
fn complaints(module: &str, text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for (n, line) in code.enumerate() {
        for part in line.split("crate::").skip(1) {
            let target: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.extend(complaint(module, &target).map(|c| format!("code line {}: {c}", n + 1)));
        }
    }
    found
}

/// Sources whose modules are in the order: the product, and the crates of several modules that are not ready for a registry.
const SOURCES: [&str; 3] = ["src", "crates/model/src", "crates/probe/src"];

fn walk(src: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(src, &path, found);
            continue;
        }
        let relative = path.strip_prefix(src).unwrap().to_str().unwrap().to_owned();
        if relative == "lib.rs" || relative == "main.rs" {
            continue;
        }
        let module = relative.split(['/', '.']).next().unwrap().to_owned();
        assert!(rank(&module).is_some(), "{relative}: add `{module}` to ORDER in its place");
        let text = document::read_text(&path).unwrap();
        found.extend(complaints(&module, &text).iter().map(|c| format!("{relative}, {c}")));
    }
}

#[test]
fn modules_import_only_what_lies_above_them() {
    let mut found = Vec::new();
    for source in SOURCES {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        walk(&src, &src, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_violation_is_found() {
    assert!(complaints("catalog", "use crate::advisor::advise;")[0].contains("the arrow points from"));
    assert!(complaints("site", "let x = crate::system::predict();")[0].contains("how it will be solved"));
    assert!(complaints("desktop", "use crate::cli::main;")[0].contains("two faces"));
    assert!(complaints("catalog", "use crate::{advisor, site};")[0].contains("one `use crate::module` a line"));
    assert!(complaints("advisor", "use crate::site::Site; // crate::site").is_empty());
}

/// The library's page lists every module in reading order.
#[test]
fn the_library_lists_its_modules() {
    let lib = document::read_text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs"))).unwrap();
    for module in ORDER {
        let of_crates = lib.split(';').filter(|use_of| use_of.contains("pub use plimsoll_"));
        let words = |c: char| !c.is_alphanumeric() && c != '_';
        let mut of_crates = of_crates.flat_map(|use_of| use_of.split(words));
        assert!(
            lib.contains(&format!("pub mod {module};")) || of_crates.any(|word| word == *module),
            "lib.rs declares `{module}`"
        );
        assert!(lib.contains(&format!("[`{module}`]")), "lib.rs explains `{module}`");
    }
}
