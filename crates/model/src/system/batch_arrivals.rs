//! Jobs that come to a station together: the threads of one client, and the disks of a stripe.
//!
//! The network takes them for customers of their own. That is all the same where one server does all the work, and not
//! where there are several: while ten threads of one client are at three disks, everybody takes three times as long.
//!
//! How many are there follows from how long they stay, and that from how many are there ([`super::occupancy`]). What comes out,
//! over what comes out where as many jobs come alone, lengthens the stays that the network knows.
//!
//! Assumptions: jobs that come together stay together; batches of one group come independently of each other.

use super::balance::Frame;
use super::cost::ROUNDING;
use super::occupancy::Occupancy;
use crate::workload::Arrival;

/// Turns until stays and numbers of jobs agree.
const TURNS_MAX: usize = 64;
/// Change of a stay at which they do.
const AGREED: f64 = 1e-9;

/// Those of a group who come to a station, so many jobs together.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Batch {
    group: usize,
    jobs: usize,
    /// Of each job a cycle \[s\].
    demand: f64,
}

/// A station of several servers that jobs come to together.
pub(super) struct BatchStation {
    station: usize,
    servers: usize,
    batches: Vec<Batch>,
}

impl BatchStation {
    /// All of them.
    pub(super) fn all(frame: &Frame<'_, '_>) -> Vec<Self> {
        let stations = 0..frame.plant.stations.len();
        stations.filter_map(|k| Self::at(frame, k)).collect()
    }

    fn at(frame: &Frame<'_, '_>, station: usize) -> Option<Self> {
        let servers = frame.plant.stations[station].0.kind.greatest_speed();
        if !servers.is_finite() || servers <= 1.0 {
            return None;
        }
        let mut of_station = Self { station, servers: servers as usize, batches: Vec::new() };
        for piece in frame.pieces {
            let total = piece.cost.total().get(station);
            let beside = piece.cost.beside().get(station);
            // How many other disks have some of it, and for which part of the time that the first takes.
            let others = if total > 0.0 { (beside / total * (1.0 - ROUNDING)).ceil() } else { 0.0 };
            let part = if others > 0.0 { beside / total / others } else { 0.0 };
            // Under locks a client is one thread.
            let threads = frame.load.groups[piece.group].threads.round().max(1.0) as usize;
            let insides = piece.cost.insides();
            let inside: f64 = insides.map(|inside| inside.get(station)).sum();
            let outside = (piece.waited().get(station) - inside).max(0.0);
            for (threads, seconds) in [(1, inside), (threads, outside)] {
                let seconds = seconds * piece.weight;
                let stripe = threads * (1 + others as usize);
                of_station.add(piece.group, stripe, seconds * part);
                of_station.add(piece.group, threads, seconds * (1.0 - part));
            }
        }
        let several = of_station.batches.iter().any(|batch| batch.jobs > 1);
        several.then_some(of_station)
    }

    fn add(&mut self, group: usize, jobs: usize, demand: f64) {
        if demand <= 0.0 {
            return;
        }
        let mut known = self.batches.iter_mut();
        match known.find(|batch| (batch.group, batch.jobs) == (group, jobs)) {
            Some(batch) => batch.demand += demand,
            None => self.batches.push(Batch { group, jobs, demand }),
        }
    }

    /// Stay over demand of each group with jobs that come together, where cycles come so often and it would be
    /// `alone` if all came alone.
    fn stretch(&self, frame: &Frame<'_, '_>, rates: &[f64], alone: &[Vec<f64>]) -> Vec<f64> {
        let alone: Vec<f64> = alone.iter().map(|group| group[self.station]).collect();
        let mut stays: Vec<f64> = self.batches.iter().map(|p| alone[p.group]).collect();
        let mut occupancy = Occupancy::new(self.servers);
        let mut shares = vec![0.0; stays.len()];
        self.find((frame, rates), |_| 1, &stays, &mut occupancy, &mut shares);
        let over_alone: Vec<f64> = stays.iter().zip(&shares).map(|(a, s)| a / s).collect();
        for _ in 0..TURNS_MAX {
            self.find((frame, rates), |p| p.jobs, &stays, &mut occupancy, &mut shares);
            let mut moved = 0.0_f64;
            for ((stay, share), over) in stays.iter_mut().zip(&shares).zip(&over_alone) {
                let before = std::mem::replace(stay, over * share);
                moved = moved.max((*stay / before - 1.0).abs());
            }
            if moved < AGREED {
                break;
            }
        }
        let mut sums = vec![(0.0, 0.0); rates.len()];
        for (batch, stay) in self.batches.iter().zip(&stays) {
            let sum = &mut sums[batch.group];
            sum.0 += batch.demand * stay;
            sum.1 += batch.demand;
        }
        let groups = sums.iter().zip(&alone);
        let stretch =
            groups.map(|((stay, demand), alone)| if *demand > 0.0 { (stay / demand).max(*alone) } else { *alone });
        stretch.collect()
    }

    /// What one of each batch finds, over what it would find if nobody else were there, where stays are these over demands
    /// and of each batch so many jobs come at once.
    fn find(
        &self,
        (frame, rates): (&Frame<'_, '_>, &[f64]),
        at_once: impl Fn(&Batch) -> usize,
        stays: &[f64],
        occupancy: &mut Occupancy,
        shares: &mut [f64],
    ) {
        let clients = |batch: &Batch| match frame.load.groups[batch.group].arrival {
            Arrival::Closed { population, .. } => Some(population.max(1.0)),
            Arrival::Open { .. } => None,
        };
        // A client does not meet himself; whoever comes as a stream meets all. The occupancy is worked out once for each of these.
        let viewer = |batch: &Batch| clients(batch).map(|_| batch.group);
        for (p, batch) in self.batches.iter().enumerate() {
            let who = viewer(batch);
            if self.batches[..p].iter().any(|before| viewer(before) == who) {
                continue;
            }
            occupancy.empty();
            for (other, stay) in self.batches.iter().zip(stays) {
                let jobs = at_once(other);
                let parts = (other.jobs / jobs) as f64;
                let there = rates[other.group] * other.demand * stay * parts;
                let clients = clients(other).map(|clients| clients * parts);
                occupancy.enter(jobs, there, clients, Some(other.group) == who);
            }
            occupancy.fill();
            for (batch, share) in self.batches[p..].iter().zip(&mut shares[p..]) {
                if viewer(batch) == who {
                    *share = occupancy.share(at_once(batch));
                }
            }
        }
    }
}

impl Frame<'_, '_> {
    /// Residence over what each group waits for at each station, with jobs that come together.
    pub(super) fn batch_stretch(&self, stations: &[BatchStation], rates: &[f64], alone: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut stretch = alone.to_vec();
        for of_station in stations {
            let longer = of_station.stretch(self, rates, alone);
            for (stretch, longer) in stretch.iter_mut().zip(longer) {
                stretch[of_station.station] = longer;
            }
        }
        stretch
    }
}
