//! `plimsoll rehearse --clients HOST:PORT`: clients that another process plays, and what ends them.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::cli::{Ran, plimsoll, scratch};

const SITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rehearsal-site.toml");

const SMALL: [&str; 9] = [
    "--quiet",
    "--warm-up",
    "0.5 s",
    "--max-bytes",
    "64 MiB",
    "--keep-free",
    "0 B",
    "--set",
    "workload.concurrent_syncs=1",
];

/// `plimsoll bench --listen` on a port of the system's choice; ended with the test.
struct Listener {
    child: Child,
    address: String,
    said: BufReader<std::process::ChildStderr>,
}

impl Listener {
    fn start(more: &[&str]) -> Self {
        let mut child = Command::new("env")
            .args(["--default-signal=INT,TERM", env!("CARGO_BIN_EXE_plimsoll")])
            .args(["bench", "--listen", "127.0.0.1:0"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ");
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self {
            child,
            address,
            said,
        }
    }

    /// Reads until it says this.
    fn says(&mut self, what: &str) {
        let mut line = String::new();
        while !line.contains(what) {
            line.clear();
            let read = self.said.read_line(&mut line).expect("a line");
            assert!(read > 0, "it ended before it said {what}");
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn arguments<'a>(folder: &'a Path, address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let at = folder.to_str().expect("UTF-8");
    let begin = ["rehearse", SITE, "--at", at, "--clients", address];
    [&begin, &SMALL[..], more].concat()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn clients_of_another_process_are_measured() {
    let folder = scratch("rehearse-clients");
    let mut listener = Listener::start(&["--once"]);
    let address = listener.address.clone();
    let more = ["--time", "2 s", "--load", "1", "--format", "json"];
    let ran = plimsoll(&arguments(&folder, &address, &more));
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    assert!(is_empty(&folder), "nothing stays");
    let answer = ran.json();
    let clients = &answer["environment"]["clients"];
    assert_eq!(clients["address"].as_str(), Some(address.as_str()));
    assert!(clients["host"]["system"].is_string(), "{clients:#}");
    let busy = clients["busy_fraction"].as_f64();
    assert!(
        busy.is_some_and(|busy| (0.0..=1.0).contains(&busy)),
        "{clients:#}"
    );
    let trips = clients["network"]["round_trips"].as_array();
    assert_eq!(trips.map(Vec::len), Some(2), "{clients:#}");
    let kinds = answer["kinds"].as_array().expect("kinds");
    let measured = kinds
        .iter()
        .filter(|kind| kind["commands"].as_u64() > Some(0));
    let mut count = 0;
    for kind in measured {
        count += 1;
        let mean = kind["measured_mean_s"]["value"].as_f64().expect("a mean");
        let causes = kind["causes"].as_array().expect("causes");
        let parts: f64 = causes
            .iter()
            .filter_map(|cause| cause["measured_s"].as_f64())
            .sum();
        // Of threads side by side the parts are means of both.
        assert!(mean > 0.0 && parts > 0.5 * mean, "{kind:#}");
    }
    assert!(count > 3, "{answer:#}");
    // With --once it ends after its client.
    listener.says("commands were done");
    let ended = listener.child.wait().expect("an end");
    assert_eq!(ended.code(), Some(0));
}

#[test]
fn a_dry_run_connects_to_nobody() {
    let folder = scratch("rehearse-clients-dry");
    let ran = plimsoll(&arguments(&folder, "192.0.2.1:7117", &["--dry-run"]));
    assert!(ran.done().contains("192.0.2.1:7117"), "{}", ran.out);
    assert!(is_empty(&folder));
}

/// A listener that is none of ours: says `answers` to one line after the other.
fn stranger(answers: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::Builder::new()
        .name("stranger".to_owned())
        .spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else {
                return;
            };
            for answer in answers {
                let mut byte = [0];
                while stream.read(&mut byte).is_ok_and(|n| n == 1) && byte != *b"\n" {}
                if stream.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        })
        .expect("a thread");
    address
}

#[test]
fn a_host_that_plays_no_clients_is_reported() {
    const GREETING: &str = "plimsoll-bench-network 1\n";
    let folder = scratch("rehearse-clients-strangers");
    let ran = |address: &str| -> Ran { plimsoll(&arguments(&folder, address, &["--time", "1 s"])) };
    for (answers, said) in [
        (
            &["HTTP/1.1 400 Bad Request\r\n"][..],
            "not the same `plimsoll bench`",
        ),
        (&["\u{1b}[31mhello\n"], "not the same `plimsoll bench`"),
        (
            &[GREETING, "error a request is echo, receive or send\n"],
            "an older plimsoll, which plays no clients",
        ),
        (
            &[
                GREETING,
                "error version 2/9.9.9 here, 1/0.1.0 there: both hosts need the same plimsoll\n",
            ],
            "both hosts need the same plimsoll",
        ),
        (
            &[GREETING, "clients 99999999999\n"],
            "not the same `plimsoll bench`",
        ),
        (&[GREETING], "closed the connection"),
    ] {
        let ran = ran(&stranger(answers));
        assert_eq!(ran.code, 4, "{said}: {}", ran.err);
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
        assert!(crate::site_hostile::is_harmless(&ran.err), "{:?}", ran.err);
        assert!(is_empty(&folder));
    }
    // Nobody at all.
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("an address").to_string();
    drop(free);
    let nobody = ran(&address);
    assert_eq!(nobody.code, 4);
    assert!(nobody.err.contains("cannot connect to"), "{}", nobody.err);
    assert!(ran("7117").refused().contains("with a port"));
}

/// What a listener answers to lines, until it closes the connection.
fn asked(address: &str, lines: &[&str]) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let wait = Some(Duration::from_secs(10));
    stream.set_read_timeout(wait).expect("a time-out");
    for line in lines {
        stream.write_all(line.as_bytes()).expect("written");
    }
    stream.shutdown(Shutdown::Write).expect("no more lines");
    let mut answer = String::new();
    drop(stream.read_to_string(&mut answer));
    answer
}

/// It says which version it has.
#[test]
fn a_listener_refuses_what_it_cannot_play() {
    let listener = Listener::start(&["--once"]);
    let lines = ["plimsoll-bench-network 1\n", "clients 0/0.0.1\n"];
    let answer = asked(&listener.address, &lines);
    assert!(answer.contains("error version 1/"), "{answer}");
}

#[cfg(target_os = "linux")]
mod stopped {
    use super::*;

    fn start(folder: &Path, address: &str) -> Child {
        Command::new("env")
            .args(["--default-signal=INT,TERM", env!("CARGO_BIN_EXE_plimsoll")])
            .args(arguments(folder, address, &["--time", "60 s"]))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs")
    }

    /// A rehearsal that is ended while its clients are played; what it said, and its listener.
    fn ended(name: &str, end: impl FnOnce(&mut Listener, &Child)) -> (Output, Listener) {
        let folder = scratch(name);
        let mut listener = Listener::start(&[]);
        let rehearsing = start(&folder, &listener.address);
        listener.says("clients of a rehearsal for");
        end(&mut listener, &rehearsing);
        let ended = rehearsing.wait_with_output().expect("an end");
        assert!(is_empty(&folder), "{name}");
        (ended, listener)
    }

    fn the_rehearsing_side_is_interrupted() {
        let interrupt = |_: &mut Listener, rehearsing: &Child| signal(rehearsing, "-INT");
        let (ended, mut listener) = ended("rehearse-clients-interrupted", interrupt);
        assert_eq!(ended.status.code(), Some(130), "{ended:?}");
        listener.says("while playing the clients");
        // It serves the next one.
        assert!(asked(&listener.address, &["plimsoll-bench-network 1\n"]).starts_with("plimsoll"));
    }

    fn the_clients_side_is_interrupted() {
        let interrupt = |listener: &mut Listener, _: &Child| signal(&listener.child, "-TERM");
        let (ended, mut listener) = ended("rehearse-clients-terminated", interrupt);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(4), "{said}");
        assert!(said.contains("it was stopped there"), "{said}");
        assert_eq!(listener.child.wait().expect("an end").code(), Some(0));
    }

    /// Nobody says anything.
    fn the_clients_side_is_killed() {
        let kill = |listener: &mut Listener, _: &Child| listener.child.kill().expect("killed");
        let (ended, _listener) = ended("rehearse-clients-killed", kill);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(4), "{said}");
        assert!(said.contains("clients on 127.0.0.1:"), "{said}");
    }

    #[test]
    fn an_interruption_of_either_side_ends_both() {
        // Each waits for the probes of its rehearsal: all at once.
        std::thread::scope(|scope| {
            scope.spawn(the_rehearsing_side_is_interrupted);
            scope.spawn(the_clients_side_is_interrupted);
            scope.spawn(the_clients_side_is_killed);
        });
    }
}
