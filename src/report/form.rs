//! The hand-over document in the form that the name of its file asks for.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::advice_json::Advised;
use super::json::{object, value};
use super::{Inputs, Source, report};
use crate::advisor::{self, Advice};
use crate::diag::harmless_json;
use crate::emit::ConfigFile;
use crate::files::{Mark, Style};
use crate::page::{Section, page_html, page_markdown};
use crate::rehearse::Rehearsed;

/// What a report holds beside the advice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Further {
    /// Sections of a page, before its appendices.
    pub sections: Vec<Section>,
    /// Saved rehearsals, for the JSON form.
    pub rehearsals: Vec<Rehearsed>,
}

/// What a report is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One page for a browser or a printer.
    Html,
    /// Text for a wiki.
    Markdown,
    /// What `advise --format json` says.
    Json,
}

impl Form {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// By what a file that holds a report of this form is known.
    pub fn mark(self) -> Mark {
        let style = match self {
            Self::Html | Self::Markdown => Style::Markup,
            Self::Json => Style::Json,
        };
        Mark { style, kind: "a report" }
    }

    /// The files of a report at a path: the report, and as HTML its appendix.
    pub fn paths(self, path: &Path) -> Vec<PathBuf> {
        let mut all = vec![path.to_owned()];
        if self == Self::Html {
            let part = |part: Option<&OsStr>| part.map_or_else(OsString::new, OsStr::to_owned);
            let mut name = part(path.file_stem());
            name.push("-appendix.");
            name.push(part(path.extension()));
            all.push(path.with_file_name(name));
        }
        all
    }

    /// The report on an advice, a text for each of [`Form::paths`].
    pub fn written(
        self,
        path: &Path,
        inputs: &Inputs<'_>,
        advice: &Advice,
        configuration: &[ConfigFile],
        further: &Further,
    ) -> Vec<(PathBuf, String)> {
        let paths = self.paths(path);
        let texts = if self == Self::Json {
            let answer = value(&Reported::of(inputs, advice, &further.rehearsals));
            vec![format!("{}\n", harmless_json(&answer))]
        } else {
            Self::pages(&paths, inputs, advice, configuration, further)
        };
        paths.into_iter().zip(texts).collect()
    }

    fn pages(
        paths: &[PathBuf],
        inputs: &Inputs<'_>,
        advice: &Advice,
        configuration: &[ConfigFile],
        further: &Further,
    ) -> Vec<String> {
        let curves = advisor::curves(inputs.site, inputs.catalog, inputs.calibration, advice);
        let told = report(&Source {
            inputs: *inputs,
            advice,
            curves: curves.as_ref(),
            configuration,
            further: &further.sections,
        });
        let name =
            |path: &PathBuf| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        match paths {
            [read, looked_up] => {
                let names = [read, looked_up].map(name);
                let parts = told.in_two(names.each_ref().map(String::as_str));
                parts.iter().map(page_html).collect()
            }
            _ => vec![page_markdown(&told)],
        }
    }
}

object! {
    /// A report as `.json`. Its file begins with `mark`, by which Plimsoll knows it again.
    Reported of (inputs: &Inputs<'_>, advice: &Advice, rehearsals: &[Rehearsed]) {
        #[serde(flatten)] advised: Advised = Advised::of(inputs, advice);
        #[serde(skip_serializing_if = "Vec::is_empty")] rehearsals: Vec<Rehearsed> = rehearsals.to_vec(), "With `--rehearsal`: the saved rehearsals.";
    }
}
