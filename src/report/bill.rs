//! The bill of materials in words, as rows and for programs.

use super::json::object;
use super::prose::{Sentences, grouped, list};
use crate::advisor::{Advice, Bill, BillLine, Costs};
use crate::catalog::Named;
use crate::site::{Per, Price};
use crate::units::{Bytes, Seconds, two_digits};

/// Things named where the whole bill is one sentence.
const NAMED: usize = 6;

/// A bill as heads and rows: quantities at the horizon where any differs from that of the first month, prices where there are any.
pub(super) fn table(bill: &Bill) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let grows = bill.lines.iter().any(|line| !line.quantity.is_constant());
    let is_priced = bill.currency.is_some();
    let mut heads = vec!["item", "in a price list"];
    heads.extend(if grows { &[">first month", ">at the horizon"][..] } else { &[">quantity"][..] });
    heads.push("unit");
    heads.extend(is_priced.then_some([">price", ">total"]).into_iter().flatten());
    let row = |line: &BillLine| {
        let id = line.item.id.clone();
        let mut cells = vec![item(line), id, grouped(line.quantity.first)];
        cells.extend(grows.then(|| grouped(line.quantity.at_horizon)));
        cells.push(line.unit.word().to_owned());
        if is_priced {
            let price = line.price.as_ref().map(|price| price.value.to_string());
            cells.push(price.unwrap_or("no price".to_owned()));
            let total = line.total(bill.years);
            cells.push(total.map_or(String::new(), |total| bill.money(total)));
        }
        cells
    };
    (heads, bill.lines.iter().map(row).collect())
}

/// "NVMe drive of 7.68 TB".
fn item(line: &BillLine) -> String {
    match line.size {
        Some(size) => format!("{} of {}", line.item, size.si()),
        None => line.item.to_string(),
    }
}

/// "3 years".
fn over(bill: &Bill) -> String {
    match bill.years {
        1.0 => "1 year".to_owned(),
        years => format!("{} years", two_digits(years)),
    }
}

/// What it costs and what cost is judged by, in a few sentences; nothing where nothing is recommended.
pub(super) fn cost(prices: &[Price], advice: &Advice, title: impl Fn(&str) -> String) -> Sentences {
    let Some(chosen) = &advice.chosen else {
        return Sentences::default();
    };
    let bill = &chosen.bill;
    let sums = sums(bill).unwrap_or_else(|| format!("{}.", things(bill)));
    let monthly = if is_mostly_priced(bill) { monthly(bill) } else { String::new() };
    let basis = match &advice.costs {
        Costs::Unpriced => "No prices are stated ([[price]]), so cost is judged in relative units.".to_owned(),
        Costs::Relative(missing) => format!(
            "Cost is judged in relative units, since layouts differ in things without a price: {}.",
            missing.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
        ),
        Costs::Money(_) => {
            let rival = advice.contest.worlds.second().and_then(|second| {
                let mut all = advice.alternatives.iter();
                all.find(|a| a.layout == second.layout)
            });
            rival.map_or(String::new(), |rival| {
                let of = |price: Option<f64>| price.map_or(String::new(), |price| bill.money(price));
                let (title, price) = (title(&rival.layout), of(rival.price));
                match chosen.deployment.standby {
                    Some(_) => format!(
                        "Without a standby it costs {}; the second best, \"{title}\": {price}.",
                        of(chosen.price)
                    ),
                    None => format!("The second best, \"{title}\": {price}."),
                }
            })
        }
    };
    let unused = unused(bill, prices);
    [sums, monthly, basis, unused].into_iter().collect()
}

/// "2 of 5 prices are for nothing in this bill: flasharray, nvme of 3.84 TB.", by the ids of the list; empty where all are used.
fn unused(bill: &Bill, prices: &[Price]) -> String {
    const NAMED: usize = 3;
    let unused = bill.without_use(prices);
    let shown = |price: &&Price| match price.size {
        Some(size) => format!("{} of {}", price.item, size.si()),
        None if price.per.is_part() => format!("{} of {}", price.per.word(), price.item),
        None => price.item.clone(),
    };
    let mut named: Vec<String> = unused.iter().take(NAMED).map(shown).collect();
    match unused.len() {
        0 => return String::new(),
        all if all > NAMED => named.push(format!("{} more", all - NAMED)),
        _ => {}
    }
    let are = match unused.len() {
        1 => "is",
        _ => "are",
    };
    format!(
        "{} of {} {are} for nothing in this bill: {}.",
        unused.len(),
        match prices.len() {
            1 => "1 price".to_owned(),
            all => format!("{all} prices"),
        },
        list(&named)
    )
}

/// What a bill without gaps comes to, over the horizon and by the month; none of one that leaves something out.
pub(super) fn price(bill: &Bill) -> Option<[String; 2]> {
    let total = bill.total().filter(|_| bill.is_complete())?;
    Some([format!("{} over {}", rounded(bill, total, 100_000.0), over(bill)), monthly(bill)])
}

/// "The first month costs 1,200 EUR, a month at the horizon 2,100 EUR."; empty where nothing recurs.
fn monthly(bill: &Bill) -> String {
    let Some(of) = bill.monthly() else {
        return String::new();
    };
    let [first, last] = of.map(|amount| rounded(bill, amount, 100.0));
    if first == last {
        format!("A month costs {first}.")
    } else {
        format!("The first month costs {first}, a month at the horizon {last}.")
    }
}

/// An amount in whole units of its currency from so much on; a smaller one has cents.
fn rounded(bill: &Bill, amount: f64, whole_from: f64) -> String {
    let is_small = amount.abs() < whole_from;
    bill.money(if is_small { (amount * 100.0).round() / 100.0 } else { amount.round() })
}

/// Lines that the deployment cannot be had without.
fn needed(bill: &Bill) -> usize {
    bill.lines.iter().filter(|line| line.is_needed).count()
}

/// Whether at least half of what is needed has a price.
fn is_mostly_priced(bill: &Bill) -> bool {
    2 * bill.unpriced().count() <= needed(bill)
}

/// "41,000 EUR over 3 years (13,667 EUR a year, 205 EUR a head).", and what it leaves out; nothing where
/// nothing has a price.
fn sums(bill: &Bill) -> Option<String> {
    // A mean of years or heads is as exact as whole units are, and so is a large sum; the bill's lines have the cents.
    let mean = |amount: f64| rounded(bill, amount, 100.0);
    let sum = |amount: f64| rounded(bill, amount, 100_000.0);
    let total = bill.total()?;
    let a_year = bill.per_year().map(|a| format!("{} a year", mean(a)));
    let a_head = bill.per_head().map(|a| format!("{} a head", mean(a)));
    let parts: Vec<String> = a_year.into_iter().chain(a_head).collect();
    let once = match bill.once()? {
        0.0 => String::new(),
        once if once < total => format!("; {} of it once", sum(once)),
        _ => String::new(),
    };
    // The id is what a price list calls it.
    let missing = bill.unpriced().map(|line| {
        let Named { id, name } = line.without_price();
        format!("{name} ({id})")
    });
    let missing: Vec<String> = missing.collect();
    let needed = needed(bill);
    let without = match missing.as_slice() {
        [] => String::new(),
        [one] => format!("; not counted, since it has no price (1 of {needed} lines): {one}"),
        all => format!("; not counted, since they have no price ({} of {needed} lines): {}", all.len(), list(all)),
    };
    // Where most has no price, what has one is no cost of the whole.
    if !is_mostly_priced(bill) {
        return Some(format!(
            "No total: {} of {needed} lines have no price ({}); the others come to {} over {}.",
            missing.len(),
            list(&missing),
            sum(total),
            over(bill),
        ));
    }
    Some(format!("{} over {} ({}){once}{without}.", sum(total), over(bill), parts.join(", ")))
}

/// "1 x86 server of today, 8 NVMe drive of 7.68 TB".
fn things(bill: &Bill) -> String {
    let needed = bill.lines.iter();
    let needed = needed.filter(|line| line.is_needed && line.quantity.first > 0.0);
    let words: Vec<String> = needed
        .take(NAMED)
        .map(|line| {
            let unit = match line.unit {
                Per::Unit | Per::Drive | Per::Hour => " ×".to_owned(),
                unit => format!(" {} of", unit.counted()),
            };
            format!("{}{unit} {}", grouped(line.quantity.first), item(line))
        })
        .collect();
    words.join(", ")
}

object! {
    /// A thing that a layout is made of.
    BillItem of (bill: &Bill, line: &BillLine) [let price = line.price.as_ref();] {
        item: String = line.item.id.clone();
        what: String = line.what.clone(), "What it is.";
        size_bytes: Option<f64> = line.size.map(Bytes::get), "Size of a drive, else null.";
        quantity: f64 = line.quantity.first, "How many units are ordered: in the first month, of what is rented.";
        quantity_at_horizon: f64 = line.quantity.at_horizon, "How many there are at the horizon: what is rented grows with the data.";
        quantity_mean: f64 = line.quantity.mean, "The mean over the horizon, which `total` is made of.";
        unit: &'static str = line.unit.word(), "The unit that is priced.";
        price: Option<f64> = price.map(|price| price.value.amount), "Of a unit; null where it has none.";
        currency: Option<String> = bill.currency.clone(), "Of all prices; null where there are none.";
        total: Option<f64> = line.total(bill.years), "Over the horizon.";
        needed: bool = line.is_needed, "false: counted only where it has a price.";
        origin: Option<String> = price.map(|price| price.origin.to_string()), "Where the price comes from.";
    }

    /// What cost is judged by, and the sums of the recommended layout.
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    #[schemars(rename = "Costs")]
    CostsJson of (advice: &Advice) [
        let (basis, missing): (&str, &[Named]) = match &advice.costs {
            Costs::Unpriced => ("relative", &[]),
            Costs::Relative(missing) => ("relative", missing),
            Costs::Money(_) => ("money", &[]),
        };
        let bill = advice.chosen.as_ref().map(|chosen| &chosen.bill);
        // A sum that leaves something out is no total.
        let complete = bill.filter(|bill| bill.is_complete());
        let unpriced = bill.into_iter().flat_map(Bill::unpriced);
    ] {
        basis: String = basis.to_owned(), "money, or relative: the grades of `models/criteria.toml`.";
        missing: Vec<String> = missing.iter().map(|one| one.id.clone()).collect(), "Things without a price in which layouts differ.";
        currency: Option<String> = bill.and_then(|bill| bill.currency.clone()), "Of all sums.";
        total: Option<f64> = complete.and_then(Bill::total), "Over the horizon; null where `unpriced[]` names anything.";
        priced: Option<f64> = bill.and_then(Bill::total), "The sum of what has a price.";
        once: Option<f64> = bill.and_then(Bill::once), "Its part that is paid once.";
        first_month: Option<f64> = bill.and_then(Bill::monthly).map(|of| of[0]), "What recurs, in the first month; null where nothing with a price does.";
        month_at_horizon: Option<f64> = bill.and_then(Bill::monthly).map(|of| of[1]), "The same at the horizon.";
        per_year: Option<f64> = bill.and_then(Bill::per_year), "The sum by year.";
        per_head: Option<f64> = bill.and_then(Bill::per_head), "The sum by head.";
        unpriced: Vec<String> = unpriced.map(|line| line.without_price().id).collect(), "What the layout needs and has no price.";
        horizon_s: Option<f64> = bill.map(|bill| Seconds::years(bill.years).get()), "The horizon.";
    }
}
