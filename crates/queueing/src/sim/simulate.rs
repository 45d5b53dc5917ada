//! A run from the beginning to the end: warm-up (`cells`), batches, and when to stop.
//!
//! # Batches
//!
//! Then 10 to 20 batches are kept, their length doubling as the run grows. At 14 and at 20 of them the
//! run ends if every class and activity that is waited for ([`Run::means`], [`Run::rare`]) is known as
//! precisely as asked, on at least 100 completions.
//!
//! # Bounds
//!
//! A steady state that open classes alone rule out ([`super::piling`]) is not looked for: some
//! events are simulated to show how it goes. There are never more jobs in the system than
//! [`JOBS_MAX`](super::JOBS_MAX); a run ends when there would be.

use std::ops::ControlFlow;

use super::cells::{Cells, FIRST_EVENTS, grows};
use super::engine::{Engine, Ran};
use super::measure::{Batch, Pieces, Replication, Totals};
use super::model::{Discipline, Model, ModelError};
use super::outcome::Stopped;
use super::piling::{self, Foreseen, Pile, Spot};
use super::run::{Means, Progress, Run, Span};
use super::trace::{Event, Nobody, Observer, Teller};
use crate::stats::batch::{BATCHES_MAX, Batches};
use crate::stats::interval;

/// Events between two looks at whether to go on.
const STRIDE: u64 = 8192;
/// Length of the first batches, of all the time before.
const BATCH_SHARE: f64 = 0.1;
/// Events that show how jobs pile up where that is known beforehand.
const FORESEEN_EVENTS: u64 = 100_000;
/// Completions that an interval needs.
const COMPLETIONS_MIN: u64 = 100;
/// Batches at which the precision is looked at, beside the most.
const LOOK_AT: usize = 14;

/// Simulates one replication. `watch` is told of the progress every few thousand events and may
/// interrupt: then there are partial results. Replications of the same run differ in their random
/// streams only, and may be run in any order, on any thread.
///
/// ```
/// use std::ops::ControlFlow;
/// use plimsoll_queueing::sim::{self, Arrivals, Class, Discipline, Distribution, Model, Run, Source, Span, Station, Step};
///
/// // M/M/1 at ρ = 0.8: W = 5 s.
/// let model = Model {
///     stations: vec![Station {
///         name: "disk".into(), discipline: Discipline::Fcfs, servers: 1.0, speeds: vec![],
///     }],
///     classes: vec![Class {
///         name: "reads".into(),
///         source: Source::Open(Arrivals::Renewal(Distribution::Exponential { mean: 1.25 })),
///         program: vec![Step::Serve { station: 0, service: Distribution::Exponential { mean: 1.0 } }],
///         priority: 0,
///         profile: None,
///     }],
///     ..Model::default()
/// };
/// let run = Run { span: Span::Steady { precision: 0.05 }, ..Run::default() };
/// let one = sim::simulate(&model, &run, 0, &mut |_| ControlFlow::Continue(())).unwrap();
/// let response = sim::fold(&model, &run, &[one]).classes[0].total.response;
/// assert!(response.relative() <= 0.05 && (response.value - 5.0).abs() < 0.5);
/// ```
pub fn simulate(
    model: &Model,
    run: &Run,
    replication: u64,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Replication, ModelError> {
    drive(model, run, replication, watch, Nobody)
}

/// The same, and tells what each customer does.
pub fn simulate_traced(
    model: &Model,
    run: &Run,
    replication: u64,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    trace: &mut dyn FnMut(&Event),
) -> Result<Replication, ModelError> {
    drive(model, run, replication, watch, Teller(trace))
}

fn drive<O: Observer>(
    model: &Model,
    run: &Run,
    replication: u64,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    observer: O,
) -> Result<Replication, ModelError> {
    model.validate()?;
    run.validate()?;
    let foreseen = match run.span {
        Span::Steady { .. } => piling::foreseen(model),
        Span::SteadyFor { .. } | Span::Window { .. } | Span::Until { .. } => None,
    };
    let events_max = match foreseen {
        Some(_) => run.events_max.min(FORESEEN_EVENTS),
        None => run.events_max,
    };
    let mut driver = Driver {
        engine: Engine::new(model, run, replication, observer),
        run,
        events_max,
        watch,
        precision: None,
        batches: Batches::default(),
        totals: Totals::default(),
        pieces: None,
        since: 0.0,
    };
    let stopped = match run.span {
        Span::Until { time, piece } => driver.until(time, piece),
        Span::Steady { precision } => driver.steady(precision),
        Span::SteadyFor { time } => driver.steady_for(time),
        Span::Window { from, until } => driver.window(from, until),
    };
    let (stopped, pile) = driver.verdict(stopped, foreseen);
    Ok(driver.finish(stopped, pile))
}

/// A run that ends early says why.
type Flow = Result<(), Stopped>;

struct Driver<'a, O: Observer> {
    engine: Engine<'a, O>,
    run: &'a Run,
    events_max: u64,
    watch: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
    precision: Option<f64>,
    batches: Batches<Batch>,
    totals: Totals,
    pieces: Option<Pieces>,
    /// When the measurement began \[s\].
    since: f64,
}

impl<O: Observer> Driver<'_, O> {
    /// Goes on to a time, or for so many events if they come first.
    fn go(&mut self, limit: f64, events: u64) -> Flow {
        let last = self.engine.events().saturating_add(events);
        loop {
            let done = self.engine.events();
            if done >= last {
                return Ok(());
            }
            let most = last.min(self.events_max).saturating_sub(done);
            if most == 0 {
                return Err(Stopped::Events);
            }
            let ran = self.engine.run(limit, STRIDE.min(most), most);
            if self.engine.is_full() {
                return Err(Stopped::Jobs);
            }
            if self.engine.is_endless() {
                return Err(Stopped::Events);
            }
            if ran == Ran::Limit {
                return Ok(());
            }
            self.look_up()?;
        }
    }

    /// Tells who watches how far it is, who may end it.
    fn look_up(&mut self) -> Flow {
        let progress = Progress { events: self.engine.events(), time: self.engine.now, precision: self.precision };
        match (self.watch)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped::Interrupted),
        }
    }

    fn until(&mut self, time: f64, piece: f64) -> Stopped {
        let mut before = self.engine.marks();
        let mut pieces = Pieces::new(piece, &before);
        let mut number = 0.0;
        let stopped = loop {
            number += 1.0;
            // The last piece takes in what is left of the time.
            let end = number * piece;
            let last = end >= time * (1.0 - 1e-12);
            let flow = self.go(if last { time } else { end }, u64::MAX);
            let marks = self.engine.marks();
            pieces.push(&before, &marks);
            before = marks;
            match flow {
                Err(stopped) => break stopped,
                Ok(()) if last => break Stopped::Done,
                // A piece may have fewer events than lie between two looks.
                Ok(()) => {
                    if let Err(stopped) = self.look_up() {
                        break stopped;
                    }
                }
            }
        };
        self.pieces = Some(pieces);
        stopped
    }

    fn steady_for(&mut self, time: f64) -> Stopped {
        let run = |all: &mut Self| -> Flow {
            all.warm_up(time / 2.0)?;
            all.measure_until(time)
        };
        run(self).err().unwrap_or(Stopped::Done)
    }

    fn window(&mut self, from: f64, until: f64) -> Stopped {
        let run = |all: &mut Self| -> Flow {
            all.go(from, u64::MAX)?;
            all.count_anew();
            all.measure_until(until)
        };
        run(self).err().unwrap_or(Stopped::Done)
    }

    /// Batches of equal length from now to a given time.
    fn measure_until(&mut self, time: f64) -> Flow {
        let length = (time - self.since) / BATCHES_MAX as f64;
        let start = self.since;
        for number in 1..=BATCHES_MAX {
            let began = self.engine.now;
            self.go(start + number as f64 * length, u64::MAX)?;
            self.close_batch(began);
        }
        if self.accumulates() {
            return Err(Stopped::Unsteady);
        }
        Ok(())
    }

    fn steady(&mut self, precision: f64) -> Stopped {
        let run = |all: &mut Self| -> Flow {
            all.warm_up(f64::MAX)?;
            let length = all.since * BATCH_SHARE;
            loop {
                let factor = all.batches.next_length();
                let began = all.engine.now;
                all.go(began + length * factor as f64, u64::MAX)?;
                all.close_batch(began);
                let n = all.batches.full().len();
                if n == BATCHES_MAX && all.accumulates() {
                    return Err(Stopped::Unsteady);
                }
                if n == BATCHES_MAX || n == LOOK_AT {
                    all.precision = all.worst_precision();
                    if all.precision.is_some_and(|worst| worst <= precision) {
                        return Ok(());
                    }
                }
                if all.engine.is_idle() {
                    return Err(Stopped::Unsteady);
                }
            }
        };
        run(self).err().unwrap_or(Stopped::Done)
    }

    fn close_batch(&mut self, began: f64) {
        let time = self.engine.now - began;
        let batch = self.engine.take_batch(time, Some(&mut self.totals));
        self.batches.push(batch);
    }

    /// Runs until the steady state, at most up to `latest` and for half of all events, and counts anew
    /// from there.
    fn warm_up(&mut self, latest: f64) -> Flow {
        self.go(latest, FIRST_EVENTS)?;
        while self.engine.now == 0.0 && !self.engine.is_idle() {
            self.go(latest, FIRST_EVENTS)?;
        }
        let mut cells = Cells::new(&self.engine);
        while !cells.tell()? {
            if self.engine.is_idle() {
                return Err(Stopped::Unsteady);
            }
            if self.engine.now >= latest || self.engine.events() >= self.events_max / 2 {
                break;
            }
            let end = (cells.began + cells.length).min(latest);
            self.go(end, u64::MAX)?;
            cells.close(&self.engine);
        }
        self.count_anew();
        Ok(())
    }

    fn count_anew(&mut self) {
        self.engine.reset();
        self.since = self.engine.now;
    }

    /// Whether customers from outside accumulate over the batches.
    fn accumulates(&self) -> bool {
        let classes = &self.engine.classes;
        let numbers = self.batches.full().iter().map(|batch| {
            let open = batch.numbers.iter().zip(classes).filter(|(_, c)| !c.closed);
            open.map(|(area, _)| area).sum::<f64>() / batch.time
        });
        grows(&numbers.collect::<Vec<_>>())
    }

    /// Worst relative half-width of the response times that must be known; none while one of them
    /// has too few completions.
    fn worst_precision(&self) -> Option<f64> {
        let batches = self.batches.full();
        let n_timings = self.engine.timings.len();
        let counts: Vec<u64> =
            (0..n_timings).map(|timing| batches.iter().map(|b| b.timings[timing].count).sum()).collect();
        let (classes, activities) = counts.split_at(self.engine.n_classes);
        let all = classes.iter().sum::<u64>().max(activities.iter().sum());
        let mut worst: f64 = 0.0;
        let first = match self.run.means {
            Means::All => 0,
            Means::Activities => self.engine.n_classes,
        };
        for (timing, count) in counts.iter().enumerate().skip(first) {
            if (*count as f64) < self.run.rare * all as f64 || *count == 0 {
                continue;
            }
            if *count < COMPLETIONS_MIN {
                return None;
            }
            let observed = batches.iter().map(|batch| batch.timings[timing].observed());
            let known = interval::controlled(&observed.collect::<Vec<_>>(), self.run.confidence);
            worst = worst.max(known.relative());
        }
        (all > 0).then_some(worst)
    }

    /// Why it ended, and where jobs pile up if they do.
    fn verdict(&self, stopped: Stopped, foreseen: Option<Foreseen>) -> (Stopped, Option<Pile>) {
        match (stopped, foreseen) {
            (Stopped::Interrupted, _) | (Stopped::Done | Stopped::Events, None) => (stopped, None),
            (_, Some(Foreseen::Pile(pile))) => (Stopped::Unsteady, Some(pile)),
            (_, Some(Foreseen::Crowd)) => (Stopped::Jobs, None),
            (Stopped::Unsteady | Stopped::Jobs, None) => {
                let crowd = self.engine.crowd().filter(|(spot, _)| self.can_queue(*spot));
                let pile = crowd.map(|(spot, jobs)| Pile::new(self.engine.model, spot, jobs as f64 / self.engine.now));
                // Where nobody waits nothing piles up: there are only more jobs than there is room for.
                match pile {
                    Some(_) => (Stopped::Unsteady, pile),
                    None => (stopped, None),
                }
            }
        }
    }

    fn can_queue(&self, spot: Spot) -> bool {
        match spot {
            Spot::Station(idx) => self.engine.model.stations[idx].discipline != Discipline::Delay,
            Spot::Lock(_) | Spot::Pool(_) => true,
        }
    }

    fn finish(mut self, stopped: Stopped, pile: Option<Pile>) -> Replication {
        // A run without a whole batch, such as one to a given time, is one batch.
        if self.batches.full().len() < 2 && !matches!(stopped, Stopped::Done) || self.batches.full().is_empty() {
            let began = self.since + self.batches.full().iter().map(|b| b.time).sum::<f64>();
            self.close_batch(began);
        }
        self.totals.locks = self.engine.lock_totals();
        Replication {
            batches: self.batches.into_full(),
            totals: self.totals,
            pieces: self.pieces,
            warm_up: self.since,
            events: self.engine.events(),
            stopped,
            pile,
        }
    }
}
