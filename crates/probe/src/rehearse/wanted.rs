//! A rehearsal as a person asks for it, in the words of the command line's options.

use std::time::Duration;

use super::locks::By;
use super::plan::Settings;
use crate::bench::BenchError;
use crate::bench::options::{bytes, time, wrong};
use crate::diag::quoted;

/// What is taken where nothing is said.
pub const TIME: &str = "60 s";
/// The same of the warm-up.
pub const WARM_UP: &str = "10 s";
/// The same of all time together.
pub const MAX_TIME: &str = "10 min";
/// The same of the bytes on all volumes.
pub const MAX_BYTES: &str = "2 GiB";

/// Options as they are typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Multiple of the site's peak load.
    pub load: f64,
    /// Size of the data and of large syncs over the site's; none is the largest that fits.
    pub scale: Option<f64>,
    /// Seed of arrivals, sizes and choices.
    pub seed: u64,
    /// Time that is measured.
    pub time: String,
    /// Time before that.
    pub warm_up: String,
    /// Longest time in all.
    pub max_time: String,
    /// Most bytes on all volumes together.
    pub max_bytes: String,
    /// Space that stays free on each volume; none is the usual.
    pub keep_free: Option<String>,
    /// How tables are locked.
    pub locks: By,
    /// A round trip to add; none is none.
    pub round_trip: Option<String>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            load: 1.0,
            scale: None,
            seed: 1,
            time: TIME.to_owned(),
            warm_up: WARM_UP.to_owned(),
            max_time: MAX_TIME.to_owned(),
            max_bytes: MAX_BYTES.to_owned(),
            keep_free: None,
            locks: By::Files,
            round_trip: None,
        }
    }
}

impl Wanted {
    /// The settings that the words mean, or the option that cannot be.
    ///
    /// ```
    /// use plimsoll_probe::rehearse::Wanted;
    /// assert_eq!(Wanted::default().settings().unwrap().measure.as_secs(), 60);
    /// let short = Wanted { time: "1 ms".to_owned(), ..Wanted::default() };
    /// assert_eq!(short.settings().unwrap_err().to_string(), "--time: at least 0.5 s");
    /// ```
    pub fn settings(&self) -> Result<Settings, BenchError> {
        /// The shortest time that says anything.
        const LEAST: Duration = Duration::from_millis(500);
        /// The least that data need: one of each table's pages and a few archives.
        const BYTES_LEAST: u64 = 64 << 20;
        let measure = time("--time", &self.time)?;
        if measure < LEAST {
            return Err(wrong("--time", "at least 0.5 s"));
        }
        let round_trip = self.round_trip.as_deref();
        let round_trip = round_trip.map(|text| time("--round-trip", text));
        let settings = Settings {
            load: self.load,
            scale: self.scale,
            seed: self.seed,
            warm_up: time("--warm-up", &self.warm_up)?,
            measure,
            bytes_max: bytes("--max-bytes", &self.max_bytes)?,
            by: self.locks,
            round_trip: round_trip.transpose()?.unwrap_or_default().as_secs_f64(),
        };
        if settings.bytes_max < BYTES_LEAST {
            return Err(wrong("--max-bytes", "at least 64 MiB"));
        }
        let max = time("--max-time", &self.max_time)?;
        if settings.warm_up.saturating_add(settings.measure) > max {
            return Err(wrong("--max-time", "shorter than --warm-up and --time together"));
        }
        Ok(settings)
    }

    /// Bytes that stay free on each volume, where they are stated.
    pub fn keep_free(&self) -> Result<Option<u64>, BenchError> {
        let stated = self.keep_free.as_deref();
        stated.map(|text| bytes("--keep-free", text)).transpose()
    }
}

/// Refuses a host where a Perforce server runs.
pub fn no_server_here() -> Result<(), BenchError> {
    use crate::bench::environment::{Roots, busy};
    match busy::servers(&Roots::default().proc).first() {
        None => Ok(()),
        Some(server) => Err(BenchError::Refused(format!(
            "{} runs on this host (process {}): its users would notice a rehearsal; --beside-p4d rehearses all the same",
            quoted(&server.name),
            server.process
        ))),
    }
}
