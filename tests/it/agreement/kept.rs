//! What was simulated, kept beside the tests: it takes more than an hour, and judging what is solved by it takes seconds.
//!
//! Knows when it was of another load or of a model with other numbers; not what was solved.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use plimsoll::document::read_text;
use plimsoll::sim::Model;
use serde::{Deserialize, Serialize};

use super::cases::{Candidate, Case, LEVELS, sites};
use super::simulated::Simulated;

/// How far numbers of a model may have moved, on average: those who fit the model again come to the same within rounding.
const MOVED: f64 = 1e-3;

/// One site's simulations.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    simulated: Vec<Cell>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    layout: String,
    share: f64,
    /// The multiple of the site's work other than large syncs.
    times: f64,
    /// How many numbers the model has, and the mean of their logarithms.
    numbers: usize,
    logarithm: f64,
    found: Simulated,
}

/// How many numbers a model has, and the mean of their logarithms.
fn numbers(model: &Model) -> (usize, f64) {
    let text = format!("{model:?}");
    let words = text.split(|c: char| !(c.is_ascii_digit() || ".e-".contains(c)));
    let numbers = words.filter_map(|word| word.parse::<f64>().ok());
    let logarithms: Vec<f64> = numbers
        .map(|number| number.abs().ln())
        .filter(|logarithm| logarithm.is_finite())
        .collect();
    let count = logarithms.len();
    (count, logarithms.iter().sum::<f64>() / count.max(1) as f64)
}

fn numbers_of(case: &Case) -> (usize, f64) {
    match &case.solved {
        Ok((_, process)) => numbers(&process.model),
        Err(_) => (0, 0.0),
    }
}

fn path(site: &str) -> PathBuf {
    PathBuf::from(format!("tests/it/agreement/kept/{site}.toml"))
}

impl Cell {
    fn of(case: &Case, found: Simulated) -> Self {
        let (numbers, logarithm) = numbers_of(case);
        Self {
            layout: case.layout.to_owned(),
            share: LEVELS[case.level].0,
            times: case.times,
            numbers,
            logarithm,
            found,
        }
    }

    /// Whether it is of this case's load and model, within what rounding moves.
    fn is_of(&self, case: &Case) -> bool {
        let (numbers, logarithm) = numbers_of(case);
        self.times == case.times
            && self.numbers == numbers
            && (self.logarithm - logarithm).abs() <= MOVED
    }
}

impl Kept {
    fn read(site: &str) -> Self {
        read_text(&path(site)).map_or_else(
            |_| Self::default(),
            |text| toml::from_str(&text).unwrap_or_else(|error| panic!("{site}: {error}")),
        )
    }

    fn write(&self, site: &str) {
        let path = path(site);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, toml::to_string(self).unwrap()).unwrap();
    }

    fn cell(&self, layout: &str, level: usize) -> Option<&Cell> {
        self.simulated
            .iter()
            .find(|cell| cell.layout == layout && cell.share == LEVELS[level].0)
    }

    /// Puts a cell in the place of what was kept of the same.
    fn put(&mut self, cell: Cell) {
        self.simulated
            .retain(|kept| kept.layout != cell.layout || kept.share != cell.share);
        self.simulated.push(cell);
        self.simulated.sort_by(|a, b| {
            let layouts = a.layout.cmp(&b.layout);
            layouts.then(a.share.total_cmp(&b.share))
        });
    }
}

/// All sites' simulations.
pub(super) struct Store(Mutex<BTreeMap<String, Kept>>);

impl Store {
    pub(super) fn read() -> Self {
        let sites = sites().into_iter();
        let kept = sites.map(|(site, _)| (Kept::read(&site), site));
        Self(Mutex::new(kept.map(|(kept, site)| (site, kept)).collect()))
    }

    /// The multiple of the site's work that was simulated, if some was.
    pub(super) fn times(&self, candidate: &Candidate, level: usize) -> Option<f64> {
        let kept = &self.0.lock().unwrap()[&candidate.site];
        kept.cell(candidate.layout, level).map(|cell| cell.times)
    }

    /// What was simulated of a case, if it was of the same model.
    pub(super) fn of(&self, case: &Case) -> Option<Simulated> {
        let kept = &self.0.lock().unwrap()[&case.site];
        let cell = kept.cell(case.layout, case.level)?;
        cell.is_of(case).then(|| cell.found.clone())
    }

    /// Keeps what was found of cases of one site, and writes it.
    pub(super) fn keep(&self, cases: &[&Case], found: &Simulated) {
        let site = &cases[0].site;
        let mut store = self.0.lock().unwrap();
        let kept = store.get_mut(site).unwrap();
        for case in cases {
            kept.put(Cell::of(case, found.clone()));
        }
        kept.write(site);
    }
}
