//! What the sources measured, and the model's parameters where the fit has put them.
//!
//! Knows how to read `calibration/*.toml` strictly: one file a source with its setups and data, and
//! `parameters.toml`. Every number keeps its unit, its text as written and where it came from; one
//! run reports every problem. Must not know the models: who uses a datum, names its id. Nothing
//! here fits or predicts: the outcome of the fit comes from [`crate::posterior`].
//!
//! A folder of the user's adds sources or replaces them by file name; its `parameters.toml`
//! replaces single parameters by id.
//!
//! ```
//! use plimsoll_model::calibration::Calibration;
//! let calibration = Calibration::embedded();
//! // N13, table 4: one browse on NFS under four mounts. The two options' gains multiply.
//! let elapsed = ["default", "locallock", "nocto", "both"]
//!     .map(|mount| calibration.value(&format!("N13-mount-{mount}"), "elapsed").unwrap());
//! assert_eq!(elapsed, [732.0, 448.0, 667.0, 406.0]);
//! let [default, locallock, nocto, both] = elapsed;
//! assert!((locallock * nocto / default / both - 1.0).abs() < 0.01);
//!
//! let datum = calibration.datum("N13-mount-both").unwrap();
//! assert_eq!(datum.values[0].shown, "406 s");
//! assert_eq!(datum.section, "6.1, table 4");
//!
//! let parameter = calibration.parameter("row_write.2017").unwrap();
//! assert_eq!(parameter.shown, "1.8 µs");
//! assert_eq!(parameter.value.origin.kind(), "fitted");
//! assert!(parameter.value.origin.ids().contains(&"P17-branchsubmit-ssd".to_owned()));
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::diag::{Diagnostic, Diagnostics, nearest_in_words};
use crate::document::{self, Reader};
use crate::origin::Origin;
use crate::posterior::{NumberId, Posterior};

mod amount;
mod check;
mod configuration;
mod datum;
pub mod embedded;
mod folder;
mod parameter;
mod source;
mod table;
mod value;

pub use amount::Dimension;
pub use configuration::{Configuration, Raid, Volume};
pub use datum::{Datum, DatumKind, Mechanism, Obtained};
pub use parameter::Parameter;
pub use source::{Setup, Source};
pub use table::{Cell, Point, Question};
pub use value::{Bound, DatumValue};

/// The file that holds parameters and not a source.
const PARAMETERS: &str = "parameters.toml";
/// Read by [`crate::posterior`].
const FIT: &str = "fit.toml";
const FITTED: &str = "fitted.toml";
/// How well the fit predicts: no source either.
const ACCURACY: &str = "accuracy.toml";

/// What each code of the calibration's loader means, for `plimsoll explain`.
pub static CODES: &[(&str, &str)] = &[
    ("CAL001", "A calibration file is refused for a number needs a unit: see calibration/README.md."),
    (
        "CAL002",
        "A calibration file is refused for a datum without `obtained`, a parameter without `origin`: see calibration/README.md.",
    ),
    ("CAL003", "A calibration file is refused for a text that is no quantity: see calibration/README.md."),
    (
        "CAL004",
        "A calibration file is refused for a unit stated twice: in the text and as `unit`: see calibration/README.md.",
    ),
    ("CAL005", "A calibration file is refused for a quantity written as a bare number: see calibration/README.md."),
    ("CAL006", "A calibration file is refused for unknown setup: see calibration/README.md."),
    ("CAL007", "A calibration file is refused for an id or name used twice: see calibration/README.md."),
    ("CAL008", "A calibration file is refused for an id that is not of its file: see calibration/README.md."),
    ("CAL009", "A calibration file is refused for a datum without what its kind needs: see calibration/README.md."),
    ("CAL010", "A calibration file is refused for a tied name that is not in the order: see calibration/README.md."),
    (
        "CAL011",
        "A calibration file is refused for a range, bound, spread or parameter outside its limits: see calibration/README.md.",
    ),
    ("CAL012", "A calibration file is refused for unknown schema: see calibration/README.md."),
    (
        "CAL013",
        "A calibration file is refused for a `[[configuration]]` cell that cannot be read: see calibration/README.md.",
    ),
    ("CAL014", "A calibration file is refused for an empty text, a date that is none: see calibration/README.md."),
    ("CAL015", "A calibration file is refused for a derived parameter that names no data: see calibration/README.md."),
    (
        "CAL016",
        "A calibration file is refused for a replacement for a parameter that does not exist, or of another kind: see calibration/README.md.",
    ),
    ("CAL017", "A calibration file is refused for a folder or file that cannot be read: see calibration/README.md."),
];

/// All sources and parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Calibration {
    /// By id.
    pub sources: BTreeMap<String, Source>,
    /// By id.
    pub parameters: BTreeMap<String, Parameter>,
    /// What the data made of the free parameters.
    pub posterior: Posterior,
    /// Fingerprint of all texts that it was read from.
    pub fingerprint: u64,
    /// The parameters that a folder brought.
    laid_over: BTreeSet<String>,
}

/// The source of a datum or of one of its figures, by its id, which begins with that of the source and a dash: the loader refuses others.
pub fn source_of(datum: &str) -> &str {
    datum.split_once('-').map_or(datum, |(source, _)| source)
}

impl Calibration {
    /// What the binary brings. Broken files are a bug, found by a test: they panic with the report.
    pub fn embedded() -> Self {
        match Self::load(None) {
            Ok(calibration) => calibration,
            Err(diagnostics) => panic!("the calibration inside the binary must be right:\n{}", diagnostics.render()),
        }
    }

    /// What the binary brings, under the files of a folder, its parameters after the fit.
    pub fn load(over: Option<&Path>) -> Result<Self, Box<Diagnostics>> {
        let posterior = Posterior::load(over)?;
        Self::load_with(over, posterior)
    }

    /// The same before the fit: what is known of the parameters without any datum.
    pub fn uncalibrated(over: Option<&Path>) -> Result<Self, Box<Diagnostics>> {
        let posterior = Posterior::load(over)?;
        Self::load_with(over, Posterior::of_prior(posterior.free))
    }

    /// The same after a fit of one's own.
    pub fn load_with(over: Option<&Path>, posterior: Posterior) -> Result<Self, Box<Diagnostics>> {
        let mut diagnostics = Diagnostics::default();
        let mut files: Vec<(String, String)> =
            embedded::FILES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        if let Some(folder) = over {
            files.extend(folder::read(folder, &diagnostics));
        }
        let calibration = Self::read(files, posterior, &mut diagnostics);
        finished(calibration, diagnostics)
    }

    /// From paths and texts. A later file of the same name replaces an earlier one, but for
    /// `parameters.toml`, which replaces single parameters.
    pub fn from_files(files: &[(&str, &str)]) -> Result<Self, Box<Diagnostics>> {
        let mut diagnostics = Diagnostics::default();
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let calibration = Self::read(files.collect(), Posterior::default(), &mut diagnostics);
        finished(calibration, diagnostics)
    }

    fn read(files: Vec<(String, String)>, posterior: Posterior, diagnostics: &mut Diagnostics) -> Self {
        let fingerprint = document::fingerprint(files.iter().map(|(_, text)| text.as_str()));
        let mut sources = BTreeMap::new();
        let mut parameters = Vec::new();
        for (path, text) in files {
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let id = diagnostics.add_source(path, text);
            if name == PARAMETERS {
                parameters.push(id);
            } else if ![FIT, FITTED, ACCURACY].contains(&name.as_str()) {
                let stem = name.strip_suffix(".toml").unwrap_or(&name);
                sources.insert(stem.to_owned(), id);
            }
        }
        let (mut factors, own) = (posterior.factors(), posterior.own_factors());
        let mut calibration = Self { posterior, fingerprint, ..Self::default() };
        for (stem, id) in sources {
            if let Some(root) = document::parse(id, diagnostics) {
                let source = source::read(&Reader::new(&root, diagnostics), &stem);
                calibration.sources.insert(stem, source);
            }
        }
        for id in parameters {
            if let Some(root) = document::parse(id, diagnostics) {
                let reader = Reader::new(&root, diagnostics);
                let before = calibration.parameters.clone();
                parameter::read_all(&reader, &mut calibration.parameters);
                for (name, old) in before {
                    if calibration.parameters[&name] != old {
                        calibration.laid_over.insert(name);
                    }
                }
            }
            // What a folder lays over the binary's parameters is taken as it stands.
            for (name, factor) in std::mem::take(&mut factors).of_parameters() {
                if let Some(parameter) = calibration.parameters.get_mut(name) {
                    parameter.fit(factor);
                }
            }
        }
        // But for what a measurement of the user's own made of it.
        for (name, factor) in own.of_parameters() {
            let parameter = calibration.parameters.get_mut(name);
            if let Some(parameter) = parameter.filter(|_| calibration.laid_over.contains(name)) {
                parameter.fit(factor);
            }
        }
        calibration
    }

    /// The datum of that id.
    pub fn datum(&self, id: &str) -> Option<&Datum> {
        let mut data = self.sources.get(source_of(id))?.data.iter();
        data.find(|datum| datum.id == id)
    }

    /// All data, by source and in the order of its file.
    pub fn data(&self) -> impl Iterator<Item = &Datum> {
        self.sources.values().flat_map(|source| &source.data)
    }

    /// The parameter of that id.
    pub fn parameter(&self, id: &str) -> Option<&Parameter> {
        self.parameters.get(id)
    }

    /// Whether a number is a parameter that a folder brought.
    pub fn is_laid_over(&self, number: &NumberId) -> bool {
        matches!(number, NumberId::Parameter(id) if self.laid_over.contains(id))
    }

    /// A figure of a datum in its base unit; none where the source gives only a range.
    pub fn value(&self, datum_id: &str, name: &str) -> Option<f64> {
        self.datum(datum_id)?.value(name)?.value
    }

    /// A sentence for each id that an origin names and that is neither a datum nor a reference.
    ///
    /// Looks at the parameters and at `facts`, each with where it stands.
    ///
    /// ```
    /// use plimsoll_ground::origin::Origin;
    /// use plimsoll_model::calibration::Calibration;
    /// let references = ["KB2957", "LAZOWSKA1984", "P4HELP", "P4LOGS", "SAG", "SDP"].map(str::to_owned).into();
    /// let origin = Origin::Source { ids: vec!["N13-mount-bth".to_owned()] };
    /// let fact = ("models/protocols/nfsv3.toml, cost".to_owned(), &origin);
    /// let sentences = Calibration::embedded().check_origins(&references, std::iter::once(fact));
    /// assert_eq!(sentences, [
    ///     "models/protocols/nfsv3.toml, cost: no datum or reference \"N13-mount-bth\"; did you mean \"N13-mount-both\"?",
    /// ]);
    /// ```
    pub fn check_origins<'a>(
        &self,
        references: &BTreeSet<String>,
        facts: impl Iterator<Item = (String, &'a Origin)>,
    ) -> Vec<String> {
        let data = self.data().map(|datum| datum.id.as_str());
        let known: BTreeSet<&str> = data.chain(references.iter().map(String::as_str)).collect();
        let mut sentences = Vec::new();
        let mut check = |place: &str, origin: &Origin| {
            for id in origin.ids().iter().filter(|id| !known.contains(id.as_str())) {
                let near = nearest_in_words(id, known.iter().copied());
                sentences.push(format!("{place}: no datum or reference {id:?}{near}"));
            }
        };
        for parameter in self.parameters.values() {
            check(&NumberId::parameter(&parameter.id).to_string(), &parameter.value.origin);
        }
        for (place, origin) in facts {
            check(&place, origin);
        }
        sentences
    }
}

fn finished(calibration: Calibration, diagnostics: Diagnostics) -> Result<Calibration, Box<Diagnostics>> {
    if diagnostics.has_errors() { Err(Box::new(diagnostics)) } else { Ok(calibration) }
}

/// Reports a problem with a file as a whole.
fn unreadable(diagnostics: &Diagnostics, message: String, help: &str) {
    diagnostics.push(Diagnostic::error("CAL017", message).help(help));
}
