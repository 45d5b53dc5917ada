//! What a result says about the model's numbers: figures that the calibration blends.
//!
//! Each is a sum that `formulas` makes of one test. What was not measured, or is not believed, is left out and
//! told.

use std::collections::{BTreeMap, BTreeSet};

use super::BenchError;
use super::formulas::{PACKING, formulas};
use super::result::Measured;
use super::standing::Standing;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::experiment::{Experiments, Formula, Head, Measurement};
use crate::origin;
use crate::posterior::{EntryKind, Free, NumberId};

/// A measurement that the calibration can blend, and what to say about it.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Figures and the numbers that they set free.
    pub measurement: Measurement,
    /// Which entries of the catalogue the volume is.
    pub standing: Standing,
    /// What was left out, and why.
    pub left_out: Vec<String>,
    /// How the ids of its figures and numbers begin: day and place.
    pub prefix: String,
}

/// One-sigma error of the logarithm of a number of hardware that nobody measured: volumes of a kind differ by
/// a factor of three either way.
const PRIOR: f64 = 1.1;
/// The same of how much a volume does at once, from one disk to a shelf of flash.
const PRIOR_PARALLEL: f64 = 2.0;
impl Evidence {
    /// Of a result, on the volume that `standing` names.
    pub fn of(
        measured: &Measured,
        standing: Standing,
        (catalog, calibration): (&Catalog, &Calibration),
        fingerprint: u64,
    ) -> Result<Self, BenchError> {
        let (formulas, left_out) = formulas(measured, &standing, (catalog, calibration));
        if formulas.is_empty() {
            let mut reason = "the result has no measurement that the model uses".to_owned();
            for why in &left_out {
                reason += "; ";
                reason += why;
            }
            return Err(BenchError::Input(reason));
        }
        let numbers = formulas.iter().flat_map(Formula::numbers);
        let used = numbers.map(|n| (n.id.clone(), n.used.clone())).collect();
        let mut free = free(&formulas, &standing, measured);
        free.extend(speed(&formulas, &standing, (measured, catalog)));
        free.extend(packing(&formulas, measured, calibration));
        let experiments = Experiments::of_formulas(formulas);
        Ok(Self {
            measurement: Measurement {
                head: head(measured),
                experiments,
                free,
                used,
                fingerprint,
                lines: BTreeMap::new(),
            },
            standing,
            left_out,
            prefix: id(measured, ""),
        })
    }
}

fn head(measured: &Measured) -> Head {
    let machine = &measured.environment.host.virtualization;
    let maker = [machine.vendor.as_deref(), machine.product.as_deref()];
    let maker: Vec<&str> = maker.into_iter().flatten().collect();
    Head {
        title: format!("Microbenchmark of {}", measured.folder),
        who: format!("plimsoll bench {}", measured.tool),
        when: day(measured).to_owned(),
        place: if maker.is_empty() { "a machine of unknown make".to_owned() } else { maker.join(" ") },
        hardware: measured.environment.summary(),
    }
}

fn day(measured: &Measured) -> &str {
    measured.when.split('T').next().unwrap_or_default()
}

/// The id of a figure: when, where and which test, in letters that an id may have.
pub(super) fn id(measured: &Measured, test: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || " -_.".contains(c) { c } else { '-' }
    };
    let folder: String = measured.folder.trim_matches('/').chars().map(plain).collect();
    let day: String = day(measured).chars().map(plain).collect();
    origin::Measurement::of_test(&day, &folder, test).to_string()
}

/// The id of the free parameter that scales a number of the measured hardware.
fn id_of(measured: &Measured, number: &NumberId) -> String {
    let name = match number {
        NumberId::Parameter(_) => number.to_string(),
        // An id has no slash.
        NumberId::Entry { kind, entry, key } => format!("{} {entry}.{key}", kind.folder()),
    };
    id(measured, &name)
}

/// The speed of the processor that measured, if it was: its family's instructions per clock stand for the clock as well.
fn speed(formulas: &[Formula], standing: &Standing, (measured, catalog): (&Measured, &Catalog)) -> Option<Free> {
    let family = standing.processor.as_ref()?;
    let ours = EntryKind::Processor.number(family, "ipc");
    let mut numbers = formulas.iter().flat_map(Formula::numbers);
    numbers.find(|number| number.id == ours)?;
    let processor = &catalog.processors[family];
    Some(Free {
        id: id_of(measured, &ours),
        title: format!("speed of the processor that measured, as {ours}"),
        prior: processor.ipc.spread.hypot(processor.clock.spread),
        why: "what instructions per clock and the typical clock of the family err by".to_owned(),
        scales: vec![ours],
        own: true,
    })
}

/// The times of a byte of packed text, if they were measured.
fn packing(formulas: &[Formula], measured: &Measured, calibration: &Calibration) -> Vec<Free> {
    let told = PACKING.into_iter().filter_map(|(_, id)| {
        let ours = NumberId::parameter(id);
        let mut numbers = formulas.iter().flat_map(Formula::numbers);
        numbers.find(|number| number.id == ours)?;
        let parameter = calibration.parameter(id)?;
        Some(Free {
            id: id_of(measured, &ours),
            title: parameter.title.clone(),
            prior: parameter.value.spread,
            why: "what the parameter errs by where nobody measured it".to_owned(),
            scales: vec![ours],
            own: true,
        })
    });
    told.collect()
}

/// The numbers that the figures set free: those of the measured hardware, each once.
fn free(formulas: &[Formula], standing: &Standing, measured: &Measured) -> Vec<Free> {
    let ours = [
        (EntryKind::Medium, &standing.medium),
        (EntryKind::Array, &standing.array),
        (EntryKind::Filesystem, &standing.filesystem),
        (EntryKind::Network, &standing.network),
        (EntryKind::Protocol, &standing.protocol),
    ];
    // Constants of the host and of the wire are known better than a volume shows them.
    let known = ["command_overhead", "read_efficiency", "bandwidth", "front_end"];
    let prior = |number: &NumberId| match number {
        NumberId::Entry { kind, entry, key }
            if ours.contains(&(*kind, &Some(entry.clone()))) && !known.contains(&key.as_str()) =>
        {
            let many = key == "parallelism";
            Some(if many { PRIOR_PARALLEL } else { PRIOR })
        }
        _ => None,
    };
    let numbers = formulas.iter().flat_map(Formula::numbers);
    let numbers: BTreeSet<&NumberId> = numbers.map(|number| &number.id).collect();
    let free = numbers.into_iter().filter_map(|number| {
        Some(Free {
            id: id_of(measured, number),
            title: format!("{number} of the measured volume"),
            prior: prior(number)?,
            why: "volumes of a kind differ by a factor of three either way, and in parallelism by ten".to_owned(),
            scales: vec![number.clone()],
            own: true,
        })
    });
    free.collect()
}
