//! The bill of materials in words, as rows and for programs.

use serde_json::{Value, json};

use super::prose::{Names, grouped, list};
use crate::advisor::{Advice, Bill, BillLine, Costs};
use crate::site::Per;
use crate::units::two_digits;

/// Things named where the whole bill is one sentence.
const NAMED: usize = 6;

/// Heads of the table that [`cells`] fills.
pub(super) const HEADS: [&str; 5] = ["item", ">quantity", "unit", ">price", ">total"];

/// A row about one line.
pub(super) fn cells(bill: &Bill, line: &BillLine, names: &Names) -> [String; 5] {
    let money =
        |amount: Option<f64>| amount.map_or("no price".to_owned(), |amount| in_money(amount, bill));
    [
        item(line, names),
        grouped(line.quantity),
        line.unit.word().to_owned(),
        money(line.price.as_ref().map(|price| price.value.amount)),
        line.total(bill.years)
            .map_or(String::new(), |total| in_money(total, bill)),
    ]
}

/// "NVMe drive of 7.68 TB".
fn item(line: &BillLine, names: &Names) -> String {
    let name = match line.item.as_str() {
        "ram" => "memory",
        "line" => "lines to offices",
        "edge-licence" => "licence of an edge",
        id => names.name(id),
    };
    match line.size {
        Some(size) => format!("{name} of {}", size.si()),
        None => name.to_owned(),
    }
}

/// "12,000 EUR"; cents where it is less than a hundred.
fn in_money(amount: f64, bill: &Bill) -> String {
    let currency = bill.currency.as_deref().unwrap_or_default();
    if amount.abs() < 100.0 {
        let text = format!("{amount:.4}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return format!("{text} {currency}");
    }
    format!("{} {currency}", grouped(amount.round()))
}

/// "3 years".
fn over(bill: &Bill) -> String {
    match bill.years {
        1.0 => "1 year".to_owned(),
        years => format!("{} years", two_digits(years)),
    }
}

/// What it costs and what cost is judged by, in one or two sentences; nothing where nothing is recommended.
pub(super) fn cost(advice: &Advice, names: &Names, title: impl Fn(&str) -> String) -> String {
    let Some(chosen) = &advice.chosen else {
        return String::new();
    };
    let bill = &chosen.bill;
    match &advice.costs {
        Costs::Unpriced => format!(
            "{}. No prices are stated ([[price]]), so cost is judged in relative units.",
            things(bill, names)
        ),
        Costs::Relative(missing) => format!(
            "{}. Cost is judged in relative units, since layouts differ in things without a price: {}.",
            things(bill, names),
            names.said(&missing.join(", "))
        ),
        Costs::Money(_) => {
            let Some(total) = bill.total() else {
                return things(bill, names);
            };
            let a_year = bill
                .per_year()
                .map(|a| format!("{} a year", in_money(a, bill)));
            let a_head = bill
                .per_head()
                .map(|a| format!("{} a head", in_money(a, bill)));
            let parts: Vec<String> = a_year.into_iter().chain(a_head).collect();
            let once = bill.once();
            let once = if once < total {
                format!("; {} of it once", in_money(once, bill))
            } else {
                String::new()
            };
            let rival = advice.contest.worlds.second().and_then(|second| {
                let mut all = advice.alternatives.iter();
                let found = all.find(|a| a.layout == second.layout)?;
                let price = in_money(found.price?, bill);
                Some(format!(
                    " The second best, \"{}\": {price}.",
                    title(&found.layout)
                ))
            });
            format!(
                "{} over {} ({}){once}{}.{}",
                in_money(total, bill),
                over(bill),
                parts.join(", "),
                without(bill, names),
                rival.unwrap_or_default()
            )
        }
    }
}

/// ", without a price for servers", where something needed has none.
fn without(bill: &Bill, names: &Names) -> String {
    let missing: Vec<String> = bill.unpriced().map(|line| item(line, names)).collect();
    if missing.is_empty() {
        return String::new();
    }
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    format!(
        ", without {}, which has no price and is the same in all layouts",
        list(&missing)
    )
}

/// "1 x86 server of today, 8 NVMe drive of 7.68 TB".
fn things(bill: &Bill, names: &Names) -> String {
    let needed = bill.lines.iter().filter(|line| line.is_needed);
    let words: Vec<String> = needed
        .take(NAMED)
        .map(|line| {
            let unit = match line.unit {
                Per::Unit | Per::Drive | Per::Hour => " ×".to_owned(),
                unit => format!(" {} of", unit.word().trim_end_matches("-month")),
            };
            format!("{}{unit} {}", grouped(line.quantity), item(line, names))
        })
        .collect();
    words.join(", ")
}

/// The lines for programs.
pub(super) fn bill_json(bill: &Bill) -> Value {
    let lines = bill.lines.iter().map(|line| {
        json!({
            "item": line.item,
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
    let (basis, missing): (&str, &[String]) = match &advice.costs {
        Costs::Unpriced => ("relative", &[]),
        Costs::Relative(missing) => ("relative", missing),
        Costs::Money(_) => ("money", &[]),
    };
    let bill = advice.chosen.as_ref().map(|chosen| &chosen.bill);
    json!({
        "basis": basis,
        "missing": missing,
        "currency": bill.and_then(|bill| bill.currency.clone()),
        "total": bill.and_then(Bill::total),
        "once": bill.filter(|bill| bill.total().is_some()).map(Bill::once),
        "per_year": bill.and_then(Bill::per_year),
        "per_head": bill.and_then(Bill::per_head),
        "horizon_s": bill.map(|bill| crate::units::Seconds::years(bill.years).get()),
    })
}
