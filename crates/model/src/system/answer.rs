//! Turns what the iteration came to rest at into a [`Prediction`].

use std::collections::BTreeMap;

use super::at_once;
use super::balance::Frame;
use super::correction::Correction;
use super::long_holds::Stall;
use super::percentile::{self, p95, two_moments};
use super::piece::Piece;
use super::plant::{Io, Ledger, Plant, RESOURCES, ResourceKind};
use super::prediction::{ClassPrediction, CommitSection, InFlight, Interval, LongHold, Prediction, ResourcePrediction};
use super::solve::State;
use crate::catalog::Response;
use crate::queueing;
use crate::workload::{Clients, Load, Work};

pub(super) fn report(frame: &Frame<'_, '_>, state: State) -> Prediction {
    let Frame { plant, load, pieces, .. } = *frame;
    let resources = plant
        .stations
        .iter()
        .enumerate()
        .filter(|(_, (station, _))| station.kind != queueing::StationKind::Delay)
        .map(|(k, (_, resource))| ResourcePrediction { resource: resource.clone(), utilization: state.utilization[k] })
        .collect();
    let mut classes = classes(plant, load, pieces, &state);
    wait_for_full_locks(&mut classes, &state);
    classes.extend(at_once::classes(frame, &state, &classes));
    let in_flight = in_flight(pieces, &state);
    Prediction {
        classes,
        resources,
        commit: commit_section(load, pieces, &state),
        long_holds: long_holds(load, pieces, &state),
        locks: state.locks,
        io: io(pieces, &state.rates),
        in_flight,
        group_rates: state.rates,
        db_hit: plant.db_hit[0],
        depot_hit: plant.depot_hit[0],
        used: BTreeMap::new(),
        main_drivers: BTreeMap::new(),
        busiest: None,
        method: format!("{:?}, {} rounds over the locks", state.method, state.rounds),
        confirmed: None,
        correction: Correction::default(),
    }
}

/// Requests a second of each server's volumes.
fn io(pieces: &[Piece<'_>], rates: &[f64]) -> BTreeMap<(usize, &'static str), Io> {
    let mut servers: Vec<Ledger> = Vec::new();
    for piece in pieces {
        let rate = rates[piece.group] * piece.weight;
        if servers.len() <= piece.server {
            servers.resize(piece.server + 1, Ledger::default());
        }
        servers[piece.server].add(&piece.cost.io, rate);
    }
    let servers = servers.iter().enumerate();
    servers.flat_map(|(server, ledger)| ledger.iter().map(move |(role, io)| ((server, role), io))).collect()
}

/// Commands on each server at a moment: how often they come times how long each is there.
fn in_flight(pieces: &[Piece<'_>], state: &State) -> Vec<InFlight> {
    let mut servers: Vec<InFlight> = Vec::new();
    for (piece, wait) in pieces.iter().zip(&state.waits) {
        if servers.len() <= piece.server {
            servers.resize(piece.server + 1, InFlight::default());
        }
        let stretch = &state.stretch[piece.group];
        let served = piece.waited().iter().map(|(k, demand)| demand * stretch[k]);
        let rate = state.rates[piece.group] * piece.weight;
        let server = &mut servers[piece.server];
        server.running += rate * (wait + state.wakes[piece.server] + served.sum::<f64>());
        server.blocked += rate * wait;
    }
    servers
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
                .map(move |section| CommitSection { hold: piece.cost.list(&section.inside).stretched(stretch), files })
        })
        .max_by(|a, b| a.files.total_cmp(&b.files))
}

/// Sums of one kind of work over its calls and servers.
struct Sum<'l> {
    work: Key<'l>,
    rate: f64,
    time: f64,
    /// What takes as long whatever the size is; what goes with the size, and the squares of both together \[s/s, s²/s\].
    fixed: f64,
    varying: f64,
    square: f64,
    /// Waits for holds of locks: likelihood times commands a second, and mean \[s\].
    stalls: Vec<Stall>,
    sent: f64,
    /// Seconds that stated round trips and rates take [s/s].
    least: f64,
    /// By kind of resource, where the work meets one.
    parts: [Option<f64>; KINDS],
    transfer: bool,
}

/// Kinds of resources.
const KINDS: usize = ResourceKind::Lock as usize + 1;

impl<'l> Sum<'l> {
    fn of(work: Key<'l>) -> Self {
        Self {
            work,
            rate: 0.0,
            time: 0.0,
            fixed: 0.0,
            varying: 0.0,
            square: 0.0,
            stalls: Vec::new(),
            sent: 0.0,
            least: 0.0,
            parts: [None; KINDS],
            transfer: false,
        }
    }

    fn part(&mut self, kind: ResourceKind) -> &mut f64 {
        self.parts[kind as usize].get_or_insert_default()
    }

    fn told(&self) -> Option<ClassPrediction> {
        if self.rate <= 0.0 {
            return None;
        }
        let mean = self.time / self.rate;
        // Round trips and commits are the same each time; the rest varies, and locks are waited for by those who find them held.
        let fixed = self.fixed / self.rate;
        let stalls = self.stalls.iter().map(|stall| Stall { likely: stall.likely / self.rate, ..*stall });
        let stalls: Vec<Stall> = stalls.collect();
        let stalled = stalls.iter().map(|stall| stall.likely * stall.wait);
        let work = (mean - stalled.sum::<f64>() - fixed).max(0.0);
        let varying = self.varying / self.rate;
        let variance = self.square / self.rate - (fixed + varying).powi(2);
        let scv = (variance / varying.powi(2)).max(0.0);
        let own = if varying > 0.0 { work * two_moments(scv) } else { work };
        let p95 = fixed + p95(own, &stalls);
        let met = RESOURCES.iter().zip(&self.parts);
        let met = met.filter_map(|(kind, seconds)| seconds.map(|s| (*kind, s / self.rate)));
        let mut parts = Vec::with_capacity(KINDS);
        parts.extend(met);
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        let work = self.work.work();
        Some(ClassPrediction {
            name: work.to_string(),
            work,
            mean: Interval::exact(mean),
            p95: Interval::exact(p95),
            throughput: self.rate,
            least: self.least / self.rate,
            rate: self.transfer.then(|| self.sent / self.time),
            parts,
            simulated: None,
        })
    }
}

fn classes(plant: &Plant<'_>, load: &Load, pieces: &[Piece<'_>], state: &State) -> Vec<ClassPrediction> {
    let mut sums: Vec<Sum<'_>> = Vec::with_capacity(pieces.len());
    // Of the call before, which other servers may share.
    let mut last = None;
    let mut late = state.late.iter().peekable();
    for (at, (piece, wait)) in pieces.iter().zip(&state.waits).enumerate() {
        let call = (piece.group, piece.call);
        let (index, is_transfer) = match last {
            Some((before, index, is_transfer)) if before == call => (index, is_transfer),
            _ => {
                let work = Key::of_piece(load, piece);
                let known = sums.iter().position(|sum| sum.work == work);
                if known.is_none() {
                    sums.push(Sum::of(work));
                }
                let index = known.unwrap_or(sums.len() - 1);
                (index, piece.command.kind == "transfer")
            }
        };
        last = Some((call, index, is_transfer));
        let sum = &mut sums[index];
        let rate = state.rates[piece.group] * piece.weight;
        *sum.part(ResourceKind::Lock) += rate * wait;
        let wake = state.wakes[piece.server];
        *sum.part(ResourceKind::Processor) += rate * wake;
        let (mut fixed, mut varying, mut of_ios) = (wake, 0.0, 0.0);
        for (k, demand) in piece.waited().iter() {
            let seconds = demand * state.stretch[piece.group][k];
            let kept = if plant.is_fixed(k) { &mut fixed } else { &mut varying };
            *kept += seconds;
            if let Some(io) = plant.one_io(k) {
                of_ios += seconds.powi(2) * io.scv_of(demand * plant.split_servers(k));
            }
            *sum.part(plant.kind(k)) += rate * seconds;
        }
        while let Some(late) = late.next_if(|late| late.piece == at) {
            varying += late.seconds;
            *sum.part(plant.kind(late.station)) += rate * late.seconds;
        }
        sum.rate += rate;
        sum.time += rate * (wait + fixed + varying);
        sum.fixed += rate * fixed;
        sum.varying += rate * varying;
        let variance = piece.size_scv * varying.powi(2) + of_ios;
        sum.square += rate * ((fixed + varying).powi(2) + variance);
        for stall in &state.stalls[at] {
            let stall = Stall { likely: rate * stall.likely, holder: None, ..*stall };
            percentile::add(&mut sum.stalls, stall);
        }
        sum.sent += rate * piece.cost.sent;
        sum.least += rate * least(plant, load, piece);
        sum.transfer |= is_transfer;
    }
    sums.iter().filter_map(Sum::told).collect()
}

/// What the office's round trip, and the command's bytes on the slower of line and network, take alone \[s\].
fn least(plant: &Plant<'_>, load: &Load, piece: &Piece<'_>) -> f64 {
    let all = piece.cost.total();
    let links = all.iter().filter(|(k, _)| plant.is_link(*k));
    let slowest = links.map(|(k, seconds)| seconds / plant.servers(k));
    let slowest = slowest.fold(0.0, f64::max);
    // An edge answers beside its people.
    let remote = load.groups[piece.group].remote.as_ref();
    let trip = remote.filter(|_| piece.server == 0);
    trip.map_or(0.0, |remote| remote.round_trip) + slowest
}

/// Where a lock is held all the time, all who want it wait (arrivals see time averages): what waits there most of its time has no
/// 95th percentile below its mean, as a mixture with few that wait would.
fn wait_for_full_locks(classes: &mut [ClassPrediction], state: &State) {
    const FULL: f64 = 0.99;
    if state.locks.iter().all(|lock| lock.utilization < FULL) {
        return;
    }
    for class in classes {
        let parts = class.parts.iter();
        let mut locks = parts.filter(|(kind, _)| *kind == ResourceKind::Lock);
        if locks.any(|(_, seconds)| 2.0 * seconds > class.mean.value) {
            class.p95 = Interval::exact(class.p95.value.max(class.mean.value));
        }
    }
}

/// Long holds of locks, those that cost most waiting first.
fn long_holds(load: &Load, pieces: &[Piece<'_>], state: &State) -> Vec<LongHold> {
    let rate = |piece: &Piece<'_>| state.rates[piece.group] * piece.weight;
    let mut found: Vec<(f64, LongHold)> = Vec::new();
    for (holder, lock, long) in &state.long {
        // By kind of work: commands a second, and those of them that meet such a hold.
        let mut met: Vec<(Work, f64, f64)> = Vec::new();
        let mut cost = 0.0;
        for (piece, stalls) in pieces.iter().zip(&state.stalls) {
            let work = Key::of_piece(load, piece).work();
            if work.clients == Clients::LiveCheckpoints {
                continue;
            }
            let stalls = stalls.iter().filter(|stall| stall.holder == Some(long.kind));
            let (likely, waited) = stalls.fold((0.0, 0.0), |(likely, waited), stall| {
                (likely + stall.likely, waited + stall.likely * stall.wait)
            });
            cost += rate(piece) * waited;
            let known = met.iter_mut().find(|(known, ..)| *known == work);
            if let Some((_, all, meet)) = known {
                *all += rate(piece);
                *meet += rate(piece) * likely;
            } else {
                met.push((work, rate(piece), rate(piece) * likely));
            }
        }
        let met = met.into_iter().filter(|(_, all, meet)| *all > 0.0 && *meet > 0.0);
        let mut met_by: Vec<(Work, f64)> = met.map(|(work, all, meet)| (work, (meet / all).min(1.0))).collect();
        met_by.sort_by(|a, b| b.1.total_cmp(&a.1));
        let hold = LongHold {
            holder: Key::of_piece(load, &pieces[*holder]).work(),
            files: load.groups[pieces[*holder].group].calls[pieces[*holder].call].files,
            lock: lock.clone(),
            hold: long.hold,
            rate: long.rate,
            met_by,
        };
        found.push((cost, hold));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, hold)| hold).collect()
}

/// A kind of work, as its pieces have it: owned only once it is reported.
#[derive(Clone, Copy, PartialEq)]
struct Key<'l> {
    clients: &'l Clients,
    response: Option<Response>,
    /// The command, where that is the kind of work: in the background.
    background: Option<&'l str>,
}

impl<'l> Key<'l> {
    fn of_piece(load: &'l Load, piece: &Piece<'_>) -> Self {
        let group = &load.groups[piece.group];
        let id = &group.calls[piece.call].command;
        Self::of(&group.clients, piece.command.response, id)
    }

    fn of(clients: &'l Clients, response: Option<Response>, command: &'l str) -> Self {
        Self { clients, response, background: response.is_none().then_some(command) }
    }

    fn work(&self) -> Work {
        Work::new(self.clients, self.response, self.background.unwrap_or_default())
    }
}
