//! Charts over the years. Those of load and stores are the report's; the horizon is a handle here.

use crate::advisor::{ClassYears, OverTime};
use crate::page::{Across, Axis, ChartData, Mark, Measure, Series};
use crate::report::{CHART_LINES, decades, load_chart, most_telling, stores_chart, target_marks, years_axis};

/// Load, response times, stores: in this order.
pub(super) fn charts(over_time: &OverTime) -> [ChartData; 3] {
    let load_and_stores = &over_time.load_and_stores;
    [load_chart(load_and_stores), times(over_time), stores_chart(load_and_stores, CHART_LINES)]
}

/// Response times of the main office over the years.
fn times(over_time: &OverTime) -> ChartData {
    let here = over_time.classes.iter().filter(|class| class.work.is_at_main_office());
    let here = most_telling(here.collect(), CHART_LINES, |class| {
        let last = class.points.last().map_or(0.0, |p| p.time.value);
        class.target.as_ref().map_or(0.0, |want| last / want.limit)
    });
    let mut wanted = Vec::new();
    let mut series = Vec::new();
    for (index, class) in here.into_iter().enumerate() {
        let target = class.target.as_ref();
        wanted.extend(target.map(|want| (want, class.name.as_str(), index)));
        series.push(line(class, index));
    }
    let mut marks = target_marks(&wanted);
    if let Some((at, _)) = &over_time.saturated {
        marks.push(Mark { at: *at, across: Across::X, label: "saturated".to_owned(), series: None, limit: true });
    }
    ChartData {
        title: "Response times over the years".to_owned(),
        x: years_axis(&over_time.load_and_stores),
        y: Axis {
            label: "response time at the peak".to_owned(),
            measure: Measure::Time,
            log: true,
            range: decades(&series, &marks),
        },
        series,
        marks,
    }
}

fn line(class: &ClassYears, index: usize) -> Series {
    let uncertain = class.points.iter().filter(|p| p.time.high > p.time.low);
    Series {
        name: format!("{}, p95", class.name),
        index,
        points: class.points.iter().map(|p| (p.years, p.time.value)).collect(),
        band: uncertain.map(|p| (p.years, p.time.low, p.time.high)).collect(),
    }
}
