//! Text made safe for the place where it is written.
//!
//! Names come from a site file or a folder of models and may hold anything. [`plain`] is applied to all of
//! them first, so that nothing invisible gets into a file: control characters would end a line, and a change
//! of direction would show another text than the one that is run.

use std::borrow::Cow;

/// The longest name that is taken over: Linux's longest file name.
const NAME_MAX: usize = 255;

/// Whether a character changes the direction of writing or shows nothing.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A name without control characters and without invisible ones, each of which becomes `_`; at most 4,096
/// characters, Linux's longest path.
///
/// ```
/// use plimsoll::emit::quote::plain;
/// assert_eq!(plain("/hx\u{202e}data\n"), "/hx_data_");
/// ```
pub fn plain(text: &str) -> String {
    const PATH_MAX: usize = 4096;
    let seen = |c: char| {
        if c.is_control() || is_invisible(c) { '_' } else { c }
    };
    text.chars().take(PATH_MAX).map(seen).collect()
}

/// One argument of a shell command.
///
/// ```
/// use plimsoll::emit::quote::shell;
/// assert_eq!(shell("/hxdepots"), "/hxdepots");
/// assert_eq!(shell("db.peeking=2"), "db.peeking=2");
/// assert_eq!(shell("pull -i 1"), "'pull -i 1'");
/// assert_eq!(shell("$(reboot)"), "'$(reboot)'");
/// ```
pub fn shell(text: &str) -> String {
    let plain = plain(text);
    let bare = |c: char| c.is_ascii_alphanumeric() || "/._-=:,+%".contains(c);
    if !plain.is_empty() && plain.chars().all(bare) {
        return plain;
    }
    // It refuses NUL alone, which `plain` has removed.
    shlex::try_quote(&plain).map_or_else(|_nul| "''".to_owned(), Cow::into_owned)
}

/// A string of PowerShell, as an expression: what stands in it is never run. In single quotes nothing has a meaning
/// but the quote itself, and the typographic ones, which PowerShell takes for it (`about_Quoting_Rules`). What is not
/// ASCII is written by number, since Windows PowerShell reads a script without a mark in the machine's own code page.
///
/// ```
/// use plimsoll::emit::quote::powershell;
/// assert_eq!(powershell(r"E:\p4\1\root"), r"'E:\p4\1\root'");
/// assert_eq!(powershell("it's $(Restart-Computer)"), "'it''s $(Restart-Computer)'");
/// assert_eq!(powershell("a\u{2019}; b"), "('a' + [char]0x2019 + '; b')");
/// ```
pub fn powershell(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut ascii = String::new();
    for unit in plain(text).encode_utf16() {
        match char::from_u32(u32::from(unit)).filter(char::is_ascii) {
            Some('\'') => ascii.push_str("''"),
            Some(c) => ascii.push(c),
            None => {
                // Begins with a string, if an empty one: `+` then joins strings, and does not add numbers.
                if parts.is_empty() || !ascii.is_empty() {
                    parts.push(format!("'{}'", std::mem::take(&mut ascii)));
                }
                parts.push(format!("[char]0x{unit:04X}"));
            }
        }
    }
    if parts.is_empty() {
        return format!("'{ascii}'");
    }
    if !ascii.is_empty() {
        parts.push(format!("'{ascii}'"));
    }
    format!("({})", parts.join(" + "))
}

/// The same for an argument of a program: PowerShell before 7.3 passes double quotes and a last backslash on as they
/// are, so that the program would take them for the end of the argument. No path of Windows has a double quote.
pub fn powershell_argument(text: &str) -> String {
    let text = text.replace('"', "_");
    let bare = text.trim_end_matches('\\');
    if text.contains(char::is_whitespace) && bare.len() < text.len() {
        return powershell(&format!("{bare}_"));
    }
    powershell(&text)
}

/// A word of a PowerShell command of the catalogue: a name, a parameter or a number as it is, anything else quoted.
pub fn powershell_word(word: &str) -> String {
    let bare = word.strip_prefix('-').unwrap_or(word);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if bare.starts_with(|c: char| c.is_ascii_alphanumeric()) && bare.chars().all(plain) {
        word.to_owned()
    } else {
        powershell(word)
    }
}

/// Words inside the double quotes of a shell: letters, digits and harmless marks; anything else is left out.
pub fn inside_double_quotes(text: &str) -> String {
    let harmless = |c: &char| c.is_ascii_alphanumeric() || " .,;:()/=_#-".contains(*c);
    text.chars().filter(harmless).collect()
}

/// One field of fstab: blank, tab, newline, `#` and `\` in octal (fstab(5), getmntent(3)). An empty one is `none`.
///
/// ```
/// use plimsoll::emit::quote::fstab;
/// assert_eq!(fstab("/srv/art depot"), r"/srv/art\040depot");
/// assert_eq!(fstab("a\tb\nc\\d"), r"a\011b\012c\134d");
/// ```
pub fn fstab(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            ' ' | '\t' | '\n' | '\r' | '\\' | '#' => {
                let digit = |shift: u32| char::from(b'0' + ((u32::from(c) >> shift) & 7) as u8);
                out.extend(['\\', digit(6), digit(3), digit(0)]);
            }
            c if c.is_control() || is_invisible(c) || c.is_whitespace() => out.push('_'),
            c => out.push(c),
        }
    }
    if out.is_empty() { "none".to_owned() } else { out }
}

/// A value at the end of a line of `name = value` (sysctl, initiator, nfs.conf, multipath, `/sys`): one line, no
/// mark that begins a comment.
pub fn value(text: &str) -> String {
    plain(text).replace(['#', ';'], "_").trim().to_owned()
}

/// A path or value of a systemd unit: quoted, `%` doubled (systemd.unit(5), specifiers; systemd.syntax(7), quoting).
pub fn systemd(text: &str) -> String {
    let text = plain(text).replace('%', "%%");
    let bare = |c: char| c.is_ascii_alphanumeric() || "/._-=:,%".contains(c);
    if !text.is_empty() && text.chars().all(bare) {
        return text;
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A string of `PromQL` in double quotes, without them.
///
/// ```
/// use plimsoll::emit::quote::promql;
/// assert_eq!(promql("/hx\"}) or vector(1)"), r#"/hx\"}) or vector(1)"#);
/// ```
pub fn promql(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('"', "\\\"")
}

/// A scalar of YAML in single quotes, in which nothing has a meaning but the quote itself; and no template of Prometheus.
///
/// ```
/// use plimsoll::emit::quote::yaml;
/// assert_eq!(yaml("it's {{ query }}"), "'it''s { { query } }'");
/// ```
pub fn yaml(text: &str) -> String {
    let text = plain(text).replace("{{", "{ {").replace("}}", "} }");
    format!("'{}'", text.replace('\'', "''"))
}

/// A text as the lines of a comment with `#`, broken at blanks; nothing in it can leave the comment.
pub fn comment(text: &str) -> String {
    const WIDTH: usize = 98;
    let mut out = String::new();
    let mut line = String::from("#");
    for word in plain(text).split_whitespace() {
        if line.chars().count() + word.chars().count() > WIDTH && line.len() > 1 {
            out.push_str(&line);
            out.push('\n');
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(word);
    }
    out.push_str(&line);
    out.push('\n');
    out
}

/// A file name: small letters, digits and dashes, neither empty nor hidden nor too long.
///
/// ```
/// use plimsoll::emit::quote::slug;
/// assert_eq!(slug("edge 1 (Montreal)"), "edge-1-montreal");
/// assert_eq!(slug("../../x"), "x");
/// assert_eq!(slug("\0"), "unnamed");
/// ```
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() >= NAME_MAX / 4 {
            break;
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "unnamed".to_owned() } else { out.to_owned() }
}
