//! An improvement is never told as harm: over generated sites, each change that only adds carries no fewer people and misses
//! no further target, and nothing becomes faster where a part is lost.
//!
//! A quarter of the sites here; all of them with `cargo test --release --test it improvement:: -- --ignored`.

use plimsoll::advisor::today::{Effect, TodayAdvice, today};
use plimsoll::advisor::{Left, observed, recovery};
use plimsoll::site::{self, Site};
use plimsoll::system::predict;

use crate::agreement::generated;
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

/// A line of what was found.
macro_rules! said {
    ($($words:tt)*) => { format!($($words)*) + "\n" };
}

/// Sites in all, and every how many-th is looked at with the other tests.
const ALL: u64 = 200;
const EVERY: usize = 8;

/// Changes that only add: the system that is there stays, and gets more of something, or takes a lock no longer.
const ADDS: [&str; 15] = [
    "build-syncs",
    "client-10g",
    "client-25g",
    "client-links",
    "cores-2x",
    "journal-drives",
    "memory-2x",
    "memory-4x",
    "nconnect",
    "nvme-db",
    "peeking",
    "processor",
    "proxies",
    "release",
    "tcp-window",
];
/// Loads are found to 1 % each.
const FOUND: f64 = 0.98;
/// What a lost part may make faster: the solution's own rounding.
const FASTER: f64 = 0.98;

fn site_of(seed: u64) -> Site {
    let text = generated::site(seed);
    let name = format!("generated-{seed}.toml");
    read(&name, &text)
}

fn read(name: &str, text: &str) -> Site {
    let site = site::parse(name, text, &[], &VOCABULARY);
    let site = site.unwrap_or_else(|error| panic!("{text}\n{}", error.render()));
    observed(&site, &VOCABULARY, &CATALOG, &CALIBRATION).unwrap_or(site)
}

/// What a change makes worse, in words; nothing where it makes nothing worse.
fn harm(before: &TodayAdvice, effect: &Effect) -> Option<String> {
    let [change] = effect.changes.as_slice() else {
        return None;
    };
    if !ADDS.contains(&change.as_str()) {
        return None;
    }
    let (today, after) = (&before.today, &effect.after);
    if after.factor < FOUND * today.factor {
        return Some(format!(
            "{change} carries {:.3} in place of {:.3}: {} in place of {}",
            after.factor, today.factor, after.limit, today.limit
        ));
    }
    let further = after.missed.len() > today.missed.len();
    (further && today.overload.is_none())
        .then(|| format!("{change} misses {:?}, before {:?}", after.missed, today.missed))
}

/// Of the 200 sites so many may have an exception whose mechanism the answer names: reads that no longer wait for locks take the
/// drives from a submit.
const EXCEPTIONS: usize = 2;

/// What today's system misses, that neither a step of the plan touches nor is said to be left: each, and each of which it is said
/// although a change alone touches it.
pub(crate) fn untouched(advice: &TodayAdvice) -> impl Iterator<Item = String> {
    let goals = advice.today.goals.iter();
    goals.filter_map(|goal| {
        let is_touched = advice.plan.last().is_some_and(|last| last.touches(goal));
        let is_left = advice.left.contains(goal);
        let mut all = advice.singles.iter().chain(&advice.useless);
        let change = all.find(|effect| effect.touches(goal));
        let why = match (is_touched, is_left, change) {
            (true, false, _) | (false, true, None) => return None,
            (_, _, change) => change.map(|effect| effect.changes.clone()),
        };
        Some(format!("{}: left {is_left}, {why:?}", goal.words))
    })
}

fn harms(seeds: impl Iterator<Item = u64>) -> String {
    let mut found = String::new();
    let mut named = Vec::new();
    for seed in seeds {
        let site = site_of(seed);
        let Ok(before) = today(&site, &CATALOG, &CALIBRATION) else {
            continue;
        };
        found.extend(untouched(&before).map(|goal| said!("{seed}: {goal}")));
        for effect in before.singles.iter().chain(&before.useless) {
            match harm(&before, effect) {
                Some(harm) if effect.slows.is_empty() => found += &said!("{seed}: {harm}"),
                Some(harm) => named.push(said!("{seed}: {harm}: {:?}", effect.slows)),
                None => {}
            }
        }
        if let (Some(pair), Some(first)) = (&before.pair, before.singles.first()) {
            let is_first = pair.changes.contains(&first.changes[0]);
            let is_step = before.plan.first().is_none_or(|step| step.changes == first.changes);
            let halves = before.singles.iter().filter(|s| pair.changes.contains(&s.changes[0]));
            let better = halves.map(|half| half.after.factor).fold(0.0, f64::max);
            if !is_first || !is_step || pair.after.factor < better {
                found += &said!("{seed}: first {first:?}, pair {pair:?}");
            }
        }
    }
    if named.len() > EXCEPTIONS {
        found += &named.concat();
    }
    found
}

#[test]
fn what_only_adds_does_no_harm() {
    let found = harms((0..ALL).step_by(EVERY));
    assert!(found.is_empty(), "{found}");
}

#[test]
#[ignore = "200 sites take minutes; every eighth of them is looked at above"]
fn what_only_adds_does_no_harm_on_any_site() {
    let found = harms(0..ALL);
    assert!(found.is_empty(), "{found}");
}

fn faster_for_a_loss(seeds: impl Iterator<Item = u64>) -> String {
    let mut found = String::new();
    for seed in seeds {
        let site = site_of(seed);
        let Ok(there) = plimsoll::advisor::today::system(&site, &CATALOG, &CALIBRATION) else {
            continue;
        };
        let (deployment, load) = (&there.deployment, &there.load);
        let Ok(whole) = predict(deployment, load, &CATALOG, &CALIBRATION) else {
            continue;
        };
        let lost = recovery(&site, &CATALOG, &CALIBRATION, deployment, load, &whole);
        for case in &lost.cases {
            let Left::Works { times, .. } = &case.left else {
                continue;
            };
            for time in times.iter().filter(|time| time.p95 < FASTER * time.whole) {
                found += &said!("{seed}: {:?} makes {} {} in place of {}", case.lost, time.name, time.p95, time.whole);
            }
        }
    }
    found
}

#[test]
fn nothing_becomes_faster_for_a_lost_part() {
    let found = faster_for_a_loss((0..ALL).step_by(EVERY));
    assert!(found.is_empty(), "{found}");
}

/// Cases whose improvements were told as harm.
#[test]
fn the_upgrade_and_the_proxy_help() {
    for (name, change) in [
        (
            "[people]\ndevelopers = 5000\n[workload]\ncommands_per_day = \"3518462 /day\"\n[server]\nrelease = \"2013.1\"\n\
             local_medium = \"ssd-sas\"\n",
            "release",
        ),
        (
            "[people]\ndevelopers = 200\n[data]\nfiles = 4_000_000\nworkspace_files = 800_000\n[workload]\n\
             automation_share = \"80 %\"\nconcurrent_syncs = 10\nconcurrent_sync_size = \"20 GB\"\n[server]\nram = \"64 GiB\"\n\
             cores = 12\nrelease = \"2012.2\"\nlocal_disks = 0\n[infrastructure]\nstorage = [\"fas3270\"]\nprotocols = [\"fc\"]\n",
            "proxies",
        ),
    ] {
        let text = format!("schema = 1\nname = \"Any\"\n{name}");
        let site = read("site.toml", &text);
        let before = today(&site, &CATALOG, &CALIBRATION).unwrap();
        let mut all = before.singles.iter().chain(&before.useless);
        let effect = all.find(|effect| effect.changes == [change]);
        let factor = effect.unwrap().after.factor;
        assert!(factor >= FOUND * before.today.factor, "{change}: {factor} {}", before.today.factor);
    }
}
