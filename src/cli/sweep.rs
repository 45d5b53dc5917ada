//! `--sweep KEY=FROM:TO[:STEP]`: which number of a network file varies, and over which values.

use crate::diag::{nearest_in_words, quoted};
use crate::network::File;
use crate::sim::Source;

/// A sweep as it stands on the command line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    key: String,
    values: Vec<f64>,
}

/// More than anybody plots.
const POINTS_MAX: usize = 1000;

/// Reads `KEY=FROM:TO`, `KEY=FROM:TO:STEP` or `KEY=A,B,C`.
pub(super) fn parse(text: &str) -> Result<Request, String> {
    let help = "write KEY=FROM:TO, KEY=FROM:TO:STEP or KEY=A,B,C, such as population=1:200 or jobs.rate=0.1:0.9:0.1";
    let (key, values) =
        text.split_once('=').filter(|(key, values)| !key.trim().is_empty() && !values.trim().is_empty()).ok_or(help)?;
    let numbers = |separator| -> Result<Vec<f64>, String> {
        values
            .split(separator)
            .map(|part| {
                let number = part.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                number.ok_or_else(|| format!("{} is not a number; {help}", quoted(part)))
            })
            .collect()
    };
    let values = if values.contains(':') {
        match numbers(':')?[..] {
            [from, to] if from.fract() == 0.0 && to.fract() == 0.0 => range(from, to, 1.0)?,
            [_, _] => {
                return Err(format!("the ends are not whole numbers, so give the step: {key}={values}:0.1"));
            }
            [from, to, step] => range(from, to, step)?,
            _ => return Err(help.to_owned()),
        }
    } else {
        numbers(',')?
    };
    Ok(Request { key: key.trim().to_owned(), values })
}

fn range(from: f64, to: f64, step: f64) -> Result<Vec<f64>, String> {
    if step <= 0.0 || to < from {
        return Err("a sweep goes upwards: FROM is at most TO, and STEP above 0".to_owned());
    }
    // The last point counts although the steps' rounding may pass it.
    let count = ((to - from) / step + 1e-9).floor() + 1.0;
    if count > POINTS_MAX as f64 {
        return Err(format!("{count} points are more than {POINTS_MAX}; take larger steps"));
    }
    let rounded = |x: f64| format!("{x:.12e}").parse().unwrap_or(x);
    Ok((0..count as usize).map(|n| rounded(from + n as f64 * step)).collect())
}

/// What can be varied, with the unit of its values.
const KEYS: [(&str, &str, &str); 6] = [
    ("class", "population", ""),
    ("class", "rate", " /s"),
    ("class", "think", " s"),
    ("class", "priority", ""),
    ("station", "servers", ""),
    ("pool", "capacity", ""),
];

impl Request {
    /// The values in their order.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The full name of the number that varies, and the unit of its values; a sentence where the
    /// file has no such number.
    pub(super) fn resolve(&self, file: &File) -> Result<(String, &'static str), String> {
        if let Some(full) = self.full() {
            return Ok(full);
        }
        let known = known(file);
        let short = if self.key == "population" {
            let closed: Vec<&str> = closed(file).collect();
            match closed[..] {
                [class] => format!("{class}.population"),
                [] => {
                    return Err("no class is closed, so there is no population to sweep over".to_owned());
                }
                _ => {
                    let names = closed.iter().map(|c| format!("{c}.population"));
                    let names: Vec<String> = names.collect();
                    return Err(format!("several classes are closed; sweep over one of {}", names.join(", ")));
                }
            }
        } else {
            self.key.clone()
        };
        let found = known.iter().find(|(name, ..)| *name == short);
        found.map_or_else(
            || {
                let names = known.iter().map(|(name, ..)| name.as_str());
                let near = nearest_in_words(&short, names.clone());
                let all: Vec<&str> = names.collect();
                Err(format!("cannot sweep over {}{near} (known: {})", quoted(&self.key), all.join(", ")))
            },
            |(_, full, unit)| Ok((full.clone(), *unit)),
        )
    }

    /// A full name, `class.users.demand.cpu`, is taken as it stands.
    fn full(&self) -> Option<(String, &'static str)> {
        let parts: Vec<&str> = self.key.split('.').collect();
        let tables = ["class", "station", "pool", "cache"];
        if parts.len() < 3 || !tables.contains(&parts[0]) {
            return None;
        }
        let last = parts[parts.len() - 1];
        let unit = if parts.iter().any(|part| ["demand", "service"].contains(part)) {
            " s"
        } else {
            KEYS.iter().find(|(_, key, _)| *key == last).map_or("", |(_, _, unit)| unit)
        };
        Some((self.key.clone(), unit))
    }
}

fn closed(file: &File) -> impl Iterator<Item = &str> {
    let classes = file.model.classes.iter();
    classes.filter(|class| matches!(class.source, Source::Closed { .. })).map(|class| class.name.as_str())
}

/// Every number that has a short name: that, the full one, and the unit.
fn known(file: &File) -> Vec<(String, String, &'static str)> {
    let model = &file.model;
    let mut known = Vec::new();
    let mut add = |table: &str, name: &str, keys: &[&str]| {
        for (of, key, unit) in KEYS {
            if of == table && keys.contains(&key) {
                known.push((format!("{name}.{key}"), format!("{table}.{name:?}.{key}"), unit));
            }
        }
    };
    for class in &model.classes {
        let keys: &[&str] = match class.source {
            Source::Closed { .. } => &["population", "think", "priority"],
            Source::Open(_) => &["rate", "priority"],
        };
        add("class", &class.name, keys);
    }
    for station in &model.stations {
        add("station", &station.name, &["servers"]);
    }
    for pool in &model.pools {
        add("pool", &pool.name, &["capacity"]);
    }
    known
}

#[cfg(test)]
mod tests {
    use super::{Request, parse};

    fn values(text: &str) -> Vec<f64> {
        parse(text).unwrap().values
    }

    #[test]
    fn ranges_and_lists_are_read() {
        assert_eq!(values("population=1:4"), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(values("population=1:10:4"), [1.0, 5.0, 9.0]);
        assert_eq!(values("jobs.rate=0.1:0.3:0.1"), [0.1, 0.2, 0.3]);
        assert_eq!(values("cpu.servers=1,2,8"), [1.0, 2.0, 8.0]);
        let request = parse(" population = 1:2 ").unwrap();
        assert_eq!(request, Request { key: "population".to_owned(), values: vec![1.0, 2.0] });
    }

    #[test]
    fn what_is_no_sweep_is_refused_with_an_example() {
        for (text, part) in [
            ("population", "write KEY=FROM:TO"),
            ("population=", "write KEY=FROM:TO"),
            ("population=1:x", "\"x\" is not a number"),
            ("population=5:1", "goes upwards"),
            ("population=1:5:0", "goes upwards"),
            ("jobs.rate=0.1:0.9", "give the step: jobs.rate=0.1:0.9:0.1"),
            ("population=1:1000000", "more than 1000"),
            ("population=1:2:3:4", "write KEY=FROM:TO"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
