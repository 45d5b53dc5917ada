//! The first screens of an advice: whatever the site, they fit, and no sentence on them is cut.

use std::sync::Arc;

use plimsoll::advisor::{Advice, Prepared, WindowVerdict, advise, today};
use plimsoll::page::section_text;
use plimsoll::report::{
    Answer, COLUMNS, Inputs, LINES, Source, TodayAnswer, advice_screen, advice_text, report, today_screen,
};
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
    assert!(screen.ends_with("evidence.\n"), "{}: the end is missing\n{screen}", site.file);
    what_is_missed_stands_first(site, advice);
    // What is wrong and what to do, of each of the first three.
    let answer = Answer::of(site, &CATALOG, advice);
    let words: Vec<&str> = screen.split_whitespace().collect();
    let words = words.join(" ");
    for row in answer.findings.iter().take(3) {
        for text in [&row.message, &row.action] {
            let text = text.split_whitespace().take(4).collect::<Vec<_>>();
            let text = text.join(" ");
            let text = text.trim_end_matches([';', ':', ',']);
            assert!(words.contains(text), "{}: {}: {text}\n{screen}", site.file, row.rule);
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

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is busy stands behind a colon only where the limited work waits for it: the line of its own office.
#[test]
fn what_is_busy_explains_no_other_limit() {
    let site = read(
        "filer.toml",
        "schema = 1\nname = \"Filer\"\n[people]\ndevelopers = 200\n[infrastructure]\nprotocols = [\"local\", \"nfsv3\"]\n\
         [[equipment]]\nname = \"My Filer\"\nkind = \"all-flash file\"\nusable = \"50 TB\"\n",
    );
    let prepared = Prepared::of(Arc::new(site), &VOCABULARY, &CATALOG, &CALIBRATION);
    let (site, catalog) = (&prepared.site, &prepared.catalog);
    let advice = advise(site, &VOCABULARY, catalog, &CALIBRATION);
    let screen = flat(&advice_screen(site, catalog, &advice).text);
    let (before, _) = screen.split_once(" % busy then").expect("something is busy");
    let (_, busy) = before.rsplit_once("Then ").expect("a limit");
    assert!(busy.contains(". ") && !busy.contains(": "), "{busy}");
}

/// Whatever the recommended layout misses is in the first ten lines of the text and on the report's first page.
pub(crate) fn what_is_missed_stands_first(site: &Site, advice: &Advice) {
    let Some(chosen) = &advice.chosen else {
        return;
    };
    let screen = advice_screen(site, &CATALOG, advice).text;
    let head = flat(&screen.lines().take(10).collect::<Vec<_>>().join(" "));
    let inputs = Inputs { site, catalog: &CATALOG, calibration: &CALIBRATION };
    let page = report(&Source { inputs, advice, curves: None, configuration: &[], further: &[] });
    let page = flat(&section_text(&page.sections[0]));
    let missed = Answer::of(site, &CATALOG, advice).missed;
    let targets = missed.iter().filter(|row| row.what == "target").count();
    for text in [&head, &page] {
        for (place, row) in missed.iter().enumerate() {
            // Of many targets a few are named, and how many more there are.
            let is_counted = row.what == "target" && place >= 3;
            let words = if is_counted { format!("and {} more", targets - 3) } else { row.text.clone() };
            assert!(text.contains(&words), "{}: {words}\n{text}", site.file);
        }
    }
    // What is missed is all that the details say.
    let recovery = &chosen.recovery;
    let has = |what: &str| missed.iter().any(|row| row.what == what);
    let disasters = || recovery.disasters.iter();
    let is_missed = |verdict: WindowVerdict| verdict == WindowVerdict::Missed;
    assert_eq!(has("rto"), disasters().any(|one| is_missed(one.rto)));
    assert_eq!(has("rpo"), disasters().any(|one| is_missed(one.rpo)));
    let available = recovery.availability.is_some_and(|one| one.is_met());
    assert_eq!(has("availability"), !available);
    assert_eq!(targets, chosen.missed.len());
    let mut full = chosen.headroom.capacity.iter();
    assert_eq!(has("space"), full.any(|store| store.more_at_horizon > 0.0));
}

/// A site that misses what is wanted of failures, of the night and of later years.
#[test]
fn all_that_is_missed_is_said_first() {
    let text = "schema = 1\nname = \"Missed\"\n[people]\ndevelopers = 300\n[data]\ndb_size = \"900 GB\"\ndepot_size = \"30 TB\"\n\
        [server]\nrelease = \"2015.2\"\nlocal_disks = 0\n[infrastructure]\nprotocols = [\"nfsv3\", \"iscsi\"]\n\
        [[equipment]]\nname = \"Small Filer\"\nkind = \"all-flash file\"\nusable = \"60 TB\"\n\
        [protection]\nbackup = \"checkpoint\"\nnight_window = \"10 min\"\nrto = \"30 min\"\nrpo = \"1 s\"\navailability = \"99.999 %\"\n\
        [edge]\nlocal_disks = 0\n";
    let site = read("missed.toml", text);
    let prepared = Prepared::of(Arc::new(site), &VOCABULARY, &CATALOG, &CALIBRATION);
    let (site, catalog) = (&prepared.site, &prepared.catalog);
    let advice = advise(site, &VOCABULARY, catalog, &CALIBRATION);
    let missed = Answer::of(site, catalog, &advice).missed;
    let what: Vec<&str> = missed.iter().map(|row| row.what).collect();
    assert!(what.contains(&"night-window") && what.contains(&"space"), "{what:?}");
    let head = advice_screen(site, catalog, &advice).text;
    let head = flat(&head.lines().take(10).collect::<Vec<_>>().join(" "));
    for row in &missed {
        assert!(head.contains(&row.text), "{}\n{head}", row.text);
    }
}

/// A night window that nobody stated is missed as one that is stated, and a stated time is told as it was stated.
#[test]
fn a_missed_night_is_said_first_with_the_stated_time() {
    let site = read(
        "night.toml",
        "schema = 1\nname = \"Night\"\n[people]\ndevelopers = 600\n[data]\ndb_size = \"110 GB\"\n[server]\nrelease = \"2015.2\"\n\
         [protection]\nbackup = \"checkpoint\"\n[today]\ncheckpoint_time = \"12 h\"\nsigns = [\"live-checkpoint\", \"stalls\"]\n",
    );
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    let screen = flat(&advice_screen(&site, &CATALOG, &advice).text);
    assert!(screen.contains("Not met: night window of 6 h (assumed): a checkpoint takes 12 h"), "{screen}");
    assert!(!screen.contains("13 h"), "{screen}");
}

/// A load that is asked about is not called today's.
#[test]
fn a_load_that_is_asked_about_is_not_todays() {
    let text = "schema = 1\nname = \"Twice\"\n[people]\ndevelopers = 50\n";
    let twice = site::parse("twice.toml", text, &["load=2".to_owned()], &VOCABULARY);
    let twice = twice.unwrap_or_else(|d| panic!("{}", d.render()));
    let advice = advise(&twice, &VOCABULARY, &CATALOG, &CALIBRATION);
    let inputs = Inputs { site: &twice, catalog: &CATALOG, calibration: &CALIBRATION };
    for text in [advice_screen(&twice, &CATALOG, &advice).text, advice_text(inputs, &advice)] {
        let text = flat(&text);
        assert!(text.contains("100 people (2 times today's load)"), "{text}");
        for peak in ["today's peak", "Busiest today", "today's 100 people"] {
            assert!(!text.contains(peak), "{peak}: {text}");
        }
    }
}

/// However fast a site grows and for however long: what no store takes ends with a sentence and its year. It was minutes while drives
/// were tried one by one.
#[test]
fn no_growth_is_too_fast() {
    let site = read(
        "grows.toml",
        "schema = 1\nname = \"Grows\"\n[people]\ndevelopers = 50\n[data]\ndb_growth = \"1000 %/year\"\n\
         depot_growth = \"1000 %/year\"\n[horizon]\ntime = \"15 years\"\nfrom = 2026\n",
    );
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    let screen = flat(&advice_screen(&site, &CATALOG, &advice).text);
    assert!(screen.contains("Not met: room for 15 years") && screen.contains("is full about 20"), "{screen}");
    assert!(screen.contains("more than 1 EB") && !screen.contains("000 PiB"), "{screen}");
}

#[test]
fn a_site_of_one_has_one_person() {
    let site = read("one.toml", "schema = 1\nname = \"One\"\n[people]\ndevelopers = 1\n");
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    let screen = advice_screen(&site, &CATALOG, &advice).text;
    assert!(screen.contains("today's 1 person") && !screen.contains(" 1 people"), "{screen}");
}
