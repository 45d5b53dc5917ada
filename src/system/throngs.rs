//! Throngs: those whom the end of a pause lets go, at the stations that all instances of p4d share.
//!
//! While many more than usual are at a station, every hold lasts as many times as long there, at all instances: tables that
//! are held for a moment otherwise are asked for more than they can do ([`stopped`]), until the throng is gone ([`course`]). In the
//! rest of the time there is so much less to do: work that comes together is not there at other times ([`Frame::calm`]).
//!
//! Knows who is at stations, and how often; not which tables are taken there ([`super::contention`]), nor who waits for them
//! ([`super::pauses`]).
//!
//! Assumption: throngs do not meet each other.

mod course;
mod stopped;

use self::course::{Beside, Course, Part};
pub(super) use self::stopped::Comers;
use super::balance::{BUSY_MOST, Frame};
use super::pauses::{LetGo, Pauses};

/// Share of time for which throngs have a station at most: assumed, so that nothing becomes infinite on the way.
const SHARE_MOST: f64 = 0.9;
/// Fewer are no throng.
const MANY_LEAST: f64 = 1.0;

/// Many who come to a station together.
pub(super) struct Throng {
    pub(super) station: usize,
    /// \[1/s\].
    pub(super) often: f64,
    /// For how long the station is busy with those who were let go \[s\].
    busy_for: f64,
    course: Course,
}

impl Throng {
    /// By how many demands a stay is longer for each who is there, while tables let through all who come.
    pub(super) fn each(&self) -> f64 {
        1.0 / (self.course.beside.servers * (1.0 - self.course.beside.busy))
    }

    /// For how long it holds up whoever comes to a table, as if that were shut \[s\], if with so many more at the station it is
    /// asked for all it can do.
    pub(super) fn stops(&self, room: f64, comers: Comers) -> f64 {
        self.course.stops(room, comers, 1.0 / self.often)
    }

    /// ∫ n dt, ∫ n² dt and ∫ n³ dt of those who are there from a time on, in s.
    pub(super) fn moments_after(&self, time: f64) -> [f64; 3] {
        self.course.moments_after(time)
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

    /// The throngs that the ends of pauses make, where groups' cycles come so often, stays are so much longer than demands, and
    /// some table is asked for all it can do with so many more at each station.
    pub(super) fn throngs(
        &self,
        pauses: &Pauses,
        rates: &[f64],
        stretch: &[Vec<f64>],
        room: &[f64],
    ) -> Vec<Throng> {
        let mut throngs = Vec::new();
        let Some(stays) = self.stays_of_who_thinks(stretch) else {
            return throngs;
        };
        let coming = self.coming(rates);
        for routes in pauses.let_go_by_pauses() {
            let let_go = self.let_go(pauses, routes, rates);
            let held_up = self.held_up(&let_go, rates);
            for (k, room) in room.iter().enumerate() {
                if self.plant.stations[k].0.kind.greatest_speed().is_finite() {
                    let servers = self.plant.servers(k);
                    let busy = (coming[k] / servers).min(BUSY_MOST);
                    let beside = Beside {
                        busy,
                        usual: stays[k] * servers * (1.0 - busy),
                        servers,
                        room: *room,
                    };
                    throngs.extend(self.throng((k, beside), (&let_go, &held_up), rates));
                }
            }
        }
        throngs
    }

    /// Stays over demands of those who come and go, if somebody does: they all find the same.
    pub(super) fn stays_of_who_thinks<'s>(&self, stretch: &'s [Vec<f64>]) -> Option<&'s [f64]> {
        let mut groups = self.load.groups.iter().zip(stretch);
        let who_thinks = groups.find(|(group, _)| !group.never_thinks());
        who_thinks.map(|(_, stays)| &**stays)
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

    /// Those of whom so many are let go together, at a station. Who stands in line for tables comes out of it while he would be held up, for the part of that for which he is in line.
    fn throng(
        &self,
        (station, beside): (usize, Beside),
        (let_go, held_up): (&[LetGo], &[f64]),
        rates: &[f64],
    ) -> Option<Throng> {
        let (mut many, mut flow, mut busy_for) = (0.0, 0.0, 0.0);
        let mut parts = Vec::new();
        for ((piece, own), held_up) in self.pieces.iter().zip(let_go).zip(held_up) {
            let work = self.work_of(piece, station);
            if work <= 0.0 {
                continue;
            }
            many += own.many;
            flow += rates[piece.group] * piece.weight * own.likely;
            busy_for += own.many * work;
            let in_line = if *held_up > 0.0 {
                (own.in_line / held_up).min(1.0)
            } else {
                0.0
            };
            let lines = [(1.0 - in_line, 0.0), (in_line, 2.0 * own.in_line)];
            let lines = lines.into_iter().filter(|(share, _)| *share > 0.0);
            parts.extend(lines.map(|(share, line)| Part {
                many: own.many * share,
                work,
                line,
            }));
        }
        (many >= MANY_LEAST).then(|| Throng {
            station,
            often: flow / many,
            busy_for,
            course: Course::of(parts, beside),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::calm;

    #[test]
    fn what_throngs_do_is_not_there_otherwise() {
        let calm: Vec<f64> = calm(&[10.0, 1.2, 0.9], &[0.3, 0.5, 0.5]).collect();
        assert_eq!(calm, [7.0, 1.0, 0.9]);
    }
}
