//! The locks of tables, and who waited for whom.
//!
//! By files: a lock of an open file description on the table's lock file, as p4d locks db.\* files; the kernel wakes all
//! who wait and the first of them to run has it. In this process: in order of arrival, as the model has it.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bench::ground::{Named, Room, lock_file, now, stopped, unlock_file};

/// How tables are locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// By locks on files, which the kernel keeps.
    Files,
    /// In this process, in order of arrival.
    Process,
}

impl By {
    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Files => {
                "locks on the table files (open file descriptions), which the kernel gives to whoever comes first"
            }
            Self::Process => "locks inside the process, in order of arrival",
        }
    }
}

/// A holder: kind of work, and whether it has the lock alone.
pub(super) type Who = (usize, bool);

/// What happened at a table in one mode.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) taken: u64,
    pub(super) waited: u64,
    pub(super) wait_s: f64,
    pub(super) longest_s: f64,
    pub(super) held_s: f64,
}

#[derive(Debug, Default)]
struct State {
    holders: Vec<Who>,
    /// Numbers of those who wait, in their order, and whether they want it alone.
    line: VecDeque<(u64, bool)>,
    next: u64,
    seen: [Seen; 2],
    /// Times and seconds that one waited for another: (waiter, holder).
    blame: BTreeMap<(Who, Who), (u64, f64)>,
}

#[derive(Debug, Default)]
struct Table {
    state: Mutex<State>,
    turned: Condvar,
    /// Open files that nobody uses now: a lock belongs to one of them.
    files: Mutex<Vec<File>>,
}

/// The locks of all tables.
#[derive(Debug)]
pub(super) struct Locks {
    by: By,
    room: Room,
    tables: Vec<Table>,
}

/// A lock that is held.
pub(super) struct Held {
    table: usize,
    who: Who,
    since: Instant,
    file: Option<File>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn is_free_for(&self, exclusive: bool) -> bool {
        self.holders.is_empty() || !exclusive && self.holders.iter().all(|(_, alone)| !alone)
    }
}

impl Table {
    /// Stands in line; the rival is whoever had it then.
    fn queue(&self, who: Who, stop: &AtomicBool) -> io::Result<Option<Who>> {
        /// A stop is seen within this time.
        const NAP: Duration = Duration::from_millis(50);
        let mut state = lock(&self.state);
        if state.line.is_empty() && state.is_free_for(who.1) {
            state.holders.push(who);
            return Ok(None);
        }
        let rival = state.holders.first().copied().unwrap_or(who);
        let number = state.next;
        state.next += 1;
        state.line.push_back((number, who.1));
        loop {
            let is_first = state.line.front().is_some_and(|(first, _)| *first == number);
            if is_first && state.is_free_for(who.1) {
                state.line.pop_front();
                state.holders.push(who);
                drop(state);
                // Readers behind a reader go on with it.
                self.turned.notify_all();
                return Ok(Some(rival));
            }
            if stop.load(Ordering::Relaxed) {
                state.line.retain(|(waiting, _)| *waiting != number);
                drop(state);
                self.turned.notify_all();
                return Err(stopped());
            }
            let waited = self.turned.wait_timeout(state, NAP);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Locks {
    pub(super) fn create(room: &Room, tables: usize, by: By) -> io::Result<Self> {
        for table in 0..tables {
            room.create(Named::Lock, table)?;
        }
        Ok(Self { by, room: room.clone(), tables: (0..tables).map(|_| Table::default()).collect() })
    }

    /// Waits for a table's lock; gives it and how long it took \[s\].
    pub(super) fn take(&self, table: usize, who: Who, stop: &AtomicBool) -> io::Result<(Held, f64)> {
        let begun = now();
        let at = &self.tables[table];
        let (file, rival) = match self.by {
            By::Files => self.take_file(table, who)?,
            By::Process => (None, at.queue(who, stop)?),
        };
        let since = now();
        let wait = (since - begun).as_secs_f64();
        let mut state = lock(&at.state);
        if self.by == By::Files {
            state.holders.push(who);
        }
        let seen = &mut state.seen[usize::from(who.1)];
        seen.taken += 1;
        if let Some(rival) = rival {
            seen.waited += 1;
            seen.wait_s += wait;
            seen.longest_s = seen.longest_s.max(wait);
            let sum = state.blame.entry((who, rival)).or_default();
            *sum = (sum.0 + 1, sum.1 + wait);
        }
        drop(state);
        let held = Held { table, who, since, file };
        Ok((held, if rival.is_some() { wait } else { 0.0 }))
    }

    /// The rival is whoever had it when it was asked for.
    fn take_file(&self, table: usize, who: Who) -> io::Result<(Option<File>, Option<Who>)> {
        let at = &self.tables[table];
        let idle = lock(&at.files).pop();
        let file = match idle {
            Some(file) => file,
            None => self.room.open(Named::Lock, table)?,
        };
        let rival = {
            let state = lock(&at.state);
            let bars = |other: &&Who| who.1 || other.1;
            state.holders.iter().find(bars).copied()
        };
        lock_file(&file, who.1)?;
        Ok((Some(file), rival))
    }

    /// Gives it back.
    pub(super) fn leave(&self, held: Held) -> io::Result<()> {
        let at = &self.tables[held.table];
        {
            let mut state = lock(&at.state);
            let place = state.holders.iter().position(|one| *one == held.who);
            if let Some(place) = place {
                state.holders.swap_remove(place);
            }
            state.seen[usize::from(held.who.1)].held_s += held.since.elapsed().as_secs_f64();
        }
        if let Some(file) = held.file {
            unlock_file(&file)?;
            lock(&at.files).push(file);
        } else {
            at.turned.notify_all();
        }
        Ok(())
    }

    /// Forgets what was seen: the measurement begins.
    pub(super) fn forget(&self) {
        for table in &self.tables {
            let mut state = lock(&table.state);
            state.seen = [Seen::default(); 2];
            state.blame.clear();
        }
    }

    /// By table: what was seen shared and alone, and who waited for whom.
    pub(super) fn seen(&self) -> Vec<([Seen; 2], Vec<Blame>)> {
        let each = self.tables.iter().map(|table| {
            let state = lock(&table.state);
            let blame = state.blame.iter();
            let blame = blame.map(|((waiter, holder), (times, seconds))| Blame {
                waiter: *waiter,
                holder: *holder,
                times: *times,
                seconds: *seconds,
            });
            (state.seen, blame.collect())
        });
        each.collect()
    }
}

/// One kind of work waited for another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Blame {
    pub(super) waiter: Who,
    pub(super) holder: Who,
    pub(super) times: u64,
    pub(super) seconds: f64,
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::bench::Place;
    use crate::bench::ground::{Data, Ground};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plimsoll-{name}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn with(name: &str, by: By, does: impl FnOnce(&Arc<Locks>)) {
        let folder = folder(name);
        let place = Place::of(&folder, Some(0)).expect("a place");
        let ground = Ground::create(&place).expect("a ground");
        let locks = Arc::new(Locks::create(&ground.room(), 2, by).expect("locks"));
        does(&locks);
        drop(locks);
        ground.remove().expect("removed");
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
        std::fs::remove_dir(&folder).expect("removed");
    }

    /// Two kinds of work and both ways of locking.
    const READER: Who = (0, false);
    const WRITER: Who = (1, true);

    #[test]
    fn readers_share_and_a_writer_waits_for_all_of_them() {
        for by in [By::Files, By::Process] {
            with("locks-shared", by, |locks| {
                let stop = AtomicBool::new(false);
                let (one, _) = locks.take(0, READER, &stop).expect("taken");
                let (two, wait) = locks.take(0, READER, &stop).expect("shared");
                assert_eq!(wait, 0.0);
                let written = AtomicUsize::new(0);
                std::thread::scope(|scope| {
                    let writer = scope.spawn(|| {
                        let (held, wait) = locks.take(0, WRITER, &stop).expect("taken");
                        written.fetch_add(1, Ordering::SeqCst);
                        locks.leave(held).expect("left");
                        wait
                    });
                    std::thread::sleep(Duration::from_millis(60));
                    assert_eq!(written.load(Ordering::SeqCst), 0, "{by:?}");
                    locks.leave(one).expect("left");
                    std::thread::sleep(Duration::from_millis(30));
                    assert_eq!(written.load(Ordering::SeqCst), 0, "{by:?}");
                    locks.leave(two).expect("left");
                    let waited = writer.join().expect("done");
                    assert!(waited > 0.05, "{by:?}: {waited}");
                });
                let seen = locks.seen();
                let (modes, blame) = &seen[0];
                assert_eq!((modes[0].taken, modes[1].taken, modes[1].waited), (2, 1, 1));
                assert_eq!((blame.len(), blame[0].waiter, blame[0].holder), (1, WRITER, READER));
            });
        }
    }

    #[test]
    fn in_the_process_a_reader_stands_behind_a_writer_that_waits() {
        with("locks-line", By::Process, |locks| {
            let stop = AtomicBool::new(false);
            let (first, _) = locks.take(1, READER, &stop).expect("taken");
            let order = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for who in [WRITER, READER] {
                    let (order, stop) = (&order, &stop);
                    scope.spawn(move || {
                        let (held, _) = locks.take(1, who, stop).expect("taken");
                        lock(order).push(who);
                        locks.leave(held).expect("left");
                    });
                    std::thread::sleep(Duration::from_millis(40));
                }
                assert!(lock(&order).is_empty());
                locks.leave(first).expect("left");
            });
            assert_eq!(*lock(&order), [WRITER, READER]);
        });
    }

    #[test]
    fn a_stop_ends_a_wait() {
        with("locks-stop", By::Process, |locks| {
            let stop = AtomicBool::new(false);
            let (held, _) = locks.take(0, WRITER, &stop).expect("taken");
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| locks.take(0, WRITER, &stop).is_err());
                std::thread::sleep(Duration::from_millis(20));
                stop.store(true, Ordering::Relaxed);
                assert!(waits.join().expect("done"));
            });
            locks.leave(held).expect("left");
        });
    }

    /// Writers come at random at 100 a second and hold for 5 ms: an M/D/1 queue, whose mean wait is ρD/(2(1 − ρ)) in whatever order it
    /// serves (Pollaczek and Khinchine).
    #[test]
    #[ignore = "a minute on an idle machine"]
    fn waits_are_those_of_the_queue_that_the_locks_are() {
        const RATE: f64 = 100.0;
        const HOLD: Duration = Duration::from_millis(5);
        for by in [By::Files, By::Process] {
            with("locks-queue", by, |locks| {
                let stop = AtomicBool::new(false);
                let mut data = Data::new(7);
                let begun = now();
                let mut at = 0.0;
                std::thread::scope(|scope| {
                    while at < 25.0 {
                        at += data.exponential() / RATE;
                        let due = begun + Duration::from_secs_f64(at);
                        std::thread::sleep(due.saturating_duration_since(now()));
                        let stop = &stop;
                        scope.spawn(move || {
                            let (held, _) = locks.take(0, WRITER, stop).expect("taken");
                            std::thread::sleep(HOLD);
                            locks.leave(held).expect("left");
                        });
                    }
                });
                let seen = locks.seen()[0].0[1];
                let n = seen.taken as f64;
                let (hold, wait) = (seen.held_s / n, seen.wait_s / n);
                let load = n / at * hold;
                let expected = load * hold / (2.0 * (1.0 - load));
                assert!((wait / expected - 1.0).abs() < 0.25, "{by:?}: waited {wait}, expected {expected} at {load}");
            });
        }
    }
}
