//! A file written as a whole before anything is timed: no read meets a hole, no write has to find room.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::buffer::Buffer;
use super::data::Data;
use super::round::stopped;
use super::system;

/// What is written at a time \[B\].
pub(super) const STRIDE: usize = 1 << 20;
/// After so many of them they are forced out: a stop waits for no more, and the page cache stays small.
const FORCED: u64 = 64;

/// Writes `bytes` of data that cannot be compressed, in whole strides, and forces them out; `progress` hears the share done.
pub(super) fn lay_out(
    file: &File,
    bytes: u64,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> io::Result<()> {
    let mut buffer = Buffer::new(STRIDE);
    let mut data = Data::fresh();
    for number in 0..bytes / STRIDE as u64 {
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        data.fill(buffer.bytes_mut());
        let at = number * STRIDE as u64;
        system::write_at(file, buffer.bytes(), at)?;
        if number % FORCED == 0 {
            file.sync_data()?;
            progress(at as f64 / bytes as f64);
        }
    }
    file.sync_all()
}
