//! What is measured: the tests, their names, and which of them a quick run takes.

use std::fmt;

use super::locks::{Api, Pattern};
use super::rows::ROWS;

/// What is done with a page or a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Written to the page cache, as p4d writes a page; the flush is timed apart.
    Write,
    /// Written past the page cache.
    DirectWrite,
    /// Written, and forced out before the next.
    WriteCommit,
    /// Read and written back, both past the page cache.
    ReadWrite,
    /// The same, and forced out before the next.
    ReadWriteCommit,
    /// Read from the page cache.
    ReadCached,
    /// Read from the device.
    Read,
}

impl Mode {
    /// As ids write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::DirectWrite => "direct-write",
            Self::WriteCommit => "write-commit",
            Self::ReadWrite => "read-write",
            Self::ReadWriteCommit => "read-write-commit",
            Self::ReadCached => "read-cached",
            Self::Read => "read",
        }
    }

    /// Whether it goes past the page cache.
    pub(super) fn is_uncached(self) -> bool {
        !matches!(self, Self::Write | Self::WriteCommit | Self::ReadCached)
    }

    /// Whether each operation ends with a commit.
    pub(super) fn commits(self) -> bool {
        matches!(self, Self::WriteCommit | Self::ReadWriteCommit)
    }

    /// Whether it writes.
    pub(super) fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::ReadCached)
    }

    /// Whether it reads.
    pub(super) fn reads(self) -> bool {
        !matches!(self, Self::Write | Self::DirectWrite | Self::WriteCommit)
    }
}

/// Where the next block lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Anywhere, each block once before any comes again.
    Random,
    /// Behind the last one; each thread has a part of the file.
    Sequential,
}

impl Order {
    /// As ids write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Sequential => "sequential",
        }
    }
}

/// What a test does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Blocks of one large file.
    Blocks {
        /// Size of a block \[B\].
        block: usize,
        /// What is done with it.
        mode: Mode,
        /// Which comes next.
        order: Order,
    },
    /// Records appended to one journal and forced out by whoever wrote them.
    Journal,
    /// File locks taken and given back.
    Locks {
        /// By which call.
        api: Api,
        /// By whom.
        pattern: Pattern,
    },
    /// The life of a small file: create, open, stat, rename, unlink.
    Names,
    /// Tables locked, pages written, journal appended, unlocked, forced out at exit.
    Submit,
    /// Rows read by key from pages in memory: the processor alone.
    Rows,
    /// Text of a checkpoint packed in memory: the processor alone.
    Deflate,
    /// The same unpacked.
    Inflate,
    /// Messages over a loopback socket: the processor and its system.
    Echo,
    /// One of these after pauses in which nothing is done.
    Idle(Idle),
}

/// What is done after a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    /// A message over a loopback socket and back.
    Echo,
    /// Rows read by key from pages in memory.
    Rows,
    /// A page read from the device.
    Read,
    /// A page written and forced out.
    Commit,
}

impl Idle {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Echo, Self::Rows, Self::Read, Self::Commit];

    /// As ids write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::Rows => "rows",
            Self::Read => "read",
            Self::Commit => "write-commit",
        }
    }

    /// What is done, as a test of its own without pauses.
    pub(super) fn action(self) -> Kind {
        let page = |mode| Kind::Blocks { block: PAGE, mode, order: Order::Random };
        match self {
            Self::Echo => Kind::Echo,
            Self::Rows => Kind::Rows,
            Self::Read => page(Mode::Read),
            Self::Commit => page(Mode::WriteCommit),
        }
    }
}

impl Kind {
    /// What an operation does, without the pauses before it.
    pub(super) fn action(self) -> Self {
        match self {
            Self::Idle(idle) => idle.action(),
            other => other,
        }
    }
}

/// One line of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// What it does.
    pub kind: Kind,
    /// Threads that do it at once.
    pub threads: usize,
}

/// A page of db.* \[B\].
pub(super) const PAGE: usize = 8 * 1024;
/// A block of an archive \[B\].
pub(super) const BLOCK: usize = 64 * 1024;

impl fmt::Display for Test {
    /// Its id, such as `write-commit.8k.random.4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = self.threads;
        match self.kind {
            Kind::Blocks { block, mode, order } => {
                let (mode, order) = (mode.name(), order.name());
                write!(f, "{mode}.{}k.{order}.{threads}", block / 1024)
            }
            Kind::Journal => write!(f, "journal.{threads}"),
            Kind::Locks { api, pattern } => {
                write!(f, "lock.{}.{}.{threads}", api.name(), pattern.name())
            }
            Kind::Names => write!(f, "names.{threads}"),
            Kind::Submit => write!(f, "submit.{threads}"),
            Kind::Rows => write!(f, "rows.{threads}"),
            Kind::Deflate => write!(f, "deflate.{threads}"),
            Kind::Inflate => write!(f, "inflate.{threads}"),
            Kind::Echo => write!(f, "echo.{threads}"),
            Kind::Idle(what) => write!(f, "idle.{}.{threads}", what.name()),
        }
    }
}

impl Test {
    /// What it says to people.
    pub fn title(&self) -> String {
        match self.kind {
            Kind::Blocks { block, mode, order } => {
                let what = match mode {
                    Mode::Write => "write to the page cache",
                    Mode::DirectWrite => "write past the page cache",
                    Mode::WriteCommit => "write and commit",
                    Mode::ReadWrite => "read and write back, past the page cache",
                    Mode::ReadWriteCommit => "read, write back and commit",
                    Mode::ReadCached => "read from the page cache",
                    Mode::Read => "read from the device",
                };
                format!("{} KiB {} {what}", block / 1024, order.name())
            }
            Kind::Journal => "journal: append 8 KiB and commit".to_owned(),
            Kind::Locks { api, pattern } => format!("{}: {}", api.title(), pattern.title()),
            Kind::Names => "small file: create, open, stat, rename, unlink".to_owned(),
            Kind::Submit => "submit: lock, pages, journal, unlock, commit".to_owned(),
            Kind::Rows => format!("processor: {ROWS} rows read by key, in memory"),
            Kind::Deflate => "processor: 64 KiB of a checkpoint's text packed, in memory".to_owned(),
            Kind::Inflate => "processor: 64 KiB of a checkpoint's text unpacked, in memory".to_owned(),
            Kind::Echo => "processor: a message and its echo over a loopback socket".to_owned(),
            Kind::Idle(what) => {
                let action = what.action();
                let threads = self.threads;
                let test = Self { kind: action, threads };
                format!("after pauses: {}", test.title())
            }
        }
    }
}

/// Threads of the matrix.
const THREADS: [usize; 3] = [1, 4, 16];
/// Those that force pages of a db, or the journal, out at once: what a filesystem gathers shows in all of them.
const WRITERS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// Every test, in the order in which they run: reads of a fresh file first, what grows last.
pub fn full() -> Vec<Test> {
    use Mode::{DirectWrite, Read, ReadCached, ReadWrite, ReadWriteCommit, Write, WriteCommit};
    use Order::{Random, Sequential};
    let mut tests = Vec::new();
    for block in [PAGE, BLOCK] {
        let mut add = |mode, order| {
            let forces_pages = block == PAGE && mode == WriteCommit && order == Random;
            let threads: &[usize] = if forces_pages { &WRITERS } else { &THREADS };
            tests.extend(
                threads.iter().map(|threads| Test { kind: Kind::Blocks { block, mode, order }, threads: *threads }),
            );
        };
        for order in [Random, Sequential] {
            add(Read, order);
        }
        // In memory one place is as good as another.
        add(ReadCached, Random);
        for mode in [Write, DirectWrite, WriteCommit] {
            add(mode, Random);
            add(mode, Sequential);
        }
        add(ReadWrite, Random);
        add(ReadWriteCommit, Random);
    }
    let of = |kind, threads: &[usize]| -> Vec<Test> {
        let test = |threads: &usize| Test { kind, threads: *threads };
        threads.iter().map(test).collect()
    };
    tests.extend(of(Kind::Journal, &WRITERS));
    for api in Api::ALL {
        let locks = |pattern| Kind::Locks { api, pattern };
        tests.extend(of(locks(Pattern::Alone), &[1]));
        tests.extend(of(locks(Pattern::Million), &[1]));
        if api.contends_between_threads() {
            tests.extend(of(locks(Pattern::Readers), &[4, 16]));
            tests.extend(of(locks(Pattern::WriterAmongReaders), &[5, 17]));
        }
    }
    tests.extend(of(Kind::Names, &[1, 4]));
    tests.extend(of(Kind::Submit, &[1, 4]));
    tests.extend(of(Kind::Rows, &[1]));
    tests.extend(of(Kind::Deflate, &[1]));
    tests.extend(of(Kind::Inflate, &[1]));
    tests.extend(of(Kind::Echo, &[1]));
    tests.extend(Idle::ALL.map(|what| Test { kind: Kind::Idle(what), threads: 1 }));
    tests
}

/// Those whose results the calibration takes, and a few to judge them by.
pub fn quick() -> Vec<Test> {
    let wanted = |test: &Test| match test.kind {
        Kind::Blocks {
            block: PAGE,
            mode: Mode::Read | Mode::WriteCommit | Mode::DirectWrite,
            order: Order::Random,
        }
        | Kind::Journal => true,
        Kind::Blocks { mode, order, block } => {
            let streams = order == Order::Sequential
                && block == BLOCK
                && matches!(mode, Mode::Read | Mode::Write | Mode::DirectWrite);
            let pages = order == Order::Random && block == PAGE;
            test.threads == 1 && (streams || pages) || streams && test.threads == 16
        }
        Kind::Locks { pattern, .. } => pattern != Pattern::Million && test.threads < 16,
        Kind::Names | Kind::Submit | Kind::Rows | Kind::Deflate | Kind::Inflate | Kind::Echo | Kind::Idle(_) => {
            test.threads == 1
        }
    };
    let is_usual = |test: &Test| !WRITERS.contains(&test.threads) || THREADS.contains(&test.threads);
    full().into_iter().filter(is_usual).filter(wanted).collect()
}
