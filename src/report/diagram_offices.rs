//! The boxes of a diagram at the left: who works, and how they reach the servers.

use super::chart::{Measure, count};
use super::diagram::{Link, Node, NodeKind};
use super::diagram_build::{Drawing, Group, server_name, told};
use super::diagram_place::{self, Column};
use super::prediction_text::kind_word;
use crate::system::ResourceKind;
use crate::units::{BytesPerSecond, significant};

impl<'d> Drawing<'d> {
    /// Who works, and how they reach the servers.
    pub(super) fn offices(&mut self, groups: &[Group], servers: &[usize]) {
        let site = self.site;
        let away: f64 = site.people.sites.iter().map(|s| s.developers.value).sum();
        let here = (site.people.developers.value - away).max(0.0);
        let w = &site.workload;
        let syncs = w.concurrent_syncs.value;
        let mut lines = vec![format!("{} developers", count(here))];
        if syncs > 0.0 {
            let size = w.concurrent_sync_size.value.si().replace(".0 ", " ");
            lines.push(format!("{} × {size} syncs", count(syncs)));
        }
        let title = if site.people.sites.is_empty() {
            "Developers"
        } else {
            "Main office"
        };
        let main = self.office(title, lines);
        let mut left = vec![main];
        let share = w.automation_share.value;
        if share.get() > 0.0 {
            let mut lines = vec![format!("{:.0} % of commands", share.get() * 100.0)];
            if self.deployment.proxies {
                lines.push("through proxies".to_owned());
            }
            left.push(self.office("Builds and scripts", lines));
        }
        let mut with_edge = Vec::new();
        let mut remote = Vec::new();
        for office in &site.people.sites {
            let people = count(office.developers.value);
            let node = self.office(&office.name, vec![format!("{people} developers")]);
            let edge = self
                .deployment
                .offices
                .iter()
                .position(|o| *o == office.name);
            match edge {
                Some(edge) => with_edge.push((node, servers[edge + 1])),
                None => left.push(node),
            }
            remote.push((node, office, edge.map(|e| servers[e + 1])));
        }
        let network = self.network();
        for (node, edge) in &with_edge {
            self.beside(*node, *edge, "");
        }
        let first = &groups[0];
        diagram_place::offices(&mut self.nodes, &left, &with_edge, network, servers);
        for node in left {
            let line = remote.iter().find(|(n, ..)| *n == node);
            let (label, busy) = line.map_or((String::new(), Vec::new()), |(_, office, _)| {
                self.line_to(office)
            });
            self.connect(node, network, label, &busy);
        }
        for (_, office, edge) in &remote {
            if let Some(edge) = edge {
                let (label, busy) = self.line_to(office);
                self.connect(*edge, servers[first.first], label, &busy);
            }
        }
        for (group, server) in groups.iter().zip(servers) {
            if !self.deployment.is_distant(group.first) {
                let named = format!("client network of {}", server_name(group.first));
                let busy = self.busy(ResourceKind::ClientNetwork, |name| name == named);
                self.connect(network, *server, String::new(), &busy);
            }
        }
        diagram_place::route(&self.nodes, &mut self.links);
    }

    fn office(&mut self, title: &str, lines: Vec<String>) -> usize {
        self.add(Node {
            rect: diagram_place::box_in(Column::Offices),
            kind: NodeKind::Office,
            title: title.to_owned(),
            lines,
            utilization: None,
            hover: Vec::new(),
        })
    }

    fn network(&mut self) -> usize {
        let d = self.deployment;
        let links = if d.client_links > 1.0 {
            format!("{} × ", d.client_links)
        } else {
            String::new()
        };
        let kind = kind_word(ResourceKind::ClientNetwork).to_owned();
        let busy = self.busy(ResourceKind::ClientNetwork, |_| true);
        self.add(Node {
            rect: diagram_place::box_in(Column::Network),
            kind: NodeKind::Network,
            title: format!("{links}{}", d.client_network),
            lines: Vec::new(),
            utilization: None,
            hover: [kind].into_iter().chain(told(busy.into_iter())).collect(),
        })
    }

    /// The line of a distant office: its label, and how busy it is.
    fn line_to(&self, office: &crate::site::Office) -> (String, Vec<(&'d str, f64)>) {
        let trip = Measure::Time.show(office.round_trip.value.get());
        let label = format!("{trip}, {}", bits(office.bandwidth.value));
        let named = format!("line to {}", office.name);
        let busy = self.busy(ResourceKind::Wan, |name| name == named);
        (label, busy)
    }

    pub(super) fn connect(&mut self, from: usize, to: usize, label: String, busy: &[(&str, f64)]) {
        self.links.push(Link {
            from,
            to,
            points: Vec::new(),
            label,
            label_at: (0.0, 0.0),
            utilization: busy.iter().map(|(_, u)| *u).reduce(f64::max),
            hover: told(busy.iter().copied()),
        });
    }

    /// An office and the edge that stands there.
    fn beside(&mut self, office: usize, edge: usize, label: &str) {
        self.connect(office, edge, label.to_owned(), &[]);
    }
}

/// Lines are sold in bits: "1 Gb/s".
fn bits(rate: BytesPerSecond) -> String {
    let bits = rate.get() * 8.0;
    let (unit, factor) = match bits {
        b if b >= 0.9995e9 => ("Gb/s", 1e9),
        b if b >= 0.9995e6 => ("Mb/s", 1e6),
        _ => ("kb/s", 1e3),
    };
    format!("{} {unit}", significant(bits / factor, 3))
        .replace(".00 ", " ")
        .replace(".0 ", " ")
}
