//! Processors of a virtual machine that sleep while they are idle: the first work that comes to one waits until it is awake.
//!
//! A command wakes a processor once, when it comes; what it does there after its waits for devices finds the one that it left
//! ([`woken`], and [`crate::sim::Sleeper`] in the simulator). So the delay is greatest on an idle server and fades with load.
//!
//! What was measured is a virtual machine (`bench`'s idle.echo and idle.rows); on a server's own hardware nothing was, and there is
//! no delay there.

use super::balance::Frame;
use super::plant::Plant;
use super::resource::Spot;
use crate::queueing::closed_forms::woken;

/// The processors of a server, which sleep while they are idle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sleeping {
    pub(super) server: usize,
    pub(super) station: usize,
    pub(super) cores: u32,
    /// What waking takes after a long time \[s\].
    pub(super) delay: f64,
    /// The time in which they fall asleep \[s\].
    pub(super) after: f64,
}

impl Sleeping {
    /// Of all servers; none where they are no virtual machines.
    pub(super) fn all(plant: &Plant<'_>) -> Vec<Self> {
        if !plant.deployment.processors_sleep {
            return Vec::new();
        }
        let stations = plant.stations.iter().enumerate();
        let processors = stations.filter_map(|(station, (_, resource))| {
            let server = resource.server.filter(|_| resource.spot == Spot::Processor)?;
            (!plant.is_part(station)).then(|| Self {
                server,
                station,
                cores: plant.servers(station).round().max(1.0) as u32,
                delay: plant.parameter("wake.delay"),
                after: plant.parameter("wake.after"),
            })
        });
        processors.collect()
    }
}

impl Frame<'_, '_> {
    /// What each command waits on the mean until the processor of a server is awake, by server \[s\].
    pub(super) fn wakes(&self, rates: &[f64]) -> Vec<f64> {
        let mut wakes = vec![0.0; self.plant.deployment.servers()];
        for sleeping in &self.sleeping {
            let k = sleeping.station;
            let there = self.pieces.iter().filter(|p| p.server == sleeping.server);
            let commands: f64 = there.map(|piece| rates[piece.group] * piece.weight).sum();
            let groups = rates.iter().enumerate();
            let busy: f64 = groups.map(|(g, rate)| rate * self.work(g, k)).sum();
            let busy = busy * self.plant.split_servers(k);
            // A rate that is none is that of a load which is none.
            let share = woken(commands, busy, sleeping.cores, sleeping.after).unwrap_or(0.0);
            wakes[sleeping.server] = sleeping.delay * share;
        }
        wakes
    }
}
