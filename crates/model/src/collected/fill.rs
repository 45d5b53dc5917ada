//! Puts what outputs say into a site file: its answers stay, new ones say where they were read.

use super::answers::{Answers, Known};
use super::facts::Collected;
use super::volumes::Volume;
use crate::diag::harmless_line;
use crate::document::edit::{self, EditError};
use crate::site;

/// An answer of the file that stays although the outputs say otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The field.
    pub field: String,
    /// What the file has, in TOML's spelling.
    pub stated: String,
    /// What the outputs say, in TOML's spelling.
    pub read: String,
    /// The output that says so.
    pub from: String,
}

/// A site file with what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Its text.
    pub text: String,
    /// Paths of the answers that are new.
    pub written: Vec<String>,
    /// Answers of the file that stay.
    pub kept: Vec<Kept>,
}

/// Puts answers into the text of a site file.
///
/// Each new one has an entry below `[measured]`, or where it can have none (the name, volumes) a comment, that names its
/// output and its line. What the file states is not changed; volumes are written only where it has none.
pub fn fill(text: &str, collected: &Collected, answers: &Answers) -> Result<Filled, EditError> {
    let stated = edit::values(text);
    let mut filled = Filled { text: text.to_owned(), written: Vec::new(), kept: Vec::new() };
    let mut comments: Vec<(String, String)> = Vec::new();
    for known in &answers.known {
        match stated.iter().find(|(path, ..)| *path == known.field) {
            Some((_, spelling, _)) if *spelling == known.value => {}
            Some((_, spelling, _)) => filled.kept.push(Kept {
                field: known.field.clone(),
                stated: spelling.clone(),
                read: known.value.clone(),
                from: known.from.clone(),
            }),
            None => {
                let comment = filled.answer(collected, known)?;
                comments.extend(comment.map(|comment| (known.field.clone(), comment)));
            }
        }
    }
    if edit::count_tables(text, "today.volume") > 0 {
        filled.kept.extend(answers.volumes.iter().map(kept_volume));
    } else {
        for (i, volume) in answers.volumes.iter().enumerate() {
            comments.extend(filled.volume(i, collected, volume)?);
        }
    }
    filled.text = commented(&filled.text, &comments);
    Ok(filled)
}

/// A volume that the file has otherwise.
fn kept_volume(volume: &Volume) -> Kept {
    let roles = volume.roles.join(", ");
    let from = volume.answers.first().map(|known| known.from.clone());
    Kept {
        field: "today.volume".to_owned(),
        stated: "tables of the file".to_owned(),
        read: format!("{roles} on {}", harmless_line(&volume.target)),
        from: from.unwrap_or_default(),
    }
}

impl Filled {
    /// Writes one answer, with its entry below `[measured]` where it can have one; what is said in a comment beside it.
    fn answer(&mut self, collected: &Collected, known: &Known) -> Result<Option<String>, EditError> {
        let (path, origin) = (&known.field, known.origin(collected));
        self.text = site::set_measured(&self.text, path, &known.value, &origin, None)?;
        self.written.push(path.clone());
        if !site::can_be_measured(path) {
            return Ok(Some(comment(collected, known)));
        }
        Ok(known.check.as_ref().map(|why| format!("check: {why}")))
    }

    /// Writes one volume; what is said in comments beside its answers, by their paths.
    fn volume(&mut self, i: usize, collected: &Collected, volume: &Volume) -> Result<Vec<(String, String)>, EditError> {
        let roles: Vec<String> = volume.roles.iter().map(|role| format!("{role:?}")).collect();
        let roles = format!("[{}]", roles.join(", "));
        let answers = volume.answers.iter();
        let values = answers.map(|known| (known.field.as_str(), known.value.as_str()));
        let values: Vec<_> = std::iter::once(("roles", roles.as_str())).chain(values).collect();
        self.text = edit::push_table(&self.text, "today.volume", &values)?;
        let target = format!("on {}", harmless_line(&volume.target));
        let answers = volume.answers.iter();
        let said = answers.map(|known| (known.field.as_str(), comment(collected, known)));
        let said: Vec<(String, String)> = std::iter::once(("roles", target))
            .chain(said)
            .map(|(key, said)| (format!("today.volume.{i}.{key}"), said))
            .collect();
        self.written.extend(said.iter().map(|(path, _)| path.clone()));
        Ok(said)
    }
}

/// "read from `p4 info`, collected.txt:14".
fn comment(collected: &Collected, known: &Known) -> String {
    format!("read from {}", known.origin_and_check(collected))
}

/// Puts comments behind values, at the ends of their lines.
fn commented(text: &str, comments: &[(String, String)]) -> String {
    let mut places: Vec<(usize, &str)> = Vec::new();
    for (path, _, span) in edit::values(text) {
        if let Some((_, comment)) = comments.iter().find(|(of, _)| *of == path) {
            let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
            places.push((end, comment));
        }
    }
    places.sort_unstable();
    let mut out = String::with_capacity(text.len() + 80 * places.len());
    let mut from = 0;
    for (end, comment) in places {
        out.push_str(&text[from..end]);
        out.push_str(" # ");
        // A comment of TOML has one line, and no control characters.
        out.push_str(&harmless_line(comment));
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collected::{answers, of_texts};

    #[test]
    fn what_is_stated_stays_and_what_is_new_says_where_it_was_read() {
        let text = "Server version: P4D/LINUX26X86_64/2023.1/1 (x)\nMemTotal: 1048576 kB\n";
        let collected = of_texts([("a\n.txt", text)]);
        let site = "# ours\nschema = 1\n[server]\nrelease = \"2022.2\" # since May\n";
        let filled = fill(site, &collected, &answers(&collected)).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            filled.text.starts_with("# ours\nschema = 1\n[server]\nrelease = \"2022.2\" # since May\n"),
            "{}",
            filled.text
        );
        assert!(
            filled.text.contains("ram = { value = \"1 GiB\", from = \"`/proc/meminfo`, a\u{fffd}.txt:2\" }\n"),
            "{}",
            filled.text
        );
        assert_eq!(filled.kept[0].read, "\"2023.1\"");
        assert!(filled.written.contains(&"server.bits".to_owned()));
    }

    #[test]
    fn a_name_has_no_entry_and_says_in_a_comment_where_it_was_read() {
        let collected = of_texts([("a.txt", "ServerID: commit\n")]);
        let filled = fill("schema = 1\n", &collected, &answers(&collected)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(filled.text, "schema = 1\nname = \"Perforce server commit\" # read from `p4 info`, a.txt:1\n");
    }
}
