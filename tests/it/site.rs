//! The questionnaire: what is read, what is assumed, what can be overridden.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use plimsoll::catalog::Catalog;
use plimsoll::origin::Origin;
use plimsoll::site::{self, Backup, FIELDS, Per, Release, Site, Vocabulary};
use plimsoll::units::{Bytes, Quantity};

pub(crate) const LEAST: &str = "schema = 1\nname = \"Studio\"\n[people]\ndevelopers = 400\n";

const FULL: &str = include_str!("../site_full.toml");

/// What the catalogue has: read once.
static EMBEDDED: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(&Catalog::embedded()));

/// The ids that `models/README.md` fixes.
pub(crate) fn vocabulary() -> Vocabulary {
    use plimsoll::catalog::EntryKind::{Array, Cache, Filesystem, Layout, Medium, Network, Protocol, Server};
    let known = [
        (Server, "dl580-g7 dell-2950 present-16c present-32c"),
        (Array, "fas3070 fas3270 storagetek-3510 flasharray flashblade ea-san local-raid cloud-block cloud-nfs"),
        (Protocol, "local fc fcoe iscsi nfsv3 nfsv4.1 smb"),
        (Filesystem, "xfs ext3 ext4 reiserfs ufs zfs ntfs"),
        (Network, "eth-1g eth-10g eth-25g eth-100g fc-4g fc-8g"),
        (Medium, "disk-10k disk-15k disk-sata ssd-sas nvme cloud-gp3 cloud-io2"),
        (Cache, "host-page-cache controller-cache pam-default pam-metadata pam-low-priority arc l2arc"),
        (Layout, "all-local all-block split all-file"),
    ];
    let mut ids = EMBEDDED.ids.clone();
    ids.extend(known.map(|(kind, known)| {
        let known = known.split_whitespace().map(str::to_owned);
        (kind, known.collect())
    }));
    Vocabulary {
        ids,
        // What is assumed where no model of the catalogue says it.
        machines: BTreeMap::new(),
        ..EMBEDDED.clone()
    }
}

pub(crate) fn parse(text: &str, overrides: &[&str]) -> Result<Site, String> {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    site::parse("site.toml", text, &overrides, &vocabulary()).map_err(|d| d.render())
}

fn assumed(site: &Site, field: &str) -> site::Assumption {
    let all = site.assumptions();
    let found = all.into_iter().find(|a| a.field == field);
    found.unwrap_or_else(|| panic!("no assumption for {field}"))
}

#[test]
fn a_full_file_is_read_as_it_stands() {
    let site = parse(FULL, &[]).unwrap();
    assert_eq!(site.name, "Studio Nord – Zürich");
    assert_eq!(site.people.developers.value, 400.0);
    assert_eq!(site.people.sites[1].name, "上海");
    assert_eq!(site.data.db_size.value, Bytes::parse("34 GiB").unwrap());
    assert_eq!(site.data.db_size.origin.to_string(), "stated: site.toml:35");
    assert_eq!(site.server.release.value, Release::new(2012, 1));
    assert_eq!(site.protection.backup.value, Backup::Snapshots);
    assert_eq!(site.prices[0].per, Per::TiB);
    assert_eq!(site.prices[0].money.value.amount, 1200.0);
    assert_eq!(site.warnings, Vec::<String>::new());
    assert_eq!(site.text, FULL);
}

#[test]
fn the_full_file_answers_every_field() {
    let site = parse(FULL, &[]).unwrap();
    let open: Vec<String> = site.assumptions().into_iter().map(|a| a.field).collect();
    assert_eq!(open, Vec::<String>::new());
    // Storage of its own would change all that is kept of this site; `equipment.rs` has some.
    // A price is by `per` or by `unit`.
    let fields = FIELDS.iter().filter(|f| !f.path.starts_with("equipment") && f.path != "price.unit");
    for field in fields {
        let key = field.path.rsplit('.').next().unwrap();
        assert!(FULL.contains(key), "{} is not in site_full.toml", field.path);
    }
}

#[test]
fn every_question_without_answer_is_assumed_with_reason_and_range() {
    const OPTIONAL: [&str; 14] = [
        "workload.live_checkpoints_per_day",
        "data.largest_file",
        "data.read_only_share",
        "server.virtual",
        "workload.largest_submit_size",
        "horizon.from",
        "workload.concurrent_syncs",
        "workload.large_syncs_peak_to_mean",
        "workload.tools",
        "edge.drive_size",
        "server.model",
        "infrastructure.current_layout",
        "infrastructure.filesystems",
        "targets.sync_rate",
    ];
    let site = parse(LEAST, &[]).unwrap();
    let found: BTreeSet<String> = site.assumptions().into_iter().map(|a| a.field).collect();
    let expected: BTreeSet<String> = FIELDS
        .iter()
        .filter(|f| !f.required && !OPTIONAL.contains(&f.path))
        .map(|f| f.path)
        .filter(|path| !["people.site.", "today.", "price", "equipment"].iter().any(|list| path.starts_with(list)))
        .map(str::to_owned)
        .collect();
    assert_eq!(found, expected);
    for assumption in site.assumptions() {
        let why = match &assumption.origin {
            Origin::Assumed { why } => why,
            Origin::Derived { how, .. } => how,
            other => panic!("{}: {other}", assumption.field),
        };
        assert!(why.len() > 15, "{}: {why:?} says little", assumption.field);
    }
}

#[test]
fn what_was_assumed_reads_well() {
    let site = parse(LEAST, &[]).unwrap();
    let lines: Vec<String> = site
        .assumptions()
        .iter()
        .map(|a| {
            format!(
                "{} = {} ({} to {})\n    {}\n    --set {}={} … {}",
                a.field, a.value, a.low, a.high, a.origin, a.field, a.low_override, a.high_override
            )
        })
        .collect();
    insta::assert_snapshot!("site_assumptions", lines.join("\n"));
}

#[test]
fn every_assumption_parses_back_at_both_ends() {
    let office = format!("{LEAST}[[people.site]]\nname = \"Lyon\"\ndevelopers = 40\n");
    let texts = [
        LEAST.to_owned(),
        office,
        LEAST.replace("400", "1"),
        LEAST.replace("400", "100000"),
        format!("{LEAST}[data]\ndb_size = \"34 GiB\"\n"),
        format!("{LEAST}[data]\nrevisions = 1234567\n"),
        format!("{LEAST}[data]\nfiles = 0\n"),
        format!("{LEAST}[server]\nrelease = \"2012.1\"\n"),
        format!("{LEAST}[infrastructure]\nstorage = [\"storagetek-3510\"]\n"),
    ];
    for text in texts {
        for a in parse(&text, &[]).unwrap().assumptions() {
            for (end, shown) in [(&a.low_override, &a.low), (&a.high_override, &a.high)] {
                let set = format!("{}={end}", a.field);
                let site = parse(&text, &[&set]).unwrap_or_else(|e| panic!("{set}\n{text}\n{e}"));
                let still = site.assumptions().into_iter().any(|b| b.field == a.field);
                assert!(!still, "{set} left it assumed");
                assert!(!shown.is_empty());
            }
        }
    }
}

#[test]
fn an_override_of_an_assumption_is_exact() {
    let site = parse(LEAST, &[]).unwrap();
    let size = assumed(&site, "data.db_size");
    let set = format!("data.db_size={}", size.high_override);
    let again = parse(LEAST, &[&set]).unwrap();
    let relative = again.data.db_size.value / site.data.db_size.high - 1.0;
    assert!(relative.abs() < 1e-12, "{relative}");
}

#[test]
fn files_and_revisions_follow_from_whatever_is_known() {
    let of = |data: &str| {
        let site = parse(&format!("{LEAST}[data]\n{data}\n"), &[]).unwrap();
        (site.data.files.value, site.data.revisions.value)
    };
    assert_eq!(of(""), (6_800_000.0, 20_400_000.0));
    assert_eq!(of("files = 1000"), (1000.0, 3000.0));
    assert_eq!(of("revisions = 1000"), (333.0, 1000.0));
    assert_eq!(of("db_size = \"3 GB\""), (1_000_000.0, 3_000_000.0));
}

#[test]
fn published_servers_are_assumed_within_their_range() {
    // E07: 1,200 users, 6.3 M files; Google 2011: 12,000 users, more than 1 TB of metadata.
    let of = |developers: &str| parse(&LEAST.replace("400", developers), &[]).unwrap();
    let games = of("1200").data.files;
    assert!(games.low <= 6.3e6 && 6.3e6 <= games.high);
    let google = of("12000");
    let tb = google.data.db_size.value.in_tb();
    assert!((0.8..2.0).contains(&tb), "{tb} TB");
    let day = plimsoll::units::Seconds::parse("1 day").unwrap();
    let commands = google.workload.commands_per_day;
    assert!(commands.low * day <= 11.5e6 && 11.5e6 <= commands.high * day);
}

#[test]
fn protocols_follow_from_the_storage() {
    let of = |storage: &str| {
        let text = format!("{LEAST}[infrastructure]\nstorage = {storage}\n");
        let i = parse(&text, &[]).unwrap().infrastructure;
        (i.protocols.value.join(" "), i.storage_network.value)
    };
    let is = |protocols: &str, network: &str| (protocols.to_owned(), network.to_owned());
    assert_eq!(of("[\"local-raid\"]"), is("local", "eth-10g"));
    assert_eq!(of("[\"ea-san\"]"), is("fc", "fc-8g"));
    assert_eq!(of("[\"flasharray\", \"flashblade\"]"), is("fc iscsi nfsv3 nfsv4.1 smb", "eth-10g"));
}

#[test]
fn what_any_array_speaks_is_what_its_own_file_says() {
    let catalog = Catalog::embedded();
    let vocabulary = Vocabulary::of(&catalog);
    for (id, array) in &catalog.arrays {
        let text = format!("{LEAST}[infrastructure]\nstorage = [\"{id}\"]\n");
        let site = site::parse("site.toml", &text, &[], &vocabulary).unwrap();
        assert_eq!(site.infrastructure.protocols.value, array.protocols, "{id}");
    }
}

#[test]
fn old_releases_have_neither_peeking_nor_edges() {
    let site = parse(LEAST, &["server.release=2012.1"]).unwrap();
    assert_eq!(site.server.peeking.value, 0.0);
    assert_eq!(site.infrastructure.edges_max.value, 0.0);
    let text = format!(
        "{LEAST}[server]\nrelease = \"2012.1\"\npeeking = 2\n[infrastructure]\nedges_max = 3\nprotocols = [\"fc\", \"fc\"]\n"
    );
    let site = parse(&text, &[]).unwrap();
    insta::assert_snapshot!("site_warnings", site.warnings.join("\n\n"));
}

#[test]
fn sizes_that_do_not_belong_together_are_a_warning() {
    let text = format!("{LEAST}[data]\ndb_size = \"34 MiB\"\nrevisions = 72_600_000\n");
    let site = parse(&text, &[]).unwrap();
    insta::assert_snapshot!("site_warning_row", site.warnings.join("\n\n"));
}

#[test]
fn overrides_take_bare_text_and_toml() {
    let site = parse(
        FULL,
        &[
            "data.db_size = 68 GiB",
            "people.developers=500",
            "server.release=2024.2",
            "infrastructure.storage=[\"flasharray\"]",
            "people.site.1.round_trip=250 ms",
            "protection.backup=replica",
            "infrastructure.proxies=false",
            "people.developers=600",
        ],
    )
    .unwrap();
    assert_eq!(site.data.db_size.value, Bytes::parse("68 GiB").unwrap());
    assert_eq!(site.data.db_size.origin.to_string(), "stated: --set");
    assert_eq!(site.people.developers.value, 600.0);
    assert_eq!(site.server.release.value, Release::new(2024, 2));
    assert_eq!(site.infrastructure.storage.value, ["flasharray"]);
    assert_eq!(site.people.sites[1].round_trip.value.to_string(), "250 ms");
    assert_eq!(site.protection.backup.value, Backup::Replica);
    assert!(!site.infrastructure.proxies.value);
    assert_eq!(site.overrides.len(), 8);
}

#[test]
fn an_override_of_a_list_takes_words() {
    let with = |text: &str| parse(FULL, &[text]).unwrap().infrastructure.protocols.value;
    assert_eq!(with("infrastructure.protocols=iscsi"), ["iscsi"]);
    let two = with("infrastructure.protocols = iscsi, \"nfsv3\"");
    assert_eq!(two, ["iscsi", "nfsv3"]);
    assert_eq!(two, with("infrastructure.protocols=[\"iscsi\", \"nfsv3\"]"));
}

#[test]
fn nobody_wants_more_large_syncs_than_there_are_people_to_run_them() {
    for rate in ["1 KB/s", "20 MB/s", "1 GB/s"] {
        let text =
            format!("schema = 1\nname = \"S\"\n[people]\ndevelopers = 200\n[workload]\nclient_rate = \"{rate}\"\n");
        let site = parse(&text, &[]).unwrap();
        assert!(site.workload.large_syncs_at_once <= 200.0 * 1.001, "{rate}");
    }
}

#[test]
fn wrong_overrides_are_explained() {
    let wrong = [
        "people.developers",
        "=3",
        "people.develpers=4",
        "data.db_size=34 gigs",
        "people.site.2.developers=4",
        "people.site.zwei.developers=4",
        "people.site=4",
        "people.developers.all=4",
        "people=4",
        "infrastructure.storage=flasharray, flashblad",
        "people.developers=400 people",
        "name=1234",
    ];
    let messages: Vec<String> =
        wrong.iter().map(|set| format!("--set {set:?}\n{}", parse(FULL, &[set]).unwrap_err())).collect();
    insta::assert_snapshot!("site_overrides", messages.join("\n"));
}

#[test]
fn tools_say_how_much_of_the_commands_is_polling() {
    let parsed = |sets: &[&str]| {
        let vocabulary = Vocabulary::of(&Catalog::embedded());
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        site::parse("site.toml", LEAST, &sets, &vocabulary).unwrap()
    };
    let none = parsed(&[]).workload;
    assert!(none.tools.is_none() && none.polls.is_empty());
    // One client of five minutes for each person at work, six commands a poll, eight hours a day.
    let one = parsed(&["workload.tools=[\"p4v\"]", "people.developers=100", "people.at_work=50 %"]);
    let polls = &one.workload.polls[0];
    assert!((polls.rate.get() * 86_400.0 - 50.0 * 96.0 * 6.0).abs() < 1e-6);
    let share = one.workload.polling_share;
    assert!(!share.is_stated() && share.low < share.value && share.value < share.high);
    // Named twice it polls no more; what is stated holds.
    let twice = parsed(&["workload.tools=[\"p4v\", \"p4v\"]"]).workload;
    assert_eq!(twice.polls.len(), 1);
    let stated = parsed(&["workload.tools=[\"p4v\"]", "workload.polling_share=7 %"]).workload;
    assert_eq!(stated.polling_share.value.to_string(), "7 %");
    // Stated commands contain the polls: never more than nearly all.
    let most = parsed(&["workload.tools=[\"ugs\", \"horde\"]", "workload.commands_per_day=100 /day"]);
    assert!(most.workload.polling_share.value.get() <= 0.95);
    // Tools of builds send no more than builds and scripts are stated to send.
    let builds = parsed(&[
        "workload.tools=[\"jenkins\"]",
        "workload.commands_per_day=1000 /day",
        "workload.automation_share=70 %",
    ]);
    assert!((builds.workload.polling_share.value.get() - 0.7).abs() < 1e-9);
    assert!(parsed(&["workload.tools=[]"]).workload.polls.is_empty());
}

#[test]
fn memory_that_is_assumed_can_be_ordered() {
    let sold: Vec<Bytes> = plimsoll::catalog::memory::EMBEDDED.sold.clone();
    for developers in [20, 120, 400, 3000] {
        let files = [100_000, 11_000_000, 90_000_000];
        for files in files {
            let set = format!("people.developers={developers}");
            let site = parse(LEAST, &[&set, &format!("data.files={files}")]).unwrap();
            for ram in [&site.server.ram, &site.edge.ram] {
                assert!(sold.contains(&ram.value) && sold.contains(&ram.high), "{ram:?}");
            }
        }
    }
}

#[test]
fn what_nobody_stated_has_no_more_digits_than_are_known() {
    let site = parse(LEAST, &["people.developers=437", "data.file_size=97 KB"]).unwrap();
    let row = assumed(&site, "workload.large_syncs_per_day");
    for shown in [&row.value, &row.low, &row.high] {
        let number = shown.trim_end_matches(" /day").replace([',', '.'], "");
        let digits = number.trim_start_matches('0').trim_end_matches('0');
        assert!(digits.len() <= 3, "{shown}");
    }
}

#[test]
fn a_date_before_the_horizon_reads_as_one() {
    let site = parse(LEAST, &["horizon.time=3 years"]).unwrap();
    let horizon = &site.horizon;
    let years = plimsoll::units::Seconds::years;
    assert!(horizon.outlasts(years(2.9)) && !horizon.outlasts(years(2.99)));
    assert_eq!(horizon.before(years(1.4)), "in about 17 months, before the horizon of 3 years");
    assert_eq!(horizon.before(years(2.7)), "about 4 months before the horizon of 3 years");
}

/// What the question shows as an example can be given as the answer.
#[test]
fn an_example_lies_within_the_limits_of_its_field() {
    let lists = ["people.site.", "today.volume", "equipment", "price"];
    let fields = FIELDS.iter();
    for field in fields.filter(|f| f.limits.is_some() && !lists.iter().any(|l| f.path.starts_with(l))) {
        let Some(example) = field.unit.split('"').nth(1) else {
            continue;
        };
        let set = format!("{}=\"{example}\"", field.path);
        if let Err(refused) = parse(LEAST, &[&set]) {
            assert!(!refused.contains("DOC007"), "{refused}");
        }
    }
}
