//! Charts of lines from what the advisor found: response times over the load, load and stores over the
//! years.

use std::ops::Range;

use crate::advisor::{ClassCurve, Curve, CurvePoint, LoadAndStores, StoreYears, Want};
use crate::page::{Across, Axis, ChartData, Mark, Measure, Series, plain};
use crate::units::Seconds;
use crate::workload::{Clients, Work};

/// Most lines of a chart: more cannot be told from each other.
pub const CHART_LINES: usize = 5;

/// Response times of one office over the load.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseChart {
    /// Whose times they are.
    pub office: Clients,
    /// Which kind of work each line shows, by [`Series::index`].
    pub lines: Vec<Work>,
    /// The chart.
    pub chart: ChartData,
    /// Which of its marks are saturation and the knee.
    beyond: Range<usize>,
}

impl ResponseChart {
    /// The same without saturation and the knee.
    #[must_use]
    pub(super) fn without_beyond(mut self) -> Self {
        self.chart.marks.drain(std::mem::take(&mut self.beyond));
        self
    }
}

/// Response times over the load: one chart for the main office, one for each distant office.
pub fn response_charts(curve: &Curve) -> Vec<ResponseChart> {
    let mut offices = vec![Clients::MainOffice];
    let distant = curve.classes.iter().map(|class| &class.work.clients);
    for name in distant.filter_map(Clients::office) {
        let office = Clients::Office(name.to_owned());
        if !offices.contains(&office) {
            offices.push(office);
        }
    }
    let charts = offices.into_iter().map(|office| {
        let is_here = |work: &Work| match &office {
            Clients::MainOffice => work.is_at_main_office(),
            office => work.clients.office() == office.office(),
        };
        let here = curve.classes.iter().filter(|class| is_here(&class.work));
        let here = most_telling(here.collect(), CHART_LINES, |class| {
            let last = class.points.last().map_or(0.0, |p| p.p95.value);
            class.target.as_ref().map_or(0.0, |want| last / want.limit)
        });
        let lines = here.iter().map(|class| class.work.clone());
        let (chart, beyond) = response_chart(curve, &here, &office);
        ResponseChart { lines: lines.collect(), chart, beyond, office }
    });
    charts.filter(|found| !found.lines.is_empty()).collect()
}

/// So many lines that a chart shows where it could show more: those of the largest figures, in the order of all.
pub fn most_telling<T>(all: Vec<T>, most: usize, figure: impl Fn(&T) -> f64) -> Vec<T> {
    let mut figures: Vec<(usize, f64)> = all.iter().map(figure).enumerate().collect();
    figures.sort_by(|a, b| b.1.total_cmp(&a.1));
    figures.truncate(most);
    let kept = all.into_iter().enumerate();
    let kept = kept.filter(|(place, _)| figures.iter().any(|(known, _)| known == place));
    kept.map(|(_, one)| one).collect()
}

fn response_chart(curve: &Curve, classes: &[&ClassCurve], office: &Clients) -> (ChartData, Range<usize>) {
    let mut targets: Vec<(&Want, &str, usize)> = Vec::new();
    let mut series = Vec::new();
    for (index, class) in classes.iter().enumerate() {
        let what = class.work.what();
        targets.extend(class.target.as_ref().map(|want| (want, what, index)));
        series.push(line_of(class, what, index));
    }
    let ends = series.iter().filter_map(|s: &Series| s.points.last());
    let end = ends.map(|(x, _)| *x).fold(1.2, f64::max) * 1.02;
    let (end, mut marks, beyond) = load_marks(curve, end);
    marks.extend(target_marks(&targets));
    let at = match office {
        Clients::Office(name) => format!(" in {name}"),
        _ => String::new(),
    };
    let chart = ChartData {
        title: format!("Response time{at} over load"),
        x: Axis {
            label: format!("× {} load", curve.peak.peak()),
            measure: Measure::Times,
            log: false,
            range: (0.0, end),
        },
        y: Axis {
            label: "response time".to_owned(),
            measure: Measure::Time,
            log: true,
            range: decades(&series, &marks),
        },
        series,
        marks,
    };
    (chart, beyond)
}

/// The 95th percentile of a kind of work, with its interval.
fn line_of(class: &ClassCurve, what: &str, index: usize) -> Series {
    let known = |p: &&CurvePoint| p.p95.high > p.p95.low;
    let band = class.points.iter().filter(known);
    Series {
        name: format!("{what}, p95"),
        index,
        points: class.points.iter().map(|p| (p.factor, p.p95.value)).collect(),
        band: band.map(|p| (p.factor, p.p95.low, p.p95.high)).collect(),
    }
}

/// The end that shows today, the limit, saturation and the knee, as far as they lie before `end` or close behind it; their
/// marks, and which of these are the last two.
fn load_marks(curve: &Curve, end: f64) -> (f64, Vec<Mark>, Range<usize>) {
    let mark = |at: f64, what: &str, limit: bool| Mark {
        at,
        across: Across::X,
        label: format!("{what} {}", Measure::Times.show(at)),
        series: None,
        limit,
    };
    let mut marks = vec![Mark { label: curve.peak.peak().to_owned(), ..mark(1.0, "", false) }];
    let mut end = end;
    let begin = curve.busiest.first().map_or(0.0, |point| point.factor);
    let limit = curve.limit.as_ref().map(|l| l.factor);
    let limit = limit.filter(|at| *at >= begin);
    marks.extend(limit.map(|at| mark(at, "limit", true)));
    let beyond = marks.len();
    let saturation = curve.saturation.as_ref().map(|s| s.factor);
    if let Some(at) = saturation.filter(|at| *at < end * 1.25) {
        end = end.max(at * 1.02);
        // What is limited by saturation needs one mark.
        if limit.is_none_or(|limit| limit < at * 0.93) {
            marks.push(mark(at, "saturated", true));
        }
    }
    if curve.knee.factor <= end {
        marks.push(mark(curve.knee.factor, "knee", false));
    }
    let beyond = beyond..marks.len();
    (end, marks, beyond)
}

/// One mark for each wanted time of a kind of work (a line), however many share it: its label names them, the last first.
pub fn target_marks(targets: &[(&Want, &str, usize)]) -> Vec<Mark> {
    let mut shared: Vec<(&Want, Vec<&str>, usize)> = Vec::new();
    for (want, what, line) in targets {
        let same =
            |(known, ..): &&mut (&Want, Vec<&str>, usize)| known.limit == want.limit && known.word() == want.word();
        match shared.iter_mut().find(same) {
            Some((_, whats, _)) => whats.insert(0, what),
            None => shared.push((want, vec![what], *line)),
        }
    }
    let marks = shared.into_iter().map(|(want, whats, line)| Mark {
        at: want.limit,
        across: Across::Y,
        label: format!("{} {} {}", want.word(), whats.join(", "), Measure::Time.show(want.limit)),
        series: (whats.len() == 1).then_some(line),
        limit: true,
    });
    marks.collect()
}

/// A logarithmic range around all lines and targets; bands may be cut off.
pub fn decades(series: &[Series], marks: &[Mark]) -> (f64, f64) {
    let lines = series.iter().flat_map(|s| s.points.iter().map(|p| p.1));
    let targets = marks.iter().filter(|m| m.across == Across::Y).map(|m| m.at);
    let (low, high) = lines
        .chain(targets)
        .filter(|y| y.is_finite() && *y > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), y| (low.min(y), high.max(y)));
    if high <= 0.0 {
        return (1e-3, 1.0);
    }
    (low / 1.8, high * 2.5)
}

/// The load over the years, with what the deployment carries.
pub fn load_chart(load_and_stores: &LoadAndStores) -> ChartData {
    let points = load_and_stores.load.iter().map(|p| (p.years, p.factor.value));
    let with_band = load_and_stores.load.iter().filter(|p| p.factor.high > p.factor.low);
    let band = with_band.map(|p| (p.years, p.factor.low, p.factor.high));
    let (factor, _) = &load_and_stores.carries;
    let mut marks = Vec::new();
    let highest = load_and_stores.load.iter().map(|p| p.factor.high).fold(1.0, f64::max);
    // Where the limit is far above, a line at the very top would flatten what grows.
    let shown = *factor <= highest * 2.5;
    if shown {
        let when = load_and_stores.reached_in.map(Seconds::in_years);
        let when = when.map_or(String::new(), |years| match load_and_stores.from {
            Some(from) => format!(", {}", Measure::Year(from).show(years)),
            None => format!(", in {} years", plain(years, 2)),
        });
        marks.push(Mark {
            at: *factor,
            across: Across::Y,
            label: format!("carries {}{when}", Measure::Times.show(*factor)),
            series: None,
            limit: true,
        });
    }
    let top = if shown { highest.max(*factor) } else { highest };
    ChartData {
        title: "Load over the years".to_owned(),
        x: years_axis(load_and_stores),
        y: Axis {
            label: format!("× {} load", load_and_stores.peak.peak()),
            measure: Measure::Times,
            log: false,
            range: (0.0, top * 1.12),
        },
        series: vec![Series { name: "peak load".to_owned(), index: 0, points: points.collect(), band: band.collect() }],
        marks,
    }
}

/// How stores fill over the years: at most so many, the fullest.
pub fn stores_chart(load_and_stores: &LoadAndStores, most: usize) -> ChartData {
    let stores = load_and_stores.stores.iter().enumerate();
    let fullest = |(_, store): &(usize, &StoreYears)| store.points.last().map_or(0.0, |p| p.used.value);
    let stores = most_telling(stores.collect(), most, fullest);
    let title = match load_and_stores.stores.len() {
        all if all > stores.len() => format!("The {} fullest of {all} stores over the years", stores.len()),
        _ => "Stores over the years".to_owned(),
    };
    let series: Vec<Series> = stores
        .into_iter()
        .map(|(index, store)| Series {
            name: store.store.to_string(),
            index,
            points: store.points.iter().map(|p| (p.years, p.used.value)).collect(),
            band: band(store),
        })
        .collect();
    let all = series.iter().flat_map(|s| &s.points);
    let highest = all.map(|p| p.1).fold(0.0, f64::max);
    let mut marks = Vec::new();
    if highest > 0.4 {
        marks.push(Mark { at: 1.0, across: Across::Y, label: "full".to_owned(), series: None, limit: true });
    }
    let top = if highest > 0.4 { highest.clamp(1.0, 1.6) } else { highest.max(0.01) };
    ChartData {
        title,
        x: years_axis(load_and_stores),
        y: Axis {
            label: "in use, with reserves".to_owned(),
            measure: Measure::Share,
            log: false,
            range: (0.0, top * 1.12),
        },
        series,
        marks,
    }
}

fn band(store: &StoreYears) -> Vec<(f64, f64, f64)> {
    let points = store.points.iter().filter(|p| p.used.high > p.used.low);
    points.map(|p| (p.years, p.used.low, p.used.high)).collect()
}

/// The axis of years: those of the calendar where the year of today is stated.
pub fn years_axis(load_and_stores: &LoadAndStores) -> Axis {
    let (label, measure) = match load_and_stores.from {
        Some(from) => ("year", Measure::Year(from)),
        None => ("years from today", Measure::Years),
    };
    Axis { label: label.to_owned(), measure, log: false, range: (0.0, load_and_stores.years) }
}

/// The chart with a line at the horizon of the site.
pub fn with_horizon(mut chart: ChartData, load_and_stores: &LoadAndStores) -> ChartData {
    let horizon = Mark {
        at: load_and_stores.horizon,
        across: Across::X,
        label: "horizon".to_owned(),
        series: None,
        limit: false,
    };
    chart.marks.insert(0, horizon);
    chart
}
