//! Commands that documents, help, messages and emitted files name: each exists, with the flags that it is given.

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use plimsoll::catalog::KINDS;
use plimsoll::cli::definition;
use plimsoll::document::read_text;

use crate::cli::SITES;
use crate::emit::Advised;
use crate::emit::windows_sites;

/// What follows the program's name in a sentence about it.
const VERBS: &[&str] = &[
    "is", "was", "from", "reads", "compares", "would", "alone", "and", "assumes", "has", "to", "takes", "found", "then",
];

/// What is in the files that people read and run.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![root.join("README.md")];
    for folder in ["docs", "models", "calibration", "assets", "src"] {
        walk(&root.join(folder), &mut found);
    }
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root).unwrap().display().to_string();
        (name, read_text(&path).unwrap())
    };
    let mut documents: Vec<(String, String)> = found.into_iter().map(read).collect();
    assert!(documents.len() > 100);
    let mut definition = definition();
    documents.push(("--help".to_owned(), definition.render_long_help().to_string()));
    for command in definition.get_subcommands_mut() {
        let name = format!("{} --help", command.get_name());
        documents.push((name, command.render_long_help().to_string()));
    }
    let examples = SITES.map(|name| Advised::example(name, &[]));
    for advised in examples.iter().chain(windows_sites()) {
        for file in advised.files() {
            documents.push((format!("{} of {}", file.path(), advised.site.name), file.render()));
        }
    }
    documents
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| ["md", "toml", "rs", "desktop", "html", "css", "py", "sh", "txt"].iter().any(|x| e == *x))
        {
            found.push(path);
        }
    }
}

/// The text as one line: without the marks of comments and the breaks of strings.
fn joined(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim_start().trim_start_matches(['/', '!', '#', '|']);
        line.trim_end_matches(['\\', '\n']).trim().to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join(" ")
}

/// The commands that a text names: in backticks, as a line of their own, and in a sentence the subcommand alone.
fn commands(text: &str) -> Vec<String> {
    let joined = joined(text);
    let mut found = Vec::new();
    for after in joined.split("`plimsoll ").skip(1) {
        let span = after.split('`').next().unwrap();
        found.push(format!("plimsoll {span}"));
    }
    for name in subcommands() {
        for after in joined.split(&format!("`{name} --")).skip(1) {
            found.push(format!("plimsoll {name} --{}", after.split('`').next().unwrap()));
        }
    }
    for line in text.lines() {
        let line = line.trim_start_matches(['#', '$', ' ', '/', '!']);
        if line.starts_with("plimsoll ") && line.split(' ').nth(1).is_some_and(is_subcommand) {
            let ends = ["  ", " #", ". ", "\\"];
            let command = ends.iter().fold(line, |line, end| line.split(end).next().unwrap());
            found.push(command.to_owned());
        }
    }
    for (i, _) in joined.match_indices("plimsoll ") {
        let before = joined[..i].chars().next_back().unwrap_or(' ');
        let word: String =
            joined[i + "plimsoll ".len()..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
        if [' ', '(', '"'].contains(&before) && !word.is_empty() && !VERBS.contains(&word.as_str()) {
            found.push(format!("plimsoll {word}"));
        }
    }
    found
}

fn subcommands() -> Vec<String> {
    let definition = definition();
    definition.get_subcommands().map(|c| c.get_name().to_owned()).collect()
}

fn is_subcommand(word: &str) -> bool {
    subcommands().iter().any(|name| name == word)
}

/// What is wrong with a command as it is named. It may lack what must be there, and have a placeholder for a value.
fn complaint(command: &str) -> Option<String> {
    let command = command.replace(['[', ']', '…'], "");
    let words = shlex::split(&command).unwrap_or_else(|| command.split(' ').map(str::to_owned).collect());
    let words = words.iter().map(|word| word.trim_end_matches([',', '.', ';', ':', ')']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if let ["plimsoll", "models", kind, ..] = words[..]
        && kind.starts_with(|c: char| c.is_ascii_lowercase())
        && !KINDS.contains(&kind)
    {
        return Some(format!("the catalogue has no {kind}"));
    }
    let error = definition().try_get_matches_from(&words).err()?;
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => None,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if is_abbreviated(&error) => None,
        _ => Some(error.to_string()),
    }
}

/// Whether the value that is refused is none, as where a flag alone is named, or a placeholder: a word in capitals.
fn is_abbreviated(error: &clap::Error) -> bool {
    match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => value.chars().all(|c| c.is_ascii_uppercase() || "_.|,".contains(c)),
        _ => true,
    }
}

#[test]
fn every_command_that_is_named_exists() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for (name, text) in documents() {
        for command in commands(&text) {
            count += 1;
            complaints.extend(complaint(&command).map(|why| format!("{name}: {command}\n    {why}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(count > 150, "only {count} were found");
}

#[test]
fn commands_that_do_not_exist_are_found() {
    for text in [
        "A site file: `plimsoll make` writes one by asking.",
        "# says what `plimsoll\n# worklog` needs.",
        "```sh\nplimsoll advise SITE.toml --nonsense\n```",
        "  plimsoll bench DIR --depth=3  # measures",
        "or `calibrate --burn FILE.toml`",
        "Run plimsoll worklog on the log.",
        "`plimsoll advise SITE.toml --format yaml`",
        "`plimsoll models nonsense`",
    ] {
        let found = commands(text);
        assert!(found.iter().any(|c| complaint(c).is_some()), "{text}: {found:?}");
    }
    for text in [
        "`plimsoll advise SITE.toml --set people.developers=500`",
        "`plimsoll explain ID`",
        "`plimsoll bench --dry-run` lists them",
        "This version of plimsoll reads schema 1.",
        "plimsoll solve assets/x.toml --compare exact,sim",
    ] {
        let found = commands(text);
        assert!(found.iter().all(|c| complaint(c).is_none()), "{text}: {found:?}");
    }
}
