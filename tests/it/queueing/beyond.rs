//! What has no product form, against Markov chains solved state by state.
//!
//! `cargo test --no-default-features beyond -- --nocapture` prints the errors that the module docs
//! quote.

use plimsoll::queueing::{Approximation, Class, Discipline, Method, Network, Pool, Station, mixed, solve};

use super::chain::{mean, stationary};
use super::near;

/// Asserts a value within a fraction of the truth, and prints how far it is off.
#[track_caller]
fn within(what: &str, found: f64, exact: f64, limit: f64) {
    let error = found / exact - 1.0;
    let line = format!("{what:72} {exact:9.5} {found:9.5} {:7.2} %", 100.0 * error);
    eprint(&line);
    assert!(error.abs() <= limit, "{what}: {found} is not {exact}");
}

#[expect(clippy::print_stderr, reason = "shown by --nocapture")]
fn eprint(line: &str) {
    eprintln!("{line}");
}

/// Two closed classes that think and visit one station of `servers`, exponential services.
struct Pair {
    servers: usize,
    population: [u32; 2],
    think: [f64; 2],
    service: [f64; 2],
}

const PAIRS: [Pair; 4] = [
    Pair { servers: 1, population: [3, 3], think: [4.0, 4.0], service: [1.0, 0.25] },
    Pair { servers: 1, population: [4, 2], think: [20.0, 2.0], service: [1.0, 0.5] },
    Pair { servers: 1, population: [4, 4], think: [2.0, 10.0], service: [0.2, 2.0] },
    Pair { servers: 2, population: [4, 3], think: [3.0, 3.0], service: [1.0, 0.2] },
];

impl Pair {
    fn network(&self, discipline: Discipline) -> Network {
        let station = Station::queueing("station", self.servers as u32);
        let class = |idx: usize| {
            let population = f64::from(self.population[idx]);
            Class::closed("class", population, self.think[idx], vec![self.service[idx]]).with_priority(idx as u8)
        };
        Network::new(vec![station.with_discipline(discipline)], vec![class(0), class(1)])
    }

    /// Throughputs first come first served; a state is who is there, in order.
    fn fcfs(&self) -> [f64; 2] {
        let states = stationary(Vec::<usize>::new(), |line| {
            let mut next = Vec::new();
            for class in 0..2 {
                let here = line.iter().filter(|&&who| who == class).count() as u32;
                if here < self.population[class] {
                    let mut longer = line.clone();
                    longer.push(class);
                    next.push((longer, f64::from(self.population[class] - here) / self.think[class]));
                }
            }
            for at in 0..line.len().min(self.servers) {
                let mut shorter = line.clone();
                shorter.remove(at);
                next.push((shorter, 1.0 / self.service[line[at]]));
            }
            next
        });
        self.throughputs(|class| mean(&states, |line| line.iter().filter(|&&who| who == class).count() as f64))
    }

    /// Throughputs with class 0 first; a state is how many are there, and who is served.
    fn priority(&self, preempts: bool) -> [f64; 2] {
        type State = ([u32; 2], [u32; 2]);
        let servers = self.servers as u32;
        let settle = |(mut there, mut served): State| -> State {
            if preempts {
                served = [there[0].min(servers), 0];
                served[1] = there[1].min(servers - served[0]);
            } else {
                for class in 0..2 {
                    while served[0] + served[1] < servers && served[class] < there[class] {
                        served[class] += 1;
                    }
                }
            }
            there[0] = there[0].min(self.population[0]);
            (there, served)
        };
        let states = stationary(([0, 0], [0, 0]), |&(there, served)| {
            let mut next = Vec::new();
            for class in 0..2 {
                let away = self.population[class] - there[class];
                if away > 0 {
                    let mut more = there;
                    more[class] += 1;
                    next.push((settle((more, served)), f64::from(away) / self.think[class]));
                }
                if served[class] > 0 {
                    let (mut fewer, mut left) = (there, served);
                    fewer[class] -= 1;
                    left[class] -= 1;
                    let rate = f64::from(served[class]) / self.service[class];
                    next.push((settle((fewer, left)), rate));
                }
            }
            next
        });
        self.throughputs(|class| mean(&states, |(there, _)| f64::from(there[class])))
    }

    fn throughputs(&self, number: impl Fn(usize) -> f64) -> [f64; 2] {
        [0, 1].map(|class| (f64::from(self.population[class]) - number(class)) / self.think[class])
    }
}

fn compare(what: &str, discipline: Discipline, limit: f64, exact: impl Fn(&Pair) -> [f64; 2]) {
    for (idx, pair) in PAIRS.iter().enumerate() {
        let network = pair.network(discipline);
        let solution = solve(&network).unwrap();
        assert_eq!(solution.approximations.len(), 1);
        for (class, exact) in exact(pair).into_iter().enumerate() {
            let what = format!("{what}, case {idx}, class {class}: throughput");
            within(&what, solution.classes[class].throughput, exact, limit);
        }
    }
}

#[test]
fn first_come_first_served_with_unlike_services_is_near_its_chain() {
    compare("first come first served", Discipline::Fcfs, 0.2, Pair::fcfs);
}

#[test]
fn priorities_are_near_their_chain() {
    compare("priority", Discipline::Priority, 0.10, |pair| pair.priority(false));
    compare("preemptive priority", Discipline::PreemptivePriority, 0.15, |pair| pair.priority(true));
}

/// One class at a station with hyperexponential or Erlang service: a state is how many are there and
/// in which phase the service is.
#[test]
fn services_that_are_not_exponential_are_near_their_chain() {
    for (scv, limit) in [(0.5, 0.04), (4.0, 0.12)] {
        let (users, think, service) = (8_u32, 6.0, 1.0);
        // c² = 1/2: two phases in line; c² = 4: balanced means, either phase.
        let (p, means) = if scv < 1.0 {
            (1.0, [service / 2.0, service / 2.0])
        } else {
            let p = 0.5 * (1.0 + f64::sqrt((scv - 1.0) / (scv + 1.0)));
            (p, [service / (2.0 * p), service / (2.0 * (1.0 - p))])
        };
        let begin = |n: u32, rate: f64| -> Vec<((u32, usize), f64)> {
            if n == 0 { vec![((0, 0), rate)] } else { vec![((n, 0), rate * p), ((n, 1), rate * (1.0 - p))] }
        };
        let states = stationary((0_u32, 0_usize), |&(n, phase)| {
            let mut next = Vec::new();
            let arrivals = f64::from(users - n) / think;
            if n == 0 {
                next.extend(begin(1, arrivals));
            } else if n < users {
                next.push(((n + 1, phase), arrivals));
            }
            if n > 0 {
                let rate = 1.0 / means[phase];
                if scv < 1.0 && phase == 0 {
                    next.push(((n, 1), rate));
                } else {
                    next.extend(begin(n - 1, rate));
                }
            }
            next
        });
        let exact = (f64::from(users) - mean(&states, |s| f64::from(s.0))) / think;
        let network = Network::new(
            vec![Station::queueing("disk", 1).with_discipline(Discipline::Fcfs)],
            vec![Class::closed("users", f64::from(users), think, vec![service]).with_scv(vec![scv])],
        );
        let solution = solve(&network).unwrap();
        assert_eq!(solution.approximations, [Approximation::UnlikeService]);
        within(
            &format!("first come first served, c² = {scv}: throughput"),
            solution.classes[0].throughput,
            exact,
            limit,
        );
    }
}

#[test]
fn open_classes_get_pollaczek_khinchine_cobham_and_preemptive_resume() {
    let open = |discipline: Discipline, scv: [f64; 2]| {
        let station = Station::queueing("station", 1).with_discipline(discipline);
        let class = |idx: usize, rate: f64, time: f64| {
            Class::open("open", rate, vec![time]).with_scv(vec![scv[idx]]).with_priority(idx as u8)
        };
        let network = Network::new(vec![station], vec![class(0, 0.4, 0.5), class(1, 0.2, 2.0)]);
        let solution = mixed::solve(&network, Method::ClosedForm).unwrap();
        [0, 1].map(|idx| solution.classes[idx].response_time)
    };
    // Σ λ·E[S²]/2 with c² = 3 and 0.
    let rest = 0.4 * 0.25 * 4.0 / 2.0 + 0.2 * 4.0 / 2.0;
    let fcfs = open(Discipline::Fcfs, [3.0, 0.0]);
    near(fcfs[0], 0.5 + rest / 0.4, 1e-12);
    near(fcfs[1], 2.0 + rest / 0.4, 1e-12);
    let cobham = open(Discipline::Priority, [3.0, 0.0]);
    near(cobham[0], 0.5 + rest / 0.8, 1e-12);
    near(cobham[1], 2.0 + rest / (0.8 * 0.4), 1e-12);
    let resume = open(Discipline::PreemptivePriority, [1.0, 1.0]);
    near(resume[0], 0.5 / 0.8, 1e-12);
    near(resume[1], 2.0 / 0.8 + (0.4 * 0.25 + 0.2 * 4.0) / (0.8 * 0.4), 1e-12);
}

/// Customers think and fork into branches of one exponential server each. A state is how many have
/// not yet finished each branch; whoever is in the fork is in the longest.
#[test]
fn closed_forks_are_near_their_chain() {
    let cases: [(u32, f64, &[f64], f64); 6] = [
        (4, 0.0, &[1.0, 1.0], 1e-6),
        (4, 3.0, &[1.0, 1.0], 0.03),
        (6, 10.0, &[1.0, 1.0], 0.03),
        (5, 4.0, &[1.0, 0.6], 0.03),
        (4, 4.0, &[1.0, 1.0, 1.0], 0.04),
        (3, 5.0, &[1.0, 0.8, 0.6, 0.4], 0.04),
    ];
    for (users, think, times, limit) in cases {
        let most = |state: &Vec<u32>| state.iter().copied().max().unwrap_or(0);
        // Without thinking somebody always is in the fork.
        let start = vec![if think == 0.0 { users } else { 0 }; times.len()];
        let states = stationary(start, |state| {
            let mut next = Vec::new();
            let away = users - most(state);
            if away > 0 && think > 0.0 {
                let more = state.iter().map(|n| n + 1).collect();
                next.push((more, f64::from(away) / think));
            }
            for (idx, time) in times.iter().enumerate() {
                if state[idx] > 0 {
                    let mut fewer = state.clone();
                    fewer[idx] -= 1;
                    if think == 0.0 && most(&fewer) < users {
                        for n in &mut fewer {
                            *n += 1;
                        }
                    }
                    next.push((fewer, 1.0 / time));
                }
            }
            next
        });
        let exact = mean(&states, |state| if state[0] > 0 { 1.0 } else { 0.0 }) / times[0];
        let stations = (0..times.len()).map(|k| Station::queueing(format!("branch {k}"), 1));
        let class = Class::closed("users", f64::from(users), think, times.to_vec())
            .with_fork((0..times.len()).map(|k| vec![k]).collect());
        let network = Network::new(stations.collect(), vec![class]);
        let found = solve(&network).unwrap();
        within(
            &format!("fork, {users} users, think {think}, branches {times:?}: throughput"),
            found.classes[0].throughput,
            exact,
            limit,
        );
    }
}

#[test]
fn two_branches_of_a_poisson_stream_are_flattos_and_hahns() {
    for (rate, published) in [(0.3, 2.08929), (0.5, 2.875), (0.7, 4.70833)] {
        let class = Class::open("requests", rate, vec![1.0, 1.0]).with_fork(vec![vec![0], vec![1]]);
        let stations = vec![Station::queueing("left", 1), Station::queueing("right", 1)];
        let solution = solve(&Network::new(stations, vec![class])).unwrap();
        assert_eq!(solution.approximations, [Approximation::Fork]);
        within(&format!("fork of a stream of {rate}"), solution.classes[0].response_time, published, 0.001);
        near(solution.classes[0].fork_time[0], solution.classes[0].response_time, 1e-12);
    }
}

/// Users think, visit a station outside, wait for one of `capacity` and go through two stations.
fn pool_chain(users: u32, capacity: u32, think: f64, times: [f64; 3]) -> f64 {
    // Outside station, at the pool, of those inside at the second station.
    let states = stationary((0_u32, 0_u32, 0_u32), |&(outside, pool, second)| {
        let mut next = Vec::new();
        let away = users - outside - pool;
        if away > 0 {
            let state = if times[0] > 0.0 { (outside + 1, pool, second) } else { (outside, pool + 1, second) };
            next.push((state, f64::from(away) / think));
        }
        if outside > 0 {
            next.push(((outside - 1, pool + 1, second), 1.0 / times[0]));
        }
        if pool.min(capacity) > second {
            next.push(((outside, pool, second + 1), 1.0 / times[1]));
        }
        if second > 0 {
            next.push(((outside, pool - 1, second - 1), 1.0 / times[2]));
        }
        next
    });
    mean(&states, |s| f64::from(users - s.0 - s.1)) / think
}

fn pool_network(users: u32, capacity: u32, think: f64, times: [f64; 3]) -> Network {
    let stations = ["outside", "processor", "disk"].map(|name| Station::queueing(name, 1));
    let class = Class::closed("users", f64::from(users), think, times.to_vec());
    Network {
        pools: vec![Pool::new("threads", capacity, vec![1, 2], vec![0])],
        ..Network::new(stations.into(), vec![class])
    }
}

#[test]
fn pools_are_near_their_chain() {
    let cases = [
        (8, 2, 6.0, [0.0, 0.5, 1.0], 0.015),
        (12, 4, 8.0, [0.0, 0.9, 1.0], 0.015),
        (8, 2, 5.0, [0.8, 0.5, 0.9], 0.015),
        (10, 3, 4.0, [1.0, 0.9, 0.9], 0.015),
    ];
    for (users, capacity, think, times, limit) in cases {
        let network = pool_network(users, capacity, think, times);
        let solution = solve(&network).unwrap();
        let class = &solution.classes[0];
        let exact = pool_chain(users, capacity, think, times);
        let what = format!("pool of {capacity}, {users} users, {times:?}: throughput");
        within(&what, class.throughput, exact, limit);
        // Little's law over everything.
        let time = class.residence_time.iter().sum::<f64>() + class.pool_wait[0];
        near(class.response_time, time, 1e-9);
        near(class.throughput * (time + think), f64::from(users), 1e-6);
        near(solution.pools[0].waiting, class.throughput * class.pool_wait[0], 1e-6);
        assert!((0.0..=1.0).contains(&solution.pools[0].utilization));
    }
}

#[test]
fn a_pool_that_cannot_be_exhausted_changes_nothing() {
    let network = pool_network(5, 5, 3.0, [0.4, 0.5, 0.6]);
    let free = Network { pools: Vec::new(), ..network.clone() };
    let (one, other) = (solve(&network).unwrap(), solve(&free).unwrap());
    near(one.classes[0].throughput, other.classes[0].throughput, 1e-12);
    assert_eq!(one.classes[0].pool_wait, [0.0]);
}

#[test]
fn a_stream_into_a_pool_of_servers_is_m_m_m() {
    // A delay inside and three of it at most: M/M/3.
    let network = Network {
        pools: vec![Pool::new("tokens", 3, vec![0], vec![0])],
        ..Network::new(vec![Station::delay("work")], vec![Class::open("requests", 2.4, vec![1.0])])
    };
    let truth = Network::new(vec![Station::queueing("servers", 3)], vec![Class::open("requests", 2.4, vec![1.0])]);
    let (found, exact) = (solve(&network).unwrap(), solve(&truth).unwrap());
    near(found.classes[0].response_time, exact.classes[0].response_time, 1e-9);
    near(found.pools[0].utilization, 0.8, 1e-9);
    near(found.classes[0].pool_wait[0], exact.classes[0].response_time - 1.0, 1e-9);
}
