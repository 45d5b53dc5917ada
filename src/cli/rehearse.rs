//! `plimsoll rehearse SITE.toml --at DIR`: the site's load on real volumes, beside the prediction.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::measuring::{self, Shown, on_one_line, stop_asked, wrong};
use super::out::Output;
use super::output::Outcome;
use super::session::Session;
use super::{Common, Format, SiteArguments, places, rehearse_points};
use crate::bench::BenchError;
use crate::diag::harmless_line;
use crate::page::page_text;
use crate::rehearse::{self, By, Layout, Plan, Rehearsed, Wanted};
use crate::report::json::{Tool, list, object};
use crate::site::Site;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Arguments {
    /// The questionnaire (TOML); see docs/site-file.md
    #[arg(value_name = "SITE.toml")]
    pub(super) site: PathBuf,
    /// Override an answer, such as `--set people.developers=400` or `--set "data.db_size=34 GiB"` (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
    /// The folder to rehearse in, or one for each role: db=DIR1,journal=DIR2,depot=DIR3. The run works in fresh folders in them and
    /// removes these
    #[arg(
        long,
        value_name = "DIR|ROLE=DIR,…",
        required_unless_present_any = ["compare", "points"]
    )]
    at: Option<String>,
    /// Several layouts, one after the other with the same arrivals: each as --at takes it (repeatable)
    #[arg(long, value_name = "DIR|ROLE=DIR,…", conflicts_with_all = ["at", "clean"])]
    compare: Vec<String>,
    /// Rehearse each point of a table (docs/rehearsal.toml) and print what was found as Markdown
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["at", "compare", "clean", "dry_run", "save"])]
    points: Option<PathBuf>,
    /// With --points: the folder of a volume that points name (repeatable)
    #[arg(long, value_name = "NAME=DIR", requires = "points")]
    pub(super) volume: Vec<String>,
    /// With --points: only these, by id (repeatable)
    #[arg(long, value_name = "ID", requires = "points")]
    pub(super) only: Vec<String>,
    /// With --points: print the table of a run that was saved with --format json, and rehearse nothing
    #[arg(long, value_name = "RESULT.json", requires = "points", conflicts_with = "volume")]
    pub(super) from: Option<PathBuf>,
    /// Multiple of the site's peak load, such as 0.1 or 2
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    load: f64,
    /// Size of the data and of large syncs over the site's; by default the largest at which a large sync moves 200 MB. Hit ratios stay
    /// the site's
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f64>,
    /// Time that is measured
    #[arg(long, value_name = "TIME", default_value = rehearse::TIME)]
    time: String,
    /// Time before that; the measurement begins later where responses show a longer warm-up
    #[arg(long, value_name = "TIME", default_value = rehearse::WARM_UP)]
    warm_up: String,
    /// Refuse what takes longer in all, such as "5 min"
    #[arg(long, value_name = "TIME", default_value = rehearse::MAX_TIME)]
    max_time: String,
    /// Most bytes on all volumes together
    #[arg(long, value_name = "SIZE", default_value = rehearse::MAX_BYTES)]
    max_bytes: String,
    /// Space that stays free on each volume; by default 5 GiB, or a tenth of a small volume
    #[arg(long, value_name = "SIZE")]
    pub(super) keep_free: Option<String>,
    /// How tables are locked: on files, as p4d does, or in the process in order of arrival, as the model has it
    #[arg(long, value_enum, default_value_t = Locks::Files)]
    locks: Locks,
    /// A round trip between clients and server to add, such as "0.5 ms"
    #[arg(long, value_name = "TIME")]
    round_trip: Option<String>,
    /// Where to write the result
    #[arg(long, value_name = "FILE.toml")]
    save: Option<PathBuf>,
    /// With --save: overwrite any file; without it only a result that was not edited since
    #[arg(long, requires = "save")]
    force: bool,
    /// Show what would be done, with planned rates; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Remove what killed runs left in the folders, and do nothing else
    #[arg(long, conflicts_with_all = ["dry_run", "save"])]
    clean: bool,
    /// Rehearse although a Perforce server runs on this host: its users will notice
    #[arg(long)]
    beside_p4d: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

impl Arguments {
    /// The site with what overrides it; its load is rehearsed as it is, times `--load`.
    pub(super) fn questions(&self) -> SiteArguments {
        SiteArguments { site: self.site.clone(), set: self.set.clone(), load: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Locks {
    Files,
    Process,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if arguments.clean {
        clean(arguments)
    } else if let Some(path) = &arguments.points {
        rehearse_points::points(arguments, path)
    } else {
        rehearsed(arguments)
    }
}

pub(super) fn wanted(arguments: &Arguments) -> Wanted {
    Wanted {
        load: arguments.load,
        scale: arguments.scale,
        seed: arguments.common.seed,
        time: arguments.time.clone(),
        warm_up: arguments.warm_up.clone(),
        max_time: arguments.max_time.clone(),
        max_bytes: arguments.max_bytes.clone(),
        keep_free: arguments.keep_free.clone(),
        locks: match arguments.locks {
            Locks::Files => By::Files,
            Locks::Process => By::Process,
        },
        round_trip: arguments.round_trip.clone(),
    }
}

/// The texts of the layouts.
fn layouts(arguments: &Arguments) -> Vec<&str> {
    let compared = arguments.compare.iter();
    arguments.at.iter().chain(compared).map(String::as_str).collect()
}

fn output(arguments: &Arguments) -> Option<Output<'_>> {
    let path = arguments.save.as_deref();
    measuring::output(path, arguments.force, rehearse::RESULT)
}

fn rehearsed(arguments: &Arguments) -> Result<Outcome, Failure> {
    let wanted = wanted(arguments);
    let settings = wanted.settings()?;
    let Session { library, site } = Session::open(&arguments.common, &arguments.questions())?;
    let plan = Plan::of(&site, &library.catalog, &library.calibration, &settings)?;
    let keep = wanted.keep_free()?;
    let named = layouts(arguments);
    if arguments.dry_run {
        let first = Layout::parse(named.first().copied().unwrap_or_default(), keep)?;
        first.has_room_for(&plan)?;
        return Ok(dry_run(&plan, &first, arguments.common.format));
    }
    beside(arguments)?;
    if named.len() > 1 && arguments.save.is_some() {
        return Err(wrong("--save", "one layout at a time").into());
    }
    if let Some(output) = output(arguments) {
        places::apart([arguments.site.as_path()], [output.path])?;
        output.check()?;
    }
    let stop = stop_asked()?;
    let mut shown = Shown::new(arguments.common.quiet);
    let mut all = Vec::new();
    for name in named {
        let layout = Layout::parse(name, keep)?;
        for place in &layout.places {
            shown.note_leftovers(&place.leftovers);
        }
        let mut plan = plan.clone();
        let mut progress = |doing: &str, done: f64| {
            shown.progress(&|| format!("{}: {:.0} %", doing, done * 100.0));
        };
        let inputs = (&library.catalog, &library.calibration);
        let found = rehearse::rehearse(&site, &mut plan, inputs, &layout, &stop, &mut progress);
        shown.end();
        all.push((name.to_owned(), found?));
    }
    Ok(answer(arguments, &site, &all)?)
}

fn answer(arguments: &Arguments, site: &Site, all: &[(String, Rehearsed)]) -> Result<Outcome, BenchError> {
    let saturated = all.iter().any(|(_, found)| found.saturated);
    if let (Some(output), [(_, found)]) = (output(arguments), all) {
        output.write(&found.to_toml()?).map_err(BenchError::Failed)?;
    }
    if arguments.common.format == Format::Json {
        return Ok(match all {
            [(_, found)] => Outcome::json(found, saturated),
            _ => Outcome::json(&RehearsedSideBySide::of(site, all), saturated),
        });
    }
    let mut text = String::new();
    for (name, found) in all {
        if all.len() > 1 {
            let _infallible = writeln!(text, "== {}", harmless_line(name));
        }
        text.push_str(&page_text(&rehearse::page(found)));
        text.push('\n');
    }
    if all.len() > 1 {
        text.push_str(&rehearse::comparison_text(all));
    }
    if let Some(path) = &arguments.save {
        let path = on_one_line(path);
        let _infallible =
            writeln!(text, "  saved in {path}; `plimsoll calibrate --add {path}` makes parameters of its probes");
    }
    Ok(Outcome::judged(text, saturated))
}

/// Refuses a host where a Perforce server runs.
pub(super) fn beside(arguments: &Arguments) -> Result<(), BenchError> {
    if arguments.beside_p4d {
        return Ok(());
    }
    rehearse::no_server_here()
}

fn dry_run(plan: &Plan, layout: &Layout, format: Format) -> Outcome {
    if format == Format::Text {
        return Outcome::done(rehearse::plan_text(plan, layout));
    }
    Outcome::json(&Planned::of(plan, layout), false)
}

object! {
    /// `rehearse --compare`.
    RehearsedSideBySide of (site: &Site, all: &[(String, Rehearsed)]) {
        #[serde(flatten)] tool: Tool = Tool::of(rehearse::SCHEMA);
        site: String = site.name.clone(), "The site's name.";
        layouts: Vec<RehearsedLayout> = list(all, RehearsedLayout::of), "Each layout.";
    }

    /// A layout that was rehearsed.
    RehearsedLayout of ((at, found): &(String, Rehearsed)) {
        at: String = at.clone(), "Its folders as named.";
        rehearsal: Rehearsed = found.clone(), "What was found.";
    }

    /// `rehearse --dry-run`.
    #[schemars(rename = "PlannedRehearsal")]
    Planned of (plan: &Plan, layout: &Layout) [let [db, journal, depot] = plan.bytes();] {
        #[serde(flatten)] tool: Tool = Tool::of(rehearse::SCHEMA);
        folders: Vec<String> = list(&layout.places, |place| place.path.to_string_lossy().into_owned()), "The folders.";
        clients: usize = plan.clients(), "Clients that think between their commands, and large syncs in flight.";
        load_ratio: f64 = plan.settings.load, "Multiple of the site's peak load.";
        scale_ratio: f64 = plan.scale, "Size of data and large syncs over the site's.";
        db_bytes: u64 = db, "Size of the db.";
        journal_bytes: u64 = journal, "Size of the journal.";
        depot_bytes: u64 = depot, "Size of the depot.";
        kinds: Vec<PlannedKind> = list(&plan.kinds, PlannedKind::of), "Kinds of work.";
        notes: Vec<String> = plan.notes.clone(), "What the rehearsal changes of the site, stands in for, or cannot do.";
    }

    /// A kind of work that would be rehearsed.
    PlannedKind of (kind: &rehearse::Planned) {
        class: String = kind.work.to_string(), "Which.";
        planned_per_s: Option<f64> = kind.per_s, "Commands if responses took no time; null for large syncs.";
    }
}

/// Removes what killed runs left, in each folder that is named.
fn clean(arguments: &Arguments) -> Result<Outcome, Failure> {
    let at = arguments.at.as_deref().unwrap_or_default();
    let mut folders = Layout::folders(at)?.to_vec();
    folders.sort_unstable();
    folders.dedup();
    let format = arguments.common.format;
    Ok(measuring::clean(&folders, rehearse::SCHEMA, format)?)
}
