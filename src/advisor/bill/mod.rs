//! Bill of materials: what a deployment is made of, in the units in which it is ordered, with the site's prices.
//!
//! Knows quantities and prices. Must not know how layouts are ranked; [`comparable`] says whether their totals can be
//! held against each other.

use std::collections::BTreeMap;

mod order;
mod over_time;
mod rented;
mod servers;

use crate::catalog::Named;
use crate::site::{Answer, Money, Per, Price};
use crate::units::Bytes;

pub use order::bill;
pub use over_time::Quantity;

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
    /// How many units, now and over the horizon.
    pub quantity: Quantity,
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
        Named { id: words(&self.item.id), name: words(&self.item.name) }
    }

    /// What it costs over so many years; nothing where it has no price.
    pub fn total(&self, years: f64) -> Option<f64> {
        let price = self.price.as_ref()?;
        Some(self.quantity.mean * price.value.amount * self.unit.times(years))
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

    /// What is paid for one month, in the first and at the horizon; nothing where nothing that has a price recurs.
    pub fn monthly(&self) -> Option<[f64; 2]> {
        const MONTH: f64 = 1.0 / 12.0;
        let recur = self.lines.iter().filter(|line| line.unit.recurs());
        let of = recur.filter_map(|line| {
            let unit = line.price.as_ref()?.value.amount * line.unit.times(MONTH);
            Some([line.quantity.first, line.quantity.at_horizon].map(|units| units * unit))
        });
        of.reduce(|sum, one| [sum[0] + one[0], sum[1] + one[1]])
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
            let (_, of_item) = quantities.entry(item.id.clone()).or_insert_with(|| (item, vec![0.0; bills.len()]));
            of_item[place] += line.quantity.mean;
        }
    }
    let differ = |of: &Vec<f64>| of.iter().any(|quantity| *quantity != of[0]);
    let missing: Vec<Named> = quantities.into_values().filter(|(_, of)| differ(of)).map(|(item, _)| item).collect();
    if missing.is_empty() { Ok(bills.iter().map(|bill| bill.total().unwrap_or(0.0)).collect()) } else { Err(missing) }
}
