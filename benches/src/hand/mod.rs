//! One loop a network, written by hand for just that network: the practical limit.
//!
//! Nothing is kept but the answer that is asked for. Services may have any distribution: no loop
//! uses that an exponential time forgets how long it has lasted.

mod heap;

use crate::random::Stream;
use crate::workload::{CORES, CUSTOMERS, DISK, PROCESSOR, Run, THINK, Workload};
use heap::Heap;

/// Simulates `events` events.
pub fn run(workload: Workload, seed: u64, events: u64) -> Run {
    let answer = match workload {
        Workload::Single => single(seed, events),
        Workload::Closed => closed(seed, events),
        Workload::Eight => eight(seed, events),
    };
    Run { events, answer }
}

/// Times of arrival in order.
struct Line {
    ring: Vec<f64>,
    head: usize,
    tail: usize,
}

impl Line {
    fn new() -> Self {
        Self { ring: vec![0.0; 1 << 12], head: 0, tail: 0 }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.head == self.tail
    }

    #[inline]
    fn push(&mut self, time: f64) {
        let mask = self.ring.len() - 1;
        self.ring[self.tail & mask] = time;
        self.tail += 1;
        assert!(self.tail - self.head <= mask, "a longer line than this never forms");
    }

    #[inline]
    fn pop(&mut self) -> f64 {
        let time = self.ring[self.head & (self.ring.len() - 1)];
        self.head += 1;
        time
    }
}

fn single(seed: u64, events: u64) -> f64 {
    let mut stream = Stream::new(seed);
    let between = 1.0 / Workload::Single.open().1;
    let mut line = Line::new();
    let (mut arrival, mut departure) = (stream.exponential() * between, f64::INFINITY);
    let (mut sum, mut served) = (0.0, 0_u64);
    for _ in 0..events {
        if arrival < departure {
            if line.is_empty() {
                departure = arrival + stream.exponential();
            }
            line.push(arrival);
            arrival += stream.exponential() * between;
        } else {
            sum += departure - line.pop();
            served += 1;
            departure = if line.is_empty() { f64::INFINITY } else { departure + stream.exponential() };
        }
    }
    sum / served as f64
}

/// The eight departures are kept sorted: an insertion is eight minima and maxima without a branch.
fn eight(seed: u64, events: u64) -> f64 {
    const SERVERS: usize = 8;
    let mut stream = Stream::new(seed);
    let between = 1.0 / Workload::Eight.open().1;
    let mut line = Line::new();
    let mut departures = [f64::INFINITY; SERVERS + 1];
    let mut busy = 0;
    let mut arrival = stream.exponential() * between;
    let (mut sum, mut served) = (0.0, 0_u64);
    for _ in 0..events {
        let now = departures[0];
        if arrival < now {
            if busy < SERVERS {
                let service = stream.exponential();
                (sum, served, busy) = (sum + service, served + 1, busy + 1);
                let mut later = arrival + service;
                for departure in &mut departures[..SERVERS] {
                    let sooner = departure.min(later);
                    later = departure.max(later);
                    *departure = sooner;
                }
            } else {
                line.push(arrival);
            }
            arrival += stream.exponential() * between;
        } else if line.is_empty() {
            departures.copy_within(1.., 0);
            busy -= 1;
        } else {
            let new = now + stream.exponential();
            (sum, served) = (sum + new - line.pop(), served + 1);
            let old = departures;
            departures[0] = old[1].min(new);
            for i in 1..SERVERS {
                departures[i] = old[i + 1].min(old[i].max(new));
            }
        }
    }
    sum / served as f64
}

/// The processor is shared by virtual time: whoever came at v with work w is done at v + w. So few
/// are there at a time that a scan finds the next one sooner than a heap.
fn closed(seed: u64, events: u64) -> f64 {
    let mut stream = Stream::new(seed);
    let (cores, mut now) = (f64::from(CORES), 0.0_f64);
    let mut thinking = Heap::new(CUSTOMERS as usize);
    for _ in 0..CUSTOMERS {
        thinking.push(stream.exponential() * THINK);
    }
    let mut done_at = [f64::INFINITY; CUSTOMERS as usize];
    let (mut shared_by, mut first) = (0_usize, 0_usize);
    let (mut work, mut since, mut processor) = (0.0_f64, 0.0_f64, f64::INFINITY);
    let (mut at_disk, mut disk, mut cycles) = (0_u32, f64::INFINITY, 0_u64);
    for _ in 0..events {
        let thought = thinking.top();
        if thought < processor && thought < disk {
            now = thought;
            thinking.pop();
            work += (now - since) * (cores / shared_by as f64).min(1.0);
            since = now;
            let done = work + stream.exponential() * PROCESSOR;
            done_at[shared_by] = done;
            if shared_by == 0 || done < done_at[first] {
                first = shared_by;
            }
            shared_by += 1;
        } else if processor < disk {
            now = processor;
            (work, since) = (done_at[first], now);
            shared_by -= 1;
            done_at[first] = done_at[shared_by];
            first = 0;
            for other in 1..shared_by {
                if done_at[other] < done_at[first] {
                    first = other;
                }
            }
            if at_disk == 0 {
                disk = now + stream.exponential() * DISK;
            }
            at_disk += 1;
        } else {
            now = disk;
            (at_disk, cycles) = (at_disk - 1, cycles + 1);
            disk = if at_disk > 0 { now + stream.exponential() * DISK } else { f64::INFINITY };
            thinking.push(now + stream.exponential() * THINK);
            continue;
        }
        processor = if shared_by == 0 {
            f64::INFINITY
        } else {
            now + (done_at[first] - work) * (shared_by as f64 / cores).max(1.0)
        };
    }
    cycles as f64 / now
}
