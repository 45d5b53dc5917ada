//! The server model that a site names is the machine that is computed.

use plimsoll::advisor::{advise, choices_for};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::{Form, usual_server};
use plimsoll::report::Answer;
use plimsoll::site::{self, Release, Site};

use crate::shared::{CATALOG, VOCABULARY};
use crate::site::LEAST;

fn parse(sets: &[&str]) -> Result<Site, String> {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    site::parse("site.toml", LEAST, &sets, &VOCABULARY).map_err(|d| d.render())
}

fn with(lines: &str) -> Result<Site, String> {
    let text = format!("{LEAST}{lines}");
    site::parse("site.toml", &text, &[], &VOCABULARY).map_err(|d| d.render())
}

#[test]
fn what_the_file_of_a_model_says_answers_every_question_about_the_machine() {
    for (id, model) in &CATALOG.servers {
        // The newest: Arm needs it.
        let site = with(&format!("[server]\nmodel = {id:?}\nrelease = \"2025.2\"\n")).unwrap();
        let server = &site.server;
        assert_eq!(server.cores.value, model.cores.value, "{id}");
        assert_eq!(server.ram.value, model.memory.value, "{id}");
        assert_eq!(server.bits.value, model.bits.value, "{id}");
        assert_eq!(server.local_disks.value, model.internal_disks.value, "{id}");
        assert_eq!(server.local_medium.value, model.internal_medium, "{id}");
        let systems = &site.infrastructure.operating_systems;
        assert!(model.systems.contains(&systems.value[0].as_str()), "{id}");
        for origin in [&server.cores.origin, &server.ram.origin, &systems.origin] {
            let says = origin.to_string();
            let from = format!("(models/servers/{id}.toml)");
            assert!(says.contains("from the server model "), "{says}");
            assert!(says.contains(&from), "{says}");
        }
        let choices = choices_for(&site, &CATALOG);
        assert_eq!((&choices.server, choices.cores), (id, model.cores.value));
        assert_eq!(choices.memory, model.memory.value.get());
        assert_eq!(choices.local.is_some(), model.internal_disks.value >= 1.0, "{id}");
    }
}

#[test]
fn a_cloud_instance_lies_on_the_disks_of_the_cloud() {
    let site = with("[server]\nmodel = \"cloud-8xl\"\n").unwrap();
    let provider = CATALOG.providers["aws"].storage();
    assert_eq!(site.infrastructure.storage.value, provider);
    let advice = advise(&site, &VOCABULARY, &CATALOG, &Calibration::embedded());
    let chosen = advice.chosen.expect("it has a layout");
    assert!(chosen.deployment.volumes.iter().all(|m| !m.is_local()));
    assert_eq!((chosen.deployment.cores, chosen.deployment.server.as_str()), (16.0, "cloud-8xl"));
}

#[test]
fn an_answer_that_the_model_cannot_have_is_an_error_with_both_places() {
    for (model, answer, file) in [
        ("cloud-8xl", "cores = 8", "models/servers/cloud-8xl.toml"),
        ("cloud-8xl", "ram = \"16 GiB\"", "models/servers/cloud-8xl.toml"),
        ("cloud-8xl", "local_disks = 6", "models/servers/cloud-8xl.toml"),
        ("cloud-8xl", "local_medium = \"nvme\"", "models/servers/cloud-8xl.toml"),
        ("dell-6650", "bits = 64", "models/servers/dell-6650.toml"),
    ] {
        let error = with(&format!("[server]\nmodel = {model:?}\n{answer}\n")).unwrap_err();
        assert!(error.contains("SIT012"), "{error}");
        for place in ["site.toml:7", "site.toml:6", file] {
            assert!(error.contains(place), "{place} is not in\n{error}");
        }
    }
    for (model, systems) in [("pure-host", "windows"), ("sun-v440", "linux"), ("dell-6650", "linux")] {
        let lines = format!("[server]\nmodel = {model:?}\n[infrastructure]\noperating_systems = [{systems:?}]\n");
        let error = with(&lines).unwrap_err();
        assert!(error.contains("SIT012") && error.contains("site.toml:8"), "{error}");
    }
}

#[test]
fn memory_and_disks_of_a_machine_can_be_bought_otherwise() {
    for (id, model) in &CATALOG.servers {
        let lines =
            format!("[server]\nmodel = {id:?}\nram = \"96 GiB\"\nlocal_disks = 12\nlocal_medium = \"ssd-sas\"\n");
        let is_machine = model.form == Form::Machine;
        assert_eq!(with(&lines).is_ok(), is_machine, "{id}");
    }
    // Fewer may be free; a 64-bit machine runs a p4d of 32 bits.
    assert!(with("[server]\nmodel = \"present-16c\"\nlocal_disks = 2\nbits = 32\n").is_ok());
    // As much memory as the file says, in another unit.
    assert!(with("[server]\nmodel = \"cloud-8xl\"\nram = \"274.878 GB\"\n").is_ok());
}

#[test]
fn another_number_of_cores_may_be_tried_on_a_machine_that_the_file_names() {
    let of = |model: &str, set: &str| {
        let text = format!("{LEAST}[server]\nmodel = {model:?}\n");
        let sets = vec![set.to_owned()];
        site::parse("site.toml", &text, &sets, &VOCABULARY).map(|site| site.server.cores.value)
    };
    assert_eq!(of("present-32c", "server.cores=48").ok(), Some(48.0));
    assert!(of("cloud-8xl", "server.cores=48").is_err());
    assert!(parse(&["server.model=present-32c", "server.cores=48"]).is_ok());
}

#[test]
fn each_year_and_system_has_a_server_that_is_plausible() {
    for year in 1998..=2030 {
        for system in ["linux", "windows", "solaris"] {
            let systems = [system.to_owned()];
            let release = Release::new(year, 1);
            let servers = CATALOG.servers.values();
            let server = usual_server(servers, release, &systems).expect("a server");
            // No Solaris server of today is in the catalogue: the one of its time stands in.
            if system != "solaris" || year < 2020 {
                assert!(server.systems.contains(&system), "{year} {system}");
            }
            let sets = format!("infrastructure.operating_systems=[{system:?}]");
            let site = parse(&[&format!("server.release={year}.1"), &sets]).unwrap();
            let (has, choices) = (&site.server, choices_for(&site, &CATALOG));
            assert_eq!(choices.server, server.entry.id);
            if year < 2010 {
                for medium in [&has.local_medium.value, &has.local_medium.high] {
                    assert!(medium.starts_with("disk-"), "{year}: {medium}");
                }
                assert!(has.cores.value <= 24.0, "{year}: {}", has.cores.value);
            }
            if year < 2005 {
                assert_eq!((has.bits.value, has.cores.value), (32.0, 4.0), "{year}");
                assert!(has.ram.value.in_tib() <= 16.0 / 1024.0, "{year}: {}", has.ram.value);
            }
        }
    }
}

#[test]
fn an_assumed_number_of_drives_neither_excludes_nor_hides() {
    let site = parse(&[]).unwrap();
    let advice = advise(&site, &VOCABULARY, &CATALOG, &Calibration::embedded());
    let drives = |text: &str| text.contains(" drives in the server");
    let said = Answer::of(&site, &CATALOG, &advice).sentence();
    assert!(drives(&said), "{said}");
    let local = advice.alternatives.iter().filter(|a| a.layout.starts_with("local"));
    for other in local.filter(|a| a.deployment.is_some()) {
        assert!(drives(&other.why_not), "{}: {}", other.layout, other.why_not);
    }
    let all = advice.alternatives.iter().find(|a| a.layout == "local-all");
    let chosen = advice.chosen.as_ref().map(|c| c.deployment.layout.as_str());
    assert!(
        chosen == Some("local-all") || all.is_some_and(|a| a.deployment.is_some()),
        "{:?}",
        all.map(|a| &a.why_not)
    );
    // Where the number is known, a layout that needs more says how many.
    let few = parse(&["server.local_disks=4"]).unwrap();
    let advice = advise(&few, &VOCABULARY, &CATALOG, &Calibration::embedded());
    let said = Answer::of(&few, &CATALOG, &advice).sentence();
    assert!(!drives(&said), "{said}");
    let mut others = advice.alternatives.iter();
    let all = others.find(|a| a.layout == "local-all").expect("it is listed");
    if all.deployment.is_none() {
        assert!(all.why_not.ends_with("drives in the server, which has 4"), "{}", all.why_not);
    }
}
