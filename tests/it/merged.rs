//! Findings that state one fact twice are one, and the first screen shows the gravest three, whatever the site.

use std::sync::LazyLock;

use plimsoll::advisor::rules::Finding;
use plimsoll::advisor::{Advice, advise};
use plimsoll::report::{Answer, LINES, advice_screen};
use plimsoll::site::{self, Site};

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

fn read(text: &str) -> Site {
    site::parse("site.toml", text, &[], &VOCABULARY).unwrap_or_else(|d| panic!("{}", d.render()))
}

/// Sites as different as those of people who ask: one thing is wrong with each.
fn sites() -> Vec<(&'static str, String)> {
    let base =
        |people: u32, rest: &str| format!("schema = 1\nname = \"Site\"\n[people]\ndevelopers = {people}\n{rest}");
    vec![
        (
            "little memory on disks",
            base(
                250,
                "[data]\ndb_size = \"120 GB\"\ndepot_size = \"1 TB\"\n[server]\nrelease = \"2016.1\"\nram = \"16 GiB\"\n\
                 cores = 4\nlocal_disks = 8\nlocal_medium = \"disk-sata\"\n[infrastructure]\nstorage = [\"local-raid\"]\n\
                 protocols = [\"local\"]\ncurrent_layout = \"single-volume\"\n",
            ),
        ),
        (
            "everything on a filer, mounted soft",
            base(
                80,
                "[data]\ndb_size = \"10 GB\"\n[infrastructure]\nstorage = [\"generic-flash-file\", \"local-raid\"]\n\
                 [[today.volume]]\nroles = [\"db\", \"offline_db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\n\
                 array = \"generic-flash-file\"\nprotocol = \"nfsv3\"\nmount_options = \"soft,noac\"\n",
            ),
        ),
        (
            "signs",
            base(
                150,
                "[data]\ndb_size = \"30 GB\"\ndepot_size = \"2 TB\"\n[server]\nlocal_disks = 8\n[infrastructure]\n\
                 storage = [\"local-raid\"]\n[today]\nsigns = [\"memory-ballooning\", \"antivirus\", \"stalls\", \"swapping\"]\n",
            ),
        ),
        (
            "an office behind a thin line",
            base(
                120,
                "[[people.site]]\nname = \"Far\"\ndevelopers = 40\nround_trip = \"180 ms\"\nbandwidth = \"20 Mb/s\"\n[server]\n\
                 local_disks = 12\n[infrastructure]\nstorage = [\"local-raid\"]\n[targets]\nbrowse = \"0.3 s\"\nsync = \"1 min\"\n",
            ),
        ),
    ]
}

/// Each site with its advice: made once for all tests.
static ADVISED: LazyLock<Vec<(&str, Site, Advice)>> = LazyLock::new(|| {
    let sites = sites().into_iter().map(|(what, text)| {
        let site = read(&text);
        let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
        (what, site, advice)
    });
    sites.collect()
});

#[test]
fn the_first_screen_has_the_gravest_three_and_fits() {
    for (what, site, advice) in ADVISED.iter() {
        let answer = Answer::of(site, &CATALOG, advice);
        let screen = advice_screen(site, &CATALOG, advice).text;
        assert!(screen.lines().count() <= LINES, "{what}:\n{screen}");
        for row in answer.findings.iter().take(3) {
            let code = format!("[{}]", row.rule);
            assert!(screen.contains(&code), "{what}: {code}\n{screen}");
        }
        assert!(screen.ends_with("evidence.\n"), "{what}: the end is cut off\n{screen}");
    }
}

#[test]
fn no_two_findings_state_one_fact() {
    // By rule: the first says all that the second does, wherever both are about the same.
    let same = [
        ("STO008", "MEM002"),
        ("STO008", "MEM001"),
        ("MEM002", "MEM001"),
        ("MEM003", "MEM001"),
        ("QUE001", "QUE004"),
        ("PLC001", "PLC002"),
        ("PLC001", "PLC014"),
        ("NET004", "EVD003"),
        ("NET001", "EVD003"),
        ("QUE011", "QUE003"),
    ];
    for (what, _, advice) in ADVISED.iter() {
        let findings = &advice.findings;
        let of = |rule: &str| -> Vec<&Finding> {
            let today = |f: &&Finding| f.rule == rule;
            findings.iter().filter(today).collect()
        };
        for (more, less) in same {
            for kept in of(more) {
                for dropped in of(less) {
                    let names = dropped.about.iter().all(|name| kept.about.contains(name));
                    let both = kept.is_of_today == dropped.is_of_today;
                    assert!(!(names && both), "{what}: {more} and {less}");
                }
            }
        }
    }
}

#[test]
fn a_merged_finding_keeps_the_evidence_of_both() {
    let (_, _, advice) = &ADVISED[0];
    let findings = &advice.findings;
    let merged: Vec<&Finding> = findings.iter().filter(|f| !f.also.is_empty()).collect();
    assert!(!merged.is_empty(), "{findings:#?}");
    for finding in merged {
        let rules = &*plimsoll::advisor::rules::RULES;
        for also in &finding.also {
            assert!(rules.iter().any(|rule| rule.id == *also));
            assert_ne!(*also, finding.rule);
        }
    }
}

#[test]
fn what_endangers_the_system_that_is_there_is_said_where_another_is_recommended() {
    let (_, site, advice) = &ADVISED[1];
    let soft = advice.findings.iter().find(|f| f.rule == "PLC010");
    let soft = soft.expect("the soft mount of today");
    let moved = advice.chosen.as_ref().unwrap();
    if moved.deployment.volumes.iter().all(|m| m.stated_options.is_none()) {
        assert!(soft.is_of_today);
        assert!(soft.message.to_string().starts_with("today "), "{}", soft.message);
    }
    let answer = Answer::of(site, &CATALOG, advice);
    let place = answer.findings.iter().position(|row| row.rule == "PLC010");
    assert!(place < Some(3), "{:#?}", answer.findings);
}

#[test]
fn each_finding_says_how_sure_it_is() {
    for (what, site, advice) in ADVISED.iter() {
        let answer = Answer::of(site, &CATALOG, advice);
        for (row, finding) in answer.findings.iter().zip(&advice.findings) {
            assert!(!row.sure.is_empty(), "{what}: {finding:?}");
            assert!(row.whole().contains("How sure: "), "{what}");
        }
    }
}
