//! `plimsoll init --log LOG…`: a questionnaire that begins with what server logs say.

use std::path::{Path, PathBuf};

use super::init::shown;
use crate::diag::harmless_line;
use crate::report::json::{list, object};
use crate::report::serverlog::{AnswerWritten, workload_brief};
use crate::serverlog::analysis::{Analysis, Findings};
use crate::serverlog::answers::{answers, undecided};
use crate::serverlog::logs::read_logs;
use crate::site::Vocabulary;
use crate::workload::log_answers::{Row, fill};

/// What was read in logs, and what became of their answers.
pub(super) struct Logged {
    findings: Findings,
    rows: Vec<Row>,
}

impl Logged {
    /// Reads logs and puts what they decide into the text of a site file. An answer that the text has stays, unless
    /// `overwrite`: an example's answers are nobody's.
    pub(super) fn read(
        logs: &[PathBuf],
        path: &Path,
        text: &mut String,
        overwrite: bool,
        vocabulary: &Vocabulary,
    ) -> Result<Self, String> {
        let site = |log: &&PathBuf| log.extension().is_some_and(|end| end == "toml");
        if let Some(site) = logs.iter().find(site) {
            let name = shown(site);
            return Err(format!(
                "{name} is given as a log; the site file stands before --log: plimsoll init {name} --log LOG…"
            ));
        }
        let mut analysis = Analysis::default();
        let log = read_logs(logs, &mut analysis, &mut |_| true);
        let log = log.map_err(|unread| unread.to_string())?;
        let findings = analysis.finish(log);
        let answers = answers(&findings);
        let file = path.to_string_lossy();
        let rows = fill(&file, text, &answers, overwrite, vocabulary)?;
        Ok(Self { findings, rows })
    }

    /// How many answers the file has from the logs.
    pub(super) fn count(&self) -> usize {
        self.rows.iter().filter(|row| row.is_taken()).count()
    }

    /// What was read, how good it is, what it answers and what it leaves open, for a person.
    pub(super) fn said(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        let files = self.findings.quality.log.files.iter();
        let files: Vec<String> = files.map(|file| harmless_line(&file.name)).collect();
        lines.push(format!("Read from {}", files.join(", ")));
        let brief = workload_brief(&self.findings).into_iter();
        lines.extend(brief.map(|line| format!("  {line}")));
        let mut from = "";
        for row in self.rows.iter().filter(|row| row.is_taken()) {
            if row.from != from {
                from = &row.from;
                lines.push(format!("Measured, {from}"));
            }
            let range = row.range.as_ref();
            let range = range.map_or(String::new(), |[low, high]| format!("{low} to {high}"));
            let line = format!("  {:<32} {:<20} {range}", row.field, row.new);
            lines.push(line.trim_end().to_owned());
        }
        lines.extend(self.rows.iter().filter_map(Row::remark));
        let open = undecided(&self.findings);
        if !open.is_empty() {
            lines.push("Left open".to_owned());
        }
        lines.extend(open.into_iter().map(|line| format!("  {line}")));
        lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    /// The same for a program.
    pub(super) fn json(&self) -> LogsRead {
        LogsRead::of(&self.findings, &self.rows)
    }
}

object! {
    /// What server logs say.
    LogsRead of (findings: &Findings, rows: &[Row]) {
        files: Vec<String> = list(&findings.quality.log.files, |file| file.name.clone()), "The files as named.";
        summary: Vec<String> = workload_brief(findings), "What they say, in short.";
        answers: Vec<AnswerWritten> = list(rows, AnswerWritten::of), "What became of each answer.";
        undecided: Vec<String> = undecided(findings), "What they leave open, in sentences.";
    }
}
