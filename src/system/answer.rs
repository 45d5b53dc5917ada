//! Turns what the iteration came to rest at into a [`Prediction`].

use std::collections::BTreeMap;

use super::plant::{Io, Plant, ResourceKind};
use super::prediction::{ClassPrediction, CommitSection, Interval, Prediction, ResourcePrediction};
use super::solve::{Piece, State};
use crate::queueing;
use crate::workload::{Group, Load};

pub(super) fn report(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece<'_>],
    state: &State,
) -> Prediction {
    let rates: Vec<f64> = (0..load.groups.len())
        .map(|g| state.solution.classes[g].throughput)
        .collect();
    let resources = plant
        .stations
        .iter()
        .enumerate()
        .filter(|(_, (station, _))| station.kind != queueing::StationKind::Delay)
        .map(|(k, (station, kind))| ResourcePrediction {
            name: station.name.clone(),
            kind: *kind,
            utilization: state.utilization[k],
        })
        .collect();
    Prediction {
        classes: classes(plant, load, pieces, state, &rates),
        resources,
        locks: state.locks.clone(),
        commit: commit_section(load, pieces, state),
        io: io(pieces, &rates),
        group_rates: rates,
        db_hit: plant.db_hit,
        depot_hit: plant.depot_hit,
        used: BTreeMap::new(),
        method: format!(
            "{:?}, {} rounds over the locks{}",
            state.solution.method,
            state.rounds,
            if state.at_rest {
                ""
            } else {
                ", and still swinging: take it as a rough answer"
            }
        ),
    }
}

/// Requests a second of each server's volumes.
fn io(pieces: &[Piece<'_>], rates: &[f64]) -> BTreeMap<(usize, &'static str), Io> {
    let mut io: BTreeMap<(usize, &'static str), Io> = BTreeMap::new();
    for piece in pieces {
        for (role, work) in &piece.cost.io {
            let rate = rates[piece.group] * piece.weight;
            io.entry((piece.server, role)).or_default().add(*work, rate);
        }
    }
    io
}

fn commit_section(load: &Load, pieces: &[Piece<'_>], state: &State) -> Option<CommitSection> {
    pieces
        .iter()
        .flat_map(|piece| {
            let stretch = &state.stretch[piece.group];
            let files = load.groups[piece.group].calls[piece.call].files;
            piece
                .cost
                .sections
                .iter()
                .filter(|s| s.commit)
                .map(move |section| CommitSection {
                    hold: section.inside.iter().map(|(k, d)| d * stretch[k]).sum(),
                    files,
                })
        })
        .max_by(|a, b| a.files.total_cmp(&b.files))
}

/// Sums of one kind of work over its calls and servers.
#[derive(Default)]
struct Sum {
    rate: f64,
    time: f64,
    sent: f64,
    parts: BTreeMap<ResourceKind, f64>,
    transfer: bool,
}

fn classes(
    plant: &Plant<'_>,
    load: &Load,
    pieces: &[Piece<'_>],
    state: &State,
    rates: &[f64],
) -> Vec<ClassPrediction> {
    let mut order: Vec<(String, &'static str)> = Vec::new();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for (piece, wait) in pieces.iter().zip(&state.waits) {
        let group = &load.groups[piece.group];
        let call = &group.calls[piece.call];
        let command = &plant.catalog.commands[&call.command];
        let name = class_name(group, command.response, &call.command);
        if !sums.contains_key(&name) {
            order.push((name.clone(), command.response));
        }
        let sum = sums.entry(name).or_default();
        let rate = rates[piece.group] * piece.weight;
        let mut time = *wait;
        *sum.parts.entry(ResourceKind::Lock).or_default() += rate * wait;
        for (k, demand) in piece.cost.total.iter() {
            let seconds = demand * state.stretch[piece.group][k];
            time += seconds;
            *sum.parts.entry(plant.stations[k].1).or_default() += rate * seconds;
        }
        sum.rate += rate;
        sum.time += rate * time;
        sum.sent += rate * piece.cost.sent;
        sum.transfer |= command.kind == "transfer";
    }
    order
        .into_iter()
        .filter_map(|(name, response)| {
            let sum = &sums[&name];
            if sum.rate <= 0.0 {
                return None;
            }
            let mean = sum.time / sum.rate;
            let id = if sum.transfer {
                "p95.transfer"
            } else {
                "p95.command"
            };
            // Round trips are the same each time; the rest varies.
            let fixed = sum
                .parts
                .get(&ResourceKind::Delay)
                .map_or(0.0, |s| s / sum.rate);
            let p95 = fixed + (mean - fixed) * plant.parameter(id);
            let mut parts: Vec<_> = sum.parts.iter().map(|(k, s)| (*k, s / sum.rate)).collect();
            parts.sort_by(|a, b| b.1.total_cmp(&a.1));
            Some(ClassPrediction {
                name,
                response,
                mean: Interval::exact(mean),
                p95: Interval::exact(p95),
                throughput: sum.rate,
                rate: sum.transfer.then(|| sum.sent / sum.time),
                parts,
            })
        })
        .collect()
}

/// "browse" for a person beside the server, "browse (Montreal)" elsewhere, "automation" for machines.
pub(super) fn class_name(group: &Group, response: &str, command: &str) -> String {
    let work = if response == "none" {
        command
    } else {
        response
    };
    match (&group.remote, group.name.as_str()) {
        (Some(remote), _) => format!("{work} ({})", remote.office),
        (None, "developers") => work.to_owned(),
        (None, "large syncs") => "large sync".to_owned(),
        (None, other) => format!("{work} ({other})"),
    }
}
