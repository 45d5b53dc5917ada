//! Numbers as every answer shows them, for the window: it uses the same words as the reports.

use std::collections::BTreeMap;

use super::peak::{kind_word, percent, with_interval};
use super::volumes::{VolumeRow, at_least_one, one_edge, volume_rows};
use crate::advisor::Chosen;
use crate::catalog::Catalog;
use crate::origin::Origin;
use crate::site::Site;
use crate::system::{Interval, ResourceKind, Used};
use crate::units::{Bytes, significant};

/// "18.3 TiB (20.1 TB)", or in smaller units below 1 TiB.
///
/// ```
/// use plimsoll::report::size_shown;
/// use plimsoll::units::Bytes;
/// assert_eq!(size_shown(Bytes::new(20e12)), "18.2 TiB (20.0 TB)");
/// ```
pub fn size_shown(bytes: Bytes) -> String {
    if bytes.in_tib() < 1.0 {
        return format!("{} ({})", bytes.iec(), bytes.si());
    }
    format!(
        "{} TiB ({} TB)",
        significant(bytes.in_tib(), 3),
        significant(bytes.in_tb(), 3)
    )
}

/// "1.2 s (700 ms to 2.1 s)"; the value alone where no interval was made.
pub fn interval_shown(interval: Interval) -> String {
    with_interval(interval)
}

/// "4.3 %", "34 %"; "< 0.01 %" of next to nothing.
///
/// ```
/// use plimsoll::report::share_shown;
/// assert_eq!(share_shown(0.043), "4.3 %");
/// assert_eq!(share_shown(9.1e-7), "< 0.01 %");
/// assert_eq!(share_shown(0.0), "0 %");
/// ```
pub fn share_shown(share: f64) -> String {
    percent(share)
}

/// What a kind of resource is called: "processor", "round trips".
pub fn kind_shown(kind: ResourceKind) -> &'static str {
    kind_word(kind)
}

/// Requests a second: "120", "< 1", "–".
pub fn requests_shown(per_s: f64) -> String {
    at_least_one(per_s)
}

/// The volumes of the recommendation; one row stands for edges that are alike.
pub fn volumes_shown(site: &Site, catalog: &Catalog, chosen: &Chosen) -> Vec<VolumeRow> {
    one_edge(volume_rows(
        site,
        catalog,
        &chosen.deployment,
        &chosen.prediction,
        &chosen.sizes,
    ))
}

/// The numbers that were measured on the user's own hardware, a line each: what it is, and where and when.
pub(super) fn measured_numbers(used: &BTreeMap<String, Used>) -> Vec<String> {
    let own = used.iter().filter_map(|(name, used)| match &used.origin {
        Origin::Measured { file } => Some((name, used, file)),
        _ => None,
    });
    own.map(|(name, used, file)| {
        let shown = match used.shown.parse::<f64>() {
            Ok(number) => significant(number, 3),
            Err(_) => used.shown.clone(),
        };
        format!("{name} {shown}: {}", by_place(file))
    })
    .collect()
}

/// Ids of measurements, those of one place and day together: "measured on 2026-11-22 in srv-db (read.8k.random.1,
/// read.8k.random.4)".
fn by_place(ids: &str) -> String {
    let mut places: Vec<(&str, Vec<&str>)> = Vec::new();
    for id in ids.split(", ") {
        let (place, test) = id.rsplit_once(' ').unwrap_or((id, ""));
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, tests)) => tests.push(test),
            None => places.push((place, vec![test])),
        }
    }
    let shown = places.iter().map(|(place, tests)| match tests.as_slice() {
        // A reference, which names its tests itself.
        [""] => (*place).to_owned(),
        tests => format!("{place} ({})", tests.join(", ")),
    });
    shown.collect::<Vec<_>>().join("; ")
}
