//! How long clients who wait for nobody but each other and open streams stay at stations: where the iteration of
//! [`super::solve`] begins. Knows nothing of locks.

use super::balance::{Frame, crossing};
use crate::workload::Arrival;

/// Least share of a station's servers that is told to be left, so that no stay is without end.
const LEFT_LEAST: f64 = 1e-6;

/// Share of itself by which it may be missed how often clients come: a fiftieth of what a search settles at.
const NEAR: f64 = 1e-5;

/// A station where clients of a group wait for each other.
struct Station {
    index: usize,
    /// Share of its servers that is busy for the others, if all of them came once in an idle cycle.
    others: f64,
    /// Share that open streams leave.
    free: f64,
    /// Part of the demand that waits.
    queued: f64,
    /// What each of them waits for there \[s\].
    demand: f64,
}

/// The clients of a closed group, alone with open streams.
pub(super) struct Among {
    /// Cycles of all of them \[1/s\].
    pub(super) rate: f64,
    /// Residence over demand at each station.
    pub(super) stretch: Vec<f64>,
}

impl Frame<'_, '_> {
    /// The clients of a closed group, alone with open streams.
    ///
    /// Of N clients with a cycle C and work D at a server of which open streams leave a share f, each finds (N − 1)·D·s/C
    /// before him and stays s = 1/(f − (N − 1)·D/C) times his demand (Schweitzer 1979, one class); at several servers, each of
    /// which gets its part of the work, only one's share of the demand waits (Seidmann, Schweitzer and Shalev-Oren 1987).
    pub(super) fn among_themselves(&self, group: usize) -> Option<Among> {
        let Arrival::Closed { population, .. } = self.load.groups[group].arrival else {
            return None;
        };
        let idle = self.cycle[group]?;
        let mut stretch = vec![1.0; self.plant.stations.len()];
        let stations = (0..stretch.len()).map(|k| {
            let queued = 1.0 / self.servers(k);
            Station {
                index: k,
                others: (population - 1.0) * self.work(group, k) / idle * queued,
                free: self.free(k) * queued,
                queued,
                demand: self.demands[group][k],
            }
        });
        let stations: Vec<Station> = stations.filter(|station| station.others > 0.0).collect();
        let blocks = self.threads.iter();
        let blocks: Vec<_> = blocks.filter(|t| t.blocks && t.group == group).collect();
        // By how often clients come, over how often they would if nobody waited.
        let often = crossing(1.0, NEAR, |often| {
            let mut cycle = idle;
            for station in &stations {
                let left = station.free - station.others * often;
                let wait = (1.0 / left.max(LEFT_LEAST) - 1.0) * station.queued;
                stretch[station.index] = 1.0 + wait;
                cycle += station.demand * wait;
            }
            let held_up = blocks.iter().map(|blocks| blocks.hold_up(&stretch));
            idle / (cycle + held_up.fold(0.0, f64::max)) - often
        });
        Some(Among { rate: population / idle * often, stretch })
    }
}
