//! What goes around in the iteration of [`super::solve`], and the unknowns that it is mixed by.

use super::among::Among;
use super::balance::Frame;
use super::mixing::Mixing;
use super::threads::Threads;
use crate::queueing::Flows;

/// The share of a station's free time that closed groups' work for later may take.
pub(super) const LATER_MAX: f64 = 0.999;

/// What goes around.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// Share of what open groups leave free of each station that closed groups' work for later spares.
    pub(super) spare: Vec<f64>,
    /// Lock waits of each group a cycle, and waits for the last of its threads \[s\].
    pub(super) waits: Vec<f64>,
    /// How long the other threads of each parallel group are away a cycle \[s\].
    pub(super) apart: Vec<f64>,
}

impl Flow {
    /// Leaves less work for later: of what is spared half as much less, in the logarithm.
    pub(super) fn ease(&mut self) {
        for spare in &mut self.spare {
            *spare = spare.sqrt();
        }
    }
}

impl Frame<'_, '_> {
    /// A flow to begin with: nobody waits for a lock, and the clients of each closed group at stations for nobody but each
    /// other and open streams.
    pub(super) fn idle(&self) -> Flow {
        let groups = 0..self.load.groups.len();
        let groups: Vec<_> = groups.map(|group| self.among_themselves(group)).collect();
        let away = |threads: &Threads| {
            let group = threads.group;
            let Some(Among { stretch, .. }) = &groups[group] else {
                return 0.0;
            };
            let blocks = self.threads.iter().filter(|t| t.blocks && t.group == group);
            let slowest = blocks.map(|t| t.stay(stretch)).fold(0.0, f64::max);
            let stays = (threads.stay(stretch), slowest);
            threads.away(&self.demands[group], 0.0, stays, |k| stretch[k])
        };
        Flow {
            spare: self.spare_among(&groups),
            waits: vec![0.0; groups.len()],
            apart: self.threads.iter().map(away).collect(),
        }
    }

    /// What the network answers to: what is spare, by how many times lock waits make the idle cycles of closed
    /// groups longer, by how many times threads take longer
    /// for a cycle while they are away. Open groups come at their rate however long they wait.
    pub(super) fn unknowns(&self, flow: &Flow) -> Vec<f64> {
        let waits = self.cycle.iter().zip(&flow.waits);
        let waits = waits.filter_map(|(cycle, wait)| cycle.map(|seconds| 1.0 + wait / seconds));
        let apart = self.threads.iter().zip(&flow.apart);
        let apart = apart.map(|(threads, apart)| 1.0 + apart / threads.clients_cycle(self));
        let spare = flow.spare.iter().copied();
        let many = flow.spare.len() + self.cycle.len();
        let mut unknowns = Vec::with_capacity(many + flow.apart.len());
        unknowns.extend(spare.chain(waits).chain(apart));
        unknowns
    }

    /// The flow with these unknowns.
    pub(super) fn flow(&self, unknowns: &[f64]) -> Flow {
        let (spare, times) = unknowns.split_at(self.contended.len());
        let mut times = times.iter();
        let mut next = || times.next().map_or(1.0, |times| times.max(1.0));
        let cycles = self.cycle.iter();
        let waits = cycles.map(|cycle| cycle.map_or(0.0, |idle| (next() - 1.0) * idle));
        let waits = waits.collect();
        let threads = self.threads.iter();
        Flow {
            spare: spare.iter().map(|s| s.clamp(1.0 - LATER_MAX, 1.0)).collect(),
            waits,
            apart: threads.map(|t| (next() - 1.0) * t.clients_cycle(self)).collect(),
        }
    }

    /// How far the unknowns of a flow are from those of its image; threads that are away for longer or shorter
    /// than they should be count by their clients' cycles.
    pub(super) fn distance(&self, (flow, x): (&Flow, &[f64]), (image, g): (&Flow, &[f64]), flows: &Flows) -> f64 {
        let own = x.len() - self.threads.len();
        Mixing::distance(&x[..own], &g[..own]).max(self.astray(flow, image, flows))
    }

    /// How far threads are away for longer or shorter than they should, over their clients' cycles.
    fn astray(&self, flow: &Flow, image: &Flow, flows: &Flows) -> f64 {
        let pairs = flow.apart.iter().zip(&image.apart).zip(&self.threads);
        let astray = pairs.map(|((is, should), threads)| {
            let per_second = flows.throughput[threads.group];
            (is - should).abs() * per_second / threads.clients
        });
        astray.fold(0.0, f64::max)
    }
}
