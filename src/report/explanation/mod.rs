//! What an id stands for, why, on what evidence: the same for `plimsoll explain` and for the window.
//!
//! Ids of rules, parameters and what the fit may move, calibration data and sources, references, catalogue
//! entries (with or without their kind, with or without the fact), fields of the site file, error codes, and
//! the numbers that a prediction names, and words of the glossary.

mod evidence;
mod glossary;
mod models;

use crate::advisor::Instead;
use crate::advisor::rules::RULES;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, EntryKind};
use crate::diag::nearest;
use crate::page::{Block, Cell, Table, blocks_text, paragraph};
use crate::posterior::NumberId;
use crate::site::{FIELDS, Site};
use crate::system::Numbers;

pub use glossary::words;

/// What an explanation can draw on.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// The site that is looked at, if any.
    pub site: Option<&'a Site>,
    /// The numbers that a prediction rests on, if there is one.
    pub used: Option<&'a Numbers>,
}

/// Everything that is known of an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The id as it is written.
    pub id: String,
    /// What it is: "rule", "parameter".
    pub kind: &'static str,
    /// A noun phrase or a question; may be empty.
    pub title: String,
    /// What is known, in order.
    pub blocks: Vec<Block>,
    /// Ids that it rests on or that rest on it.
    pub links: Vec<String>,
}

impl Explanation {
    fn new(id: &str, kind: &'static str, title: impl Into<String>) -> Self {
        Self { id: id.to_owned(), kind, title: title.into(), blocks: Vec::new(), links: Vec::new() }
    }

    fn with(mut self, blocks: impl IntoIterator<Item = Block>) -> Self {
        self.blocks.extend(blocks);
        self
    }

    fn text(self, text: impl Into<String>) -> Self {
        self.with([Block::text(text)])
    }

    fn facts(self, facts: Vec<(&str, String)>) -> Self {
        self.with([facts_table(facts).into()])
    }

    fn rows(self, heads: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let mut table = Table::new(heads);
        for row in rows {
            table.linked(String::new(), row);
        }
        self.with(table.unless_empty())
    }

    fn link<'s>(mut self, ids: impl IntoIterator<Item = &'s String>) -> Self {
        for id in ids {
            if !self.links.contains(id) {
                self.links.push(id.clone());
            }
        }
        self
    }
}

/// Explains an id; upper and lower case do not matter.
pub fn explain(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let other_case = [id.to_uppercase(), id.to_lowercase()];
    let exact = exactly(known, id);
    let exact = exact.or_else(|| other_case.iter().find_map(|other| exactly(known, other)));
    exact.or_else(|| why_not(known, id))
}

/// "why not iscsi": the command that answers it, and what it is.
fn why_not(known: &Known<'_>, words: &str) -> Option<Explanation> {
    let words = words.to_lowercase();
    let instead = Instead::of(known.catalog, words.strip_prefix("why not ")?)?;
    let (word, name) = (instead.word(), instead.name(known.catalog));
    let text = format!(
        "`plimsoll advise SITE.toml --why-not {word}` says why {name} is not what is recommended for a site, and shows the best layout with it beside the recommended one."
    );
    let question = Explanation::new(&words, "question", "").text(text);
    with_word(Some(question), explain(known, word))
}

/// The nearest id, where there is none of that name.
pub fn did_you_mean(known: &Known<'_>, id: &str) -> Option<String> {
    let ids = ids(known);
    nearest(id, ids.iter().map(String::as_str)).map(str::to_owned)
}

fn exactly(known: &Known<'_>, id: &str) -> Option<Explanation> {
    let number = NumberId::read(id).unwrap_or_else(|| NumberId::parameter(id));
    let plain = &number.explained();
    let found = rule(plain)
        .or_else(|| evidence::parameter(known, plain))
        .or_else(|| evidence::free(known, plain))
        .or_else(|| evidence::datum(known, plain))
        .or_else(|| evidence::source(known, plain))
        .or_else(|| evidence::reference(known, plain))
        .or_else(|| models::entry(known, plain))
        .or_else(|| models::field(known, plain))
        .or_else(|| code(plain));
    let found = with_word(glossary::word(known, plain), found);
    match (found, known.used.and_then(|used| used.get(&number))) {
        (Some(found), Some(used)) => Some(models::with_used(found, used)),
        (None, Some(used)) => {
            let bare = Explanation::new(id, "number of the prediction", "");
            Some(models::with_used(bare, used))
        }
        (found, None) => found,
    }
}

/// The meaning of a word, and below it what else has that name.
fn with_word(word: Option<Explanation>, found: Option<Explanation>) -> Option<Explanation> {
    match (word, found) {
        (Some(word), Some(found)) => {
            let heading = Block::Heading(format!("{} ({})", found.id, found.kind));
            let title = (!found.title.is_empty()).then_some(Block::Text(found.title));
            let below = std::iter::once(heading).chain(title).chain(found.blocks);
            Some(word.with(below).link(&found.links))
        }
        (word, found) => word.or(found),
    }
}

fn rule(id: &str) -> Option<Explanation> {
    let rule = RULES.iter().find(|r| r.id == id || r.name == id)?;
    let title = format!("{}: {}", rule.name, rule.summary);
    Some(Explanation::new(id, "rule", title).with(documentation(rule.docs)))
}

/// Paragraphs below their headings, as rules are documented.
fn documentation(docs: &str) -> impl Iterator<Item = Block> {
    docs.split("\n\n").flat_map(|part| {
        let (title, text) = match part.strip_prefix("### ") {
            Some(part) => part.split_once('\n').unwrap_or((part, "")),
            None => ("", part),
        };
        let title = (!title.is_empty()).then(|| Block::Heading(title.to_owned()));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = (!text.is_empty()).then_some(Block::Text(text));
        title.into_iter().chain(text)
    })
}

fn code(id: &str) -> Option<Explanation> {
    let (_, text) = codes().find(|(code, _)| *code == id)?;
    Some(Explanation::new(id, "error code", *text))
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

fn ids(known: &Known<'_>) -> Vec<String> {
    let calibration = known.calibration;
    let mut ids: Vec<String> = RULES.iter().map(|r| r.id.to_owned()).collect();
    ids.extend(RULES.iter().map(|r| r.name.to_owned()));
    ids.extend(calibration.sources.keys().cloned());
    ids.extend(calibration.data().map(|d| d.id.clone()));
    ids.extend(calibration.parameters.keys().cloned());
    ids.extend(calibration.posterior.free.iter().map(|f| f.id.clone()));
    ids.extend(known.catalog.references.keys().cloned());
    for kind in EntryKind::ALL {
        ids.extend(known.catalog.ids(kind).into_iter().map(str::to_owned));
    }
    ids.extend(FIELDS.iter().map(|f| f.path.to_owned()));
    ids.extend(words().map(str::to_owned));
    ids.extend(codes().map(|(code, _)| (*code).to_owned()));
    ids.extend(known.used.into_iter().flat_map(|used| used.keys().map(NumberId::to_string)));
    ids
}

/// An explanation for a terminal.
pub fn explanation_text(explanation: &Explanation) -> String {
    let Explanation { id, kind, .. } = explanation;
    format!("{id} ({kind})\n\n{}", explanation_body(explanation))
}

/// The same without its head.
pub fn explanation_body(explanation: &Explanation) -> String {
    let title = match explanation.title.as_str() {
        "" => String::new(),
        title => paragraph(title, 0),
    };
    let mut parts = vec![title, blocks_text(&explanation.blocks)];
    parts.retain(|part| !part.is_empty());
    parts.join("\n").trim_end().to_owned() + "\n"
}

/// Names with what they are.
pub fn facts_table(facts: Vec<(&str, String)>) -> Table {
    let rows = facts.into_iter();
    Table::new(&["", ""]).with(rows.map(|(name, value)| vec![name.to_owned(), value]))
}
