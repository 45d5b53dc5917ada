//! What is known of one server: its volumes, its amounts, and which conditions hold.

use std::collections::{BTreeMap, BTreeSet};

use crate::advisor::{Chosen, GuardRails};
use crate::catalog::{Access, Catalog};
use crate::site::{Office, Site};
use crate::system::capacity::{Memory, provide};
use crate::system::memory::ServerMemory;
use crate::system::{Deployment, Mount};
use crate::units::{Bytes, Fraction, Seconds, about_count, grouped};
use crate::workload::{Clients, from_site};

use super::quote;

/// A volume of a server.
#[derive(Debug, Clone)]
pub(super) struct Place<'a> {
    /// Where it is mounted, made plain.
    pub(super) mount_point: String,
    /// What it holds there.
    pub(super) roles: Vec<&'static str>,
    /// What it lies on.
    pub(super) mount: &'a Mount,
    /// Whether other servers mount the same data.
    pub(super) shared: bool,
    /// To provide today and at the horizon \[B\].
    pub(super) size: (f64, f64),
    /// How it is reached.
    pub(super) access: Access,
}

impl Place<'_> {
    /// The name of its device's variable and of its label begin with its first role.
    pub(super) fn role(&self) -> &'static str {
        self.roles.first().copied().unwrap_or("data")
    }

    /// The filesystem's label; at most 12 characters, XFS's longest.
    pub(super) fn label(&self) -> String {
        let short = match self.role() {
            "offline_db" => "offline",
            "checkpoint" => "ckp",
            role => role,
        };
        format!("p4-{short}")
    }

    /// Its roles in words.
    pub(super) fn holds(&self) -> String {
        self.roles.join(", ")
    }
}

/// One server.
#[derive(Debug, Clone)]
pub(super) struct Sheet<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) deployment: &'a Deployment,
    /// 0 is the commit server.
    pub(super) server: usize,
    /// "commit server", "edge 1 (Montreal)".
    pub(super) title: String,
    /// Its server id: "commit", "edge1".
    pub(super) id: String,
    /// Its volumes, a mount point after those above it.
    pub(super) places: Vec<Place<'a>>,
    /// Known amounts.
    pub(super) amounts: BTreeMap<&'static str, f64>,
    /// Which conditions hold for the whole server.
    pub(super) conditions: BTreeSet<String>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(site: &'a Site, catalog: &'a Catalog, chosen: &'a Chosen, server: usize) -> Self {
        let deployment = &chosen.deployment;
        let mut sheet = Self {
            site,
            catalog,
            deployment,
            server,
            title: match (server, deployment.offices.get(server.wrapping_sub(1))) {
                _ if deployment.is_standby(server) => {
                    let office = deployment.standby.as_ref().map(crate::system::StandbyServer::place);
                    format!("standby ({})", quote::plain(office.unwrap_or_default()))
                }
                (0, _) => "commit server".to_owned(),
                (n, Some(office)) => format!("edge {n} ({})", quote::plain(office)),
                (n, None) => format!("edge {n}"),
            },
            id: match server {
                0 => "commit".to_owned(),
                n if deployment.is_standby(n) => "standby".to_owned(),
                n => format!("edge{n}"),
            },
            places: places(site, catalog, chosen, server),
            amounts: BTreeMap::new(),
            conditions: BTreeSet::new(),
        };
        let guards = GuardRails::of(chosen, server);
        sheet.amounts = sheet.reckon(&chosen.memory);
        sheet.amounts.extend(sheet.limits(chosen, &guards));
        sheet.conditions = sheet.observe(&guards);
        sheet
    }

    /// The same with mount points written for another place.
    pub(super) fn with_mount_points(&self, quote: fn(&str) -> String) -> Self {
        let mut sheet = self.clone();
        for place in &mut sheet.places {
            place.mount_point = quote(&place.mount_point);
        }
        sheet
    }

    /// Whether it runs Linux, whose files most are.
    pub(super) fn is_linux(&self) -> bool {
        self.deployment.system == "linux"
    }

    /// Its operating system, as people write it.
    pub(super) fn system_name(&self) -> String {
        let (first, rest) = self.deployment.system.split_at(1);
        first.to_uppercase() + rest
    }

    /// Whether it runs Windows, which has drives, PowerShell and a registry in their place.
    pub(super) fn is_windows(&self) -> bool {
        self.deployment.system == "windows"
    }

    /// The year of its release: how old its kernel and tools may be.
    pub(super) fn year(&self) -> u16 {
        self.deployment.release.year()
    }

    /// Whether its office is not in the same town as the arrays.
    fn is_distant(&self) -> bool {
        self.deployment.is_distant(self.server)
    }

    /// Offices at the other end of its long lines: an edge's own, else all.
    fn offices(&self) -> Vec<&'a Office> {
        let standby = self.deployment.standby.as_ref();
        let standby = standby.filter(|_| self.deployment.is_standby(self.server));
        let mine = match standby {
            Some(standby) => standby.office.as_ref(),
            None => self.deployment.offices.get(self.server.wrapping_sub(1)),
        };
        let all = self.site.people.sites.iter();
        match mine {
            Some(name) if self.server > 0 => all.filter(|o| o.name == *name).collect(),
            _ if self.server > 0 => Vec::new(),
            _ => all.collect(),
        }
    }

    fn reckon(&self, memory: &Memory) -> BTreeMap<&'static str, f64> {
        let offices = self.offices();
        let product = |o: &&Office| o.bandwidth.value.get() * o.round_trip.value.get();
        let longest = offices.iter().copied().max_by(|a, b| product(a).total_cmp(&product(b)));
        // A standby has to serve what the commit server serves.
        let like = if self.deployment.is_standby(self.server) { 0 } else { self.server };
        let memory = memory.servers.get(like).copied();
        let of_memory = |part: fn(&ServerMemory) -> f64| memory.as_ref().map_or(0.0, part);
        let mut amounts = BTreeMap::from([
            ("memory", self.deployment.memory_of(self.server)),
            ("cores", self.deployment.cores),
            ("connections", of_memory(|m| m.connections)),
            ("processes", of_memory(|m| m.processes)),
            ("processes_most", of_memory(ServerMemory::processes_most)),
            ("edges", f64::from(self.deployment.edges)),
            ("peeking", self.site.server.peeking.value),
            ("log_level", self.site.server.log_level.value),
            ("file_size", self.site.data.file_size.value.get()),
            ("bandwidth_delay", longest.as_ref().map_or(0.0, product)),
            ("round_trip", longest.map_or(0.0, |o| o.round_trip.value.get())),
        ]);
        for place in &self.places {
            for role in &place.roles {
                if let Some(name) =
                    crate::catalog::setting::AMOUNTS.iter().find(|name| name.strip_prefix("volume_") == Some(role))
                {
                    amounts.insert(name, place.size.0);
                }
            }
        }
        amounts
    }

    /// What limits and alarms are set by: of the usual peak, and of where it gives way.
    fn limits(&self, chosen: &Chosen, guards: &GuardRails) -> [(&'static str, f64); 11] {
        let load = from_site::load(self.site);
        let of_people = load.groups.iter().filter(|group| {
            let of_administrators = [Clients::LongCommands, Clients::LiveCheckpoints];
            !of_administrators.contains(&group.clients)
        });
        let calls = of_people.flat_map(|group| &group.calls);
        let data = &self.site.data;
        let largest_submit = self.site.workload.largest_submit_files.value;
        let whole = data.workspace_files.value.max(largest_submit);
        let files = calls.map(|call| call.files).fold(whole, f64::max);
        let each = data.revisions.value / data.files.value.max(1.0);
        let journal = chosen.prediction.io.get(&(0, "journal"));
        let largest = chosen.memory.servers.first();
        [
            ("running_most", guards.running),
            ("blocked_most", guards.blocked),
            ("stalled", 100.0 * guards.stalled),
            ("stalled_at_limit", 100.0 * guards.stalled_at_limit),
            ("pause_at", 100.0 * guards.pause_at()),
            ("memory_used", 100.0 * guards.memory),
            ("longest_hold", guards.hold),
            ("files_most", files),
            ("rows_most", files * each.max(1.0)),
            ("largest_command", largest.map_or(0.0, |memory| memory.largest)),
            ("journal_a_minute", journal.map_or(0.0, |io| 60.0 * io.bytes)),
        ]
    }

    fn observe(&self, guards: &GuardRails) -> BTreeSet<String> {
        let d = self.deployment;
        let mut found = BTreeSet::new();
        let mut note = |holds: bool, word: &str| {
            if holds {
                found.insert(word.to_owned());
            }
        };
        note(true, &d.system);
        note(self.server == 0, "commit");
        let is_standby = d.is_standby(self.server);
        note(self.server > 0 && !is_standby, "edge");
        note(is_standby, "standby");
        // All servers read them from one bucket, which none mounts: no place below has it.
        let depot = d.mount("depot");
        let objects = depot.is_some_and(|mount| mount.is_object(self.catalog));
        note(objects, "depot:object");
        note(objects, "shared-depot");
        note(d.edges > 0, "edges");
        note(self.is_distant(), "distant");
        note(!self.offices().is_empty(), "offices");
        note(!d.proxies.is_empty(), "proxies");
        note(d.read_locks.peeks(), "lockless");
        note(guards.pausing_helps(), "pausing-helps");
        note(guards.leaves_memory(), "leaves-memory");
        for place in &self.places {
            let shares = place.shared && place.roles.contains(&"depot");
            note(shares, "shared-depot");
            note(true, &format!("protocol:{}", place.mount.protocol));
            note(true, &format!("array:{}", place.mount.device));
            for role in &place.roles {
                for store in self.stores(place) {
                    note(true, &format!("{role}:{store}"));
                }
            }
        }
        found
    }

    /// What a place lies on, in the words of conditions.
    fn stores(&self, place: &Place<'_>) -> Vec<&'static str> {
        let access = match place.access {
            Access::Local if place.mount.is_cloud() => "cloud",
            Access::Local => "local",
            Access::Block => "block",
            Access::File => "file",
            Access::Object => "object",
        };
        let medium = self.catalog.media.get(&place.mount.medium);
        std::iter::once(access).chain(medium.map(|m| m.kind)).collect()
    }

    /// Whether a condition holds; `this:` ones for the place that is being decided.
    pub(super) fn holds(&self, word: &str, this: Option<&Place<'_>>) -> bool {
        match (word.strip_prefix("this:"), this) {
            (Some(id), Some(place)) => {
                place.mount.protocol == id || place.roles.contains(&id) || self.stores(place).contains(&id)
            }
            (Some(_), None) => false,
            (None, _) => self.conditions.contains(word),
        }
    }

    /// The mount point of a role.
    pub(super) fn mount_point(&self, role: &str) -> Option<&str> {
        let place = self.places.iter().find(|p| p.roles.contains(&role));
        place.map(|p| p.mount_point.as_str())
    }

    /// An amount with its unit.
    pub(super) fn shown(&self, name: &str) -> Option<String> {
        let amount = *self.amounts.get(name)?;
        Some(match name {
            "memory" | "processes" | "file_size" | "bandwidth_delay" => Bytes::new(amount).to_string(),
            "largest_command" | "journal_a_minute" => Bytes::new(amount).estimated(),
            "stalled" | "stalled_at_limit" | "pause_at" | "memory_used" => Fraction::new(amount / 100.0).estimated(),
            "longest_hold" => Seconds::new(amount).estimated(),
            "files_most" => grouped(amount.round()),
            "rows_most" => about_count(amount),
            _ if name.starts_with("volume_") => self.site.size(Bytes::new(amount)),
            "round_trip" => Seconds::new(amount).to_string(),
            _ => format!("{amount:.0}"),
        })
    }
}

/// The volumes of a server. Those of a layout stand on every server; what an edge of a distant office lies on
/// is its own.
fn places<'a>(site: &Site, catalog: &Catalog, chosen: &'a Chosen, server: usize) -> Vec<Place<'a>> {
    let deployment = &chosen.deployment;
    let distant = deployment.is_distant(server) && !deployment.office_volumes.is_empty();
    let mut places = Vec::new();
    for volume in deployment.volumes_on(server) {
        let mount = volume.roles.first().and_then(|role| deployment.mount_on(role, server)).unwrap_or(volume);
        let access = mount.access(catalog);
        if access == Access::Object {
            continue;
        }
        let shared = deployment.is_shared_on(volume, server);
        let factor = provide(site, catalog, mount);
        let of = |role: &&'static str| {
            let size = chosen.sizes.iter().find(|s| s.role == *role);
            size.map_or((0.0, 0.0), |s| {
                let share = factor * if distant { s.at_office } else { 1.0 };
                (s.data.get() * share, s.data_at_horizon.get() * share)
            })
        };
        let size = volume.roles.iter().map(of).fold((0.0, 0.0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
        places.push(Place {
            mount_point: quote::plain(&deployment.mount_point_on(volume, server)),
            roles: volume.roles.clone(),
            mount,
            shared,
            size,
            access,
        });
    }
    // A mount point below another has to come after it; the order is otherwise the layout's. Drives have none below.
    if deployment.system != "windows" {
        places.sort_by_key(|place| place.mount_point.matches('/').count());
    }
    places
}
