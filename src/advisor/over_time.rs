//! A deployment over the years: response times as load and data grow, beside its load and its stores.
//!
//! The load of a year is today's, grown by the answers on growth; where those are assumptions, their
//! ranges make the bands. The equipment stays as it is bought today. Time counts from today.

use super::headroom::{self, Headroom};
use super::load_and_stores::{LoadAndStores, load_and_stores};
use super::search::Search;
use super::standby;
use super::targets::{Want, tightest};
use super::what_if::Changed;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::system::{Interval, Lens, PredictError, Prediction, predict_through};
use crate::units::{Growth, Seconds};
use crate::workload::Work;

/// What becomes of a deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct OverTime {
    /// How much more it carries, and when its limits come.
    pub headroom: Headroom,
    /// Its load and its stores over the years.
    pub load_and_stores: LoadAndStores,
    /// Response times over the years, by kind of work.
    pub classes: Vec<ClassYears>,
    /// From which year on there is no steady state, and why; `None` within the years looked at.
    pub saturated: Option<(f64, String)>,
}

/// One kind of work over the years.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassYears {
    /// Which kind of work it is.
    pub work: Work,
    /// As printed: "browse", "submit (Montreal)".
    pub name: String,
    /// What is wanted of it, stated or assumed, and what it takes today; none of what nobody waits for.
    pub target: Option<Want>,
    /// From today on, as far as there is a steady state.
    pub points: Vec<YearPoint>,
}

/// A response time in a year.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YearPoint {
    /// Years from today.
    pub years: f64,
    /// Response time \[s\]; low and high at the ends of what growth may be, infinite where that saturates.
    pub time: Interval,
}

/// One time, solved: at the growth that is reckoned with and at the ends of what it may be.
struct Solved {
    years: f64,
    middle: Prediction,
    low: Option<Prediction>,
    high: Option<Prediction>,
}

/// What becomes of a deployment over `years`, at `points` times with the first today.
///
/// # Errors
///
/// Why there is no steady state today.
pub fn over_time(
    catalog: &Catalog,
    calibration: &Calibration,
    changed: &Changed,
    years: f64,
    points: usize,
) -> Result<OverTime, PredictError> {
    let today = changed.prediction.as_ref().map_err(Clone::clone)?;
    let Changed { site, deployment, load, sizes, .. } = changed;
    let search = Search::of((site, catalog, calibration), load, sizes);
    let whole = standby::with(&search, deployment, today);
    let headroom = headroom::headroom(site, catalog, calibration, &whole, load, today, sizes);
    let load_and_stores = load_and_stores(site, catalog, &whole, sizes, &headroom, years, points);
    let (database, archives) = (&site.data.db_growth, &site.data.depot_growth);
    let solve = |years: f64, database: Growth, archives: Growth| {
        let time = Seconds::years(years);
        let grown = load.grown(database.over(time), archives.over(time));
        let solved = predict_through(Lens::forgetful(), deployment, &grown, catalog, calibration)?;
        solved.confirmed_by(&today.correction)
    };
    let is_known = database.low == database.high && archives.low == archives.high;
    let (mut solved, mut saturated) = (Vec::new(), None);
    for years in load_and_stores.load.iter().map(|point| point.years) {
        match solve(years, database.value, archives.value) {
            Ok(middle) if is_known => {
                solved.push(Solved { years, low: Some(middle.clone()), high: Some(middle.clone()), middle });
            }
            Ok(middle) => solved.push(Solved {
                years,
                middle,
                low: solve(years, database.low, archives.low).ok(),
                high: solve(years, database.high, archives.high).ok(),
            }),
            Err(error) => {
                saturated = Some((years, error.to_string()));
                break;
            }
        }
    }
    let judged = today.classes.iter().filter(|c| c.work.is_awaited());
    let classes = judged.map(|class| {
        let target = tightest(site, class);
        let time = |prediction: &Prediction| Some(prediction.class(&class.work)?.p95.value);
        let end = |prediction: &Option<Prediction>| prediction.as_ref().and_then(time);
        let point = |at: &Solved| {
            let value = time(&at.middle)?;
            Some(YearPoint {
                years: at.years,
                time: Interval {
                    value,
                    low: end(&at.low).map_or(value, |low| low.min(value)),
                    high: end(&at.high).map_or(f64::INFINITY, |high| high.max(value)),
                },
            })
        };
        ClassYears {
            work: class.work.clone(),
            name: class.name.clone(),
            target,
            points: solved.iter().filter_map(point).collect(),
        }
    });
    Ok(OverTime { classes: classes.collect(), headroom, load_and_stores, saturated })
}
