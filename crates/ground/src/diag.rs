//! Diagnostics for people: what was found, where, what is allowed, the nearest right spelling.
//!
//! Knows source texts, spans and how to print them with a caret (or as JSON). A reader pushes
//! into a [`Diagnostics`] sink and goes on, so that one run reports every problem.
//!
//! ```
//! use plimsoll_ground::diag::{Diagnostic, Diagnostics};
//! let mut diagnostics = Diagnostics::default();
//! let file = diagnostics.add_source("site.toml", "users = -3\n");
//! diagnostics.push(Diagnostic::error("SIT004", "users must be at least 1").at(file, 8..10, "found -3"));
//! let text = diagnostics.render();
//! assert!(text.contains("--> site.toml:1:9"), "{text}");
//! ```

mod words;

use std::cell::{Cell, RefCell};
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use schemars::JsonSchema;
use serde::Serialize;

pub use words::{harmless, harmless_json, harmless_line, is_harmful, nearest, nearest_in_words, quoted};

/// Which text a span lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceId(usize);

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which text.
    pub source: SourceId,
    /// Bytes from and to.
    pub span: Range<usize>,
}

/// How bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input is usable.
    Warning,
    /// It is not.
    Error,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code; `plimsoll explain CODE` tells more.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// Where, and what stands there.
    pub label: Option<(Place, String)>,
    /// What is allowed, what to do.
    pub help: Vec<String>,
    /// The path of the key that is missing, where one is: it stands nowhere.
    pub missing: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, message: message.into(), label: None, help: Vec::new(), missing: None }
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Points at a place.
    #[must_use]
    pub fn at(mut self, source: SourceId, span: Range<usize>, text: impl Into<String>) -> Self {
        self.label = Some((Place { source, span }, text.into()));
        self
    }

    /// Adds a line of help.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds "did you mean" when a known word is near.
    #[must_use]
    pub fn suggest<'a>(self, found: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(found, known) {
            Some(word) => self.help(format!("did you mean {word:?}?")),
            None => self,
        }
    }
}

#[derive(Debug, Clone)]
struct Source {
    name: String,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
    /// Characters before each block of [`BLOCK`] bytes.
    characters: Vec<usize>,
}

/// Places are counted from the block that they are in: a file of thousands of mistakes, or of places to
/// remember, may be one long line.
const BLOCK: usize = 1024;

impl Source {
    fn new(name: String, text: String) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        let mut sum = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let before = sum;
            sum += begun(block);
            before
        });
        let characters = blocks.collect();
        Self { name, text, lines, characters }
    }

    /// Characters that begin before a byte.
    fn characters_before(&self, at: usize) -> usize {
        let block = at / BLOCK;
        let Some(before) = self.characters.get(block) else {
            // The end of a text that fills its blocks.
            let last = self.characters.last().copied().unwrap_or(0);
            let from = self.characters.len().saturating_sub(1) * BLOCK;
            return last + begun(&self.text.as_bytes()[from..]);
        };
        before + begun(&self.text.as_bytes()[block * BLOCK..at])
    }
}

/// Characters that begin in some bytes of UTF-8.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// The sink: texts and what is wrong in them.
#[derive(Debug, Default)]
pub struct Diagnostics {
    sources: Vec<Source>,
    items: RefCell<Vec<Diagnostic>>,
    /// Reports that came after [`KEPT_MAX`].
    dropped: Cell<usize>,
}

/// More than this is not read by anybody; the rest is counted.
const SHOWN_MAX: usize = 50;

/// More than this is not kept: a hostile megabyte has hundreds of thousands of mistakes.
const KEPT_MAX: usize = 1000;

impl Diagnostics {
    /// Registers a text under the name that messages show.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.sources.push(Source::new(name.into(), text.into()));
        SourceId(self.sources.len() - 1)
    }

    /// The text of a source.
    pub fn text(&self, source: SourceId) -> &str {
        &self.sources[source.0].text
    }

    /// The name of a source.
    pub fn name(&self, source: SourceId) -> &str {
        &self.sources[source.0].name
    }

    /// Reports one problem. Takes `&self`, so that many readers can hold the sink.
    ///
    /// Keeps a thousand; an error that comes later replaces a warning, so that it is not lost.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut items = self.items.borrow_mut();
        if items.len() < KEPT_MAX {
            items.push(diagnostic);
            return;
        }
        self.dropped.set(self.dropped.get() + 1);
        let is_warning = |d: &Diagnostic| d.severity == Severity::Warning;
        if !is_warning(&diagnostic)
            && let Some(warning) = items.iter_mut().find(|d| is_warning(d))
        {
            *warning = diagnostic;
        }
    }

    /// How many problems were reported so far.
    pub fn count(&self) -> usize {
        self.items.borrow().len() + self.dropped.get()
    }

    /// Whether anything makes the input unusable.
    pub fn has_errors(&self) -> bool {
        self.items.borrow().iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.items.borrow().is_empty()
    }

    /// All reports in the order of their places.
    pub fn sorted(&self) -> Vec<Diagnostic> {
        let mut items = self.items.borrow().clone();
        items.sort_by_key(|d| d.label.as_ref().map(|(place, _)| (place.source, place.span.start)));
        items
    }

    /// What is wrong first, and what would be right: a line each.
    pub fn first_in_words(&self) -> String {
        let all = self.sorted();
        let errors = |d: &&Diagnostic| d.severity == Severity::Error;
        let first = all.iter().find(errors).or_else(|| all.first());
        first.map_or_else(String::new, |first| {
            let lines = std::iter::once(&first.message).chain(&first.help);
            let lines: Vec<String> = lines.map(|line| harmless_line(line)).collect();
            lines.join("\n")
        })
    }

    /// The line and column (both from 1, columns in characters) of a place.
    pub fn line_column(&self, place: &Place) -> (usize, usize) {
        let source = &self.sources[place.source.0];
        let mut at = place.span.start.min(source.text.len());
        while !source.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = source.lines.partition_point(|start| *start <= at);
        let start = source.lines[line - 1];
        let column = source.characters_before(at) - source.characters_before(start) + 1;
        (line, column)
    }

    /// Text with line, column, caret and help for each report, and a count at the end.
    pub fn render(&self) -> String {
        let renderer = Renderer::plain().decor_style(DecorStyle::Ascii);
        let items = self.sorted();
        let mut out = String::new();
        for diagnostic in items.iter().take(SHOWN_MAX) {
            out.push_str(&harmless(&renderer.render(&[self.group(diagnostic)])));
            out.push_str("\n\n");
        }
        if items.len() > SHOWN_MAX {
            let more = items.len() - SHOWN_MAX + self.dropped.get();
            let rest = format!("… and {more} more\n");
            out.push_str(&rest);
        }
        let errors = items.iter().filter(|d| d.severity == Severity::Error).count();
        let warnings = items.len() - errors;
        // What was dropped is counted with the worse kind.
        let (errors, warnings) = match errors {
            0 => (0, warnings + self.dropped.get()),
            n => (n + self.dropped.get(), warnings),
        };
        let count = match (errors, warnings) {
            (0, w) => counted(w, "warning"),
            (e, 0) => counted(e, "error"),
            (e, w) => format!("{}, {}", counted(e, "error"), counted(w, "warning")),
        };
        out.push_str(&count);
        out.push('\n');
        out
    }

    /// Each report on its own, as [`Diagnostics::render`] prints it, in the order of their places.
    pub fn render_each(&self) -> Vec<String> {
        let renderer = Renderer::plain().decor_style(DecorStyle::Ascii);
        let items = self.sorted();
        let items = items.iter().take(SHOWN_MAX);
        items.map(|diagnostic| harmless(&renderer.render(&[self.group(diagnostic)]))).collect()
    }

    fn group<'a>(&'a self, diagnostic: &'a Diagnostic) -> Group<'a> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(&diagnostic.message).id(diagnostic.code));
        if let Some((place, text)) = &diagnostic.label {
            let source = &self.sources[place.source.0];
            let (line, span) = line_of(&source.text, &place.span);
            group = group.element(
                Snippet::source(line)
                    .path(harmless_line(&source.name))
                    .line_start(self.line_column(place).0)
                    .annotation(AnnotationKind::Primary.span(span).label(text)),
            );
        }
        for help in &diagnostic.help {
            group = group.element(Level::HELP.message(help));
        }
        group
    }

    /// The same as JSON: [`Errors`].
    pub fn to_json(&self) -> serde_json::Value {
        let all = self.sorted().into_iter();
        let told = all.map(|d| {
            let place = d.label.as_ref().map(|(place, _)| place);
            let (line, column) = place.map(|p| self.line_column(p)).unzip();
            ErrorJson {
                message: d.message.clone(),
                diagnosed: Some(Diagnosed {
                    code: d.code.to_owned(),
                    severity: d.severity,
                    file: place.map(|p| self.name(p.source).to_owned()),
                    line,
                    column,
                    found: d.label.as_ref().map(|(_, text)| text.clone()),
                    help: d.help.clone(),
                }),
            }
        });
        Errors::of(told.collect()).to_json()
    }
}

/// Why there is no answer, on stderr; the exit code is the same as with text.
#[derive(Serialize, JsonSchema)]
pub struct Errors {
    /// Version of the form of answers.
    schema: u32,
    /// Version of plimsoll, where the command line is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// Each error.
    errors: Vec<ErrorJson>,
}

/// An error.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Error")]
struct ErrorJson {
    /// What is wrong.
    message: String,
    #[serde(flatten)]
    diagnosed: Option<Diagnosed>,
}

/// What is known of an error in a file.
#[derive(Serialize, JsonSchema)]
struct Diagnosed {
    /// Stable code; `plimsoll explain CODE` tells more.
    code: String,
    /// How bad it is.
    severity: Severity,
    /// The file as named; null where there is no place, as the next three.
    file: Option<String>,
    /// The line, from 1.
    line: Option<usize>,
    /// The column, from 1.
    column: Option<usize>,
    /// What stands there.
    found: Option<String>,
    /// What is allowed, what to do.
    help: Vec<String>,
}

impl Errors {
    fn of(errors: Vec<ErrorJson>) -> Self {
        Self { schema: 1, tool: None, errors }
    }

    /// One error that is told in a sentence.
    pub fn one(message: String) -> Self {
        Self::of(vec![ErrorJson { message, diagnosed: None }])
    }

    /// A file that cannot be read.
    pub fn unread(code: &str, message: String) -> Self {
        let diagnosed = Some(Diagnosed {
            code: code.to_owned(),
            severity: Severity::Error,
            file: None,
            line: None,
            column: None,
            found: None,
            help: Vec::new(),
        });
        Self::of(vec![ErrorJson { message, diagnosed }])
    }

    /// The same with the version of the tool.
    #[must_use]
    pub fn by(self, tool: &str) -> Self {
        Self { tool: Some(tool.to_owned()), ..self }
    }

    /// The object with its keys in alphabetical order.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("errors have texts as keys")
    }
}

/// "1 error", "3 errors".
fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The first line of a span, and the span inside it, on character boundaries.
///
/// Only this line goes to the renderer, which would read a megabyte for each message otherwise.
fn line_of<'a>(text: &'a str, span: &Range<usize>) -> (&'a str, Range<usize>) {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let end = floor(span.end).clamp(start, line_end);
    (&text[line_start..line_end], start - line_start..end - line_start)
}

#[cfg(test)]
mod tests {
    use super::{Diagnostics, Place};

    #[test]
    fn places_are_those_that_counting_finds() {
        let texts = [
            String::new(),
            "\n".to_owned(),
            "a\nbé漢\n🚢c".to_owned(),
            "é\n".repeat(700),
            "漢".repeat(1025),
            format!("{}\n{}", "a".repeat(2047), "🚢".repeat(512)),
            "x".repeat(2048),
        ];
        for text in texts {
            let mut diagnostics = Diagnostics::default();
            let source = diagnostics.add_source("a", text.as_str());
            for start in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let before = &text[..start];
                let line_start = before.rfind('\n').map_or(0, |end| end + 1);
                let wanted = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
                let place = Place { source, span: start..start };
                assert_eq!(diagnostics.line_column(&place), wanted, "{start}");
            }
        }
    }
}
