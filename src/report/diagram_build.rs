//! The boxes of a diagram: servers with their volumes, and the stores that these lie on.

use super::diagram::{Link, Node, NodeKind};
use super::diagram_place::{self, Column};
use super::prediction_text::percent;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::{Deployment, Mount, Prediction, ResourceKind};
use crate::units::{Bytes, BytesPerSecond, significant};

/// The servers that one box stands for: the first and how many like it.
pub(super) struct Group {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// The commit server, each edge of a distant office, and all other edges as one.
pub(super) fn groups(deployment: &Deployment) -> Vec<Group> {
    let offices = deployment.offices.len();
    let one = |first| Group { first, count: 1 };
    let mut groups: Vec<Group> = (0..=offices).map(one).collect();
    let others = deployment.servers().saturating_sub(offices + 1);
    if others > 0 {
        groups.push(Group {
            first: offices + 1,
            count: others,
        });
    }
    groups
}

pub(super) struct Drawing<'d> {
    pub(super) site: &'d Site,
    pub(super) catalog: &'d Catalog,
    pub(super) deployment: &'d Deployment,
    pub(super) prediction: &'d Prediction,
    pub(super) nodes: Vec<Node>,
    pub(super) links: Vec<Link>,
}

/// As resources are named in predictions.
pub(super) fn server_name(server: usize) -> String {
    if server == 0 {
        "commit server".to_owned()
    } else {
        format!("edge {server}")
    }
}

/// The box by this key, made where there is none yet.
fn find_or(known: &mut Vec<(String, usize)>, key: String, make: impl FnOnce() -> usize) -> usize {
    if let Some((_, node)) = known.iter().find(|(k, _)| *k == key) {
        return *node;
    }
    let node = make();
    known.push((key, node));
    node
}

/// Resources for the one who points: kind and share.
pub(super) fn told<'r>(resources: impl Iterator<Item = (&'r str, f64)>) -> Vec<String> {
    resources
        .map(|(name, busy)| format!("{name}: {} busy", percent(busy)))
        .collect()
}

impl<'d> Drawing<'d> {
    /// Resources of a kind by name.
    pub(super) fn busy(
        &self,
        kind: ResourceKind,
        named: impl Fn(&str) -> bool,
    ) -> Vec<(&'d str, f64)> {
        let resources = self.prediction.resources.iter();
        let found = resources.filter(|r| kind == r.kind && named(&r.name));
        found.map(|r| (r.name.as_str(), r.utilization)).collect()
    }

    pub(super) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A server with its volumes inside.
    pub(super) fn server(&mut self, group: &Group) -> usize {
        let d = self.deployment;
        let name = server_name(group.first);
        let title = match (group.first, group.count) {
            (0, _) if d.edges == 0 => "Server".to_owned(),
            (0, _) => "Commit server".to_owned(),
            (n, 1) => match d.offices.get(n - 1) {
                Some(office) => format!("Edge in {office}"),
                None => format!("Edge {n}"),
            },
            (n, count) => format!("Edges {n} to {}", n + count - 1),
        };
        let processors = self.busy(ResourceKind::Processor, |n| {
            n == format!("processor of {name}")
        });
        let mut hover = told(processors.iter().copied());
        hover.push(format!("{} {}-bit", d.system, d.bits));
        let locks = self
            .prediction
            .locks
            .iter()
            .filter(|l| l.name.ends_with(&format!(" on {name}")));
        let locks: Vec<(&str, f64)> = locks
            .filter(|l| l.utilization > 1e-3)
            .take(3)
            .map(|l| (l.name.as_str(), l.utilization))
            .collect();
        hover.extend(
            told(locks.into_iter())
                .into_iter()
                .map(|t| format!("lock {t}")),
        );
        let server = self.add(Node {
            rect: diagram_place::box_in(Column::Servers),
            kind: NodeKind::Server,
            title,
            lines: vec![format!(
                "{}, {} cores, {}",
                d.server,
                d.cores,
                Bytes::new(d.memory)
            )],
            utilization: processors.first().map(|(_, busy)| *busy),
            hover,
        });
        for (mount, roles) in self.mounts(group.first) {
            let file = mount.filesystem.clone();
            let held = file.unwrap_or_else(|| "export".to_owned());
            self.add(Node {
                rect: diagram_place::box_in(Column::Volumes),
                kind: NodeKind::Volume,
                title: if roles.len() > 4 {
                    "all volumes".to_owned()
                } else {
                    roles.join(", ")
                },
                lines: vec![format!(
                    "{} · {held} · {}",
                    self.mount_points(&roles, group.first),
                    mount.protocol
                )],
                utilization: None,
                hover: self.volume_hover(mount, &roles, group.first),
            });
        }
        server
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
        let volumes = d
            .volumes
            .iter()
            .filter(|m| m.roles.iter().any(|role| roles.contains(role)));
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

    /// Disks and arrays, with lines from the volumes on them; what is not in the server is reached over
    /// a storage network.
    pub(super) fn stores(&mut self, groups: &[Group]) {
        let volumes: Vec<usize> = (0..self.nodes.len())
            .filter(|i| self.nodes[*i].kind == NodeKind::Volume)
            .collect();
        let mut next = volumes.into_iter();
        let mut known: Vec<(String, usize)> = Vec::new();
        for group in groups {
            let name = server_name(group.first);
            for (mount, _) in self.mounts(group.first) {
                let Some(volume) = next.next() else { return };
                let private = mount.is_private();
                let key = if private {
                    format!("{} ({name})", mount.set)
                } else {
                    mount.device.clone()
                };
                let store = find_or(&mut known, key, || self.store(mount, &name));
                match mount.network.as_deref().filter(|_| !private) {
                    None => self.connect(volume, store, String::new(), &[]),
                    Some(network) => {
                        let key = format!("network {network}");
                        let bar = find_or(&mut known, key, || self.fabric(network));
                        self.over_fabric([volume, bar, store], mount, network, &name);
                    }
                }
            }
        }
    }

    /// A storage network.
    fn fabric(&mut self, network: &str) -> usize {
        let beside = self.nodes.iter().filter(|n| n.kind == NodeKind::Network);
        let named = format!("storage link {network} of");
        let busy = self.busy(ResourceKind::StorageNetwork, |name| {
            name.starts_with(&named)
        });
        let node = Node {
            rect: diagram_place::box_in(Column::Fabric(beside.count())),
            kind: NodeKind::Network,
            title: network.to_owned(),
            lines: Vec::new(),
            utilization: None,
            hover: told(busy.into_iter()),
        };
        self.add(node)
    }

    /// From a volume over a storage network to its store. All volumes of a server share its link, so that
    /// the first line says how busy that is.
    fn over_fabric(
        &mut self,
        [volume, bar, store]: [usize; 3],
        mount: &Mount,
        network: &str,
        server: &str,
    ) {
        let named = format!("storage link {network} of {server}");
        let mut busy = self.busy(ResourceKind::StorageNetwork, |name| name == named);
        let slots = format!("NFS requests of {server} to {}", mount.device);
        let slots = self.busy(ResourceKind::Slots, |name| name == slots);
        let told_before = self.links.iter().any(|l| {
            let first = l.hover.first();
            l.to == bar && first.is_some_and(|h| h.starts_with(&named))
        });
        let shown = busy.first().map(|(_, u)| *u).filter(|_| !told_before);
        busy.extend(slots);
        self.connect(volume, bar, String::new(), &busy);
        if let Some(link) = self.links.last_mut() {
            link.utilization = shown;
        }
        if !self.links.iter().any(|l| l.from == bar && l.to == store) {
            self.connect(bar, store, String::new(), &[]);
        }
    }

    fn store(&mut self, mount: &Mount, server: &str) -> usize {
        let private = mount.is_private();
        let set = format!(" of {} ({server})", mount.set);
        let (shared, device) = (
            format!(" of {}", mount.set),
            format!(" of {}", mount.device),
        );
        let named = |name: &str| {
            if private {
                name.ends_with(&set)
            } else {
                name.ends_with(&shared) || name.ends_with(&device)
            }
        };
        let kinds = [
            ResourceKind::Disks,
            ResourceKind::Stream,
            ResourceKind::Ports,
        ];
        let busy = kinds.into_iter().flat_map(|kind| self.busy(kind, named));
        let busy: Vec<(&str, f64)> = busy.collect();
        let utilization = busy.iter().map(|(_, u)| *u).reduce(f64::max);
        let title = if mount.is_local() {
            "local disks".to_owned()
        } else {
            mount.device.clone()
        };
        let disks = if private {
            let size = Bytes::new(mount.disk_bytes).si();
            format!("{} × {size} {}", mount.disks, mount.medium)
        } else {
            format!("{} × {}", mount.disks, mount.medium)
        };
        self.add(Node {
            rect: diagram_place::box_in(Column::Stores),
            kind: NodeKind::Store,
            title,
            lines: vec![disks, mount.raid.clone()],
            utilization,
            hover: told(busy.into_iter()),
        })
    }
}
