//! A fact is a type: no sentence is searched, cut or known by a part of it, nor is a kind known by the beginning of an id.
//!
//! What is looked into is what somebody else wrote: files, logs, arguments, ids, markup. Each file that does so stands here with
//! the number of places and what they read; a new one needs a reason that is no sentence of ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plimsoll::document;

/// Folders of what makes sentences.
const FOLDERS: [&str; 7] =
    ["src/advisor", "src/report", "src/emit", "src/cli", "src/desktop", "crates/model/src/system", "crates/page/src"];

/// Ways to look into a text; those that collections have too only where they look for a text.
const LOOKS: [&str; 11] = [
    ".starts_with(",
    ".ends_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".split_once(",
    ".rsplit_once(",
    ".splitn(",
    ".replacen(",
    ".trim_start_matches(",
    ".trim_end_matches(",
    ".match_indices(",
];
const LOOKS_FOR: [&str; 6] = [".contains(", ".find(", ".rfind(", ".split(", ".rsplit(", ".replace("];

/// Files that look into texts, in how many places, and what they read there.
const READ: &[(&str, usize, &str)] = &[
    ("crates/model/src/system/drives.rs", 3, "paths of Windows"),
    ("crates/model/src/system/plant/archives.rs", 2, "mount options"),
    ("crates/model/src/system/plant/network.rs", 2, "mount options"),
    ("crates/model/src/system/tables.rs", 2, "names of tables"),
    ("crates/page/src/block.rs", 2, "the mark of a right column"),
    ("crates/page/src/chart.rs", 7, "digits of a number, and its unit"),
    ("crates/page/src/chart_drawn.rs", 3, "where a label may break"),
    ("crates/page/src/html.rs", 3, "a full stop that a card has or not; whether a link leads to another page"),
    ("crates/page/src/markdown.rs", 3, "what Markdown escapes; a full stop"),
    ("crates/page/src/markup.rs", 5, "what markup escapes; digits of a number"),
    ("crates/page/src/screen.rs", 1, "the place of a number in the words that a caller gives"),
    ("crates/page/src/text.rs", 7, "where a line may break; a full stop"),
    ("src/advisor/against.rs", 6, "paths of answers and --set, as a site file has them"),
    ("src/advisor/evidence.rs", 7, "paths of answers"),
    ("src/advisor/evidence/question.rs", 4, "paths of answers; a number without the noise of binary fractions"),
    ("src/advisor/facts.rs", 4, "a setting's text and amount, and the name of a figure, as their files have them"),
    ("src/advisor/instead.rs", 3, "what a user asks for; versions of a protocol's id"),
    ("src/advisor/opening.rs", 2, "paths of questions"),
    ("src/advisor/rules/edges.rs", 1, "a setting of a server"),
    ("src/advisor/rules/mod.rs", 3, "the file of a rule"),
    ("src/advisor/rules/nfs.rs", 1, "mount options"),
    ("src/advisor/sensitivity.rs", 2, "paths of answers"),
    ("src/advisor/today/action.rs", 2, "mount options"),
    ("src/advisor/today/volumes.rs", 3, "mount options"),
    ("src/emit/file.rs", 1, "comments of a language"),
    ("src/emit/fill.rs", 9, "placeholders in a setting's text, and paths"),
    ("src/emit/mkfs.rs", 8, "placeholders in a filesystem's commands"),
    ("src/emit/mounts.rs", 2, "paths and labels"),
    ("src/emit/p4.rs", 1, "a path of Windows"),
    ("src/emit/quote.rs", 15, "what languages quote"),
    ("src/emit/script.rs", 1, "a command"),
    ("src/emit/settings.rs", 3, "names of settings; what a language quotes"),
    ("src/emit/sheet.rs", 3, "conditions and amounts of a setting, as its file has them"),
    ("src/emit/terraform.rs", 4, "paths as keys; what a language quotes"),
    ("src/emit/windows.rs", 1, "placeholders in a filesystem's command"),
    ("src/report/against.rs", 1, "whether a file is JSON"),
    ("src/report/blend.rs", 2, "ids of measurements and numbers in TOML"),
    ("src/report/calibration.rs", 1, "ids of measurements"),
    ("src/report/csv.rs", 3, "what CSV quotes"),
    ("src/report/diagram_offices.rs", 1, "digits of a number"),
    ("src/report/explanation/glossary.rs", 1, "what a user asks for"),
    ("src/report/explanation/mod.rs", 4, "what a user asks for; headings of a rule"),
    ("src/report/explanation/models.rs", 2, "what a user asks for: the id of an entry or a number"),
    ("src/report/handover/mod.rs", 1, "a full stop that a row has or not"),
    ("src/report/handover/risks.rs", 1, "paths of answers"),
    ("src/report/precision.rs", 1, "an argument of the command line"),
    ("src/report/prose.rs", 1, "a command of Perforce, which keeps its small letter"),
    ("src/report/serverlog/words.rs", 4, "names and times of a server log"),
    ("src/cli/advise.rs", 3, "paths of files"),
    ("src/cli/compare.rs", 5, "arguments: LAYOUT@SCENARIO, and a share"),
    ("src/cli/init.rs", 4, "the name of a file, and paths of answers"),
    ("src/cli/init_from.rs", 1, "lines of an error, set in"),
    ("src/cli/log_part.rs", 1, "an argument: a time"),
    ("src/cli/out.rs", 2, "paths of files"),
    ("src/cli/output.rs", 2, "lines"),
    ("src/cli/prices.rs", 7, "a price list: marks, separators, ids"),
    ("src/cli/rehearse_points.rs", 1, "an argument"),
    ("src/cli/run.rs", 1, "an argument"),
    ("src/cli/solve.rs", 1, "a key of TOML, quoted"),
    ("src/cli/sweep.rs", 3, "an argument, and paths of numbers"),
    ("src/desktop/actions.rs", 1, "names of keys"),
    ("src/desktop/answer/against.rs", 1, "lines of an error, put in one"),
    ("src/desktop/dialog.rs", 5, "paths of files"),
    ("src/desktop/dialogs.rs", 2, "paths of files"),
    ("src/desktop/files.rs", 4, "names of files"),
    ("src/desktop/inquiry.rs", 3, "paths of questions"),
    ("src/desktop/palette.rs", 1, "marks of code in a question"),
    (
        "src/desktop/panels/questionnaire/control.rs",
        2,
        "a list that was typed; the unit of a question, as its file has it",
    ),
    ("src/desktop/panels/questionnaire/data.rs", 6, "paths of questions"),
    ("src/desktop/panels/questionnaire/question.rs", 2, "paths of questions; a limit, as its file has it"),
    ("src/desktop/panels/questionnaire/ui/control.rs", 1, "marks of code in a question"),
    ("src/desktop/panels/questionnaire/ui/guide.rs", 1, "marks of code in a question"),
    ("src/desktop/panels/questionnaire/ui/row.rs", 2, "marks of code in a question"),
    ("src/desktop/panels/questionnaire/ui/text.rs", 4, "the text of a site file"),
    ("src/desktop/panels/recommendation/hero.rs", 1, "where a line may break"),
    ("src/desktop/panels/simulate/ui/charts.rs", 1, "lines"),
    ("src/desktop/panels/simulate/ui/controls.rs", 1, "a time of day that was typed"),
    ("src/desktop/panels/what_if/scale.rs", 8, "what was typed; digits of a number, and its unit"),
    ("src/desktop/reading.rs", 3, "paths of answers, and the text of a site file"),
    ("src/desktop/shell.rs", 4, "what the system says of its display; names of keys"),
    ("src/desktop/widgets/prose.rs", 1, "marks of code"),
    ("src/desktop/widgets/text.rs", 1, "where a line may break"),
];

/// How often code that is no test looks into a text.
fn looks(text: &str) -> usize {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = code.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("//"));
    let in_line = |line: &str| -> usize {
        let plain = LOOKS.iter().map(|way| line.matches(way).count());
        let texts = LOOKS_FOR.iter().map(|way| {
            let after = line.split(way).skip(1);
            let of_text = |rest: &&str| rest.trim_start_matches('[').starts_with(['"', '\'']);
            after.filter(of_text).count()
        });
        plain.chain(texts).sum()
    };
    lines.map(in_line).sum()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn a_sentence_is_made_last_and_looked_into_nowhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in FOLDERS {
        sources(&root.join(folder), &mut files);
    }
    let found = files.iter().filter_map(|file| {
        let count = looks(&document::read_text(file).expect("a file"));
        let name = file.strip_prefix(root).expect("below the root");
        (count > 0).then(|| (name.display().to_string(), count))
    });
    let found: BTreeMap<String, usize> = found.collect();
    let known = READ.iter().map(|(file, count, _)| ((*file).to_owned(), *count));
    let known: BTreeMap<String, usize> = known.collect();
    let differ = |one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>| -> Vec<String> {
        let own = one.iter().filter(|(file, count)| other.get(*file) != Some(count));
        own.map(|(file, count)| format!("{file}: {count}")).collect()
    };
    let [new, gone] = [differ(&found, &known), differ(&known, &found)];
    assert!(
        new.is_empty() && gone.is_empty(),
        "looked into, and not listed with a reason: {new:#?}\nlisted: {gone:#?}"
    );
}

#[test]
fn what_looks_into_a_text_is_seen() {
    let code = "let a = text.starts_with(PREFIX);\n// text.ends_with(x)\nlet b = list.contains(&c) || text.contains(\"the \");\n#[cfg(test)]\ntext.find('c')";
    assert_eq!(looks(code), 2);
}
