//! The busy periods of a lock, as the customers of each source find them.
//!
//! A lock is busy from a writer's arrival to the end of the last writer in line. Between two writers of
//! one such time come readers for an exponential time, a batch that holds the lock before the second;
//! the first writer waits for those who hold the lock already ("exceptional first service", Welch
//! 1964). Writers' sojourns are a mixture of two exponential phases ([`super::phases`]) which has the
//! moments that follow from the conservation of rates: the work before a writer falls at the rate one while
//! the lock is busy, and jumps with each writer by its hold and its batch (Miyazawa 1994).
//!
//! While a lock is busy, customers of a finite source that wait already do not come again: of those who
//! are away for a time Z on average, Z/(Z + m) are still away during a phase of mean m. So they come
//! more rarely than on average while it is busy, and more often while it is open.

use super::ladder::{Ladder, Moments};
use super::phases::{Phase, exponential, fitted};
use super::source::{Source, Writers};

/// Most rounds to waits that agree with themselves; a few are usual.
const ROUNDS_MAX: usize = 300;
/// A round whose change is not so much smaller than that of the one before goes half as far.
const SHRINKING: f64 = 0.7;
/// Least part of the way that a round goes.
const STEP_LEAST: f64 = 0.05;
/// Below this spare share the work before a writer stops growing without bound: waits are limited by
/// the sources there, or come from a round that is not the last.
const SPARE_LEAST: f64 = 1e-3;

/// Least share of its customers of whom a source is not deprived, so that nothing becomes infinite on the way.
const COME_LEAST: f64 = 1e-6;

/// The lock at rest: from here on another, nearly like it, is soon found.
#[derive(Clone, Debug)]
pub(super) struct AtRest {
    phases: [Phase; 2],
    /// Mean wait of a customer of each source \[s\].
    waits: Vec<f64>,
    /// Customers who wait, on average.
    waiting: f64,
    /// What customers of each source find.
    pub(super) found: Vec<Found>,
}

/// When waits are at rest: where the number of customers who wait changes by no more than a part of itself, or by that part of
/// so few customers that more does not matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) part: f64,
    pub(super) few: f64,
}

/// Mean waits of a source \[s\].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub(super) read: f64,
    pub(super) write: f64,
}

impl Found {
    /// No reader waits for longer than this, and nobody for more than that and the batch before.
    pub(super) fn shorten(&mut self, longest: f64) {
        if self.read > longest {
            self.write -= self.read - longest;
            self.read = longest;
        }
    }
}

/// Sums over the phases that a next writer finds: of its probability, and of that times the first and
/// second power of the work before it.
#[derive(Clone, Copy, Default)]
struct Weighted {
    weight: f64,
    /// Weight over the rate of writers.
    time: f64,
    jump: Moments,
}

impl Weighted {
    fn add(&mut self, weight: f64, rate: f64, jump: &Moments) {
        self.weight += weight;
        self.time += weight / rate;
        for (sum, moment) in self.jump.iter_mut().zip(jump) {
            *sum += weight * moment;
        }
    }

    /// Rate of writers, and moments of a jump.
    fn means(&self) -> (f64, Moments) {
        (self.weight / self.time, self.jump.map(|m| m / self.weight))
    }
}

/// The lock as somebody finds it: everybody, or a customer of one source.
pub(super) struct View<'c> {
    pub(super) sources: &'c [Source],
    pub(super) ladder: Option<&'c Ladder>,
    /// Share of each source's customers that is met.
    pub(super) met: Vec<f64>,
    /// Whether nobody is missed while waiting.
    unlimited: bool,
}

impl<'c> View<'c> {
    pub(super) fn new(sources: &'c [Source], ladder: Option<&'c Ladder>, asking: Option<usize>) -> Self {
        let met = sources.iter().enumerate();
        Self {
            met: met.map(|(c, source)| source.met(asking == Some(c))).collect(),
            unlimited: sources.iter().all(|source| source.population.is_none()),
            sources,
            ladder,
        }
    }

    /// The same lock with nobody missed while waiting, if that is not how it is.
    pub(super) fn at_random(self) -> Option<Self> {
        (!self.unlimited).then_some(Self { unlimited: true, ..self })
    }

    /// Waits that agree with themselves, from where the lock was at rest before.
    pub(super) fn at_rest(&self, before: Option<&AtRest>, settled: Settled) -> AtRest {
        let mut rest = match before {
            Some(rest) if rest.waits.len() == self.sources.len() => rest.clone(),
            _ => self.open(),
        };
        let writers = self.writers(|_| 1.0);
        if writers[0] <= 0.0 {
            let present = self.present(&vec![1.0; self.sources.len()], (0.0, 0.0));
            rest.found.fill(Found { write: present[0], ..Found::default() });
            rest.waits.fill(0.0);
            return rest;
        }
        if rest.phases[0].mean <= 0.0 {
            rest.phases = exponential((writers[2] / writers[1]).max(f64::MIN_POSITIVE));
        }
        let (mut change, mut step) = (f64::INFINITY, 1.0);
        let mut more = vec![1.0; self.sources.len()];
        for _ in 0..ROUNDS_MAX {
            self.round(&mut rest, &mut more, step);
            let waited = self.waited(&rest);
            let changed = (waited - rest.waiting).abs();
            rest.waiting = waited;
            if changed <= settled.part * waited.max(settled.few) {
                break;
            }
            if changed > SHRINKING * change {
                step = f64::max(0.5 * step, STEP_LEAST);
            }
            change = changed;
        }
        rest
    }

    /// A lock that nobody has taken yet.
    fn open(&self) -> AtRest {
        AtRest {
            phases: exponential(0.0),
            waits: vec![0.0; self.sources.len()],
            waiting: f64::NAN,
            found: vec![Found::default(); self.sources.len()],
        }
    }

    fn waited(&self, rest: &AtRest) -> f64 {
        let sources = self.sources.iter().zip(&rest.found);
        sources.map(|(source, found)| source.rate * found.read + source.writers[0] * (found.write - found.read)).sum()
    }

    /// Sums over writers, each source's so many times.
    fn writers(&self, times: impl Fn(usize) -> f64) -> Writers {
        let mut sums = [0.0; 4];
        for (c, source) in self.sources.iter().enumerate() {
            let times = times(c) * self.met[c];
            for (sum, of_crowd) in sums.iter_mut().zip(&source.writers) {
                *sum += times * of_crowd;
            }
        }
        sums
    }

    /// For how long a source's customers are away \[s\], where that is limited.
    fn away(&self, c: usize, rest: &AtRest) -> Option<f64> {
        if self.unlimited || self.sources[c].rate <= 0.0 {
            return None;
        }
        self.sources[c].away(rest.waits[c])
    }

    /// One round: the waits that follow from the phases, and the phases that follow from those. `more` is how
    /// many times as often as on average each source's customers come while the lock is open.
    fn round(&self, rest: &mut AtRest, more: &mut [f64], step: f64) {
        let away: Vec<Option<f64>> = (0..self.sources.len()).map(|c| self.away(c, rest)).collect();
        let times = |c: usize, mean: f64| more[c] * still(away[c], mean);
        let (mut met, mut work, mut square) = (Weighted::default(), Weighted::default(), Weighted::default());
        let (mut over, mut before) = (0.0, 0.0);
        let mut phases_busy = [(0.0, 0.0); 2];
        for (Phase { share, mean }, busy) in rest.phases.into_iter().zip(&mut phases_busy) {
            if share == 0.0 {
                continue;
            }
            let writers = self.writers(|c| times(c, mean));
            let rate = writers[0] + 1.0 / mean;
            let batch = self.batch(|c| times(c, mean), rate);
            let jump = jump(&writers, &batch);
            let found = share * writers[0] / rate;
            met.add(found, writers[0], &jump);
            work.add(found * mean, writers[0], &jump);
            square.add(found * mean * mean, writers[0], &jump);
            over += share - found;
            before += (share - found) / rate;
            *busy = (share / rate, batch[0]);
        }
        let open = self.writers(|c| more[c]);
        let first = self.present(more, (open[0], before / over));
        let first_jump = jump(&open, &first);

        // Of the writers so many find it busy: it is for the time that they bring.
        let (rate, later_jump) = met.means();
        let left = spare(1.0 - rate * later_jump[0]);
        let idle = left / (left + rate * first_jump[0]);
        let busy = 1.0 - idle;
        let of_jump = |k: usize| busy * later_jump[k] + idle * first_jump[k];
        let (rate_work, jump_work) = work.means();
        let mean = 0.5 * rate_work * of_jump(1) / spare(1.0 - rate_work * jump_work[0]);
        let (rate_square, jump_square) = square.means();
        let second = rate_square * (mean * jump_work[1] + of_jump(2) / 3.0) / spare(1.0 - rate_square * jump_square[0]);
        let moments = (mean + of_jump(0), second + 2.0 * mean * jump_work[0] + of_jump(1));
        let last = rest.phases.map(|phase| phase.mean).iter().sum();
        let new = fitted(moments, busy, (last, self.unlimited), |mean| {
            let sources = self.sources.iter().zip(&self.met).enumerate();
            let rate: f64 = sources
                .map(|(c, (source, met))| match source.writers[0] {
                    0.0 => 0.0,
                    rate => rate * met * times(c, mean),
                })
                .sum();
            rate * mean / (1.0 + rate * mean)
        });

        let every = 1.0 / (busy / rate + idle / open[0]);
        let busy_time = every * busy / rate;
        let per_phase = busy_time / (phases_busy[0].0 + phases_busy[1].0);
        for (phase, new) in rest.phases.iter_mut().zip(new) {
            let far = if phase.mean > 0.0 { step } else { 1.0 };
            phase.share += far * (new.share - phase.share);
            phase.mean += far * (new.mean - phase.mean);
        }
        self.tell(
            rest,
            (more, step),
            (1.0 - busy_time, first[0]),
            phases_busy.map(|(time, batch)| (time * per_phase, batch)),
        );
        if self.unlimited {
            // All find the work that the conservation of its square says, whatever the phases say of it.
            let work = every * (mean * jump_work[0] + 0.5 * of_jump(1));
            for found in &mut rest.found {
                found.write += work - found.read;
                found.read = work;
            }
        }
    }

    /// What customers of each source find, and how often they come, where the lock is open for a share of time,
    /// then with readers who hold it for so long, and busy for so much of each phase, then with a batch.
    /// What goes round is changed by a step of the way.
    fn tell(&self, rest: &mut AtRest, (more, step): (&mut [f64], f64), open: (f64, f64), busy: [(f64, f64); 2]) {
        for (c, more) in more.iter_mut().enumerate() {
            let (mut come, mut wait, mut own) = (open.0, 0.0, open.0 * open.1);
            let away = self.away(c, rest);
            for (phase, (time, batch)) in rest.phases.iter().zip(&busy) {
                let found = still(away, phase.mean) * time;
                come += found;
                wait += found * phase.mean;
                own += found * batch;
            }
            let come = come.max(COME_LEAST);
            rest.found[c] = Found { read: wait / come, write: (wait + own) / come };
            // All are away at most.
            let source = &self.sources[c];
            let most = match (away, source.population) {
                (Some(away), Some(n)) => n.max(1.0) / (source.rate * away),
                _ => f64::INFINITY,
            };
            *more += step * ((1.0 / come).min(most) - *more);
        }
        for ((source, found), wait) in self.sources.iter().zip(&rest.found).zip(&mut rest.waits) {
            if source.rate > 0.0 {
                let writers = source.writers[0] / source.rate;
                let mean = writers * found.write + (1.0 - writers) * found.read;
                *wait += 0.5 * step * (mean - *wait);
            }
        }
    }
}

/// Share of those who are away for so long on average that are still away in a phase of a mean \[s\].
fn still(away: Option<f64>, mean: f64) -> f64 {
    away.map_or(1.0, |away| away / (away + mean))
}

/// Moments of what a writer adds: its hold and its batch.
fn jump(writers: &Writers, batch: &Moments) -> Moments {
    let [hold, square, cube] = [1, 2, 3].map(|k| writers[k] / writers[0]);
    [
        hold + batch[0],
        square + 2.0 * hold * batch[0] + batch[1],
        cube + 3.0 * (square * batch[0] + hold * batch[1]) + batch[2],
    ]
}

/// What a share that is spare counts, positive though less than nothing may be spare.
pub(super) fn spare(share: f64) -> f64 {
    if share > SPARE_LEAST { share } else { SPARE_LEAST * SPARE_LEAST / (2.0 * SPARE_LEAST - share) }
}

/// Moments of the batch of readers between two writers who come at their mean rate; nothing without writers.
pub(super) fn between(sources: &[Source], ladder: Option<&Ladder>) -> Moments {
    let all = View::new(sources, ladder, None);
    let writers = all.writers(|_| 1.0)[0];
    if writers > 0.0 { all.batch(|_| 1.0, writers) } else { [0.0; 3] }
}

/// Fraction of what a lock can do: each writer takes its hold and the batch of readers before it.
pub(super) fn utilization(sources: &[Source], between: &Moments) -> f64 {
    sources.iter().map(|source| taken(source, between[0])).sum()
}

/// The part of it that a source takes where writers wait for so long a batch \[s\].
pub(super) fn taken(source: &Source, batch: f64) -> f64 {
    source.writers[1] + source.writers[0] * batch
}
