//! Response times of one deployment over multiples of today's load.
//!
//! The multiples are chosen, not given: outward from today until something gives way, closer around
//! that place, and the rest where gaps are widest. So a curve of a lightly loaded server and one of a
//! full server both show where they bend, at the same price.

use super::growth::{self, Bound, FACTOR_MAX};
use super::looks::{Hands, Looks};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::{Deployment, Effort, Interval, Prediction, predict};
use crate::workload::Load;

/// The least multiple of today's load that is looked at.
const FACTOR_MIN: f64 = 0.1;
/// The curve goes on for so much beyond what gives way first.
const BEYOND: f64 = 1.5;
/// What gives way is known to so much, as a ratio.
const CLOSE: f64 = 1.04;

/// Response times over multiples of today's load.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// By kind of work, as in the prediction of today's load.
    pub classes: Vec<ClassCurve>,
    /// The busiest resource or lock at each multiple.
    pub busiest: Vec<Busiest>,
    /// The largest multiple at which targets hold and nothing saturates, and what gives way then;
    /// `None` where nothing gave way.
    pub limit: Option<Stop>,
    /// From where on something cannot keep up; `None` where it was not met.
    pub saturation: Option<Stop>,
    /// Where the asymptotes of the work other than large syncs cross, and at which resource.
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
    /// As in a prediction: "browse", "submit (Montreal)".
    pub name: String,
    /// Which target judges it: `browse`, `edit`, `sync`, `submit`.
    pub response: &'static str,
    /// The site's target \[s\], if it has one.
    pub target: Option<f64>,
    /// Whether the mean is held against the target, and not the 95th percentile: a rate is wanted.
    pub by_mean: bool,
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

/// What a curve is of.
#[derive(Debug, Clone, Copy)]
pub struct CurveOf<'a> {
    /// The questionnaire, for its targets.
    pub site: &'a Site,
    /// What exists.
    pub catalog: &'a Catalog,
    /// What was measured.
    pub calibration: &'a Calibration,
    /// What is asked.
    pub deployment: &'a Deployment,
    /// What it is asked to do today.
    pub load: &'a Load,
    /// The prediction whose relative intervals the curve carries along; without it, or for work that it does
    /// not know, a point has no interval.
    pub today: Option<&'a Prediction>,
    /// Multiples of the load that are solved: at least 8; 24 draw well.
    pub points: usize,
    /// For a slider take [`Effort::Search`].
    pub effort: Effort,
}

/// The curve of one deployment; how many hands work on it changes nothing but how long it takes.
pub fn curve(of: &CurveOf<'_>, hands: &dyn Hands) -> Curve {
    let CurveOf {
        site,
        catalog,
        calibration,
        deployment,
        load,
        today,
        ..
    } = *of;
    let at = |factor: f64| {
        let scaled = load.scaled(factor);
        predict(deployment, &scaled, catalog, calibration, of.effort)
    };
    let mut solved = Looks::new(&at, hands, of.points.max(8));
    // A load that twice as much does not fill is asked for next.
    solved.foresee(&[1.0, 2.0]);
    let bounds = solved.look(1.0).map_or_else(Vec::new, |prediction| {
        growth::bounds(site, today.unwrap_or(prediction))
    });
    let limit = outward(&mut solved, &bounds);
    let beyond = limit
        .as_ref()
        .map_or(FACTOR_MAX, |limit| (BEYOND * limit.factor).max(2.0));
    if solved.saturated.is_some() {
        solved.close_in(CLOSE);
    }
    let end = solved.saturated.as_ref().map_or(beyond, |s| {
        // Just below saturation times depend on the last digit: the line ends before.
        (s.factor / CLOSE)
            .min(beyond)
            .max(solved.last().min(s.factor))
    });
    solved.fill(FACTOR_MIN.min(end / 2.0), end);
    let (factor, why) = growth::knee(catalog, calibration, deployment, load);
    Curve {
        classes: classes(site, &solved.points, today),
        busiest: busiest(&solved.points),
        limit,
        saturation: solved.saturated,
        knee: Stop { factor, why },
    }
}

/// Doubles the load until something gives way, and closes in on where it does.
fn outward(solved: &mut Looks<'_>, bounds: &[Bound]) -> Option<Stop> {
    let mut why = String::new();
    let mut holds = |solved: &mut Looks<'_>, factor: f64| {
        let broken = match solved.look(factor) {
            Some(prediction) => growth::broken(bounds, prediction),
            None => solved.saturated.as_ref().map(|s| s.why.clone()),
        };
        broken.map(|w| why = w).is_none()
    };
    if solved.saturated.is_some() {
        let stop = solved.saturated.clone();
        return stop;
    }
    if let Some(broken) = growth::broken(bounds, &solved.points[0].1) {
        return Some(Stop {
            factor: 1.0,
            why: broken,
        });
    }
    let (mut low, mut high) = (1.0, 2.0);
    while holds(solved, high) {
        if high >= FACTOR_MAX {
            return None;
        }
        (low, high) = (high, high * 2.0);
    }
    while high / low > CLOSE && solved.left > 2 {
        let middle = solved.between(low, high);
        if holds(solved, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(Stop { factor: low, why })
}

fn classes(
    site: &Site,
    points: &[(f64, Prediction)],
    today: Option<&Prediction>,
) -> Vec<ClassCurve> {
    let Some((_, first)) = points.first() else {
        return Vec::new();
    };
    let judged = first.classes.iter().filter(|c| c.response != "none");
    judged
        .map(|class| {
            let interval = today
                .and_then(|today| today.class(&class.name))
                .map(|c| c.p95)
                .filter(|i| i.value > 0.0);
            let (low, high) = interval.map_or((1.0, 1.0), |i| (i.low / i.value, i.high / i.value));
            let point = |(factor, prediction): &(f64, Prediction)| {
                let at = prediction.class(&class.name)?;
                let p95 = at.p95.value;
                Some(CurvePoint {
                    factor: *factor,
                    mean: at.mean.value,
                    p95: Interval {
                        value: p95,
                        low: p95 * low,
                        high: p95 * high,
                    },
                })
            };
            ClassCurve {
                name: class.name.clone(),
                response: class.response,
                target: growth::target(site, class).map(|(limit, _)| limit),
                by_mean: growth::by_rate(site, class).is_some(),
                points: points.iter().filter_map(point).collect(),
            }
        })
        .collect()
}

fn busiest(points: &[(f64, Prediction)]) -> Vec<Busiest> {
    let each = points.iter().map(|(factor, prediction)| {
        let (name, utilization) = prediction.bottleneck();
        Busiest {
            factor: *factor,
            name,
            utilization,
        }
    });
    each.collect()
}
