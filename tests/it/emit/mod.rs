//! The configuration to paste: what it says, that it is harmless, and that it is written whole.

mod guard_rails;
mod hostile;
mod landing;
mod limits;
mod parsed;
mod settings;
mod windows;
mod written;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use plimsoll::advisor::{Advice, advise};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::emit::{ConfigFile, Language, configuration};
use plimsoll::site::{self, FIELDS, Site};

use crate::cli::SITES;
use crate::shared::FROZEN;

/// Sites whose servers run Windows.
pub(crate) fn windows_sites() -> &'static [Advised; 2] {
    windows::sites()
}

/// A site with its advice.
#[derive(Clone)]
pub(crate) struct Advised {
    pub(crate) site: Site,
    pub(crate) catalog: Catalog,
    pub(crate) calibration: Calibration,
    pub(crate) advice: Advice,
}

impl Advised {
    /// An example as it stands is advised once for all tests.
    pub(crate) fn example(name: &str, overrides: &[&str]) -> Self {
        static AS_THEY_STAND: [OnceLock<Advised>; SITES.len()] = [const { OnceLock::new() }; SITES.len()];
        let position = SITES.iter().position(|site| *site == name);
        match position.filter(|_| overrides.is_empty()) {
            Some(i) => AS_THEY_STAND[i].get_or_init(|| Self::read(name, &[])).clone(),
            None => Self::read(name, overrides),
        }
    }

    fn read(name: &str, overrides: &[&str]) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/examples/{name}.toml"));
        let text = plimsoll::document::read_text(&path).unwrap();
        Self::of(&text, overrides)
    }

    pub(crate) fn of(text: &str, overrides: &[&str]) -> Self {
        let (catalog, calibration) = (FROZEN.catalog.clone(), FROZEN.calibration.clone());
        let overrides: Vec<String> = overrides.iter().map(|o| (*o).to_owned()).collect();
        let site = site::parse("site.toml", text, &overrides, &FROZEN.vocabulary);
        let site = site.unwrap_or_else(|error| panic!("{}", error.render()));
        let advice = advise(&site, &FROZEN.vocabulary, &catalog, &calibration);
        Self { site, catalog, calibration, advice }
    }

    pub(crate) fn files(&self) -> Vec<ConfigFile> {
        configuration(&self.site, &self.catalog, &self.advice)
    }

    fn file(&self, path: &str) -> ConfigFile {
        let found = self.files().into_iter().find(|file| file.path() == path);
        found.unwrap_or_else(|| panic!("no {path}"))
    }

    /// Every id that `explain` knows, and the two that speak for themselves.
    fn ids(&self) -> BTreeSet<String> {
        let mut ids: BTreeSet<String> = ["assumed", "model"].map(str::to_owned).into();
        ids.extend(FIELDS.iter().map(|field| field.path.to_owned()));
        ids.extend(self.catalog.references.keys().cloned());
        ids.extend(self.calibration.data().map(|datum| datum.id.clone()));
        for kind in plimsoll::catalog::EntryKind::ALL {
            ids.extend(self.catalog.ids(kind).iter().map(|id| format!("{}/{id}", kind.folder())));
        }
        ids
    }
}

/// The six fields of each line of a table of mounts.
fn fields(file: &ConfigFile) -> Vec<Vec<String>> {
    assert_eq!(file.language, Language::Fstab);
    let split = |text: &str| text.split(' ').map(str::to_owned).collect();
    file.lines.iter().map(|line| split(&line.text)).collect()
}

/// Only exports, one client, and nobody who wants to reach the files: the options for a single client are chosen.
const NFS_ALONE: [&str; 3] =
    ["infrastructure.protocols=[\"nfsv3\"]", "criteria.direct_file_access=0", "infrastructure.edges_max=0"];

#[test]
fn every_line_is_one_line_with_a_reason_and_evidence_that_exists() {
    for name in SITES {
        let advised = Advised::example(name, &[]);
        let ids = advised.ids();
        let files = advised.files();
        assert!(files.len() >= 3, "{name}: {} files", files.len());
        for line in files.iter().flat_map(|file| &file.lines) {
            assert!(!line.text.contains(['\n', '\r']) && !line.text.trim().is_empty(), "{line:?}");
            assert!(line.reason.ends_with('.') && line.reason.len() > 10, "{name}: {line:?}");
            assert!(!line.evidence.is_empty(), "{name}: {line:?}");
            for id in &line.evidence {
                assert!(ids.contains(id), "{name}: {id} of {}", line.text);
            }
        }
    }
}

#[test]
fn files_have_paths_of_their_own() {
    for name in SITES {
        let files = Advised::example(name, &[]).files();
        let paths: BTreeSet<String> = files.iter().map(ConfigFile::path).collect();
        assert_eq!(paths.len(), files.len(), "{name}: {paths:?}");
    }
}

#[test]
fn each_line_of_fstab_has_six_fields_and_a_place_that_p4d_uses() {
    for name in SITES {
        for file in Advised::example(name, &[]).files() {
            for row in (file.language == Language::Fstab).then(|| fields(&file)).into_iter().flatten() {
                assert_eq!(row.len(), 6, "{name}: {row:?}");
                assert!(row[1].starts_with("/hx") || row[1] == "/p4/workspaces", "{row:?}");
                assert!(row[0].starts_with("LABEL=p4-") || row[0].contains(".invalid:/p4-"), "{row:?}");
            }
        }
    }
}

/// Whatever else could have been recommended, with and without edges, on files, blocks, own disks and rented ones.
#[test]
fn every_layout_that_can_be_had_gets_files() {
    let mut layouts = BTreeSet::new();
    let cloud = "infrastructure.storage=[\"cloud-block\", \"cloud-nfs\"]";
    for (name, overrides) in [("game-studio", &[][..]), ("game-studio", &[cloud]), ("pure-lab-2017", &[])] {
        let mut advised = Advised::example(name, overrides);
        let others = std::mem::take(&mut advised.advice.alternatives);
        let ids = advised.ids();
        for deployment in others.into_iter().filter_map(|other| other.deployment) {
            let layout = deployment.layout.clone();
            layouts.insert(layout.clone());
            let servers = deployment.servers();
            advised.advice.chosen.as_mut().unwrap().deployment = deployment;
            let files = advised.files();
            hostile::check(&files);
            for name in ["fstab", "mkfs.sh", "directories.sh", "p4d.env", "p4-configure.sh"] {
                // ZFS mounts its datasets itself.
                if name == "fstab" && layout.starts_with("zfs") {
                    continue;
                }
                let found = files.iter().filter(|f| f.name == name && f.server != "workstations");
                assert_eq!(found.count(), servers, "{name} of {layout}");
            }
            for line in files.iter().flat_map(|file| &file.lines) {
                assert!(!line.reason.is_empty() && !line.evidence.is_empty(), "{line:?}");
                assert!(line.evidence.iter().all(|id| ids.contains(id)), "{line:?}");
            }
        }
    }
    assert!(layouts.len() >= 10, "{layouts:?}");
}

/// Servers that share depots, and workspaces anywhere, get no option that is for a single client.
#[test]
fn options_for_a_single_client_stay_with_a_single_client() {
    const SINGLE: [&str; 3] = ["nocto", "local_lock=all", "nolock"];
    let single = |options: &str| options.split(',').any(|option| SINGLE.contains(&option));
    let alone = Advised::example("netapp-lab-2013", &NFS_ALONE);
    let mounts = fields(&alone.file("commit-server/fstab"));
    let db = mounts.iter().find(|row| row[1] == "/hxmetadata").unwrap();
    assert!(single(&db[3]), "{db:?}");
    let workspaces = fields(&alone.file("workstations/fstab"));
    assert!(!single(&workspaces[0][3]) && workspaces[0][3].contains("hard"), "{workspaces:?}");

    let mut shared = Advised::example("pure-lab-2017", &[]);
    let chosen = shared.advice.chosen.as_mut().unwrap();
    assert!(chosen.deployment.shared_depot && chosen.deployment.edges > 0);
    // Even if a layout of the user's own asks for them.
    let depot = chosen.deployment.volumes.iter_mut().find(|m| m.roles.contains(&"depot")).unwrap();
    depot.mount_option = Some(0);
    assert!(shared.catalog.protocols[&depot.protocol].mount_options[0].requires.contains(&"single-client"));
    for server in ["commit-server", "edge-1"] {
        let rows = fields(&shared.file(&format!("{server}/fstab")));
        let depot = rows.iter().find(|row| row[1] == "/hxdepots").unwrap();
        assert!(!single(&depot[3]) && depot[0].ends_with(":/p4-depot"), "{server}: {depot:?}");
    }
}

#[test]
fn options_are_those_that_kernels_of_the_time_know() {
    let now = fields(&Advised::example("game-studio", &[]).file("commit-server/fstab"));
    assert!(now.iter().any(|row| row[3].contains("nconnect=8")));
    let then = fields(&Advised::example("netapp-lab-2013", &[]).file("commit-server/fstab"));
    assert!(then.iter().all(|row| !row[3].contains("nconnect")), "{then:?}");
    assert!(then.iter().any(|row| row[3].contains("_netdev")), "iSCSI waits for the network");
}

/// p4d refuses every command below such a limit: it must leave room on the volume as it is first made.
#[test]
fn p4d_does_not_stop_on_an_empty_volume() {
    for name in SITES.into_iter().filter(|name| *name != "pure-lab-2017") {
        let advised = Advised::example(name, &[]);
        let chosen = advised.advice.chosen.as_ref().unwrap();
        for line in advised.files().iter().flat_map(|f| &f.lines) {
            let Some(rest) = line.text.strip_prefix("p4 configure set filesys.") else {
                continue;
            };
            let Some((place, limit)) = rest.split_once(".min=") else {
                continue;
            };
            let role = match place {
                "P4ROOT" => "db",
                "P4JOURNAL" => "journal",
                "P4LOG" => "log",
                _ => "depot",
            };
            let roles = &chosen.deployment.mount(role).unwrap().roles;
            let held = chosen.sizes.iter().filter(|s| roles.contains(&s.role));
            let volume: f64 = held.map(|s| s.data.get()).sum();
            let limit: f64 = limit.trim_end_matches('M').parse().unwrap();
            let free = limit * 1024.0 * 1024.0;
            assert!(free <= 0.5 * volume, "{name}: {place} {limit}M of {volume} B");
        }
    }
}

#[test]
fn the_stripes_of_a_controller_reach_mkfs() {
    let ea = Advised::example("ea-redwood-shores-2007", &[]).file("commit-server/mkfs.sh");
    let mkfs: Vec<&str> = ea.lines.iter().map(|l| l.text.as_str()).filter(|t| t.starts_with("mkfs")).collect();
    // RAID 10 of four disks with stripes of 8 KiB, and the log of the paper's appendix.
    assert_eq!(mkfs[0], "mkfs.xfs -L p4-db -l size=64m -d su=8k,sw=2 \"$PLIMSOLL_DB_DEVICE\"");
    assert!(mkfs[1..].iter().all(|text| !text.contains("su=")), "a mirror and an array: {mkfs:?}");
}

#[test]
fn releases_get_the_configurables_that_they_know() {
    let texts = |name, overrides: &[&str]| -> Vec<String> {
        let files = Advised::example(name, overrides).files();
        let p4 = files.iter().filter(|f| f.name == "p4-configure.sh");
        p4.flat_map(|f| &f.lines).map(|l| l.text.clone()).collect()
    };
    assert!(texts("ea-redwood-shores-2007", &[]).is_empty(), "2006.2 has no p4 configure");
    let of_2012 = texts("netapp-lab-2013", &[]);
    assert!(of_2012.iter().all(|t| !t.contains("db.peeking") && !t.contains("net.parallel")));
    let of_2024 = texts("game-studio", &["infrastructure.proxies=false"]);
    assert!(of_2024.contains(&"p4 configure set db.peeking=2".to_owned()));
    assert!(of_2024.contains(&"p4 configure set 'edge1#startup.1=pull -i 1'".to_owned()));
    let peeking = texts("game-studio", &["server.peeking=3"]);
    assert!(peeking.contains(&"p4 configure set db.peeking=3".to_owned()));
}

#[test]
fn windows_follow_bandwidth_and_round_trip() {
    let window = |overrides: &[&str]| -> f64 {
        let file = Advised::example("game-studio", overrides).file("commit-server/90-p4d.conf");
        let line = file.lines.iter().find(|l| l.text.starts_with("net.ipv4.tcp_wmem")).unwrap();
        line.text.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let near = window(&[]);
    // 1 Gb/s over 38 ms are 4.75 MB in flight; twice that, as a power of two.
    assert_eq!(near, f64::from(16 << 20));
    assert_eq!(window(&["people.site.0.round_trip=150 ms"]), 4.0 * near);
}

/// What is said of a small window is what the files set.
#[test]
fn a_finding_and_a_file_give_one_window() {
    let check = |release: &str, path: &str, name: &str| {
        let release = format!("server.release={release}");
        let stated = ["server.tcp_window=64 KiB", &release];
        let advised = Advised::example("game-studio", &stated);
        let file = advised.file(path);
        let mut lines = file.lines.iter().map(|line| line.text.replace(" = ", "="));
        let line = lines.find(|text| text.contains(name)).unwrap();
        let value = line.split(name).nth(1).unwrap().trim_matches('\'').to_owned();
        let mut findings = advised.advice.findings.iter();
        let finding = findings.find(|finding| finding.rule == "NET005").unwrap();
        let action = finding.action.to_string();
        assert!(action.contains(&value), "{release}: {action}, {value}");
    };
    check("2013.2", "commit-server/p4-configure.sh", "net.tcpsize=");
    check("2024.2", "commit-server/90-p4d.conf", "net.ipv4.tcp_wmem=");
}

#[test]
fn systems_without_these_files_get_none() {
    let sun = Advised::example("sun-partner-2009", &[]).files();
    assert!(sun.iter().all(|f| !matches!(f.language, Language::Fstab | Language::Sysctl | Language::Udev)));
}

/// A system other than Linux gets its own commands, or a word on each file that it does not get.
#[test]
fn what_a_system_does_not_get_is_said() {
    let linux = Advised::example("game-studio", &[]).files();
    let of_linux = linux.iter().filter(|file| file.server == "commit server");
    let sun = Advised::example("sun-partner-2009", &[]);
    let files = sun.files();
    let notes = files.iter().find(|file| file.name == "solaris.txt").expect("notes");
    let said = notes.render();
    // What a release has is another matter than what a system has.
    for file in of_linux.filter(|file| file.language != Language::P4) {
        let is_there = files.iter().any(|other| other.name == file.name);
        assert!(is_there || said.contains(&file.name), "{}: {said}", file.name);
    }
    // A release that is not known to run there is not set up without a word.
    let release = sun.advice.chosen.as_ref().unwrap().deployment.release;
    let is_said = said.contains("not known to run on solaris");
    assert_eq!(is_said, !release.is_known_on("solaris"), "{release}: {said}");
}

#[test]
fn the_page_tells_every_file() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let page = plimsoll::document::read_text(&page).unwrap();
    let examples = SITES.map(|name| Advised::example(name, &[]));
    for advised in examples.iter().chain(windows::sites()) {
        for file in advised.files() {
            assert!(page.contains(&format!("`{}`", file.name)), "{}: {}", advised.site.name, file.name);
        }
    }
}

/// Looked at as an administrator would.
#[test]
fn the_configuration_of_the_examples() {
    for name in ["game-studio", "ea-redwood-shores-2007", "netapp-lab-2013"] {
        let files = Advised::example(name, &[]).files();
        let shown = files.iter().map(|f| format!("━━━ {}\n{}", f.path(), f.render()));
        let text: String = shown.collect();
        insta::assert_snapshot!(format!("configuration_{}", name.replace('-', "_")), text);
    }
}
