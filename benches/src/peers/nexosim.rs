//! nexosim: a model whose methods schedule each other, on one thread.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nexosim::model::{Context, Model, SchedulableId, schedulable};
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

use super::Sharing;
use crate::random::Stream;
use crate::workload::{CORES, CUSTOMERS, DISK, PROCESSOR, Run, THINK, Workload};

/// Simulates `events` events.
pub fn run(workload: Workload, seed: u64, events: u64) -> Run {
    let found = Arc::new(Mutex::new(None));
    let bench = SimInit::with_num_threads(1);
    let bench = if workload == Workload::Closed {
        let central = Central {
            state: Some(CentralState {
                stream: Stream::new(seed),
                processor: Sharing::new(CORES),
                at_disk: 0,
                cycles: 0,
                left: Left::new(events, &found),
            }),
        };
        bench.add_model(central, Mailbox::new(), "central server")
    } else {
        let (servers, rate) = workload.open();
        let queue = Queue {
            state: Some(QueueState {
                stream: Stream::new(seed),
                servers,
                between: 1.0 / rate,
                busy: 0,
                line: VecDeque::new(),
                sum: 0.0,
                served: 0,
                left: Left::new(events, &found),
            }),
        };
        bench.add_model(queue, Mailbox::new(), "queue")
    };
    let mut simulation = bench.init(MonotonicTime::EPOCH).expect("the model starts");
    simulation.run().expect("the model runs until nothing is scheduled");
    let found = found.lock().expect("one thread").take();
    found.expect("it told what it found")
}

/// Events to go, and where to tell what was found.
struct Left {
    events: u64,
    done: u64,
    found: Arc<Mutex<Option<Run>>>,
}

impl Left {
    fn new(events: u64, found: &Arc<Mutex<Option<Run>>>) -> Self {
        Self { events, done: 0, found: Arc::clone(found) }
    }

    /// Whether that was the last.
    fn count(&mut self, answer: impl Fn() -> f64) -> bool {
        self.done += 1;
        if self.done == self.events {
            *self.found.lock().expect("one thread") = Some(Run { events: self.done, answer: answer() });
        }
        self.done >= self.events
    }
}

fn now<M: Model>(cx: &Context<M>) -> f64 {
    cx.time().duration_since(MonotonicTime::EPOCH).as_secs_f64()
}

/// Lets a method happen after some time; its clock counts nanoseconds.
fn after<M: Model, T: Send + Clone + 'static>(cx: &Context<M>, seconds: f64, method: SchedulableId<M, T>, argument: T) {
    let pause = Duration::from_secs_f64(seconds.max(1e-9)).max(Duration::from_nanos(1));
    cx.schedule_event(pause, &method, argument).expect("it is in the future");
}

/// A line before its servers.
#[derive(Serialize, Deserialize)]
pub struct Queue {
    #[serde(skip)]
    state: Option<QueueState>,
}

struct QueueState {
    stream: Stream,
    servers: usize,
    between: f64,
    busy: usize,
    line: VecDeque<f64>,
    sum: f64,
    served: u64,
    left: Left,
}

#[Model]
impl Queue {
    #[nexosim(init)]
    #[expect(clippy::unused_async, reason = "nexosim awaits it")]
    async fn init(&mut self, cx: &Context<Self>) {
        after(cx, 0.0, *schedulable!(Self::arrive), ());
    }

    #[nexosim(schedulable)]
    fn arrive(&mut self, (): (), cx: &Context<Self>) {
        let Some(state) = &mut self.state else { return };
        let (sum, served) = (state.sum, state.served as f64);
        if state.left.count(|| sum / served) {
            return;
        }
        let now = now(cx);
        if state.busy < state.servers {
            state.busy += 1;
            after(cx, state.stream.exponential(), *schedulable!(Self::depart), now);
        } else {
            state.line.push_back(now);
        }
        let next = state.stream.exponential() * state.between;
        after(cx, next, *schedulable!(Self::arrive), ());
    }

    #[nexosim(schedulable)]
    fn depart(&mut self, came: f64, cx: &Context<Self>) {
        let Some(state) = &mut self.state else { return };
        state.sum += now(cx) - came;
        state.served += 1;
        let (sum, served) = (state.sum, state.served as f64);
        if state.left.count(|| sum / served) {
            return;
        }
        if let Some(came) = state.line.pop_front() {
            after(cx, state.stream.exponential(), *schedulable!(Self::depart), came);
        } else {
            state.busy -= 1;
        }
    }
}

/// The closed network.
#[derive(Serialize, Deserialize)]
pub struct Central {
    #[serde(skip)]
    state: Option<CentralState>,
}

struct CentralState {
    stream: Stream,
    processor: Sharing,
    at_disk: u32,
    cycles: u64,
    left: Left,
}

#[Model]
impl Central {
    #[nexosim(init)]
    #[expect(clippy::unused_async, reason = "nexosim awaits it")]
    async fn init(&mut self, cx: &Context<Self>) {
        let Some(state) = &mut self.state else { return };
        for _ in 0..CUSTOMERS {
            let think = state.stream.exponential() * THINK;
            after(cx, think, *schedulable!(Self::thought), ());
        }
    }

    #[nexosim(schedulable)]
    fn thought(&mut self, (): (), cx: &Context<Self>) {
        let Some(state) = &mut self.state else { return };
        let (cycles, now) = (state.cycles as f64, now(cx));
        if state.left.count(|| cycles / now) {
            return;
        }
        let work = state.stream.exponential() * PROCESSOR;
        if let Some(due) = state.processor.arrive(now, 0, work) {
            after(cx, due - now, *schedulable!(Self::computed), due);
        }
    }

    #[nexosim(schedulable)]
    fn computed(&mut self, announced: f64, cx: &Context<Self>) {
        let Some(state) = &mut self.state else { return };
        // The clock is rounded to nanoseconds.
        let now = now(cx).max(announced);
        let (leaves, due) = state.processor.complete(now, announced);
        if leaves.is_some() {
            let cycles = state.cycles as f64;
            if state.left.count(|| cycles / now) {
                return;
            }
            state.at_disk += 1;
            if state.at_disk == 1 {
                let service = state.stream.exponential() * DISK;
                after(cx, service, *schedulable!(Self::written), ());
            }
        }
        if let Some(due) = due {
            after(cx, due - now, *schedulable!(Self::computed), due);
        }
    }

    #[nexosim(schedulable)]
    fn written(&mut self, (): (), cx: &Context<Self>) {
        let Some(state) = &mut self.state else { return };
        state.cycles += 1;
        state.at_disk -= 1;
        let (cycles, now) = (state.cycles as f64, now(cx));
        if state.left.count(|| cycles / now) {
            return;
        }
        if state.at_disk > 0 {
            let service = state.stream.exponential() * DISK;
            after(cx, service, *schedulable!(Self::written), ());
        }
        let think = state.stream.exponential() * THINK;
        after(cx, think, *schedulable!(Self::thought), ());
    }
}
