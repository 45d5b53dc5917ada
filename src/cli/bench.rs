//! `plimsoll bench DIR`: microbenchmarks of the volume that a folder lies on.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::measuring::{self, Shown, bytes, clean, keep_free, on_one_line, stop_asked, time};
use super::out::Output;
use super::output::Outcome;
use super::{Format, bench_network};
use crate::bench::{self, BenchError, FILE_BYTES, Measured, Place, Plan, ROUND, Test};
use crate::diag::quoted;
use crate::page::page_text;
use crate::report::json::{Tool, list, object};
use crate::report::line;
use crate::units::Bytes;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Arguments {
    /// A folder on the volume to measure; the run works in a fresh folder in it and removes that
    #[arg(value_name = "DIR", required_unless_present_any = ["compare", "listen", "connect"])]
    folder: Option<PathBuf>,
    /// The tests that matter most, in under two minutes instead of twenty
    #[arg(long)]
    quick: bool,
    /// Only tests with this id or family, such as `read.8k` or `journal` (repeatable)
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Show the tests, how much they write and how long they take; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Where to write the result, as input of `calibrate --add`
    #[arg(long, value_name = "FILE.toml")]
    save: Option<PathBuf>,
    /// With --save: overwrite any file; without it only a result that was not edited since
    #[arg(long, requires = "save")]
    force: bool,
    /// Size of the test file, such as "2 GiB"
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// Space that stays free on the volume; by default 5 GiB, or a tenth of a small volume
    #[arg(long, value_name = "SIZE")]
    keep_free: Option<String>,
    /// Duration of a round, such as "2 s"
    #[arg(long, value_name = "TIME")]
    round: Option<String>,
    /// Number of rounds of each test
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: Option<u16>,
    /// Skip the tests that have not run after this time, such as "10 min"
    #[arg(long, value_name = "TIME")]
    max_time: Option<String>,
    /// Remove the files that a killed run left in DIR, and do nothing else
    #[arg(long, conflicts_with_all = ["dry_run", "save", "quick", "only"])]
    clean: bool,
    /// Compare two result files
    #[arg(long, num_args = 2, value_names = ["A.toml", "B.toml"], conflicts_with_all = ["folder", "listen", "connect"])]
    compare: Option<Vec<PathBuf>>,
    /// Serve another host's --connect on this address and port, until stopped
    #[arg(long, value_name = "ADDR:PORT", conflicts_with_all = ["folder", "connect", "save"])]
    listen: Option<String>,
    /// With --listen: end after the first client
    #[arg(long, requires = "listen")]
    once: bool,
    /// Measure the network to a host that runs --listen: round trips, bandwidth by window and streams
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "folder")]
    connect: Option<String>,
    /// Text for people or JSON for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Seed of the random arrival times of operations in the open loop
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// No progress on stderr
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let format = arguments.format;
    let shown = Shown::new(arguments.quiet);
    let mut say = |line: &str| shown.say(line);
    let measured = if let Some(files) = &arguments.compare {
        compare(files, format)
    } else if let Some(address) = &arguments.listen {
        bench_network::listen(address, arguments.once, &mut say)
    } else if let Some(address) = &arguments.connect {
        may_save(arguments).and_then(|()| {
            let output = output(arguments);
            bench_network::connect(address, arguments.quick, output, format, &mut say)
        })
    } else if let Some(folder) = &arguments.folder {
        if arguments.clean {
            clean(std::slice::from_ref(folder), bench::SCHEMA, format)
        } else {
            measure(folder, arguments)
        }
    } else {
        Err(BenchError::Refused("name a folder".to_owned()))
    };
    Ok(measured?)
}

/// Where to write the result.
fn output(arguments: &Arguments) -> Option<Output<'_>> {
    let path = arguments.save.as_deref();
    measuring::output(path, arguments.force, "a result of a benchmark")
}

/// Whether the result may be written there: checked before the measurement.
fn may_save(arguments: &Arguments) -> Result<(), BenchError> {
    let output = output(arguments);
    output.map_or(Ok(()), |output| output.check()).map_err(BenchError::Refused)
}

/// Writes a result whole or not at all.
pub(super) fn save(output: Output<'_>, measured: &Measured) -> Result<(), BenchError> {
    output.write(&measured.to_toml()?).map_err(BenchError::Failed)
}

fn measure(folder: &Path, arguments: &Arguments) -> Result<Outcome, BenchError> {
    let place = Place::of(folder, keep_free(arguments.keep_free.as_deref())?)?;
    let plan = plan(arguments)?;
    if arguments.dry_run {
        place.has_room_for(plan.bytes())?;
        return Ok(dry_run(&plan, &place, arguments.format));
    }
    may_save(arguments)?;
    let stop = stop_asked()?;
    let mut shown = Shown::new(arguments.quiet);
    shown.note_leftovers(&place.leftovers);
    for warning in &place.warnings {
        shown.say(&format!("note: {warning}"));
    }
    let measured = bench::run(&plan, &place, &stop, &mut |progress| {
        shown.progress(&|| {
            format!("{:3.0} %  {}  about {} left", progress.done * 100.0, progress.doing, bench::span(progress.left))
        });
    });
    shown.end();
    let measured = measured?;
    if let Some(output) = output(arguments) {
        save(output, &measured)?;
    }
    Ok(match arguments.format {
        Format::Json => Outcome::json(&measured, false),
        Format::Text => {
            let mut text = page_text(&bench::page(&measured));
            if let Some(path) = &arguments.save {
                // On one line, from which the command may be copied.
                let path = on_one_line(path);
                line!(text, "\n  saved in {path}; `plimsoll calibrate --add {path}` makes parameters of it");
            }
            Outcome::done(text)
        }
    })
}

fn dry_run(plan: &Plan, place: &Place, format: Format) -> Outcome {
    if format == Format::Text {
        return Outcome::page(&bench::plan_page(plan, place), false);
    }
    Outcome::json(&Planned::of(plan, place), false)
}

object! {
    /// `bench --dry-run`.
    #[schemars(rename = "PlannedBench")]
    Planned of (plan: &Plan, place: &Place) {
        #[serde(flatten)] tool: Tool = Tool::of(bench::SCHEMA);
        folder: String = place.path.to_string_lossy().into_owned(), "The folder.";
        bytes_max_bytes: u64 = plan.bytes(), "Written at most.";
        keep_free_bytes: u64 = place.keep_free, "Space that stays free.";
        time_s: f64 = plan.time().as_secs_f64(), "How long it takes.";
        tests: Vec<PlannedTest> = list(&plan.tests, PlannedTest::of), "The tests.";
    }

    /// A test that would run.
    PlannedTest of (test: &Test) {
        id: String = test.to_string(), "Its id, as `--only` takes it.";
        title: String = test.title(), "What it does.";
        threads: usize = test.threads, "Threads at once.";
    }

    /// `bench --compare`.
    Compared of (first: &Measured, second: &Measured, compared: &[bench::Comparison]) {
        #[serde(flatten)] tool: Tool = Tool::of(bench::SCHEMA);
        tests: Vec<ComparedTest> = list(compared, ComparedTest::of), "Tests of both.";
        differences: Vec<String> = bench::differences(first, second), "What else differs, in sentences.";
    }

    /// A test of both results.
    ComparedTest of (one: &bench::Comparison) {
        id: String = one.id.clone();
        iops: [f64; 2] = one.iops, "Operations a second of both.";
        ratio: Ratio = Ratio::of(one), "The second over the first.";
        verdict: &'static str = one.verdict.title(), "faster, slower, the same, or cannot be told.";
    }

    /// A ratio with its 95 % interval, which is absent where there is none.
    Ratio of (one: &bench::Comparison) {
        value: f64 = one.ratio, "The ratio.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] low: Option<f64> = one.interval.map(|[low, _]| low), "Lower end of the interval.";
        #[serde(skip_serializing_if = "Option::is_none")] #[schemars(required)] high: Option<f64> = one.interval.map(|[_, high]| high), "Upper end of the interval.";
    }
}

fn compare(files: &[PathBuf], format: Format) -> Result<Outcome, BenchError> {
    let [first, second] = files else {
        return Err(BenchError::Refused("--compare takes two files".to_owned()));
    };
    let (first, second) = (Measured::load(first)?, Measured::load(second)?);
    let compared = bench::compare(&first, &second);
    if format == Format::Text {
        let page = bench::comparison_page(&first, &second, &compared);
        return Ok(Outcome::page(&page, false));
    }
    Ok(Outcome::json(&Compared::of(&first, &second, &compared), false))
}

fn plan(arguments: &Arguments) -> Result<Plan, BenchError> {
    let mut plan = if arguments.quick { Plan::quick() } else { Plan::full() };
    plan = plan.only(&arguments.only)?;
    plan.seed = arguments.seed;
    if let Some(text) = &arguments.size {
        plan.file_bytes = bytes("--size", text)?;
        if !FILE_BYTES.contains(&plan.file_bytes) {
            let (least, most) = (FILE_BYTES.start(), FILE_BYTES.end());
            let shown = |bytes: u64| Bytes::new(bytes as f64);
            return Err(BenchError::Refused(format!(
                "--size {}: from {} to {}",
                quoted(text),
                shown(*least),
                shown(*most)
            )));
        }
    }
    if let Some(text) = &arguments.round {
        plan.round = time("--round", text)?;
        if !ROUND.contains(&plan.round) {
            return Err(BenchError::Refused(format!("--round {}: from 10 ms to 10 min", quoted(text))));
        }
    }
    if let Some(rounds) = arguments.rounds {
        plan.rounds = usize::from(rounds);
    }
    if let Some(text) = &arguments.max_time {
        plan.time_max = time("--max-time", text)?;
    }
    Ok(plan)
}
