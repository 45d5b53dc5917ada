//! Signals of work that must clean up behind itself: each asks it to stop, none ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that ctrl-C, a quit from the keyboard, SIGTERM or SIGHUP raises, however often. One that was ignored
/// from the start stays so: `nohup` lets a run outlive its terminal, a shell keeps ctrl-C from what runs in its
/// background. A limit on the size of files (SIGXFSZ) ends nothing either: the write that meets it fails.
#[cfg(unix)]
pub fn asked() -> io::Result<Arc<AtomicBool>> {
    use signal_hook::flag::register;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in heard() {
        register(signal, Arc::clone(&stop))?;
    }
    register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(stop)
}

/// The signals that ask to stop, but for those that were ignored from the start.
#[cfg(unix)]
pub(super) fn heard() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let ignored = ignored();
    let mut all = vec![SIGHUP, SIGINT, SIGQUIT, SIGTERM];
    all.retain(|signal| ignored >> (signal - 1) & 1 == 0);
    all
}

/// The signals that this process ignores, the bit of the lowest value for signal 1; none where no `/proc` says so.
/// (To ask `sigaction` takes unsafe code.)
#[cfg(unix)]
fn ignored() -> u64 {
    use std::io::Read as _;
    let mut status = String::new();
    let read = std::fs::File::open("/proc/self/status");
    let read = read.and_then(|file| file.take(1 << 16).read_to_string(&mut status));
    if read.is_err() {
        return 0;
    }
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// A flag that ctrl-C raises, however often.
#[cfg(not(unix))]
pub fn asked() -> io::Result<Arc<AtomicBool>> {
    use std::sync::atomic::Ordering;
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed)).map_err(io::Error::other)?;
    Ok(stop)
}
