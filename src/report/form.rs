//! The hand-over document in the form that the name of its file asks for.

use std::path::Path;

use super::{Inputs, Source, advice_json, report};
use crate::advisor::{self, Advice};
use crate::emit::ConfigFile;
use crate::files::{Mark, Style};
use crate::page::{Section, page_html, page_markdown};

/// What a report holds beside the advice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Further {
    /// Sections of a page, before its appendices.
    pub sections: Vec<Section>,
    /// Keys of the JSON form.
    pub keys: Vec<(&'static str, serde_json::Value)>,
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
        Mark {
            style,
            kind: "a report",
        }
    }

    /// The report on an advice.
    pub fn written(
        self,
        inputs: &Inputs<'_>,
        advice: &Advice,
        configuration: &[ConfigFile],
        further: &Further,
    ) -> String {
        if self == Self::Json {
            let mut answer = advice_json(inputs, advice);
            for (key, value) in &further.keys {
                answer[*key] = value.clone();
            }
            return format!("{}\n", crate::diag::harmless_json(&answer));
        }
        let curves = advisor::curves(inputs.site, inputs.catalog, inputs.calibration, advice);
        let told = report(&Source {
            inputs: *inputs,
            advice,
            curves: curves.as_ref(),
            configuration,
            further: &further.sections,
        });
        match self {
            Self::Markdown => page_markdown(&told),
            _ => page_html(&told),
        }
    }
}
