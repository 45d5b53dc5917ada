//! Those whom a pause lets go stand in line once more, for each other.
//!
//! Of w who want a table alone and those who read it, in line at random, the former take it one after the other, and between
//! two of them the latter read it together, until the longest of their holds ends. With exponential holds, where a(t) of those
//! who stand between two hold for longer than t on average, nobody does with probability 1/(1 + a(t)) (a geometric number of
//! them), so that it lasts for ∫ a/(1 + a) dt: of one kind with a mean hold h and r/w between two, h·ln(1 + r/w).
//!
//! Tables of a section are taken in their order and kept until its end. So
//!
//! - who reads several of them is in line for the first; at the others he is with those who were let through with him;
//! - who has one of them alone comes to the others one at a time: behind him stands who wants his own ([`super::gate`]).
//!
//! Of those who stand in line for V seconds altogether each waits for half of it, and who comes back to it in a later section
//! for what is left of it then. Those who come keep a share ρ of the table busy, so that the line is gone after V/(1 − ρ);
//! until then they meet those who were let go together. Nobody stands in two lines at once: the longest on his way counts.
//!
//! Knows who is let go; not why.

use super::gate::{BusyFor, Gate};
use super::shut::Taken;
use super::{Pauses, Release, SPARE_LEAST, add_up};
use crate::system::around::Around;
use crate::system::lock_wait::Sums;
use crate::system::once;

/// Shorter times than this part of the longest mean hold are told as one.
const SHORT: f64 = 1e-4;
/// Times longer than all that are likely, in longest mean holds.
const LONG: f64 = 8.0;
/// Steps of times, in their logarithm.
const STEP: f64 = 0.35;

/// Who stands in line for a table.
#[derive(Clone, Default)]
struct Crowd {
    /// How many want it alone, and all their holds \[s\].
    alone: f64,
    held: f64,
    /// Who reads it: how many of them hold it for how long \[s\].
    reading: Vec<(f64, f64)>,
}

impl Crowd {
    /// Until all are through \[s\]; of as many as come in a second, the busy share of the table.
    fn seconds(&self) -> f64 {
        if self.alone > 0.0 {
            self.held + self.alone * self.longest_read()
        } else {
            0.0
        }
    }

    /// The longest hold of those who read it between two who want it alone, on average \[s\].
    fn longest_read(&self) -> f64 {
        let most = self.reading.iter().map(|own| own.1).fold(0.0, f64::max);
        if most <= 0.0 {
            return 0.0;
        }
        let someone = |time: f64| -> f64 {
            let reading = self.reading.iter();
            let longer: f64 = reading.map(|(n, hold)| n * (-time / hold).exp()).sum();
            longer / (longer + self.alone)
        };
        let many: f64 = self.reading.iter().map(|own| own.0).sum();
        let (short, long) = (SHORT, (many / self.alone).ln_1p() + LONG);
        let steps = ((long / short).ln() / STEP).ceil();
        let step = (long / short).ln() / steps;
        let inner = (1..steps as u32).map(|at| {
            let time = most * short * (f64::from(at) * step).exp();
            time * someone(time)
        });
        let first = most * short;
        first * someone(first) * (1.0 + 0.5 * step) + inner.sum::<f64>() * step
    }
}

/// By contest, until all are through who are in line there together: not who has another table alone by then \[s\].
pub(super) struct Lines(Vec<f64>);

impl Lines {
    /// Of sections with these tables, so many of each with such a mean hold \[s\].
    pub(super) fn of<'t>(
        contests: usize,
        sections: impl Iterator<Item = (&'t [Taken], f64, f64)>,
    ) -> Self {
        let mut all = vec![Crowd::default(); contests];
        for (way, many, hold) in sections {
            for (at, taken) in way.iter().enumerate() {
                let crowd = &mut all[taken.contest];
                if taken.alone {
                    crowd.alone += many;
                    crowd.held += many * hold;
                    break;
                }
                if at == 0 && many > 0.0 && hold > 0.0 {
                    crowd.reading.push((many, hold));
                }
            }
        }
        Self(all.iter().map(Crowd::seconds).collect())
    }

    pub(super) fn longest<'t>(&self, mut taken: impl Iterator<Item = &'t Taken>) -> Option<Line> {
        let first = self.at(taken.next()?);
        Some(taken.map(|taken| self.at(taken)).fold(first, Line::longer))
    }

    pub(super) fn seconds(&self, contest: usize) -> f64 {
        self.0[contest]
    }

    fn at(&self, taken: &Taken) -> Line {
        Line {
            taker: taken.taker,
            contest: taken.contest,
            seconds: self.0[taken.contest],
        }
    }
}

/// A line on a route's way.
#[derive(Clone, Copy)]
pub(super) struct Line {
    taker: usize,
    pub(super) contest: usize,
    /// Until all who were let go are through \[s\].
    pub(super) seconds: f64,
}

impl Line {
    fn longer(self, other: Self) -> Self {
        if other.seconds > self.seconds {
            other
        } else {
            self
        }
    }
}

/// The lines that the end of a pause leaves.
struct Backlog {
    /// Of all who are let go, in all their sections.
    all: Lines,
    /// Of those who go on together where they were stuck.
    together: Lines,
    /// Who has tables alone while he stands in these.
    gates: Vec<Gate>,
}

impl Backlog {
    fn gate(&self, kind: usize) -> Option<&Gate> {
        self.gates.iter().find(|gate| gate.is_of(kind))
    }

    /// The line in which somebody stands on his way through a section's tables.
    fn line(&self, way: &[Taken]) -> Option<Line> {
        let together = way.iter().position(|taken| taken.alone);
        let (first, behind) = way.split_at(together.map_or(way.len(), |at| at + 1));
        let behind = self.all.longest(behind.iter());
        let first = self.together.longest(first.iter());
        first.map(|first| behind.map_or(first, |behind| first.longer(behind)))
    }
}

/// Sections through which somebody goes on together with all who were stuck with him: his own, and if that is the command's
/// first, which is over at once, the next.
fn together(section: usize) -> std::ops::Range<usize> {
    section..section.max(1) + 1
}

impl Pauses {
    /// Adds what those who are let go together wait for each other, and what whoever comes until they are through waits for
    /// them.
    pub(super) fn let_through(&mut self, sums: &[Sums], most: &[Option<f64>], around: &Around) {
        let holds = sums.iter().zip(&self.parts);
        let holds = holds.map(|(sum, part)| {
            if sum.rate > 0.0 {
                sum.work / sum.rate * (1.0 - part)
            } else {
                0.0
            }
        });
        let holds: Vec<f64> = holds.collect();
        let usual = self.lines(self.rates.iter().copied(), &holds);
        let mut releases = std::mem::take(&mut self.releases);
        let mut of_jams = self.stop(&around.jams, most);
        let often = self.each(most);
        for release in releases.iter_mut().chain(&mut of_jams) {
            let many = release.let_go.iter().map(|let_go| let_go.many);
            let stuck = release.stuck.iter().flat_map(|(stuck, let_go)| {
                let section = self.routes.section(*stuck).unwrap_or(0);
                let sections = self.routes.sections(stuck.route).enumerate();
                let sections = sections.filter(move |(at, _)| together(section).contains(at));
                let holds = &holds;
                sections.map(move |(_, (kind, way))| (way, let_go.many, holds[kind]))
            });
            let together = Lines::of(self.shut.len(), stuck);
            let of_kinds = self.routes.kinds_with(&release.let_go, |own| own.many);
            let gates = Gate::all(
                of_kinds,
                (&together, &usual),
                self.busy_for(release, &around.spare),
            );
            let backlog = Backlog {
                all: self.lines(many, &holds),
                together,
                gates,
            };
            self.stand_in_line(release, &backlog);
            self.meet_lines(release, &backlog, (&usual, &often));
        }
        self.releases = releases;
    }

    /// For how long the busiest station is at what those do under their tables who are let go.
    fn busy_for(&self, release: &Release, spare: &[f64]) -> BusyFor {
        let mut busy_for = BusyFor::default();
        for (k, spare) in spare.iter().enumerate() {
            let let_go = release.let_go.iter().zip(&self.work);
            let alone = let_go.map(|(own, work)| own.many * work[k]).sum::<f64>();
            busy_for.alone = busy_for.alone.max(alone);
            busy_for.beside_others = busy_for.beside_others.max(alone / spare);
        }
        busy_for
    }

    /// Lines of so many commands of each route, whose sections of each kind hold so long \[s\].
    fn lines(&self, many: impl Iterator<Item = f64>, holds: &[f64]) -> Lines {
        let sections = many.enumerate().flat_map(|(route, many)| {
            let sections = self.routes.sections(route);
            sections.map(move |(kind, way)| (way, many, holds[kind]))
        });
        Lines::of(self.shut.len(), sections)
    }

    /// Adds what those who are let go wait for each other.
    fn stand_in_line(&mut self, release: &mut Release, backlog: &Backlog) {
        for (stuck, own) in &release.stuck {
            let section = self.routes.section(*stuck).unwrap_or(0);
            let here = together(section);
            let mut waits: Vec<(usize, f64)> = Vec::new();
            let mut lines: [Option<Line>; 2] = [None; 2];
            let sections = self.routes.sections(stuck.route).enumerate().skip(section);
            for (at, (kind, way)) in sections {
                if let Some(gate) = backlog.gate(kind) {
                    waits.push((way[0].taker, gate.through));
                } else if let Some(line) = backlog.line(way) {
                    let longest = &mut lines[usize::from(!here.contains(&at))];
                    *longest = Some(longest.map_or(line, |longest| longest.longer(line)));
                }
            }
            let lines = lines.into_iter().flatten();
            waits.extend(lines.map(|line| (line.taker, 0.5 * line.seconds)));
            for (taker, wait) in waits {
                let wait = own.likely * wait;
                self.wait_as(stuck.route, taker, wait);
                release.let_go[stuck.route].in_line += wait;
            }
        }
        for let_go in &mut release.let_go {
            if let_go.likely > 0.0 {
                let_go.in_line /= let_go.likely;
            }
        }
    }

    /// Adds what those wait who come while a line is there.
    fn meet_lines(
        &mut self,
        release: &Release,
        backlog: &Backlog,
        (usual, often): (&Lines, &[f64]),
    ) {
        let lasts = |line: &Line| line.seconds / (1.0 - usual.0[line.contest]).max(SPARE_LEAST);
        for route in 0..self.routes.len() {
            let often = often[self.routes.group(route)];
            self.meet_gates((route, often), release.often, &backlog.gates);
            let sections = || self.routes.sections(route);
            let open = || sections().filter(|(kind, _)| backlog.gate(*kind).is_none());
            let taken = || open().flat_map(|(_, way)| way);
            let lines = taken().map(|taken| backlog.all.at(taken));
            let met =
                lines.max_by(|a, b| (a.seconds * lasts(a)).total_cmp(&(b.seconds * lasts(b))));
            let Some((met, own)) = met.zip(backlog.together.longest(taken())) else {
                continue;
            };
            let likely = release.often * once::come(often, lasts(&met));
            self.met[route] += likely;
            self.wait_as(route, met.taker, likely * 0.5 * own.seconds);
        }
    }

    /// How often a free client of each group comes \[1/s\].
    fn each(&self, most: &[Option<f64>]) -> Vec<f64> {
        let routes = self.rates.iter().enumerate();
        let comes = routes.map(|(route, rate)| {
            let group = self.routes.group(route);
            (group, rate / self.free[group])
        });
        add_up(comes, most)
    }

    /// Adds what a route waits, whose clients each come so often, while somebody has its tables alone and stands in line.
    fn meet_gates(&mut self, (route, often): (usize, f64), ends: f64, gates: &[Gate]) {
        for gate in gates {
            let sections = || self.routes.sections(route);
            let own = sections().find(|(kind, _)| gate.is_of(*kind));
            // Of those who are gates themselves any of them has it, one after the other.
            let own = own.map(|(_, way)| (way[0].taker, 0.5 * gate.lasts * gate.lasts));
            let met = || {
                let mut taken = sections().flat_map(|(_, way)| way);
                let taken = taken.find(|taken| gate.has(taken))?;
                Some((taken.taker, gate.waited(often)))
            };
            let Some((taker, wait)) = own.or_else(met) else {
                continue;
            };
            self.met[route] += ends * gate.lasts;
            self.wait_as(route, taker, ends * wait);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Crowd, Lines, Taken};

    fn near(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
    }

    fn crowd(alone: (f64, f64), reading: &[(f64, f64)]) -> f64 {
        let reading = reading.to_vec();
        let (alone, held) = alone;
        Crowd {
            alone,
            held,
            reading,
        }
        .seconds()
    }

    #[test]
    fn readers_are_let_through_together_between_two_who_want_it_alone() {
        near(crowd((3.0, 6.0), &[]), 6.0);
        // Readers alone need not wait for each other.
        assert!(crowd((0.0, 0.0), &[(50.0, 2.0)]).abs() < 1e-12);
        // One reader of 2 s for each: as likely none stands between two as one or more.
        near(
            crowd((3.0, 6.0), &[(3.0, 2.0)]),
            6.0 + 3.0 * 2.0 * 2f64.ln(),
        );
        near(
            crowd((3.0, 6.0), &[(1.0, 2.0), (2.0, 2.0)]),
            6.0 + 3.0 * 2.0 * 2f64.ln(),
        );
        // Who holds it for long decides how long it takes, however many others there are.
        let long = crowd((3.0, 0.0), &[(6.0, 1.0)]);
        near(long, 3.0 * 3f64.ln());
        let with_others = crowd((3.0, 0.0), &[(6.0, 1.0), (600.0, 1e-3)]);
        assert!(
            with_others > long && with_others < 1.01 * long,
            "{with_others} {long}"
        );
    }

    #[test]
    fn who_has_another_table_alone_comes_by_himself() {
        let taken = |contest, alone| Taken::of(contest, alone);
        let sections = [
            vec![taken(0, true), taken(1, true)],
            vec![taken(1, true)],
            vec![taken(0, false), taken(1, false)],
        ];
        let sections = sections.iter().map(|way| (&**way, 2.0, 3.0));
        let lines = Lines::of(2, sections).0;
        // Who reads both stands at the first.
        near(lines[0], 2.0 * 3.0 * (1.0 + 2f64.ln()));
        near(lines[1], 6.0);
    }
}
