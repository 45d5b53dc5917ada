//! Pasted outputs: what is read of them, what they answer, and what is asked in place of a guess.

use std::path::Path;

use plimsoll::collected::{Answers, Collected, answers, decode, of_texts};
use plimsoll::document::read_text;
use serde_json::Value;

use crate::cli::{plimsoll_in, scratch, write};
use crate::site_hostile::is_harmless;

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/collected/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    read_text(Path::new(&path)).unwrap()
}

fn read(text: &str) -> (Collected, Answers) {
    let collected = of_texts([("pasted.txt", text)]);
    let answers = answers(&collected);
    (collected, answers)
}

/// The answers as `field = value`, those of volumes with the first role; without their places.
fn shown(answers: &Answers) -> Vec<String> {
    let known = answers.known.iter().map(|known| format!("{} = {}", known.field, known.value));
    let volumes = answers.volumes.iter().flat_map(|volume| {
        let role = volume.roles.join("+");
        let own = volume.answers.iter().map(move |known| (known.field.clone(), known.value.clone()));
        own.map(move |(field, value)| format!("{role}: {field} = {value}"))
    });
    let mut all: Vec<String> = known.chain(volumes).collect();
    all.sort();
    all
}

fn asks(answers: &Answers, field: &str, words: &str) -> bool {
    answers.open.iter().any(|open| open.field == field && open.question.contains(words))
}

fn has(answers: &Answers, wanted: &[&str]) {
    let all = shown(answers);
    for wanted in wanted {
        assert!(all.iter().any(|line| line == wanted), "{wanted}\n{all:#?}");
    }
}

#[test]
fn a_session_with_prompts_answers_what_it_shows_and_guesses_nothing() {
    let (collected, answers) = read(&fixture("server-with-prompts"));
    has(
        &answers,
        &[
            "server.release = \"2023.2\"",
            "server.peeking = 3",
            "server.log_level = 3",
            "server.cores = 32",
            "server.processor = \"milan\"",
            "server.ram = \"251.6 GiB\"",
            "today.parallel_threads = 8",
            "people.developers = 207",
            "data.db_size = \"381 GiB\"",
            "data.files = 8412077",
            "data.revisions = 31007412",
            "data.file_size = \"1.278 MiB\"",
            "server.local_disks = 5",
            "server.local_medium = \"nvme\"",
            // P4ROOT is a link, which `ls -ld` shows.
            "db: filesystem = \"xfs\"",
            "db: medium = \"nvme\"",
            "db: drives = 4",
            "db: raid = \"raid10\"",
            "journal+log: drives = 1",
            "journal+log: raid = \"raid0\"",
            // The line of the mount is wrapped.
            "depot+checkpoint: protocol = \"nfsv3\"",
            "depot+checkpoint: mount_options = \"rw,noatime,vers=3,rsize=1048576,wsize=1048576,hard,proto=tcp,nconnect=8,timeo=600\"",
        ],
    );
    // The release has 512K as its own value of net.tcpsize, which no longer counts.
    assert_eq!(answers.value("server.tcp_window"), None);
    assert!(asks(&answers, "today.volume.array", "filer1.example:/vol/p4"));
    assert!(asks(&answers, "server.clock", "EPYC 7543"));
    assert!(asks(&answers, "data.depot_size", "51 TiB"));
    assert_eq!(answers.value("data.depot_size"), None);
    let unread: Vec<&str> = collected.unread.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(unread, ["Hi, here is what you asked for. The machine is the commit server."]);
    let place = answers.known.iter().find(|known| known.field == "server.release").unwrap().place;
    assert_eq!(collected.shown(place), "pasted.txt:15");
}

#[test]
fn a_cloud_filer_and_a_replica_are_seen() {
    let (_, answers) = read(&fixture("everything-on-nfs"));
    has(
        &answers,
        &[
            "db+journal: protocol = \"nfsv4.1\"",
            "db+journal: mount_options = \"rw,relatime,vers=4.1,hard,nconnect=16\"",
            "log: filesystem = \"ext4\"",
            "depot: protocol = \"nfsv4.1\"",
        ],
    );
    assert!(asks(&answers, "people.developers", "p4 license -u"));
    assert!(asks(&answers, "today.volume.medium", "/dev/vda1"));
    assert!(asks(&answers, "data.db_size", "70 GiB"));
    assert!(asks(&answers, "people.connections_at_peak", "it was 3"));
    let seen = answers.seen.join("\n");
    assert!(seen.contains("169 transfers") && seen.contains("8.583 MiB of journal behind"), "{seen}");
}

#[test]
fn windows_has_drives_with_letters() {
    let (collected, answers) = read(&fixture("windows"));
    has(
        &answers,
        &[
            "infrastructure.operating_systems = [\"windows\"]",
            "server.ram = \"64 GiB\"",
            "db+depot+checkpoint: medium = \"disk-sata\"",
            "db+depot+checkpoint: filesystem = \"ntfs\"",
            "journal+log: medium = \"ssd-sas\"",
            "today.parallel_threads = 0",
        ],
    );
    assert_eq!(collected.unread, [], "{:?}", collected.unread);
    // Two kinds of drives: which one is the server's is no question of arithmetic.
    assert_eq!(answers.value("server.local_medium"), None);
}

#[test]
fn encodings_line_ends_and_order_change_nothing() {
    for name in ["server-with-prompts", "everything-on-nfs", "windows"] {
        let text = fixture(name);
        let wanted = shown(&read(&text).1);
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(shown(&read(&crlf).1), wanted, "{name}");
        let utf16: Vec<u8> = std::iter::once(0xfeff).chain(crlf.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(shown(&read(&decode(&utf16)).1), wanted, "{name}");
        let noisy = text.replace('\n', "\u{1b}[0m\n");
        assert_eq!(shown(&read(&noisy).1), wanted, "{name}");
    }
    // Outputs with their prompts, last first.
    let text = fixture("server-with-prompts");
    let mut parts: Vec<&str> = text.split("perforce@").collect();
    let wanted = shown(&read(&text).1);
    parts.reverse();
    assert_eq!(shown(&read(&parts.join("\nperforce@")).1), wanted);
}

#[test]
fn several_files_are_one_answer() {
    let text = fixture("server-with-prompts");
    let at = text.find("perforce@depot-a:~$ df -h").unwrap();
    let collected = of_texts([("a.txt", &text[..at]), ("b.txt", &text[at..])]);
    assert_eq!(shown(&answers(&collected)), shown(&read(&text).1));
}

/// A few thousand damaged texts: nothing ends the reader, and what it says of them is harmless.
#[test]
fn damage_is_passed_over() {
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        // Knuth's constants; any sequence would do.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below.max(1)
    };
    let texts: Vec<String> = ["server-with-prompts", "everything-on-nfs", "windows"].map(fixture).into();
    for round in 0..600 {
        let mut bytes = texts[round % texts.len()].clone().into_bytes();
        for _ in 0..=next(20) {
            let at = next(bytes.len());
            match next(5) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, b'\n'),
                3 => {
                    let to = (at + next(400)).min(bytes.len());
                    let part = bytes[at..to].to_vec();
                    let into = next(bytes.len());
                    bytes.splice(into..into, part);
                }
                _ => {
                    let to = (at + next(60)).min(bytes.len());
                    bytes.drain(at..to);
                    if bytes.is_empty() {
                        bytes.push(b'{');
                    }
                }
            }
        }
        let (collected, answers) = read(&decode(&bytes));
        let filled = plimsoll::collected::fill("schema = 1\n", &collected, &answers);
        let filled = filled.unwrap_or_else(|error| panic!("round {round}: {error}"));
        assert!(is_harmless(&filled.text), "round {round}: {}", filled.text);
        assert!(answers.open.iter().all(|open| is_harmless(&open.question)), "round {round}");
        assert!(collected.unread.iter().all(|line| is_harmless(&line.text)), "round {round}");
    }
}

#[test]
fn large_nonsense_takes_no_time() {
    let deep = "{\n".repeat(50_000);
    let mounts: Vec<String> = (0..10_000).map(|i| format!("/dev/a{i} on /m{i} type xfs (rw)\n")).collect();
    let mounts = mounts.concat();
    let open = "/dev/x on /y type\n".repeat(20_000);
    for text in [deep, mounts, open, "x".repeat(5_000_000)] {
        let (collected, _) = read(&text);
        assert!(collected.unread.len() <= plimsoll::collected::UNREAD_MAX);
    }
}

#[test]
fn init_writes_a_site_that_advise_takes() {
    let folder = scratch("collected-init");
    write(&folder, "pasted.txt", fixture("server-with-prompts"));
    let ran = plimsoll_in(&folder, &["init", "site.toml", "--from", "pasted.txt"]);
    let said = ran.done().to_owned();
    assert!(said.contains("plimsoll advise site.toml --from-today"), "{said}");
    assert!(said.contains("`p4 info`, pasted.txt:15"), "{said}");
    let text = read_text(&folder.join("site.toml")).unwrap();
    assert!(text.contains("release = { value = \"2023.2\", from = \"`p4 info`, pasted.txt:15\" }\n"), "{text}");
    let advised = plimsoll_in(&folder, &["advise", "site.toml", "--from-today", "--quiet"]);
    assert!(advised.err.is_empty() && [0, 1].contains(&advised.code), "{advised:?}");
    // Again: nothing is new, and nothing is lost.
    let again = plimsoll_in(&folder, &["init", "site.toml", "--from", "pasted.txt"]);
    assert!(again.done().contains("Written to site.toml: 0 answers."), "{}", again.out);
    assert_eq!(read_text(&folder.join("site.toml")).unwrap(), text);
}

#[test]
fn what_a_site_states_stays_and_is_named() {
    let folder = scratch("collected-stated");
    write(&folder, "pasted.txt", fixture("server-with-prompts"));
    let site = "# ours\nschema = 1\nname = \"Studio\"\n[people]\ndevelopers = 150 # without builds\n";
    write(&folder, "site.toml", site);
    let ran = plimsoll_in(&folder, &["init", "site.toml", "--from", "pasted.txt", "--format", "json"]);
    let json: Value = ran.json();
    let kept = json["kept"].as_array().unwrap();
    let developers = kept.iter().find(|kept| kept["field"] == "people.developers").unwrap();
    assert_eq!((&developers["stated"], &developers["read"]), (&"150".into(), &"207".into()));
    let text = read_text(&folder.join("site.toml")).unwrap();
    assert!(text.starts_with("# ours\n") && text.contains("developers = 150 # without builds"), "{text}");
    assert!(text.contains("cores = 32"), "{text}");
    assert_eq!(json["open"], serde_json::json!([]));
    assert!(json["not_understood"].as_array().unwrap().iter().all(|line| line["line"].is_u64()));
}

#[test]
fn an_answer_that_cannot_be_becomes_a_question() {
    let folder = scratch("collected-impossible");
    let text = "Server version: P4D/LINUX26X86_64/2023.1/1 (x)\ndb.peeking=77 (configure)\nMemTotal: 4 kB\n";
    write(&folder, "pasted.txt", text);
    let ran = plimsoll_in(&folder, &["init", "site.toml", "--from", "pasted.txt"]);
    assert!(ran.done().contains("`p4 configure show` says 77, which is not taken"), "{}", ran.out);
    assert!(ran.out.contains("Must be answered first: people.developers"), "{}", ran.out);
    let written = read_text(&folder.join("site.toml")).unwrap();
    assert!(written.contains("release = \"2023.1\"") && !written.contains("77"), "{written}");
}

#[test]
fn files_that_say_nothing_are_refused() {
    let folder = scratch("collected-nothing");
    write(&folder, "poem.txt", "A ship's line\nsays how deep.\n");
    let ran = plimsoll_in(&folder, &["init", "site.toml", "--from", "poem.txt"]);
    assert!(ran.refused().contains("nothing that is understood"), "{}", ran.err);
    assert!(!folder.join("site.toml").exists());
    let ran = plimsoll_in(&folder, &["init", "site.toml", "--from", "missing.txt"]);
    assert!(ran.refused().contains("no file and no example"), "{}", ran.err);
    let ran = plimsoll_in(&folder, &["init", "site.toml", "--from", "poem.txt", "--from", "gone.txt"]);
    assert!(ran.refused().contains("poem.txt"), "{}", ran.err);
}

/// The page's first example runs as it stands there, and says what the page shows of it.
#[test]
fn the_page_says_what_runs() {
    let page = read_text(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/collect.md"))).unwrap();
    let block = |fence: &str| page.split(fence).nth(1).unwrap().split("```").next().unwrap().to_owned();
    let folder = scratch("collected-page");
    write(&folder, "pasted.txt", fixture("server-with-prompts"));
    let mut said = String::new();
    for line in block("```sh\n").lines() {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let ran = plimsoll_in(&folder, &words);
        assert!([0, 1].contains(&ran.code) && ran.err.is_empty(), "{line}\n{}", ran.err);
        said.push_str(&ran.out);
    }
    for line in block("```text\n").lines().filter(|line| line.trim() != "…") {
        assert!(said.lines().any(|other| other == line), "{line}\n{said}");
    }
}
