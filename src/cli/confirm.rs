//! How much is simulated to confirm what was solved.

use clap::Args;

use crate::advisor::{Ask, Budget, Stage};
use crate::units::{Quantity as _, Seconds};

/// Longest time that can be asked for, a day.
const LONGEST: f64 = 86_400.0;

#[derive(Debug, Clone, Args)]
pub(super) struct Options {
    /// Processor time for the simulation of the answer, such as 30s; it is counted in events, ten million for a second,
    /// so that the answer is the same on every machine
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1500ms", conflicts_with = "no_confirm")]
    confirm: Seconds,
    /// Skip the simulation: show the analytic solution alone
    #[arg(long)]
    no_confirm: bool,
}

fn time(text: &str) -> Result<Seconds, String> {
    let time = Seconds::parse(text).map_err(|error| error.to_string())?;
    if (0.0..=LONGEST).contains(&time.get()) { Ok(time) } else { Err("it is from 0 s to 24 h".to_owned()) }
}

impl Options {
    /// What is asked of the simulation.
    pub(super) fn ask<'a>(&self, seed: u64, doing: &'a (dyn Fn(Stage) + Sync)) -> Ask<'a> {
        let budget = if self.no_confirm { Budget::NONE } else { Budget::of_seconds(self.confirm.get()) };
        Ask { budget, seed, doing, ..Ask::NOTHING }
    }
}
