//! Charts and diagrams: their data, and that their pictures are well-formed.

use plimsoll::advisor::Advice;
use plimsoll::page::{
    Across, Beside, ChartData, Diagram, NodeKind, Rect, Svg, Theme, bars_svg, chart_svg, diagram_svg, text_width,
};
use plimsoll::report::{self, diagram};
use plimsoll::site::{self, Site};

use super::advice;
use super::curves::{curve_of, outlook_of};
use crate::cli::SITES;
use crate::promises::ADVISED;
use crate::shared::{Advised, FROZEN, frozen_example};

/// Well-formed, and every number in it is one.
fn check(svg: &Svg, name: &str) {
    let text = svg.as_str();
    let document = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(document.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.svg")), text).unwrap();
}

fn check_data(chart: &ChartData) {
    assert!(chart.x.range.0 < chart.x.range.1 && chart.y.range.0 < chart.y.range.1);
    assert!(chart.series.iter().all(|s| s.points.len() > 1), "{chart:#?}");
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
        let Advised { site, advice } = frozen_example(name);
        let chosen = advice.chosen.as_ref().unwrap();
        let curve = curve_of(site, advice, chosen, 24);
        let load_and_stores = outlook_of(site, chosen, 6.0);
        let charts = report::response_charts(&curve).into_iter();
        let mut charts: Vec<_> = charts.map(|found| found.chart).collect();
        charts.push(report::with_horizon(report::load_chart(&load_and_stores), &load_and_stores));
        charts
            .push(report::with_horizon(report::stores_chart(&load_and_stores, report::CHART_LINES), &load_and_stores));
        for (i, chart) in charts.iter().enumerate() {
            check_data(chart);
            let svg = chart_svg(chart, &Beside::default(), &Theme::LIGHT);
            check(&svg, &format!("{name}-chart-{i}"));
        }
        let busy = report::busy_bars(&chosen.prediction, 8);
        check(&bars_svg(&busy, &Theme::LIGHT, true), &format!("{name}-busy"));
        let scores = report::score_bars(advice, 8);
        assert!(scores.bars[0].emphasis);
        check(&bars_svg(&scores, &Theme::LIGHT, false), &format!("{name}-scores"));
        let drawn = diagram(site, &FROZEN.catalog, &chosen.deployment, &chosen.prediction);
        check(&diagram_svg(&drawn, &Theme::LIGHT), &format!("{name}-diagram"));
    }
}

/// What is recommended, or the best where nothing keeps up, drawn.
fn drawn(site: &Site, advice: &Advice) -> Option<Diagram> {
    let chosen = advice.chosen.as_ref();
    let chosen = chosen.map(|c| (&c.deployment, &c.prediction));
    let best = advice.overload.as_ref();
    let best = best.map(|o| (&o.deployment, &o.prediction));
    let (deployment, prediction) = chosen.or(best)?;
    Some(diagram(site, &FROZEN.catalog, deployment, prediction))
}

fn is_apart(a: Rect, b: Rect) -> bool {
    a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y
}

/// Whether a level or upright leg runs through the inside of a box.
fn crosses((from, to): ((f64, f64), (f64, f64)), r: Rect) -> bool {
    let leg = Rect {
        x: from.0.min(to.0) - 0.1,
        y: from.1.min(to.1) - 0.1,
        width: (from.0 - to.0).abs() + 0.2,
        height: (from.1 - to.1).abs() + 0.2,
    };
    let inside = Rect { x: r.x + 1.0, y: r.y + 1.0, width: r.width - 2.0, height: r.height - 2.0 };
    !is_apart(leg, inside)
}

/// No box covers another, no line runs through a box at which it does not end, no label covers anything.
fn check_geometry(drawn: &Diagram, name: &str) {
    let outer = |kind: NodeKind| kind != NodeKind::Volume;
    for (i, a) in drawn.nodes.iter().enumerate() {
        let r = a.rect;
        assert!(r.x >= 0.0 && r.y >= 0.0 && r.height > 0.0, "{name}: {a:?}");
        assert!(r.right() <= drawn.width && r.bottom() <= drawn.height, "{name}: {a:?}");
        for b in &drawn.nodes[i + 1..] {
            let nested = outer(a.kind) != outer(b.kind);
            assert!(nested || is_apart(r, b.rect), "{name}: {} covers {}", a.title, b.title);
        }
    }
    for link in &drawn.links {
        assert!(link.points.len() >= 2, "{name}: {link:?}");
        let begins_inside = drawn.nodes[link.from].kind == NodeKind::Volume;
        for (i, node) in drawn.nodes.iter().enumerate() {
            let own_server = begins_inside && node.kind == NodeKind::Server;
            if i == link.from || i == link.to || own_server {
                continue;
            }
            for leg in link.points.windows(2) {
                assert!(
                    !crosses((leg[0], leg[1]), node.rect),
                    "{name}: the line from {} to {} runs through {}",
                    drawn.nodes[link.from].title,
                    drawn.nodes[link.to].title,
                    node.title
                );
            }
        }
        // Both ends lie at their boxes.
        let (first, last) = (link.points[0], link.points[link.points.len() - 1]);
        for (point, end) in [(first, link.from), (last, link.to)] {
            let r = drawn.nodes[end].rect;
            let at =
                (r.x - 0.1..=r.right() + 0.1).contains(&point.0) && (r.y - 0.1..=r.bottom() + 0.1).contains(&point.1);
            assert!(at, "{name}: {link:?} misses {:?}", drawn.nodes[end]);
        }
    }
    let labels: Vec<(usize, Rect)> =
        (0..drawn.links.len()).filter_map(|i| Some((i, drawn.links[i].label_rect()?))).collect();
    for (n, (i, label)) in labels.iter().enumerate() {
        for (_, other) in &labels[n + 1..] {
            assert!(is_apart(*label, *other), "{name}: {:?}", drawn.links[*i]);
        }
        for node in &drawn.nodes {
            assert!(is_apart(*label, node.rect), "{name}: a label of {:?} covers {node:?}", drawn.links[*i]);
        }
    }
}

/// Every text lies in a rectangle of its group.
fn check_texts(svg: &Svg, name: &str) {
    let document = roxmltree::Document::parse(svg.as_str()).unwrap();
    let number = |n: roxmltree::Node<'_, '_>, key: &str| -> f64 {
        let text = n.attribute(key).unwrap_or_else(|| panic!("{n:?} has no {key}"));
        text.parse().unwrap()
    };
    let groups = document.descendants().filter(|n| n.has_tag_name("g"));
    let mut seen = 0;
    for group in groups {
        let rects: Vec<Rect> = group
            .children()
            .filter(|n| n.tag_name().name() == "rect")
            .map(|n| Rect {
                x: number(n, "x"),
                y: number(n, "y"),
                width: number(n, "width"),
                height: number(n, "height"),
            })
            .collect();
        for text in group.children().filter(|n| n.tag_name().name() == "text") {
            let size = number(text, "font-size");
            let along = text_width(text.text().unwrap_or_default()) * size;
            let (x, y) = (number(text, "x"), number(text, "y"));
            let upright = text.attribute("transform").is_some();
            let start = match text.attribute("text-anchor") {
                Some("middle") => along / 2.0,
                _ => 0.0,
            };
            let inside = |r: &Rect| {
                if upright {
                    r.y <= y - start && y + along - start <= r.bottom()
                } else {
                    r.x <= x - start + 0.1
                        && x - start + along <= r.right() + 0.1
                        && r.y <= y - 0.7 * size
                        && y <= r.bottom()
                }
            };
            assert!(rects.iter().any(inside), "{name}: {text:?} leaves {rects:?}");
            seen += 1;
        }
    }
    assert!(seen > 5, "{name}");
}

fn check_drawing(site: &Site, advice: &Advice, name: &str) {
    let Some(drawn) = drawn(site, advice) else {
        return;
    };
    check_geometry(&drawn, name);
    let svg = diagram_svg(&drawn, &Theme::LIGHT);
    check(&svg, &format!("{name}-diagram"));
    check_texts(&svg, name);
    let offices = drawn.nodes.iter().filter(|n| n.kind == NodeKind::Office);
    let people = 1 + site.people.sites.len().min(3);
    assert!(offices.count() >= people, "{name}");
}

#[test]
fn nothing_in_a_drawing_covers_or_crosses_another() {
    for name in SITES {
        let Advised { site, advice } = frozen_example(name);
        check_drawing(site, advice, name);
    }
    for (seed, site, advice) in ADVISED.iter() {
        check_drawing(site, advice, &format!("generated-{seed}"));
    }
}

#[test]
fn many_offices_and_long_names_are_drawn() {
    for (offices, people) in [(1, 40), (3, 40), (4, 9), (8, 30)] {
        let mut text = "schema = 1\nname = \"Offices\"\n[people]\ndevelopers = 900\n".to_owned();
        for i in 0..offices {
            let name = format!("{} office {i} of the north-western region", "Very ".repeat(i % 4));
            let office = format!(
                "[[people.site]]\nname = \"{name}\"\ndevelopers = {people}\nround_trip = \"{} ms\"\nbandwidth = \"{} Mb/s\"\n",
                20 + 30 * (i % 5),
                50 * (1 + i % 3)
            );
            text.push_str(&office);
        }
        text.push_str("[data]\ndb_size = \"60 GiB\"\n");
        for more in ["", "[infrastructure]\nedges_max = 0\n"] {
            let text = format!("{text}{more}");
            let site = site::parse("site.toml", &text, &[], &FROZEN.vocabulary).unwrap();
            check_drawing(&site, &advice(&site), &format!("offices-{offices}-{}", more.len()));
        }
    }
}
