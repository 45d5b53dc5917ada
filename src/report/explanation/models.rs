//! What exists and what was answered: catalogue entries, fields of the site, numbers of a prediction.

use super::{Explanation, Known};
use crate::catalog::{Called, Catalog, Entry, EntryKind, Form, Server};
use crate::page::Cell;
use crate::site::{self, Site, Vocabulary, how_to_find};
use crate::system::Used;
use crate::units::{Bytes, list};

pub(super) fn entry(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let (kinds, name, fact) = match id.split_once('/') {
        Some((kind, rest)) => {
            let (name, fact) = rest.split_once('.').unwrap_or((rest, ""));
            (vec![EntryKind::of_folder(kind)?], name, fact)
        }
        None => (EntryKind::ALL.to_vec(), id, ""),
    };
    let found = |kind| -> Option<(EntryKind, Entry)> {
        let entries = known.catalog.entries(kind);
        let entry = entries.into_iter().find(|e| e.id == name)?;
        Some((kind, entry.clone()))
    };
    let (kind, entry) = kinds.into_iter().find_map(found)?;
    let mut found = Explanation::new(id, "catalogue entry", &entry.title).text(&entry.summary);
    // The fact that was asked for comes first.
    let asked = |path: &str| !fact.is_empty() && path == fact;
    let mut facts: Vec<_> = entry.facts.iter().collect();
    facts.sort_by_key(|f| !asked(&f.path));
    let rows = facts
        .iter()
        .map(|fact| [fact.path.clone(), fact.value.clone(), fact.origin.to_string()].map(Cell::plain).to_vec());
    found = found.rows(&["fact", "value", "origin"], rows.collect());
    for fact in facts {
        found = found.link(fact.origin.ids());
    }
    let server = known.catalog.servers.get(name);
    Some(match server.filter(|_| kind == EntryKind::Server && fact.is_empty()) {
        Some(server) => found.facts(of_server(known.catalog, server)),
        None => found,
    })
}

/// Whose a server is, of which family, with which processor; and which of an instance's limits no source gives.
fn of_server(catalog: &Catalog, server: &Server) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let provider = server.provider.as_ref();
    facts.extend(provider.map(|id| ("provider", catalog.providers.called(id).to_owned())));
    facts.extend(server.family.clone().map(|family| {
        let a_core = Bytes::new(server.memory.value.get() / server.cores.value);
        ("family", format!("{family}: {a_core} of memory a core"))
    }));
    let processor = match server.processor() {
        Some(id) => catalog.processors.called(id).to_owned(),
        None => format!("as servers of {}", server.generation),
    };
    facts.push(("processor", processor));
    facts.push(("operating systems", server.systems.join(", ")));
    if server.form == Form::Instance {
        let limits = [
            ("storage_bandwidth", server.storage_bandwidth.is_some()),
            ("storage_operations", server.storage_operations.is_some()),
            ("network_bandwidth", server.network_bandwidth.is_some()),
        ];
        let open = limits.into_iter().filter(|(_, is_known)| !is_known);
        let open: Vec<&str> = open.map(|(name, _)| name).collect();
        if !open.is_empty() {
            let open = format!("{}: taken as unlimited", list(&open));
            facts.push(("no figure is known", open));
        }
    }
    facts
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
    let facts =
        vec![("without an answer", format!("{range}, for {PEOPLE} people")), ("why", assumed.origin.to_string())];
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
        .facts(vec![("assumed", assumed.value.clone()), ("80 % range", range), ("why", assumed.origin.to_string())])
        .link(assumed.origin.ids())
}

/// What a prediction made of it.
pub(super) fn with_used(found: Explanation, used: &Used) -> Explanation {
    let spread = format!("{:.0} %", used.spread * 100.0);
    found
        .facts(vec![("in use", used.shown.clone()), ("one sigma", spread), ("from", used.origin.to_string())])
        .link(used.origin.ids())
}
