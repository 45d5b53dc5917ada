//! Times engines and solvers beside others and beside hand-written loops, in one process.
//!
//! `cargo run --release [simulated] [day] [networks] [answers] [deployments] [ROUNDS]` prints the tables; docs/speed.md says how to
//! read them.
//!
//! `cargo run --release fio DIR [ROUNDS]` and `… pg_test_fsync DIR [ROUNDS]` hold `plimsoll bench` beside
//! those tools on the volume of DIR; docs/benchmark.md says how to read them.
//!
//! `cargo run --release serverlog FOLDER [MEGABYTES] [GO-LIBP4DLOG]` reads a server log as made there, ours and beside it the
//! program of `benches/go-libp4dlog`; docs/speed.md says how to read it.
//!
//! `cargo run --release --features window window latency [ROUNDS]` and `… window frames` time the window.

mod answers;
mod beside;
mod day;
mod deployments;
mod hand;
mod networks;
mod ours;
mod peers;
mod random;
mod rounds;
mod serverlog;
mod simulated;
#[cfg(feature = "window")]
mod window;
mod workload;

use std::process::ExitCode;

/// As users have it; the peers have it, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if beside::is_plimsoll() {
        return plimsoll::cli::main(None);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (first, rest) = match arguments.split_first() {
        Some((first, rest)) => (first.as_str(), rest),
        None => ("", &[][..]),
    };
    let done = match first {
        "fio" => beside::Settings::of(rest).and_then(|settings| beside::beside_fio(&settings)),
        "pg_test_fsync" => beside::Settings::of(rest).and_then(|settings| beside::beside_pg_test_fsync(&settings)),
        "serverlog" => serverlog::print(rest),
        "window" => window(rest),
        _ => {
            tables(&arguments);
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "window")]
fn window(arguments: &[String]) -> Result<(), String> {
    window::print(arguments)
}

/// The window costs hundreds of crates, which the other tables do without.
#[cfg(not(feature = "window"))]
fn window(_: &[String]) -> Result<(), String> {
    Err("this was built without the window: cargo run --release --features window …".to_owned())
}

/// The tables of docs/speed.md.
fn tables(arguments: &[String]) {
    let rounds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(7);
    let wants = |part: &str| {
        let named = arguments.iter().any(|argument| argument == part);
        named || !arguments.iter().any(|argument| argument.parse::<u64>().is_err())
    };
    if wants("simulated") {
        simulated::print(rounds);
        println!();
    }
    if wants("day") {
        day::print(rounds);
        println!();
    }
    if wants("networks") {
        networks::print(rounds);
        println!();
    }
    if wants("answers") {
        answers::print(rounds);
        println!();
    }
    if wants("deployments") {
        deployments::print(rounds);
        println!();
        deployments::print_search();
    }
}
