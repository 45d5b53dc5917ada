//! Links between documents lead somewhere, and the files that documents name exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use plimsoll::document::read_text;

/// Folders with documents.
const FOLDERS: &[&str] = &[
    "",
    "docs",
    "models",
    "calibration",
    "crates/ground",
    "crates/queueing",
    "crates/network",
    "crates/p4log",
    "crates/page",
    "crates/model",
    "crates/probe",
];

/// How a path from the project's folder begins.
const BEGINNINGS: &[&str] = &["src/", "crates/", "tests/", "models/", "calibration/", "docs/", "assets/", "benches/"];

/// What stands in a path for any name.
const PLACEHOLDERS: &[&str] = &["NAME", "ID", "KIND", "FAMILY"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if is_markdown(&path) {
                let text = read_text(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}

/// Lines that are no block of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Names of the headings, as links have them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let name = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars();
        let kept = kept.filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(name).collect()
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    let ends = prose(text).flat_map(|line| line.split("](").skip(1));
    let links = ends.filter_map(|rest| rest.split_once(')'));
    links.map(|(link, _)| link).filter(|link| {
        let is_elsewhere = link.starts_with("http");
        !is_elsewhere && !link.contains(' ')
    })
}

/// Paths in backticks, both on one line.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let spans = prose(text).flat_map(|line| {
        let parts: Vec<&str> = line.split('`').collect();
        let closed = parts.len() - 1;
        parts.into_iter().take(closed).skip(1).step_by(2)
    });
    spans.filter(|span| {
        let is_path = BEGINNINGS.iter().any(|folder| span.starts_with(folder));
        let is_one = |c: char| c.is_alphanumeric() || "/._-".contains(c);
        let is_any = PLACEHOLDERS.iter().any(|word| span.contains(word));
        is_path && span.chars().all(is_one) && !is_any
    })
}

/// What is wrong with a link of a document.
fn complaint(document: &Path, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => document.to_path_buf(),
        path => document.parent().unwrap().join(path),
    };
    if !target.exists() {
        return Some(format!("{}: {link} is no file", document.display()));
    }
    let has_heading =
        anchor.is_empty() || !is_markdown(&target) || anchors(&read_text(&target).unwrap()).contains(anchor);
    (!has_heading).then(|| format!("{}: {link} has no such heading", document.display()))
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for (document, text) in documents() {
        for link in links(&text) {
            count += 1;
            complaints.extend(complaint(&document, link));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(count > 100, "only {count} were found");
    let page = root().join("docs/model.md");
    assert!(complaint(&page, "nothing.md").is_some());
    assert!(complaint(&page, "#nothing").is_some());
    assert!(complaint(&page, "#targets").is_none());
}

#[test]
fn files_that_documents_name_exist() {
    let mut missing = Vec::new();
    let mut count = 0;
    for (document, text) in documents() {
        for path in paths(&text) {
            count += 1;
            // From the root, or beside a crate's own page.
            let beside = document.parent().unwrap().join(path);
            if !root().join(path).exists() && !beside.exists() {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(count > 100, "only {count} were found");
}
