//! Long holds, whether others waited for them or not, and waits without a holder.

use std::collections::BTreeMap;

use super::{Hold, LEAST_S, Party, Unexplained};
use crate::serverlog::analysis::tables::class;
use crate::serverlog::record::Moment;

/// A hold from here on is long \[s\].
const LONG_S: f64 = 1.0;
/// Share of a wait from which on it is not explained.
const LEFT: f64 = 0.1;

/// A user, a function, a lock by its class, and whether it was exclusive.
type Kind<'a> = (&'a str, &'a str, &'a str, bool);

/// The longest holds, one a user's function and lock.
pub(super) fn holds(parties: &[Party], most: usize) -> Vec<Hold> {
    let mut found: BTreeMap<Kind<'_>, Vec<(usize, f64, &str)>> = BTreeMap::new();
    for (i, party) in parties.iter().enumerate() {
        // One command holds many tables for as long: the one that it held longest stands for them, and of two the lock file.
        let longest = party.uses.iter().max_by(|a, b| {
            let exclusive = a.write_held_s.total_cmp(&b.write_held_s);
            exclusive.then_with(|| a.read_held_s.total_cmp(&b.read_held_s))
        });
        let Some(longest) = longest.filter(|used| used.held_s() >= LONG_S) else {
            continue;
        };
        let is_exclusive = longest.write_held_s >= LONG_S;
        let held_s = if is_exclusive { longest.write_held_s } else { longest.read_held_s };
        let key = (party.user.as_str(), party.function.as_str(), class(&longest.table), is_exclusive);
        found.entry(key).or_default().push((i, held_s, &longest.table));
    }
    let mut holds: Vec<Hold> = found
        .into_iter()
        .filter_map(|((.., is_exclusive), all)| {
            let longest = all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
            let starts = all.iter().map(|(i, ..)| parties[*i].start);
            let (first, last) = (starts.clone().min()?, starts.max()?);
            let intervals = all.len().saturating_sub(1) as f64;
            Some(Hold {
                party: parties[longest.0].clone(),
                table: longest.2.to_owned(),
                is_exclusive,
                held_s: longest.1,
                count: all.len() as u64,
                every_s: (all.len() >= 3).then(|| last.seconds_since(first) / intervals),
            })
        })
        .collect();
    holds.sort_by(|a, b| {
        let order = |hold: &Hold| (hold.party.place.file, hold.party.place.line);
        b.held_s.total_cmp(&a.held_s).then_with(|| order(a).cmp(&order(b)))
    });
    holds.truncate(most);
    holds
}

/// Waits without a holder, while they are summed.
#[derive(Debug, Default)]
pub(super) struct Sums(BTreeMap<String, Unexplained>);

impl Sums {
    /// What is left of a wait when those who held the lock explain what they do.
    pub(super) fn add(&mut self, victim: &Party, table: &str, left_s: f64) {
        let waited_s = victim.on(table).map_or(0.0, super::Use::wait_s);
        if left_s < LEAST_S.max(LEFT * waited_s) {
            return;
        }
        let end = victim.start.plus_seconds(victim.lapse_s);
        let sum = self.0.entry(class(table).to_owned()).or_insert_with(|| Unexplained {
            table: table.to_owned(),
            waited_s: 0.0,
            commands: 0,
            span: (victim.start, Moment::default()),
        });
        if sum.table != table {
            class(table).clone_into(&mut sum.table);
        }
        sum.waited_s += left_s;
        sum.commands += 1;
        sum.span = (sum.span.0.min(victim.start), sum.span.1.max(end));
    }

    pub(super) fn found(self, most: usize) -> Vec<Unexplained> {
        let mut all: Vec<Unexplained> = self.0.into_values().collect();
        all.sort_by(|a, b| b.waited_s.total_cmp(&a.waited_s));
        all.truncate(most);
        all
    }
}
