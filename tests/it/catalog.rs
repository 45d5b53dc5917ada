//! The catalogue: every file loads, none is forgotten, and it says what the sources say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use plimsoll::catalog::{Catalog, EntryKind, Form, KINDS, grade};
use plimsoll::posterior::Posterior;

#[test]
fn every_file_of_models_is_embedded_and_loads() {
    let catalog = Catalog::embedded();
    for kind in EntryKind::ALL {
        let folder = format!("{}/models/{}", env!("CARGO_MANIFEST_DIR"), kind.folder());
        let mut on_disk: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        on_disk.sort();
        assert_eq!(catalog.ids(kind), on_disk, "build.rs embeds each .toml file of models/{}", kind.folder());
    }
}

/// A drive of the usual size can be ordered: the bill counts drives that are sold.
#[test]
fn the_usual_drive_is_sold() {
    for medium in Catalog::embedded().media.values() {
        let usual = medium.capacity.value;
        let is_sold = medium.sold.is_empty() || medium.sold.contains(&usual);
        assert!(is_sold, "{}: {usual}", medium.entry.id);
    }
}

/// The page of the catalogue lists what each folder holds.
#[test]
fn the_page_lists_what_is_there() {
    let catalog = Catalog::embedded();
    let mut page = String::from("\n| folder | ids |\n|---|---|\n");
    for kind in EntryKind::ALL {
        let ids = catalog.ids(kind);
        let kind = kind.folder();
        writeln!(page, "| `{kind}/` | `{}` |", ids.join("` `")).unwrap();
    }
    crate::kept::section("models/README.md", "ids", &format!("{page}\n"));
}

/// Instances of a family have one processor, which each names: none is taken for the usual one.
#[test]
fn the_instances_of_a_family_have_its_processor() {
    let catalog = Catalog::embedded();
    let mut families: BTreeMap<&str, &str> = BTreeMap::new();
    for server in catalog.servers.values().filter(|server| server.form == Form::Instance) {
        let id = &server.entry.id;
        let processor = server.processor.as_deref();
        let processor = processor.unwrap_or_else(|| panic!("{id} names no processor"));
        assert!(catalog.processors.contains_key(processor), "{id}: {processor}");
        let family = server.family.as_deref().unwrap_or_else(|| panic!("{id} names no family"));
        let known = families.entry(family).or_insert(processor);
        assert_eq!(*known, processor, "{id}");
    }
    for (family, processor) in
        [("m6i", "ice-lake"), ("r6i", "ice-lake"), ("r8g", "arm-neoverse-v2"), ("n2-standard", "skylake")]
    {
        assert_eq!(families[family], processor);
    }
}

/// Bandwidth and operations of a provider's volume follow its size by the provider's rule, and the size follows them.
#[test]
fn a_volume_is_as_fast_as_its_size_allows() {
    const TIB: f64 = 1_099_511_627_776.0;
    let catalog = Catalog::embedded();
    let rule = |id: &str| catalog.media[id].rented.as_ref().unwrap();
    let st1 = rule("cloud-st1");
    for (tib, sustained, burst) in [(0.5, 20e6, 125e6), (2.0, 80e6, 500e6), (16.0, 500e6, 500e6)] {
        assert!((st1.bandwidth_at(tib * TIB) / sustained - 1.0).abs() < 1e-9, "{tib}");
        assert!((st1.burst_at(tib * TIB) / burst - 1.0).abs() < 1e-9, "{tib}");
    }
    assert!((st1.size_for(0.0, 80e6) / (2.0 * TIB) - 1.0).abs() < 1e-9);
    // gp3 sells bandwidth apart; its size limits what is bought of operations.
    let gp3 = rule("cloud-gp3");
    assert_eq!(gp3.operations_at(TIB / 1024.0), 3000.0);
    assert_eq!(gp3.operations_at(20.0 * TIB / 1024.0), 10_000.0);
    assert_eq!(gp3.size_for(3000.0, 1e9), 0.0);
    assert!((gp3.size_for(10_000.0, 0.0) / (20.0 * TIB / 1024.0) - 1.0).abs() < 1e-9);
    // What comes with the size of a persistent disk comes beside its baseline.
    let balanced = rule("pd-balanced");
    assert_eq!(balanced.operations_at(TIB), 3000.0 + 6.0 * 1024.0);
    for id in ["cloud-st1", "cloud-sc1", "pd-balanced", "pd-ssd", "pd-standard"] {
        let rule = rule(id);
        assert!(rule.is_as_fast_as_large() && rule.burst_at(TIB) >= rule.bandwidth_at(TIB), "{id}");
    }
}

/// A folder of `models/` that the loader does not know would be taken for layouts; words of rules are no entries.
#[test]
fn every_folder_is_a_kind() {
    let entries = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/models")).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(
            !path.is_dir() || name == "rules" || KINDS.contains(&&*name),
            "models/{name}: name it in kinds! of crates/model/src/posterior/number_id.rs"
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
    assert_eq!(mix(iscsi.manageability.value, nfs.manageability.value), "good");
    assert_eq!(mix(iscsi.cost.value, nfs.cost.value), "excellent");
    assert_eq!(mix(iscsi.backup.value, nfs.backup.value), "good");
    assert_eq!(catalog.protocols["fc"].grades.cost.value, "fair");
}

/// Lines of a file that state one value each, without those whose fault hides others: what a step does, which entry it is.
fn lines(text: &str) -> Vec<usize> {
    const LEFT_OUT: [&str; 7] = ["schema", "id", "do", "note", "pattern", "value", "like"];
    let states = |line: &str| {
        let (key, value) = line.split_once(" = ")?;
        let is_key = key.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_whole = !value.starts_with("\"\"\"") && (!value.starts_with('[') || value.ends_with(']'));
        (is_key && is_whole && !LEFT_OUT.contains(&key)).then_some(())
    };
    let lines = text.lines().enumerate();
    lines.filter_map(|(n, line)| states(line).map(|()| n)).collect()
}

/// Every file of the catalogue with three lines that state a date where none is wanted: each is reported with its
/// file and line, in one run.
#[test]
fn every_problem_of_every_file_is_reported_in_one_run() {
    let folder = crate::cli::scratch("three-faults");
    let mut faults: Vec<(String, usize)> = Vec::new();
    for kind in KINDS {
        let files = format!("{}/models/{kind}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(files).unwrap() {
            let path = entry.unwrap().path();
            let text = plimsoll::document::read_text(&path).unwrap();
            let all = lines(&text);
            let chosen = [all[0], all[all.len() / 2], all[all.len() - 1]];
            let broken = text.lines().enumerate().map(|(n, line)| {
                let (key, _) = line.split_once(" = ").unwrap_or((line, ""));
                if chosen.contains(&n) { format!("{key} = 1979-05-27\n") } else { format!("{line}\n") }
            });
            let broken: String = broken.collect();
            let name = path.file_name().unwrap().to_str().unwrap();
            let written = crate::cli::write(&folder, &format!("{kind}/{name}"), broken);
            faults.extend(chosen.iter().map(|n| (written.clone(), n + 1)));
        }
    }
    let found = Catalog::load(Some(folder.as_path()), &Posterior::embedded()).unwrap_err();
    let found = found.to_json();
    let errors = found["errors"].as_array().unwrap();
    let places: BTreeSet<(&str, u64)> =
        errors.iter().map(|e| (e["file"].as_str().unwrap(), e["line"].as_u64().unwrap())).collect();
    for (file, line) in &faults {
        let is_there = places.contains(&(file.as_str(), *line as u64));
        assert!(is_there, "{file}:{line} is not reported");
    }
    // Nothing is reported that is not wrong: a faulty file is there all the same for those that name it.
    let files: BTreeSet<&str> = faults.iter().map(|(file, _)| file.as_str()).collect();
    for error in errors {
        let (file, line) = (error["file"].as_str().unwrap(), error["line"].as_u64().unwrap());
        let is_meant = faults.iter().any(|(f, l)| f == file && *l as u64 == line);
        assert!(is_meant, "{error:#}");
        assert!(files.contains(file));
    }
}

#[test]
fn what_a_file_names_and_is_not_there_is_reported_with_its_line() {
    let folder = crate::cli::scratch("names-nothing");
    let text = include_str!("../../models/arrays/flasharray.toml");
    let text = text.replace("[\"fc\", \"iscsi\"]", "[\"fc\", \"iscsy\"]");
    let text = text.replace("raid = \"raid6\"", "raid = \"raid66\"");
    let path = crate::cli::write(&folder, "arrays/flasharray.toml", text.clone());
    let found = Catalog::load(Some(folder.as_path()), &Posterior::embedded()).unwrap_err();
    let found = found.to_json();
    let errors = found["errors"].as_array().unwrap();
    for wrong in ["iscsy", "raid66"] {
        let line = text.lines().position(|line| line.contains(wrong)).unwrap() + 1;
        let error = errors.iter().find(|e| e["message"].as_str().unwrap().contains(wrong));
        let error = error.unwrap_or_else(|| panic!("{wrong}: {errors:#?}"));
        assert_eq!(error["file"], path.as_str());
        assert_eq!(error["line"], line);
    }
}

/// The ids and rules of a file are checked as it is written: a fault in another field hides none of them, and none is
/// reported twice.
#[test]
fn a_fault_in_one_field_hides_no_unknown_id() {
    let folder = crate::cli::scratch("hidden-ids");
    let mut wanted = Vec::new();
    let mut break_file = |name: &str, text: &str, faults: &[(&str, &str)]| {
        let broken = faults.iter().fold(text.to_owned(), |text, (was, is)| {
            assert!(text.contains(was), "{name}: {was}");
            text.replacen(was, is, 1)
        });
        let path = crate::cli::write(&folder, name, broken.clone());
        for (_, is) in faults {
            let before = &broken[..broken.find(is).unwrap()];
            wanted.push((path.clone(), before.matches('\n').count() + 1));
        }
    };
    break_file(
        "arrays/flasharray.toml",
        include_str!("../../models/arrays/flasharray.toml"),
        &[
            ("[\"fc\", \"iscsi\"]", "[\"fc\", \"iscsy\"]"),
            ("raid = \"raid6\"", "raid = \"raid77\""),
            ("snapshots = true", "snapshots = \"yes\""),
        ],
    );
    break_file(
        "layouts/local-pairs.toml",
        include_str!("../../models/layouts/local-pairs.toml"),
        &[
            ("reference = false", "reference = \"no\""),
            ("place = \"local\"", "place = \"here\""),
            ("raid = \"raid10\"", "raid = \"raid77\""),
        ],
    );
    break_file(
        "scenarios/ci-herd.toml",
        include_str!("../../models/scenarios/ci-herd.toml"),
        &[
            ("like = \"working-day\"", "like = \"nights\""),
            ("at = \"9 h\"", "at = \"x h\""),
            ("command = \"sync\"", "command = \"sink\""),
        ],
    );
    break_file(
        "servers/present-16c.toml",
        include_str!("../../models/servers/present-16c.toml"),
        &[("first_year = ", "first_year = -"), ("media = [\"", "media = [\"x")],
    );
    let found = Catalog::load(Some(folder.as_path()), &Posterior::embedded()).unwrap_err();
    let found = found.to_json();
    let errors = found["errors"].as_array().unwrap();
    let mut places: Vec<(String, usize)> = errors
        .iter()
        .map(|e| {
            let line = usize::try_from(e["line"].as_u64().unwrap()).unwrap();
            (e["file"].as_str().unwrap().to_owned(), line)
        })
        .collect();
    places.sort();
    wanted.sort();
    assert_eq!(places, wanted, "{errors:#?}");
}
