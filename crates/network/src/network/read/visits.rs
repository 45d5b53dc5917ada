//! Demands and visits as programs.
//!
//! A demand is one visit. Whole numbers of visits are made exactly so often, spread evenly over the
//! customer's way; with fractions the next station is drawn in proportion to the visits, and the
//! customer leaves with probability 1/(1 + ΣV), so that the means are as given.

use crate::document::{Item, Limits, Reader};
use crate::sim::{Distribution, Route, Step, Visit};

use super::distribution::{Unit, distribution};
use super::names::{Names, find_key};

/// Longest program that is written out.
const STEPS_MAX: f64 = 10_000.0;

/// How service at a station is written: a link's as sizes.
pub(super) fn unit(names: &Names, station: usize) -> Unit {
    names.streams[station].map_or(Unit::Time, Unit::Bytes)
}

/// One service at each station, in the order of the file.
pub(super) fn demands(reader: &Reader<'_>, names: &Names) -> Vec<Step> {
    let items = reader.named("demand");
    let mut program = Vec::new();
    for item in &items {
        let station = find_key(&names.stations, "station", item);
        let Some(station) = station else { continue };
        if let Some(service) = distribution(item, unit(names, station)) {
            program.push(Step::Serve { station, service });
        }
    }
    refuse_empty(reader, "demand", &items);
    refuse_service(reader, "demand");
    program
}

fn refuse_empty(reader: &Reader<'_>, key: &'static str, items: &[Item<'_>]) {
    if let Some(table) = reader.item(key)
        && items.is_empty()
        && table.is_table()
    {
        let d = table.problem("NET003", format!("{key:?} names no station"), "found nothing");
        reader.diagnostics().push(d);
    }
}

fn refuse_service(reader: &Reader<'_>, beside: &str) {
    if let Some(service) = reader.item("service") {
        let d = service.problem("NET003", format!("\"service\" does not go with {beside:?}"), "this");
        reader.diagnostics().push(d.help("a demand is visits × service; give visits and service, or demand"));
    }
}

/// The class' `service` table: a distribution for each station; none where it says nothing.
pub(super) fn services(reader: &Reader<'_>, names: &Names) -> Vec<Option<Distribution>> {
    let mut services = vec![None; names.stations.len()];
    for item in &reader.named("service") {
        if let Some(station) = find_key(&names.stations, "station", item) {
            services[station] = distribution(item, unit(names, station));
        }
    }
    services
}

/// Reports a station that is visited without a service time.
pub(super) fn service_at(
    services: &[Option<Distribution>],
    station: usize,
    item: &Item<'_>,
    names: &Names,
) -> Option<Distribution> {
    if services[station].is_none() {
        let name = &names.stations[station];
        let key = if name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
            name.clone()
        } else {
            format!("{name:?}")
        };
        let d = crate::diag::Diagnostic::error(
            "NET003",
            format!("the class visits {name:?} and \"service\" says no time there"),
        )
        .at(item.key.source, item.key.span.clone(), "visited here")
        .help(format!("add it: service.{key} = \"5 ms\""));
        item.diagnostics().push(d);
    }
    services[station].clone()
}

/// Visits with service.
pub(super) fn visits(reader: &Reader<'_>, names: &Names) -> Option<Vec<Step>> {
    reader.require(&["service"]);
    let services = services(reader, names);
    let items = reader.named("visits");
    refuse_empty(reader, "visits", &items);
    let has_service = reader.item("service").is_some();
    let mut visited = Vec::new();
    for item in &items {
        let limits = Limits { low: 0.0, high: 1e6, why: "visits of one customer" };
        let count = reader.within(&format!("visits.{}", item.name), item.number(), limits, |x| x.to_string());
        let station = find_key(&names.stations, "station", item);
        if let (Some(count), Some(station), true) = (count, station, has_service)
            && let Some(service) = service_at(&services, station, item, names)
        {
            visited.push((count.value, Visit { station, service }));
        }
    }
    has_service.then(|| program(visited))
}

fn program(visited: Vec<(f64, Visit)>) -> Vec<Step> {
    let total: f64 = visited.iter().map(|(count, _)| count).sum();
    let whole = visited.iter().all(|(count, _)| count.fract() == 0.0);
    if whole && total <= STEPS_MAX {
        return spread(&visited);
    }
    let chances: Vec<f64> = visited.iter().map(|(count, _)| count / (1.0 + total)).collect();
    vec![Step::Wander(Route {
        next: vec![chances.clone(); visited.len()],
        entry: chances,
        visits: visited.into_iter().map(|(_, visit)| visit).collect(),
    })]
}

/// The j-th of V visits at (j + ½)/V of the way.
fn spread(visited: &[(f64, Visit)]) -> Vec<Step> {
    let mut way: Vec<(f64, usize)> = Vec::new();
    for (idx, (count, _)) in visited.iter().enumerate() {
        way.extend((0..*count as usize).map(|j| ((j as f64 + 0.5) / count, idx)));
    }
    way.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let steps = way.into_iter().map(|(_, idx)| {
        let Visit { station, service } = visited[idx].1.clone();
        Step::Serve { station, service }
    });
    steps.collect()
}
