//! Every JSON answer by its name, with its JSON Schema: what `plimsoll schema ANSWER` prints and `docs/json.md` is written from.

use schemars::Schema;
use serde_json::Value;

use super::advise::Emitted;
use super::bench::{Compared, Planned as PlannedBench};
use super::calibrate::Checked;
use super::collect::Collect;
use super::explain::Explained;
use super::init_began::{Initiated, InitiatedAdvised};
use super::measuring::Cleaned;
use super::models::Catalogued;
use super::rehearse::{Planned as PlannedRehearsal, RehearsedSideBySide};
use super::rehearse_points::RehearsedPoints;
use super::report::ReportWritten;
use super::simulated_log::SimulatedLog;
use super::trace::{TracedEvent, TracedHold};
use crate::bench::Measured;
use crate::diag::Errors;
use crate::rehearse::Rehearsed;
use crate::report::json::{Busy, Estimate, Interval, Percentile, schema};
use crate::report::serverlog::{Cost, ReplayedLog, WithoutLog, Workload};
use crate::report::{
    Advised, Against, BlendedJson, CalibratedJson, Experiments, FromToday, Header, KindOfWork, NetworkAnswer,
    NetworkBounds, NetworkHeader, NetworkSideBySide, NetworkSolved, NetworkSwept, NetworkUnsolved, Predicted,
    PredictedSideBySide, Prediction, Ranged, Reported, SimulatedJson, SimulatedLayout, SimulatedSideBySide, UsedNumber,
    WhyNotJson,
};

/// A name and what makes the schema.
type Named = (&'static str, fn() -> Schema);

/// Answers, each by its command: the words without spaces and dashes before options.
pub(super) const ANSWERS: [Named; 40] = [
    ("advise", schema::<Advised>),
    ("advise-from-today", schema::<FromToday>),
    ("advise-against", schema::<Against>),
    ("advise-why-not", schema::<WhyNotJson>),
    ("advise-emit", schema::<Emitted>),
    ("predict", schema::<Predicted>),
    ("predict-compare", schema::<PredictedSideBySide>),
    ("predict-experiment", schema::<Experiments>),
    ("simulate", schema::<SimulatedJson>),
    ("simulate-compare", schema::<SimulatedSideBySide>),
    ("simulate-log", schema::<SimulatedLog>),
    ("simulate-trace", schema::<TracedEvent>),
    ("simulate-trace-locks", schema::<TracedHold>),
    ("solve", schema::<NetworkSolved>),
    ("solve-bounds", schema::<NetworkBounds>),
    ("solve-saturated", schema::<NetworkUnsolved>),
    ("solve-compare", schema::<NetworkSideBySide>),
    ("solve-sweep", schema::<NetworkSwept>),
    ("workload", schema::<Workload>),
    ("workload-replay", schema::<ReplayedLog>),
    ("workload-without", schema::<WithoutLog>),
    ("calibrate", schema::<CalibratedJson>),
    ("calibrate-check", schema::<Checked>),
    ("calibrate-add", schema::<BlendedJson>),
    ("init", schema::<Initiated>),
    ("init-advise", schema::<InitiatedAdvised>),
    ("collect", schema::<Collect>),
    ("models", schema::<Catalogued>),
    ("explain", schema::<Explained>),
    ("bench", schema::<Measured>),
    ("bench-dry-run", schema::<PlannedBench>),
    ("bench-compare", schema::<Compared>),
    ("rehearse", schema::<Rehearsed>),
    ("rehearse-compare", schema::<RehearsedSideBySide>),
    ("rehearse-points", schema::<RehearsedPoints>),
    ("rehearse-dry-run", schema::<PlannedRehearsal>),
    ("clean", schema::<Cleaned>),
    ("report", schema::<ReportWritten>),
    ("report-json", schema::<Reported>),
    ("errors", schema::<Errors>),
];

/// Keys that several answers have in common.
const PARTS: [Named; 13] = [
    ("Interval", schema::<Interval>),
    ("Estimate", schema::<Estimate>),
    ("Factor", schema::<Ranged>),
    ("Busy resource", schema::<Busy>),
    ("Percentile", schema::<Percentile>),
    ("Used number", schema::<UsedNumber>),
    ("Site header", schema::<Header>),
    ("Prediction", schema::<Prediction>),
    ("Kind of work", schema::<KindOfWork>),
    ("Simulation", schema::<SimulatedLayout>),
    ("Network header", schema::<NetworkHeader>),
    ("Network", schema::<NetworkAnswer>),
    ("Cost in a log", schema::<Cost>),
];

/// The JSON Schema of each answer, and of the keys that several have in common.
///
/// ```
/// let [answers, parts] = plimsoll::cli::answers();
/// let (name, advise) = &answers[0];
/// assert_eq!(*name, "advise");
/// assert_eq!(advise["properties"]["recommendation"]["$ref"], "#/$defs/Recommendation");
/// assert!(parts.iter().any(|(name, _)| *name == "Prediction"));
/// ```
pub fn answers() -> [Vec<(&'static str, Value)>; 2] {
    let made = |all: &[Named]| all.iter().map(|(name, make)| (*name, make().to_value())).collect();
    [made(&ANSWERS), made(&PARTS)]
}
