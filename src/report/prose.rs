//! Numbers, times and names as prose has them: two digits, "about 6 years", "25 Gb/s Ethernet".

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::units::two_digits;
pub(super) use crate::units::{about_count, grouped, list};

/// With a capital letter at its head, unless that is a command of Perforce's.
pub(crate) fn capital(text: &str) -> String {
    if ["p4 ", "p4d "]
        .iter()
        .any(|command| text.starts_with(command))
    {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// A load as a multiple of today's: "4.9 times today's peak load", "70 % of today's peak load"; without a number where it
/// is the same.
pub(super) fn load_in_words(factor: f64) -> String {
    match two_digits(factor).as_str() {
        "1" => "today's peak load".to_owned(),
        _ if factor < 1.0 => format!("{} % of today's peak load", two_digits(100.0 * factor)),
        times => format!("{times} times today's peak load"),
    }
}

/// The names that people use for the catalogue's ids.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// The names of a catalogue's entries.
    pub(super) fn of(catalog: &Catalog) -> Self {
        let mut names = BTreeMap::new();
        let mut add = |id: &str, title: &str| {
            let title = title.split([',', '(']).next().unwrap_or(title).trim();
            names.insert(id.to_owned(), title.to_owned());
        };
        for (id, entry) in &catalog.raid {
            add(id, &entry.entry.title);
        }
        for (id, entry) in &catalog.protocols {
            add(
                id,
                entry.entry.title.split(" with ").next().unwrap_or_default(),
            );
        }
        for (id, entry) in &catalog.filesystems {
            add(id, &entry.entry.title);
        }
        for (id, entry) in &catalog.networks {
            add(id, &entry.entry.title);
        }
        for (id, entry) in &catalog.servers {
            add(
                id,
                entry.entry.title.split(" of ").next().unwrap_or_default(),
            );
        }
        for (id, entry) in &catalog.arrays {
            add(id, &entry.entry.title);
        }
        for (id, entry) in &catalog.caches {
            add(id, &entry.entry.title);
        }
        for (id, entry) in &catalog.processors {
            add(id, entry.entry.title.split(" (").next().unwrap_or_default());
        }
        for (id, entry) in &catalog.media {
            // "10,000 /min disk" keeps its comma.
            let title = entry.entry.title.split(" (").next().unwrap_or_default();
            // Storage that a site describes is called as the site does, and its drives have the same id.
            if !catalog.arrays.contains_key(id) {
                names.insert(id.clone(), title.replace("NVMe solid-state", "NVMe"));
            }
        }
        Self(names)
    }

    /// The name of one id; the id itself where it has none.
    pub(super) fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.0.get(id).map_or(id, String::as_str)
    }

    /// A sentence with names in place of ids. Ids that are words of English too stay.
    pub(super) fn said(&self, text: &str) -> String {
        const ENGLISH: [&str; 3] = ["local", "arc", "fc"];
        let is_of_id = |c: char| c.is_alphanumeric() || "-._/".contains(c);
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_id(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let plain = word.trim_end_matches('.');
            match self.0.get(plain) {
                Some(name) if !ENGLISH.contains(&plain) => {
                    out.push_str(name);
                    out.push_str(&word[plain.len()..]);
                }
                _ => out.push_str(word),
            }
            let next = after.chars().next().map_or(0, char::len_utf8);
            out.push_str(&after[..next]);
            rest = &after[next..];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, capital, list, load_in_words};
    use crate::catalog::Catalog;

    #[test]
    fn a_load_that_is_todays_has_no_multiple() {
        let words = [4.94, 1.02, 0.997, 0.7].map(load_in_words);
        assert_eq!(
            words,
            [
                "4.9 times today's peak load",
                "today's peak load",
                "today's peak load",
                "70 % of today's peak load"
            ]
        );
    }

    #[test]
    fn ids_become_names_and_other_words_stay() {
        let names = Names::of(&Catalog::embedded());
        assert_eq!(
            names.said("local raid10 for db, flashblade over nfsv3 (nvme)."),
            "local RAID 10 for db, Pure Storage FlashBlade over NFS version 3 (NVMe drive)."
        );
        assert_eq!(capital("large sync"), "Large sync");
        assert_eq!(capital("p4 verify of all"), "p4 verify of all");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
