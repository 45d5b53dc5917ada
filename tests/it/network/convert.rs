//! What becomes of a file: the simulator's model, and the analytic network with what it simplifies.

use plimsoll::network::{self, Analytic, Method, Simplification, Unsolved};
use plimsoll::queueing::{Discipline, StationKind, Workload};
use plimsoll::sim::{Distribution, Mode, Step};

use super::file;

fn exp(mean: f64) -> Distribution {
    Distribution::Exponential { mean }
}

#[test]
fn whole_visits_are_spread_over_the_way() {
    let file = file(
        "[station.cpu]\n[station.disk]\n[class.c]\npopulation = 1\nvisits = { cpu = 3, disk = 1 }\nservice = { cpu = \"1 s\", disk = \"2 s\" }\n",
    );
    let stations: Vec<usize> = file.model.classes[0]
        .program
        .iter()
        .map(|step| match step {
            Step::Serve { station, .. } => *station,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(stations, [0, 0, 1, 0]);
    let class = &Analytic::of(&file.model).network.classes[0];
    assert_eq!(class.demands, [3.0, 2.0]);
    assert_eq!(class.visits, [3.0, 1.0]);
}

#[test]
fn fractional_visits_keep_their_means() {
    let file = file(
        "[station.cpu]\n[station.disk]\n[class.c]\npopulation = 1\nvisits = { cpu = 1, disk = 0.25 }\nservice = { cpu = \"1 s\", disk = \"2 s\" }\n",
    );
    let class = &Analytic::of(&file.model).network.classes[0];
    assert!((class.visits[0] - 1.0).abs() < 1e-12);
    assert!((class.demands[1] - 0.5).abs() < 1e-12);
}

#[test]
fn a_closed_class_that_never_leaves_is_round_when_it_is_back() {
    let file = file(
        "[station.a]\n[station.b]\n[class.c]\npopulation = 2\nservice = { a = \"1 s\", b = \"2 s\" }\nrouting = { a = { a = 0.5, b = 0.5 }, b = \"a\" }\n",
    );
    let class = &Analytic::of(&file.model).network.classes[0];
    assert!((class.visits[0] - 1.0).abs() < 1e-12, "one visit where it enters");
    assert!((class.visits[1] - 0.5).abs() < 1e-12);
}

#[test]
fn a_link_has_as_many_streams_as_windows_fill_it() {
    let file = file(
        "[station.wan]\nkind = \"link\"\nbandwidth = \"10 MB/s\"\nwindow = \"1 MB\"\nrtt = \"250 ms\"\n[class.c]\nrate = \"1 /s\"\ndemand.wan = \"2 MB\"\n",
    );
    let network = Analytic::of(&file.model).network;
    assert_eq!(network.stations[0].kind, StationKind::Link { capacity: 2.5 });
    // One stream gets 4 MB/s.
    assert!((network.classes[0].demands[0] - 0.5).abs() < 1e-12);
}

#[test]
fn disciplines_priorities_and_shapes_reach_the_solvers() {
    let file = file(
        "[station.s]\nkind = \"preemptive-priority\"\nservers = 3\n[class.c]\nrate = \"1 /s\"\npriority = 7\ndemand.s = { mean = \"100 ms\", scv = 0.25 }\n",
    );
    assert_eq!(file.model.classes[0].priority, 7);
    let network = Analytic::of(&file.model).network;
    assert_eq!(network.stations[0].discipline, Discipline::PreemptivePriority);
    assert_eq!(network.stations[0].kind, StationKind::Queueing { servers: 3 });
    assert_eq!(network.classes[0].priority, 7);
    assert!((network.classes[0].scv[0] - 0.25).abs() < 1e-12);
}

#[test]
fn locks_are_taken_in_the_order_of_the_file() {
    let file = file(
        "[station.cpu]\n[lock.b]\n[lock.a]\n[class.c]\nrate = \"1 /s\"\nservice.cpu = \"1 ms\"\npath = [{ shared = [\"a\"], exclusive = \"b\", steps = [\"cpu\"] }]\n",
    );
    assert_eq!(
        file.model.classes[0].program,
        [
            Step::Lock(vec![(0, Mode::Exclusive), (1, Mode::Shared)]),
            Step::Serve { station: 0, service: exp(1e-3) },
            Step::Unlock(vec![1, 0]),
        ]
    );
}

#[test]
fn a_path_counts_with_its_probabilities() {
    let file = file(
        "[station.cpu]\n[station.disk]\n[cache.c]\nhit = \"75 %\"\n[class.c]\nrate = \"1 /s\"\nservice = { cpu = \"1 s\", disk = \"8 s\" }\npath = [{ repeat = 2, steps = [{ cache = \"c\", miss = [\"disk\"] }] }, { choose = [{ chance = 0.5, steps = [\"cpu\"] }] }]\n",
    );
    let analytic = Analytic::of(&file.model);
    assert_eq!(analytic.network.classes[0].demands, [0.5, 4.0]);
    assert!(analytic.is_exact());
}

#[test]
fn what_means_do_not_say_is_told() {
    let file = file(
        "[station.cpu]\n[station.disk]\n[lock.l]\n[cache.c]\nitems = 100\ncapacity = 10\n[class.c]\ninterarrival = { mean = \"1 s\", scv = 4 }\nservice = { cpu = \"1 ms\", disk = \"1 ms\" }\npath = [{ exclusive = \"l\", steps = [\"cpu\"] }, { cache = \"c\", miss = [\"disk\"] }, { sized = { scv = 2 }, steps = [\"cpu\"] }, { spawn = [\"disk\"] }, { fork = [[\"cpu\"], [\"cpu\"]] }]\n",
    );
    let class = || "c".to_owned();
    let found = Analytic::of(&file.model).simplifications;
    for expected in [
        Simplification::PoissonArrivals { class: class() },
        Simplification::LockWaits,
        Simplification::CacheMeans { cache: class() },
        Simplification::Sizes { class: class() },
        Simplification::Spawned { class: class() },
        Simplification::ForkInSequence { class: class() },
    ] {
        assert!(found.contains(&expected), "{expected} is not among {found:?}");
    }
    assert_eq!(found.len(), 6);
    let Err(Unsolved::NotExact(reasons)) = network::solve(&file, Method::Exact) else {
        panic!("solved exactly");
    };
    assert_eq!(reasons.len(), 6);
}

#[test]
fn a_pool_around_whole_stations_is_kept_and_others_are_told() {
    let text = |path: &str| {
        format!(
            "[station.cpu]\n[station.disk]\n[pool.p]\ncapacity = 8\n[class.c]\nrate = \"1 /s\"\nservice = {{ cpu = \"1 ms\", disk = \"1 ms\" }}\npath = {path}\n"
        )
    };
    let whole = Analytic::of(&file(&text("[\"cpu\", { pool = \"p\", count = 2, steps = [\"disk\"] }]")).model);
    assert_eq!(whole.network.pools[0].capacity, 4);
    assert_eq!(whole.network.pools[0].stations, [1]);
    assert!(whole.is_exact());
    let part = Analytic::of(&file(&text("[\"cpu\", { pool = \"p\", steps = [\"cpu\", \"disk\"] }]")).model);
    assert!(part.network.pools.is_empty());
    assert!(matches!(part.simplifications[..], [Simplification::PoolLeftOut { .. }]));
}

#[test]
fn bursts_have_their_mean_rate() {
    let file = file(
        "[station.cpu]\n[class.c]\nburst = { rates = [\"1 /s\", \"10 /s\"], stays = [\"8 s\", \"1 s\"] }\ndemand.cpu = \"10 ms\"\n",
    );
    let Workload::Open { arrival_rate } = Analytic::of(&file.model).network.classes[0].workload else {
        panic!("closed");
    };
    assert!((arrival_rate - 2.0).abs() < 1e-12);
}

#[test]
fn spawned_work_of_a_closed_class_loads_its_stations() {
    // X is known: the user thinks for 1 s and works for 1 s alone at a delay.
    let file = file(
        "[station.user]\nkind = \"delay\"\n[station.disk]\n[class.c]\npopulation = 1\nthink = \"1 s\"\nservice = { user = \"1 s\", disk = \"1 s\" }\npath = [\"user\", { spawn = [\"disk\"] }]\n",
    );
    let answer = network::solve(&file, Method::Auto).unwrap();
    assert!((answer.classes[0].throughput.value - 0.5).abs() < 1e-6);
    let disk = answer.stations[1].utilization.value;
    assert!((disk - 0.5).abs() < 1e-6, "{disk}");
}

#[test]
fn a_saturated_lock_is_an_answer() {
    let file = file(
        "[station.work]\nkind = \"delay\"\n[lock.table]\n[class.writers]\nrate = \"3 /s\"\nservice.work = \"0.5 s\"\npath = [{ exclusive = \"table\", steps = [\"work\"] }]\n",
    );
    let error = network::solve(&file, Method::Auto).unwrap_err();
    assert_eq!(error.to_string(), "lock \"table\" is saturated: arrivals bring 150.0 % of what it can do");
}

#[test]
fn an_override_is_laid_over_the_file() {
    let text = "schema = 1\n[station.cpu]\n[class.c]\nrate = \"1 /s\"\ndemand.cpu = \"1 ms\"\n";
    let over = ["class.c.rate=7 /s".to_owned(), "station.cpu.servers=2".to_owned()];
    let file = network::parse("n.toml", text, &over).unwrap();
    assert_eq!(file.model.stations[0].servers, 2.0);
    let Workload::Open { arrival_rate } = Analytic::of(&file.model).network.classes[0].workload else {
        panic!("closed");
    };
    assert!((arrival_rate - 7.0).abs() < 1e-12);
}
