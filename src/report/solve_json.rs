//! Answers of `solve` as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::estimate::RunJson;
use super::json::{Busy, Estimate, Made, Percentile, list, object};
use super::solve::{Compared, Point, Solved, Sweep};
use super::solve_compare::relative;
use crate::document;
use crate::network::{self, Answer, ClassAnswer, ClassAtStation, ClassBounds, File, Method, Unsolved};
use crate::sim;

/// A number that an analytic method found, or one with its 95 % interval where it was simulated.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Number {
    /// Found by analysis.
    Exactly(f64),
    /// Simulated.
    About(Estimate),
}

impl Number {
    fn of(answer: &Answer, found: sim::Estimate) -> Self {
        if answer.run.is_some() { Self::About(Estimate::of(found)) } else { Self::Exactly(found.value) }
    }
}

object! {
    /// What every answer about a network says of itself.
    NetworkHeader of (file: &File) {
        #[serde(flatten)] made: Made<NetworkInput> = Made::from(NetworkInput::of(file));
        title: String = file.title.clone(), "The file's.";
        source: Option<String> = file.source.clone(), "Where the network comes from, as the file says, or null.";
        warnings: Vec<String> = file.warnings.clone(), "Warnings about the file.";
    }

    /// What an answer about a network was made from.
    NetworkInput of (file: &File) [let texts = [&file.text].into_iter().chain(&file.overrides);] {
        network: String = file.name.clone(), "The file as named.";
        network_hash: String = super::hash(document::fingerprint(texts.map(String::as_str))), "Hash of its text and the overrides.";
    }

    /// `solve`.
    NetworkSolved of (solved: &Solved<'_>) {
        #[serde(flatten)] header: NetworkHeader = NetworkHeader::of(solved.file);
        #[serde(flatten)] answer: NetworkAnswer = NetworkAnswer::of(solved.answer);
        method: &'static str = solved.answer.method.word(), "The requested method.";
        bounds: Vec<Bounds> = list(solved.bounds, Bounds::of), "Bounds of each class.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] run: Option<RunJson> = solved.answer.run.as_ref().map(|outcome| RunJson::of(solved.ran(outcome))), "How it was simulated.";
    }

    /// `solve --method bounds`.
    NetworkBounds of (file: &File, bounds: &[ClassBounds]) {
        #[serde(flatten)] header: NetworkHeader = NetworkHeader::of(file);
        method: &'static str = "bounds", "The requested method: bounds.";
        bounds: Vec<Bounds> = list(bounds, Bounds::of), "Bounds of each class.";
    }

    /// `solve` where there is no steady state (exit code 1).
    NetworkUnsolved of (file: &File, method: Method, why: &Unsolved) {
        #[serde(flatten)] header: NetworkHeader = NetworkHeader::of(file);
        #[serde(flatten)] why: NoAnswer = NoAnswer::of(why);
        method: &'static str = method.word(), "The requested method.";
    }

    /// `solve --compare`.
    NetworkSideBySide of (file: &File, compared: &[Compared]) [
        let first = compared.iter().find_map(|(_, outcome)| outcome.as_ref().ok());
    ] {
        #[serde(flatten)] header: NetworkHeader = NetworkHeader::of(file);
        compare: Vec<ByMethod> = list(compared, |(method, outcome)| ByMethod::of(*method, outcome, first)), "Each method.";
    }

    /// What a method found, or why nothing.
    ByMethod of (method: Method, outcome: &Result<Answer, Unsolved>, first: Option<&Answer>) [
        let both = outcome.as_ref().ok().zip(first).filter(|(answer, first)| !std::ptr::eq(*answer, *first));
    ] {
        method: &'static str = method.word(), "The method.";
        #[serde(flatten)] answer: Option<NetworkAnswer> = outcome.as_ref().ok().map(NetworkAnswer::of);
        #[serde(flatten)] why: Option<NoAnswer> = outcome.as_ref().err().map(NoAnswer::of);
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] difference: Option<Difference> = both.map(|(answer, first)| Difference::of(first, answer)), "Of all but the first answer: the difference relative to that.";
    }

    /// `solve --sweep`.
    NetworkSwept of (file: &File, sweep: &Sweep) {
        #[serde(flatten)] header: NetworkHeader = NetworkHeader::of(file);
        sweep: String = sweep.key.clone(), "The key that is varied.";
        points: Vec<SweepPoint> = list(&sweep.points, SweepPoint::of), "Each value.";
    }

    /// What was found at a value, or why nothing.
    SweepPoint of (point: &Point) [let found = point.outcome.as_ref();] {
        value: f64 = point.value, "The value.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] method: Option<&'static str> = found.ok().map(|answer| answer.method.word()), "The requested method.";
        #[serde(flatten)] answer: Option<NetworkAnswer> = found.ok().map(NetworkAnswer::of);
        #[serde(flatten)] why: Option<NoAnswer> = found.err().map(NoAnswer::of);
    }

    /// What a method found of a network.
    NetworkAnswer of (answer: &Answer) {
        solved_by: String = answer.solved_by.clone(), "The method used, in words.";
        iterations: u64 = answer.iterations, "Iterations, states, or events of a simulation.";
        classes: Vec<Class> = list(&answer.classes, |class| Class::of(answer, class)), "Classes of customers.";
        stations: Vec<Station> = list(0..answer.stations.len(), |idx| Station::of(answer, idx)), "Stations.";
        locks: Vec<Lock> = list(&answer.locks, |lock| Lock::of(answer, lock)), "Locks.";
        pools: Vec<Pool> = list(&answer.pools, |pool| Pool::of(answer, pool)), "Pools.";
        caches: Vec<Cache> = list(&answer.caches, |(name, hits)| Cache::of(answer, name, *hits)), "Caches.";
        bottleneck: Option<Busy> = answer.bottleneck().map(|(name, busy)| Busy::of(name, busy)), "The busiest station; null where there are only delays.";
        notes: Vec<String> = answer.notes.clone(), "What the method simplified.";
    }

    /// A class of customers.
    Class of (answer: &Answer, class: &ClassAnswer) [let stations = answer.stations.iter().zip(&class.stations);] {
        name: String = class.name.clone();
        throughput_per_s: Number = Number::of(answer, class.throughput), "Completions.";
        response_time_s: Number = Number::of(answer, class.response), "Mean response time.";
        number: Number = Number::of(answer, class.number), "Mean number in the system.";
        knee_population: Option<f64> = class.knee, "Customers at which the asymptotes cross; null for open classes.";
        response_time_percentiles: Vec<Percentile> = list(&class.quantiles, Percentile::of), "Empty where there are means only.";
        stations: Vec<ClassThere> = list(stations, |(station, at)| ClassThere::of(&station.name, at)), "The class at each station.";
    }

    /// A station.
    Station of (answer: &Answer, idx: usize) [let station = &answer.stations[idx];] {
        name: String = station.name.clone();
        utilization: Number = Number::of(answer, station.utilization), "Busy fraction of a server.";
        queue_length: Number = Number::of(answer, station.queue_length), "Mean number, waiting and in service.";
        residence_time_s: Number = Number::of(answer, station.residence), "Mean time of a customer of any class.";
        throughput_per_s: Number = Number::of(answer, station.throughput), "Visits.";
        classes: Vec<ClassThere> = list(&answer.classes, |class| ClassThere::of(&class.name, &class.stations[idx])), "Each class there.";
    }

    /// A class at a station.
    ClassThere of (name: &str, at: &ClassAtStation) {
        name: String = name.to_owned(), "Of the station, or of the class.";
        utilization: f64 = at.utilization, "Busy fraction of a server.";
        queue_length: f64 = at.queue_length, "Mean number, waiting and in service.";
        residence_time_s: f64 = at.residence, "Mean time over all visits.";
        throughput_per_s: f64 = at.throughput, "Visits.";
    }

    /// A readers–writer lock.
    Lock of (answer: &Answer, lock: &network::LockAnswer) {
        name: String = lock.name.clone();
        exclusive_fraction: Number = Number::of(answer, lock.exclusive), "Share of the time in which a writer holds it.";
        waiting: Number = Number::of(answer, lock.waiting), "Mean number of waiting customers.";
        read_wait_s: f64 = lock.read_wait, "Mean wait of a reader.";
        write_wait_s: f64 = lock.write_wait, "Mean wait of a writer.";
    }

    /// A pool of tokens.
    Pool of (answer: &Answer, pool: &network::PoolAnswer) {
        name: String = pool.name.clone();
        taken: Number = Number::of(answer, pool.taken), "Mean number of tokens taken.";
        waiting: Number = Number::of(answer, pool.waiting), "Mean number of waiting customers.";
    }

    /// A cache.
    Cache of (answer: &Answer, name: &str, hits: sim::Estimate) {
        name: String = name.to_owned();
        hit_fraction: Number = Number::of(answer, hits), "Share of the requests that it answers.";
    }

    /// Bounds of a class.
    Bounds of (class: &ClassBounds) [let high = class.throughput_high;] {
        name: String = class.name.clone();
        kind: &'static str = class.kind, "What kind of bounds.";
        throughput_low_per_s: Option<f64> = class.throughput_low, "Least throughput; null where there is no bound.";
        throughput_high_per_s: Option<f64> = high.is_finite().then_some(high), "Greatest throughput; null where there is no bound.";
        response_time_low_s: f64 = class.response_low, "Least response time.";
        response_time_high_s: Option<f64> = class.response_high, "Greatest response time; null where there is no bound.";
        knee_population: Option<f64> = class.knee, "Customers at which the asymptotes cross; null for open classes.";
        limited_by: Option<String> = class.limited_by.clone(), "The station that limits the throughput.";
    }

    /// Why there is no answer.
    NoAnswer of (why: &Unsolved) [
        let saturated = match why {
            Unsolved::Saturated { what, utilization } => Some(SaturatedStation::of(what, *utilization)),
            _ => None,
        };
    ] {
        error: String = why.to_string(), "In place of the answer: why there is none.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] saturated: Option<SaturatedStation> = saturated, "What has no steady state (exit code 1).";
    }

    /// A station or a lock that has no steady state.
    #[schemars(rename = "Saturated")]
    SaturatedStation of (what: &str, utilization: f64) {
        what: String = what.to_owned(), "The station or lock.";
        utilization: f64 = utilization, "Work that arrives over work that can be done.";
    }

    /// How far an answer is from the first.
    Difference of (first: &Answer, other: &Answer) {
        classes: Vec<ClassDifference> = list(first.classes.iter().zip(&other.classes), ClassDifference::of), "By class.";
        stations: Vec<StationDifference> = list(first.stations.iter().zip(&other.stations), StationDifference::of), "By station.";
    }

    /// How far a class is from that of the first answer.
    ClassDifference of ((a, b): (&ClassAnswer, &ClassAnswer)) {
        name: String = a.name.clone();
        throughput_fraction: Option<f64> = relative(a.throughput.value, b.throughput.value), "Of the throughput.";
        response_time_fraction: Option<f64> = relative(a.response.value, b.response.value), "Of the response time.";
    }

    /// How far a station is from that of the first answer.
    StationDifference of ((a, b): (&network::StationAnswer, &network::StationAnswer)) {
        name: String = a.name.clone();
        utilization_fraction: Option<f64> = relative(a.utilization.value, b.utilization.value), "Of the utilization.";
        queue_length_fraction: Option<f64> = relative(a.queue_length.value, b.queue_length.value), "Of the queue length.";
    }
}
