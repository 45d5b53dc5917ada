//! Numbers as every answer shows them, for painters outside of the reports: the window says the same words.

use super::advice_text::{at_least_one, one_edge, size};
use super::prediction_text::{kind_word, percent, with_interval};
use super::volumes::{VolumeRow, volume_rows};
use crate::advisor::Chosen;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::{Interval, ResourceKind};
use crate::units::Bytes;

/// "18.3 TiB (20.1 TB)", or in smaller units below a hundredth of that.
///
/// ```
/// use plimsoll::report::size_shown;
/// use plimsoll::units::Bytes;
/// assert_eq!(size_shown(Bytes::new(20e12)), "18.2 TiB (20.0 TB)");
/// ```
pub fn size_shown(bytes: Bytes) -> String {
    size(bytes)
}

/// "1.20 s (0.70 s – 2.10 s)"; the value alone where no interval was made.
pub fn interval_shown(interval: Interval) -> String {
    with_interval(interval)
}

/// "4.3 %".
///
/// ```
/// assert_eq!(plimsoll::report::share_shown(0.043), "4.3 %");
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
