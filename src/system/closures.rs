//! Tables that are shut because who holds them waits for a later one.
//!
//! Commands take tables in one order and keep what they have while they wait. So while a table is shut for long, the
//! first command that waits for it shuts the earlier tables that it holds alone: with `db.have` shut by a large sync,
//! the first submit shuts `db.counters`, which every command reads. Where it only reads an earlier table, that
//! is shut by the first who then wants to write it.
//!
//! The closure of a later table lasts m on average, and who shuts an earlier one comes at rate λ: of the wait for the
//! closure's end the part λm/(1 + λm) is left when he comes, closures being exponential.

use super::contests::Contests;
use super::tables::LockOrder;

/// A table that shuts, and an earlier one that its closure spreads to.
struct Spread {
    earlier: usize,
    later: usize,
    /// Kinds that hold the earlier one while they wait for the later one, and whether alone.
    chains: Vec<(usize, bool)>,
}

/// All of them, the latest tables first.
pub(super) struct Closures(Vec<Spread>);

/// A lock whose closures spread, and what is known of it.
pub(super) struct Shut<'c> {
    /// Mean wait of each taker of a lock, and the part of it while the lock is shut for long \[s\].
    pub(super) takers: &'c mut [(f64, f64)],
    /// By contest: for how long it is shut then \[s\].
    pub(super) shut_for: &'c mut [f64],
}

impl Closures {
    pub(super) fn of(contests: &Contests<'_>, order: &LockOrder<'_>) -> Self {
        let mut ranks = vec![usize::MAX; contests.all.len()];
        for (table, _, contest) in &contests.locks {
            ranks[*contest] = ranks[*contest].min(order.rank(table));
        }
        let mut spreads: Vec<Spread> = Vec::new();
        for (k, kind) in contests.kinds.iter().enumerate() {
            let places = &contests.places[kind.places.clone()];
            for (earlier, taker) in places {
                for (later, _) in places.iter().filter(|(l, _)| ranks[*l] > ranks[*earlier]) {
                    let chain = (k, contests.takers[*taker].exclusive);
                    let mut known = spreads.iter_mut();
                    match known.find(|s| (s.earlier, s.later) == (*earlier, *later)) {
                        Some(spread) => spread.chains.push(chain),
                        None => spreads.push(Spread {
                            earlier: *earlier,
                            later: *later,
                            chains: vec![chain],
                        }),
                    }
                }
            }
        }
        spreads.sort_by_key(|s| std::cmp::Reverse((ranks[s.earlier], s.earlier, s.later)));
        Self(spreads)
    }

    /// Lets long closures spread, where sections of a kind come at `rate` \[1/s\].
    pub(super) fn spread(
        &self,
        contests: &Contests<'_>,
        rate: impl Fn(usize) -> f64,
        shut: &mut Shut<'_>,
    ) {
        for spread in &self.0 {
            let closed_for = shut.shut_for[spread.later];
            if closed_for <= 0.0 {
                continue;
            }
            let part = |rate: f64| rate * closed_for / (1.0 + rate * closed_for);
            let chained = |alone: bool| -> f64 {
                let chains = spread.chains.iter().filter(|(_, e)| *e == alone);
                chains.map(|(kind, _)| rate(*kind)).sum()
            };
            let takers = contests.all[spread.earlier].takers.clone();
            let writers = contests.takers[takers.clone()]
                .iter()
                .filter(|t| t.exclusive);
            let writers: f64 = writers.map(|t| rate(t.kind)).sum();
            let part = part(chained(true)).max(part(chained(false)) * part(writers));
            let wait = part * Self::wait(contests, &rate, shut, spread.later);
            if wait <= 0.0 {
                continue;
            }
            shut.shut_for[spread.earlier] = shut.shut_for[spread.earlier].max(closed_for);
            for t in takers {
                // Who takes the later table himself waits for its closure there.
                let kind = contests.takers[t].kind;
                if !spread.chains.iter().any(|(chained, _)| *chained == kind) {
                    let (mean, long) = &mut shut.takers[t];
                    let more = (wait - *long).max(0.0);
                    *mean += more;
                    *long += more;
                }
            }
        }
    }

    /// Mean wait for the end of a table's closures \[s\].
    fn wait(
        contests: &Contests<'_>,
        rate: &impl Fn(usize) -> f64,
        shut: &Shut<'_>,
        contest: usize,
    ) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for t in contests.all[contest].takers.clone() {
            let rate = rate(contests.takers[t].kind);
            sum += rate * shut.takers[t].1;
            all += rate;
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }
}
