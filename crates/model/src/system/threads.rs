//! Clients that do several things at once: the other threads of a parallel sync, the other disks of
//! the stripes that a client reads who never thinks, and the links that have the next blocks of what it is sent.
//!
//! For the network they are a closed class beside that of the clients: as many as a client has jobs in
//! flight but one, each with its part of the work. While its client is at what the threads do not share
//! a thread is away, and a client goes on when the last of its threads is done: so threads and clients
//! come round equally often. That a client's threads are all at the same station at a time is left out;
//! it matters where there are few clients.
//!
//! What each link does while network and client have the blocks before is one more job of each such client: it is
//! away for as long as its client comes round without it, and a client goes on when both are done.

use super::balance::Frame;
use super::cost::{Cost, left};
use super::piece::Piece;
use super::plant::{Demand, Plant};
use crate::queueing::Flows;
use crate::workload::{Arrival, Load};

/// Limits of how far blocks are told to give way to each other, so that no step is without end.
const GIVEN_WAY_LEAST: f64 = 0.1;
const GIVEN_WAY_MOST: f64 = 0.8;

/// The other threads of a closed group.
pub(super) struct Threads {
    pub(super) group: usize,
    /// Clients of the group, and for how long each thinks a cycle \[s\].
    pub(super) clients: f64,
    think_time: f64,
    /// Threads of all its clients.
    pub(super) population: f64,
    /// Whether these are its blocks on links: at stations where none of the client's own work is held up by them.
    pub(super) blocks: bool,
    /// Demand of one at each station a cycle \[s\].
    pub(super) demands: Vec<f64>,
    /// Of blocks: what their client does while they are there \[s\].
    meanwhile: Vec<f64>,
}

impl Threads {
    /// Those of a group, if it has any. Of its work by station that it does not wait for, `later` is an
    /// open stream and `unseen` all: what the threads do is taken from the one and is in the other.
    pub(super) fn of(
        load: &Load,
        pieces: &[Piece<'_>],
        group: usize,
        (later, unseen): (&mut [f64], &mut [f64]),
    ) -> Option<Self> {
        let (threads, arrival) = (load.groups[group].threads, load.groups[group].arrival);
        let thinks = !load.groups[group].never_thinks();
        if threads <= 1.0 && thinks {
            return None;
        }
        let n = later.len();
        let (mut others, mut beside, mut all) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for piece in pieces.iter().filter(|piece| piece.group == group) {
            for (k, seconds) in piece.cost.total().iter() {
                // What the other threads do at the same time is not waited for, and loads the station.
                others[k] += (seconds - piece.waited().get(k)) * piece.weight;
                all[k] += seconds * piece.weight;
            }
            for (k, seconds) in piece.cost.beside().iter() {
                beside[k] += seconds * piece.weight;
            }
        }
        for (unseen, others) in unseen.iter_mut().zip(&others) {
            *unseen += others;
        }
        let Arrival::Closed { population: clients, think_time } = arrival else {
            for (later, others) in later.iter_mut().zip(&others) {
                *later += others;
            }
            return None;
        };
        // Who thinks most of the time causes its work beside as a stream; and what is beside nothing
        // that is waited for is for later.
        for (beside, all) in beside.iter_mut().zip(&all) {
            if *all <= 0.0 || thinks {
                *beside = 0.0;
            }
        }
        let widest = (0..n).max_by(|a, b| beside[*a].total_cmp(&beside[*b]))?;
        let stripe = if beside[widest] > 0.0 { beside[widest] / all[widest] } else { 0.0 };
        let jobs = threads * (1.0 + stripe) - 1.0;
        if jobs <= 0.0 {
            return None;
        }
        for (later, beside) in later.iter_mut().zip(&beside) {
            *later -= beside;
        }
        let demands = others.iter().zip(&beside);
        Some(Self {
            group,
            clients,
            think_time,
            population: clients * jobs,
            blocks: false,
            demands: demands.map(|(others, beside)| (others + beside) / jobs).collect(),
            meanwhile: Vec::new(),
        })
    }

    /// The blocks of clients who never think, a class for each link that a block goes through: those that have most to do
    /// with a server's blocks first. Of clients who think they are a part of the open stream `later`.
    pub(super) fn blocks(load: &Load, pieces: &[Piece<'_>], group: usize, later: &mut [f64]) -> Vec<Self> {
        let Arrival::Closed { population: clients, think_time: 0.0 } = load.groups[group].arrival else {
            return Vec::new();
        };
        let mut all: Vec<Self> = Vec::new();
        let mut links = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.group == group) {
            links.clear();
            links.extend(piece.cost.hidden().iter());
            links.sort_by(|a, b| b.1.total_cmp(&a.1));
            for (rank, (link, seconds)) in links.iter().enumerate() {
                if rank == all.len() {
                    all.push(Self {
                        group,
                        clients,
                        think_time: 0.0,
                        population: clients,
                        blocks: true,
                        demands: vec![0.0; later.len()],
                        meanwhile: vec![0.0; later.len()],
                    });
                }
                all[rank].demands[*link] += seconds * piece.weight;
                for (k, seconds) in piece.meanwhile().iter() {
                    all[rank].meanwhile[k] += seconds * piece.weight;
                }
            }
        }
        for own in &all {
            for (later, own) in later.iter_mut().zip(&own.demands) {
                *later = left(*later, *own);
            }
        }
        all
    }

    /// How long one's cycle is on an idle server: that of its client \[s\].
    pub(super) fn clients_cycle(&self, frame: &Frame<'_, '_>) -> f64 {
        frame.cycle[self.group].unwrap_or(f64::MIN_POSITIVE)
    }

    /// How long one stays at its stations, where stays are so much longer than the demand \[s\].
    pub(super) fn stay(&self, stretch: &[f64]) -> f64 {
        stretched(&self.demands, stretch)
    }

    /// By how much blocks hold their client up, where stays are so much longer than the demand \[s\].
    pub(super) fn hold_up(&self, stretch: &[f64]) -> f64 {
        self.stay(stretch) - stretched(&self.meanwhile, stretch)
    }

    /// How long one is away, where stays are so much longer than the demand: its client's thinking and
    /// lock waits, and stays that the threads do not share. Blocks that stay at their link for `stay` are away
    /// while their client does what is not beside them, or it or a slower link is busy for longer.
    pub(super) fn away(
        &self,
        client: &[f64],
        waits: f64,
        (stay, slowest): (f64, f64),
        stretch: impl Fn(usize) -> f64,
    ) -> f64 {
        if self.blocks {
            let busy = client.iter().zip(&self.meanwhile).enumerate();
            let busy = busy.fold((0.0, 0.0), |sum, (k, (all, beside))| {
                let stretch = stretch(k);
                (sum.0 + (all - beside) * stretch, sum.1 + beside * stretch)
            });
            return waits + busy.0 + (busy.1.max(slowest) - stay).max(0.0);
        }
        let apart = client.iter().zip(&self.demands);
        let apart = apart.map(|(client, thread)| client - thread).enumerate();
        let apart: f64 = apart.filter(|(_, apart)| *apart != 0.0).map(|(k, apart)| apart * stretch(k)).sum();
        (self.think_time + waits + apart).max(0.0)
    }
}

fn stretched(demands: &[f64], stretch: &[f64]) -> f64 {
    let stays = demands.iter().zip(stretch);
    stays.map(|(demand, stretch)| demand * stretch).sum()
}

/// What one of so many threads does of a command: all that is done under locks, and its part of the rest; and what it does
/// of that while links have the next blocks.
pub(super) fn of_a_thread(plant: &Plant<'_>, threads: f64, cost: &Cost<'_>) -> (Demand, Demand) {
    let mut meanwhile = Demand::default();
    for (k, seconds) in cost.meanwhile().iter() {
        let shared = plant.is_shared_by_threads(k);
        meanwhile.add(k, if shared { seconds / threads } else { seconds });
    }
    let mut own = Demand::default();
    for (k, seconds) in cost.total().iter() {
        let inside: f64 = cost.insides().map(|inside| inside.get(k)).sum();
        let kept = if plant.is_shared_by_threads(k) { inside + (seconds - inside).max(0.0) / threads } else { seconds };
        own.add(k, kept);
    }
    (own, meanwhile)
}

impl Frame<'_, '_> {
    /// How long the threads of each parallel group are away with these lock waits of the groups, where stays are longer
    /// than those that the network knows because jobs come together, and they were away for so long `before`.
    pub(super) fn apart(
        &self,
        flows: &Flows,
        (stretch, alone): (&[Vec<f64>], &[Vec<f64>]),
        (waits, before): (&[f64], &[f64]),
    ) -> Vec<f64> {
        let threads = self.threads.iter().enumerate();
        threads
            .map(|(t, threads)| {
                let client = &self.demands[threads.group];
                let (stretch, alone) = (&stretch[threads.group], &alone[threads.group]);
                let waits = waits[threads.group];
                let stays = (self.stay(flows, t), self.slowest(flows, threads.group));
                let away = threads.away(client, waits, stays, |k| stretch[k]);
                if threads.blocks {
                    // One step of Newton's method: where they are away for longer, they stay for less.
                    let rest = (away - before[t]) / (1.0 - self.given_way(flows, t, before[t]));
                    return (before[t] + rest).max(0.0);
                }
                let longer = threads.demands.iter().zip(stretch).zip(alone);
                let longer = longer.map(|((demand, stretch), alone)| demand * (stretch - alone));
                away + longer.sum::<f64>()
            })
            .collect()
    }

    /// Residence over what each group waits for at each station: 1 where nobody waits. A client of
    /// several threads goes on when the last of them is done.
    pub(super) fn stretch(&self, flows: &Flows) -> Vec<Vec<f64>> {
        let ratio = |class: usize, k: usize, demand: f64| {
            if k == self.lock_station || demand <= 0.0 { 1.0 } else { flows.residence(class)[k] / demand }
        };
        let groups = self.demands.iter().enumerate();
        let mut stretch: Vec<Vec<f64>> = groups
            .map(|(g, demands)| {
                let stations = demands.iter().enumerate();
                stations.map(|(k, demand)| ratio(g, k, *demand)).collect()
            })
            .collect();
        for (t, threads) in self.threads.iter().enumerate() {
            if threads.blocks {
                continue;
            }
            let class = self.demands.len() + t;
            // Where there is less than one a client, it is there for a part of what its client does.
            let part = (threads.population / threads.clients).min(1.0);
            for (k, demand) in threads.demands.iter().enumerate() {
                let of_client = &mut stretch[threads.group][k];
                *of_client += part * (ratio(class, k, *demand) - *of_client).max(0.0);
            }
        }
        stretch
    }

    /// How long a client of each group waits a cycle, beyond the stays that the network knows, for the last of its
    /// threads and because jobs come together \[s\].
    pub(super) fn joins(&self, flows: &Flows, stretch: &[Vec<f64>]) -> Vec<f64> {
        let groups = self.demands.iter().zip(stretch).enumerate();
        let joins = groups.map(|(g, (demands, stretch))| {
            let stays = demands.iter().zip(stretch).zip(flows.residence(g));
            let more = stays.map(|((demand, stretch), stay)| left(demand * stretch, *stay));
            more.sum()
        });
        joins.collect()
    }

    /// Which of all threads are a group's blocks on a link; of several, where it is one server's first and another's second,
    /// the first.
    pub(super) fn blocks_on(&self, link: usize, group: usize) -> Option<usize> {
        let mut threads = self.threads.iter();
        threads.position(|t| t.blocks && t.group == group && t.demands[link] > 0.0)
    }

    /// By how much the stay of blocks at their links falls for each second that they are away for longer than `away`: where
    /// those are fewer that stand before a block. With C the cycle, r the stay, n other blocks of demand D and a share ρ of
    /// the link for who comes and goes, r = (D·(1 + n·r/C) + …)/(1 − ρ) (Schweitzer 1979), all else as it is.
    fn given_way(&self, flows: &Flows, threads: usize, away: f64) -> f64 {
        let blocks = &self.threads[threads];
        let stays = flows.residence(self.demands.len() + threads);
        let cycle = away + stays.iter().sum::<f64>() - stays[self.lock_station];
        let stations = blocks.demands.iter().enumerate();
        let given = stations.filter(|(_, demand)| **demand > 0.0);
        let given = given.map(|(k, demand)| {
            let share = stays[k] / cycle;
            let others = demand * (blocks.population - 1.0) * self.servers(k) / self.free(k) / cycle;
            others * share / (1.0 - others * (1.0 - share)).max(GIVEN_WAY_LEAST)
        });
        given.sum::<f64>().clamp(0.0, GIVEN_WAY_MOST)
    }

    /// How long a group's blocks stay at the link where they stay longest a cycle \[s\].
    fn slowest(&self, flows: &Flows, group: usize) -> f64 {
        let threads = self.threads.iter().enumerate();
        let blocks = threads.filter(|(_, t)| t.blocks && t.group == group);
        blocks.map(|(t, _)| self.stay(flows, t)).fold(0.0, f64::max)
    }

    /// How long the other jobs of parallel clients stay at their stations a cycle \[s\].
    fn stay(&self, flows: &Flows, threads: usize) -> f64 {
        let stays = flows.residence(self.demands.len() + threads).iter();
        let demands = self.threads[threads].demands.iter();
        stays.zip(demands).filter(|(_, demand)| **demand > 0.0).map(|(stay, _)| stay).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Threads;

    #[test]
    fn blocks_are_away_while_their_client_does_what_is_not_beside_them() {
        let blocks = Threads {
            group: 0,
            clients: 1.0,
            think_time: 0.0,
            population: 1.0,
            blocks: true,
            demands: vec![3.0, 0.0],
            meanwhile: vec![0.0, 4.0],
        };
        // 10 s of the first station come before the transfer; the second takes twice as long as it would alone.
        let client = [10.0, 5.0];
        let stretch = |k: usize| [1.5, 2.0][k];
        let apart = 10.0 * 1.5 + 1.0 * 2.0;
        let away = |stay| blocks.away(&client, 7.0, (stay, stay), stretch);
        assert!((away(3.0) - (7.0 + apart + 4.0 * 2.0 - 3.0)).abs() < 1e-12);
        // Where the link is slower than the transfer, nothing of that is left; where another is slower, that is waited for.
        assert!((away(9.0) - (7.0 + apart)).abs() < 1e-12);
        let behind = blocks.away(&client, 7.0, (3.0, 9.0), stretch);
        assert!((behind - (7.0 + apart + 9.0 - 3.0)).abs() < 1e-12);
    }
}
