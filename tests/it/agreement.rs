//! The analytic solver against the simulator, on the p4d model: example sites × layouts × loads.
//!
//! What was simulated is kept ([`kept`]); by it all that is solved is judged in each run, and `docs/agreement.md` says how well
//! the two agree (`UPDATE=1` renews the page). `what_is_not_kept_is_simulated_anew` makes what is kept.

mod cases;
mod kept;
mod page;
mod simulated;

use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use plimsoll::document::read_text;
use plimsoll::sim::Model;
use plimsoll::system::Prediction;

use cases::{CATALOG, Candidate, Case, LEVELS, site_with, sites};
use kept::Store;
use page::{Compared, Response, Responses, Summary, head};
use simulated::{
    EVENTS, EVENTS_ENOUGH, EVENTS_PRECISE, End, Simulated, TIMES, Wanted, simulated_until_known,
};

const PAGE: &str = "docs/agreement.md";

/// What `work` makes of each of so many, several threads at a time.
fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let claim = || {
        let claimed = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        for k in claimed.take_while(|k| *k < count) {
            let made = work(k);
            done.lock().unwrap().push((k, made));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(claim);
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, made)| made).collect()
}

/// All sites on all layouts that they can have, each with what `cases` makes of it.
fn of_all_candidates<T: Send>(cases: impl Fn(&Candidate) -> Vec<T> + Sync) -> Vec<T> {
    let sites = sites();
    let layouts = CATALOG.ids("layouts");
    let made = each(sites.len() * layouts.len(), |k| {
        let (name, site) = &sites[k / layouts.len()];
        Candidate::of(name, site, layouts[k % layouts.len()])
            .map_or_else(Vec::new, |candidate| cases(&candidate))
    });
    made.into_iter().flatten().collect()
}

/// The longest kind of work where there are large syncs, rounded up to a power of √2.
fn longest(analytic: &Prediction) -> Option<f64> {
    crate::class(analytic, "large sync")?;
    let means = analytic.classes.iter().map(|class| class.mean.value);
    let longest = means.fold(0.0, f64::max);
    Some(f64::exp2((2.0 * longest.log2()).ceil() / 2.0))
}

/// Simulates cases until what is wanted is known, and says of each what came of it. Several layouts of a site may be one
/// model, which is simulated once; `found` hears of its cases when it is.
fn simulate(cases: &[&Case], wanted: Wanted, found: impl Fn(&[&Case], &Simulated) + Sync) {
    let mut models: Vec<(&Model, Option<f64>, Vec<&Case>)> = Vec::new();
    for case in cases {
        match &case.solved {
            Err(_) => found(&[case], &Simulated::nothing(End::NotBegun, 0.0)),
            Ok((analytic, process)) => {
                let same = |(model, _, _): &&mut (&Model, _, _)| **model == process.model;
                match models.iter_mut().find(same) {
                    Some((_, _, cases)) => cases.push(case),
                    None => models.push((&process.model, longest(analytic), vec![case])),
                }
            }
        }
    }
    each(models.len(), |k| {
        let (model, longest, cases) = &models[k];
        found(cases, &simulated_until_known(model, *longest, wanted));
    });
}

/// How far from its share of saturation a load may be that was simulated.
const MOVED_LOAD: f64 = 0.03;

#[test]
#[ignore = "80 minutes, in release, where nothing is kept: what docs/agreement.md is made of"]
fn what_is_not_kept_is_simulated_anew() {
    let store = Store::read();
    let cases = of_all_candidates(|candidate| {
        let saturation = candidate.saturation();
        let case = |level: usize| {
            let wanted = LEVELS[level].0 * saturation;
            let times = store.times(candidate, level);
            let times = times.filter(|times| (times / wanted - 1.0).abs() <= MOVED_LOAD);
            candidate.at(level, times.unwrap_or(wanted))
        };
        (0..LEVELS.len()).map(case).collect()
    });
    let missing = cases.iter().filter(|case| store.of(case).is_none());
    let missing: Vec<&Case> = missing.collect();
    if std::env::var_os("UPDATE").is_none() {
        let (missing, all) = (missing.len(), cases.len());
        assert_eq!(
            missing, 0,
            "of {all} are not kept; run the test with UPDATE=1"
        );
        return;
    }
    let keep = |cases: &[&Case], found: &Simulated| store.keep(cases, found);
    simulate(&missing, Wanted::known(EVENTS_ENOUGH), keep);
    let goes_on = |case: &&Case| {
        let found = store.of(case).unwrap();
        found.events * f64::from(TIMES) <= EVENTS_PRECISE
            && Compared::of(case, &found).may_be_outside(LEVELS[case.level].1)
    };
    let outside: Vec<&Case> = cases.iter().filter(goes_on).collect();
    simulate(&outside, Wanted::precise(), keep);
}

#[test]
fn all_that_is_kept_agrees_as_the_page_says() {
    let store = Store::read();
    let compared = of_all_candidates(|candidate| {
        let compared = |level| {
            let case = candidate.at(level, store.times(candidate, level)?);
            let compared = Compared::of(&case, &store.of(&case)?);
            Some((case, compared))
        };
        (0..LEVELS.len()).map(compared).collect()
    });
    let mut summary = Summary::new();
    for compared in &compared {
        match compared {
            Some((case, compared)) => summary.add(case, compared),
            None => summary.add_one_without(),
        }
    }
    let page = summary.page();
    let path = Path::new(PAGE);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    assert!(
        read_text(path).unwrap() == page,
        "{PAGE} is not what the table says; run the test with UPDATE=1"
    );
}

#[test]
fn the_readme_says_how_many_comparisons_are_within_as_the_page_does() {
    let page = read_text(Path::new(PAGE)).unwrap();
    let readme = read_text(Path::new("README.md"))
        .unwrap()
        .replace('\n', " ");
    let rows = page[head().len()..].lines().take(LEVELS.len());
    let within: Vec<String> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            format!("{} of {} at {}", cells[4], cells[3], cells[1])
        })
        .collect();
    for said in &within {
        assert!(readme.contains(said), "the README does not say: {said}");
    }
}

/// Cases of a site that are simulated and judged here and now.
fn judged_now(site: &str, layouts: &[&'static str], levels: usize, events: f64) {
    let sites = sites();
    let (name, site) = sites.iter().find(|(name, _)| name == site).unwrap();
    let candidates = layouts
        .iter()
        .map(|layout| Candidate::of(name, site, layout).unwrap());
    let cases: Vec<Case> = candidates
        .flat_map(|candidate| {
            let saturation = candidate.saturation();
            let at = |level: usize| candidate.at(level, LEVELS[level].0 * saturation);
            (0..levels).map(at).collect::<Vec<_>>()
        })
        .collect();
    simulate(
        &cases.iter().collect::<Vec<_>>(),
        Wanted::known(events),
        |cases, found| {
            for case in cases {
                let (share, tolerance) = LEVELS[case.level];
                let compared = Compared::of(case, found);
                let Responses::Judged(judged) = &compared.responses else {
                    panic!("{} {share} is not judged", case.layout);
                };
                let known = judged.len();
                assert!(known >= 3, "{} {share}: {known}", case.layout);
                for response in judged {
                    assert!(
                        response.certain_error() <= tolerance,
                        "{} {share} {}: {} and {} ± {}",
                        case.layout,
                        response.class,
                        response.analytic,
                        response.simulated,
                        response.half_width
                    );
                }
            }
        },
    );
}

#[test]
fn both_agree_on_the_laboratory_of_2013() {
    // At 85 % rare long holds of locks need more events than every test run has time for.
    let layouts = ["n13-fc", "n13-nfs", "p17-fa-fb"];
    judged_now("netapp-lab-2013", &layouts, 2, EVENTS as f64);
}

/// Sun's site has large syncs that read their tables for ten minutes.
#[test]
fn both_agree_where_large_syncs_shut_tables_for_minutes() {
    judged_now("sun-partner-2009", &["n13-iscsi"], 1, EVENTS_ENOUGH);
}

/// Events that tell all kinds of work to 10 %, where nobody is stuck for minutes.
const ENOUGH_WITHOUT_PAUSES: f64 = 3e7;

/// Before 2013.3 a command keeps its tables while it waits for later ones: each two of them meet once, and who has one alone
/// comes to the later ones by himself. In all other comparisons large syncs make most of what is waited for.
#[test]
fn commands_of_several_tables_wait_for_each_other_once() {
    let name = "sun-partner-2009";
    let answers = ["workload.concurrent_syncs=0", "people.developers=1000"];
    let site = site_with(name, &answers);
    let case = Candidate::of(name, &site, "san-four-volumes")
        .unwrap()
        .at(0, 1.0);
    let found = simulated_until_known(
        &case.solved.as_ref().unwrap().1.model,
        None,
        Wanted::known(ENOUGH_WITHOUT_PAUSES),
    );
    let Responses::Judged(judged) = Compared::of(&case, &found).responses else {
        panic!("not judged");
    };
    let known: Vec<&str> = judged.iter().map(|response| &*response.class).collect();
    assert!(
        known.contains(&"edit") && known.contains(&"browse"),
        "{known:?}"
    );
    for Response {
        class,
        analytic,
        simulated,
        ..
    } in &judged
    {
        // Each was told up to 2.1 times as long where they met at every table.
        let most = match class.as_str() {
            "submit" | "edit" | "sync" => 1.35,
            "browse" => 1.5,
            _ => 2.0,
        };
        let ratio = analytic / simulated;
        assert!(
            (0.9..most).contains(&ratio),
            "{class}: {analytic} told, {simulated} simulated"
        );
    }
}
