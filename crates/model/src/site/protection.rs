//! How the server is backed up: the words of `protection.backup`.

/// How the server is backed up today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backup {
    /// Not at all.
    None,
    /// Files are copied to tape or to another disk.
    Tape,
    /// The storage takes snapshots.
    Snapshots,
    /// Another server holds a replica.
    Replica,
    /// Checkpoints and journals, with the depots copied beside.
    Checkpoint,
}

impl Backup {
    /// The words, as the site file has them.
    pub const WORDS: &'static [&'static str] = &["none", "tape", "snapshots", "replica", "checkpoint"];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Tape => "tape",
            Self::Snapshots => "snapshots",
            Self::Replica => "replica",
            Self::Checkpoint => "checkpoint",
        }
    }

    /// The one with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::None, Self::Tape, Self::Snapshots, Self::Replica, Self::Checkpoint]
            .into_iter()
            .find(|backup| backup.word() == word)
    }
}
