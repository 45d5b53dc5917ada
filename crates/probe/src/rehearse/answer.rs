//! The result of a rehearsal: what was measured and what was predicted, as it is saved and printed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bench::{BenchError, Measured, environment, read_toml};
use crate::diag::quoted;

/// Version of the format.
pub const SCHEMA: u32 = 1;
/// What `kind` says in every saved rehearsal.
pub const KIND: &str = "plimsoll rehearse";

/// What the mark of a saved rehearsal calls it.
pub const RESULT: &str = "a result of a rehearsal";

/// A figure with its 80 % interval; ends are missing where there is too little to tell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The figure.
    pub value: f64,
    /// Below it one time in ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Above it one time in ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// Everything that a rehearsal found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rehearsed {
    /// Version of the format.
    pub schema: u32,
    /// What the file is.
    pub kind: String,
    /// Version of the tool.
    pub tool: String,
    /// When it began, UTC.
    pub when: String,
    /// The site's name.
    pub site: String,
    /// Multiple of the site's peak load.
    pub load_ratio: f64,
    /// Size of data and large syncs over the site's.
    pub scale_ratio: f64,
    /// Seed of arrivals and sizes.
    pub seed: u64,
    /// Clients that think between their commands, and large syncs in flight.
    pub clients: u64,
    /// Warm-up that was left out \[s\].
    pub warm_up_s: f64,
    /// Time that was measured \[s\].
    pub measured_s: f64,
    /// Whether the commands' rate settled, as `bench` judges it.
    pub verdict: String,
    /// Whether work came faster than it was done.
    pub saturated: bool,
    /// The same of the prediction, with what is overloaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_saturated: Option<String>,
    /// How the tables were locked.
    pub locked_by: String,
    /// What the rehearsal changes of the site, stands in for, or could not do.
    pub notes: Vec<String>,
    /// Where it ran.
    pub environment: Environment,
    /// By kind of work.
    pub kinds: Vec<KindOfWork>,
    /// Who waited for whom, longest total first.
    pub locks: Vec<LockWait>,
    /// How busy what was, by the kernel's counters.
    pub utilised: Vec<Utilised>,
    /// The same by the model.
    pub predicted_utilised: Vec<Utilised>,
    /// Processor seconds of a unit of work: as the model has it for this core, of the real work, and as measured together.
    pub units: Vec<Named>,
    /// The probes of each volume, results of `plimsoll bench`.
    pub probes: Vec<Measured>,
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Such as `row read`.
    pub name: String,
    /// What the model says for a core of this speed \[s\].
    pub model_s: f64,
    /// What the real work costs \[s\].
    pub real_s: f64,
    /// What both cost together, which the prediction takes \[s\].
    pub measured_s: f64,
}

/// Where it ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// The machine.
    pub host: environment::Host,
    /// The folders of db, journal and depot.
    pub db_folder: String,
    /// The same of the journal.
    pub journal_folder: String,
    /// The same of the archives.
    pub depot_folder: String,
    /// The device below each of them, or what stands for one.
    pub devices: Vec<String>,
    /// Processors.
    pub cores: f64,
    /// Threads in place of processes, and why.
    pub processes: String,
    /// What was to know before the numbers are believed.
    pub warnings: Vec<String>,
}

/// One kind of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindOfWork {
    /// Which: "browse", "large sync".
    pub class: String,
    /// Commands that were measured.
    pub commands: u64,
    /// Commands a second that were planned if responses took no time; none for large syncs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_per_s: Option<f64>,
    /// Commands a second that were done.
    pub measured_per_s: f64,
    /// Mean response; none where nothing of the kind was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_mean_s: Option<Span>,
    /// Median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_p50_s: Option<Span>,
    /// 95th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_p95_s: Option<Span>,
    /// 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_p99_s: Option<Span>,
    /// The longest.
    pub measured_longest_s: f64,
    /// By the analytic model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_mean_s: Option<Span>,
    /// The same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_p95_s: Option<Span>,
    /// By the simulator, with the error of chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated_mean_s: Option<Span>,
    /// The same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated_p95_s: Option<Span>,
    /// Measured mean over predicted mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ratio: Option<f64>,
    /// Whether the measured mean lies in the prediction's interval, or cannot be told from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_is_inside: Option<bool>,
    /// Where the time goes, by cause.
    pub causes: Vec<Caused>,
}

impl KindOfWork {
    /// The cause by which it differs most, measured and predicted.
    pub(super) fn differs_by(&self) -> Option<&Caused> {
        let apart = |cause: &Caused| {
            let predicted = cause.predicted_s;
            predicted.map_or(0.0, |predicted| (cause.measured_s - predicted).abs())
        };
        let causes = self.causes.iter();
        causes.max_by(|a, b| apart(a).total_cmp(&apart(b)))
    }
}

/// A part of a mean response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Caused {
    /// `locks`, `storage`, `processor` or `network`.
    pub cause: String,
    /// Of the measured mean \[s\].
    pub measured_s: f64,
    /// Of the predicted one \[s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_s: Option<f64>,
}

/// Waiting of one kind of work for another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LockWait {
    /// Table.
    pub table: String,
    /// Who waited, and how it wanted the table.
    pub waiter: String,
    /// "exclusive" or "shared".
    pub waiter_mode: String,
    /// Who held it when it was asked for.
    pub holder: String,
    /// "exclusive" or "shared".
    pub holder_mode: String,
    /// Times.
    pub times: u64,
    /// All waiting together \[s\].
    pub waited_s: f64,
}

/// How busy something was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Utilised {
    /// What.
    pub name: String,
    /// Share of its time.
    pub busy_fraction: f64,
    /// Requests a second, where it counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_s: Option<f64>,
    /// Bytes a second, where it counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
}

impl Rehearsed {
    /// The file's text.
    pub fn to_toml(&self) -> Result<String, BenchError> {
        let body = toml::to_string(self)
            .map_err(|error| BenchError::Failed(format!("the result cannot be written: {error}")))?;
        Ok(format!("# Result of `plimsoll rehearse`; docs/rehearsal.md describes the keys.\n{body}"))
    }

    /// Reads a saved rehearsal.
    pub fn load(path: &std::path::Path) -> Result<Self, BenchError> {
        let rehearsed: Self = read_toml(path)?;
        let shown = quoted(&path.to_string_lossy());
        if rehearsed.schema != SCHEMA || rehearsed.kind != KIND {
            return Err(BenchError::Input(format!(
                "{shown}: schema {} of {}; this version reads schema {SCHEMA} of {KIND:?}",
                rehearsed.schema,
                quoted(&rehearsed.kind)
            )));
        }
        match rehearsed.check() {
            Ok(()) => Ok(rehearsed),
            Err(why) => Err(BenchError::Input(format!("{shown}: {why}"))),
        }
    }

    /// Whether its numbers can be: a sentence where not.
    pub(super) fn check(&self) -> Result<(), String> {
        /// Longer than any rehearsal \[s\].
        const TIME_MAX: f64 = 1e9;
        let is_time = |seconds: &f64| (0.0..=TIME_MAX).contains(seconds);
        for kind in &self.kinds {
            let spans = [
                kind.measured_mean_s,
                kind.measured_p50_s,
                kind.measured_p95_s,
                kind.measured_p99_s,
                kind.predicted_mean_s,
                kind.predicted_p95_s,
                kind.simulated_mean_s,
                kind.simulated_p95_s,
            ];
            let ends = spans.iter().flatten();
            let ends = ends.flat_map(|span| [Some(span.value), span.low, span.high]);
            let causes = kind.causes.iter();
            let causes = causes.flat_map(|cause| [Some(cause.measured_s), cause.predicted_s]);
            let can_be = ends.chain(causes).flatten().all(|time| is_time(&time));
            if !can_be || !kind.mean_ratio.is_none_or(|ratio| ratio >= 0.0) {
                let class = quoted(&kind.class);
                return Err(format!("{class} has a time that cannot be"));
            }
        }
        let shares = [self.load_ratio, self.scale_ratio, self.environment.cores];
        let times = [self.measured_s, self.warm_up_s];
        if shares.iter().chain(&times).all(is_time) {
            Ok(())
        } else {
            Err("a load, scale, time or number of processors cannot be".to_owned())
        }
    }
}

/// Whether a parsed file is a saved rehearsal.
pub fn is_rehearsal(table: &toml::Table) -> bool {
    table.get("kind").and_then(toml::Value::as_str) == Some(KIND)
}
