//! How good a log is: what it holds, what is missing, what cannot be known from it, and which settings would mend that.

use std::collections::VecDeque;

use super::beside::Beside;
use super::journal::{Checkpoint, Journal};
use super::range::Range;
use super::record::{Command, Damage, Ending, Event, Moment, Understood, What};

/// From this time without a line on there is a gap \[s\].
pub const GAP_S: f64 = 600.0;
/// Gaps and damaged places that are kept.
const KEPT: usize = 5;
/// A record that ends so much before another that came earlier shows a clock that went back \[s\].
const BACK_S: f64 = 1800.0;
/// Fewest commands of which a level is judged.
const FEWEST: u64 = 20;
/// Share of completed commands with track lines from which on all have them.
const ALL: f64 = 0.98;
/// A command that ended so shortly before the server started, or the log ended, may have lost its track lines by that \[s\];
/// and how many such are kept.
const CUT_S: f64 = 60.0;
const CUT: usize = 10_000;
/// Steps of a decade of lapses, and decades from 1 ms.
const STEPS: usize = 8;
const DECADES: usize = 9;

/// A file that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFile {
    /// As it was named.
    pub name: String,
    /// Its size as it lies on the disk.
    pub bytes: u64,
    /// What it is, in words; empty for a server log.
    pub kind: &'static str,
    /// How it is packed, in words; empty for plain text.
    pub packed: &'static str,
    /// Why it ended before its end, where it is cut or damaged.
    pub broken: Option<String>,
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    /// The files in their order.
    pub files: Vec<LogFile>,
    /// How much of their text was understood.
    pub understood: Understood,
    /// The earliest time of a line.
    pub first: Option<Moment>,
    /// The latest time of a line.
    pub last: Option<Moment>,
    /// The part of it that is wanted, and from when to when the whole log goes; nothing where the whole is.
    pub part: Option<(Range, (Moment, Moment))>,
    /// When a command ended last before that part.
    pub last_end: Option<Moment>,
    /// What of it could not be read, a sentence each: structured logs whose columns are not known.
    pub notes: Vec<String>,
    /// Outputs among them that say who has which lock, until the findings have it.
    pub beside: Option<Beside>,
    /// What journals among them say, until the findings have it.
    pub journal: Option<Journal>,
    /// What checkpoints among them hold, until the findings have it.
    pub checkpoint: Option<Checkpoint>,
}

/// The level of `server`, as far as a log shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerLevel {
    /// Too few commands to say.
    Unknown,
    /// Beginnings alone.
    Starts,
    /// Completions too; whether compute ends would be there cannot be seen.
    CompletionsAtLeast,
    /// Completions, and no compute ends although there were syncs.
    Completions,
    /// Compute ends too.
    Computes,
}

/// Which commands have track lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrackLevel {
    /// Too few commands to say.
    Unknown,
    /// None.
    Off,
    /// Every command.
    Every,
    /// Only those from some lapse on: the log is censored.
    Slow {
        /// From this lapse on \[s\].
        from_s: f64,
        /// Share of the completed commands that have them.
        fraction: f64,
    },
    /// Some without a rule: the level changed in between, or blocks are missing.
    Some {
        /// Share of the completed commands that have them.
        fraction: f64,
    },
}

/// How commands ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Endings {
    /// With "completed".
    pub completed: u64,
    /// Known from the track block alone.
    pub tracked: u64,
    /// Of kinds that never say so.
    pub unreported: u64,
    /// Removed from the monitor table.
    pub removed: u64,
    /// Ended by a start of the server.
    pub restart: u64,
    /// Ended by the next command of their process.
    pub replaced: u64,
    /// Without an end when the log ended.
    pub pending: u64,
}

impl Endings {
    /// Commands whose end nobody wrote down.
    pub fn without_end(&self) -> u64 {
        self.removed + self.restart + self.replaced + self.pending
    }
}

/// The verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Quality {
    /// What was read.
    pub log: Log,
    /// When its first command began and its last line was written.
    pub span: Option<(Moment, Moment)>,
    /// All records of commands.
    pub records: u64,
    /// How they ended.
    pub endings: Endings,
    /// The level of `server`.
    pub server: ServerLevel,
    /// Which commands have track lines.
    pub track: TrackLevel,
    /// The longest times without a line from ten minutes on: when they begin, and seconds.
    pub gaps: Vec<(Moment, f64)>,
    /// Records that end long before earlier ones: a clock that went back, or files in the wrong order.
    pub backwards: u64,
    /// Damaged places, and the first of them.
    pub damages: (u64, Vec<Damage>),
    /// Bytes of damaged places.
    pub damaged_bytes: u64,
    /// Commands that state their memory, which p4d does from 2022.2 on.
    pub with_memory: u64,
    /// Commands with counts of the operating system, which Windows lacks.
    pub with_usage: u64,
    /// Commands with lines of tables.
    pub with_tables: u64,
    /// Commands with an error.
    pub failed: u64,
}

/// Judges a log by the records that go by.
#[derive(Debug, Clone)]
pub struct QualityCheck {
    quality: Quality,
    latest: Option<Moment>,
    computes: u64,
    /// Commands of clients with a beginning, which a completion would follow at level 2; and those of them with track lines.
    begun: (u64, u64),
    /// Commands that log a compute end at level 3.
    computing: u64,
    /// Completed commands by lapse: with and without track lines, and the shortest of the former.
    lapses: Vec<(u64, u64, f64)>,
    /// The latest of those without: their ends, and their steps.
    untracked: VecDeque<(Moment, usize)>,
}

impl Default for QualityCheck {
    fn default() -> Self {
        Self {
            quality: Quality {
                log: Log::default(),
                span: None,
                records: 0,
                endings: Endings::default(),
                server: ServerLevel::Unknown,
                track: TrackLevel::Unknown,
                gaps: Vec::new(),
                backwards: 0,
                damages: (0, Vec::new()),
                damaged_bytes: 0,
                with_memory: 0,
                with_usage: 0,
                with_tables: 0,
                failed: 0,
            },
            latest: None,
            computes: 0,
            begun: (0, 0),
            computing: 0,
            lapses: vec![(0, 0, f64::INFINITY); STEPS * DECADES],
            untracked: VecDeque::new(),
        }
    }
}

/// Functions that end a compute phase at level 3.
pub const COMPUTING: [&str; 4] = ["user-sync", "user-update", "user-changes", "dm-SubmitChange"];

impl QualityCheck {
    pub(super) fn command(&mut self, command: &Command) {
        let quality = &mut self.quality;
        quality.records += 1;
        let endings = &mut quality.endings;
        let count = match command.ending {
            Ending::Completed => &mut endings.completed,
            Ending::Tracked => &mut endings.tracked,
            Ending::Unreported => &mut endings.unreported,
            Ending::Removed => &mut endings.removed,
            Ending::Restart => &mut endings.restart,
            Ending::Replaced => &mut endings.replaced,
            Ending::Pending => &mut endings.pending,
        };
        *count += 1;
        quality.failed += u64::from(command.failed);
        quality.with_memory += u64::from(command.memory_bytes.is_some());
        quality.with_usage += u64::from(command.usage.is_some());
        quality.with_tables += u64::from(!command.tables.is_empty());
        self.computes += u64::from(command.compute_s.is_some());
        // A pasted track block has no beginning, and no user.
        let is_begun = ["user-", "dm-"].iter().any(|class| command.function.starts_with(class))
            && !command.user.is_empty()
            && !matches!(command.ending, Ending::Unreported | Ending::Removed);
        self.begun.0 += u64::from(is_begun);
        self.begun.1 += u64::from(is_begun && command.ending == Ending::Tracked);
        if command.ending == Ending::Completed {
            self.computing += u64::from(COMPUTING.contains(&command.function.as_str()));
            if let Some(lapse_s) = command.lapse_s {
                let step = ((lapse_s.max(1e-3) / 1e-3).log10() * STEPS as f64) as usize;
                let step = step.min(STEPS * DECADES - 1);
                let bin = &mut self.lapses[step];
                if command.tracked {
                    bin.0 += 1;
                    bin.2 = bin.2.min(lapse_s);
                } else {
                    bin.1 += 1;
                    if self.untracked.len() >= CUT {
                        self.untracked.pop_front();
                    }
                    let end = command.end.unwrap_or(command.start);
                    self.untracked.push_back((end, step));
                }
            }
        }
        let end = command.end.unwrap_or(command.start).max(command.start);
        let is_timed = matches!(command.ending, Ending::Completed | Ending::Tracked);
        if let Some(latest) = self.latest
            && is_timed
            && latest.seconds_since(end) > BACK_S
        {
            self.quality.backwards += 1;
        }
        self.seen(command.start, end);
    }

    pub(super) fn event(&mut self, event: &Event) {
        if let Some(at) = event.at {
            self.seen(at, at);
        }
        if matches!(event.what, What::Started { .. }) {
            self.forget_cut(event.at);
            // What follows is another life of the server; the time between is no gap of the log alone.
            self.latest = self.latest.max(event.at);
        }
    }

    pub(super) fn damage(&mut self, damage: &Damage) {
        let (count, first) = &mut self.quality.damages;
        *count += 1;
        self.quality.damaged_bytes += damage.bytes;
        if first.len() < KEPT {
            first.push(damage.clone());
        }
    }

    /// Commands that ended shortly before the server started, or the log ended, need not have had their track lines by then:
    /// they say nothing of the level.
    fn forget_cut(&mut self, at: Option<Moment>) {
        let Some(at) = at.or(self.latest) else {
            return;
        };
        for (end, step) in self.untracked.drain(..) {
            if (0.0..=CUT_S).contains(&at.seconds_since(end)) {
                self.lapses[step].1 -= 1;
            }
        }
    }

    /// Lines were written at these times.
    fn seen(&mut self, start: Moment, end: Moment) {
        if start.known().is_none() {
            return;
        }
        let span = self.quality.span.get_or_insert((start, end));
        span.0 = span.0.min(start);
        span.1 = span.1.max(end);
        if let Some(latest) = self.latest {
            let next = if start > latest { start } else { end };
            let gap = next.seconds_since(latest);
            if gap >= GAP_S {
                self.quality.gaps.push((latest, gap));
                self.quality.gaps.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                self.quality.gaps.truncate(KEPT);
            }
        }
        self.latest = Some(self.latest.map_or(end, |latest| latest.max(end)));
    }

    pub(super) fn quality(mut self, log: Log) -> Quality {
        if let (Some(span), Some(last)) = (&mut self.quality.span, log.last) {
            span.1 = span.1.max(last);
        }
        if let (Some(span), Some((range, _))) = (&mut self.quality.span, log.part) {
            *span = range.of_span(*span);
        }
        let server = self.server();
        let is_any = self.lapses.iter().any(|bin| bin.0 > 0);
        if is_any {
            self.forget_cut(None);
        }
        let track = self.track();
        Quality { log, server, track, ..self.quality }
    }

    fn server(&self) -> ServerLevel {
        let endings = &self.quality.endings;
        if self.computes > 0 {
            ServerLevel::Computes
        } else if endings.completed > 0 && self.computing >= FEWEST {
            ServerLevel::Completions
        } else if endings.completed > 0 {
            ServerLevel::CompletionsAtLeast
        } else if self.begun.0 >= FEWEST {
            ServerLevel::Starts
        } else {
            ServerLevel::Unknown
        }
    }

    fn track(&self) -> TrackLevel {
        if self.server() == ServerLevel::Starts {
            // Without completions the lapses of commands without track lines are not known.
            let fraction = self.begun.1 as f64 / self.begun.0 as f64;
            return match fraction {
                0.0 => TrackLevel::Off,
                all if all >= ALL => TrackLevel::Every,
                fraction => TrackLevel::Some { fraction },
            };
        }
        let with: u64 = self.lapses.iter().map(|bin| bin.0).sum();
        let without: u64 = self.lapses.iter().map(|bin| bin.1).sum();
        let all = with + without;
        if all < FEWEST {
            // Few commands show no rule.
            return TrackLevel::Unknown;
        }
        let fraction = with as f64 / all as f64;
        if with == 0 {
            return TrackLevel::Off;
        }
        if fraction >= ALL {
            return TrackLevel::Every;
        }
        // The lapse that separates the two best.
        let mut wrong = without;
        let mut best = (wrong, 0);
        for (i, bin) in self.lapses.iter().enumerate() {
            // With the threshold above this step, its tracked ones are wrong and its untracked ones right.
            wrong = wrong + bin.0 - bin.1;
            if wrong < best.0 {
                best = (wrong, i + 1);
            }
        }
        let above = self.lapses[best.1.min(self.lapses.len() - 1)..].iter();
        let from_s = above.map(|bin| bin.2).fold(f64::INFINITY, f64::min);
        if best.0 as f64 <= 0.1 * with as f64 && best.1 > 0 && from_s.is_finite() {
            TrackLevel::Slow { from_s, fraction }
        } else {
            TrackLevel::Some { fraction }
        }
    }
}

impl Quality {
    /// From the first line to the last \[s\].
    pub fn span_s(&self) -> f64 {
        self.span.map_or(0.0, |(from, to)| to.seconds_since(from))
    }

    /// Share of the lines that are understood or known to carry nothing.
    pub fn understood(&self) -> f64 {
        let lines = &self.log.understood;
        if lines.lines == 0 {
            return 1.0;
        }
        (lines.understood + lines.noise) as f64 / lines.lines as f64
    }

    /// Commands for `p4` that would make the next log say more.
    pub fn mending(&self) -> Vec<&'static str> {
        let mut commands = Vec::new();
        if matches!(self.server, ServerLevel::Starts | ServerLevel::Completions) {
            commands.push("p4 configure set server=3");
        }
        if !matches!(self.track, TrackLevel::Every | TrackLevel::Unknown) {
            commands.push("p4 configure set track=1");
        }
        commands
    }

    /// What cannot be known from this log, a sentence each.
    pub fn cannot(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let mut say = |text: &str| all.push(text.to_owned());
        match self.server {
            ServerLevel::Starts if self.track != TrackLevel::Every => {
                say("How long commands take that have no track lines: no line says that one is completed (server=1).");
            }
            ServerLevel::Completions => {
                say("How long syncs compute before they send: there are no compute ends (server=2).");
            }
            _ => {}
        }
        match self.track {
            TrackLevel::Off => say(
                "Locks, pages, rows, network and memory of commands: there are no track lines. Culprits cannot be found.",
            ),
            TrackLevel::Slow { .. } => {
                say("Locks, pages, rows and network of the shorter commands: sums over tables and limits lack them.");
            }
            TrackLevel::Some { .. } => {
                say("Locks, pages, rows and network of the commands without track lines: sums lack them.");
            }
            TrackLevel::Every | TrackLevel::Unknown => {}
        }
        if self.with_usage == 0 && self.records > 0 {
            say(
                "Processor time, reads from storage and memory: no line has counts of the system (p4d on Windows has none).",
            );
        }
        if self.with_memory == 0 && self.records > 0 {
            say("Memory of single commands, for MaxMemory: p4d logs it from 2022.2 on.");
        }
        say("When within its lapse a command held a lock: culprits are inferred from lapses that overlap.");
        all
    }

    /// File names may be personal: only their number stays.
    pub(super) fn anonymise(&mut self) {
        for (i, file) in self.log.files.iter_mut().enumerate() {
            file.name = format!("log {}", i + 1);
        }
        for damage in &mut self.damages.1 {
            "unreadable text".clone_into(&mut damage.found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(second: i64, lapse_s: f64, tracked: bool) -> Command {
        let start = Moment { micros: second * 1_000_000 };
        Command {
            function: "user-sync".to_owned(),
            start,
            end: Some(start.plus_seconds(lapse_s)),
            ending: Ending::Completed,
            lapse_s: Some(lapse_s),
            tracked,
            ..Command::default()
        }
    }

    fn judged(commands: &[Command]) -> Quality {
        let mut watched = QualityCheck::default();
        for command in commands {
            watched.command(command);
        }
        watched.quality(Log::default())
    }

    #[test]
    fn a_censored_log_is_recognised_with_its_threshold() {
        let commands: Vec<Command> = (0..200)
            .map(|i| {
                let lapse_s = 0.01 * 1.05_f64.powi(i % 150);
                command(i64::from(i), lapse_s, lapse_s >= 1.0)
            })
            .collect();
        let quality = judged(&commands);
        let TrackLevel::Slow { from_s, fraction } = quality.track else {
            panic!("{:?}", quality.track);
        };
        assert!((1.0..1.06).contains(&from_s), "{from_s}");
        assert!((0.2..0.4).contains(&fraction), "{fraction}");
        assert_eq!(quality.server, ServerLevel::Completions);
        assert_eq!(quality.mending(), ["p4 configure set server=3", "p4 configure set track=1"]);
    }

    #[test]
    fn a_log_without_completions_is_of_level_1_with_track_lines_and_without() {
        let begun = |tracked: bool| Command {
            user: "ann".to_owned(),
            ending: if tracked { Ending::Tracked } else { Ending::Replaced },
            ..command(0, 1.0, tracked)
        };
        for (tracked, level) in [(true, TrackLevel::Every), (false, TrackLevel::Off)] {
            let quality = judged(&vec![begun(tracked); 30]);
            assert_eq!((quality.server, quality.track), (ServerLevel::Starts, level));
            assert_eq!(quality.mending()[0], "p4 configure set server=3");
        }
        assert_eq!(judged(&[begun(true)]).server, ServerLevel::Unknown);
    }

    #[test]
    fn gaps_and_a_clock_that_goes_back_are_seen() {
        let quality =
            judged(&[command(0, 5.0, true), command(10, 0.1, true), command(4000, 0.1, true), command(10, 0.1, true)]);
        assert_eq!(quality.gaps.len(), 1);
        assert!((quality.gaps[0].1 - 3989.9).abs() < 1e-6, "{:?}", quality.gaps);
        assert_eq!(quality.backwards, 1);
        // Too few commands to judge.
        assert_eq!(quality.track, TrackLevel::Unknown);
        assert!(quality.mending().is_empty());
    }
}
