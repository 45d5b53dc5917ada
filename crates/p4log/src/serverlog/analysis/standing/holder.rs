//! Who holds up those who stand still: the command whose locks they need, and that came before them.
//!
//! Locks are handed out first come, first served: behind a command stand all later ones that need what it has, or what one
//! of those that stand behind it is queued for.

use std::collections::{BTreeMap, HashMap};

use super::{Behind, Evidence, Holder, Jam, LONG_S, Locked, Running, users};
use crate::serverlog::analysis::kinds;
use crate::serverlog::beside::Mode;
use crate::serverlog::record::Moment;

/// Fewest commands that stand still of which a jam is made where nobody says that they wait: assumed, as the shares that
/// follow, and judged on generated logs (`tests/jam.rs`).
const FEWEST: usize = 3;
/// Share of those that stand still whom a holder has to explain.
const EXPLAINS: f64 = 0.5;
/// One who explains less of what the likeliest does is not named beside it.
const NEARLY: f64 = 0.8;
/// Names that are given.
const NAMES: usize = 3;
/// Candidates that are tried, the oldest first, and commands that are looked at behind each.
const TRIED: usize = 200;
const LOOKED_AT: usize = 2000;

/// What a command needs or has, by its kind and by what is said of it.
struct Locks {
    exclusive: Vec<String>,
    shared: Vec<String>,
    /// Whether such a command may keep its locks for minutes.
    long: bool,
}

impl Locks {
    fn of(running: &Running) -> Self {
        let kind = kinds::locks(&running.function, &running.arguments);
        let own = |names: &[String]| -> Vec<String> {
            let names = names.iter();
            names
                .map(|name| match name.as_str() {
                    "clients/own" => format!("clients/{}", running.client),
                    "label/own" => format!("label/{}", running.arguments),
                    name => name.to_owned(),
                })
                .collect()
        };
        let mut locks = Self {
            exclusive: kind.map_or(Vec::new(), |kind| own(&kind.exclusive)),
            shared: kind.map_or(Vec::new(), |kind| own(&kind.shared)),
            long: kind.is_some_and(|kind| kind.long),
        };
        for lock in &running.has {
            let list = match lock.mode {
                Mode::Exclusive => &mut locks.exclusive,
                Mode::Shared => &mut locks.shared,
            };
            if !list.contains(&lock.name) {
                list.push(lock.name.clone());
            }
        }
        locks
    }

    /// The table or lock file over which another waits for the one who has these.
    fn keep_out<'l>(&'l self, other: &'l Self) -> Option<&'l str> {
        self.all_kept(other).next()
    }

    /// All of them.
    fn all_kept<'l>(&'l self, other: &'l Self) -> impl Iterator<Item = &'l str> {
        let exclusive = other.exclusive.iter();
        let needed = exclusive.clone().chain(&other.shared);
        common(&self.exclusive, needed).chain(common(&self.shared, exclusive))
    }
}

/// What is needed of some locks; "*" is every table.
fn common<'l>(of: &'l [String], needed: impl Iterator<Item = &'l String>) -> impl Iterator<Item = &'l str> {
    let is_table = |name: &str| !name.contains('/');
    let has_all = of.iter().any(|name| name == "*");
    needed.filter_map(move |needed| match needed.as_str() {
        "*" => of.iter().map(String::as_str).find(|name| is_table(name)),
        needed if has_all && is_table(needed) => Some(needed),
        needed => of.iter().map(String::as_str).find(|name| *name == needed),
    })
}

/// Who stands behind a candidate.
struct Queue<'a> {
    candidate: usize,
    evidence: Evidence,
    /// By their number: for whom each waits, and for what.
    behind: HashMap<usize, (usize, &'a str)>,
    /// How many of them stand still.
    stuck: usize,
}

/// The jam, if there is one; `all` by their beginning, and `confirmed` if an output beside the log says that they run.
pub(super) fn jam(
    all: &[Running],
    locked: &HashMap<String, Locked>,
    (peeks, confirmed): (bool, bool),
    last_end: Option<Moment>,
) -> Option<Jam> {
    let locks: Vec<Locks> = all.iter().take(LOOKED_AT).map(Locks::of).collect();
    let all = &all[..locks.len()];
    let says = all.iter().any(|one| one.waits.is_some());
    // Those who are said to wait stand still, whatever their age.
    let is_stuck = |one: &Running| one.waits.is_some() || (!says && one.is_overdue);
    let still = all.iter().filter(|one| is_stuck(one)).count();
    let mut queues: Vec<Queue<'_>> = Vec::new();
    for candidate in 0..all.len().min(TRIED) {
        let one = &all[candidate];
        let may_hold = locks[candidate].long || !one.has.is_empty() || (!peeks && !locks[candidate].shared.is_empty());
        if !may_hold || one.waits.is_some() {
            continue;
        }
        let queue = queue(all, &locks, candidate, &is_stuck);
        let others = still - usize::from(is_stuck(one));
        // What has no end in the log may have been lost; what is seen to run stands still, be it one.
        let fewest = if confirmed || queue.evidence == Evidence::Seen { 1 } else { FEWEST };
        let explains = queue.stuck >= fewest && queue.stuck as f64 >= EXPLAINS * others as f64;
        if explains && (queue.evidence == Evidence::Seen || is_kept(one, &queue, locked)) {
            queues.push(queue);
        }
    }
    // One who stands behind another that explains no less is no root.
    let is_root = |queue: &Queue<'_>| {
        !queues.iter().any(|other| {
            other.candidate != queue.candidate
                && other.behind.contains_key(&queue.candidate)
                && other.stuck + 1 >= queue.stuck
                && other.evidence <= queue.evidence
        })
    };
    let mut roots: Vec<&Queue<'_>> = queues.iter().filter(|queue| is_root(queue)).collect();
    roots.sort_by(|a, b| {
        a.evidence.cmp(&b.evidence).then_with(|| b.stuck.cmp(&a.stuck)).then_with(|| a.candidate.cmp(&b.candidate))
    });
    let Some(first) = roots.first() else {
        return nobody(all, &is_stuck, last_end);
    };
    let (evidence, most) = (first.evidence, first.stuck as f64);
    roots.retain(|queue| queue.evidence == evidence && queue.stuck as f64 >= NEARLY * most);
    roots.truncate(NAMES);
    let holders: Vec<Holder> = roots.iter().map(|queue| holder(all, &locks, queue, &is_stuck)).collect();
    let first = roots[0];
    let told = (0..all.len()).filter(|i| {
        let is_holder = roots.iter().any(|queue| queue.candidate == *i);
        !is_holder && (is_stuck(&all[*i]) || first.behind.contains_key(i))
    });
    let chain = told.map(|i| Behind {
        running: all[i].clone(),
        is_stuck: is_stuck(&all[i]),
        waits_for: first.behind.get(&i).map(|(before, lock)| (all[*before].pid, (*lock).to_owned())),
    });
    made(chain.collect(), holders)
}

/// A jam of these.
fn made(chain: Vec<Behind>, holders: Vec<Holder>) -> Option<Jam> {
    let stuck = || chain.iter().filter(|behind| behind.is_stuck);
    let since = stuck().map(|behind| behind.running.start).min()?;
    Some(Jam {
        stuck: stuck().count() as u64,
        users: users(stuck().map(|behind| &behind.running)),
        since,
        holders,
        chain,
    })
}

/// A jam that nobody explains: nothing has ended for a minute, and commands stand still that send no files, which would be a
/// reason to take long.
fn nobody(all: &[Running], is_stuck: &dyn Fn(&Running) -> bool, last_end: Option<Moment>) -> Option<Jam> {
    let still: Vec<&Running> = all.iter().filter(|one| is_stuck(one)).collect();
    let end = still.iter().map(|one| one.start.plus_seconds(one.age_s)).max()?;
    let quiet_s = last_end.map_or(f64::INFINITY, |last| end.seconds_since(last));
    let sends = |one: &&&Running| {
        let kind = kinds::kind(&one.function);
        ["sync", "submit", "transmit", "shelve"].iter().any(|id| kind == kinds::with_id(id))
    };
    let sending = still.iter().filter(sends).count();
    if still.len() < FEWEST || quiet_s < LONG_S || sending == still.len() {
        return None;
    }
    let chain = still.into_iter().map(|one| Behind { running: one.clone(), is_stuck: true, waits_for: None });
    made(chain.collect(), Vec::new())
}

/// Who stands behind a candidate: each later command that needs what it has, or what one behind it is queued for.
fn queue<'a>(all: &[Running], locks: &'a [Locks], candidate: usize, is_stuck: &dyn Fn(&Running) -> bool) -> Queue<'a> {
    let mut evidence = Evidence::Kind;
    let mut behind: HashMap<usize, (usize, &'a str)> = HashMap::new();
    let mut order: Vec<usize> = Vec::new();
    let root = &all[candidate];
    for later in (0..all.len()).filter(|later| *later != candidate) {
        let one = &all[later];
        if one.waits.is_none() && later < candidate {
            continue;
        }
        let said = one.waits.as_ref().and_then(|(lock, pid)| {
            let has = root.has.iter().any(|had| had.name == *lock);
            let is_root = pid.map_or(has, |pid| pid == root.pid);
            is_root.then_some(())?;
            let needs = &locks[later];
            let needed = needs.exclusive.iter().chain(&needs.shared);
            needed.into_iter().find(|needed| *needed == lock)
        });
        if let Some(lock) = said {
            evidence = Evidence::Seen;
            behind.insert(later, (candidate, lock));
            order.push(later);
            continue;
        }
        // Of what it keeps others from, what it is said to have comes before what its kind may have.
        let kept = || locks[candidate].all_kept(&locks[later]);
        let is_said = |lock: &&str| root.has.iter().any(|had| had.name == *lock);
        let direct = kept().find(is_said).or_else(|| kept().next());
        let found = direct.map(|lock| (candidate, lock)).or_else(|| {
            let mut queued = order.iter().filter(|before| is_stuck(&all[**before]));
            queued.find_map(|before| Some((*before, locks[*before].keep_out(&locks[later])?)))
        });
        if let Some((before, lock)) = found {
            let had = root.has.iter().find(|had| had.name == lock);
            if before == candidate
                && let Some(had) = had
            {
                evidence = evidence.min(had.evidence);
            }
            behind.insert(later, (before, lock));
            order.push(later);
        }
    }
    let stuck = behind.keys().filter(|i| is_stuck(&all[**i])).count();
    Queue { candidate, evidence, behind, stuck }
}

/// Whether nobody used for a minute what the candidate is to have: it may have got it only when the last of them let go.
fn is_kept(one: &Running, queue: &Queue<'_>, locked: &HashMap<String, Locked>) -> bool {
    let end = one.start.plus_seconds(one.age_s);
    let direct = queue.behind.values();
    let mut names = direct.filter(|(before, _)| *before == queue.candidate).map(|(_, name)| *name).collect::<Vec<_>>();
    names.sort_unstable();
    names.dedup();
    let has_all =
        kinds::locks(&one.function, &one.arguments).is_some_and(|kind| kind.exclusive.iter().any(|name| name == "*"));
    if stood_behind(one, end, locked) {
        return false;
    }
    let last = |name: &&str| {
        let locked = locked.get(*name).copied().unwrap_or_default();
        let shares = kinds::locks(&one.function, &one.arguments)
            .is_some_and(|kind| kind.shared.iter().any(|shared| shared == name));
        if shares && !has_all { locked.exclusive } else { locked.exclusive.max(locked.shared) }
    };
    // Of the tables that it is to have, the one that stood still for longest decides: it need not have all of them yet.
    let since = names.iter().map(last).min();
    since.is_none_or(|since| end.seconds_since(since.max(one.start)) >= LONG_S)
}

/// Whether one stood behind a command that had a table of its own for long and ended within the last minute: until then it had
/// not got what it is to have.
fn stood_behind(one: &Running, end: Moment, locked: &HashMap<String, Locked>) -> bool {
    let Some(kind) = kinds::locks(&one.function, &one.arguments) else {
        return false;
    };
    let mut tables = kind.exclusive.iter().chain(&kind.shared);
    tables.any(|name| {
        locked.get(name).is_some_and(|last| {
            last.begun < one.start
                && last.exclusive.seconds_since(one.start) >= LONG_S
                && end.seconds_since(last.exclusive) < LONG_S
        })
    })
}

fn holder(all: &[Running], locks: &[Locks], queue: &Queue<'_>, is_stuck: &dyn Fn(&Running) -> bool) -> Holder {
    let running = all[queue.candidate].clone();
    let kind = kinds::locks(&running.function, &running.arguments);
    let behind = || queue.behind.keys().filter(|i| is_stuck(&all[**i]));
    // Of what it is said to have all that others need, else for what each waits that is right behind it; what most wait for
    // comes first.
    let is_said = queue.evidence != Evidence::Kind;
    let has = |lock: &&str| is_said && running.has.iter().any(|had| had.name == *lock);
    let mut needed: BTreeMap<&str, u64> = BTreeMap::new();
    for i in behind() {
        let (before, lock) = queue.behind[i];
        let waits = (!is_said && before == queue.candidate).then_some(lock);
        let said = locks[queue.candidate].all_kept(&locks[*i]).filter(has);
        for lock in waits.into_iter().chain(said) {
            *needed.entry(lock).or_default() += 1;
        }
    }
    let mut needed: Vec<(&str, u64)> = needed.into_iter().collect();
    needed.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Holder {
        evidence: queue.evidence,
        locks: needed.into_iter().map(|(lock, _)| lock.to_owned()).collect(),
        behind: (behind().count() as u64, users(behind().map(|i| &all[*i]))),
        instead: kind.and_then(|kind| kind.instead.as_deref()),
        can_be_ended: kind.is_none_or(|kind| !kind.not_ended),
        running,
    }
}
