//! Where everything lies, and the servers.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::prose::{capital, list};
use super::super::volumes::volume_rows;
use super::AnswerSource;
use crate::advisor::{Bill, Borrowed, EdgeWorth, EdgesEnd, Part, Unstated, borrowed};
use crate::catalog::{Called, Catalog};
use crate::system::disk_set::sets;
use crate::system::{Deployment, Mount, Proxy, SetId, role_in_words};
use crate::units::{Bytes, Fraction, about_count, grouped};

/// Where everything lies.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LayoutRows {
    /// The layout's name.
    pub title: String,
    /// Each place with what lies there.
    pub places: Vec<PlaceRow>,
    /// The servers in words.
    pub servers: String,
    /// The same without what their edges are there for, where lines are few.
    #[serde(skip)]
    pub servers_alone: String,
    /// "3 years": when the later sizes are reached.
    pub horizon: String,
}

/// One place with what lies there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlaceRow {
    /// "database, journal".
    pub roles: String,
    /// "4 local NVMe drives (7.7 TB) in RAID 10, XFS".
    pub place: String,
    /// Size to provide today.
    pub today: String,
    /// Size to provide at the horizon.
    pub later: String,
}

impl LayoutRows {
    /// "Database, journal on …; depots on …. Present-day server: …."
    pub(super) fn sentence(&self) -> String {
        let places = self.places.iter();
        let places: Vec<String> = places.map(|p| format!("{} on {}", p.roles, p.place)).collect();
        format!("{}. {}.", capital(&places.join("; ")), self.servers)
    }
}

impl AnswerSource<'_> {
    /// "No source gives figures of Azure: …. plimsoll bench on a trial volume gives its own."; empty where none is borrowed.
    pub(super) fn figures(&self) -> String {
        let chosen = self.advice.chosen.as_ref();
        let found = chosen.map_or_else(Vec::new, |chosen| borrowed(self.catalog, &chosen.deployment));
        if found.is_empty() {
            return String::new();
        }
        let words: Vec<String> = found.iter().map(Borrowed::in_words).collect();
        format!(
            "assumed from another provider, where no source has them: {}. `plimsoll bench` on a trial volume measures its own.",
            words.join("; ")
        )
    }

    pub(super) fn layout(&self) -> Option<LayoutRows> {
        let chosen = self.advice.chosen.as_ref()?;
        let d = &chosen.deployment;
        let rows = volume_rows(self.site, self.catalog, d, &chosen.prediction, &chosen.sizes);
        let places = self.places(&d.volumes).into_iter().map(|(place, roles)| {
            let mine = rows.iter().filter(|r| r.server_idx == 0 && roles.contains(&r.role));
            let today = mine.clone().map(|r| r.size.get()).sum();
            let later = mine.map(|r| r.size_at_horizon.get()).sum();
            let shown: Vec<&str> = roles.iter().copied().filter(|r| *r != "offline_db").map(role_in_words).collect();
            PlaceRow {
                roles: match shown.len() {
                    5.. => "everything".to_owned(),
                    _ => shown.join(", "),
                },
                place,
                today: self.size(today),
                later: self.size(later),
            }
        });
        Some(LayoutRows {
            title: d.title.clone(),
            places: places.collect(),
            servers_alone: {
                let arrays = self.arrays_in_all(d, &chosen.bill);
                format!("{}{arrays}", self.servers(d))
            },
            servers: {
                let end = chosen.edges_end.as_ref().and_then(EdgesEnd::why);
                let end = end.map_or(String::new(), |why| format!("; {why}"));
                let arrays = self.arrays_in_all(d, &chosen.bill);
                let worth = edges_in_words(&chosen.edges_worth);
                format!("{}{arrays}{worth}{end}", self.servers(d))
            },
            horizon: self.site.horizon.time.value.to_string(),
        })
    }

    fn servers(&self, d: &Deployment) -> String {
        let mut said = format!(
            "{}: {}, {} of memory",
            self.catalog.servers.called(&d.server),
            match d.cores {
                1.0 => "1 core".to_owned(),
                cores => format!("{cores} cores"),
            },
            Bytes::new(d.memory)
        );
        let there = &self.site.server.ram;
        if there.is_stated() && d.memory > there.value.get() {
            said = format!("{said} (today {})", there.value);
        }
        if let Some(there) = self.site.today.model.as_ref()
            && there.value != d.server
        {
            let there = self.catalog.servers.called(&there.value);
            said = format!("{said}, in place of {there}");
        }
        let beside = d.edges as usize - d.offices.len();
        let like = match d.edge_volumes.as_slice() {
            [] => "like it".to_owned(),
            own => format!("with db, journal and log on {}", self.own(own)),
        };
        match beside {
            0 => {}
            1 => said = format!("{said}; one edge server {like}"),
            n => said = format!("{said}; {n} edge servers {like}"),
        }
        if !d.offices.is_empty() {
            let own = if d.office_volumes.iter().any(Mount::is_cloud) {
                "its own volumes".to_owned()
            } else {
                self.own(&d.office_volumes)
            };
            said = format!("{said}; an edge server in {} with {own}", some_of(&d.offices));
        }
        if let Some(standby) = &d.standby {
            said =
                format!("{said}; a standby in {} with everything on {}", standby.place(), self.own(&standby.volumes));
        }
        if let Some(proxies) = proxies_in_words(self.catalog, &d.proxies) {
            said = format!("{said}; {proxies}");
        }
        if let Some(cache) = &d.cache {
            said = format!("{said}; {}", self.catalog.caches.called(cache));
        }
        said
    }

    /// "4 NVMe drives in RAID 10 and 2 in RAID 1 of its own", "4 NVMe drives in RAID 10 and FlashBlade of its own": what a server's own
    /// volumes lie on.
    fn own(&self, volumes: &[Mount]) -> String {
        let (arrays, drives): (Vec<&Mount>, Vec<&Mount>) =
            sets(volumes.iter()).into_iter().partition(|mount| !mount.is_private());
        let mut sets: Vec<(&Mount, f64)> = Vec::new();
        for mount in drives {
            let like = |set: &Mount| set.medium == mount.medium && set.raid == mount.raid;
            match sets.iter_mut().find(|(set, _)| like(set)) {
                Some((_, disks)) => *disks += mount.disks,
                None => sets.push((mount, mount.disks)),
            }
        }
        let drives = sets.into_iter().enumerate().map(|(at, (mount, disks))| {
            let medium = match at {
                0 => format!(" {}", self.catalog.media.called(&mount.medium)),
                _ => String::new(),
            };
            let s = if disks == 1.0 || at > 0 { "" } else { "s" };
            let raid = self.catalog.raid.called(&mount.raid);
            format!("{disks}{medium}{s} in {raid}")
        });
        let arrays = arrays.iter().map(|mount| self.catalog.arrays.called(&mount.device).to_owned());
        let all: Vec<String> = drives.chain(arrays).collect();
        format!("{} of its own", list(&all))
    }

    /// "; Pure Storage FlashBlade in all: 29,256 TB for 5 years in 13 places": what is bought of an array that several servers have for themselves.
    fn arrays_in_all(&self, d: &Deployment, bill: &Bill) -> String {
        let mut said = String::new();
        let years = self.site.horizon.time.value;
        for line in &bill.lines {
            let is_on = |volumes: &[Mount]| {
                let mut own = volumes.iter().filter(|mount| !mount.is_private());
                own.any(|mount| mount.device == line.item.id)
            };
            let count = |volumes: &[Mount], servers: usize| servers * usize::from(is_on(volumes));
            let standby = d.standby.as_ref();
            let own = count(&d.office_volumes, d.offices.len())
                + count(&d.edge_volumes, d.edges as usize - d.offices.len())
                + standby.map_or(0, |standby| count(&standby.volumes, 1));
            if own > 0 && line.unit.is_of_space() {
                let places = own + count(&d.volumes, 1);
                let amount = grouped(line.quantity.at_horizon);
                let unit = line.unit.counted();
                let name = &line.item.name;
                said = format!("{said}; {name} in all: {amount} {unit} for {years} in {places} places");
            }
        }
        said
    }

    /// Places and what lies there, in the order of the volumes.
    fn places<'d>(&self, volumes: &'d [Mount]) -> Vec<(String, Vec<&'d str>)> {
        let mut places: Vec<(Option<SetId>, String, Vec<&str>)> = Vec::new();
        for mount in volumes {
            let place = self.place(mount);
            // Two sets of a server's own disks are two places, however alike.
            let set = mount.is_private().then_some(mount.set.id);
            match places.iter_mut().find(|(s, p, _)| *s == set && *p == place) {
                Some((.., held)) => held.extend(&mount.roles),
                None => places.push((set, place, mount.roles.clone())),
            }
        }
        let places = places.into_iter();
        places.map(|(_, place, roles)| (place, roles)).collect()
    }

    fn place(&self, mount: &Mount) -> String {
        place_in_words(self.catalog, mount, &Unstated::default(), true)
    }
}

/// "a proxy beside the build farm and in Lyon, each with 2 TB of cache on 1 NVMe drive (3.8 TB), 80 % of content from it".
fn proxies_in_words(catalog: &Catalog, proxies: &[Proxy]) -> Option<String> {
    let first = proxies.first()?;
    let places = proxies.iter().map(|proxy| match proxy.machines {
        1.0 => proxy.place.in_words(),
        n => format!("{} ({n} machines)", proxy.place.in_words()),
    });
    let most = proxies.iter().map(|proxy| proxy.disks).fold(0.0, f64::max);
    let up_to = if proxies.iter().all(|proxy| proxy.disks == most) { "" } else { "up to " };
    let (a, s) = (if proxies.len() > 1 { ", each" } else { "" }, if most == 1.0 { "" } else { "s" });
    Some(format!(
        "a proxy {}{a} with {} of cache on {up_to}{most} {}{s} ({}), {} of content from it",
        some_of(&places.collect::<Vec<_>>()),
        Bytes::new(first.cache).estimated(),
        catalog.media.called(&first.medium),
        Bytes::new(first.disk_bytes).si(),
        Fraction::new(first.hits).estimated()
    ))
}

/// "4 local NVMe drives (7.7 TB) in RAID 10, XFS"; what nobody stated of its drives is named. The drives of an array are told where
/// they `are_counted`: as many are bought, or were stated.
pub(in crate::report) fn place_in_words(
    catalog: &Catalog,
    mount: &Mount,
    unstated: &Unstated,
    are_counted: bool,
) -> String {
    let fs = mount.filesystem.as_deref();
    let fs = fs.map_or(String::new(), |fs| format!(", {}", catalog.filesystems.called(fs)));
    let medium = catalog.media.called(&mount.medium);
    let raid = catalog.raid.called(&mount.raid);
    if mount.is_local() {
        let drives = format!("{} local {medium}s", mount.disks);
        let lacks = |part: Part| mount.roles.iter().any(|role| unstated.has(role, part));
        let size = Bytes::new(mount.disk_bytes).si();
        return match (lacks(Part::DriveSize), lacks(Part::Raid)) {
            (false, false) => format!("{drives} ({size}) in {raid}{fs}"),
            (true, false) => format!("{drives} (size not stated) in {raid}{fs}"),
            (false, true) => {
                format!("{drives} ({size}; RAID level not stated, {raid} assumed){fs}")
            }
            (true, true) => {
                format!("{drives} (size and RAID level not stated, {raid} assumed){fs}")
            }
        };
    }
    if mount.is_cloud() {
        let bought = mount.bought.map_or(String::new(), |bought| {
            let operations = grouped(bought.operations);
            let bandwidth = grouped((bought.bandwidth / 1e6).round());
            format!(", {operations} IOPS, {bandwidth} MB/s")
        });
        return format!("{medium}{bought}{fs}");
    }
    let array = catalog.arrays.get(&mount.device);
    let raid = match array {
        Some(array) if array.is_fixed && mount.disks > array.disks.value => {
            format!(" ({} of them)", (mount.disks / array.disks.value).ceil())
        }
        Some(array) if are_counted && !array.is_fixed && !array.elastic => {
            format!(" ({} {medium}s in {raid})", mount.disks)
        }
        Some(array) if array.raid != mount.raid => format!(" ({raid})"),
        _ => String::new(),
    };
    format!("{}{raid} over {}{fs}", catalog.arrays.called(&mount.device), mount.reached(catalog))
}

/// Offices by name; of many with long names the first, and how many more there are.
fn some_of(offices: &[String]) -> String {
    /// Characters of all names together, about a line of the screen.
    const ROOM: usize = 80;
    let mut room = ROOM;
    let fits = |office: &&String| {
        let length = office.chars().count() + 2;
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    };
    let named = offices.iter().take_while(fits).count().max(1);
    let more = offices.len().saturating_sub(named);
    if more == 0 {
        return list(offices);
    }
    let mut all = offices[..named].to_vec();
    all.push(format!("{more} more"));
    list(&all)
}

/// "; the edge in Lyon saves 1,200 hours of waiting a year": what each is there for; of many what each saves, and what takes longer.
fn edges_in_words(worth: &[EdgeWorth]) -> String {
    /// Edges that are named one by one.
    const NAMED: usize = 2;
    if worth.len() <= NAMED {
        let each = worth.iter().map(|one| format!("; {}", one.in_words()));
        return each.collect();
    }
    let saved = worth.iter().filter(|one| !one.relieves_line);
    let saved = saved.map(|one| one.hours.max(0.0));
    let most = saved.clone().fold(0.0, f64::max);
    let [least, most] = [saved.fold(most, f64::min), most].map(about_count);
    let longer = worth.iter().filter_map(|one| one.longer.as_ref());
    let longer = longer.map(|(_, times)| *times).reduce(f64::max);
    let longer = longer.map_or(String::new(), |times| {
        let more = Fraction::new(times - 1.0).estimated();
        format!(" and slows work by up to {more}")
    });
    format!("; each saves {least} to {most} hours of waiting a year{longer}")
}
