//! The command that stands before an output, at a prompt or in a mark.

/// The command whose output follows, as far as a prompt or a mark shows it.
#[derive(Debug, Default, Clone)]
pub(super) struct Shown {
    pub(super) text: String,
}

impl Shown {
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split_whitespace()
    }

    /// Whether it is this command of p4: "configure show".
    pub(super) fn is_p4(&self, words: &str) -> bool {
        let is_p4 = self.words().any(|w| w == "p4" || w.ends_with("/p4") || w.ends_with("p4.exe"));
        is_p4 && self.text.contains(words)
    }

    pub(super) fn begins(&self, name: &str) -> bool {
        let mut words = self.words().filter(|w| !matches!(*w, "sudo" | "time"));
        words.next().is_some_and(|first| first.rsplit('/').next() == Some(name))
    }

    /// Whether a one-letter option is among the others: `-a` in `-sa`.
    pub(super) fn has_flag(&self, letter: char) -> bool {
        self.words().any(|w| w.starts_with('-') && !w.starts_with("--") && w.len() < 6 && w[1..].contains(letter))
    }

    /// The words that are paths.
    pub(super) fn paths(&self) -> Vec<&str> {
        self.words().skip(1).filter(|w| w.starts_with('/')).collect()
    }

    /// Bytes of the unit of `free` or `du`, where the command shows it.
    pub(super) fn unit(&self, program: &str) -> Option<f64> {
        if !self.begins(program) {
            return None;
        }
        let of = |letter: char, bytes: f64| self.has_flag(letter).then_some(bytes);
        of('b', 1.0).or_else(|| of('m', 1_048_576.0)).or_else(|| of('g', 1_073_741_824.0)).or(Some(1024.0))
    }
}
