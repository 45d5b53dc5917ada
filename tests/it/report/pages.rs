//! The whole report: what it holds, that it is well-formed, and that nothing from a site file becomes
//! markup.

use std::collections::BTreeMap;

use plimsoll::advisor::{self, Advice};
use plimsoll::emit;
use plimsoll::page::{Block, Page, page_html, page_markdown};
use plimsoll::report::{Inputs, Source, mean_above_p95, report};
use plimsoll::site::{self, Site};
use proptest::prelude::*;

use super::advice;
use crate::cli::SITES;
use crate::shared::{Advised, FROZEN, frozen_example};

/// The report on a site.
fn told(site: &Site) -> Page {
    told_of(site, &advice(site))
}

/// The report on an example.
fn told_of_example(name: &str) -> Page {
    let Advised { site, advice } = frozen_example(name);
    told_of(site, advice)
}

fn told_of(site: &Site, advice: &Advice) -> Page {
    let (catalog, calibration) = (&FROZEN.catalog, &FROZEN.calibration);
    let curves = advisor::curves(site, catalog, calibration, advice);
    let configuration = emit::configuration(site, catalog, advice);
    report(&Source {
        inputs: Inputs { site, catalog, calibration },
        advice,
        curves: curves.as_ref(),
        configuration: &configuration,
        further: &[],
    })
}

/// Names of elements and their attributes, in their order. XML is stricter than HTML: what is not escaped
/// is refused.
fn structure(html: &str) -> Vec<String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap_or_else(|e| panic!("{e}\n{html}"));
    let elements = document.descendants().filter(roxmltree::Node::is_element);
    elements
        .map(|e| {
            let attributes: Vec<&str> = e.attributes().map(|a| a.name()).collect();
            format!("{} {}", e.tag_name().name(), attributes.join(" "))
        })
        .collect()
}

/// Elements and attributes that the report is made of, and no other.
fn check_page(html: &str) {
    const ELEMENTS: &[&str] = &[
        "a",
        "b",
        "body",
        "circle",
        "div",
        "figcaption",
        "figure",
        "footer",
        "g",
        "h1",
        "h2",
        "h3",
        "head",
        "header",
        "html",
        "i",
        "li",
        "line",
        "main",
        "meta",
        "nav",
        "p",
        "polygon",
        "polyline",
        "rect",
        "section",
        "span",
        "style",
        "svg",
        "table",
        "tbody",
        "td",
        "text",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ];
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for one in structure(html) {
        let (element, attributes) = one.split_once(' ').unwrap();
        assert!(ELEMENTS.contains(&element), "<{element}>");
        for attribute in attributes.split(' ') {
            assert!(!attribute.starts_with("on"), "{attribute}");
            assert!(!["src", "srcset", "action", "data"].contains(&attribute));
        }
        *seen.entry(element.to_owned()).or_default() += 1;
    }
    assert_eq!(seen["html"], 1);
    // Nothing is fetched: links stay on the page, or lead to the other part of the report.
    for link in html.split("href=\"").skip(1) {
        let stays = |to: &&str| link.starts_with(*to);
        let is_own = ["#", "r.html#", "r-appendix.html#"].iter().any(stays);
        assert!(is_own, "{}", &link[..link.len().min(40)]);
    }
    let with_namespace = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!with_namespace.contains("http"));
    // The typeface lies in the page.
    let fetched = html.replace("url(data:font/woff2;base64,", "");
    assert!(!fetched.contains("url("));
}

/// Every link leads somewhere, and no two places have one name.
fn check_anchors(html: &str) {
    let values = |key: &str| -> Vec<String> {
        let parts = html.split(key).skip(1);
        parts.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let mut ids = values(" id=\"");
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "anchors are unique");
    for link in values("href=\"#") {
        assert!(ids.contains(&link), "#{link} leads nowhere");
    }
}

#[test]
fn the_report_of_every_example_is_whole() {
    for name in SITES {
        let site = &frozen_example(name).site;
        let told = told_of_example(name);
        let titles: Vec<&str> = told.sections.iter().map(|s| s.anchor).collect();
        for wanted in [
            "summary",
            "layout",
            "peak",
            "growth",
            "recovery",
            "alternatives",
            "findings",
            "assumptions",
            "accuracy",
            "configuration",
            "numbers",
        ] {
            assert!(titles.contains(&wanted), "{name}: {wanted} in {titles:?}");
        }
        let html = page_html(&told);
        check_page(&html);
        check_anchors(&html);
        assert!(!html.contains("NaN") && !html.contains(">inf "), "{name}");
        let shown = site.name.replace('\'', "&#39;").replace('"', "&quot;");
        assert!(html.contains(&format!("<h1>{shown}</h1>")), "{shown}");
        let markdown = page_markdown(&told);
        assert!(markdown.contains("\n## Recommendation\n"), "{name}");
        assert_eq!(html, page_html(&told), "the same each time");
        check_parts(told, name);
    }
}

/// The part that is read is short, all of a section that is not stands in the appendix, and links lead from one to the other.
fn check_parts(told: Page, name: &str) {
    let whole = told.clone();
    let parts = told.in_two(["r.html", "r-appendix.html"]);
    let [read, looked_up] = parts.each_ref().map(page_html);
    for (own, other, file) in [(&read, &looked_up, "r-appendix.html"), (&looked_up, &read, "r.html")] {
        check_page(own);
        check_anchors(own);
        for link in own.split(&format!("href=\"{file}#")).skip(1) {
            let anchor = link.split('"').next().unwrap();
            assert!(other.contains(&format!(" id=\"{anchor}\"")), "{name}: {file}#{anchor}");
        }
    }
    let [read, looked_up] = parts;
    assert!(read.sections.iter().all(|section| !section.appendix), "{name}");
    let rows = |page: &Page| {
        let blocks = page.sections.iter().flat_map(|section| &section.blocks);
        let rows = blocks.filter_map(|block| match block {
            Block::Table(table) => Some(table.rows.len()),
            _ => None,
        });
        rows.max().unwrap_or(0)
    };
    assert!(rows(&read) < 18, "{name}: {}", rows(&read));
    for section in whole.sections {
        let stands =
            |one: &plimsoll::page::Section| one.anchor == section.anchor && one.blocks.len() == section.blocks.len();
        let mut all = read.sections.iter().chain(&looked_up.sections);
        assert!(section.anchor == "summary" || all.any(stands), "{name}: {}", section.anchor);
    }
}

#[test]
fn the_report_in_markdown() {
    let Advised { site, advice } = frozen_example("netapp-lab-2013");
    let mut site = site.clone();
    "site.toml".clone_into(&mut site.file);
    let markdown = page_markdown(&told_of(&site, advice));
    // The numbers' appendix is long and tested by its JSON; hashes change with every number.
    let (before, _) = markdown.split_once("\n## Appendix: Numbers and their origins\n").unwrap();
    insta::assert_snapshot!("report_markdown", before);
}

#[test]
fn a_site_for_which_nothing_fits_has_a_report() {
    let text = "schema = 1\nname = \"Nothing\"\n[people]\ndevelopers = 9000\n[data]\ndb_size = \"900 GiB\"\n\
                [workload]\ncommands_per_day = \"900000000 /day\"\n[server]\nmodel = \"dell-2950\"\nram = \"1 GiB\"\n\
                [infrastructure]\nedges_max = 0\n";
    let site = site::parse("site.toml", text, &[], &FROZEN.vocabulary).unwrap();
    let told = told(&site);
    assert!(advice(&site).chosen.is_none());
    check_page(&page_html(&told));
    assert!(page_markdown(&told).contains("## Why not another layout"));
}

/// Strings that mean harm.
const HOSTILE: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></style></svg></pre><b>",
    "]]> --> <!-- <![CDATA[ &lt; &#60;script&#62;",
    "$(reboot) `reboot` ; rm -rf /",
    "../../x\\..\\x",
    "a\u{202e}txt.exe\u{2066}b",
    "line\nbreak\r\ttab\u{0}\u{1b}[31m\u{7f}\u{85}",
    "| a | b |\n|---|---|\n``` ~~~ [x](javascript:alert(1)) ![x](y) # *b* _i_",
    "\u{fffe}\u{ffff}\u{feff}אולפן Ω ﷽ 🧊",
    "-- 100 % {{ 7*7 }} ${7*7} #{7*7} <%= 7*7 %>",
];

#[test]
fn hostile_names_in_a_site_stay_text() {
    let long = "n".repeat(300);
    for i in 0..=HOSTILE.len() {
        let pick = |k: usize| HOSTILE.get((i + k) % (HOSTILE.len() + 1)).copied();
        let pick = |k: usize| pick(k).unwrap_or(&long).to_owned();
        let text = "schema = 1\nname = \"x\"\n[people]\ndevelopers = 60\n[[people.site]]\nname = \"office\"\n\
                    developers = 20\nround_trip = \"90 ms\"\nbandwidth = \"100 Mb/s\"\n[data]\ndb_size = \"9 GiB\"\n";
        let mut site = site::parse("site.toml", text, &[], &FROZEN.vocabulary).unwrap();
        site.name = pick(0);
        site.people.sites[0].name = pick(1);
        site.file = pick(2);
        site.warnings = vec![pick(3)];
        let told = told(&site);
        let html = page_html(&told);
        check_page(&html);
        check_anchors(&html);
        check_markdown(&page_markdown(&told));
    }
}

/// Outside of fences no mark of HTML stands without its backslash.
fn check_markdown(markdown: &str) {
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line),
            None => {
                let mut before = ' ';
                for c in line.chars() {
                    assert!(c != '<' || before == '\\', "{line}");
                    // A backslash before a backslash is text.
                    before = if before == '\\' && c == '\\' { ' ' } else { c };
                }
            }
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    assert!(crate::site_hostile::is_harmless(markdown));
}

/// Puts texts in turn in the place of everything that a report says.
fn replaced(report: &Page, texts: &[String]) -> Page {
    let mut report = report.clone();
    let mut turn = texts.iter().cycle();
    let mut put = |text: &mut String| {
        // What is empty decides about the structure.
        if !text.is_empty() {
            text.clone_from(turn.next().unwrap());
        }
    };
    put(&mut report.title);
    put(&mut report.made_from);
    let mut blocks: Vec<&mut Block> = report.sections.iter_mut().flat_map(|s| &mut s.blocks).collect();
    while let Some(block) = blocks.pop() {
        match block {
            Block::Beside(columns) => blocks.extend(columns.iter_mut().flatten()),
            Block::Lead(t) | Block::Text(t) | Block::Note(t) | Block::Heading(t) | Block::Anchor(_, t) => put(t),
            Block::Points(points) | Block::Numbered(points) => {
                for point in points {
                    put(&mut point.text);
                }
            }
            Block::Table(grid) => {
                for row in &mut grid.rows {
                    row.cells.iter_mut().for_each(|cell| put(&mut cell.text));
                }
            }
            Block::Chart(chart) | Block::Small(chart) => {
                put(&mut chart.title);
                put(&mut chart.x.label);
                put(&mut chart.y.label);
                chart.series.iter_mut().for_each(|s| put(&mut s.name));
                chart.marks.iter_mut().for_each(|m| put(&mut m.label));
            }
            Block::Bars(bars, _) => {
                for bar in &mut bars.bars {
                    put(&mut bar.label);
                    put(&mut bar.note);
                }
            }
            Block::Diagram(drawn) => {
                for node in &mut drawn.nodes {
                    put(&mut node.title);
                    node.lines.iter_mut().for_each(&mut put);
                    node.hover.iter_mut().for_each(&mut put);
                }
                for link in &mut drawn.links {
                    put(&mut link.label);
                    link.hover.iter_mut().for_each(&mut put);
                }
            }
            Block::LoadLine(line) => {
                put(&mut line.today);
                put(&mut line.horizon.1);
                put(&mut line.limit.1);
            }
            Block::Card(card) => {
                put(&mut card.message);
                put(&mut card.action);
                for (id, words) in &mut card.evidence {
                    put(id);
                    put(words);
                }
            }
        }
    }
    report
}

fn hostile() -> impl Strategy<Value = String> {
    let known = prop::sample::select(HOSTILE.map(str::to_owned).to_vec());
    let marks = "[<>&\"'`|\\\\\\[\\](){}#*_~!=;:/$\u{0}-\u{1f}\u{7f}-\u{9f}\u{200e}\u{202a}-\u{202e}\u{2066}-\u{2069}a-z -]{1,40}";
    prop_oneof![known, marks, "\\PC{1,300}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Whatever texts say, the page has the elements and attributes that it has with harmless ones; a long name of a line has
    /// more rows.
    #[test]
    fn no_text_becomes_markup(texts in prop::collection::vec(hostile(), 1..12)) {
        static REPORT: std::sync::LazyLock<Page> =
            std::sync::LazyLock::new(|| told_of_example("sun-partner-2009"));
        // Equal where the hostile ones are: a chart names what has one name once.
        let first = |text: &String| texts.iter().position(|one| one == text);
        let harmless: Vec<String> = texts.iter().map(|text| format!("harmless {:?}", first(text))).collect();
        let harmless = replaced(&REPORT, &harmless);
        // A long name in a chart has more rows.
        let structure = |html: &str| {
            let mut found = structure(html);
            found.retain(|element| !element.starts_with("text "));
            found
        };
        let expected = structure(&page_html(&harmless));
        let hostile = replaced(&REPORT, &texts);
        let html = page_html(&hostile);
        prop_assert_eq!(structure(&html), expected);
        check_markdown(&page_markdown(&hostile));
    }
}

/// The paths of all answers in a site file.
fn answers(table: &toml::Table, path: &[String], out: &mut Vec<Vec<String>>) {
    for (key, value) in table {
        let mut path = path.to_vec();
        path.push(key.clone());
        match value {
            toml::Value::Table(inner) => answers(inner, &path, out),
            _ => out.push(path),
        }
    }
}

fn without(table: &toml::Table, path: &[String]) -> toml::Table {
    let mut table = table.clone();
    match path {
        [last] => {
            table.remove(last);
        }
        [first, rest @ ..] => {
            if let Some(toml::Value::Table(inner)) = table.get(first) {
                let inner = without(inner, rest);
                table.insert(first.clone(), inner.into());
            }
        }
        [] => {}
    }
    table
}

/// Each answer of each example left out; of those with one name only the first `most`, and of all of these one of `each`.
fn with_one_answer_missing(most: usize, each: usize) {
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut turn = 0;
    for name in SITES {
        let text = &frozen_example(name).site.text;
        let table: toml::Table = text.parse().unwrap();
        let mut all = Vec::new();
        answers(&table, &[], &mut all);
        for path in all {
            let key = path.join(".");
            let count = tried.entry(key.clone()).or_default();
            if ["schema", "name", "people.developers"].contains(&key.as_str()) || *count >= most {
                continue;
            }
            *count += 1;
            turn += 1;
            if turn % each != 0 {
                continue;
            }
            let text = without(&table, &path).to_string();
            // Some answers need others, which the questionnaire says.
            let Ok(site) = site::parse("site.toml", &text, &[], &FROZEN.vocabulary) else {
                continue;
            };
            let told = told(&site);
            let html = page_html(&told);
            check_page(&html);
            check_anchors(&html);
            assert!(page_markdown(&told).contains("## Recommendation"), "{name}: {key}");
        }
    }
    assert!(tried.len() > 30, "{tried:?}");
}

#[test]
fn any_answer_may_be_missing() {
    with_one_answer_missing(1, 3);
}

/// `cargo test --release --no-default-features any_answer_of_any -- --ignored`
#[test]
#[ignore = "two hundred reports"]
fn any_answer_of_any_example_may_be_missing() {
    with_one_answer_missing(SITES.len(), 1);
}

#[test]
fn a_mean_above_the_95th_percentile_is_explained() {
    let chosen = frozen_example("sun-partner-2009").advice.chosen.as_ref().unwrap();
    let mut class = chosen.prediction.classes[0].clone();
    class.mean.value = 0.9 * class.p95.value;
    assert_eq!(mean_above_p95(&class), None);
    class.mean.value = 1.1 * class.p95.value;
    let told = mean_above_p95(&class).unwrap();
    assert!(told.contains("fewer than one command in 20 waits very long"), "{told}");
}
