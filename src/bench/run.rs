//! A run: the folder is made, the tests are done, and the folder is removed, whatever happened.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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
    let environment = Environment::of(&place.path)
        .map_err(|error| failed("the machine cannot be looked at", &error))?;
    let when = timestamp();
    // Before anything of ours keeps the machine busy.
    let busy = busy::warnings(&environment, &Roots::default(), stop);
    let scratch = Scratch::create(&place.folder, &place.path).map_err(|error| {
        failed(
            &format!("nothing can be created in {}", shown(place)),
            &error,
        )
    })?;
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
        Self {
            schema: SCHEMA,
            kind: KIND.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            when: timestamp(),
            folder: format!("the network to {}", network.peer),
            settings: Settings {
                file_bytes: 0,
                round_s: 0.0,
                rounds: usize::try_from(network.rounds).unwrap_or(usize::MAX),
                uncached: "not needed".to_owned(),
            },
            warnings: Vec::new(),
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
        Interrupted, NotFound, QuotaExceeded, ReadOnlyFilesystem, StaleNetworkFileHandle,
        StorageFull,
    };
    let hint = match error.kind() {
        Interrupted => return BenchError::Interrupted,
        StorageFull => "the volume is full",
        QuotaExceeded => "the quota is used up",
        ReadOnlyFilesystem => "the volume is read-only",
        NotFound | StaleNetworkFileHandle => "the folder went away while it was measured",
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

/// Now, in UTC, as RFC 3339 writes it.
fn timestamp() -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "a measurement says when it was made"
    )]
    let now = std::time::SystemTime::now();
    humantime::format_rfc3339_seconds(now).to_string()
}
