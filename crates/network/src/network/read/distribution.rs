//! Distributions: a text is an exponential mean; a table says mean and scv, or a shape.

use crate::diag::quoted;
use crate::document::{Item, Limits, Located, Reader};
use crate::sim::Distribution;
use crate::units::{Bytes, Quantity as _, Seconds};

/// Times that a network can have.
pub(super) const TIME: Limits<Seconds> =
    Limits { low: Seconds::ZERO, high: Seconds::new(1e10), why: "times are from nothing to some three hundred years" };

const SHAPES: [&str; 7] = ["constant", "exponential", "erlang", "hyperexponential", "coxian", "uniform", "lognormal"];

/// How the amounts of a distribution are written.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// As times.
    Time,
    /// As sizes, which take a second for so many bytes.
    Bytes(f64),
    /// As a factor: its mean is 1.
    Factor,
}

/// A distribution of times \[s\]: a text or a table.
pub(super) fn distribution(item: &Item<'_>, unit: Unit) -> Option<Distribution> {
    if item.is_text() && !matches!(unit, Unit::Factor) {
        let mean = amount(item, unit)?;
        return Some(if mean > 0.0 { Distribution::Exponential { mean } } else { Distribution::Constant(0.0) });
    }
    if !item.is_table() {
        item.wrong(match unit {
            Unit::Time => "a time such as \"5 ms\", or a table such as { mean = \"5 ms\", scv = 4 }",
            Unit::Bytes(_) => "a size such as \"2 MiB\", or a table such as { mean = \"2 MiB\", scv = 4 }",
            Unit::Factor => "a table such as { scv = 4 }",
        });
        return None;
    }
    let reader = item.table()?;
    let before = item.diagnostics().count();
    let shape = reader.word("shape", &SHAPES);
    let found = match shape.map(|s| s.value) {
        None if reader.item("shape").is_some() => None,
        None => by_moments(&reader, unit),
        Some(shape) => of_shape(&reader, shape, unit),
    };
    // Keys of a shape that is not known would be called unknown.
    if item.diagnostics().count() == before {
        reader.finish();
    }
    found
}

/// One amount in the unit, at most three hundred years.
fn amount(item: &Item<'_>, unit: Unit) -> Option<f64> {
    let seconds = match unit {
        Unit::Time => item.quantity::<Seconds>()?.value.get(),
        Unit::Bytes(rate) => item.quantity::<Bytes>()?.value.base() / rate,
        Unit::Factor => item.number()?.value,
    };
    if seconds == 0.0 || (1e-15..=TIME.high.get()).contains(&seconds) {
        return Some(seconds);
    }
    let most = match unit {
        Unit::Time => format!("0 s or from 1 fs to {}", TIME.high),
        Unit::Bytes(_) => "not negative, and not so large that it takes centuries".to_owned(),
        Unit::Factor => "not negative".to_owned(),
    };
    let shown = item.text().map_or_else(|| seconds.to_string(), |t| t.value);
    item.diagnostics().push(
        item.problem("DOC007", format!("{} must be {most}", quoted(&item.path)), format!("found {shown}"))
            .help(TIME.why),
    );
    None
}

fn key_amount(reader: &Reader<'_>, key: &'static str, unit: Unit) -> Option<f64> {
    reader.require(&[key]);
    amount(&reader.item(key)?, unit)
}

fn mean(reader: &Reader<'_>, unit: Unit) -> Option<f64> {
    match unit {
        Unit::Factor => Some(1.0),
        _ => key_amount(reader, "mean", unit),
    }
}

fn by_moments(reader: &Reader<'_>, unit: Unit) -> Option<Distribution> {
    let mean = mean(reader, unit);
    let scv = match reader.item("scv") {
        Some(_) => scv(reader, 0.0)?,
        None => 1.0,
    };
    Some(Distribution::of(mean?, scv))
}

fn scv(reader: &Reader<'_>, low: f64) -> Option<f64> {
    reader.require(&["scv"]);
    let limits = Limits {
        low,
        high: 1e4,
        why: "the squared coefficient of variation: variance over squared mean; 1 is exponential",
    };
    let found: Option<Located<f64>> = reader.within("scv", reader.number("scv"), limits, |x| x.to_string());
    found.map(|s| s.value)
}

fn of_shape(reader: &Reader<'_>, shape: &str, unit: Unit) -> Option<Distribution> {
    match shape {
        "constant" => mean(reader, unit).map(Distribution::Constant),
        "exponential" => mean(reader, unit).map(|mean| Distribution::Exponential { mean }),
        "erlang" => {
            let mean = mean(reader, unit);
            reader.require(&["phases"]);
            let limits = Limits { low: 1.0, high: 1000.0, why: "more phases are as good as constant" };
            let phases = reader.within("phases", reader.count("phases"), limits, |x| x.to_string());
            Some(Distribution::Erlang { mean: mean?, phases: phases?.value as u32 })
        }
        "hyperexponential" => {
            let (mean, scv) = (mean(reader, unit), scv(reader, 1.0));
            Some(Distribution::Hyperexponential { mean: mean?, scv: scv? })
        }
        "lognormal" => {
            let (mean, scv) = (mean(reader, unit), scv(reader, 1e-6));
            Some(Distribution::Lognormal { mean: mean?, scv: scv? })
        }
        "uniform" => uniform(reader, unit),
        _ => coxian(reader, unit),
    }
}

fn uniform(reader: &Reader<'_>, unit: Unit) -> Option<Distribution> {
    let low = key_amount(reader, "low", unit);
    let high = key_amount(reader, "high", unit);
    let (low, high) = (low?, high?);
    if low > high {
        let item = reader.item("high")?;
        reader.diagnostics().push(item.problem("NET004", "\"high\" is below \"low\"", "this"));
        return None;
    }
    if matches!(unit, Unit::Factor) && (f64::midpoint(low, high) - 1.0).abs() > 1e-9 {
        let item = reader.item("high")?;
        let d = item.problem("NET004", "a factor has the mean 1", "low and high lie evenly about 1");
        reader.diagnostics().push(d);
        return None;
    }
    Some(Distribution::Uniform { low, high })
}

fn coxian(reader: &Reader<'_>, unit: Unit) -> Option<Distribution> {
    reader.require(&["means", "continues"]);
    let phases: Vec<f64> =
        (reader.item("means")?.list("times")?.iter()).filter_map(|item| amount(item, unit)).collect();
    let continues: Vec<f64> = (reader.item("continues")?.list("probabilities")?.iter())
        .filter_map(|item| probability(reader, "continues", item))
        .collect();
    if phases.is_empty() || continues.len() + 1 != phases.len() {
        let item = reader.item("continues")?;
        reader.diagnostics().push(item.problem(
            "NET004",
            "\"continues\" has one probability between any two phases",
            format!("found {} for {} phases", continues.len(), phases.len()),
        ));
        return None;
    }
    let coxian = Distribution::Coxian { phases, continues };
    match unit {
        Unit::Factor => Some(coxian.scaled(1.0 / coxian.mean())),
        Unit::Time | Unit::Bytes(_) => Some(coxian),
    }
}

/// A probability without unit.
pub(super) fn probability(reader: &Reader<'_>, key: &str, item: &Item<'_>) -> Option<f64> {
    let limits = Limits { low: 0.0, high: 1.0, why: "a probability is a number from 0 to 1" };
    let found = reader.within(key, item.number(), limits, |x| x.to_string());
    found.map(|p| p.value)
}
