//! Who held a lock while others waited for it, and who in truth kept them waiting.
//!
//! The log says how long a command held a table and how long another waited for it, not when within their lapses. A wait
//! is put on the commands that held the table, exclusively where the victim wanted to read, during the victim's lapse:
//! those that explain most of it first, until the wait is used up. A culprit who held the table while he himself waited
//! for another lock points to his own culprit, and so on to the root: he did so where hold and wait together are longer
//! than his lapse, so that they must have overlapped, by at least half of the hold.
//!
//! Locks are served first come, first served: a reader waits behind a writer who came before and waits himself, though it
//! could share the lock with those who hold it. What exclusive holders leave of a reader's wait is therefore put on those
//! for whom the writers in the queue waited meanwhile.
//!
//! Waits and holds from 50 ms on are looked at, of each the 10,000 longest; what is left out is stated.

mod attribution;
mod breadth;
mod chains;
mod holds;
mod lanes;
mod why;

use std::collections::{BTreeMap, HashMap};

use super::ARGUMENTS;
use crate::serverlog::Pseudonyms;
use crate::serverlog::record::{Command, Moment, Place};
use attribution::{Holders, Root};
use chains::{Building, Waiting, blamed};

pub use breadth::Breadth;
pub use lanes::{LockBar, LockLane};
pub use why::{Asked, Blocked, Step, Why, WhyWait};

/// Shortest wait or hold that is looked at \[s\].
const LEAST_S: f64 = 0.05;
/// Victims, and holders, that are kept.
const KEPT: usize = 10_000;
/// Start times have whole seconds.
const CLOCK_S: f64 = 1.0;
/// Holders that are tried for one victim.
const TRIED: usize = 4000;
/// Longest chain of culprits.
const DEEP: usize = 16;
/// Tables and lock files that are kept of a command: it may name a thousand.
const USES: usize = 64;

/// A command that waited for locks or held them.
#[derive(Debug, Clone, PartialEq)]
pub struct Party {
    /// Where its first line is.
    pub place: Place,
    /// Its process.
    pub pid: u64,
    /// When it began.
    pub start: Moment,
    /// How long it took \[s\].
    pub lapse_s: f64,
    /// The user.
    pub user: String,
    /// The client workspace.
    pub client: String,
    /// The program.
    pub program: String,
    /// The function.
    pub function: String,
    /// Its arguments, cut.
    pub arguments: String,
    /// Waits and holds that are long enough.
    uses: Vec<Use>,
}

/// A table's lock as one command used it, in seconds.
#[derive(Debug, Clone, PartialEq)]
struct Use {
    table: String,
    read_wait_s: f64,
    write_wait_s: f64,
    read_held_s: f64,
    write_held_s: f64,
}

impl Use {
    fn wait_s(&self) -> f64 {
        self.read_wait_s + self.write_wait_s
    }

    fn held_s(&self) -> f64 {
        self.read_held_s.max(self.write_held_s)
    }
}

impl Party {
    fn of(command: &Command) -> Option<Self> {
        let mut uses: Vec<Use> = Vec::new();
        for table in &command.tables {
            let seconds = |ms: u64| ms as f64 / 1e3;
            let one = Use {
                table: table.name.clone(),
                read_wait_s: seconds(table.total.read_wait_ms),
                write_wait_s: seconds(table.total.write_wait_ms),
                read_held_s: seconds(table.total.read_held_ms),
                write_held_s: seconds(table.total.write_held_ms),
            };
            if one.wait_s().max(one.held_s()) >= LEAST_S {
                uses.push(one);
            }
        }
        if uses.is_empty() {
            return None;
        }
        if uses.len() > USES {
            let longest = |used: &Use| used.wait_s().max(used.held_s());
            uses.sort_by(|a, b| longest(b).total_cmp(&longest(a)));
            uses.truncate(USES);
        }
        let longest = uses.iter().map(|u| u.wait_s().max(u.held_s()));
        let longest = longest.fold(0.0, f64::max);
        let ended = command.end.map(|end| end.seconds_since(command.start));
        Some(Self {
            place: command.place,
            pid: command.pid,
            start: command.start,
            lapse_s: command.lapse_s.or(ended).unwrap_or(longest).max(0.0),
            user: command.user.clone(),
            client: command.client.clone(),
            program: command.program.clone(),
            function: command.function.clone(),
            arguments: command.arguments.chars().take(ARGUMENTS).collect(),
            uses,
        })
    }

    fn begin_s(&self) -> f64 {
        self.start.micros as f64 / 1e6
    }

    fn end_s(&self) -> f64 {
        self.begin_s() + self.lapse_s
    }

    fn on(&self, table: &str) -> Option<&Use> {
        self.uses.iter().find(|u| u.table == table)
    }

    fn waited_s(&self) -> f64 {
        self.uses.iter().map(Use::wait_s).sum()
    }

    fn held_s(&self) -> f64 {
        self.uses.iter().map(Use::held_s).fold(0.0, f64::max)
    }

    /// How long others may have waited behind it: for a lock that it held, or for which it was queued to write.
    fn blocked_s(&self) -> f64 {
        let queued = self.uses.iter().map(|u| u.write_wait_s);
        queued.fold(self.held_s(), f64::max)
    }
}

/// A bounded list of what weighs most.
#[derive(Debug, Clone, Default)]
struct Heaviest {
    parties: Vec<Party>,
}

impl Heaviest {
    fn push(&mut self, party: Party, weight: impl Fn(&Party) -> f64) {
        self.parties.push(party);
        if self.parties.len() >= 2 * KEPT {
            self.prune(weight);
        }
    }

    fn prune(&mut self, weight: impl Fn(&Party) -> f64) {
        let order = |p: &Party| (p.place.file, p.place.line);
        self.parties.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then_with(|| order(a).cmp(&order(b))));
        self.parties.truncate(KEPT);
    }
}

/// Collects waits and holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Collector {
    victims: Heaviest,
    holders: Heaviest,
    /// All waits, the short ones too \[s\].
    waited_s: f64,
    /// Of which command it is asked why it waited.
    pub(super) asked: Option<Asked>,
    /// Whether the process ran that is asked for.
    asked_ran: bool,
}

/// A wait and its culprit's chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Victim {
    /// Who waited.
    pub party: Party,
    /// For which table or lock file.
    pub table: String,
    /// How much of the wait is put on this chain \[s\].
    pub waited_s: f64,
    /// Whether it waited for a command between it and the root.
    pub through: bool,
}

/// A command that waited for the root and kept others waiting.
#[derive(Debug, Clone, PartialEq)]
pub struct Between {
    /// Who.
    pub party: Party,
    /// The table or lock file over which.
    pub table: String,
    /// How much was waited behind it \[s\].
    pub waited_s: f64,
    /// Whether it was queued for the exclusive lock, so that later readers waited behind it; else it held the lock.
    pub is_queued: bool,
}

/// A root culprit and those who waited because of him.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Who held a lock and waited for nobody else.
    pub root: Party,
    /// The table or lock file that he held, over which most was waited.
    pub table: String,
    /// How long he held it \[s\].
    pub held_s: f64,
    /// Waits on this chain \[s\].
    pub waited_s: f64,
    /// Commands that waited.
    pub commands: u64,
    /// Their users.
    pub users: u64,
    /// Commands between the root and victims, those behind which most was waited first.
    pub between: Vec<Between>,
    /// Those who waited longest.
    pub victims: Vec<Victim>,
}

/// What a user's function did as root, over all chains.
#[derive(Debug, Clone, PartialEq)]
pub struct Blamed {
    /// The user.
    pub user: String,
    /// The program.
    pub program: String,
    /// The function.
    pub function: String,
    /// How many commands were the root of a chain.
    pub commands: u64,
    /// How long commands waited for them \[s\].
    pub waited_s: f64,
    /// Of this, commands of the same user \[s\].
    pub own_s: f64,
    /// The table over which most was waited.
    pub table: String,
}

impl Blamed {
    /// How long other users waited \[s\].
    pub fn others_s(&self) -> f64 {
        self.waited_s - self.own_s
    }
}

/// A long hold, whether others waited for it or not; of one user's function on one table or lock file.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    /// The longest of them.
    pub party: Party,
    /// The table or lock file.
    pub table: String,
    /// Whether nobody else could have it.
    pub is_exclusive: bool,
    /// The longest \[s\].
    pub held_s: f64,
    /// How many there are.
    pub count: u64,
    /// Seconds from one to the next, where there are three or more.
    pub every_s: Option<f64>,
}

/// Waits for a table that no command of the log explains.
#[derive(Debug, Clone, PartialEq)]
pub struct Unexplained {
    /// The table or lock file.
    pub table: String,
    /// Waits \[s\].
    pub waited_s: f64,
    /// Commands that waited.
    pub commands: u64,
    /// When the first of them began, and the last ended.
    pub span: (Moment, Moment),
}

/// What was found about waits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contention {
    /// All waits for locks \[s\].
    pub waited_s: f64,
    /// Of these, put on a culprit.
    pub explained_s: f64,
    /// Of these, looked at: long enough, and among the longest.
    pub looked_at_s: f64,
    /// Chains, those over which most was waited first.
    pub chains: Vec<Chain>,
    /// Waits by the user and function that caused them.
    pub blamed: Vec<Blamed>,
    /// Why the command waited that was asked for; `None` if none was, or none that waited is known.
    pub why: Option<Why>,
    /// Whether the log has a command of the process that was asked for.
    pub asked_ran: bool,
    /// The longest holds, whether others waited or not.
    pub holds: Vec<Hold>,
    /// Waits for locks of which no command of the log is the holder, the longest first.
    pub unexplained: Vec<Unexplained>,
    /// Waits and holds over time, of the tables over which most was waited.
    pub lanes: Vec<LockLane>,
    /// How widely the waits are spread that a culprit explains.
    pub spread: Breadth,
    /// Of these, waits of commands that would read the table without a lock under `db.peeking`.
    pub peekable: Breadth,
}

impl Collector {
    pub(super) fn add(&mut self, command: &Command) {
        self.asked_ran |= self.asked == Some(Asked::Process(command.pid));
        let waits = command.tables.iter();
        let waits = waits.map(|table| table.total.waited_ms());
        self.waited_s += waits.fold(0, u64::saturating_add) as f64 / 1e3;
        let Some(party) = Party::of(command) else {
            return;
        };
        // A command without a time ran beside none that is known.
        if party.start.known().is_none() {
            return;
        }
        let (waits, holds) = (party.waited_s() >= LEAST_S, party.held_s() >= LEAST_S);
        let queues = party.uses.iter().any(|u| u.write_wait_s >= LEAST_S);
        if waits {
            self.victims.push(party.clone(), Party::waited_s);
        }
        if holds || queues {
            self.holders.push(party, Party::blocked_s);
        }
    }

    /// Puts the waits on their culprits; `most` chains, and as many victims of each.
    pub(super) fn found(mut self, most: usize) -> Contention {
        self.victims.prune(Party::waited_s);
        self.holders.prune(Party::blocked_s);
        let order = |p: &Party| (p.place.file, p.place.line);
        self.victims.parties.sort_by_key(order);
        self.holders.parties.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| order(a).cmp(&order(b))));
        let holders = Holders::of(&self.holders.parties);
        let mut found = Contention {
            waited_s: self.waited_s,
            lanes: lanes::lanes(&self.victims.parties, &self.holders.parties),
            ..Contention::default()
        };
        found.holds = holds::holds(&self.holders.parties, most);
        let mut unexplained = holds::Sums::default();
        let mut chains: BTreeMap<usize, Building<'_>> = BTreeMap::new();
        // Many wait for the same culprit.
        let mut roots: HashMap<(usize, &str), Root> = HashMap::new();
        for victim in &self.victims.parties {
            for used in victim.uses.iter().filter(|u| u.wait_s() >= LEAST_S) {
                found.looked_at_s += used.wait_s();
                let mut left_s = used.wait_s();
                for share in holders.attribute(victim, used) {
                    let (culprit, share_s) = (share.culprit, share.part_s);
                    found.explained_s += share_s;
                    left_s -= share_s;
                    let root =
                        roots.entry((culprit, &used.table)).or_insert_with(|| holders.root(culprit, &used.table));
                    let through = share.behind.is_some() || !root.between.is_empty();
                    let chain = chains.entry(root.party).or_default();
                    let is_own = victim.user == holders.parties[root.party].user;
                    let waiting = Waiting { party: victim, table: &used.table, waited_s: share_s, through };
                    chain.add(waiting, is_own, root, share.behind);
                    found.spread.add(root.party, victim, share_s);
                    if breadth::is_peekable(victim, used) {
                        found.peekable.add(root.party, victim, share_s);
                    }
                    if chain.victims.len() > 4 * most {
                        chain.cut(most);
                    }
                }
                unexplained.add(victim, &used.table, left_s);
            }
        }
        found.asked_ran = self.asked_ran;
        found.why = self.asked.and_then(|asked| why::why(asked, &self.victims.parties, &holders));
        found.blamed = blamed(&chains, holders.parties);
        found.unexplained = unexplained.found(most);
        let mut chains: Vec<(usize, Building<'_>)> = chains.into_iter().collect();
        let root = |root: usize| order(&holders.parties[root]);
        chains.sort_by(|(a, one), (b, other)| {
            other.waited_s.total_cmp(&one.waited_s).then_with(|| root(*a).cmp(&root(*b)))
        });
        if let Some(why) = &mut found.why {
            let own = |root: usize| holders.parties[root].place == why.party.place;
            let own = chains.iter().find(|(root, _)| own(*root));
            why.blocked = own.map(|(_, chain)| chain.blocked());
        }
        chains.truncate(most);
        found.chains = chains.into_iter().map(|(root, chain)| chain.finish(&holders, root, most)).collect();
        found
    }
}

impl Contention {
    /// With other names.
    pub(super) fn rename(&mut self, names: &Pseudonyms) {
        let party = |party: &mut Party| {
            party.user = names.user(&party.user);
            party.client = names.client(&party.client);
            party.program = names.program(&party.program);
            party.function = names.function(&party.function);
            party.arguments = names.arguments(&party.arguments);
            party.uses.clear();
        };
        for chain in &mut self.chains {
            party(&mut chain.root);
            chain.table = names.table(&chain.table);
            for between in &mut chain.between {
                party(&mut between.party);
                between.table = names.table(&between.table);
            }
            for victim in &mut chain.victims {
                party(&mut victim.party);
                victim.table = names.table(&victim.table);
            }
        }
        if let Some(why) = &mut self.why {
            party(&mut why.party);
            if let Some(blocked) = &mut why.blocked {
                blocked.table = names.table(&blocked.table);
            }
            for wait in &mut why.waits {
                wait.table = names.table(&wait.table);
                for step in &mut wait.steps {
                    party(&mut step.party);
                    step.table = names.table(&step.table);
                }
            }
        }
        for hold in &mut self.holds {
            party(&mut hold.party);
            hold.table = names.table(&hold.table);
        }
        for wait in &mut self.unexplained {
            wait.table = names.table(&wait.table);
        }
        for lane in &mut self.lanes {
            lane.rename(names);
        }
        for blamed in &mut self.blamed {
            blamed.user = names.user(&blamed.user);
            blamed.program = names.program(&blamed.program);
            blamed.function = names.function(&blamed.function);
            blamed.table = names.table(&blamed.table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::record::{LockTimes, TableUse};

    fn used(name: &str, write_wait_ms: u64, write_held_ms: u64) -> TableUse {
        TableUse {
            name: name.to_owned(),
            total: LockTimes { write_wait_ms, write_held_ms, ..LockTimes::default() },
            ..TableUse::default()
        }
    }

    fn reading(name: &str, read_wait_ms: u64) -> TableUse {
        TableUse {
            name: name.to_owned(),
            total: LockTimes { read_wait_ms, ..LockTimes::default() },
            ..TableUse::default()
        }
    }

    fn command(line: u64, user: &str, start: i64, lapse_s: f64, tables: Vec<TableUse>) -> Command {
        Command {
            place: Place { line, ..Place::default() },
            pid: line,
            user: user.to_owned(),
            function: "user-x".to_owned(),
            start: Moment { micros: start * 1_000_000 },
            lapse_s: Some(lapse_s),
            tables,
            ..Command::default()
        }
    }

    fn found(commands: &[Command]) -> Contention {
        let mut collector = Collector::default();
        for command in commands {
            collector.add(command);
        }
        collector.found(10)
    }

    #[test]
    fn a_culprit_who_waited_himself_points_to_the_root() {
        // Ann holds db.integed for 30 s; Bob holds db.rev while he waits 28 s for db.integed; Cyd and Dee wait for db.rev.
        let commands = [
            command(1, "ann", 100, 30.5, vec![used("db.integed", 0, 30_000)]),
            command(2, "bob", 101, 29.5, vec![used("db.integed", 28_000, 400), used("db.rev", 0, 29_000)]),
            command(3, "cyd", 103, 27.0, vec![reading("db.rev", 26_000)]),
            command(4, "dee", 110, 20.0, vec![reading("db.rev", 19_000)]),
            // An hour later, alone.
            command(5, "eve", 4000, 5.0, vec![used("db.rev", 0, 4000)]),
        ];
        let found = found(&commands);
        assert_eq!(found.chains.len(), 1, "{found:#?}");
        let chain = &found.chains[0];
        assert_eq!((chain.root.user.as_str(), chain.table.as_str()), ("ann", "db.integed"));
        assert!((chain.waited_s - 73.0).abs() < 1e-6, "{}", chain.waited_s);
        assert_eq!((chain.commands, chain.users), (3, 3));
        assert_eq!(chain.between[0].party.user, "bob");
        assert_eq!(chain.between[0].table, "db.rev");
        let through: Vec<(&str, bool)> = chain.victims.iter().map(|v| (v.party.user.as_str(), v.through)).collect();
        assert_eq!(through, [("bob", false), ("cyd", true), ("dee", true)]);
        assert!((found.explained_s - found.waited_s).abs() < 1e-6);
    }

    #[test]
    fn lanes_have_the_waits_and_holds_of_each_table() {
        let commands = [
            command(1, "ann", 100, 30.5, vec![used("db.integed", 0, 30_000)]),
            command(2, "bob", 101, 29.5, vec![used("db.integed", 28_000, 400)]),
            command(3, "cyd", 103, 27.0, vec![reading("db.rev", 26_000)]),
            command(4, "dee", 104, 1.0, vec![used("clients/ws1_W", 60, 0)]),
            command(5, "eve", 104, 1.0, vec![used("clients/ws2_W", 70, 10)]),
        ];
        let lanes = found(&commands).lanes;
        let tables: Vec<&str> = lanes.iter().map(|lane| lane.table.as_str()).collect();
        assert_eq!(tables, ["db.integed", "db.rev", "clients"]);
        let users = |bars: &[LockBar]| -> Vec<String> { bars.iter().map(|bar| bar.user.clone()).collect() };
        assert_eq!(users(&lanes[0].waits), ["bob"]);
        assert_eq!(users(&lanes[0].holds), ["ann", "bob"]);
        assert_eq!(lanes[0].waits[0].write_s, 28.0);
        assert_eq!((lanes[1].waits[0].read_s, lanes[1].holds.len()), (26.0, 0));
        assert_eq!(users(&lanes[2].waits), ["dee", "eve"]);
        assert!((lanes[2].waited_s - 0.13).abs() < 1e-9 && lanes[2].left_out == 0);
    }

    #[test]
    fn lanes_are_bounded_and_say_what_they_leave_out() {
        let waits = (0..1300_u64).map(|i| {
            let waits = vec![reading("db.have", 100 + i)];
            command(i + 1, "ann", 100 + i.cast_signed(), 5.0, waits)
        });
        let lanes = found(&waits.collect::<Vec<_>>()).lanes;
        assert_eq!((lanes[0].waits.len(), lanes[0].left_out), (1000, 300));
        assert_eq!(lanes[0].waits[0].read_s, 0.4, "the longest stay");
        assert!(lanes[0].waits.is_sorted_by_key(|bar| bar.start));
    }

    #[test]
    fn counts_beyond_all_reason_do_not_overflow_and_a_command_keeps_its_longest_uses() {
        let mut tables = vec![used("db.rev", u64::MAX, u64::MAX); 3];
        tables.extend((0..1000).map(|i| used(&format!("clients/{i}"), 0, 50 + i)));
        let party = Party::of(&command(1, "ann", 5, 1.0, tables.clone())).expect("it waited");
        assert_eq!(party.uses.len(), USES);
        let kept = party.on("clients/999").zip(party.on("db.rev"));
        assert!(kept.is_some() && party.on("clients/0").is_none());
        let found = found(&[command(1, "ann", 5, 1.0, tables.clone()), command(2, "bob", 5, 1.0, tables)]);
        // Commands of a second explain nothing of waits of ages.
        assert!(found.waited_s > 0.0 && found.waited_s.is_finite() && found.explained_s == 0.0);
    }

    #[test]
    fn a_reader_behind_a_queued_writer_waits_for_what_the_writer_waits_for() {
        // Ann reads db.rev for 9.8 s, Wim waits 9 s to write it, and Rob 9.2 s to read it, behind Wim.
        let read = |held_ms, wait_ms| TableUse {
            total: LockTimes { read_held_ms: held_ms, read_wait_ms: wait_ms, ..LockTimes::default() },
            ..used("db.rev", 0, 0)
        };
        let commands = [
            command(1, "ann", 100, 10.0, vec![read(9800, 0)]),
            command(2, "wim", 101, 9.5, vec![used("db.rev", 9000, 200)]),
            command(3, "rob", 101, 9.8, vec![read(100, 9200)]),
        ];
        let all = found(&commands);
        let chain = &all.chains[0];
        assert_eq!((chain.root.user.as_str(), chain.commands), ("ann", 2));
        assert_eq!(chain.between[0].party.user, "wim");
        assert!(chain.between[0].is_queued && chain.between[0].waited_s > 8.9);
        assert!((all.explained_s - all.waited_s).abs() < 0.1, "{all:#?}");
        // Without the writer nothing is known of why Rob waited: readers share.
        let without = found(&[commands[0].clone(), commands[2].clone()]);
        assert_eq!(without.explained_s, 0.0);
    }

    #[test]
    fn who_waited_before_he_held_is_no_link_of_a_chain() {
        // Bob waits 28 s for db.integed, and only then holds db.rev, for 5 s: Cyd waits for Bob.
        let commands = [
            command(1, "ann", 100, 30.0, vec![used("db.integed", 0, 29_000)]),
            command(2, "bob", 101, 34.0, vec![used("db.integed", 28_000, 5000), used("db.rev", 0, 5000)]),
            command(3, "cyd", 130, 5.0, vec![reading("db.rev", 4500)]),
        ];
        let found = found(&commands);
        let roots: Vec<&str> = found.chains.iter().map(|c| c.root.user.as_str()).collect();
        assert_eq!(roots, ["ann", "bob"]);
    }
}
