//! Volumes of a provider on the bill: each month has the size, operations and bandwidth that its data and its load need.

use super::order::{GIB, Writer, whole};
use super::{BillLine, Quantity};
use crate::advisor::rented::grown;
use crate::catalog::Called;
use crate::site::Per;
use crate::system::Mount;

impl Writer<'_> {
    /// A volume that is rented with its server.
    pub(super) fn rented(&mut self, server: usize, mount: &Mount) {
        let bought = |years: f64| {
            let times = self.load_after(years);
            grown(self.catalog, self.deployment, (server, mount), self.peak, times)
        };
        let over = |units: &dyn Fn(f64) -> f64| Quantity::over(self.years, |years| whole(units(years)));
        let space = over(&|years| {
            let least = bought(years).map_or(0.0, |bought| bought.size_least);
            self.space_after(years, server, mount).max(least) / GIB
        });
        let medium = self.catalog.media.get(&mount.medium);
        let rule = medium.and_then(|medium| medium.rented.as_ref());
        let operations = rule.filter(|rule| rule.sells_operations).map(|rule| {
            let included = rule.operations_included.value.get();
            over(&|years| bought(years).map_or(0.0, |bought| bought.operations - included))
        });
        let bandwidth = rule.filter(|rule| rule.sells_bandwidth).map(|rule| {
            let included = rule.bandwidth_included.value.get();
            over(&|years| bought(years).map_or(0.0, |bought| (bought.bandwidth - included) / 1e6))
        });
        let parts = [
            (Per::GbMonth, Some(space), "volumes of the provider"),
            (Per::IopsMonth, operations, "operations beyond those included"),
            (Per::ThroughputMonth, bandwidth, "bandwidth beyond that included"),
        ];
        for (unit, quantity, what) in parts {
            if let Some(quantity) = quantity {
                self.rented_part(&mount.medium, unit, quantity, what);
            }
        }
    }

    /// Bytes of a volume in so many years \[B\].
    fn space_after(&self, years: f64, server: usize, mount: &Mount) -> f64 {
        let of = |server: usize| {
            let mut needs = self.needs.iter();
            needs.find(|need| need.server == server && need.mount.shares_disks(mount))
        };
        let need = of(self.deployment.counted_as(server)).or_else(|| of(0));
        need.map_or(mount.disks * mount.disk_bytes, |need| self.sizing.ordered(mount, need, years))
    }

    pub(super) fn rented_space(&mut self, medium: &str, (disks, disk_bytes): (f64, f64), what: &str) {
        let space = Quantity::constant(whole(disks * disk_bytes / GIB));
        self.rented_part(medium, Per::GbMonth, space, what);
    }

    fn rented_part(&mut self, medium: &str, unit: Per, quantity: Quantity, what: &str) {
        let price = self.price(medium, &[unit]);
        let line = BillLine {
            item: self.catalog.media.named(medium),
            what: what.to_owned(),
            size: None,
            quantity,
            unit,
            price: price.map(|price| price.money.clone()),
            is_needed: true,
        };
        self.add(line);
    }
}
