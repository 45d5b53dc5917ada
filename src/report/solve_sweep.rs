//! Sweeps as a page and as CSV.

use std::mem::take;

use super::csv;
use super::estimate::Shown;
use super::solve::Sweep;
use super::solve_page::page;
use crate::network::{Answer, File};
use crate::page::{Block, Page, Table};

/// A line a point: throughput and response of every class, and the bottleneck or why there is no
/// answer.
pub fn sweep_page(file: &File, sweep: &Sweep) -> Page {
    let mut table = Table::new(&["value", "class", ">throughput", ">response time", "bottleneck or reason"]);
    for point in &sweep.points {
        let mut value = point.value.to_string();
        let answer = match &point.outcome {
            Ok(answer) => answer,
            Err(unsolved) => {
                let [class, rate, time] = ["–"; 3].map(str::to_owned);
                table.row(vec![value, class, rate, time, unsolved.to_string()]);
                continue;
            }
        };
        let busiest = answer.bottleneck();
        let mut busiest =
            busiest.map_or(String::new(), |(name, busy)| format!("{name}, {} busy", Shown::Share.plain(busy, 3)));
        for class in &answer.classes {
            // Once a point, beside its first class.
            table.row(vec![
                take(&mut value),
                class.name.clone(),
                Shown::Rate.estimate(answer, class.throughput),
                Shown::Time.estimate(answer, class.response),
                take(&mut busiest),
            ]);
        }
    }
    let ends = [sweep.points.first(), sweep.points.last()];
    let [from, to] = ends.map(|end| end.map_or(String::new(), |point| point.value.to_string()));
    let about = format!("{} from {from} to {to}", sweep.key);
    page(file, [Block::text(about), table.into()])
}

/// One line a point (RFC 4180): the value, `status` (ok, or why there is no answer), then for each
/// class and station its numbers, empty where there is no answer.
pub fn sweep_csv(sweep: &Sweep) -> String {
    let Some(shape) = sweep.points.iter().find_map(|point| point.outcome.as_ref().ok()) else {
        let mut out = csv::row(&[csv::text(&sweep.key), "status".to_owned()]);
        for point in &sweep.points {
            if let Err(unsolved) = &point.outcome {
                let why = csv::text(&unsolved.to_string());
                out.push_str(&csv::row(&[point.value.to_string(), why]));
            }
        }
        return out;
    };
    let mut heads = vec![csv::text(&sweep.key), "status".to_owned()];
    heads.extend(columns(shape).iter().map(|(head, _)| csv::text(head)));
    let mut out = csv::row(&heads);
    for point in &sweep.points {
        let mut cells = vec![point.value.to_string()];
        match &point.outcome {
            Ok(answer) => {
                cells.push("ok".to_owned());
                cells.extend(columns(answer).into_iter().map(|(_, value)| number(value)));
            }
            Err(unsolved) => {
                cells.push(csv::text(&unsolved.to_string()));
                cells.extend(columns(shape).into_iter().map(|_| String::new()));
            }
        }
        out.push_str(&csv::row(&cells));
    }
    out
}

/// Twelve digits: what comes after is rounding.
fn number(x: f64) -> String {
    let rounded: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    rounded.to_string()
}

/// Every number of an answer with its name.
fn columns(answer: &Answer) -> Vec<(String, f64)> {
    let mut columns = Vec::new();
    let simulated = answer.run.is_some();
    for class in &answer.classes {
        for (what, unit, found) in [("throughput", "_per_s", class.throughput), ("response_time", "_s", class.response)]
        {
            columns.push((format!("{}.{what}{unit}", class.name), found.value));
            if simulated {
                columns.push((format!("{}.{what}_low{unit}", class.name), found.low()));
                columns.push((format!("{}.{what}_high{unit}", class.name), found.high()));
            }
        }
    }
    for station in &answer.stations {
        for (what, found) in [
            ("utilization", station.utilization),
            ("queue_length", station.queue_length),
            ("residence_time_s", station.residence),
        ] {
            columns.push((format!("{}.{what}", station.name), found.value));
        }
    }
    columns
}
