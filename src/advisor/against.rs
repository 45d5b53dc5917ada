//! Two sites side by side: which answers differ, and how much each of them changes the work on the first one's layout.
//!
//! Each answer is first changed alone; then all are changed one after the other in the order of what they do alone, so
//! that the steps together are the whole way from the one site to the other on that layout.

use std::collections::BTreeMap;

use super::sensitivity::{Judged, Subject, judge, renewed};
use super::what_if::Base;
use crate::document::edit;
use crate::site::{FIELDS, Kind, Site, Vocabulary};
use crate::workload::Work;

/// An answer that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The field, or the list of tables: `people.developers`, `people.site`.
    pub field: String,
    /// As the first site has it; nothing where it does not answer.
    pub first: String,
    /// As the other has it.
    pub other: String,
    /// What it does alone.
    pub alone: Effect,
    /// What it does after those before it.
    pub step: Effect,
}

/// What a changed answer does to the work.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effect {
    /// p95 of each kind of work, relative to before.
    pub factors: Vec<(Work, f64)>,
    /// What is overloaded then, or why it cannot be built or read; nothing where it works.
    pub fails: Option<String>,
}

impl Effect {
    /// The largest factor up or down, with its kind of work.
    pub fn most(&self) -> Option<(&Work, f64)> {
        let away = |factor: f64| factor.ln().abs();
        let factors = self.factors.iter().map(|(work, factor)| (work, *factor));
        factors.max_by(|a, b| away(a.1).total_cmp(&away(b.1)))
    }

    /// How far the largest factor is from 1, as a logarithm.
    fn size(&self) -> f64 {
        self.most().map_or(0.0, |(_, factor)| factor.ln().abs())
    }

    fn of(before: Option<&Judged>, after: &Result<Judged, String>) -> Self {
        match after {
            Err(reason) => Self { factors: Vec::new(), fails: Some(reason.clone()) },
            Ok(after) => {
                let before = before.map_or(&[][..], |before| &before.classes);
                let factor = |(work, time): &(Work, f64)| {
                    let (_, was) = before.iter().find(|(w, _)| w == work)?;
                    Some((work.clone(), time / was))
                };
                Self { factors: after.classes.iter().filter_map(factor).collect(), fails: None }
            }
        }
    }
}

/// A site with its overrides written into its text, so that they count as answers of its file; those that are no single
/// answer, such as a price list, stay what they are.
pub fn settled(site: &Site, vocabulary: &Vocabulary) -> Site {
    let (mut text, mut rest) = (site.text.clone(), Vec::new());
    for line in &site.overrides {
        let written = line.split_once('=').and_then(|(field, value)| {
            let field = field.trim();
            if FIELDS.iter().any(|f| f.path == field && f.kind == Kind::Tables) {
                return None;
            }
            let quoted = toml::Value::String(value.trim().to_owned()).to_string();
            let written = edit::set(&text, field, value.trim());
            written.or_else(|_| edit::set(&text, field, &quoted)).ok()
        });
        match written {
            Some(written) => text = written,
            None => rest.push(line.clone()),
        }
    }
    site.again(&text, &rest, vocabulary).unwrap_or_else(|_| site.clone())
}

/// The answers in which another site differs, where there is no layout on which they could be tried.
pub fn untried(first: &Site, other: &Site) -> Vec<Difference> {
    let parts = parts(first, other).into_iter();
    let differences = parts.map(|part| Difference {
        field: part.field,
        first: part.first,
        other: part.other,
        alone: Effect::default(),
        step: Effect::default(),
    });
    differences.collect()
}

/// The answers in which another site differs from that of `base`, those first that change most; the catalogue has what
/// both describe themselves.
pub fn differences(base: &Base<'_>, other: &Site) -> Vec<Difference> {
    let first = base.site;
    let today = judged(first, base).ok();
    let mut found: Vec<(Part, Difference)> = parts(first, other)
        .into_iter()
        .map(|part| {
            let changed = part.applied(&first.text, first, base.vocabulary);
            let after = changed.and_then(|(_, site)| judged(&site, base));
            let difference = Difference {
                alone: Effect::of(today.as_ref(), &after),
                step: Effect::default(),
                field: part.field.clone(),
                first: part.first.clone(),
                other: part.other.clone(),
            };
            (part, difference)
        })
        .collect();
    // What cannot be had alone may be had with the others: it comes last.
    found.sort_by(|(_, a), (_, b)| {
        let fails = |difference: &Difference| difference.alone.fails.is_some();
        fails(a)
            .cmp(&fails(b))
            .then_with(|| b.alone.size().total_cmp(&a.alone.size()))
            .then_with(|| a.field.cmp(&b.field))
    });
    let mut text = first.text.clone();
    let mut before = today;
    for (part, difference) in &mut found {
        let after = part.applied(&text, first, base.vocabulary).and_then(|(changed, site)| {
            text = changed;
            judged(&site, base)
        });
        difference.step = Effect::of(before.as_ref(), &after);
        before = after.ok().or(before);
    }
    found.into_iter().map(|(_, difference)| difference).collect()
}

/// The work of a site on the layout of `base`.
fn judged(site: &Site, base: &Base<'_>) -> Result<Judged, String> {
    let catalog = &*site.equipped(base.catalog);
    let subject =
        Subject { layout: base.layout, choices: &renewed(base.choices, base.site, site, catalog), grows: true };
    judge(site, catalog, base.calibration, &subject)
}

/// A part of a file that differs: one value, or a whole list of tables.
struct Part {
    field: String,
    first: String,
    other: String,
    /// The tables of the other, where it is a list.
    tables: Option<Vec<Vec<(String, String)>>>,
}

/// Values of a text by field, those of lists of tables by the list.
fn values(text: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, spelling, _) in edit::values(text) {
        let lists = FIELDS.iter().filter(|field| field.kind == Kind::Tables);
        let list = lists
            .map(|field| field.path)
            .find(|list| path.strip_prefix(list).is_some_and(|rest| rest.starts_with('.')));
        let key = list.map_or_else(|| path.clone(), str::to_owned);
        let below = list.and_then(|list| path.strip_prefix(list)).unwrap_or_default();
        let below = below.trim_start_matches('.').to_owned();
        found.entry(key).or_default().push((below, spelling));
    }
    found
}

/// What differs, without what only names the files.
fn parts(first: &Site, other: &Site) -> Vec<Part> {
    const LABELS: [&str; 2] = ["name", "schema"];
    let (ours, theirs) = (values(&first.text), values(&other.text));
    let mut fields: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
    fields.sort();
    fields.dedup();
    let fields = fields.into_iter().filter(|field| !LABELS.contains(&field.as_str()));
    fields
        .filter_map(|field| {
            let nothing = Vec::new();
            let (a, b) = (ours.get(field), theirs.get(field));
            let (a, b) = (a.unwrap_or(&nothing), b.unwrap_or(&nothing));
            if a == b {
                return None;
            }
            let is_list = FIELDS.iter().any(|f| f.path == field && f.kind == Kind::Tables);
            Some(Part {
                field: field.clone(),
                first: in_words(a, is_list),
                other: in_words(b, is_list),
                tables: is_list.then(|| tables(b)),
            })
        })
        .collect()
}

/// The value, or what the tables say, as it is written.
fn in_words(values: &[(String, String)], is_list: bool) -> String {
    const SHOWN: usize = 12;
    if !is_list {
        return values.first().map_or(String::new(), |(_, spelling)| spelling.clone());
    }
    let shown = values.iter().take(SHOWN);
    let mut words: Vec<String> = shown.map(|(key, value)| format!("{key} = {value}")).collect();
    if values.len() > SHOWN {
        words.push("…".to_owned());
    }
    words.join(", ")
}

/// Values of `0.name`, `0.developers`, `1.name` by their tables.
fn tables(values: &[(String, String)]) -> Vec<Vec<(String, String)>> {
    let mut tables: Vec<Vec<(String, String)>> = Vec::new();
    for (path, spelling) in values {
        let Some((number, key)) = path.split_once('.') else {
            continue;
        };
        let number: usize = number.parse().unwrap_or(0);
        while tables.len() <= number {
            tables.push(Vec::new());
        }
        tables[number].push((key.to_owned(), spelling.clone()));
    }
    tables
}

impl Part {
    /// A text with this part as the other site has it, and the site that it makes.
    fn applied(&self, text: &str, site: &Site, vocabulary: &Vocabulary) -> Result<(String, Site), String> {
        let changed = match &self.tables {
            Some(tables) => replaced(text, &self.field, tables),
            None if self.other.is_empty() => edit::unset(text, &self.field),
            None => edit::set(text, &self.field, &self.other),
        };
        let changed = changed.map_err(|error| error.to_string())?;
        let read = site.again(&changed, &site.overrides, vocabulary);
        let read = read.map_err(|problems| {
            let all = problems.render();
            let first = all.lines().next().unwrap_or_default();
            format!("alone it cannot be read: {first}")
        })?;
        Ok((changed, read))
    }
}

/// A text with other tables in a list.
fn replaced(text: &str, list: &str, tables: &[Vec<(String, String)>]) -> Result<String, edit::EditError> {
    let mut text = text.to_owned();
    for index in (0..edit::count_tables(&text, list)).rev() {
        text = edit::remove_table(&text, list, index)?;
    }
    for table in tables {
        let values: Vec<(&str, &str)> = table.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        text = edit::push_table(&text, list, &values)?;
    }
    Ok(text)
}
