//! A part of a log by time: what a user names of it, and the records that reach into it.

use std::fmt;

use super::record::{Command, Damage, Ending, Event, Moment, Sink};

/// Microseconds of a second, and of a day.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A time as a user names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// With its day.
    At(Moment),
    /// A time of day, in seconds from midnight: the last one in the log.
    OfDay(u32),
}

impl Clock {
    /// Reads `02:05`, `02:05:30` or `2026/03/03 02:05:30`.
    ///
    /// # Errors
    ///
    /// What such a time looks like.
    ///
    /// ```
    /// use plimsoll_p4log::serverlog::range::Clock;
    ///
    /// assert_eq!(Clock::read("02:05"), Ok(Clock::OfDay(7500)));
    /// assert!(Clock::read("25:00").is_err());
    /// ```
    pub fn read(text: &str) -> Result<Self, String> {
        let (day, clock) = text.rsplit_once(' ').map_or((None, text), |(day, clock)| (Some(day), clock));
        let parts: Vec<Option<u32>> = clock.split(':').map(|part| part.parse().ok()).collect();
        let (hour, minute, second) = match parts[..] {
            [Some(hour @ 0..24), Some(minute @ 0..60)] => (hour, minute, 0),
            [Some(hour @ 0..24), Some(minute @ 0..60), Some(second @ 0..60)] => (hour, minute, second),
            _ => return Err("a time is 02:05, 02:05:30 or 2026/03/03 02:05:30".to_owned()),
        };
        let Some(day) = day else {
            return Ok(Self::OfDay(hour * 3600 + minute * 60 + second));
        };
        Moment::read(&format!("{day} {hour:02}:{minute:02}:{second:02}"))
            .map(Self::At)
            .ok_or_else(|| format!("{} is no day; a day is 2026/03/03", crate::diag::quoted(day)))
    }

    /// The moment: of a time of day the last one that is not after `end`.
    #[must_use]
    pub fn before(self, end: Moment) -> Moment {
        match self {
            Self::At(at) => at,
            Self::OfDay(second) => {
                let back = (end.micros - i64::from(second) * SECOND).rem_euclid(DAY);
                Moment { micros: end.micros - back }
            }
        }
    }

    /// The moment: of a time of day the first one that is not before `from`.
    fn after(self, from: Moment) -> Moment {
        match self {
            Self::At(at) => at,
            Self::OfDay(_) => {
                let last = Moment { micros: from.micros + DAY - SECOND };
                self.before(last)
            }
        }
    }
}

/// Which part of a log a user asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// From when on.
    pub from: Option<Clock>,
    /// To when.
    pub to: Option<Clock>,
    /// So many seconds before its end, in place of both.
    pub last_s: Option<u32>,
}

/// Why a part of a log cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the part of the log that is asked for ends at {to}, before it begins at {from}")]
pub struct Backwards {
    /// Its beginning.
    pub from: Moment,
    /// Its end.
    pub to: Moment,
}

impl Wanted {
    /// Whether the whole log is wanted.
    #[must_use]
    pub fn is_all(self) -> bool {
        self == Self::default()
    }

    /// Whether the part depends on where the log ends.
    #[must_use]
    pub fn is_before_end(self) -> bool {
        let is_of_day = |clock| matches!(clock, Some(Clock::OfDay(_)));
        self.last_s.is_some() || is_of_day(self.from) || is_of_day(self.to)
    }

    /// The part of a log that ends at `end`. A time of day is the last one in it. Where both are such times, the end is the first
    /// one after the beginning if that is of the same day, even where the log ends before; else the last one in the log, and the
    /// beginning lies before it. Behind a beginning that has its day, the end is the first one after it.
    ///
    /// # Errors
    ///
    /// [`Backwards`]: it ends before it begins.
    pub fn of_log(self, end: Moment) -> Result<Range, Backwards> {
        if let Some(last_s) = self.last_s {
            let from = end.plus_seconds(-f64::from(last_s));
            return Ok(Range { from: Some(from), to: None, is_of_day: false });
        }
        let to = self.to.map(|to| match self.from {
            Some(Clock::At(from)) => to.after(from),
            Some(from @ Clock::OfDay(begins)) => match to {
                Clock::OfDay(ends) if ends >= begins => to.after(from.before(end)),
                _ => to.before(end),
            },
            None => to.before(end),
        });
        let from = self.from.map(|from| from.before(to.unwrap_or(end)));
        match (from, to) {
            (Some(from), Some(to)) if to < from => Err(Backwards { from, to }),
            _ => Ok(Range { from, to, is_of_day: matches!(self.from, Some(Clock::OfDay(_))) }),
        }
    }
}

/// A part of a log, both ends in it; without an end where the log's own is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Range {
    /// From when on.
    pub from: Option<Moment>,
    /// To when.
    pub to: Option<Moment>,
    /// Whether its beginning was named by a time of day, which the log has to have.
    pub is_of_day: bool,
}

/// As a sentence names it: `from 2026/03/03 02:00:00 to 2026/03/03 02:30:00`.
impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (Some(from), Some(to)) => write!(formatter, "from {from} to {to}"),
            (Some(from), None) => write!(formatter, "from {from} on"),
            (None, Some(to)) => write!(formatter, "up to {to}"),
            (None, None) => formatter.write_str("from its beginning to its end"),
        }
    }
}

impl Range {
    /// Whether a time from `begin` to `end` reaches into it.
    #[must_use]
    pub fn meets(self, begin: Moment, end: Moment) -> bool {
        self.from.is_none_or(|from| end >= from) && self.to.is_none_or(|to| begin <= to)
    }

    /// A beginning and a length \[s\], as far as they lie in it: what reaches into it counts from its beginning on.
    #[must_use]
    pub fn part(self, begin: Moment, length_s: f64) -> (Moment, f64) {
        let at = self.from.map_or(begin, |from| begin.max(from));
        let gone_s = at.seconds_since(begin);
        let rest_s = (length_s - gone_s).max(0.0);
        let most_s = self.to.map(|to| to.seconds_since(at).max(0.0));
        (at, most_s.map_or(rest_s, |most_s| rest_s.min(most_s)))
    }

    /// A span, as far as it lies in it.
    #[must_use]
    pub fn of_span(self, (begin, end): (Moment, Moment)) -> (Moment, Moment) {
        let from = self.from.map_or(begin, |from| begin.max(from));
        let to = self.to.map_or(end, |to| end.min(to));
        (from, to.max(from))
    }
}

/// Passes on what reaches into a part of a log: commands that ran in it, if only for a moment, and those that have not ended.
pub(super) struct InRange<'a> {
    range: Range,
    sink: &'a mut dyn Sink,
    /// Whether the log has ended: what has no end now runs on.
    has_ended: bool,
    /// Commands that were passed on.
    pub(super) commands: u64,
    /// From when to when the records go, those that were not passed on too.
    pub(super) span: Option<(Moment, Moment)>,
}

impl<'a> InRange<'a> {
    pub(super) fn new(range: Range, sink: &'a mut dyn Sink) -> Self {
        Self { range, sink, has_ended: false, commands: 0, span: None }
    }

    fn seen(&mut self, begin: Moment, end: Moment) {
        let span = self.span.get_or_insert((begin, end));
        *span = (span.0.min(begin), span.1.max(end));
    }
}

impl Sink for InRange<'_> {
    fn command(&mut self, command: &Command) {
        let Some(begin) = command.start.known() else {
            // A paste without times.
            if self.range == Range::default() {
                self.commands += 1;
                self.sink.command(command);
            }
            return;
        };
        let end = command.end.unwrap_or(begin).max(begin);
        self.seen(begin, end);
        let runs_on = self.has_ended && command.ending == Ending::Pending;
        let end = if runs_on { end.max(self.range.from.unwrap_or(end)) } else { end };
        if self.range.meets(begin, end) {
            self.commands += 1;
            self.sink.command(command);
        }
    }

    fn event(&mut self, event: &Event) {
        let is_in = match event.at {
            Some(at) => {
                self.seen(at, at);
                self.range.meets(at, at)
            }
            None => self.range == Range::default(),
        };
        if is_in {
            self.sink.event(event);
        }
    }

    fn damage(&mut self, damage: &Damage) {
        self.sink.damage(damage);
    }

    fn log_ends(&mut self) {
        self.has_ended = true;
        self.sink.log_ends();
    }
}

#[cfg(test)]
mod tests {
    use super::{Backwards, Clock, Moment, Range, Wanted};

    fn at(text: &str) -> Moment {
        Moment::read(text).expect("a moment")
    }

    #[test]
    fn a_time_of_day_is_the_last_one_in_the_log() {
        let end = at("2026/03/03 02:17:35");
        let clock = |text| Clock::read(text).ok();
        let of = |from, to| Wanted { from, to, last_s: None }.of_log(end);
        let range = |from: &str, to: &str| Ok((Some(at(from)), Some(at(to))));
        for (from, to, wanted) in [
            ("02:00", "02:10", ("2026/03/03 02:00:00", "2026/03/03 02:10:00")),
            // Not yet today.
            ("03:00", "04:00", ("2026/03/02 03:00:00", "2026/03/02 04:00:00")),
            // Up to after the log's end.
            ("02:01", "02:20", ("2026/03/03 02:01:00", "2026/03/03 02:20:00")),
            // Over midnight.
            ("23:00", "01:00", ("2026/03/02 23:00:00", "2026/03/03 01:00:00")),
            ("2026/03/01 02:00", "02:30", ("2026/03/01 02:00:00", "2026/03/01 02:30:00")),
            ("2026/03/01 02:00", "01:30", ("2026/03/01 02:00:00", "2026/03/02 01:30:00")),
        ] {
            assert_eq!(
                of(clock(from), clock(to)).map(|range| (range.from, range.to)),
                range(wanted.0, wanted.1),
                "{from} {to}"
            );
        }
        let (from, to) = (at("2026/03/03 02:10:00"), at("2026/03/03 02:00:00"));
        let backwards = of(Some(Clock::At(from)), Some(Clock::At(to)));
        assert_eq!(backwards, Err(Backwards { from, to }));
        let last = Wanted { last_s: Some(1800), ..Wanted::default() };
        assert_eq!(last.of_log(end).map(|range| range.from), Ok(Some(at("2026/03/03 01:47:35"))));
    }

    #[test]
    fn what_reaches_into_a_range_counts_from_its_beginning() {
        let range =
            Range { from: Some(at("2026/03/03 02:00:00")), to: Some(at("2026/03/03 02:10:00")), is_of_day: false };
        let begin = at("2026/03/03 01:00:00");
        assert_eq!(range.part(begin, 3660.0), (at("2026/03/03 02:00:00"), 60.0));
        assert_eq!(range.part(begin, 9000.0).1, 600.0);
        assert!(range.meets(begin, at("2026/03/03 02:00:00")));
        assert!(!range.meets(begin, at("2026/03/03 01:59:59")));
        assert!(!range.meets(at("2026/03/03 02:10:01"), at("2026/03/03 03:00:00")));
    }
}
