//! The journal: records appended in turn, and forced out with group commit: one write for all who wait for it.

use std::fs::File;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::bench::ground::{Data, Named, Room, write_at};

#[derive(Debug, Default)]
struct State {
    /// Bytes appended since the beginning, and of these what is safe.
    written: u64,
    safe: u64,
    is_syncing: bool,
}

/// A file that only grows, up to where it begins anew.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    state: Mutex<State>,
    done: Condvar,
    bytes_max: u64,
    text: Vec<u8>,
}

/// Largest record that is written at once \[B\].
const PIECE: usize = 64 << 10;

impl Journal {
    pub(super) fn create(room: &Room, number: usize, bytes_max: u64) -> io::Result<Self> {
        let mut text = vec![0; PIECE];
        Data::fresh().fill(&mut text);
        Ok(Self {
            file: room.create(Named::Journal, number)?,
            state: Mutex::default(),
            done: Condvar::new(),
            bytes_max: bytes_max.max(PIECE as u64),
            text,
        })
    }

    /// Appends so many bytes; gives the end of them.
    pub(super) fn append(&self, bytes: u64) -> io::Result<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = bytes as usize;
        while left > 0 {
            let piece = left.min(PIECE);
            // Where it would grow too large it begins anew: a cap, no rotation.
            let room = self.bytes_max - PIECE as u64;
            let at = if room == 0 { 0 } else { state.written % room };
            write_at(&self.file, &self.text[..piece], at)?;
            state.written += piece as u64;
            left -= piece;
        }
        Ok(state.written)
    }

    /// Waits until all up to `end` is safe. The first who comes forces out what all have appended by then.
    pub(super) fn commit(&self, end: u64) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.safe >= end {
                return Ok(());
            }
            if state.is_syncing {
                let woken = self.done.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.is_syncing = true;
            let written = state.written;
            drop(state);
            let synced = self.file.sync_data();
            state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_syncing = false;
            if synced.is_ok() {
                state.safe = state.safe.max(written);
            }
            self.done.notify_all();
            synced?;
        }
    }
}
