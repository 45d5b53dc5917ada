//! A run: the folder is made, the tests are done, and the folder is removed, whatever happened.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::BenchError;
use super::environment::{Environment, Host, Roots, busy};
use super::network::NetworkResult;
use super::place::Place;
use super::plan::Plan;
use super::result::{KIND, Measured, SCHEMA, Settings};
use super::scratch::Scratch;
use super::session::Session;
use crate::diag::quoted;

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What it does.
    pub doing: String,
    /// The share that is done.
    pub done: f64,
    /// Time left, about.
    pub left: Duration,
}

/// Measures a place. Whatever happens, nothing of the run stays in it.
pub fn run(
    plan: &Plan,
    place: &Place,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Measured, BenchError> {
    place.has_room_for(plan.bytes())?;
    let environment =
        Environment::of(&place.path).map_err(|error| failed("the machine cannot be inspected", &error))?;
    let (when, odd_clock) = timestamp();
    // Before anything of ours keeps the machine busy.
    let busy = busy::warnings(&environment, &Roots::default(), stop);
    let scratch = Scratch::create(&place.folder, &place.path)
        .map_err(|error| failed(&format!("nothing can be created in {}", shown(place)), &error))?;
    let mut session = Session::new(plan, &scratch, &environment, stop);
    let tests = session.measure(progress);
    drop(session);
    let path = scratch.path().to_owned();
    let removed = scratch.remove().map_err(|error| {
        let left = quoted(&path.to_string_lossy()).clone();
        failed(&format!("{left} could not be removed"), &error)
    });
    // What went wrong while measuring says more than what went wrong after it.
    let (tests, uncached) = tests?;
    removed?;
    let mut warnings = place.warnings.clone();
    warnings.extend(environment.warnings());
    warnings.extend(busy);
    warnings.extend(odd_clock);
    Ok(Measured {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        when,
        folder: place.path.to_string_lossy().into_owned(),
        settings: Settings {
            file_bytes: plan.file_bytes,
            round_s: plan.round.as_secs_f64(),
            rounds: plan.rounds,
            uncached,
        },
        warnings,
        environment,
        tests,
        network: None,
    })
}

impl Measured {
    /// A result that holds a network and no folder.
    pub fn of_network(network: NetworkResult) -> Self {
        let (when, odd_clock) = timestamp();
        Self {
            schema: SCHEMA,
            kind: KIND.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            when,
            folder: format!("the network to {}", network.peer),
            settings: Settings {
                file_bytes: 0,
                round_s: 0.0,
                rounds: usize::try_from(network.rounds).unwrap_or(usize::MAX),
                uncached: "not needed".to_owned(),
            },
            warnings: odd_clock.into_iter().collect(),
            environment: Environment {
                folder: String::new(),
                host: Host::of(&Roots::default()),
                mount: None,
                device: None,
            },
            tests: Vec::new(),
            network: Some(network),
        }
    }
}

fn shown(place: &Place) -> String {
    quoted(&place.path.to_string_lossy()).clone()
}

/// What went wrong, in the words of the person who has to mend it.
pub(super) fn failed(what: &str, error: &io::Error) -> BenchError {
    use io::ErrorKind::{
        Interrupted, NotFound, QuotaExceeded, ReadOnlyFilesystem, StaleNetworkFileHandle, StorageFull,
    };
    let hint = match error.kind() {
        Interrupted => return BenchError::Interrupted,
        StorageFull => "the volume is full",
        QuotaExceeded => "the quota is used up",
        ReadOnlyFilesystem => "the volume is read-only",
        NotFound | StaleNetworkFileHandle => "the folder was removed during the measurement",
        // EIO has no kind of its own.
        _ if error.raw_os_error() == Some(5) => "the device reports an error",
        _ => "",
    };
    if hint.is_empty() {
        BenchError::Failed(format!("{what}: {error}"))
    } else {
        BenchError::Failed(format!("{what}: {hint} ({error})"))
    }
}

/// Now, as [`written`] says it.
pub(crate) fn timestamp() -> (String, Option<String>) {
    #[expect(clippy::disallowed_methods, reason = "a measurement says when it was made")]
    let now = SystemTime::now();
    written(now)
}

/// A moment in UTC, as RFC 3339 writes it, and a warning where no clock that is right shows it.
fn written(at: SystemTime) -> (String, Option<String>) {
    /// The Gregorian calendar repeats itself after 400 years of so many days.
    const CYCLE: Duration = Duration::from_hours(146_097 * 24);
    let within = |at: SystemTime| {
        let since = at.duration_since(UNIX_EPOCH).ok()?;
        // What a year of four digits ends before, 10000-01-01.
        (since.as_secs() < 253_402_300_800).then(|| humantime::format_rfc3339_seconds(at).to_string())
    };
    let odd = |when: &str| Some(format!("the clock of this machine is wrong: it shows {when}"));
    if let Some(when) = within(at) {
        return (when, None);
    }
    // Before 1970, which the writer of dates does not know: the same day of a later cycle.
    let earlier = (1..=5).find_map(|cycles| {
        let text = within(at.checked_add(CYCLE * cycles)?)?;
        let year = text[..4].parse::<i32>().ok()? - 400 * i32::try_from(cycles).ok()?;
        (year > 0).then(|| format!("{year:04}{}", &text[4..]))
    });
    if let Some(when) = earlier.filter(|_| at < UNIX_EPOCH) {
        let warning = odd(&when);
        (when, warning)
    } else {
        let warning = odd("a year that has not four digits");
        ("unknown".to_owned(), warning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clock_is_too_wrong_to_measure() {
        let at = |seconds: i64| {
            let span = Duration::from_secs(seconds.unsigned_abs());
            if seconds < 0 { UNIX_EPOCH.checked_sub(span) } else { UNIX_EPOCH.checked_add(span) }
        };
        for (seconds, when, is_right) in [
            (0, "1970-01-01T00:00:00Z", true),
            (1_700_000_000, "2023-11-14T22:13:20Z", true),
            (253_402_300_799, "9999-12-31T23:59:59Z", true),
            (-1, "1969-12-31T23:59:59Z", false),
            // The leap day of 1600, and the first day of the year 1.
            (-11_670_998_400, "1600-02-29T00:00:00Z", false),
            (-62_135_596_800, "0001-01-01T00:00:00Z", false),
            (-62_135_596_801, "unknown", false),
            (253_402_300_800, "unknown", false),
            (i64::MAX / 4, "unknown", false),
            (i64::MIN / 4, "unknown", false),
        ] {
            let Some(at) = at(seconds) else {
                continue;
            };
            let (found, warning) = written(at);
            assert_eq!((found.as_str(), warning.is_none()), (when, is_right));
        }
    }
}
