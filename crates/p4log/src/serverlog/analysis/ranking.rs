//! Bounded tables of names: what costs most is kept by name, and the rest together as "others".
//!
//! Twice as many names as are kept are counted exactly. When there are more, the half that cost least goes to the others;
//! a name that returns begins anew, so that its figures may lack what it had cost before, at most
//! [`Ranked::lost`] each.

use std::collections::HashMap;

/// Something that can be added up and ranked.
pub trait Cost: Clone {
    /// Adds another.
    fn merge(&mut self, other: &Self);
    /// What it is ranked by.
    fn weight(&self) -> f64;
}

impl Cost for super::Tally {
    fn merge(&mut self, other: &Self) {
        self.add(other);
    }

    fn weight(&self) -> f64 {
        Self::weight(self)
    }
}

/// A bounded table.
#[derive(Debug, Clone)]
pub struct Ranking<T> {
    kept: usize,
    entries: HashMap<String, T>,
    /// What has no name of its own any more.
    others: Option<T>,
    /// Names that went to the others.
    merged: u64,
    /// The greatest weight among them.
    lost: f64,
}

/// A ranking as it came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<T> {
    /// By falling weight, equal ones by name.
    pub rows: Vec<(String, T)>,
    /// The rest, together.
    pub others: Option<T>,
    /// How many names that is; a name that came back counts again.
    pub merged: u64,
    /// The most that the weight of a name may lack.
    pub lost: f64,
}

impl<T: Cost> Ranking<T> {
    /// A table that keeps so many names.
    pub fn new(kept: usize) -> Self {
        Self { kept: kept.max(1), entries: HashMap::new(), others: None, merged: 0, lost: 0.0 }
    }

    /// The entry of a name, made where there is none.
    pub fn entry(&mut self, name: &str, fresh: impl FnOnce() -> T) -> &mut T {
        if !self.entries.contains_key(name) {
            if self.entries.len() >= 2 * self.kept {
                self.prune();
            }
            self.entries.insert(name.to_owned(), fresh());
        }
        self.entries.get_mut(name).expect("made above")
    }

    /// Names that are in it now.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn prune(&mut self) {
        let mut all: Vec<(String, T)> = self.entries.drain().collect();
        sort(&mut all);
        for (_, entry) in all.drain(self.kept.min(all.len())..) {
            self.merged += 1;
            self.lost = self.lost.max(entry.weight());
            match &mut self.others {
                Some(others) => others.merge(&entry),
                None => self.others = Some(entry),
            }
        }
        self.entries = all.into_iter().collect();
    }

    /// The rows that cost most; the rest goes to the others.
    pub fn ranked(mut self, most: usize) -> Ranked<T> {
        self.kept = most;
        let lost = self.lost;
        self.prune();
        let mut rows: Vec<(String, T)> = self.entries.into_iter().collect();
        sort(&mut rows);
        Ranked { rows, others: self.others, merged: self.merged, lost }
    }

    /// What has no name of its own.
    pub fn others(&self) -> Option<&T> {
        self.others.as_ref()
    }

    /// Every entry that is left, in order.
    pub fn all(&self) -> Vec<(&str, &T)> {
        let mut all: Vec<(&str, &T)> = self.entries.iter().map(|(n, t)| (n.as_str(), t)).collect();
        all.sort_by(|a, b| b.1.weight().total_cmp(&a.1.weight()).then_with(|| a.0.cmp(b.0)));
        all
    }
}

fn sort<T: Cost>(rows: &mut [(String, T)]) {
    rows.sort_by(|a, b| b.1.weight().total_cmp(&a.1.weight()).then_with(|| a.0.cmp(&b.0)));
}

#[cfg(test)]
mod tests {
    use super::super::Tally;
    use super::Ranking;

    fn tally(lapse_s: f64) -> Tally {
        Tally { commands: 1, lapse_s, ..Tally::default() }
    }

    #[test]
    fn what_costs_most_keeps_its_name_and_nothing_is_lost_from_the_sum() {
        let mut ranking = Ranking::new(2);
        for i in 0..1000_u32 {
            ranking.entry(&format!("name {i}"), Tally::default).add(&tally(0.01));
            ranking.entry("heavy", Tally::default).add(&tally(1.0));
        }
        assert!(ranking.len() <= 4);
        let ranked = ranking.ranked(1);
        assert_eq!(ranked.rows[0].0, "heavy");
        assert_eq!(ranked.rows[0].1.commands, 1000);
        let others = ranked.others.map(|o| o.commands);
        assert_eq!(others, Some(1000));
        assert!(ranked.lost < 0.02, "{}", ranked.lost);
    }
}
