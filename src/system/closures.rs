//! Tables that are shut because who holds them waits for a later one.
//!
//! Commands take tables in one order and keep what they have while they wait. So while a table is shut for long, the
//! first command that waits for it shuts the earlier tables that it holds alone: with `db.have` shut by a sync,
//! the first submit shuts `db.counters`, which every command reads. Where it only reads an earlier table, that
//! is shut by the first who then wants to write it.
//!
//! The closure of a later table lasts m on average, and who shuts an earlier one comes at rate λ: of the wait for the
//! closure's end the part λm/(1 + λm) is left when he comes, closures being exponential.

use super::contests::Contests;

/// A table that shuts, and an earlier one that its closure spreads to.
struct Spread {
    earlier: usize,
    later: usize,
    /// Kinds that hold the earlier one while they wait for the later one, and whether alone.
    chains: Vec<(usize, bool)>,
}

/// All of them, the latest tables first.
pub(super) struct Closures(Vec<Spread>);

/// How long closures are waited for.
#[derive(Clone, Copy, Default)]
pub(super) struct Wait {
    /// On average, whether a table is shut or not \[s\].
    pub(super) mean: f64,
    /// How long a closure lasts \[s\].
    pub(super) shut_for: f64,
}

impl Closures {
    /// Those between contests of these ranks in the order of tables.
    pub(super) fn of(contests: &Contests<'_>, ranks: &[usize]) -> Self {
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

    /// The waits of each taker of a lock for closures that spread to it, where sections of a kind come at `rate`
    /// \[1/s\] and each taker waits so long for those of the lock itself.
    pub(super) fn spread(
        &self,
        contests: &Contests<'_>,
        rate: impl Fn(usize) -> f64,
        own: impl Fn(usize) -> Wait,
    ) -> Vec<Wait> {
        let mut waits = vec![Wait::default(); contests.takers.len()];
        for spread in &self.0 {
            let takers = contests.all[spread.later].takers.clone();
            let at = takers.map(|t| (rate(contests.takers[t].kind), longer(own(t), waits[t])));
            let closure = mean(at);
            if closure.mean <= 0.0 {
                continue;
            }
            let part = |rate: f64| rate * closure.shut_for / (1.0 + rate * closure.shut_for);
            let chained = |alone: bool| -> f64 {
                let chains = spread.chains.iter().filter(|(_, a)| *a == alone);
                chains.map(|(kind, _)| rate(*kind)).sum()
            };
            let takers = contests.all[spread.earlier].takers.clone();
            let writers = contests.takers[takers.clone()]
                .iter()
                .filter(|t| t.exclusive);
            let writers: f64 = writers.map(|t| rate(t.kind)).sum();
            let left = part(chained(true)).max(part(chained(false)) * part(writers));
            let wait = Wait {
                mean: left * closure.mean,
                shut_for: closure.shut_for,
            };
            for t in takers {
                // Who takes the later table himself waits for its closure there.
                let kind = contests.takers[t].kind;
                if !spread.chains.iter().any(|(chained, _)| *chained == kind) {
                    waits[t] = longer(waits[t], wait);
                }
            }
        }
        waits
    }
}

fn longer(a: Wait, b: Wait) -> Wait {
    if b.mean > a.mean { b } else { a }
}

/// Over customers who come at these rates; for as long as the longest closure.
fn mean(waits: impl Iterator<Item = (f64, Wait)>) -> Wait {
    let (mut sum, mut all, mut shut_for) = (0.0, 0.0, 0.0_f64);
    for (rate, wait) in waits {
        sum += rate * wait.mean;
        all += rate;
        if wait.mean > 0.0 {
            shut_for = shut_for.max(wait.shut_for);
        }
    }
    Wait {
        mean: if all > 0.0 { sum / all } else { 0.0 },
        shut_for,
    }
}
