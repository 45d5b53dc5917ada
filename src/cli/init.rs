//! `plimsoll init [SITE.toml]`: the questionnaire at a terminal, or from a pipe.
//!
//! Questions go to standard error, the advice at the end to standard output. The file is written after each answer,
//! so that an interrupted session goes on where it ended.

use std::io::{self, BufRead, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::init_began::{Began, Initiated, InitiatedAdvised};
use super::init_from::reason;
use super::out::{self, Output};
use super::output::Outcome;
use super::session::{Library, Session};
use super::{Common, Format, confirm, places};
use crate::advisor::{self, OFFICES, OPENING, Prepared, is_of_a_list};
use crate::diag::{Diagnostics, harmless, harmless_line, nearest_in_words, quoted};
use crate::document::{self, edit};
use crate::files::{Over, checksum};
use crate::report::{self, Answer, Asked};
use crate::site::{self, EXAMPLES, FIELDS, Kind, Site, Vocabulary, field, how_to_find, parse_unfinished, required};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site file to write; if it exists, only its open questions are asked
    #[arg(value_name = "SITE.toml", default_value = "site.toml")]
    site: PathBuf,
    /// Copy an example instead of asking; or begin with what a file of pasted outputs says, or the file that the script
    /// of `plimsoll collect` writes (repeatable)
    #[arg(long, value_name = "EXAMPLE|FILE")]
    from: Vec<String>,
    /// Begin with what server logs say, measured: of p4d, edges, proxies, in their order, plain or packed; the site file
    /// stands before this option
    #[arg(long, value_name = "LOG", num_args = 1..)]
    log: Vec<PathBuf>,
    /// How many questions to ask beyond the required ones, an office being one [default: 12; none after --from FILE or --log
    /// without a terminal]
    #[arg(long, value_name = "N")]
    questions: Option<usize>,
    /// Overwrite a file that is not a site file, and with --from EXAMPLE any file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    confirm: confirm::Options,
    #[command(flatten)]
    pub(super) common: Common,
}

/// What a new file begins with.
const HEAD: &str =
    "# Answers to docs/site-file.md, written by `plimsoll init`, which also asks for what is open.\nschema = 1\n";

/// How many questions are asked where nobody says it.
const QUESTIONS: usize = 12;

/// The title of a site whose server has no name in its outputs.
const NAMELESS: &str = "\"Perforce server\"";

/// Longest line of input that is read.
const LINE_MAX: u64 = 1 << 16;

/// What a person answers who has no further office.
const NO_OFFICE: [&str; 4] = ["no", "none", "n", "-"];

/// What is said where a question that must be answered was passed.
const MUST: &str = "This question must be answered.";

/// What a person may type beside an answer.
const KEYS: &str = "Enter takes the assumption, ? says how to find the answer, . ends the questions.";

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let format = arguments.common.format;
    let example = match &arguments.from[..] {
        [name] if is_example(name) || !Path::new(name).exists() => Some(example(name)?),
        _ => None,
    };
    let from = arguments.from.iter().map(Path::new);
    // A site file that is given as a log is refused with where it stands.
    let is_site = |path: &&Path| path.extension().is_some_and(|end| end == "toml");
    let logs = arguments.log.iter().map(PathBuf::as_path);
    let logs = logs.filter(|log| !is_site(log));
    places::apart(from.chain(logs), [arguments.site.as_path()])?;
    if let (Some(text), true) = (example, arguments.log.is_empty()) {
        return Ok(copy(text, arguments)?);
    }
    let library = Library::load(&arguments.common)?;
    let (mut text, over) = match example {
        Some(text) => (text.to_owned(), out::over(arguments.force)),
        None => begin(arguments, &library)?,
    };
    let files = match example {
        Some(_) => &[],
        None => &arguments.from[..],
    };
    let began = Began::read(files, &arguments.log, &arguments.site, &mut text, &library)?;
    let asks = io::stdin().is_terminal() || arguments.questions.is_some();
    let mut form = Form {
        library: &library,
        path: &arguments.site,
        text,
        passed: Vec::new(),
        input: Box::new(io::stdin().lock()),
        echo: !io::stdin().is_terminal(),
        number: 0,
        over,
        written: false,
    };
    // A folder that takes no file is reported before the first question, not after the last.
    drop(form.output().begin()?);
    if began.is_read() {
        if !asks {
            form.name_it()?;
            form.write()?;
            return Ok(began.outcome(&arguments.site, &form.open(), format));
        }
        form.say(&began.said());
    }
    let ended = form.required()?;
    if !ended {
        form.say(KEYS);
        let most = arguments.questions.unwrap_or(QUESTIONS);
        if let Some(left) = form.opening(most)? {
            form.decisive(left)?;
        }
    }
    if !form.written {
        form.write()?;
    }
    form.say(&format!("Written to {}.", shown(&arguments.site)));
    let Ok(site) = form.read() else {
        return Ok(form.unfinished(format));
    };
    drop(form);
    Ok(advised(arguments, &library.about(site)))
}

/// The advice with which the questions end.
fn advised(arguments: &Arguments, session: &Session) -> Outcome {
    let advice = session.advice(&arguments.confirm, arguments.common.seed);
    let (site, catalog) = (&session.site, &session.library.catalog);
    let missed = advice.falls_short(site);
    match arguments.common.format {
        Format::Json => {
            let answer = InitiatedAdvised::of(&session.inputs(), &advice, &arguments.site);
            Outcome::json(&answer, missed)
        }
        Format::Text if arguments.common.quiet => {
            let answer = Answer::of(site, catalog, &advice);
            Outcome::judged(format!("{}\n", answer.sentence()), missed)
        }
        Format::Text => {
            let screen = report::advice_screen(site, catalog, &advice);
            let tones = arguments.common.color.tones(screen.tones);
            Outcome::judged(screen.text, missed).toned(tones)
        }
    }
}

fn is_example(name: &str) -> bool {
    let plain = name.trim_end_matches(".toml");
    EXAMPLES.iter().any(|(name, ..)| *name == plain)
}

/// The text of an example.
fn example(name: &str) -> Result<&'static str, String> {
    let names = EXAMPLES.map(|(name, ..)| name);
    let plain = name.trim_end_matches(".toml");
    let Some((.., text)) = EXAMPLES.iter().find(|(name, ..)| *name == plain) else {
        let near = nearest_in_words(plain, names);
        let (name, known) = (quoted(name), names.join(", "));
        return Err(format!("no file and no example {name}{near} (known: {known})"));
    };
    Ok(text)
}

/// Copies an example.
fn copy(text: &str, arguments: &Arguments) -> Result<Outcome, String> {
    Output::new(&arguments.site, None, arguments.force).write(text)?;
    Ok(match arguments.common.format {
        Format::Json => Outcome::json(&Initiated::of(&arguments.site, None, None), false),
        Format::Text => {
            let path = shown(&arguments.site);
            Outcome::done(format!("Written to {path}. Next: plimsoll advise {path}\n"))
        }
    })
}

/// The text to begin with, that of the file if it is a site file, and what may be written over: that file as it was read.
fn begin(arguments: &Arguments, library: &Library) -> Result<(String, Over), Failure> {
    if std::fs::symlink_metadata(&arguments.site).is_err() {
        return Ok((HEAD.to_owned(), Over::Nothing));
    }
    let text = document::read_text(&arguments.site)?;
    let paths = answered(&text);
    let is_site = paths.iter().any(|p| p == "schema") && paths.iter().any(|p| p == "name" || p.starts_with("people."));
    let is_empty = text.trim().is_empty() || text == HEAD;
    if !is_site && !is_empty {
        if arguments.force {
            return Ok((HEAD.to_owned(), Over::Anything));
        }
        let path = quoted(&arguments.site.to_string_lossy());
        return Err(format!("{path} is not a site file; --force overwrites it").into());
    }
    let over = Over::Same(checksum(text.bytes()));
    let text = if is_empty { HEAD.to_owned() } else { text };
    parse(&arguments.site, &text, &library.vocabulary)?;
    Ok((text, over))
}

/// The name of a file in a sentence: one line, and nothing that a terminal would obey.
pub(super) fn shown(path: &Path) -> String {
    harmless_line(&path.to_string_lossy())
}

/// The paths that a text has values for.
fn answered(text: &str) -> Vec<String> {
    let values = edit::values(text).into_iter();
    values.map(|(path, ..)| path).collect()
}

/// Reads a text; where something required is still open, as if it had been answered.
fn parse(path: &Path, text: &str, vocabulary: &Vocabulary) -> Result<Site, Box<Diagnostics>> {
    parse_unfinished(&path.to_string_lossy(), text, vocabulary)
}

/// What a person typed.
enum Reply {
    Answer(String),
    Assume,
    End,
}

/// The questionnaire while it is filled in.
struct Form<'a> {
    library: &'a Library,
    path: &'a Path,
    text: String,
    /// Questions that were asked and not answered.
    passed: Vec<String>,
    input: Box<dyn BufRead>,
    /// Whether what was typed is not on the screen by itself.
    echo: bool,
    number: usize,
    /// What may be written over: the file as this last saw it, so that what somebody edits meanwhile is not lost.
    over: Over,
    written: bool,
}

impl Form<'_> {
    /// Asks what must be answered; whether somebody ended it.
    fn required(&mut self) -> Result<bool, String> {
        for field in required() {
            if answered(&self.text).iter().any(|p| p == field.path) {
                continue;
            }
            let asked = Asked {
                question: field.question.to_owned(),
                assumed: String::new(),
                value: String::new(),
                case: String::new(),
                path: field.path.to_owned(),
            };
            loop {
                match self.answer(&asked, |form, typed| form.set(field.path, typed))? {
                    Some(true) => break,
                    Some(false) => self.must(),
                    None => return Ok(true),
                }
            }
        }
        Ok(false)
    }

    /// Asks what is known in the room, at most so many questions; how many of them are left, none where somebody ended it.
    fn opening(&mut self, most: usize) -> Result<Option<usize>, String> {
        let mut left = most;
        for path in OPENING {
            let is_known = answered(&self.text).iter().any(|known| known == path);
            if is_known || left == 0 {
                continue;
            }
            left -= 1;
            let is_going_on = if path == OFFICES {
                self.offices()?
            } else {
                let asked = self.asked(path, field(path).map_or("", |f| f.question));
                let reply = self.answer(&asked, |form, typed| form.set(path, typed))?;
                self.passed.push(path.to_owned());
                reply.is_some()
            };
            if !is_going_on {
                return Ok(None);
            }
        }
        Ok(Some(left))
    }

    /// A question with what is assumed, before anything is computed.
    fn asked(&self, path: &str, question: &str) -> Asked {
        let assumptions = self.read().map_or_else(|_open| Vec::new(), |site| site.assumptions());
        let assumed = assumptions.into_iter().find(|a| a.field == path);
        let catalog = &self.library.catalog;
        let assumed = assumed.map_or(String::new(), |a| report::range(catalog, &a));
        Asked {
            question: question.to_owned(),
            value: String::new(),
            case: String::new(),
            path: path.to_owned(),
            assumed,
        }
    }

    /// Asks for offices beside the main one, one after the other, until there is no further; false where somebody ended it.
    fn offices(&mut self) -> Result<bool, String> {
        for office in edit::count_tables(&self.text, OFFICES).. {
            let question = match office {
                0 => "Is there an office beside the main one? What is it called?",
                _ => "Is there a further office? What is it called?",
            };
            let of = |key: &str| format!("{OFFICES}.{office}.{key}");
            let with = |form: &Self, name: &str, developers: &str| {
                let name = site::spelling(&of("name"), name);
                let values = [("name", name.as_str()), ("developers", developers)];
                let text = edit::push_table(&form.text, OFFICES, &values);
                let text = text.map_err(|error| format!("   {error}"))?;
                parse(form.path, &text, &form.library.vocabulary).map_err(|wrong| reason(&wrong))?;
                Ok(text)
            };
            let mut name = String::new();
            let mut asked = self.asked(&of("name"), question);
            "no such office".clone_into(&mut asked.assumed);
            match self.answer(&asked, |form, typed| {
                typed.clone_into(&mut name);
                with(form, typed, "1").map(drop)
            })? {
                Some(true) if NO_OFFICE.contains(&name.to_lowercase().as_str()) => return Ok(true),
                Some(true) => {}
                Some(false) => return Ok(true),
                None => return Ok(false),
            }
            let asked_of = |form: &Self, key: &str| {
                let path = of(key);
                let question = field(&path).map_or("", |f| f.question);
                form.asked(&path, question)
            };
            let asked = asked_of(self, "developers");
            loop {
                match self.answer(&asked, |form, typed| {
                    form.text = with(form, &name, typed)?;
                    form.write().map_err(|reason| format!("   {reason}"))
                })? {
                    Some(true) => break,
                    Some(false) => self.must(),
                    None => return Ok(false),
                }
            }
            for key in ["round_trip", "bandwidth"] {
                let asked = asked_of(self, key);
                let path = of(key);
                if self.answer(&asked, |form, typed| form.set(&path, typed))?.is_none() {
                    return Ok(false);
                }
                self.passed.push(path);
            }
        }
        Ok(true)
    }

    /// Asks what matters most, anew after each answer, at most so many questions.
    fn decisive(&mut self, most: usize) -> Result<(), String> {
        let mut questions: Vec<Asked> = Vec::new();
        let mut is_stale = true;
        for _ in 0..most {
            if is_stale {
                questions = self.ranked();
            }
            questions.retain(|q| !self.passed.contains(&q.path));
            let Some(next) = questions.first().cloned() else {
                return Ok(());
            };
            match self.answer(&next, |form, typed| form.set(&next.path, typed))? {
                Some(is_answered) => is_stale = is_answered,
                None => return Ok(()),
            }
            self.passed.push(next.path);
        }
        Ok(())
    }

    /// The open questions: those that move the advice, most first, then the others in the order of asking.
    fn ranked(&self) -> Vec<Asked> {
        let Ok(site) = self.read() else {
            return Vec::new();
        };
        let library = self.library;
        let Prepared { site, catalog } = library.prepared(site);
        let advice = advisor::advise(&site, &library.vocabulary, &catalog, &library.calibration);
        let mut found = Answer::of(&site, &catalog, &advice).questions;
        let known = answered(&self.text);
        let rest = FIELDS.iter().filter(|f| {
            f.kind != Kind::Tables
                && !is_of_a_list(f.path)
                && !f.path.starts_with("today.")
                && !known.iter().any(|p| p == f.path)
                && !found.iter().any(|q| q.path == f.path)
        });
        let rest: Vec<Asked> = rest.map(|f| report::asked(&catalog, &site, &advice, f.path)).collect();
        found.extend(rest);
        found
    }

    /// Asks one question until `take` takes the answer: true; false where the assumption is, none at the end.
    fn answer(
        &mut self,
        asked: &Asked,
        mut take: impl FnMut(&mut Self, &str) -> Result<(), String>,
    ) -> Result<Option<bool>, String> {
        self.number += 1;
        let mut said = format!("\n{}. {}", self.number, asked.question);
        let details: Vec<&str> =
            [asked.assumed.as_str(), asked.case.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
        if !details.is_empty() {
            let assumed = if asked.assumed.is_empty() { "It " } else { "Assumed " };
            said = format!("{said}\n   {assumed}{}.", details.join("; "));
        }
        let unit = field(&asked.path).map_or("", |f| f.unit);
        said = format!("{said}\n   ({}: {unit})", asked.path);
        self.say(&said);
        loop {
            let typed = match self.reply()? {
                Reply::Answer(typed) => typed,
                Reply::Assume => return Ok(Some(false)),
                Reply::End => return Ok(None),
            };
            if typed == "?" {
                let help = self.help(&asked.path);
                self.say(&help);
                continue;
            }
            match take(self, &typed) {
                Ok(()) => return Ok(Some(true)),
                Err(reason) => self.say(&format!("{reason}\n{said}")),
            }
        }
    }

    /// Says that there is no way around a question, which is asked again by its own number.
    fn must(&mut self) {
        self.say(MUST);
        self.number -= 1;
    }

    /// Takes an answer, if the file can be read with it. A provider in place of its instance is its storage: the advice chooses the
    /// instance.
    fn set(&mut self, path: &str, typed: &str) -> Result<(), String> {
        let providers = &self.library.catalog.providers;
        let provider = providers.get(&typed.to_lowercase());
        let (path, spelt) = match provider.filter(|_| path == "server.model") {
            Some(provider) => ("infrastructure.storage", format!("{:?}", provider.storage())),
            None => (path, site::spelling(path, typed)),
        };
        let text = edit::set(&self.text, path, &spelt).map_err(|error| format!("   {error}"))?;
        parse(self.path, &text, &self.library.vocabulary).map_err(|wrong| reason(&wrong))?;
        self.text = text;
        self.write().map_err(|reason| format!("   {reason}"))
    }

    /// How to find an answer, and which words it takes.
    fn help(&self, path: &str) -> String {
        let Some(field) = field(path) else {
            return String::new();
        };
        let mut said = how_to_find(path).map_or(String::new(), |how| format!("   {how}\n"));
        if let Some((low, high)) = field.limits {
            said = format!("{said}   From {low} to {high}: ");
        } else {
            said.push_str("   ");
        }
        said.push_str(field.why);
        if let Kind::Word(words) | Kind::List(words) = field.kind {
            let site = self.read().ok();
            let model = site.as_ref().and_then(|site| site.server.model.as_ref());
            let model = model.map(|model| model.value.as_str());
            let words = self.library.vocabulary.words_for(words, model).join(", ");
            said = format!("{said}\n   {words}");
        }
        said
    }

    fn reply(&mut self) -> Result<Reply, String> {
        self.tell("   > ");
        let mut line = String::new();
        let read = self.input.by_ref().take(LINE_MAX).read_line(&mut line);
        let count = read.map_err(|error| format!("cannot read the answer: {error}"))?;
        let typed = line.trim();
        if self.echo {
            self.say(typed);
        }
        Ok(match typed {
            _ if count == 0 => Reply::End,
            "" => Reply::Assume,
            "." => Reply::End,
            typed => Reply::Answer(typed.to_owned()),
        })
    }

    fn read(&self) -> Result<Site, Box<Diagnostics>> {
        let file = self.path.to_string_lossy();
        site::parse(&file, &self.text, &[], &self.library.vocabulary)
    }

    fn output(&self) -> Output<'_> {
        Output { path: self.path, mark: None, over: self.over, option: "--force" }
    }

    fn write(&mut self) -> Result<(), String> {
        self.output().write(&self.text)?;
        self.over = Over::Same(checksum(self.text.bytes()));
        self.written = true;
        Ok(())
    }

    /// A title for a site that has none: nothing depends on it.
    fn name_it(&mut self) -> Result<(), String> {
        if !answered(&self.text).iter().any(|path| path == "name") {
            self.text = edit::set(&self.text, "name", NAMELESS).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The required questions that are open.
    fn open(&self) -> Vec<&'static str> {
        let known = answered(&self.text);
        let required = required().map(|f| f.path);
        required.filter(|path| !known.iter().any(|p| p == path)).collect()
    }

    /// What is said where something required is still open.
    fn unfinished(&self, format: Format) -> Outcome {
        let open = self.open();
        match format {
            Format::Json => Outcome::json(&Initiated::of(self.path, Some(&open), None), false),
            Format::Text => Outcome::done(format!(
                "Still open: {}. Go on with: plimsoll init {}\n",
                open.join(", "),
                shown(self.path)
            )),
        }
    }

    fn say(&self, text: &str) {
        self.tell(&format!("{text}\n"));
    }

    /// What cannot be shown is no reason to stop.
    #[expect(clippy::unused_self, reason = "it speaks for the form")]
    fn tell(&self, text: &str) {
        let mut err = io::stderr().lock();
        drop(err.write_all(harmless(text).as_bytes()).and_then(|()| err.flush()));
    }
}
