//! How much quieter stations are while somebody has tables for long.
//!
//! While a large sync reads its tables none of its own blocks are on a link, and who is shut out does not come
//! ([`super::pauses`]); the network has both there as often as on average. Where one server does all the work the stay over
//! the demand is s = (1 + n)/(1 − ρ), with n of those there who never think, and a share ρ of the server for all who come and
//! go (processor sharing in a mixed network; Lazowska et al. 1984, chapter 7.4). With o fewer of the one, and ρ' for those
//! of the other who are not shut out, it is (s·(1 − ρ) − o)/(1 − ρ'). Of m servers only one's share of the demand waits
//! (Seidmann, Schweitzer and Shalev-Oren 1987): 1 + (s − 1)/m, with s as at one server that is m times as fast.
//!
//! Knows who is there; not for how long tables are held ([`super::contention`]).
//!
//! Assumption: who is shut out does nothing of his command until he is let go.

use super::balance::Frame;
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

/// Who is at a station while tables are held.
pub(super) struct Others {
    servers: f64,
    /// Servers that are busy for those who come and go, on average and meanwhile.
    pub(super) busy: f64,
    pub(super) through: f64,
    /// How many of the client's own blocks are there on average, and not meanwhile.
    own: f64,
}

impl Others {
    /// Stay over demand meanwhile, where it is this on average.
    pub(super) fn stay(&self, usual: f64) -> f64 {
        let free = |busy: f64| 1.0 - (busy / self.servers).min(BUSY_MOST);
        let as_one = 1.0 + (usual - 1.0) * self.servers;
        let closed = as_one * free(self.busy) - self.own;
        1.0 + (closed.max(1.0) / free(self.through) - 1.0) / self.servers
    }
}

impl Frame<'_, '_> {
    /// Who is at a station of some servers while somebody has tables for long, where groups' cycles come so often.
    pub(super) fn others(
        &self,
        (pauses, hold): (&Pauses, &LongHold),
        flows: &Flows,
        rates: &[f64],
        k: usize,
    ) -> Others {
        let part = pauses.part(hold.kind);
        let (mut busy, mut through) = (0.0, 0.0);
        for (p, piece) in self.pieces.iter().enumerate() {
            if !self.load.groups[piece.group].never_thinks() {
                let work = piece.cost.total().get(k) + piece.cost.later().get(k);
                let own = rates[piece.group] * piece.weight * work;
                busy += own;
                through += own * (1.0 - part * pauses.shut_out(hold.kind, p) / self.load.instances);
            }
        }
        Others {
            servers: self.plant.stations[k].0.kind.greatest_speed(),
            busy,
            through,
            own: part * self.own_blocks(hold.piece, flows, k),
        }
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

    /// Two others who never think, and half of each server for all who come and go.
    fn usual(servers: f64) -> f64 {
        1.0 + ((1.0 + 2.0) / (1.0 - 0.5) - 1.0) / servers
    }

    fn stay(servers: f64, through: f64, own: f64) -> f64 {
        let others = Others {
            servers,
            busy: 0.5 * servers,
            through: through * servers,
            own,
        };
        others.stay(usual(servers))
    }

    #[test]
    fn who_is_away_lengthens_nothing() {
        assert!((stay(1.0, 0.5, 0.0) - usual(1.0)).abs() < 1e-12);
        assert!((stay(1.0, 0.5, 0.5) - 2.5 / 0.5).abs() < 1e-12);
        assert!((stay(1.0, 0.2, 0.5) - 2.5 / 0.8).abs() < 1e-12);
        // Alone, it is held up by those who still come.
        assert!((stay(1.0, 0.2, 3.0) - 1.0 / 0.8).abs() < 1e-12);
    }

    #[test]
    fn of_several_servers_one_share_waits() {
        assert!((stay(4.0, 0.5, 0.0) - usual(4.0)).abs() < 1e-12);
        assert!((stay(4.0, 0.2, 0.0) - (3.0 + 3.0 / 0.8) / 4.0).abs() < 1e-12);
    }
}
