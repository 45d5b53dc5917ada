//! Charts over the years. Those of load and stores are the report's; the horizon is a handle here.

use crate::advisor::{ClassYears, OverTime};
use crate::page::{Across, Axis, ChartData, Mark, Measure, Series};
use crate::report::{decades, load_chart, stores_chart, target_marks};

/// Load, response times, stores: in this order.
pub(super) fn charts(over_time: &OverTime) -> [ChartData; 3] {
    let load_and_stores = &over_time.load_and_stores;
    [
        load_chart(load_and_stores),
        times(over_time),
        stores_chart(load_and_stores),
    ]
}

/// Response times of the main office over the years.
fn times(over_time: &OverTime) -> ChartData {
    let here = over_time
        .classes
        .iter()
        .filter(|class| class.work.is_at_main_office());
    let mut wanted = Vec::new();
    let mut series = Vec::new();
    for (index, class) in here.enumerate() {
        let target = class.target.as_ref();
        wanted.extend(target.map(|want| (want, class.name.as_str(), index)));
        series.push(line(class, index));
    }
    let mut marks = target_marks(&wanted);
    if let Some((at, _)) = &over_time.saturated {
        marks.push(Mark {
            at: *at,
            across: Across::X,
            label: "saturated".to_owned(),
            series: None,
            limit: true,
        });
    }
    ChartData {
        title: "Response times over the years".to_owned(),
        x: Axis {
            label: "years from today".to_owned(),
            measure: Measure::Years,
            log: false,
            range: (0.0, over_time.load_and_stores.years),
        },
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
        points: class
            .points
            .iter()
            .map(|p| (p.years, p.time.value))
            .collect(),
        band: uncertain
            .map(|p| (p.years, p.time.low, p.time.high))
            .collect(),
    }
}
