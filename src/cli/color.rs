//! Colours on a terminal: how a line stands out, and whether colours are wanted.

use std::io::IsTerminal as _;

use clap::ValueEnum;

use crate::page::Tone;

/// When colours are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Color {
    /// To a terminal, unless `NO_COLOR` is set or TERM is "dumb"
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// How lines stand out: as they would, if colours are wanted.
    pub(super) fn tones(self, tones: Vec<Tone>) -> Vec<Tone> {
        if self.is_wanted() { tones } else { Vec::new() }
    }

    /// Whether to print them on standard output (<https://no-color.org>).
    fn is_wanted(self) -> bool {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                std::io::stdout().is_terminal()
                    && !is_set("NO_COLOR")
                    && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// A line with the escapes that make it stand out; `line` is harmless already.
pub(super) fn painted(line: &str, tone: Tone) -> String {
    let code = match tone {
        Tone::Plain => return line.to_owned(),
        Tone::Heading => "1",
        Tone::Good => "32",
        Tone::Warning => "33",
        Tone::Bad => "31",
    };
    format!("\x1b[{code}m{line}\x1b[0m")
}
