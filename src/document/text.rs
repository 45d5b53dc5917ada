//! Texts: read safely, and told apart.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::diag::quoted;

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
    /// A directory, FIFO, socket or device.
    #[error("cannot read {name}: it is {what}, not a file")]
    NotAFile {
        /// The path as given.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// Larger than [`BYTES_MAX`].
    #[error("cannot read {name}: it is larger than 1 MiB, which no file of this kind is")]
    TooLarge {
        /// The path as given.
        name: String,
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

/// Reads a small text file; never hangs on a FIFO or device, never takes more than [`BYTES_MAX`].
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    let name = quoted(&path.to_string_lossy());
    let io = |e: std::io::Error| ReadError::Io {
        name: name.clone(),
        reason: e.to_string(),
    };
    let kind = std::fs::metadata(path).map_err(io)?.file_type();
    if kind.is_dir() {
        return Err(ReadError::NotAFile {
            name,
            what: "a directory",
        });
    }
    if !kind.is_file() {
        return Err(ReadError::NotAFile {
            name,
            what: "a FIFO, socket or device",
        });
    }
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(io)?
        .take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(ReadError::TooLarge { name });
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let bytes = e.as_bytes();
        let line = bytes[..at].split(|b| *b == b'\n').count();
        ReadError::NotUtf8 {
            name,
            line,
            byte: bytes[at],
        }
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

/// A hash of texts that tells inputs apart; it protects nothing. FNV-1a, 64 bits (Fowler, Noll and Vo).
///
/// ```
/// use plimsoll::document::fingerprint;
/// assert_ne!(fingerprint(["a", "b"]), fingerprint(["ab"]));
/// ```
pub fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    // A byte that UTF-8 never has ends each text.
    let bytes = texts
        .into_iter()
        .flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
