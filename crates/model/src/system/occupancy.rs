//! How many jobs are at a station of several servers, where some come together.
//!
//! Of m servers that are shared by all who are there, a job has the part min(1, m/(b + n)): b are those who came with
//! it, n the others. These come in batches, independently of each other. Of batches who come as streams n is compound
//! Poisson, by the recursion n·P(n) = Σ λ(b)·b·P(n − b) over their sizes (Panjer 1981, "Recursive evaluation of a family
//! of compound distributions", ASTIN Bulletin 12, section 3); of batches of a few clients it is binomial.

/// Of more clients those who are there are as many as of a stream.
const CLIENTS_MAX: f64 = 200.0;
/// Share of his time that a client is there who never leaves: odds remain a number.
const ALWAYS: f64 = 1.0 - 1e-9;

/// How many jobs are at a station of several servers.
pub(super) struct Occupancy {
    servers: usize,
    /// Mean number of jobs.
    mean: f64,
    /// Batches who come as streams: of how many jobs, and how many are there on average.
    streams: Vec<(usize, f64)>,
    /// Batches of clients: of how many jobs, how many clients there may be, and the share of their time here.
    clients: Vec<(usize, f64, f64)>,
    /// Chances of so many jobs, as long as a server is idle; nothing until [`Self::fill`] has worked them out.
    chances: Vec<f64>,
    before: Vec<f64>,
}

impl Occupancy {
    pub(super) fn new(servers: usize) -> Self {
        Self { servers, mean: 0.0, streams: Vec::new(), clients: Vec::new(), chances: Vec::new(), before: Vec::new() }
    }

    pub(super) fn empty(&mut self) {
        self.mean = 0.0;
        self.streams.clear();
        self.clients.clear();
    }

    /// So many batches of so many jobs are there on average, of so many clients; whoever is of these himself
    /// meets the others.
    pub(super) fn enter(&mut self, jobs: usize, batches: f64, clients: Option<f64>, own: bool) {
        let Some(clients) = clients else {
            self.mean += jobs as f64 * batches;
            match self.streams.iter_mut().find(|(j, _)| *j == jobs) {
                Some((_, sum)) => *sum += batches,
                None => self.streams.push((jobs, batches)),
            }
            return;
        };
        let share = (batches / clients).min(ALWAYS);
        let clients = if own { clients - 1.0 } else { clients };
        if clients > CLIENTS_MAX {
            self.enter(jobs, clients * share, None, false);
        } else {
            self.mean += jobs as f64 * clients * share;
            self.clients.push((jobs, clients, share));
        }
    }

    /// Works out how likely so many jobs are there, once everybody has entered.
    pub(super) fn fill(&mut self) {
        let last = self.servers;
        self.chances.clear();
        let batches: f64 = self.streams.iter().map(|(_, batches)| batches).sum();
        for n in 0..last {
            let chance = if n == 0 {
                (-batches).exp()
            } else {
                let sum = self.streams.iter().filter(|(jobs, _)| *jobs <= n);
                let sum = sum.map(|(jobs, there)| *jobs as f64 * there * self.chances[n - jobs]);
                sum.sum::<f64>() / n as f64
            };
            self.chances.push(chance);
        }
        for (jobs, clients, share) in &self.clients {
            self.before.clear();
            self.before.append(&mut self.chances);
            self.chances.resize(last, 0.0);
            // Between two whole numbers of clients, some of both.
            let (whole, part) = (clients.floor(), clients.fract());
            for (clients, weight) in [(whole, 1.0 - part), (whole + 1.0, part)] {
                let mut chance = weight * (1.0 - share).powf(clients);
                let odds = share / (1.0 - share);
                for k in 0..last.div_ceil(*jobs) {
                    if chance <= 0.0 || !chance.is_finite() {
                        break;
                    }
                    let moved = self.chances[k * jobs..].iter_mut().zip(&self.before);
                    for (now, before) in moved {
                        *now += chance * before;
                    }
                    chance *= (clients - k as f64) / (k + 1) as f64 * odds;
                }
            }
        }
    }

    /// E[max(1, (jobs + n)/servers)] for one of so many jobs who come together into the filled occupancy.
    pub(super) fn share(&self, jobs: usize) -> f64 {
        let (m, last) = (self.servers as f64, self.servers.saturating_sub(jobs));
        let idle = self.chances[..last].iter().enumerate();
        let idle = idle.map(|(n, chance)| chance * (1.0 - (jobs + n) as f64 / m));
        (jobs as f64 + self.mean) / m + idle.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_among_servers_a_job_is_not_held_up_and_a_crowd_shares_them() {
        let mut occupancy = Occupancy::new(3);
        occupancy.fill();
        for jobs in 1..=3 {
            let share = occupancy.share(jobs);
            assert!((share - 1.0).abs() < 1e-15, "{jobs} {share}");
        }
        assert!((occupancy.share(10) - 10.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn crowds_that_come_as_a_stream_hold_up_others_while_they_are_there() {
        let mut occupancy = Occupancy::new(3);
        occupancy.enter(10, 0.1, None, false);
        occupancy.fill();
        let nobody = (-0.1_f64).exp();
        let expected = nobody + ((1.0 - nobody) + 10.0 * 0.1) / 3.0;
        let share = occupancy.share(1);
        assert!((share - expected).abs() < 1e-12, "{share} {expected}");
    }

    #[test]
    fn of_two_clients_one_meets_the_other_for_his_share_of_the_time() {
        let mut occupancy = Occupancy::new(4);
        occupancy.enter(2, 2.0 * 0.3, Some(2.0), true);
        occupancy.fill();
        // Two jobs of four servers' and, for three tenths of the time, two more.
        let share = occupancy.share(2);
        assert!((share - 1.0).abs() < 1e-12, "{share}");
        let share = occupancy.share(3);
        assert!((share - (0.7 + 0.3 * 5.0 / 4.0)).abs() < 1e-12, "{share}");
    }

    #[test]
    fn few_clients_of_one_job_are_binomial_and_many_a_stream() {
        let of = |clients: f64| {
            let mut occupancy = Occupancy::new(8);
            occupancy.enter(1, 4.0, Some(clients), false);
            occupancy.fill();
            occupancy.share(1)
        };
        // Σ C(4, n)·max(1, (1 + n)/8) where all four are there.
        assert!((of(4.0) - 1.0).abs() < 1e-8, "{}", of(4.0));
        let stream = of(CLIENTS_MAX * 2.0);
        assert!((of(CLIENTS_MAX) / stream - 1.0).abs() < 0.002);
        assert!(of(10.0) < of(10.5) && of(10.5) < of(11.0) && of(11.0) < stream);
    }
}
