//! A rehearsal from its begin to its end: probes, data, units, prediction, load; everything is removed, whatever happened.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::answer::Rehearsed;
use super::assembly::{Circumstances, Ran};
use super::drive::{Stage, drive};
use super::field::Field;
use super::judged::judge;
use super::layout::{Layout, ROLES};
use super::machine::{Machine, OnDevice};
use super::meter::Meter;
use super::plan::Plan;
use super::probes::{Volume, probe, row_time, wake_time};
use super::processor::Burner;
use super::units::{self, Costs, Units};
use crate::bench::environment::{Environment, Roots, busy};
use crate::bench::ground::{Ground, failure};
use crate::bench::{BenchError, Measured};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;

/// Rehearses a plan on a layout; `progress` gets what goes on and the share of it that is done.
/// Whatever happens, nothing of it stays.
pub fn rehearse(
    site: &Site,
    plan: &mut Plan,
    (catalog, calibration): (&Catalog, &Calibration),
    layout: &Layout,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Rehearsed, BenchError> {
    let cores = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
    layout.has_room_for(plan)?;
    let (when, odd_clock) = crate::bench::timestamp();
    let mut warnings: Vec<String> = odd_clock.into_iter().collect();
    warnings.extend(warned(layout, stop));
    let probes = probe_all(plan, layout, stop, progress)?;
    note_exports(plan, &probes);
    let row = probes.first().and_then(row_time);
    let wake = probes.first().and_then(wake_time).unwrap_or_default();
    let wanted = Units::wanted(calibration, row)
        .ok_or_else(|| BenchError::Failed("the calibration lacks a cost of the processor".to_owned()))?;
    let devices = layout.devices();
    let volumes = on_devices(layout, &devices, &probes);
    let library = (catalog, calibration);
    let plan = &*plan;
    let machine = |costs: &Costs| Machine::of(plan, library, &volumes, (costs, cores, wake));
    let ran = on_fresh_grounds((plan, wanted), layout, stop, progress)?;
    progress("solve and simulate the same on the model", 1.0);
    let judged = judge(plan, &machine(&ran.costs).map_err(BenchError::Input)?, stop);
    if stop.load(Ordering::Relaxed) {
        return Err(BenchError::Interrupted);
    }
    let around = Circumstances { when, warnings, layout, devices, probes, cores, judged };
    Ok(ran.answer(site, plan, around))
}

/// What is to know of the volumes and this host before the numbers are believed.
fn warned(layout: &Layout, stop: &AtomicBool) -> Vec<String> {
    let places = layout.places.iter();
    let mut warnings: Vec<String> = places.flat_map(|place| place.warnings.clone()).collect();
    if let Ok(environment) = Environment::of(&layout.places[0].path) {
        warnings.extend(busy::warnings(&environment, &Roots::default(), stop));
    }
    warnings
}

fn note_exports(plan: &mut Plan, probes: &[Measured]) {
    let mut exports = probes.iter().filter_map(|probe| probe.environment.filesystem());
    if exports.any(|kind| kind.starts_with("nfs") || kind == "cifs" || kind == "smb3") {
        plan.notes.push(
            "a volume is an export: the prediction has its probes, and none of the round trips of locks and opens, which the measurement has"
                .to_owned(),
        );
    }
}

/// Makes the folders, drives the load in them, and removes them, whatever happened.
fn on_fresh_grounds(
    prepared: (&Plan, (Units, f64)),
    layout: &Layout,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Ran, BenchError> {
    progress("lay out the data", 0.0);
    let grounds: Vec<Ground> = layout.places.iter().map(Ground::create).collect::<Result<_, _>>()?;
    let ran = on_grounds(prepared, (&grounds, layout), stop, progress);
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
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Vec<Measured>, BenchError> {
    let places = layout.places.iter().enumerate();
    let each = places.map(|(number, place)| {
        probe(place, plan, number == 0, stop, &mut |now| {
            progress(&format!("probe: {}", now.doing), now.done);
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

fn on_grounds(
    (plan, wanted): (&Plan, (Units, f64)),
    (grounds, layout): (&[Ground], &Layout),
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&str, f64),
) -> Result<Ran, BenchError> {
    let rooms = layout.roles.map(|place| grounds[place].room());
    let failed = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| failure(&what, &error)
    };
    let field =
        Field::create(plan, [&rooms[0], &rooms[1], &rooms[2]], stop).map_err(failed("the data cannot be laid out"))?;
    progress("calibrate the processor", 0.0);
    let burner = Burner::calibrated();
    let hits = (plan.db_hit, plan.depot_hit);
    let (field, costs) =
        units::measure(field, &burner, wanted, hits).map_err(failed("the units of work cannot be measured"))?;
    for ground in grounds {
        ground.is_in_place().map_err(failed("the rehearsal"))?;
    }
    let field = Arc::new(field);
    let meter = Meter::of(&layout.places);
    let stage = Stage { plan, field: &field, burner: &burner, meter: &meter };
    let all = plan.settings.warm_up + plan.settings.measure;
    let mut tell = |past: Duration| {
        progress("rehearse", (past.as_secs_f64() / all.as_secs_f64()).min(1.0));
    };
    let driven = drive(stage, stop, &mut tell).map_err(failed("the rehearsal"))?;
    Ok(Ran { driven, costs, field, meter })
}
