//! The boxes of a diagram at the left: who works, and how they reach the servers.

use super::diagram_build::{Drawing, Group, OFFICES_MOST, told};
use super::peak::kind_word;
use crate::catalog::Called;
use crate::page::place::Places;
use crate::page::place::{self, Column};
use crate::page::{Link, Node, NodeKind};
use crate::page::{Measure, count};
use crate::site::Office;
use crate::system::{ProxyPlace, Resource, ResourceKind, Spot};
use crate::units::{Bytes, about_count};
use crate::workload::from_site::large_syncs_by_office;

impl<'d> Drawing<'d> {
    /// Who works, and how they reach the servers.
    pub(super) fn offices(&mut self, groups: &[Group], servers: &[usize]) {
        let mut left = self.near();
        let near = left.len();
        let site = self.site;
        let mut with_edge = Vec::new();
        let d = self.deployment;
        let offices = &site.people.sites;
        for (group, server) in groups.iter().zip(servers) {
            if !d.is_distant(group.first) {
                continue;
            }
            let names = &d.offices[group.first - 1..group.first - 1 + group.count];
            let here: Vec<&Office> = offices.iter().filter(|o| names.contains(&o.name)).collect();
            let node = self.distant(&here);
            with_edge.push((node, *server));
            let (label, busy) = self.line_to(&here);
            self.connect(*server, servers[0], label, &busy);
        }
        let without: Vec<&Office> = offices.iter().filter(|o| !d.offices.contains(&o.name)).collect();
        let alone = if without.len() == OFFICES_MOST + 1 { without.len() } else { without.len().min(OFFICES_MOST) };
        let (each, others) = without.split_at(alone);
        let mut lines_to: Vec<Vec<&Office>> = each.iter().map(|o| vec![*o]).collect();
        if !others.is_empty() {
            lines_to.push(others.to_vec());
        }
        let network = self.network();
        for here in lines_to {
            let node = self.distant(&here);
            let (label, busy) = self.line_to(&here);
            // The line is short: what it is stands in the office.
            self.nodes[node].lines.push(label);
            left.push(node);
            self.connect(node, network, String::new(), &busy);
        }
        for node in left.iter().take(near) {
            self.connect(*node, network, String::new(), &[]);
        }
        for (office, edge) in &with_edge {
            self.connect(*office, *edge, String::new(), &[]);
        }
        for (group, server) in groups.iter().zip(servers) {
            if !d.is_distant(group.first) {
                let busy = self.busy(|one| one.server == Some(group.first) && one.spot == Spot::ClientNetwork);
                self.connect(network, *server, String::new(), &busy);
            }
        }
        let standby = self.standby(servers[0]);
        let places = Places { standby, left: &left, with_edge: &with_edge, network };
        place::left(&mut self.nodes, &places);
    }

    /// Those at the main office: developers, builds and scripts.
    fn near(&mut self) -> Vec<usize> {
        let site = self.site;
        let away: f64 = site.people.sites.iter().map(|s| s.developers.value).sum();
        let here = (site.people.developers.value - away).max(0.0);
        let w = &site.workload;
        let (syncs, _) = large_syncs_by_office(site);
        let mut lines = vec![format!("{} developers", count(here))];
        lines.extend(self.large_syncs(syncs));
        let title = if site.people.sites.is_empty() { "Developers" } else { "Main office" };
        let main = self.office(title, lines);
        let mut left = vec![main];
        let share = w.automation_share.value;
        if share.get() > 0.0 {
            let mut lines = vec![format!("{:.0} % of commands", share.get() * 100.0)];
            lines.extend(self.proxy(&ProxyPlace::Builds));
            left.push(self.office("Builds and scripts", lines));
        }
        left
    }

    /// One distant office, or several in one box.
    fn distant(&mut self, offices: &[&Office]) -> usize {
        let people: f64 = offices.iter().map(|o| o.developers.value).sum();
        let title = match offices {
            [office] => office.name.clone(),
            all => format!("{} more offices", all.len()),
        };
        let mut lines = vec![format!("{} developers", count(people))];
        let (_, all) = large_syncs_by_office(self.site);
        let here = all.iter().filter(|(office, _)| offices.contains(office));
        lines.extend(self.large_syncs(here.map(|(_, syncs)| syncs).sum()));
        match offices {
            [office] => lines.extend(self.proxy(&ProxyPlace::Office(office.name.clone()))),
            all => {
                let has = |office: &&&Office| {
                    let place = ProxyPlace::Office(office.name.clone());
                    self.deployment.proxy(&place).is_some()
                };
                match all.iter().filter(has).count() {
                    0 => {}
                    with => lines.push(format!("{with} of them through a proxy")),
                }
            }
        }
        self.office(&title, lines)
    }

    /// "proxy, 2 TB of cache", where there is one.
    fn proxy(&self, place: &ProxyPlace) -> Option<String> {
        let proxy = self.deployment.proxy(place)?;
        let cache = Bytes::new(proxy.cache).estimated();
        Some(format!("proxy, {cache} of cache"))
    }

    /// "120 syncs of 60 GB a day", of so many a second at the peak, where there are some.
    fn large_syncs(&self, at_peak: f64) -> Option<String> {
        let work = &self.site.workload;
        let size = work.concurrent_sync_size.value.si().replace(".0 ", " ");
        let a_day = about_count(at_peak / work.large_syncs_peak() * 86_400.0);
        (at_peak > 0.0).then(|| format!("{a_day} syncs of {size} a day"))
    }

    fn office(&mut self, title: &str, lines: Vec<String>) -> usize {
        self.add(Node {
            rect: place::box_in(Column::Offices),
            kind: NodeKind::Office,
            title: title.to_owned(),
            lines,
            utilization: None,
            hover: Vec::new(),
        })
    }

    fn network(&mut self) -> usize {
        let d = self.deployment;
        let links = if d.client_links > 1.0 { format!("{} × ", d.client_links) } else { String::new() };
        let kind = kind_word(ResourceKind::ClientNetwork).to_owned();
        let busy = self.busy(|one| one.kind() == ResourceKind::ClientNetwork);
        self.add(Node {
            rect: place::box_in(Column::Network),
            kind: NodeKind::Network,
            title: format!("{links}{}", self.catalog.networks.called(&d.client_network)),
            lines: Vec::new(),
            utilization: None,
            hover: [kind].into_iter().chain(told(busy.into_iter())).collect(),
        })
    }

    /// The line of a distant office: its label, and how busy it is; of several offices the busiest one's.
    pub(super) fn line_to(&self, offices: &[&Office]) -> (String, Vec<(&'d str, f64)>) {
        let lines = offices.iter().map(|office| {
            let line = Resource::line_to(&office.name);
            (*office, self.busy(|one| *one == line))
        });
        let most = |busy: &[(&str, f64)]| busy.iter().map(|(_, u)| *u).fold(0.0, f64::max);
        let busiest = lines.max_by(|a, b| most(&a.1).total_cmp(&most(&b.1)));
        let Some((office, busy)) = busiest else {
            return (String::new(), Vec::new());
        };
        let trip = Measure::Time.show(office.round_trip.value.get());
        let which = if offices.len() > 1 { "busiest: " } else { "" };
        let label = format!("{which}{trip}, {}", office.bandwidth.value.in_bits());
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
}
