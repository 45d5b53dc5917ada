//! What a server log says: the same as `plimsoll workload`.

use std::path::PathBuf;

use crate::page::Section;
use crate::report::serverlog::{FirstScreen, sections};
use crate::serverlog::analysis::{Analysis, Findings};
use crate::serverlog::answers::{Measured, answers};
use crate::serverlog::logs::{Unread, read_logs};

/// A log, or as much as there is of it.
#[derive(Debug)]
pub struct Logged {
    /// Its files, in their order.
    pub files: Vec<PathBuf>,
    /// Their bytes as they lie on the disk.
    pub bytes: u64,
    /// The share of these that is read, in \[0, 1\].
    pub share: f64,
    /// What it says, once all is read.
    pub read: Option<Read>,
}

/// What a log says.
#[derive(Debug)]
pub struct Read {
    /// All findings.
    pub findings: Findings,
    /// The short answer.
    pub first: FirstScreen,
    /// Everything, in sections.
    pub sections: Vec<Section>,
    /// Answers for the questionnaire.
    pub answers: Vec<Measured>,
}

impl Logged {
    /// Reads files until `goes_on` says no; `emit` gets how far it is.
    ///
    /// # Errors
    ///
    /// A sentence: a file cannot be read, or none holds a log.
    pub fn read(files: &[PathBuf], goes_on: &dyn Fn() -> bool, emit: &mut dyn FnMut(Self)) -> Result<Self, String> {
        /// Shares of the bytes after which something is painted.
        const STEP: f64 = 0.01;
        let sizes = files.iter().filter_map(|path| path.metadata().ok());
        let all: u64 = sizes.map(|meta| meta.len()).sum();
        let so_far = |share: f64| Self { files: files.to_vec(), bytes: all, share, read: None };
        emit(so_far(0.0));
        let mut shown = 0.0;
        let mut watch = |bytes: u64| {
            let share = (bytes as f64 / all.max(1) as f64).min(1.0);
            if share >= shown + STEP {
                shown = share;
                emit(so_far(share));
            }
            goes_on()
        };
        let mut analysis = Analysis::default();
        let log = read_logs(files, &mut analysis, &mut watch).map_err(|unread| match unread {
            Unread::Failed(reason) => reason,
            Unread::Stopped => "another question came".to_owned(),
        })?;
        let findings = analysis.finish(log);
        let answers = answers(&findings);
        Ok(Self {
            read: Some(Read {
                first: FirstScreen::of(&findings),
                sections: sections(&findings, &answers),
                answers,
                findings,
            }),
            ..so_far(1.0)
        })
    }
}

impl Read {
    /// A section by its anchor.
    pub fn section(&self, anchor: &str) -> Option<&Section> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.anchor == anchor)
    }
}
