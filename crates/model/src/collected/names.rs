//! What outputs call things that the catalogue has: `models/outputs.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

const TEXT: &str = include_str!("../../../../models/outputs.toml");

/// One entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Name {
    /// Patterns.
    like: Vec<String>,
    /// `CPU family` and `Model` of lscpu.
    #[serde(default)]
    model: Vec<String>,
    /// The id in the catalogue; none where it has no such thing.
    pub(super) id: Option<String>,
    /// What it is, in words.
    pub(super) what: Option<String>,
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    #[expect(dead_code, reason = "a file states its schema, as every other")]
    schema: u32,
    pub(super) processor: Vec<Name>,
    pub(super) drive: Vec<Name>,
    pub(super) array: Vec<Name>,
    pub(super) filesystem: Vec<Name>,
}

/// The names, read once.
pub(super) fn names() -> &'static Names {
    static NAMES: LazyLock<Names> = LazyLock::new(|| match toml::from_str(TEXT) {
        Ok(names) => names,
        Err(error) => panic!("models/outputs.toml is embedded and tested: {error}"),
    });
    &NAMES
}

/// The first entry that a name is like.
pub(super) fn like<'n>(names: &'n [Name], text: &str) -> Option<&'n Name> {
    let plain = text.replace("(R)", " ").replace("(TM)", " ").replace("(tm)", " ");
    let words: Vec<String> = plain.split_whitespace().map(str::to_lowercase).collect();
    names.iter().find(|name| name.like.iter().any(|pattern| occurs(&pattern.to_lowercase(), &words)))
}

/// The family of a processor: by its name, else by its numbers.
pub(super) fn processor(name: &str, family: &str, model: &str) -> Option<&'static Name> {
    let all = &names().processor;
    let numbers = format!("{} {}", family.trim(), model.trim());
    like(all, name).or_else(|| all.iter().find(|entry| entry.model.contains(&numbers)))
}

/// Whether the words of a pattern occur one after the other.
fn occurs(pattern: &str, words: &[String]) -> bool {
    let parts: Vec<Vec<char>> = pattern.split_whitespace().map(|part| part.chars().collect()).collect();
    words.windows(parts.len().max(1)).any(|window| {
        window.iter().zip(&parts).all(|(word, part)| {
            let word: Vec<char> = word.chars().collect();
            matches(part, &word)
        })
    })
}

/// `?`, `*` and `[12]`, `[5-9]`; everything else stands for itself. Words are short, so that the plain search is enough.
fn matches(pattern: &[char], word: &[char]) -> bool {
    match pattern {
        [] => word.is_empty(),
        ['*', rest @ ..] => (0..=word.len()).any(|skip| matches(rest, &word[skip..])),
        ['?', rest @ ..] => !word.is_empty() && matches(rest, &word[1..]),
        ['[', rest @ ..] => {
            let Some(end) = rest.iter().position(|c| *c == ']') else {
                return false;
            };
            let (set, rest) = (&rest[..end], &rest[end + 1..]);
            let Some((first, word)) = word.split_first() else {
                return false;
            };
            let is_in = match set {
                [low, '-', high] => (low..=high).contains(&first),
                _ => set.contains(first),
            };
            is_in && matches(rest, word)
        }
        [c, rest @ ..] => word.first() == Some(c) && matches(rest, &word[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(name: &str) -> Option<&'static str> {
        processor(name, "", "").and_then(|entry| entry.id.as_deref())
    }

    #[test]
    fn processors_by_their_names() {
        for (name, wanted) in [
            ("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", Some("skylake")),
            ("Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", Some("skylake")),
            ("Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", Some("ice-lake")),
            ("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", Some("ice-lake")),
            ("INTEL(R) XEON(R) PLATINUM 8488C", Some("sapphire-rapids")),
            ("INTEL(R) XEON(R) GOLD 6548Y+", Some("emerald-rapids")),
            ("Intel(R) Xeon(R) 6787P", Some("granite-rapids")),
            ("Intel(R) Xeon(R) 6517P", Some("granite-rapids")),
            // The Xeon 6300 is a Raptor Lake.
            ("Intel(R) Xeon(R) 6315P", None),
            ("AMD EPYC 7543 32-Core Processor", Some("milan")),
            ("AMD EPYC 7R13 Processor", Some("milan")),
            ("AMD EPYC 9554P 64-Core Processor", Some("genoa")),
            ("AMD EPYC 9R14", Some("genoa")),
            ("AMD EPYC 9575F 64-Core Processor", Some("turin")),
            ("Neoverse-V2", Some("arm-neoverse-v2")),
            ("AMD EPYC 7742 64-Core Processor", None),
            ("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", None),
            ("Intel(R) Xeon(R) Processor", None),
        ] {
            assert_eq!(family(name), wanted, "{name}");
        }
        let hidden = processor("Intel(R) Xeon(R) Processor", "6", "207");
        assert_eq!(hidden.and_then(|entry| entry.id.as_deref()), Some("emerald-rapids"));
    }

    #[test]
    fn drives_by_their_models() {
        let of =
            |model: &str| like(&names().drive, model).and_then(|entry| entry.id.as_deref().or(entry.what.as_deref()));
        assert_eq!(of("Samsung SSD 980 PRO 2TB"), Some("nvme-consumer"));
        assert!(of("DELL PERC H730P").is_some_and(|what| what.contains("RAID controller")));
        assert_eq!(of("SAMSUNG MZQL23T8HCLS-00A07"), None);
        assert_eq!(like(&names().array, "PURE FlashArray").and_then(|entry| entry.id.as_deref()), Some("flasharray"));
    }
}
