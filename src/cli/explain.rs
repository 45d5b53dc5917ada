//! `plimsoll explain ID`: what an id stands for, why, on what evidence.
//!
//! Ids of rules, parameters, calibration data and sources, references, catalogue entries (with or
//! without their kind), fields of the site file, and error codes.

use clap::Args;
use serde_json::json;

use super::output::Outcome;
use super::{Common, Format, Library};
use crate::advisor::rules::RULES;
use crate::catalog::{Entry, KINDS};
use crate::diag::nearest;
use crate::report::line;
use crate::report::table::{Table, paragraph};
use crate::site::FIELDS;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Such as STO001, N13-mount-both, `row_write.2017`, nfsv3, `data.db_size`, SAG or DOC003
    id: String,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    let library = match Library::load(&arguments.common) {
        Ok(library) => library,
        Err(outcome) => return outcome,
    };
    let id = arguments
        .id
        .strip_prefix("parameter ")
        .unwrap_or(&arguments.id);
    let other_case = [id.to_uppercase(), id.to_lowercase()];
    let found =
        find(&library, id).or_else(|| other_case.iter().find_map(|other| find(&library, other)));
    let Some((kind, text)) = found else {
        let known = known(&library);
        let near = nearest(id, known.iter().map(String::as_str))
            .map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        let reason = format!("nothing is called {}{near}", crate::diag::quoted(id));
        return Outcome::wrong_as(&reason, format);
    };
    match format {
        Format::Text => Outcome::done(format!("{id} ({kind})\n\n{text}")),
        Format::Json => {
            let answer = json!({
                "schema": crate::report::SCHEMA,
                "tool": env!("CARGO_PKG_VERSION"),
                "id": id,
                "kind": kind,
                "text": text,
            });
            Outcome::json(&answer, false)
        }
    }
}

fn find(library: &Library, id: &str) -> Option<(&'static str, String)> {
    rule(id)
        .or_else(|| parameter(library, id))
        .or_else(|| datum(library, id))
        .or_else(|| source(library, id))
        .or_else(|| reference(library, id))
        .or_else(|| entry(library, id))
        .or_else(|| field(id))
        .or_else(|| code(id))
}

fn rule(id: &str) -> Option<(&'static str, String)> {
    let rule = RULES.iter().find(|r| r.id == id || r.name == id)?;
    Some((
        "rule",
        format!(
            "{}: {} (since {})\n\n{}",
            rule.name, rule.summary, rule.since, rule.docs
        ),
    ))
}

fn parameter(library: &Library, id: &str) -> Option<(&'static str, String)> {
    let p = library.calibration.parameter(id)?;
    let mut text = format!("{}\n\n", p.title);
    line!(
        text,
        "  value   {} (one sigma: {:.0} %)",
        p.shown,
        p.value.spread * 100.0
    );
    text.push_str(&paragraph(&p.value.origin.to_string(), 2));
    Some(("parameter", text))
}

fn datum(library: &Library, id: &str) -> Option<(&'static str, String)> {
    let d = library.calibration.datum(id)?;
    let mut text = format!("{}\n\n", d.title);
    text.push_str(&paragraph(&d.statement, 2));
    line!(
        text,
        "\n  source  {}, section {}; {:?}, {:?}",
        d.source_id,
        d.section,
        d.kind,
        d.obtained
    );
    if let Some(setup) = library
        .calibration
        .sources
        .get(&d.source_id)
        .and_then(|s| s.setup(&d.setup))
    {
        text.push_str(&paragraph(
            &format!("setup {}: {}", setup.id, setup.text),
            2,
        ));
    }
    if !d.values.is_empty() {
        let mut table = Table::new(&["figure", "value"]);
        for v in &d.values {
            let of = v.of.as_ref().map_or(String::new(), |of| format!(" {of}"));
            table.row(vec![v.name.clone(), format!("{}{of}", v.shown)]);
        }
        text.push('\n');
        text.push_str(&table.render());
    }
    if !d.order.is_empty() {
        line!(text, "\n  order, best first: {}", d.order.join(", "));
    }
    if let Some(reading) = &d.reading {
        text.push_str(&paragraph(&format!("reading: {reading}"), 2));
    }
    Some(("calibration datum", text))
}

fn source(library: &Library, id: &str) -> Option<(&'static str, String)> {
    let s = library.calibration.sources.get(id)?;
    let mut text = format!(
        "{}\n  {}, {}\n\n",
        s.title,
        s.authors.join(", "),
        s.published
    );
    text.push_str(&paragraph(&s.summary, 2));
    text.push('\n');
    let ids: Vec<&str> = s.data.iter().map(|d| d.id.as_str()).collect();
    text.push_str(&paragraph(&ids.join(", "), 2));
    Some(("source", text))
}

fn reference(library: &Library, id: &str) -> Option<(&'static str, String)> {
    let r = library.catalog.references.get(id)?;
    let text = format!(
        "{}, {}, {}\n  {}\n  used for: {}\n",
        r.author, r.title, r.year, r.place, r.used_for
    );
    Some(("reference", text))
}

fn entry(library: &Library, id: &str) -> Option<(&'static str, String)> {
    let (kinds, id) = match id.split_once('/') {
        Some((kind, rest)) => {
            let kind = KINDS.iter().find(|k| **k == kind)?;
            (vec![*kind], rest.split('.').next().unwrap_or(rest))
        }
        None => (KINDS.to_vec(), id),
    };
    let found = |kind: &str| -> Option<Entry> {
        library
            .catalog
            .entries(kind)
            .into_iter()
            .find(|e| e.id == id)
            .cloned()
    };
    let entry = kinds.into_iter().find_map(found)?;
    let mut text = format!("{}\n\n{}\n", entry.title, paragraph(&entry.summary, 2));
    let mut table = Table::new(&["fact", "value", "origin"]);
    for fact in &entry.facts {
        table.row(vec![
            fact.path.clone(),
            short(&fact.value),
            fact.origin.to_string(),
        ]);
    }
    text.push_str(&table.render());
    for fact in entry.facts.iter().filter(|f| f.value != short(&f.value)) {
        text.push('\n');
        text.push_str(&paragraph(&format!("{}: {}", fact.path, fact.value), 2));
    }
    Some(("catalogue entry", text))
}

/// Statements are long; the table shows their beginning.
fn short(text: &str) -> String {
    const SHOWN: usize = 36;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(SHOWN - 1).collect::<String>())
}

fn field(id: &str) -> Option<(&'static str, String)> {
    let field = crate::site::field(id)?;
    let mut text = paragraph(field.question, 0);
    line!(text, "\n  unit    {}", field.unit);
    if let Some(number) = field.n13 {
        line!(text, "  answers question {number} of N13-questions");
    }
    text.push_str(&paragraph(&format!("limits: {}", field.why), 2));
    Some(("field of the site file", text))
}

fn code(id: &str) -> Option<(&'static str, String)> {
    let (_, text) = codes().find(|(code, _)| *code == id)?;
    Some(("error code", paragraph(text, 0)))
}

fn codes() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let lists = [
        crate::document::CODES,
        crate::network::CODES,
        crate::catalog::CODES,
        crate::calibration::CODES,
        crate::posterior::CODES,
        crate::experiment::CODES,
        crate::site::CODES,
    ];
    lists.into_iter().flatten()
}

fn known(library: &Library) -> Vec<String> {
    let mut ids: Vec<String> = RULES.iter().map(|r| r.id.to_owned()).collect();
    ids.extend(RULES.iter().map(|r| r.name.to_owned()));
    ids.extend(library.calibration.sources.keys().cloned());
    ids.extend(library.calibration.data().map(|d| d.id.clone()));
    ids.extend(library.calibration.parameters.keys().cloned());
    ids.extend(library.catalog.references.keys().cloned());
    for kind in KINDS {
        ids.extend(library.catalog.ids(kind).into_iter().map(str::to_owned));
    }
    ids.extend(FIELDS.iter().map(|f| f.path.to_owned()));
    ids.extend(codes().map(|(code, _)| (*code).to_owned()));
    ids
}
