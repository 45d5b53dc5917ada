//! Routing: a Markov chain over stations.

use crate::diag::Diagnostic;
use crate::document::{Item, Reader};
use crate::sim::{Route, Step, Visit};

use super::distribution::probability;
use super::names::{Names, find_key, find_text};
use super::visits::{service_at, services};

/// A row may miss or pass 1 by rounded thirds.
const ROUNDING: f64 = 1e-6;

/// Reads the chain; a closed class that never leaves has made a round when it is back where it enters.
pub(super) fn routing(reader: &Reader<'_>, class: &Item<'_>, closed: bool, names: &Names) -> Option<Vec<Step>> {
    reader.require(&["service"]);
    let services = services(reader, names);
    let rows = reader.named("routing");
    let stations = names.stations.len();
    let mut next = vec![vec![0.0; stations]; stations];
    let mut first = None;
    for row in &rows {
        let Some(from) = find_key(&names.stations, "station", row) else {
            continue;
        };
        first = first.or(Some(from));
        next[from] = targets(reader, row, names)?;
        service_at(&services, from, row, names);
    }
    let entry = if let Some(item) = reader.item("enter") {
        targets(reader, &item, names)?
    } else {
        let mut entry = vec![0.0; stations];
        entry[first?] = 1.0;
        entry
    };
    let entered: Vec<usize> = (0..stations).filter(|&k| entry[k] > 0.0).collect();
    let leaves = |row: &[f64]| row.iter().sum::<f64>() < 1.0 - ROUNDING;
    let reached = reachable(&next, &entered);
    if closed && !reached.iter().any(|&k| leaves(&next[k])) && entered.len() == 1 {
        for row in &mut next {
            row[entered[0]] = 0.0;
        }
    }
    if let Some(&trap) = reached.iter().find(|&&k| !reachable(&next, &[k]).iter().any(|&j| leaves(&next[j]))) {
        let place = &class.key;
        class.diagnostics().push(
            Diagnostic::error("NET005", format!("class {:?} cannot leave {:?}", class.name, names.stations[trap]))
                .at(place.source, place.span.clone(), "its routing")
                .help("what is missing to 1 in a row leaves; a closed class may also come back to the station where it enters"),
        );
        return None;
    }
    let mut visits = Vec::new();
    for (station, service) in services.iter().enumerate() {
        if service.is_none()
            && reached.contains(&station)
            && !rows.iter().any(|row| row.name == names.stations[station])
        {
            service_at(&services, station, class, names);
            return None;
        }
        visits.push(Visit { station, service: service.clone().unwrap_or(crate::sim::Distribution::Constant(0.0)) });
    }
    Some(vec![Step::Wander(compact(&Route { visits, entry, next }))])
}

/// Only the stations that are visited.
fn compact(route: &Route) -> Route {
    let entered: Vec<usize> = (0..route.entry.len()).filter(|&k| route.entry[k] > 0.0).collect();
    let kept = reachable(&route.next, &entered);
    Route {
        visits: kept.iter().map(|&k| route.visits[k].clone()).collect(),
        entry: kept.iter().map(|&k| route.entry[k]).collect(),
        next: (kept.iter()).map(|&k| kept.iter().map(|&j| route.next[k][j]).collect()).collect(),
    }
}

fn reachable(next: &[Vec<f64>], from: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut open = from.to_vec();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            open.extend((0..next.len()).filter(|&to| next[at][to] > 0.0));
        }
    }
    (0..next.len()).filter(|&k| seen[k]).collect()
}

/// A station's name, or a table of names and probabilities.
fn targets(reader: &Reader<'_>, row: &Item<'_>, names: &Names) -> Option<Vec<f64>> {
    let mut chances = vec![0.0; names.stations.len()];
    if row.is_text() {
        chances[find_text(&names.stations, "station", row)?] = 1.0;
        return Some(chances);
    }
    if !row.is_table() {
        row.wrong("a station's name, or a table of names and probabilities");
        return None;
    }
    let mut good = true;
    for item in row.table()?.entries() {
        let station = find_key(&names.stations, "station", &item);
        let chance = probability(reader, &format!("routing.{}.{}", row.name, item.name), &item);
        match (station, chance) {
            (Some(station), Some(chance)) => chances[station] = chance,
            _ => good = false,
        }
    }
    let sum: f64 = chances.iter().sum();
    if sum > 1.0 + ROUNDING {
        let message = "the probabilities of a row add up to 1 at most";
        let d = row.problem("NET005", message, format!("found {sum}"));
        row.diagnostics().push(d);
        return None;
    }
    if (sum - 1.0).abs() <= ROUNDING {
        for chance in &mut chances {
            *chance /= sum;
        }
    } else if sum > 0.99 && sum < 1.0 - ROUNDING {
        let missing = (1.0 - sum) * 100.0;
        let mut d =
            row.problem("NET005", format!("this row adds up to {sum:.6}, so {missing:.2} % leave"), "perhaps rounded?");
        d.severity = crate::diag::Severity::Warning;
        row.diagnostics().push(d);
    }
    good.then_some(chances)
}
