//! Two sites side by side: which answers differ, and how much each of them changes the work on the first one's layout.
//!
//! Each answer is first changed alone; then all are changed one after the other in the order of what they do alone, so
//! that the steps together are the whole way from the one site to the other on that layout.

use std::collections::BTreeMap;

use super::sensitivity::{Judged, Subject, judge, renewed};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::document::edit;
use crate::site::{self, FIELDS, Kind, Site, Vocabulary};
use crate::system::Choices;
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

    fn size(&self) -> f64 {
        match (&self.fails, self.most()) {
            (Some(_), _) => f64::INFINITY,
            (None, Some((_, factor))) => factor.ln().abs(),
            (None, None) => 0.0,
        }
    }

    fn of(before: Option<&Judged>, after: &Result<Judged, String>) -> Self {
        match after {
            Err(reason) => Self {
                factors: Vec::new(),
                fails: Some(reason.clone()),
            },
            Ok(after) => {
                let before = before.map_or(&[][..], |before| &before.classes);
                let factor = |(work, time): &(Work, f64)| {
                    let (_, was) = before.iter().find(|(w, _)| w == work)?;
                    Some((work.clone(), time / was))
                };
                Self {
                    factors: after.classes.iter().filter_map(factor).collect(),
                    fails: None,
                }
            }
        }
    }
}

/// What the sites are held against each other with.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The words that answers may take.
    pub vocabulary: &'a Vocabulary,
    /// What exists, with what both sites describe themselves.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// The layout on which the work is looked at.
    pub layout: &'a str,
    /// What was chosen for it.
    pub choices: &'a Choices,
}

/// The answers in which the sites differ, those first that change most.
pub fn differences(first: &Site, other: &Site, ground: &Ground<'_>) -> Vec<Difference> {
    let base = judged(first, ground).ok();
    let mut found: Vec<Difference> = parts(first, other)
        .into_iter()
        .map(|part| {
            let changed = part.applied(&first.text, first, ground.vocabulary);
            let after = changed.and_then(|(_, site)| judged(&site, ground));
            Difference {
                alone: Effect::of(base.as_ref(), &after),
                step: Effect::default(),
                field: part.field,
                first: part.first,
                other: part.other,
            }
        })
        .collect();
    found.sort_by(|a, b| {
        let largest = b.alone.size().total_cmp(&a.alone.size());
        largest.then_with(|| a.field.cmp(&b.field))
    });
    // What cannot be had alone may be had with the others: it comes last.
    let (fails, works): (Vec<_>, Vec<_>) = found.into_iter().partition(|d| d.alone.fails.is_some());
    let mut found: Vec<Difference> = works.into_iter().chain(fails).collect();
    let mut parts: BTreeMap<String, Part> = parts(first, other)
        .into_iter()
        .map(|part| (part.field.clone(), part))
        .collect();
    let mut text = first.text.clone();
    let mut before = base;
    for difference in &mut found {
        let Some(part) = parts.remove(&difference.field) else {
            continue;
        };
        let after = part
            .applied(&text, first, ground.vocabulary)
            .and_then(|(changed, site)| {
                text = changed;
                judged(&site, ground)
            });
        difference.step = Effect::of(before.as_ref(), &after);
        before = after.ok().or(before);
    }
    found
}

fn judged(site: &Site, ground: &Ground<'_>) -> Result<Judged, String> {
    let catalog = &*site.equipped(ground.catalog);
    let subject = Subject {
        layout: ground.layout,
        choices: &renewed(ground.choices, site, catalog),
        grows: true,
    };
    judge(site, catalog, ground.calibration, &subject)
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
        let list = lists.map(|field| field.path).find(|list| {
            path.strip_prefix(list)
                .is_some_and(|rest| rest.starts_with('.'))
        });
        let key = list.map_or_else(|| path.clone(), str::to_owned);
        let below = list
            .and_then(|list| path.strip_prefix(list))
            .unwrap_or_default();
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
    let fields = fields
        .into_iter()
        .filter(|field| !LABELS.contains(&field.as_str()));
    fields
        .filter_map(|field| {
            let nothing = Vec::new();
            let (a, b) = (ours.get(field), theirs.get(field));
            let (a, b) = (a.unwrap_or(&nothing), b.unwrap_or(&nothing));
            if a == b {
                return None;
            }
            let is_list = FIELDS
                .iter()
                .any(|f| f.path == field && f.kind == Kind::Tables);
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
        return values
            .first()
            .map_or(String::new(), |(_, spelling)| spelling.clone());
    }
    let shown = values.iter().take(SHOWN);
    let mut words: Vec<String> = shown
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
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
    fn applied(
        &self,
        text: &str,
        site: &Site,
        vocabulary: &Vocabulary,
    ) -> Result<(String, Site), String> {
        let changed = match &self.tables {
            Some(tables) => replaced(text, &self.field, tables),
            None if self.other.is_empty() => edit::unset(text, &self.field),
            None => edit::set(text, &self.field, &self.other),
        };
        let changed = changed.map_err(|error| error.to_string())?;
        let read = site::parse(&site.file, &changed, &site.overrides, vocabulary);
        let read = read.map_err(|problems| {
            let all = problems.render();
            let first = all.lines().next().unwrap_or_default();
            format!("alone it cannot be read: {first}")
        })?;
        Ok((changed, read))
    }
}

/// A text with other tables in a list.
fn replaced(
    text: &str,
    list: &str,
    tables: &[Vec<(String, String)>],
) -> Result<String, edit::EditError> {
    let mut text = text.to_owned();
    for index in (0..edit::count_tables(&text, list)).rev() {
        text = edit::remove_table(&text, list, index)?;
    }
    for table in tables {
        let values: Vec<(&str, &str)> = table
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        text = edit::push_table(&text, list, &values)?;
    }
    Ok(text)
}
