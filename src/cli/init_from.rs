//! `plimsoll init --from FILE`: a questionnaire that begins with what pasted outputs say.

use std::path::Path;

use crate::collected::{self, Collected, Gathered, Kept, Known, Open, Place, Unread, Volume};
use crate::diag::Diagnostics;
use crate::report::json::{list, object};
use crate::site::{Vocabulary, parse_unfinished};

/// Reads files and puts what they say into the text of a site file.
pub(super) fn read(files: &[String], text: &str, vocabulary: &Vocabulary) -> Result<Gathered, String> {
    let paths = files.iter().map(Path::new);
    let collected = collected::load(paths).map_err(|error| error.to_string())?;
    let check = |text: &str| {
        let site = parse_unfinished("site.toml", text, vocabulary);
        site.map(drop).map_err(|wrong| wrong.first_in_words())
    };
    Gathered::of(collected, text, &check)
}

object! {
    /// What outputs of a server say.
    OutputsRead of (gathered: &Gathered) [let (answers, collected) = (&gathered.answers, &gathered.collected);] {
        volumes: Vec<KnownVolume> = list(&answers.volumes, |volume| KnownVolume::of(volume, collected)), "Volumes of the server.";
        kept: Vec<KeptAnswer> = list(&gathered.filled.kept, KeptAnswer::of), "Answers of the file that stay.";
        seen: Vec<String> = answers.seen.clone(), "What else was seen, in sentences.";
        questions: Vec<OpenQuestion> = list(&answers.open, OpenQuestion::of), "What the outputs leave open.";
        not_understood: Vec<UnreadLine> = list(&collected.unread, |unread| UnreadLine::of(unread, collected)), "The first lines that were not understood.";
        not_understood_count: usize = collected.unread_count, "How many were not.";
    }

    /// An answer that an output decides.
    KnownAnswer of (known: &Known, collected: &Collected) {
        field: String = known.field.clone(), "Its field.";
        value: String = known.value.clone(), "As typed into a site file.";
        from: String = known.from.clone(), "The output that says it.";
        file: Option<String> = file(collected, known.place), "The file in which it stands.";
        line: usize = known.place.line, "The line.";
        check: Option<String> = known.check.clone(), "What to check, or null.";
    }

    /// A volume of the server.
    KnownVolume of (volume: &Volume, collected: &Collected) {
        roles: Vec<String> = list(&volume.roles, ToString::to_string), "What lies there.";
        mounted_on: String = volume.target.clone(), "Where it is mounted.";
        used_bytes: Option<f64> = volume.used_bytes, "Used space; null where no output says it.";
        answers: Vec<KnownAnswer> = list(&volume.answers, |known| KnownAnswer::of(known, collected)), "Its answers.";
    }

    /// An answer of the file that stays.
    KeptAnswer of (kept: &Kept) {
        field: String = kept.field.clone(), "Its field.";
        stated: String = kept.stated.clone(), "What the file states.";
        read: String = kept.read.clone(), "What the outputs say.";
        from: String = kept.from.clone(), "The output that says it.";
    }

    /// A question that the outputs leave open.
    OpenQuestion of (open: &Open) {
        field: String = open.field.clone(), "Its field.";
        question: String = open.question.clone(), "The question.";
    }

    /// A line that was not understood.
    UnreadLine of (unread: &Unread, collected: &Collected) {
        file: Option<String> = file(collected, unread.place), "The file.";
        line: usize = unread.place.line, "The line.";
        text: String = unread.text.clone(), "What stands there.";
    }
}

impl KnownAnswer {
    /// Those that the outputs decide.
    pub(super) fn all(gathered: &Gathered) -> Vec<Self> {
        let known = gathered.answers.known.iter();
        let new = known.filter(|known| gathered.is_new(known));
        list(new, |known| Self::of(known, &gathered.collected))
    }
}

/// The name of the file in which a place lies.
fn file(collected: &Collected, place: Place) -> Option<String> {
    let input = collected.inputs.get(place.file);
    input.map(|input| input.name.clone())
}

/// The first thing that is wrong, and what would be right.
pub(super) fn reason(wrong: &Diagnostics) -> String {
    format!("   {}", wrong.first_in_words().replace('\n', "\n   "))
}
