//! The advice as one screen of text.

use super::FULL;
use crate::cli::{SITES, example, plimsoll, scratch, write};

/// The screen of a site, at most so many lines and columns.
fn screen(arguments: &[&str]) -> String {
    let ran = plimsoll(&[&["advise"], arguments].concat());
    assert!(matches!(ran.code, 0 | 1) && ran.err.is_empty(), "{}", ran.err);
    assert!(ran.out.lines().count() <= 45, "{}", ran.out);
    let longest = ran.out.lines().max_by_key(|line| line.chars().count());
    assert!(longest.unwrap().chars().count() <= 100, "{longest:?}");
    ran.out
}

#[test]
fn the_advice_is_one_screen_that_begins_with_the_verdict() {
    for site in SITES {
        let path = example(site);
        let text = screen(&[&path]);
        let verdict = text.lines().nth(2).unwrap();
        assert!(verdict.starts_with("Carries today's"), "{text}");
        for part in ["Layout: ", "At the peak hour", "Limits", "What to do first", "Ask first", "How sure"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Names for people, no ids; what is machine's own is in the full text.
        for id in ["raid10", "eth-", "nfsv3", "flasharray ", "disk-15k"] {
            assert!(!text.contains(id), "{id}: {text}");
        }
    }
    let full = plimsoll(&["advise", &example("netapp-lab-2013"), "--full"]).out;
    assert!(full.contains("What the prediction rests on"), "{full}");
}

#[test]
fn the_screen_says_what_is_missed_what_may_be_and_why_nothing_fits() {
    let missed = screen(&[FULL]);
    assert!(missed.contains("400 people and misses targets: submit (上海)"), "{missed}");
    assert!(missed.contains("200 ms: missed"), "{missed}");
    assert!(missed.contains("What to do first"), "{missed}");
    let full = plimsoll(&["advise", FULL, "--full"]).out;
    assert!(full.contains("likely missed (") && full.contains(" met"), "{full}");
    let path = example("game-studio");
    let nothing = screen(&[&path, "--set", "data.depot_size=100 PiB", "--set", "data.depot_growth=0 %/year"]);
    assert!(nothing.contains("Nothing that this site has can hold its"), "{nothing}");
    assert!(nothing.contains("Why not"), "{nothing}");
    // A long name and many offices do not break it.
    let folder = scratch("screen");
    let office = "[[people.site]]\ndevelopers = 1\nname = \"Office with a rather long name";
    let offices: String =
        ('a'..'m').flat_map(|i| [office, " "].map(str::to_owned).into_iter().chain([format!("{i}\"\n")])).collect();
    let name = "A very long name of a site ".repeat(10);
    let long = format!("schema = 1\nname = \"{name}\"\n[people]\ndevelopers = 40\n{offices}");
    screen(&[&write(&folder, "site.toml", long)]);
}

#[test]
fn colours_are_printed_where_they_are_wanted() {
    let path = example("game-studio");
    let plain = screen(&[&path]);
    let always = plimsoll(&["advise", &path, "--color", "always"]).out;
    assert!(always.contains("\x1b[1mLimits\x1b[0m"), "{always}");
    let bare = ["\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];
    let bare = bare.iter().fold(always, |text, code| text.replace(code, ""));
    assert_eq!(bare, plain);
    assert!(!plimsoll(&["advise", &path, "--color", "never"]).out.contains('\x1b'));
}

#[test]
fn the_verdict_says_what_no_load_meets_and_what_a_loss_misses() {
    let site = example("game-studio");
    let asked = |set: &[&str]| {
        let sets = set.iter().flat_map(|set| ["--set", set]);
        let words: Vec<&str> = ["advise", &site, "--quiet", "--no-confirm"].into_iter().chain(sets).collect();
        plimsoll(&words).out
    };
    let never = asked(&["targets.large_sync=1 ms"]);
    assert!(never.contains("A smaller load does not help."), "{never}");
    assert!(!never.contains("meets every target for"), "{never}");
    let late = asked(&["protection.rto=1 min", "protection.rpo=0 s"]);
    for missed in
        ["Not met: RTO of 60 s: people work again ", "; RPO of 0 s: up to 5 s of work is lost with the commit server"]
    {
        assert!(late.contains(missed), "{late}");
    }
    // It stands in the first ten lines, and nothing above it says that all is met.
    let screen = plimsoll(&[
        "advise",
        &site,
        "--no-confirm",
        "--set",
        "protection.rto=1 min",
        "--set",
        "protection.night_window=1 min",
    ])
    .out;
    let head: Vec<&str> = screen.lines().take(10).flat_map(str::split_whitespace).collect();
    let head = head.join(" ");
    for said in ["Not met: RTO of 60 s: people work again ", "; night window of 60 s: a checkpoint takes "] {
        assert!(head.contains(said), "{said}: {screen}");
    }
    let above = head.split("Not met").next().unwrap();
    assert!(!above.contains("meets every") || above.contains(" of response time"), "{screen}");
    let kept = asked(&["protection.rto=30 days"]);
    assert!(kept.contains("RTO of 30 days met"), "{kept}");
    let unstated = asked(&[]);
    assert!(!unstated.contains("Not met"), "{unstated}");
}
