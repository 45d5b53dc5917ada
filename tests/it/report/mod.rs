//! The hand-over report: its charts, its pictures, its pages.

mod curves;
mod figures;
mod pages;
mod pictures;

use plimsoll::advisor::{self, Advice};
use plimsoll::site::Site;

use crate::shared::{FROZEN, Library};

pub(crate) fn advice(site: &Site) -> Advice {
    let Library { catalog, calibration, vocabulary } = &*FROZEN;
    advisor::advise(site, vocabulary, catalog, calibration)
}
