//! What the deployment does at the peak, and when the load rises.

use super::{Block, ReportSource, Section};
use crate::advisor::{Chosen, Curves};
use crate::page::{Across, ChartData, Measure};
use crate::report::answer::Answer;
use crate::report::chart_lines::{ResponseChart, response_charts};
use crate::report::peak::Peak;
use crate::report::prose::{capital, grouped};
use crate::units::Seconds;

pub(super) fn peak(source: &ReportSource<'_>, chosen: &Chosen, answer: &Answer) -> Section {
    let site = source.inputs.site;
    let peak =
        Peak { prediction: &chosen.prediction, site: Some(site), known: &answer.work, advice: Some(source.advice) };
    let [times, parts] = peak.times();
    let mut blocks = vec![
        Block::Table(times),
        Block::Note(format!(
            "A submit of {} files holds the commit section for {}, a branch operation of {} files for {}: all other commits wait.",
            grouped(site.workload.largest_submit_files.value),
            Seconds::new(chosen.largest_commit).estimated(),
            grouped(site.workload.branch_files.value),
            Seconds::new(chosen.branch_commit).estimated()
        )),
    ];
    blocks.extend(peak.notes());
    blocks.push(Block::Table(parts));
    blocks.push(Block::Heading("When the load rises".to_owned()));
    if let Some(curves) = source.curves {
        let charts = response_charts(&curves.curve).into_iter();
        blocks.extend(charts.map(|found| Block::Chart(with_targets(curves, found))));
    }
    blocks.push(Block::Text(rising(source, chosen, answer)));
    blocks.extend(peak.busy());
    Section::new("peak", "At the peak", blocks)
}

/// Each line with its target in its name: labels across would cover each other.
pub(super) fn with_targets(curves: &Curves, found: ResponseChart) -> ChartData {
    let ResponseChart { lines, mut chart, .. } = found;
    for series in &mut chart.series {
        let Some(work) = lines.get(series.index) else {
            continue;
        };
        let class = curves.curve.classes.iter().find(|c| c.work == *work);
        // That it is the 95th percentile stands in the title.
        let name = work.what().to_owned();
        series.name = match class.and_then(|c| c.target.as_ref()) {
            Some(want) => {
                let assumed = if want.is_assumed { " (assumed)" } else { "" };
                format!("{name} ≤ {}{assumed}", Measure::Time.show(want.limit))
            }
            None => name,
        };
    }
    for mark in chart.marks.iter_mut().filter(|m| m.across == Across::Y) {
        mark.label.clear();
    }
    chart.title = format!("{} (95 % within), and targets", chart.title);
    chart
}

fn rising(source: &ReportSource<'_>, chosen: &Chosen, answer: &Answer) -> String {
    let h = &chosen.headroom;
    let peak = source.inputs.site.peak.peak();
    let knee = source.curves.map(|v| &v.curve.knee);
    let knee = knee.map_or(String::new(), |k| match k.factor {
        f if f <= 100.0 => format!(" {} saturates at {} {peak} load (knee).", capital(&k.why), Measure::Times.show(f)),
        _ => format!(" Nothing saturates below 100 × {peak} load."),
    });
    let limit = &h.limit;
    let limit = match (&answer.load_line, h.carried()) {
        (Some(line), Some(factor)) => {
            format!("The limit is {} {peak} load, {}: then {limit}.", Measure::Times.show(factor), line.limit_label)
        }
        _ => format!("At any load, {limit}."),
    };
    format!("{limit}{knee} Whiskers and bands hold 80 %.")
}
