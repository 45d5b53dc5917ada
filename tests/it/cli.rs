//! The binary as its user drives it: exit codes, streams, formats, and what never reaches a terminal.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::site_hostile::is_harmless;

pub(crate) const SITES: [&str; 5] =
    ["ea-redwood-shores-2007", "game-studio", "netapp-lab-2013", "pure-lab-2017", "sun-partner-2009"];

/// What a run left behind.
#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Standard output as JSON; nothing may stand on standard error.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.err, "");
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }

    /// Done, with nothing on standard error.
    pub(crate) fn done(&self) -> &str {
        assert_eq!((self.code, self.err.as_str()), (0, ""));
        &self.out
    }

    /// Wrong input: code 3, a reason on standard error, nothing on standard output, no escape for a terminal.
    pub(crate) fn refused(&self) -> &str {
        assert_eq!((self.code, self.out.as_str()), (3, ""), "{}", self.err);
        assert!(is_harmless(&self.err), "{:?}", self.err);
        assert!(self.err.len() > "error: ".len(), "{:?}", self.err);
        &self.err
    }

    /// The same in JSON: an object with the errors, each with a message.
    pub(crate) fn refused_in_json(&self) -> Value {
        let answer: Value = serde_json::from_str(self.refused()).expect("JSON on standard error");
        assert_eq!(answer["schema"], 1);
        let errors = answer["errors"].as_array().expect("errors");
        assert!(!errors.is_empty());
        assert!(errors.iter().all(|e| is_text(&e["message"])), "{answer:#}");
        answer
    }
}

pub(crate) fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.args(arguments);
    // Confirming takes seconds of processor time, which hundreds of runs do not have; tests/it/confirm.rs looks at it.
    let confirms = ["advise", "predict", "report", "init"];
    let said = |option: &str| arguments.iter().any(|a| a.starts_with(option));
    if arguments.first().is_some_and(|name| confirms.contains(name)) && !said("--confirm") && !said("--no-confirm") {
        command.arg("--no-confirm");
    }
    command.current_dir(folder).stdin(Stdio::null());
    command
}

pub(crate) fn plimsoll_in(folder: &Path, arguments: &[&str]) -> Ran {
    let output = command(folder, arguments).output().expect("the binary runs");
    Ran {
        code: output.status.code().expect("no signal ends it"),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// The same with something on its standard input.
pub(crate) fn plimsoll_fed(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may be done before it has read everything.
    drop(std::io::Write::write_all(&mut stdin, input.as_bytes()));
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    Ran {
        code: output.status.code().expect("no signal ends it"),
        out: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}

/// Runs the binary in the repository's folder.
pub(crate) fn plimsoll(arguments: &[&str]) -> Ran {
    plimsoll_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

pub(crate) fn example(site: &str) -> String {
    format!("assets/examples/{site}.toml")
}

/// A fresh folder.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}", std::process::id())).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an empty folder");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

pub(crate) fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

fn named(name: &str) -> String {
    format!("schema = 1\nname = \"{name}\"\n[people]\ndevelopers = 20\n")
}

#[test]
fn help_and_version_are_answers() {
    let help = plimsoll(&["--help"]);
    for word in ["advise", "predict", "models", "explain"] {
        assert!(help.done().contains(word), "{word}");
    }
    let version = plimsoll(&["--version"]);
    assert_eq!(version.done(), concat!("plimsoll ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn every_command_shows_an_example_of_itself_and_knows_near_names() {
    for command in plimsoll::cli::definition().get_subcommands() {
        let name = command.get_name();
        let help = plimsoll(&[name, "--help"]);
        let examples = help.done().split_once("Examples:\n").expect(name).1;
        assert!(examples.contains(&format!("  plimsoll {name}")), "{examples}");
    }
    let ran = plimsoll(&["advize"]);
    assert!(ran.code == 2 && ran.err.contains("'advise'"), "{}", ran.err);
    let site = example("game-studio");
    let ran = plimsoll(&["predict", &site, "--layout", "splitt"]);
    assert!(ran.refused().contains("did you mean \"split\""), "{}", ran.err);
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    let site = example("netapp-lab-2013");
    for arguments in [
        vec!["advice", &site],
        vec!["advise"],
        vec!["advise", "--frobnicate", &site],
        vec!["advise", &site, "--format", "yaml"],
        vec!["advise", &site, "--seed", "many"],
        vec!["predict", &site, "--layout", "split", "--compare", "split,nfs-all"],
        vec!["\u{1b}[31mred"],
    ] {
        let ran = plimsoll(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains("--help"), "{}", ran.err);
        assert!(is_harmless(&ran.err), "{:?}", ran.err);
    }
    let ran = plimsoll(&["advice", &site]);
    assert!(ran.err.contains("'advise'"), "the nearest: {}", ran.err);
}

#[test]
fn a_wrong_command_line_is_json_when_json_is_asked_for() {
    let ran = plimsoll(&["advise", "--frobnicate", "--format", "json"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let _object: Value = serde_json::from_str(&ran.err).unwrap();
}

#[test]
fn a_file_that_is_none_is_exit_code_3() {
    let folder = scratch("broken");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let latin = write(&folder, "latin1.toml", b"schema = 1\nname = \"Z\xfcrich\"\n");
    let large = write(&folder, "large.toml", "#".repeat(1 + (1 << 20)));
    let text = write(&folder, "text.toml", "this is no TOML\n");
    let empty = write(&folder, "empty.toml", "");
    for (path, reason) in [
        (path("missing.toml"), "there is no file"),
        (path("larg.toml"), "did you mean"),
        (path(""), "it is a directory"),
        (latin, "line 2 is not valid UTF-8"),
        (large, "larger than 1 MiB"),
        (text, "not valid TOML"),
        (empty, "is missing"),
    ] {
        for arguments in [vec!["advise", &path], vec!["predict", &path, "--layout", "split"]] {
            let ran = plimsoll(&arguments);
            assert!(ran.refused().contains(reason), "{}", ran.err);
        }
        let ran = plimsoll(&["advise", &path, "--format", "json"]);
        let answer = ran.refused_in_json();
        let message = answer["errors"][0].to_string();
        assert!(message.contains(reason), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_refused_without_waiting() {
    let folder = scratch("fifo");
    let fifo = folder.join("site.toml");
    let made = Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    let mut child =
        command(&folder, &["advise", "site.toml"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    for _ in 0..400 {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(3));
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("it waits for somebody to write to the pipe");
}

/// `/proc/kmsg` calls itself a file and waits for the kernel's next message.
#[cfg(target_os = "linux")]
#[test]
fn what_the_kernel_makes_up_is_no_input() {
    let folder = scratch("kernel");
    let site = example("game-studio");
    for path in ["/proc/kmsg", "/proc/self/status", "/sys/kernel/notes"] {
        for arguments in [
            vec!["advise", path],
            vec!["solve", path],
            vec!["bench", "--compare", path, path],
            vec!["calibrate", "--add", path],
        ] {
            let ran = plimsoll_in(&folder, &arguments);
            if std::fs::metadata(path).is_ok() {
                assert!(ran.refused().contains("the kernel's own"), "{}", ran.err);
            }
        }
    }
    // A folder of models with such a thing in it.
    let models = folder.join("models/media");
    std::fs::create_dir_all(&models).unwrap();
    std::os::unix::fs::symlink("/proc/kmsg", models.join("mine.toml")).unwrap();
    let models = folder.join("models");
    let ran = plimsoll(&["advise", &site, "--models", models.to_str().unwrap()]);
    assert!(ran.refused().contains("the kernel's own"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn standard_input_is_read_where_it_is_named() {
    let folder = scratch("stdin");
    for name in ["-", "/dev/stdin"] {
        let mut child = command(&folder, &["advise", name, "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, named("Studio").as_bytes()).unwrap();
        drop(stdin);
        let ran = child.wait_with_output().unwrap();
        assert!(ran.status.code().is_some_and(|code| code < 2), "{ran:?}");
        assert!(!ran.stdout.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_exit_code_3() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = write(&scratch("unreadable"), "site.toml", named("Studio"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&path).is_ok() {
        return; // root reads everything
    }
    let ran = plimsoll(&["advise", &path]);
    assert!(ran.refused().contains("ermission"), "{}", ran.err);
}

#[test]
fn a_billion_users_are_refused_with_the_reason() {
    let folder = scratch("billion");
    write(&folder, "site.toml", named("Studio").replace("= 20", "= 1000000000"));
    let ran = plimsoll_in(&folder, &["advise", "site.toml"]);
    insta::assert_snapshot!("billion_users", ran.refused());
    let site = example("game-studio");
    let set = "people.developers=1000000000";
    let ran = plimsoll(&["advise", &site, "--set", set, "--format", "json"]);
    let answer = ran.refused_in_json();
    assert!(answer.to_string().contains("12,000 users"), "{answer:#}");
}

#[test]
fn an_override_that_is_wrong_says_what_is_right() {
    let folder = scratch("overrides");
    write(&folder, "site.toml", named("Studio"));
    let refused = |set: &str| {
        let ran = plimsoll_in(&folder, &["advise", "site.toml", "--set", set]);
        ran.refused().to_owned()
    };
    insta::assert_snapshot!("set_unknown_key", refused("data.db_sise=34 GiB"));
    insta::assert_snapshot!("set_unknown_section", refused("sever.ram=34 GiB"));
    insta::assert_snapshot!("set_bad_unit", refused("data.db_size=34 Gib"));
    insta::assert_snapshot!("set_no_value", refused("data.db_size"));
    // Which arrays there are is the catalogue's business.
    let arrays = plimsoll::catalog::Catalog::embedded().ids(plimsoll::catalog::EntryKind::Array).join(", ");
    let unknown = refused("infrastructure.storage=[\"fas3271\"]");
    insta::assert_snapshot!("set_unknown_array", unknown.replace(&arrays, "(arrays)"));
    let arguments = ["advise", "site.toml", "--set", "data.db_sise=1 GB", "--format", "json"];
    let answer = plimsoll_in(&folder, &arguments).refused_in_json();
    let error = &answer["errors"][0];
    assert_eq!((&error["code"], &error["file"]), (&Value::from("DOC003"), &Value::from("--set")));
    assert!(error["help"].to_string().contains("db_size"), "{error:#}");
}

#[test]
fn a_misspelt_override_of_an_answered_question_is_corrected() {
    let site = example("game-studio");
    for (set, near) in [("people.developrs=3", "developers"), ("peple.developers=3", "people")] {
        let ran = plimsoll(&["advise", &site, "--set", set]);
        let help = format!("did you mean {near:?}?");
        assert!(ran.refused().contains(&help), "{}", ran.err);
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_panic() {
    let site = example("netapp-lab-2013");
    for arguments in [
        vec!["advise", &site],
        vec!["advise", &site, "--format", "json"],
        vec!["models", "--format", "json"],
        vec!["--help"],
    ] {
        let mut child = command(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(Path::new(env!("CARGO_MANIFEST_DIR")), &["models"]).stdout(full).output().unwrap();
    assert_ne!(output.status.code(), Some(0));
    assert!(!output.stderr.is_empty());
}

#[test]
fn hostile_names_in_a_site_are_shown_as_they_are_or_refused() {
    let folder = scratch("hostile");
    for name in ["<script>alert(1)</script>", "$(reboot)", "`reboot`; '", "אולפן"] {
        write(&folder, "site.toml", named(name));
        let ran = plimsoll_in(&folder, &["advise", "site.toml"]);
        assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
        assert!(is_harmless(&ran.out) && ran.err.is_empty());
        assert!(ran.out.contains(name), "{}", ran.out);
        let json = plimsoll_in(&folder, &["advise", "site.toml", "--format", "json"]).json();
        assert_eq!(json["site"], name);
    }
    for name in [r"a\nb", r"a\u001b[31mb", r"a\u202eb", r"a\u0085b", "a\u{202e}b"] {
        write(&folder, "site.toml", named(name));
        let ran = plimsoll_in(&folder, &["advise", "site.toml"]);
        assert!(ran.refused().contains("SIT007"), "{}", ran.err);
        let office = format!("{}[[people.site]]\nname = \"{name}\"\n", named("Studio"));
        write(&folder, "site.toml", office);
        let ran = plimsoll_in(&folder, &["advise", "site.toml"]);
        assert!(ran.refused().contains("SIT007"), "{}", ran.err);
    }
}

#[test]
fn hostile_arguments_never_reach_the_terminal_as_they_are() {
    const RED: &str = "\u{1b}[31m\u{202e}red";
    let folder = scratch("arguments");
    write(&folder, "site.toml", named("Studio"));
    let (file, set) = (format!("{RED}.toml"), format!("people.{RED}=3"));
    for arguments in [
        vec!["advise", RED],
        vec!["advise", "site.toml", "--set", &set],
        vec!["advise", "site.toml", "--calibration", RED],
        vec!["predict", "site.toml", "--layout", RED],
        vec!["predict", "site.toml", "--layout", &file],
        vec!["predict", "site.toml", "--compare", RED],
        vec!["models", RED],
        vec!["explain", RED],
    ] {
        plimsoll_in(&folder, &arguments).refused();
        let json = [arguments.as_slice(), &["--format", "json"]].concat();
        plimsoll_in(&folder, &json).refused_in_json();
    }
    // A file of that name that can be read.
    write(&folder, &file, named("Studio"));
    let ran = plimsoll_in(&folder, &["advise", &file]);
    assert!(is_harmless(&ran.out), "the name stands in the head of the report");
}
