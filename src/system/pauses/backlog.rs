//! Those whom a pause lets go stand in line once more, for each other.
//!
//! Those who want a table alone take it one after the other, and between two of them those who read it together. Of w who want
//! it alone and r who read it and stand in line at random, r/w stand between two on average, and the longest of their holds is
//! h·ln(1 + r/w) (exponential holds of mean h, a geometric number of them).
//!
//! Of those who stand in line for V seconds altogether each waits for half of it. Those who come keep a share ρ of the table
//! busy, so that the line is gone after V/(1 − ρ); until then they wait for V/2 on average. Nobody stands in two lines at once:
//! the longest on his way counts.
//!
//! Knows who is let go; not why.

use super::course::Routes;
use super::{Pauses, SPARE_LEAST};
use crate::system::lock_wait::Sums;

/// Commands in line for a table, and all their holds \[s\].
#[derive(Clone, Copy, Default)]
struct InLine {
    many: f64,
    held: f64,
}

/// By contest: who wants it alone, and who reads it.
struct Backlog(Vec<(InLine, InLine)>);

impl Backlog {
    /// Of so many commands of each route, whose sections of each kind hold so long \[s\].
    fn of(
        routes: &Routes,
        contests: usize,
        many: impl Iterator<Item = f64>,
        holds: &[f64],
    ) -> Self {
        let mut all = vec![(InLine::default(), InLine::default()); contests];
        for (route, many) in many.enumerate() {
            for (kind, taken) in routes.taken(route) {
                let (alone, reading) = &mut all[taken.contest];
                let own = if taken.alone { alone } else { reading };
                own.many += many;
                own.held += many * holds[kind];
            }
        }
        Self(all)
    }

    /// Until all are through \[s\]; of as many as come in a second, the busy share of the table.
    fn seconds(&self, contest: usize) -> f64 {
        let (alone, reading) = self.0[contest];
        if alone.many <= 0.0 || reading.many <= 0.0 {
            return alone.held;
        }
        let hold = reading.held / reading.many;
        alone.held + alone.many * hold * (reading.many / alone.many).ln_1p()
    }
}

/// A line on a route's way.
struct Line {
    taker: usize,
    /// Until all who were let go are through \[s\].
    seconds: f64,
    /// The same with all who come meanwhile \[s\].
    lasts: f64,
}

impl Pauses {
    /// Adds what those who are let go together wait for each other, and what whoever comes until they are through waits for
    /// them.
    pub(super) fn let_through(&mut self, sums: &[Sums]) {
        let holds = sums.iter().zip(&self.parts);
        let holds = holds.map(|(sum, part)| {
            if sum.rate > 0.0 {
                sum.work / sum.rate * (1.0 - part)
            } else {
                0.0
            }
        });
        let holds: Vec<f64> = holds.collect();
        let contests = self.shut.len();
        let usual = Backlog::of(&self.routes, contests, self.rates.iter().copied(), &holds);
        let spare = |contest: usize| (1.0 - usual.seconds(contest)).max(SPARE_LEAST);
        let mut releases = std::mem::take(&mut self.releases);
        for release in &mut releases {
            let many = release.let_go.iter().map(|let_go| let_go.many);
            let backlog = Backlog::of(&self.routes, contests, many, &holds);
            for (route, let_go) in release.let_go.iter_mut().enumerate() {
                let longest = |by: fn(&Line) -> f64| {
                    let lines = self.routes.taken(route).map(|(_, taken)| {
                        let seconds = backlog.seconds(taken.contest);
                        Line {
                            taker: taken.taker,
                            seconds,
                            lasts: seconds / spare(taken.contest),
                        }
                    });
                    lines.max_by(|a, b| by(a).total_cmp(&by(b)))
                };
                let own = longest(|line| line.seconds);
                let met = longest(|line| line.seconds * line.lasts);
                if let Some(line) = own {
                    let_go.in_line = 0.5 * line.seconds;
                    self.wait_as(route, line.taker, let_go.likely * let_go.in_line);
                }
                if let Some(line) = met {
                    let likely = release.often * line.lasts;
                    self.met[route] += likely;
                    self.wait_as(route, line.taker, likely * 0.5 * line.seconds);
                }
            }
        }
        self.releases = releases;
    }
}

#[cfg(test)]
mod tests {
    use super::{Backlog, InLine};

    fn seconds(alone: (f64, f64), reading: (f64, f64)) -> f64 {
        let in_line = |(many, held): (f64, f64)| InLine { many, held };
        Backlog(vec![(in_line(alone), in_line(reading))]).seconds(0)
    }

    #[test]
    fn readers_are_let_through_together_between_two_who_want_it_alone() {
        assert_eq!(seconds((3.0, 6.0), (0.0, 0.0)), 6.0);
        // Readers alone need not wait for each other.
        assert_eq!(seconds((0.0, 0.0), (50.0, 100.0)), 0.0);
        // One reader of 2 s for each: as likely none stands between two as one or more.
        let one = seconds((3.0, 6.0), (3.0, 6.0));
        assert!((one - (6.0 + 3.0 * 2.0 * 2f64.ln())).abs() < 1e-12, "{one}");
    }
}
