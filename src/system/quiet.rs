//! How much quieter stations are while somebody has tables for long.
//!
//! While a large sync reads its tables none of its own blocks are on a link, and who is shut out does not come
//! ([`super::pauses`]); the network has both there as often as on average. Where one server does all the work the stay over
//! the demand is s = (1 + n)/(1 − ρ), with n of those there who never think, and a share ρ of the server for all who come and
//! go (processor sharing in a mixed network; Lazowska et al. 1984, chapter 7.4). With o fewer of the one, and ρ' for those
//! of the other who are not shut out, it is (s·(1 − ρ) − o)/(1 − ρ'). Of several servers it is told from who is there
//! ([`super::steady`]), for all of the cycle: what networks take for them (Seidmann, Schweitzer and Shalev-Oren 1987) is too
//! long where few are, and whoever is shut out comes when tables are open again. What is quicker until then is as much slower
//! after it: over the cycle work goes on as fast as beside all who come.
//!
//! Knows who is there; not for how long tables are held ([`super::contention`]).
//!
//! Assumption: who is shut out does nothing of his command until he is let go.

use super::balance::{BUSY_MOST, Frame};
use super::pauses::Pauses;
use super::steady::{Party, speed};
use crate::queueing::Flows;
use crate::workload::Arrival;

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
    /// Others who never think, and what they left for later; busy servers for what is told as a stream of that.
    staying: Vec<Party>,
    stream: f64,
}

impl Others {
    /// Stay over demand meanwhile, where it is this on average as the network has it.
    pub(super) fn meanwhile(&self, usual: f64) -> f64 {
        if self.servers > 1.0 {
            return self.beside(self.through);
        }
        let free = |busy: f64| 1.0 - busy.min(BUSY_MOST);
        let staying = usual * free(self.busy) - self.own;
        (staying.max(1.0) / free(self.through)).min(usual)
    }

    /// The same over all of a cycle; none for one server.
    pub(super) fn on_average(&self) -> Option<f64> {
        (self.servers > 1.0).then(|| self.beside(self.busy))
    }

    /// Of several servers, beside those who come and go where they keep so many of them busy.
    fn beside(&self, coming: f64) -> f64 {
        let coming = (coming + self.stream).min(BUSY_MOST * self.servers);
        1.0 / speed(self.servers, coming, &self.staying)
    }
}

impl Frame<'_, '_> {
    /// Who is at a station while somebody has tables for long, where groups' cycles come so often, with what the others left
    /// for later, and how many servers that keeps busy.
    pub(super) fn others(
        &self,
        (pauses, hold): (&Pauses, &LongHold),
        (flows, rates): (&Flows, &[f64]),
        k: usize,
        (left, busy_for_left): (Vec<Party>, f64),
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
        let mut staying = left;
        let own = self.pieces[hold.piece].group;
        staying.extend(self.never_away(Some(own), (flows, rates), k));
        let never_thinks = |g: &usize| self.load.groups[*g].never_thinks();
        let groups = (0..rates.len()).filter(never_thinks);
        let later: f64 = groups.map(|g| rates[g] * self.closed_later(g, k)).sum();
        Others {
            staying,
            stream: (later - busy_for_left).max(0.0),
            servers: self.plant.stations[k].0.kind.greatest_speed(),
            busy,
            through,
            own: part * self.own_blocks(hold.piece, flows, k),
        }
    }

    /// Who never thinks, but for one client of his `own` group, and for which share of the time they are at a station: clients,
    /// and what they have there beside themselves.
    pub(super) fn never_away(
        &self,
        own: Option<usize>,
        (flows, rates): (&Flows, &[f64]),
        k: usize,
    ) -> Vec<Party> {
        let mut all = Vec::new();
        let mut add = |clients: f64, away: f64, there: f64| {
            all.push(Party {
                jobs: 1,
                clients: clients - away,
                share: (there / clients).min(1.0),
            });
        };
        for (g, group) in self.load.groups.iter().enumerate() {
            if let Arrival::Closed { population, .. } = group.arrival
                && group.never_thinks()
            {
                let there = rates[g] * flows.residence(g)[k];
                add(population, f64::from(u8::from(own == Some(g))), there);
            }
        }
        for (t, threads) in self.threads.iter().enumerate() {
            if self.load.groups[threads.group].never_thinks() {
                let class = self.demands.len() + t;
                let there = flows.throughput[class] * flows.residence(class)[k];
                let each = threads.population / threads.clients;
                let away = if own == Some(threads.group) {
                    each
                } else {
                    0.0
                };
                add(threads.population, away, there);
            }
        }
        all
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
    use super::{Others, Party};

    /// Two others who never think, and half of one server for all who come and go.
    fn stay(through: f64, own: f64) -> f64 {
        let others = Others {
            servers: 1.0,
            busy: 0.5,
            through,
            own,
            staying: Vec::new(),
            stream: 0.0,
        };
        others.meanwhile((1.0 + 2.0) / (1.0 - 0.5))
    }

    #[test]
    fn who_is_away_lengthens_nothing() {
        assert!((stay(0.5, 0.0) - 3.0 / 0.5).abs() < 1e-12);
        assert!((stay(0.5, 0.5) - 2.5 / 0.5).abs() < 1e-12);
        assert!((stay(0.2, 0.5) - 2.5 / 0.8).abs() < 1e-12);
        // Alone, it is held up by those who still come.
        assert!((stay(0.2, 3.0) - 1.0 / 0.8).abs() < 1e-12);
    }

    #[test]
    fn of_several_servers_idle_ones_are_nobodys() {
        let two = Party {
            jobs: 1,
            clients: 2.0,
            share: 1.0,
        };
        let stay = |through: f64, stream: f64| {
            let others = Others {
                servers: 4.0,
                busy: 2.0,
                through,
                own: 0.0,
                staying: vec![two],
                stream,
            };
            others.meanwhile(9.0)
        };
        // Three on four servers are in nobody's way but for those who come.
        assert!((stay(0.0, 0.0) - 1.0).abs() < 1e-6);
        assert!(stay(1.0, 0.0) > 1.0 && stay(1.0, 0.0) < 3.0 / (4.0 - 1.0) + 1.0);
        assert!((stay(1.0, 0.5) - stay(1.5, 0.0)).abs() < 1e-12);
    }

    #[test]
    fn who_is_shut_out_is_in_the_way_later() {
        let others = |servers: f64| Others {
            servers,
            busy: 0.5 * servers,
            through: 0.2 * servers,
            own: 0.0,
            staying: Vec::new(),
            stream: 0.0,
        };
        let (meanwhile, cycle) = (others(4.0).meanwhile(9.0), others(4.0).on_average());
        assert!(cycle.is_some_and(|cycle| cycle > meanwhile));
        assert!(others(1.0).on_average().is_none());
    }
}
