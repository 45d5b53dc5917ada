//! Times engines and solvers beside others and beside hand-written loops, in one process.
//!
//! `cargo run --release [simulated] [day] [networks] [deployments] [ROUNDS]` prints the tables; docs/speed.md says how to
//! read them.

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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
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
