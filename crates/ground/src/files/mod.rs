//! Files and folders of users: read only where they are files, written whole or not at all, never through a link.
//!
//! - [`open_regular`] opens what is named for reading, and nothing that could wait for ever;
//! - [`Folder`] is a folder held open: what is done by it is done in that folder, wherever its name leads by then;
//! - [`Mark`] is the line by which a file that Plimsoll wrote is known again, with a checksum of the rest;
//! - [`Written`] writes one file beside its place and moves it there; [`Over`] says what it may replace.
//!
//! Knows the operating system's files. Must not know what stands in them. All that the program writes for a user goes
//! through here, from the command line and from the window.

mod folder;
mod mark;
mod read;
mod write;

pub use folder::{Folder, Id, Kind, Seen};
pub use mark::{Mark, Style, checksum};
pub use read::{NotAFile, open_regular};
pub use write::{Over, Refusal, Written, check, is_unchanged, write};
