//! What is missed, what is said to help, and what is done first about it.

use plimsoll::advisor::today::{TodayAdvice, today};
use plimsoll::advisor::{Advice, EdgesEnd, Help, Move, advise, layout_predictions};
use plimsoll::report::{Answer, FindingRow};
use plimsoll::workload::Clients;

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};
use crate::today::read;

fn advice(text: &str) -> Advice {
    advise(&read(text), &VOCABULARY, &CATALOG, &CALIBRATION)
}

fn there(text: &str) -> TodayAdvice {
    today(&read(text), &CATALOG, &CALIBRATION).expect("a system")
}

/// A distant office that wants more of its line than it passes.
fn office(line: &str) -> String {
    format!(
        "schema = 1\nname = \"Far\"\n[people]\ndevelopers = 60\n[[people.site]]\nname = \"Oslo\"\ndevelopers = 20\n\
         round_trip = \"40 ms\"\nbandwidth = \"{line}\"\n[workload]\nlarge_syncs_per_day = \"12 /day\"\nconcurrent_sync_size = \"40 GB\"\n\
         [server]\nrelease = \"2024.2\"\n[infrastructure]\nedges_max = 0\nproxies = false\n[targets]\nlarge_sync = \"60 min\"\n"
    )
}

#[test]
fn each_missed_target_has_what_would_meet_it() {
    let narrow = advice(&office("100 Mb/s"));
    let chosen = narrow.chosen.as_ref().expect("a layout");
    assert!(!chosen.missed.is_empty());
    assert!(!chosen.helps.is_empty(), "{:?}", chosen.missed);
    let of_oslo = |help: &&String| help.contains("large sync (Oslo)");
    let helps: Vec<String> = chosen.helps.iter().map(Help::sentence).collect();
    let help = helps.iter().find(of_oslo).expect("of the office");
    let (_, line) = help.split_once("a line of ").unwrap_or_else(|| panic!("{help}"));
    let (line, _) = line.split_once(" would meet its target").unwrap_or_else(|| panic!("{help}"));
    // It does.
    let wide = advice(&office(line));
    let chosen = wide.chosen.as_ref().expect("a layout");
    assert_eq!(chosen.missed, Vec::<String>::new(), "{line}");
    assert_eq!(chosen.helps, Vec::new());
    let answer = Answer::of(&read(&office("100 Mb/s")), &CATALOG, &narrow);
    assert!(answer.verdict.iter().any(|said| said.text == *help));
}

/// A checkpoint of the live database that lasts into the day.
const INTO_THE_DAY: &str = "schema = 1\nname = \"Twelve hours\"\n[people]\ndevelopers = 300\n[data]\ndb_size = \"110 GB\"\n\
[server]\nrelease = \"2015.2\"\n[today]\ncheckpoint_time = \"12 h\"\nsigns = [\"live-checkpoint\", \"stalls\"]\n";

#[test]
fn a_checkpoint_that_lasts_into_the_day_holds_the_tables_for_as_long_as_is_stated() {
    let found = there(INTO_THE_DAY);
    let load = &found.system.load;
    assert!(load.groups.iter().any(|group| group.clients == Clients::LiveCheckpoints));
    assert!(found.today.missed.iter().any(|missed| missed.starts_with("large sync")), "{:?}", found.today.missed);
    let first = found.plan.first().expect("a plan");
    assert_eq!(first.changes, ["offline-checkpoints"]);
    assert!(found.after_plan().missed.is_empty(), "{:?}", found.after_plan().missed);
    // One of the night that ends in it holds nobody up by day, and no answer on the new system has one.
    let short = there(&INTO_THE_DAY.replace("12 h", "2 h"));
    assert!(short.today.missed.is_empty(), "{:?}", short.today.missed);
}

#[test]
fn what_is_limited_by_a_lock_ends_before_the_lock_is_full() {
    let text = "schema = 1\nname = \"Live\"\n[people]\ndevelopers = 200\n[data]\ndb_size = \"60 GB\"\n\
                [workload]\nlive_checkpoints_per_day = \"1 /day\"\n[server]\nrelease = \"2024.2\"\n[infrastructure]\nedges_max = 0\n";
    let found = advice(text);
    let headroom = &found.chosen.as_ref().expect("a layout").headroom;
    assert!(headroom.factor <= 1.02 * headroom.knee, "{} {}", headroom.factor, headroom.knee);
}

/// Reads that lock, and stalls that were seen.
const LOCKING: &str = "schema = 1\nname = \"Locks\"\n[people]\ndevelopers = 5000\n[workload]\ncommands_per_day = \"3518462 /day\"\n\
[server]\nrelease = \"2013.1\"\n[today]\nsigns = [\"stalls\"]\n";

#[test]
fn the_remedy_of_what_was_seen_comes_first_with_the_time_that_it_takes() {
    let found = there(LOCKING);
    let first = found.singles.first().expect("a change");
    assert_eq!(first.changes, ["release"]);
    // Checkpoint and replay of the database that is there, not a rate.
    let hours = found.database.anew.get() / 3600.0;
    assert!(hours > 1.0 && first.down_time > found.database.anew.get(), "{hours}");
    let stated = there(&LOCKING.replace("signs", "checkpoint_time = \"40 h\"\nsigns"));
    assert!(stated.database.anew.get() > 40.0 * 3600.0);
}

#[test]
fn volumes_of_different_drives_are_different_moves() {
    let found = there_and_then(LOCKING);
    let target = found.target.as_ref().expect("a layout");
    for one in &target.moves {
        if let Move::Volumes(roles, mount) = one {
            assert!(roles.iter().all(|role| *role == "db" || !mount.roles.contains(&"db")), "{roles:?}");
        }
    }
}

#[test]
fn what_a_plan_leaves_has_the_help_that_an_advice_has() {
    let narrow = office("100 Mb/s");
    let found = there(&narrow);
    assert!(!found.after_plan().missed.is_empty());
    let helps = found.helps.join(" ");
    assert!(helps.contains("a line of "), "{helps}");
    let slow = "schema = 1\nname = \"Slow\"\n[people]\ndevelopers = 300\n[data]\nfile_size = \"20 MB\"\n\
                [workload]\nfiles_per_submit = 100\n[infrastructure]\nstorage_network = \"eth-25g\"\nclient_network = \"eth-25g\"\n\
                protocols = [\"nfsv3\", \"local\"]\n[[equipment]]\nname = \"Slow\"\nkind = \"all-flash file\"\nusable = \"500 TB\"\n\
                bandwidth = \"5 GB/s\"\nwrite_bandwidth = \"1 MB/s\"\n";
    let site = read(slow);
    let catalog = site.equipped(&CATALOG);
    let found = today(&site, &catalog, &CALIBRATION).expect("a system");
    let helps = found.helps.join(" ");
    assert!(helps.contains("an array that takes more than "), "{helps}");
}

#[test]
fn sets_of_drives_that_are_taken_apart_are_a_move() {
    let found = there_and_then(INTO_THE_DAY);
    let today = &found.system.deployment.volumes;
    assert!(today.iter().all(|mount| mount.set.id == today[0].set.id));
    let target = found.target.as_ref().expect("a layout");
    let moved = target
        .moves
        .iter()
        .any(|one| matches!(one, Move::Volumes(roles, _) if roles.contains(&"db") && !roles.contains(&"depot")));
    assert!(moved, "{:?}", target.moves);
}

#[test]
fn a_remedy_that_was_weighed_and_left_is_nowhere_told_as_advice() {
    let text = "schema = 1\nname = \"Continents\"\n[people]\ndevelopers = 150\n[[people.site]]\nname = \"Perth\"\ndevelopers = 50\n\
                round_trip = \"130 ms\"\nbandwidth = \"100 Mb/s\"\n[server]\nrelease = \"2013.2\"\n";
    let found = advice(text);
    let left = found.findings.iter().filter(|f| f.stays.is_some());
    let left: Vec<_> = left.collect();
    for finding in &left {
        let row = FindingRow::of(finding);
        let why = finding.stays.as_deref().unwrap_or_default();
        // All but its first letter, which may be a capital.
        let tail: String = why.chars().skip(1).collect();
        assert!(row.forms().iter().all(|form| form.contains(&tail)), "{why}");
        assert!(row.action.starts_with("Not part of the recommendation: "));
    }
    assert!(!left.is_empty());
}

#[test]
fn whether_one_more_edge_helps_is_answered_where_it_is_asked() {
    for most in 1..4_u32 {
        let text = office("100 Mb/s").replace("edges_max = 0", &format!("edges_max = {most}"));
        let found = advice(&text);
        let chosen = found.chosen.as_ref().expect("a layout");
        let why = chosen.edges_end.as_ref().and_then(EdgesEnd::why);
        assert!(chosen.deployment.edges >= most || why.is_some(), "{most}: {:?}", chosen.edges_end);
    }
}

#[test]
fn a_layout_is_predicted_on_the_filer_that_is_there() {
    let text = "schema = 1\nname = \"Stay\"\n[people]\ndevelopers = 60\n[server]\nrelease = \"2024.2\"\n\
                [infrastructure]\nstorage = [\"local-raid\", \"flashblade\"]\n\
                [[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\n\
                array = \"netapp-fas\"\nprotocol = \"nfsv3\"\n";
    let ids = ["nfs-all".to_owned()];
    let found = layout_predictions(&read(text), &VOCABULARY, &CATALOG, &CALIBRATION, &ids);
    let [Ok(found)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(found.deployment.devices(), ["netapp-fas"]);
}

fn there_and_then(text: &str) -> TodayAdvice {
    let site = read(text);
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    plimsoll::advisor::today::towards(&site, &CATALOG, &CALIBRATION, Some(&advice)).expect("a system")
}
