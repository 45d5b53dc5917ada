//! desru: a binary heap of boxed closures.

use std::cell::RefCell;
use std::collections::VecDeque;

use desru::{Event, EventScheduler};

use super::Sharing;
use crate::random::Stream;
use crate::workload::{CORES, CUSTOMERS, DISK, PROCESSOR, Run, THINK, Workload};

/// Simulates `events` events.
pub fn run(workload: Workload, seed: u64, events: u64) -> Run {
    match workload {
        Workload::Closed => closed(seed, events),
        open => open_queue(open, seed, events),
    }
}

/// Lets `act` happen at a time.
fn at<S: 'static>(
    scheduler: &mut EventScheduler,
    time: f64,
    shop: &'static RefCell<S>,
    act: impl Fn(&'static RefCell<S>, &mut EventScheduler) + 'static,
) {
    let action = move |scheduler: &mut EventScheduler| {
        act(shop, scheduler);
        None
    };
    scheduler.schedule(Event::new(time, Some(Box::new(action)), None));
}

/// Runs until so many events are counted, without a log.
fn until<S: 'static>(
    scheduler: &mut EventScheduler,
    shop: &'static RefCell<S>,
    counted: impl Fn(&S) -> bool + 'static,
) {
    scheduler.run(Box::new(move |_| counted(&shop.borrow())), Some(Box::new(|_, _| false)));
}

struct Queue {
    stream: Stream,
    servers: usize,
    between: f64,
    busy: usize,
    line: VecDeque<f64>,
    sum: f64,
    served: u64,
    events: u64,
}

fn arrive(shop: &'static RefCell<Queue>, scheduler: &mut EventScheduler) {
    let mut queue = shop.borrow_mut();
    let now = scheduler.current_time;
    queue.events += 1;
    if queue.busy < queue.servers {
        queue.busy += 1;
        let departure = now + queue.stream.exponential();
        at(scheduler, departure, shop, move |s, e| depart(s, e, now));
    } else {
        queue.line.push_back(now);
    }
    let next = now + queue.stream.exponential() * queue.between;
    at(scheduler, next, shop, arrive);
}

fn depart(shop: &'static RefCell<Queue>, scheduler: &mut EventScheduler, came: f64) {
    let mut queue = shop.borrow_mut();
    let now = scheduler.current_time;
    queue.events += 1;
    queue.sum += now - came;
    queue.served += 1;
    if let Some(came) = queue.line.pop_front() {
        let departure = now + queue.stream.exponential();
        at(scheduler, departure, shop, move |s, e| depart(s, e, came));
    } else {
        queue.busy -= 1;
    }
}

fn open_queue(workload: Workload, seed: u64, events: u64) -> Run {
    let (servers, rate) = workload.open();
    let shop: &'static _ = Box::leak(Box::new(RefCell::new(Queue {
        stream: Stream::new(seed),
        servers,
        between: 1.0 / rate,
        busy: 0,
        line: VecDeque::new(),
        sum: 0.0,
        served: 0,
        events: 0,
    })));
    let mut scheduler = EventScheduler::new();
    at(&mut scheduler, 0.0, shop, arrive);
    until(&mut scheduler, shop, move |queue| queue.events >= events);
    let queue = shop.borrow();
    Run { events: queue.events, answer: queue.sum / queue.served as f64 }
}

struct Central {
    stream: Stream,
    processor: Sharing,
    at_disk: u32,
    cycles: u64,
    events: u64,
}

fn thought(shop: &'static RefCell<Central>, scheduler: &mut EventScheduler) {
    let central = &mut *shop.borrow_mut();
    central.events += 1;
    let work = central.stream.exponential() * PROCESSOR;
    let due = central.processor.arrive(scheduler.current_time, 0, work);
    announce(shop, scheduler, due);
}

fn announce(shop: &'static RefCell<Central>, scheduler: &mut EventScheduler, due: Option<f64>) {
    if let Some(due) = due {
        at(scheduler, due, shop, move |s, e| computed(s, e, due));
    }
}

fn computed(shop: &'static RefCell<Central>, scheduler: &mut EventScheduler, announced: f64) {
    let central = &mut *shop.borrow_mut();
    let now = scheduler.current_time;
    let (leaves, due) = central.processor.complete(now, announced);
    announce(shop, scheduler, due);
    if leaves.is_some() {
        central.events += 1;
        central.at_disk += 1;
        if central.at_disk == 1 {
            let service = central.stream.exponential() * DISK;
            at(scheduler, now + service, shop, written);
        }
    }
}

fn written(shop: &'static RefCell<Central>, scheduler: &mut EventScheduler) {
    let central = &mut *shop.borrow_mut();
    let now = scheduler.current_time;
    central.events += 1;
    central.cycles += 1;
    central.at_disk -= 1;
    if central.at_disk > 0 {
        let service = central.stream.exponential() * DISK;
        at(scheduler, now + service, shop, written);
    }
    let think = central.stream.exponential() * THINK;
    at(scheduler, now + think, shop, thought);
}

fn closed(seed: u64, events: u64) -> Run {
    let shop: &'static _ = Box::leak(Box::new(RefCell::new(Central {
        stream: Stream::new(seed),
        processor: Sharing::new(CORES),
        at_disk: 0,
        cycles: 0,
        events: 0,
    })));
    let mut scheduler = EventScheduler::new();
    for _ in 0..CUSTOMERS {
        let think = shop.borrow_mut().stream.exponential() * THINK;
        at(&mut scheduler, think, shop, thought);
    }
    until(&mut scheduler, shop, move |central| central.events >= events);
    let central = shop.borrow();
    Run { events: central.events, answer: central.cycles as f64 / scheduler.current_time }
}
