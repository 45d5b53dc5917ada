//! Puts what outputs say into a site file: its answers stay, new ones say where they were read.

use super::answers::{Answers, Known};
use super::facts::Collected;
use crate::diag::harmless_line;
use crate::document::edit::{self, EditError};

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
/// Each new one has an entry below `[measured]`, or in lists of tables a comment, that names its output and its line. What the file states is not changed; volumes are
/// written only where it has none.
pub fn fill(text: &str, collected: &Collected, answers: &Answers) -> Result<Filled, EditError> {
    let stated = edit::values(text);
    let mut filled = Filled {
        text: text.to_owned(),
        written: Vec::new(),
        kept: Vec::new(),
    };
    let mut comments: Vec<(String, String)> = Vec::new();
    for known in &answers.known {
        if let Some((_, spelling, _)) = stated.iter().find(|(path, ..)| *path == known.field) {
            if *spelling != known.value {
                filled.kept.push(Kept {
                    field: known.field.clone(),
                    stated: spelling.clone(),
                    read: known.value.clone(),
                    from: known.from.clone(),
                });
            }
            continue;
        }
        let said = filled.answer(collected, known)?;
        comments.extend(said.map(|said| (known.field.clone(), said)));
    }
    let has_volumes = edit::count_tables(text, "today.volume") > 0;
    for (i, volume) in answers.volumes.iter().enumerate() {
        if has_volumes {
            filled.kept.push(Kept {
                field: "today.volume".to_owned(),
                stated: "tables of the file".to_owned(),
                read: format!(
                    "{} on {}",
                    volume.roles.join(", "),
                    harmless_line(&volume.target)
                ),
                from: volume
                    .answers
                    .first()
                    .map_or("", |known| known.from.as_str())
                    .to_owned(),
            });
            continue;
        }
        let roles: Vec<String> = volume
            .roles
            .iter()
            .map(|role| format!("{role:?}"))
            .collect();
        let roles = format!("[{}]", roles.join(", "));
        let mut values = vec![("roles", roles.as_str())];
        values.extend(
            volume
                .answers
                .iter()
                .map(|known| (known.field.as_str(), known.value.as_str())),
        );
        filled.text = edit::push_table(&filled.text, "today.volume", &values)?;
        comments.push((
            format!("today.volume.{i}.roles"),
            format!("on {}", harmless_line(&volume.target)),
        ));
        for known in &volume.answers {
            comments.push((
                format!("today.volume.{i}.{}", known.field),
                comment(collected, known),
            ));
        }
    }
    let of_volumes = comments.iter().map(|(path, _)| path);
    filled.written.extend(
        of_volumes
            .filter(|path| path.starts_with("today.volume"))
            .cloned(),
    );
    filled.text = commented(&filled.text, &comments);
    Ok(filled)
}

impl Filled {
    /// Writes one answer with its entry below `[measured]`; what is said in a comment beside it.
    fn answer(
        &mut self,
        collected: &Collected,
        known: &Known,
    ) -> Result<Option<String>, EditError> {
        self.text = edit::set(&self.text, &known.field, &known.value)?;
        self.written.push(known.field.clone());
        // Of lists of tables nothing can stand below it.
        if known.field.matches('.').count() > 1 {
            return Ok(Some(comment(collected, known)));
        }
        let source = format!("measured.{}", known.field);
        let from = toml::Value::String(origin(collected, known)).to_string();
        let entry = format!("{{ value = {}, from = {from} }}", known.value);
        self.text = edit::set(&self.text, &source, &entry)?;
        Ok(known.check.as_ref().map(|why| format!("check: {why}")))
    }
}

/// "`p4 info`, collected.txt:14".
fn origin(collected: &Collected, known: &Known) -> String {
    format!("`{}`, {}", known.from, collected.shown(known.place))
}

/// "read from `p4 info`, collected.txt:14".
fn comment(collected: &Collected, known: &Known) -> String {
    let check = known
        .check
        .as_deref()
        .map_or(String::new(), |why| format!("; check: {why}"));
    format!("read from {}{check}", origin(collected, known))
}

/// Puts comments behind values, at the ends of their lines.
fn commented(text: &str, comments: &[(String, String)]) -> String {
    let mut places: Vec<(usize, &str)> = Vec::new();
    for (path, _, span) in edit::values(text) {
        if let Some((_, comment)) = comments.iter().find(|(of, _)| *of == path) {
            let end = text[span.end..]
                .find('\n')
                .map_or(text.len(), |at| span.end + at);
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
        let filled =
            fill(site, &collected, &answers(&collected)).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            filled
                .text
                .starts_with("# ours\nschema = 1\n[server]\nrelease = \"2022.2\" # since May\n"),
            "{}",
            filled.text
        );
        assert!(
            filled
                .text
                .contains("ram = \"1 GiB\" # read from `/proc/meminfo`, a\u{fffd}.txt:2\n"),
            "{}",
            filled.text
        );
        assert_eq!(filled.kept[0].read, "\"2023.1\"");
        assert!(filled.written.contains(&"server.bits".to_owned()));
    }
}
