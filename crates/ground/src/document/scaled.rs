//! A number in a document times a factor: how a catalogue file looks after a fit.

use super::tree::{Kind, Value};
use crate::origin::Measurement;
use crate::units::significant;

/// Digits that a scaled number keeps: far below any error, and the same bytes everywhere.
const DIGITS: i32 = 6;

/// Multiplies the number `key` of `root`, or of a table in it, and says where that comes from: its
/// origin becomes `fitted` from `ids`, with the one-sigma error `spread`.
///
/// Where one of the ids is a measurement of the user's own hardware ([`Measurement::read`]), the origin
/// is `measured`, and only those are named: they outweigh what was published about other hardware.
///
/// A share is 100 % at most. The number is a table as in `models/`: `{ value = "300 us", origin = … }`. `false` where there is none.
pub fn scale(root: &mut Value, key: &str, factor: f64, spread: f64, ids: &[String]) -> bool {
    let Kind::Table(entries) = &mut root.kind else {
        return false;
    };
    if let Some((_, number)) = entries.get_mut(key) {
        return scale_number(number, factor, spread, ids);
    }
    let sections = entries.values_mut();
    sections
        .filter_map(|(_, section)| match &mut section.kind {
            Kind::Table(entries) => entries.get_mut(key),
            _ => None,
        })
        .any(|(_, number)| scale_number(number, factor, spread, ids))
}

fn scale_number(number: &mut Value, factor: f64, spread: f64, ids: &[String]) -> bool {
    let place = number.place.clone();
    let Kind::Table(entries) = &mut number.kind else {
        return false;
    };
    let Some((_, value)) = entries.get_mut("value") else {
        return false;
    };
    let before = match &mut value.kind {
        Kind::Text(text) => {
            let digits = text.find(|c: char| !(c.is_ascii_digit() || ".+-_eE".contains(c)));
            let (amount, unit) = text.split_at(digits.unwrap_or(text.len()));
            let Ok(amount) = amount.replace('_', "").parse::<f64>() else {
                return false;
            };
            let before = text.clone();
            let most = if unit.trim() == "%" { 100.0 } else { f64::INFINITY };
            *text = format!("{}{unit}", significant((amount * factor).min(most), DIGITS));
            before
        }
        Kind::Float(amount) => {
            let before = amount.to_string();
            *amount *= factor;
            before
        }
        Kind::Integer(amount) => {
            let before = amount.to_string();
            value.kind = Kind::Float(*amount as f64 * factor);
            before
        }
        _ => return false,
    };
    let mut say = |key: &str, kind: Kind| {
        let value = Value { kind, place: place.clone() };
        entries.insert(key.to_owned(), (place.clone(), value));
    };
    let text = |text: &str| Kind::Text(text.to_owned());
    let is_measured = |id: &&String| Measurement::read(id).is_some();
    let own: Vec<&String> = ids.iter().filter(is_measured).collect();
    let (origin, ids) = if own.is_empty() { ("fitted", ids.iter().collect()) } else { ("measured", own) };
    let ids = ids.into_iter().map(|id| Value { kind: text(id), place: place.clone() });
    say("origin", text(origin));
    say("from", Kind::List(ids.collect()));
    say("spread", Kind::Text(format!("{} %", significant(spread * 100.0, DIGITS))));
    say("note", Kind::Text(format!("{before} before the fit")));
    true
}
