//! Whom a throng at the stations stops, at tables that are as good as shut while it is there.
//!
//! Who wants such a table alone stands there until it is gone, and so does everybody else from the first of them on. A table
//! that somebody has who stands at a later one is shut from the first who wants it alone on. With w of these a second, who comes
//! t after the beginning of T finds it shut with 1 − e^(−w·t); a client who comes to shut tables a times a second is stopped once,
//! so that a command of his waits ∫ e^(−a·t)·(1 − e^(−w·t))·(T − t) dt for each. Of several tables that a section takes the longest
//! wait counts. Tables let through some of those who come all the time, and whoever is through comes to those of his next section:
//! he waits for each section anew. Those who stand there when it is gone are let go together ([`super::backlog`]).
//!
//! Knows for how long tables are shut; not why.

use super::course::Stuck;
use super::release::{LetGo, Release};
use super::shut::Taken;
use super::{Pauses, add_up};
use crate::system::once;

/// What a throng makes of the tables of an instance of p4d.
pub(in super::super) struct Jam {
    /// Which one of all throngs makes it.
    pub(in super::super) throng: usize,
    /// \[1/s\].
    pub(in super::super) often: f64,
    /// By contest.
    pub(in super::super) tables: Vec<Jammed>,
}

impl Jam {
    /// Until all tables are open \[s\].
    pub(in super::super) fn lasts(&self) -> f64 {
        self.tables
            .iter()
            .map(|table| table.behind)
            .fold(0.0, f64::max)
    }
}

/// A table while a throng is there.
#[derive(Clone, Copy)]
pub(in super::super) struct Jammed {
    /// For how long it is as good as shut by itself \[s\].
    pub(in super::super) until: f64,
    /// Until it and all later tables of those who take it are open \[s\].
    pub(in super::super) behind: f64,
    /// How many want it alone \[1/s\].
    pub(in super::super) alone: f64,
}

/// Where commands of a route are stopped.
#[derive(Clone, Copy)]
struct Stop {
    taker: usize,
    /// For how long it is shut \[s\], and how soon after the beginning \[1/s\].
    lasts: f64,
    soon: f64,
}

impl Stop {
    /// At a table that is shut by itself, and by who stands at later ones.
    fn at(taken: &Taken, jam: &Jam) -> [Self; 2] {
        let table = &jam.tables[taken.contest];
        let stop = |lasts, soon| Self {
            taker: taken.taker,
            lasts,
            soon,
        };
        let own = if taken.alone {
            f64::INFINITY
        } else {
            table.alone
        };
        [stop(table.until, own), stop(table.behind, table.alone)]
    }

    /// How long a command waits that comes a second, where each client comes so often \[s\].
    fn wait(&self, often: f64) -> f64 {
        once::stay(often, self.lasts) - once::stay(often + self.soon, self.lasts)
    }

    /// How many are stopped of one that comes a second.
    fn many(&self, often: f64) -> f64 {
        once::come(often, self.lasts) - once::come(often + self.soon, self.lasts)
    }

    fn longer(self, other: Self) -> Self {
        if other.wait(0.0) > self.wait(0.0) {
            other
        } else {
            self
        }
    }
}

impl Pauses {
    /// When a piece passes all its tables that are shut in a jam \[s\].
    pub(in super::super) fn let_pass(&self, jam: &Jam, piece: usize) -> f64 {
        let taken = self.routes.sections(self.routes.of_piece(piece));
        let taken = taken.flat_map(|(_, way)| way);
        taken
            .map(|taken| jam.tables[taken.contest].behind)
            .fold(0.0, f64::max)
    }

    /// Adds what those wait whom these jams stop, where each group has so many clients, and who is let go when they end.
    pub(super) fn stop(&mut self, jams: &[Jam], most: &[Option<f64>]) -> Vec<Release> {
        jams.iter().map(|jam| self.stop_in(jam, most)).collect()
    }

    fn stop_in(&mut self, jam: &Jam, most: &[Option<f64>]) -> Release {
        let routes = 0..self.routes.len();
        let stops: Vec<Vec<Stop>> = routes.map(|route| self.stops_of(route, jam)).collect();
        let stopped = stops.iter().zip(&self.rates).enumerate();
        let stopped = stopped.filter_map(|(route, (stops, rate))| {
            let stop = stops.iter().copied().reduce(Stop::longer)?;
            let likely = -(-stop.soon * stop.lasts).exp_m1();
            Some((self.routes.group(route), rate * likely))
        });
        let often = add_up(stopped, most);
        let mut release = Release {
            often: jam.often,
            let_go: vec![LetGo::default(); self.routes.len()],
            stuck: Vec::new(),
        };
        for (route, stops) in stops.into_iter().enumerate() {
            let often = often[self.routes.group(route)];
            for stop in &stops {
                self.wait_as(route, stop.taker, jam.often * stop.wait(often));
            }
            let Some(stop) = stops.into_iter().reduce(Stop::longer) else {
                continue;
            };
            let many = stop.many(often);
            let likely = jam.often * many;
            self.met[route] += likely;
            let taker = stop.taker;
            release.add(Stuck { route, taker }, likely, self.rates[route] * many);
        }
        release
    }

    /// Where a route is stopped: at the table that stops it for longest of each section that finds one shut.
    fn stops_of(&self, route: usize, jam: &Jam) -> Vec<Stop> {
        let sections = self.routes.sections(route);
        let stops = sections.filter_map(|(_, way)| {
            let stops = way.iter().flat_map(|taken| Stop::at(taken, jam));
            let stops = stops.filter(|stop| stop.lasts > 0.0 && stop.soon > 0.0);
            stops.reduce(Stop::longer)
        });
        stops.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Jam, Jammed, Stop, Taken};

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3 * b.abs(), "{a} {b}");
    }

    /// The same, added up.
    fn summed(stop: Stop, often: f64) -> [f64; 2] {
        let steps = 100_000;
        let step = stop.lasts / f64::from(steps);
        let mut sums = [0.0; 2];
        for at in 0..steps {
            let t = (f64::from(at) + 0.5) * step;
            let stopped = (-often * t).exp() * (1.0 - (-stop.soon * t).exp()) * step;
            sums[0] += stopped;
            sums[1] += stopped * (stop.lasts - t);
        }
        sums
    }

    #[test]
    fn who_wants_a_shut_table_alone_stands_there_at_once() {
        let jam = Jam {
            throng: 0,
            often: 1e-3,
            tables: vec![Jammed {
                until: 60.0,
                behind: 90.0,
                alone: 0.1,
            }],
        };
        // By itself it is shut for 60 s, by who stands with it at later ones for 90 s from the first of them on.
        let told = |alone| Stop::at(&Taken::of(0, alone), &jam).map(|stop| (stop.lasts, stop.soon));
        assert_eq!(told(true), [(60.0, f64::INFINITY), (90.0, 0.1)]);
        assert_eq!(told(false), [(60.0, 0.1), (90.0, 0.1)]);
        near(jam.lasts(), 90.0);
    }

    #[test]
    fn whoever_comes_to_a_shut_table_waits_until_it_is_open() {
        let stop = |soon| Stop {
            taker: 0,
            lasts: 300.0,
            soon,
        };
        // At once: half of it on average, and all who come.
        near(stop(f64::INFINITY).wait(0.0), 0.5 * 300.0 * 300.0);
        near(stop(f64::INFINITY).many(0.0), 300.0);
        for (soon, often) in [
            (0.01, 0.0),
            (0.01, 0.02),
            (f64::INFINITY, 0.05),
            (3.0, 1e-7),
        ] {
            let [many, wait] = summed(stop(soon), often);
            near(stop(soon).many(often), many);
            near(stop(soon).wait(often), wait);
        }
        // Who comes again and again is stopped once.
        near(300.0 / 20.0 * stop(f64::INFINITY).many(20.0), 0.75);
    }
}
