//! Today's system, what limits it, and what to change first.
//!
//! ```text
//!  Site ─► system (today's deployment) ─► headroom ─┐
//!  models/changes ─► action ─► deployment after it ─┴► effect ─► singles, best pair, plan
//! ```
//!
//! Everything is solved, nothing simulated. Changes are solved in several threads and gathered in their order: the answer is
//! the same however many there are.

mod action;
mod change_load;
mod goal;
mod move_volumes;
mod search;
mod state;
pub mod system;
mod volumes;

use std::collections::BTreeMap;

use super::advice::Advice;
use super::as_it_is::Move;
use super::lint;
use super::rules::{self, Finding, Remedy};
use super::stated_times::{is_live, stated_times};
use super::unstated::Unstated;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Change, Database};
use crate::site::Site;
use crate::units::Seconds;

use action::{Made, Shop, Upkeep};
pub(super) use change_load::widen;
pub use goal::Goal;
pub use search::Effect;
use search::{GAIN, Search, only_together, order};
use state::Judge;
pub use state::{Slower, State, Time};
pub use system::{NoSystem, System, Taken, system, words};
pub(super) use system::{as_answered, load};

/// Today's system and what to change first.
#[derive(Debug, Clone)]
pub struct TodayAdvice {
    /// The system that is there.
    pub system: System,
    /// What it does.
    pub today: State,
    /// Single changes that give something, best first.
    pub singles: Vec<Effect>,
    /// Those that give nothing.
    pub useless: Vec<Effect>,
    /// Those of them that give more with another change: that one and it, best first.
    pub only_together: Vec<Effect>,
    /// The best two together; none where no two give more than the better of them.
    pub pair: Option<Effect>,
    /// The best plan: what holds after each of its steps.
    pub plan: Vec<Effect>,
    /// What today's system misses and no step of the plan brings nearer: no change of the catalogue does.
    pub left: Vec<Goal>,
    /// What would meet the targets, or carry the peak, that are missed after the plan, in sentences.
    pub helps: Vec<String>,
    /// What the rules find in it, gravest first.
    pub findings: Vec<Finding>,
    /// The database, by which p4d is down for a change.
    pub database: Database,
    /// Multiple of today's load at the horizon, with the share of capacity that is to be free then.
    pub horizon: f64,
    /// The layout that `advise` recommends, to which the plan leads as far as it is needed; none where nothing is recommended, or it
    /// was not looked for.
    pub target: Option<Target>,
}

/// What `advise` recommends, as seen from the end of the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The layout's title.
    pub title: String,
    /// Largest multiple of today's peak load that it carries.
    pub factor: f64,
    /// Whether something ends that.
    pub is_limited: bool,
    /// When growth gets there; none beyond a century or without growth.
    pub reached_in: Option<Seconds>,
    /// What still changes after the plan; nothing where the plan leads there.
    pub moves: Vec<Move>,
    /// Whether the plan replaces what the layout keeps of today's system.
    pub is_passed: bool,
    /// Why the system as it is was not recommended.
    pub why: Option<String>,
}

impl TodayAdvice {
    /// Whether today's system misses a target: of the work, or a stated one of failures or the night.
    pub fn falls_short(&self) -> bool {
        self.today.goals.iter().any(|goal| goal.is_of_target)
    }

    /// What today's system misses of failures, the night and room.
    pub fn beside_the_work(&self) -> impl Iterator<Item = &Goal> {
        self.today.goals.iter().filter(|goal| !goal.is_of_work)
    }

    /// What the system does after the plan.
    pub fn after_plan(&self) -> &State {
        self.plan.last().map_or(&self.today, |last| &last.after)
    }

    /// Whether the plan meets all that is wanted up to the horizon.
    pub fn is_plan_enough(&self) -> bool {
        self.after_plan().is_enough(self.horizon)
    }

    /// Whether it meets all targets of the work up to the horizon.
    pub fn carries_enough(&self) -> bool {
        let after = self.after_plan();
        after.missed.is_empty() && after.factor >= self.horizon
    }
}

impl Target {
    /// Of an advice that recommends something, where so much is left to change.
    fn of(advice: &Advice, (moves, is_passed): (Vec<Move>, bool)) -> Option<Self> {
        let chosen = advice.chosen.as_ref()?;
        let there = advice.as_it_is.as_ref();
        Some(Self {
            title: chosen.deployment.title.clone(),
            factor: chosen.headroom.factor,
            is_limited: chosen.headroom.limit.is_found(),
            reached_in: chosen.headroom.reached_in,
            moves,
            is_passed,
            why: there.map(|there| there.candidate.why_not.clone()),
        })
    }
}

/// What changes mend that give something comes before what stays as slow after its remedy, in the order in which they are worth
/// most.
fn lead(findings: &mut [Finding], catalog: &Catalog, giving: &[&Effect]) {
    let changes: Vec<&Change> =
        giving.iter().flat_map(|effect| &effect.changes).filter_map(|id| catalog.changes.get(id)).collect();
    let place = |rule: &str| {
        let mends = |change: &&Change| change.mends.iter().any(|r| r == rule);
        changes.iter().position(mends).unwrap_or(changes.len())
    };
    rules::sort(findings, |f| f.rules().map(place).fold(usize::MAX, usize::min));
}

/// Each change of the catalogue alone, from a load that today's system carries: those that give something, and those that do not.
fn alone<'s>(search: &Search<'s>, catalog: &'s Catalog, from: f64) -> (Vec<Effect>, Vec<Effect>) {
    let changes = catalog.changes.values();
    let alone: Vec<Vec<&Change>> = changes.map(|change| vec![change]).collect();
    let effects = search.effects(&alone, from).into_iter().flatten();
    effects.partition(|effect| effect.gives)
}

/// Puts findings in the order of what changes give, and marks what a plan does without.
fn tell(
    findings: &mut [Finding],
    catalog: &Catalog,
    (today, last): (&State, Option<&Effect>),
    (singles, pair): (&[Effect], Option<&Effect>),
    horizon: f64,
) {
    let after = last.map_or(today, |last| &last.after);
    if after.is_enough(horizon) {
        without_plan(findings, catalog, last);
    }
    if !today.is_enough(horizon) {
        let gives = |e: &&Effect| e.after.factor >= today.factor * GAIN || !e.fixes.is_empty();
        let giving: Vec<&Effect> = singles.iter().chain(pair).filter(gives).collect();
        lead(findings, catalog, &giving);
    }
}

/// Writes into what another layout or an edge would remedy that a plan which is enough does without.
fn without_plan(findings: &mut [Finding], catalog: &Catalog, last: Option<&Effect>) {
    let changes = last.map_or(&[][..], |last| &last.changes);
    let changes = changes.iter().filter_map(|id| catalog.changes.get(id));
    let mends: Vec<&String> = changes.flat_map(|change| &change.mends).collect();
    let enough = match last {
        Some(_) => "the plan meets all that is wanted without it",
        None => "all that is wanted is met without it",
    };
    let candidates = findings.iter_mut().filter(|finding| finding.remedy.is_some_and(Remedy::is_candidate));
    let left = candidates.filter(|f| !f.rules().any(|rule| mends.iter().any(|m| *m == rule)));
    left.for_each(|finding| finding.stays = Some(enough.to_owned()));
}

/// Today's system of a site, and what to change first.
pub fn today(site: &Site, catalog: &Catalog, calibration: &Calibration) -> Result<TodayAdvice, NoSystem> {
    towards(site, catalog, calibration, None)
}

/// The same on the way to what `advise` recommends: changes that lead there come first, and edges and proxies stand where it has them.
pub fn towards(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    advice: Option<&Advice>,
) -> Result<TodayAdvice, NoSystem> {
    let chosen = advice.and_then(|advice| advice.chosen.as_ref());
    let target = chosen.map(|chosen| &chosen.deployment);
    let system = system(site, catalog, calibration)?;
    let now = Made {
        deployment: system.deployment.clone(),
        load: system.load.clone(),
        upkeep: Upkeep { is_live: is_live(site), is_rebuilt: false },
    };
    let mut judge = Judge {
        site,
        catalog,
        calibration,
        system: &system,
        observed: stated_times(site, catalog, calibration),
        looks_beside: true,
    };
    let today = judge.state(&now, 1.0);
    judge.looks_beside = today.goals.iter().any(|goal| !goal.is_of_work);
    let peak = judge.predict(&now, today.factor.min(1.0)).ok();
    let shop = Shop {
        site,
        catalog,
        calibration,
        system: &system,
        target,
        peak: peak.as_ref(),
        looks_beside: judge.looks_beside,
    };
    let database = judge.database(&now);
    let search = Search { judge: &judge, shop, now: &now, today: &today, database };
    let (mut singles, mut useless) = alone(&search, catalog, today.factor);
    let horizon = at_horizon(site);
    let mut findings = findings(site, catalog, calibration, &system);
    let is_remedy = |effect: &Effect| !mended(site, catalog, effect).is_empty();
    search::first_by_worth(&mut singles, &today, horizon, is_remedy);
    useless.sort_by(order);
    let mut known: BTreeMap<Vec<String>, Option<Effect>> = BTreeMap::new();
    let pair = search.pair(&singles, &mut known);
    let plan = search.plan(&singles, horizon, &mut known);
    // The change that is named first is that of the plan, also where it took the place of a better single.
    if let Some(first) = plan.first() {
        singles.sort_by_key(|single| single.changes != first.changes);
    }
    let left = search.left(plan.last());
    let helps = search.helps(plan.last());
    let moves = search.moves_after(plan.last());
    let target = advice.and_then(|advice| Target::of(advice, moves));
    let only_together = only_together(&useless, &singles, &known, &today);
    let states = (&today, plan.last());
    tell(&mut findings, catalog, states, (&singles, pair.as_ref()), horizon);
    Ok(TodayAdvice {
        system,
        today,
        singles,
        useless,
        only_together,
        pair,
        plan,
        left,
        helps,
        findings,
        database,
        horizon,
        target,
    })
}

/// Today's peak so many times as large is that of the horizon, with the room that is to stay free.
fn at_horizon(site: &Site) -> f64 {
    let free = site.horizon.headroom.value.get();
    let growth = site.data.db_growth.value.over(site.horizon.time.value);
    growth / (1.0 - free).max(f64::EPSILON)
}

/// The signs that were seen behind which a rule finds what changes mend.
pub fn mended(site: &Site, catalog: &Catalog, effect: &Effect) -> Vec<String> {
    let changes = effect.changes.iter();
    let changes = changes.filter_map(|id| catalog.changes.get(id));
    let mends: Vec<&str> = changes.flat_map(|change| &change.mends).map(String::as_str).collect();
    let seen = site.today.signs.iter().flat_map(|signs| &signs.value);
    let mended = seen.filter(|sign| rules::of_sign(sign).any(|rule| mends.contains(&rule)));
    mended.cloned().collect()
}

/// What the rules find in the system that is there. Questions that decide are not looked for: they are those of the advice.
pub fn findings(site: &Site, catalog: &Catalog, calibration: &Calibration, system: &System) -> Vec<Finding> {
    let subject = lint::Subject {
        deployment: &system.deployment,
        load: &system.load,
        sizes: &system.sizes,
        stores: system.stores(site, catalog),
        is_there: true,
        unstated: Unstated::of(site, system),
    };
    lint::lint(site, catalog, calibration, subject)
}
