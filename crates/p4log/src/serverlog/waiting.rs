//! Files that are read in the order of the times that they state, in whatever order they were given.

use std::path::{Path, PathBuf};

use super::kind::LogText;
use super::logs::{Unread, cannot_read};
use super::watch::Watch;

/// A file that is read when its time has come.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Its number among all files.
    pub(super) number: usize,
    pub(super) path: PathBuf,
    /// The first time that it states.
    pub(super) first: i128,
    /// A text that cannot be opened again: standard input.
    text: Option<LogText>,
}

impl Waiting {
    /// A file that was given after `others`: where its beginning states no time, it comes behind the last of them.
    pub(super) fn after(others: &[Self], number: usize, path: PathBuf, text: LogText) -> Self {
        let before = others.last().map(|file| file.first);
        let first = text.first_time().or(before).unwrap_or(0);
        // Many rotated files are not kept open: each is opened again when its time has come.
        let is_input = path == Path::new("-");
        Self { number, path, first, text: is_input.then_some(text) }
    }

    /// What files are ordered by: of the same time the one that was given first.
    pub(super) fn order(&self) -> (i128, usize) {
        (self.first, self.number)
    }

    /// Its text, from its beginning.
    pub(super) fn open(&mut self, watch: &Watch<'_>) -> Result<LogText, Unread> {
        if let Some(text) = self.text.take() {
            return Ok(text);
        }
        let opened = watch.open(&self.path);
        let opened = opened.map_err(|error| Unread::Failed(error.to_string()))?;
        LogText::of(opened).map_err(|error| Unread::Failed(cannot_read(&self.path, &error)))
    }
}
