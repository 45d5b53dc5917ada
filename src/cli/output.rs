//! What a subcommand leaves behind: text for stdout or stderr, and an exit code.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::Format;
use super::color::painted;
use crate::diag::{Errors, harmless, harmless_json};
use crate::page::{Page, Tone, page_text};
use crate::report::json::value;

/// Done.
pub(super) const DONE: u8 = 0;
/// Done, and a target is missed.
pub(super) const MISSED: u8 = 1;
/// The command line is wrong.
pub(super) const USAGE: u8 = 2;
/// The input is wrong.
pub(super) const WRONG: u8 = 3;
/// A measurement failed.
pub(super) const FAILED: u8 = 4;
/// Somebody pressed ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

/// What to print where, and the exit code.
#[derive(Debug)]
pub(crate) struct Outcome {
    out: String,
    err: String,
    code: u8,
    /// How its first lines stand out on a terminal.
    tones: Vec<Tone>,
}

impl Outcome {
    /// Success.
    pub(super) fn done(out: String) -> Self {
        Self { out, err: String::new(), code: DONE, tones: Vec::new() }
    }

    /// An answer that misses a target, or does not.
    pub(super) fn judged(out: String, missed: bool) -> Self {
        Self { code: if missed { MISSED } else { DONE }, ..Self::done(out) }
    }

    /// The same as a page, in the form for a terminal.
    pub(super) fn page(page: &Page, missed: bool) -> Self {
        Self::judged(page_text(page), missed)
    }

    /// A JSON answer; `code` as for text.
    pub(super) fn json(answer: &impl Serialize, missed: bool) -> Self {
        Self::judged(format!("{}\n", harmless_json(&value(answer))), missed)
    }

    /// No answer: why not, in the format that was asked for.
    pub(super) fn failed(code: u8, text: String, json: &serde_json::Value, format: Format) -> Self {
        let err = match format {
            Format::Text => text,
            Format::Json => format!("{}\n", harmless_json(json)),
        };
        Self { err, code, ..Self::done(String::new()) }
    }

    /// The same with lines that stand out on a terminal.
    pub(super) fn toned(self, tones: Vec<Tone>) -> Self {
        Self { tones, ..self }
    }

    /// The same answer; where somebody did not await its end, that is its exit code.
    pub(super) fn interrupted_if(self, interrupted: bool) -> Self {
        Self { code: if interrupted { INTERRUPTED } else { self.code }, ..self }
    }

    /// The same, with warnings on stderr before anything else there.
    pub(super) fn with_warnings(self, warnings: &[String]) -> Self {
        let shown = warnings.iter().flat_map(|one| [one.as_str(), "\n\n"]);
        Self { err: shown.chain([self.err.as_str()]).collect(), ..self }
    }

    /// The same; where parts failed, with one sentence each.
    pub(super) fn with_failures(mut self, reasons: impl IntoIterator<Item = String>) -> Self {
        for reason in reasons {
            self.err.extend(["error: ", &reason, "\n"]);
            self.code = FAILED;
        }
        self
    }

    /// Prints and gives the exit code. Here everything that goes to a terminal is made harmless, whatever
    /// it was made of: titles, paths, arguments, what clap says of them. A closed pipe is the reader's choice; a full disk is an error.
    pub(super) fn print(self) -> ExitCode {
        let written = put("", &self.out, &self.tones);
        let (mut err, mut code) = (self.err, self.code);
        if let Err(error) = written
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            err = format!("error: cannot write the answer: {error}\n");
            code = WRONG;
        }
        // Nothing is left to say where stderr is gone as well.
        let _gone = std::io::stderr().write_all(shown(&err).as_bytes());
        ExitCode::from(code)
    }

    /// A command line that clap refuses; help and version are answers.
    pub(super) fn usage(error: &clap::Error, format: Format) -> Self {
        let text = error.render().to_string();
        let json = Errors::one(text.clone()).by(env!("CARGO_PKG_VERSION")).to_json();
        let failed = Self::failed(USAGE, text, &json, format);
        if error.use_stderr() { failed } else { Self::done(failed.err) }
    }
}

/// Writes a text to standard output as it goes to a terminal, behind escapes that are ours.
pub(super) fn put(escapes: &str, text: &str, tones: &[Tone]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(escapes.as_bytes())?;
    out.write_all(toned(&shown(text), tones).as_bytes())?;
    out.flush()
}

/// Cleaned text whose first lines stand out.
fn toned(text: &str, tones: &[Tone]) -> String {
    if tones.is_empty() {
        return text.to_owned();
    }
    let tones = tones.iter().copied().chain(std::iter::repeat(Tone::Plain));
    let lines = text.split('\n').zip(tones);
    let lines: Vec<String> = lines.map(|(line, tone)| painted(line, tone)).collect();
    lines.join("\n")
}

/// Text as it goes to a terminal; the line ends of CSV stay as they are.
fn shown(text: &str) -> String {
    let lines: Vec<String> = text.split("\r\n").map(harmless).collect();
    lines.join("\r\n")
}
