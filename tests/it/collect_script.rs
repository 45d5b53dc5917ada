//! `plimsoll collect`: the script that a customer runs, against stub commands, missing ones, those that hang, and outputs
//! that mean harm.
#![expect(clippy::disallowed_methods, reason = "a test looks at how long a script takes and at what it wrote")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use plimsoll::collected::{LOG_TAIL, PASSES, POWERSHELL, SHELL, answers, load};

use crate::cli::{plimsoll, plimsoll_in, scratch, write};

/// What the script itself needs of a system.
const BASIS: [&str; 16] = [
    "sh", "cat", "sed", "tr", "awk", "date", "mkdir", "rm", "rmdir", "sleep", "sort", "tail", "ls", "wc", "ps", "kill",
];

/// A folder with links to commands of this system.
fn commands(folder: &Path, names: &[&str]) -> PathBuf {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    for name in names {
        let found =
            ["/usr/bin", "/bin", "/usr/sbin"].iter().map(|at| Path::new(at).join(name)).find(|path| path.exists());
        if let Some(found) = found {
            std::os::unix::fs::symlink(found, bin.join(name)).unwrap();
        }
    }
    bin
}

fn stub(bin: &Path, name: &str, text: &str) {
    let path = bin.join(name);
    drop(fs::remove_file(&path));
    fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the script in a shell that finds the commands of `bin` alone.
fn run(shell: &[&str], folder: &Path, bin: &Path, arguments: &[&str]) -> Output {
    write(folder, "collect.sh", SHELL.as_str());
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg("collect.sh").args(arguments);
    command.current_dir(folder).env_clear().env("PATH", bin).env("HOME", folder).stdin(Stdio::null());
    command.output().unwrap()
}

/// The shells of this system.
fn shells() -> Vec<Vec<&'static str>> {
    let all = [vec!["/bin/dash"], vec!["/bin/bash"], vec!["/bin/busybox", "sh"]];
    let there: Vec<Vec<&str>> = all.into_iter().filter(|shell| Path::new(shell[0]).exists()).collect();
    if there.is_empty() { vec![vec!["/bin/sh"]] } else { there }
}

fn text(folder: &Path, name: &str) -> String {
    String::from_utf8(fs::read(folder.join(name)).unwrap()).unwrap()
}

/// p4 of a server with a root of its own and a log.
fn server(folder: &Path, bin: &Path) {
    let root = folder.join("root");
    fs::create_dir_all(&root).unwrap();
    for i in 0..12 {
        fs::write(root.join(format!("db.t{i}")), [b'x'; 1024]).unwrap();
    }
    let log = "Perforce server info:\n\t2026/01/02 10:00:00 pid 12 alice@alice-ws 10.1.2.3 [P4V/x] 'user-sync //alice-ws/...'\n";
    fs::write(folder.join("log"), log).unwrap();
    let (root, log) = (root.display(), folder.join("log"));
    let log = log.display();
    stub(
        bin,
        "p4",
        &format!(
            "case \"$*\" in\n\
             info) printf '%s\\n' 'User name: alice' 'Client name: alice-ws' 'Client host: build07' 'Current directory: /home/alice' \
             'Client address: 10.1.2.3' 'Server address: depot.corp.example:1666' 'Server root: {root}' \
             'Server version: P4D/LINUX26X86_64/2023.2/2563409 (2024/02/27)' 'ServerID: commit.corp' 'Server services: commit-server' \
             'Server license: Corp Ltd 180 users (support ends 2027/01/01)' ;;\n\
             'configure show') printf '%s\\n' 'P4ROOT={root} (-r)' 'P4LOG={log} (-L)' 'P4JOURNAL=journal (-J)' 'db.peeking=2 (default)' \
             'P4PORT=ssl:depot.corp.example:1666 (-p)' 'net.parallel.max=4 (configure)' 'net.parallel.threads=4 (configure)' ;;\n\
             'monitor show') printf '%s\\n' '  812 R alice 00:00:07 sync //alice-ws/...' ' 2303 B svc_edge 270:49:23 ldapsync' ;;\n\
             counters) printf '%s\\n' 'change = 1234' 'swarm-alice = x' ;;\n\
             'license -u') printf '%s\\n' '... userCount 17' '... userLimit 180' ;;\n\
             'sizes -s //...') printf '%s\\n' '//... 1000 files 2048000 bytes' ;;\n\
             'sizes -a -s //...') printf '%s\\n' '//... 3000 files 4096000 bytes' ;;\n\
             *) echo \"no such command: $*\" >&2; exit 1 ;;\n\
             esac\n"
        ),
    );
}

#[test]
fn what_it_writes_is_what_init_reads() {
    for shell in shells() {
        let folder = scratch("collect-server");
        let bin = commands(
            &folder,
            &[&BASIS[..], &["mount", "df", "lsblk", "lscpu", "timeout", "nice", "readlink"]].concat(),
        );
        server(&folder, &bin);
        let ran = run(&shell, &folder, &bin, &["--out", "out.txt", "--step-seconds", "5"]);
        assert!(ran.status.success() && ran.stderr.is_empty(), "{shell:?} {ran:?}");
        let mode = fs::metadata(folder.join("out.txt")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{shell:?}");
        assert!(!folder.join("out.txt.tmp").exists(), "{shell:?}");
        let collected = load([folder.join("out.txt").as_path()]).unwrap();
        let found = answers(&collected);
        for (field, value) in [
            ("server.release", "\"2023.2\""),
            ("people.developers", "17"),
            ("data.files", "1000"),
            ("data.revisions", "3000"),
            ("data.db_size", "\"12 KiB\""),
            ("today.parallel_threads", "4"),
        ] {
            assert_eq!(found.value(field), Some(value), "{shell:?} {field}");
        }
        let tail = collected.log_tail().unwrap();
        assert!(tail.contains("\t2026/01/02 10:00:00 pid 12 alice@alice-ws 10.1.2.3"), "{shell:?} {tail}");
        assert!(collected.section(LOG_TAIL).is_some());
        let init = plimsoll_in(&folder, &["init", "site.toml", "--from", "out.txt"]);
        assert_eq!((init.code, init.err.as_str()), (0, ""), "{shell:?} {}", init.out);
    }
}

#[test]
fn names_and_addresses_become_pseudonyms() {
    for shell in shells() {
        let folder = scratch("collect-anonymous");
        let bin = commands(&folder, &[&BASIS[..], &["timeout", "nice"]].concat());
        server(&folder, &bin);
        let ran = run(&shell, &folder, &bin, &["--out", "out.txt", "--anonymise", "--step-seconds", "5"]);
        assert!(ran.status.success(), "{shell:?} {ran:?}");
        let text = text(&folder, "out.txt");
        // The folder of this test is in paths, and names nobody.
        for name in ["alice", "build07", "10.1.2.3", "corp", "Corp", "svc_edge"] {
            assert!(!text.contains(name), "{shell:?} {name}\n{text}");
        }
        // The same name is the same pseudonym wherever it stands.
        assert!(text.contains("User name: user1") && text.contains("pid 12 user1@client1"), "{shell:?} {text}");
        assert!(text.contains("'user-sync //client1/...'"), "{shell:?} {text}");
        assert!(text.contains("change = 1234") && text.contains("180 users"), "{shell:?} {text}");
        let found = answers(&load([folder.join("out.txt").as_path()]).unwrap());
        assert_eq!(found.value("data.db_size"), Some("\"12 KiB\""), "{shell:?}");
    }
}

#[test]
fn an_excerpt_of_the_log_keeps_no_name() {
    const LOG: &str = "Perforce server info:\n\t2026/01/02 10:00:00 pid 12 acme1@acme.ws acmehost/10.1.2.3 [/opt/acme/tool p4python/v91] 'user-changes -uacme1 -m5 --user=acme1 //acme/acme/...@acme text'\n\n\
        server to inter acmehost:1666 vs 10.1.2.3\n\
        Perforce server info:\n\t2026/01/02 10:00:00 pid 12 acme1@acme.ws 10.1.2.3 [p4/2024.2/LINUX26X86_64/2697822] 'user-acme acme' trigger acme\nlapse .2s\n\
        Perforce server info:\n\t2026/01/02 10:00:02 pid 12 completed 2.5s 10+5us 0+8io 0+0net 4000k 0pf\n\
        Perforce server info:\n\t2026/01/02 10:00:00 pid 12 acme1@acme.ws 10.1.2.3 [p4/2024.2/LINUX26X86_64/2697822] 'user-sync -d First acme\nacme second\n'\n\
        --- lapse 2.5s\n--- rpc (acmehost.corp:1666) msgs/size in+out 1+2/0mb+0mb himarks 1/1 snd/rcv .1s/.1s\n\
        --- clients/acme%2Ews(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+172ms\n--- label/acme(W)\n--- meta/db(R)\n--- acme/acme(W)\n\
        --- db.rev\n---   locks read/write 1/1 rows get+pos+scan put+del 1+2+3 4+5\n\n\
        Perforce server error:\n\tDate 2026/01/02 10:00:02:\n\tPid 12\n\tOperation: user-sync\n\t//acme/x - no such file.\n\n\
        2026/01/02 10:00:03 560465376 pid 99: Server is now using 55 active threads.\n";
    for shell in shells() {
        let folder = scratch("collect-excerpt");
        let bin = commands(&folder, &BASIS);
        server(&folder, &bin);
        fs::write(folder.join("log"), LOG).unwrap();
        let arguments = ["--out", "out.txt", "--anonymise", "--step-seconds", "5"];
        let ran = run(&shell, &folder, &bin, &arguments);
        assert!(ran.status.success(), "{shell:?} {ran:?}");
        let text = text(&folder, "out.txt");
        let (_, tail) = text.split_once("collect: log tail ===").unwrap();
        for name in ["acme", "10.1.2.3", "second"] {
            assert!(!tail.contains(name), "{shell:?} {name}\n{tail}");
        }
        for kept in [
            "'user-changes -u* -m5 --* //depot1/... *'",
            "--- rpc (host",
            "--- clients/client2(W)",
            "--- meta/db(R)",
            "---   locks read/write 1/1 rows get+pos+scan put+del 1+2+3 4+5",
            "\tOperation: user-sync",
            "Server is now using 55 active threads.",
            "\t2026/01/02 10:00:02 pid 12 completed 2.5s",
        ] {
            assert!(tail.contains(kept), "{shell:?} {kept}\n{tail}");
        }
    }
}

/// The words of the list behind a key.
fn passing(key: &str) -> Vec<&'static str> {
    let lines = PASSES.lines().filter_map(|line| line.strip_prefix(key));
    lines.filter(|rest| rest.starts_with(' ')).flat_map(str::split_whitespace).collect()
}

/// The list's commands of p4 are those by which Plimsoll tells names from words; both scripts have the whole list.
#[test]
fn the_scripts_have_one_list() {
    let models = include_str!("../../crates/p4log/server-log.toml");
    let models: toml::Table = models.parse().unwrap();
    let known = models["known"]["commands"].as_array().unwrap();
    let known: Vec<&str> = known.iter().filter_map(|one| one.as_str()).collect();
    assert_eq!(passing("command"), known);
    for script in [&*SHELL, &*POWERSHELL] {
        assert!(script.contains(PASSES.trim_end()) && !script.contains("@PASSES@"));
    }
    // The settings that Plimsoll writes for a server are among those that pass.
    let settings = include_str!("../../models/settings/p4-configure.toml");
    let settings: toml::Table = settings.parse().unwrap();
    let listed = passing("setting");
    for setting in settings["setting"].as_array().unwrap() {
        let name = setting["name"].as_str().unwrap();
        // Some are of one server: "{server}#journalPrefix".
        let name = name.rsplit('#').next().unwrap_or(name);
        assert!(listed.contains(&name), "{name}");
    }
}

/// A server whose every output has marked names (`zork…`), and in secret places marked secrets (`hush…`).
fn marked(folder: &Path, bin: &Path) {
    let root = folder.join("zorkroot");
    fs::create_dir_all(&root).unwrap();
    for name in ["db.have", "db.rev", "db.zorktable"] {
        fs::write(root.join(name), [b'x'; 1024]).unwrap();
    }
    let log = "Perforce server info:\n\t2026/01/02 10:00:00 pid 12 zorkann@zorkws 10.66.66.1 [p4/2024.2/LINUX26X86_64/2697822] 'user-passwd -O hushold -P hushnew --token=hushtok zorkname'\n\
        --- lapse zorkweek\n--- rpc (zorkhost:1666) zorkmsgs 1+2\n--- db.zork\n\
        Perforce server info:\n\t2026/01/02 10:00:02 pid 12 completed 2.5s zorkus\n\
        2026/01/02 10:00:03 560465376 pid 99: Server is now using 55 zork threads.\n";
    fs::write(folder.join("log"), log).unwrap();
    let p4 = include_str!("../collected/marked-p4.txt")
        .replace("@ROOT@", &root.display().to_string())
        .replace("@LOG@", &folder.join("log").display().to_string());
    stub(bin, "p4", &p4);
    stub(
        bin,
        "mount",
        "printf '%s\\n' '/dev/md0 on /hxmetadata type xfs (rw,noatime,attr2)' \
         '/dev/mapper/zorkvg-zorklv on /zorkmeta type xfs (rw,noatime,logdev=/dev/zorklog)' \
         'zorkfiler.zork.example:/vol/zorkdepot on /hxdepots type nfs (rw,vers=3,hard,proto=tcp,nconnect=8,rsize=1048576,mountaddr=10.66.66.2,addr=10.66.66.2,x-zork=1)' \
         '//zorkcifs/zorkshare on /zorkmnt type cifs (rw,username=zorkann,password=hushmount,credentials=/root/hushfile,domain=ZORK,vers=3.0)'\n",
    );
    stub(
        bin,
        "df",
        "printf '%s\\n' 'Filesystem Type 1024-blocks Used Available Capacity Mounted on' \
         '/dev/md0 xfs 7000000 400000 6600000 6% /hxmetadata' '/dev/mapper/zorkvg-zorklv xfs 900000 400000 500000 45% /zorkmeta' \
         'zorkfiler.zork.example:/vol/zorkdepot nfs 80000000 50000000 30000000 63% /hxdepots'\n",
    );
    stub(
        bin,
        "lsblk",
        r#"printf '%s\n' '{"blockdevices":[{"name":"nvme0n1","type":"disk","size":3840755982336,"rota":false,"tran":"nvme","model":"zork prod","children":[{"name":"md0","type":"raid1","size":3840755982336,"mountpoint":"/hxmetadata"}]},' '{"name":"nvme1n1","type":"disk","size":3840755982336,"rota":false,"tran":"nvme","model":"zork\x20p","children":[{"name":"md0","type":"raid1","mountpoint":"/hxmetadata"}]},' '{"name":"sda","type":"disk","size":1000204886016,"rota":true,"tran":"sata","model":"ST1000ZORK","children":[{"name":"zorkvg-zorklv","type":"lvm","mountpoint":"/zorkmeta"}]}]}'
"#,
    );
    stub(
        bin,
        "lscpu",
        "printf '%s\\n' 'Architecture:        x86_64' 'CPU(s):              64' 'Thread(s) per core:  2' 'Core(s) per socket:  32' \
         'Socket(s):           1' 'Model name:          AMD EPYC 7543 32-Core Processor' 'Hypervisor vendor:   ZorkVisor' 'Flags: zorkflag'\n",
    );
    stub(
        bin,
        "ps",
        "printf '%s\\n' '/opt/zork/p4d_zork -r /hxmetadata/zorkroot -p ssl:zorkhost:1666 -J /hxlogs/journal -L /hxlogs/zork.log -v zork=1 --token hushps -P hushticket -d'\n",
    );
    stub(
        bin,
        "iostat",
        "printf '%s\\n' 'Linux 5.10.0-zork (zorkhost.zork) 01/02/2026 _x86_64_ (64 CPU)' '' 'Device r/s w/s %util' 'nvme0n1 1.00 2.00 73.00' 'zorkdev 1.00 2.00 3.00'\n",
    );
}

/// Every output of a server with marked names and secrets, without and with `--anonymise`.
fn of_marked(shell: &[&str]) -> [String; 2] {
    let folder = scratch("collect-marked");
    let bin = commands(&folder, &[&BASIS[..], &["timeout", "nice", "readlink"]].concat());
    marked(&folder, &bin);
    [&["--out", "plain.txt"][..], &["--out", "anonymous.txt", "--anonymise"]].map(|arguments| {
        let ran = run(shell, &folder, &bin, arguments);
        assert!(ran.status.success() && ran.stderr.is_empty(), "{shell:?} {ran:?}");
        text(&folder, arguments[1])
    })
}

#[test]
fn what_is_not_on_the_list_does_not_pass() {
    for shell in shells() {
        let [plain, anonymous] = of_marked(&shell);
        let found = |text: &str, mark: &str| text.to_lowercase().contains(mark);
        assert!(!found(&plain, "hush"), "{shell:?} {plain}");
        assert!(found(&plain, "zorkann") && found(&plain, "10.66.66.2"));
        for mark in ["zork", "hush", "10.66.66", "fe80", "52:54", "2001:db8"] {
            let line = anonymous.lines().find(|line| found(line, mark));
            assert_eq!(line, None, "{shell:?} {mark}\n{anonymous}");
        }
        // The same name is the same pseudonym in every output.
        for pair in ["User name: user1", "pid 12 user1@client1", "I user1 00:04:26 IDLE"] {
            assert!(anonymous.contains(pair), "{shell:?} {pair}\n{anonymous}");
        }
    }
}

#[test]
fn an_anonymised_file_has_the_same_answers() {
    for shell in shells() {
        let of = |text: &str| {
            let collected = plimsoll::collected::of_texts([("collected.txt", text)]);
            answers(&collected)
        };
        let [plain, anonymous] = of_marked(&shell);
        let (plain, anonymous) = (of(&plain), of(&anonymous));
        assert!(plain.known.len() > 12, "{shell:?} {:?}", plain.known);
        let ids = |all: &plimsoll::collected::Answers| -> Vec<(String, String)> {
            let all = all.known.iter();
            all.map(|known| (known.field.clone(), known.value.clone())).collect()
        };
        for ((field, value), (same, shown)) in ids(&plain).iter().zip(ids(&anonymous)) {
            assert_eq!(field, &same, "{shell:?}");
            assert!(*value == shown || value.contains("zork"), "{shell:?} {field}: {value}, {shown}");
        }
        assert_eq!(plain.known.len(), anonymous.known.len(), "{shell:?}");
        assert_eq!(plain.open.len(), anonymous.open.len(), "{shell:?}");
    }
}

#[test]
fn what_is_missing_is_named_and_passed_over() {
    for shell in shells() {
        let folder = scratch("collect-missing");
        let bin = commands(&folder, &BASIS);
        let ran = run(&shell, &folder, &bin, &["--out", "out.txt", "--step-seconds", "2"]);
        assert!(ran.status.success() && ran.stderr.is_empty(), "{shell:?} {ran:?}");
        let text = text(&folder, "out.txt");
        let missing = "--- plimsoll: passed over: there is no such command";
        assert!(text.contains(&format!("=== plimsoll collect: p4 info ===\n{missing}")), "{shell:?} {text}");
        assert!(text.contains(&format!("=== plimsoll collect: lsblk -J ===\n{missing}")), "{shell:?} {text}");
        assert!(text.contains("=== plimsoll collect: end ==="), "{shell:?} {text}");
    }
}

#[test]
fn what_hangs_is_stopped() {
    let with_and_without = |shell: Vec<&'static str>| [&["timeout"][..], &[]].map(|tools| (shell.clone(), tools));
    // Each waits for seconds: all at once.
    std::thread::scope(|scope| {
        for (number, (shell, tools)) in shells().into_iter().flat_map(with_and_without).enumerate() {
            scope.spawn(move || stops_what_hangs(number, &shell, tools));
        }
    });
}

fn stops_what_hangs(number: usize, shell: &[&str], tools: &[&str]) {
    let most = Duration::from_mins(4);
    let folder = scratch(&format!("collect-hanging-{number}"));
    let bin = commands(&folder, &[&BASIS[..], tools].concat());
    // It does not listen, and leaves a child that holds its output.
    stub(
        &bin,
        "p4",
        "case \"$*\" in info) trap '' TERM; echo 'ServerID: x'; sleep 3217 & wait; sleep 3217 ;; *) exit 1 ;; esac\n",
    );
    let begun = Instant::now();
    let ran = run(shell, &folder, &bin, &["--out", "out.txt", "--step-seconds", "1", "--no-sizes"]);
    assert!(ran.status.success(), "{shell:?} {ran:?}");
    assert!(begun.elapsed() < most, "{shell:?} {:?}", begun.elapsed());
    let text = text(&folder, "out.txt");
    assert!(text.contains("ServerID: x\n--- plimsoll:") && text.contains("stopped after 1 s"), "{shell:?} {text}");
    assert!(text.contains("=== plimsoll collect: end ==="), "{shell:?} {text}");
}

#[test]
fn the_whole_ends_when_its_time_is_over() {
    let folder = scratch("collect-deadline");
    let bin = commands(&folder, &BASIS);
    stub(&bin, "p4", "sleep 1\n");
    let ran = run(&["/bin/sh"], &folder, &bin, &["--out", "out.txt", "--seconds", "1"]);
    assert!(ran.status.success(), "{ran:?}");
    assert!(text(&folder, "out.txt").contains("passed over: 1 s are used up"));
}

#[test]
fn outputs_that_mean_harm_do_none() {
    for shell in shells() {
        let folder = scratch("collect-hostile");
        let bin = commands(&folder, &[&BASIS[..], &["timeout", "head", "yes"]].concat());
        let root = folder.join("a $(touch owned) `touch owned` '\"; touch owned #");
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("db.have"), "x").unwrap();
        let quoted = root.to_str().unwrap().replace('\'', "'\\''");
        stub(
            &bin,
            "p4",
            &format!(
                "case \"$*\" in\n\
                 info) printf '\\033]0;owned\\007\\033[31mServer root: %s\\033[0m\\r\\n' '{quoted}' ;;\n\
                 counters) printf '=== plimsoll collect: log tail ===\\n--- plimsoll: false\\nchange = 12\\n\\200\\233\\302\\233\\n' ;;\n\
                 depots) yes 0123456789 | head -c 100000000 ;;\n\
                 diskspace) head -c 100000000 /dev/zero ;;\n\
                 *) exit 1 ;;\n\
                 esac\n"
            ),
        );
        let ran = run(&shell, &folder, &bin, &["--out", "-out $(touch owned).txt", "--step-seconds", "10"]);
        assert!(ran.status.success(), "{shell:?} {ran:?}");
        assert!(!folder.join("owned").exists() && !root.join("owned").exists(), "{shell:?}");
        let path = folder.join("-out $(touch owned).txt");
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() < 6_000_000, "{shell:?} {}", bytes.len());
        let is_plain = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x20..=0x7e);
        assert!(bytes.iter().all(is_plain), "{shell:?}");
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("\n === plimsoll collect: log tail ===\n --- plimsoll: false\n"), "{shell:?}");
        assert_eq!(text.matches("\n=== plimsoll collect: log tail ===").count(), 0, "{shell:?}");
        assert!(text.contains("/db.have"), "{shell:?}");
        let collected = load([path.as_path()]).unwrap();
        assert_eq!(collected.log_tail(), None, "{shell:?}");
    }
}

#[test]
fn nothing_is_written_over() {
    let folder = scratch("collect-over");
    let bin = commands(&folder, &BASIS);
    write(&folder, "mine.txt", "mine");
    fs::create_dir(folder.join("work.txt.tmp")).unwrap();
    std::os::unix::fs::symlink("elsewhere", folder.join("link.txt")).unwrap();
    for (out, kept) in [("mine.txt", true), ("work.txt", false), ("link.txt", false), ("missing/out.txt", false)] {
        let ran = run(&["/bin/sh"], &folder, &bin, &["--out", out]);
        assert_eq!(ran.status.code(), Some(2), "{out} {ran:?}");
        assert_eq!(folder.join(out).exists(), kept, "{out}");
    }
    assert_eq!(text(&folder, "mine.txt"), "mine");
    assert!(!folder.join("elsewhere").exists());
    for wrong in [&["--out"][..], &["--seconds", "x"], &["--seconds", "1; x"], &["--unknown"]] {
        assert_eq!(run(&["/bin/sh"], &folder, &bin, wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn the_command_prints_and_saves_the_scripts() {
    let printed = plimsoll(&["collect"]);
    assert_eq!(printed.done(), *SHELL);
    assert!(plimsoll(&["collect", "--powershell"]).done().contains("param("));
    let folder = scratch("collect-save");
    let ran = plimsoll_in(&folder, &["collect", "--save", "c.sh"]);
    assert!(ran.done().contains("sh c.sh"), "{}", ran.out);
    assert_eq!(text(&folder, "c.sh"), *SHELL);
    write(&folder, "c.sh", "mine");
    assert!(plimsoll_in(&folder, &["collect", "--save", "c.sh"]).refused().contains("--force"));
    assert_eq!(text(&folder, "c.sh"), "mine");
}

#[test]
#[expect(clippy::print_stderr, reason = "says that it was skipped")]
fn shellcheck_has_nothing_to_say() {
    let folder = scratch("collect-shellcheck");
    write(&folder, "collect.sh", SHELL.as_str());
    let checked = Command::new("shellcheck").arg("collect.sh").current_dir(&folder).output();
    let Ok(checked) = checked else {
        eprintln!("skipped: there is no shellcheck here; .ci/run installs it");
        return;
    };
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}
