//! The part of a log that is looked at: `--from`, `--to`, `--last`.

use std::path::PathBuf;

use clap::Args;

use crate::serverlog::logs::{part_of, read_logs, read_part};
use crate::serverlog::quality::Log;
use crate::serverlog::range::{Clock, Range, Wanted};
use crate::serverlog::record::Sink;
use crate::units::{Quantity as _, Seconds};

/// Ten years: no log is longer, and a moment so long ago can still be written.
const LONGEST_S: f64 = 10.0 * 365.25 * 86_400.0;

#[derive(Debug, Clone, Args)]
pub(super) struct LogPart {
    /// Look at the part from this time on (`02:00`: the last one in the log, `02:05:30`, `2026/03/03 02:05:30`); commands that
    /// reach into it are in
    #[arg(long, value_name = "TIME", value_parser = Clock::read)]
    from: Option<Clock>,
    /// Look at the part up to this time
    #[arg(long, value_name = "TIME", value_parser = Clock::read)]
    to: Option<Clock>,
    /// Look at the last minutes of the log (`30m`, `90 s`, `2 h`)
    #[arg(long, value_name = "TIME", value_parser = before_end, conflicts_with_all = ["from", "to"])]
    last: Option<u32>,
}

impl LogPart {
    /// What is asked for, if it is not the whole log.
    pub(super) fn wanted(&self) -> Option<Wanted> {
        let wanted = Wanted { from: self.from, to: self.to, last_s: self.last };
        (!wanted.is_all()).then_some(wanted)
    }

    /// The part of these logs; `None` of the whole.
    pub(super) fn range(&self, logs: &[PathBuf]) -> Result<Option<Range>, String> {
        let range = self.wanted().map(|wanted| part_of(logs, wanted));
        range.transpose().map_err(|unread| unread.to_string())
    }
}

/// Reads logs, or a part of them.
pub(super) fn read(logs: &[PathBuf], range: Option<Range>, sink: &mut dyn Sink) -> Result<Log, String> {
    let read = match range {
        Some(range) => read_part(logs, range, sink, &mut |_| true),
        None => read_logs(logs, sink, &mut |_| true),
    };
    read.map_err(|unread| unread.to_string())
}

/// A time before the end; minutes may be `m`, for months no log is read by.
fn before_end(text: &str) -> Result<u32, String> {
    let minutes = text.strip_suffix('m').filter(|rest| {
        let last = rest.trim_end().chars().last();
        last.is_some_and(|last| last.is_ascii_digit())
    });
    let text = minutes.map_or_else(|| text.to_owned(), |rest| format!("{rest}min"));
    let seconds = Seconds::parse(&text).map_err(|error| error.to_string())?.get();
    if (1.0..=LONGEST_S).contains(&seconds) {
        // Ten years fit.
        Ok(seconds.round() as u32)
    } else {
        Err("it is between 1 s and 10 years".to_owned())
    }
}
