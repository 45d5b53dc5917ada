//! Edges, proxies, brokers and replicas, as far as a server's log shows them.

use std::collections::BTreeMap;

use super::Tally;
use super::ranking::{Ranked, Ranking};
use crate::serverlog::merge::add;
use crate::serverlog::record::{Command, Moment, ProxyTotals};

/// Intermediaries and replicas that are kept.
const KEPT: usize = 256;

/// How a replica fetches the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Replica {
    /// Its service user.
    pub user: String,
    /// Where it comes from; "background" where this log is the replica's own.
    pub address: String,
    /// Whether this log is the replica's own (`pull`) or its target's (`rmt-Journal`).
    pub is_own: bool,
    /// Fetches of the journal.
    pub fetches: u64,
    /// The longest time between two of them \[s\], and when it began.
    pub longest_gap_s: (f64, Moment),
    /// The longest fetch \[s\].
    pub longest_s: f64,
    /// Its other commands, such as fetches of files.
    pub others: u64,
    last: Option<Moment>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Upstream {
    /// Commands that came through another server, by its address.
    pub through: Ranked<Tally>,
    /// Commands that name a broker.
    pub brokered: u64,
    /// Replicas and edges.
    pub replicas: Vec<Replica>,
    /// What a proxy had in its cache, where the log is a proxy's.
    pub proxy: Option<ProxyTotals>,
}

/// Adds them up.
#[derive(Debug, Clone)]
pub(super) struct UpstreamSums {
    through: Ranking<Tally>,
    brokered: u64,
    replicas: BTreeMap<(String, String), Replica>,
    proxy: Option<ProxyTotals>,
}

impl Default for UpstreamSums {
    fn default() -> Self {
        Self { through: Ranking::new(KEPT), brokered: 0, replicas: BTreeMap::new(), proxy: None }
    }
}

impl UpstreamSums {
    pub(super) fn add(&mut self, command: &Command, tally: &Tally) {
        let is_called = super::kinds::is_called(command);
        if is_called && command.program.contains("(brokered)") {
            self.brokered += 1;
        }
        if is_called && let Some((near, _)) = command.address.split_once('/') {
            self.through.entry(near, Tally::default).add(tally);
        }
        if let Some(totals) = command.proxy {
            let sum = self.proxy.get_or_insert_with(ProxyTotals::default);
            add(&mut sum.server_files, totals.server_files);
            add(&mut sum.server_bytes, totals.server_bytes);
            add(&mut sum.cache_files, totals.cache_files);
            add(&mut sum.cache_bytes, totals.cache_bytes);
        }
        let is_own = command.function.starts_with("pull");
        if !is_own && !command.function.starts_with("rmt-") {
            return;
        }
        // `pull -u` fetches files, without it the journal.
        let is_journal =
            command.function == "rmt-Journal" || (is_own && !command.arguments.split_whitespace().any(|w| w == "-u"));
        let key = (command.user.clone(), command.address.clone());
        if self.replicas.len() >= KEPT && !self.replicas.contains_key(&key) {
            return;
        }
        let replica = self.replicas.entry(key).or_insert_with(|| Replica {
            user: command.user.clone(),
            address: command.address.clone(),
            is_own,
            fetches: 0,
            longest_gap_s: (0.0, command.start),
            longest_s: 0.0,
            others: 0,
            last: None,
        });
        if !is_journal {
            replica.others += 1;
            return;
        }
        replica.fetches += 1;
        replica.longest_s = replica.longest_s.max(command.lapse_s.unwrap_or(0.0));
        if let Some(last) = replica.last {
            let gap = command.start.seconds_since(last);
            if gap > replica.longest_gap_s.0 {
                replica.longest_gap_s = (gap, last);
            }
        }
        replica.last = Some(replica.last.map_or(command.start, |l| l.max(command.start)));
    }

    pub(super) fn found(self) -> Upstream {
        let mut replicas: Vec<Replica> = self.replicas.into_values().collect();
        replicas.sort_by_key(|r| std::cmp::Reverse(r.fetches + r.others));
        Upstream { through: self.through.ranked(20), brokered: self.brokered, replicas, proxy: self.proxy }
    }
}
