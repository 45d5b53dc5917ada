//! Response times of one deployment over multiples of today's load.
//!
//! The multiples are chosen, not given: outward from today until something gives way, closer around
//! that place, and the rest where gaps are widest. So a curve of a lightly loaded server and one of a
//! full server both show where they bend, at the same price.

use super::headroom::{self, FACTOR_LEAST, FACTOR_MAX};
use super::safety::memory_short;
use super::targets::{Want, first_missed, tightest};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Peak, Site};
use crate::system::{Deployment, Interval, Lens, PredictError, Prediction, predict_through};
use crate::workload::{Load, Work};

/// The least multiple of today's load that is looked at.
const FACTOR_MIN: f64 = 0.1;
/// The curve goes on for so much beyond what gives way first.
const BEYOND: f64 = 1.5;
/// What gives way is known to so much, as a ratio.
const CLOSE: f64 = 1.04;
/// The same of saturation while a slider moves: near it each load takes ten times as long.
const CLOSE_ENOUGH: f64 = 1.1;
/// Share of a gap beyond what gives way first that counts while a slider moves: nobody plans to work there.
const BEYOND_COUNTS: f64 = 0.4;

/// How closely a curve looks at where something gives way, and beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closeness {
    /// While a slider moves.
    Quick,
    /// For a report.
    Fine,
}

/// Response times over multiples of today's load.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The peak that its loads are multiples of.
    pub peak: Peak,
    /// By kind of work, as in the prediction of today's load.
    pub classes: Vec<ClassCurve>,
    /// The busiest resource or lock at each multiple.
    pub busiest: Vec<Busiest>,
    /// The largest multiple at which targets hold and nothing saturates, and what gives way then;
    /// `None` where nothing gave way.
    pub limit: Option<Stop>,
    /// From where on something cannot keep up; `None` where it was not met.
    pub saturation: Option<Stop>,
    /// Where the asymptotes cross, and at which resource.
    pub knee: Stop,
}

/// The busiest resource or lock at a multiple of today's load.
#[derive(Debug, Clone, PartialEq)]
pub struct Busiest {
    /// Multiple of today's load.
    pub factor: f64,
    /// Its name.
    pub name: String,
    /// Busy fraction, in \[0, 1\].
    pub utilization: f64,
}

/// One kind of work.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassCurve {
    /// Which kind of work it is.
    pub work: Work,
    /// As printed: "browse", "submit (Montreal)".
    pub name: String,
    /// What is wanted of it, stated or assumed, and what it takes at the least load of the curve; none of what nobody waits for.
    pub target: Option<Want>,
    /// By rising load.
    pub points: Vec<CurvePoint>,
}

/// Response times at one multiple of today's load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Multiple of today's load.
    pub factor: f64,
    /// Mean \[s\].
    pub mean: f64,
    /// 95th percentile \[s\]; its interval is as wide, relatively, as that of today's load, which
    /// is too narrow close to saturation.
    pub p95: Interval,
}

/// A place on the axis of the load.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// Multiple of today's load.
    pub factor: f64,
    /// What happens there, or at which resource.
    pub why: String,
}

/// A prediction, unless something that is hardly ever free lets work wait for longer than any peak lasts: a time of years is none.
fn answering(prediction: Prediction) -> Result<Prediction, String> {
    /// Longer than anybody waits \[s\], and the share of the time in which something is in use (assumed).
    const NEVER: f64 = 30.0 * 86_400.0;
    const HARDLY_FREE: f64 = 0.99;
    let (resource, busy) = prediction.bottleneck();
    let mut classes = prediction.classes.iter();
    if busy > HARDLY_FREE && classes.any(|class| class.p95.value > NEVER) {
        return Err(format!("{resource} is overloaded"));
    }
    Ok(prediction)
}

/// Solved multiples, by rising load.
struct Solved<F> {
    at: F,
    points: Vec<(f64, Prediction)>,
    /// The least multiple that has no answer, and why.
    saturated: Option<Stop>,
    left: usize,
}

impl<F: Fn(f64) -> Result<Prediction, PredictError>> Solved<F> {
    /// Solves one multiple, if there is any left to be solved.
    fn look(&mut self, factor: f64) -> Option<&Prediction> {
        let same = |known: f64| (known / factor - 1.0).abs() < 1e-6;
        if let Some(place) = self.points.iter().position(|(known, _)| same(*known)) {
            return Some(&self.points[place].1);
        }
        self.left = self.left.checked_sub(1)?;
        let found = (self.at)(factor).map_err(|error| error.to_string());
        match found.and_then(answering) {
            Ok(prediction) => {
                let place = self.points.partition_point(|(f, _)| *f < factor);
                self.points.insert(place, (factor, prediction));
                Some(&self.points[place].1)
            }
            Err(why) => {
                if self.saturated.as_ref().is_none_or(|s| s.factor > factor) {
                    self.saturated = Some(Stop { factor, why });
                }
                None
            }
        }
    }

    /// The largest multiple with an answer.
    fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |(factor, _)| *factor)
    }

    /// Halves the way to saturation until it is known to `close`, as a ratio.
    fn close_in(&mut self, close: f64) {
        while self.left > 0 {
            let Some(high) = self.saturated.as_ref().map(|s| s.factor) else {
                return;
            };
            let low = self.last().max(high / 2.0_f64.powi(8));
            if high / low < close {
                return;
            }
            self.look((low * high).sqrt());
        }
    }

    /// Solves the middle of the widest gap between `begin` and `end`, until none is left; of gaps beyond `limit` only the
    /// share `counts` is counted.
    fn fill(&mut self, (begin, end): (f64, f64), limit: f64, counts: f64) {
        self.look(begin);
        self.look(end);
        while self.left > 0 {
            let factors = self.points.iter().map(|(factor, _)| *factor);
            let pairs = factors.clone().zip(factors.skip(1));
            let below = pairs.filter(|(_, b)| *b <= end * 1.001);
            let width = |(a, b): &(f64, f64)| (b - a) * if *a >= limit { counts } else { 1.0 };
            let widest = below.max_by(|x, y| width(x).total_cmp(&width(y)));
            let Some((a, b)) = widest else { return };
            self.look(f64::midpoint(a, b));
        }
    }
}

/// The curve of one deployment, from `points` solved multiples of the load (at least 8; 24 draw well).
///
/// `today` is the prediction whose relative intervals the curve carries along, and how far its times were moved by a simulation; without it, or for work
/// that it does not know, a point has no interval. For a slider take [`Closeness::Quick`], which
/// looks less closely at what lies beyond the first limit.
#[expect(clippy::too_many_arguments, reason = "the questions of a what-if: each is another's answer")]
pub fn curve(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    today: Option<&Prediction>,
    points: usize,
    closeness: Closeness,
) -> Curve {
    let mut solved = Solved {
        at: |factor: f64| {
            let (lens, load) = (Lens::forgetful(), load.scaled(factor));
            let solved = predict_through(lens, deployment, &load, catalog, calibration)?;
            match today {
                Some(today) => solved.confirmed_by(&today.correction),
                None => Ok(solved),
            }
        },
        points: Vec::new(),
        saturated: None,
        left: points.max(8),
    };
    let knee = solved.look(1.0).map(headroom::knee);
    let knee = knee.map(|(factor, resource)| Stop { factor, why: resource.to_string() });
    let knee = knee.or_else(|| solved.saturated.clone());
    let knee = knee.unwrap_or(Stop { factor: 1.0, why: String::new() });
    let without_memory = |factor: f64| {
        let short = memory_short(calibration, deployment, &load.scaled(factor));
        short.map(|short| short.to_string())
    };
    let limit = outward(site, &mut solved, without_memory);
    let beyond = limit.as_ref().map_or(FACTOR_MAX, |limit| (BEYOND * limit.factor).max(2.0));
    let (close, counts) = match closeness {
        Closeness::Quick => (CLOSE_ENOUGH, BEYOND_COUNTS),
        Closeness::Fine => (CLOSE, 1.0),
    };
    if solved.saturated.is_some() {
        solved.close_in(close);
    }
    let end = solved.saturated.as_ref().map_or(beyond, |s| {
        // Just below saturation times depend on the last digit: the line ends before.
        (s.factor / close).min(beyond).max(solved.last().min(s.factor))
    });
    let from = limit.as_ref().map_or(f64::INFINITY, |limit| limit.factor);
    let begin = FACTOR_MIN.min(end / 2.0);
    solved.points.retain(|(factor, _)| *factor >= begin);
    solved.fill((begin, end), from, counts);
    Curve {
        peak: site.peak,
        classes: classes(site, &solved.points, today),
        busiest: busiest(&solved.points),
        limit,
        saturation: solved.saturated,
        knee,
    }
}

/// Doubles the load until something gives way, or halves it where today's does, and closes in on where that is.
fn outward<F>(site: &Site, solved: &mut Solved<F>, without_memory: impl Fn(f64) -> Option<String>) -> Option<Stop>
where
    F: Fn(f64) -> Result<Prediction, PredictError>,
{
    let mut why = String::new();
    let mut holds = |solved: &mut Solved<F>, factor: f64| {
        let broken = match solved.look(factor) {
            Some(prediction) => missed_words(site, prediction).or_else(|| without_memory(factor)),
            None => solved.saturated.as_ref().map(|s| s.why.clone()),
        };
        broken.map(|w| why = w).is_none()
    };
    let (mut low, mut high) = (1.0, 2.0);
    if holds(solved, 1.0) {
        while holds(solved, high) {
            if high >= FACTOR_MAX {
                return None;
            }
            (low, high) = (high, high * 2.0);
        }
    } else {
        (low, high) = (0.5, 1.0);
        while !holds(solved, low) {
            if low <= FACTOR_LEAST || solved.left <= 2 {
                return Some(Stop { factor: low, why });
            }
            (low, high) = (low / 2.0, low);
        }
    }
    while high / low > CLOSE && solved.left > 2 {
        let middle = (low * high).sqrt();
        if holds(solved, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(Stop { factor: low, why })
}

fn missed_words(site: &Site, prediction: &Prediction) -> Option<String> {
    first_missed(site, prediction).map(|limit| limit.to_string())
}

fn classes(site: &Site, points: &[(f64, Prediction)], today: Option<&Prediction>) -> Vec<ClassCurve> {
    let Some((_, first)) = points.first() else {
        return Vec::new();
    };
    let judged = first.classes.iter().filter(|c| c.work.is_awaited());
    judged
        .map(|class| {
            let interval = today.and_then(|today| today.class(&class.work)).map(|c| c.p95).filter(|i| i.value > 0.0);
            let (low, high) = interval.map_or((1.0, 1.0), |i| (i.low / i.value, i.high / i.value));
            let point = |(factor, prediction): &(f64, Prediction)| {
                let at = prediction.class(&class.work)?;
                let p95 = at.p95.value;
                Some(CurvePoint {
                    factor: *factor,
                    mean: at.mean.value,
                    p95: Interval { value: p95, low: p95 * low, high: p95 * high },
                })
            };
            ClassCurve {
                name: class.name.clone(),
                work: class.work.clone(),
                target: tightest(site, class),
                points: points.iter().filter_map(point).collect(),
            }
        })
        .collect()
}

fn busiest(points: &[(f64, Prediction)]) -> Vec<Busiest> {
    let each = points.iter().map(|(factor, prediction)| {
        let (resource, utilization) = prediction.bottleneck();
        Busiest { factor: *factor, name: resource.to_string(), utilization }
    });
    each.collect()
}
