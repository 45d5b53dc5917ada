//! Numbers, times and names as prose has them: two digits, "about 6 years", "25 Gb/s Ethernet".

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::units::Seconds;

/// "about 6 years", "about 18 months", "about 3 weeks", "a few days".
pub(super) fn about(time: Seconds) -> String {
    let years = time.in_years();
    let whole = |x: f64, unit: &str| format!("about {x:.0} {unit}");
    match years {
        y if y >= 2.0 => whole(y, "years"),
        y if y * 12.0 >= 1.5 => whole(y * 12.0, "months"),
        y if y * 52.2 >= 1.5 => whole(y * 52.2, "weeks"),
        y if y > 0.0 => "a few days".to_owned(),
        _ => "now".to_owned(),
    }
}

/// A count with two digits and a comma at each thousand: "1,400".
pub(super) fn about_count(x: f64) -> String {
    let scale = 10_f64.powf((x.abs().max(1.0).log10().floor() - 1.0).max(0.0));
    grouped((x / scale).round() * scale)
}

/// A whole number with a comma at each thousand.
pub(super) fn grouped(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// With a capital letter at its head.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// "db, journal and log".
pub(super) fn list<S: AsRef<str>>(words: &[S]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// The names that people use for the catalogue's ids.
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
        for (id, entry) in &catalog.media {
            // "10,000 /min disk" keeps its comma.
            let title = entry.entry.title.split(" (").next().unwrap_or_default();
            names.insert(id.clone(), title.replace("NVMe solid-state", "NVMe"));
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
    use super::{Names, about, about_count, capital, list};
    use crate::catalog::Catalog;
    use crate::units::Seconds;

    #[test]
    fn counts_have_two_digits() {
        assert_eq!(about_count(1414.0), "1,400");
        assert_eq!(about_count(7.0), "7");
    }

    #[test]
    fn times_to_come_are_about() {
        let found = [6.26, 1.5, 0.05, 0.001].map(|y| about(Seconds::years(y)));
        assert_eq!(
            found,
            [
                "about 6 years",
                "about 18 months",
                "about 3 weeks",
                "a few days"
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
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
