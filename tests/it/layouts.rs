//! Object storage, edges on drives of their own, a standby on a second site, and instances of a cloud: relations that hold
//! whatever the site.

use plimsoll::advisor::what_if::{Base, Change, what_if};
use plimsoll::advisor::{Advice, Cap, WindowVerdict, advise, candidates, over_time};
use plimsoll::catalog::Access;
use plimsoll::document::read_text;
use plimsoll::emit;
use plimsoll::site::{self, Site, Vocabulary};
use plimsoll::system::{Deployment, Interval};

use crate::cli::{plimsoll, scratch, write};
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

fn read(text: &str, sets: &[&str]) -> Site {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    site::parse("site.toml", text, &sets, &VOCABULARY).unwrap_or_else(|d| panic!("{}", d.render()))
}

fn advice(site: &Site) -> Advice {
    advise(site, &VOCABULARY, &CATALOG, &CALIBRATION)
}

fn access(mount: &plimsoll::system::Mount) -> Access {
    CATALOG.protocols[&mount.protocol].access
}

const CLOUD: &str = "schema = 1\nname = \"Cloud\"\n[people]\ndevelopers = 120\n[data]\ndb_size = \"40 GB\"\n\
    depot_size = \"12 TB\"\n[server]\nmodel = \"cloud-8xl\"\nrelease = \"2024.2\"\n[infrastructure]\n\
    storage = [\"cloud-block\", \"cloud-object\"]\nedges_max = 0\n";

#[test]
fn objects_hold_depots_alone_and_need_their_release() {
    let bound = |release: &str| {
        let set = format!("server.release={release}");
        let site = read(CLOUD, &[&set]);
        let (found, dropped) = candidates(&site, &CATALOG);
        let on_objects: Vec<Deployment> = found
            .into_iter()
            .map(|candidate| candidate.deployment)
            .filter(|d| d.volumes.iter().any(|m| access(m) == Access::Object))
            .collect();
        let reasons: Vec<String> = dropped.into_iter().map(|out| out.reason).collect();
        (on_objects, reasons.join("; "))
    };
    let (found, _) = bound("2024.1");
    assert!(!found.is_empty());
    for deployment in &found {
        for mount in &deployment.volumes {
            if access(mount) == Access::Object {
                assert_eq!(mount.roles, ["depot"], "{mount:?}");
                assert_eq!(mount.filesystem, None);
            }
        }
    }
    let (found, reasons) = bound("2023.2");
    assert!(found.is_empty(), "{found:?}");
    assert!(reasons.contains("it needs release 2024.1"), "{reasons}");
}

#[test]
fn what_lies_in_a_bucket_is_neither_formatted_nor_mounted() {
    let folder = scratch("objects_emitted");
    let path = write(&folder, "site.toml", CLOUD);
    let predicted = plimsoll(&["predict", &path, "--layout", "cloud-block-object-depot", "--format", "json"]).json();
    let classes = predicted["predictions"].as_array().unwrap();
    assert!(!classes.is_empty());
    // No drives of a server hold these depots, so that the bucket is taken.
    let text = CLOUD
        .replace("depot_size = \"12 TB\"", "depot_size = \"900 TB\"")
        .replace("model = \"cloud-8xl\"", "local_disks = 8")
        .replace("\"cloud-block\"", "\"local-raid\"");
    let site = read(&text, &[]);
    let advice = advice(&site);
    let chosen = advice.chosen.as_ref().unwrap();
    assert_eq!(chosen.deployment.layout, "local-nvme-object-depot");
    let files = emit::configuration(&site, &CATALOG, &advice);
    let text = |name: &str| {
        let mut found = files.iter().filter(|file| file.name == name);
        found.next().map(emit::ConfigFile::render).unwrap_or_default()
    };
    for name in ["fstab", "mkfs.sh", "directories.sh"] {
        assert!(!text(name).contains("objects"), "{name}: {}", text(name));
    }
    let depots = text("p4-object-depots.sh");
    assert!(depots.contains("Address:"), "{depots}");
    assert!(depots.contains("PLIMSOLL_OBJECT_ADDRESS:?"), "no key of a bucket is written: {depots}");
}

const CENTRAL: &str = "schema = 1\nname = \"Central\"\n[people]\ndevelopers = 600\n[data]\ndb_size = \"200 GB\"\n\
    depot_size = \"20 TB\"\n[server]\ncores = 32\nram = \"512 GiB\"\nlocal_disks = 0\n[edge]\nlocal_disks = 6\n\
    [infrastructure]\nstorage = [\"flasharray\", \"flashblade\"]\nedges_max = 3\n";

#[test]
fn edges_beside_an_array_keep_their_tables_on_their_own_drives() {
    let site = read(CENTRAL, &[]);
    let (found, _) = candidates(&site, &CATALOG);
    let own: Vec<&Deployment> =
        found.iter().map(|candidate| &candidate.deployment).filter(|d| d.layout == "central-edges-local").collect();
    assert!(own.len() >= 3, "one, two and three edges");
    for deployment in own {
        for server in 1..deployment.servers() {
            for role in ["db", "offline_db", "journal", "log"] {
                let mount = deployment.mount_on(role, server).unwrap();
                assert!(mount.is_local(), "{role} of edge {server}: {mount:?}");
            }
            let depot = deployment.mount_on("depot", server).unwrap();
            assert_eq!(access(depot), Access::File);
            assert!(deployment.is_shared_on(depot, server));
            // Each role once, whoever has it.
            for role in plimsoll::catalog::layout::ROLES {
                let volumes = deployment.volumes_on(server);
                let count = volumes.iter().filter(|m| m.roles.contains(&role)).count();
                assert_eq!(count, 1, "{role} of edge {server}");
            }
        }
        assert!(deployment.volumes.iter().all(|mount| !mount.is_local()));
    }
    // Without drives in the edges there is no such layout.
    let bare = read(CENTRAL, &["edge.local_disks=0"]);
    let (found, _) = candidates(&bare, &CATALOG);
    assert!(found.iter().all(|candidate| candidate.deployment.layout != "central-edges-local"));
}

/// Seven offices of which the two farthest miss what is wanted of browsing: they get the edges, though others have more people.
#[test]
fn edges_go_where_a_target_is_missed_and_no_further() {
    let offices = [
        ("Near", 200, 20),
        ("Coast", 180, 30),
        ("North", 150, 40),
        ("South", 120, 45),
        ("West", 100, 50),
        ("Far", 20, 260),
        ("Farthest", 15, 330),
    ];
    let offices = offices.map(|(name, people, round_trip)| {
        format!(
            "[[people.site]]\nname = \"{name}\"\ndevelopers = {people}\nround_trip = \"{round_trip} ms\"\nbandwidth = \"1 Gb/s\"\n"
        )
    });
    let text = format!(
        "schema = 1\nname = \"Seven\"\n[people]\ndevelopers = 1000\n{}[data]\ndb_size = \"60 GB\"\ndepot_size = \"4 TB\"\n\
         [server]\nrelease = \"2024.2\"\nlocal_disks = 12\nlocal_medium = \"nvme\"\n[edge]\nlocal_disks = 8\n\
         [infrastructure]\nstorage = [\"local-raid\"]\nedges_max = 7\n[targets]\nbrowse = \"300 ms\"\n",
        offices.concat()
    );
    let site = read(&text, &[]);
    let chosen = advice(&site).chosen.unwrap();
    let served = &chosen.deployment.offices;
    let has = |name: &str| served.iter().any(|office| office == name);
    assert!(has("Far") && has("Farthest"), "{served:?}");
    assert!(chosen.missed.is_empty(), "{:?}", chosen.missed);
    // One edge is a choice too, and then it is the one that helps most.
    let one = read(&text, &["infrastructure.edges_max=1"]);
    let chosen = advice(&one).chosen.unwrap();
    assert_eq!(chosen.deployment.edges, 1);
    assert!(chosen.missed.len() <= 1, "{:?}", chosen.missed);
}

const TWO_SITES: &str = "schema = 1\nname = \"Two sites\"\n[people]\ndevelopers = 60\n[[people.site]]\nname = \"Lyon\"\n\
    developers = 10\nround_trip = \"25 ms\"\nbandwidth = \"1 Gb/s\"\n[data]\ndb_size = \"20 GB\"\n\
    depot_size = \"2 TB\"\n[server]\nrelease = \"2024.2\"\nlocal_disks = 8\n[edge]\nlocal_disks = 6\n\
    [infrastructure]\nstorage = [\"local-raid\"]\nedges_max = 0\n";

#[test]
fn a_standby_comes_where_a_stated_promise_asks_for_it_and_keeps_it() {
    let with = |sets: &[&str]| advice(&read(TWO_SITES, sets)).chosen.unwrap();
    assert_eq!(with(&[]).deployment.standby, None, "nobody asked");
    let asked = ["protection.rto=30 min", "protection.rpo=5 min"];
    let chosen = with(&asked);
    let standby = chosen.deployment.standby.as_ref().expect("a standby");
    assert_eq!(standby.office.as_deref(), Some("Lyon"));
    for role in plimsoll::catalog::layout::ROLES {
        let holds = |m: &&plimsoll::system::Mount| m.roles.contains(&role) && m.is_local();
        assert_eq!(standby.volumes.iter().filter(holds).count(), 1, "{role}");
    }
    for disaster in &chosen.recovery.disasters {
        assert!(disaster.rpo != WindowVerdict::Missed, "{disaster:?}");
        assert!(disaster.time.unwrap().value <= 30.0 * 60.0, "{disaster:?}");
    }
    // Its stores fill up too, whoever looks at the years.
    let site = read(TWO_SITES, &asked);
    let vocabulary = Vocabulary::of(&CATALOG);
    let base = Base {
        site: &site,
        vocabulary: &vocabulary,
        catalog: &CATALOG,
        calibration: &CALIBRATION,
        layout: &chosen.deployment.layout,
        choices: &chosen.choices,
        confirmed: None,
    };
    let unchanged = what_if(&base, &Change::default()).unwrap();
    let years = over_time(&CATALOG, &CALIBRATION, &unchanged, 3.0, 2).unwrap();
    assert_eq!(years.headroom.capacity, chosen.headroom.capacity);
    let mut stores = years.load_and_stores.stores.iter();
    assert!(stores.any(|store| store.store.name.contains("standby")));
    // Before it can fail over there is none; without a second site it stands in another building.
    let old = ["protection.rto=30 min", "server.release=2018.1"];
    assert_eq!(with(&old).deployment.standby, None);
    let near = ["protection.rto=30 min", "people.site.0.round_trip=1 ms"];
    let standby = with(&near).deployment.standby.expect("a standby");
    assert_eq!(standby.place(), "another building");
}

#[test]
fn a_narrower_line_never_loses_less() {
    let mut before = 0.0;
    for line in ["10 Gb/s", "100 Mb/s", "10 Mb/s", "1 Mb/s"] {
        let set = format!("people.site.0.bandwidth={line}");
        let sets = [
            set.as_str(),
            "protection.rto=30 min",
            "protection.rpo=24 h",
            "workload.large_syncs_per_day=0 /day",
            "infrastructure.proxies=false",
        ];
        let chosen = advice(&read(TWO_SITES, &sets)).chosen.unwrap();
        assert!(chosen.deployment.standby.is_some(), "{line}");
        let loses = chosen.recovery.disasters[0].loses;
        if let Some(Interval { value, low, high }) = loses {
            assert!(0.0 < low && low <= value && value <= high, "{line}: {low} {value} {high}");
        }
        let loses = loses.map_or(f64::INFINITY, |loses| loses.value);
        assert!(loses >= before, "{line}: {loses} s after {before} s");
        before = loses;
    }
    assert!(before > 60.0, "1 Mb/s carries no peak: {before} s");
}

#[test]
fn the_standby_has_a_configuration_of_its_own() {
    let site = read(TWO_SITES, &["protection.rto=30 min"]);
    let files = emit::configuration(&site, &CATALOG, &advice(&site));
    let of_it = |name: &str| {
        let mut found = files.iter();
        let file = found.find(|f| f.server.starts_with("standby") && f.name == name);
        file.unwrap_or_else(|| panic!("no {name}")).render()
    };
    assert!(of_it("p4-configure.sh").contains("journalcopy -i 0"));
    assert!(of_it("fstab").contains("/hxdepots"));
    let others = files.iter().filter(|f| !f.server.starts_with("standby"));
    for file in others {
        assert!(!file.render().contains("journalcopy"), "{}", file.path());
    }
}

#[test]
fn the_smallest_instance_grows_with_the_people_and_keeps_its_limits() {
    let mut before = 0.0;
    for people in [10, 120, 900] {
        let set = format!("people.developers={people}");
        let site = read(CLOUD, &[&set, "infrastructure.storage=[\"cloud-block\"]"]);
        let chosen = advice(&site).chosen.unwrap();
        let found = chosen.instances.as_ref().unwrap();
        let Some(smallest) = &found.smallest else {
            before = f64::INFINITY;
            continue;
        };
        let memory = CATALOG.servers[&smallest.id].memory.value.get();
        assert!(memory >= before, "{people} people: {}", smallest.id);
        before = memory;
        for row in &smallest.rows {
            assert!(row.share() <= 1.0 + 1e-6, "{people} people: {row:?}");
        }
        assert_eq!(smallest.rows[0].cap, Cap::Memory);
    }
}

#[test]
fn an_instance_is_never_told_to_use_drives_that_it_does_not_have() {
    // Neither where it is named, nor where volumes of a provider are all that the site has.
    for sets in [&["infrastructure.storage=[\"cloud-block\", \"cloud-nfs\"]"] as &[&str], &["people.developers=40"]] {
        let unnamed = CLOUD.replace("model = \"cloud-8xl\"\n", "");
        for text in [CLOUD, &unnamed] {
            let (found, _) = candidates(&read(text, sets), &CATALOG);
            for candidate in found {
                let mounts = &candidate.deployment.volumes;
                assert!(mounts.iter().all(|mount| !mount.is_local()), "{}", candidate.deployment.layout);
            }
        }
    }
}

#[test]
fn variables_of_a_site_without_a_cloud_are_refused_before_anything_is_simulated() {
    let folder = scratch("emit_no_cloud");
    let path = write(&folder, "site.toml", TWO_SITES);
    let ran = plimsoll(&["advise", &path, "--emit", "tfvars"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("has volumes of a cloud"), "{}", ran.err);
    assert!(!ran.err.contains("simul"), "{}", ran.err);
}

#[test]
fn one_file_goes_to_the_standard_output_as_it_goes_below_a_folder() {
    let folder = scratch("emit_one");
    let path = write(&folder, "site.toml", CLOUD);
    let out = folder.join("out");
    let quick = ["--no-confirm"];
    let of = |more: &[&str]| {
        let mut all = vec!["advise", path.as_str()];
        all.extend(quick);
        all.extend(more);
        plimsoll(&all)
    };
    of(&["--out", out.to_str().unwrap()]);
    let written = read_text(&out.join("config/terraform/plimsoll.auto.tfvars")).unwrap();
    // Below a folder the last line is the mark by which Plimsoll knows its own file.
    let alone = of(&["--emit", "tfvars"]).out;
    assert!(written.starts_with(&alone), "{alone}");
    assert_eq!(of(&["--emit", "terraform/plimsoll.auto.tfvars"]).out, alone);
    assert!(written.contains("plimsoll_instance_least = { size = "), "{written}");
    let wrong = of(&["--emit", "no/such\u{1b}file"]);
    assert_eq!(wrong.code, 3);
    assert!(wrong.err.contains("commit-server/fstab"), "{}", wrong.err);
    assert!(!wrong.err.contains('\u{1b}'));
}
