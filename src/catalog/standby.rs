//! Standby servers on a second site: from which release, and what the line to them carries.

use super::entry::Entry;
use super::release::Release;
use crate::document::Reader;
use crate::origin::Sourced;
use crate::units::Seconds;

/// A way to run a standby.
#[derive(Debug, Clone, PartialEq)]
pub struct StandbyKind {
    /// Id, title, summary.
    pub entry: Entry,
    /// The first release of p4d that it needs.
    pub since: Release,
    /// Share of the line's free bandwidth that the journal may use, in \[0, 1\].
    pub journal_share: Sourced<f64>,
    /// Times by which the journal shrinks on the line.
    pub compression: Sourced<f64>,
    /// How long the load stays at its peak.
    pub peak: Sourced<Seconds>,
    /// The reason.
    pub why: Sourced<String>,
}

impl StandbyKind {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&["since", "journal_share", "compression", "peak", "why"]);
        let release = r.text("since").and_then(|since| {
            let found = since.value.parse();
            if found.is_err() {
                let message = "`since` must be a release of p4d such as \"2018.2\"";
                r.report("MOD005", message, r.place(), "in this file");
            }
            found.ok()
        });
        whole!(
            r,
            Self {
                entry;
                since: release,
                journal_share: r.sourced_number("journal_share"),
                compression: r.sourced_number("compression"),
                peak: r.sourced("peak"),
                why: r.statement("why"),
            }
        )
    }
}
