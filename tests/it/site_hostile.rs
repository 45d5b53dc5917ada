//! Input that means harm: nothing may panic, hang, overflow the stack or disturb a terminal.

use std::path::{Path, PathBuf};
use std::process::Command;

use plimsoll::site::{self, Backup, FIELDS, Money, Release, SiteError};
use proptest::prelude::*;

use crate::site::{LEAST, parse, vocabulary};

const FULL: &str = include_str!("../site_full.toml");

/// Neither the message nor its JSON carries what a terminal would obey.
pub(crate) fn is_harmless(text: &str) -> bool {
    !text.contains(plimsoll::diag::is_harmful)
}

/// The set is what it should be, not only what the library says that it is.
#[test]
fn what_a_terminal_obeys_and_nobody_sees_is_harmful() {
    for c in ('\0'..=' ').chain('\u{7f}'..='\u{a0}') {
        let is_control = c.is_control() && c != '\n';
        assert_eq!(plimsoll::diag::is_harmful(c), is_control, "{c:?}");
    }
    for c in
        "\u{202a}\u{202e}\u{2066}\u{2069}\u{200b}\u{200d}\u{200e}\u{2060}\u{2028}\u{2029}\u{feff}\u{61c}\u{ad}\u{e0041}"
            .chars()
    {
        assert!(plimsoll::diag::is_harmful(c), "{c:?}");
    }
    for c in "aé漢–─█★\u{fffd}م\u{300}🚢".chars() {
        assert!(!plimsoll::diag::is_harmful(c), "{c:?}");
    }
}

fn refused(text: &str, overrides: &[&str]) -> String {
    match parse(text, overrides) {
        Ok(_) => panic!("accepted: {}", text.chars().take(200).collect::<String>()),
        Err(message) => {
            assert!(is_harmless(&message), "{message:?}");
            message
        }
    }
}

#[test]
fn deep_nesting_is_refused_without_overflowing_the_stack() {
    const DEEP: usize = 10_000;
    let key = vec!["a"; DEEP].join(".");
    for text in [
        format!("x = {}{}", "[".repeat(DEEP), "]".repeat(DEEP)),
        format!("x = {}", "[".repeat(500_000)),
        format!("x = {}1{}", "{a=".repeat(DEEP), "}".repeat(DEEP)),
        format!("{key} = 1"),
        format!("[{key}]"),
        format!("[[{key}]]"),
        format!("{} = 1", vec!["a"; 500_000].join(".")),
    ] {
        let message = refused(&format!("{text}\n"), &[]);
        assert!(message.contains("DOC002"), "{message}");
        let message = refused(LEAST, &[&format!("people.{key}=1")]);
        assert!(message.contains("DOC002"), "{message}");
    }
}

#[test]
fn what_is_no_toml_at_all_says_so_once() {
    let message = refused(&"root:x:0:0:root:/root:/bin/bash\n".repeat(1000), &[]);
    assert!(message.contains("1000 lines are not valid TOML"), "{message}");
    assert!(message.lines().count() < 80, "{message}");
}

#[test]
fn huge_numbers_are_refused_with_a_reason() {
    let users = |n: &str| refused(&LEAST.replace("400", n), &[]);
    assert!(users("1000000000").contains("12,000 users"));
    for n in ["99999999999999999999999999", "1e308", "nan", "-inf", "-1", "0", "0x7fffffffffffffff"] {
        assert!(users(n).contains("people.developers"), "{n}");
    }
    let long = "9".repeat(100_000);
    assert!(users(&long).contains("people.developers"));
    let size = format!("{LEAST}[data]\ndb_size = \"{long} GiB\"\n");
    assert!(refused(&size, &[]).len() < 10_000);
}

#[test]
fn names_are_one_line_of_visible_text() {
    let named = |name: &str| LEAST.replace("Studio", name);
    assert!(parse(&named(&"ü".repeat(300)), &[]).is_ok());
    assert!(parse(&named("אולפן צפון"), &[]).is_ok());
    for bad in [
        "x".repeat(301),
        "x".repeat(100_000),
        "  ".to_owned(),
        "a\\u0000b".to_owned(),
        "a\\nb".to_owned(),
        "a\\u001b[2Jb".to_owned(),
        "a\u{202e}b".to_owned(),
        "a\\u202eb".to_owned(),
        "a\\u2066b".to_owned(),
    ] {
        let message = refused(&named(&bad), &[]);
        assert!(message.contains("\"name\""), "{message}");
        assert!(message.len() < 3000, "{}", message.len());
    }
}

#[test]
fn raw_control_characters_do_not_reach_the_terminal() {
    for bad in ["\u{1b}[31m", "\u{7}", "\u{0}", "\u{202e}", "\r", "\u{9b}31m"] {
        refused(&format!("{LEAST}zebra = \"{bad}\"\n"), &[]);
        refused(&format!("{LEAST}\"ze{bad}bra\" = 1\n"), &[]);
        refused(LEAST, &[&format!("zebra={bad}")]);
        refused(LEAST, &[&format!("ze{bad}bra=1")]);
        let error = site::parse(&format!("a{bad}b.toml"), "=", &[], &vocabulary()).unwrap_err();
        assert!(is_harmless(&error.render()), "{:?}", error.render());
    }
}

#[test]
fn hundreds_of_thousands_of_mistakes_are_counted_not_listed() {
    let keys: Vec<String> = (0..80_000).map(|i| format!("k{i} = 1\n")).collect();
    let keys = keys.concat();
    let message = refused(&keys, &[]);
    assert!(message.len() < 100_000, "{}", message.len());
    assert!(message.contains("more\n"), "{message}");
    let error = site::parse("site.toml", &keys, &[], &vocabulary()).unwrap_err();
    assert!(error.to_json().to_string().len() < 1_000_000);
    let offices = "[[people.site]]\nname = \"x\"\ndevelopers = 1\n".repeat(3000);
    refused(&format!("{LEAST}{offices}"), &[]);
}

/// A folder below the build's own, emptied.
fn scratch(name: &str) -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

#[test]
fn what_is_no_small_text_file_is_refused_with_its_name() {
    let folder = scratch("site_hostile").unwrap();
    let message = |name: &str| {
        let error = site::load(&folder.join(name), &[], &vocabulary()).unwrap_err();
        assert!(matches!(error, SiteError::Read(_)));
        let json = error.to_json();
        assert_eq!(json["errors"][0]["code"], "DOC001");
        error.render()
    };
    assert!(message("").contains("it is a directory, not a file"));
    assert!(message("missing.toml").contains("there is no file"));
    let fifo = folder.join("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    assert!(message("fifo").contains("a FIFO, socket or device"));
    std::fs::write(folder.join("latin1.toml"), b"schema = 1\nname = \"Z\xfcrich\"\n").unwrap();
    assert!(message("latin1.toml").contains("line 2 is not valid UTF-8 (byte 0xfc)"));
    std::fs::write(folder.join("large.toml"), "#".repeat(1 + (1 << 20))).unwrap();
    assert!(message("large.toml").contains("larger than 1 MiB"));
    let odd = folder.join("a\u{1b}[31m.toml");
    assert!(is_harmless(&message(&odd.file_name().unwrap().to_string_lossy())));
}

#[test]
fn a_file_is_loaded_with_its_overrides() {
    let folder = scratch("site_load").unwrap();
    let path = folder.join("site.toml");
    std::fs::write(&path, FULL).unwrap();
    let overrides = vec!["people.developers=500".to_owned()];
    let site = site::load(&path, &overrides, &vocabulary()).unwrap();
    assert_eq!(site.people.developers.value, 500.0);
    std::fs::write(&path, "\u{feff}schema = 1\r\nname = \"x\"\r\n[people]\r\ndevelopers = 4\r\n").unwrap();
    let site = site::load(&path, &[], &vocabulary()).unwrap();
    assert_eq!(site.people.developers.origin.to_string(), format!("stated: {}:4", path.display()));
}

/// A place in a text, on a character boundary.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        if let Err(message) = parse(&text, &[]) {
            prop_assert!(is_harmless(&message));
        }
    }

    #[test]
    fn mutated_files_never_panic(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6, "[ \\PC\"=\\[\\].0-9%]{0,4}"), 1..6)
    ) {
        let mut text = FULL.to_owned();
        for (at, length, insert) in cuts {
            let start = floor(&text, at.index(text.len() + 1));
            let end = floor(&text, start + length).max(start);
            text.replace_range(start..end, &insert);
        }
        match parse(&text, &[]) {
            Err(message) => prop_assert!(is_harmless(&message)),
            Ok(site) => prop_assert!(site.people.developers.value >= 1.0),
        }
    }

    #[test]
    fn arbitrary_overrides_never_panic(key in "\\PC{0,30}", field in 0..FIELDS.len(), value in "\\PC{0,30}") {
        for set in [format!("{key}={value}"), format!("{}={value}", FIELDS[field].path)] {
            if let Err(message) = parse(FULL, &[&set]) {
                prop_assert!(is_harmless(&message), "{message:?}");
            }
        }
    }

    #[test]
    fn whatever_is_accepted_is_finite_and_ordered(developers in 1u32..=100_000, files in 0u64..100_000_000_000) {
        let text = LEAST.replace("400", &developers.to_string());
        let site = parse(&text, &[&format!("data.files={files}")]).unwrap();
        for answer in [&site.data.revisions, &site.people.connections_at_peak, &site.server.cores] {
            prop_assert!(answer.low <= answer.value && answer.value <= answer.high);
            prop_assert!(answer.high.is_finite());
        }
        prop_assert!(site.data.revisions.low >= site.data.files.value);
        prop_assert!(site.data.db_size.high.get().is_finite());
    }

    #[test]
    fn small_parsers_never_panic(text in "\\PC{0,12}") {
        let release = text.parse::<Release>().map(|r| r.to_string());
        prop_assert!(release.is_err() || release.unwrap() == text.trim());
        prop_assert!(Money::parse(&text).is_none_or(|m| m.amount.is_finite()));
        prop_assert!(Backup::of_word(&text).is_none_or(|b| b.word() == text));
    }
}

#[test]
fn more_offices_than_are_computed_are_refused_once() {
    let text = |n: usize, name: &dyn Fn(usize) -> String| {
        let office = |i| format!("[[people.site]]\nname = \"{}\"\ndevelopers = 1\n", name(i));
        format!("{LEAST}{}", (0..n).map(office).collect::<String>())
    };
    for n in [31, 20_000] {
        let message = refused(&text(n, &|_| "Office".to_owned()), &[]);
        assert!(message.contains(&format!("{n} offices are more than 30")), "{message}");
    }
}
