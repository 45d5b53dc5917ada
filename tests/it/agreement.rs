//! The analytic answer against the simulated one: a table of errors, with bounds on it.
//!
//! What was simulated is kept ([`kept`]); by it all that is solved is judged in each run, and `docs/agreement.md` has the
//! table (`UPDATE=1` renews it).

mod cases;
pub(crate) mod generated;
mod kept;
mod page;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use kept::Kept;
use page::{Compared, Counts, page};

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

#[test]
#[ignore = "ten minutes, in release: what docs/agreement.md compares with"]
fn all_cases_are_simulated_anew() {
    let known = Kept::read();
    let found = each(cases::sites(), |site| {
        let cases = cases::of_site(site, &known, false);
        let solved = cases.into_iter().filter(|case| case.solve().is_ok());
        let simulated = solved.map(|case| {
            let model = case.process().model;
            // What was simulated of the same model is kept.
            let found = known.of(&case.name, &model).cloned();
            let found = found.unwrap_or_else(|| kept::simulate(&model, case.saturation));
            (case.name, found)
        });
        simulated.collect::<Vec<_>>()
    });
    let found: BTreeMap<String, kept::Simulated> = found.into_iter().flatten().collect();
    let mut kept = Kept::read();
    kept.replace(found);
    if std::env::var_os("UPDATE").is_some() {
        kept.write();
    }
}

/// The errors of all cases.
fn compared() -> (Vec<Compared>, Counts) {
    let kept = Kept::read();
    let of_sites = each(cases::sites(), |site| {
        let cases = cases::of_site(site, &kept, true).into_iter();
        let compared = cases.map(|case| match case.solve() {
            Err(error) => (case.name, Err(error.to_string())),
            Ok(solved) => {
                let model = case.process().model;
                let compared = kept.of(&case.name, &model).map(|simulated| {
                    let compared = Compared::all(&case, &solved, simulated);
                    (simulated.steady, compared)
                });
                (case.name, Ok(compared))
            }
        });
        compared.collect::<Vec<_>>()
    });
    let (mut all, mut counts) = (Vec::new(), Counts::default());
    for (case, compared) in of_sites.into_iter().flatten() {
        counts.cases += 1;
        match compared {
            Err(_) => counts.saturated.push(case),
            Ok(None) => counts.missing.push(case),
            Ok(Some((false, _))) => counts.unsteady.push(case),
            Ok(Some((true, compared))) => all.extend(compared),
        }
    }
    (all, counts)
}

/// Cases of which there may be no simulation: those that saturated when the others were simulated.
const MISSING_MOST: usize = 3;

#[test]
fn errors_are_bounded_and_as_the_page_says() {
    let (all, counts) = compared();
    let missing = &counts.missing;
    assert!(missing.len() <= MISSING_MOST, "{missing:?} were not simulated, or with other numbers; see {PAGE}");
    let page = page(&all, &counts);
    crate::kept::page(PAGE, &page);
    for lockless in [true, false] {
        for (is_p95, waits) in [(false, false), (false, true), (true, false), (true, true)] {
            let own = all.iter();
            let own = own.filter(|c| c.lockless == lockless && c.is_p95 == is_p95);
            let own = own.filter(|c| c.waits() == waits);
            let (count, within) = (own.clone().count(), own.filter(|c| c.holds()).count());
            let group = format!("lockless {lockless}, p95 {is_p95}, waits {waits}: {within} of {count}");
            assert!(count > 20, "{group}: too few are compared");
            assert!(within as f64 >= 0.9 * count as f64, "{group}");
        }
    }
}
