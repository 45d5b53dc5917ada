//! The advisor's rules: each documented, named as its check, and firing where it says it does.

mod cases;
mod more_cases;
mod world;

use crate::site::LEAST;
use cases::{CASES, Case};
use more_cases::{FURTHER, SIGNED};
use plimsoll::advisor::advise;
use plimsoll::advisor::rules::{Basis, DOC_SECTIONS, Finding, RULES, Severity, check};
use plimsoll::catalog::Feature;
use plimsoll::page::wrap;
use plimsoll::report::FindingRow;
use plimsoll::site::{self, Release, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use world::{HEALTHY, World, read, stated};

use crate::shared::{CALIBRATION, CATALOG};

/// All cases of all rules.
fn cases() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain(FURTHER).chain(SIGNED)
}

/// What one rule finds in a changed world.
fn found(id: &str, change: impl FnOnce(&mut World)) -> Vec<Finding> {
    let mut world = HEALTHY.clone();
    change(&mut world);
    let rule = RULES.iter().find(|r| r.id == id).expect("a rule");
    rule.findings(&world.facts())
}

/// The worst that one rule finds.
fn worst(id: &str, change: impl FnOnce(&mut World)) -> Option<Severity> {
    found(id, change).iter().map(|f| f.severity).max()
}

#[test]
fn every_rule_is_documented_and_named_after_its_check() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/advisor/rules");
    let texts = std::fs::read_dir(folder).unwrap();
    let texts = texts.map(|file| plimsoll::document::read_text(&file.unwrap().path()).unwrap());
    let code: String = texts.collect();
    for rule in RULES.iter() {
        let id = rule.id;
        let mut rest = rule.docs;
        for section in DOC_SECTIONS {
            let (_, after) =
                rest.split_once(section).unwrap_or_else(|| panic!("{id}: no section {section:?} in its place"));
            let body = after.split("\n### ").next().unwrap().trim();
            assert!(!body.is_empty(), "{id}: {section:?} is empty");
            rest = after;
        }
        let headings = rule.docs.matches("###").count();
        assert_eq!(headings, DOC_SECTIONS.len(), "{id}");
        let check = format!("(\"{id}\", Once({}))", rule.name.replace('-', "_"));
        let checks = [check.replace("Once", "Each"), check, format!("rule: \"{id}\"")];
        let is_checked = checks.iter().any(|check| code.contains(check.as_str()));
        assert!(is_checked, "{id}: no {checks:?} in {folder}");
        let family = id.len() == 6 && id.bytes().take(3).all(|b| b.is_ascii_uppercase());
        assert!(family && id.bytes().skip(3).all(|b| b.is_ascii_digit()), "{id}");
        assert!(!rule.summary.ends_with('.'), "{id}");
    }
    let checks = code.matches(", Once(").count() + code.matches(", Each(").count();
    let signs: BTreeSet<&str> = code.split("rule: \"").skip(1).map(|rest| &rest[..6]).collect();
    assert_eq!(checks + signs.len(), RULES.len(), "a check has no text in models/rules");
}

#[test]
fn nothing_is_found_where_everything_is_well() {
    assert_eq!(check(&HEALTHY.facts()), []);
}

#[test]
fn each_rule_fires_beyond_its_threshold_and_is_quiet_at_it() {
    for (i, (id, expected, change)) in cases().enumerate() {
        assert_eq!(worst(id, change), *expected, "{id}, case {i}");
    }
    for rule in RULES.iter() {
        let mut of_it = cases().filter(|(id, _, _)| *id == rule.id);
        assert!(of_it.any(|(_, s, _)| s.is_some()), "{} never fires", rule.id);
    }
}

/// What an old release does not have is not told to its administrator, but with the release that has it.
#[test]
fn nothing_is_to_be_set_that_the_release_lacks() {
    let words = Feature::ALL.iter().flat_map(|feature| {
        let words = feature.words().iter();
        words.map(|word| (word.as_str(), feature.since()))
    });
    let words: Vec<(&str, Release)> = words.collect();
    let settings = CATALOG.settings["p4-configure"].list.iter();
    // There since 2014.2, and set by its default from 2018.1 on.
    let settings = settings.filter(|setting| setting.name != "net.autotune");
    let settings = settings.filter_map(|s| Some((format!("configure set {}=", s.name), s.since?)));
    // Of several values by release the first counts.
    let mut first = BTreeMap::<String, Release>::new();
    for (word, since) in settings {
        first.entry(word).and_modify(|known| *known = since.min(*known)).or_insert(since);
    }
    let settings: Vec<(String, Release)> = first.into_iter().collect();
    let since = || {
        let words = words.iter().map(|(word, since)| (*word, *since));
        words.chain(settings.iter().map(|(word, since)| (word.as_str(), *since)))
    };
    let mut old = 0;
    let first = Feature::ALL.iter().map(|feature| feature.since());
    let releases: BTreeSet<Release> = [Release::FIRST, Release::newest()].into_iter().chain(first).collect();
    for release in releases {
        // Without edges nothing is found of them.
        let has_edges = release.edges();
        for (id, _, change) in cases().filter(|(id, ..)| has_edges || !id.starts_with("EDG")) {
            let findings = found(id, |world| {
                change(world);
                world.site.server.release.value = release;
            });
            for finding in findings {
                for (word, since) in since().filter(|(_, s)| *s > release) {
                    let named = finding.action.to_string().contains(&since.to_string());
                    assert!(
                        named || !finding.action.to_string().contains(word),
                        "{id}, {release}, {word}: {}",
                        finding.action
                    );
                    old += 1;
                }
            }
        }
    }
    assert!(old > 1000, "{old}");
}

#[test]
fn what_is_found_names_numbers_and_rests_on_something_real() {
    for (id, _, change) in cases() {
        found(id, change).iter().for_each(check_form);
    }
}

/// The first screen has three lines of 95 columns for a finding; questions it asks itself.
#[test]
fn the_shortest_form_of_what_is_found_fits_the_first_screen() {
    let mut long = Vec::new();
    for (id, _, change) in cases().filter(|(id, ..)| *id != "EVD002") {
        for finding in found(id, change) {
            let row = FindingRow::of(&finding);
            let shortest = row.forms().pop().expect("a form");
            if wrap(&shortest, 95).len() > 3 {
                long.push(shortest);
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// What the answers show comes before what is only suspected, whatever it costs.
#[test]
fn a_suspicion_ranks_below_what_the_answers_show() {
    let mut world = HEALTHY.clone();
    world.site.data.revisions = stated(20e6);
    world.site.data.db_size = stated(world.memory.there * 100.0);
    world.site.server.log_level = stated(2.0);
    world.lock(0.6);
    let found = check(&world.facts());
    let rules: Vec<&str> = found.iter().map(|f| f.rule).collect();
    let place = |rule: &str| rules.iter().position(|r| *r == rule);
    assert!(place("QUE003").is_some() && place("QUE003") < place("CAP005"), "{rules:?}");
    for pair in found.windows(2).filter(|pair| pair[0].severity == pair[1].severity) {
        assert!(pair[0].is_suspicion <= pair[1].is_suspicion, "{rules:?}");
    }
}

/// Lower case but for a name, no full stop, a number; evidence that exists.
fn check_form(finding: &Finding) {
    let id = finding.rule;
    for text in [&finding.message, &finding.action].map(ToString::to_string) {
        let first = text.chars().next().expect("words");
        let arrays = CATALOG.arrays.values().map(|array| &array.entry.name);
        let servers = CATALOG.servers.values().map(|server| &server.entry.name);
        let mut names = arrays.chain(servers);
        let is_name = text.starts_with("RAID") || names.any(|name| text.starts_with(name.as_str()));
        assert!(is_name || !first.is_uppercase(), "{id}: {text}");
        assert!(!text.ends_with('.'), "{id}: {text}");
        assert!(!text.contains("NaN") && !text.contains("inf "), "{id}: {text}");
    }
    assert!(finding.message.to_string().contains(|c: char| c.is_ascii_digit()), "{id}: no number: {finding:?}");
    assert!(!finding.evidence.is_empty(), "{id}: no evidence");
    for evidence in &finding.evidence {
        let known = evidence.id == "model"
            || CALIBRATION.datum(&evidence.id).is_some()
            || CATALOG.references.contains_key(&evidence.id)
            || site::field(&evidence.id).is_some();
        assert!(known, "{id}: nothing is called {:?}", evidence.id);
        assert!(evidence.text.len() > 2, "{id}: {evidence:?}");
        // A datum that has no such figure leaves a blank at the end.
        assert!(!evidence.text.ends_with(' '), "{id}: {evidence:?}");
    }
}

#[test]
fn the_ids_that_docs_cite_exist() {
    let sources: BTreeSet<&str> = CALIBRATION.sources.keys().map(String::as_str).collect();
    for rule in RULES.iter() {
        let words = rule.docs.split(|c: char| !(c.is_alphanumeric() || c == '-'));
        for word in words.filter(|w| w.contains('-')) {
            let source = word.split('-').next().unwrap();
            if sources.contains(source) {
                assert!(CALIBRATION.datum(word).is_some(), "{}: {word}", rule.id);
            }
        }
    }
}

#[test]
fn every_sign_is_explained_and_makes_a_rule_fire() {
    let words: BTreeSet<&str> = plimsoll::report::explanation::words().collect();
    for sign in site::SIGNS {
        assert!(words.contains(sign), "models/glossary.toml lacks {sign}");
        let mut world = HEALTHY.clone();
        world.sign(sign);
        let fires = !check(&world.facts()).is_empty();
        // How long a live checkpoint takes decides whether it matters.
        assert!(fires || *sign == "live-checkpoint", "nothing is said of {sign}");
    }
}

/// The page of all rules.
#[test]
fn the_page_of_rules_is_the_programs_own() {
    let mut page = "# Rules\n\nWhat the advisor looks for, made from `models/rules` by a test (`tests/renew.sh pages` renews it). \
                    `plimsoll explain ID` shows one. Findings are sorted by severity; within a severity come those from stated answers, then those \
                    that rest on an assumed answer, then suspicions, and among these the most expensive for the site first. A finding about \
                    an unstated part of today's system is a suspicion, and a note.\n\n| id | name | fires when |\n|---|---|---|\n"
        .to_owned();
    for rule in RULES.iter() {
        let (id, name, summary) = (rule.id, rule.name, rule.summary);
        writeln!(page, "| {id} | `{name}` | {summary} |").unwrap();
    }
    for rule in RULES.iter() {
        let docs = rule.docs.replace("\n### ", "\n#### ");
        let docs = docs.strip_prefix("### ").map_or(docs.clone(), |rest| format!("#### {rest}"));
        write!(page, "\n## {} {}\n{docs}", rule.id, rule.name).unwrap();
    }
    crate::kept::page("docs/rules.md", &page);
}

#[test]
fn three_fields_at_most_are_asked_for() {
    let found = found("EVD002", |w| w.influence(2.0, false));
    assert_eq!(found[0].action.to_string(), "answer data.files, people.site.0.round_trip, server.ram");
    assert_eq!(found[0].evidence.len(), 3);
}

#[test]
fn edges_are_not_advised_to_releases_without() {
    let old = found("NET002", |w| {
        w.office(50.0);
        w.is_there = true;
        w.site.server.release = stated(Release::new(2012, 1));
    });
    assert!(old[0].action.to_string().starts_with("place a proxy"), "{}", old[0].action);
    let new = found("NET002", |w| w.office(50.0));
    assert!(new[0].action.to_string().starts_with("place an edge"), "{}", new[0].action);
}

#[test]
fn findings_come_worst_first_then_surest_then_by_cost_then_by_id() {
    let mut world = HEALTHY.clone();
    for (_, _, change) in cases() {
        change(&mut world);
    }
    let found = check(&world.facts());
    assert!(found.len() > 10, "{found:?}");
    let before = |a: &Finding, b: &Finding| {
        let cost = b.cost.total_cmp(&a.cost);
        let sureness = |f: &Finding| match f.basis() {
            Basis::Stated | Basis::Estimated => 0,
            Basis::Assumed(_) => 1,
            Basis::Suspected => 2,
        };
        let order = b.severity.cmp(&a.severity);
        let order = order.then(sureness(a).cmp(&sureness(b))).then(cost);
        order.then(a.rule.cmp(b.rule)).is_le()
    };
    assert!(found.is_sorted_by(before), "{found:?}");
    assert!(found.iter().all(|f| f.cost.is_finite() && f.cost >= 0.0));
}

/// A studio of 2013 with every question answered, on exports alone.
const FULL: &str = include_str!("../../site_full.toml");

/// Sites as different as the questionnaire allows, each with what is set besides.
const SITES: [(&str, &[&str]); 4] = [
    (FULL, &["infrastructure.protocols=[\"nfsv3\"]", "data.depot_size=500 GB"]),
    (LEAST, &["people.developers=1", "data.files=1", "data.revisions=1", "workload.largest_submit_files=1"]),
    (
        LEAST,
        &[
            "people.developers=40",
            "data.depot_size=50 GB",
            "data.db_size=2 GB",
            "server.model=\"dell-6650\"",
            "server.release=2004.2",
            "server.bits=32",
            "server.local_medium=\"disk-10k\"",
            "infrastructure.operating_systems=[\"windows\"]",
        ],
    ),
    (
        LEAST,
        &[
            "people.developers=50",
            "infrastructure.storage=[\"cloud-block\", \"cloud-nfs\"]",
            "infrastructure.dedicated=false",
        ],
    ),
];

#[test]
fn no_rule_panics_whatever_the_site() {
    for (text, overrides) in SITES {
        let tables = overrides.join(" ");
        let site = read(text, overrides);
        let advice = advise(&site, &Vocabulary::of(&CATALOG), &CATALOG, &CALIBRATION);
        assert!(advice.chosen.is_some(), "{tables}: {:?}", advice.alternatives);
        assert!(!advice.findings.is_empty(), "{tables}");
        for finding in &advice.findings {
            check_form(finding);
        }
        // Neither where the deployment is another than was made for the site.
        let mut world = HEALTHY.clone();
        world.site = site;
        check(&world.facts()).iter().for_each(check_form);
    }
}
