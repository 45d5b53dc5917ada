//! How long a large sync takes while as many run at once as the site states.
//!
//! Asymptotic bounds (Denning and Buzen 1978, "The operational analysis of queueing network models", ACM Computing Surveys 10(3)):
//! N clients that are always in flight take at least N times what one asks of a station which all of them use, over the part of it
//! that other work leaves free; and never less than one takes at the usual peak. Waiting for table locks is in the usual time
//! alone, so that this is a lower bound, near the truth where one station limits all of them.

use super::balance::Frame;
use super::prediction::{ClassPrediction, Interval};
use super::solve::State;
use crate::workload::Work;

/// The least part of a station that other work leaves free: a peak that is steady fills none.
const FREE_LEAST: f64 = 1e-6;

/// Time of a large sync of each office while all that are stated run at once, spread as they usually are; none where no number is
/// stated. `usual` are the kinds of work at the peak.
pub(super) fn classes(frame: &Frame<'_, '_>, state: &State, usual: &[ClassPrediction]) -> Vec<ClassPrediction> {
    let groups = &frame.load.groups;
    let large = |g: &usize| groups[*g].clients.are_large_syncs();
    let large: Vec<usize> = (0..groups.len()).filter(large).collect();
    let rates: f64 = large.iter().map(|g| state.rates[*g]).sum();
    let Some(count) = frame.load.large_syncs_at_once.filter(|_| rates > 0.0) else {
        return Vec::new();
    };
    // Seconds of each station, all of its servers busy, until as many have passed as run at once.
    let passed = |k: usize| {
        let servers = frame.servers(k);
        let asked: f64 = large.iter().map(|g| state.rates[*g] * frame.work(*g, k)).sum();
        let others = state.utilization[k] - asked / servers;
        let alone = count / rates * asked / servers;
        (alone / (1.0 - others).clamp(FREE_LEAST, 1.0), alone)
    };
    let passed: Vec<(f64, f64)> = (0..state.utilization.len()).map(passed).collect();
    let class = |g: &usize| {
        let clients = &groups[*g].clients;
        let one = usual.iter().find(|class| class.work.clients == *clients)?;
        let shared = passed.iter().enumerate();
        let shared = shared.filter(|(k, _)| frame.work(*g, *k) > 0.0);
        let (slowest, (least, alone)) = shared.max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let work = Work::at_once(clients);
        let mut class = ClassPrediction {
            name: work.to_string(),
            work,
            mean: Interval::exact(*least),
            p95: Interval::exact(*least),
            throughput: 0.0,
            // A line or network passes no more, and other work may take less of it than is estimated.
            least: if frame.plant.is_link(slowest) { *alone } else { 0.0 },
            rate: one.rate.map(|rate| rate * one.mean.value / least),
            parts: vec![(frame.plant.kind(slowest), *least)],
            simulated: None,
        };
        class.at_least(one);
        Some(class)
    };
    large.iter().filter_map(class).collect()
}
