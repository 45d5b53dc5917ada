//! What is there and what is allowed next: another operating system, another processor, another place.

use plimsoll::advisor::today::{TodayAdvice, system, today};
use plimsoll::catalog::{Action, Feature, Release};

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};
use crate::today::read;

pub(crate) const WINDOWS: &str = "schema = 1\nname = \"Moves\"\n[people]\ndevelopers = 300\n\
[data]\ndb_size = \"60 GB\"\ndepot_size = \"4 TB\"\nfiles = 4_000_000\nrevisions = 14_000_000\n\
[server]\nrelease = \"2019.1\"\nram = \"64 GB\"\ncores = 8\nlocal_disks = 6\nlocal_medium = \"disk-10k\"\n\
[infrastructure]\noperating_systems = [\"linux\"]\nprotocols = [\"local\"]\nstorage = [\"local-raid\"]\n\
[today]\noperating_system = \"windows\"\n[[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\n\
medium = \"disk-10k\"\ndrives = 6\nraid = \"raid10\"\nfilesystem = \"ntfs\"\n";

pub(crate) const SPARC: &str = "schema = 1\nname = \"Sparc\"\n[people]\ndevelopers = 500\n\
[server]\nrelease = \"2006.2\"\nmodel = \"present-16c\"\n\
[infrastructure]\noperating_systems = [\"linux\"]\nstorage = [\"storagetek-3510\"]\nprotocols = [\"fc\"]\n\
[today]\nmodel = \"sun-v440\"\noperating_system = \"solaris\"\n\
[[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\narray = \"storagetek-3510\"\n\
protocol = \"fc\"\nfilesystem = \"ufs\"\n";

/// From a machine in a room of one's own to an instance.
pub(crate) fn to_cloud() -> String {
    WINDOWS
        .replace(
            "ram = \"64 GB\"\ncores = 8\nlocal_disks = 6\nlocal_medium = \"disk-10k\"\n",
            "model = \"cloud-8xl\"\n",
        )
        .replace("protocols = [\"local\"]\nstorage = [\"local-raid\"]\n", "")
        .replace("[today]\n", "[today]\nmodel = \"x86-2012\"\n")
        .replace("\"windows\"", "\"linux\"")
        .replace("ntfs", "xfs")
}

/// From an older machine to a present one with the same system.
pub(crate) fn to_new_server() -> String {
    SPARC.replace("\"sun-v440\"", "\"x86-2005\"").replace("\"solaris\"", "\"linux\"").replace("\"ufs\"", "\"ext3\"")
}

fn advice(text: &str) -> TodayAdvice {
    today(&read(text), &CATALOG, &CALIBRATION).unwrap_or_else(|no| panic!("{text}\n{no}"))
}

/// The changes that were tried alone.
fn offered(advice: &TodayAdvice) -> Vec<&str> {
    let effects = advice.singles.iter().chain(&advice.useless);
    effects.flat_map(|effect| &effect.changes).map(String::as_str).collect()
}

/// How many times today's load is carried with a change.
fn factor(advice: &TodayAdvice, change: &str) -> f64 {
    let mut effects = advice.singles.iter().chain(&advice.useless);
    let effect = effects.find(|effect| effect.changes == [change]);
    effect.unwrap_or_else(|| panic!("{change}: {:?}", offered(advice))).after.factor
}

#[test]
fn windows_today_moves_to_linux() {
    let there = system(&read(WINDOWS), &CATALOG, &CALIBRATION).unwrap();
    assert_eq!(there.deployment.system, "windows");
    let filesystems = there.deployment.volumes.iter().map(|mount| mount.filesystem.as_deref());
    assert!(filesystems.clone().all(|id| id == Some("ntfs")), "{:?}", filesystems.collect::<Vec<_>>());
    let advice = advice(WINDOWS);
    // E07-8k-write: NTFS is weakest of all filesystems.
    assert!(factor(&advice, "linux") >= advice.today.factor);
    let steps = CATALOG.changes["linux"].steps.join(" ");
    for part in ["-C1", "checkpoint and replay", "line ends", "triggers"] {
        assert!(steps.contains(part), "{part}: {steps}");
    }
    // Where Linux is not allowed, or is there, it is no change.
    let stays = WINDOWS.replace("[\"linux\"]", "[\"windows\"]");
    assert!(!offered(&self::advice(&stays)).contains(&"linux"));
    let is_there = WINDOWS.replace("operating_system = \"windows\"", "operating_system = \"linux\"");
    let is_there = is_there.replace("ntfs", "xfs");
    assert!(!offered(&self::advice(&is_there)).contains(&"linux"));
}

#[test]
fn sparc_today_moves_to_a_present_server_at_once() {
    let there = system(&read(SPARC), &CATALOG, &CALIBRATION).unwrap();
    let sun = &CATALOG.servers["sun-v440"];
    let deployment = &there.deployment;
    assert_eq!((deployment.server.as_str(), deployment.system.as_str()), ("sun-v440", "solaris"));
    assert_eq!((deployment.cores, deployment.processor.as_deref()), (sun.cores.value, None));
    let advice = advice(SPARC);
    let offered = offered(&advice);
    // Solaris on the new server, or Linux on the old one, cannot be had.
    assert!(!offered.contains(&"linux") && !offered.contains(&"new-server"), "{offered:?}");
    assert!(factor(&advice, "new-server-linux") > advice.today.factor);
    // Linux is there: the new server alone is the change.
    let like = self::advice(&to_new_server());
    assert!(factor(&like, "new-server") > like.today.factor);
}

/// The file of a site that says nothing but what is there: its processor and its system are sold no more.
#[test]
fn a_system_that_no_present_server_runs_is_left_with_its_processor() {
    let text = SPARC
        .replace("model = \"present-16c\"", "model = \"sun-v440\"")
        .replace("[\"linux\"]", "[\"solaris\"]")
        .replace("model = \"sun-v440\"\noperating_system = \"solaris\"\n", "");
    let advice = advice(&text);
    let offered = offered(&advice);
    assert!(offered.contains(&"processor-linux"), "{offered:?}");
    for alone in ["processor", "linux", "new-server"] {
        assert!(!offered.contains(&alone), "{offered:?}");
    }
    assert!(factor(&advice, "processor-linux") > advice.today.factor);
    let steps = CATALOG.changes["processor-linux"].steps.join(" ");
    for part in ["replay it on the new one", "byte order", "triggers", "p4 verify"] {
        assert!(steps.contains(part), "{part}: {steps}");
    }
}

#[test]
fn a_room_of_ones_own_moves_to_a_cloud() {
    let text = to_cloud();
    let there = system(&read(&text), &CATALOG, &CALIBRATION).unwrap();
    assert!(there.deployment.volumes.iter().all(plimsoll::system::Mount::is_local));
    assert!(offered(&advice(&text)).contains(&"to-cloud"), "{:?}", offered(&advice(&text)));
}

#[test]
fn builds_that_read_through_proxies_today_are_relieved_already() {
    let with = |proxies: bool| {
        let answer = format!("[today]\nproxies = {proxies}\n");
        advice(&WINDOWS.replace("[today]\n", &answer))
    };
    assert!(offered(&with(false)).contains(&"proxies"));
    assert!(!offered(&with(true)).contains(&"proxies"));
    assert!(with(true).today.factor > with(false).today.factor);
}

#[test]
fn a_system_that_the_server_of_today_never_ran_is_refused() {
    let text = SPARC.replace("\"solaris\"", "\"windows\"");
    let wrong = plimsoll::site::parse("site.toml", &text, &[], &VOCABULARY).expect_err("Windows on Sparc");
    let wrong = wrong.render();
    assert!(wrong.contains("SIT012") && wrong.contains("solaris"), "{wrong}");
}

#[test]
fn no_change_takes_what_the_release_lacks_and_an_upgrade_aims_at_the_newest() {
    let words = |release: Release| {
        let lacks = Feature::ALL.iter().filter(move |feature| !release.has(**feature));
        lacks.flat_map(|feature| feature.words())
    };
    let mut upgraded = 0;
    for release in ["2005.2", "2008.2", "2010.1", "2013.2", "2014.1", "2019.1", "2024.2"] {
        let text = WINDOWS
            .replace("release = \"2019.1\"", &format!("release = \"{release}\""))
            .replace("[today]\n", "[workload]\nautomation_share = \"70 %\"\n[today]\n");
        let advice = advice(&text);
        let release: Release = release.parse().unwrap();
        // Those of a plan may come after an upgrade; each of these is offered alone.
        for id in offered(&advice) {
            let change = &CATALOG.changes[id];
            let steps = change.steps_from(release).join("\n");
            if change.actions.contains(&Action::Release) {
                let newest = Release::newest();
                assert!(steps.contains(&newest.to_string()), "{steps}");
                assert!(steps.contains("security to 4"), "{steps}");
                // The files of the database have another form from 2013.3 on.
                let anew = release < "2013.3".parse().unwrap();
                let rewrites = steps.contains("replay it with the new one");
                assert_eq!(rewrites, anew, "{release}: {steps}");
                // By the system's own checkpoint and replay, as they are told elsewhere.
                let more = change.down(&advice.database).get() - change.down_time.value.get();
                let wanted = if anew { advice.database.anew.get() } else { 0.0 };
                assert!((more - wanted).abs() < 1e-6, "{release}: {more}");
                upgraded += 1;
                continue;
            }
            // A step may say from which release on it is taken.
            let later = |step: &&str| {
                let mut since = Feature::ALL.iter().map(|feature| feature.since());
                since.any(|since| since > release && step.contains(&since.to_string()))
            };
            for step in steps.lines().filter(|step| !later(step)) {
                let lacking = words(release).find(|word| step.contains(word.as_str()));
                assert_eq!(lacking, None, "{release}, {id}: {step}");
            }
        }
        assert_eq!(offered(&advice).contains(&"release"), !release.lockless(), "{release}");
    }
    assert!(upgraded >= 4, "{upgraded}");
    let old = advice(&WINDOWS.replace("2019.1", "2008.2"));
    for id in ["parallel-syncs", "peeking", "peeking-3", "edges"] {
        assert!(!offered(&old).contains(&id), "{id}");
    }
}
