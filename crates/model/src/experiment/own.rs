//! A measurement of one's own: a file that a third party writes, read beside the published ones.
//!
//! It may use their labs and workloads, and begin a run `like` one of theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::amount::{Known, unknown};
use super::measure::Measure;
use super::own_comparison;
use super::read::{Experiments, check_schema};
use super::rows::{Row, own_rows};
use super::run::Run;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::document::{self, Located, Reader, read_text};
use crate::posterior::{self, Free, NumberId};
use crate::system::Numbers;

/// Most runs of a file.
const RUNS_MAX: usize = 50;

/// Who measured what, when and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// A noun phrase.
    pub title: String,
    /// Person and organisation.
    pub who: String,
    /// A day, month or year, as in 2026-11-21.
    pub when: String,
    /// Site or room.
    pub place: String,
    /// Host, storage, networks.
    pub hardware: String,
}

/// A file of measurements, ready to be blended.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Who measured what, when and where.
    pub head: Head,
    /// Its runs, and a row for each figure.
    pub experiments: Experiments,
    /// Numbers of its hardware that may move besides those of the published fit.
    pub free: Vec<Free>,
    /// Every number that its runs read, before any fit.
    pub used: Numbers,
    /// Fingerprint of its text.
    pub fingerprint: u64,
    /// The line of each run and comparison, by id; empty of a benchmark's result.
    pub lines: BTreeMap<String, usize>,
}

impl Measurement {
    /// Reads the file `path`; `published` are the experiments that it may name. Every problem is reported.
    pub fn load(
        path: &Path,
        published: &Experiments,
        catalog: &Catalog,
        calibration: &Calibration,
    ) -> Result<Self, Box<Diagnostics>> {
        let mut diagnostics = Diagnostics::default();
        let text = match read_text(path) {
            Ok(text) => text,
            Err(error) => {
                diagnostics.push(Diagnostic::error("DOC001", error.to_string()));
                return Err(Box::new(diagnostics));
            }
        };
        let fingerprint = document::fingerprint([text.as_str()]);
        let source = diagnostics.add_source(path.to_string_lossy(), text);
        let root = document::parse(source, &diagnostics);
        let measurement = root.map(|root| {
            let file = Reader::new(&root, &diagnostics);
            let read = read(&file, published, catalog, calibration);
            Self { fingerprint, ..read }
        });
        match measurement {
            Some(measurement) if !diagnostics.has_errors() => Ok(measurement),
            _ => Err(Box::new(diagnostics)),
        }
    }
}

fn read(file: &Reader<'_>, published: &Experiments, catalog: &Catalog, calibration: &Calibration) -> Measurement {
    let known = Known { calibration, own: true };
    check_schema(file);
    file.require(&["measured", "run"]);
    let head = head(&file.table_or_empty("measured"), file.raw("measured").is_some());
    let mut shelf = published.shelf.clone();
    let mut runs = published.runs.clone();
    shelf.add(std::slice::from_ref(file), catalog, &known, &mut runs);
    runs.retain(|id, _| !published.runs.contains_key(id));
    let compared = own_comparison::named(file);
    let tables = file.tables("run");
    if let Some(first_too_many) = tables.get(RUNS_MAX) {
        let message = format!("{} runs are more than {RUNS_MAX}", tables.len());
        let found = "each is predicted hundreds of times; blend one file after the other with --save";
        file.report("EXP003", message, first_too_many.place(), found);
    }
    for table in tables {
        check_run(&table, &runs, &compared);
    }
    let mut rows: Vec<Row> = runs.values().flat_map(own_rows).collect();
    let mut ids: BTreeSet<String> = runs.keys().cloned().collect();
    for table in file.tables("comparison") {
        rows.extend(own_comparison::rows_of(&table, &runs, &mut ids));
    }
    let tables = file.tables("run").into_iter().chain(file.tables("comparison"));
    let lines = tables.filter_map(|table| {
        let id = table.text("id")?;
        Some((id.value, file.diagnostics().line_column(&id.place).0))
    });
    let lines = lines.collect();
    let used = used(file, &runs, catalog, calibration);
    let free = free(file, calibration, &used);
    file.finish();
    Measurement {
        head,
        experiments: Experiments { runs, rows, ..Experiments::default() },
        free,
        used,
        fingerprint: 0,
        lines,
    }
}

fn head(r: &Reader<'_>, is_there: bool) -> Head {
    let keys = ["title", "who", "when", "where", "hardware"];
    if is_there {
        r.require(&keys);
    }
    let [title, who, when, place, hardware] = keys.map(|key| r.text(key));
    for (key, text) in keys.iter().zip([&title, &who, &when, &place, &hardware]) {
        if let Some(text) = text.as_ref().filter(|text| text.value.trim().is_empty()) {
            let message = format!("{} is empty", quoted(&r.full(key)));
            let found = "a measurement needs its place, time and equipment";
            r.report("EXP003", message, &text.place, found);
        }
    }
    if let Some(when) = when.as_ref().filter(|when| !is_date(&when.value)) {
        let message = format!("{} is no date", quoted(&r.full("when")));
        r.report("EXP002", message, &when.place, "such as \"2026-11-21\"");
    }
    r.finish();
    let text = |found: Option<Located<String>>| found.map_or_else(String::new, |f| f.value);
    Head { title: text(title), who: text(who), when: text(when), place: text(place), hardware: text(hardware) }
}

/// A year, a month of it or a day of that.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, digits: usize, most: u32| {
        let plain = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        plain && part.parse().is_ok_and(|n: u32| (1..=most).contains(&n))
    };
    let limits = [(4, 9999), (2, 12), (2, 31)];
    let fits = |(part, (digits, most)): (&&str, (usize, u32))| number(part, digits, most);
    (1..=3).contains(&parts.len()) && parts.iter().zip(limits).all(fits)
}

/// A run of one's own measures something, claims no published datum, and its id can stand in `fitted.toml`.
fn check_run(r: &Reader<'_>, runs: &BTreeMap<String, Run>, compared: &BTreeSet<String>) {
    if let Some(datum) = r.text("datum") {
        let message = format!("{} names a published datum", quoted(&r.full("datum")));
        let found = "a run of your own predicts your own measurement";
        r.report("EXP003", message, &datum.place, found);
    }
    let Some(id) = r.text("id") else { return };
    check_id(r, &id);
    let Some(run) = runs.get(&id.value) else {
        return;
    };
    if run.measures.is_empty() {
        let message = format!("the run {} has no measure", quoted(&id.value));
        let found = "it needs a `measure` with `measured` and `spread`";
        r.report("EXP003", message, r.place(), found);
    }
    let unread = |m: &&Measure| m.measured.is_none() && !compared.contains(&format!("{} {}", run.id, m.name));
    if let Some(measure) = run.measures.iter().find(unread) {
        let message = format!("{} of {} says nothing", quoted(&measure.name), quoted(&id.value));
        let found = "it needs `measured` and `spread`, or a `comparison` that reads it";
        r.report("EXP003", message, r.place(), found);
    }
    let names: BTreeSet<&str> = run.measures.iter().map(|m| m.name.as_str()).collect();
    if names.len() < run.measures.len() {
        let message = format!("two measures of {} have one name", quoted(&id.value));
        let found = "each needs a name of its own";
        r.report("EXP002", message, r.place(), found);
    }
}

pub(super) fn check_id(r: &Reader<'_>, id: &Located<String>) {
    let plain = |c: char| c.is_alphanumeric() || " -_.".contains(c);
    if id.value.trim().is_empty() || !id.value.chars().all(plain) {
        let message = format!("{} is no id", quoted(&id.value));
        r.report("EXP002", message, &id.place, "letters, digits, blanks and -_. make one");
    }
}

/// Every number that the runs read; a run that cannot be predicted is reported.
fn used(file: &Reader<'_>, runs: &BTreeMap<String, Run>, catalog: &Catalog, calibration: &Calibration) -> Numbers {
    let factors = calibration.posterior.times();
    let mut used = Numbers::new();
    let places: Vec<(String, Place)> =
        file.tables("run").iter().filter_map(|table| Some((table.text("id")?.value, table.place().clone()))).collect();
    for (id, run) in runs {
        match run.predict(catalog, calibration, &factors) {
            Ok((_, prediction)) => used.extend(prediction.used),
            Err(error) => {
                let Some((_, place)) = places.iter().find(|(one, _)| one == id) else {
                    continue;
                };
                let message = format!("the run {} cannot be predicted", quoted(id));
                file.report("EXP004", message, place, error.reason);
            }
        }
    }
    used
}

/// Reads `[[free]]`: each must scale numbers that some run reads.
fn free(file: &Reader<'_>, calibration: &Calibration, used: &Numbers) -> Vec<Free> {
    let published = calibration.posterior.free.iter();
    let mut ids: BTreeSet<String> = published.map(|free| free.id.clone()).collect();
    let mut all = Vec::new();
    for table in file.tables("free") {
        if let Some(id) = table.text("id") {
            check_id(&table, &id);
        }
        for name in table.texts("scales").unwrap_or_default() {
            // What no number can be called is reported where the parameter is read.
            let number = NumberId::read(&name.value);
            if number.is_some_and(|number| !used.is_empty() && !used.contains_key(&number)) {
                let names: Vec<String> = used.keys().map(NumberId::to_string).collect();
                let names = names.iter().map(String::as_str);
                let what = "number that a run of this file reads:";
                unknown(&table, what, (&name.value, &name.place), names);
            }
        }
        let free = posterior::read_free(&table, &mut ids);
        all.extend(free.map(|free| Free { own: true, ..free }));
    }
    all
}
