//! What exists and what was answered: catalogue entries, fields of the site, numbers of a prediction.

use super::{Explanation, Known};
use crate::catalog::{Entry, KINDS};
use crate::page::Cell;
use crate::site::{self, Site, Vocabulary, how_to_find};
use crate::system::Used;

pub(super) fn entry(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let (kinds, name, fact) = match id.split_once('/') {
        Some((kind, rest)) => {
            let kind = KINDS.iter().find(|k| **k == kind)?;
            let (name, fact) = rest.split_once('.').unwrap_or((rest, ""));
            (vec![*kind], name, fact)
        }
        None => (KINDS.to_vec(), id, ""),
    };
    let found = |kind: &str| -> Option<Entry> {
        let entries = known.catalog.entries(kind);
        entries.into_iter().find(|e| e.id == name).cloned()
    };
    let entry = kinds.into_iter().find_map(found)?;
    let mut found = Explanation::new(id, "catalogue entry", &entry.title).text(&entry.summary);
    // The fact that was asked for comes first.
    let asked = |path: &str| !fact.is_empty() && path == fact;
    let mut facts: Vec<_> = entry.facts.iter().collect();
    facts.sort_by_key(|f| !asked(&f.path));
    let rows = facts.iter().map(|fact| {
        [
            fact.path.clone(),
            fact.value.clone(),
            fact.origin.to_string(),
        ]
        .map(Cell::plain)
        .to_vec()
    });
    found = found.rows(&["fact", "value", "origin"], rows.collect());
    for fact in facts {
        found = found.link(fact.origin.ids());
    }
    Some(found)
}

pub(super) fn field(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let field = site::field(id)?;
    let mut facts = vec![("unit", field.unit.to_owned())];
    if let Some(number) = field.n13 {
        facts.push(("answers", format!("question {number} of N13-questions")));
    }
    facts.push(("limits", field.why.to_owned()));
    if let Some(how) = how_to_find(id) {
        facts.push(("how to find it", how.to_owned()));
    }
    let found = Explanation::new(id, "field of the site file", field.question).facts(facts);
    Some(match known.site {
        Some(site) => answered(found, site, id),
        None => assumed(found, known, id),
    })
}

/// People of the site that stands for one that is not known.
const PEOPLE: u32 = 100;

/// What is assumed of a site of which nothing but its people is known.
fn assumed(found: Explanation, known: &Known<'_>, id: &str) -> Explanation {
    let text = format!("schema = 1\nname = \"unknown\"\n[people]\ndevelopers = {PEOPLE}\n");
    let vocabulary = Vocabulary::of(known.catalog);
    let Ok(site) = site::parse("unknown", &text, &[], &vocabulary) else {
        return found;
    };
    let assumptions = site.assumptions();
    let Some(assumed) = assumptions.iter().find(|a| a.field == id) else {
        return found;
    };
    let range = format!("{} ({} to {})", assumed.value, assumed.low, assumed.high);
    let facts = vec![
        ("without an answer", format!("{range}, for {PEOPLE} people")),
        ("why", assumed.origin.to_string()),
    ];
    found.facts(facts).link(assumed.origin.ids())
}

/// What a site says to a question, or what is assumed where it says nothing.
fn answered(found: Explanation, site: &Site, id: &str) -> Explanation {
    let assumptions = site.assumptions();
    let Some(assumed) = assumptions.iter().find(|a| a.field == id) else {
        return found.text(format!("{} answers this itself.", site.name));
    };
    let range = format!("{} to {}", assumed.low, assumed.high);
    found
        .facts(vec![
            ("assumed", assumed.value.clone()),
            ("80 % range", range),
            ("why", assumed.origin.to_string()),
        ])
        .link(assumed.origin.ids())
}

/// What a prediction made of it.
pub(super) fn with_used(found: Explanation, used: &Used) -> Explanation {
    let spread = format!("{:.0} %", used.spread * 100.0);
    found
        .facts(vec![
            ("in use", used.shown.clone()),
            ("one sigma", spread),
            ("from", used.origin.to_string()),
        ])
        .link(used.origin.ids())
}
