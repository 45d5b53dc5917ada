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
    let site = read(&format!("{BOTH}direct_file_access = {weight}\n"));
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    advice.chosen.expect("a deployment")
}

/// N13-table6: a LUN belongs to one host, an export is open to all.
#[test]
fn direct_access_to_archives_moves_them_to_exports() {
    let depots = |weight| {
        let deployment = chosen(weight).deployment;
        deployment
            .mount("depot")
            .map(|mount| mount.access(&CATALOG))
    };
    assert_eq!(
        [0.0, 5.0, 10.0].map(depots),
        [Access::Local, Access::File, Access::File].map(Some)
    );
}
