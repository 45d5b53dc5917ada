//! Names of the model's numbers: what files, predictions and answers know each of them by.

use std::cmp::Ordering;
use std::fmt;

/// The kinds of entry of the catalogue, each with its folder of `models/`, in the order in which they are listed.
macro_rules! kinds {
    ($($kind:ident $folder:literal,)*) => {
        /// A kind of entry of the catalogue. Kinds are ordered as the names of their folders are.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EntryKind {
            $(#[doc = concat!("`models/", $folder, "`.")] $kind,)*
        }

        /// The folders of `models/`, in the order in which they are listed.
        pub const KINDS: [&str; 17] = [$($folder),*];

        impl EntryKind {
            /// All, in the order in which they are listed.
            pub const ALL: [Self; 17] = [$(Self::$kind),*];
        }
    };
}

kinds! {
    Protocol "protocols",
    Filesystem "filesystems",
    Medium "media",
    Raid "raid",
    Array "arrays",
    Cache "caches",
    Server "servers",
    Processor "processors",
    Provider "providers",
    Network "networks",
    Command "commands",
    Layout "layouts",
    Scenario "scenarios",
    Settings "settings",
    Change "changes",
    Tool "tools",
    Standby "standbys",
}

impl EntryKind {
    /// Its folder of `models/`.
    pub fn folder(self) -> &'static str {
        KINDS[self as usize]
    }

    /// The kind whose folder has this name.
    pub fn of_folder(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.folder() == name)
    }

    /// The number that a key of an entry of this kind states.
    pub fn number(self, entry: &str, key: impl Into<String>) -> NumberId {
        NumberId::Entry { kind: self, entry: entry.to_owned(), key: key.into() }
    }
}

impl Ord for EntryKind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.folder().cmp(other.folder())
    }
}

impl PartialOrd for EntryKind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The name of a number of the model. Names are ordered as their texts are.
#[derive(Debug, Clone)]
pub enum NumberId {
    /// A parameter of `calibration/parameters.toml`, by its id: `parameter row_write.2017`.
    Parameter(String),
    /// A key of an entry of the catalogue: `arrays/fas3270.sync_service`.
    Entry {
        /// Kind of the entry.
        kind: EntryKind,
        /// Its id.
        entry: String,
        /// The key, with those of the tables that it lies in: `log.per_command`.
        key: String,
    },
}

impl NumberId {
    /// A parameter by its id.
    pub fn parameter(id: impl Into<String>) -> Self {
        Self::Parameter(id.into())
    }

    /// The number that a file or a user names as it is shown; `None` if no number has such a name.
    ///
    /// ```
    /// use plimsoll_model::posterior::{EntryKind, NumberId};
    /// let read = NumberId::read("arrays/fas3270.sync_service");
    /// assert_eq!(read, Some(EntryKind::Array.number("fas3270", "sync_service")));
    /// assert_eq!(NumberId::read("parameter speed.2017").unwrap(), NumberId::parameter("speed.2017"));
    /// assert_eq!(NumberId::read("array/fas3270.sync_service"), None);
    /// ```
    pub fn read(name: &str) -> Option<Self> {
        if let Some(id) = name.strip_prefix(PARAMETER) {
            return Some(Self::parameter(id));
        }
        let (folder, rest) = name.split_once('/')?;
        let kind = EntryKind::of_folder(folder)?;
        // Only keys of commands lie in tables; an id may have a dot.
        let (entry, key) = match kind {
            EntryKind::Command => rest.split_once('.'),
            _ => rest.rsplit_once('.'),
        }?;
        Some(kind.number(entry, key))
    }

    /// The kind of entry that states it; `None` of a parameter.
    pub fn kind(&self) -> Option<EntryKind> {
        match self {
            Self::Parameter(_) => None,
            Self::Entry { kind, .. } => Some(*kind),
        }
    }

    /// Whether it is a number of this entry of the catalogue.
    pub fn is_of(&self, kind: EntryKind, id: &str) -> bool {
        matches!(self, Self::Entry { kind: own, entry, .. } if *own == kind && entry == id)
    }

    /// The id that `plimsoll explain` takes: of a parameter its own.
    pub fn explained(&self) -> String {
        match self {
            Self::Parameter(id) => id.clone(),
            Self::Entry { .. } => self.to_string(),
        }
    }

    fn parts(&self) -> [&str; 5] {
        match self {
            Self::Parameter(id) => [PARAMETER, id, "", "", ""],
            Self::Entry { kind, entry, key } => [kind.folder(), "/", entry, ".", key],
        }
    }
}

/// What stands before the id of a parameter.
const PARAMETER: &str = "parameter ";

impl fmt::Display for NumberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().into_iter().try_for_each(|part| f.write_str(part))
    }
}

impl Ord for NumberId {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Parameter(own), Self::Parameter(others)) => return own.cmp(others),
            (
                Self::Entry { kind, entry, key },
                Self::Entry { kind: kind_of_other, entry: others, key: key_of_other },
            ) if kind == kind_of_other && entry.len() == others.len() => {
                return entry.cmp(others).then_with(|| key.cmp(key_of_other));
            }
            _ => {}
        }
        // An id may have a dot: where one ends within the other the texts decide.
        let [own, others] = [self, other].map(|id| id.parts().into_iter().flat_map(str::bytes));
        own.cmp(others)
    }
}

impl PartialOrd for NumberId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for NumberId {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for NumberId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_their_texts() {
        let names = [
            "arrays/ea-san.cache",
            "arrays/ea-san-2.cache",
            "arrays/ea-san-2.write_ack",
            "networks/eth-1g.round_trip",
            "parameter speed.2017",
            "processors/turin.ipc",
            "commands/edit.log.per_command",
            "arrays/mine.v2.cache",
        ];
        let mut ids = names.map(|name| NumberId::read(name).expect("a name"));
        let mut texts = names.map(str::to_owned);
        assert_eq!(ids.clone().map(|id| id.to_string()), texts);
        ids.sort();
        texts.sort();
        assert_eq!(ids.map(|id| id.to_string()), texts);
    }
}
