//! Signals of work that must clean up behind itself: each asks it to stop, none ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that ctrl-C, a quit from the keyboard, SIGTERM or SIGHUP raises, however often. A limit on the size
/// of files (SIGXFSZ) ends nothing either: the write that meets it fails.
#[cfg(unix)]
pub(super) fn asked() -> io::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::flag::register;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        register(signal, Arc::clone(&stop))?;
    }
    register(SIGXFSZ, Arc::default())?;
    Ok(stop)
}

/// A flag that ctrl-C raises, however often.
#[cfg(not(unix))]
pub(super) fn asked() -> io::Result<Arc<AtomicBool>> {
    use std::sync::atomic::Ordering;
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed)).map_err(io::Error::other)?;
    Ok(stop)
}
