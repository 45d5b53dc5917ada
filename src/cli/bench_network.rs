//! `plimsoll bench --listen` and `--connect`: the network between two hosts.

use super::Format;
use super::bench::save;
use super::measuring::stop_asked;
use super::out::Output;
use super::output::Outcome;
use crate::bench::network::{self, NetworkError, NetworkPlan};
use crate::bench::{self, BenchError, Measured};

/// Serves clients until somebody stops it: the tests of `--connect`.
pub(super) fn listen(address: &str, once: bool, say: &mut dyn FnMut(&str)) -> Result<Outcome, BenchError> {
    let addresses = network::resolve(address)?;
    let Some(address) = addresses.first() else {
        return Err(BenchError::Refused(format!("{address}: no address")));
    };
    let stop = stop_asked()?;
    match network::listen(*address, once, &stop, say) {
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
    let plan = if quick { NetworkPlan::quick() } else { NetworkPlan::full() };
    let stop = stop_asked()?;
    let result = network::connect(&addresses, &plan, &stop, say)?;
    let measured = Measured::of_network(result);
    if let Some(output) = output {
        save(output, &measured)?;
    }
    Ok(match format {
        Format::Json => Outcome::json(&measured, false),
        Format::Text => Outcome::page(&bench::page(&measured), false),
    })
}
