//! Names that people gave do not leave the building: logs with a secret in every field that somebody can name.

use std::fs;
use std::io::Read as _;

use proptest::prelude::*;

use super::workload;
use crate::cli::{scratch, write};

/// In every secret, and in nothing else.
const MARK: &str = "qwyx";
/// Addresses of the networks for documentation.
const ADDRESSES: [&str; 3] = ["203.0.113.77", "198.51.100.9", "2001:db8::7"];

/// A name as people give it: around the mark letters, digits, dots and dashes, in capitals or not.
fn secret() -> impl Strategy<Value = String> {
    ("[a-z0-9]{0,3}[.-]?", "[._-]?[a-z0-9]{0,4}", any::<bool>()).prop_map(|(before, behind, loud)| {
        let name = format!("{before}{MARK}{behind}");
        if loud { name.to_uppercase() } else { name }
    })
}

/// As p4d writes names of lock files.
fn encoded(name: &str) -> String {
    name.replace('.', "%2E").replace('-', "%2D")
}

/// A command with a secret in every place, plain and behind options; its trigger, its tracks, its errors.
fn block(n: usize, s: &[String], address: &str) -> String {
    let [user, client, host, path, program, trigger] = [0, 1, 2, 3, 4, 5].map(|i| &s[(n + i) % s.len()]);
    let arguments = match n % 8 {
        0 => format!("-u{user} -C{client} -e{user}* //{path}/{host}/...@{client}"),
        1 => format!("-u {user} -c {client} --user={user} --{user} -{user} {path}"),
        2 => format!("-F headAction={user} -R{user} -s{user}=1 C:\\{path}\\x.txt"),
        3 => format!("-d {program} and {user} at {host}"),
        4 => format!("-m5 -l{path} @{path} //{client}/... \"{user}\""),
        5 => format!("-a -b {path} -S //{path}/{user} {user} (82) {client}"),
        6 => format!("-i -o {user}"),
        _ => format!("-Z{user} -{n}{user} --parallel=threads=4,{user}"),
    };
    let function = match n % 4 {
        0 => "user-changes".to_owned(),
        1 => "user-sync".to_owned(),
        2 => format!("user-{}", user.replace(['.', '_'], "")),
        _ => "user-group".to_owned(),
    };
    let program = match n % 3 {
        0 => format!("/opt/{program}/tool {host} p4python/v91"),
        1 => format!("{program}/2024.1/{host}"),
        _ => "p4/2023.2/LINUX26X86_64/2605454".to_owned(),
    };
    let (at, end) = (format!("2024/05/06 10:{n:02}:00"), format!("2024/05/06 10:{n:02}:09"));
    let start = format!("\t{at} pid {n} {user}@{client} {address} [{program}] '{function} {arguments}'");
    let seven = 7 + n % 2;
    format!(
        "Perforce server info:\n{start}\n\n\
         Perforce server info:\n{start} trigger {trigger}\nlapse 2.5s\n\n\
         server to inter {host}.corp:1666 vs {address}\n\
         Perforce server info:\n\t{end} pid {n} completed {seven}.5s 10+5us 0+8io 0+0net 4000k 0pf\n\n\
         Perforce server info:\n{start}\n--- lapse {seven}.5s\n\
         --- rpc ({host}.corp:1666) msgs/size in+out 1+2/0mb+0mb himarks 1/1 snd/rcv .1s/.1s\n\
         --- clients/{client}(W)\n---   total lock wait+held read/write 0ms+0ms/{seven}00ms+300ms\n\
         --- clientEntity/{}(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+7300ms\n\
         --- label/{path}(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+30ms\n\
         --- {}/{}(R)\n---   total lock wait+held read/write 0ms+0ms/0ms+30ms\n\
         --- replica/{host}(W)\n---   total lock wait+held read/write 0ms+0ms/0ms+30ms\n\
         --- db.rev\n---   locks read/write 1/1 rows get+pos+scan put+del 1+2+3 4+5\n\
         ---   total lock wait+held read/write {seven}000ms+500ms/2000ms+1500ms\n\n\
         Perforce server error:\n\tDate {end}:\n\tPid {n}\n\tOperation: user-{user}\n\t//{path}/{user} - no such {host}.\n\n",
        encoded(client),
        encoded(path),
        encoded(user),
    )
}

fn is_clean(what: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lower = text.to_lowercase();
    for secret in ADDRESSES.iter().chain([&MARK]) {
        if let Some(at) = lower.find(secret) {
            let from = lower[..at].char_indices().rev().nth(60).map_or(0, |(i, _)| i);
            panic!("{what}: {secret} in …{}…", lower[from..].chars().take(140).collect::<String>());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_output_has_a_name_that_somebody_gave(
        secrets in proptest::collection::vec(secret(), 6..12),
        order in proptest::collection::vec(0..48_usize, 12..30),
    ) {
        let folder = scratch("workload-secrets");
        let mut log = String::new();
        for (line, n) in order.iter().enumerate() {
            log.push_str(&block(*n, &secrets, ADDRESSES[line % 3]));
        }
        write(&folder, "log", &log);
        let full = [
            "log", "--anonymise", "--full", "--force", "--jsonl", "r.jsonl", "--sqlite", "r.db", "--prometheus",
            "r.prom", "--site", "r.toml",
        ];
        is_clean("--full", workload(&folder, &full).done().as_bytes());
        is_clean("the screen", workload(&folder, &["log", "--anonymise"]).done().as_bytes());
        is_clean("JSON", workload(&folder, &["log", "--anonymise", "--format", "json"]).done().as_bytes());
        // A page is under pseudonyms without being asked.
        workload(&folder, &["log", "--html", "r.html", "--force"]).done();
        for name in ["r.jsonl", "r.db", "r.prom", "r.toml", "r.html"] {
            let mut bytes = Vec::new();
            let mut file = fs::File::open(folder.join(name)).unwrap();
            file.read_to_end(&mut bytes).unwrap();
            is_clean(name, &bytes);
        }
    }
}
