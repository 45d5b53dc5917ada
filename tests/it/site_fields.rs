//! The questionnaire's own data: fields, limits, assumptions, the page that documents them.

use std::collections::BTreeSet;

use plimsoll::catalog::Catalog;
use plimsoll::document::{self, Kind as Toml};
use plimsoll::site::{self, CODES, FIELDS, Kind, QUESTIONS, Release, Vocabulary};

use crate::site::{LEAST, parse};

type Table = std::collections::BTreeMap<String, (plimsoll::diag::Place, document::Value)>;

fn entries() -> Table {
    let mut diagnostics = plimsoll::diag::Diagnostics::default();
    let source = diagnostics.add_source("questions.toml", QUESTIONS);
    match document::parse(source, &diagnostics).map(|root| root.kind) {
        Some(Toml::Table(root)) => root,
        other => panic!("{other:?}"),
    }
}

fn table<'a>(entry: &'a Table, key: &str) -> Option<&'a Table> {
    match &entry.get(key)?.1.kind {
        Toml::Table(table) => Some(table),
        other => panic!("{key}: {other:?}"),
    }
}

#[test]
fn every_assumption_is_about_a_real_field() {
    let is_field = |path: &str| FIELDS.iter().any(|f| f.path == path);
    let entries = entries();
    for path in entries.keys() {
        let factors = ["rate.", "targets.distance.", "targets.content."];
        let is_factor = factors.iter().any(|start| path.starts_with(start));
        assert!(is_factor || is_field(path), "{path} is no field");
        let assumed = table(&entries, path).and_then(|entry| table(entry, "assumed"));
        let Some((_, per)) = assumed.and_then(|assumed| assumed.get("per")) else {
            continue;
        };
        let Toml::List(items) = &per.kind else {
            panic!("{path}: per is not a list");
        };
        for item in items {
            assert!(matches!(&item.kind, Toml::Text(p) if is_field(p)), "{path}: per {item:?} is no field");
        }
    }
}

#[test]
fn fields_are_unique_bounded_and_explained() {
    let paths: BTreeSet<&str> = FIELDS.iter().map(|f| f.path).collect();
    assert_eq!(paths.len(), FIELDS.len());
    for field in FIELDS.iter() {
        assert!(field.question.ends_with(['?', ')']), "{}", field.path);
        assert!(!field.why.is_empty() && !field.unit.is_empty());
        let needs_limits = !matches!(field.kind, Kind::YesNo | Kind::Word(_) | Kind::List(_) | Kind::Tables);
        assert_eq!(field.limits.is_some(), needs_limits, "{}", field.path);
    }
    for question in 1..=7 {
        assert!(FIELDS.iter().any(|f| f.n13 == Some(question)), "nothing answers question {question} of N13");
    }
}

#[test]
fn limits_hold_at_both_ends() {
    for field in FIELDS.iter() {
        let Some((low, high)) = field.limits else {
            continue;
        };
        let is_plain = matches!(field.kind, Kind::Text | Kind::Money | Kind::Tables | Kind::Release);
        if is_plain
            || field.path == "server.bits"
            || field.path.starts_with("people.site")
            || field.path.starts_with("today.volume")
            || field.path.starts_with("equipment")
            || field.path.starts_with("price")
        {
            continue;
        }
        for end in [low, high] {
            // Room for what other answers demand.
            let mut sets = vec![format!("{}={end}", field.path)];
            if field.path == "data.revisions" {
                sets.push("data.files=0".to_owned());
            }
            let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
            if let Err(message) = parse(LEAST, &sets) {
                assert!(message.contains("SIT003") || message.contains("SIT011"), "{}={end}\n{message}", field.path);
            }
        }
    }
}

#[test]
fn releases_are_ordered_and_know_what_they_brought() {
    let of = |text: &str| text.parse::<Release>().unwrap();
    assert!(of("2013.2").edges() && !of("2013.2").lockless());
    assert!(!of("2012.1").edges() && of("2013.3").lockless());
    assert!(of("1998.1") < of("2030.3"));
    for bad in ["1997.2", "2030.4", "2024", "2024.0", "2024.12", "r24.2", "+024.2", "", "２０２４.2"] {
        assert!(bad.parse::<Release>().is_err(), "{bad}");
    }
}

#[test]
fn the_page_on_the_site_file_is_the_programs_own() {
    let page = site::reference();
    crate::kept::page("docs/site-file.md", &page);
    for field in FIELDS.iter() {
        assert!(page.contains(field.question), "{}", field.path);
    }
}

/// Every `id` that a folder's or file's TOML states.
fn ids_in(path: &std::path::Path) -> BTreeSet<String> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        return entries.flat_map(|entry| ids_in(&entry.path())).collect();
    }
    let text = document::read_text(path).unwrap_or_default();
    text.match_indices("id = \"")
        .filter_map(|(at, start)| text[at + start.len()..].split('"').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_source_of_an_assumption_is_a_datum_or_a_reference() {
    let mut known = ids_in("calibration".as_ref());
    known.extend(ids_in("models/references.toml".as_ref()));
    let sources = |text: &'static str| text.split("from = [").skip(1);
    for from in sources(QUESTIONS) {
        for id in from.split(']').next().unwrap_or("").split(", ") {
            let id = id.trim_matches('"');
            assert!(known.contains(id), "{id} is neither");
        }
    }
}

#[test]
fn everything_assumed_is_in_the_catalogue() {
    let vocabulary = Vocabulary::of(&Catalog::embedded());
    for storage in ["local-raid", "ea-san"] {
        let storage = vec![format!("infrastructure.storage=[{storage:?}]")];
        let site = site::parse("site.toml", LEAST, &storage, &vocabulary).unwrap();
        for a in site.assumptions() {
            for end in [&a.low_override, &a.high_override] {
                let sets = vec![storage[0].clone(), format!("{}={end}", a.field)];
                let again = site::parse("site.toml", LEAST, &sets, &vocabulary);
                assert!(again.is_ok(), "{sets:?}: {}", again.unwrap_err().render());
            }
        }
    }
}

#[test]
fn every_code_is_explained_and_every_explanation_has_its_code() {
    let mut used = BTreeSet::new();
    let folders = ["crates/model/src/site", "crates/model/src/site/resolve"].map(|f| std::fs::read_dir(f).unwrap());
    for entry in folders.into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() || path.ends_with("codes.rs") {
            continue;
        }
        let text = document::read_text(&path).unwrap();
        for (at, _) in text.match_indices("\"SIT") {
            used.insert(text[at + 1..at + 7].to_owned());
        }
    }
    let explained: BTreeSet<String> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
    assert_eq!(explained.len(), CODES.len());
    assert_eq!(used, explained);
}
