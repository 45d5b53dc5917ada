//! Throngs: those whom the end of a pause lets go, at the stations that all instances of p4d share.
//!
//! While many more than usual are at a station, every hold lasts as many times as long there, at all instances: tables that
//! are held for a moment otherwise are asked for more than they can do, and are as good as shut until the throng is gone. In the
//! rest of the time there is so much less to do: work that comes together is not there at other times ([`Frame::calm`]).
//!
//! Of n who are let go together and have work b each, on a station of which others leave a share 1 − ρ, there are
//! n·e^(−(1 − ρ)·x/b) when each who is left has had x (processor sharing), which is after Σ n·b/(1 − ρ)·(1 − e^(−(1 − ρ)·x/b)).
//! An open stream comes meanwhile as always; closed clients come once each, and belong to it.
//!
//! Knows who is at stations, and how often; not which tables are taken there ([`super::contention`]), nor who waits for them
//! ([`super::pauses`]).
//!
//! Assumption: throngs do not meet each other.

use super::balance::Frame;
use super::pauses::{LetGo, Pauses};
use crate::workload::Arrival;

/// Share of a station that the others take at most while a throng is there: assumed, so that nothing becomes infinite on the way.
const BUSY_MOST: f64 = 0.95;
/// Share of time for which throngs have a station at most: assumed, for the same reason.
const SHARE_MOST: f64 = 0.9;
/// Fewer are no throng.
const MANY_LEAST: f64 = 1.0;
/// So few are as good as nobody.
const LEFT_LEAST: f64 = 1e-9;
/// Turns until it is known how many closed clients come while it lasts.
const TURNS: usize = 8;
/// Steps of a bisection.
const STEPS: usize = 60;

/// Many who come to a station together.
pub(super) struct Throng {
    pub(super) station: usize,
    /// \[1/s\].
    pub(super) often: f64,
    /// For how long the station is busy with those who were let go \[s\].
    busy_for: f64,
    /// How many there are, and what each has to do there, by all servers \[s\].
    there: Vec<(f64, f64)>,
    /// The share of the station that is left for them.
    spare: f64,
}

impl Throng {
    /// Until fewer than so many are there \[s\].
    pub(super) fn until(&self, least: f64) -> f64 {
        let all: f64 = self.there.iter().map(|(many, _)| many).sum();
        if all <= least {
            return 0.0;
        }
        let longest = self.there.iter().map(|(_, work)| *work).fold(0.0, f64::max);
        // By then the longest are down to fewer than that, and all others even more so.
        let (mut low, mut high) = (
            0.0,
            longest / self.spare * (all / least.max(LEFT_LEAST)).ln(),
        );
        for _ in 0..STEPS {
            let middle = 0.5 * (low + high);
            if self.left(middle) > least {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.after(low)
    }

    /// How many are left when each of them has had so much \[s\].
    fn left(&self, had: f64) -> f64 {
        let there = self.there.iter();
        there
            .map(|(many, work)| many * (-self.spare * had / work).exp())
            .sum()
    }

    /// When that is \[s\].
    fn after(&self, had: f64) -> f64 {
        let done = self
            .there
            .iter()
            .map(|(many, work)| many * work * -(-self.spare * had / work).exp_m1());
        done.sum::<f64>() / self.spare
    }

    /// Lets those of these closed clients join who come while it lasts: how many they are, what each has to do, and how often
    /// each comes \[1/s\].
    fn join(&mut self, clients: &[(f64, f64, f64)]) {
        let joining = |lasts: f64| {
            let clients = clients.iter();
            clients.map(move |(many, work, often)| (many * -(-often * lasts).exp_m1(), *work))
        };
        let work = |all: &mut dyn Iterator<Item = (f64, f64)>| all.map(|(n, b)| n * b).sum::<f64>();
        let own = work(&mut self.there.iter().copied());
        let mut lasts = own / self.spare;
        for _ in 0..TURNS {
            lasts = (own + work(&mut joining(lasts))) / self.spare;
        }
        self.there.extend(joining(lasts));
    }
}

/// Stays over demands while no throng is there, where each station has one for a share of the time.
fn calm<'s>(stretch: &'s [f64], thronged: &'s [f64]) -> impl Iterator<Item = f64> + 's {
    let stations = stretch.iter().zip(thronged);
    stations.map(|(longer, share)| (longer * (1.0 - share)).max(longer.min(1.0)))
}

impl Frame<'_, '_> {
    /// Stays over demands while no throng is there, where each station has one for a share of the time, for those who come and
    /// go: if everybody leaves 1 − ρ of a station idle and throngs take β of the time, it is (1 − ρ)/(1 − β) otherwise.
    ///
    /// Who never thinks is there at all times.
    pub(super) fn calm(&self, stretch: &[Vec<f64>], thronged: &[f64]) -> Vec<Vec<f64>> {
        let groups = self.load.groups.iter().zip(stretch);
        let groups = groups.map(|(group, stretch)| {
            if group.never_thinks() {
                stretch.clone()
            } else {
                calm(stretch, thronged).collect()
            }
        });
        groups.collect()
    }

    /// The throngs that the ends of pauses make, where groups' cycles come so often.
    pub(super) fn throngs(&self, pauses: &Pauses, rates: &[f64]) -> Vec<Throng> {
        let spare = self.spare_beside_closed(rates);
        let mut throngs = Vec::new();
        for routes in pauses.let_go_by_pauses() {
            let let_go = self.let_go(pauses, routes, rates);
            let held_up = self.held_up(&let_go, rates);
            for (k, spare) in spare.iter().enumerate() {
                if self.plant.stations[k].0.kind.greatest_speed().is_finite() {
                    throngs.extend(self.throng((k, *spare), (&let_go, &held_up), rates));
                }
            }
        }
        throngs
    }

    /// Share of time for which throngs have each station.
    pub(super) fn thronged(&self, throngs: &[Throng], rates: &[f64]) -> Vec<f64> {
        let mut share = vec![0.0; self.plant.stations.len()];
        let coming = self.coming(rates);
        for throng in throngs {
            let k = throng.station;
            let own = throng.often * throng.busy_for;
            let others = coming[k] / self.plant.servers(k) - own;
            share[k] += own / (1.0 - others.clamp(0.0, BUSY_MOST));
        }
        share
            .into_iter()
            .map(|share| share.min(SHARE_MOST))
            .collect()
    }

    /// The share of each station that streams from outside leave.
    pub(super) fn spare_beside_closed(&self, rates: &[f64]) -> Vec<f64> {
        let stations = self.plant.stations.iter().enumerate();
        let spare = stations.map(|(k, (station, _))| {
            if !station.kind.greatest_speed().is_finite() {
                return 1.0;
            }
            let open = self.pieces.iter().filter(|piece| {
                let arrival = self.load.groups[piece.group].arrival;
                matches!(arrival, Arrival::Open { .. })
            });
            let busy = open.map(|piece| rates[piece.group] * piece.weight * self.work_of(piece, k));
            1.0 - busy.sum::<f64>().min(BUSY_MOST)
        });
        spare.collect()
    }

    /// Those of whom so many are let go together, at a station, with who comes while they are there. Who stands in line for
    /// tables for as long as he is held up is not there.
    fn throng(
        &self,
        (station, spare): (usize, f64),
        (let_go, held_up): (&[LetGo], &[f64]),
        rates: &[f64],
    ) -> Option<Throng> {
        let mut throng = Throng {
            station,
            often: 0.0,
            busy_for: 0.0,
            there: Vec::new(),
            spare,
        };
        let (mut many, mut flow, mut clients) = (0.0, 0.0, Vec::new());
        for ((piece, own), held_up) in self.pieces.iter().zip(let_go).zip(held_up) {
            let work = self.work_of(piece, station);
            if work <= 0.0 {
                continue;
            }
            let there = if *held_up > 0.0 {
                (1.0 - own.in_line / held_up).max(0.0)
            } else {
                1.0
            };
            many += own.many;
            flow += rates[piece.group] * piece.weight * own.likely;
            throng.busy_for += own.many * work;
            throng.there.push((own.many * there, work));
            let group = &self.load.groups[piece.group];
            if let Arrival::Closed { population, .. } = group.arrival
                && !group.never_thinks()
            {
                let of_group = self.pieces.iter().filter(|o| o.group == piece.group);
                let all: f64 = of_group.map(|o| o.weight).sum();
                let each = rates[piece.group] * all / population;
                clients.push((population * piece.weight / all, work, each));
            }
        }
        if many < MANY_LEAST {
            return None;
        }
        throng.often = flow / many;
        throng.join(&clients);
        Some(throng)
    }
}

#[cfg(test)]
mod tests {
    use super::{Throng, calm};

    fn throng(there: &[(f64, f64)], spare: f64) -> Throng {
        Throng {
            station: 0,
            often: 0.0,
            busy_for: 0.0,
            there: there.to_vec(),
            spare,
        }
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "{a} {b}");
    }

    #[test]
    fn a_throng_is_gone_when_its_work_is_done_beside_that_of_others() {
        // Of exponential works that share a station as many are left as have not had theirs: n·b/(1 − ρ) in all.
        let alike = throng(&[(100.0, 2.0)], 0.5);
        near(alike.until(100.0), 0.0);
        near(alike.until(25.0), 0.75 * 100.0 * 2.0 / 0.5);
        assert!((alike.until(1e-6) - 400.0).abs() < 1e-3);
        // Who has little to do is gone soon, who has much is there to the end.
        let unlike = throng(&[(50.0, 0.02), (50.0, 4.0)], 0.5);
        assert!(unlike.until(40.0) < 0.3 * unlike.until(1.0));
        assert!((unlike.until(1e-6) - (1.0 + 200.0) / 0.5).abs() < 1e-3);
    }

    #[test]
    fn clients_come_once_while_it_lasts() {
        let mut with = throng(&[(100.0, 2.0)], 1.0);
        with.join(&[(50.0, 1.0, 1e9), (50.0, 1.0, 0.0)]);
        let many: Vec<f64> = with.there.iter().map(|(many, _)| *many).collect();
        assert_eq!(many, [100.0, 50.0, 0.0]);
        // With as many as come in 250 s or so.
        let mut some = throng(&[(100.0, 2.0)], 1.0);
        some.join(&[(100.0, 1.0, 0.002)]);
        let lasts = 200.0 + some.there[1].0;
        assert!((some.there[1].0 - 100.0 * (1.0 - (-0.002 * lasts).exp())).abs() < 0.01);
    }

    #[test]
    fn what_throngs_do_is_not_there_otherwise() {
        let calm: Vec<f64> = calm(&[10.0, 1.2, 0.9], &[0.3, 0.5, 0.5]).collect();
        assert_eq!(calm, [7.0, 1.0, 0.9]);
    }
}
