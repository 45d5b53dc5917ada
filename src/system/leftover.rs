//! What a client left for later and is still being done when it begins anew.
//!
//! A client that never thinks begins its next large sync where the pages that the last one wrote are still on their way
//! to the disks: as an open stream they would be there only as often as on average.
//!
//! Knows the work that nobody waits for; not what else lengthens stays ([`super::together`]).
//!
//! Assumptions: what is left is spread over all servers of a station ([`super::script`]); the other clients' lasts longer than
//! what is held up by it, so that as much of it is there as on average, while all else is held up in turn. A client of several
//! threads has as many jobs there itself, and what it left is told as an open stream.

use super::balance::Frame;
use super::script::SPREAD;
use crate::workload::Arrival;

/// Share of a station's servers that all else takes at most while it is told how long that is held up.
const ELSE_MOST: f64 = 0.9;

/// What the clients of a group leave for later at a station.
pub(super) struct Leftover {
    group: usize,
    station: usize,
    servers: f64,
    clients: f64,
    /// How likely it is of a cycle that something is left there.
    likely: f64,
    /// Of a cycle: what is left, and what is waited for \[s\].
    later: f64,
    demand: f64,
}

impl Leftover {
    /// All of them.
    pub(super) fn all(frame: &Frame<'_, '_>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for piece in frame.pieces {
            let group = &frame.load.groups[piece.group];
            let clients = match group.arrival {
                Arrival::Closed { population, .. } if group.never_thinks() => population,
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
                        });
                    }
                    let last = all.len() - 1;
                    let own = &mut all[known.unwrap_or(last)];
                    own.likely += piece.weight;
                    own.later += later * piece.weight;
                    own.demand += demand * piece.weight;
                }
            }
        }
        all
    }

    fn is_of(&self, group: usize, station: usize) -> bool {
        (self.group, self.station) == (group, station)
    }

    /// Lengthens stays over demands by it, where cycles come so often and stations are so busy.
    ///
    /// Of m servers that the one job shares with m of what its client left, n of what others left and of those others, and all
    /// else, each job has m over how many there are. All else takes r servers and is held up as much: s = (m + 1 + n + r·s)/m
    /// is the stay over the demand, (m + 1 + n)/(m − r).
    pub(super) fn lengthen(
        all: &[Self],
        rates: &[f64],
        utilization: &[f64],
        stretch: &mut [Vec<f64>],
    ) {
        for own in all {
            let here = || all.iter().filter(|other| other.station == own.station);
            let left: f64 = here().map(|other| rates[other.group] * other.later).sum();
            let there: f64 = here().map(|other| rates[other.group] * other.demand).sum();
            let of_this_client = rates[own.group] * own.later / own.clients;
            let this_client = rates[own.group] * own.demand / own.clients;
            let busy = utilization[own.station] * own.servers;
            let rest = (busy - left - there).clamp(0.0, ELSE_MOST * own.servers);
            let longer = &mut stretch[own.group][own.station];
            let others = (left + there - of_this_client - this_client) * *longer;
            let held_up = (own.servers + 1.0 + others) / (own.servers - rest);
            // For so long the one is there with the other; the network has it there as often as on average.
            let part = own.likely.min(1.0) * (own.later / own.servers / own.demand).min(1.0);
            let seldom = 1.0 - (of_this_client / own.servers).min(1.0);
            *longer += part * seldom * (held_up - *longer).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Leftover;

    /// One of these clients leaves 80 s on four servers, a cycle in 1000 s; all else keeps one server busy.
    fn stretch(clients: f64, likely: f64, demand: f64) -> f64 {
        let own = Leftover {
            group: 0,
            station: 0,
            servers: 4.0,
            clients,
            likely,
            later: 80.0,
            demand,
        };
        let rate = 1e-3 * clients;
        let busy = rate * 80.0 + rate * demand + 1.0;
        let mut stretch = vec![vec![1.1]];
        Leftover::lengthen(&[own], &[rate], &[busy / 4.0], &mut stretch);
        stretch[0][0]
    }

    #[test]
    fn a_job_shares_the_servers_with_what_its_client_left() {
        // The other client and what it left are there as often as on average, each job for 1.1 times as long.
        let (others, rest) = ((0.08 + 0.01) * 1.1, 1.0);
        let held_up = stretch(2.0, 1.0, 10.0);
        // The network has its own there for 2 % of the time already.
        let whole = 1.1 + (held_up - 1.1) / (1.0 - 0.08 / 4.0);
        let there = 4.0 + 1.0 + others + rest * whole;
        assert!((whole - there / 4.0).abs() < 1e-12, "{whole}");
    }

    #[test]
    fn what_is_left_for_a_shorter_time_or_seldom_holds_up_less() {
        let all = stretch(1.0, 1.0, 10.0) - 1.1;
        // 20 s on each server beside a demand of 40 s; and one cycle in four.
        assert!((stretch(1.0, 1.0, 40.0) - 1.1 - 0.5 * all).abs() < 1e-12);
        assert!((stretch(1.0, 0.25, 10.0) - 1.1 - 0.25 * all).abs() < 1e-12);
    }
}
