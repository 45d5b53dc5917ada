//! What a given layout does under a site's peak load, as `advise` says it of its own choice.
//!
//! Of a layout the deployment is taken that the advice lists first under its name; its intervals contain the parameters and
//! the model's own error. What unanswered questions and the ranges of measured answers may do stands beside them.

use std::borrow::Cow;

use super::candidates::{self, Candidate};
use super::confirm::{Ask, confirm};
use super::headroom::{Overload, overload};
use super::ranking::{Failed, Ranked, Solved, solve_all};
use super::safety::memory_short;
use super::score::{Scores, Timed};
use super::search::Search;
use super::sensitivity::{self, Influence, Of, Range, Subject};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};
use crate::system::capacity::{self, RoleSize};
use crate::system::{Busiest, Deployment, PredictError, Prediction, interval, predict};
use crate::workload::{Load, Work, from_site};

/// A layout under a site's load.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutPrediction {
    /// The best that the site can make of the layout.
    pub deployment: Deployment,
    /// What it does at the peak, with intervals.
    pub prediction: Prediction,
    /// Which server lacks memory at the peak, in words; `None` where none does.
    pub short: Option<String>,
    /// Which unanswered questions matter to it, most first.
    pub influences: Vec<Influence>,
    /// Which measured answers have a range that matters to it, most first.
    pub measured: Vec<Influence>,
}

/// p95 of a kind of work with what its answers leave open.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenTime {
    /// The kind of work.
    pub work: Work,
    /// Its name.
    pub name: String,
    /// Below it one time in ten \[s\].
    pub low: f64,
    /// Above it one time in ten \[s\]; nothing where an answer at the end of its range overloads the layout.
    pub high: Option<f64>,
}

impl LayoutPrediction {
    /// p95 of each kind of work that has a target, as an interval of 80 % that contains the prediction's own and the ranges
    /// of unanswered questions and of measured answers: logarithms of their factors, as of independent errors, in squares.
    pub fn open_times(&self) -> Vec<OpenTime> {
        let classes = self.prediction.classes.iter();
        let classes = classes.filter(|class| class.work.target().is_some() && class.p95.value > 0.0);
        classes
            .map(|class| {
                let p95 = class.p95;
                let mut below = (p95.value / p95.low.min(p95.value)).ln().powi(2);
                let mut above = (p95.high.max(p95.value) / p95.value).ln().powi(2);
                let mut overloads = false;
                for influence in self.influences.iter().chain(&self.measured) {
                    let ends = influence.ends.iter();
                    overloads |= ends.clone().any(|end| end.overload.is_some());
                    let factors = ends.filter_map(|end| end.factor(&class.work)).map(f64::ln);
                    let (least, most) =
                        factors.fold((0.0_f64, 0.0_f64), |(least, most), log| (least.min(log), most.max(log)));
                    below += least.powi(2);
                    above += most.powi(2);
                }
                OpenTime {
                    work: class.work.clone(),
                    name: class.name.clone(),
                    low: p95.value / below.sqrt().exp(),
                    high: (!overloads).then(|| p95.value * above.sqrt().exp()),
                }
            })
            .collect()
    }
}

/// Why there is no forecast of a layout.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoForecast {
    /// The site cannot have it.
    #[error("{0}")]
    Unsuitable(String),
    /// It has no steady state at the site's peak: an answer.
    #[error("{error}{}", asked.as_deref().map(Busiest::doubt).unwrap_or_default())]
    Saturated {
        /// What is overloaded.
        error: Box<PredictError>,
        /// The same with its interval, where that is known.
        asked: Option<Box<Busiest>>,
        /// At which load it would still work, and what it does then, where that was looked for and any is carried.
        carries: Option<Box<Overload>>,
    },
}

impl NoForecast {
    /// Chance in percent that it does not carry the load, where the errors of the numbers leave that open.
    pub fn chance(&self) -> Option<u32> {
        match self {
            Self::Saturated { asked, .. } => asked.as_ref()?.overload_chance(),
            Self::Unsuitable(_) => None,
        }
    }

    /// At which load it would still work, and what it does then.
    pub fn carries(&self) -> Option<&Overload> {
        match self {
            Self::Saturated { carries, .. } => carries.as_deref(),
            Self::Unsuitable(_) => None,
        }
    }
}

/// Forecasts of layouts, each by its id; in place of one that there is none of stands the reason.
pub fn layout_predictions(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
    layouts: &[String],
) -> Vec<Result<LayoutPrediction, NoForecast>> {
    forecasts_confirmed(site, vocabulary, catalog, calibration, layouts, &Ask::NOTHING)
}

/// The same, each confirmed by simulation.
pub fn forecasts_confirmed(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
    layouts: &[String],
    ask: &Ask<'_>,
) -> Vec<Result<LayoutPrediction, NoForecast>> {
    let ask = ask.over(layouts.len());
    let site = &*with_there(site, catalog);
    let ranges = sensitivity::ranges(site, vocabulary);
    let advised = Advised { finds_load: true, ..Advised::of(site, catalog, calibration) };
    let all = layouts.iter();
    all.map(|id| advised.forecast(&ranges, id, &ask)).collect()
}

/// The arrays on which today's volumes lie.
fn there(site: &Site) -> Vec<&String> {
    let arrays = site.today.volumes.iter().filter_map(|v| v.array.as_ref());
    arrays.map(|array| &array.value).collect()
}

/// A site that may use the arrays which are there, over what they speak where nobody states the protocols.
fn with_there<'s>(site: &'s Site, catalog: &Catalog) -> Cow<'s, Site> {
    let infrastructure = &site.infrastructure;
    let mut new = there(site);
    new.retain(|id| catalog.arrays.contains_key(*id) && !infrastructure.storage.value.contains(id));
    new.dedup();
    if new.is_empty() {
        return Cow::Borrowed(site);
    }
    let mut with = site.clone();
    let spoken = new.iter().flat_map(|id| &catalog.arrays[*id].protocols);
    let spoken = spoken.filter(|_| !infrastructure.protocols.is_stated());
    for protocol in spoken {
        let protocols = &mut with.infrastructure.protocols.value;
        if !protocols.contains(protocol) {
            protocols.push(protocol.clone());
        }
    }
    let storage = &mut with.infrastructure.storage.value;
    storage.extend(new.into_iter().cloned());
    Cow::Owned(with)
}

/// The deployment that the advice lists first under a layout's name; for a reference layout whatever its own
/// devices need, even if the site does not have them.
pub fn best_of_layout(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    id: &str,
) -> Result<Deployment, NoForecast> {
    let found = Advised::of(site, catalog, calibration).best(id)?;
    Ok(found.candidate.deployment)
}

/// The same of every layout of the catalogue, by its id.
pub fn best_of_each<'c>(
    site: &Site,
    catalog: &'c Catalog,
    calibration: &Calibration,
) -> Vec<(&'c str, Result<Deployment, NoForecast>)> {
    let advised = Advised::of(site, catalog, calibration);
    let layouts = catalog.layouts.keys();
    let each = layouts.map(|id| (id.as_str(), advised.best(id).map(|found| found.candidate.deployment)));
    each.collect()
}

/// Everything that a site can make of its layouts, ranked as the advice ranks it.
struct Advised<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
    load: Load,
    sizes: Vec<RoleSize>,
    solved: Vec<(Solved, Scores)>,
    failed: Vec<Failed>,
    best_times: Vec<(Timed, f64)>,
    /// Whether it is looked for at which load an overloaded layout would still work.
    finds_load: bool,
}

/// Whether a deployment of a layout is the one that is asked for.
type IsMeant<'m> = &'m dyn Fn(&Deployment) -> bool;

/// What a layout becomes at a site.
struct Found {
    candidate: Candidate,
    /// Whether its stores grow with the data.
    grows: bool,
}

impl<'a> Advised<'a> {
    fn of(site: &'a Site, catalog: &'a Catalog, calibration: &'a Calibration) -> Self {
        let load = from_site::load(site);
        let sizes = capacity::sizes(site, &load, catalog, calibration);
        let (all, _) = candidates::candidates(site, catalog);
        let Ranked { solved, failed, best_times, .. } =
            solve_all(&Search::of((site, catalog, calibration), &load, &sizes), &all, &[]);
        Self { site, catalog, calibration, load, sizes, solved, failed, best_times, finds_load: false }
    }

    fn forecast(&self, ranges: &[Range], id: &str, ask: &Ask<'_>) -> Result<LayoutPrediction, NoForecast> {
        let (site, catalog, calibration) = (self.site, self.catalog, self.calibration);
        let Found { candidate: Candidate { deployment, choices }, grows } = self.best(id)?;
        let load = &self.load;
        let mut prediction =
            predict(&deployment, load, catalog, calibration).map_err(|error| self.saturated(error, &deployment))?;
        interval::add_intervals(&mut prediction, &deployment, load, catalog, calibration);
        confirm(&mut prediction, &deployment, load, catalog, calibration, ask)
            .map_err(|error| self.saturated(error, &deployment))?;
        let subject = Subject { layout: id, choices: &choices, grows };
        let [influences, measured] = [Of::Assumption, Of::Measured].map(|of| {
            let ranges = (ranges, of);
            let mut found = sensitivity::influences(site, ranges, catalog, calibration, &subject);
            found.retain(Influence::matters);
            found
        });
        Ok(LayoutPrediction {
            short: memory_short(calibration, &deployment, load).map(|short| short.to_string()),
            deployment,
            prediction,
            influences,
            measured,
        })
    }

    fn saturated(&self, error: PredictError, deployment: &Deployment) -> NoForecast {
        let (load, catalog, calibration) = (&self.load, self.catalog, self.calibration);
        let carries = || overload(catalog, calibration, deployment, load, &error);
        NoForecast::Saturated {
            asked: interval::overload(&error, deployment, load, catalog, calibration).map(Box::new),
            carries: self.finds_load.then(carries).flatten().map(Box::new),
            error: Box::new(error),
        }
    }

    fn best(&self, id: &str) -> Result<Found, NoForecast> {
        let unsuitable = |reason: String| NoForecast::Unsuitable(reason);
        let layout = self.catalog.layouts.get(id);
        let layout = layout.ok_or_else(|| unsuitable(format!("no layout {id:?}")))?;
        let found = |solved: &[(Solved, Scores)], failed: &[Failed], is_meant: IsMeant<'_>| {
            let mut solved = solved.iter();
            let is_it = |c: &Candidate| c.deployment.layout == id && is_meant(&c.deployment);
            if let Some((found, _)) = solved.find(|(s, _)| is_it(&s.candidate)) {
                return Some(Ok(Found { candidate: found.candidate.clone(), grows: true }));
            }
            let mut failed = failed.iter();
            let (candidate, error) = failed.find(|(c, _)| is_it(c))?;
            Some(Err(self.saturated(error.clone(), &candidate.deployment)))
        };
        // That on the arrays which are there, where it can stand on them: it is asked what stays. What is recommended stays what it is.
        let there = there(self.site);
        let is_recommended = |(best, _): &(Solved, Scores)| best.candidate.deployment.layout == id;
        let is_recommended = self.solved.first().is_some_and(is_recommended);
        let is_there = |d: &Deployment| {
            let mut arrays = d.volumes.iter().filter(|mount| !mount.is_local());
            arrays.all(|mount| there.contains(&&mount.device))
        };
        let first = |solved: &[(Solved, Scores)], failed: &[Failed]| {
            let here = (!is_recommended).then(|| found(solved, failed, &is_there));
            here.flatten().or_else(|| found(solved, failed, &|_| true))
        };
        if let Some(found) = first(&self.solved, &self.failed) {
            return found;
        }
        // What is the same as another layout, or a reference, is no candidate of the advice.
        let (own, _) = candidates::of_layout(self.site, self.catalog, layout);
        let Ranked { solved, failed, .. } = solve_all(
            &Search::of((self.site, self.catalog, self.calibration), &self.load, &self.sizes),
            &own,
            &self.best_times,
        );
        if let Some(found) = first(&solved, &failed) {
            return found;
        }
        let candidate = candidates::fixed(self.site, self.catalog, layout).map_err(|error| {
            let (_, reason) = candidates::of_layout(self.site, self.catalog, layout);
            unsuitable(reason.unwrap_or_else(|| error.to_string()))
        })?;
        Ok(Found { candidate, grows: false })
    }
}
