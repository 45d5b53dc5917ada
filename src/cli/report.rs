//! `plimsoll report SITE.toml -o FILE`: the hand-over document.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::out;
use super::output::Outcome;
use super::{Common, Library, SiteArguments};
use crate::advisor::{self, Advice};
use crate::diag::quoted;
use crate::emit::{self, ConfigFile};
use crate::report::{self, Told};
use crate::site::Site;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    /// Where to write it; what it is follows from the ending: .html, .md or .json
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Write over a file that is no report
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

/// What a report is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// One page for a browser or a printer.
    Html,
    /// Text for a wiki.
    Md,
    /// What `advise --format json` says.
    Json,
}

impl Form {
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Md),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// What a report of this form holds near its beginning.
    fn mark(self) -> &'static str {
        match self {
            Self::Html => "<meta name=\"generator\" content=\"plimsoll ",
            Self::Md => "\n## Recommendation\n",
            Self::Json => "\"tool\": \"",
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let format = arguments.common.format;
    let path = &arguments.output;
    let name = quoted(&path.to_string_lossy());
    let Some(form) = Form::of(path) else {
        let reason = format!("{name}: a report ends in .html, .md or .json");
        return Outcome::wrong_as(&reason, format);
    };
    if !arguments.force
        && let Err(reason) = may_replace(path, form)
    {
        return Outcome::wrong_as(&format!("{name} {reason}"), format);
    }
    let library = match Library::load(&arguments.common) {
        Ok(library) => library,
        Err(outcome) => return outcome,
    };
    let site = match library.site(&arguments.site, format) {
        Ok(site) => site,
        Err(outcome) => return outcome,
    };
    let advice = advisor::advise(
        &site,
        &library.vocabulary,
        &library.catalog,
        &library.calibration,
    );
    let files = emit::configuration(&site, &library.catalog, &library.calibration, &advice);
    let written =
        written(&library, &site, &advice, &files, form).and_then(|text| out::replace(path, &text));
    if let Err(reason) = written {
        return Outcome::wrong_as(&reason, format);
    }
    let missed = advice.chosen.as_ref().is_none_or(|c| !c.missed.is_empty());
    let text = if arguments.common.quiet {
        String::new()
    } else {
        format!("{}\n{}\n", advice.sentence, path.display())
    };
    match format {
        super::Format::Json => {
            let mut answer = library.inputs(&site).header();
            answer.insert("written".to_owned(), path.display().to_string().into());
            Outcome::json(&answer.into(), missed)
        }
        super::Format::Text if missed => Outcome::missed(text),
        super::Format::Text => Outcome::done(text),
    }
}

/// The report on an advice.
pub(super) fn written(
    library: &Library,
    site: &Site,
    advice: &Advice,
    files: &[ConfigFile],
    form: Form,
) -> Result<String, String> {
    let inputs = library.inputs(site);
    if form == Form::Json {
        return Ok(format!("{:#}\n", report::advice_json(&inputs, advice)));
    }
    let views = advisor::views(site, &library.catalog, &library.calibration, advice);
    let told = report::report(&Told {
        inputs,
        advice,
        views: views.as_ref(),
        configuration: files,
    });
    match form {
        Form::Md => Ok(report::report_markdown(&told)),
        _ => report::report_html(&told),
    }
}

/// Whether a file may be written over: there is none, or it is a report of ours.
fn may_replace(path: &Path, form: Form) -> Result<(), String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(format!("cannot be looked at: {error}")),
        Ok(what) if !what.is_file() => return Err("is no file".to_owned()),
        Ok(_) => {}
    }
    let ends = ends(path).map_err(|error| format!("cannot be read: {error}"))?;
    if ends.is_empty() || String::from_utf8_lossy(&ends).contains(form.mark()) {
        return Ok(());
    }
    Err("is there and is no report of plimsoll; --force writes over it".to_owned())
}

/// The beginning and the end of a file: one of them says what made it, in JSON mostly the end.
fn ends(path: &Path) -> std::io::Result<Vec<u8>> {
    const ENOUGH: u64 = 16 << 10;
    let mut file = fs::File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(ENOUGH).read_to_end(&mut bytes)?;
    let rest = file.metadata()?.len().saturating_sub(ENOUGH);
    file.seek(SeekFrom::Start(rest.max(ENOUGH)))?;
    file.take(ENOUGH).read_to_end(&mut bytes)?;
    Ok(bytes)
}
