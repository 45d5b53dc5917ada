//! A file written as a whole before anything is timed: no read meets a hole, no write has to find room.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::buffer::Buffer;
use super::data::Data;
use super::round::stopped;
use super::scratch::Own;
use super::system;

/// What is written at a time \[B\].
pub(super) const STRIDE: usize = 1 << 20;
/// After so many of them they are forced out: a stop waits for no more, and the page cache stays small.
const FORCED: u64 = 64;

/// Creates a file with `bytes` of data that cannot be compressed, in whole strides, and forces them out; `progress`
/// hears the share done.
///
/// Written past the page cache where that is to be had: the filesystem then lays it out in the order of its blocks, and
/// no page of it stays in memory that a direct write would have to look for.
pub(super) fn lay_out(
    (own, name): (&Own, &str),
    bytes: u64,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> io::Result<File> {
    let file = own.create(name)?;
    let mut buffer = Buffer::new(STRIDE);
    let mut data = Data::fresh();
    let mut direct = own.open_direct(name).ok();
    for number in 0..bytes / STRIDE as u64 {
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        data.fill(buffer.bytes_mut());
        let at = number * STRIDE as u64;
        let past = direct.as_ref().unwrap_or(&file);
        match system::write_at(past, buffer.bytes(), at) {
            // Some filesystems open a file so and then refuse to write it.
            Err(error) if direct.is_some() && error.kind() == io::ErrorKind::InvalidInput => {
                direct = None;
                system::write_at(&file, buffer.bytes(), at)?;
            }
            written => written?,
        }
        if number % FORCED == 0 {
            file.sync_data()?;
            progress(at as f64 / bytes as f64);
        }
    }
    file.sync_all()?;
    Ok(file)
}
