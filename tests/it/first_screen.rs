//! The first screens of an advice: whatever the site, they fit, and no sentence on them is cut.

use plimsoll::advisor::{Advice, advise, today};
use plimsoll::report::{Answer, COLUMNS, LINES, TodayAnswer, advice_screen, today_screen};
use plimsoll::site::{self, Site};

use crate::cli::SITES;
use crate::shared::{self, Advised, CALIBRATION, CATALOG, VOCABULARY};

fn read(name: &str, text: &str) -> Site {
    site::parse(name, text, &[], &VOCABULARY).unwrap_or_else(|d| panic!("{}", d.render()))
}

/// Sites with long names, many offices and much that is wrong.
fn sites() -> Vec<Site> {
    let mut sites = Vec::new();
    let office = |n: usize, trip: usize| {
        format!(
            "[[people.site]]\nname = \"Research and development centre number {n}, St. Louis (Senegal)\"\ndevelopers = 40\n\
             round_trip = \"{trip} ms\"\nbandwidth = \"50 Mb/s\"\n"
        )
    };
    let offices: String = (1..=6).map(|n| office(n, 30 * n)).collect();
    let long = "The main production server of the largest division of a company with a very long name indeed";
    for (name, rest) in [
        (
            "offices.toml",
            format!(
                "[people]\ndevelopers = 900\n{offices}[server]\nlocal_disks = 12\n[infrastructure]\nstorage = [\"local-raid\", \"flasharray\", \
                 \"flashblade\"]\nedges_max = 8\n[targets]\nsubmit = \"1 s\"\nedit = \"0.2 s\"\nbrowse = \"0.1 s\"\nsync = \"20 s\"\n\
                 large_sync = \"5 min\"\n"
            ),
        ),
        (
            "old.toml",
            format!(
                "[people]\ndevelopers = 700\n{offices}[data]\ndb_size = \"150 GB\"\ndepot_size = \"9 TB\"\n[server]\nrelease = \"2010.2\"\n\
                 ram = \"16 GiB\"\ncores = 4\nlocal_disks = 6\nlocal_medium = \"disk-sata\"\n[infrastructure]\nstorage = [\"local-raid\"]\n\
                 protocols = [\"local\"]\ncurrent_layout = \"single-volume\"\noperating_systems = [\"windows\"]\n[protection]\n\
                 backup = \"checkpoint\"\nrto = \"1 h\"\nrpo = \"1 min\"\n[today]\n\
                 signs = [\"memory-ballooning\", \"antivirus\", \"stalls\", \"swapping\", \"live-checkpoint\"]\n"
            ),
        ),
        (
            "four-volumes.toml",
            "[people]\ndevelopers = 100\n[infrastructure]\nstorage = [\"flasharray\", \"flashblade\", \"local-raid\"]\n\
             protocols = [\"local\", \"iscsi\", \"fc\", \"nfsv3\"]\ncurrent_layout = \"n13-split\"\n[today]\n\
             signs = [\"memory-ballooning\", \"antivirus\", \"stalls\", \"swapping\", \"live-checkpoint\"]\n"
                .to_owned(),
        ),
    ] {
        let text = format!("schema = 1\nname = \"{long}\"\n{rest}");
        sites.push(read(name, &text));
    }
    sites
}

/// No line ends in the middle of a sentence, and all fit.
fn check(site: &Site, screen: &str) {
    assert!(!screen.contains('…'), "{}:\n{screen}", site.file);
    assert!(screen.lines().count() <= LINES, "{}:\n{screen}", site.file);
    for line in screen.lines() {
        assert!(line.chars().count() <= COLUMNS, "{}: {line}", site.file);
    }
}

#[test]
fn no_line_of_a_first_screen_is_cut() {
    for name in SITES {
        let Advised { site, advice } = shared::example(name, &[]);
        of_site(site, advice);
    }
    for site in sites() {
        of_site(&site, &advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION));
    }
}

fn of_site(site: &Site, advice: &Advice) {
    let screen = advice_screen(site, &CATALOG, advice).text;
    check(site, &screen);
    assert!(
        screen.ends_with("evidence.\n"),
        "{}: the end is missing\n{screen}",
        site.file
    );
    // What is wrong and what to do, of each of the first three.
    let answer = Answer::of(site, &CATALOG, advice);
    let words: Vec<&str> = screen.split_whitespace().collect();
    let words = words.join(" ");
    for row in answer.findings.iter().take(3) {
        for text in [&row.message, &row.action] {
            let text = text.split_whitespace().take(4).collect::<Vec<_>>();
            let text = text.join(" ");
            let text = text.trim_end_matches([';', ':', ',']);
            assert!(
                words.contains(text),
                "{}: {}: {text}\n{screen}",
                site.file,
                row.rule
            );
        }
    }
    let Ok(today) = today::today(site, &CATALOG, &CALIBRATION) else {
        return;
    };
    let answer = TodayAnswer::of(site, &CATALOG, &today);
    let screen = today_screen(site, &answer).text;
    check(site, &screen);
    // However little room there is, all volumes stand there.
    for volume in &answer.volumes {
        let roles = format!("\n  {}: ", volume.roles);
        assert!(screen.contains(&roles), "{}: {roles}{screen}", site.file);
    }
}

#[test]
fn a_site_of_one_has_one_person() {
    let site = read(
        "one.toml",
        "schema = 1\nname = \"One\"\n[people]\ndevelopers = 1\n",
    );
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    let screen = advice_screen(&site, &CATALOG, &advice).text;
    assert!(
        screen.contains("today's 1 person") && !screen.contains(" 1 people"),
        "{screen}"
    );
}
