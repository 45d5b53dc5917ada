//! Two sides of a measurement over loopback.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use plimsoll::bench::network::plan::Direction;
use plimsoll::bench::network::{NetworkError, NetworkPlan, NetworkResult, Server, connect};

/// A stop must be seen within so many naps of a millisecond each: half a second, and more on a busy machine, which lengthens these
/// naps as it does those of both sides.
const NAPS_MAX: usize = 500;

pub(super) fn short() -> NetworkPlan {
    NetworkPlan {
        message_bytes: vec![64, 8192],
        window_bytes: vec![None, Some(64 << 10)],
        streams: vec![1, 4],
        rounds: 2,
        warm_up: Duration::from_millis(10),
        measured: Duration::from_millis(40),
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a hostile side is borne is a time")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// Stops a server when a test ends, also where it fails: else it would be waited for without end.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `client` beside a server on loopback, which is stopped afterwards; gives what the server said.
pub(super) fn beside_server<T>(client: impl FnOnce(SocketAddr) -> T) -> (T, Vec<String>) {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let stop = AtomicBool::new(false);
    let said = Mutex::new(Vec::new());
    let answer = thread::scope(|scope| {
        let serving = named(scope, "server", || {
            server.serve(false, &stop, &mut |line| {
                said.lock().unwrap().push(line.to_owned());
            })
        });
        let at_end = StopAtEnd(&stop);
        let answer = client(server.address());
        // The client is done before the server has said so.
        for _ in 0..400 {
            let is_serving = said.lock().unwrap().last().is_some_and(|l: &String| l.starts_with("serving"));
            if !is_serving {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        drop(at_end);
        serving.join().unwrap().unwrap();
        answer
    });
    (answer, said.into_inner().unwrap())
}

pub(super) fn named<'scope, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> ScopedJoinHandle<'scope, T> {
    thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, work).unwrap()
}

pub(super) fn measure(address: SocketAddr, plan: &NetworkPlan) -> Result<NetworkResult, NetworkError> {
    connect(&[address], plan, &AtomicBool::new(false), &mut |_| {})
}

#[test]
fn loopback_is_measured_in_every_cell_of_the_plan() {
    let (result, said) = beside_server(|address| {
        let mut lines = Vec::new();
        let never = AtomicBool::new(false);
        let result = connect(&[address], &short(), &never, &mut |l| {
            lines.push(l.to_owned());
        })
        .unwrap();
        assert_eq!(lines.len(), 20, "{lines:?}");
        assert!(lines[0].starts_with("round 1 of 2: round trips of 64 B; "), "{}", lines[0]);
        assert!(lines[19].contains("download, 4 streams, window 64 KiB"), "{}", lines[19]);
        assert_eq!(result.peer, address.to_string());
        result
    });
    assert_eq!(result.rounds, 2);
    let messages: Vec<u64> = result.round_trips.iter().map(|r| r.message_bytes).collect();
    assert_eq!(messages, [64, 8192]);
    for trip in &result.round_trips {
        let latency = trip.latency_s;
        assert!(trip.count > 10, "{trip:?}");
        assert!(latency.p50 > 1e-7 && latency.p50 < 0.1, "{trip:?}");
        assert!(latency.p50 <= latency.p90 && latency.p90 <= latency.p99, "{trip:?}");
        assert!(latency.p99 <= latency.p99_9 && latency.p99_9 <= latency.max, "{trip:?}");
        assert_eq!(trip.p50_s.values.len(), 2);
    }
    assert_eq!(result.bandwidths.len(), 2 * 2 * 2);
    for found in &result.bandwidths {
        // Loopback moves more than 1 MB/s on any machine, and less than memory does.
        let rate = found.bytes_per_s.median;
        assert!((1e6..1e12).contains(&rate), "{found:?}");
        assert!(found.bytes_per_s.low <= rate && rate <= found.bytes_per_s.high);
        assert!(found.window_bytes.is_none() || found.send_buffer_bytes >= 64 << 10);
    }
    let uploads = result.bandwidths.iter().filter(|b| b.direction == Direction::Upload);
    assert_eq!(uploads.count(), 4);
    assert!(said[0].starts_with("listening on 127.0.0.1:"), "{said:?}");
    assert!(said.last().unwrap().contains("is done: 20 tests in"), "{said:?}");
    let text = toml::to_string(&result).unwrap();
    assert_eq!(toml::from_str::<NetworkResult>(&text).unwrap(), result);
}

#[test]
fn a_window_that_is_too_small_costs_bandwidth() {
    // With 4 KiB under way nothing is fast; whatever else runs here runs beside both.
    let plan = NetworkPlan {
        message_bytes: Vec::new(),
        window_bytes: vec![None, Some(4096)],
        streams: vec![1],
        rounds: 3,
        ..short()
    };
    let (result, _) = beside_server(|address| measure(address, &plan).unwrap());
    let rate = |window: Option<u64>, direction| {
        let is_it =
            |b: &&plimsoll::bench::network::result::Bandwidth| b.window_bytes == window && b.direction == direction;
        result.bandwidths.iter().find(is_it).unwrap().bytes_per_s.median
    };
    for direction in [Direction::Upload, Direction::Download] {
        assert!(rate(None, direction) > rate(Some(4096), direction), "{result:?}");
    }
}

#[test]
fn a_window_that_is_not_granted_is_noted() {
    let plan = NetworkPlan {
        message_bytes: Vec::new(),
        // Above what any kernel's default limits grant.
        window_bytes: vec![Some(64 << 20)],
        streams: vec![1],
        rounds: 1,
        ..short()
    };
    let (result, _) = beside_server(|address| measure(address, &plan).unwrap());
    let granted: Vec<bool> = result.bandwidths.iter().map(|b| b.is_window_granted).collect();
    let noted = result.notes.iter().filter(|note| note.contains("rmem_max")).count();
    assert_eq!(noted, granted.iter().filter(|is| !**is).count(), "{result:?}");
}

#[test]
fn one_client_after_another_is_served() {
    let plan = NetworkPlan { rounds: 1, message_bytes: vec![64], window_bytes: Vec::new(), ..short() };
    let ((), said) = beside_server(|address| {
        measure(address, &plan).unwrap();
        measure(address, &plan).unwrap();
    });
    assert_eq!(said.iter().filter(|line| line.contains("is done: 1 tests")).count(), 2, "{said:?}");
}

#[test]
fn once_ends_after_a_client_that_speaks_our_language() {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let serving = named(scope, "server", || server.serve(true, &stop, &mut |_| {}));
        // A port scanner does not count.
        drop(TcpStream::connect(server.address()).unwrap());
        let at_end = StopAtEnd(&stop);
        measure(server.address(), &short()).unwrap();
        serving.join().unwrap().unwrap();
        drop(at_end);
    });
}

/// What a side that was stopped says, which must come soon.
fn ended<T>(side: ScopedJoinHandle<'_, T>) -> T {
    let nap = || thread::sleep(Duration::from_millis(1));
    let is_soon = (0..NAPS_MAX).any(|_| {
        nap();
        side.is_finished()
    });
    assert!(is_soon, "{:?} did not end soon", side.thread().name());
    side.join().unwrap()
}

#[test]
fn both_sides_stop_soon() {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let plan = NetworkPlan { message_bytes: vec![64], measured: Duration::from_secs(30), ..short() };
    // Round trips, and then bandwidths either way.
    let plans = [plan.clone(), NetworkPlan { message_bytes: Vec::new(), ..plan }];
    for plan in plans {
        let (stop_server, stop_client) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            let serving = named(scope, "server", || server.serve(true, &stop_server, &mut |_| {}));
            let measuring = named(scope, "client", || connect(&[server.address()], &plan, &stop_client, &mut |_| {}));
            thread::sleep(Duration::from_millis(300));
            stop_client.store(true, Ordering::Relaxed);
            let error = ended(measuring).unwrap_err();
            assert!(matches!(error, NetworkError::Interrupted), "{error}");
            stop_server.store(true, Ordering::Relaxed);
            // It may have seen the client go before it saw the stop.
            drop(ended(serving));
        });
    }
    // Waiting for a client, and for an answer that never comes.
    let stop = AtomicBool::new(false);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    thread::scope(|scope| {
        let serving = named(scope, "server", || server.serve(false, &stop, &mut |_| {}));
        let measuring = named(scope, "client", || connect(&[address], &short(), &stop, &mut |_| {}));
        thread::sleep(Duration::from_millis(100));
        stop.store(true, Ordering::Relaxed);
        ended(serving).unwrap();
        assert!(matches!(ended(measuring), Err(NetworkError::Interrupted)));
    });
}

#[test]
fn an_address_that_nobody_listens_on_is_named() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = measure(free, &short()).unwrap_err();
    assert!(matches!(error, NetworkError::Connect { .. }), "{error}");
    assert!(error.to_string().contains("--listen"), "{error}");
    // The next address is tried.
    let (result, _) = beside_server(|address| {
        let never = AtomicBool::new(false);
        connect(&[free, address], &short(), &never, &mut |_| {})
    });
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn an_address_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let error = Server::bind(taken.local_addr().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("cannot listen on 127.0.0.1:"), "{error}");
}
