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
pub mod system;
mod volumes;

use std::collections::BTreeMap;

use super::headroom::{self, FACTOR_LEAST};
use super::lint;
use super::load_limit::LoadLimit;
use super::rules::{self, Finding};
use super::safety::memory_short;
use super::targets::{Want, missed, tightest};
use super::unstated::Unstated;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Change};
use crate::parallel;
use crate::site::Site;
use crate::system::{Lens, PredictError, Prediction, Resource, ResourceKind, predict_through};
use crate::workload::Work;

use action::{Made, Shop};
pub use system::{NoSystem, System, Taken, system, words};
pub(super) use system::{as_answered, load};

/// The most changes of a plan.
const PLAN_MOST: usize = 4;
/// A gain of people below this, as a ratio, is none: limits are known to 2 %.
const GAIN: f64 = 1.03;
/// Fewer people are carried where this many times as many are still fewer: loads are found to 1 % each.
const LESS: f64 = 1.02;
/// A time that is not shorter or longer by this ratio is the same.
const SHORTER: f64 = 1.1;
/// A time that is longer is told where it is at least so large a part of what is wanted (assumed).
const NOTICED: f64 = 0.25;
/// The singles that pairs begin with.
const FIRST_OF_PAIR: usize = 3;
/// A target that is met again counts as if so many times the people were carried.
const FIXED_COUNTS: f64 = 2.0;
/// Shorter times count so much of the same ratio of people.
const TIMES_COUNT: f64 = 0.1;
/// A pair is worth its second change if it carries so many times the people of the better one.
const PAIR_GAIN: f64 = 1.05;

/// What a system does.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Largest multiple of today's peak load at which targets hold, nothing saturates and memory suffices.
    pub factor: f64,
    /// What limits it then.
    pub limit: LoadLimit,
    /// The busiest resource or lock at that multiple; none where nothing is solved there.
    pub busiest: Option<(Resource, f64)>,
    /// Targets that today's peak misses, in words; of a peak that saturates why it does.
    pub missed: Vec<String>,
    /// Why today's peak cannot be kept up with; `None` where it can.
    pub overload: Option<PredictError>,
    /// 95th percentiles at today's peak \[s\], of the kinds of work that a person waits for; empty where it saturates.
    pub times: Vec<Time>,
}

/// The time of one kind of work at today's peak.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// Which it is.
    pub work: Work,
    /// As printed.
    pub name: String,
    /// 95th percentile \[s\].
    pub p95: f64,
    /// Where the time of one of them goes, on average \[s\].
    pub parts: Vec<(ResourceKind, f64)>,
    /// What the site wants of it.
    pub target: Option<Want>,
}

impl Time {
    fn is_met(&self) -> bool {
        self.target.as_ref().is_none_or(Want::is_met)
    }
}

/// A kind of work that takes longer after a change, such as a submit whose drives are taken by reads that no longer wait for locks.
#[derive(Debug, Clone, PartialEq)]
pub struct Slower {
    /// Which it is, as printed.
    pub name: String,
    /// Multiple of today's peak load at which both are.
    pub factor: f64,
    /// 95th percentile before and after \[s\].
    pub p95: [f64; 2],
    /// Where most of the longer time goes.
    pub kind: ResourceKind,
}

impl Time {
    /// What is slower after a change, at a multiple of today's peak load, where it is by [`SHORTER`].
    fn slower(&self, after: &Self, factor: f64) -> Option<Slower> {
        let of = |time: &Self, kind| {
            let mut parts = time.parts.iter();
            parts.find(|(of, _)| *of == kind).map_or(0.0, |(_, s)| *s)
        };
        let longer = after.parts.iter();
        let longer = longer.map(|(kind, s)| (*kind, s - of(self, *kind)));
        let (kind, _) = longer.max_by(|a, b| a.1.total_cmp(&b.1))?;
        // Far below what is wanted of it nobody notices.
        let limit = after.target.as_ref().map_or(0.0, |want| want.limit);
        (after.p95 >= (SHORTER * self.p95).max(NOTICED * limit)).then(|| Slower {
            name: after.name.clone(),
            factor,
            p95: [self.p95, after.p95],
            kind,
        })
    }
}

/// What takes longer at a multiple of today's peak load, those first that take most times as long.
fn slower(before: &[Time], after: &[Time], factor: f64) -> Vec<Slower> {
    let slower = after.iter().filter_map(|after| {
        let mut all = before.iter();
        let before = all.find(|time| time.work == after.work)?;
        before.slower(after, factor)
    });
    let mut slower: Vec<Slower> = slower.collect();
    let times = |slower: &Slower| slower.p95[1] / slower.p95[0];
    slower.sort_by(|a, b| times(b).total_cmp(&times(a)));
    slower
}

/// Changes that are made together, and what they give.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Ids of the changes, in the order in which they are made.
    pub changes: Vec<String>,
    /// What the system does after them.
    pub after: State,
    /// Names of the kinds of work whose target is met only after them.
    pub fixes: Vec<String>,
    /// Kinds of work that take clearly longer after them, those first that take most times as long.
    pub slows: Vec<Slower>,
    /// Whether they give anything: people, a target, or shorter times of work with a target.
    pub gives: bool,
    /// What they give for their cost and trouble: higher is earlier.
    pub score: f64,
}

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
    /// What the rules find in it, gravest first.
    pub findings: Vec<Finding>,
    /// Multiple of today's load at the horizon, with the share of capacity that is to be free then.
    pub horizon: f64,
}

impl TodayAdvice {
    /// Whether today's system misses what the site wants.
    pub fn falls_short(&self) -> bool {
        !self.today.missed.is_empty()
    }

    /// Whether the plan meets all targets up to the horizon.
    pub fn is_plan_enough(&self) -> bool {
        self.plan
            .last()
            .map_or(&self.today, |last| &last.after)
            .is_enough(self.horizon)
    }
}

impl State {
    fn is_enough(&self, horizon: f64) -> bool {
        self.missed.is_empty() && self.factor >= horizon
    }
}

/// Today's system of a site, and what to change first.
pub fn today(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<TodayAdvice, NoSystem> {
    let system = system(site, catalog, calibration)?;
    let now = Made {
        deployment: system.deployment.clone(),
        load: system.load.clone(),
    };
    let judge = Judge {
        site,
        catalog,
        calibration,
    };
    let today = judge.state(&now, 1.0);
    let shop = Shop {
        site,
        catalog,
        system: &system,
    };
    let search = Search {
        judge: &judge,
        shop,
        now: &now,
        today: &today,
    };
    let alone: Vec<Vec<&Change>> = catalog
        .changes
        .values()
        .map(|change| vec![change])
        .collect();
    let (mut singles, mut useless): (Vec<Effect>, Vec<Effect>) = search
        .effects(&alone, today.factor)
        .into_iter()
        .flatten()
        .partition(|effect| effect.gives);
    let free = site.horizon.headroom.value.get();
    let growth = site.data.db_growth.value.over(site.horizon.time.value);
    let horizon = growth / (1.0 - free).max(f64::EPSILON);
    // One change that is enough is better than two.
    let is_short = |effect: &Effect| !effect.after.is_enough(horizon);
    singles.sort_by(|a, b| is_short(a).cmp(&is_short(b)).then_with(|| order(a, b)));
    useless.sort_by(order);
    let mut known: BTreeMap<Vec<String>, Option<Effect>> = BTreeMap::new();
    let pair = search.pair(&singles, &mut known);
    let plan = search.plan(&singles, horizon, &mut known);
    let only_together = only_together(&useless, &singles, &known, &today);
    let mut findings = findings(site, catalog, calibration, &system);
    if !today.is_enough(horizon) {
        // What a change mends that gives something comes before what stays as slow after its remedy.
        let giving = singles
            .iter()
            .chain(&pair)
            .filter(|e| e.after.factor >= today.factor * GAIN || !e.fixes.is_empty());
        let changes: Vec<&Change> = giving
            .flat_map(|e| &e.changes)
            .filter_map(|id| catalog.changes.get(id))
            .collect();
        let mends = |rule: &str| {
            changes
                .iter()
                .any(|change| change.mends.iter().any(|r| r == rule))
        };
        rules::sort(&mut findings, |f| {
            mends(f.rule) || f.also.iter().any(|rule| mends(rule))
        });
    }
    Ok(TodayAdvice {
        system,
        today,
        singles,
        useless,
        only_together,
        pair,
        plan,
        findings,
        horizon,
    })
}

/// Of changes that give nothing alone, the best two with each that carry more than its partner alone, best first.
fn only_together(
    useless: &[Effect],
    singles: &[Effect],
    known: &BTreeMap<Vec<String>, Option<Effect>>,
    today: &State,
) -> Vec<Effect> {
    let alone = |id: &String| {
        let single = singles
            .iter()
            .find(|single| single.changes.first() == Some(id));
        single.map_or(today.factor, |single| single.after.factor)
    };
    let best = |effect: &Effect| {
        let id = effect.changes.first()?;
        let pairs = known.values().flatten();
        let pairs = pairs.filter(|pair| pair.changes.len() == 2 && pair.changes.contains(id));
        let worth = pairs.filter(|pair| {
            let partner = pair.changes.iter().filter(|other| *other != id);
            pair.after.factor >= PAIR_GAIN * partner.map(alone).fold(0.0, f64::max)
        });
        let mut pair = worth.min_by(|a, b| order(a, b))?.clone();
        // It is the last, as in a plan.
        pair.changes.sort_by_key(|other| other == id);
        Some(pair)
    };
    let mut found: Vec<Effect> = useless.iter().filter_map(best).collect();
    found.sort_by(order);
    found
}

/// What the rules find in the system that is there. Questions that decide are not looked for: they are those of the advice.
pub fn findings(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    system: &System,
) -> Vec<Finding> {
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

/// How many times today's load the system that is there carries; none where no answer states what is there, where
/// model and answers disagree about it, or where today's peak is too much for it.
pub(super) fn carried_by_stated(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<f64> {
    let is_stated = site.infrastructure.current_layout.is_some() || !site.today.volumes.is_empty();
    if !is_stated || site.observed.disagrees {
        return None;
    }
    let there = system(site, catalog, calibration).ok()?;
    let System {
        deployment, load, ..
    } = &there;
    let (factor, _) = headroom::carried(site, catalog, calibration, deployment, load, 1.0);
    (factor >= 1.0).then_some(factor)
}

/// Best first; by id where two are alike.
fn order(a: &Effect, b: &Effect) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| a.changes.cmp(&b.changes))
}

/// What is wanted of a system, the same before and after a change.
struct Judge<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    calibration: &'a Calibration,
}

impl Judge<'_> {
    fn predict(&self, made: &Made, factor: f64) -> Result<Prediction, PredictError> {
        let load = made.load.scaled(factor);
        let lens = Lens::forgetful();
        predict_through(
            lens,
            &made.deployment,
            &load,
            self.catalog,
            self.calibration,
        )
    }

    /// What a system does; it is supposed to carry `from` times today's load.
    fn state(&self, made: &Made, from: f64) -> State {
        let Made { deployment, load } = made;
        let (catalog, calibration) = (self.catalog, self.calibration);
        let peak = self.predict(made, 1.0);
        let (factor, limit) =
            headroom::carried(self.site, catalog, calibration, deployment, load, from);
        let busiest = self.predict(made, factor).ok().map(|p| p.bottleneck());
        let short = memory_short(calibration, deployment, load);
        let (missed, times) = match &peak {
            Ok(prediction) => {
                let mut missed = missed(self.site, prediction);
                missed.splice(0..0, short.map(|short| short.to_string()));
                (missed, self.times(prediction))
            }
            Err(error) => (vec![error.to_string()], Vec::new()),
        };
        State {
            factor,
            limit,
            busiest,
            missed,
            overload: peak.err(),
            times,
        }
    }

    fn times(&self, prediction: &Prediction) -> Vec<Time> {
        let classes = prediction.classes.iter();
        let judged = classes.filter(|class| class.work.target().is_some());
        let time = judged.map(|class| Time {
            work: class.work.clone(),
            name: class.name.clone(),
            p95: class.p95.value,
            parts: class.parts.clone(),
            target: tightest(self.site, class),
        });
        time.collect()
    }
}

/// The search for changes.
struct Search<'a> {
    judge: &'a Judge<'a>,
    shop: Shop<'a>,
    now: &'a Made,
    today: &'a State,
}

impl<'a> Search<'a> {
    fn changes(&self) -> &'a BTreeMap<String, Change> {
        &self.shop.catalog.changes
    }

    /// The effects of several sets of changes, in their order; `None` where one cannot be made.
    fn effects(&self, sets: &[Vec<&'a Change>], from: f64) -> Vec<Option<Effect>> {
        parallel::map(sets, |set| {
            let made = self.make(set)?;
            let after = self.judge.state(&made, from);
            let slows = self.slows(&made, &after);
            Some(Effect {
                slows,
                ..self.effect(set, after)
            })
        })
    }

    /// The system after changes, in their order or, where a later one cannot follow, in the other.
    fn make(&self, set: &[&Change]) -> Option<Made> {
        let forward = set.iter().try_fold(self.now.clone(), |made, change| {
            self.shop.make(change, &made)
        });
        forward.or_else(|| {
            let mut back = set.iter().rev();
            back.try_fold(self.now.clone(), |made, change| {
                self.shop.make(change, &made)
            })
        })
    }

    /// What takes longer after changes at today's peak, where both systems carry it; where fewer people are carried for it, at the
    /// smaller load that both do.
    fn slows(&self, made: &Made, after: &State) -> Vec<Slower> {
        let today = self.today;
        let mut slower = slower(&today.times, &after.times, 1.0);
        if slower.is_empty() && after.factor * LESS < today.factor {
            let at = |made: &Made| {
                let solved = self.judge.predict(made, after.factor);
                solved.map_or_else(|_| Vec::new(), |solved| self.judge.times(&solved))
            };
            slower = self::slower(&at(self.now), &at(made), after.factor);
        }
        slower
    }

    fn effect(&self, set: &[&Change], after: State) -> Effect {
        let today = self.today;
        let met = |time: &Time| {
            let now = today.times.iter().find(|now| now.work == time.work);
            // What saturates meets no target.
            time.target.is_some() && time.is_met() && now.is_none_or(|now| !now.is_met())
        };
        let fixes: Vec<String> = after
            .times
            .iter()
            .filter(|time| met(time))
            .map(|time| time.name.clone())
            .collect();
        let people = after.factor / today.factor;
        let shorter = after.times.iter().filter_map(|time| {
            let now = today.times.iter().find(|now| now.work == time.work)?;
            time.target.as_ref()?;
            Some(now.p95 / time.p95)
        });
        let shorter = shorter.fold(1.0, f64::max);
        let gains = [
            // Where no load is small enough, before and after are no numbers of people.
            (people >= GAIN && after.factor > FACTOR_LEAST).then(|| people.ln()),
            (!fixes.is_empty()).then(|| FIXED_COUNTS.ln() * fixes.len() as f64),
            (shorter >= SHORTER).then(|| TIMES_COUNT * shorter.ln()),
        ];
        let gain: f64 = gains.into_iter().flatten().sum();
        let price: f64 = set.iter().map(|c| c.cost.value + c.trouble.value).sum();
        Effect {
            changes: set.iter().map(|change| change.entry.id.clone()).collect(),
            after,
            fixes,
            slows: Vec::new(),
            gives: gain > 0.0,
            score: gain / (1.0 + price),
        }
    }

    /// Whether a change is a part of one of the others, or has one of them as a part.
    fn overlaps(&self, change: &Change, others: &[String]) -> bool {
        let changes = self.changes();
        others.iter().any(|id| {
            let includes = |whole: &Change, part: &str| whole.includes.iter().any(|p| p == part);
            let other = changes.get(id);
            *id == change.entry.id
                || includes(change, id)
                || other.is_some_and(|other| includes(other, &change.entry.id))
        })
    }

    /// Sets of changes: those that are made, and each that can follow.
    fn followed(&self, made: &[String]) -> Vec<Vec<&'a Change>> {
        let changes = self.changes();
        let first: Vec<&Change> = made.iter().filter_map(|id| changes.get(id)).collect();
        let next = changes.values().filter(|next| !self.overlaps(next, made));
        let sets = next.map(|next| first.iter().copied().chain([next]).collect());
        sets.collect()
    }

    /// The effects of sets that can be made, each solved once.
    fn looked(
        &self,
        known: &mut BTreeMap<Vec<String>, Option<Effect>>,
        sets: &[Vec<&'a Change>],
        from: f64,
    ) -> Vec<Effect> {
        let new = sets.iter().filter(|set| !known.contains_key(&key(set)));
        let new: Vec<Vec<&Change>> = new.cloned().collect();
        for (set, effect) in new.iter().zip(self.effects(&new, from)) {
            known.insert(key(set), effect);
        }
        let found = sets.iter().filter_map(|set| {
            let effect = known.get(&key(set))?.clone()?;
            // As they are asked for: the last is new.
            let changes = set.iter().map(|change| change.entry.id.clone()).collect();
            Some(Effect { changes, ..effect })
        });
        found.collect()
    }

    /// The best two: the first single with any other change, which alone may give nothing; the two carry more than either.
    fn pair(
        &self,
        singles: &[Effect],
        known: &mut BTreeMap<Vec<String>, Option<Effect>>,
    ) -> Option<Effect> {
        let by_people = |a: &&Effect, b: &&Effect| b.after.factor.total_cmp(&a.after.factor);
        let mut most: Vec<&Effect> = singles.iter().collect();
        most.sort_by(by_people);
        let several = singles.iter().take(FIRST_OF_PAIR);
        let mut firsts: Vec<&Effect> = Vec::new();
        for single in several.chain(most.into_iter().take(1)) {
            if !firsts.contains(&single) {
                firsts.push(single);
            }
        }
        for single in firsts {
            self.looked(known, &self.followed(&single.changes), single.after.factor);
        }
        let first = &singles.first()?.changes[0];
        let alone = |id: &String| {
            let mut all = singles.iter();
            let single = all.find(|single| single.changes.first() == Some(id));
            single.map_or(self.today.factor, |single| single.after.factor)
        };
        let pairs = known.values().flatten();
        let worth = pairs.filter(|effect| {
            let better = effect.changes.iter().map(alone).fold(0.0, f64::max);
            effect.changes.contains(first) && effect.after.factor >= better * PAIR_GAIN
        });
        worth.cloned().min_by(order)
    }

    /// One change after the other, the first single and then each the best that can follow, until targets hold to the horizon
    /// or nothing helps.
    fn plan(
        &self,
        singles: &[Effect],
        horizon: f64,
        known: &mut BTreeMap<Vec<String>, Option<Effect>>,
    ) -> Vec<Effect> {
        let mut plan: Vec<Effect> = Vec::new();
        if self.today.is_enough(horizon) {
            return plan;
        }
        plan.extend(singles.first().cloned());
        while plan.len() < PLAN_MOST {
            let Some(last) = plan.last() else { break };
            if last.after.is_enough(horizon) {
                break;
            }
            let sets = self.followed(&last.changes);
            let found = self.looked(known, &sets, last.after.factor);
            let better = |effect: &Effect| {
                effect.after.factor >= last.after.factor * GAIN
                    || effect.fixes.len() > last.fixes.len()
            };
            let next = found.into_iter().filter(better);
            let Some(next) = next.min_by(|a, b| {
                let is_short = |effect: &Effect| !effect.after.is_enough(horizon);
                is_short(a).cmp(&is_short(b)).then_with(|| order(a, b))
            }) else {
                break;
            };
            plan.push(next);
        }
        plan
    }
}

/// The ids of a set of changes, in the order of ids.
fn key(set: &[&Change]) -> Vec<String> {
    let mut ids: Vec<String> = set.iter().map(|change| change.entry.id.clone()).collect();
    ids.sort();
    ids
}
