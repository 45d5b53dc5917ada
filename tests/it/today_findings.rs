//! What is wrong with today's system, in the order that helps: what is stated before what is assumed, what a change mends first.

use plimsoll::advisor::rules::{Basis, Finding, RULES, Severity};
use plimsoll::advisor::today::{TodayAdvice, today};
use plimsoll::site;

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

fn of(text: &str) -> TodayAdvice {
    let site =
        site::parse("site.toml", text, &[], &VOCABULARY).unwrap_or_else(|wrong| panic!("{text}\n{}", wrong.render()));
    today(&site, &CATALOG, &CALIBRATION).unwrap_or_else(|no| panic!("{text}\n{no}"))
}

fn find<'a>(advice: &'a TodayAdvice, rule: &str) -> Option<&'a Finding> {
    let mut all = advice.findings.iter();
    all.find(|f| f.rule == rule || f.also.contains(&rule))
}

fn place(advice: &TodayAdvice, rule: &str) -> Option<usize> {
    let mut all = advice.findings.iter();
    all.position(|f| f.rule == rule || f.also.contains(&rule))
}

/// A server of which nobody said where anything lies, and a live checkpoint each night.
const OPEN: &str = "schema = 1\nname = \"Open\"\n[people]\ndevelopers = 300\n[data]\ndb_size = \"200 GB\"\n\
[server]\nrelease = \"2021.1\"\nram = \"64 GiB\"\ncores = 16\nlocal_disks = 6\nlocal_medium = \"nvme\"\n\
[infrastructure]\nstorage = [\"local-raid\"]\n[protection]\nbackup = \"checkpoint\"\n";

#[test]
fn what_nobody_stated_is_suspected_and_comes_last() {
    let open = of(OPEN);
    let shared = find(&open, "PLC007").expect("everything on one volume is assumed");
    assert_eq!(shared.basis(), Basis::Suspected);
    assert_eq!(shared.severity, Severity::Note);
    assert!(shared.message.to_string().starts_with("perhaps "), "{}", shared.message);
    assert!(
        shared.action.to_string().starts_with("if so, ") && shared.action.to_string().contains("state where "),
        "{}",
        shared.action
    );
    let first = open.findings.iter().position(|f| f.is_suspicion).expect("there is one");
    let stated = open.findings[first..].iter().all(|f| f.is_suspicion || f.severity == Severity::Note);
    assert!(stated && place(&open, "PLC007") > place(&open, "RCV002"));

    let text = OPEN
        .replace("[protection]", "[[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\"]\n[protection]");
    let stated = of(&text);
    let shared = find(&stated, "PLC007").expect("it is stated");
    assert_eq!((shared.severity, place(&stated, "PLC007")), (Severity::Critical, Some(0)));
    // Nobody stated the RAID level: it is not told as if it were so.
    assert!(!shared.message.to_string().contains("raid"), "{}", shared.message);
}

#[test]
fn a_store_is_suspected_where_the_site_has_several_and_known_where_it_has_one() {
    let site = |storage: &str| {
        format!(
            "schema = 1\nname = \"Rented\"\n[people]\ndevelopers = 150\n[data]\ndepot_size = \"40 TB\"\n[server]\nmodel = \"cloud-8xl\"\n\
             [infrastructure]\nstorage = [{storage}]\nclient_network = \"eth-10g\"\n"
        )
    };
    let several = of(&site("\"cloud-block\", \"cloud-nfs\""));
    let one = of(&site("\"cloud-block\""));
    assert!(find(&several, "STO007").expect("on block volumes").is_suspicion);
    assert!(!find(&one, "STO007").expect("on block volumes").is_suspicion);
}

/// Disks under a database of a hundred gigabytes, an old release, and a load that they do not carry.
const OVERLOADED: &str = "schema = 1\nname = \"Disks\"\n[people]\ndevelopers = 800\n[data]\ndb_size = \"104 GB\"\n\
[server]\nmodel = \"dl580-g7\"\nram = \"32 GiB\"\nrelease = \"2008.2\"\nlocal_disks = 6\nlocal_medium = \"disk-15k\"\n\
[infrastructure]\nstorage = [\"local-raid\"]\nclient_network = \"eth-1g\"\ncurrent_layout = \"single-volume\"\n\
[protection]\nbackup = \"checkpoint\"\nrto = \"4 h\"\n";

#[test]
fn what_a_change_mends_comes_before_what_stays_as_slow() {
    let advice = of(OVERLOADED);
    assert!(advice.falls_short());
    let disks = place(&advice, "STO008").expect("the database lies on disks");
    assert!(disks < 3, "{:?}", advice.findings.iter().map(|f| f.rule).collect::<Vec<_>>());
    // A release that reads without locks gives nothing here.
    assert!(advice.useless.iter().any(|e| e.changes == ["release"]));
    assert!(Some(disks) < place(&advice, "QUE002"));
    // Its own release has no db.peeking: nothing is assumed.
    let locks = find(&advice, "QUE002").expect("reads take locks");
    assert_eq!(locks.basis(), Basis::Stated);
    assert!(!locks.message.to_string().contains("peeking"), "{}", locks.message);
}

#[test]
fn what_was_seen_is_no_assumption() {
    let text = OPEN.replace("[protection]", "[today]\nsigns = [\"static-labels\"]\n[protection]");
    let advice = of(&text);
    let seen = find(&advice, "QUE009");
    assert_eq!(seen.expect("it was seen").basis(), Basis::Stated);
}

#[test]
fn changes_mend_what_rules_find() {
    for change in CATALOG.changes.values() {
        for rule in &change.mends {
            let id = &change.entry.id;
            assert!(RULES.iter().any(|known| known.id == rule), "{id} mends {rule}");
        }
    }
}

#[test]
fn who_has_a_lock_for_long_is_named_and_no_hold_of_microseconds_beside_it() {
    let checkpoint = "[today]\ncheckpoint_time = \"12 h\"\nsigns = [\"live-checkpoint\"]\n[protection]";
    let held = of(&OPEN.replace("[protection]", checkpoint));
    assert!(find(&held, "QUE003").is_none(), "{:?}", find(&held, "QUE003"));
    assert!(find(&held, "RCV010").is_some() || find(&held, "RCV002").is_some());
}

#[test]
fn volumes_rented_with_the_server_are_the_providers_and_not_its_own_disks() {
    let advice = of("schema = 1\nname = \"Rented\"\n[people]\ndevelopers = 150\n[data]\ndepot_size = \"12 TB\"\n\
         [server]\nmodel = \"cloud-8xl\"\n[[today.volume]]\nroles = [\"db\", \"journal\", \"log\"]\n\
         [[today.volume]]\nroles = [\"depot\"]\n[protection]\nbackup = \"snapshots\"\n");
    assert!(advice.system.deployment.volumes.iter().all(plimsoll::system::Mount::is_cloud));
}
