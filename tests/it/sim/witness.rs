//! What a trace must show, whatever the network: an independent account of it.

use std::collections::{BTreeMap, VecDeque};

use plimsoll::sim::{Event, Mode, Model, Outcome, What};

/// One lock as the trace shows it.
#[derive(Default)]
struct Seen {
    readers: usize,
    writers: usize,
    /// Who asked and was not granted yet, in order.
    asked: VecDeque<(u64, Mode)>,
    /// Modes in which a customer's branches hold it.
    held: BTreeMap<u64, Vec<Mode>>,
}

/// Follows a trace and panics at the first thing that must not be.
pub(super) struct Witness {
    time: f64,
    locks: Vec<Seen>,
    /// Free, and who wants how many, in order.
    pools: Vec<(u32, VecDeque<(u64, u32)>)>,
    /// By class: in the system.
    present: Vec<i64>,
    departed: Vec<u64>,
    /// By station: present, integral of it \[s\], arrivals and departures.
    stations: Vec<(i64, f64, u64, u64)>,
}

impl Witness {
    pub(super) fn new(model: &Model) -> Self {
        let pools = model.pools.iter();
        Self {
            time: 0.0,
            locks: model.locks.iter().map(|_| Seen::default()).collect(),
            pools: pools.map(|pool| (pool.capacity, VecDeque::new())).collect(),
            present: vec![0; model.classes.len()],
            departed: vec![0; model.classes.len()],
            stations: vec![(0, 0.0, 0, 0); model.stations.len()],
        }
    }

    pub(super) fn see(&mut self, event: &Event) {
        assert!(event.time >= self.time, "time went back: {event:?}");
        if event.time > self.time {
            self.at_rest();
        }
        for station in &mut self.stations {
            station.1 += station.0 as f64 * (event.time - self.time);
        }
        self.time = event.time;
        let who = event.customer;
        match event.what {
            What::Arrives => self.present[event.class] += 1,
            What::Departs => {
                self.present[event.class] -= 1;
                self.departed[event.class] += 1;
            }
            What::Joins { station } => {
                self.stations[station].0 += 1;
                self.stations[station].2 += 1;
            }
            What::Ends { station } => {
                self.stations[station].0 -= 1;
                self.stations[station].3 += 1;
            }
            What::Starts | What::Sized { .. } | What::Completes { .. } | What::Begins { .. } | What::Pauses { .. } => {}
            What::Asks { lock, mode, .. } => self.locks[lock].asked.push_back((who, mode)),
            What::Granted { lock, mode, .. } => self.locks[lock].grant(who, mode),
            What::Releases { lock, .. } => self.locks[lock].release(who),
            What::Wants { pool, count } => self.pools[pool].1.push_back((who, count)),
            What::Takes { pool, count } => {
                let (free, wanted) = &mut self.pools[pool];
                assert_eq!(wanted.pop_front(), Some((who, count)), "out of order");
                *free = free.checked_sub(count).expect("more taken than there is");
            }
            What::Gives { pool, count } => self.pools[pool].0 += count,
        }
    }

    /// When time goes on, nobody waits for what could be granted.
    fn at_rest(&self) {
        for lock in &self.locks {
            if let Some((_, mode)) = lock.asked.front() {
                let blocked = lock.writers > 0 || (*mode == Mode::Exclusive && lock.readers > 0);
                assert!(blocked, "a wake-up was lost at {}", self.time);
            }
        }
        for (free, wanted) in &self.pools {
            assert!(wanted.front().is_none_or(|(_, count)| count > free));
        }
    }

    /// Compares with what the run counted from 0 to `end`.
    pub(super) fn agree(mut self, outcome: &Outcome, end: f64) {
        for (present, area, ..) in &mut self.stations {
            *area += *present as f64 * (end - self.time);
        }
        for (class, counted) in outcome.classes.iter().enumerate() {
            assert_eq!(counted.total.completions, self.departed[class]);
            assert!(self.present[class] >= 0);
        }
        for (seen, counted) in self.stations.iter().zip(&outcome.stations) {
            let (present, area, came, went) = *seen;
            assert_eq!(came, went + present.unsigned_abs(), "flow balance");
            let counts = counted.throughput.value * end;
            assert!((counts - went as f64).abs() < 1e-6 * (1.0 + counts));
            // Little's law: the mean number is the rate times the residence.
            let number = counted.queue_length.value;
            assert!((number * end - area).abs() < 1e-6 * (1.0 + area), "{number} {area}");
            let little = counted.throughput.value * counted.residence.value;
            assert!(went == 0 || (number - little).abs() < 1e-9 * (1.0 + number));
            assert!((0.0..=1.0 + 1e-9).contains(&counted.utilization.value));
        }
    }
}

impl Seen {
    fn grant(&mut self, who: u64, mode: Mode) {
        assert_eq!(self.asked.pop_front(), Some((who, mode)), "out of order");
        assert_eq!(self.writers, 0, "granted beside a writer");
        match mode {
            Mode::Shared => self.readers += 1,
            Mode::Exclusive => {
                assert_eq!(self.readers, 0, "a writer beside readers");
                self.writers += 1;
            }
        }
        self.held.entry(who).or_default().push(mode);
    }

    fn release(&mut self, who: u64) {
        // Branches of one customer hold alike: readers together, or one writer.
        match self.held.get_mut(&who).and_then(Vec::pop) {
            Some(Mode::Shared) => self.readers -= 1,
            Some(Mode::Exclusive) => self.writers -= 1,
            None => panic!("{who} lets go of what it does not hold"),
        }
    }
}
