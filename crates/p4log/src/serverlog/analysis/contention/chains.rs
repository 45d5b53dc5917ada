//! Chains of waits while they are put together: a root, those between, and the victims.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::tables::class;
use super::attribution::{Holders, Link, Root};
use super::why::Blocked;
use super::{Between, Blamed, Chain, Party, Use, Victim};
use crate::serverlog::pseudonym::siphash;

/// A victim of a chain that may not be shown.
#[derive(Debug)]
pub(super) struct Waiting<'a> {
    pub(super) party: &'a Party,
    pub(super) table: &'a str,
    pub(super) waited_s: f64,
    pub(super) through: bool,
}

/// A chain while it is put together.
#[derive(Debug, Default)]
pub(super) struct Building<'a> {
    pub(super) tables: BTreeMap<String, f64>,
    pub(super) between: BTreeMap<Link, f64>,
    pub(super) waited_s: f64,
    /// Of this, by the root's own user.
    pub(super) own_s: f64,
    pub(super) commands: BTreeSet<(usize, u64)>,
    pub(super) users: BTreeSet<u64>,
    pub(super) victims: Vec<Waiting<'a>>,
}

impl<'a> Building<'a> {
    /// A wait for its root, of the root's own user or another, and the writer behind whom it was in the queue.
    pub(super) fn add(&mut self, waiting: Waiting<'a>, is_own: bool, root: &Root, behind: Option<usize>) {
        let waited_s = waiting.waited_s;
        *self.tables.entry(root.table.clone()).or_default() += waited_s;
        let writer = behind.map(|party| Link { party, table: waiting.table.to_owned(), is_queued: true });
        for between in root.between.iter().cloned().chain(writer) {
            *self.between.entry(between).or_default() += waited_s;
        }
        self.waited_s += waited_s;
        if is_own {
            self.own_s += waited_s;
        }
        let victim = waiting.party;
        self.commands.insert((victim.place.file, victim.place.line));
        self.users.insert(siphash((0, 0), victim.user.as_bytes()));
        self.victims.push(waiting);
    }

    pub(super) fn cut(&mut self, most: usize) {
        let order = |v: &Waiting<'_>| (v.party.place.file, v.party.place.line);
        self.victims.sort_by(|a, b| {
            b.waited_s.total_cmp(&a.waited_s).then_with(|| order(a).cmp(&order(b))).then_with(|| a.table.cmp(b.table))
        });
        self.victims.truncate(most);
    }

    /// The table over which most was waited.
    fn table(&self) -> String {
        let tables = self.tables.iter();
        let most = tables.max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0)));
        most.map_or(String::new(), |(table, _)| table.clone())
    }

    /// What others waited for its root.
    pub(super) fn blocked(&self) -> Blocked {
        Blocked {
            table: self.table(),
            waited_s: self.waited_s,
            commands: self.commands.len() as u64,
            users: self.users.len() as u64,
        }
    }

    pub(super) fn finish(mut self, holders: &Holders<'_>, root: usize, most: usize) -> Chain {
        self.cut(most);
        let table = self.table();
        let root = holders.parties[root].clone();
        let held_s = root.on(&table).map_or(0.0, Use::held_s);
        let between = self.between.into_iter();
        let mut between: Vec<Between> = between
            .map(|(link, waited_s)| Between {
                party: holders.parties[link.party].clone(),
                table: link.table,
                waited_s,
                is_queued: link.is_queued,
            })
            .collect();
        between.sort_by(|a, b| b.waited_s.total_cmp(&a.waited_s));
        between.truncate(most);
        let victims = self.victims.into_iter().map(|victim| Victim {
            party: victim.party.clone(),
            table: victim.table.to_owned(),
            waited_s: victim.waited_s,
            through: victim.through,
        });
        Chain {
            root,
            table,
            held_s,
            waited_s: self.waited_s,
            commands: self.commands.len() as u64,
            users: self.users.len() as u64,
            between,
            victims: victims.collect(),
        }
    }
}

/// Roots by user, program and function.
pub(super) fn blamed(chains: &BTreeMap<usize, Building<'_>>, parties: &[Party]) -> Vec<Blamed> {
    let mut by_name: BTreeMap<[&str; 3], Blamed> = BTreeMap::new();
    let mut most: HashMap<[&str; 3], f64> = HashMap::new();
    for (root, chain) in chains {
        let root = &parties[*root];
        let key = [root.user.as_str(), &root.program, &root.function];
        let blamed = by_name.entry(key).or_insert_with(|| Blamed {
            user: root.user.clone(),
            program: root.program.clone(),
            function: root.function.clone(),
            commands: 0,
            waited_s: 0.0,
            own_s: 0.0,
            table: String::new(),
        });
        blamed.commands += 1;
        blamed.waited_s += chain.waited_s;
        blamed.own_s += chain.own_s;
        let longest = most.entry(key).or_insert(-1.0);
        if chain.waited_s > *longest {
            *longest = chain.waited_s;
            class(&chain.table()).clone_into(&mut blamed.table);
        }
    }
    let mut all: Vec<Blamed> = by_name.into_values().collect();
    all.sort_by(|a, b| b.others_s().total_cmp(&a.others_s()).then_with(|| b.own_s.total_cmp(&a.own_s)));
    all
}
