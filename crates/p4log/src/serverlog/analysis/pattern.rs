//! The pattern of a command's arguments: what its calls have in common.

use crate::serverlog::vocabulary;

/// Most words of a pattern.
const WORDS: usize = 8;
/// Most characters of a pattern.
const LONG: usize = 80;

/// The arguments without what differs from call to call: numbers become `#`, depot paths keep their depot, options their
/// letter or their known long name, and everything else becomes `*`, whether it stands alone or behind an option's letter.
///
/// ```
/// use plimsoll_p4log::serverlog::analysis::pattern;
/// assert_eq!(pattern("-m1 -s submitted //depot/main/...@<=764311"), "-m# -s * //depot/…@#");
/// assert_eq!(pattern("-c 12 //a/b //a/c //a/d"), "-c # //a/…");
/// assert_eq!(pattern("//..."), "//…");
/// assert_eq!(pattern("-uann -m5 --parallel=threads=4"), "-u* -m# --parallel");
/// ```
pub fn pattern(arguments: &str) -> String {
    let mut out = String::new();
    let mut last = String::new();
    let mut words = 0;
    for word in arguments.split_whitespace() {
        let shape = shape(word);
        // Many files in one depot are one word.
        if shape == last && !shape.starts_with('-') {
            continue;
        }
        if words == WORDS || out.chars().count() + shape.chars().count() > LONG {
            out.push_str(" …");
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&shape);
        last = shape;
        words += 1;
    }
    out
}

fn shape(word: &str) -> String {
    // What is a shape already stays.
    if matches!(word, "#" | "…") {
        return word.to_owned();
    }
    if let Some(path) = word.strip_prefix("//") {
        let depot: String = path.chars().take_while(|c| !"/@#*.…".contains(*c)).take(32).collect();
        let revision = if word.contains('@') {
            "@#"
        } else if word.contains('#') {
            "##"
        } else {
            ""
        };
        let slash = if depot.is_empty() { "" } else { "/" };
        return format!("//{depot}{slash}…{revision}");
    }
    if let Some(flag) = word.strip_prefix('-') {
        return option(flag);
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit()) {
        return "#".to_owned();
    }
    "*".to_owned()
}

/// An option by its letter or its long name; a value that stands right behind the letter may be a name.
fn option(flag: &str) -> String {
    if let Some(long) = flag.strip_prefix('-') {
        let name = long.split_once('=').map_or(long, |(name, _)| name);
        let is_known = vocabulary::is_option(name);
        return format!("--{}", if is_known { name } else { "*" });
    }
    let Some(letter) = flag.chars().next() else {
        return "-".to_owned();
    };
    let value = &flag[letter.len_utf8()..];
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '#');
    match () {
        () if is_number(flag) => "-#".to_owned(),
        () if !letter.is_ascii_alphabetic() => "-*".to_owned(),
        () if value.is_empty() => format!("-{letter}"),
        () if is_number(value) => format!("-{letter}#"),
        () => format!("-{letter}*"),
    }
}

/// The product in `p4/2016.2/LINUX26X86_64/1598668`: what stands before the first slash and before brackets, or all.
///
/// ```
/// use plimsoll_p4log::serverlog::analysis::product;
/// assert_eq!(product("unnamed p4-python script [PY3.10.4/P4PY2022.1]/v92"), "unnamed p4-python script");
/// assert_eq!(product("p4 (brokered)/2016.2"), "p4");
/// ```
pub fn product(program: &str) -> &str {
    let name = program.split(['/', '[']).next().unwrap_or(program);
    let name = name.split(" (brokered)").next().unwrap_or(name).trim();
    if name.is_empty() { "(none)" } else { name }
}
