//! `docs/agreement.md`: how far the analytic answer is from the simulated one, as a table of errors.

use std::fmt::Write as _;

use super::cases::{Case, GENERATED, SHARES, Set};
use super::kept::Simulated;
use plimsoll::system::Prediction;
use plimsoll::system::own_error::{ELSEWHERE, OwnError};

/// One figure of one kind of work, by both.
pub(super) struct Compared {
    pub(super) case: String,
    pub(super) kind: String,
    pub(super) set: Set,
    pub(super) lockless: bool,
    pub(super) share: f64,
    pub(super) is_p95: bool,
    /// The factor within which it is to lie nine times in ten.
    pub(super) bound: f64,
    /// Analytic over simulated.
    pub(super) ratio: f64,
}

impl Compared {
    /// All figures of a case that the simulation knows.
    pub(super) fn all(case: &Case, solved: &Prediction, simulated: &Simulated) -> Vec<Self> {
        let mut all = Vec::new();
        for (name, kind) in &simulated.kinds {
            let Some(class) = crate::class(solved, name) else {
                continue;
            };
            let own = OwnError::of(class, case.lockless);
            let figures = [(false, class.mean.value, own.mean, kind.mean), (true, class.p95.value, own.p95, kind.p95)];
            for (is_p95, analytic, bound, figure) in figures {
                if let Some((value, _)) = figure {
                    all.push(Self {
                        case: case.name.clone(),
                        kind: name.clone(),
                        set: case.set,
                        lockless: case.lockless,
                        share: case.share,
                        is_p95,
                        bound,
                        ratio: analytic / value,
                    });
                }
            }
        }
        all
    }

    /// The factor by which the analytic figure is too long or too short.
    pub(super) fn factor(&self) -> f64 {
        self.ratio.max(1.0 / self.ratio)
    }

    /// Whether more than a little of the time is spent at table locks: its bound is clearly wider than that of any other time.
    pub(super) fn waits(&self) -> bool {
        const CLEARLY: f64 = 1.1;
        let least = if self.is_p95 { ELSEWHERE.p95 } else { ELSEWHERE.mean };
        self.bound > least * CLEARLY
    }

    /// Whether it lies within its bound.
    pub(super) fn holds(&self) -> bool {
        self.factor() <= self.bound
    }
}

/// A quantile of the factors by which these are off.
pub(super) fn quantile<'c>(compared: impl Iterator<Item = &'c Compared>, share: f64) -> f64 {
    let mut factors: Vec<f64> = compared.map(Compared::factor).collect();
    factors.sort_by(f64::total_cmp);
    let at = (share * factors.len() as f64) as usize;
    factors.get(at.min(factors.len().saturating_sub(1))).copied().unwrap_or(1.0)
}

/// What the page counts beside errors.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) cases: usize,
    pub(super) saturated: Vec<String>,
    pub(super) unsteady: Vec<String>,
    /// Of which there is no simulation.
    pub(super) missing: Vec<String>,
}

fn row(page: &mut String, head: &str, compared: &[&Compared]) {
    let within = |factor: f64| {
        let within = compared.iter().filter(|c| c.factor() <= factor).count();
        100.0 * within as f64 / compared.len().max(1) as f64
    };
    // Two digits: more are not known, and the last one differs between machines.
    let off = |share: f64| {
        let error = 100.0 * (quantile(compared.iter().copied(), share) - 1.0);
        plimsoll::units::significant(error, 2)
    };
    writeln!(
        page,
        "| {head} | {} | {} % | {} % | {:.0} % | {:.0} % |",
        compared.len(),
        off(0.5),
        off(0.9),
        within(1.25),
        within(1.5)
    )
    .unwrap();
}

/// The page.
pub(super) fn page(all: &[Compared], counts: &Counts) -> String {
    let mut page = format!(
        "# The analytic answer against the simulated one\n\n\
         Both take the same stations, costs and scripts; the simulator keeps p4d's locks exactly. The analytic answer is compared with it on the\n\
         example sites (three layouts each at {} % of the load that saturates them) and on {GENERATED} generated sites (`tests/it/agreement/generated.rs`:\n\
         releases from 2005 to today, peeking 0 to 3, flash and disks, 10 to 5,000 people, 0 to 60 large syncs, offices, edges), each on one layout at one of\n\
         these loads. Half of the generated sites serve to develop the model (\"working\"); the other half only judges it (\"unseen\").\n\
         Compared is each figure that the simulation estimates to within 10 %. An error of 10 % is a factor of 1.10, too long or too short.\n\n\
         One command makes each part:\n\n\
         - `UPDATE=1 cargo test --release --no-default-features --test it simulated_anew -- --ignored` simulates all cases (ten minutes on two cores);\n\
         - `UPDATE=1 cargo test --no-default-features --test it as_the_page_says` writes this page.\n\n\
         {} cases, of which {} saturate in the analytic answer and {} in the simulated one.\n\n",
        SHARES.map(|share| format!("{:.0}", share * 100.0)).join(", "),
        counts.cases,
        counts.saturated.len(),
        counts.unsteady.len(),
    );
    for (lockless, title) in [
        (true, "Reads without table locks (2013.3 and later, peeking 2 or 3)"),
        (false, "Reads that lock tables (before 2013.3, or peeking 0 or 1)"),
    ] {
        let head = "| figures | count | median error | 90th percentile | within 1.25 | within 1.5 |";
        write!(page, "## {title}\n\n{head}\n|---|---|---|---|---|---|\n").unwrap();
        for (is_p95, figure) in [(false, "mean"), (true, "95th percentile")] {
            let of = |pick: &dyn Fn(&Compared) -> bool| -> Vec<&Compared> {
                let own = all.iter().filter(|c| c.lockless == lockless && c.is_p95 == is_p95);
                own.filter(|c| pick(c)).collect()
            };
            row(&mut page, &format!("**{figure}, all**"), &of(&|_| true));
            for (waits, name) in [(false, "hardly at table locks"), (true, "also at table locks")] {
                let head = format!("{figure}, spent {name}");
                row(&mut page, &head, &of(&|c| c.waits() == waits));
            }
            for (set, name) in
                [(Set::Examples, "examples"), (Set::Working, "generated, working"), (Set::Unseen, "generated, unseen")]
            {
                row(&mut page, &format!("{figure}, {name}"), &of(&|c| c.set == set));
            }
            for share in SHARES {
                let head = format!("{figure}, {:.0} % of saturation", share * 100.0);
                row(&mut page, &head, &of(&|c| c.share == share));
            }
        }
        page.push('\n');
    }
    page.push_str(
        "## The largest errors\n\n| case | kind of work | figure | analytic over simulated |\n|---|---|---|---|\n",
    );
    let mut worst: Vec<&Compared> = all.iter().collect();
    worst.sort_by(|a, b| b.factor().total_cmp(&a.factor()));
    for compared in worst.iter().take(20) {
        let figure = if compared.is_p95 { "95th percentile" } else { "mean" };
        let Compared { case, kind, ratio, .. } = compared;
        let ratio = plimsoll::units::significant(*ratio, 2);
        writeln!(page, "| {case} | {kind} | {figure} | {ratio} |").unwrap();
    }
    page
}
