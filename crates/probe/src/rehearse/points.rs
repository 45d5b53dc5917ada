//! A table of rehearsals: settings that are rehearsed one after the other, half of them to find what the model lacks, half only to
//! judge it, and the Markdown that keeps what was found.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::answer::{Rehearsed, SCHEMA, Span};
use super::judgement::{FACTOR, counted, is_near, outcome};
use super::meter::{MACHINE, OWN};
use super::shown::{difference_in_words, inside, percent, ratio, seconds};
use crate::bench::{BenchError, read_toml};
use crate::diag::{harmless_line, quoted};
use crate::document::read_text_up_to;

/// The largest answer that is read: a point takes some 60 KB of JSON.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// The file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Version of the format: 1.
    pub schema: u32,
    /// The points.
    pub point: Vec<Point>,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Its name in the table.
    pub id: String,
    /// `find` or `judge`: what it is used for.
    pub half: Half,
    /// Volumes by name: one for all roles, or `db=NAME,journal=NAME,depot=NAME`.
    pub at: String,
    /// Multiple of the site's peak load.
    pub load: f64,
    /// Answers over the site's, as `--set` takes them.
    #[serde(default)]
    pub set: Vec<String>,
    /// Whether tables are locked in the process, in order of arrival.
    #[serde(default)]
    pub in_process: bool,
    /// Points with the same word differ in their volumes alone: their order is judged.
    #[serde(default)]
    pub pair: Option<String>,
}

/// What a point is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// To find what the model lacks.
    Find,
    /// Only to judge it.
    Judge,
}

impl Points {
    /// Reads the file; the message says where and what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, BenchError> {
        let points: Self = read_toml(path)?;
        if points.schema != 1 {
            let found = points.schema;
            return Err(BenchError::Input(format!(
                "{}: schema {found}: this version reads schema 1",
                quoted(&path.to_string_lossy())
            )));
        }
        Ok(points)
    }
}

/// What was measured at the points of a table: the JSON answer of a run, in the order of the table. Points that were not
/// rehearsed are left out; one that the table does not have, or has otherwise, is an error.
pub fn points_measured(path: &Path, table: &Points) -> Result<Vec<(Point, Rehearsed)>, BenchError> {
    let shown = quoted(&path.to_string_lossy());
    let wrong = |why: &str| BenchError::Input(format!("{shown}: {why}"));
    let text = read_text_up_to(path, ANSWER_BYTES_MAX).map_err(|error| BenchError::Input(error.to_string()))?;
    let mut run: Run =
        serde_json::from_str(&text).map_err(|error| wrong(&format!("no JSON answer of --points: {error}")))?;
    if run.schema != SCHEMA {
        let found = run.schema;
        return Err(wrong(&format!("schema {found}; this version reads schema {SCHEMA}")));
    }
    let mut all = Vec::new();
    for point in &table.point {
        let Some(place) = run.points.iter().position(|found| found.id == point.id) else {
            continue;
        };
        let found = run.points.swap_remove(place).rehearsal;
        found.check().map_err(|why| wrong(&format!("point {}: {why}", quoted(&point.id))))?;
        if (found.load_ratio / point.load - 1.0).abs() > 1e-9 {
            return Err(wrong(&format!(
                "point {} was rehearsed at a load of {}, and the table has {}",
                quoted(&point.id),
                found.load_ratio,
                point.load
            )));
        }
        all.push((point.clone(), found));
    }
    match run.points.first() {
        None => Ok(all),
        Some(other) => Err(wrong(&format!("point {} is not in the table, or there twice", quoted(&other.id)))),
    }
}

/// The JSON answer of a table of points.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    schema: u32,
    #[serde(rename = "tool")]
    _tool: String,
    points: Vec<Measured>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    id: String,
    rehearsal: Rehearsed,
}

impl Point {
    /// Its layout with folders in place of the names of volumes.
    pub fn layout(&self, volumes: &BTreeMap<String, String>) -> Result<String, BenchError> {
        let folder = |name: &str| {
            volumes.get(name).cloned().ok_or_else(|| {
                let known: Vec<&str> = volumes.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                BenchError::Input(format!(
                    "point {}: no --volume {}=DIR (there are: {})",
                    quoted(&self.id),
                    harmless_line(name),
                    harmless_line(&known)
                ))
            })
        };
        if !self.at.contains('=') {
            return folder(&self.at);
        }
        let parts = self.at.split(',').map(|part| {
            let (role, name) = part.split_once('=').unwrap_or((part, ""));
            Ok(format!("{role}={}", folder(name)?))
        });
        Ok(parts.collect::<Result<Vec<_>, BenchError>>()?.join(","))
    }
}

fn shown(span: Option<Span>) -> String {
    match span {
        None => "–".to_owned(),
        Some(Span { value, low: Some(low), high: Some(high) }) => {
            format!("{} ({}–{})", seconds(value), seconds(low), seconds(high))
        }
        Some(Span { value, .. }) => seconds(value),
    }
}

/// A cell of Markdown: no text ends it or the line.
fn cell(text: &str) -> String {
    harmless_line(text).replace('|', "\\|")
}

/// The table and what it comes to.
pub fn points_markdown(all: &[(Point, Rehearsed)]) -> String {
    let mut out = String::from(
        "| point | half | kind of work | commands | measured mean | predicted mean | simulated mean | ratio | inside | differs most by: measured / predicted |\n\
         |---|---|---|---:|---|---|---|---:|---|---|\n",
    );
    for (point, found) in all {
        for kind in counted(found) {
            let half = match point.half {
                Half::Find => "find",
                Half::Judge => "judge",
            };
            let _infallible = writeln!(
                out,
                "| {} | {half} | {} | {} | {} | {} | {} | {} | {} | {} |",
                cell(&point.id),
                cell(&kind.class),
                kind.commands,
                shown(kind.measured_mean_s),
                shown(kind.predicted_mean_s),
                shown(kind.simulated_mean_s),
                ratio(kind),
                inside(kind),
                cell(&difference_in_words(kind))
            );
        }
    }
    out.push_str("\n| point | volumes | load | other answers | locks | machine busy | by others | measured | predicted |\n|---|---|---:|---|---|---:|---:|---|---|\n");
    for (point, found) in all {
        let busy = |name: &str| found.utilised.iter().find(|u| u.name == name).map(|u| u.busy_fraction);
        let (machine, own) = (busy(MACHINE), busy(OWN));
        let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
        let others = machine.zip(own).map(|(machine, own)| (machine - own).max(0.0));
        let _infallible = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            cell(&point.id),
            cell(&point.at),
            point.load,
            cell(&point.set.join(", ")),
            if point.in_process { "process" } else { "files" },
            share(machine),
            share(others),
            outcome(found.saturated),
            outcome(found.predicted_saturated.is_some())
        );
    }
    out.push('\n');
    out.push_str(&verdicts(all));
    out
}

/// How each half came out.
fn verdicts(all: &[(Point, Rehearsed)]) -> String {
    let mut out = String::new();
    for (half, name) in [(Half::Find, "to find"), (Half::Judge, "to judge")] {
        let of_half: Vec<_> = all.iter().filter(|(point, _)| point.half == half).collect();
        let ratios: Vec<(f64, bool)> = of_half
            .iter()
            .flat_map(|(_, found)| counted(found))
            .filter_map(|kind| Some((kind.mean_ratio?, kind.mean_is_inside?)))
            .collect();
        let near = ratios.iter().filter(|(r, _)| is_near(*r)).count();
        let inside = ratios.iter().filter(|(_, inside)| *inside).count();
        let agree = of_half.iter().filter(|(_, f)| f.saturated == f.predicted_saturated.is_some()).count();
        let _infallible = writeln!(
            out,
            "- points {name}: {} of {} means within a factor of {FACTOR}, {inside} inside their interval; saturated or not as predicted at {agree} of {} \
             points",
            near,
            ratios.len(),
            of_half.len()
        );
    }
    let (right, pairs) = order(all);
    let _infallible = writeln!(
        out,
        "- pairs of layouts under the same load: {right} of {pairs} kinds of work in the predicted order, or closer than their intervals"
    );
    out
}

/// Kinds of work whose order between two layouts is as predicted, and all that were compared.
fn order(all: &[(Point, Rehearsed)]) -> (usize, usize) {
    let (mut right, mut pairs) = (0, 0);
    for (n, (first, a)) in all.iter().enumerate() {
        let same = |point: &Point| first.pair.is_some() && point.pair == first.pair;
        for (_, b) in all[n + 1..].iter().filter(|(point, _)| same(point)) {
            for kind in counted(a) {
                let other = counted(b).find(|other| other.class == kind.class);
                let (Some(other), Some(mean), Some(predicted)) = (other, kind.measured_mean_s, kind.predicted_mean_s)
                else {
                    continue;
                };
                let (Some(other_mean), Some(other_predicted)) = (other.measured_mean_s, other.predicted_mean_s) else {
                    continue;
                };
                pairs += 1;
                let below = |x: Span, y: Span| x.high.zip(y.low).is_some_and(|(h, l)| h < l);
                let apart = |x: Span, y: Span| below(x, y) || below(y, x);
                let agrees = (mean.value < other_mean.value) == (predicted.value < other_predicted.value);
                right += usize::from(agrees || !apart(mean, other_mean));
            }
        }
    }
    (right, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_stand_for_their_folders() {
        let text = "schema = 1\n[[point]]\nid = \"a\"\nhalf = \"find\"\nat = \"db=x,journal=y,depot=y\"\nload = 1.0\n";
        let points: Points = toml::from_str(text).expect("points");
        let volumes = [("x", "/a"), ("y", "/b")].map(|(n, f)| (n.to_owned(), f.to_owned())).into();
        assert_eq!(points.point[0].layout(&volumes).expect("known"), "db=/a,journal=/b,depot=/b");
        let none = points.point[0].layout(&BTreeMap::new()).expect_err("unknown");
        assert!(none.to_string().contains("--volume x=DIR"), "{none}");
    }
}
