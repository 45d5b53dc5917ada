//! Tables that are shut while a throng is at the stations ([`super::super::throngs`]).
//!
//! With n more at a station each hold that works there lasts longer by n of its demands, and so a table is asked for more: from
//! one on it is shut until so many are there no more. Whoever has an earlier table stands with it at that one, so that the
//! earlier one is shut as well.
//!
//! Knows what tables were asked for in the last round; not who waits ([`super::super::pauses`]).

use super::super::pauses::{Jam, Jammed};
use super::super::throngs::Throng;
use super::met::wanted_alone;
use super::{Contention, rest};

impl Contention<'_> {
    /// What throngs make of the tables of an instance of p4d that is not the one that they come from, where groups' cycles come
    /// so often and stations have so many servers.
    pub(in crate::system) fn jams(
        &self,
        throngs: &[Throng],
        rates: &[f64],
        servers: &[f64],
    ) -> Vec<Jam> {
        let elsewhere = 1.0 - 1.0 / self.load.instances;
        if throngs.is_empty() || elsewhere <= 0.0 {
            return Vec::new();
        }
        let asked = self.asked_by_one_more(rates, servers);
        let rate = |kind: usize| self.sums[kind].rate;
        let contests = 0..self.contests.all.len();
        let alone = contests.map(|contest| wanted_alone(&self.contests, contest, rate));
        let alone: Vec<f64> = alone.collect();
        let jams = throngs.iter().filter_map(|throng| {
            let tables = self.found.iter().zip(&asked).zip(&alone);
            let tables = tables.map(|((found, asked), alone)| {
                let asked = asked[throng.station];
                let until = if asked > 0.0 && found.utilization > 0.0 {
                    throng.until((1.0 - found.utilization).max(0.0) / asked)
                } else {
                    0.0
                };
                Jammed {
                    until,
                    behind: until,
                    alone: *alone,
                }
            });
            let mut tables: Vec<Jammed> = tables.collect();
            self.shut_earlier(&mut tables);
            let any = tables.iter().any(|table| table.until > 0.0);
            any.then_some(Jam {
                often: throng.often * elsewhere,
                tables,
            })
        });
        jams.collect()
    }

    /// By contest and station, how much more of its capacity is asked for with a job more at the station.
    fn asked_by_one_more(&self, rates: &[f64], servers: &[f64]) -> Vec<Vec<f64>> {
        let mut more = vec![vec![0.0; servers.len()]; self.contests.all.len()];
        let mut work = vec![0.0; self.contests.all.len()];
        let pieces = self.pieces.iter().zip(self.contests.firsts.windows(2));
        for (piece, firsts) in pieces {
            let rate = rates[piece.group] * piece.weight / self.load.instances;
            for (s, inside) in (firsts[0]..firsts[1]).zip(piece.cost.insides()) {
                let kind = self.contests.kind_of[s];
                let rate = rate * rest(self.pauses.as_ref(), kind);
                for (contest, _) in self.contests.places_of(kind) {
                    work[*contest] += rate * self.holds[s].mean;
                    for (k, demand) in inside.iter() {
                        more[*contest][k] += rate * demand / servers[k];
                    }
                }
            }
        }
        for ((more, work), found) in more.iter_mut().zip(work).zip(&self.found) {
            for more in more.iter_mut().filter(|more| **more > 0.0) {
                *more *= found.utilization / work;
            }
        }
        more
    }

    /// Shuts earlier tables of those who stand at later ones.
    fn shut_earlier(&self, tables: &mut [Jammed]) {
        let Some(held) = &self.while_held else {
            return;
        };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for kind in (0..self.sums.len()).filter(|kind| self.sums[*kind].rate > 0.0) {
                for (contest, _) in self.contests.places_of(kind) {
                    let later = held.later(&self.contests, *contest, kind);
                    let until = later.map(|(later, _)| tables[*later].behind);
                    let until = until.fold(0.0, f64::max);
                    if until > tables[*contest].behind {
                        tables[*contest].behind = until;
                        changed = true;
                    }
                }
            }
        }
    }
}
