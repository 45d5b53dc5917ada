//! `plimsoll bench --listen` and `--connect`: the network between two hosts.

use std::fmt::Write as _;

use super::Format;
use super::bench::save;
use super::measuring::{as_json, stop_asked};
use super::out::Output;
use super::output::Outcome;
use crate::bench::network::plan::Direction;
use crate::bench::network::{self, NetworkError, NetworkPlan, NetworkResult};
use crate::bench::{BenchError, Measured};
use crate::page::{Table, paragraph};
use crate::rehearse;
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// Serves clients until somebody stops it: the tests of `--connect`, and the clients of `plimsoll rehearse --clients`.
pub(super) fn listen(
    address: &str,
    once: bool,
    say: &mut dyn FnMut(&str),
) -> Result<Outcome, BenchError> {
    let addresses = network::resolve(address)?;
    let Some(address) = addresses.first() else {
        return Err(BenchError::Refused(format!("{address}: no address")));
    };
    let stop = stop_asked()?;
    match network::listen(*address, once, rehearse::play_clients, &stop, say) {
        // To stop it is how a listener ends.
        Ok(()) | Err(NetworkError::Interrupted) => Ok(Outcome::done(String::new())),
        Err(error) => Err(error.into()),
    }
}

/// Measures the network to a listener.
pub(super) fn connect(
    address: &str,
    quick: bool,
    output: Option<Output<'_>>,
    format: Format,
    say: &mut dyn FnMut(&str),
) -> Result<Outcome, BenchError> {
    let addresses = network::resolve(address)?;
    let plan = if quick {
        NetworkPlan::quick()
    } else {
        NetworkPlan::full()
    };
    let stop = stop_asked()?;
    let result = network::connect(&addresses, &plan, &stop, say)?;
    let measured = Measured::of_network(result);
    if let Some(output) = output {
        save(output, &measured)?;
    }
    Ok(match format {
        Format::Json => Outcome::json(&as_json(&measured)?, false),
        Format::Text => Outcome::done(measured.network.as_ref().map_or_else(String::new, text)),
    })
}

fn text(result: &NetworkResult) -> String {
    let mut out = format!("{} to {}\n", result.local, result.peer);
    for note in &result.notes {
        out += &paragraph(&format!("note: {note}"), 0);
    }
    let _infallible = writeln!(out, "\nRound trips\n═══════════");
    let mut table = Table::new(&[
        "message",
        ">p50",
        ">p99",
        ">p99.9",
        ">max",
        ">p50 of the rounds",
    ]);
    let time = |seconds: f64| Seconds::new(seconds).to_string();
    for trip in &result.round_trips {
        let latency = &trip.latency_s;
        table.row(vec![
            Bytes::new(trip.message_bytes as f64).to_string(),
            time(latency.p50),
            time(latency.p99),
            time(latency.p99_9),
            time(latency.max),
            format!("{} – {}", time(trip.p50_s.low), time(trip.p50_s.high)),
        ]);
    }
    out += &table.text();
    let _infallible = writeln!(out, "\nBandwidth\n═════════");
    let mut table = Table::new(&[
        "direction",
        "window",
        ">streams",
        ">median",
        ">lowest",
        ">highest",
    ]);
    let rate = |bytes: f64| BytesPerSecond::new(bytes).to_string();
    for one in &result.bandwidths {
        let window = one.window_bytes.map_or_else(
            || "the kernel's".to_owned(),
            |w| Bytes::new(w as f64).to_string(),
        );
        table.row(vec![
            match one.direction {
                Direction::Upload => "to it",
                Direction::Download => "from it",
            }
            .to_owned(),
            window,
            one.streams.to_string(),
            rate(one.bytes_per_s.median),
            rate(one.bytes_per_s.low),
            rate(one.bytes_per_s.high),
        ]);
    }
    out += &table.text();
    out
}
