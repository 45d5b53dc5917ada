//! What a command costs: seconds at the stations, lock sections, bytes.

use super::plant::{Demand, Ledger};

/// Locks held together, and what is done under them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section<'a> {
    /// Tables with their mode, exclusive or not.
    pub(super) tables: Vec<(&'a str, bool)>,
    /// Demand while they are held.
    pub(super) inside: Demand,
    /// Demand since the section before it, or the command's begin.
    pub(super) before: Demand,
    /// Where the tables lie: 0 is the commit server.
    pub(super) server: usize,
    /// Whether it is the commit section.
    pub(super) commit: bool,
}

/// What a command does next, in the order of its script.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// Work at the stations.
    Work(Demand),
    /// Takes the locks of a section, by its index in [`Cost::sections`].
    Enter(usize),
    /// Lets go of them.
    Leave,
}

/// One command's demand.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cost<'a> {
    /// The same in the order of the script, if scripts are kept: neighbouring work is one act.
    pub(super) script: Vec<Act>,
    /// All that its user waits for.
    pub(super) total: Demand,
    /// What the devices do later, and what the other disks of a stripe do meanwhile.
    pub(super) later: Demand,
    /// The part of it that the other disks do meanwhile.
    pub(super) beside: Demand,
    /// Its lock sections.
    pub(super) sections: Vec<Section<'a>>,
    /// Bytes sent to the client.
    pub(super) sent: f64,
    /// Requests by role of the volume.
    pub(super) io: Ledger,
}
