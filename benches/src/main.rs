//! Times engines and solvers beside others and beside hand-written loops, in one process.
//!
//! `cargo run --release [simulated] [day] [networks] [deployments] [ROUNDS]` prints the tables; docs/speed.md says how to
//! read them.
//!
//! `cargo run --release fio DIR [ROUNDS]` and `… pg_test_fsync DIR [ROUNDS]` hold `plimsoll bench` beside
//! those tools on the volume of DIR; docs/benchmark.md says how to read them.

mod beside;
mod day;
mod deployments;
mod hand;
mod networks;
mod ours;
mod peers;
mod random;
mod rounds;
mod simulated;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    if beside::is_plimsoll() {
        return plimsoll::cli::main(None);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let beside = match arguments.first().map(String::as_str) {
        Some("fio") => beside::beside_fio,
        Some("pg_test_fsync") => beside::beside_pg_test_fsync,
        _ => {
            tables(&arguments);
            return ExitCode::SUCCESS;
        }
    };
    match beside::Settings::of(&arguments[1..]).and_then(|settings| beside(&settings)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// The tables of docs/speed.md.
fn tables(arguments: &[String]) {
    let rounds = arguments
        .iter()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(7);
    let wants = |part: &str| {
        let named = arguments.iter().any(|argument| argument == part);
        named
            || !arguments
                .iter()
                .any(|argument| argument.parse::<u64>().is_err())
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
    if wants("deployments") {
        deployments::print(rounds);
    }
}
