//! Bill of materials: what a deployment is made of, in the units in which it is ordered, with the site's prices.
//!
//! Knows quantities and prices. Must not know how layouts are ranked; [`comparable`] says whether their totals can be
//! held against each other.

use std::collections::BTreeMap;

use super::sizing::Sizing;
use super::stores::Need;
use crate::catalog::{Array, Called, Catalog, Form, Named};
use crate::site::{Answer, Money, Per, Price, Site};
use crate::system::capacity::RoleSize;
use crate::system::{Deployment, Mount};
use crate::units::{Bytes, Seconds, grouped};

/// What a deployment is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Bill {
    /// What is ordered, servers first.
    pub lines: Vec<BillLine>,
    /// Currency of the site's prices; none where it has none.
    pub currency: Option<String>,
    /// For how long it is paid: the horizon, in years.
    pub years: f64,
    /// People who work with it; a count.
    pub people: f64,
}

/// One kind of thing.
#[derive(Debug, Clone, PartialEq)]
pub struct BillLine {
    /// The thing: its id is that of `[[price]]`.
    pub item: Named,
    /// What it is for.
    pub what: String,
    /// Of which size; none where that is no question.
    pub size: Option<Bytes>,
    /// How many units.
    pub quantity: f64,
    /// The unit.
    pub unit: Per,
    /// The price of a unit, where the site states it.
    pub price: Option<Answer<Money>>,
    /// Whether the deployment cannot be had without it, so that a total without its price says little.
    pub is_needed: bool,
}

impl BillLine {
    /// What has no price: `nvme of 7.68 TB`, `MB/s-month of cloud-gp3` by id.
    pub fn without_price(&self) -> Named {
        let words = |item: &str| match (self.size, self.unit.is_part()) {
            (Some(size), _) => format!("{item} of {}", size.si()),
            (None, true) => format!("{} of {item}", self.unit.word()),
            (None, false) => item.to_owned(),
        };
        Named {
            id: words(&self.item.id),
            name: words(&self.item.name),
        }
    }

    /// What it costs over so many years; nothing where it has no price.
    pub fn total(&self, years: f64) -> Option<f64> {
        let price = self.price.as_ref()?;
        Some(self.quantity * price.value.amount * self.unit.times(years))
    }
}

impl Bill {
    /// The sum over the horizon of what has a price; nothing where nothing has. It is a total where [`Bill::is_complete`].
    pub fn total(&self) -> Option<f64> {
        self.sum(|_| true)
    }

    /// The part of it that is paid once; nothing where nothing has a price.
    pub fn once(&self) -> Option<f64> {
        self.total()?;
        Some(self.sum(|line| !line.unit.recurs()).unwrap_or(0.0))
    }

    fn sum(&self, counts: impl Fn(&BillLine) -> bool) -> Option<f64> {
        let lines = self.lines.iter().filter(|line| counts(line));
        let priced = lines.filter_map(|line| line.total(self.years));
        priced.reduce(|sum, one| sum + one)
    }

    /// The sum by year of the horizon.
    pub fn per_year(&self) -> Option<f64> {
        (self.years > 0.0).then_some(self.total()? / self.years)
    }

    /// The sum by head.
    pub fn per_head(&self) -> Option<f64> {
        (self.people > 0.0).then_some(self.total()? / self.people)
    }

    /// What is needed and has no price.
    pub fn unpriced(&self) -> impl Iterator<Item = &BillLine> {
        let lines = self.lines.iter();
        lines.filter(|line| line.is_needed && line.price.is_none())
    }

    /// Those of the site's prices that nothing in it has.
    pub fn without_use<'a>(&self, prices: &'a [Price]) -> Vec<&'a Price> {
        let is_of = |price: &Price, line: &BillLine| {
            line.price.as_ref() == Some(&price.money)
                && (&line.item.id, line.unit) == (&price.item, price.per)
                && (price.size.is_none() || line.size.is_none() || price.size == line.size)
        };
        let unused = |price: &&Price| !self.lines.iter().any(|line| is_of(price, line));
        prices.iter().filter(unused).collect()
    }

    /// Whether all that is needed has a price.
    pub fn is_complete(&self) -> bool {
        self.unpriced().next().is_none()
    }

    /// An amount in its currency: `12,000 EUR`.
    pub fn money(&self, amount: f64) -> String {
        let currency = self.currency.clone().unwrap_or_default();
        Money { amount, currency }.to_string()
    }
}

/// What layouts are judged by where cost counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Costs {
    /// Relative units: the grades of protocols, edges and further systems. The site has no prices.
    #[default]
    Unpriced,
    /// The same, since some of the layouts contain things without a price: these.
    Relative(Vec<Named>),
    /// Money: everything in which the layouts differ has a price, in this currency.
    Money(String),
}

/// The totals of bills that can be held against each other; else the things without a price in which they differ.
///
/// What all bills have alike needs no price to compare them.
pub(super) fn comparable(bills: &[&Bill]) -> Result<Vec<f64>, Vec<Named>> {
    let mut quantities: BTreeMap<String, (Named, Vec<f64>)> = BTreeMap::new();
    for (place, bill) in bills.iter().enumerate() {
        for line in bill.unpriced() {
            let item = line.without_price();
            let (_, of_item) = quantities
                .entry(item.id.clone())
                .or_insert_with(|| (item, vec![0.0; bills.len()]));
            of_item[place] += line.quantity;
        }
    }
    let differ = |of: &Vec<f64>| of.iter().any(|quantity| *quantity != of[0]);
    let missing: Vec<Named> = quantities
        .into_values()
        .filter(|(_, of)| differ(of))
        .map(|(item, _)| item)
        .collect();
    if missing.is_empty() {
        Ok(bills
            .iter()
            .map(|bill| bill.total().unwrap_or(0.0))
            .collect())
    } else {
        Err(missing)
    }
}

/// The bill of a deployment whose stores have room for what the site keeps.
pub fn bill(site: &Site, catalog: &Catalog, deployment: &Deployment, sizes: &[RoleSize]) -> Bill {
    let mut writer = Writer {
        site,
        catalog,
        deployment,
        lines: Vec::new(),
    };
    let sizing = Sizing::of(site, catalog, sizes);
    let years = sizing.years();
    writer.servers();
    writer.own_volumes();
    writer.arrays(sizing);
    writer.proxies();
    writer.optional();
    Bill {
        lines: writer.lines,
        currency: site.prices.first().map(|p| p.money.value.currency.clone()),
        years,
        people: site.people.developers.value,
    }
}

struct Writer<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    deployment: &'a Deployment,
    lines: Vec<BillLine>,
}

const GIB: f64 = 1_073_741_824.0;
const TB: f64 = 1e12;
const TIB: f64 = 1024.0 * GIB;
/// Sizes of drives that differ by no more than that are the same, and those that are shown alike: they are stated with few digits.
const SAME_SIZE: f64 = 1e-3;

/// The id of a proxy's machine in `[[price]]`.
const PROXY: &str = "proxy";

/// A thing that is no entry of the catalogue.
fn named(id: &str, name: &str) -> Named {
    Named {
        id: id.to_owned(),
        name: name.to_owned(),
    }
}

/// A quantity in whole units, without what arithmetic adds to a whole one.
fn whole(quantity: f64) -> f64 {
    (quantity - 1e-6).ceil().max(0.0)
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
    fn add(&mut self, line: BillLine) {
        if line.quantity <= 0.0 {
            return;
        }
        let alike = |other: &&mut BillLine| {
            (&other.item, other.size, other.unit) == (&line.item, line.size, line.unit)
        };
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
    fn price(&self, item: &str, units: &[Per]) -> Option<&Price> {
        units.iter().find_map(|unit| {
            let mut prices = self.site.prices.iter();
            prices.find(|p| p.item == item && p.per == *unit)
        })
    }

    /// Edges beside the commit server, which are built as it is.
    fn near(&self) -> f64 {
        let d = self.deployment;
        f64::from(d.edges) - (d.offices.len() as f64).min(f64::from(d.edges))
    }

    fn servers(&mut self) {
        let d = self.deployment;
        let server = self.catalog.servers.get(&d.server);
        let usual = match server.map(|server| server.form) {
            Some(Form::Instance) => Per::Hour,
            _ => Per::Unit,
        };
        let price = self.price(
            &d.server,
            &[usual, Per::Unit, Per::Hour, Per::Month, Per::Year],
        );
        let what = match d.edges {
            0 => "commit server".to_owned(),
            _ => format!("commit server and {}", d.edges_in_words()),
        };
        let standbys = d.standby.iter().count();
        let what = match standbys {
            0 => what,
            _ => format!("{what}; a standby"),
        };
        self.add(BillLine {
            item: self.catalog.servers.named(&d.server),
            what,
            size: None,
            quantity: (d.servers() + standbys) as f64,
            unit: price.map_or(usual, |price| price.per),
            price: price.map(|price| price.money.clone()),
            is_needed: true,
        });
    }

    /// What each server has for itself: drives, or volumes of the provider.
    fn own_volumes(&mut self) {
        let d = self.deployment;
        for server in d.servers_and_standby() {
            for mount in d.private_sets(server) {
                if mount.is_cloud() {
                    self.rented(mount);
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
            quantity: proxies.iter().map(|proxy| proxy.machines).sum(),
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
        let same =
            |size: Bytes| near(size, disk_bytes) || sold.is_some_and(|sold| near(size, sold.get()));
        let mut of_size = self.site.prices.iter();
        let of_size =
            of_size.find(|p| p.item == id && p.per == Per::Drive && p.size.is_some_and(same));
        let size = of_size.and_then(|price| price.size).or(sold);
        let Some(size) = size else {
            return;
        };
        let mut any = self.site.prices.iter();
        let any = any.find(|p| p.item == id && p.per == Per::Drive && p.size.is_none());
        let price = of_size
            .or(any)
            .or_else(|| self.price(id, &[Per::TB, Per::TiB]));
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
            quantity,
            unit,
            price: price.map(|price| price.money.clone()),
            is_needed: true,
        };
        self.add(line);
    }

    /// Space on arrays, as much as their drives hold; of a stated system or a service that grows, as much as the site needs there at
    /// the horizon; or whole arrays, where these have a price.
    fn arrays(&mut self, sizing: Sizing<'_>) {
        let needs = sizing.needs(self.deployment);
        let years = sizing.years();
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
            // As much as its disks hold: what is ordered is what the layout has.
            let physical = |need: &&Need| {
                let needed = need.until(years);
                let holds = if array.is_fixed || array.elastic {
                    needed
                } else {
                    needed.max(sizing.usable(&need.mount, need))
                };
                holds / sizing.reduction(need)
            };
            let bytes: f64 = on_it.iter().map(physical).sum();
            let units = [
                Per::Unit,
                Per::TB,
                Per::TiB,
                Per::GbMonth,
                Per::Month,
                Per::Year,
            ];
            let price = self.price(device, &units);
            let unit = price.map_or(Per::TB, |price| price.per);
            let quantity = match unit {
                Per::TiB => whole(bytes / TIB),
                Per::GbMonth => whole(bytes / GIB),
                Per::Unit | Per::Month | Per::Year => {
                    whole(bytes / array.usable.value.get()).max(1.0)
                }
                _ => whole(bytes / TB),
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
                    quantity: whole(array.bandwidth.value.get() / 1e6),
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
        let parts = [
            (Per::Gets, syncs, "gets of archives"),
            (Per::Puts, submits, "puts of archives"),
        ];
        for (unit, rate, what) in parts {
            let price = self.price(device, &[unit]);
            let line = BillLine {
                item: self.catalog.arrays.named(device),
                what: what.to_owned(),
                size: None,
                quantity: whole(rate * month / THOUSAND),
                unit,
                price: price.map(|price| price.money.clone()),
                is_needed: false,
            };
            self.add(line);
        }
    }

    /// A volume that is rented with its server.
    fn rented(&mut self, mount: &Mount) {
        let medium = self.catalog.media.get(&mount.medium);
        let included = medium.and_then(|medium| medium.rented.as_ref());
        let [operations, bandwidth] = match (mount.bought, included) {
            (Some(bought), Some(free)) => [
                bought.operations - free.operations_included.value.get(),
                if free.sells_bandwidth {
                    bought.bandwidth - free.bandwidth_included.value.get()
                } else {
                    0.0
                },
            ],
            _ => [0.0, 0.0],
        };
        let space = (mount.disks, mount.disk_bytes);
        self.rented_space(&mount.medium, space, "volumes of the provider");
        let parts = [
            (
                Per::IopsMonth,
                operations,
                "operations beyond those included",
            ),
            (
                Per::ThroughputMonth,
                bandwidth / 1e6,
                "bandwidth beyond that included",
            ),
        ];
        for (unit, quantity, what) in parts {
            self.rented_part(&mount.medium, unit, quantity, what);
        }
    }

    fn rented_space(&mut self, medium: &str, (disks, disk_bytes): (f64, f64), what: &str) {
        self.rented_part(medium, Per::GbMonth, disks * disk_bytes / GIB, what);
    }

    fn rented_part(&mut self, medium: &str, unit: Per, quantity: f64, what: &str) {
        let price = self.price(medium, &[unit]);
        let line = BillLine {
            item: self.catalog.media.named(medium),
            what: what.to_owned(),
            size: None,
            quantity: whole(quantity),
            unit,
            price: price.map(|price| price.money.clone()),
            is_needed: true,
        };
        self.add(line);
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
        for network in d
            .volumes
            .iter()
            .filter_map(|mount| mount.network.as_deref())
        {
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
        let lines: f64 = offices
            .map(|office| office.bandwidth.value.get() * 8e-6)
            .sum();
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

    /// Memory that machines get beyond what the site states that they have.
    fn added_memory(&mut self) {
        let d = self.deployment;
        let server = self.catalog.servers.get(&d.server);
        if server.is_none_or(|server| server.form == Form::Instance) {
            return;
        }
        let (commit, edge) = (&self.site.server.ram, &self.site.edge.ram);
        let added = d.servers_and_standby().map(|number| {
            let is_like_commit = number == 0 || d.is_standby(number);
            let there = if is_like_commit { commit } else { edge };
            whole((d.memory_of(number) - there.value.get()) / GIB)
        });
        self.add(BillLine {
            item: named("ram", "memory"),
            what: "more memory in the servers".to_owned(),
            size: None,
            quantity: added.sum(),
            unit: Per::GiB,
            price: None,
            is_needed: true,
        });
    }

    fn priced(&mut self, item: Named, what: &str, unit: Per, quantity: f64) {
        let Some(price) = self.price(&item.id, &[unit]) else {
            return;
        };
        let line = BillLine {
            item,
            what: what.to_owned(),
            size: None,
            quantity,
            unit,
            price: Some(price.money.clone()),
            is_needed: false,
        };
        self.add(line);
    }
}
