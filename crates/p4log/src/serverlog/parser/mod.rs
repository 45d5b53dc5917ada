//! Lines to blocks, blocks to live commands.

mod wrapped;

use crate::serverlog::block::{Block, BlockKind, is_dashed, is_of_block};
use crate::serverlog::head::{Suffix, Timed, timed};
use crate::serverlog::lines::Piece;
use crate::serverlog::live::Live;
use crate::serverlog::record::{Damage, Ending, Event, Moment, Place, Sink, Understood, What};
use crate::serverlog::scan::{Calendar, Scan};
use crate::serverlog::server;
use crate::serverlog::track::Class;
use crate::serverlog::unknown_lines::UnknownLines;

use wrapped::LONGEST_WRAPPED;

/// Everything but the bytes.
#[derive(Debug, Clone)]
pub(in crate::serverlog) struct Parser {
    calendar: Calendar,
    block: Block,
    live: Live,
    understood: Understood,
    unknown: UnknownLines,
    /// The beginning of a line that a paste may have wrapped.
    wrapped: Vec<u8>,
    wrapped_lines: u64,
    wrapped_place: Place,
    /// Whether this is a server's log and no paste.
    seen_header: bool,
    /// The earliest and the latest time of a line.
    first: Option<Moment>,
    last: Option<Moment>,
}

impl Parser {
    pub(in crate::serverlog) fn new() -> Self {
        Self {
            calendar: Calendar::default(),
            block: Block::default(),
            live: Live::new(),
            understood: Understood::default(),
            unknown: UnknownLines::default(),
            wrapped: Vec::new(),
            wrapped_lines: 0,
            wrapped_place: Place::default(),
            seen_header: false,
            first: None,
            last: None,
        }
    }

    /// How much was understood so far.
    pub(in crate::serverlog) fn understood(&self) -> Understood {
        self.understood
    }

    /// The latest time of a line that was read.
    pub(in crate::serverlog) fn last(&self) -> Option<Moment> {
        self.last
    }

    /// The earliest one.
    pub(in crate::serverlog) fn first(&self) -> Option<Moment> {
        self.first
    }

    /// Lines from one time to another were passed over.
    pub(in crate::serverlog) fn passed(&mut self, from: Moment, to: Moment, sink: &mut dyn Sink) {
        self.seen(from);
        self.seen(to);
        self.live.tick(from, sink);
    }

    /// A line of this time was read.
    fn seen(&mut self, at: Moment) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        self.last = self.last.max(Some(at));
    }

    /// Commands that may still get lines.
    pub(in crate::serverlog) fn live(&self) -> usize {
        self.live.count()
    }

    /// Tells what is left to tell of a file.
    pub(in crate::serverlog) fn file_ends(&mut self, sink: &mut dyn Sink) {
        self.unknown.tell(sink);
    }

    /// Gives out what is pending.
    pub(in crate::serverlog) fn finish(&mut self, sink: &mut dyn Sink) {
        self.drop_wrapped(sink);
        self.end_block(sink);
        self.block.give_anonymous(sink);
        self.live.all(Ending::Pending, sink);
        self.unknown.tell(sink);
    }

    /// Takes the next piece of a file.
    #[inline]
    pub(in crate::serverlog) fn piece(&mut self, place: Place, bytes: u64, piece: Piece<'_>, sink: &mut dyn Sink) {
        self.understood.bytes += bytes;
        match piece {
            Piece::Line(line) => {
                let line = if place.offset == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
                self.understood.lines += 1;
                self.line(line, place, bytes, sink);
            }
            Piece::Part(line) => {
                // Its rest is lost; so is the count of a line that is none.
                self.classify(line, place, sink);
            }
            Piece::Nuls => self.damage(place, bytes, format!("{bytes} NUL bytes"), sink),
            Piece::Long => {
                self.understood.lines += 1;
                self.understood.unknown += 1;
                self.damage(place, bytes, format!("a line of {bytes} bytes"), sink);
            }
        }
    }

    fn damage(&mut self, place: Place, bytes: u64, found: String, sink: &mut dyn Sink) {
        self.unknown.tell(sink);
        sink.damage(&Damage { place, bytes, found });
    }

    /// One line, counted.
    #[inline]
    fn line(&mut self, line: &[u8], place: Place, bytes: u64, sink: &mut dyn Sink) {
        if self.wrapped_lines > 0 && self.goes_on(line, sink) {
            return;
        }
        let class = match self.classify(line, place, sink) {
            // A quote at the end of a line need not have closed the arguments.
            Class::Unknown if self.block.may_go_on() => Class::Understood,
            class => class,
        };
        match class {
            Class::Understood => {
                self.understood.understood += 1;
                self.unknown.tell(sink);
            }
            Class::Noise => self.understood.noise += 1,
            Class::Unknown => {
                self.understood.unknown += 1;
                let orphan = self.block.kind == BlockKind::Orphan && is_dashed(line).is_some();
                self.unknown.line(place, bytes, line, orphan, sink);
            }
            Class::Partial => {
                let line = &line[..line.len().min(LONGEST_WRAPPED)];
                self.wrapped.clear();
                self.wrapped.extend_from_slice(line);
                self.wrapped_lines = 1;
                self.wrapped_place = place;
            }
        }
    }

    /// What a line is; does what it says.
    fn classify(&mut self, line: &[u8], place: Place, sink: &mut dyn Sink) -> Class {
        if self.block.kind == BlockKind::Open {
            return self.arguments(line, place, sink);
        }
        match line.first() {
            None => {
                self.end_block(sink);
                Class::Noise
            }
            Some(b'-') if line.starts_with(b"---") => self.tracked(&line[3..], place, sink),
            Some(b'\t') => self.indented(line, place, sink),
            _ => self.other(line, place, sink),
        }
    }

    /// A line that is neither blank, nor dashed, nor indented.
    fn other(&mut self, line: &[u8], place: Place, sink: &mut dyn Sink) -> Class {
        if let Some(error) = server::header(line) {
            self.header(error, place, sink);
            return Class::Understood;
        }
        if let Some(text) = is_dashed(line) {
            return self.tracked(text, place, sink);
        }
        if line.first().is_some_and(u8::is_ascii_digit) || line.first() == Some(&b' ') {
            return self.indented(line, place, sink);
        }
        if server::is_noise(line) {
            return Class::Noise;
        }
        if self.is_restart(line, place, sink) {
            return Class::Understood;
        }
        if let Some(class) = self.estimated(line) {
            return class;
        }
        if self.block.lapse_of_trigger(line) {
            return Class::Understood;
        }
        if self.block.kind == BlockKind::Error {
            return self.block.error_line(line);
        }
        if line.starts_with(b"locks acquired by blocking") || line.starts_with(b"failed authentication check") {
            return self.tracked(line, place, sink);
        }
        if self.block.paste(line) {
            return Class::Understood;
        }
        if line.trim_ascii().is_empty() {
            self.end_block(sink);
            return Class::Noise;
        }
        Class::Unknown
    }

    fn header(&mut self, error: bool, place: Place, sink: &mut dyn Sink) {
        self.end_block(sink);
        if !self.seen_header {
            self.seen_header = true;
            // What came before the first header is the rest of a block that was cut, and no paste.
            self.block.refuse_anonymous(sink);
        }
        self.block.begin(if error { BlockKind::Error } else { BlockKind::Header }, place);
    }

    /// A line that is indented, or begins with a digit.
    fn indented(&mut self, line: &[u8], place: Place, sink: &mut dyn Sink) -> Class {
        let text = line.trim_ascii_start();
        if text.is_empty() {
            self.end_block(sink);
            return Class::Noise;
        }
        if !text[0].is_ascii_digit() {
            return self.sentence(text, place, sink);
        }
        // The head of the block is kept until it is known that this line begins a command.
        match timed(text, &mut self.calendar, &mut self.block.next) {
            Timed::Start(suffix) => {
                self.seen(self.block.next.at);
                self.started(suffix, place, sink);
                Class::Understood
            }
            Timed::Completed(ended) => {
                self.seen(ended.at);
                self.end_block(sink);
                let number = self.live.completed(ended, place, sink);
                self.block.completed(ended.pid, number, place);
                Class::Understood
            }
            Timed::Computed(ended) => {
                self.seen(ended.at);
                self.end_block(sink);
                self.live.computed(ended, place, sink);
                Class::Understood
            }
            Timed::Server(at, text) => match server::event_of(text) {
                Some(what) => {
                    self.live.tick(at, sink);
                    sink.event(&Event { place, at: Some(at), what });
                    Class::Understood
                }
                None => Class::Noise,
            },
            Timed::Partial if self.block.kind != BlockKind::Error => Class::Partial,
            _ if self.block.kind == BlockKind::Error => self.block.error_line(line),
            _ => Class::Unknown,
        }
    }

    /// A start line: of a command that begins, or of a track block.
    fn started(&mut self, suffix: Suffix<'_>, place: Place, sink: &mut dyn Sink) {
        self.end_block(sink);
        match suffix {
            Suffix::Removed => {
                let pid = self.block.next.pid;
                let at = self.block.next.at;
                self.live.tick(at, sink);
                self.live.removed(pid, sink);
            }
            Suffix::Closed => self.block.head(BlockKind::Head, place),
            Suffix::Open => self.block.head(BlockKind::Open, place),
            Suffix::Trigger(name) => {
                self.block.head(BlockKind::Trigger, place);
                self.block.trigger.clear();
                self.block.trigger.extend_from_slice(name);
            }
        }
    }

    /// Text in a block, or of the server.
    fn sentence(&mut self, text: &[u8], place: Place, sink: &mut dyn Sink) -> Class {
        if let Some(class) = self.estimated(text) {
            return class;
        }
        if self.is_restart(text, place, sink) {
            return Class::Understood;
        }
        if self.block.kind == BlockKind::Error {
            return self.block.error_line(text);
        }
        // Pastes and old excerpts have their headers indented, too.
        if let Some(error) = server::header(text) {
            self.header(error, place, sink);
            return Class::Understood;
        }
        if server::is_noise(text) {
            return Class::Noise;
        }
        if let Some(dashed) = is_dashed(text) {
            return self.tracked(dashed, place, sink);
        }
        if self.block.paste(text) {
            return Class::Understood;
        }
        Class::Unknown
    }

    /// What the sync that computed last is about to send.
    fn estimated(&mut self, text: &[u8]) -> Option<Class> {
        let estimate = server::estimate(text)?;
        Some(if self.live.estimate(estimate) { Class::Understood } else { Class::Noise })
    }

    /// The server starts: everything that ran has ended.
    fn is_restart(&mut self, text: &[u8], place: Place, sink: &mut dyn Sink) -> bool {
        let Some(after) = server::starting(text) else {
            return false;
        };
        let at = self.calendar.moment(&mut Scan::new(after));
        self.end_block(sink);
        self.live.all(Ending::Restart, sink);
        sink.event(&Event { place, at, what: What::Started { version: server::version(after) } });
        true
    }

    /// A track line without its dashes.
    #[inline]
    fn tracked(&mut self, text: &[u8], place: Place, sink: &mut dyn Sink) -> Class {
        match self.block.kind {
            BlockKind::Head | BlockKind::Completed | BlockKind::Anonymous | BlockKind::Orphan => {}
            BlockKind::Error => return self.block.error_line(text),
            BlockKind::Trigger => {
                self.end_block(sink);
                self.block.kind = BlockKind::Head;
            }
            // A header and no start line: whose they are is not known.
            BlockKind::Header | BlockKind::Open => self.block.begin(BlockKind::Orphan, place),
            BlockKind::Nothing => {
                let kind = if self.seen_header { BlockKind::Orphan } else { BlockKind::Anonymous };
                self.block.begin(kind, place);
            }
        }
        if self.block.kind == BlockKind::Anonymous && self.block.is_next_anonymous(text) {
            self.end_block(sink);
            self.block.begin(BlockKind::Anonymous, place);
        }
        let class = self.block.track.line(text);
        if std::mem::take(&mut self.block.track.backwards) {
            sink.damage(&Damage { place, bytes: 0, found: "a negative wait or hold of a lock, taken as 0".to_owned() });
        }
        if class == Class::Understood && self.block.kind == BlockKind::Orphan {
            return Class::Unknown;
        }
        class
    }

    /// The arguments of a command go on over several lines, which may say anything.
    fn arguments(&mut self, line: &[u8], place: Place, sink: &mut dyn Sink) -> Class {
        let text = line.trim_ascii_end();
        let unindented = text.trim_ascii_start();
        if server::header(unindented).is_some() {
            return self.other(unindented, place, sink);
        }
        if let Some(track) = is_dashed(line)
            && is_of_block(track)
        {
            self.block.kind = BlockKind::Head;
            return self.tracked(track, place, sink);
        }
        if text.last() == Some(&b'\'') {
            self.block.kind = BlockKind::Head;
            return Class::Understood;
        }
        if let Some(at) = memchr::memmem::rfind(text, b"' trigger ") {
            let name = &text[at + 10..];
            if !name.contains(&b'\'') {
                self.block.kind = BlockKind::Trigger;
                self.block.trigger.clear();
                self.block.trigger.extend_from_slice(name);
            }
        } else if memchr::memmem::rfind(text, b"' exited unexpectedly").is_some() {
            let pid = self.block.head.pid;
            self.block.kind = BlockKind::Nothing;
            self.live.removed(pid, sink);
        }
        Class::Understood
    }

    /// A block ends: its lines go to their command.
    #[inline]
    fn end_block(&mut self, sink: &mut dyn Sink) {
        let block = &mut self.block;
        match block.kind {
            BlockKind::Nothing => return,
            BlockKind::Header | BlockKind::Orphan => {}
            BlockKind::Head | BlockKind::Open => {
                if block.track.any {
                    let found = self.live.track(&block.head, block.place, &mut block.track, sink);
                    if !found {
                        late(block.place, sink);
                    }
                } else {
                    self.live.start(&block.head, block.place, &mut block.track, sink);
                }
            }
            BlockKind::Trigger => {
                let lapse_s = block.trigger_lapse_s;
                let (head, name) = (&block.head, &block.trigger);
                if !self.live.trigger(head, block.place, name, lapse_s, sink) {
                    late(block.place, sink);
                }
            }
            BlockKind::Completed => {
                if block.track.any {
                    self.live.track_completed(block.pid, block.number, &mut block.track, sink);
                }
            }
            BlockKind::Anonymous => block.keep_anonymous(sink),
            BlockKind::Error => {
                let error = block.error();
                if let What::Error { pid: Some(pid), .. } = error.what {
                    self.live.failed(pid);
                }
                sink.event(&error);
            }
        }
        block.track.clear();
        self.live.share_spare(&mut block.track);
        block.kind = BlockKind::Nothing;
    }
}

/// Lines of a command that has been given out.
fn late(place: Place, sink: &mut dyn Sink) {
    sink.damage(&Damage {
        place,
        bytes: 0,
        found: "lines of a command that was complete: they come once more, or too late".to_owned(),
    });
}
