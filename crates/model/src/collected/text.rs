//! The lines of a pasted file: decoded, without what a terminal would obey, with prompts and section marks recognised.

use std::borrow::Cow;
use std::ops::Range;

/// How the script begins a section; its name and ` ===` follow.
pub(super) const MARK: &str = "=== plimsoll collect: ";
/// How a section mark ends.
const MARK_END: &str = " ===";
/// More of a line is not looked at: no output that is read has longer lines.
const LINE_MAX: usize = 16 << 10;

/// The text of a file: UTF-8, or UTF-16 as `PowerShell` redirects it; what is invalid is replaced.
pub fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// A part of a file that the script wrote: the output of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it holds: `p4 info`, `log tail`.
    pub name: String,
    /// Line of its mark, from 1.
    pub line: usize,
    /// Its bytes in the decoded text, without its mark.
    pub bytes: Range<usize>,
}

/// The sections of a text, in their order.
pub fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut at = 0;
    for (i, raw) in text.split_inclusive('\n').enumerate() {
        let end = at + raw.len();
        if let Some(name) = mark(raw.trim_end()) {
            if let Some(last) = found.last_mut() {
                last.bytes.end = at;
            }
            found.push(Section { name: name.to_owned(), line: i + 1, bytes: end..text.len() });
        }
        at = end;
    }
    found
}

/// The name in a section mark.
pub(super) fn mark(line: &str) -> Option<&str> {
    line.strip_prefix(MARK)?.strip_suffix(MARK_END)
}

/// A line without its end, without control characters and without the sequences by which terminals are coloured.
pub(super) fn clean(raw: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c == '\t' || !(c.is_control() || c == '\u{feff}');
    if raw.len() <= LINE_MAX && raw.chars().all(is_plain) {
        return Cow::Borrowed(raw.trim_end());
    }
    let cut =
        raw.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= LINE_MAX).last().unwrap_or(0);
    let mut out = String::with_capacity(cut);
    let mut chars = raw[..cut].chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            '\t' => out.push('\t'),
            '\u{feff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// Passes over what follows an escape: `[`, parameters and a letter, or a title up to its bell.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next_if(|c| matches!(c, '[' | ']')) {
        Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
        Some(_) => while chars.next().is_some_and(|c| c != '\u{7}' && c != '\u{1b}') {},
        None => {}
    }
}

/// The programs whose outputs are read: what stands behind a prompt is one of them.
const PROGRAMS: &[&str] = &[
    "p4",
    "mount",
    "df",
    "lsblk",
    "lscpu",
    "free",
    "cat",
    "findmnt",
    "iostat",
    "ls",
    "du",
    "ps",
    "sysctl",
    "nproc",
    "uname",
    "env",
    "set",
    "readlink",
    "realpath",
    "ethtool",
    "grep",
    "echo",
    "date",
    "hostname",
    "tail",
    "head",
    "pgrep",
    "wc",
    "cd",
    "mdadm",
    "lvs",
    "pvs",
    "vgs",
    "sar",
    "vmstat",
    "uptime",
    "top",
    "exit",
    "clear",
    "wmic",
    "systeminfo",
    "dir",
    "sh",
    "bash",
    "get-volume",
    "get-physicaldisk",
    "get-disk",
];

/// The command that a line shows behind a prompt, or alone; `None` where it shows none.
pub(super) fn command(line: &str) -> Option<&str> {
    const PROMPTS: [char; 4] = ['$', '#', '%', '>'];
    const BEFORE_MAX: usize = 120;
    let trimmed = line.trim();
    if is_program(trimmed) {
        return Some(trimmed);
    }
    let places = trimmed.char_indices().take_while(|(at, _)| *at < BEFORE_MAX);
    let mut places = places.filter(|(_, c)| PROMPTS.contains(c));
    places.find_map(|(at, _)| {
        let rest = trimmed[at + 1..].trim_start();
        is_program(rest).then_some(rest)
    })
}

fn is_program(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(mut first) = words.next() else {
        return false;
    };
    if matches!(first, "sudo" | "time" | "nice") {
        let Some(next) = words.next() else {
            return false;
        };
        first = next;
    }
    let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    // "PS C:\\>" is a prompt, and `Get-Volume` may be written anyhow.
    let is_known =
        PROGRAMS.contains(&name) || (name.contains('-') && PROGRAMS.contains(&name.to_ascii_lowercase().as_str()));
    // "//nas/p4" and "filer:/vol/p4" are sources of a mount; a path alone is no command of anybody.
    let is_path = first.contains('/');
    let may_run = !is_path || (first.starts_with(['/', '.']) && !first.starts_with("//") && first.len() < text.len());
    // A sentence that begins with such a word is longer than a command, or ends as one.
    is_known
        && may_run
        && text.len() < 300
        && (!text.ends_with(['.', ':', '?']) || text.ends_with("..."))
        && !text.contains(" on /")
        && !text.contains(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_every_encoding_is_read() {
        let utf16: Vec<u8> =
            std::iter::once(0xfeff).chain("Server root: D:\\p4".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16), "Server root: D:\\p4");
        assert_eq!(decode(b"\xef\xbb\xbfa\xff"), "a\u{fffd}");
    }

    #[test]
    fn what_a_terminal_obeys_is_left_out() {
        assert_eq!(clean("\u{1b}[01;31mServer\u{1b}[0m root\u{7}: /p4\r"), "Server root: /p4");
        assert_eq!(clean("\u{1b}]0;title\u{7}a\tb\0"), "a\tb");
        assert_eq!(clean(&"é".repeat(LINE_MAX)).len(), LINE_MAX);
    }

    #[test]
    fn commands_stand_behind_prompts_of_all_kinds() {
        for line in [
            "$ p4 info",
            "p4 info",
            "perforce@p4-main:~$ p4 info",
            "[perforce@p4 root]$ p4 info",
            "C:\\Users\\admin>p4 info",
            "PS C:\\> p4 info",
            "p4-main:/p4/1 # p4 info",
        ] {
            assert_eq!(command(line), Some("p4 info"), "{line}");
        }
        assert_eq!(command("$ sudo df -h"), Some("sudo df -h"));
        assert_eq!(command("a@b:~$ p4 sizes -s //..."), Some("p4 sizes -s //..."));
        for line in [
            "Here is p4 info:",
            "/dev/sda1 on / type ext4 (rw)",
            "df shows this.",
            "",
            "p4 says: no",
            "filer:/vol/p4",
            "//nas/p4",
            "/hx/p4",
        ] {
            assert_eq!(command(line), None, "{line}");
        }
    }

    #[test]
    fn sections_know_their_bytes() {
        let text = "head\n=== plimsoll collect: p4 info ===\na\nb\n === plimsoll collect: false ===\n=== plimsoll collect: log tail ===\nc\n";
        let found = sections(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].name, "p4 info");
        assert_eq!(&text[found[0].bytes.clone()], "a\nb\n === plimsoll collect: false ===\n");
        assert_eq!((found[1].line, &text[found[1].bytes.clone()]), (6, "c\n"));
    }
}
