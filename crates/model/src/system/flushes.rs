//! Flushes of commits on drives without protected memory before them: they occupy a drive that others read from and write to.
//!
//! Method: a commit has two resources at once, its place in the flush that is under way and the drive. The station of commits knows
//! the first; its flushes load the drives as work that nobody waits for, and what a flush waits there for others' work comes on top as
//! a surrogate delay (Jacobson and Lazowska 1982).

use super::balance::Frame;
use super::flow::LATER_MAX;
use super::links::Late;
use crate::queueing::Flows;
use crate::queueing::closed_forms::{group_commit, mmm};
use crate::workload::Arrival;

impl Frame<'_, '_> {
    /// Loads drives with the flushes that occupy them. Of commits that come at a rate λ to flushes of length D each takes
    /// λD + e^(−λD) along (group commit). D is longer by what open groups leave of the drives, and closed groups come at most as
    /// often as on an idle server.
    pub(super) fn flush(&mut self) {
        for (commits, arm) in &self.plant.arms {
            let alone = |g: usize| self.demands[g][*commits] * arm.share;
            let groups = 0..self.load.groups.len();
            let offered = groups.clone().map(|g| self.most_often(g) * alone(g));
            let split = self.plant.split_servers(arm.disks);
            let free = (self.free(arm.disks) * split).clamp(f64::MIN_POSITIVE, 1.0);
            let shared = group_commit(offered.sum::<f64>() / free, 1.0);
            let part = shared.map_or(0.0, |flushes| 1.0 / flushes.batch);
            self.flushes.insert(*commits, part);
            let work: Vec<f64> = groups.map(|g| alone(g) * part / split).collect();
            for (g, seconds) in work.into_iter().enumerate() {
                self.later[g][arm.disks] += seconds;
                self.unseen[g][arm.disks] += seconds;
            }
        }
    }

    /// Cycles of a group a second where nobody waits.
    fn most_often(&self, g: usize) -> f64 {
        match self.load.groups[g].arrival {
            Arrival::Open { rate } => rate,
            Arrival::Closed { population, .. } => self.cycle[g].map_or(0.0, |cycle| population / cycle),
        }
    }

    /// By station of commits: the drives, and how long a flush waits there for others over how long a commit stays. A flush finds what
    /// others' work keeps busy and none of its own kind, since one is under way at a time; the wait is that of M/M/m.
    pub(super) fn at_drives(&self, flows: &Flows) -> Vec<(usize, usize, f64)> {
        if self.plant.arms.is_empty() {
            return Vec::new();
        }
        let rates = &flows.throughput[..self.demands.len()];
        let busy = self.busy(rates);
        let waits = self.plant.arms.iter().map(|(commits, arm)| {
            let of_commits = rates.iter().zip(&self.demands);
            let of_commits: f64 = of_commits.map(|(rate, demands)| rate * demands[*commits]).sum();
            let of_flushes = of_commits * arm.share * self.flushes[commits];
            let servers = self.plant.servers(arm.disks);
            let all = busy[arm.disks] * self.plant.split_servers(arm.disks);
            let others = (all - of_flushes).clamp(0.0, LATER_MAX * servers);
            let wait = mmm(others, 1.0, servers as u32).map_or(0.0, |means| means.waiting_time);
            (*commits, arm.disks, arm.share * wait)
        });
        waits.collect()
    }

    /// Commands whose commits wait for drives.
    pub(super) fn late_at_drives(
        &self,
        piece: usize,
        stretch: &[Vec<f64>],
        waits: &[(usize, usize, f64)],
    ) -> Option<Late> {
        let of = &self.pieces[piece];
        let late = waits.iter().filter_map(|(commits, station, wait)| {
            let stay = of.waited().get(*commits) * stretch[of.group][*commits];
            let seconds = stay * wait;
            (seconds > 0.0).then_some(Late { piece, station: *station, seconds })
        });
        late.max_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }
}
