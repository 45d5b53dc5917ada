//! Where the bytes of each role land, computed from the emitted files alone, against the layout table.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use plimsoll::advisor::candidates;
use plimsoll::catalog::{Access, Catalog, Feature, Place, Release, Setting, Value};
use plimsoll::emit::ConfigFile;
use plimsoll::report::{VolumeRow, volume_rows};
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::deployment::{Choices, Deployment, OfficeDisks, StandbyServer};
use plimsoll::system::{BindError, bind, standby_volumes};
use proptest::prelude::*;

use super::Advised;
use super::parsed::{BUCKET, DEPOT_ROOT, Installation, Server, servers};
use crate::cli::{SITES, scratch, write};

/// The row of the table for a role on a server; depots that servers share stand in the first one's rows.
fn row<'r>(rows: &'r [VolumeRow], server: usize, role: &str) -> &'r VolumeRow {
    let mine = rows.iter().find(|row| row.server_idx == server && row.role == role);
    let shared = || rows.iter().find(|r| r.role == role && r.server == "all servers");
    mine.or_else(shared).unwrap_or_else(|| panic!("no row for {role} on server {server}"))
}

/// Holds every role on every server against the table, for the deployment that is recommended.
fn bytes_land(advised: &Advised, what: &str) {
    let chosen = advised.advice.chosen.as_ref().unwrap();
    let d = &chosen.deployment;
    let table = volume_rows(&advised.site, &advised.catalog, d, &chosen.prediction, &chosen.sizes);
    let mut files = advised.files();
    nothing_is_set_that_the_release_lacks(d.release, &files, what);
    // Nothing of the server lies on a proxy.
    files.retain(|file| file.name != "p4p.sh");
    let (installation, servers) = servers(d.release, &files);
    let standby = d.standby.iter().count();
    assert_eq!(servers.len(), d.servers() + standby, "{what}");
    let what = format!("{what}, {} on {} {}", d.layout, d.system, d.release);
    for (number, server) in servers.into_iter().enumerate() {
        let what = format!("{what}, {}", server.id);
        for role in ["db", "offline_db", "journal", "log", "depot", "checkpoint"] {
            let path = server.path_of(role, &installation);
            let row = row(&table, number, role);
            if advised.catalog.protocols[&row.protocol.id].access == Access::Object {
                in_a_bucket(&server, &installation, row, &path, &what);
            } else {
                role_lands(&server, role, &path, row, &what);
            }
        }
        for (role, beside) in [("tmp", "log"), ("locks", "db")] {
            let path = server.path_of(role, &installation);
            if role == "locks" && path == "/run/p4locks" {
                // In memory; the unit makes the folder.
                continue;
            }
            let landed = server.mount_of(&path);
            let row = row(&table, number, beside);
            assert_eq!(landed, Some(row.mount_point.as_str()), "{what}: {role} goes to {path}");
        }
        for path in &server.directories {
            assert!(server.mount_of(path).is_some(), "{what}: {path} is on the system's disk");
        }
        let sources: BTreeSet<&String> =
            server.mounts.values().filter(|s| *s != "dataset" && *s != "by hand").collect();
        let others = server.mounts.values().filter(|s| *s != "dataset" && *s != "by hand");
        assert_eq!(sources.len(), others.count(), "{what}: one volume at two places");
        if d.system == "linux" && d.release >= Release::new(2014, 1) {
            let points: BTreeSet<String> = server.mounts.keys().cloned().collect();
            assert!(server.unit && server.required == points, "{what}: {:?}", server.required);
        }
    }
}

/// No line of the files uses what p4d does not have yet.
fn nothing_is_set_that_the_release_lacks(release: Release, files: &[ConfigFile], what: &str) {
    let lacks = Feature::ALL.iter().filter(|feature| !release.has(**feature));
    let words: Vec<&String> = lacks.flat_map(|feature| feature.words()).collect();
    let lines = files.iter().flat_map(|file| &file.lines);
    // A line may be a comment as a whole.
    for line in lines.filter(|line| !line.text.starts_with('#')) {
        let used = words.iter().find(|word| line.text.contains(word.as_str()));
        assert_eq!(used, None, "{what}, {release}: {}", line.text);
    }
}

/// Holds depots in a bucket against their row: nothing is mounted or made for them, no other server's archives are taken for
/// an edge's or a standby's own, and none is copied.
fn in_a_bucket(server: &Server, installation: &Installation, row: &VolumeRow, path: &str, what: &str) {
    assert_eq!((row.role, path), ("depot", BUCKET), "{what}");
    assert!(!server.mounts.contains_key(&row.mount_point), "{what}");
    let mut directories = server.directories.iter();
    let holds_depots = |folder: &String| folder.rsplit(['/', '\\']).next() == Some("depots");
    assert!(!directories.any(holds_depots), "{what}");
    assert_eq!(server.configurable("server.depot.root", installation), None, "{what}");
    if server.id != "commit" {
        let replication = server.configurable("lbr.replication", installation);
        assert_eq!(replication.map(String::as_str), Some("shared"), "{what}");
        for number in 1..10 {
            let startup = server.configurable(&format!("startup.{number}"), installation);
            assert!(startup.is_none_or(|command| !command.contains("pull -u")), "{what}: {startup:?}");
        }
    }
}

/// Holds one role against its row: the mount point, what is mounted there, and the folder.
fn role_lands(server: &Server, role: &str, path: &str, row: &VolumeRow, what: &str) {
    let landed = server.mount_of(path);
    assert_eq!(landed, Some(row.mount_point.as_str()), "{what}: {role} goes to {path}");
    // What is mounted there is the volume that was asked for by the role's name.
    let source = &server.mounts[&row.mount_point];
    if let Some(label) = source.strip_prefix("LABEL=") {
        let variable = server.labels.get(label);
        let variable = variable.unwrap_or_else(|| panic!("{what}: nothing makes {label}: {server:?}"));
        let ask = &server.devices[variable];
        let named = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_') == role;
        assert!(ask.split([' ', ',', '}', '"']).any(named), "{what}: {role} on {ask}");
    }
    // Its folder is made; a checkpoint's path is a prefix in one.
    let folder = |path: &str| path.rsplit_once(['/', '\\']).map(|(f, _)| f.to_owned());
    let made = server.directories.contains(path) || folder(path).is_some_and(|f| server.directories.contains(&f));
    assert!(made, "{what}: nothing makes {path}");
}

/// The releases at which something of the catalogue's settings begins or ends, the one on the other side of each
/// limit, and the ends; of all settings, or of those that name a place.
fn releases(catalog: &Catalog, all: bool) -> BTreeSet<Release> {
    let place = |setting: &&Setting| match &setting.value {
        Value::Text(text) => text.value.starts_with('{'),
        _ => false,
    };
    let settings = catalog.settings.values().flat_map(|file| &file.list);
    let settings = settings.filter(|setting| all || place(setting));
    let mut found = BTreeSet::from([Release::FIRST, Release::LAST]);
    for setting in settings {
        found.extend(setting.since.into_iter().chain(setting.until));
        found.extend(setting.since.map(|first| beside(first, -1)));
        found.extend(setting.until.map(|last| beside(last, 1)));
    }
    found
}

/// The release before or after; a year has three, and numbers up to 9 can be written.
fn beside(release: Release, step: i8) -> Release {
    let text = release.to_string();
    let number: i8 = text.split_once('.').unwrap().1.parse().unwrap();
    match (number + step, release.year()) {
        (0, year) => Release::new(year - 1, 3),
        (4.., year) => Release::new(year + 1, 1),
        (number, year) => Release::new(year, number.unsigned_abs()),
    }
}

/// Ways to bind a layout on a system.
fn choices(like: &Choices, system: &str, file: &str) -> Choices {
    let filesystem = match system {
        "windows" => "ntfs",
        "solaris" => "ufs",
        _ => "xfs",
    };
    Choices {
        local: Some(("nvme".to_owned(), 24.0)),
        block: Some(("flasharray".to_owned(), "iscsi".to_owned())),
        file: Some(("flashblade".to_owned(), file.to_owned())),
        object: Some(("cloud-object".to_owned(), "s3".to_owned())),
        provider: Some("aws".to_owned()),
        filesystem: filesystem.to_owned(),
        systems: vec![system.to_owned()],
        office_disks: Some(OfficeDisks { medium: "nvme".to_owned(), disks: 4.0, drive: None }),
        ..like.clone()
    }
}

#[test]
fn every_layout_server_and_release() {
    let mut advised = Advised::example("game-studio", &[]);
    let like = advised.advice.chosen.as_ref().unwrap().choices.clone();
    let offices: Vec<String> = advised.site.people.sites.iter().map(|o| o.name.clone()).collect();
    assert!(!offices.is_empty());
    let catalog = advised.catalog.clone();
    let all = releases(&catalog, true);
    let of_places = releases(&catalog, false);
    for number in [(2014, 1), (2013, 2), (2010, 2), (2010, 1)] {
        assert!(of_places.contains(&Release::new(number.0, number.1)), "{of_places:?}");
    }
    let mut bound = BTreeSet::new();
    for layout in catalog.layouts.values() {
        for (system, file) in [("linux", "nfsv3"), ("windows", "smb"), ("solaris", "nfsv3")] {
            let thorough = system == "linux" && layout.entry.id.contains("edges");
            for release in if thorough { &all } else { &of_places } {
                let most = layout.edges.iter().copied().max().unwrap_or(0).max(1);
                let edges = if release.edges() { most + 1 } else { 0 };
                let choices =
                    Choices { edges, offices: offices.clone(), release: *release, ..choices(&like, system, file) };
                let objects = layout.volumes.iter().any(|v| v.place == Place::Object);
                let found = bind(&catalog, layout, &choices);
                if objects && !release.has(Feature::Objects) {
                    assert!(matches!(found, Err(BindError::Release { .. })), "{found:?}");
                }
                let Ok(mut deployment) = found else {
                    continue;
                };
                if objects {
                    let disks = choices.office_disks.as_ref().unwrap();
                    deployment.standby = Some(StandbyServer {
                        kind: "second-site".to_owned(),
                        office: Some(offices[0].clone()),
                        volumes: standby_volumes(&catalog, &deployment, disks),
                    });
                }
                if is_without_answer(&deployment) {
                    continue;
                }
                bound.insert((layout.entry.id.clone(), deployment.system.clone()));
                advised.advice.chosen.as_mut().unwrap().deployment = deployment;
                bytes_land(&advised, "bound");
            }
        }
    }
    let layouts: BTreeSet<&String> = bound.iter().map(|(layout, _)| layout).collect();
    assert_eq!(layouts.len(), catalog.layouts.len(), "{layouts:?}");
    let windows = bound.iter().filter(|(_, system)| system == "windows");
    assert!(windows.count() >= 15, "{bound:?}");
}

/// Before server.depot.root all servers have the same maps, and an office's edge on Windows has on a drive what the
/// others have on a share: that release cannot have both.
fn is_without_answer(d: &Deployment) -> bool {
    let shares = d.volumes.iter().any(|m| m.mount_point.starts_with(r"\\"));
    d.release < DEPOT_ROOT && d.edges > 0 && shares && d.system == "windows"
}

#[test]
fn the_examples_and_what_else_could_be_had_there() {
    for name in SITES {
        let mut advised = Advised::example(name, &[]);
        bytes_land(&advised, name);
        let others = std::mem::take(&mut advised.advice.alternatives);
        for deployment in others.into_iter().filter_map(|other| other.deployment) {
            advised.advice.chosen.as_mut().unwrap().deployment = deployment;
            bytes_land(&advised, name);
        }
    }
}

/// The fault that was: without a place for depots the archives are on the volume for the database.
#[test]
fn the_computation_sees_a_depot_in_p4root() {
    let advised = Advised::example("game-studio", &[]);
    let mut files = advised.files();
    for file in &mut files {
        file.lines.retain(|line| !line.text.contains("server.depot.root"));
    }
    let (installation, servers) = servers(Release::new(2024, 2), &files);
    let path = servers[0].path_of("depot", &installation);
    assert_eq!(servers[0].mount_of(&path), Some("/hxmetadata"));
}

/// Sites of any size, age and system.
fn sites() -> impl Strategy<Value = String> {
    let offices = prop_oneof![
        Just(String::new()),
        (1_u32..200).prop_map(|n| format!(
            "[[people.site]]\nname = \"Lyon\"\ndevelopers = {n}\nround_trip = \"90 ms\"\nbandwidth = \"1 Gb/s\"\n"
        )),
    ];
    let release = (2004_u16..=2026, 1_u8..=3).prop_map(|(year, number)| format!("{year}.{number}"));
    let storage = prop::sample::select(vec![
        "storage = [\"local-raid\"]",
        "storage = [\"flasharray\", \"flashblade\"]",
        "storage = [\"fas3270\"]",
        "storage = [\"cloud-block\", \"cloud-nfs\"]",
        "storage = [\"local-raid\", \"cloud-object\"]",
    ]);
    let system = prop::sample::select(vec!["linux", "windows"]);
    // At least as many as an office may have.
    (200_u32..2000, offices, release, storage, system).prop_map(|(people, offices, release, storage, system)| {
        format!(
            "schema = 1\nname = \"Generated\"\n[people]\ndevelopers = {people}\n{offices}[server]\nrelease = \
                 \"{release}\"\nlocal_disks = 8\n[infrastructure]\n{storage}\noperating_systems = [\"{system}\"]\n"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Every deployment that such a site could get; which one is best does not matter here, so nothing is solved.
    #[test]
    fn generated_sites(text in sites()) {
        let mut advised = Advised::example("game-studio", &[]);
        let vocabulary = Vocabulary::of(&advised.catalog);
        advised.site = site::parse("site.toml", &text, &[], &vocabulary).unwrap();
        for candidate in candidates(&advised.site, &advised.catalog).0 {
            if !is_without_answer(&candidate.deployment) {
                advised.advice.chosen.as_mut().unwrap().deployment = candidate.deployment;
                bytes_land(&advised, &text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A layout of one's own, with mount points inside each other: it is refused, or its bytes land.
    #[test]
    fn layouts_of_ones_own(
        volumes in prop::collection::vec(0_usize..4, 6),
        points in prop::collection::vec(prop::sample::select(vec![
            "/", "/a", "/a/", "/a/b", "/a/p4", "/a/p4/1/root", "/p4", "/p4/1", "/a/p4x", "/b", "/b b", "relative",
        ]), 4),
    ) {
        let roles = plimsoll::catalog::layout::ROLES;
        let mut text = "schema = 1\nid = \"own\"\ntitle = \"Own\"\nsummary = \"Own.\"\norigin = { origin = \"assumed\", note = \
                        \"a test\" }\nedges = [0]\nshared_depot = false\nreference = false\n".to_owned();
        for (number, point) in points.iter().enumerate() {
            let held: Vec<&str> = (0..6).filter(|i| volumes[*i] == number).map(|i| roles[i]).collect();
            if !held.is_empty() {
                writeln!(text,
                    "[[volume]]\nroles = {held:?}\nplace = \"local\"\nmount_point = {point:?}\nwhy = {{ text = \"Why.\", \
                     origin = \"assumed\", note = \"a test\" }}"
                ).unwrap();
            }
        }
        let folder = scratch("emit-own-layout");
        write(&folder, "layouts/own.toml", &text);
        let mut advised = Advised::example("game-studio", &[]);
        match Catalog::load(Some(&folder), &advised.calibration.posterior) {
            Err(refused) => prop_assert!(refused.render().contains("MOD007"), "{}", refused.render()),
            Ok(catalog) => {
                let like = &advised.advice.chosen.as_ref().unwrap().choices;
                let choices = Choices { edges: 0, offices: Vec::new(), ..choices(like, "linux", "nfsv3") };
                let deployment = bind(&catalog, &catalog.layouts["own"], &choices).unwrap();
                advised.advice.chosen.as_mut().unwrap().deployment = deployment;
                bytes_land(&advised, &text);
            }
        }
    }
}
