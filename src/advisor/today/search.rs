//! The search for changes: what each gives alone, the best two, and the best plan.

use std::collections::BTreeMap;

use crate::advisor::as_it_is::{Move, moves};
use crate::advisor::headroom::FACTOR_LEAST;
use crate::advisor::helps::{self, Help};
use crate::catalog::{Change, Database};
use crate::parallel;
use crate::system::Deployment;

use super::action::{Made, Shop};
use super::goal::Goal;
use super::state::{self, Judge, SHORTER, Slower, State, Time};

/// The most changes of a plan.
const PLAN_MOST: usize = 4;
/// A gain of people below this, as a ratio, is none: limits are known to 2 %.
pub(super) const GAIN: f64 = 1.03;
/// Fewer people are carried where this many times as many are still fewer: loads are found to 1 % each.
const LESS: f64 = 1.02;
/// The singles that pairs begin with.
const FIRST_OF_PAIR: usize = 3;
/// A target that is met again counts as if so many times the people were carried.
const FIXED_COUNTS: f64 = 2.0;
/// Shorter times count so much of the same ratio of people.
const TIMES_COUNT: f64 = 0.1;
/// A pair is worth its second change if it carries so many times the people of the better one.
const PAIR_GAIN: f64 = 1.05;

/// Changes that are made together, and what they give.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Ids of the changes, in the order in which they are made.
    pub changes: Vec<String>,
    /// What the system does after them.
    pub after: State,
    /// Names of the kinds of work whose target is met only after them, and of what else is.
    pub fixes: Vec<String>,
    /// Names of what today's system misses and they bring nearer without meeting it.
    pub eases: Vec<String>,
    /// Kinds of work that take clearly longer after them, those first that take most times as long.
    pub slows: Vec<Slower>,
    /// Whether they give anything: people, a target, or shorter times of work with a target; edges and proxies that the target does not
    /// have give what is more than shorter times.
    pub gives: bool,
    /// Whether they lead towards the layout that `advise` recommends.
    pub leads_there: bool,
    /// What they give for their cost and trouble: higher is earlier.
    pub score: f64,
    /// What they cost, from 0 to 5 each.
    pub cost: f64,
    /// How long p4d is down for them \[s\].
    pub down_time: f64,
}

impl Effect {
    /// Whether another carries no fewer people and meets all that it does for no more cost and down time, and is better by one of them.
    fn is_dominated_by(&self, other: &Self) -> bool {
        let people = |effect: &Self| effect.after.factor.max(FACTOR_LEAST);
        let price = |effect: &Self| [effect.cost, effect.down_time];
        let dearer = std::iter::zip(price(other), price(self)).any(|(other, own)| other > own);
        let meets_less = |one: &Self, other: &Self| {
            let mut fixes = other.fixes.iter();
            fixes.any(|fixed| !one.fixes.contains(fixed))
        };
        let fewer = people(other) < people(self) || meets_less(other, self);
        let is_alike =
            price(other) == price(self) && people(other).total_cmp(&people(self)).is_eq() && !meets_less(self, other);
        !dearer && !fewer && !is_alike
    }

    /// Whether something that today's system misses is met after them, or clearly nearer.
    pub fn touches(&self, goal: &Goal) -> bool {
        // What is overloaded meets no target.
        let is_known = !goal.is_of_work || self.after.overload.is_none();
        let nearer = goal.nearer(&self.after.goals);
        nearer >= SHORTER && (is_known || nearer.is_finite())
    }

    fn touches_any(&self, today: &State) -> bool {
        today.goals.iter().any(|goal| self.touches(goal))
    }

    /// People gained for each unit of cost, as a multiple of today's; of free changes those gained at all.
    fn gained(&self, today: &State) -> f64 {
        let people = (self.after.factor - today.factor).max(0.0);
        if self.cost > 0.0 { people / self.cost } else { people }
    }
}

/// Single changes in the order in which they are worth most: last what only shortens times, and before that what another outdoes; of
/// the rest the free ones are first, then those that gain most people for what they cost.
/// Before all of them come those that are a step to what is missed, or to what growth needs up to the horizon; and of these first the
/// remedies of what was seen on the server.
pub(super) fn first_by_worth(singles: &mut [Effect], today: &State, horizon: f64, is_remedy: impl Fn(&Effect) -> bool) {
    let outdone = singles.iter().map(|one| {
        let mut others = singles.iter();
        others.any(|other| one.is_dominated_by(other))
    });
    let outdone: Vec<Vec<String>> = std::iter::zip(singles.iter(), outdone)
        .filter(|(_, is_outdone)| *is_outdone)
        .map(|(one, _)| one.changes.clone())
        .collect();
    singles.sort_by(|a, b| {
        let carries_more = |one: &Effect| one.after.factor >= today.factor * GAIN;
        let rank = |one: &Effect| {
            let is_step = one.touches_any(today) || today.factor < horizon && carries_more(one);
            let only_shortens = !carries_more(one) && one.fixes.is_empty();
            let is_outdone = outdone.contains(&one.changes);
            let is_remedy = is_step && is_remedy(one);
            (!is_step, !is_remedy, only_shortens, is_outdone, one.cost > 0.0)
        };
        let by_people = b.gained(today).total_cmp(&a.gained(today));
        rank(a).cmp(&rank(b)).then(by_people).then_with(|| order(a, b))
    });
}

/// Of changes that give nothing alone, the best two with each that carry more than its partner alone, best first.
pub(super) fn only_together(
    useless: &[Effect],
    singles: &[Effect],
    known: &BTreeMap<Vec<String>, Option<Effect>>,
    today: &State,
) -> Vec<Effect> {
    let alone = |id: &String| {
        let single = singles.iter().find(|single| single.changes.first() == Some(id));
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

/// Best first; by id where two are alike.
pub(super) fn order(a: &Effect, b: &Effect) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then_with(|| a.changes.cmp(&b.changes))
}

/// The search for changes.
pub(super) struct Search<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) shop: Shop<'a>,
    pub(super) now: &'a Made,
    pub(super) today: &'a State,
    pub(super) database: Database,
}

impl<'a> Search<'a> {
    fn changes(&self) -> &'a BTreeMap<String, Change> {
        &self.shop.catalog.changes
    }

    /// The effects of several sets of changes, in their order; `None` where one cannot be made.
    pub(super) fn effects(&self, sets: &[Vec<&'a Change>], from: f64) -> Vec<Option<Effect>> {
        parallel::map(sets, |set| {
            let made = self.make(set)?;
            let after = self.judge.state(&made, from);
            let slows = self.slows(&made, &after);
            let left = |made: &Made| self.moves(&made.deployment).len();
            let leads_there = left(&made) < left(self.now);
            Some(Effect { slows, ..self.effect(set, after, leads_there) })
        })
    }

    /// The system after changes, in their order or, where a later one cannot follow, in the other.
    fn make(&self, set: &[&Change]) -> Option<Made> {
        let forward = set.iter().try_fold(self.now.clone(), |made, change| self.shop.make(change, &made));
        forward.or_else(|| {
            let mut back = set.iter().rev();
            back.try_fold(self.now.clone(), |made, change| self.shop.make(change, &made))
        })
    }

    /// The system after a plan: today's without one.
    fn made_by(&self, last: Option<&Effect>) -> Made {
        let changes = last.map_or(&[][..], |last| &last.changes);
        let set = changes.iter().filter_map(|id| self.changes().get(id));
        let made = self.make(&set.collect::<Vec<_>>());
        made.unwrap_or_else(|| self.now.clone())
    }

    /// What would meet the targets that are missed after a plan, or carry the peak, in sentences.
    pub(super) fn helps(&self, last: Option<&Effect>) -> Vec<String> {
        let Judge { site, catalog, calibration, .. } = self.judge;
        let made = self.made_by(last);
        match self.judge.predict(&made, 1.0) {
            Err(error) => {
                let more = helps::more_writes(catalog, &error).into_iter();
                more.map(|more| format!("{more}.")).collect()
            }
            Ok(found) => {
                let on_it = (&made.deployment, &made.load);
                let helps = helps::helps((site, catalog, calibration), on_it, &found);
                helps.iter().map(Help::sentence).collect()
            }
        }
    }

    /// What changes on the way from a deployment to the recommended one; nothing where none is.
    fn moves(&self, from: &Deployment) -> Vec<Move> {
        let target = self.shop.target;
        target.map_or_else(Vec::new, |to| moves(from, to))
    }

    /// What changes on the way to the recommended one after the last step of a plan, and whether the plan has replaced what that one
    /// keeps of today's: to go back is no step.
    pub(super) fn moves_after(&self, last: Option<&Effect>) -> (Vec<Move>, bool) {
        let made = self.made_by(last);
        let kind = std::mem::discriminant::<Move>;
        let now = self.moves(&self.now.deployment);
        let mut moves = self.moves(&made.deployment);
        let all = moves.len();
        moves.retain(|one| now.iter().any(|of_now| kind(of_now) == kind(one)));
        let goes_back = moves.len() < all;
        (moves, goes_back)
    }

    /// What takes longer after changes at today's peak, where both systems carry it; where fewer people are carried for it, at the
    /// smaller load that both do.
    fn slows(&self, made: &Made, after: &State) -> Vec<Slower> {
        let today = self.today;
        let mut slower = state::slower(&today.times, &after.times, 1.0);
        if slower.is_empty() && after.factor * LESS < today.factor {
            let at = |made: &Made| {
                let solved = self.judge.predict(made, after.factor);
                solved.map_or_else(|_| Vec::new(), |solved| self.judge.times(&solved))
            };
            slower = state::slower(&at(self.now), &at(made), after.factor);
        }
        slower
    }

    fn effect(&self, set: &[&Change], after: State, leads_there: bool) -> Effect {
        let today = self.today;
        let met = |time: &Time| {
            let now = today.times.iter().find(|now| now.work == time.work);
            // What saturates meets no target.
            time.target.is_some() && time.is_met() && now.is_none_or(|now| !now.is_met())
        };
        let mut fixes: Vec<String> =
            after.times.iter().filter(|time| met(time)).map(|time| time.name.clone()).collect();
        let beside = today.goals.iter().filter(|goal| !goal.is_of_work);
        let nearer = beside.map(|goal| (goal, goal.nearer(&after.goals)));
        let nearer = nearer.filter(|(_, times)| *times >= SHORTER);
        let (met, eased): (Vec<_>, Vec<_>) = nearer.partition(|(_, times)| times.is_infinite());
        let eases = eased.iter().map(|(_, times)| times.ln()).sum::<f64>();
        let name = |(goal, _): &(&Goal, f64)| goal.name.clone();
        fixes.extend(met.iter().map(name));
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
            (shorter >= SHORTER && (leads_there || !set.iter().any(|c| c.places_servers())))
                .then(|| TIMES_COUNT * shorter.ln()),
            (!eased.is_empty()).then_some(TIMES_COUNT * eases),
        ];
        let gain: f64 = gains.into_iter().flatten().sum();
        let cost: f64 = set.iter().map(|change| change.cost.value).sum();
        let trouble: f64 = set.iter().map(|change| change.trouble.value).sum();
        let down = |change: &&Change| change.down(&self.database).get();
        Effect {
            changes: set.iter().map(|change| change.entry.id.clone()).collect(),
            eases: eased.iter().map(name).collect(),
            after,
            fixes,
            slows: Vec::new(),
            gives: gain > 0.0,
            leads_there,
            score: gain / (1.0 + cost + trouble),
            cost,
            down_time: set.iter().map(down).sum(),
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
    pub(super) fn pair(&self, singles: &[Effect], known: &mut BTreeMap<Vec<String>, Option<Effect>>) -> Option<Effect> {
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
    /// or nothing helps. Nothing is bought for a server that a later step replaces: the server is replaced in its place.
    pub(super) fn plan(
        &self,
        singles: &[Effect],
        horizon: f64,
        known: &mut BTreeMap<Vec<String>, Option<Effect>>,
    ) -> Vec<Effect> {
        if self.today.is_enough(horizon) {
            return Vec::new();
        }
        let is_step = |one: &&Effect| one.touches_any(self.today) || self.today.factor < horizon;
        let first = singles.first().filter(is_step);
        let mut plan: Vec<Effect> = first.cloned().into_iter().collect();
        // Each server takes the place of others once: the search ends.
        let mut placed: Vec<String> = Vec::new();
        while plan.len() < PLAN_MOST {
            let Some(last) = plan.last() else { break };
            if last.after.is_enough(horizon) {
                break;
            }
            let sets = self.followed(&last.changes);
            let found = self.looked(known, &sets, last.after.factor);
            let better = |effect: &Effect, before: Option<&Effect>| {
                let factor = before.map_or(self.today.factor, |before| before.after.factor);
                let fixes = before.map_or(0, |before| before.fixes.len());
                let is_needed = factor < horizon;
                is_needed && effect.after.factor >= factor * GAIN || effect.fixes.len() > fixes
            };
            let next = found.into_iter().filter_map(|effect| {
                if !better(&effect, Some(last)) {
                    return None;
                }
                let Some(kept) = self.bought_in_vain(&effect) else {
                    return Some((effect, None));
                };
                let instead = self.at(known, &effect, kept)?;
                let before = kept.checked_sub(1).and_then(|i| plan.get(i));
                let is_new = !placed.iter().any(|id| effect.changes.last() == Some(id));
                let gains = is_new && better(&instead, before);
                gains.then_some((effect, Some((kept, instead))))
            });
            let next = next.min_by(|(a, _), (b, _)| {
                let rank = |effect: &Effect| {
                    let is_short = !effect.after.is_enough(horizon);
                    (is_short, !effect.leads_there)
                };
                rank(a).cmp(&rank(b)).then_with(|| order(a, b))
            });
            match next {
                Some((_, Some((kept, instead)))) => {
                    placed.extend(instead.changes.last().cloned());
                    plan.truncate(kept);
                    plan.push(instead);
                }
                Some((next, None)) => plan.push(next),
                None => break,
            }
        }
        self.with_all_goals(plan, singles, known)
    }

    /// What today's system misses and a plan brings no nearer.
    fn untouched(&self, last: Option<&Effect>) -> impl Iterator<Item = &'a Goal> {
        let is_touched = move |goal: &Goal| last.is_some_and(|last| last.touches(goal));
        self.today.goals.iter().filter(move |goal| !is_touched(goal))
    }

    /// A plan with the best step to each goal that it brings no nearer, where a change is one.
    fn with_all_goals(
        &self,
        mut plan: Vec<Effect>,
        singles: &[Effect],
        known: &mut BTreeMap<Vec<String>, Option<Effect>>,
    ) -> Vec<Effect> {
        let goals: Vec<&Goal> = self.untouched(plan.last()).collect();
        for goal in goals {
            let Some(last) = plan.last() else {
                plan.extend(singles.iter().find(|one| one.touches(goal)).cloned());
                continue;
            };
            if last.touches(goal) {
                continue;
            }
            // Most changes have nothing to do with it, which is seen in them alone.
            let alone = singles.iter().filter(|one| one.touches(goal));
            let alone: Vec<&String> = alone.flat_map(|one| &one.changes).collect();
            let mut sets = self.followed(&last.changes);
            sets.retain(|set| set.last().is_some_and(|new| alone.contains(&&new.entry.id)));
            let found = self.looked(known, &sets, last.after.factor).into_iter();
            let step = found.filter(|step| {
                let keeps = |goal: &&Goal| !last.touches(goal) || step.touches(goal);
                let carries = step.after.factor * LESS >= last.after.factor;
                let is_bought = self.bought_in_vain(step).is_none();
                step.touches(goal) && carries && is_bought && self.today.goals.iter().all(|g| keeps(&g))
            });
            plan.extend(step.min_by(order));
        }
        plan
    }

    /// What today's system misses and neither a plan nor a change alone brings nearer.
    pub(super) fn left(&self, last: Option<&Effect>) -> Vec<Goal> {
        self.untouched(last).cloned().collect()
    }

    /// Where the last step of a plan replaces the server: how many steps come before the first that bought for the old one.
    fn bought_in_vain(&self, plan: &Effect) -> Option<usize> {
        let (last, before) = plan.changes.split_last()?;
        let changes = self.changes();
        if !changes.get(last)?.replaces_server() {
            return None;
        }
        let stays = |id: &String| changes.get(id).is_some_and(Change::stays_with_server);
        before.iter().position(stays)
    }

    /// What holds where the last step of a plan is made right after so many of its first steps.
    fn at(&self, known: &mut BTreeMap<Vec<String>, Option<Effect>>, plan: &Effect, kept: usize) -> Option<Effect> {
        let ids = plan.changes.iter().take(kept).chain(plan.changes.last());
        let set = ids.filter_map(|id| self.changes().get(id)).collect();
        self.looked(known, &[set], self.today.factor).pop()
    }
}

/// The ids of a set of changes, in the order of ids.
fn key(set: &[&Change]) -> Vec<String> {
    let mut ids: Vec<String> = set.iter().map(|change| change.entry.id.clone()).collect();
    ids.sort();
    ids
}
