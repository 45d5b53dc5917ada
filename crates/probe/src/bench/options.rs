//! Options of measurements: what is typed, and why it cannot be.

use std::time::Duration;

use super::BenchError;
use crate::units::{Bytes, Quantity as _, Seconds};

/// An option that cannot be as it is.
pub fn wrong(option: &str, reason: &str) -> BenchError {
    BenchError::Refused(format!("{option}: {reason}"))
}

/// The bytes that an option states.
pub fn bytes(option: &str, text: &str) -> Result<u64, BenchError> {
    let parsed = Bytes::parse(text).map_err(|error| wrong(option, &error.to_string()))?;
    Ok(parsed.base().max(0.0) as u64)
}

/// The time that an option states.
pub fn time(option: &str, text: &str) -> Result<Duration, BenchError> {
    let parsed = Seconds::parse(text).map_err(|error| wrong(option, &error.to_string()))?;
    Duration::try_from_secs_f64(parsed.base()).map_err(|error| wrong(option, &error.to_string()))
}
