//! What the report panel shows.

use crate::desktop::panels::waiting;
use crate::desktop::state::State;
use crate::emit::ConfigFile;

/// What can be exported and pasted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Data {
    /// Why there is nothing.
    pub waiting: Option<String>,
    /// The recommendation in a sentence.
    pub sentence: String,
    /// The configuration, server by server.
    pub servers: Vec<(String, Vec<File>)>,
}

/// A file of configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it would lie: `commit-server/fstab`.
    pub path: String,
    /// Its name.
    pub name: String,
    /// What it is and where it goes.
    pub title: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line.
    pub text: String,
    /// Why it is there.
    pub reason: String,
    /// What that rests on.
    pub evidence: Vec<String>,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let waiting = waiting(state);
        let Some(advised) = state.lanes.advice.answer().filter(|_| waiting.is_none()) else {
            return Self {
                waiting,
                ..Self::default()
            };
        };
        let mut servers: Vec<(String, Vec<File>)> = Vec::new();
        for config in &advised.configuration {
            let file = file(config);
            match servers.last_mut() {
                Some((server, files)) if *server == config.server => files.push(file),
                _ => servers.push((config.server.clone(), vec![file])),
            }
        }
        Self {
            waiting,
            sentence: advised.answer.sentence(),
            servers,
        }
    }
}

fn file(config: &ConfigFile) -> File {
    let lines = config.lines.iter().map(|line| Line {
        text: line.text.clone(),
        reason: line.reason.clone(),
        evidence: line.evidence.clone(),
    });
    File {
        path: config.path(),
        name: config.name.clone(),
        title: config.title.clone(),
        lines: lines.collect(),
    }
}
