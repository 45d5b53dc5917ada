//! `plimsoll advise SITE.toml`: the main job.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::layout::unknown;
use super::out::{self, Below, Document};
use super::output::Outcome;
use super::session::{Library, Session};
use super::{Common, Format, SiteArguments, confirm, prices};
use crate::advisor::{self, Advice, Instead, Prepared};
use crate::catalog::Catalog;
use crate::diag::harmless_line;
use crate::document::read_named;
use crate::emit::{self, ConfigFile};
use crate::page::Page;
use crate::report::json::object;
use crate::report::{self, Advised, Inputs, line};
use crate::site::{self, Site};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    prices: prices::PriceList,
    #[command(flatten)]
    confirm: confirm::Options,
    #[command(flatten)]
    pub(super) common: Common,
    /// Print everything: all volumes, times, other layouts, evidence and assumptions
    #[arg(long)]
    full: bool,
    /// Begin with the system that is there (`[today]`, `infrastructure.current_layout`): what limits it, and what to
    /// change first
    #[arg(long, conflicts_with_all = ["out", "confirm"])]
    from_today: bool,
    /// Compare with another site, or with an answer of an earlier run (`--format json`): what changed, and which answers
    /// are behind it. `--set` changes the first site alone
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["out", "from_today"])]
    against: Option<PathBuf>,
    /// Why not what a customer asks for, beside the recommended layout: a protocol (iscsi, fc, nfs), an array (flashblade), a
    /// layout, or block, file, object, nvme, edges
    #[arg(long, value_name = "WORD", conflicts_with_all = ["out", "from_today", "against"])]
    why_not: Option<String>,
    /// Write the report and the configuration of each server below this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one file of the configuration and nothing else: its path as --out has it, such as commit-server/fstab, or
    /// tfvars for the variables for Terraform
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "from_today", "against"])]
    emit: Option<String>,
    /// With --out: overwrite any files; without it only files of Plimsoll that were not edited since
    #[arg(long, requires = "out")]
    force: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let library = Library::load(&arguments.common)?;
    let session = arguments.prices.open(library, &arguments.site)?;
    if let Some(words) = &arguments.why_not {
        return why_not(session, words, arguments);
    }
    if arguments.from_today {
        return from_today(&session, arguments);
    }
    if let Some(other) = &arguments.against {
        return against(&session, other, arguments);
    }
    arguments.out.as_deref().map_or(Ok(()), out::check)?;
    let wants_variables = arguments.emit.as_deref().is_some_and(|path| path.ends_with(TFVARS));
    if wants_variables && !advisor::can_rent(&session.site, &session.library.catalog) {
        return Err("no file tfvars: no layout of this site has volumes of a cloud".to_owned().into());
    }
    let advice = session.advice(&arguments.confirm, arguments.common.seed);
    if let Some(wanted) = &arguments.emit {
        return emitted(&session, &advice, wanted, arguments.common.format);
    }
    let below = match &arguments.out {
        None => Below::default(),
        Some(folder) => {
            let documents = documents(&session, &advice);
            out::write(folder, &documents, out::over(arguments.force))?
        }
    };
    Ok(shown(&session, &advice, below, arguments))
}

/// The advice in the form that is asked for, and what was written beside it.
fn shown(session: &Session, advice: &Advice, Below { written, earlier }: Below, arguments: &Arguments) -> Outcome {
    let (site, catalog) = (&session.site, &session.library.catalog);
    let missed = advice.falls_short(site);
    let mut tones = Vec::new();
    let mut text = match arguments.common.format {
        Format::Json => {
            let mut answer = Advised::of(&session.inputs(), advice);
            if arguments.out.is_some() {
                answer.written = Some(written);
                answer.earlier = Some(earlier).filter(|earlier| !earlier.is_empty());
            }
            return Outcome::json(&answer, missed);
        }
        Format::Text if arguments.common.quiet => {
            let answer = report::Answer::of(site, catalog, advice);
            format!("{}\n", answer.sentence())
        }
        Format::Text if arguments.full => report::advice_text(session.inputs(), advice),
        Format::Text => {
            let screen = report::advice_screen(site, catalog, advice);
            tones = arguments.common.color.tones(screen.tones);
            screen.text
        }
    };
    if arguments.out.is_some() && !arguments.common.quiet {
        if written.is_empty() {
            line!(text, "\nNothing is recommended, so nothing was written.");
        } else {
            line!(text, "\nWritten");
            line!(text, "═══════");
        }
        for path in &written {
            line!(text, "  {path}");
        }
        if !earlier.is_empty() {
            line!(text, "\nLeft by an earlier answer and no part of this one");
            line!(text, "═════════════════════════════════════════════════");
        }
        for path in &earlier {
            line!(text, "  {path}");
        }
    }
    Outcome::judged(text, missed).toned(tones)
}

/// The largest answer of an earlier run that is read \[B\]: with all its numbers and their origins one has a megabyte or two.
const ANSWER_MAX: u64 = 64 << 20;

/// What a site is compared with.
enum Other<'c> {
    Site(Box<Prepared<'c>>),
    Answer(Box<Advised>),
}

/// What changes from a site to another, or to an answer of an earlier run.
fn against(session: &Session, other: &Path, arguments: &Arguments) -> Result<Outcome, Failure> {
    let text = read_named(other, ANSWER_MAX)?;
    let name = other.to_string_lossy();
    let Session { library, site } = session;
    let site = &advisor::settled(site, &library.vocabulary);
    let other = if report::is_earlier_answer(&text) {
        let earlier = report::earlier_answer(&text).map_err(|reason| format!("{}: {reason}", harmless_line(&name)))?;
        Other::Answer(Box::new(earlier))
    } else {
        let read = site::parse(&name, &text, &site.overrides, &library.vocabulary)?;
        Other::Site(Box::new(library.prepared(read)))
    };
    let doing = |stage: advisor::Stage| library.doing.say(&stage);
    // Solved times are not compared with simulated ones.
    let ask = match &other {
        Other::Answer(earlier) if !earlier.is_confirmed() => advisor::Ask::NOTHING,
        _ => arguments.confirm.ask(arguments.common.seed, &doing),
    };
    let answer = |site: &Site, catalog: &Catalog| {
        let calibration = &library.calibration;
        let advice = advisor::advise_confirmed(site, &library.vocabulary, catalog, calibration, &ask);
        let inputs = Inputs { site, catalog, calibration };
        let answer = Advised::of(&inputs, &advice);
        (advice, answer)
    };
    let (advice, first) = answer(site, &library.catalog);
    let (then, other_site) = match other {
        Other::Answer(earlier) => (*earlier, None),
        Other::Site(other) => (answer(&other.site, &other.catalog).1, Some(other)),
    };
    let chosen = advice.chosen.as_ref();
    let differences = other_site.as_ref().map(|other| {
        let Some(chosen) = chosen else {
            return advisor::untried(site, &other.site);
        };
        let base = advisor::what_if::Base {
            site,
            vocabulary: &library.vocabulary,
            catalog: &library.catalog,
            calibration: &library.calibration,
            layout: &chosen.deployment.layout,
            choices: &chosen.choices,
            confirmed: Some(&chosen.prediction),
        };
        advisor::differences(&base, &other.site)
    });
    let missed = advice.falls_short(site);
    let differences = differences.as_deref();
    let why = report::deciding_sentences(site, &library.catalog, &advice, [&first, &then], differences);
    if arguments.common.format == Format::Json {
        return Ok(Outcome::json(&report::Against::of(&first, &then, differences, &why), missed));
    }
    let files = [site.file.as_str(), &name];
    let [here, there] = files.map(harmless_line);
    let sections = report::against_sections([&first, &then], differences, &why);
    let there = if here == there { "itself" } else { &there };
    let page = Page::new(format!("{here} against {there}"), sections);
    Ok(Outcome::page(&page, missed))
}

/// Why what is asked for is not recommended.
fn why_not(mut session: Session, words: &str, arguments: &Arguments) -> Result<Outcome, Failure> {
    let catalog = &session.library.catalog;
    let instead = Instead::of(catalog, words);
    let all = Instead::words(catalog);
    let instead = instead.ok_or_else(|| unknown(catalog, &session.site, words, &all))?;
    let advise = |session: &Session| session.advice(&arguments.confirm, arguments.common.seed);
    let mut advice = advise(&session);
    let stated = advice.chosen.as_ref();
    let stated = stated.map(|chosen| chosen.deployment.layout.clone());
    let mut allowed = Vec::new();
    let cannot = instead.best(&advice).is_none_or(|best| best.choices.is_none());
    if cannot {
        allowed = instead.allowed(&session.site, &session.library.catalog);
    }
    if !allowed.is_empty() {
        let mut site = arguments.site.clone();
        site.set.extend(allowed.iter().cloned());
        let library = Library::load(&arguments.common)?;
        session = arguments.prices.open(library, &site)?;
        advice = advise(&session);
    }
    let vocabulary = &session.library.vocabulary;
    let found = report::WhyNot::of(&session.inputs(), vocabulary, &advice, &instead, (stated.as_deref(), allowed));
    let missed = advice.falls_short(&session.site);
    Ok(match arguments.common.format {
        Format::Json => Outcome::json(&report::WhyNotJson::of(&session.inputs(), &found), missed),
        Format::Text => Outcome::page(&found.page(), missed),
    })
}

/// Today's system and what to change first.
fn from_today(session: &Session, arguments: &Arguments) -> Result<Outcome, Failure> {
    let Session { library, site } = session;
    library.doing.say(&"what to change first");
    let Library { vocabulary, catalog, calibration, .. } = library;
    let advice = advisor::advise(site, vocabulary, catalog, calibration);
    let found = advisor::today::towards(site, catalog, calibration, Some(&advice)).map_err(Failure::wrong)?;
    let missed = found.falls_short();
    let answer = report::TodayAnswer::of(site, &library.catalog, &found);
    Ok(match arguments.common.format {
        Format::Json => Outcome::json(&report::FromToday::of(&session.inputs(), answer), missed),
        Format::Text if arguments.common.quiet => Outcome::judged(format!("{}\n", answer.verdict.join(" ")), missed),
        Format::Text if arguments.full => Outcome::judged(report::today_text(site, &answer), missed),
        Format::Text => {
            let screen = report::today_screen(site, &answer);
            let tones = arguments.common.color.tones(screen.tones);
            Outcome::judged(screen.text, missed).toned(tones)
        }
    })
}

/// The word for the variables for Terraform, whatever their file is called.
const TFVARS: &str = "tfvars";

/// One file of the configuration, alone.
fn emitted(session: &Session, advice: &Advice, wanted: &str, format: Format) -> Result<Outcome, Failure> {
    let files = emit::configuration(&session.site, &session.library.catalog, advice);
    let is_wanted = |file: &&ConfigFile| {
        let path = file.path();
        // With the folder or without: `--out` writes them below it.
        path == wanted.trim_start_matches("config/") || wanted == TFVARS && path.ends_with(TFVARS)
    };
    let Some(file) = files.iter().find(is_wanted) else {
        let paths: Vec<String> = files.iter().map(ConfigFile::path).collect();
        let there = if paths.is_empty() {
            "nothing is recommended, so there is no configuration".to_owned()
        } else {
            format!("this answer has {}", paths.join(", "))
        };
        return Err(format!("no file {}: {there}", harmless_line(wanted)).into());
    };
    let missed = advice.falls_short(&session.site);
    Ok(match format {
        Format::Json => Outcome::json(&Emitted::of(file), missed),
        Format::Text => Outcome::judged(file.render(), missed),
    })
}

object! {
    /// `advise --emit`.
    Emitted of (file: &ConfigFile) {
        path: String = file.path(), "Where it belongs.";
        text: String = file.render(), "What stands in it.";
    }
}

/// The files beside the answer: the report, and the configuration of each server.
fn documents(session: &Session, advice: &Advice) -> Vec<Document> {
    if advice.chosen.is_none() {
        return Vec::new();
    }
    let files = emit::configuration(&session.site, &session.library.catalog, advice);
    let (form, further) = (report::Form::Html, report::Further::default());
    let path = Path::new("report.html");
    let reported = form.written(path, &session.inputs(), advice, &files, &further);
    let reported = reported.into_iter().map(|(path, text)| Document {
        path: path.to_string_lossy().into_owned(),
        text,
        mark: form.mark(),
    });
    let mut documents: Vec<Document> = reported.collect();
    documents.extend(files.iter().map(|file| Document {
        path: format!("config/{}", file.path()),
        text: file.render(),
        mark: out::CONFIGURATION,
    }));
    documents
}
