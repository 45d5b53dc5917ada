//! The bill of materials in words, as rows and for programs.

use serde_json::{Value, json};

use super::prose::{grouped, list};
use crate::advisor::{Advice, Bill, BillLine, Costs};
use crate::catalog::Named;
use crate::site::Per;
use crate::units::two_digits;

/// Things named where the whole bill is one sentence.
const NAMED: usize = 6;

/// Heads of the table that [`cells`] fills.
pub(super) const HEADS: [&str; 5] = ["item", ">quantity", "unit", ">price", ">total"];

/// A row about one line.
pub(super) fn cells(bill: &Bill, line: &BillLine) -> [String; 5] {
    let price = line.price.as_ref().map(|price| price.value.to_string());
    [
        item(line),
        grouped(line.quantity),
        line.unit.word().to_owned(),
        price.unwrap_or("no price".to_owned()),
        line.total(bill.years)
            .map_or(String::new(), |total| bill.money(total)),
    ]
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
pub(super) fn cost(advice: &Advice, title: impl Fn(&str) -> String) -> String {
    let Some(chosen) = &advice.chosen else {
        return String::new();
    };
    let bill = &chosen.bill;
    let sums = sums(bill).unwrap_or_else(|| format!("{}.", things(bill)));
    let basis = match &advice.costs {
        Costs::Unpriced => {
            "No prices are stated ([[price]]), so cost is judged in relative units.".to_owned()
        }
        Costs::Relative(missing) => format!(
            "Cost is judged in relative units, since layouts differ in things without a price: {}.",
            missing
                .iter()
                .map(|one| one.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Costs::Money(_) => {
            let rival = advice.contest.worlds.second().and_then(|second| {
                let mut all = advice.alternatives.iter();
                all.find(|a| a.layout == second.layout)
            });
            rival.map_or(String::new(), |rival| {
                let price = rival.price.map_or(String::new(), |price| bill.money(price));
                let standby = match chosen.deployment.standby {
                    Some(_) => " without a standby",
                    None => "",
                };
                let title = title(&rival.layout);
                format!("The second best, \"{title}\": {price}{standby}.")
            })
        }
    };
    format!("{sums} {basis}").trim_end().to_owned()
}

/// "41,000 EUR over 3 years (13,667 EUR a year, 205 EUR a head).", and what it leaves out; nothing where
/// nothing has a price.
fn sums(bill: &Bill) -> Option<String> {
    // A mean of years or heads is as exact as whole units are, and so is a large sum; the bill's lines have the cents.
    let rounded = |amount: f64, whole_from: f64| {
        let is_small = amount.abs() < whole_from;
        bill.money(if is_small {
            (amount * 100.0).round() / 100.0
        } else {
            amount.round()
        })
    };
    let mean = |amount: f64| rounded(amount, 100.0);
    let sum = |amount: f64| rounded(amount, 100_000.0);
    let total = bill.total()?;
    let a_year = bill.per_year().map(|a| format!("{} a year", mean(a)));
    let a_head = bill.per_head().map(|a| format!("{} a head", mean(a)));
    let parts: Vec<String> = a_year.into_iter().chain(a_head).collect();
    let once = match bill.once()? {
        0.0 => String::new(),
        once if once < total => format!("; {} of it once", sum(once)),
        _ => String::new(),
    };
    let missing = bill.unpriced().map(|line| line.without_price().name);
    let missing: Vec<String> = missing.collect();
    let without = match missing.as_slice() {
        [] => String::new(),
        [one] => format!("; not counted, since it has no price: {one}"),
        all => format!("; not counted, since they have no price: {}", list(all)),
    };
    Some(format!(
        "{} over {} ({}){once}{without}.",
        sum(total),
        over(bill),
        parts.join(", "),
    ))
}

/// "1 x86 server of today, 8 NVMe drive of 7.68 TB".
fn things(bill: &Bill) -> String {
    let needed = bill.lines.iter().filter(|line| line.is_needed);
    let words: Vec<String> = needed
        .take(NAMED)
        .map(|line| {
            let unit = match line.unit {
                Per::Unit | Per::Drive | Per::Hour => " ×".to_owned(),
                unit => format!(" {} of", unit.word().trim_end_matches("-month")),
            };
            format!("{}{unit} {}", grouped(line.quantity), item(line))
        })
        .collect();
    words.join(", ")
}

/// The lines for programs.
pub(super) fn bill_json(bill: &Bill) -> Value {
    let lines = bill.lines.iter().map(|line| {
        json!({
            "item": line.item.id,
            "what": line.what,
            "size_bytes": line.size.map(crate::units::Bytes::get),
            "quantity": line.quantity,
            "unit": line.unit.word(),
            "price": line.price.as_ref().map(|price| price.value.amount),
            "currency": bill.currency,
            "total": line.total(bill.years),
            "needed": line.is_needed,
            "origin": line.price.as_ref().map(|price| price.origin.to_string()),
        })
    });
    lines.collect()
}

/// What cost is judged by, and the sums.
pub(super) fn costs_json(advice: &Advice) -> Value {
    let (basis, missing): (&str, &[Named]) = match &advice.costs {
        Costs::Unpriced => ("relative", &[]),
        Costs::Relative(missing) => ("relative", missing),
        Costs::Money(_) => ("money", &[]),
    };
    let bill = advice.chosen.as_ref().map(|chosen| &chosen.bill);
    // A sum that leaves something out is no total.
    let complete = bill.filter(|bill| bill.is_complete());
    let unpriced: Vec<String> = bill
        .iter()
        .flat_map(|bill| bill.unpriced())
        .map(|line| line.without_price().id)
        .collect();
    json!({
        "basis": basis,
        "missing": missing.iter().map(|one| &one.id).collect::<Vec<_>>(),
        "currency": bill.and_then(|bill| bill.currency.clone()),
        "total": complete.and_then(Bill::total),
        "priced": bill.and_then(Bill::total),
        "once": bill.and_then(Bill::once),
        "per_year": bill.and_then(Bill::per_year),
        "per_head": bill.and_then(Bill::per_head),
        "unpriced": unpriced,
        "horizon_s": bill.map(|bill| crate::units::Seconds::years(bill.years).get()),
    })
}
