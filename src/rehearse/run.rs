//! A rehearsal from its begin to its end: probes, data, units, prediction, load; everything is removed, whatever happened.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::answer::{
    ClientsHost, Environment, KIND, KindOfWork, Named, Rehearsed, SCHEMA, Utilised,
};
use super::drive::{Driven, Stage, drive};
use super::field::Field;
use super::judged::{Judged, judge};
use super::machine::{Link, Machine, OnDevice};
use super::meter::{Busy, Interfaces, Meter};
use super::plan::Plan;
use super::probes::{Volume, probe, row_time};
use super::processor::Burner;
use super::remote::Away;
use super::summary;
use super::units::{self, Costs, Counted, Units};
use crate::bench::environment::{self, Roots, busy};
use crate::bench::ground::{Ground, failure};
use crate::bench::{BenchError, Measured, Place};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::units::{Bytes, BytesPerSecond};

/// The folders of a layout, each of which may be measured; the same folder may have several roles.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Where db, journal and depot lie, by their place in [`Self::places`].
    pub roles: [usize; 3],
    /// The folders.
    pub places: Vec<Place>,
}

/// The words for the roles, in their order.
pub(super) const ROLES: [&str; 3] = ["db", "journal", "depot"];
/// How much later than its due time a stream may end, as a share of what was due, and still keep up.
const BEHIND_MAX: f64 = 0.05;
/// Commands that must be done, as a share of what is planned if responses took no time: below it clients wait for longer than
/// they think.
const DONE_LEAST: f64 = 0.5;

impl Layout {
    /// The folders of db, journal and depot in `DIR`, or `db=DIR1,journal=DIR2,depot=DIR3`.
    pub fn folders(text: &str) -> Result<Vec<PathBuf>, BenchError> {
        let refused = |reason: String| BenchError::Refused(format!("--at {reason}"));
        let shown = crate::diag::quoted(text);
        let mut paths: [Option<PathBuf>; 3] = [None, None, None];
        let is_map = ROLES.iter().any(|role| {
            text.split(',')
                .any(|part| part.starts_with(&format!("{role}=")))
        });
        if is_map {
            for part in text.split(',') {
                let found = part
                    .split_once('=')
                    .and_then(|(role, path)| Some((ROLES.iter().position(|r| *r == role)?, path)));
                let Some((role, path)) = found.filter(|(_, path)| !path.is_empty()) else {
                    return Err(refused(format!(
                        "{shown}: write db=DIR1,journal=DIR2,depot=DIR3, or one folder for all"
                    )));
                };
                if paths[role].replace(PathBuf::from(path)).is_some() {
                    return Err(refused(format!("{shown}: {} is there twice", ROLES[role])));
                }
            }
        } else {
            paths = [(); 3].map(|()| Some(PathBuf::from(text)));
        }
        let folders = paths.into_iter().zip(ROLES);
        folders
            .map(|(path, role)| {
                path.ok_or_else(|| refused(format!("{shown}: {role} has no folder")))
            })
            .collect()
    }

    /// The same as places that may be measured, where `keep` bytes stay free.
    pub fn parse(text: &str, keep: Option<u64>) -> Result<Self, BenchError> {
        let mut layout = Self {
            roles: [0; 3],
            places: Vec::new(),
        };
        for (role, path) in Self::folders(text)?.into_iter().enumerate() {
            let place = Place::of(&path, keep)?;
            let known = layout.places.iter().position(|p| p.path == place.path);
            layout.roles[role] = known.unwrap_or(layout.places.len());
            if known.is_none() {
                layout.places.push(place);
            }
        }
        Ok(layout)
    }

    /// Whether the plan's bytes fit.
    pub fn has_room_for(&self, plan: &Plan) -> Result<(), BenchError> {
        let bytes = plan.bytes();
        let mut by_device: BTreeMap<String, (u64, &Place)> = BTreeMap::new();
        for (role, place) in self.roles.iter().enumerate() {
            let place = &self.places[*place];
            let sum = by_device.entry(device(place)).or_insert((0, place));
            sum.0 += bytes[role];
        }
        by_device
            .values()
            .try_for_each(|(bytes, place)| place.has_room_for(*bytes))
    }
}

/// The device below a folder, or what stands for one: its filesystem.
fn device(place: &Place) -> String {
    let environment = environment::Environment::of(&place.path).ok();
    let name = environment.as_ref().and_then(|e| {
        e.device
            .as_ref()
            .map(|device| device.name.clone())
            .or_else(|| {
                let mount = e.mount.as_ref()?;
                Some(format!("{} {}", mount.filesystem, mount.point))
            })
    });
    name.unwrap_or_else(|| place.path.to_string_lossy().into_owned())
}

/// What goes on, and the share of it that is done.
pub struct Progress<'a> {
    /// Called now and then.
    pub tell: &'a mut dyn FnMut(&str, f64),
}

/// Rehearses a plan on a layout. Whatever happens, nothing of it stays.
pub fn rehearse(
    site: &Site,
    plan: &mut Plan,
    (catalog, calibration): (&Catalog, &Calibration),
    layout: &Layout,
    stop: &AtomicBool,
    progress: &mut Progress<'_>,
) -> Result<Rehearsed, BenchError> {
    let cores = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
    layout.has_room_for(plan)?;
    let (when, odd_clock) = crate::bench::timestamp();
    let mut warnings: Vec<String> = odd_clock.into_iter().collect();
    let mut away = away(plan, stop, progress)?;
    let link = away.as_ref().and_then(|away| Link::of(&away.known.network));
    take_in(plan, link);
    warnings.extend(warned(layout, stop));
    let probes = probe_all(plan, layout, stop, progress)?;
    note_exports(plan, &probes);
    let row = probes.first().and_then(row_time);
    let wanted = Units::wanted(calibration, row).ok_or_else(|| {
        BenchError::Failed("the calibration lacks a cost of the processor".to_owned())
    })?;
    let ran = on_fresh_grounds(plan, (layout, away.as_mut()), wanted, stop, progress)?;
    (progress.tell)("solve and simulate the same on the model", 1.0);
    let devices: Vec<String> = layout
        .roles
        .iter()
        .map(|r| device(&layout.places[*r]))
        .collect();
    let volumes = on_devices(layout, &devices, &probes);
    let library = (catalog, calibration);
    let machine = Machine::of(plan, library, (&volumes, link), (&ran.costs, cores));
    let judged = judge(plan, &machine.map_err(BenchError::Input)?, stop);
    if stop.load(Ordering::Relaxed) {
        return Err(BenchError::Interrupted);
    }
    let around = Circumstances {
        when,
        warnings,
        layout,
        devices,
        probes,
        clients: away.map(|away| away.close(stop)),
        cores,
        judged,
    };
    Ok(ran.answer(site, plan, around))
}

/// The clients' host, where there is one.
fn away(
    plan: &Plan,
    stop: &AtomicBool,
    progress: &mut Progress<'_>,
) -> Result<Option<Away>, BenchError> {
    let Some(clients) = &plan.settings.clients else {
        return Ok(None);
    };
    Away::check(plan)?;
    Away::open(&clients.address, stop, progress.tell).map(Some)
}

/// No client takes content faster than one connection carries it.
fn take_in(plan: &mut Plan, link: Option<Link>) {
    let Some(link) = link else {
        return;
    };
    if link.rate_of_one < plan.load.client_rate {
        plan.load.client_rate = link.rate_of_one;
        plan.notes.push(format!(
            "one connection to the clients' host carries {}, less than workload.client_rate: clients take content no faster",
            BytesPerSecond::new(link.rate_of_one)
        ));
    }
}

/// What is to know of the volumes and this host before the numbers are believed.
fn warned(layout: &Layout, stop: &AtomicBool) -> Vec<String> {
    let places = layout.places.iter();
    let mut warnings: Vec<String> = places.flat_map(|place| place.warnings.clone()).collect();
    if let Ok(environment) = environment::Environment::of(&layout.places[0].path) {
        warnings.extend(busy::warnings(&environment, &Roots::default(), stop));
    }
    warnings
}

fn note_exports(plan: &mut Plan, probes: &[Measured]) {
    let mut exports = probes
        .iter()
        .filter_map(|probe| probe.environment.filesystem());
    if exports.any(|kind| kind.starts_with("nfs") || kind == "cifs" || kind == "smb3") {
        plan.notes.push(
            "a volume is an export: the prediction has its probes, and none of the round trips of locks and opens, which the measurement has"
                .to_owned(),
        );
    }
}

/// Makes the folders, drives the load in them, and removes them, whatever happened.
fn on_fresh_grounds(
    plan: &Plan,
    (layout, away): (&Layout, Option<&mut Away>),
    wanted: (Units, f64),
    stop: &AtomicBool,
    progress: &mut Progress<'_>,
) -> Result<Ran, BenchError> {
    (progress.tell)("lay out the data", 0.0);
    let grounds: Vec<Ground> = layout
        .places
        .iter()
        .map(Ground::create)
        .collect::<Result<_, _>>()?;
    let ran = on_grounds(plan, (&grounds, layout, away), wanted, stop, progress);
    let mut removed = Ok(());
    for ground in grounds {
        let one = ground.remove();
        removed = removed.and(one);
    }
    // What went wrong while rehearsing says more than what went wrong after it.
    let ran = ran?;
    removed?;
    Ok(ran)
}

fn probe_all(
    plan: &Plan,
    layout: &Layout,
    stop: &AtomicBool,
    progress: &mut Progress<'_>,
) -> Result<Vec<Measured>, BenchError> {
    let places = layout.places.iter().enumerate();
    let each = places.map(|(number, place)| {
        probe(place, plan, number == 0, stop, &mut |now| {
            (progress.tell)(&format!("probe: {}", now.doing), now.done);
        })
    });
    each.collect()
}

fn on_devices(layout: &Layout, devices: &[String], probes: &[Measured]) -> Vec<OnDevice> {
    let mut volumes: Vec<OnDevice> = Vec::new();
    for (role, (place, device)) in layout.roles.iter().zip(devices).enumerate() {
        let known = volumes.iter_mut().find(|v| v.device == *device);
        if let Some(known) = known {
            known.roles.push(ROLES[role]);
        } else {
            volumes.push(OnDevice {
                roles: vec![ROLES[role]],
                device: device.clone(),
                volume: Volume::of(&probes[*place]),
            });
        }
        // The log lies beside the journal.
        if ROLES[role] == "journal"
            && let Some(with) = volumes.iter_mut().find(|v| v.device == *device)
        {
            with.roles.push("log");
        }
    }
    volumes
}

/// A load that was driven.
struct Ran {
    driven: Driven,
    costs: Costs,
    field: Arc<Field>,
    meter: Meter,
}

fn on_grounds(
    plan: &Plan,
    (grounds, layout, away): (&[Ground], &Layout, Option<&mut Away>),
    wanted: (Units, f64),
    stop: &AtomicBool,
    progress: &mut Progress<'_>,
) -> Result<Ran, BenchError> {
    let rooms = layout.roles.map(|place| grounds[place].room());
    let failed = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| failure(&what, &error)
    };
    let field = Field::create(plan, [&rooms[0], &rooms[1], &rooms[2]], stop)
        .map_err(failed("the data cannot be laid out"))?;
    (progress.tell)("calibrate the processor", 0.0);
    let burner = Burner::calibrated();
    let hits = (plan.db_hit, plan.depot_hit);
    let (counted, interfaces) = match &away {
        None => (Counted::Both, Interfaces::Loopback),
        Some(away) => (Counted::Server, away.interfaces()),
    };
    let (field, costs) = units::measure(field, &burner, wanted, (hits, counted))
        .map_err(failed("the units of work cannot be measured"))?;
    for ground in grounds {
        ground.is_in_place().map_err(failed("the rehearsal"))?;
    }
    let field = Arc::new(field);
    let meter = Meter::of(&layout.places.iter().collect::<Vec<_>>(), interfaces);
    let stage = Stage {
        plan,
        field: &field,
        burner: &burner,
        meter: &meter,
    };
    let mut tell = |done| (progress.tell)("rehearse", done);
    let driven = match away {
        None => drive(stage, stop, &mut tell).map_err(failed("the rehearsal"))?,
        Some(away) => away.drive(stage, stop, &mut tell)?,
    };
    Ok(Ran {
        driven,
        costs,
        field,
        meter,
    })
}

struct Circumstances<'a> {
    when: String,
    warnings: Vec<String>,
    layout: &'a Layout,
    devices: Vec<String>,
    probes: Vec<Measured>,
    clients: Option<ClientsHost>,
    cores: f64,
    judged: Judged,
}

impl Ran {
    fn answer(self, site: &Site, plan: &Plan, around: Circumstances<'_>) -> Rehearsed {
        let Driven {
            played,
            warm_up,
            end,
            readings: (first, last),
        } = &self.driven;
        let samples = &played.samples;
        let begin = summary::begin(plan, samples, (*warm_up, *end));
        let kinds = summary::kinds(plan, samples, (begin, *end), &around.judged);
        let saturated = is_saturated(&kinds, end - begin, (played.due, played.left));
        let busy = self.meter.between(first, last, around.cores);
        let clients = around.clients.map(|clients| ClientsHost {
            busy_fraction: played.busy_there,
            ..clients
        });
        let folder = |role: usize| {
            let place = &around.layout.places[around.layout.roles[role]];
            place.path.to_string_lossy().into_owned()
        };
        let mut notes = plan.notes.clone();
        notes.extend(around.judged.notes.clone());
        notes.push(
            "each unit of processor work is its real work and as much comparing and copying of rows as the model has for a core of \
             this speed: p4d's own instructions were not run"
                .to_owned(),
        );
        notes.extend(clients.as_ref().map(on_clients));
        let host = environment::Host::of(&Roots::default());
        Rehearsed {
            schema: SCHEMA,
            kind: KIND.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            when: around.when,
            site: site.name.clone(),
            load_ratio: plan.settings.load,
            scale_ratio: plan.scale,
            seed: plan.settings.seed,
            clients: plan.clients() as u64,
            warm_up_s: begin,
            measured_s: end - begin,
            verdict: summary::verdict(samples, (begin, *end)),
            saturated,
            predicted_saturated: around.judged.saturated.clone(),
            locked_by: plan.settings.by.title().to_owned(),
            notes,
            environment: Environment {
                host,
                db_folder: folder(0),
                journal_folder: folder(1),
                depot_folder: folder(2),
                devices: around.devices,
                cores: around.cores,
                processes: "threads of one process stand in place of p4d's processes".to_owned(),
                warnings: around.warnings,
                clients,
            },
            kinds,
            locks: summary::lock_waits(plan, &self.field.locks),
            utilised: busy.into_iter().map(utilised).collect(),
            predicted_utilised: around.judged.busy.iter().map(predicted).collect(),
            units: named(&self.costs),
            probes: around.probes,
        }
    }
}

/// What is to know of clients on another host.
fn on_clients(clients: &ClientsHost) -> String {
    /// Above it the clients' host is a part of what was measured.
    const BUSY: f64 = 0.7;
    let busy = clients.busy_fraction.filter(|busy| *busy > BUSY);
    let busy = busy.map_or_else(String::new, |busy| {
        format!(
            "; its processors were {} busy, and what clients waited for them counts as network",
            super::shown::percent(busy)
        )
    });
    format!(
        "responses were timed on the clients' host and their parts on this one: no clocks were compared{busy}"
    )
}

fn utilised(busy: Busy) -> Utilised {
    Utilised {
        name: busy.name,
        busy_fraction: busy.share,
        requests_per_s: busy.per_s,
        bytes_per_s: busy.bytes_per_s,
    }
}

fn predicted((name, share): &(String, f64)) -> Utilised {
    Utilised {
        name: name.clone(),
        busy_fraction: *share,
        requests_per_s: None,
        bytes_per_s: None,
    }
}

/// Whether work came faster than it was done: the stream fell behind, or clients waited for longer than they think.
fn is_saturated(kinds: &[KindOfWork], time: f64, (due, left): (u64, u64)) -> bool {
    let done: f64 = kinds
        .iter()
        .filter(|k| k.planned_per_s.is_some())
        .map(|k| k.measured_per_s)
        .sum();
    let planned: f64 = kinds.iter().filter_map(|k| k.planned_per_s).sum();
    let expected = planned * time;
    let chance = if expected > 0.0 {
        3.0 / expected.sqrt()
    } else {
        1.0
    };
    let is_behind = left as f64 > BEHIND_MAX * due as f64 + 3.0;
    is_behind || done < planned * (DONE_LEAST - chance)
}

fn named(costs: &Costs) -> Vec<Named> {
    let one = |name: &str, of: fn(&Units) -> f64| Named {
        name: name.to_owned(),
        model_s: of(&costs.wanted),
        real_s: of(&costs.real),
        measured_s: of(&costs.all),
    };
    vec![
        one("command", |u| u.command),
        one("row read", |u| u.row_read),
        one("row written", |u| u.row_write),
        one("byte moved", |u| u.byte),
    ]
}

impl Plan {
    /// Bytes in words, for messages.
    pub(super) fn bytes_in_words(&self) -> String {
        Bytes::new(self.bytes().iter().sum::<u64>() as f64).to_string()
    }
}
