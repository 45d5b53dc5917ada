//! Targets, stated and assumed: the limit stands still, is said as what it is, and the load is taken as a whole.

use plimsoll::advisor::what_if::{Base, Change, what_if};
use plimsoll::advisor::{
    Ask, Budget, FACTOR_LEAST, Headroom, LoadLimit, Prepared, advise, advise_confirmed, over_time, tightest,
};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::site::{self, Site, Target, Vocabulary};

use crate::agreement::generated;
use crate::cli::{example, plimsoll, scratch, write};

const STUDIO: &str = "schema = 1\nname = \"Studio\"\n[people]\ndevelopers = 300\n";
const FAR: &str =
    "[[people.site]]\nname = \"Far\"\ndevelopers = 30\nround_trip = \"200 ms\"\nbandwidth = \"10 Mb/s\"\n";
/// An array that writes 1 MB/s, and submits of 2 GB.
const SLOW_WRITER: &str = "[data]\nfile_size = \"20 MB\"\n[workload]\nfiles_per_submit = 100\n\
    [infrastructure]\nstorage_network = \"eth-25g\"\nclient_network = \"eth-25g\"\nprotocols = [\"nfsv3\", \"local\"]\n\
    [[equipment]]\nname = \"Slow Writer\"\nkind = \"all-flash file\"\nusable = \"500 TB\"\nbandwidth = \"5 GB/s\"\nwrite_bandwidth = \"1 MB/s\"\n";

fn read(text: &str, overrides: &[&str]) -> Site {
    let overrides: Vec<String> = overrides.iter().map(|o| (*o).to_owned()).collect();
    let vocabulary = Vocabulary::of(&Catalog::embedded());
    let read = site::parse("site.toml", text, &overrides, &vocabulary);
    read.unwrap_or_else(|errors| panic!("{}", errors.render()))
}

fn limit(site: &Site, target: Target, office: Option<&str>) -> f64 {
    site.target(target, office).unwrap().value.get()
}

#[test]
fn each_kind_of_work_has_a_target_that_is_an_open_question_until_it_is_answered() {
    let open = read(STUDIO, &[]);
    let questions: Vec<String> = open.assumptions().into_iter().map(|a| a.field).collect();
    for target in Target::ALL {
        let field = format!("targets.{}", target.key());
        assert!(questions.contains(&field), "{field}");
        let answer = open.target(target, None).unwrap();
        assert!(!answer.is_stated() && answer.low < answer.high);
        let stated = read(STUDIO, &[&format!("{field}=7 s")]);
        let answer = stated.target(target, None).unwrap();
        assert!(answer.is_stated());
        assert_eq!(answer.value.get(), 7.0);
    }
    assert_eq!(open.targets.every(), "every assumed target");
    // A wanted rate is the target of large syncs.
    let rate = read(STUDIO, &["targets.sync_rate=100 MB/s"]);
    assert!(rate.target(Target::LargeSync, None).is_none());
    // It is held against the time that is shown, as every target is.
    let advice = advise(&rate, &Vocabulary::of(&Catalog::embedded()), &Catalog::embedded(), &Calibration::embedded());
    let chosen = advice.chosen.unwrap();
    let mut classes = chosen.prediction.classes.iter();
    let large = classes.find(|class| class.work.is_large_sync()).unwrap();
    let want = tightest(&rate, large).unwrap();
    assert_eq!(want.time, large.p95.value);
    assert!(!want.is_assumed);
}

#[test]
fn an_assumed_target_is_what_a_line_can_carry_and_a_stated_one_is_the_same_everywhere() {
    let text = format!("{STUDIO}{FAR}");
    let site = read(&text, &[]);
    for target in Target::ALL {
        let (here, there) = (limit(&site, target, None), limit(&site, target, Some("Far")));
        // Three round trips of 200 ms.
        assert!(there >= here + 0.6 - 1e-9, "{target:?}: {here} {there}");
    }
    let line = site.people.sites[0].bandwidth.value.get();
    let bytes = site.workload.concurrent_sync_size.value.get();
    assert!(limit(&site, Target::LargeSync, Some("Far")) > 1.9 * bytes / line);
    let stated = read(&text, &["targets.sync=1 min"]);
    assert_eq!(limit(&stated, Target::Sync, Some("Far")), 60.0);
    // Nothing of the system that is judged moves it.
    for other in [
        "server.cores=4",
        "server.ram=8 GiB",
        "infrastructure.client_network=eth-1g",
        "people.developers=3000",
        "load=4",
    ] {
        let other = read(&text, &[other]);
        for target in [Target::Browse, Target::Edit, Target::Submit, Target::Sync] {
            assert_eq!(limit(&site, target, None), limit(&other, target, None));
        }
    }
}

#[test]
fn a_missed_assumed_target_counts_and_is_called_so() {
    let folder = scratch("targets-slow-writer");
    let path = write(&folder, "slow.toml", format!("{STUDIO}{SLOW_WRITER}"));
    let ran = plimsoll(&["advise", &path, "--full"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("assumed target"), "{}", ran.out);
    let answer = plimsoll(&["advise", &path, "--format", "json"]).json();
    assert_eq!(answer["answer"]["stands"], "misses");
    let work = answer["answer"]["work"].as_array().unwrap();
    for row in work {
        assert_eq!(row["target"]["assumed"], true, "{row:#}");
        assert!(row["target"]["origin"].as_str().unwrap().len() > 10);
    }
}

/// More load on the same system carries as many people, and the same ends it.
#[test]
fn so_many_times_the_load_gives_the_same_people_and_the_same_limit() {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let vocabulary = Vocabulary::of(&catalog);
    let mut seen = 0;
    for seed in 300..308 {
        let drives = generated::site(seed).replace("[server]\n", "[server]\nlocal_disks = 8\nram = \"256 GiB\"\n");
        let text = drives
            .replace("[workload]\n", "[workload]\nsubmits_per_day = \"900 /day\"\nsyncs_per_day = \"2000 /day\"\n");
        // Large syncs that are stated are multiplied, those that are assumed grow with people.
        let text = if seed % 2 == 0 {
            text
        } else {
            text.replace("[workload]\n", "[workload]\nlarge_syncs_per_day = \"60 /day\"\n")
        };
        let site = read(&text, &[]);
        let advice = advise(&site, &vocabulary, &catalog, &calibration);
        let Some(chosen) = &advice.chosen else {
            continue;
        };
        let base = Base {
            site: &site,
            vocabulary: &vocabulary,
            catalog: &catalog,
            calibration: &calibration,
            layout: &chosen.deployment.layout,
            choices: &chosen.choices,
            confirmed: None,
        };
        let carried = |times: &str| {
            let mut change = Change::default();
            change.answers.insert("load".to_owned(), times.to_owned());
            let changed = what_if(&base, &change).unwrap();
            let people = changed.site.people.developers.value;
            let found = over_time(&catalog, &calibration, &changed, 1.0, 2).ok()?;
            let Headroom { factor, limit, .. } = found.headroom;
            // At the ends of what is looked at the search ends, and no load.
            let is_found = factor > FACTOR_LEAST && factor < 1.0 / FACTOR_LEAST;
            is_found.then_some((factor * people, limit))
        };
        let Some((people, limit)) = carried("1") else {
            continue;
        };
        for times in ["0.5", "0.8", "1.5"] {
            let Some((other, ended)) = carried(times) else {
                continue;
            };
            // Both are known to 1 %.
            let apart = (other / people).ln().abs();
            assert!(apart < 0.02, "{seed}, × {times}: {people} {other}, {limit} / {ended}");
            // Which of two targets that are missed at about the same load comes first is open.
            let of = |limit: &LoadLimit| match limit {
                LoadLimit::Target { .. } => "a target".to_owned(),
                LoadLimit::Overload(error) => format!("{:?}", error.resource()),
                LoadLimit::Memory(short) => short.server.clone(),
                LoadLimit::NotFound => limit.to_string(),
            };
            assert_eq!(of(&limit), of(&ended), "{seed}, × {times}");
            seen += 1;
        }
    }
    assert!(seen > 8, "{seen}");
}

/// Where simulated times take the place of solved ones, they do so near the limit, whatever share of it today's load is.
#[test]
fn a_simulated_limit_does_not_move_with_the_load() {
    let text = format!(
        "{STUDIO}{}{}",
        FAR.replace("10 Mb/s", "500 Mb/s"),
        "[workload]\nlarge_syncs_per_day = \"120 /day\"\nconcurrent_sync_size = \"22 GiB\"\n\
         [targets]\nlarge_sync = \"15 min\"\nsync = \"3 min\"\n"
    );
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let vocabulary = Vocabulary::of(&catalog);
    let ask = Ask { budget: Budget { events: 4_000_000 }, ..Ask::NOTHING };
    let carried = |load: &str| {
        // Proxies pay at some loads and not at others.
        let sets = [format!("load={load}"), "infrastructure.proxies=false".to_owned()];
        let site = read(&text, &sets.each_ref().map(String::as_str));
        let advice = advise_confirmed(&site, &vocabulary, &catalog, &calibration, &ask);
        let chosen = advice.chosen.unwrap();
        assert!(chosen.prediction.confirmed.is_some());
        chosen.headroom.factor * site.people.developers.value
    };
    let people = carried("0.5");
    for load in ["1", "1.6"] {
        let other = carried(load);
        // A simulated load may lie 5 % from the other's.
        assert!((other / people).ln().abs() < 0.05, "× {load}: {people} {other}");
    }
}

#[test]
fn load_takes_all_of_it_and_people_alone_say_what_stays() {
    let text = format!("{STUDIO}[workload]\ncommands_per_day = \"90000 /day\"\nlarge_syncs_per_day = \"20 /day\"\n");
    let (once, twice) = (read(&text, &[]), read(&text, &["load=2"]));
    let all = |site: &Site| {
        let work = &site.workload;
        [
            site.people.developers.value,
            site.people.connections_at_peak.value,
            work.commands_per_day.value.get(),
            work.submits_per_day.value.get(),
            work.syncs_per_day.value.get(),
            work.large_syncs_per_day.value.get(),
        ]
    };
    for (one, two) in all(&once).into_iter().zip(all(&twice)) {
        assert!((two / one - 2.0).abs() < 1e-9, "{one} {two}");
    }
    assert_eq!(once.data.files.value, twice.data.files.value);
    assert_eq!(once.server.cores.value, twice.server.cores.value);
    assert!(twice.notes[0].contains("600 people"), "{:?}", twice.notes);
    let alone = read(&text, &["people.developers=600"]);
    assert!(
        alone.notes[0].contains("commands stay 90,000 a day: 150 for each person, 300 before"),
        "{:?}",
        alone.notes
    );
    // What is set after it is taken as it is.
    let after = read(&text, &["load=2", "workload.commands_per_day=50000 /day"]);
    assert!((after.workload.commands_per_day.value.get() * 86_400.0 - 50_000.0).abs() < 1e-6);
}

#[test]
fn every_command_about_a_site_takes_a_load() {
    let site = example("game-studio");
    for command in
        [&["advise", &site][..], &["advise", &site, "--from-today"], &["predict", &site, "--layout", "split"]]
    {
        let ran = plimsoll(&[command, &["--load", "1.1", "--format", "json"]].concat());
        let answer = ran.json();
        let said = answer["load"][0].as_str().unwrap_or_else(|| panic!("{command:?}"));
        assert!(said.contains("385 people"), "{said}");
    }
    assert!(plimsoll(&["advise", &site, "--load", "-1"]).code != 0);
    plimsoll(&["advise", &site, "--load", "0"]).refused();
}

#[test]
fn a_load_that_is_no_number_is_explained_and_nothing_is_printed() {
    let site = example("game-studio");
    for load in ["abc", "0", "-1", "nan", "1e9", ""] {
        let load = format!("--load={load}");
        for more in [&["advise"][..], &["predict", "--layout", "split"]] {
            let ran = plimsoll(&[more, &[&site, &load]].concat());
            assert_eq!(ran.code, 3, "{load}: {}", ran.err);
            assert!(ran.out.is_empty() && ran.err.contains("SIT020"), "{}", ran.err);
        }
    }
}

/// What an answer makes slow misses the target that is shown: one that moves with the answer makes no miss.
#[test]
fn a_what_if_misses_the_target_that_is_shown() {
    let site = read(
        "schema = 1\nname = \"Sparc\"\n[people]\ndevelopers = 1500\n[workload]\nautomation_share = \"80 %\"\n\
         [server]\nmodel = \"sun-v440\"\nrelease = \"2006.2\"\n[infrastructure]\noperating_systems = [\"solaris\"]\n\
         storage = [\"storagetek-3510\"]\nprotocols = [\"fc\"]\nclient_network = \"eth-1g\"\n\
         [today]\nsigns = [\"stalls\", \"full-build-workspaces\", \"stale-workspaces\"]\n[[today.volume]]\nroles = [\"db\", \"journal\", \"log\", \"depot\", \"checkpoint\"]\n\
         array = \"storagetek-3510\"\nprotocol = \"fc\"\nfilesystem = \"ufs\"\n",
        &[],
    );
    let catalog = Catalog::embedded();
    let vocabulary = Vocabulary::of(&catalog);
    let calibration = Calibration::embedded();
    let Prepared { site, .. } = Prepared::of(site.into(), &vocabulary, &catalog, &calibration);
    let advice = advise(&site, &vocabulary, &catalog, &calibration);
    let chosen = advice.chosen.unwrap();
    let mut faster = 0;
    for end in advice.influences.iter().flat_map(|one| &one.ends) {
        for class in &chosen.prediction.classes {
            let factor = end.factor(&class.work).unwrap_or(1.0);
            let is_met = tightest(&site, class).is_some_and(|want| want.is_met());
            if is_met && factor <= 1.0 {
                faster += 1;
                assert!(!end.misses.contains(&class.work), "{end:?}");
            }
        }
    }
    assert!(faster > 0);
}
