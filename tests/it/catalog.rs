//! The catalogue: every file loads, none is forgotten, and it says what the sources say.

use plimsoll::catalog::{Catalog, KINDS, grade};

#[test]
fn every_file_of_models_is_embedded_and_loads() {
    let catalog = Catalog::embedded();
    for kind in KINDS {
        let folder = format!("{}/models/{kind}", env!("CARGO_MANIFEST_DIR"));
        let mut on_disk: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| {
                e.unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        on_disk.sort();
        assert_eq!(
            catalog.ids(kind),
            on_disk,
            "list the file in src/catalog/embedded.rs"
        );
    }
}

/// N13 table 6: a layout's grade is made of its protocols' grades, and gives the source's matrix.
#[test]
fn protocol_grades_compose_to_table_6() {
    let catalog = Catalog::embedded();
    let mix = |a: &str, b: &str| grade::word(f64::midpoint(grade::score(a), grade::score(b)));
    let iscsi = &catalog.protocols["iscsi"].grades;
    let nfs = &catalog.protocols["nfsv3"].grades;
    assert_eq!(
        mix(iscsi.manageability.value, nfs.manageability.value),
        "good"
    );
    assert_eq!(mix(iscsi.cost.value, nfs.cost.value), "excellent");
    assert_eq!(mix(iscsi.backup.value, nfs.backup.value), "good");
    assert_eq!(catalog.protocols["fc"].grades.cost.value, "fair");
}
