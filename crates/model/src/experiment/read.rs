//! Reads the experiment files, every problem reported.

use std::collections::BTreeMap;
use std::path::Path;

use super::amount::Known;
use super::comparison::Comparison;
use super::embedded;
use super::formula::Formula;
use super::maintenance::Maintenance;
use super::rows::{Row, rows};
use super::run::{Lab, Run};
use super::workload::Workload;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::diag::{Diagnostic, Diagnostics, Place, quoted};
use crate::document::{self, Reader, Value, read_text, toml_files};

/// What each code of this loader means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[
    (
        "EXP001",
        "An experiment names something that does not exist: a datum, figure, layout, server, command, workload, run or measure. See calibration/README.md.",
    ),
    (
        "EXP002",
        "An experiment is inconsistent: a key that needs another, or an impossible number. The message names it. See calibration/README.md.",
    ),
    (
        "EXP003",
        "Your own measurement does not state its measure, or uses the id of a published datum. See \"To add a measurement of your own\" in calibration/README.md.",
    ),
    (
        "EXP004",
        "A run of your own measurement cannot be predicted: its layout does not fit its hosts, or it saturates. The message states the reason.",
    ),
];

/// What tables of later files may name.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelf {
    labs: BTreeMap<String, Lab>,
    workloads: BTreeMap<String, Workload>,
}

impl Shelf {
    /// Adds the tables of files that stand together, their runs to `runs`.
    ///
    /// Labs and workloads first: a run of one file may use those of another.
    pub(super) fn add(
        &mut self,
        files: &[Reader<'_>],
        catalog: &Catalog,
        known: &Known<'_>,
        runs: &mut BTreeMap<String, Run>,
    ) {
        for table in files.iter().flat_map(|file| file.tables("lab")) {
            if let Some(lab) = Lab::read(&table, catalog) {
                once(&table, &lab.id, table.place(), &self.labs);
                self.labs.insert(lab.id.clone(), lab);
            }
        }
        for table in files.iter().flat_map(|file| file.tables("workload")) {
            if let Some(workload) = Workload::read(&table, catalog, known) {
                once(&table, &workload.id, table.place(), &self.workloads);
                self.workloads.insert(workload.id.clone(), workload);
            }
        }
        for table in files.iter().flat_map(|file| file.tables("run")) {
            let (labs, workloads) = (&self.labs, &self.workloads);
            if let Some(run) = Run::read(&table, catalog, known, labs, workloads, runs) {
                once(&table, &run.id, table.place(), runs);
                runs.insert(run.id.clone(), run);
            }
        }
    }
}

/// Reports another schema than this one.
pub(super) fn check_schema(file: &Reader<'_>) {
    file.require(&["schema"]);
    if let Some(schema) = file.number("schema").filter(|s| s.value != 1.0) {
        let found = format!("found {}", schema.value);
        file.report("EXP002", "`schema` must be 1", &schema.place, found);
    }
}

/// The published measurements as runs of the model.
#[derive(Debug, Clone, Default)]
pub struct Experiments {
    /// By id.
    pub runs: BTreeMap<String, Run>,
    /// Figures that need no run.
    pub formulas: Vec<Formula>,
    /// Jobs of maintenance that were timed.
    pub maintenance: Vec<Maintenance>,
    /// Claims about several runs.
    pub comparisons: Vec<Comparison>,
    /// Every claim, one by one.
    pub rows: Vec<Row>,
    /// Data that no run answers to, and why.
    pub not_run: BTreeMap<String, String>,
    pub(super) shelf: Shelf,
}

impl Experiments {
    /// Figures that need no run, and nothing else.
    pub fn of_formulas(formulas: Vec<Formula>) -> Self {
        Self { rows: formulas.iter().filter_map(Formula::row).collect(), formulas, ..Self::default() }
    }

    /// Jobs of maintenance that were timed, and nothing else.
    pub fn of_maintenance(maintenance: Vec<Maintenance>) -> Self {
        Self { rows: maintenance.iter().filter_map(Maintenance::row).collect(), maintenance, ..Self::default() }
    }

    /// What the binary carries.
    ///
    /// # Panics
    ///
    /// If an embedded file is broken: the tests load them all.
    pub fn embedded(catalog: &Catalog, calibration: &Calibration) -> Self {
        Self::load(None, catalog, calibration).unwrap_or_else(|d| panic!("embedded experiments:\n{}", d.render()))
    }

    /// What the binary carries, with files of `DIR/experiments` added or put in place of those of
    /// the same name.
    pub fn load(over: Option<&Path>, catalog: &Catalog, calibration: &Calibration) -> Result<Self, Box<Diagnostics>> {
        let mut diagnostics = Diagnostics::default();
        let mut files: BTreeMap<String, (String, String)> = BTreeMap::new();
        let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
        for (path, text) in embedded::FILES {
            files.insert(name(path), ((*path).to_owned(), (*text).to_owned()));
        }
        for (path, text) in over.map(|folder| folder_files(folder, &diagnostics)).unwrap_or_default() {
            files.insert(name(&path), (path, text));
        }
        let sources: Vec<_> = files.into_values().map(|(path, text)| diagnostics.add_source(path, text)).collect();
        let roots: Vec<Value> =
            sources.into_iter().filter_map(|source| document::parse(source, &diagnostics)).collect();
        let experiments = Self::read(&roots, catalog, calibration, &diagnostics);
        if diagnostics.has_errors() { Err(Box::new(diagnostics)) } else { Ok(experiments) }
    }

    fn read(roots: &[Value], catalog: &Catalog, calibration: &Calibration, diagnostics: &Diagnostics) -> Self {
        let known = Known { calibration, own: false };
        let files: Vec<Reader<'_>> = roots.iter().map(|r| Reader::new(r, diagnostics)).collect();
        let mut experiments = Self::default();
        experiments.shelf.add(&files, catalog, &known, &mut experiments.runs);
        for file in &files {
            check_schema(file);
            for table in file.tables("comparison") {
                let read = Comparison::read(&table, calibration, &experiments.runs);
                experiments.comparisons.extend(read);
            }
            for table in file.tables("not_run") {
                table.require(&["data", "why"]);
                let (data, why) = (table.texts("data"), table.text("why"));
                table.finish();
                let (Some(data), Some(why)) = (data, why) else {
                    continue;
                };
                for id in data {
                    if calibration.datum(&id.value).is_none() {
                        let ids = calibration.data().map(|d| d.id.as_str());
                        super::amount::unknown(&table, "datum", (&id.value, &id.place), ids);
                    }
                    experiments.not_run.insert(id.value, why.value.clone());
                }
            }
            file.finish();
        }
        experiments.rows = rows(calibration, &experiments.runs, &experiments.comparisons);
        experiments
    }

    /// The run of that id.
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.get(id)
    }
}

/// Reports an id that is taken.
fn once<T>(r: &Reader<'_>, id: &str, place: &Place, taken: &BTreeMap<String, T>) {
    if taken.contains_key(id) {
        let message = format!("{} occurs twice", quoted(id));
        r.report("EXP002", message, place, "each needs an id of its own");
    }
}

/// The files of `DIR/experiments`, if there is such a folder.
fn folder_files(folder: &Path, diagnostics: &Diagnostics) -> Vec<(String, String)> {
    let Ok(paths) = toml_files(&folder.join("experiments")) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for path in paths {
        match read_text(&path) {
            Ok(text) => files.push((path.to_string_lossy().into_owned(), text)),
            Err(error) => {
                diagnostics.push(Diagnostic::error("DOC001", error.to_string()));
            }
        }
    }
    files
}
