//! What distance adds to a transfer: the line to an office, and waits for answers that take a round trip each.
//!
//! A transfer goes at the pace of its slowest part. With B bytes of content, M bytes of messages that want an answer, round
//! trip R and n streams (threads), each with a window W and a limit H of unanswered messages, it takes
//!
//! ```text
//! max( B/line + B/network,  B/client,  B·R/(n·W),  M·R/(n·H) )
//! ```
//!
//! Network and line are stations where others wait too; what the rest is slower by comes on top as a delay. W ÷ R is the
//! most that one TCP connection moves (RFC 1323); H is the flow control of p4's own protocol (`rpc.himark`).

use super::{Demand, Plant};
use crate::catalog::Feature;
use crate::posterior::EntryKind;
use crate::system::deployment::Deployment;
use crate::system::{Resource, Spot};
use crate::workload::{Group, Load, Remote};

/// Content and messages of a command that cross a line.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::system) struct Crossing {
    /// Bytes, messages included.
    pub(in crate::system) bytes: f64,
    /// Bytes of messages that want an answer.
    pub(in crate::system) answered: f64,
    /// Bytes that the client takes meanwhile, at its own rate, from the network of its server.
    pub(in crate::system) to_client: Option<f64>,
}

/// The line to an office with an edge.
#[derive(Debug, Clone)]
pub(in crate::system) struct Line {
    /// The edge.
    pub(in crate::system) server: usize,
    office: String,
    bandwidth: f64,
}

/// Lines to offices with an edge of their own, as far as somebody there is part of the load.
pub(super) fn lines(deployment: &Deployment, load: &Load) -> Vec<Line> {
    let offices = deployment.offices.iter().enumerate();
    let lines = offices.filter_map(|(index, office)| {
        let here = |group: &&Group| group.clients.office() == Some(office);
        let remote = load.groups.iter().find(here)?.remote.as_ref()?;
        Some(Line { server: index + 1, office: office.clone(), bandwidth: remote.bandwidth })
    });
    lines.collect()
}

impl Plant<'_> {
    /// The line to an office: one server that all its transfers share.
    fn line(&mut self, office: &str) -> usize {
        self.station(Resource::line_to(office), 1.0)
    }

    /// Round trip over window: what a byte takes on one stream that is held up by its window \[s\].
    fn window_pace(&self, round_trip: f64) -> f64 {
        round_trip / self.distance.tcp_window
    }

    /// Messages that p4's flow control leaves unanswered on one connection \[B\].
    fn himark(&self) -> f64 {
        self.parameter(if self.deployment.release.has(Feature::Autotune) { "rpc.himark" } else { "rpc.himark.old" })
    }

    /// Adds a transfer of a group over the line to its office.
    pub(in crate::system) fn cross(&mut self, d: &mut Demand, (group, remote): (&Group, &Remote), crossing: Crossing) {
        let office = group.clients.place();
        let on_line = crossing.bytes * self.parameter("line.compressed");
        let line = self.line(office);
        let mut known = on_line / remote.bandwidth;
        d.add(line, known);
        if let Some(bytes) = crossing.to_client {
            known += bytes / self.client_network_rate();
            let client = bytes / self.client_rate;
            if client > known {
                let workstation = self.workstation();
                d.add(workstation, client - known);
                known = client;
            }
        }
        let window = on_line * self.window_pace(remote.round_trip);
        let answers = crossing.answered * remote.round_trip / self.himark();
        let slowest = window.max(answers) / group.threads.max(1.0);
        if slowest > known {
            let trips = Spot::LineTrips(office.to_owned());
            let delay = self.service(Resource::shared(trips));
            d.add(delay, slowest - known);
        }
    }

    /// What a client is slower by than the network of its server, where hardly anything crosses its line.
    pub(in crate::system) fn drain(&mut self, d: &mut Demand, bytes: f64) {
        let slower = 1.0 / self.client_rate - 1.0 / self.client_network_rate();
        if slower > 0.0 {
            let workstation = self.workstation();
            d.add(workstation, bytes * slower);
        }
    }

    /// What a byte takes at least on its way to a client behind a line \[s\].
    pub(in crate::system) fn pace_over_line(&self, group: &Group, remote: &Remote) -> f64 {
        let line = self.parameter("line.compressed") / remote.bandwidth;
        let window = self.parameter("line.compressed") * self.window_pace(remote.round_trip);
        (line + 1.0 / self.client_network_rate()).max(1.0 / self.client_rate).max(window / group.threads.max(1.0))
    }

    /// Adds what the window of a client beside its server makes a transfer slower by than network and client do.
    pub(in crate::system) fn hold_back(&mut self, d: &mut Demand, group: &Group, bytes: f64) {
        if !self.distance.tcp_window.is_finite() {
            return;
        }
        let id = &self.deployment.client_network;
        let name = || EntryKind::Network.number(id, "round_trip");
        let trip = self.lens.quantity(name, &self.client_link.round_trip);
        let known = (1.0 / self.client_network_rate()).max(1.0 / self.client_rate);
        let slower = self.window_pace(trip) / group.threads.max(1.0) - known;
        if slower > 0.0 && bytes > 0.0 {
            let delay = self.service(Resource::shared(Spot::ClientTrips));
            d.add(delay, bytes * slower);
        }
    }

    /// What a commit sends to the edges of distant offices, of so much journal and content: seconds of each line. Content
    /// that was submitted at an edge is there already.
    pub(in crate::system) fn replicate(&mut self, from: usize, journal: f64, content: f64) -> Demand {
        let mut d = Demand::default();
        for line in self.lines.clone() {
            let sent = if line.server == from { 0.0 } else { self.distance.edge_share };
            let bytes = (journal + content * sent * self.distance.growth) * self.parameter("line.compressed");
            let station = self.line(&line.office);
            d.add(station, bytes / line.bandwidth);
        }
        d
    }
}
