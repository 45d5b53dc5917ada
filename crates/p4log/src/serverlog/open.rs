//! Opening a log: plain, packed by gzip or zstd, in UTF-16 as PowerShell writes it, or standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::files::{self, NotAFile};

/// Bytes read from a packed file at a time.
const CHUNK: usize = 128 << 10;

/// How a log is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// As it is.
    Plain,
    /// By gzip, in any number of members.
    Gzip,
    /// By zstd, in any number of frames.
    Zstd,
    /// Text of two bytes a letter, as PowerShell writes it.
    Utf16,
}

/// Why a log cannot be read.
#[derive(Debug)]
pub enum Unopened {
    /// The system says no.
    Io(PathBuf, io::Error),
    /// It is no file on a disk.
    Is(PathBuf, &'static str),
    /// It is packed in a way that is not read.
    Packed(PathBuf, &'static str),
}

impl fmt::Display for Unopened {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(formatter, "cannot read {}: {error}", path.display()),
            Self::Is(path, what) => write!(
                formatter,
                "cannot read {}: it is {what}; a log is a file, or - for standard input",
                path.display()
            ),
            Self::Packed(path, what) => write!(
                formatter,
                "cannot read {}: it is {what}; a log may be plain or packed by gzip or zstd, so unpack it first",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Unopened {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            Self::Is(..) | Self::Packed(..) => None,
        }
    }
}

type Input = BufReader<Box<dyn Read + Send>>;

/// The text of a log.
pub struct Opened {
    source: Source,
    broken: Option<String>,
}

enum Source {
    Plain(Box<dyn Read + Send>),
    Gzip(Box<MultiGzDecoder<Input>>),
    Zstd(Box<Zstd>),
    Utf16(Box<Utf16>),
}

impl fmt::Debug for Opened {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Opened({:?}, {:?})", self.packing(), self.broken)
    }
}

/// Opens a log by its path; `-` is standard input. Links are followed: the user names a log of his own. What is no file
/// is refused, and a log that is still being written is read to where it ends now.
///
/// # Errors
///
/// What it is instead, or what the system says.
pub fn open(path: &Path) -> Result<Opened, Unopened> {
    if path == Path::new("-") {
        return of(Box::new(io::stdin()), path);
    }
    of(Box::new(regular(path)?), path)
}

/// Opens a log that must be a file.
pub(super) fn regular(path: &Path) -> Result<File, Unopened> {
    files::open_regular(path).map_err(|error| match error {
        NotAFile::Io(error) => Unopened::Io(path.to_owned(), error),
        NotAFile::Is(what) => Unopened::Is(path.to_owned(), what),
    })
}

/// Finds out by its first bytes how a text is kept.
pub(super) fn of(mut input: Box<dyn Read + Send>, path: &Path) -> Result<Opened, Unopened> {
    const PACKED: &[(&[u8], &str)] = &[
        (b"BZh", "packed by bzip2"),
        (b"\xfd7zXZ\0", "packed by xz"),
        (b"PK\x03\x04", "a zip archive"),
        (b"7z\xbc\xaf", "a 7z archive"),
        (b"\x04\x22\x4d\x18", "packed by lz4"),
        (b"SQLite", "a SQLite database"),
    ];
    let mut first = Vec::new();
    input.by_ref().take(6).read_to_end(&mut first).map_err(|error| Unopened::Io(path.to_owned(), error))?;
    if let Some((_, what)) = PACKED.iter().find(|(magic, _)| first.starts_with(magic)) {
        return Err(Unopened::Packed(path.to_owned(), what));
    }
    let gzip = first.starts_with(b"\x1f\x8b\x08");
    let zstd = match *first {
        [first, 0xb5, 0x2f, 0xfd, ..] => first == 0x28,
        // A frame to skip, as parallel packers write them first.
        [first, 0x2a, 0x4d, 0x18, ..] => first & 0xf0 == 0x50,
        _ => false,
    };
    let utf16 = match *first {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    let whole: Box<dyn Read + Send> = Box::new(Cursor::new(first).chain(input));
    let source = if gzip {
        let input = BufReader::with_capacity(CHUNK, whole);
        Source::Gzip(Box::new(MultiGzDecoder::new(input)))
    } else if zstd {
        Source::Zstd(Box::new(Zstd {
            input: BufReader::with_capacity(CHUNK, whole),
            decoder: FrameDecoder::new(),
            broken: None,
        }))
    } else if let Some(unit) = utf16 {
        Source::Utf16(Box::new(Utf16 {
            input: BufReader::with_capacity(CHUNK, whole),
            unit,
            half: None,
            high: None,
            text: Vec::new(),
            given: 0,
        }))
    } else {
        Source::Plain(whole)
    };
    Ok(Opened { source, broken: None })
}

impl Opened {
    /// How it is kept.
    pub fn packing(&self) -> Packing {
        match self.source {
            Source::Plain(_) => Packing::Plain,
            Source::Gzip(_) => Packing::Gzip,
            Source::Zstd(_) => Packing::Zstd,
            Source::Utf16(_) => Packing::Utf16,
        }
    }

    /// Why it ended before its end, if a packed file is cut or damaged.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }
}

impl Read for Opened {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.broken.is_some() {
            return Ok(0);
        }
        let (read, by) = match &mut self.source {
            Source::Plain(input) => return input.read(into),
            Source::Utf16(input) => return input.read(into),
            Source::Gzip(input) => (input.read(into), "gzip"),
            Source::Zstd(input) => (input.read(into), "zstd"),
        };
        match read {
            Err(error) if is_of_packing(&error) => {
                let how = if is_cut(&error) {
                    "cut: it ends before its last block does"
                } else {
                    "damaged: what follows cannot be unpacked"
                };
                self.broken = Some(format!("the file packed by {by} is {how}"));
                Ok(0)
            }
            other => other,
        }
    }
}

/// Whether the file ended too early.
fn is_cut(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
        // flate2 says so where a member ends within its data.
        || error.to_string() == "incomplete deflate stream"
}

/// Whether an error is about what is packed, and not about the disk.
fn is_of_packing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)
}

/// Frames of zstd, one after another.
struct Zstd {
    input: Input,
    decoder: FrameDecoder,
    /// Why the frame ended too early: told when what was unpacked has been given.
    broken: Option<io::Error>,
}

impl Read for Zstd {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 {
                let bytes = self.decoder.read(into)?;
                if bytes > 0 {
                    return Ok(bytes);
                }
            }
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            if self.decoder.is_finished() {
                if self.input.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.next_frame()?;
                continue;
            }
            let one = BlockDecodingStrategy::UptoBlocks(1);
            if let Err(error) = self.decoder.decode_blocks(&mut self.input, one) {
                self.broken = Some(invalid(&error));
                // The decoder keeps what later blocks may refer to; an empty last block with any checksum makes it give all.
                let mut last: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if self.decoder.decode_blocks(&mut last, one).is_err() {
                    return Err(invalid(&error));
                }
            }
        }
    }
}

impl Zstd {
    fn next_frame(&mut self) -> io::Result<()> {
        match self.decoder.reset(&mut self.input) {
            Ok(()) => Ok(()),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
                if skipped < length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                Ok(())
            }
            Err(error) => Err(invalid(&error)),
        }
    }
}

fn invalid(error: &FrameDecoderError) -> io::Error {
    // The decoder wraps what the reader said, deep within.
    let is_cut = format!("{error:?}").contains("UnexpectedEof");
    let kind = if is_cut { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
    kind.into()
}

/// Text of two bytes a letter, made UTF-8.
struct Utf16 {
    input: Input,
    unit: fn([u8; 2]) -> u16,
    /// Half a unit, and the first half of a letter of two units.
    half: Option<u8>,
    high: Option<u16>,
    text: Vec<u8>,
    given: usize,
}

impl Read for Utf16 {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(0);
            }
            let length = bytes.len();
            let mut units = Vec::with_capacity(length / 2 + 2);
            units.extend(self.high.take());
            for byte in bytes {
                match self.half.take() {
                    None => self.half = Some(*byte),
                    Some(first) => units.push((self.unit)([first, *byte])),
                }
            }
            self.input.consume(length);
            if units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
                self.high = units.pop();
            }
            self.text.clear();
            self.given = 0;
            let mut letter = [0; 4];
            for unit in char::decode_utf16(units) {
                let read = unit.unwrap_or(char::REPLACEMENT_CHARACTER);
                self.text.extend_from_slice(read.encode_utf8(&mut letter).as_bytes());
            }
        }
        let rest = &self.text[self.given..];
        let bytes = rest.len().min(into.len());
        into[..bytes].copy_from_slice(&rest[..bytes]);
        self.given += bytes;
        Ok(bytes)
    }
}
