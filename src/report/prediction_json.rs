//! Predictions as JSON.

use std::collections::BTreeMap;

use super::advice_json::RangedAnswer;
use super::json::{Busy, Estimate, Interval, list, object};
use super::peak::kind_word;
use super::{Column, Header, Inputs};
use crate::advisor::{self, LayoutPrediction, NoForecast, criteria};
use crate::catalog::memory;
use crate::origin::{Origin, Sourced};
use crate::posterior::NumberId;
use crate::site::Target;
use crate::system::{self, Confirmation, PredictError, Used};
use crate::workload::mix::EMBEDDED;

object! {
    /// Which kind of work an object is about.
    #[derive(serde::Deserialize)]
    KindOfWork of (work: &crate::workload::Work) {
        class: String = work.to_string(), "The kind of work as printed.";
        #[serde(skip_deserializing)] clients: &'static str = work.clients.kind(), "Whose work it is: main office, office, automation, large syncs; in tests and scenarios benchmark, herd.";
        office: Option<String> = work.clients.office().map(str::to_owned), "The name of a distant office, else null.";
        work: String = work.what().to_owned(), "browse, edit, sync, submit, large sync, or a command in the background.";
        #[serde(skip_deserializing)] target: &'static str = work.target().map_or("none", Target::key), "The key under `[targets]` that judges it: `browse`, `edit`, `sync`, `large_sync`, `submit`; `none` where no person waits.";
    }

    /// What `advise` and `predict` share: the deployment under the load of the peak.
    #[derive(serde::Deserialize)]
    Prediction of (found: &system::Prediction) [let (resource, utilization) = found.bottleneck();] {
        predictions: Vec<Class> = list(&found.classes, Class::of), "Each kind of work.";
        #[serde(skip_deserializing)] resources: Vec<Resource> = list(&found.resources, Resource::of), "Each resource.";
        #[serde(skip_deserializing)] locks: Vec<Lock> = list(&found.locks, Lock::of), "Each table lock, busiest first.";
        #[serde(skip_deserializing)] long_holds: Vec<LongHold> = list(&found.long_holds, LongHold::of), "Holds of a table lock that are far longer than everything else.";
        bottleneck: Busy = Busy::of(&resource.to_string(), utilization), "The busiest resource or lock.";
        #[serde(skip_deserializing)] busiest: Option<Offered> = found.busiest.as_ref().map(Offered::of), "The resource or lock of which the arriving work may need most; null without intervals, or where nothing is busy.";
        #[serde(skip_deserializing)] large_syncs: LargeSyncs = LargeSyncs::of(found), "Large syncs at the peak.";
        #[serde(skip_deserializing)] memory: Memory = Memory::of(found), "Memory of the commit server as a cache.";
        #[serde(default)] method: String = found.method.clone(), "How the network was solved.";
        simulation: Option<Confirmed> = found.confirmed.as_ref().map(Confirmed::of), "The simulation that confirms the prediction; null without.";
    }

    /// The times of a kind of work.
    #[derive(serde::Deserialize)]
    Class of (class: &system::ClassPrediction) {
        #[serde(flatten)] work: KindOfWork = KindOfWork::of(&class.work);
        #[serde(default)] response_time_s: Interval = Interval::of(class.mean), "Mean response time.";
        response_time_p95_s: Interval = Interval::of(class.p95), "95th percentile of the response time.";
        #[serde(default)] throughput_per_s: f64 = class.throughput, "Completions.";
        rate_bytes_per_s: Option<f64> = class.rate, "Bytes to a client over the mean response time; null of work that is no transfer.";
        #[serde(skip_deserializing)] time_s: Vec<TimePart> = list(&class.parts, |(kind, s)| TimePart::of(kind_word(*kind), *s)), "Where the mean goes.";
        #[serde(skip_deserializing)] simulated: Option<Simulated> = class.simulated.as_ref().map(Simulated::of), "What a simulation found; null without one.";
    }

    /// A part of a response time.
    TimePart of (resource: &'static str, time_s: f64) {
        resource: &'static str = resource, "Kind of resource.";
        time_s: f64 = time_s, "Time there.";
    }

    /// How busy a resource is.
    Resource of (found: &system::ResourcePrediction) {
        name: String = found.resource.name.clone();
        kind: &'static str = kind_word(found.resource.kind()), "What it is.";
        utilization: f64 = found.utilization, "Share of its time in use.";
    }

    /// How long a table lock is held and waited for.
    Lock of (found: &system::LockPrediction) {
        name: String = found.lock.name.clone(), "Server and table.";
        hold_s: f64 = found.hold, "Mean hold.";
        write_wait_s: f64 = found.write_wait, "Mean wait of a writer.";
        read_wait_s: f64 = found.read_wait, "Mean wait of a reader.";
        utilization: f64 = found.utilization, "Share of its time in use.";
    }

    /// A hold of a table lock that is far longer than everything else.
    LongHold of (found: &system::LongHold) {
        holder: String = found.holder.to_string(), "The kind of work that holds it.";
        lock: String = found.lock.clone(), "Server and table.";
        hold_s: f64 = found.hold, "How long.";
        rate_per_s: f64 = found.rate, "How often.";
        met_by: Vec<MetBy> = list(&found.met_by, |(work, share)| MetBy::of(work, *share)), "The kinds of work that wait for it.";
    }

    /// A kind of work that waits for a long hold.
    MetBy of (work: &crate::workload::Work, share: f64) {
        class: String = work.to_string(), "The kind of work.";
        fraction: f64 = share, "Share of its commands that meet one.";
    }

    /// What the arriving work needs of the busiest resource or lock.
    Offered of (busiest: &system::Busiest) {
        name: String = busiest.resource.to_string();
        offered: Interval = Interval::of(busiest.utilization), "The share of its time that the arriving work needs; what is beyond 1 queues up.";
        overload_percent: Option<u32> = busiest.overload_chance(), "Chance that this is above 1; null where the interval does not reach 1.";
    }

    /// Large syncs at the peak.
    #[derive(Default)]
    LargeSyncs of (found: &system::Prediction) {
        in_flight: f64 = found.large_syncs_in_flight(), "How many are in flight: their rate times their mean time.";
    }

    /// Memory of the commit server as a cache.
    #[derive(Default)]
    Memory of (found: &system::Prediction) {
        db_hit_fraction: f64 = found.db_hit, "Share of db page reads found in memory.";
        archive_hit_fraction: f64 = found.depot_hit, "Share of archive bytes found in memory.";
    }

    /// A kind of work as it was simulated, with 95 % intervals.
    Simulated of (found: &system::Simulated) {
        response_time_s: Estimate = Estimate::of(found.mean), "Mean response time.";
        response_time_p95_s: Estimate = Estimate::of(found.p95), "95th percentile.";
        seen: u64 = found.seen, "Completions in the simulation.";
        is_shown: bool = found.is_shown, "Whether the simulated times replace the solved ones, which differ by more than both errors.";
    }

    /// The simulation that a prediction was confirmed by.
    #[derive(serde::Deserialize)]
    Confirmed of (found: &Confirmation) [
        let (steady, error) = match found {
            Confirmation::Steady(run) => (Some(run), None),
            Confirmation::Failed(reason) => (None, Some(reason.clone())),
        };
    ] {
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] events: Option<u64> = steady.map(|run| run.events), "Arrivals and completed services.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] time_s: Option<f64> = steady.map(|run| run.time), "Simulated time.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] is_steady: Option<bool> = steady.map(|_| true), "true.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] error: Option<String> = error, "In place of the others: why it confirms nothing.";
    }

    /// A number of catalogue, calibration, mix or criteria that an answer rests on.
    UsedNumber of (number: &Number<'_>) {
        name: String = number.name.clone();
        value: String = number.shown.clone(), "With its unit.";
        origin: &'static str = number.origin.kind(), "The kind of origin.";
        from: Vec<String> = number.origin.ids().to_vec(), "Ids of what it was taken from.";
        why: String = number.origin.to_string(), "The origin in words.";
        spread_fraction: f64 = number.spread, "One-sigma relative error.";
    }

    /// A layout under the load of the peak, or why there is no prediction of it.
    Layout of (inputs: &Inputs<'_>, name: &str, found: &Result<LayoutPrediction, NoForecast>) {
        layout: String = name.to_owned();
        #[serde(flatten)] forecast: Option<Forecasted> = found.as_ref().ok().map(|found| Forecasted::of(inputs, found));
        #[serde(flatten)] none: Option<Unpredicted> = found.as_ref().err().map(Unpredicted::of);
    }

    /// A layout under the load of the peak.
    Forecasted of (inputs: &Inputs<'_>, found: &LayoutPrediction) {
        edges: u32 = found.deployment.edges, "How many edges it has.";
        #[serde(flatten)] prediction: Prediction = Prediction::of(&found.prediction);
        memory_short: Option<String> = found.short.clone(), "Which server lacks how much memory at the peak (exit code 1), or null.";
        assumptions: Vec<RangedAnswer> = RangedAnswer::all(&inputs.site.assumptions(), &found.influences), "Assumed answers; the intervals do not contain their ranges.";
        measured: Vec<RangedAnswer> = RangedAnswer::all(inputs.site.measured_ranges(), &found.measured), "Measured answers that have a range.";
        with_open_answers: Vec<OpenTime> = list(found.open_times(), |open| OpenTime::of(&open)), "95th percentiles with all ranges of answers.";
    }

    /// The 95th percentile of a kind of work with all ranges of answers, 80 %.
    OpenTime of (open: &advisor::OpenTime) {
        #[serde(flatten)] work: KindOfWork = KindOfWork::of(&open.work);
        low_s: f64 = open.low, "Lower end.";
        high_s: Option<f64> = open.high, "Upper end; null where one of the answers overloads the layout.";
    }

    /// Why a layout is not predicted.
    Unpredicted of (reason: &NoForecast) {
        error: String = reason.to_string(), "In place of the prediction: why there is none.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] saturated: Option<Saturated> = Saturated::of(reason), "What has no steady state at the peak (exit code 1).";
    }

    /// `predict` of one layout.
    Predicted of (inputs: &Inputs<'_>, (name, found): &Column, missed: TargetsMissed) {
        #[serde(flatten)] header: Header = inputs.header();
        #[serde(flatten)] layout: Layout = Layout::of(inputs, name, found);
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] numbers: Option<Vec<UsedNumber>> = found.as_ref().ok().map(|found| numbers(&found.prediction)), "Every number that the prediction rests on.";
        targets_missed: TargetsMissed = missed, "By layout the targets that it misses, in words (exit code 1).";
    }

    /// `predict --compare`.
    PredictedSideBySide of (inputs: &Inputs<'_>, columns: &[Column], missed: TargetsMissed) {
        #[serde(flatten)] header: Header = inputs.header();
        compare: Vec<Layout> = list(columns, |(name, found)| Layout::of(inputs, name, found)), "Each layout.";
        targets_missed: TargetsMissed = missed, "By layout the targets that it misses, in words (exit code 1).";
    }
}

/// By layout the targets that it misses, in words.
pub(crate) type TargetsMissed = BTreeMap<String, Vec<String>>;

/// What has no steady state at the peak.
#[derive(serde::Serialize, schemars::JsonSchema)]
pub(crate) struct Saturated {
    /// The resource or lock.
    what: String,
    /// Work that arrives over work that can be done.
    utilization: f64,
    /// Its 80 % interval, or null.
    interval: Option<Interval>,
    /// The largest multiple of today's peak load that it keeps up with, below 1; null where it keeps up with next to nothing.
    keeps_up_with: Option<f64>,
}

impl Saturated {
    fn of(reason: &NoForecast) -> Option<Self> {
        let NoForecast::Saturated { error, asked, carries } = reason else {
            return None;
        };
        let (PredictError::Saturated { resource, utilization } | PredictError::Unsteady { resource, utilization }) =
            &**error
        else {
            return None;
        };
        let asked = asked.as_ref();
        Some(Self {
            what: resource.to_string(),
            utilization: *utilization,
            interval: asked.map(|asked| Interval::of(asked.utilization)),
            keeps_up_with: carries.as_ref().map(|less| less.factor),
        })
    }
}

/// A number that an answer rests on.
pub(crate) struct Number<'n> {
    pub(super) name: String,
    /// The id that `plimsoll explain` takes.
    pub(super) explained: String,
    /// With its unit.
    pub(super) shown: String,
    pub(super) origin: &'n Origin,
    /// One-sigma relative error.
    pub(super) spread: f64,
}

impl<'n> Number<'n> {
    /// A number of the catalogue or the calibration.
    pub(super) fn of(id: &NumberId, used: &'n Used) -> Self {
        Self {
            name: id.to_string(),
            explained: id.explained(),
            shown: used.shown.clone(),
            origin: &used.origin,
            spread: used.spread,
        }
    }

    /// A number of a table of its own.
    fn of_table(name: String, shown: String, origin: &'n Origin, spread: f64) -> Self {
        Self { explained: name.clone(), name, shown, origin, spread }
    }
}

/// The numbers that an answer rests on: those of the prediction, the mix of commands and the criteria's
/// factors.
pub(super) fn each_number(prediction: &system::Prediction) -> impl Iterator<Item = Number<'_>> {
    let used = prediction.used.iter();
    let used = used.map(|(number, used)| Number::of(number, used));
    let plain = |name, number: &'static Sourced<f64>| {
        let shown = number.value.to_string();
        Number::of_table(name, shown, &number.origin, number.spread)
    };
    let mix = EMBEDDED.numbers();
    let mix = mix.map(move |(name, number)| plain(name, number));
    let factors = criteria::EMBEDDED.iter();
    let factors = factors
        .map(move |((circumstance, criterion), number)| plain(format!("criteria {circumstance}.{criterion}"), number));
    let memory = memory::EMBEDDED.shown();
    let memory =
        memory.map(|(name, shown, origin, spread)| Number::of_table(format!("memory {name}"), shown, origin, spread));
    used.chain(mix).chain(memory).chain(factors)
}

/// The same for programs, with their origins.
pub(super) fn numbers(prediction: &system::Prediction) -> Vec<UsedNumber> {
    list(each_number(prediction), |number| UsedNumber::of(&number))
}
