//! What else uses a machine is noticed.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use plimsoll::bench::environment::busy::{self, Server};

use super::machine::{Machine, server};

#[test]
fn servers_of_perforce_are_found_by_name() {
    let machine = Machine::new("env-servers").with(&[
        ("proc/1/comm", "systemd"),
        ("proc/4711/comm", "p4d_1"),
        ("proc/99/comm", "p4broker"),
        ("proc/100/comm", "p4dctl"),
        ("proc/sys/comm", "p4d"),
    ]);
    symlink("/p4/1/root", machine.root.join("proc/4711/cwd")).unwrap();
    let server = |name: &str, process, folder: Option<&str>| Server {
        name: name.to_owned(),
        process,
        folder: folder.map(str::to_owned),
    };
    let found = busy::servers(&machine.root.join("proc"));
    assert_eq!(found, [server("p4broker", 99, None), server("p4d_1", 4711, Some("/p4/1/root"))]);
    let warnings = busy::warnings(&machine.under("/"), &machine.roots(), &AtomicBool::new(true));
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[1].starts_with("p4d_1 runs in /p4/1/root (process 4711)"));
}

/// `stat` of a disk that was busy so many milliseconds.
fn disk_stat(busy_ms: u64) -> String {
    format!("  4476590 96913 157884266 119177774 487341 893045 601944408 4527721 0 {busy_ms} 124274621 0 0 0 0 0 0")
}

#[test]
fn a_busy_disk_and_busy_processors_are_noticed() {
    let cpu = |used: u64, idle: u64| format!("cpu  {used} 0 0 {idle} 0 0 0 0 0 0\ncpu0 1 2 3 4");
    let machine =
        server("env-busy").with(&[("sys/devices/sda/stat", &disk_stat(1000)), ("proc/stat", &cpu(100, 1000))]);
    let found = machine.under("/home");
    let watch = || busy::warnings(&found, &machine.roots(), &AtomicBool::new(false));
    assert_eq!(watch(), Vec::<String>::new());
    let other = std::thread::Builder::new().name("user".to_owned());
    let (stat, ticks) = (machine.root.join("sys/devices/sda/stat"), machine.root.join("proc/stat"));
    let user = other
        .spawn(move || {
            std::thread::sleep(busy::WATCHED / 2);
            // 400 ms of about 500, and a quarter of the ticks.
            fs::write(stat, disk_stat(1400)).unwrap();
            fs::write(ticks, cpu(125, 1075)).unwrap();
        })
        .unwrap();
    let warnings = watch();
    user.join().unwrap();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("sda was busy "), "{warnings:?}");
    assert!(warnings[1].starts_with("the processors were busy 25 %"), "{warnings:?}");
    assert!(busy::WATCHED < Duration::from_secs(1));
}

#[test]
fn an_array_that_is_rebuilt_is_noticed() {
    let machine = server("env-resync").with(&[("sys/devices/md127/md/sync_action", "recover")]);
    let found = machine.under("/hxmetadata");
    let warnings = busy::warnings(&found, &machine.roots(), &AtomicBool::new(true));
    assert_eq!(warnings, ["the array md127 is busy with maintenance (recover): it is slower than at rest"]);
}

/// Counters of the kernel's documentation.
#[test]
fn counters_are_read_by_their_place() {
    assert_eq!(busy::busy_ms(&disk_stat(2_303_812)), Some(2_303_812));
    assert_eq!(busy::busy_ms("1 2 3"), None);
    assert_eq!(busy::ticks("cpu  10 1 2 100 7 3 4 5 9 9\ncpu0 1"), Some((25, 132)));
    assert_eq!(busy::ticks("cpu0 1 2"), None);
}
