use super::distant_office_without_edge::misses;
use super::{Evidence, Facts, Finding, Rule, Severity, WORK_HOURS};
use crate::site::Target;
use crate::units::{Bytes, BytesPerSecond};

pub(super) static RULE: Rule = Rule {
    id: "NET005",
    name: "small-tcp-window",
    summary: "one connection cannot fill the line to an office",
    docs: "\
### What it does
Fires for each office where the TCP window divided by the round trip is less than half of the line's bandwidth,
and the window is stated or the release is older than 2014.2.

### Why it matters
A connection has at most a window in flight: at 180 ms and 512 KiB it moves 2.9 MB/s, whatever the line and the
storage give.

### Evidence
TCPIP: rate = window ÷ round trip; the window is the site's, or the fixed one of old releases.

### What to do
Let the kernel size the windows: release 2014.2 with `net.autotune`, and a large `net.ipv4.tcp_wmem`; parallel
syncs use several connections.

### Limits
Parallel syncs have a window each.
",
    check,
};

/// A line that one connection fills to the half is well used by two (assumed).
pub(in crate::advisor) const SHARE_MIN: f64 = 0.5;

fn check(facts: &Facts<'_>, out: &mut Vec<Finding>) {
    let server = &facts.site.server;
    let (window, release) = (&server.tcp_window, server.release.value);
    if !window.is_stated() && release.autotunes() {
        return;
    }
    // Slow syncs were seen: then the size of old releases is no mere assumption.
    let sign = facts.seen("slow-syncs");
    for (i, office) in facts.site.people.sites.iter().enumerate() {
        let trip = office.round_trip.value.get();
        let line = office.bandwidth.value;
        let rate = window.value.get() / trip.max(f64::MIN_POSITIVE);
        if rate >= SHARE_MIN * line.get() {
            continue;
        }
        // Syncs that are too slow there cost as much as an office without an edge (NET002).
        let slow = misses(facts, office, |target| {
            matches!(target, Target::Sync | Target::LargeSync)
        });
        let share = if slow { 0.02 } else { 0.005 };
        let needed = Bytes::new(line.get() * trip).estimated();
        let action = if release.autotunes() {
            format!(
                "run p4 configure set net.autotune=1, and allow {needed} in net.ipv4.tcp_wmem (sysctl); parallel syncs use several connections"
            )
        } else {
            format!(
                "upgrade to release 2014.2 or later (net.autotune), or set net.tcpsize to {needed} on server and clients"
            )
        };
        out.push(
            RULE.finding(
                Severity::Warning,
                format!(
                    "one connection to {} moves at most {} of the line's {}: its window of {} is in flight for {}",
                    office.name,
                    BytesPerSecond::new(rate).in_bits(),
                    line.in_bits(),
                    window.value,
                    office.round_trip.value
                ),
                action,
                sign.iter().cloned().chain([
                    Evidence {
                        is_assumed: sign.is_none() && !window.is_stated(),
                        ..Evidence::answer("server.tcp_window", window, window.value)
                    },
                    Evidence::answer(&format!("people.site.{i}.round_trip"), &office.round_trip, office.round_trip.value),
                    Evidence::new("TCPIP", "a connection moves a window a round trip"),
                ])
                .collect(),
            )
            .costing(office.developers.value * WORK_HOURS * share),
        );
    }
}
