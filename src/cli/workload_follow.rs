//! `plimsoll workload LOG… --follow`: the first screen while the log grows.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::output::{Outcome, put};
use super::workload::{self, Arguments};
use super::{Format, run};
use crate::page::Screen;
use crate::report::serverlog::{State, workload_screen};
use crate::serverlog::Pseudonyms;
use crate::serverlog::analysis::Findings;
use crate::serverlog::follow::Follow;

/// How often the file is looked at, and how often at most something is shown.
const LOOKED: Duration = Duration::from_millis(200);
const SHOWN: Duration = Duration::from_secs(1);
/// What clears a terminal: the cursor to its beginning, and everything behind it.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Follows until ctrl-C; then the last screen, as without following.
#[expect(clippy::disallowed_methods, reason = "a screen is shown once a second at most")]
pub(super) fn run(arguments: &Arguments, names: Option<&Pseudonyms>) -> Result<Outcome, Failure> {
    run::listen();
    let failed = |error: crate::serverlog::logs::Unread| Failure::wrong(error.to_string());
    let mut follow = Follow::begin(&arguments.logs, arguments.part.wanted()).map_err(failed)?;
    let mut shown = Shown { arguments, is_terminal: io::stdout().is_terminal(), state: None };
    let mut last: Option<Instant> = None;
    let mut has_grown = true;
    while !run::is_stopped() {
        has_grown |= follow.poll().map_err(failed)?;
        // What stands still grows older without a line of the log.
        let is_due = last.is_none_or(|last| last.elapsed() >= SHOWN);
        if arguments.format == Format::Text && is_due && (has_grown || shown.is_jam()) {
            let mut findings = follow.look(follow.quiet_s());
            if let Some(names) = names {
                findings.anonymise(names);
            }
            match shown.show(&findings, follow.is_there()) {
                // Nobody reads any more.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                Err(error) => {
                    return Err(Failure::wrong(format!("cannot write the answer: {error}")));
                }
                Ok(()) => {}
            }
            (last, has_grown) = (Some(Instant::now()), false);
        }
        std::thread::sleep(LOOKED);
    }
    let is_terminal = shown.is_terminal;
    let mut findings = follow.end();
    if let Some(names) = names {
        findings.anonymise(names);
    }
    if is_terminal && arguments.format == Format::Text {
        // A terminal that is no longer there needs no clearing.
        drop(put(CLEAR, "", &[]));
    }
    Ok(workload::said(arguments, &findings))
}

/// What is shown while the log is followed.
struct Shown<'a> {
    arguments: &'a Arguments,
    is_terminal: bool,
    state: Option<State>,
}

impl Shown<'_> {
    /// Whether something stood still.
    fn is_jam(&self) -> bool {
        self.state.as_ref().is_some_and(State::is_jam)
    }

    /// A terminal gets the whole screen, everything else a line where something has changed.
    fn show(&mut self, findings: &Findings, is_there: bool) -> io::Result<()> {
        let state = State::of(findings, is_there);
        if self.is_terminal {
            let next = ["Ctrl-C ends it.".to_owned()];
            let Screen { text, tones } = workload_screen(findings, &next);
            let text = if is_there { text } else { state.line(findings) + "\n" };
            put(CLEAR, &text, &self.arguments.color.tones(tones))?;
        } else if self.state.as_ref() != Some(&state) {
            put("", &(state.line(findings) + "\n"), &[])?;
        }
        self.state = Some(state);
        Ok(())
    }
}
