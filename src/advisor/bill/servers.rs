//! Servers on the bill: machines are bought for good, an instance of a cloud gives way to a larger one when the load needs it.

use super::order::{GIB, Writer, named, whole};
use super::{BillLine, Quantity};
use crate::advisor::candidates::usual_model;
use crate::advisor::instance::Growing;
use crate::catalog::{Called, Form, Server};
use crate::origin::Origin;
use crate::site::{Answer, Money, Per};

/// The units in which a server is sold, beside the usual one.
const UNITS: [Per; 4] = [Per::Unit, Per::Hour, Per::Month, Per::Year];

impl Writer<'_> {
    pub(super) fn servers(&mut self) {
        let d = self.deployment;
        let what = match d.edges {
            0 => "commit server".to_owned(),
            _ => format!("commit server and {}", d.edges_in_words()),
        };
        let standbys = d.standby.iter().count();
        let what = match standbys {
            0 => what,
            _ => format!("{what}; a standby"),
        };
        let server = self.catalog.servers.get(&d.server);
        let instance = server.filter(|server| server.form == Form::Instance);
        // Beside instances, what has drives of its own is a machine that stands elsewhere.
        let is_machine = |server: &usize| instance.is_none() || d.is_machine(*server);
        let (machines, instances): (Vec<usize>, Vec<usize>) = d.servers_and_standby().partition(is_machine);
        if !machines.is_empty() {
            let id = match instance {
                Some(_) => usual_model(self.site, self.catalog),
                None => &d.server,
            };
            let (unit, price) = self.server_price(id, Per::Unit).unzip();
            let what = match instance {
                Some(_) => "servers with drives of their own".to_owned(),
                None => what.clone(),
            };
            let count = Quantity::constant(machines.len() as f64);
            self.server(id, what, count, unit.unwrap_or(Per::Unit), price);
        }
        let Some(instance) = instance else {
            return;
        };
        let count = instances.len() as f64;
        let (unit, price) = self.server_price(&d.server, Per::Hour).unzip();
        let unit = unit.unwrap_or(Per::Hour);
        let price_of = |other: &Server| self.instance_price(instance, other, unit);
        let growing = Growing::of(self.catalog, self.calibration, (d, self.load), self.peak, |one| {
            price.is_none() || price_of(one).is_some()
        });
        let steps = growing.steps(instance, self.load_after(self.years));
        let mut least = 0.0;
        for (most, step) in steps {
            let quantity = Quantity::over(self.years, |years| {
                let times = self.load_after(years);
                if times > least && times <= most { count } else { 0.0 }
            });
            let is_first = least == 0.0;
            let what = if is_first { what.clone() } else { format!("{what}: once the load needs it") };
            let price = if is_first { price.clone() } else { self.instance_price(instance, step, unit) };
            self.server(&step.entry.id, what, quantity, unit, price);
            least = most;
        }
    }

    fn server(&mut self, id: &str, what: String, quantity: Quantity, unit: Per, price: Option<Answer<Money>>) {
        self.add(BillLine {
            item: self.catalog.servers.named(id),
            what,
            size: None,
            quantity,
            unit,
            price,
            is_needed: true,
        });
    }

    /// The price of a server by the usual unit, or else by another.
    fn server_price(&self, id: &str, usual: Per) -> Option<(Per, Answer<Money>)> {
        let usual = self.price(id, &[usual]);
        let price = usual.or_else(|| self.price(id, &UNITS))?;
        Some((price.per, price.money.clone()))
    }

    /// The price of a further instance by a unit: its own, or that of a smaller one of its family in proportion to their cores.
    fn instance_price(&self, first: &Server, other: &Server, unit: Per) -> Option<Answer<Money>> {
        if let Some(price) = self.price(&other.entry.id, &[unit]) {
            return Some(price.money.clone());
        }
        let price = self.price(&first.entry.id, &[unit])?;
        if first.family.is_none() || first.family != other.family {
            return None;
        }
        let value = Money {
            amount: price.money.value.amount * other.cores.value / first.cores.value,
            currency: price.money.value.currency.clone(),
        };
        Some(Answer {
            low: value.clone(),
            high: value.clone(),
            value,
            origin: Origin::Assumed {
                why: format!(
                    "the price of {} in proportion to the cores: sizes of a family are sold so",
                    self.catalog.servers.called(&first.entry.id)
                ),
            },
        })
    }

    /// Memory that machines get beyond what the site states that they have.
    pub(super) fn added_memory(&mut self) {
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
            quantity: Quantity::constant(added.sum()),
            unit: Per::GiB,
            price: None,
            is_needed: true,
        });
    }
}
