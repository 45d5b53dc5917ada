//! How fast somebody's work goes on who stays at a station for far longer than those who come and go.
//!
//! Of m servers that are shared by all who are there, a job has the part min(1, m/n) with n there. With j who never leave,
//! himself among them, and a servers' work of those who come and go, the latter are n − j with weights
//! aⁿ⁻ʲ/∏ i·min(1, m/(i + j)) (a mixed network with a station whose speed goes with the load; Baskett, Chandy, Muntz and
//! Palacios 1975, section 3). Where all servers are busy whatever comes that part is (m − a)/j on average; else what is idle
//! is left out of it, and the weights from n = m on are those of a negative binomial distribution, with a known sum.
//!
//! A short job finds as many there as there happen to be: it stays for the mean of n/m. A long one has all numbers in turn: its
//! work goes on with the mean of m/n, which is more than one over the other.
//!
//! Knows no groups and no stations; not how long anybody is there ([`super::quiet`]).
//!
//! Assumption: those who never think are there independently of each other, in short turns beside the long stay.

use statrs::distribution::{Binomial, Discrete};

/// Chances that are too small to be told.
const CHANCE_LEAST: f64 = 1e-12;

/// Some who never think: so many jobs at once, of so many clients, each there for a share of the time, 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Party {
    pub(super) jobs: usize,
    pub(super) clients: f64,
    pub(super) share: f64,
}

/// Mean part of a server that a job has which stays, of so many servers shared with work of who comes and goes that keeps
/// `coming` of them busy, fewer than all, and with these.
pub(super) fn speed(servers: f64, coming: f64, others: &[Party]) -> f64 {
    let mut chances = vec![1.0];
    for party in others.iter().filter(|party| party.clients > 0.0) {
        chances = joined(&chances, party);
    }
    let with = chances.iter().enumerate();
    with.filter(|(_, chance)| **chance > 0.0)
        .map(|(others, chance)| chance * speed_of_one(servers, coming, 1.0 + others as f64))
        .sum()
}

/// Chances of so many jobs, with a party's besides.
fn joined(before: &[f64], party: &Party) -> Vec<f64> {
    // Between two whole numbers of clients, some of both.
    let (whole, part) = (party.clients.floor(), party.clients.fract());
    let whole = whole as u64;
    let mut chances = vec![0.0; before.len() + party.jobs * (whole as usize + 1)];
    for (clients, weight) in [(whole, 1.0 - part), (whole + 1, part)] {
        let Ok(binomial) = Binomial::new(party.share, clients) else {
            continue;
        };
        for there in 0..=clients {
            let chance = weight * binomial.pmf(there);
            if chance > CHANCE_LEAST {
                let moved = chances[party.jobs * there as usize..]
                    .iter_mut()
                    .zip(before);
                for (now, before) in moved {
                    *now += chance * before;
                }
            }
        }
    }
    chances
}

/// The part of a server that each of so many has who never leave.
fn speed_of_one(servers: f64, coming: f64, staying: f64) -> f64 {
    let busy = coming / servers;
    let (mut weights, mut idle) = (0.0, 0.0);
    // Weights if all servers were always busy, and what they are over that.
    let (mut always, mut always_so_far, mut ratio) = (1.0, 0.0, 1.0);
    let mut n = 0.0;
    while staying + n < servers {
        weights += always * ratio;
        idle += always * ratio * (servers - staying - n);
        always_so_far += always;
        always *= busy * (n + 1.0 + staying) / (n + 1.0);
        ratio *= servers / (n + 1.0 + staying);
        n += 1.0;
    }
    let rest = (1.0 - busy).powf(-(staying + 1.0)) - always_so_far;
    weights += ratio * rest;
    (servers - coming - idle / weights) / staying
}

#[cfg(test)]
mod tests {
    use super::{Party, speed, speed_of_one};

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9 * b.abs(), "{a} {b}");
    }

    /// The same, added up.
    fn summed(servers: f64, coming: f64, staying: f64) -> f64 {
        let (mut weight, mut weights, mut parts) = (1.0, 0.0, 0.0);
        for n in 0..20_000 {
            let part = (servers / (f64::from(n) + staying)).min(1.0);
            weights += weight;
            parts += weight * part;
            let next = f64::from(n + 1);
            weight *= coming / (next * (servers / (next + staying)).min(1.0));
        }
        parts / weights
    }

    #[test]
    fn idle_servers_are_left_to_nobody() {
        // Alone, and with so many that all are busy.
        near(speed_of_one(4.0, 0.0, 1.0), 1.0);
        near(speed_of_one(1.0, 0.75, 1.0), 0.25);
        near(speed_of_one(4.0, 1.0, 6.0), 0.5);
        for (coming, staying) in [(0.3, 1.0), (1.3, 3.0), (2.7, 3.0), (3.5, 2.0), (3.9, 4.0)] {
            let told = speed_of_one(4.0, coming, staying);
            near(told, summed(4.0, coming, staying));
            assert!(told >= (4.0 - coming) / staying.max(4.0) && told <= 1.0);
        }
    }

    #[test]
    fn who_is_there_for_a_share_of_the_time_is_in_the_way_for_that() {
        let party = |jobs, clients, share| Party {
            jobs,
            clients,
            share,
        };
        let with = |others| speed_of_one(4.0, 1.0, 1.0 + others);
        near(speed(4.0, 1.0, &[]), with(0.0));
        near(
            speed(4.0, 1.0, &[party(4, 1.0, 0.25)]),
            0.75 * with(0.0) + 0.25 * with(4.0),
        );
        // Two of one job, one of four, each of them half of the time.
        let both = [party(1, 2.0, 0.5), party(4, 1.0, 0.5)];
        let told = [0.0, 1.0, 1.0, 2.0, 4.0, 5.0, 5.0, 6.0].map(with);
        near(speed(4.0, 1.0, &both), told.iter().sum::<f64>() / 8.0);
        // A half of a client is there half as often.
        near(
            speed(4.0, 1.0, &[party(4, 0.5, 0.5)]),
            speed(4.0, 1.0, &[party(4, 1.0, 0.25)]),
        );
        // Many who are nearly always there, too many for a chance that nobody is.
        near(
            speed(4.0, 1.0, &[party(1, 400.0, 1.0)]),
            (4.0 - 1.0) / 401.0,
        );
        let many = speed(4.0, 1.0, &[party(1, 400.0, 0.98)]);
        assert!((many / ((4.0 - 1.0) / 393.0) - 1.0).abs() < 1e-3, "{many}");
        // Who stays for long has more than one over what a short job finds.
        let seldom = speed(1.0, 0.5, &[party(1, 4.0, 0.5)]);
        assert!(1.0 / seldom < (1.0 + 2.0) / 0.5);
    }
}
