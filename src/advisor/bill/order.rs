//! What is ordered for a deployment, and the quantities: drives, arrays, proxies, and what may be in other prices.

use super::{Bill, BillLine, Quantity};
use crate::advisor::sizing::Sizing;
use crate::advisor::stores::Need;
use crate::calibration::Calibration;
use crate::catalog::{Array, Called, Catalog, Named};
use crate::site::{Per, Price, Site};
use crate::system::capacity::RoleSize;
use crate::system::{Deployment, Prediction};
use crate::units::{Bytes, Seconds, grouped};
use crate::workload::Load;

/// The bill of a deployment whose stores have room for what the site keeps, and which does this at today's peak.
pub fn bill(
    (site, catalog, calibration): (&Site, &Catalog, &Calibration),
    deployment: &Deployment,
    (load, sizes): (&Load, &[RoleSize]),
    peak: &Prediction,
) -> Bill {
    let sizing = Sizing::of(site, catalog, sizes);
    let needs = sizing.needs(deployment);
    let years = sizing.years();
    let mut writer =
        Writer { site, catalog, calibration, deployment, load, peak, sizing, needs: &needs, years, lines: Vec::new() };
    writer.servers();
    writer.own_volumes();
    writer.arrays();
    writer.proxies();
    writer.optional();
    Bill {
        lines: writer.lines,
        currency: site.prices.first().map(|p| p.money.value.currency.clone()),
        years,
        people: site.people.developers.value,
    }
}

/// Writes the lines of a bill.
pub(super) struct Writer<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    pub(super) deployment: &'a Deployment,
    pub(super) load: &'a Load,
    /// What it does at today's peak.
    pub(super) peak: &'a Prediction,
    pub(super) sizing: Sizing<'a>,
    /// What its stores have to provide.
    pub(super) needs: &'a [Need],
    /// The horizon, in years.
    pub(super) years: f64,
    lines: Vec<BillLine>,
}

pub(super) const GIB: f64 = 1_073_741_824.0;
const TB: f64 = 1e12;
const TIB: f64 = 1024.0 * GIB;
/// Sizes of drives that differ by no more than that are the same, and those that are shown alike: they are stated with few digits.
const SAME_SIZE: f64 = 1e-3;

/// The id of a proxy's machine in `[[price]]`.
const PROXY: &str = "proxy";

/// A thing that is no entry of the catalogue.
pub(super) fn named(id: &str, name: &str) -> Named {
    Named { id: id.to_owned(), name: name.to_owned() }
}

/// A quantity in whole units, without what arithmetic adds to a whole one.
pub(super) fn whole(quantity: f64) -> f64 {
    (quantity - 1e-6).max(0.0).ceil()
}

/// What is ordered of an array: its space, on so many drives; whole systems where these have a price.
fn space(array: &Array, drives: f64, unit: Per) -> String {
    let space = if array.is_fixed || array.elastic {
        "usable space on it".to_owned()
    } else {
        format!("usable space on it, {} drives", grouped(drives))
    };
    match unit {
        Per::Unit | Per::Month | Per::Year => {
            let each = array.usable.value.si();
            format!("{space}; billed as whole systems of {each} usable each")
        }
        _ => space,
    }
}

impl Writer<'_> {
    pub(super) fn add(&mut self, line: BillLine) {
        if line.quantity.is_none() {
            return;
        }
        let alike = |other: &&mut BillLine| (&other.item, other.size, other.unit) == (&line.item, line.size, line.unit);
        match self.lines.iter_mut().find(alike) {
            Some(other) => {
                other.quantity += line.quantity;
                if !other.what.contains(&line.what) {
                    other.what = format!("{}; {}", other.what, line.what);
                }
            }
            None => self.lines.push(line),
        }
    }

    /// The first price of an item among these units, in their order.
    pub(super) fn price(&self, item: &str, units: &[Per]) -> Option<&Price> {
        units.iter().find_map(|unit| {
            let mut prices = self.site.prices.iter();
            prices.find(|p| p.item == item && p.per == *unit)
        })
    }

    /// How many times today's load and operations there are in so many years; what is rented is not given back where they shrink.
    pub(super) fn load_after(&self, years: f64) -> f64 {
        let growth = self.site.data.db_growth.value;
        growth.over(Seconds::years(years)).max(1.0)
    }

    /// Edges beside the commit server, which are built as it is.
    fn near(&self) -> f64 {
        let d = self.deployment;
        f64::from(d.edges) - (d.offices.len() as f64).min(f64::from(d.edges))
    }

    /// What each server has for itself: drives, or volumes of the provider.
    fn own_volumes(&mut self) {
        let d = self.deployment;
        for server in d.servers_and_standby() {
            for mount in d.private_sets(server) {
                if mount.is_cloud() {
                    self.rented(server, mount);
                } else {
                    let drives = (mount.disks, mount.disk_bytes);
                    self.drives(&mount.medium, drives, "drives in the servers");
                }
            }
        }
    }

    /// Machines of proxies, and what their caches lie on.
    fn proxies(&mut self) {
        let proxies = &self.deployment.proxies;
        let price = self.price(PROXY, &[Per::Unit, Per::Month, Per::Year]);
        self.add(BillLine {
            item: named(PROXY, "machine for a proxy"),
            what: format!("proxies {}", self.deployment.proxies_in_words()),
            size: None,
            quantity: Quantity::constant(proxies.iter().map(|proxy| proxy.machines).sum()),
            unit: price.map_or(Per::Unit, |price| price.per),
            price: price.map(|price| price.money.clone()),
            is_needed: true,
        });
        for proxy in proxies {
            let medium = self.catalog.media.get(&proxy.medium);
            let drives = (proxy.disks * proxy.machines, proxy.disk_bytes);
            if medium.is_some_and(|medium| medium.rented.is_some()) {
                self.rented_space(&proxy.medium, drives, "caches of proxies");
            } else {
                self.drives(&proxy.medium, drives, "drives of proxies");
            }
        }
    }

    /// The drives of a set, as large as the layout has them.
    fn drives(&mut self, id: &str, (disks, disk_bytes): (f64, f64), what: &str) {
        let medium = self.catalog.media.get(id);
        // The size in which they are sold that holds as much, or exactly theirs.
        let sold = medium.map(|medium| medium.sold_for(disk_bytes));
        let near = |size: Bytes, bytes: f64| {
            (size.get() / bytes - 1.0).abs() < SAME_SIZE || size.si() == Bytes::new(bytes).si()
        };
        let same = |size: Bytes| near(size, disk_bytes) || sold.is_some_and(|sold| near(size, sold.get()));
        let mut of_size = self.site.prices.iter();
        let of_size = of_size.find(|p| p.item == id && p.per == Per::Drive && p.size.is_some_and(same));
        let size = of_size.and_then(|price| price.size).or(sold);
        let Some(size) = size else {
            return;
        };
        let mut any = self.site.prices.iter();
        let any = any.find(|p| p.item == id && p.per == Per::Drive && p.size.is_none());
        let price = of_size.or(any).or_else(|| self.price(id, &[Per::TB, Per::TiB]));
        let unit = price.map_or(Per::Drive, |price| price.per);
        let (size, quantity) = match unit {
            Per::TB => (None, whole(disks * size.get() / TB)),
            Per::TiB => (None, whole(disks * size.get() / TIB)),
            _ => (Some(size), disks),
        };
        let line = BillLine {
            item: self.catalog.media.named(id),
            what: what.to_owned(),
            size,
            quantity: Quantity::constant(quantity),
            unit,
            price: price.map(|price| price.money.clone()),
            is_needed: true,
        };
        self.add(line);
    }

    /// Space on arrays, as much as their drives hold; of a stated system or a service that grows, as much as the site needs there at
    /// the horizon; or whole arrays, where these have a price.
    fn arrays(&mut self) {
        let (needs, sizing, years) = (self.needs, self.sizing, self.years);
        let mut devices = self.deployment.devices();
        let beside = needs.iter().filter(|need| !need.mount.is_private());
        for device in beside.map(|need| need.mount.device.as_str()) {
            if !devices.contains(&device) {
                devices.push(device);
            }
        }
        for device in devices {
            let Some(array) = self.catalog.arrays.get(device) else {
                continue;
            };
            let on_it = needs.iter().filter(|n| n.mount.device == device);
            let on_it: Vec<&Need> = on_it.filter(|n| !n.mount.is_private()).collect();
            if on_it.is_empty() {
                continue;
            }
            let units = [Per::Unit, Per::TB, Per::TiB, Per::GbMonth, Per::Month, Per::Year];
            let price = self.price(device, &units);
            let unit = price.map_or(Per::TB, |price| price.per);
            let bytes = |years: f64| -> f64 {
                let ordered = on_it.iter();
                ordered.map(|need| sizing.ordered(&need.mount, need, years)).sum()
            };
            let counted = |years: f64| match unit {
                Per::TiB => whole(bytes(years) / TIB),
                Per::GbMonth => whole(bytes(years) / GIB),
                Per::Unit | Per::Month | Per::Year => whole(bytes(years) / array.usable.value.get()).max(1.0),
                _ => whole(bytes(years) / TB),
            };
            let quantity = if array.elastic && unit.recurs() {
                Quantity::over(years, counted)
            } else {
                Quantity::constant(counted(years))
            };
            let drives: f64 = on_it.iter().map(|need| need.mount.disks).sum();
            let what = space(array, drives, unit);
            let line = BillLine {
                item: self.catalog.arrays.named(device),
                what,
                size: None,
                quantity,
                unit,
                price: price.map(|price| price.money.clone()),
                is_needed: true,
            };
            self.add(line);
            if on_it.iter().any(|need| need.mount.is_object(self.catalog)) {
                self.object_requests(device);
            }
            if let Some(price) = self.price(device, &[Per::ThroughputMonth]) {
                let line = BillLine {
                    item: self.catalog.arrays.named(device),
                    what: "its throughput".to_owned(),
                    size: None,
                    quantity: Quantity::constant(whole(array.bandwidth.value.get() / 1e6)),
                    unit: Per::ThroughputMonth,
                    price: Some(price.money.clone()),
                    is_needed: true,
                };
                self.add(line);
            }
        }
    }

    /// Gets and puts of an object store in a month, one for each file of a sync and of a submit; large syncs are not counted,
    /// nor what the server's memory answers.
    fn object_requests(&mut self, device: &str) {
        const THOUSAND: f64 = 1000.0;
        let month = Seconds::years(1.0 / 12.0).get();
        let work = &self.site.workload;
        let syncs = work.syncs_per_day.value.get() * work.files_per_sync.value;
        let submits = work.submits_per_day.value.get() * work.files_per_submit.value;
        let parts = [(Per::Gets, syncs, "gets of archives"), (Per::Puts, submits, "puts of archives")];
        for (unit, rate, what) in parts {
            let price = self.price(device, &[unit]);
            let line = BillLine {
                item: self.catalog.arrays.named(device),
                what: what.to_owned(),
                size: None,
                quantity: Quantity::over(self.years, |years| whole(rate * month / THOUSAND * self.load_after(years))),
                unit,
                price: price.map(|price| price.money.clone()),
                is_needed: false,
            };
            self.add(line);
        }
    }

    /// What may be in the price of a server or of a contract that is there: counted where it has a price of its own.
    fn optional(&mut self) {
        let d = self.deployment;
        let servers = d.servers_and_standby();
        let memory = servers.map(|n| whole(d.memory_of(n) / GIB)).sum();
        match self.price("ram", &[Per::GiB]) {
            Some(_) => {
                let ram = named("ram", "memory");
                self.priced(ram, "memory of the servers", Per::GiB, memory);
            }
            None => self.added_memory(),
        }
        let servers = d.servers() as f64;
        let links = d.client_links * servers;
        let network = self.catalog.networks.named(&d.client_network);
        self.priced(network, "ports to the clients", Per::Port, links);
        let mut networks: Vec<&str> = Vec::new();
        for network in d.volumes.iter().filter_map(|mount| mount.network.as_deref()) {
            if !networks.contains(&network) {
                networks.push(network);
            }
        }
        for network in networks {
            let ports = 1.0 + self.near();
            let network = self.catalog.networks.named(network);
            self.priced(network, "ports to the storage", Per::Port, ports);
        }
        let offices = self.site.people.sites.iter();
        let lines: f64 = offices.map(|office| office.bandwidth.value.get() * 8e-6).sum();
        let line = named("line", "lines to offices");
        self.priced(line, "lines to the offices", Per::LineMonth, whole(lines));
        let edges = f64::from(d.edges);
        for unit in [Per::Unit, Per::Month, Per::Year] {
            let licence = named("edge-licence", "licence of an edge");
            self.priced(licence, "licences of edges", unit, edges);
        }
        if let Some(cache) = &d.cache {
            let cache = self.catalog.caches.named(cache);
            self.priced(cache, "cache of the stores", Per::Unit, 1.0);
        }
    }

    fn priced(&mut self, item: Named, what: &str, unit: Per, quantity: f64) {
        let Some(price) = self.price(&item.id, &[unit]) else {
            return;
        };
        let line = BillLine {
            item,
            what: what.to_owned(),
            size: None,
            quantity: Quantity::constant(quantity),
            unit,
            price: Some(price.money.clone()),
            is_needed: false,
        };
        self.add(line);
    }
}
