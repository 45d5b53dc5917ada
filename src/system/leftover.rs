//! What a client left for later and is still being done when it begins anew.
//!
//! A client that never thinks begins its next large sync where the pages that the last one wrote are still on their way
//! to the disks: as an open stream they would be there only as often as on average.
//!
//! Of m servers that the one job shares with m of what its client left, n of what others left and of those others, and all
//! who come and go, each job has m over how many there are (processor sharing). Those who come and go take r servers and are
//! held up as much: s = (m + 1 + n + r·s)/m is the stay over the demand, (m + 1 + n)/(m − r). What a client leaves lasts for
//! as much longer than alone, with the client itself there for a part of that: [`cycle`] says for which.
//!
//! Knows the work that nobody waits for; not what else lengthens stays ([`super::together`]), nor who is away meanwhile
//! ([`super::quiet`]).
//!
//! Assumptions: what is left is spread over all servers of a station ([`super::script`]), as much for each; what others left
//! is there as often as on average. A client of several threads has as many jobs there itself, and what it left is told as an
//! open stream.

mod cycle;

use super::balance::Frame;
use super::script::SPREAD;
use super::steady::Party;
use crate::workload::Arrival;
use cycle::Cycle;

/// Share of a station's servers that all else takes at most while it is told how long that is held up.
const ELSE_MOST: f64 = 0.9;

/// What the clients of a group leave for later at a station.
pub(super) struct Leftover {
    pub(super) group: usize,
    pub(super) station: usize,
    servers: f64,
    clients: f64,
    /// How likely it is of a cycle that something is left there.
    likely: f64,
    /// Of a cycle: what is left, and what is waited for \[s\].
    later: f64,
    demand: f64,
    cycles: Vec<Cycle>,
}

impl Leftover {
    /// All of them.
    pub(super) fn all(frame: &Frame<'_, '_>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (p, piece) in frame.pieces.iter().enumerate() {
            let group = &frame.load.groups[piece.group];
            let clients = match group.arrival {
                Arrival::Closed { population, .. }
                    if group.never_thinks() && piece.weight > 0.0 =>
                {
                    population
                }
                _ => continue,
            };
            for (station, later) in piece.cost.later().iter() {
                let later = piece.cost.left_for_later(station, later);
                let demand = piece.waited().get(station);
                let alone = group.threads <= 1.0;
                if alone && later > SPREAD && demand > 0.0 && frame.plant.is_whole(station) {
                    let known = all.iter().position(|o| o.is_of(piece.group, station));
                    if known.is_none() {
                        all.push(Self {
                            group: piece.group,
                            station,
                            servers: frame.plant.servers(station),
                            clients,
                            likely: 0.0,
                            later: 0.0,
                            demand: 0.0,
                            cycles: Vec::new(),
                        });
                    }
                    let last = all.len() - 1;
                    let own = &mut all[known.unwrap_or(last)];
                    own.likely += piece.weight;
                    own.later += later * piece.weight;
                    own.demand += demand * piece.weight;
                    own.cycles.push(Cycle::of(p, piece, station));
                }
            }
        }
        all
    }

    pub(super) fn is_of(&self, group: usize, station: usize) -> bool {
        (self.group, self.station) == (group, station)
    }

    /// Lengthens stays over demands by it, where cycles come so often, and so many servers of each station are busy, and busy
    /// for those who come and go.
    pub(super) fn lengthen(
        all: &[Self],
        rates: &[f64],
        (busy, coming): (&[f64], &[f64]),
        stretch: &mut [Vec<f64>],
    ) {
        for own in all {
            let coming = coming[own.station];
            let longer = &mut stretch[own.group][own.station];
            let beside = own.beside(all, rates, (busy[own.station], coming), *longer);
            *longer += beside.part_of_cycle * beside.longer(coming);
        }
    }

    /// Who is there with what a client left, where stays would be so much longer than demands.
    pub(super) fn beside(
        &self,
        all: &[Self],
        rates: &[f64],
        (busy, coming): (f64, f64),
        longer: f64,
    ) -> Beside {
        let here = || all.iter().filter(|other| other.station == self.station);
        let left: f64 = here().map(|other| rates[other.group] * other.later).sum();
        let of_this_client = rates[self.group] * self.later / self.clients;
        let this_client = rates[self.group] * self.demand / self.clients;
        let of_others = left - of_this_client;
        let there = (busy - coming - left - this_client).max(0.0) * longer;
        let rest = self.servers - (coming + of_others).min(ELSE_MOST * self.servers);
        // While the client itself is anywhere else, and on average.
        let without = (self.servers + there) / rest;
        let met = self.done_beside(without);
        let stretch = without + met / self.each() / rest;
        // How likely what one client of a group left is there.
        let there_is = |other: &Self| {
            let left = rates[other.group] / other.clients * other.later / other.servers;
            (left * stretch).min(1.0)
        };
        let jobs = here().map(|other| {
            let clients = other.clients - f64::from(u8::from(other.group == self.group));
            let likely = there_is(other);
            clients * likely * (1.0 - likely) * other.servers.powi(2)
        });
        Beside {
            servers: self.servers,
            jobs: there + of_others * stretch,
            variance: jobs.sum(),
            part_of_cycle: met / self.demand,
            without,
            often: there_is(self),
            lasts: self.each() * stretch,
            seldom: 1.0 - (of_this_client / self.servers).min(1.0),
            longer,
        }
    }

    /// What others than one client of a group left at a station, where stays there would be so much longer than demands, and
    /// how many servers all of it keeps busy.
    pub(super) fn of_others(
        all: &[Self],
        (group, station): (usize, usize),
        rates: &[f64],
        (busy, coming): (f64, f64),
        longer: f64,
    ) -> (Vec<Party>, f64) {
        let here = || all.iter().filter(|own| own.station == station);
        let parties = here().map(|own| {
            let of_this_client = f64::from(u8::from(own.group == group));
            let party = own.party(all, rates, (busy, coming), longer);
            Party {
                clients: party.clients - of_this_client,
                ..party
            }
        });
        let busy = here().map(|own| rates[own.group] * own.later);
        (parties.collect(), busy.sum())
    }

    /// What these clients left, as jobs that are there for a share of the time, where stays there would be so much longer than
    /// demands.
    pub(super) fn party(
        &self,
        all: &[Self],
        rates: &[f64],
        (busy, coming): (f64, f64),
        longer: f64,
    ) -> Party {
        Party {
            jobs: self.servers as usize,
            clients: self.clients,
            share: self.beside(all, rates, (busy, coming), longer).often,
        }
    }

    /// What each server has of it, if something is left \[s\].
    fn each(&self) -> f64 {
        self.later / self.likely / self.servers
    }

    /// Of the work of a cycle, what is done beside what the one before left, which takes so many times as long while the client
    /// is anywhere else \[s\].
    fn done_beside(&self, without: f64) -> f64 {
        let cycles = self.cycles.iter().map(|cycle| {
            let met = cycle.meets(self.each(), without);
            cycle.weight * met.map(|met| met.beside).sum::<f64>()
        });
        self.likely.min(1.0) * cycles.sum::<f64>()
    }

    /// What work under the locks of a piece's section meets of it, if something was left.
    pub(super) fn under(&self, (piece, section): (usize, usize), beside: &Beside) -> Under {
        let mut cycles = self.cycles.iter().filter(|cycle| cycle.piece == piece);
        let found = cycles.find_map(|cycle| {
            let mut met = cycle.meets(self.each(), beside.without);
            met.find(|met| met.section == Some(section))
        });
        let likely = self.likely.min(1.0);
        found.map_or_else(Under::default, |met| Under {
            beside: likely * met.beside,
            after_another: likely * (met.left - met.elsewhere / beside.without).max(0.0),
        })
    }
}

/// What work under the locks of a section meets of what is left \[s\].
#[derive(Clone, Copy, Default)]
pub(super) struct Under {
    /// What is done beside what its client left.
    beside: f64,
    /// What each server still has of what another client left that has just done as much.
    after_another: f64,
}

/// What else is at a station while a client is there with what it left.
pub(super) struct Beside {
    servers: f64,
    /// Jobs of those who never think, and of what they left.
    jobs: f64,
    /// Variance of the latter.
    variance: f64,
    /// The part of a cycle's work that is done beside what its client left.
    part_of_cycle: f64,
    /// For how many times as long as alone that is there while the client is anywhere else, and how often it is there.
    without: f64,
    often: f64,
    /// For how long what one client left is there \[s\].
    lasts: f64,
    /// The part of it that the network does not have there already.
    seldom: f64,
    /// Stay over demand without it.
    longer: f64,
}

impl Beside {
    /// By how much a stay under such locks is longer than without it \[s\].
    pub(super) fn longer_under(&self, coming: f64, under: Under) -> f64 {
        under.beside * self.longer(coming)
    }

    /// By how much a stay over the demand is longer than without it, where those who come and go take so many servers.
    fn longer(&self, coming: f64) -> f64 {
        let held_up = (self.servers + 1.0 + self.jobs) / self.rest(coming);
        self.seldom * (held_up - self.longer).max(0.0)
    }

    /// Variance of such a stay of so much work \[s²\].
    ///
    /// What others left is there for a while at a time: over a stay that is x of that its mean has 1 − x/3 of the variance that
    /// it has at one moment, and 1/x − 1/(3x²) from x = 1 on (autocovariance 1 − t). While it is there the work hardly comes
    /// on: no more of it is held up than what is done meanwhile.
    pub(super) fn variance(&self, coming: f64, demand: f64, stay: f64) -> f64 {
        let x = stay / self.lasts;
        let beside_one = stay + demand * self.servers / self.rest(coming);
        let demand = demand * (stay.max(self.lasts) / beside_one).min(1.0);
        let steady = if x <= 1.0 {
            1.0 - x / 3.0
        } else {
            1.0 / x - 1.0 / (3.0 * x * x)
        };
        self.variance * steady * (demand / self.rest(coming)).powi(2)
    }

    /// By how much such a stay of so much work is longer where another client has done as much just before: what that one left
    /// began to be done with it, and what is left of it then is there \[s\].
    pub(super) fn after_another(&self, coming: f64, under: Under, demand: f64) -> f64 {
        let beside = under.after_another.min(demand);
        beside * self.servers * (1.0 - self.often) / self.rest(coming)
    }

    fn rest(&self, coming: f64) -> f64 {
        self.servers - coming.min(ELSE_MOST * self.servers)
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Cycle, Leftover};

    const BESIDE: Beside = Beside {
        servers: 4.0,
        jobs: 0.0,
        variance: 0.0,
        part_of_cycle: 0.0,
        without: 4.0 / 3.0,
        often: 0.0,
        lasts: 100.0,
        seldom: 1.0,
        longer: 1.0,
    };

    /// Of these clients each leaves 80 s on four servers, and has so much work after so long anywhere else.
    fn own(clients: f64, likely: f64, (elsewhere, demand): (f64, f64)) -> Leftover {
        Leftover {
            group: 0,
            station: 0,
            servers: 4.0,
            clients,
            likely,
            later: 80.0,
            demand,
            cycles: vec![Cycle::of_one(elsewhere, demand)],
        }
    }

    /// One such client's cycle in 1000 s; all else keeps one server busy.
    fn stretch(clients: f64, likely: f64, (elsewhere, demand): (f64, f64)) -> f64 {
        let own = own(clients, likely, (elsewhere, demand));
        let rate = 1e-3 * clients;
        let busy = rate * 80.0 + rate * demand + 1.0;
        let mut stretch = vec![vec![1.1]];
        Leftover::lengthen(&[own], &[rate], (&[busy], &[1.0]), &mut stretch);
        stretch[0][0]
    }

    #[test]
    fn a_job_shares_the_servers_with_what_its_client_left() {
        // The other client is there as often as on average, for 1.1 times as long; what it left for as long as it takes with
        // all that is there, the client itself for half of it.
        let lasts = (4.0 + 0.5 + 0.01 * 1.1) / (4.0 - 1.0 - 0.08);
        let (others, rest) = (0.01 * 1.1 + 0.08 * lasts, 1.0);
        let held_up = stretch(2.0, 1.0, (0.0, 10.0));
        // The network has its own there for 2 % of the time already.
        let whole = 1.1 + (held_up - 1.1) / (1.0 - 0.08 / 4.0);
        let there = 4.0 + 1.0 + others + rest * whole;
        assert!((whole - there / 4.0).abs() < 1e-12, "{whole}");
    }

    #[test]
    fn what_is_left_for_a_shorter_time_or_seldom_holds_up_less() {
        let all = stretch(1.0, 1.0, (0.0, 10.0)) - 1.1;
        // 20 s on each server beside a demand of 40 s; and one cycle in four.
        assert!((stretch(1.0, 1.0, (0.0, 40.0)) - 1.1 - 0.5 * all).abs() < 1e-12);
        assert!((stretch(1.0, 0.25, (0.0, 10.0)) - 1.1 - 0.25 * all).abs() < 1e-12);
        // All of it is done before: 20 s, of which each server does three quarters of a second in a second.
        assert!((stretch(1.0, 1.0, (27.0, 10.0)) - 1.1).abs() < 1e-12);
        assert!((stretch(1.0, 1.0, (20.0, 10.0)) - 1.1 - 0.5 * all).abs() < 1e-12);
    }

    #[test]
    fn right_after_another_client_what_that_one_left_is_there() {
        let longer = |often: f64, elsewhere: f64, demand: f64| {
            let beside = Beside { often, ..BESIDE };
            let under = own(1.0, 1.0, (elsewhere, demand)).under((0, 0), &beside);
            beside.after_another(1.0, under, demand)
        };
        // Of 20 s on each server the first had 8 s done beside itself: four jobs more on three servers for 8 s.
        assert!((longer(0.0, 0.0, 8.0) - 32.0 / 3.0).abs() < 1e-9);
        assert!((longer(0.0, 0.0, 15.0) - 20.0 / 3.0).abs() < 1e-9);
        // While each of them was anywhere else first, 3 s.
        assert!((longer(0.0, 4.0, 10.0) - 16.0 / 3.0).abs() < 1e-9);
        // What is there anyway lengthens nothing, nor what the first had done by itself.
        assert!(longer(1.0, 0.0, 8.0).abs() < 1e-9 && longer(0.0, 0.0, 20.0).abs() < 1e-9);
    }

    #[test]
    fn over_a_long_stay_others_leftovers_come_and_go() {
        let variance = |stay: f64| {
            let beside = Beside {
                jobs: 1.0,
                variance: 6.0,
                ..BESIDE
            };
            beside.variance(1.0, 30.0, stay)
        };
        // Each job more on the three servers that are left takes a third of 30 s.
        let at_once = 6.0 * 10.0_f64.powi(2);
        assert!((variance(1e-9) - at_once).abs() < 1e-6);
        // Beside one of them 30 s take 40 s more than otherwise: of 100 s that it is there it holds up 100/140 of the work.
        let held_up = (100.0_f64 / 140.0).powi(2);
        assert!((variance(100.0) - at_once * held_up * 2.0 / 3.0).abs() < 1e-9);
        // A hundred times as long: as the mean of a hundred that do not know of each other.
        let long = variance(1e4) / at_once;
        assert!((long * 100.0 - 1.0).abs() < 0.02, "{long}");
    }
}
