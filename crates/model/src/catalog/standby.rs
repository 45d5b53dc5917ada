//! Standby servers on a second site: from which release, and what the line to them carries.

use super::entry::Entry;
use super::release::Release;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::Seconds;

record! {
    /// A way to run a standby.
    struct StandbyKind: Entry {
        /// The first release of p4d that it needs.
        since: Release = release,
        /// Share of the line's free bandwidth that the journal may use, in \[0, 1\].
        journal_share: Sourced<f64>,
        /// Times by which the journal shrinks on the line.
        compression: Sourced<f64>,
        /// How long the load stays at its peak.
        peak: Sourced<Seconds>,
        /// What crosses the line at the peak, over what the answers give.
        demand: Sourced<f64>,
        /// The reason.
        why: Sourced<String>,
    }
}

/// A release of p4d; reports what is none.
pub(super) fn release(reader: &Reader<'_>, key: &'static str) -> Option<Release> {
    reader.require(&[key]);
    let found = reader.text(key)?.value.parse();
    if found.is_err() {
        let message = "`since` must be a release of p4d such as \"2018.2\"";
        reader.report("MOD005", message, reader.place(), "in this file");
    }
    found.ok()
}
