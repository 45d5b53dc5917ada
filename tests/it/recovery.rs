//! Failure and recovery: how long maintenance takes, what is left without a part, what a disaster costs.

use std::path::Path;
use std::sync::LazyLock;

use plimsoll::advisor::{Advice, Case, Disaster, Left, Lost, Recovery, WindowVerdict, advise, choices_for, recovery};
use plimsoll::posterior::NumberId;
use plimsoll::report::{Answer, Inputs, LINES, advice_json, advice_screen, advice_text};
use plimsoll::site::{self, Site};
use plimsoll::system::{Choices, Deployment, Interval, Job, bind, durations, predict};
use plimsoll::units::Seconds;
use plimsoll::workload::{Load, from_site};

use crate::cli::{example, plimsoll};
use crate::shared::{CALIBRATION, CATALOG, VOCABULARY};

static STUDIO: LazyLock<(Site, Advice)> = LazyLock::new(|| {
    let site = read("game-studio", &[]);
    let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
    (site, advice)
});

fn read(name: &str, set: &[&str]) -> Site {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(example(name));
    site::load(&file, &set, &VOCABULARY).unwrap_or_else(|d| panic!("{}", d.render()))
}

/// One layout of the studio with some answers changed, on the arrays that it names.
fn studio(layout: &str, set: &[&str]) -> (Site, Load, Deployment) {
    let site = read("game-studio", set);
    let layout = &CATALOG.layouts[layout];
    let usual = choices_for(&site, &CATALOG);
    let medium = site.server.local_medium.value.clone();
    let choices = Choices {
        local: Some((medium, site.server.local_disks.value)),
        block: Some(("flasharray".to_owned(), "iscsi".to_owned())),
        file: Some(("flashblade".to_owned(), "nfsv3".to_owned())),
        edges: layout.edges.iter().copied().max().unwrap_or(0).min(1),
        ..usual
    };
    let deployment = bind(&CATALOG, layout, &choices).expect("the studio can have it");
    let load = from_site::load(&site);
    (site, load, deployment)
}

fn times(layout: &str, set: &[&str]) -> Vec<(Job, f64)> {
    let (site, load, deployment) = studio(layout, set);
    let found = durations(&site, &deployment, &load, &CATALOG, &CALIBRATION, &CALIBRATION.posterior.standing());
    for d in &found.all {
        assert!(d.time.low < d.time.value, "{:?} {:?}", d.job, d.time);
        assert!(d.time.value < d.time.high, "{:?} {:?}", d.job, d.time);
        assert!(!d.limit.is_empty(), "{:?} is limited by nothing", d.job);
    }
    found.all.iter().map(|d| (d.job, d.time.value)).collect()
}

fn of(times: &[(Job, f64)], job: Job) -> f64 {
    let found = times.iter().find(|(j, _)| *j == job);
    found.unwrap_or_else(|| panic!("no {job:?}")).1
}

fn near(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-9, "{a} where {b} follows");
}

fn recovered(layout: &str, set: &[&str]) -> (Site, Recovery) {
    let (site, load, deployment) = studio(layout, set);
    let shown = predict(&deployment, &load, &CATALOG, &CALIBRATION).expect("it is steady");
    let found = recovery(&site, &CATALOG, &CALIBRATION, &deployment, &load, &shown);
    (site, found)
}

/// However little is known of a job: bytes take what their path takes, and several threads no longer than one.
#[test]
fn an_interval_ends_where_physics_ends() {
    for cores in ["2", "64"] {
        let set = ["server.release=2025.1".to_owned(), format!("server.cores={cores}")];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let (site, load, deployment) = studio("local-all", &set);
        let found = durations(&site, &deployment, &load, &CATALOG, &CALIBRATION, &CALIBRATION.posterior.standing());
        let of = |job| found.all.iter().find(|d| d.job == job).unwrap();
        let (one, several) = (of(Job::CheckpointOffline), of(Job::CheckpointParallel));
        assert!(several.time.high <= one.time.high.max(several.time.value), "{several:?} {one:?}");
        assert!(several.time.low >= one.time.low / deployment.cores, "{several:?} {one:?}");
        for job in &found.all {
            assert!(job.time.low >= job.least.min(job.time.value), "{job:?}");
            assert!(job.time.low <= job.time.value && job.time.value <= job.time.high, "{job:?}");
        }
    }
}

/// The RTO is judged once: by the way back from what is lost. A job is judged where that way rests on it, and with its verdict.
#[test]
fn a_restore_is_judged_by_the_loss_that_needs_it() {
    let cloud = "schema = 1\nname = \"Rto\"\n[people]\ndevelopers = 150\n[data]\ndb_size = \"60 GB\"\n\
        depot_size = \"3 TB\"\n[server]\nmodel = \"cloud-2xl\"\n[protection]\nrto = \"4 h\"\n";
    let own = cloud.replace("model = \"cloud-2xl\"", "local_disks = 8\nlocal_medium = \"nvme\"");
    let mut rested = 0;
    for text in [cloud, &own] {
        let site = site::parse("site.toml", text, &[], &VOCABULARY).unwrap();
        let found = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
        let recovery = &found.chosen.as_ref().unwrap().recovery;
        for timed in &recovery.durations {
            let resting = recovery.disasters.iter();
            let resting: Vec<_> = resting.filter(|one| one.by == Some(timed.duration.job)).collect();
            let window = timed.window.filter(|window| window.field == "protection.rto");
            assert_eq!(window.is_some(), !resting.is_empty(), "{:?}", timed.duration.job);
            if let Some(window) = window {
                rested += 1;
                assert!(resting.iter().any(|one| one.rto == window.verdict), "{timed:?}");
            }
        }
    }
    assert!(rested > 0, "drives in the server go with it");
}

#[test]
fn each_duration_is_its_bytes_over_the_rate_of_what_limits_it() {
    let (site, load, deployment) = studio("flasharray-flashblade", &["server.tcp_window=\"1 GiB\""]);
    let found = durations(&site, &deployment, &load, &CATALOG, &CALIBRATION, &CALIBRATION.posterior.standing());
    let number = |id: &str| CALIBRATION.parameter(id).expect("a parameter").value.value;
    for d in found.all.iter().filter(|d| d.job == Job::Rebuild) {
        let mut volumes = deployment.volumes.iter();
        let mount = volumes.find(|m| m.set_name(&CATALOG) == d.of).expect("its set");
        let stream = CATALOG.media[&mount.medium].stream.value.get();
        near(d.time.value, mount.disk_bytes / (stream * number("rebuild.share")));
    }
    // The store of backups is slower than 25 Gb/s and than a FlashBlade takes writes.
    let checkpoint = site.data.db_size.value.get() * number("checkpoint.share");
    let all = checkpoint + site.data.depot_size.value.get();
    let restore = found.all.iter().find(|d| d.job == Job::Restore).expect("it is there");
    near(restore.time.value, all / number("restore.rate"));
    assert_eq!(restore.limit, "store of backups");
    for d in found.all.iter().filter(|d| d.job == Job::Seed) {
        let office = &site.people.sites[0];
        near(d.time.value, d.bytes * number("line.compressed") / office.bandwidth.value.get());
    }
}

#[test]
fn twice_the_database_takes_twice_as_long() {
    let once = times("local-nvme-nas-depot", &["data.db_size=\"100 GiB\""]);
    let twice = times("local-nvme-nas-depot", &["data.db_size=\"200 GiB\""]);
    for job in [Job::CheckpointLive, Job::CheckpointOffline, Job::Replay, Job::RestoreDatabase] {
        near(of(&twice, job), 2.0 * of(&once, job));
    }
}

#[test]
fn more_bytes_take_longer_and_more_cores_and_drives_never_do() {
    let layout = "local-nvme-nas-depot";
    let small = times(layout, &["data.depot_size=\"5 TiB\""]);
    let large = times(layout, &["data.depot_size=\"10 TiB\""]);
    for job in [Job::Verify, Job::Restore] {
        assert!(of(&large, job) > of(&small, job), "{job:?}");
    }
    let few = times(layout, &["server.cores=4"]);
    let many = times(layout, &["server.cores=32"]);
    assert!(of(&many, Job::CheckpointParallel) < of(&few, Job::CheckpointParallel));
    assert!(of(&few, Job::CheckpointParallel) < of(&few, Job::CheckpointOffline));
    let (layout, depots) = ("local-all", "data.depot_size=\"1 TiB\"");
    let disks = "server.local_medium=\"disk-sata\"";
    let few = times(layout, &[disks, depots, "server.local_disks=8"]);
    let many = times(layout, &[disks, depots, "server.local_disks=24"]);
    for ((job, few), (_, many)) in few.iter().zip(&many) {
        assert!(*many <= few * (1.0 + 1e-9), "{job:?}: {many} with more drives, {few}");
    }
    assert!(of(&many, Job::Replay) <= of(&few, Job::Replay));
}

#[test]
fn a_parallel_checkpoint_is_of_releases_that_have_it() {
    let of =
        |release: &str| times("local-all", &[&format!("server.release=\"{release}\""), "data.depot_size=\"1 TiB\""]);
    let has = |release: &str| of(release).iter().any(|(job, _)| *job == Job::CheckpointParallel);
    assert!(has("2022.2") && !has("2022.1"));
}

fn works(case: &Case) -> bool {
    matches!(case.left, Left::Works { .. })
}

#[test]
fn without_a_part_nothing_is_better_than_whole() {
    for layout in ["local-nvme-nas-depot", "flasharray-flashblade"] {
        let (_, found) = recovered(layout, &[]);
        assert!(found.cases.iter().any(works), "{layout}");
        for case in &found.cases {
            let Left::Works { times, .. } = &case.left else {
                continue;
            };
            // An edge's people may be nearer to the commit server than its detour; parts of one server are not.
            if matches!(case.lost, Lost::Edge(_)) {
                continue;
            }
            let worst = times.iter().map(|t| t.p95 / t.whole).fold(0.0, f64::max);
            assert!(worst >= 0.999, "{layout} {:?}: {worst}", case.lost);
            for t in times {
                // Where large syncs take longer, others meet fewer of their blocks.
                let ratio = t.p95 / t.whole;
                assert!(ratio > 0.9, "{layout} {:?} {}: {ratio}", case.lost, t.name);
            }
        }
    }
}

#[test]
fn a_disk_without_redundancy_loses_its_data() {
    let (site, load, mut deployment) = studio("local-nvme-nas-depot", &[]);
    let db = deployment.volumes.iter_mut().find(|m| m.roles.contains(&"db"));
    db.expect("a volume for db").raid = "raid0".to_owned();
    let shown = predict(&deployment, &load, &CATALOG, &CALIBRATION).expect("it is steady");
    let found = recovery(&site, &CATALOG, &CALIBRATION, &deployment, &load, &shown);
    assert!(matches!(found.cases[0].left, Left::Gone(_)), "{:?}", found.cases[0]);
    assert_eq!(found.cases[0].gravity().0, 3);
}

#[test]
fn the_way_of_backup_decides_what_a_disaster_costs() {
    let layout = "local-nvme-nas-depot";
    let of = |backup: &str, more: &[&str]| {
        let backup = format!("protection.backup=\"{backup}\"");
        let mut set = vec![backup.as_str()];
        set.extend(more);
        recovered(layout, &set).1
    };
    let standby = of("replica", &[]);
    for one in &standby.disasters {
        assert!(one.time.is_some_and(|t| t.value < 3600.0), "{one:?}");
        assert!(one.rpo != WindowVerdict::Missed && one.rto != WindowVerdict::Missed, "{one:?}");
    }
    assert!(standby.advice.is_empty(), "{:?}", standby.advice);
    let none = of("none", &[]);
    let store = |r: &Recovery| {
        let mut all = r.disasters.iter().filter(|d| d.lost != Disaster::CommitServer);
        all.next().expect("the depots lie on an array").clone()
    };
    assert!(store(&none).time.is_none() && store(&none).loses.is_none());
    let copied = of("checkpoint", &["protection.rto=\"10 min\""]);
    assert!(store(&copied).time.is_some() && store(&copied).rto == WindowVerdict::Missed);
    assert!(copied.advice.iter().any(|text| text.contains("standby")), "{:?}", copied.advice);
    let patient = ["protection.rto=\"30 days\"", "protection.rpo=\"2 days\"", "protection.availability=\"90 %\""];
    let patient = of("checkpoint", &patient);
    assert!(patient.advice.is_empty(), "{:?}", patient.advice);
}

#[test]
fn a_journal_on_an_array_outlives_the_server() {
    let lost = |layout: &str| recovered(layout, &["protection.backup=\"checkpoint\""]).1.disasters[0].loses;
    assert_eq!(lost("flasharray-flashblade"), Some(Interval::exact(0.0)));
    assert_eq!(lost("local-nvme-nas-depot"), Some(Interval::exact(86_400.0)));
}

#[test]
fn availability_follows_from_how_long_the_commit_server_is_away() {
    let expected = |backup: &str| {
        let set = [format!("protection.backup=\"{backup}\"")];
        let (_, found) = recovered("local-nvme-nas-depot", &[set[0].as_str()]);
        found.availability.expect("it comes back").expected
    };
    assert!(expected("replica") > expected("checkpoint"));
}

#[test]
fn a_night_that_is_too_short_is_missed() {
    let verdict = |night: &str| {
        let set = format!("protection.night_window=\"{night}\"");
        let (_, found) = recovered("local-nvme-nas-depot", &[&set]);
        let mut jobs = found.durations.into_iter();
        let one = jobs.find(|t| t.duration.job == Job::CheckpointOffline);
        one.and_then(|t| t.window).expect("it is judged").verdict
    };
    assert_eq!(verdict("1 min"), WindowVerdict::Missed);
    assert_eq!(verdict("24 h"), WindowVerdict::Met);
}

#[test]
fn text_and_json_say_the_same() {
    let (site, advice) = &*STUDIO;
    let inputs = Inputs { site, catalog: &CATALOG, calibration: &CALIBRATION };
    let answer = advice_json(&inputs, advice);
    let section = &answer["recovery"];
    let text = advice_text(inputs, advice);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(&text);
    let chosen = advice.chosen.as_ref().expect("a layout");
    assert_eq!(section["sentence"], answer["answer"]["n_minus_one"]);
    let durations = section["durations"].as_array().expect("a list");
    assert_eq!(durations.len(), chosen.recovery.durations.len());
    for timed in &chosen.recovery.durations {
        // A row of its table.
        let time = Seconds::new(timed.duration.time.value).estimated();
        assert!(text.contains(&time), "{}: {time}", timed.duration.job.word());
    }
    for (key, count) in [("cases", chosen.recovery.cases.len()), ("disasters", chosen.recovery.disasters.len())] {
        let rows = section[key].as_array().expect("a list");
        assert_eq!(rows.len(), count, "{key}");
        assert!(count > 0, "{key}");
        for row in rows {
            let sentence = row["sentence"].as_str().expect("a sentence");
            assert!(text.contains(&words(sentence)), "{sentence}");
        }
    }
    for (row, timed) in section["durations"].as_array().into_iter().flatten().zip(&chosen.recovery.durations) {
        assert_eq!(row["duration_s"]["value"].as_f64(), Some(timed.duration.time.value));
        assert_eq!(row["job"], timed.duration.job.word());
    }
    for case in section["cases"].as_array().into_iter().flatten() {
        for time in case["times"].as_array().into_iter().flatten() {
            assert!(time["response_time_p95_s"].as_f64() > Some(0.0), "{time}");
        }
    }
}

#[test]
fn the_screen_has_one_sentence_about_it_and_still_fits() {
    let (site, advice) = &*STUDIO;
    let screen = advice_screen(site, &CATALOG, advice).text;
    assert!(screen.contains("one part lost"), "{screen}");
    assert!(screen.lines().count() <= LINES, "{screen}");
}

#[test]
fn the_numbers_behind_it_are_listed_with_those_of_the_answer() {
    let chosen = STUDIO.1.chosen.as_ref().expect("a layout");
    assert!(chosen.recovery.used.contains_key(&NumberId::parameter("restore.rate")));
    for used in chosen.recovery.used.keys() {
        assert!(chosen.prediction.used.contains_key(used), "{used}");
    }
}

/// The most work that a recommendation loses \[s\]; all is without end.
fn most_lost(advice: &Advice) -> f64 {
    let chosen = advice.chosen.as_ref().expect("a layout");
    let lost = chosen.recovery.disasters.iter().map(|one| one.loses);
    lost.map(|lost| lost.map_or(f64::INFINITY, |lost| lost.value)).fold(0.0, f64::max)
}

#[test]
fn a_stricter_rpo_never_loses_more() {
    let own_drives = "[people]\ndevelopers = 150\n[protection]\nrto = \"8 h\"\n";
    let cloud = "[people]\ndevelopers = 40\n[server]\nmodel = \"cloud-2xl\"\nrelease = \"2024.2\"\n[infrastructure]\n\
                 storage = [\"cloud-nfs\"]\n[protection]\nbackup = \"snapshots\"\nrto = \"8 h\"\n";
    let arrays = "[people]\ndevelopers = 200\n[server]\nrelease = \"2022.2\"\n[infrastructure]\nstorage = [\"flasharray\"]\n\
                  [protection]\nbackup = \"checkpoint\"\n";
    for text in [own_drives, cloud, arrays] {
        let mut before = f64::INFINITY;
        for rpo in ["48 h", "4 h", "1 min", "1 s", "0 s"] {
            let text = format!("schema = 1\nname = \"Strict\"\n{text}rpo = \"{rpo}\"\n");
            let site = site::parse("strict.toml", &text, &[], &VOCABULARY);
            let site = site.unwrap_or_else(|d| panic!("{}", d.render()));
            let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
            let lost = most_lost(&advice);
            assert!(lost <= before, "RPO {rpo} loses {lost} s after {before} s: {text}");
            let too_much = lost > site.protection.rpo.value.get();
            let said = Answer::of(&site, &CATALOG, &advice).sentence();
            assert_eq!(said.contains("of work is lost"), too_much, "{said}");
            before = lost;
        }
        assert!(before < 60.0, "a standby loses less than {before} s: {text}");
    }
}

/// What the line has to carry beside a standby errs by what it hangs on: counted large syncs not by the files of a submit.
#[test]
fn a_standby_may_lose_more_only_on_a_line_that_may_be_full() {
    let (_, wide) = &*STUDIO;
    let narrow = read("game-studio", &["people.site.0.bandwidth=\"200 Mb/s\""]);
    let narrow = advise(&narrow, &VOCABULARY, &CATALOG, &CALIBRATION);
    for (advice, verdict) in [(wide, WindowVerdict::Met), (&narrow, WindowVerdict::MayMiss)] {
        let chosen = advice.chosen.as_ref().expect("a layout");
        assert!(chosen.deployment.standby.is_some());
        for one in &chosen.recovery.disasters {
            assert_eq!(one.rpo, verdict, "{one:?}");
            let high = one.loses.expect("a standby").high;
            assert_eq!(high.is_finite(), verdict == WindowVerdict::Met, "{high}");
        }
    }
}

#[test]
fn a_standby_is_seeded_over_its_line_with_all_archives() {
    let answer = plimsoll(&["advise", &example("game-studio"), "--no-confirm", "--format", "json"]).json();
    let durations = answer["recovery"]["durations"].as_array().unwrap();
    let of = |job: &str| durations.iter().find(|one| one["job"] == job);
    let seeded = of("seed-standby").unwrap();
    assert_eq!(seeded["of"], "Montreal");
    let depots = read("game-studio", &[]).data.depot_size.value.get();
    assert!(seeded["size_bytes"].as_f64().unwrap() > depots);
    let how = answer["recovery"]["disasters"][0]["how"].as_str().unwrap();
    // Who is far away from it is told how far.
    assert!(how.contains("of the main office work from 38 ms away"), "{how}");
}

/// The stated time of today's checkpoint is one number wherever it stands, and how many times the estimate it is stands there alone.
#[test]
fn a_stated_checkpoint_has_one_time_and_one_factor() {
    for (time, size) in [("12 h", "110 GB"), ("5 h", "300 GB")] {
        let text = format!(
            "schema = 1\nname = \"Slow\"\n[people]\ndevelopers = 600\n[data]\ndb_size = \"{size}\"\n[server]\nrelease = \"2015.2\"\n\
             [protection]\nbackup = \"checkpoint\"\n[today]\ncheckpoint_time = \"{time}\"\nsigns = [\"live-checkpoint\"]\n"
        );
        let site = site::parse("slow.toml", &text, &[], &VOCABULARY);
        let site = site.unwrap_or_else(|d| panic!("{}", d.render()));
        let advice = advise(&site, &VOCABULARY, &CATALOG, &CALIBRATION);
        let chosen = advice.chosen.as_ref().expect("a layout");
        let stated = site.today.checkpoint_time.as_ref().expect("it is stated");
        let stated = stated.value.get();
        for timed in &chosen.recovery.durations {
            let duration = &timed.duration;
            let Interval { value, low, high } = duration.time;
            let is_serial = matches!(duration.job, Job::CheckpointLive | Job::CheckpointOffline);
            if is_serial && (low..=high).contains(&stated) {
                assert_eq!(value.total_cmp(&stated), std::cmp::Ordering::Equal, "{duration:?}");
            }
        }
        let inputs = Inputs { site: &site, catalog: &CATALOG, calibration: &CALIBRATION };
        let text = advice_text(inputs, &advice);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!text.contains("times the model's estimate"), "{text}");
    }
}
