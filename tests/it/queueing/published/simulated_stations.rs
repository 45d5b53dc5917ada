//! Simulations of the cases that are no networks, by the name of the case.

use plimsoll::sim::{
    Arrivals, Cache, CacheKind, Class, Discipline, Distribution, Estimate, Lock, Mode, Model, Outcome, Source, Station,
    Step,
};

use super::simulated::{Effort, exponential, run, scaled};

/// A figure of an outcome.
type Pick = fn(&Outcome) -> Estimate;

/// The same, with numbers of its own.
type OwnPick = Box<dyn Fn(&Outcome) -> Estimate>;

/// A model, its events per time, and which figures of the case it answers.
struct Plan {
    model: Model,
    events_per_time: f64,
    picks: Vec<OwnPick>,
}

/// Simulated figures of a case, in their order; none if it is not simulated.
pub(super) fn simulate(id: &str, effort: Effort) -> Option<Vec<Estimate>> {
    let plans = plans(id);
    (!plans.is_empty()).then(|| {
        plans
            .iter()
            .flat_map(|plan| {
                let outcome = run(&plan.model, plan.events_per_time, effort);
                plan.picks.iter().map(|pick| pick(&outcome)).collect::<Vec<_>>()
            })
            .collect()
    })
}

fn plans(id: &str) -> Vec<Plan> {
    use Discipline::{Fcfs, PreemptivePriority, Priority, Ps};
    let third = || exponential(1.0 / 3.0);
    match id {
        "R2" => vec![station(Fcfs, 8.0, 6.4, exponential(1.0), &[response, number])],
        "R3" => vec![
            station(Fcfs, 1.0, 2.0, third(), &[response]),
            station(Fcfs, 2.0, 2.0, third(), &[|o| less(response(o), 1.0 / 3.0), response]),
        ],
        "E1" => vec![station(Fcfs, 2.0, 9.0, exponential(0.2), &[|o| less(number(o), 1.8), response])],
        "E2" => vec![station(Fcfs, 4.0, 9.0, exponential(0.2), &[|o| less(number(o), 1.8), response])],
        "R5a" => vec![station(Fcfs, 1.0, 1.0, coxian(), &[response, number, response])],
        "R5b" => vec![station(Ps, 1.0, 1.0, coxian(), &[response, number])],
        "E4" => {
            let service = Distribution::Erlang { mean: 0.009, phases: 9 };
            vec![station(Fcfs, 1.0, 80.0, service, &[|o| less(response(o), 0.009), busy])]
        }
        "R4a" => vec![hospital(Priority, 1.0)],
        "R4b" => vec![hospital(PreemptivePriority, 1.0)],
        "R4c" => vec![hospital(Priority, 2.0)],
        "R4d" => vec![hospital(PreemptivePriority, 2.0)],
        "E6" => vec![repair_shop(6, 1.0)],
        "E7" => vec![repair_shop(20, 3.0)],
        "R28" => [0.3, 0.5, 0.7].map(fork).into(),
        "R30b" => vec![lock(0.1, 1.0, 1.0), lock(0.02, 0.05, 0.2), lock(0.5, 1.0, 2.0)],
        "R34b" => vec![cache(0.8, 10_000, 100), cache(0.8, 10_000, 1000), cache(1.0, 100_000, 1000)],
        _ => Vec::new(),
    }
}

fn response(outcome: &Outcome) -> Estimate {
    outcome.classes[0].total.response
}

fn number(outcome: &Outcome) -> Estimate {
    outcome.stations[0].queue_length
}

fn busy(outcome: &Outcome) -> Estimate {
    outcome.stations[0].utilization
}

fn less(estimate: Estimate, by: f64) -> Estimate {
    Estimate { value: estimate.value - by, ..estimate }
}

/// JMT's Coxian of mean 0.5 and c² = 4.
fn coxian() -> Distribution {
    Distribution::Coxian { phases: vec![0.25, 2.0], continues: vec![0.125] }
}

fn one_station(discipline: Discipline, servers: f64) -> Station {
    Station { name: "station".to_owned(), discipline, servers, speeds: Vec::new() }
}

fn class(source: Source, program: Vec<Step>) -> Class {
    Class { name: "class".to_owned(), source, program, priority: 0, profile: None }
}

fn poisson(rate: f64) -> Source {
    Source::Open(Arrivals::Renewal(exponential(1.0 / rate)))
}

fn serve(station: usize, service: Distribution) -> Step {
    Step::Serve { station, service }
}

fn plan(model: Model, events_per_time: f64, picks: &[Pick]) -> Plan {
    Plan { model, events_per_time, picks: picks.iter().map(|pick| Box::new(*pick) as OwnPick).collect() }
}

fn station(discipline: Discipline, servers: f64, rate: f64, service: Distribution, picks: &[Pick]) -> Plan {
    let model = Model {
        stations: vec![one_station(discipline, servers)],
        classes: vec![class(poisson(rate), vec![serve(0, service)])],
        ..Model::default()
    };
    plan(model, 2.0 * rate, picks)
}

/// Waits of critical, serious and stable patients.
fn hospital(discipline: Discipline, doctors: f64) -> Plan {
    let patients = (0..)
        .zip([0.2, 0.6, 1.2])
        .map(|(priority, rate)| Class { priority, ..class(poisson(rate), vec![serve(0, exponential(1.0 / 3.0))]) });
    let model =
        Model { stations: vec![one_station(discipline, doctors)], classes: patients.collect(), ..Model::default() };
    let wait: [Pick; 3] = [
        |o| less(o.classes[0].total.response, 1.0 / 3.0),
        |o| less(o.classes[1].total.response, 1.0 / 3.0),
        |o| less(o.classes[2].total.response, 1.0 / 3.0),
    ];
    plan(model, 4.0, &wait)
}

/// Idle repairmen, and machines that wait.
fn repair_shop(machines: u32, repairmen: f64) -> Plan {
    let source = Source::Closed { population: machines, think: exponential(10.0) };
    let model = Model {
        stations: vec![one_station(Discipline::Fcfs, repairmen)],
        classes: vec![class(source, vec![serve(0, exponential(1.0))])],
        ..Model::default()
    };
    let mut plan = plan(model, 2.0 * f64::from(machines) / 11.0, &[|o| less(scaled(busy(o), -1.0), -1.0)]);
    plan.picks.push(Box::new(move |o| {
        let served = busy(o).value * repairmen;
        scaled(less(number(o), served), 1.0 / f64::from(machines))
    }));
    plan
}

fn fork(load: f64) -> Plan {
    let branch = |station| vec![serve(station, exponential(1.0))];
    let model = Model {
        stations: vec![one_station(Discipline::Fcfs, 1.0), one_station(Discipline::Fcfs, 1.0)],
        classes: vec![class(poisson(load), vec![Step::Fork(vec![branch(0), branch(1)])])],
        ..Model::default()
    };
    plan(model, 3.0 * load, &[response])
}

/// Writers a second through a lock that two hundred customers always want.
fn lock(writers: f64, read: f64, write: f64) -> Plan {
    let hold = |mode, time, activity| {
        let body = vec![Step::Lock(vec![(0, mode)]), serve(0, exponential(time)), Step::Unlock(vec![0])];
        vec![Step::Timed { activity, body }]
    };
    let source = Source::Closed { population: 200, think: exponential(0.0) };
    let program = vec![Step::Choose(vec![
        (writers, hold(Mode::Exclusive, write, 0)),
        (1.0 - writers, hold(Mode::Shared, read, 1)),
    ])];
    let model = Model {
        stations: vec![one_station(Discipline::Delay, 1.0)],
        locks: vec![Lock { name: "lock".to_owned() }],
        activities: vec!["write".to_owned(), "read".to_owned()],
        classes: vec![class(source, program)],
        ..Model::default()
    };
    // A writer, and the readers before it.
    let cycle = write + read * (1.0 / writers).ln();
    plan(model, 1.0 / writers / cycle, &[|o| o.activities[0].throughput])
}

/// Hits of one customer who asks for one item after the other.
fn cache(skew: f64, items: usize, capacity: usize) -> Plan {
    let source = Source::Closed { population: 1, think: exponential(0.0) };
    let refer = Step::Refer { cache: 0, hit: Vec::new(), miss: Vec::new() };
    let kind = CacheKind::Lru { capacity, items, skew };
    let model = Model {
        stations: vec![one_station(Discipline::Delay, 1.0)],
        caches: vec![Cache { name: "cache".to_owned(), kind }],
        classes: vec![class(source, vec![serve(0, exponential(1.0)), refer])],
        ..Model::default()
    };
    plan(model, 1.0, &[|o| o.cache_hits[0]])
}
