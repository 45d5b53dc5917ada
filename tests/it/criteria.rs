//! What a site's weights change.

use plimsoll::advisor::{Chosen, advise};
use plimsoll::catalog::Access;

use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};
use crate::today::read;

/// Drives in the server, which are the cheapest and one system less, and a filer whose exports other machines can mount.
const BOTH: &str = "schema = 1\nname = \"Drives and a filer\"\n[people]\ndevelopers = 200\n[data]\ndepot_size = \"3 TB\"\n\
[server]\nlocal_disks = 8\n[infrastructure]\nstorage = [\"local-raid\", \"fas3270\"]\nprotocols = [\"local\", \"nfsv3\", \"iscsi\"]\n\
[criteria]\nperformance = 5\nmanageability = 5\ncost = 10\nbackup = 0\n";

fn chosen(weight: f64) -> Chosen {
    of(&format!("{BOTH}direct_file_access = {weight}\n"))
}

fn of(text: &str) -> Chosen {
    let site = read(text);
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    advice.chosen.expect("a deployment")
}

/// N13-table6: a LUN belongs to one host, an export is open to all. Each step of the weight moves depots there or leaves them: what it
/// takes is as much as the other criteria lose, here edits that take 13 times as long on the filer's disks.
#[test]
fn direct_access_to_archives_moves_them_to_exports() {
    let depots = |weight| {
        let deployment = chosen(weight).deployment;
        deployment.mount("depot").map(|mount| mount.access(&CATALOG))
    };
    let found = [0.0, 1.0, 2.0, 5.0, 10.0].map(depots);
    let moved = found.iter().filter(|access| **access == Some(Access::File)).count();
    let (stay, go) = found.split_at(found.len() - moved);
    assert!(!stay.is_empty() && moved > 1, "{found:?}");
    assert!(stay.iter().all(|access| *access == Some(Access::Local)), "{found:?}");
    assert!(go.iter().all(|access| *access == Some(Access::File)), "{found:?}");
}

/// Who weighs performance gets the drives in the server; who does not, exports that are easier to manage.
#[test]
fn the_weight_of_performance_moves_the_layout() {
    let weighed = |weight: f64| {
        let performance = format!("performance = {weight}");
        let text = BOTH.replace("performance = 5", &performance);
        of(&format!("{text}direct_file_access = 1\n"))
    };
    let [none, much] = [0.0, 10.0].map(weighed);
    assert_ne!(none.deployment.layout, much.deployment.layout);
    let edit = |one: &Chosen| {
        let mut classes = one.prediction.classes.iter();
        classes.find(|class| class.name.starts_with("edit")).map(|class| class.p95.value)
    };
    assert!(edit(&much) < edit(&none), "{:?} {:?}", edit(&much), edit(&none));
}
