//! A log that grows: whole lines as they come, over rotations by renaming and by copying and truncating.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memrchr};

use super::Reader;
use super::open::{self, Unopened};
use super::record::{Place, Sink};

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// A line that is longer is read in pieces.
const LONGEST: usize = 2 << 20;

/// Bytes before the place to which it was read, by which the file is known again.
const KNOWN_BY: usize = 256;

/// The file at the end of a log, which somebody writes to.
#[derive(Debug)]
pub(super) struct Tail {
    path: PathBuf,
    /// The number of the file that is read, by which records name it.
    number: usize,
    file: Option<File>,
    /// Bytes of it that were read, and lines that were given to the reader.
    read: u64,
    lines: u64,
    /// The beginning of a line of which the end is not there yet.
    rest: Vec<u8>,
    /// The last bytes that were read.
    known: Vec<u8>,
    /// How often another file began at its place.
    pub(super) rotations: u64,
    /// Rotations after which what was written last before them was not found.
    pub(super) lost: u64,
}

impl Tail {
    /// The file of this number; it need not be there yet.
    pub(super) fn new(path: &Path, number: usize) -> Self {
        Self {
            path: path.to_owned(),
            number,
            file: None,
            read: 0,
            lines: 0,
            rest: Vec::new(),
            known: Vec::new(),
            rotations: 0,
            lost: 0,
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes that were read of the file that is there now.
    pub(super) fn bytes(&self) -> u64 {
        self.read
    }

    /// Whether the file was there.
    pub(super) fn is_there(&self) -> bool {
        self.file.is_some()
    }

    /// When it was written last.
    pub(super) fn written(&self) -> Option<std::time::SystemTime> {
        let about = self.file.as_ref()?.metadata().ok()?;
        about.modified().ok()
    }

    /// Reads what has come; whether there was something.
    pub(super) fn poll(&mut self, reader: &mut Reader, sink: &mut dyn Sink) -> Result<bool, Unopened> {
        let failed = |path: &Path, error| Unopened::Io(path.to_owned(), error);
        let mut has_grown = self.read_on(reader, sink).map_err(|error| failed(&self.path, error))?;
        let mut now = match open::regular(&self.path) {
            Ok(file) => file,
            // Between two files, or before the first.
            Err(Unopened::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(has_grown);
            }
            Err(error) => return Err(error),
        };
        if self.file.is_none() {
            self.file = Some(now);
            if reader.passes_over() {
                self.pass_over(reader, sink).map_err(|error| failed(&self.path, error))?;
            }
        } else if self.is_known(&mut now).map_err(|error| failed(&self.path, error))? {
            self.file = Some(now);
        } else {
            // What was written between the last reading and the renaming.
            let end = |tail: &mut Self, reader: &mut Reader, sink: &mut dyn Sink| {
                tail.read_on(reader, sink)?;
                tail.ends(reader, sink)
            };
            end(self, reader, sink).map_err(|error| failed(&self.path, error))?;
            self.file = Some(now);
            has_grown = true;
        }
        let more = self.read_on(reader, sink).map_err(|error| failed(&self.path, error))?;
        Ok(has_grown || more)
    }

    /// Passes over what lies before the wanted part, and reads the rest of the whole lines that are there.
    fn pass_over(&mut self, reader: &mut Reader, sink: &mut dyn Sink) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let whole = whole_lines(file)?;
        file.seek(SeekFrom::Start(whole.saturating_sub(KNOWN_BY as u64)))?;
        file.by_ref().take(whole.min(KNOWN_BY as u64)).read_to_end(&mut self.known)?;
        file.seek(SeekFrom::Start(0))?;
        reader.read(self.number, &mut file.by_ref().take(whole), sink)?;
        self.lines = reader.lines();
        self.read = whole;
        if reader.passes_over() {
            // The wanted part has not begun yet: from here on all is read.
            file.seek(SeekFrom::Start(0))?;
            self.lines = lines(&mut file.by_ref().take(whole))?;
        }
        reader.goes_on(sink)
    }

    /// Nothing more is read: what is left of a line counts as one.
    pub(super) fn close(&mut self, reader: &mut Reader, sink: &mut dyn Sink) -> io::Result<()> {
        self.give(self.rest.len(), reader, sink)?;
        reader.file_ends(sink);
        Ok(())
    }

    /// Whether a file is the one that is read: it holds what was read last, at the same place.
    fn is_known(&self, file: &mut File) -> io::Result<bool> {
        let from = self.read - self.known.len() as u64;
        if file.metadata()?.len() < self.read {
            return Ok(false);
        }
        let mut there = vec![0; self.known.len()];
        file.seek(SeekFrom::Start(from))?;
        match file.read_exact(&mut there) {
            Ok(()) => Ok(there == self.known),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The file at this place is another one now.
    fn ends(&mut self, reader: &mut Reader, sink: &mut dyn Sink) -> io::Result<()> {
        let length = match &self.file {
            Some(file) => file.metadata()?.len(),
            None => 0,
        };
        if length < self.read {
            // It was truncated: its copy has what was not read.
            match self.copy()? {
                Some(copy) => {
                    self.file = Some(copy);
                    self.read_on(reader, sink)?;
                }
                None => self.lost += 1,
            }
        }
        self.close(reader, sink)?;
        *self = Self { rotations: self.rotations + 1, lost: self.lost, ..Self::new(&self.path, self.number + 1) };
        Ok(())
    }

    /// The copy that was made of the file before it was truncated: beside it, with a name that begins as its own.
    fn copy(&self) -> io::Result<Option<File>> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let Some(name) = self.path.file_name() else {
            return Ok(None);
        };
        let mut latest = None;
        for entry in fs::read_dir(folder.unwrap_or(Path::new(".")))? {
            let entry = entry?;
            let other = entry.file_name();
            let is_like = other != name && other.as_encoded_bytes().starts_with(name.as_encoded_bytes());
            if !is_like {
                continue;
            }
            // What is no file, or not ours to read, is no copy.
            let Ok(mut file) = open::regular(&entry.path()) else {
                continue;
            };
            let written = file.metadata()?.modified().ok();
            if self.is_known(&mut file)? && latest.as_ref().is_none_or(|(at, _)| *at < written) {
                latest = Some((written, file));
            }
        }
        Ok(latest.map(|(_, file)| file))
    }

    /// Reads the file to where it ends now; whether there was something.
    fn read_on(&mut self, reader: &mut Reader, sink: &mut dyn Sink) -> io::Result<bool> {
        let before = self.read;
        loop {
            let Some(file) = &mut self.file else {
                return Ok(false);
            };
            // After a truncation the place lies behind the end, and nothing is there.
            file.seek(SeekFrom::Start(self.read))?;
            let kept = self.rest.len();
            let bytes = file.by_ref().take(CHUNK as u64).read_to_end(&mut self.rest)?;
            if bytes == 0 {
                return Ok(self.read > before);
            }
            self.read += bytes as u64;
            let new = &self.rest[kept..];
            self.known.extend_from_slice(&new[new.len().saturating_sub(KNOWN_BY)..]);
            let gone = self.known.len().saturating_sub(KNOWN_BY);
            self.known.drain(..gone);
            let whole = match memrchr(b'\n', new) {
                Some(end) => kept + end + 1,
                None if self.rest.len() > LONGEST => self.rest.len(),
                None => 0,
            };
            self.give(whole, reader, sink)?;
        }
    }

    /// Gives so many bytes to the reader.
    fn give(&mut self, bytes: usize, reader: &mut Reader, sink: &mut dyn Sink) -> io::Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let text = &self.rest[..bytes];
        let place = Place { file: self.number, line: self.lines + 1, offset: self.read - self.rest.len() as u64 };
        self.lines += memchr_iter(b'\n', text).count() as u64;
        reader.read_from(place, &mut &*text, sink)?;
        self.rest.drain(..bytes);
        Ok(())
    }
}

/// Bytes of a file up to the end of its last whole line.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut text = Vec::new();
    while end > 0 {
        let from = end.saturating_sub(CHUNK as u64);
        text.clear();
        file.seek(SeekFrom::Start(from))?;
        file.by_ref().take(end - from).read_to_end(&mut text)?;
        if let Some(at) = memrchr(b'\n', &text) {
            return Ok(from + at as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}

/// Lines of a text.
fn lines(text: &mut dyn Read) -> io::Result<u64> {
    let mut buffer = vec![0; CHUNK];
    let mut lines = 0;
    loop {
        match text.read(&mut buffer) {
            Ok(0) => return Ok(lines),
            Ok(bytes) => lines += memchr_iter(b'\n', &buffer[..bytes]).count() as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
