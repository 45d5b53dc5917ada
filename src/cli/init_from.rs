//! `plimsoll init --from FILE`: a questionnaire that begins with what pasted outputs say.

use std::path::Path;

use crate::collected::{self, Gathered, Known, Place};
use crate::diag::Diagnostics;
use crate::site::{Vocabulary, parse_unfinished};

/// Reads files and puts what they say into the text of a site file.
pub(super) fn read(
    files: &[String],
    text: &str,
    vocabulary: &Vocabulary,
) -> Result<Gathered, String> {
    let paths = files.iter().map(Path::new);
    let collected = collected::load(paths).map_err(|error| error.to_string())?;
    let check = |text: &str| {
        let site = parse_unfinished("site.toml", text, vocabulary);
        site.map(drop).map_err(|wrong| wrong.first_in_words())
    };
    Gathered::of(collected, text, &check)
}

/// What was read, for a program: members of one object.
pub(super) fn json(gathered: &Gathered) -> serde_json::Value {
    let inputs = &gathered.collected.inputs;
    let file = |place: Place| inputs.get(place.file).map(|input| input.name.as_str());
    let answer = |known: &Known| {
        serde_json::json!({
            "field": known.field,
            "value": known.value,
            "from": known.from,
            "file": file(known.place),
            "line": known.place.line,
            "check": known.check,
        })
    };
    let is_new = |known: &&Known| gathered.is_new(known);
    let volumes = gathered.answers.volumes.iter().map(|volume| {
        serde_json::json!({
            "roles": volume.roles,
            "mounted_on": volume.target,
            "used_bytes": volume.used_bytes,
            "answers": volume.answers.iter().map(answer).collect::<Vec<_>>(),
        })
    });
    let kept = gathered.filled.kept.iter().map(|kept| {
            serde_json::json!({ "field": kept.field, "stated": kept.stated, "read": kept.read, "from": kept.from })
        });
    let questions = gathered
        .answers
        .open
        .iter()
        .map(|open| serde_json::json!({ "field": open.field, "question": open.question }));
    let unread = gathered.collected.unread.iter().map(|unread| {
            serde_json::json!({ "file": file(unread.place), "line": unread.place.line, "text": unread.text })
        });
    serde_json::json!({
        "answers": gathered.answers.known.iter().filter(is_new).map(answer).collect::<Vec<_>>(),
        "volumes": volumes.collect::<Vec<_>>(),
        "kept": kept.collect::<Vec<_>>(),
        "seen": gathered.answers.seen,
        "questions": questions.collect::<Vec<_>>(),
        "not_understood": unread.collect::<Vec<_>>(),
        "not_understood_count": gathered.collected.unread_count,
    })
}

/// The first thing that is wrong, and what would be right.
pub(super) fn reason(wrong: &Diagnostics) -> String {
    format!("   {}", wrong.first_in_words().replace('\n', "\n   "))
}
