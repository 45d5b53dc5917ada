//! How much quieter stations are while somebody has tables for long.
//!
//! While a large sync reads its tables none of its own blocks are on a link, and who is shut out does not come
//! ([`super::pauses`]); the network has both there as often as on average. Where one server does all the work the stay over
//! the demand is s = (1 + n)/(1 − ρ), with n of those there who never think, and a share ρ of the server for all who come and
//! go (processor sharing in a mixed network; Lazowska et al. 1984, chapter 7.4). With o fewer of the one, and ρ' for those
//! of the other who are not shut out, it is (s·(1 − ρ) − o)/(1 − ρ').
//!
//! Knows who is there; not for how long tables are held ([`super::contention`]).
//!
//! Assumption: who is shut out does nothing of his command until he is let go.

use super::balance::Frame;
use super::links::Late;
use super::pauses::Pauses;
use crate::queueing::Flows;

/// Share of a station that all who come and go take at most while it is told how long others stay: assumed, so that nothing
/// becomes infinite on the way.
const BUSY_MOST: f64 = 0.95;

/// A section of a kind that is held for long.
pub(super) struct LongHold {
    pub(super) piece: usize,
    /// Of all sections, and of its piece's.
    pub(super) section: usize,
    pub(super) own: usize,
    pub(super) kind: usize,
}

/// What is done sooner under the locks of a section than usual stays say.
pub(super) struct Sooner {
    pub(super) piece: usize,
    /// Of all sections.
    pub(super) section: usize,
    pub(super) station: usize,
    /// By so long \[s\].
    pub(super) seconds: f64,
}

/// Who is at a station of one server while tables are held.
struct Others {
    /// Its busy share for those who come and go, on average and meanwhile.
    busy: f64,
    through: f64,
    /// How many of the client's own blocks are there on average.
    own: f64,
}

impl Others {
    /// Stay over demand meanwhile, where it is this on average.
    fn stay(&self, usual: f64) -> f64 {
        let closed = usual * (1.0 - self.busy) - self.own;
        closed.max(1.0) / (1.0 - self.through)
    }
}

impl Sooner {
    /// As something that is done later.
    pub(super) fn late(&self) -> Late {
        Late {
            piece: self.piece,
            station: self.station,
            seconds: -self.seconds,
        }
    }
}

impl Frame<'_, '_> {
    /// What is done sooner in long holds, where stays over demands are these on average.
    pub(super) fn quiet(
        &self,
        (pauses, long): (&Pauses, &[LongHold]),
        flows: &Flows,
        (rates, stretch): (&[f64], &[Vec<f64>]),
    ) -> Vec<Sooner> {
        let mut sooner = Vec::new();
        for hold in long {
            let piece = &self.pieces[hold.piece];
            let inside = piece.cost.insides().nth(hold.own);
            for (k, demand) in inside.iter().flat_map(|inside| inside.iter()) {
                let usual = stretch[piece.group][k];
                if self.plant.stations[k].0.kind.greatest_speed() != 1.0 || usual <= 1.0 {
                    continue;
                }
                let (busy, through) = self.busy(pauses, hold.kind, rates, k);
                let others = Others {
                    busy,
                    through,
                    own: self.own_blocks(hold.piece, flows, k),
                };
                let seconds = pauses.part(hold.kind) * demand * (usual - others.stay(usual));
                if seconds > 0.0 {
                    sooner.push(Sooner {
                        piece: hold.piece,
                        section: hold.section,
                        station: k,
                        seconds,
                    });
                }
            }
        }
        sooner
    }

    /// Busy share of a station for those who come and go: on average, and while sections of this kind are held.
    fn busy(&self, pauses: &Pauses, kind: usize, rates: &[f64], k: usize) -> (f64, f64) {
        let (mut all, mut through) = (0.0, 0.0);
        for (p, piece) in self.pieces.iter().enumerate() {
            if !self.load.groups[piece.group].never_thinks() {
                let work = piece.cost.total().get(k) + piece.cost.later().get(k);
                let busy = rates[piece.group] * piece.weight * work;
                all += busy;
                through += busy * (1.0 - pauses.shut_out(kind, p) / self.load.instances);
            }
        }
        (all.min(BUSY_MOST), through.min(BUSY_MOST))
    }

    /// How many of its client's own blocks are at a link while it is at this piece, on average.
    fn own_blocks(&self, piece: usize, flows: &Flows, k: usize) -> f64 {
        let group = self.pieces[piece].group;
        let here = self.pieces.iter().filter(|other| other.group == group);
        let (mut all, mut served) = (0.0, 0.0);
        for other in here {
            all += other.weight;
            if other.cost.hidden().get(k) > 0.0 {
                served += other.weight;
            }
        }
        match self.blocks_on(k, group) {
            Some(t) if served > 0.0 => {
                let class = self.demands.len() + t;
                let there = flows.throughput[class] * flows.residence(class)[k];
                (there / self.threads[t].clients * all / served).min(1.0)
            }
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Others;

    #[test]
    fn who_is_away_lengthens_nothing() {
        // Two others who never think, and half of the server for all who come and go.
        let usual = (1.0 + 2.0) / (1.0 - 0.5);
        let stay = |through, own| {
            let busy = 0.5;
            Others { busy, through, own }.stay(usual)
        };
        assert!((stay(0.5, 0.0) - usual).abs() < 1e-12);
        assert!((stay(0.5, 0.5) - 2.5 / 0.5).abs() < 1e-12);
        assert!((stay(0.2, 0.5) - 2.5 / 0.8).abs() < 1e-12);
        // Alone, it is held up by those who still come.
        assert!((stay(0.2, 3.0) - 1.0 / 0.8).abs() < 1e-12);
    }
}
