//! Texts: read safely, and compared by a fingerprint.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::diag::{nearest, quoted};
use crate::files::{NotAFile, checksum, open_regular};

/// The largest file that is read.
pub const BYTES_MAX: u64 = 1 << 20;

/// A file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Missing, no permission, or broken underneath.
    #[error("cannot read {name}: {reason}")]
    Io {
        /// The path as given.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// There is none of that name.
    #[error("there is no file {name}{near}")]
    Missing {
        /// The path as given.
        name: String,
        /// "; did you mean "studio.toml"?", or nothing.
        near: String,
    },
    /// A directory, FIFO, socket, device, or a file that the kernel makes up.
    #[error("cannot read {name}: it is {what}, not a file")]
    NotAFile {
        /// The path as given.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// Larger than any file of its kind: [`BYTES_MAX`], or what [`read_text_up_to`] was given.
    #[error("cannot read {name}: it is larger than {} MiB, which no file of this kind is", .most >> 20)]
    TooLarge {
        /// The path as given.
        name: String,
        /// The most that is read \[B\].
        most: u64,
    },
    /// Not UTF-8.
    #[error("cannot read {name}: line {line} is not valid UTF-8 (byte {byte:#04x})")]
    NotUtf8 {
        /// The path as given.
        name: String,
        /// From 1.
        line: usize,
        /// The first bad byte.
        byte: u8,
    },
}

/// What a user names standard input by.
const STDIN: [&str; 2] = ["-", "/dev/stdin"];

/// Reads a small text file; never hangs on what is no file, never takes more than [`BYTES_MAX`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    read_text_up_to(path, BYTES_MAX)
}

/// The same of a file of up to so many bytes.
pub fn read_text_up_to(path: &Path, most: u64) -> Result<String, ReadError> {
    let name = quoted(&path.to_string_lossy());
    match open_regular(path) {
        Ok(file) => text(file, name, most),
        Err(NotAFile::Is(what)) => Err(ReadError::NotAFile { name, what }),
        Err(NotAFile::Io(error)) if error.kind() == ErrorKind::NotFound => Err(ReadError::Missing {
            name,
            near: nearest_file(path).map_or(String::new(), |near| format!("; did you mean {near}?")),
        }),
        Err(NotAFile::Io(error)) => Err(ReadError::Io { name, reason: error.to_string() }),
    }
}

/// Most names of a folder that are looked at.
const NAMES_MAX: usize = 10_000;

/// The file in the same folder whose name is nearest, as it would be typed.
fn nearest_file(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = entries.take(NAMES_MAX).flatten();
    let mut names: Vec<String> = names.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(quoted(&path.with_file_name(near).to_string_lossy()))
}

/// The same for what somebody named on the command line: `-` and `/dev/stdin` are standard input, which is waited for.
pub fn read_named(path: &Path, most: u64) -> Result<String, ReadError> {
    if STDIN.iter().any(|name| path == Path::new(name)) {
        text(std::io::stdin().lock(), "standard input".to_owned(), most)
    } else {
        read_text_up_to(path, most)
    }
}

fn text(from: impl Read, name: String, most: u64) -> Result<String, ReadError> {
    let io = |e: std::io::Error| ReadError::Io { name: name.clone(), reason: e.to_string() };
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge { name, most });
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let bytes = e.as_bytes();
        let line = bytes[..at].split(|b| *b == b'\n').count();
        ReadError::NotUtf8 { name, line, byte: bytes[at] }
    })
}

/// The `.toml` files of a folder, by name.
pub fn toml_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    Ok(paths)
}

/// A checksum of texts that tells inputs apart; it protects nothing.
///
/// ```
/// use plimsoll_ground::document::fingerprint;
/// assert_ne!(fingerprint(["a", "b"]), fingerprint(["ab"]));
/// ```
pub fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    // A byte that UTF-8 never has ends each text.
    let bytes = texts.into_iter().flat_map(|text| text.bytes().chain([0xff]));
    checksum(bytes)
}
