//! Where customers come from: think times, streams from outside, herds.
//!
//! A profile changes the speed of the source's own time: what would take x at factor 1 takes until the
//! integral of the factor over time has grown by x. That is exact for Poisson streams of varying rate
//! (Çinlar 1975, section 4.7) and the natural meaning for all others.

use super::task::NONE;
use super::{Engine, HERD, Observer, What};
use crate::sim::distribution::Distribution;
use crate::sim::model::{Arrivals, Class, HappeningKind, Profile, Source};
use crate::sim::program::Draw;
use crate::sim::random::{Purpose, Stream};

/// Arrivals in a stay of either state below which a stream of bursts is a Poisson stream of its mean rate: a
/// second arrival in the same stay is rarer than one in so many, and looking for the first would take
/// thousands of stays.
const SWITCHED: f64 = 1e-3;

/// Where the customers of a class come from.
#[derive(Debug)]
pub(in crate::sim) enum SourceState {
    /// Population and think time.
    Closed(u32, Draw),
    Renewal(Draw),
    Bursts {
        rates: [f64; 2],
        stays: [f64; 2],
        state: usize,
        /// When the state changes.
        until: f64,
        stream: Stream,
        /// States have a stream of their own.
        states: Stream,
    },
    /// The arrivals that are still to come, last first.
    At(Vec<f64>),
    Never,
}

impl SourceState {
    pub(in crate::sim) fn new(class: &Class, words: [u64; 3]) -> Self {
        let [seed, replication, idx] = words;
        let stream = |purpose: Purpose, place: u64| Stream::new(&[seed, replication, idx, purpose as u64, place]);
        let draw = |distribution, purpose| Draw::new(distribution, stream(purpose, 1));
        match &class.source {
            Source::Closed { population, think } => Self::Closed(*population, draw(think, Purpose::Think)),
            Source::Open(Arrivals::Renewal(between)) => Self::Renewal(draw(between, Purpose::Arrivals)),
            Source::Open(Arrivals::Bursts { rates, stays })
                if rates.iter().any(|rate| *rate > 0.0)
                    && (0..2).all(|state| rates[state] * stays[state] < SWITCHED) =>
            {
                let all = rates[0] * stays[0] + rates[1] * stays[1];
                let mean = (stays[0] + stays[1]) / all;
                let between = Distribution::Exponential { mean };
                Self::Renewal(draw(&between, Purpose::Arrivals))
            }
            Source::Open(Arrivals::Bursts { rates, stays }) => {
                let mut states = stream(Purpose::Arrivals, 2);
                // In the steady state from the beginning.
                let state = usize::from(states.unit() * (stays[0] + stays[1]) >= stays[0]);
                Self::Bursts {
                    rates: *rates,
                    stays: *stays,
                    state,
                    until: stays[state] * states.exponential(),
                    stream: stream(Purpose::Arrivals, 1),
                    states,
                }
            }
            Source::Open(Arrivals::At(times)) => Self::At(times.iter().rev().copied().collect()),
            Source::Open(Arrivals::Never) => Self::Never,
        }
    }

    /// Time of the arrival that follows one at `now`; infinite if none does.
    #[inline(always)]
    fn next(&mut self, now: f64, profile: Option<&Profile>) -> f64 {
        match self {
            Self::Renewal(between) => {
                let work = between.next();
                match profile {
                    None => now + work,
                    Some(profile) => after(profile, now, work),
                }
            }
            other => other.next_rarer(now, profile),
        }
    }

    #[inline(never)]
    fn next_rarer(&mut self, now: f64, profile: Option<&Profile>) -> f64 {
        match self {
            Self::Bursts { rates, stays, state, until, stream, states } => {
                if rates.iter().all(|rate| *rate == 0.0) {
                    return f64::INFINITY;
                }
                let (mut from, mut work) = (now, stream.exponential());
                loop {
                    let rate = rates[*state];
                    let time = if rate == 0.0 {
                        f64::INFINITY
                    } else {
                        profile.map_or(from + work / rate, |p| after(p, from, work / rate))
                    };
                    if time <= *until {
                        return time;
                    }
                    let passed = profile.map_or(*until - from, |p| grown(p, from, *until));
                    work -= rate * passed;
                    from = *until;
                    *state = 1 - *state;
                    *until = from + stays[*state] * states.exponential();
                    if profile.is_some_and(|p| p.factors.iter().all(|factor| *factor == 0.0)) {
                        return f64::INFINITY;
                    }
                }
            }
            Self::At(times) => times.pop().unwrap_or(f64::INFINITY),
            Self::Closed(..) | Self::Renewal(_) | Self::Never => f64::INFINITY,
        }
    }
}

/// Piece of a profile at a time, and the time at which it ends.
fn piece(profile: &Profile, time: f64) -> (usize, f64) {
    let number = (time / profile.piece).floor();
    let end = (number + 1.0) * profile.piece;
    // A time within rounding of the end belongs to the next piece.
    let number = if end <= time { number + 1.0 } else { number };
    let idx = (number % profile.factors.len() as f64) as usize;
    (idx, (number + 1.0) * profile.piece)
}

/// The time at which the integral of the factor has grown by `work` since `from`.
#[inline(never)]
pub(super) fn after(profile: &Profile, from: f64, mut work: f64) -> f64 {
    let cycle: f64 = profile.factors.iter().sum::<f64>() * profile.piece;
    if cycle == 0.0 {
        return f64::INFINITY;
    }
    let cycles = (work / cycle).floor();
    work -= cycles * cycle;
    let mut time = from + cycles * profile.piece * profile.factors.len() as f64;
    loop {
        let (idx, end) = piece(profile, time);
        let factor = profile.factors[idx];
        let grown = factor * (end - time);
        if work <= grown && factor > 0.0 {
            return time + work / factor;
        }
        work -= grown;
        time = end;
    }
}

/// How much the integral of the factor grows from `from` to `to`.
fn grown(profile: &Profile, from: f64, to: f64) -> f64 {
    let (mut time, mut sum) = (from, 0.0);
    while time < to {
        let (idx, end) = piece(profile, time);
        let end = end.min(to);
        sum += profile.factors[idx] * (end - time);
        time = end;
    }
    sum
}

impl<O: Observer> Engine<'_, O> {
    /// Sets off all sources at time 0.
    pub(in crate::sim) fn start(&mut self) {
        for class in 0..self.n_classes as u32 {
            if let SourceState::Closed(population, _) = &self.classes[class as usize].source {
                let pc = self.program.starts[class as usize];
                for _ in 0..*population {
                    if self.is_full() {
                        return;
                    }
                    let task = self.tasks.customer(class, pc, self.now);
                    self.leave(task, class, self.now);
                }
            } else {
                self.schedule_arrival(class);
            }
        }
        let happenings = &self.model.happenings;
        for (idx, happening) in happenings.iter().enumerate() {
            self.calendar.push(happening.at, HERD | idx as u32);
        }
    }

    /// Sets off the first arrival of a class.
    fn schedule_arrival(&mut self, class: u32) {
        let state = &mut self.classes[class as usize];
        let time = state.source.next(self.now, state.profile);
        self.timers.set(state.timer, time);
    }

    /// A customer arrives from outside, and the next arrival is set off; who goes on then, if it is
    /// not at an exit already.
    #[inline(always)]
    pub(super) fn arrive_next(&mut self, idx: u32) -> Option<u32> {
        let now = self.now;
        let class = &mut self.classes[idx as usize];
        let time = class.source.next(now, class.profile);
        self.timers.set(class.timer, time);
        class.n += 1;
        class.area -= now;
        if let Some((exit, draw)) = class.exit {
            let work = self.program.draws[draw as usize].next();
            self.exit(exit, idx, now, work);
            return None;
        }
        let task = self.tasks.customer(idx, class.start, now);
        self.tell(task, What::Arrives);
        Some(task)
    }

    /// A customer arrives from outside, beside all others.
    fn arrive(&mut self, idx: u32) -> u32 {
        let now = self.now;
        let class = &mut self.classes[idx as usize];
        class.n += 1;
        class.area -= now;
        let task = self.tasks.customer(idx, class.start, now);
        self.tell(task, What::Arrives);
        task
    }

    /// Something happens that the model lists; who goes on then, if anybody.
    #[inline(never)]
    pub(super) fn happen(&mut self, idx: usize) -> u32 {
        match self.model.happenings[idx].kind {
            HappeningKind::Speed { station, factor } => {
                self.silent += 1;
                self.change_speed(station, factor);
                NONE
            }
            HappeningKind::Arrive { class, count, within } => {
                let at = self.model.happenings[idx].at;
                let come = self.herds[idx];
                if come >= count {
                    self.silent += 1;
                    return NONE;
                }
                self.herds[idx] += 1;
                if come + 1 < count {
                    let share = f64::from(come + 1) / f64::from(count);
                    self.calendar.push(at + within * share, HERD | idx as u32);
                }
                self.arrive(class as u32)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{after, grown};
    use crate::sim::model::Profile;

    #[test]
    fn time_runs_as_fast_as_the_profile_says() {
        let profile = Profile { piece: 10.0, factors: vec![1.0, 0.0, 3.0] };
        assert_eq!(after(&profile, 0.0, 4.0), 4.0);
        assert_eq!(after(&profile, 5.0, 5.0 + 3.0), 21.0);
        assert_eq!(after(&profile, 5.0, 5.0 + 30.0 + 1.0), 31.0);
        assert_eq!(after(&profile, 25.0, 40.0 * 1000.0 + 3.0), 25.0 + 30_000.0 + 1.0);
        assert_eq!(grown(&profile, 5.0, 31.0), 5.0 + 30.0 + 1.0);
    }
}
