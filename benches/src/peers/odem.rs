//! odem-rs: processes as asynchronous functions.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::pin;
use std::task::Waker;

use odem_rs::prelude::*;

use super::Sharing;
use crate::random::Stream;
use crate::workload::{CORES, CUSTOMERS, DISK, PROCESSOR, Run, THINK, Workload};

/// Simulates `events` events.
pub fn run(workload: Workload, seed: u64, events: u64) -> Run {
    if workload == Workload::Closed {
        return closed(seed, events);
    }
    Simulator::default()
        .run(async |sim: &Sim| open_queue(sim, workload, seed, events).await)
        .expect("somebody always has something to do")
}

/// A line before servers that sleep while it is empty, as in odem-rs' own example `mm1`.
struct Queue {
    stream: RefCell<Stream>,
    line: RefCell<VecDeque<f64>>,
    asleep: RefCell<Vec<Waker>>,
    sum: Cell<f64>,
    served: Cell<u64>,
    arrived: Cell<u64>,
}

impl Queue {
    async fn serve(&self, sim: &Sim) {
        loop {
            loop {
                let Some(came) = self.line.borrow_mut().pop_front() else {
                    break;
                };
                let service = self.stream.borrow_mut().exponential();
                sim.advance(service).await;
                self.sum.set(self.sum.get() + sim.now() - came);
                self.served.set(self.served.get() + 1);
            }
            let own = waker().await;
            self.asleep.borrow_mut().push(own);
            sleep().await;
        }
    }

    async fn arrivals(&self, sim: &Sim, between: f64, events: u64) {
        while self.arrived.get() + self.served.get() < events {
            let pause = self.stream.borrow_mut().exponential() * between;
            sim.advance(pause).await;
            self.arrived.set(self.arrived.get() + 1);
            self.line.borrow_mut().push_back(sim.now());
            if let Some(server) = self.asleep.borrow_mut().pop() {
                server.wake();
            }
        }
    }
}

async fn open_queue(sim: &Sim, workload: Workload, seed: u64, events: u64) -> Run {
    let (servers, rate) = workload.open();
    let queue = Queue {
        stream: RefCell::new(Stream::new(seed)),
        line: RefCell::default(),
        asleep: RefCell::default(),
        sum: Cell::new(0.0),
        served: Cell::new(0),
        arrived: Cell::new(0),
    };
    let pool = pin!(Pool::with_capacity(servers).with(Job::new));
    for _ in 0..servers {
        sim.activate(pool.alloc(queue.serve(sim)));
    }
    queue.arrivals(sim, 1.0 / rate, events).await;
    // Nobody may be remembered when the servers are gone.
    queue.asleep.borrow_mut().clear();
    Run { events: queue.arrived.get() + queue.served.get(), answer: queue.sum.get() / queue.served.get() as f64 }
}

/// The closed network: customers are processes, the disk is a facility, and the completions of the
/// shared processor are rung by processes of their own.
#[derive(Config)]
struct Central {
    stream: RefCell<Stream>,
    disk: Facility,
    processor: RefCell<Sharing>,
    /// Customers at the processor, by number.
    inside: RefCell<Vec<Option<Waker>>>,
    cycles: Cell<u64>,
    events: Cell<u64>,
}

impl Central {
    fn draw(&self, mean: f64) -> f64 {
        self.stream.borrow_mut().exponential() * mean
    }

    fn count(&self) {
        self.events.set(self.events.get() + 1);
    }
}

struct Customer(u32);

impl Behavior<Central> for Customer {
    type Output = ();

    async fn actions(&self, sim: &Sim<Central>) {
        let central = sim.global();
        loop {
            sim.advance(central.draw(THINK)).await;
            central.count();
            let own = waker().await;
            central.inside.borrow_mut()[self.0 as usize] = Some(own);
            let work = central.draw(PROCESSOR);
            let due = central.processor.borrow_mut().arrive(sim.now(), self.0, work);
            if let Some(due) = due {
                sim.spawn_at(Bell(due), due - sim.now());
            }
            sleep().await;
            let disk = central.disk.seize().await;
            sim.advance(central.draw(DISK)).await;
            disk.release();
            central.count();
            central.cycles.set(central.cycles.get() + 1);
        }
    }
}

/// Rings when the processor may be done with somebody.
struct Bell(f64);

impl Behavior<Central> for Bell {
    type Output = ();

    async fn actions(&self, sim: &Sim<Central>) {
        let central = sim.global();
        let mut announced = self.0;
        loop {
            let (leaves, next) = central.processor.borrow_mut().complete(sim.now(), announced);
            if let Some(who) = leaves {
                central.count();
                if let Some(customer) = central.inside.borrow_mut()[who as usize].take() {
                    customer.wake();
                }
            }
            let Some(due) = next else {
                return;
            };
            announced = due;
            sim.advance(due - sim.now()).await;
        }
    }
}

fn closed(seed: u64, events: u64) -> Run {
    let central = Central {
        stream: RefCell::new(Stream::new(seed)),
        disk: Facility::new(),
        processor: RefCell::new(Sharing::new(CORES)),
        inside: RefCell::new(vec![None; CUSTOMERS as usize]),
        cycles: Cell::new(0),
        events: Cell::new(0),
    };
    // A cycle is three events.
    let time = events as f64 / (3.0 * Workload::Closed.truth().1);
    let simulator = Simulator::new(central);
    simulator
        .run(async |sim| {
            for who in 0..CUSTOMERS {
                sim.spawn(Customer(who));
            }
            sim.advance(time).await;
            // Nobody may be remembered when the customers are gone.
            sim.global().inside.borrow_mut().clear();
        })
        .expect("somebody always has something to do");
    let central = simulator.into_inner();
    Run { events: central.events.get(), answer: central.cycles.get() as f64 / time }
}
