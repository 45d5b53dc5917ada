//! What administrators paste, or the script of `plimsoll collect` gathers: outputs of the operating system and of `p4`.
//!
//! ```text
//!  files ─► text (lines, prompts, marks) ─► read (which output is it?) ─► facts ─► answers ─► fill (site file)
//!                                            p4, host, tables, json         └► places, drives ─┘
//! ```
//!
//! The outputs may come in any order, several in a file, with prompts and remarks between them, wrapped, with the line
//! ends of another system. Which is which is found by what it says. What nothing understands is kept with its line, and
//! nothing is guessed: what the outputs leave open becomes a question.
//!
//! ```
//! let text = "$ p4 info\nServer version: P4D/LINUX26X86_64/2023.2/2563409 (2024/02/27)\nServer root: /p4/1/root\n";
//! let collected = plimsoll_model::collected::of_texts([("pasted.txt", text)]);
//! let answers = plimsoll_model::collected::answers(&collected);
//! let release = answers.known.iter().find(|known| known.field == "server.release");
//! assert_eq!(release.map(|known| known.value.as_str()), Some("\"2023.2\""));
//! ```

mod amount;
mod answers;
mod drives;
mod facts;
mod fill;
mod gathered;
mod host;
mod json;
mod made;
mod names;
mod p4;
mod p4_tagged;
mod places;
mod read;
mod script;
mod shown;
mod tables;
mod text;
mod volumes;

use std::io::Read as _;
use std::path::Path;

use crate::diag::quoted;
use crate::files::{NotAFile, open_regular};

pub use answers::{Answers, Known, Open, answers};
pub use facts::{
    Array, Collected, Depot, Device, Found, Input, Location, Mount, Place, Running, Sampled, Setting, Sizes, Space,
    TableFile, Unread,
};
pub use fill::{Filled, Kept, fill};
pub use gathered::Gathered;
pub use script::{PASSES, POWERSHELL, SHELL};
pub use text::{Section, decode, sections};
pub use volumes::Volume;

/// The section that holds the last lines of the server's log.
pub const LOG_TAIL: &str = "log tail";
/// How the script's own remarks begin.
const REMARK: &str = "--- plimsoll: ";
/// So many lines that nothing understood are kept; the others are counted.
pub const UNREAD_MAX: usize = 1000;
/// The largest file that is read: the script writes less than half of it.
pub const BYTES_MAX: u64 = 64 << 20;

/// A file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Missing, no permission, or broken underneath.
    #[error("cannot read {name}: {reason}")]
    Io {
        /// The path as given.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// A folder, FIFO, socket or device.
    #[error("cannot read {name}: it is {what}, not a file")]
    NotAFile {
        /// The path as given.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// Larger than [`BYTES_MAX`].
    #[error(
        "cannot read {name}: it is larger than 64 MiB; cut it to the outputs, or read its log with the reader of logs"
    )]
    TooLarge {
        /// The path as given.
        name: String,
    },
    /// Nothing in it was understood.
    #[error(
        "{name} has nothing that is understood: outputs of mount, df, lsblk, lscpu, free, p4 info, p4 configure show and others, or the file that the script of `plimsoll collect` writes"
    )]
    Nothing {
        /// The path as given.
        name: String,
    },
}

/// Reads texts, each with its name.
pub fn of_texts<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Collected {
    let mut collected = Collected::default();
    for (name, text) in texts {
        read::read(&mut collected, name, text.to_owned());
    }
    collected
}

/// Reads files; one in which nothing is understood is an error.
pub fn load<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Collected, LoadError> {
    let mut collected = Collected::default();
    for path in paths {
        let shown = path.to_string_lossy();
        let name = quoted(&shown);
        let file = open_regular(path).map_err(|error| match error {
            NotAFile::Is(what) => LoadError::NotAFile { name: name.clone(), what },
            NotAFile::Io(error) => LoadError::Io { name: name.clone(), reason: error.to_string() },
        })?;
        let mut bytes = Vec::new();
        file.take(BYTES_MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| LoadError::Io { name: name.clone(), reason: error.to_string() })?;
        if bytes.len() as u64 > BYTES_MAX {
            return Err(LoadError::TooLarge { name });
        }
        let before = (collected.understood, collected.log_lines);
        read::read(&mut collected, &shown, decode(&bytes));
        if (collected.understood, collected.log_lines) == before {
            return Err(LoadError::Nothing { name });
        }
    }
    Ok(collected)
}
