//! A class: where its customers come from, and which account of what they do is given.

use crate::diag::Diagnostic;
use crate::document::{Item, Limits, Reader};
use crate::sim::{Arrivals, Class, Distribution, Source};
use crate::units::{PerSecond, Quantity as _, Seconds};

use super::distribution::{TIME, Unit, distribution};
use super::names::Names;
use super::{path, routing, visits};

/// Every key of a class.
const KEYS: [&str; 12] = [
    "population",
    "think",
    "rate",
    "interarrival",
    "burst",
    "priority",
    "demand",
    "visits",
    "service",
    "routing",
    "enter",
    "path",
];

const POPULATION: Limits<f64> = Limits { low: 1.0, high: 1e7, why: "a class without customers can be left out" };

const RATE: Limits<PerSecond> =
    Limits { low: PerSecond::new(1e-9), high: PerSecond::new(1e12), why: "a class without arrivals can be left out" };

/// The class of that name; what is wrong is in the sink.
pub(super) fn class(item: &Item<'_>, names: &mut Names) -> Option<Class> {
    let reader = item.table()?;
    let source = source(&reader, item);
    let limits = Limits { low: 0.0, high: 255.0, why: "0 is served first" };
    let priority = reader.within("priority", reader.count("priority"), limits, |x| x.to_string());
    let program = match account(&reader, item) {
        Some("demand") => Some(visits::demands(&reader, names)),
        Some("visits") => visits::visits(&reader, names),
        Some("routing") => {
            let closed = matches!(source, Some(Source::Closed { .. }));
            routing::routing(&reader, item, closed, names)
        }
        Some(_) => path::path(&reader, names),
        None => None,
    };
    for key in ["service", "enter"] {
        reader.item(key);
    }
    reader.finish();
    Some(Class {
        name: item.name.clone(),
        source: source?,
        program: program?,
        priority: priority.map_or(0, |p| p.value as u8),
        profile: None,
    })
}

/// The one of `keys` that is there; reports none and several.
fn one_of(
    reader: &Reader<'_>,
    item: &Item<'_>,
    keys: &[&'static str],
    code: &'static str,
    needs: &str,
    help: &[&str],
) -> Option<&'static str> {
    let found: Vec<&'static str> = (keys.iter().copied()).filter(|key| reader.item(key).is_some()).collect();
    if let [key] = found[..] {
        return Some(key);
    }
    let label =
        if found.is_empty() { "found none of them".to_owned() } else { format!("found {}", found.join(" and ")) };
    let mut d = Diagnostic::error(code, format!("class {:?} needs {needs}", item.name)).at(
        item.key.source,
        item.key.span.clone(),
        label,
    );
    if found.is_empty() {
        let unknown = reader.keys().filter(|key| !KEYS.contains(key));
        let unknown: Vec<&str> = unknown.collect();
        let near = keys.iter().find_map(|key| crate::diag::nearest(key, unknown.iter().copied()).map(|n| (n, key)));
        if let Some((found, key)) = near {
            d = d.help(format!("is {found:?} meant to be {key:?}?"));
        }
    }
    for line in help {
        d = d.help(*line);
    }
    reader.diagnostics().push(d);
    None
}

fn account(reader: &Reader<'_>, item: &Item<'_>) -> Option<&'static str> {
    one_of(
        reader,
        item,
        &["demand", "visits", "routing", "path"],
        "NET003",
        "one account of what its customers do: demand, visits, routing or path",
        &["the shortest: demand = { cpu = \"20 ms\" }, the service at each station over all visits"],
    )
}

fn source(reader: &Reader<'_>, item: &Item<'_>) -> Option<Source> {
    let found = one_of(
        reader,
        item,
        &["population", "rate", "interarrival", "burst"],
        "NET002",
        "one source of customers: population, rate, interarrival or burst",
        &[
            "closed: population = 20, and think = \"4 s\" if they think between requests",
            "open: rate = \"0.8 /s\" (a Poisson stream)",
        ],
    );
    if !matches!(found, None | Some("population"))
        && let Some(think) = reader.item("think")
    {
        let d = think.problem("NET002", "only a closed class thinks", "not with an open class");
        reader.diagnostics().push(d.help("a pause at each customer's start is a station of kind = \"delay\""));
    }
    match found? {
        "population" => {
            let count = reader.count("population");
            let population = reader.within("population", count, POPULATION, |x| x.to_string());
            let think = match reader.item("think") {
                Some(think) => distribution(&think, Unit::Time)?,
                None => Distribution::Constant(0.0),
            };
            Some(Source::Closed { population: population?.value as u32, think })
        }
        "rate" => {
            let rate = rate(reader, "rate", &reader.item("rate")?)?;
            Some(Source::Open(Arrivals::Renewal(Distribution::Exponential { mean: 1.0 / rate })))
        }
        "interarrival" => {
            let item = reader.item("interarrival")?;
            let times = distribution(&item, Unit::Time)?;
            if times.mean() == 0.0 {
                let d = item.problem("DOC007", "arrivals need time between them", "found a mean of 0 s");
                reader.diagnostics().push(d);
                return None;
            }
            Some(Source::Open(Arrivals::Renewal(times)))
        }
        _ => burst(&reader.table("burst")?),
    }
}

fn rate(reader: &Reader<'_>, key: &str, item: &Item<'_>) -> Option<f64> {
    let shown = |rate: PerSecond| match rate.get().abs() {
        x if x == 0.0 || (1e-3..1e6).contains(&x) => format!("{} /s", rate.get()),
        _ => format!("{:e} /s", rate.get()),
    };
    let found = reader.within(key, item.quantity::<PerSecond>(), RATE, shown);
    found.map(|r| r.value.base())
}

/// Two states, each with its rate and its mean stay.
fn burst(reader: &Reader<'_>) -> Option<Source> {
    reader.require(&["rates", "stays"]);
    let zero_or = |item: &Item<'_>| {
        let quantity = item.quantity::<PerSecond>()?;
        if quantity.value == PerSecond::ZERO {
            return Some(0.0);
        }
        rate(reader, "rates", item)
    };
    let rates = reader.item("rates").and_then(|item| pair(&item, "rates", zero_or));
    let stays = reader.item("stays").and_then(|item| {
        pair(&item, "times", |one| {
            let limits = Limits { low: Seconds::new(1e-9), ..TIME };
            let stay = reader.within("stays", one.quantity::<Seconds>(), limits, |s| s.to_string());
            stay.map(|s| s.value.get())
        })
    });
    reader.finish();
    let (rates, stays) = (rates?, stays?);
    if rates == [0.0, 0.0] {
        let d = reader.item("rates")?.problem("DOC007", "one of the two rates must be above 0", "found none");
        reader.diagnostics().push(d);
        return None;
    }
    Some(Source::Open(Arrivals::Bursts { rates, stays }))
}

fn pair(item: &Item<'_>, of: &str, mut read: impl FnMut(&Item<'_>) -> Option<f64>) -> Option<[f64; 2]> {
    let items = item.list(of)?;
    let [one, other] = &items[..] else {
        let found = format!("found {}", items.len());
        let d = item.problem("DOC007", format!("a burst has two {of}: the calm and the busy state's"), found);
        item.diagnostics().push(d);
        return None;
    };
    let (one, other) = (read(one), read(other));
    Some([one?, other?])
}
