//! Times engines and solvers beside others and beside hand-written loops, in one process.
//!
//! `cargo run --release [simulated|analytic] [ROUNDS]` prints the tables; docs/speed.md says how to
//! read them.

mod hand;
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
    simulated::print(rounds);
}
