//! Charts and diagrams: their data, and that their pictures are well-formed.

use plimsoll::report::{
    self, Across, ChartData, NodeKind, Svg, Theme, bars_svg, chart_svg, diagram, diagram_svg,
};

use super::curves::{curve_of, outlook_of};
use super::{LIBRARY, advice, example};
use crate::cli::SITES;

/// Well-formed, and every number in it is one.
fn check(svg: &Svg, name: &str) {
    let text = svg.as_str();
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(
        document
            .root_element()
            .has_tag_name(("http://www.w3.org/2000/svg", "svg"))
    );
    assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.svg")), text).unwrap();
}

fn check_data(chart: &ChartData) {
    assert!(chart.x.range.0 < chart.x.range.1 && chart.y.range.0 < chart.y.range.1);
    assert!(
        chart.series.iter().all(|s| s.points.len() > 1),
        "{chart:#?}"
    );
    for mark in &chart.marks {
        assert!(mark.at.is_finite() && !mark.label.is_empty());
        if mark.across == Across::Y {
            assert!(mark.at <= chart.y.range.1, "{mark:?}");
        }
    }
}

#[test]
fn every_picture_of_every_example_is_drawn() {
    for name in SITES {
        let site = example(name);
        let advice = advice(&site);
        let chosen = advice.chosen.as_ref().unwrap();
        let curve = curve_of(&site, &advice, chosen, 24);
        let outlook = outlook_of(&site, chosen, 6.0);
        let charts = report::response_charts(&curve).into_iter();
        let mut charts: Vec<_> = charts.map(|found| found.chart).collect();
        charts.push(report::load_chart(&outlook));
        charts.push(report::stores_chart(&outlook));
        for (i, chart) in charts.iter().enumerate() {
            check_data(chart);
            let svg = chart_svg(chart, &Theme::LIGHT).unwrap();
            check(&svg, &format!("{name}-chart-{i}"));
        }
        let busy = report::busy_bars(&chosen.prediction, 8);
        check(
            &bars_svg(&busy, &Theme::LIGHT, true),
            &format!("{name}-busy"),
        );
        let scores = report::score_bars(&advice, 8);
        assert!(scores.bars[0].emphasis);
        check(
            &bars_svg(&scores, &Theme::LIGHT, false),
            &format!("{name}-scores"),
        );
        let drawn = diagram(
            &site,
            &LIBRARY.catalog,
            &chosen.deployment,
            &chosen.prediction,
        );
        check(
            &diagram_svg(&drawn, &Theme::LIGHT),
            &format!("{name}-diagram"),
        );
    }
}

#[test]
fn boxes_of_a_diagram_lie_apart_and_inside() {
    for name in SITES {
        let site = example(name);
        let advice = advice(&site);
        let chosen = advice.chosen.as_ref().unwrap();
        let drawn = diagram(
            &site,
            &LIBRARY.catalog,
            &chosen.deployment,
            &chosen.prediction,
        );
        let outer: Vec<_> = drawn
            .nodes
            .iter()
            .filter(|n| n.kind != NodeKind::Volume)
            .collect();
        for (i, a) in outer.iter().enumerate() {
            let r = a.rect;
            assert!(r.x >= 0.0 && r.y >= 0.0 && r.height > 0.0, "{name}: {a:?}");
            assert!(
                r.right() <= drawn.width && r.bottom() <= drawn.height,
                "{a:?}"
            );
            for b in &outer[i + 1..] {
                let apart = r.right() <= b.rect.x
                    || b.rect.right() <= r.x
                    || r.bottom() <= b.rect.y
                    || b.rect.bottom() <= r.y;
                assert!(apart, "{name}: {} covers {}", a.title, b.title);
            }
        }
        for link in &drawn.links {
            assert!(link.points.len() >= 2, "{name}: {link:?}");
            assert!(link.from < drawn.nodes.len() && link.to < drawn.nodes.len());
        }
        let offices = drawn.nodes.iter().filter(|n| n.kind == NodeKind::Office);
        let people = 1 + site.people.sites.len();
        assert!(offices.count() >= people, "{name}");
    }
}
