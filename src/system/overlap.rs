//! A client's own blocks that are at a link beside itself.
//!
//! What a link does for a large sync beyond what network and client hide is waited for, while the link still has the blocks that
//! are hidden: the client and its own blocks share the link then. For the network they are two classes, and one finds the other
//! there as often as on average; here it is there all the time. With one more job there for e of the time than on average, and a
//! share ρ of the link for who comes and goes, a stay is e/(1 − ρ) demands longer (processor sharing in a mixed network; Lazowska
//! et al. 1984, chapter 7.4).
//!
//! Where it is s demands otherwise the network is solved with 1 + e/((1 − ρ)·s) times the demand, so that others find both there
//! for as long as they are: where links and disks are as busy as each other that decides at which of them a client is.
//!
//! Knows classes and their stays; not whose tables are held meanwhile.
//!
//! Assumption: as much of the one is done beside the other, whichever of them begins.

use super::balance::{BUSY_MOST, Frame};
use super::solve::Piece;
use super::threads::Threads;
use crate::queueing::{Flows, Network};

/// Demands of a client and of its blocks, over what they are.
pub(super) type Times = [f64; 2];

/// A link where a client is beside its own blocks.
pub(super) struct Overlap {
    group: usize,
    /// Index of the blocks' class among threads.
    blocks: usize,
    link: usize,
    /// The part of what each of both does there that is done beside the other.
    parts: [f64; 2],
}

impl Overlap {
    /// All of them.
    pub(super) fn all(
        pieces: &[Piece<'_>],
        threads: &[Threads],
        demands: &[Vec<f64>],
    ) -> Vec<Self> {
        let mut all = Vec::new();
        let blocks = threads.iter().enumerate();
        for (t, own) in blocks.filter(|(_, own)| own.blocks) {
            for (link, hidden) in own.demands.iter().enumerate() {
                let of_group = pieces.iter().filter(|piece| piece.group == own.group);
                let both = of_group.map(|piece| piece.weight * together(piece, link));
                let both: f64 = both.sum();
                if both > 0.0 && *hidden > 0.0 {
                    all.push(Self {
                        group: own.group,
                        blocks: t,
                        link,
                        parts: [both / demands[own.group][link], (both / hidden).min(1.0)],
                    });
                }
            }
        }
        all
    }
}

/// How much a command waits for at a link while that has its blocks \[s\].
fn together(piece: &Piece<'_>, link: usize) -> f64 {
    let hidden = piece.cost.hidden().get(link);
    if hidden > 0.0 {
        piece.cost.after_tables(link).min(hidden)
    } else {
        0.0
    }
}

/// How many times a demand is to be for a stay of so many demands more, where one of so many demands came out of so many times.
fn times(more: f64, stay: f64, before: f64) -> f64 {
    1.0 + more / (stay / before).max(1.0)
}

impl Frame<'_, '_> {
    /// With how many times its demand each of both is solved, where it was solved with so many `before`.
    pub(super) fn beside_own(&self, flows: &Flows, rates: &[f64], before: &[Times]) -> Vec<Times> {
        let coming = self.coming(rates);
        let overlaps = self.overlaps.iter().zip(before);
        let times = overlaps.map(|(own, before)| {
            let both = self.both(own);
            let clients = self.threads[own.blocks].clients;
            let stays = both.map(|(class, _)| flows.residence(class)[own.link]);
            // For which share of the time each is there.
            let there = [0, 1].map(|i| flows.throughput[both[i].0] * stays[i] / clients);
            let free = 1.0 - (coming[own.link] / self.servers(own.link)).min(BUSY_MOST);
            [0, 1].map(|i| {
                let more = own.parts[i] * (1.0 - there[1 - i]).max(0.0) / free;
                times(more, stays[i] / both[i].1, before[i])
            })
        });
        times.collect()
    }

    /// Puts these into the network.
    pub(super) fn put_beside_own(&self, times: &[Times], network: &mut Network) {
        for (own, times) in self.overlaps.iter().zip(times) {
            for ((class, demand), times) in self.both(own).into_iter().zip(times) {
                network.classes[class].demands[own.link] = demand * times;
            }
        }
    }

    /// The classes of a client and of its blocks, with their demands at the link \[s\].
    fn both(&self, own: &Overlap) -> [(usize, f64); 2] {
        let (client, blocks) = (&self.demands[own.group], &self.threads[own.blocks].demands);
        [
            (own.group, client[own.link]),
            (self.demands.len() + own.blocks, blocks[own.link]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::times;
    use crate::queueing::{Class, Method, Network, Solver, Station};

    /// Stays over demands of a client and its blocks at a link, where that is all that they do but for so long elsewhere \[s\].
    fn stays(elsewhere: f64) -> [f64; 2] {
        let demands = [10.0, 10.0];
        let mut factors = [1.0; 2];
        let mut stays = [0.0; 2];
        for _ in 0..200 {
            let classes = [0, 1].map(|i| {
                let demands = vec![demands[i] * factors[i], elsewhere];
                Class::closed(["client", "blocks"][i], 1.0, 0.0, demands)
            });
            let stations = vec![Station::queueing("link", 1), Station::delay("elsewhere")];
            let network = Network::new(stations, classes.to_vec());
            let flows = Solver::new().flows(&network, Method::Linearizer, None);
            let flows = flows.unwrap();
            let there = [0, 1].map(|i| flows.throughput[i] * flows.residence(i)[0]);
            stays = [0, 1].map(|i| flows.residence(i)[0] / demands[i]);
            factors = [0, 1].map(|i| times(1.0 - there[1 - i], stays[i], factors[i]));
        }
        stays
    }

    #[test]
    fn who_is_beside_his_own_blocks_is_so_all_the_time() {
        // Both do as much: they come and go together, each for as long as both need. One of them comes round sooner alone than
        // beside the other, and finds it a little less often than it is there.
        for elsewhere in [1.0, 10.0, 100.0] {
            for stay in stays(elsewhere) {
                assert!((1.8..=2.0).contains(&stay), "{elsewhere}: {stay}");
            }
        }
    }
}
