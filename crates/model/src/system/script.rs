//! The script of one command as steps of the simulator.
//!
//! Knows what is done one after the other, at the same time, under which locks and after all else; not who comes how
//! often, nor how sizes vary ([`super::process`]).

use super::cost::{Act, Cost, ROUNDING, Section};
use super::piece::Piece;
use super::plant::{Demand, ResourceKind};
use super::process::Builder;
use crate::sim::{Distribution, Mode, Step};
use crate::workload::Group;

/// Squared coefficient of variation of the I/Os of a step below which they take the same time each time.
const SCV_LEAST: f64 = 0.01;
/// Seconds of work for later that are not left to one server of a station.
pub(super) const SPREAD: f64 = 1.0;

impl Builder<'_, '_> {
    /// The steps of one command on one instance.
    pub(super) fn script(&self, group: &Group, piece: &Piece, instance: usize) -> Vec<Step> {
        let cost = &piece.cost;
        let threads = group.threads.round().max(1.0) as u32;
        let mut body = Vec::new();
        let mut held = Vec::new();
        // The steps before a section that is taken in batches, while its own are collected.
        let mut outside: Option<(u32, Vec<Step>)> = None;
        let mut links: Vec<Vec<Step>> = Vec::new();
        for act in &cost.script {
            match act {
                Act::Meanwhile(demand) => {
                    let each = demand.iter().map(|(k, seconds)| vec![self.serve(k, seconds)]);
                    links.extend(each);
                }
                Act::Work(demand) => {
                    let work = if let Some((times, _)) = &outside {
                        self.work(cost, demand, 1.0 / f64::from(*times), |_| true)
                    } else {
                        let threads = if held.is_empty() { threads } else { 1 };
                        self.by_threads(cost, demand, threads)
                    };
                    if links.is_empty() {
                        body.extend(work);
                    } else {
                        links.push(work);
                        body.push(Step::Fork(std::mem::take(&mut links)));
                    }
                }
                Act::Enter(section) => {
                    let times = cost.sections[*section].times;
                    if times > 1.0 {
                        outside = Some((times as u32, std::mem::take(&mut body)));
                    }
                    let taken = self.tables(cost, &cost.sections[*section], instance);
                    held = taken.iter().map(|(lock, _)| *lock).collect();
                    if !taken.is_empty() {
                        body.push(Step::Lock(taken));
                    }
                }
                Act::Leave => {
                    if !held.is_empty() {
                        body.push(Step::Unlock(std::mem::take(&mut held)));
                    }
                    if let Some((times, before)) = outside.take() {
                        let batch = std::mem::replace(&mut body, before);
                        body.push(Step::Batches { times, body: batch });
                    }
                }
            }
        }
        body.extend(links.into_iter().flatten());
        body.extend(self.later(cost));
        body
    }

    /// A command's work, which so many threads share where they can.
    fn by_threads(&self, cost: &Cost<'_>, demand: &Demand, threads: u32) -> Vec<Step> {
        if threads == 1 {
            return self.work(cost, demand, 1.0, |_| true);
        }
        let shared = |k: usize| self.plant.is_shared_by_threads(k);
        let thread = self.work(cost, demand, 1.0 / f64::from(threads), shared);
        let mut work = vec![Step::Fork(vec![thread; threads as usize])];
        work.extend(self.work(cost, demand, 1.0, |k| !shared(k)));
        work
    }

    /// A share of a command's work at some of the stations, one after the other. Where calls have their slots until the
    /// array is done, both are waited for.
    fn work(&self, cost: &Cost<'_>, demand: &Demand, share: f64, at: impl Fn(usize) -> bool) -> Vec<Step> {
        let held = self.held(cost, demand, share, &at);
        if held.is_empty() {
            return self.one_after_the_other(cost, demand, share, at);
        }
        let slots = |k: usize| self.plant.kind(k) == ResourceKind::Slots;
        let mut work = self.one_after_the_other(cost, demand, share, |k| at(k) && slots(k));
        let array = self.one_after_the_other(cost, demand, share, |k| at(k) && !slots(k));
        let mut branches = vec![array];
        branches.extend(held.into_iter().map(|step| vec![step]));
        work.push(Step::Fork(branches));
        work
    }

    /// What is held while a share of a command's work is done: of all that the command holds, in proportion to the time
    /// at stores, and never longer than that, so that on an idle server nobody waits for it.
    fn held(&self, cost: &Cost<'_>, demand: &Demand, share: f64, at: impl Fn(usize) -> bool) -> Vec<Step> {
        if cost.held().is_empty() {
            return Vec::new();
        }
        let here = demand.iter().filter(|(k, _)| at(*k));
        let (here, all) = (self.at_stores(here), self.at_stores(cost.total().iter()));
        if here <= 0.0 {
            return Vec::new();
        }
        let held = cost.held().iter();
        let held = held.filter(|(k, _)| !self.plant.is_part(*k));
        held.map(|(station, seconds)| {
            let seconds = self.unsplit(station, seconds).min(all) * here / all;
            self.serve_unsplit(station, seconds * share)
        })
        .collect()
    }

    /// Seconds at disks, ports and the ways to them.
    fn at_stores(&self, demand: impl Iterator<Item = (usize, f64)>) -> f64 {
        let is_store = |k: usize| {
            matches!(
                self.plant.kind(k),
                ResourceKind::StorageNetwork
                    | ResourceKind::Connections
                    | ResourceKind::Disks
                    | ResourceKind::Stream
                    | ResourceKind::Ports
            )
        };
        let there = demand.filter(|(k, _)| is_store(*k));
        there.map(|(_, seconds)| seconds).sum()
    }

    /// A share of a command's work at some of the stations, one after the other.
    fn one_after_the_other(
        &self,
        cost: &Cost<'_>,
        demand: &Demand,
        share: f64,
        at: impl Fn(usize) -> bool,
    ) -> Vec<Step> {
        let work = demand.iter().filter(|(k, _)| at(*k) && !self.plant.is_part(*k));
        work.map(|(station, seconds)| {
            let own = self.serve(station, seconds * share);
            let beside = cost.beside().get(station) / cost.total().get(station);
            if beside > 0.0 {
                // The other disks of a stripe work at the same time, and all are waited for.
                // None of them has more to do than the first, so that it is not they who are waited for.
                let others = (beside * (1.0 - ROUNDING)).ceil();
                let other = self.serve(station, seconds * share * beside / others);
                let mut branches = vec![vec![other]; others as usize];
                branches.push(vec![own]);
                Step::Fork(branches)
            } else {
                own
            }
        })
        .collect()
    }

    fn serve(&self, station: usize, seconds: f64) -> Step {
        self.serve_unsplit(station, self.unsplit(station, seconds))
    }

    /// Seconds at all servers of a station, where its share of them is that of one that was split.
    fn unsplit(&self, station: usize, seconds: f64) -> f64 {
        seconds * self.plant.split_servers(station)
    }

    fn serve_unsplit(&self, station: usize, seconds: f64) -> Step {
        if let Some(bulk) = self.bulks.iter().position(|commits| *commits == station) {
            return self.commit(bulk, station, seconds);
        }
        let service = match self.plant.one_io(station) {
            // What many make varies by less than a tenth.
            Some(io) if seconds > 0.0 && io.scv_of(seconds) > SCV_LEAST => {
                Distribution::Lognormal { mean: seconds, scv: io.scv_of(seconds) }
            }
            _ => Distribution::Constant(seconds),
        };
        if self.plant.is_fixed(station) { Step::Fixed { station, service } } else { Step::Serve { station, service } }
    }

    /// A commit together with all who wait, and the drive that its flush occupies.
    fn commit(&self, bulk: usize, station: usize, seconds: f64) -> Step {
        let serve = |station, seconds| Step::Serve { station, service: Distribution::Constant(seconds) };
        let own = serve(station, seconds);
        let body = match self.plant.arms.get(&station) {
            Some(arm) => {
                let drive = serve(arm.disks, seconds * arm.share);
                vec![Step::Fork(vec![vec![own], vec![drive]])]
            }
            None => vec![own],
        };
        Step::Bulk { bulk, body }
    }

    /// What nobody waits for. Much of it is spread over all servers of a station: a cache is destaged to all disks at once.
    fn later(&self, cost: &Cost<'_>) -> Vec<Step> {
        let at_stores = self.at_stores(cost.total().iter()) * (1.0 + ROUNDING);
        let later = cost.later().iter().filter_map(|(station, all)| {
            // What is held for longer than the client is at stores.
            let held = self.unsplit(station, cost.held().get(station));
            let held = (held - at_stores).max(0.0) / self.plant.split_servers(station);
            let seconds = cost.left_for_later(station, all) + held;
            let remains = seconds > 0.0 && !self.plant.is_part(station);
            remains.then_some((station, seconds))
        });
        let (spread, serial): (Vec<_>, Vec<_>) = later.partition(|(_, s)| *s > SPREAD);
        let serial: Vec<Step> = serial.into_iter().map(|(k, s)| self.serve(k, s)).collect();
        let mut spawned = Vec::new();
        if !serial.is_empty() {
            spawned.push(Step::Spawn(serial));
        }
        for (station, seconds) in spread {
            let servers = self.plant.servers(station).round().max(1.0);
            let part = Step::Spawn(vec![self.serve(station, seconds / servers)]);
            spawned.extend(std::iter::repeat_n(part, servers as usize));
        }
        spawned
    }

    /// The locks of a section in their order, without those that nobody takes alone.
    fn tables(&self, cost: &Cost<'_>, section: &Section, instance: usize) -> Vec<(usize, Mode)> {
        let tables = self.order.tables(cost, section).into_iter();
        tables
            .filter_map(|(table, exclusive)| {
                let lock = self.locks.get(&(instance, table))?;
                let mode = if exclusive { Mode::Exclusive } else { Mode::Shared };
                Some((*lock, mode))
            })
            .collect()
    }
}
