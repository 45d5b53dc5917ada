//! Mutated inputs over all commands of the real binary: it may refuse, and must not fall over.
//!
//! Each case takes a file of the examples, of the broken ones or of the catalogue, changes it at random and
//! runs a command on it with 4 GB of address space and a limit of processor time. It may end with any documented
//! exit code; a panic (101), an abort (a signal) or the limit of time is a failure.
//!
//! A case is known by its number alone. `cargo test` runs some; more, or one again:
//!
//! ```text
//! PLIMSOLL_FUZZ=10000 cargo test --release --test it mutation -- --nocapture
//! PLIMSOLL_FUZZ=1 PLIMSOLL_FUZZ_FROM=4711 cargo test --test it mutation -- --nocapture
//! ```
//!
//! `PLIMSOLL_FUZZ_BINARY` names another binary than the one that was built with the tests: an optimised one.
//! `PLIMSOLL_FUZZ_SECONDS` is the processor time of a case (20; more in a debug build). What failed is left in `target/tmp/mutation/`.
#![expect(
    clippy::disallowed_methods,
    reason = "runs the binary for so long, by what the environment says, and reads what it wrote"
)]
#![expect(clippy::print_stdout, reason = "says what it found")]
#![expect(clippy::too_many_lines, reason = "a table of changes, and one of commands")]

mod changes;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use changes::{Dice, hostile, mutate, number};

/// Cases of an ordinary run.
const CASES: u64 = 60;
/// Documented exit codes.
const CODES: [i32; 6] = [0, 1, 2, 3, 4, 130];
/// A case may take so many times its limit where it waits, since others use the machine too.
const OTHERS: u32 = 6;
/// Address space \[KiB\].
const ADDRESS_SPACE: u64 = 4 << 20;

/// Files of a kind, in the order of their names.
struct Corpus {
    sites: Vec<String>,
    networks: Vec<String>,
    measurements: Vec<String>,
    /// Kind, file name and text.
    models: Vec<(String, String, String)>,
    calibration: Vec<(String, String)>,
}

fn texts(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap_or_default())
        })
        .collect();
    found.sort();
    found
}

impl Corpus {
    fn load() -> Self {
        let all = |folders: &[&str]| -> Vec<String> {
            let found = folders.iter().flat_map(|folder| texts(folder));
            found.map(|(_, text)| text).collect()
        };
        let mut sites = all(&["assets/examples", "tests/broken"]);
        sites.push(include_str!("../../site_full.toml").to_owned());
        let kinds = [
            "arrays",
            "caches",
            "commands",
            "filesystems",
            "layouts",
            "media",
            "networks",
            "processors",
            "protocols",
            "raid",
            "scenarios",
            "servers",
            "settings",
        ];
        let of_kind = |kind: &&str| {
            let kind = (*kind).to_owned();
            let found = texts(&format!("models/{kind}"));
            found.into_iter().map(move |(name, text)| (kind.clone(), name, text))
        };
        Self {
            sites,
            networks: all(&["assets/examples/networks", "tests/broken-networks"]),
            measurements: all(&["assets/examples/measurements"]),
            models: kinds.iter().flat_map(of_kind).collect(),
            calibration: texts("calibration"),
        }
    }

    fn layout(&self, dice: &mut Dice) -> String {
        let layouts: Vec<&str> = (self.models.iter())
            .filter(|(kind, ..)| kind == "layouts")
            .map(|(_, name, _)| name.trim_end_matches(".toml"))
            .collect();
        dice.one(&layouts).to_owned()
    }
}

/// A few changes; now and then none, so that the arguments alone are odd.
fn changed(texts: &[&str], dice: &mut Dice) -> String {
    let mut text = dice.one(texts).to_owned();
    let other = dice.one(texts);
    for _ in 0..dice.below(5) {
        text = mutate(&text, other, dice);
    }
    text
}

/// Arguments of a case; its files are written below `folder`.
fn arguments(corpus: &Corpus, folder: &Path, dice: &mut Dice) -> Vec<String> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let of = |texts: &[String], dice: &mut Dice| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        changed(&texts, dice)
    };
    let mut words: Vec<String> = Vec::new();
    let mut say = |all: &[&str]| words.extend(all.iter().map(|w| (*w).to_owned()));
    match dice.below(16) {
        0..=6 => {
            let file = write("network.toml", &of(&corpus.networks, dice));
            say(&["solve", &file]);
            let methods = ["auto", "exact", "convolution", "amva", "linearizer", "aql", "bounds", "sim"];
            match dice.below(6) {
                0 => {
                    let key = ["population", "users.population", "class.users.rate", "cpu.servers"];
                    let to = number(dice);
                    let step = if dice.chance(50) { format!(":{}", number(dice)) } else { String::new() };
                    say(&["--sweep", &format!("{}={}:{to}{step}", dice.one(&key), number(dice))]);
                    say(&["--format", dice.one(&["csv", "json", "text"])]);
                }
                1 => {
                    let pair = format!("{},{}", dice.one(&methods), dice.one(&methods));
                    say(&["--compare", &pair, "--precision", "20%", "--replications", "1"]);
                }
                2 | 3 => say(&["--method", "sim", "--precision", "20%", "--replications", "1"]),
                _ => say(&["--method", dice.one(&methods), "--precision", "20%", "--replications", "1"]),
            }
        }
        7..=10 => {
            let file = write("site.toml", &of(&corpus.sites, dice));
            let layout = corpus.layout(dice);
            let pair = format!("{layout},{}", corpus.layout(dice));
            let out = folder.join("out").to_string_lossy().into_owned();
            match dice.below(11) {
                8 => say(&["predict", &file, "--compare", &pair]),
                9 => say(&["advise", &file, "--out", &out]),
                10 => {
                    say(&["simulate", &file, "--compare", &pair]);
                    say(&["--precision", "20%", "--replications", "2"]);
                    if is_slow() {
                        say(&["--events", "2000000"]);
                    }
                }
                0 => say(&["advise", &file]),
                1 => say(&["report", &file, "-o", &folder.join("out.html").to_string_lossy()]),
                2..=4 => say(&["predict", &file, "--layout", &layout]),
                _ => {
                    say(&["simulate", &file, "--layout", &layout]);
                    say(&["--precision", "20%", "--replications", "1"]);
                    if dice.chance(20) {
                        say(&["--scenario", "working-day"]);
                        if is_slow() {
                            // A day is some ten million events.
                            say(&["--events", "2000000"]);
                        }
                    }
                }
            }
            if dice.chance(30) {
                let field = [
                    "people.developers",
                    "data.db_size",
                    "workload.commands_per_day",
                    "people.site.0.developers",
                    "name",
                    "targets.sync",
                ];
                say(&["--set", &format!("{}={}", dice.one(&field), number(dice))]);
            }
        }
        11 | 12 => {
            let file = write("measured.toml", &of(&corpus.measurements, dice));
            say(&["calibrate", "--add", &file]);
        }
        13 | 14 => {
            let (kind, name, text) = &corpus.models[dice.below(corpus.models.len())];
            let text = changed(&[text], dice);
            write(&format!("models/{kind}/{name}"), &text);
            let models = folder.join("models").to_string_lossy().into_owned();
            match dice.below(4) {
                0 => say(&["models", kind]),
                1 => say(&["explain", name.trim_end_matches(".toml")]),
                _ => {
                    let file = write("site.toml", &corpus.sites[dice.below(corpus.sites.len())]);
                    say(&["predict", &file, "--layout", &corpus.layout(dice)]);
                }
            }
            say(&["--models", &models]);
        }
        _ => {
            let (name, text) = &corpus.calibration[dice.below(corpus.calibration.len())];
            write(&format!("calibration/{name}"), &changed(&[text], dice));
            let calibration = folder.join("calibration").to_string_lossy().into_owned();
            say(&["explain", dice.one(&["STO001", "row_write.2017", "SAG", "N13-mount-both"])]);
            say(&["--calibration", &calibration]);
        }
    }
    if dice.chance(20) && !words.is_empty() {
        odd_arguments(&mut words, dice);
    }
    words
}

/// A word that is lost, doubled, or not what it should be.
fn odd_arguments(words: &mut Vec<String>, dice: &mut Dice) {
    let at = dice.below(words.len());
    match dice.below(5) {
        0 => {
            words.remove(at);
        }
        1 => words.push(words[at].clone()),
        2 => words.push(format!("--{}", hostile(dice).chars().take(5000).collect::<String>())),
        3 => {
            let option = ["--seed", "--precision", "--replications", "--threads", "--trace-events"];
            let value = number(dice);
            words.extend([dice.one(&option).to_owned(), value]);
        }
        _ => "\u{1b}[31m\nerror: none\u{202e}".clone_into(&mut words[at]),
    }
}

/// How a case ended, if it may not end so.
fn fault(binary: &Path, words: &[String], folder: &Path, limit: Duration) -> Option<String> {
    let stream = |name: &str| Stdio::from(File::create(folder.join(name)).unwrap());
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; ulimit -t {}; exec \"$0\" \"$@\"", limit.as_secs())])
        .arg(binary)
        .args(words)
        .env("RUST_BACKTRACE", "0")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(stream("stdout"))
        .stderr(stream("stderr"))
        .spawn()
        .unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > limit * OTHERS {
            child.kill().unwrap();
            child.wait().unwrap();
            return Some(format!("still there after {:?}", limit * OTHERS));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = fs::read(folder.join("stderr")).unwrap();
    let said = String::from_utf8_lossy(&said);
    match status.code() {
        None => Some(format!("{status}; 24 or 9: after {limit:?} of its own")),
        Some(code) if !CODES.contains(&code) => Some(format!("exit code {code}")),
        Some(_) if said.contains("panicked at") => Some("a panic".to_owned()),
        Some(_) => ["stdout", "stderr"].into_iter().find_map(|name| {
            let text = fs::read(folder.join(name)).unwrap();
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
            let harmful = text.contains(plimsoll::diag::is_harmful);
            harmful.then(|| format!("{name} has what a terminal would obey"))
        }),
    }
}

/// The binary that was built with the tests is not optimised, as they are not; one that is named is.
fn is_slow() -> bool {
    cfg!(debug_assertions) && std::env::var_os("PLIMSOLL_FUZZ_BINARY").is_none()
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn no_mutated_input_makes_the_binary_fall_over() {
    let cases = setting("PLIMSOLL_FUZZ").unwrap_or(CASES);
    let from = setting("PLIMSOLL_FUZZ_FROM").unwrap_or(0);
    let usual = if is_slow() { 120 } else { 20 };
    let limit = Duration::from_secs(setting("PLIMSOLL_FUZZ_SECONDS").unwrap_or(usual));
    let binary = std::env::var_os("PLIMSOLL_FUZZ_BINARY")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_plimsoll")), PathBuf::from);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutation");
    let corpus = Corpus::load();
    let mut faults = Vec::new();
    for case in from..from + cases {
        let folder = root.join(case.to_string());
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        let mut dice = Dice(case.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let words = arguments(&corpus, &folder, &mut dice);
        if let Some(fault) = fault(&binary, &words, &folder, limit) {
            let shown: String = format!("{words:?}").chars().take(400).collect();
            let said = format!("case {case}: {fault}: {shown}");
            println!("{said}");
            faults.push(said);
        } else {
            fs::remove_dir_all(&folder).unwrap();
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {cases} cases; their files are in {}:\n{}",
        faults.len(),
        root.display(),
        faults.join("\n")
    );
}
