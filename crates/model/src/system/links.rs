//! Transfers that a link holds up: while the network and the client have the blocks before, the link has the next,
//! and the transfer is done when both are. What a command does before its transfer is beside nothing on the link.
//!
//! The later of the two means is taken: many blocks share a link, and their stay hardly varies; where few do and both
//! are alike, it is too short by part of their spread.

use super::balance::Frame;
use crate::queueing::{Flows, Network};

/// A command that is done later than its own work and the usual stays say: it waits for a link at its end, or is at a
/// station with others who were let go with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Late {
    /// By index.
    pub(super) piece: usize,
    /// The slowest link, or where most of it is.
    pub(super) station: usize,
    /// By so long \[s\].
    pub(super) seconds: f64,
}

impl Frame<'_, '_> {
    /// Who waits for a link when all else is done, in a network that was solved with these flows.
    pub(super) fn late(&self, network: &Network, flows: &Flows, stretch: &[Vec<f64>]) -> Vec<Late> {
        // Of a group's own blocks on a link, or of all the work for later.
        let longer = |group: usize, k: usize| {
            let own = self.blocks_on(k, group);
            let class = self.demands.len() + own.unwrap_or(self.threads.len());
            let demand = match own {
                Some(own) => self.threads[own].demands[k],
                None => network.classes[class].demands[k],
            };
            if demand > 0.0 { flows.residence(class)[k] / demand } else { 1.0 }
        };
        let at_drives = self.at_drives(flows);
        let pieces = self.pieces.iter().enumerate();
        let late = pieces.flat_map(|(piece, of)| {
            let stays = of.cost.hidden().iter();
            let stays = stays.map(|(k, seconds)| (k, seconds * longer(of.group, k)));
            let slowest = stays.max_by(|a, b| a.1.total_cmp(&b.1));
            let at_link = slowest.and_then(|(station, stay)| {
                let seconds = stay - of.meanwhile().stretched(&stretch[of.group]);
                (seconds > 0.0).then_some(Late { piece, station, seconds })
            });
            let at_drive = self.late_at_drives(piece, stretch, &at_drives);
            at_link.into_iter().chain(at_drive)
        });
        late.collect()
    }
}
