//! A benchmark touches nothing that it did not make, and leaves nothing that it made.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use plimsoll::bench;
use plimsoll::document::read_text;

use super::measuring::{bench as run, is_empty};
use crate::cli::{plimsoll, scratch, write};

/// Runs where hardly any space is free.
const SHORT_OF_SPACE: [&str; 4] = ["--size", "32 MiB", "--keep-free", "0 B"];

/// The binary with some signals as `env` sets them, whatever the shell of the tests ignores.
#[cfg(target_os = "linux")]
fn binary(signals: &str) -> Command {
    let mut command = Command::new("env");
    command.args([signals, env!("CARGO_BIN_EXE_plimsoll")]);
    command
}

#[cfg(not(target_os = "linux"))]
fn binary(_signals: &str) -> Command {
    Command::new(env!("CARGO_BIN_EXE_plimsoll"))
}

/// A run that goes on until it is stopped, in the background.
fn start(folder: &Path) -> Child {
    binary("--default-signal=HUP,INT,QUIT,TERM")
        .args(["bench", folder.to_str().expect("UTF-8"), "--quiet"])
        .args(SHORT_OF_SPACE)
        .args(["--round", "5 s"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

/// Waits until the run has begun to write.
fn wait_for_scratch(folder: &Path) {
    for _ in 0..2000 {
        if !is_empty(folder) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the run never began");
}

#[cfg(unix)]
fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Some moments, from the start of the process to the middle of its tests.
#[cfg(unix)]
fn stopped_by(signal: &str, moments_ms: impl IntoIterator<Item = u64>) {
    let folder = scratch(&format!("bench-stop{signal}"));
    let theirs = write(&folder, "theirs", "keep me");
    for moment in moments_ms {
        let child = start(&folder);
        std::thread::sleep(Duration::from_millis(moment));
        send(&child, signal);
        let ended = child.wait_with_output().expect("an end");
        // Before the handler is in place the signal ends the process, which has made nothing then.
        let code = ended.status.code();
        assert!(matches!(code, None | Some(130)), "{signal} after {moment} ms: {ended:?}");
        let names: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
        assert_eq!(names.len(), 1, "{signal} after {moment} ms left {names:?}");
    }
    assert_eq!(read_text(Path::new(&theirs)).expect("a file"), "keep me");
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing() {
    for (signal, moments) in
        [("-INT", [20, 300, 700]), ("-TERM", [5, 450, 900]), ("-HUP", [60, 200, 600]), ("-QUIT", [100, 350, 800])]
    {
        stopped_by(signal, moments);
    }
}

/// As `nohup` starts a run, and a shell one in its background.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_from_the_start_stops_nothing() {
    let folder = scratch("bench-ignored");
    let mut run = binary("--ignore-signal=HUP,INT")
        .args(["bench", folder.to_str().expect("UTF-8")])
        .args(["--only", "lock.flock.alone", "--round", "300 ms"])
        .args(SHORT_OF_SPACE)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    wait_for_scratch(&folder);
    send(&run, "-HUP");
    send(&run, "-INT");
    assert_eq!(run.wait().expect("an end").code(), Some(0));
}

/// The hundred times each, some minutes long: `cargo test --test it hundred -- --ignored`.
#[cfg(unix)]
#[test]
#[ignore = "some minutes"]
fn each_signal_a_hundred_times_leaves_nothing() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        // Spread over two seconds, in no order: a multiplier without a common divisor.
        stopped_by(signal, (0..100).map(|n| n * 37 % 100 * 20));
    }
}

/// A run that could not clean up behind itself.
#[cfg(unix)]
fn kill_one(folder: &Path) {
    let child = start(folder);
    wait_for_scratch(folder);
    std::thread::sleep(Duration::from_millis(200));
    send(&child, "-KILL");
    child.wait_with_output().expect("an end");
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_named_and_removed_on_request_alone() {
    let folder = scratch("bench-killed");
    kill_one(&folder);
    let left = bench::others(&folder).expect("a folder").left;
    assert_eq!(left.len(), 1);
    let name = left[0].path.file_name().expect("a name").to_str().expect("UTF-8");

    let ran = run(&folder, &["--only", "lock.flock.alone"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains(name) && ran.err.contains("--clean"), "{}", ran.err);
    assert!(left[0].path.exists(), "nobody asked to remove it");

    // Somebody put a file of theirs into it: that stays.
    let theirs = left[0].path.join("theirs");
    fs::write(&theirs, "keep me").expect("a file");
    let path = folder.to_str().expect("UTF-8");
    let ran = plimsoll(&["bench", path, "--clean"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert_eq!(read_text(Path::new(&theirs)).expect("a file"), "keep me");
    fs::remove_file(theirs).expect("ours");
    // Its mark is gone and so is all that was ours: an empty folder that nobody owns.
    assert!(is_empty(&left[0].path));
}

#[cfg(unix)]
#[test]
fn clean_removes_what_was_left() {
    let folder = scratch("bench-clean");
    kill_one(&folder);
    let path = folder.to_str().expect("UTF-8");
    assert!(plimsoll(&["bench", path, "--clean"]).done().contains("removed"));
    assert!(is_empty(&folder));
    assert_eq!(plimsoll(&["bench", path, "--clean"]).done(), "nothing to remove\n");
}

/// Killed between making the folder and leaving the mark in it.
#[test]
fn an_empty_folder_of_ours_is_a_leftover_and_one_with_files_is_not() {
    let folder = scratch("bench-unmarked");
    let ours = folder.join("plimsoll-bench-0123456789abcdef");
    let theirs = folder.join("plimsoll-bench-fedcba9876543210");
    fs::create_dir(&ours).expect("a folder");
    fs::create_dir(&theirs).expect("a folder");
    write(&theirs, "table-0", "keep me");
    let path = folder.to_str().expect("UTF-8");
    let cleaned = plimsoll(&["bench", path, "--clean"]);
    assert!(cleaned.done().contains("0123456789abcdef"));
    assert!(!ours.exists());
    assert!(theirs.join("table-0").exists());
}

#[cfg(unix)]
#[test]
fn the_name_of_a_folder_gives_the_terminal_no_orders() {
    let folder = scratch("bench-named").join("disk\u{1b}[2J\u{202e}\nerror: none");
    fs::create_dir(&folder).expect("a folder");
    fs::create_dir(folder.join("plimsoll-bench-0123456789abcdef")).expect("a folder");
    let path = folder.to_str().expect("UTF-8");
    let saved = folder.join("result.toml");
    let saved = saved.to_str().expect("UTF-8");
    let short = ["--only", "lock.flock.alone", "--round", "10 ms"];
    let mut all = String::new();
    for options in [&["--dry-run"][..], &["--save", saved], &["--clean"]] {
        let only = if options == ["--clean"] { &[][..] } else { &short };
        let ran = plimsoll(&[&["bench", path][..], options, only].concat());
        all += &(ran.out + &ran.err);
    }
    let compared = plimsoll(&["bench", "--compare", saved, saved]);
    all += &(compared.out + &compared.err);
    for part in ["tests of", "saved in", "removed", "a killed run left", "A: "] {
        assert!(all.contains(part), "no {part:?} in\n{all}");
    }
    assert!(!all.contains(['\u{1b}', '\u{202e}']), "{all:?}");
    assert!(!all.contains("\nerror: none"), "{all}");
}

#[cfg(unix)]
#[test]
fn a_second_run_in_the_same_place_is_told_of_the_first() {
    let folder = scratch("bench-second");
    let child = start(&folder);
    wait_for_scratch(&folder);
    std::thread::sleep(Duration::from_millis(200));
    let second = run(&folder, &["--only", "lock.flock.alone"]);
    let cleaned = plimsoll(&["bench", folder.to_str().expect("UTF-8"), "--clean"]);
    send(&child, "-TERM");
    assert_eq!(child.wait_with_output().expect("an end").status.code(), Some(130));
    assert_eq!(second.code, 4);
    assert!(second.err.contains("another run measures here"), "{}", second.err);
    assert_eq!(cleaned.done(), "nothing to remove\n", "the first one lives");
    assert!(is_empty(&folder));
}

#[test]
fn what_is_no_fresh_place_is_refused() {
    let folder = scratch("bench-refused");
    let file = write(&folder, "file", "text");
    let ran = plimsoll(&["bench", &file]);
    assert!(ran.refused().contains("no folder"), "{}", ran.err);
    let ran = plimsoll(&["bench", folder.join("none").to_str().expect("UTF-8")]);
    assert!(ran.refused().contains("cannot be inspected"), "{}", ran.err);

    let volumes: &[&str] = if cfg!(target_os = "linux") { &["/", "/proc"] } else { &["/"] };
    for volume in volumes {
        let ran = plimsoll(&["bench", volume]);
        let refused = ran.refused();
        assert!(refused.contains("is the root directory of a volume and is not empty"), "{volume}: {refused}");
    }

    let root = folder.join("root");
    write(&folder, "root/db.rev", "");
    write(&folder, "root/db.counters", "");
    let ran = run(&root, &[]);
    let refused = ran.refused();
    assert!(refused.contains("live P4ROOT: it holds db.counters and db.rev"), "{refused}");
    for (name, holds) in
        [("upper", &["DB.HAVE", "Db.Working"][..]), ("id", &["server.id"]), ("journal", &["db.have", "journal"])]
    {
        let root = folder.join(name);
        for file in holds {
            write(&root, file, "");
        }
        let ran = run(&root, &[]);
        assert!(ran.refused().contains(holds[0]), "{}", ran.err);
        // Far below it too.
        write(&root, "depot/a/file", "");
        let ran = run(&root.join("depot/a"), &[]);
        assert!(ran.refused().contains("lies in a live P4ROOT"), "{}", ran.err);
        assert!(ran.refused().contains(holds[0]), "{}", ran.err);
    }
    let full = root.join("full");
    write(&folder, "root/full/file", "");
    assert!(run(&full, &[]).refused().contains("not empty"));
    let fresh = root.join("fresh");
    fs::create_dir(&fresh).expect("a folder");
    let ran = run(&fresh, &["--only", "lock.flock.alone"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("live P4ROOT"), "{}", ran.err);
    assert!(is_empty(&fresh));
}

/// The run goes on in the folder that it made, wherever that is, and says that it is no longer in its place.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_exchanged_for_a_link_leads_the_run_nowhere() {
    let folder = scratch("bench-exchanged");
    let (volume, victim) = (folder.join("v"), folder.join("victim"));
    fs::create_dir(&volume).expect("a folder");
    let precious = ["journal-0", "journal-2023", "table-1", "names-0/file-1", "names-3/file-1"];
    for name in precious {
        write(&victim, name, "precious");
    }
    let child = binary("--default-signal=TERM")
        .args(["bench", volume.to_str().expect("UTF-8"), "--quiet"])
        .args(SHORT_OF_SPACE)
        .args(["--round", "300 ms", "--rounds", "2"])
        .args(["--only", "names", "--only", "journal"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    wait_for_scratch(&volume);
    std::thread::sleep(Duration::from_millis(500));
    let entry = fs::read_dir(&volume).expect("a folder").flatten().next();
    let made = entry.expect("the run's own").path();
    fs::rename(&made, volume.join("moved")).expect("ours");
    std::os::unix::fs::symlink(&victim, &made).expect("a link");
    let ended = child.wait_with_output().expect("an end");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(4), "{err}");
    assert!(err.contains("moved or replaced"), "{err}");
    for name in precious {
        let kept = read_text(&victim.join(name)).expect("a file");
        assert_eq!(kept, "precious", "{name}");
    }
    assert!(fs::symlink_metadata(&made).is_ok_and(|meta| meta.is_symlink()));
    assert!(is_empty(&volume.join("moved")), "what the run made is gone");
    // Cleaning follows no link either, named or found.
    let path = volume.to_str().expect("UTF-8");
    assert_eq!(plimsoll(&["bench", path, "--clean"]).done(), "nothing to remove\n");
    let link = folder.join("link");
    std::os::unix::fs::symlink(&volume, &link).expect("a link");
    let ran = plimsoll(&["bench", link.to_str().expect("UTF-8"), "--clean"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
}

#[test]
fn a_result_is_saved_over_a_result_alone() {
    let folder = scratch("bench-save");
    let script = "#!/bin/sh\n# nightly plimsoll-bench\nplimsoll bench /srv --save db.toml\n";
    let theirs = write(&folder, "nightly.sh", script);
    let volume = folder.join("v");
    fs::create_dir(&volume).expect("a folder");
    let quick = ["--only", "lock.flock.alone"];
    let saved = |path: &str| run(&volume, &[&quick[..], &["--save", path]].concat());
    let ran = saved(&theirs);
    assert!(ran.refused().contains("was not made by plimsoll"), "{}", ran.err);
    assert_eq!(read_text(Path::new(&theirs)).expect("a file"), script);
    let ours = folder.join("result.toml");
    let ours = ours.to_str().expect("UTF-8");
    assert_eq!(saved(ours).code, 0);
    assert_eq!(saved(ours).code, 0, "its own");
    let text = read_text(Path::new(ours)).expect("a file") + "# mine\n";
    write(&folder, "result.toml", &text);
    assert!(saved(ours).refused().contains("edited since"));
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_refused() {
    let folder = scratch("bench-links");
    let target = folder.join("target");
    fs::create_dir(&target).expect("a folder");
    let link = folder.join("link");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    assert!(run(&link, &[]).refused().contains("is a link to"));
    assert!(is_empty(&target));
    assert!(plimsoll(&["bench", "/dev/null"]).refused().contains("device"));
}

#[test]
fn what_must_stay_free_stays_free() {
    let folder = scratch("bench-room");
    let path = folder.to_str().expect("UTF-8");
    let ran = plimsoll(&["bench", path, "--quick", "--keep-free", "1 PiB"]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("too little space"), "{}", ran.err);
    assert!(is_empty(&folder));
}

/// A limit on the size of files: what stands in for a volume that fills while it is written to.
#[cfg(unix)]
#[test]
fn a_write_that_fails_ends_the_run_with_a_reason_and_leaves_nothing() {
    let folder = scratch("bench-limit");
    let script = "ulimit -f 4096; exec \"$0\" bench \"$1\" --quick --size '64 MiB' --keep-free '0 B'";
    let ran =
        Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_plimsoll")]).arg(&folder).output().expect("sh runs");
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(4), "{err}");
    assert!(err.contains("the file cannot be laid out"), "{err}");
    assert!(is_empty(&folder));
}

/// A volume of its own, where this machine lets an ordinary user mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_or_read_only_volume_says_so() {
    let folder = scratch("bench-mounted");
    let mounted = |options: &str, after: &str| {
        let script = format!(
            "mount -t tmpfs -o {options} tmpfs \"$1\" || exit 77; {after} \"$0\" bench \"$1\" --size '16 MiB' \
             --keep-free '0 B' --round '10 ms' --rounds 1 --only names --only read; code=$?; ls -A \"$1\" >&2; exit $code"
        );
        let ran = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
            .arg(env!("CARGO_BIN_EXE_plimsoll"))
            .arg(&folder)
            .output();
        let ran = ran.ok()?;
        let err = String::from_utf8_lossy(&ran.stderr).into_owned();
        let may_mount = ran.status.code() != Some(77) && !err.contains("unshare:");
        may_mount.then_some((ran.status.code(), err))
    };
    // No names are left on it while there is room for bytes.
    if let Some((code, err)) = mounted("size=256m,nr_inodes=300", "") {
        assert_eq!(code, Some(4), "{err}");
        assert!(err.trim_end().ends_with(')') && err.contains("the volume is full"), "{err}");
    }
    if let Some((code, err)) = mounted("size=256m,ro", "") {
        assert_eq!(code, Some(4), "{err}");
        assert!(err.contains("the volume is read-only"), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_goes_away_ends_the_run() {
    let folder = scratch("bench-gone");
    let child = start(&folder);
    wait_for_scratch(&folder);
    std::thread::sleep(Duration::from_millis(150));
    // Whoever may do this has to know what they do; the run must say what it saw.
    fs::rename(&folder, folder.with_extension("moved")).expect("a folder");
    std::thread::sleep(Duration::from_millis(100));
    send(&child, "-TERM");
    let ended = child.wait_with_output().expect("an end");
    assert!(matches!(ended.status.code(), Some(4 | 130)), "{ended:?}");
}
