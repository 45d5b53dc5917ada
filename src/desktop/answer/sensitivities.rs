//! How much each number of the what-if moves the answer: the time that limits, with a quarter more of the number.

use super::super::panels::what_if::{Scale, Set, developers};
use super::tried::try_out;
use crate::advisor::what_if::Change;
use crate::desktop::answer::Advised;
use crate::desktop::engine::Engine;
use crate::report::answer::nearest;
use crate::site::Site;
use crate::system::Prediction;
use crate::workload::Work;

/// By how much a number is raised.
pub const MORE: f64 = 1.25;

/// What each number does to the time that limits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sensitivities {
    /// The kind of work that gives way first as the load grows; else the one nearest to its target.
    pub limiting: Option<Work>,
    /// By field, the ratio of its time with more of the number; infinite where that overloads the deployment.
    pub ratios: Vec<(&'static str, f64)>,
}

impl Sensitivities {
    /// Of the recommended deployment.
    pub(super) fn of(engine: &Engine, advised: &Advised, before: &Prediction) -> Self {
        let site = &*advised.site;
        let chosen = advised.advice.chosen.as_ref();
        let first = chosen.and_then(|chosen| before.class(chosen.headroom.limit.work()?));
        let nearest = || before.class(&nearest(&advised.answer.work, 1).first()?.work);
        let Some(class) = first.or_else(nearest) else {
            return Self::default();
        };
        let ratio = |set: Set| {
            let mut change = Change::default();
            set.apply(&mut change);
            let changed = try_out(engine, advised, &change).ok()?;
            let Ok(after) = &changed.prediction else {
                return Some(f64::INFINITY);
            };
            let after = after.class(&class.work)?;
            Some(after.p95.value / class.p95.value)
        };
        let ratios = raised(site).into_iter();
        Self {
            ratios: ratios.filter_map(|(field, set)| Some((field, ratio(set)?))).collect(),
            limiting: Some(class.work.clone()),
        }
    }

    /// Of a field.
    pub fn ratio(&self, field: &str) -> Option<f64> {
        let mut ratios = self.ratios.iter();
        ratios.find(|(known, _)| *known == field).map(|(_, ratio)| *ratio)
    }
}

/// Each number with a quarter more of it.
fn raised(site: &Site) -> Vec<(&'static str, Set)> {
    const DAY: f64 = 86_400.0;
    let work = &site.workload;
    let one = |field, scale: Scale, value: f64| (field, Set::Answer(field, Some(scale.spell(value * MORE))));
    let share = work.automation_share.value.get() * 100.0;
    vec![
        ("people.developers", developers(MORE)),
        one("workload.commands_per_day", Scale::PerDay, work.commands_per_day.value.get() * DAY),
        one("workload.automation_share", Scale::Percent, share.min(95.0 / MORE)),
        one("workload.large_syncs_per_day", Scale::PerDay, work.large_syncs_per_day.value.get() * DAY),
        one("workload.concurrent_sync_size", Scale::Size, work.concurrent_sync_size.value.get()),
        one("server.ram", Scale::Size, site.server.ram.value.get()),
        one("server.cores", Scale::Count, site.server.cores.value),
    ]
}
