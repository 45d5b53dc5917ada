//! Simulations as JSON.

use super::estimate::RunJson;
use super::json::{Busy, Estimate, Percentile, list, object};
use super::peak::kind_word;
use super::precision::Reached;
use super::prediction_json::{KindOfWork, Number, UsedNumber};
use super::simulation::Simulation;
use super::{Header, Inputs};
use crate::posterior::NumberId;
use crate::sim::{self, ActivityOutcome, LockOutcome, StationOutcome};
use crate::system::process::Activity;
use crate::system::{Deployment, ResourceKind, Used};

object! {
    /// `simulate`: a deployment under a site's load. Intervals are 95 % confidence intervals.
    #[schemars(rename = "Simulated")]
    SimulatedJson of (inputs: &Inputs<'_>, deployment: &Deployment, simulation: &Simulation) {
        #[serde(flatten)] header: Header = inputs.header();
        #[serde(flatten)] layout: SimulatedLayout = SimulatedLayout::of(deployment, simulation);
    }

    /// What is told of a simulation, alone and among others.
    #[schemars(rename = "Simulation")]
    SimulatedLayout of (deployment: &Deployment, simulation: &Simulation) [
        let (process, outcome) = (&simulation.process, &simulation.outcome);
        let activities = process.activities.iter().zip(&outcome.activities);
        let done = activities.filter(|(_, found)| found.completions > 0);
        let stations = outcome.stations.iter().zip(&process.kinds);
        let busy = stations.filter(|(station, _)| station.utilization.value > 0.0);
        let number = |(id, used): (&NumberId, &Used)| {
            UsedNumber::of(&Number::of(id, used))
        };
    ] {
        memory_short: Option<String> = simulation.short.clone(), "Which server lacks how much memory at the peak (exit code 1); else null.";
        layout: String = deployment.layout.clone(), "Id of the layout.";
        edges: u32 = deployment.edges, "How many edges it has.";
        scenario: Option<String> = simulation.scenario.clone(), "Title of the scenario; null for the steady peak.";
        predictions: Vec<Response> = list(done, |(activity, found)| Response::of(simulation, activity, found)), "Kinds of work that were completed.";
        resources: Vec<Station> = list(busy, |(station, kind)| Station::of(station, *kind)), "Resources that were used.";
        locks: Vec<LockJson> = list(&outcome.locks, |lock| LockJson::of(simulation, lock)), "Locks.";
        bottleneck: Option<Busy> = simulation.bottleneck().map(|(name, busy)| Busy::of(name, busy)), "The busiest resource.";
        run: RunWanted = RunWanted::of(simulation), "How it was simulated.";
        series: Option<SeriesJson> = outcome.series.as_ref().map(|one| SeriesJson::of(simulation, one)), "Of a scenario what went on in each piece of the first replication; else null.";
        numbers: Vec<UsedNumber> = list(&process.used, number), "Every number that the simulation rests on.";
    }

    /// How it was run, and how well every mean was to be known; these keys are null for a scenario and under `--compare`.
    RunWanted of (simulation: &Simulation) [let wanted = simulation.wanted.as_ref();] {
        #[serde(flatten)] run: RunJson = RunJson::of(simulation.ran());
        precision_wanted_fraction: Option<f64> = wanted.map(|wanted| wanted.precision), "The requested precision of each mean.";
        rare_fraction: Option<f64> = wanted.map(|wanted| wanted.rare), "Kinds of work with a smaller share of all completions do not prolong the simulation.";
        events_max: Option<u64> = wanted.map(|wanted| wanted.events_max), "Limit of one replication.";
        precision_sentence: Option<String> = simulation.precision(), "The precision that was reached, and how to get more.";
    }

    /// Times of a kind of work.
    Response of (simulation: &Simulation, activity: &Activity, found: &ActivityOutcome) [let half_width = found.response.half_width;] {
        #[serde(flatten)] work: KindOfWork = KindOfWork::of(&activity.work);
        response_time_s: Estimate = Estimate::of(found.response), "Mean response time.";
        response_time_half_width_s: Option<f64> = half_width.is_finite().then_some(half_width), "Of its interval; null where there is none.";
        response_time_percentiles: Vec<Percentile> = list(&found.quantiles, Percentile::of), "Percentiles of the response time.";
        longest_s: f64 = found.longest, "The longest response.";
        lock_wait_s: f64 = found.lock_wait, "Mean part of the response that waits for locks.";
        throughput_per_s: f64 = found.throughput.value, "Completions.";
        completions: u64 = found.completions, "Completions in the simulation.";
        precision_reached: Option<bool> = simulation.reached(found).map(|reached| reached == Reached::Yes), "Whether the mean has the requested precision; null where none was requested, as for a scenario.";
        model_factor_80: Option<f64> = simulation.model_factors.get(&activity.work).copied(), "Factor on either side of the 80 % interval that the model itself gives the time at the peak; null where it gives none.";
    }

    /// How busy a resource is, and how long it takes.
    Station of (station: &StationOutcome, kind: ResourceKind) {
        name: String = station.name.clone();
        kind: &'static str = kind_word(kind), "What it is.";
        utilization: f64 = station.utilization.value, "Share of its time in use.";
        utilization_interval: Estimate = Estimate::of(station.utilization), "The same with its interval.";
        queue_length: Estimate = Estimate::of(station.queue_length), "Mean number, waiting and in service.";
        residence_time_s: Estimate = Estimate::of(station.residence), "Mean time of a visit, waiting and in service.";
    }

    /// A table lock.
    #[schemars(rename = "SimulatedLock")]
    LockJson of (simulation: &Simulation, lock: &LockOutcome) {
        name: String = lock.name.clone(), "Server and table.";
        exclusive_fraction: Estimate = Estimate::of(lock.exclusive), "Share of the time in which a writer holds it.";
        shared_fraction: Estimate = Estimate::of(lock.shared), "Share of the time in which readers hold it.";
        waiting: Estimate = Estimate::of(lock.waiting), "Mean number of commands that wait for it.";
        users: Vec<LockUser> = list(&lock.users, |user| LockUser::of(simulation, user)), "Kinds of work that take it.";
        waited_for: Vec<WaitedFor> = list(&lock.blame, |blame| WaitedFor::of(simulation, blame)), "Which waits for which, longest total first.";
    }

    /// How a kind of work uses a lock.
    LockUser of (simulation: &Simulation, user: &sim::LockUseOutcome) {
        class: String = simulation.activity(user.activity).to_owned(), "The kind of work.";
        exclusive: bool = user.exclusive, "Whether it writes.";
        acquisitions: u64 = user.acquisitions, "How often it took the lock.";
        wait_s: f64 = user.wait, "Mean wait.";
        longest_wait_s: f64 = user.longest_wait, "Longest wait.";
        hold_s: f64 = user.hold, "Mean hold.";
    }

    /// A kind of work that waits for another.
    WaitedFor of (simulation: &Simulation, blame: &sim::Blame) {
        waiting: String = simulation.activity(blame.victim).to_owned(), "Which waits.";
        held_by: String = simulation.activity(blame.culprit).to_owned(), "Which holds the lock.";
        mean_waiters: f64 = blame.waiting, "Mean number of such waiters.";
    }

    /// What went on in equal pieces of time; of each a list with a figure for each piece.
    #[schemars(rename = "Series")]
    SeriesJson of (simulation: &Simulation, series: &sim::Series) [
        let process = &simulation.process;
        let (stations, locks) = (process.model.stations.iter(), process.model.locks.iter());
        let classes = process.activities.iter().enumerate();
    ] {
        piece_s: f64 = series.piece, "Length of a piece.";
        classes: Vec<ClassSeries> = list(classes, |(idx, activity)| ClassSeries::of(&activity.name, series, idx)), "Kinds of work.";
        resources: Vec<BusySeries> = list(stations.zip(&series.utilization), |(station, busy)| BusySeries::of(&station.name, busy)), "Resources.";
        locks: Vec<LockSeries> = list(locks.zip(&series.lock_waiting), |(lock, waiting)| LockSeries::of(&lock.name, waiting)), "Locks.";
    }

    /// A kind of work over time.
    ClassSeries of (name: &str, series: &sim::Series, idx: usize) {
        class: String = name.to_owned(), "The kind of work.";
        completions: Vec<u64> = series.completions[idx].clone(), "Completions.";
        response_time_s: Vec<f64> = series.response[idx].clone(), "Mean response times; 0 where nothing was completed.";
    }

    /// A resource over time.
    BusySeries of (name: &str, utilization: &[f64]) {
        name: String = name.to_owned();
        utilization: Vec<f64> = utilization.to_vec(), "Shares of the time in use.";
    }

    /// A lock over time.
    LockSeries of (name: &str, waiting: &[f64]) {
        name: String = name.to_owned(), "Server and table.";
        waiting: Vec<f64> = waiting.to_vec(), "Mean numbers of commands that wait for it.";
    }
}
