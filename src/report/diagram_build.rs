//! The boxes of a diagram: servers, the volumes of the commit server, and the stores that these lie on.

use super::peak::percent;
use super::volumes::has_raid;
use crate::catalog::{Called, Catalog};
use crate::page::place::{self, Column};
use crate::page::{Link, Node, NodeKind};
use crate::site::Site;
use crate::system::disk_set::sets;
use crate::system::{Deployment, Mount, Prediction, Resource, ResourceKind, Spot};
use crate::units::{Bytes, BytesPerSecond, significant};

/// Offices with an edge that have a box each, so that a page of paper holds them legibly; one more box stands for all others.
pub(super) const OFFICES_MOST: usize = 1;

/// The servers that one box stands for: the first and how many like it.
pub(super) struct Group {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// The commit server, all near edges as one, and edges of distant offices.
pub(super) fn groups(deployment: &Deployment) -> Vec<Group> {
    let offices = deployment.offices.len();
    let one = |first| Group { first, count: 1 };
    let mut groups = vec![one(0)];
    let others = deployment.servers().saturating_sub(offices + 1);
    if others > 0 {
        groups.push(Group { first: offices + 1, count: others });
    }
    let alone = if offices == OFFICES_MOST + 1 { offices } else { offices.min(OFFICES_MOST) };
    groups.extend((1..=alone).map(one));
    if offices > alone {
        groups.push(Group { first: alone + 1, count: offices - alone });
    }
    groups
}

/// What a volume lies on, and over which network.
struct Attached<'d> {
    mount: &'d Mount,
    /// Array, or set of own disks.
    store: String,
    network: Option<&'d str>,
}

/// The box of a store, and that of the network before it.
struct Reached {
    store: String,
    network: Option<String>,
    node: usize,
    bar: Option<usize>,
}

pub(super) struct Drawing<'d> {
    pub(super) site: &'d Site,
    pub(super) catalog: &'d Catalog,
    pub(super) deployment: &'d Deployment,
    pub(super) prediction: &'d Prediction,
    pub(super) nodes: Vec<Node>,
    pub(super) links: Vec<Link>,
}

/// Resources with their shares, a line each.
pub(super) fn told<'r>(resources: impl Iterator<Item = (&'r str, f64)>) -> Vec<String> {
    resources.map(|(name, busy)| format!("{name}: {} busy", percent(busy))).collect()
}

impl<'d> Drawing<'d> {
    /// Some of the resources.
    pub(super) fn busy(&self, which: impl Fn(&Resource) -> bool) -> Vec<(&'d str, f64)> {
        let resources = self.prediction.resources.iter();
        let found = resources.filter(|r| which(&r.resource));
        let told = found.map(|r| (r.resource.name.as_str(), r.utilization));
        told.collect()
    }

    pub(super) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A server, the commit server with its volumes inside.
    pub(super) fn server(&mut self, group: &Group) -> usize {
        let d = self.deployment;
        let title = match (group.first, group.count) {
            (0, _) if d.edges == 0 => "Server".to_owned(),
            (0, _) => "Commit server".to_owned(),
            (n, _) if d.is_standby(n) => match &d.standby {
                Some(standby) => format!("Standby in {}", standby.place()),
                None => "Standby".to_owned(),
            },
            (n, 1) => match d.offices.get(n - 1) {
                Some(office) => format!("Edge in {office}"),
                None => "Edge server".to_owned(),
            },
            (n, count) if d.is_distant(n) => format!("Edges in {count} more offices"),
            (_, count) => format!("{count} edge servers"),
        };
        let all = group.first..group.first + group.count;
        let of = |kind: ResourceKind| {
            let of_any = |one: &Resource| one.server.is_some_and(|server| all.contains(&server));
            let busy = self.busy(|one| one.kind() == kind && of_any(one));
            busy.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let processor = of(ResourceKind::Processor);
        let mut hover = told(processor.into_iter());
        hover.push(format!("{} {}-bit", d.system, d.bits));
        hover.extend(self.locks(group.first));
        let memory = Bytes::new(d.memory_of(group.first));
        let mut lines = vec![format!("{} cores, {memory} of memory", d.cores)];
        let mut utilization = processor.map(|(_, busy)| busy);
        if group.first > 0 {
            let disks = of(ResourceKind::Disks);
            lines.push(self.own_disks(group.first));
            hover.extend(told(disks.into_iter()));
            let disks = disks.map(|(_, busy)| busy);
            utilization = utilization.into_iter().chain(disks).reduce(f64::max);
            for (mount, roles) in self.mounts(group.first) {
                hover.extend(self.volume_hover(mount, &roles, group.first));
            }
        } else {
            lines.insert(0, self.catalog.servers.called(&d.server).to_owned());
        }
        let server = self.add(Node {
            rect: place::box_in(Column::Servers),
            kind: NodeKind::Server,
            title,
            lines,
            utilization,
            hover,
        });
        if group.first == 0 {
            self.volumes();
        }
        server
    }

    /// The standby on a second site, with the line over which it receives journal and archives.
    pub(super) fn standby(&mut self, commit: usize) -> Option<usize> {
        let standby = self.deployment.standby.as_ref()?;
        let server = self.server(&Group { first: self.deployment.servers(), count: 1 });
        let offices = self.site.people.sites.iter();
        let here: Vec<_> = offices.filter(|o| standby.office.as_ref() == Some(&o.name)).collect();
        let (label, busy) = self.line_to(&here);
        self.connect(server, commit, label, &busy);
        Some(server)
    }

    /// The busiest locks of a server.
    fn locks(&self, server: usize) -> Vec<String> {
        let locks = self.prediction.locks.iter();
        let locks = locks.filter(|l| l.lock.server == Some(server) && l.utilization > 1e-3);
        let lines = locks.take(3);
        lines.map(|l| format!("{}: {} busy", l.lock, percent(l.utilization))).collect()
    }

    /// "8 × NVMe drive", or that an edge uses what the commit server does.
    fn own_disks(&self, server: usize) -> String {
        let mounts = self.mounts(server).into_iter().map(|(mount, _)| mount);
        let sets = sets(mounts.filter(|mount| mount.is_private()));
        let Some(last) = sets.last() else {
            return "volumes as the commit server's".to_owned();
        };
        let count: f64 = sets.iter().map(|mount| mount.disks).sum();
        format!("{count} × {}", self.catalog.media.called(&last.medium))
    }

    /// The volumes of the commit server.
    fn volumes(&mut self) {
        for (mount, roles) in self.mounts(0) {
            let file = mount.filesystem.as_deref();
            let with = match file {
                Some(file) => format!("{} · {}", self.catalog.filesystems.called(file), mount.reached(self.catalog)),
                None => mount.reached(self.catalog).to_owned(),
            };
            let with = if mount.is_local() {
                file.map_or(with, |file| self.catalog.filesystems.called(file).to_owned())
            } else {
                with
            };
            self.add(Node {
                rect: place::box_in(Column::Volumes),
                kind: NodeKind::Volume,
                title: if roles.len() > 4 { "all volumes".to_owned() } else { roles.join(", ") },
                lines: vec![format!("{} · {with}", self.mount_points(&roles, 0))],
                utilization: None,
                hover: self.volume_hover(mount, &roles, 0),
            });
        }
    }

    fn volume_hover(&self, mount: &Mount, roles: &[&'static str], server: usize) -> Vec<String> {
        let mut hover = vec![roles.join(", "), mount.why.clone()];
        let options = self.deployment.mount_options(mount, self.catalog);
        if !options.is_empty() {
            hover.push(format!("mount options {options}"));
        }
        for role in roles {
            if let Some(io) = self.prediction.io.get(&(server, *role)) {
                let requests = significant(io.reads + io.writes, 2);
                let bytes = BytesPerSecond::new(io.bytes);
                hover.push(format!("{role}: {requests} requests/s, {bytes}"));
            }
        }
        hover
    }

    /// Where a server reaches roles; an office's edge has volumes of one set of disks at several places.
    fn mount_points(&self, roles: &[&'static str], server: usize) -> String {
        let d = self.deployment;
        let volumes = d.volumes.iter().filter(|m| m.roles.iter().any(|role| roles.contains(role)));
        let points: Vec<String> = volumes.map(|m| d.mount_point_on(m, server)).collect();
        points.join(", ")
    }

    /// The volumes of a server with the roles that each has there.
    fn mounts(&self, server: usize) -> Vec<(&'d Mount, Vec<&'static str>)> {
        let d = self.deployment;
        let mut mounts: Vec<(&Mount, Vec<&'static str>)> = Vec::new();
        let roles = d.volumes.iter().flat_map(|m| m.roles.iter().copied());
        for role in roles {
            let Some(mount) = d.mount_on(role, server) else {
                continue;
            };
            let known = mounts.iter_mut().find(|(m, _)| std::ptr::eq(*m, mount));
            match known {
                Some((_, roles)) if roles.contains(&role) => {}
                Some((_, roles)) => roles.push(role),
                None => mounts.push((mount, vec![role])),
            }
        }
        mounts
    }

    /// What the volumes of a server lie on, each once.
    fn attached(&self, server: usize) -> Vec<Attached<'d>> {
        let mounts = self.mounts(server).into_iter();
        mounts
            .map(|(mount, _)| Attached {
                mount,
                store: if mount.is_private() { mount.set_name(self.catalog).id } else { mount.device.clone() },
                network: mount.network.as_deref().filter(|_| !mount.is_private()),
            })
            .collect()
    }

    /// Disks and arrays with the networks before them, and lines from the volumes on them.
    pub(super) fn stores(&mut self, groups: &[Group], servers: &[usize]) {
        let volumes: Vec<usize> = (0..self.nodes.len()).filter(|i| self.nodes[*i].kind == NodeKind::Volume).collect();
        let attached = self.attached(0);
        let reached = self.reached(&attached);
        for (volume, one) in volumes.into_iter().zip(&attached) {
            self.lead(volume, one, &reached, 0);
        }
        for (group, server) in groups.iter().zip(servers).skip(1) {
            if self.deployment.is_distant(group.first) {
                continue;
            }
            for one in self.attached(group.first) {
                if !one.mount.is_private() {
                    self.lead(*server, &one, &reached, group.first);
                }
            }
        }
    }

    /// The boxes of stores and networks, below each other: stores behind one network are neighbours and share its bar.
    fn reached(&mut self, attached: &[Attached<'d>]) -> Vec<Reached> {
        let mut waiting: Vec<(&str, Vec<&Attached<'d>>)> = Vec::new();
        for one in attached {
            match waiting.iter_mut().find(|(store, _)| *store == one.store) {
                Some((_, known)) if known.iter().any(|k| k.network == one.network) => {}
                Some((_, known)) => known.push(one),
                None => waiting.push((&one.store, vec![one])),
            }
        }
        let mut reached: Vec<Reached> = Vec::new();
        while !waiting.is_empty() {
            let last = reached.last().and_then(|r| Some((r.network.clone()?, r.bar?)));
            let is_behind =
                |one: &Attached<'_>| last.as_ref().is_some_and(|(network, _)| one.network == Some(network.as_str()));
            let next = waiting.iter().position(|(_, ways)| ways.iter().any(|w| is_behind(w)));
            let (store, mut ways) = waiting.remove(next.unwrap_or(0));
            ways.sort_by_key(|way| !is_behind(way));
            let node = self.store(ways[0].mount);
            for way in ways {
                let bar = match (way.network, &last) {
                    (Some(_), Some((_, bar))) if is_behind(way) => Some(*bar),
                    (Some(network), _) => Some(self.fabric(network)),
                    (None, _) => None,
                };
                if let Some(bar) = bar {
                    self.connect(bar, node, String::new(), &[]);
                }
                reached.push(Reached { store: store.to_owned(), network: way.network.map(str::to_owned), node, bar });
            }
        }
        reached
    }

    /// A line from a volume or an edge to the network before a store, or to the store itself.
    fn lead(&mut self, from: usize, one: &Attached<'d>, reached: &[Reached], server: usize) {
        let found = reached.iter().find(|r| r.store == one.store && r.network.as_deref() == one.network);
        let Some(found) = found else { return };
        match (found.bar, one.network) {
            (Some(bar), Some(network)) => self.over_fabric(from, bar, one.mount, network, server),
            _ => self.connect(from, found.node, String::new(), &[]),
        }
    }

    /// A storage network.
    fn fabric(&mut self, network: &str) -> usize {
        let link = Spot::StorageLink(self.catalog.networks.named(network));
        let busy = self.busy(|one| one.spot == link);
        let node = Node {
            rect: place::box_in(Column::Fabric),
            kind: NodeKind::Network,
            title: self.catalog.networks.called(network).to_owned(),
            lines: Vec::new(),
            utilization: None,
            hover: told(busy.into_iter()),
        };
        self.add(node)
    }

    /// To a storage network. All volumes of a server share its link, so that the first line says how busy that is.
    fn over_fabric(&mut self, from: usize, bar: usize, mount: &Mount, network: &str, server: usize) {
        let spots = [
            Spot::StorageLink(self.catalog.networks.named(network)),
            Spot::Requests(self.catalog.arrays.named(&mount.device)),
            Spot::Connections(self.catalog.arrays.named(&mount.device)),
        ];
        let [busy, slots, connections] =
            spots.map(|spot| self.busy(|one| one.server == Some(server) && one.spot == spot));
        let mut busy = busy;
        let told = told(busy.iter().copied());
        let told_before = self.links.iter().any(|l| l.hover.first() == told.first());
        if self.links.iter().any(|l| l.from == from && l.to == bar) {
            return;
        }
        let shown = busy.first().map(|(_, u)| *u).filter(|_| !told_before);
        busy.extend(slots);
        busy.extend(connections);
        self.connect(from, bar, String::new(), &busy);
        if let Some(link) = self.links.last_mut() {
            link.utilization = shown;
        }
    }

    /// An array with all that is on it, or a set of the commit server's own disks.
    fn store(&mut self, mount: &Mount) -> usize {
        let private = mount.is_private();
        let deployment = self.deployment;
        let is_part = |one: &Resource| {
            if private {
                return one.is_set_of(mount) && one.server == Some(0);
            }
            let mut there = deployment.volumes.iter().filter(|other| other.device == mount.device);
            one.is_of_array(mount) || there.any(|other| one.is_set_of(other))
        };
        let kinds = [ResourceKind::Disks, ResourceKind::Stream, ResourceKind::Ports];
        let busy = kinds.into_iter().flat_map(|kind| self.busy(|one| one.kind() == kind && is_part(one)));
        let busy: Vec<(&str, f64)> = busy.collect();
        let utilization = busy.iter().map(|(_, u)| *u).reduce(f64::max);
        let catalog = self.catalog;
        let medium = catalog.media.called(&mount.medium);
        let (title, disks) = if private {
            let size = Bytes::new(mount.disk_bytes).si();
            let place = if mount.is_local() { "Local disks" } else { "Cloud volume" };
            let drives = format!("{} × {size} {medium}", mount.disks);
            (place.to_owned(), drives)
        } else {
            // Nobody states the drives of a system that the site describes, nor sees those of a provider's service.
            let inside = match catalog.arrays.get(&mount.device) {
                Some(array) if array.elastic => "grows with what lies on it".to_owned(),
                Some(array) if array.is_fixed => format!("{} usable", array.usable.value.si()),
                _ => format!("{} × {medium}", mount.disks),
            };
            (catalog.arrays.called(&mount.device).to_owned(), inside)
        };
        let mut lines = vec![disks];
        if has_raid(catalog, mount) {
            lines.push(catalog.raid.called(&mount.raid).to_owned());
        }
        self.add(Node {
            rect: place::box_in(Column::Stores),
            kind: NodeKind::Store,
            title,
            lines,
            utilization,
            hover: told(busy.into_iter()),
        })
    }
}
