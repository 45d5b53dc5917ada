//! What is shown of a server log.

use std::sync::Arc;

use super::timeline::Timeline;
use crate::desktop::answer::{Logged, Read};
use crate::desktop::state::State;
use crate::diag::harmless_line;
use crate::serverlog::analysis::Chain;
use crate::units::Bytes;

/// A log, how far it is read, or how to open one.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// Why there is no log: how to open one, or what is wrong with the files.
    pub waiting: Option<String>,
    /// Whether something is wrong with the files.
    pub is_refused: bool,
    /// While it is read: the share that is, and of what.
    pub progress: Option<(f64, String)>,
    /// The log.
    pub logged: Option<Arc<Logged>>,
    /// Its locks over time; none where no line of it is about a lock.
    pub timeline: Option<Timeline>,
    /// For each chain of culprits the part of the time that holds it.
    pub spans: Vec<(f64, f64)>,
    /// Whether there is a site that the answers would go into; a new one is begun where there is none.
    pub has_site: bool,
}

/// How to open a log.
const HOW: &str = "Open the log of a Perforce server, or drop its files on the window: plain, packed by gzip or zstd, structured \
                   logs, journals, checkpoints, or a database of log2sql. Several files dropped together are one log, the oldest first.";

impl Data {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let has_site = state.is_begun();
        if let Some(problem) = state.lanes.log.problem() {
            return Self { waiting: Some(problem.to_owned()), is_refused: true, has_site, ..Self::default() };
        }
        let Some(logged) = state.lanes.log.answer() else {
            let waiting = if state.lanes.log.is_busy() { "Opening the log…" } else { HOW };
            return Self { waiting: Some(waiting.to_owned()), has_site, ..Self::default() };
        };
        let Some(read) = &logged.read else {
            return Self { progress: Some((logged.share, files(logged))), has_site, ..Self::default() };
        };
        let timeline = Timeline::of(logged, state.log_zoom);
        let spans = timeline.as_ref().map_or_else(Vec::new, |timeline| {
            let chains = read.findings.contention.chains.iter();
            chains.map(|chain| span(chain, timeline)).collect()
        });
        Self { logged: Some(logged.clone()), timeline, spans, has_site, ..Self::default() }
    }

    /// What the log says.
    pub fn read(&self) -> Option<&Read> {
        self.logged.as_ref()?.read.as_ref()
    }
}

/// "log.1, log (1.2 GiB)".
pub(super) fn files(logged: &Logged) -> String {
    let names = logged.files.iter().map(|path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        harmless_line(&name.to_string_lossy())
    });
    let names: Vec<String> = names.collect();
    format!("{} ({})", names.join(", "), Bytes::new(logged.bytes as f64).estimated())
}

/// From when to when a chain lasts, with something around it \[s from the beginning of the log\].
fn span(chain: &Chain, timeline: &Timeline) -> (f64, f64) {
    /// Room on both sides, and its least \[s\].
    const ROOM: (f64, f64) = (0.15, 2.0);
    let parties = chain.victims.iter().map(|victim| &victim.party);
    let parties = parties.chain([&chain.root]);
    let (mut from, mut until) = (f64::INFINITY, f64::NEG_INFINITY);
    for party in parties {
        let begin = party.start.seconds_since(timeline.begin);
        from = from.min(begin);
        until = until.max(begin + party.lapse_s);
    }
    let room = (ROOM.0 * (until - from)).max(ROOM.1);
    ((from - room).max(0.0), (until + room).min(timeline.all_s).max(from + 1.0))
}
