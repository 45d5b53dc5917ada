//! Answers that no server can have, and sites on which nothing fits: the reason is the one that is nearest.

use crate::cli::{Ran, plimsoll, scratch, write};

const SITE: &str = "\
schema = 1
name = \"Impossible\"
[people]
developers = 180
[data]
db_size = \"45 GB\"
depot_size = \"9 TB\"
files = 5_500_000
revisions = 16_000_000
[server]
release = \"2022.2\"
local_disks = 6
local_medium = \"ssd-sas\"
[infrastructure]
operating_systems = [\"windows\"]
storage = [\"local-raid\"]
protocols = [\"local\"]
edges_max = 0
";

fn with(test: &str, set: &str) -> Ran {
    let folder = scratch(test);
    let path = write(&folder, "site.toml", SITE);
    plimsoll(&["advise", &path, "--set", set])
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn where_nothing_fits_the_nearest_layout_says_why() {
    for (set, why) in [
        ("server.local_disks=1", "it needs 2 drives in the server, which has 1"),
        ("server.local_disks=0", "it needs 2 drives in the server, which has 0"),
        (
            "infrastructure.protocols=[\"nfsv3\"]",
            "the drives in the server are reached by the protocol local, and infrastructure.protocols allows only NFS",
        ),
    ] {
        let ran = with("nothing_fits", set);
        let said = words(&ran.out);
        assert!(
            said.contains("No layout can be built of what this site has. The nearest is") && said.contains(why),
            "{set}: {said}{}",
            ran.err
        );
    }
}

#[test]
fn what_no_server_can_have_is_refused_with_what_is_allowed() {
    for (set, says) in [
        ("infrastructure.filesystems=[\"xfs\"]", ["xfs does not exist on windows", "ntfs"]),
        ("server.local_medium=cloud-gp3", ["is no instance", "nvme"]),
        ("server.local_medium=object-store", ["object-store", "nvme"]),
        ("edge.local_medium=cloud-gp3", ["is no instance", "nvme"]),
        ("server.release=2024.9", ["a release of p4d", "a number from 1 to 4"]),
    ] {
        let ran = with("refused", set);
        for part in says {
            assert!(ran.refused().contains(part), "{set}: {}", ran.err);
        }
    }
    // On an instance a provider's volumes are what there is.
    let folder = scratch("instance_media");
    let cloud = "schema = 1\nname = \"Cloud\"\n[people]\ndevelopers = 20\n[server]\nmodel = \"cloud-8xl\"\n[edge]\nlocal_medium = \"cloud-io2\"\n";
    let path = write(&folder, "site.toml", cloud);
    plimsoll(&["advise", &path]).done();
}

#[test]
fn nothing_where_there_must_be_something_is_warned_of() {
    for (set, says) in [
        ("data.db_size=\"0 GB\"", "a database of 0 B beside 5,500,000 files"),
        ("workload.commands_per_day=\"0 /day\"", "no commands a day with 180 people"),
    ] {
        let folder = scratch("nothing");
        let path = write(&folder, "site.toml", SITE);
        let ran = plimsoll(&["advise", &path, "--set", set, "--full"]);
        assert!(ran.out.contains(says), "{set}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn data_that_shrink_are_stored_where_they_fit_today() {
    let ran = with("shrinks", "data.depot_growth=\"-50 %/year\"");
    let said = words(ran.done());
    assert!(said.contains("Carries today's 180 people"), "{said}");
    assert!(!said.contains("too little") && !said.contains("more drives"), "{said}");
}
