//! What is put into a simulated day by hand: a crowd that comes at once, a large submit, a part that fails.
//!
//! Plain data that undo goes back over; [`super::answer`] makes a scenario of it.

/// Something put into a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Injected {
    /// When: minutes from the beginning.
    pub minute: u32,
    /// What happens.
    pub trouble: Trouble,
    /// How many clients, files or minutes: see [`Trouble::unit`].
    pub amount: u32,
}

/// What can be put into a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// Many clients sync within a minute.
    Burst,
    /// One submit of many files.
    LargeSubmit,
    /// A disk of the set that holds db fails and is replaced.
    Disk,
    /// A controller of the store that holds db fails and comes back.
    Controller,
    /// The first edge stands still for a while.
    Edge,
}

impl Trouble {
    /// All, in the order of the buttons.
    pub const ALL: [Self; 5] = [Self::Burst, Self::LargeSubmit, Self::Disk, Self::Controller, Self::Edge];

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Burst => "Herd of syncs",
            Self::LargeSubmit => "Large submit",
            Self::Disk => "Disk fails",
            Self::Controller => "Controller fails",
            Self::Edge => "Edge fails",
        }
    }

    /// What it does, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Burst => "Many clients sync within one minute, as a build farm does.",
            Self::LargeSubmit => "One changelist of many files: a vendor drop, an engine upgrade.",
            Self::Disk => "The set that holds db lacks a disk until it is replaced.",
            Self::Controller => "The store that holds db runs on the controllers that are left.",
            Self::Edge => "The first edge stands still, and its people wait.",
        }
    }

    /// What its amount counts.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Burst => "clients",
            Self::LargeSubmit => "files",
            Self::Disk | Self::Controller | Self::Edge => "min",
        }
    }

    /// The amount that it begins with.
    pub fn usual(self) -> u32 {
        match self {
            Self::Burst => 200,
            Self::LargeSubmit => 20_000,
            Self::Disk => 240,
            Self::Controller => 60,
            Self::Edge => 30,
        }
    }

    /// The largest amount.
    pub fn most(self) -> u32 {
        match self {
            Self::Burst => 100_000,
            Self::LargeSubmit => 10_000_000,
            Self::Disk | Self::Controller | Self::Edge => 1440,
        }
    }
}

impl Injected {
    /// Begins with the usual amount.
    pub fn usual(trouble: Trouble, minute: u32) -> Self {
        Self { minute, trouble, amount: trouble.usual() }
    }

    /// "200 clients sync".
    pub fn words(&self) -> String {
        let Self { trouble, amount, .. } = self;
        match trouble {
            Trouble::Burst => format!("{amount} clients sync at once"),
            Trouble::LargeSubmit => format!("a submit of {amount} files"),
            Trouble::Disk => format!("a disk under db is gone for {amount} min"),
            Trouble::Controller => format!("a controller under db is gone for {amount} min"),
            Trouble::Edge => format!("the first edge stands still for {amount} min"),
        }
    }
}
