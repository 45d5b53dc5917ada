//! A deployment over the years: how its load grows and how its stores fill.
//!
//! Time counts from today, since nobody here knows the date.

use super::headroom::Headroom;
use super::sizing::Sizing;
use crate::catalog::{Catalog, Named};
use crate::site::{Peak, Site};
use crate::system::capacity::RoleSize;
use crate::system::{Deployment, Interval};
use crate::units::{Bytes, Seconds};

/// How a deployment fares over the years.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadAndStores {
    /// The peak that its load is a multiple of.
    pub peak: Peak,
    /// What is drawn: years from today.
    pub years: f64,
    /// The year of today, where the site states it.
    pub from: Option<i32>,
    /// What the equipment is bought for: years from today.
    pub horizon: f64,
    /// The load, as a multiple of today's peak.
    pub load: Vec<LoadPoint>,
    /// The multiple that the deployment carries, and what gives way then.
    pub carries: (f64, String),
    /// When the load gets there; `None` beyond a century or without growth.
    pub reached_in: Option<Seconds>,
    /// Each store.
    pub stores: Vec<StoreYears>,
}

/// The load at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadPoint {
    /// Years from today.
    pub years: f64,
    /// Multiple of today's peak; its interval is that of the answer on growth.
    pub factor: Interval,
}

/// How a store fills.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreYears {
    /// The store.
    pub store: Named,
    /// What it holds usably, data reduction included.
    pub usable: Bytes,
    /// When it is full; `None` beyond a century.
    pub full_in: Option<Seconds>,
    /// By time.
    pub points: Vec<StorePoint>,
}

/// A store at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StorePoint {
    /// Years from today.
    pub years: f64,
    /// Share of what it holds that is to be provided; headroom and reserves are counted as used.
    pub used: Interval,
}

/// Load and stores over `years`, at `points` times (2 or more) with the first today.
pub fn load_and_stores(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    sizes: &[RoleSize],
    headroom: &Headroom,
    years: f64,
    points: usize,
) -> LoadAndStores {
    let last = points.max(2) - 1;
    let times: Vec<f64> = (0..=last).map(|i| years * i as f64 / last as f64).collect();
    // The load grows as the database does: both are made by commands.
    let growth = &site.data.db_growth;
    let load = times.iter().map(|years| {
        let time = Seconds::years(*years);
        LoadPoint {
            years: *years,
            factor: Interval {
                value: growth.value.over(time),
                low: growth.low.over(time),
                high: growth.high.over(time),
            },
        }
    });
    let sizing = Sizing::of(site, catalog, sizes);
    let stores = sizing
        .needs(deployment)
        .into_iter()
        .map(|need| {
            let usable = sizing.usable(&need.mount, &need);
            let full_in = headroom.capacity.iter().find(|l| l.store == need.store);
            let used = |years: &f64| {
                let bytes = need.interval_at(*years);
                StorePoint {
                    years: *years,
                    used: Interval { value: bytes.value / usable, low: bytes.low / usable, high: bytes.high / usable },
                }
            };
            StoreYears {
                usable: Bytes::new(usable),
                full_in: full_in.and_then(|limit| limit.full_in),
                points: times.iter().map(used).collect(),
                store: need.store,
            }
        })
        .collect();
    LoadAndStores {
        peak: site.peak,
        years,
        from: site.horizon.from.as_ref().map(|from| from.value as i32),
        horizon: site.horizon.time.value.in_years(),
        load: load.collect(),
        carries: (headroom.factor, headroom.limit.to_string()),
        reached_in: headroom.reached_in,
        stores,
    }
}
