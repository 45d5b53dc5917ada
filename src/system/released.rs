//! Commands that the end of a pause lets go together: they are at the stations together.
//!
//! Two exponential jobs that come to a processor-sharing station together are both there for as long as the shorter one needs:
//! with demands a and b that is a·b/(a + b) on average, by which each stays longer. Who comes and goes meanwhile is there as
//! well: where jobs of b come so often that they keep a share ρ of the station busy, it takes 1/(1 − Σ ρ·a/(a + b)) times as
//! long (bulk arrivals; Kleinrock, Muntz and Rodemich 1971, where there are many in a bulk). Who stands in line for tables is at no station yet:
//! of both waits the longer counts.
//!
//! Knows who is let go with how many, and how long they stand in line ([`super::pauses`]); not why.

use super::balance::Frame;
use super::links::Late;
use super::pauses::{LetGo, Pauses};

/// Share of a station that the others take at most while it is told how long they stay: assumed, so that nothing becomes
/// infinite on the way.
const BUSY_MOST: f64 = 0.95;
/// A stay that is worth telling \[s\].
const LEAST: f64 = 1e-9;

/// Who is at a station of one server, by demand there \[s\].
#[derive(Default)]
struct Bulk {
    /// How many are let go together.
    let_go: Vec<(f64, f64)>,
    /// How often who comes and goes does \[1/s\].
    coming: Vec<(f64, f64)>,
}

impl Bulk {
    /// How long one with this demand who is let go with them is held up \[s\].
    fn hold_up(&self, demand: f64) -> f64 {
        let both = |all: &[(f64, f64)]| -> f64 {
            let all = all.iter();
            all.map(|(many, other)| many * demand * other / (demand + other))
                .sum()
        };
        both(&self.let_go) / (1.0 - both(&self.coming).min(BUSY_MOST))
    }
}

impl Frame<'_, '_> {
    /// Who stays for longer because he is let go with others, where groups' cycles come so often.
    pub(super) fn released(&self, pauses: &Pauses, rates: &[f64]) -> Vec<Late> {
        let mut stays = vec![vec![0.0; self.plant.stations.len()]; self.pieces.len()];
        let mut seconds = vec![0.0; self.pieces.len()];
        for pause in 0..pauses.releases() {
            let let_go = self.pieces.iter().enumerate().map(|(p, piece)| {
                let rate = rates[piece.group] * piece.weight / self.load.instances;
                pauses.let_go(pause, p, rate)
            });
            let let_go: Vec<LetGo> = let_go.collect();
            let stations = 0..self.plant.stations.len();
            let bulks: Vec<Bulk> = stations.map(|k| self.bulk(rates, &let_go, k)).collect();
            for ((p, own), stays) in let_go.iter().enumerate().zip(&mut stays) {
                let mut together = 0.0;
                for (k, demand) in self.pieces[p].waited().iter() {
                    if own.likely * demand > LEAST {
                        let longer = bulks[k].hold_up(demand / self.plant.servers(k));
                        stays[k] += own.likely * longer;
                        together += longer;
                    }
                }
                seconds[p] += own.likely * (together - own.in_line).max(0.0);
            }
        }
        let late = seconds.into_iter().zip(stays).enumerate();
        let late = late.filter_map(|(piece, (seconds, stays))| {
            let stays = stays.into_iter().enumerate();
            let (station, _) = stays.max_by(|a, b| a.1.total_cmp(&b.1))?;
            (seconds > LEAST).then_some(Late {
                piece,
                station,
                seconds,
            })
        });
        late.collect()
    }

    /// Who is at a station where so many of each piece are let go.
    fn bulk(&self, rates: &[f64], let_go: &[LetGo], station: usize) -> Bulk {
        let mut bulk = Bulk::default();
        let (kind, servers) = (
            &self.plant.stations[station].0.kind,
            self.plant.servers(station),
        );
        if !kind.greatest_speed().is_finite() {
            return bulk;
        }
        for (piece, let_go) in self.pieces.iter().zip(let_go) {
            let demand = piece.cost.total().get(station) / servers;
            if demand > 0.0 {
                bulk.let_go.push((let_go.many, demand));
                if !self.load.groups[piece.group].never_thinks() {
                    bulk.coming
                        .push((rates[piece.group] * piece.weight, demand));
                }
            }
        }
        bulk
    }
}

#[cfg(test)]
mod tests {
    use super::Bulk;

    #[test]
    fn a_bulk_is_held_up_by_itself_and_by_who_comes_meanwhile() {
        let (many, demand, busy) = (100.0, 3.0, 0.8);
        let mut bulk = Bulk {
            let_go: vec![(many, demand)],
            coming: Vec::new(),
        };
        // On average half of the others are through before one of them.
        assert!((bulk.hold_up(demand) - many * demand / 2.0).abs() < 1e-9);
        // n(a) = n·e^(−(1 − ρ)·a/D) of them are there when each has had a: n·D/(2 − ρ) on average over a (Kleinrock, Muntz
        // and Rodemich 1971).
        bulk.coming.push((busy / demand, demand));
        let longer = bulk.hold_up(demand);
        assert!(
            (longer - many * demand / (2.0 - busy)).abs() < 1e-9,
            "{longer}"
        );
        // Who needs hardly anything is not held up by those who come after him.
        assert!((bulk.hold_up(1e-6) / (many * 1e-6) - 1.0).abs() < 1e-6);
    }
}
