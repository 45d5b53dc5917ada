//! Words of p4d and of programs in its log, by which they are told from names that people gave: `server-log.toml`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::analysis::known_words;

struct Vocabulary {
    functions: HashSet<&'static str>,
    options: HashSet<&'static str>,
    /// Letters of the words of programs: `LINUX26X86_64` is `linuxx`.
    programs: HashSet<String>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let words = known_words();
    let each = |list: &'static [String]| list.iter().map(String::as_str);
    Vocabulary {
        functions: each(&words.commands).collect(),
        options: each(&words.options).collect(),
        programs: each(&words.programs).map(letters).collect(),
    }
});

fn letters(word: &str) -> String {
    let letters = word.chars().filter(|c| !(c.is_ascii_digit() || *c == '.'));
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a function is one of p4d: a command of its documentation, or a phase or service by its class.
pub(super) fn is_function(name: &str) -> bool {
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric());
    match name.split_once('-') {
        Some(("user", command)) => VOCABULARY.functions.contains(command),
        Some(("dm" | "rmt" | "client", phase)) => is_word(phase),
        _ => matches!(name, "pull" | "IDLE" | "Init()" | "unknown"),
    }
}

/// Whether p4 has such a long option, without its dashes.
pub(super) fn is_option(name: &str) -> bool {
    VOCABULARY.options.contains(name)
}

/// Whether a part of a program's name has only words of known products and platforms, and releases.
pub(super) fn is_program(part: &str) -> bool {
    let words = part.split(|c: char| !(c.is_alphanumeric() || c == '.'));
    words.filter(|word| !word.is_empty()).all(|word| {
        let letters = letters(word);
        // A number with three dots is an address.
        let is_release = letters.is_empty() && word.matches('.').count() < 3;
        is_release || VOCABULARY.programs.contains(&letters)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_p4_are_told_from_names() {
        assert!(is_function("user-sync") && is_function("dm-CommitSubmit") && is_function("pull"));
        assert!(!is_function("user-acme") && !is_function("acme") && !is_function("user-"));
        for known in [
            "p4/2024.2/LINUX26X86_64/2697822",
            "P4V/NTX64/2023.3/2495381/v86",
            "jenkins.p4-plugin/1.14",
            "unnamed p4-python script [PY3.10.4/P4PY2022.1/API2022.1/2305383]/v92",
            "SWARM/2019.3/1885281",
        ] {
            assert!(is_program(known), "{known}");
        }
        for named in ["acme-tool", "p4 10.1.2.3", "p4 ann"] {
            assert!(!is_program(named), "{named}");
        }
    }
}
