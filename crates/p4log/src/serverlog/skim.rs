//! Passes over the beginning of a log to where a part of it begins, at the speed at which lines are counted.
//!
//! Of what is passed over, nothing is kept but the blocks of commands that have not ended by then: they run into the part
//! that is wanted. A command has ended where a line says so, where the last block of its track lines came, where its process
//! began another one, and where the server started again.

use std::collections::HashMap;
use std::io::{self, Read};

use memchr::memchr_iter;

use super::block::is_dashed;
use super::record::{Moment, Place};
use super::scan::{Calendar, Scan};
use super::server;

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// A block is no longer; the rest of a longer one is passed over.
const LONGEST: usize = 1 << 20;

/// Commands that are kept, and bytes of each: as many as are followed at once.
const MOST: usize = 100_000;
const MOST_BYTES: usize = 64 << 10;

/// A block of a command that has not ended.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Where it begins.
    pub(super) place: Place,
    /// Its lines, from the one with its time on.
    pub(super) text: Vec<u8>,
}

/// Where the wanted part begins.
#[derive(Debug)]
pub(super) struct Found {
    /// The text from there on, as far as it was read.
    pub(super) text: Vec<u8>,
    /// Its first line.
    pub(super) place: Place,
}

/// What stands in the block that is being read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    /// Nothing of a command.
    #[default]
    Other,
    /// A start line of a process; whether track lines follow it.
    Start { pid: u64, is_tracked: bool },
    /// The end of a compute phase.
    Computed(u64),
}

/// A text that is passed over up to a moment.
#[derive(Debug, Clone)]
pub(super) struct Skim {
    /// The moment as logs write it: such texts are ordered as times are.
    until: [u8; 19],
    /// Blocks of commands that have not ended, by process.
    live: HashMap<u64, Vec<Block>>,
    /// The first and the latest time of a line.
    pub(super) span: Option<(Moment, Moment)>,
    /// When a line says last that a command has ended.
    pub(super) last_end: Option<Moment>,
    /// Lines with a time.
    pub(super) timed: u64,
    latest: [u8; 19],
    ended: [u8; 19],
}

impl Skim {
    /// Up to the first line of this moment or a later one.
    pub(super) fn until(moment: Moment) -> Self {
        let mut until = [b'9'; 19];
        let text = moment.to_string();
        if let Some(text) = text.as_bytes().first_chunk() {
            until = *text;
        }
        Self::up_to(until)
    }

    /// To the end of the log.
    pub(super) fn all() -> Self {
        Self::up_to([b'9'; 19])
    }

    fn up_to(until: [u8; 19]) -> Self {
        Self {
            until,
            live: HashMap::new(),
            span: None,
            last_end: None,
            timed: 0,
            latest: [b'0'; 19],
            ended: [b'0'; 19],
        }
    }

    /// The blocks of those that have not ended, in the order of the log.
    pub(super) fn blocks(self) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.live.into_values().flatten().collect();
        blocks.sort_by_key(|block| (block.place.file, block.place.offset));
        blocks
    }

    /// Passes over a file, up to its end or to where the wanted part begins.
    pub(super) fn pass(&mut self, file: usize, input: &mut dyn Read) -> io::Result<Option<Found>> {
        let mut text = Text::default();
        let mut open = Open::default();
        loop {
            let searched = text.buffer.len();
            let is_over = text.fill(input)? == 0;
            let buffer = std::mem::take(&mut text.buffer);
            for end in memchr_iter(b'\n', &buffer[searched..]) {
                let line = &buffer[text.at.index..searched + end];
                if let Some(begin) = self.line(line, text.at, &mut open, &buffer, text.before, file) {
                    let place = begin.place(file, text.before);
                    let text = buffer[begin.index..].to_vec();
                    return Ok(Some(Found { text, place }));
                }
                text.at.index = searched + end + 1;
                text.at.number += 1;
            }
            if is_over {
                let begin = if text.at.index < buffer.len() {
                    let line = &buffer[text.at.index..];
                    self.line(line, text.at, &mut open, &buffer, text.before, file)
                } else {
                    None
                };
                if let Some(begin) = begin {
                    let place = begin.place(file, text.before);
                    let text = buffer[begin.index..].to_vec();
                    return Ok(Some(Found { text, place }));
                }
                let place = open.from.place(file, text.before);
                self.ends(open.kind, place, &buffer[open.from.index..]);
                self.seen();
                return Ok(None);
            }
            text.buffer = buffer;
            let keep = open.keep(text.at);
            if text.at.index - keep.index > LONGEST {
                let place = open.from.place(file, text.before);
                self.ends(open.kind, place, &text.buffer[open.from.index..text.at.index]);
                open = Open::default();
            }
            text.drop_before(&mut open);
        }
    }

    /// Takes a line; where the wanted part begins, if it is there.
    fn line(&mut self, line: &[u8], at: At, open: &mut Open, buffer: &[u8], before: u64, file: usize) -> Option<At> {
        match line.first()? {
            b'\t' | b' ' | b'0'..=b'9' => {
                let Some(timed) = Timed::of(line) else {
                    self.is_restart(line);
                    return None;
                };
                let place = open.from.place(file, before);
                self.ends(open.kind, place, &buffer[open.from.index..at.index]);
                if *timed.time >= self.until {
                    self.seen();
                    return Some(open.header.unwrap_or(at));
                }
                self.latest = self.latest.max(*timed.time);
                self.timed += 1;
                if self.timed == 1 {
                    self.seen();
                }
                let kind = self.begins(&timed);
                *open = Open { kind, from: at, header: None };
            }
            b'P' => {
                if server::header(line).is_some() {
                    let place = open.from.place(file, before);
                    self.ends(open.kind, place, &buffer[open.from.index..at.index]);
                    *open = Open { kind: Kind::Other, from: at, header: Some(at) };
                } else {
                    self.is_restart(line);
                }
            }
            _ => {
                if let Kind::Start { pid, is_tracked } = &mut open.kind
                    && let Some(track) = is_dashed(line)
                {
                    *is_tracked = true;
                    if is_last(track) {
                        self.live.remove(pid);
                        open.kind = Kind::Other;
                    }
                }
            }
        }
        None
    }

    /// Tells the latest times as moments.
    fn seen(&mut self) {
        if let Some(at) = Calendar::default().written(&self.latest) {
            let span = self.span.get_or_insert((at, at));
            span.1 = span.1.max(at);
        }
        self.last_end = Calendar::default().written(&self.ended);
    }

    /// A line with a time begins a block, or says that a command has ended.
    fn begins(&mut self, timed: &Timed<'_>) -> Kind {
        let Some(pid) = timed.pid else {
            return Kind::Other;
        };
        if timed.what.starts_with(b"completed") {
            self.ended = self.ended.max(*timed.time);
            self.live.remove(&pid);
            Kind::Other
        } else if timed.what.starts_with(b"compute end") {
            Kind::Computed(pid)
        } else if memchr::memmem::rfind(timed.what, b"' exited unexpectedly").is_some() {
            self.live.remove(&pid);
            Kind::Other
        } else {
            let is_tracked = false;
            Kind::Start { pid, is_tracked }
        }
    }

    /// A block has ended: of a command that begins or goes on it is kept.
    fn ends(&mut self, kind: Kind, place: Place, text: &[u8]) {
        let (pid, goes_on) = match kind {
            Kind::Other => return,
            Kind::Start { pid, is_tracked } => (pid, is_tracked),
            Kind::Computed(pid) => (pid, true),
        };
        let text = &text[..text.len().min(MOST_BYTES)];
        let block = Block { place, text: text.to_vec() };
        match self.live.get_mut(&pid) {
            Some(blocks) if goes_on => {
                let kept: usize = blocks.iter().map(|block| block.text.len()).sum();
                if kept + text.len() <= MOST_BYTES {
                    blocks.push(block);
                }
            }
            Some(blocks) => *blocks = vec![block],
            None => {
                if self.live.len() >= MOST {
                    self.forget();
                }
                self.live.insert(pid, vec![block]);
            }
        }
    }

    /// Half of them, the oldest, are no longer followed.
    fn forget(&mut self) {
        let place = |blocks: &Vec<Block>| {
            let place = blocks.first().map(|block| block.place);
            place.map(|place| (place.file, place.offset))
        };
        let mut places: Vec<_> = self.live.values().map(place).collect();
        let middle = places.len() / 2;
        let (_, middle, _) = places.select_nth_unstable(middle);
        let middle = *middle;
        self.live.retain(|_, blocks| place(blocks) >= middle);
    }

    /// The server starts: everything has ended.
    fn is_restart(&mut self, line: &[u8]) {
        if server::starting(line.trim_ascii_start()).is_some() {
            self.live.clear();
        }
    }
}

/// Whether a track line stands in the last block of a command.
fn is_last(track: &[u8]) -> bool {
    let track = track.trim_ascii_start();
    track.starts_with(b"lapse ") || track.starts_with(b"failed authentication check")
}

/// A line that begins with a time.
struct Timed<'a> {
    time: &'a [u8; 19],
    /// Its process, unless the server speaks about itself.
    pid: Option<u64>,
    /// What follows.
    what: &'a [u8],
}

impl<'a> Timed<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let line = line.trim_ascii_start();
        let (time, rest) = line.split_first_chunk::<19>()?;
        let [_, _, _, _, b'/', _, _, b'/', _, _, b' ', _, _, b':', _, _, b':', _, _] = time else {
            return None;
        };
        if !time[..4].iter().all(u8::is_ascii_digit) {
            return None;
        }
        let mut scan = Scan::new(rest);
        let pid = scan.tag(b" pid ").and_then(|()| scan.number());
        let pid = pid.filter(|_| scan.tag(b" ").is_some());
        let what = scan.rest;
        Some(Self { time, pid, what })
    }
}

/// Where a line begins.
#[derive(Debug, Clone, Copy, Default)]
struct At {
    /// In the buffer.
    index: usize,
    /// Lines before it.
    number: u64,
}

impl At {
    fn place(self, file: usize, before: u64) -> Place {
        Place { file, line: self.number + 1, offset: before + self.index as u64 }
    }
}

/// The block that is being read.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    kind: Kind,
    from: At,
    /// The header before it, if nothing stands between.
    header: Option<At>,
}

impl Open {
    /// From where on the text is still needed, before a line that begins `at`.
    fn keep(&self, at: At) -> At {
        match (self.header, self.kind) {
            (Some(header), _) => header,
            (None, Kind::Other) => at,
            (None, _) => self.from,
        }
    }
}

/// A text in a buffer.
#[derive(Debug, Default)]
struct Text {
    buffer: Vec<u8>,
    /// Bytes of the text before the buffer.
    before: u64,
    /// Where the next line begins.
    at: At,
}

impl Text {
    /// Reads on; how many bytes.
    fn fill(&mut self, input: &mut dyn Read) -> io::Result<usize> {
        let filled = self.buffer.len();
        self.buffer.resize(filled + CHUNK, 0);
        let read = loop {
            match input.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(filled + read.as_ref().map_or(0, |bytes| *bytes));
        read
    }

    /// Drops what is no longer needed.
    fn drop_before(&mut self, open: &mut Open) {
        let gone = open.keep(self.at).index;
        self.buffer.drain(..gone);
        self.before += gone as u64;
        self.at.index -= gone;
        open.from.index = open.from.index.saturating_sub(gone);
        if let Some(header) = &mut open.header {
            header.index -= gone;
        }
    }
}
