//! Commands that the end of a pause lets go together: they are at the stations together.
//!
//! Two exponential jobs that come to a processor-sharing station together are both there for as long as the shorter one needs:
//! with demands a and b that is a·b/(a + b) on average, by which each stays longer. What comes and goes besides lengthens that as
//! it does every stay; clients who never think are there all the same.
//!
//! Knows who is let go with how many ([`super::pauses`]); not why.

use super::balance::Frame;
use super::links::Late;
use super::pauses::Pauses;

/// Share of a station that the others take at most while it is told how long they stay: assumed, so that nothing becomes
/// infinite on the way.
const BUSY_MOST: f64 = 0.95;
/// A stay that is worth telling \[s\].
const LEAST: f64 = 1e-9;

impl Frame<'_, '_> {
    /// Who stays for longer because he is let go with others, where groups' cycles come so often.
    pub(super) fn released(&self, pauses: &Pauses, rates: &[f64]) -> Vec<Late> {
        let releases: Vec<Vec<(f64, f64)>> = self
            .pieces
            .iter()
            .enumerate()
            .map(|(p, piece)| {
                let rate = rates[piece.group] * piece.weight / self.load.instances;
                pauses.released(p, rate).collect()
            })
            .collect();
        let passing = self.passing(rates);
        let late = releases.iter().enumerate().filter_map(|(piece, own)| {
            let waited = self.pieces[piece].waited();
            let stays = waited.iter().map(|(station, demand)| {
                let among = own.iter().enumerate();
                let stay: f64 = among
                    .filter(|(_, (likely, _))| likely * demand > LEAST)
                    .map(|(pause, (likely, _))| {
                        likely * self.with_others(&releases, pause, (station, demand))
                    })
                    .sum();
                (station, stay / (1.0 - passing[station]))
            });
            let stays: Vec<(usize, f64)> = stays.collect();
            let seconds: f64 = stays.iter().map(|(_, stay)| stay).sum();
            let (station, _) = stays.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
            (seconds > LEAST).then_some(Late {
                piece,
                station,
                seconds,
            })
        });
        late.collect()
    }

    /// How long one with this demand at a station is there with those who are let go with him \[s\].
    fn with_others(
        &self,
        releases: &[Vec<(f64, f64)>],
        pause: usize,
        (station, demand): (usize, f64),
    ) -> f64 {
        if !self.plant.stations[station]
            .0
            .kind
            .greatest_speed()
            .is_finite()
        {
            return 0.0;
        }
        let others = self.pieces.iter().zip(releases).map(|(piece, release)| {
            let other = piece.cost.total().get(station);
            release[pause].1 * demand * other / (demand + other)
        });
        others.sum::<f64>() / self.plant.servers(station)
    }

    /// Busy share of each station for those who come and go.
    fn passing(&self, rates: &[f64]) -> Vec<f64> {
        let stations = 0..self.plant.stations.len();
        let busy = stations.map(|k| {
            let passing = rates.iter().enumerate();
            let passing = passing.filter(|(g, _)| !self.load.groups[*g].never_thinks());
            let busy: f64 = passing.map(|(g, rate)| rate * self.demands[g][k]).sum();
            (busy / self.plant.servers(k)).min(BUSY_MOST)
        });
        busy.collect()
    }
}
