//! Signals in a program with a window: while a measurement runs they end it first, else they end the program as usual.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
#[cfg(unix)]
use std::sync::atomic::Ordering;

/// Signals while a measurement runs in a program that a signal ends at once otherwise: they raise its flag, and end the program when
/// the measurement has removed its files and this value goes.
#[cfg(unix)]
pub struct Guard {
    base: &'static Base,
    ids: Vec<signal_hook::SigId>,
}

/// What stays registered once a measurement ran.
#[cfg(unix)]
struct Base {
    /// Whether a signal ends the program at once.
    is_idle: Arc<AtomicBool>,
    /// Whether one came while it did not.
    is_heard: Arc<AtomicBool>,
    /// The signals.
    signals: Vec<i32>,
}

#[cfg(unix)]
static BASE: std::sync::OnceLock<Option<Base>> = std::sync::OnceLock::new();

#[cfg(unix)]
impl Base {
    fn register() -> io::Result<Self> {
        use signal_hook::flag::{register, register_conditional_default};
        let base = Self {
            is_idle: Arc::new(AtomicBool::new(true)),
            is_heard: Arc::default(),
            signals: super::signals::heard(),
        };
        for &signal in &base.signals {
            register_conditional_default(signal, Arc::clone(&base.is_idle))?;
            register(signal, Arc::clone(&base.is_heard))?;
        }
        register(signal_hook::consts::SIGXFSZ, Arc::default())?;
        Ok(base)
    }
}

#[cfg(unix)]
impl Guard {
    /// From now on signals raise `stop`. One at a time: the window rehearses once at a time.
    pub fn new(stop: &Arc<AtomicBool>) -> io::Result<Self> {
        let base = BASE.get_or_init(|| Base::register().ok());
        let base = base.as_ref().ok_or_else(|| io::Error::other("no handler can be registered"))?;
        let mut guard = Self { base, ids: Vec::new() };
        for &signal in &base.signals {
            let id = signal_hook::flag::register(signal, Arc::clone(stop))?;
            guard.ids.push(id);
        }
        base.is_idle.store(false, Ordering::SeqCst);
        Ok(guard)
    }
}

#[cfg(unix)]
impl Drop for Guard {
    fn drop(&mut self) {
        for id in self.ids.drain(..) {
            signal_hook::low_level::unregister(id);
        }
        self.base.is_idle.store(true, Ordering::SeqCst);
        if self.base.is_heard.swap(false, Ordering::SeqCst) {
            // Nothing is left of the measurement: now the signal does what it was sent for.
            drop(signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTERM));
        }
    }
}

/// Where there are no such signals: closing the window ends a measurement in time.
#[cfg(not(unix))]
pub struct Guard;

#[cfg(not(unix))]
impl Guard {
    #[expect(clippy::unnecessary_wraps, reason = "as on other systems")]
    pub fn new(_: &Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self)
    }
}
