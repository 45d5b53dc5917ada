//! The pattern of a command's arguments: what its calls have in common.

/// Most words of a pattern.
const WORDS: usize = 8;
/// Most characters of a pattern.
const LONG: usize = 80;

/// The arguments without what differs from call to call: numbers become `#`, depot paths keep their depot, and other
/// words become `*`.
///
/// ```
/// use plimsoll::serverlog::analysis::pattern;
/// assert_eq!(pattern("-m1 -s submitted //depot/main/...@<=764311"), "-m# -s * //depot/…@#");
/// assert_eq!(pattern("-c 12 //a/b //a/c //a/d"), "-c # //a/…");
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
        let depot: String = path
            .chars()
            .take_while(|c| !"/@#*".contains(*c) && *c != '.')
            .take(32)
            .collect();
        let revision = if word.contains('@') {
            "@#"
        } else if word.contains('#') {
            "##"
        } else {
            ""
        };
        return format!("//{depot}/…{revision}");
    }
    if let Some(flag) = word.strip_prefix('-') {
        let mut out = String::from("-");
        for c in flag.chars().take(24) {
            if !c.is_ascii_digit() {
                out.push(c);
            } else if !out.ends_with('#') {
                out.push('#');
            }
        }
        // What is behind an equals sign differs; so does a path behind a letter.
        let cut = out.find(['=', '/', '\\', '@', ':']).unwrap_or(out.len());
        out.truncate(cut);
        return out;
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit()) {
        return "#".to_owned();
    }
    "*".to_owned()
}

/// The product in `p4/2016.2/LINUX26X86_64/1598668`: what stands before the first slash, or all.
pub fn product(program: &str) -> &str {
    let name = program.split('/').next().unwrap_or(program).trim();
    let name = name.split(" (brokered)").next().unwrap_or(name);
    if name.is_empty() { "(none)" } else { name }
}
