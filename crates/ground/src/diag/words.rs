//! Words of others in a message: quoted, without what a terminal obeys, and the known word that was meant.

/// The known word nearest to `found`, if any is near enough to be meant.
///
/// ```
/// use plimsoll_ground::diag::nearest;
/// assert_eq!(nearest("develpers", ["developers", "db_size"]), Some("developers"));
/// assert_eq!(nearest("zebra", ["developers", "db_size"]), None);
/// ```
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.chars().count() > 100 {
        return None;
    }
    let lower = found.to_lowercase();
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&lower, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= 1 + word.chars().count() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// The same as the end of a message; nothing where no known word is near enough.
///
/// ```
/// use plimsoll_ground::diag::nearest_in_words;
/// assert_eq!(nearest_in_words("rad", ["raid", "media"]), "; did you mean \"raid\"?");
/// assert_eq!(nearest_in_words("zebra", ["raid", "media"]), "");
/// ```
pub fn nearest_in_words<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(found, known);
    near.map_or(String::new(), |near| format!("; did you mean {near:?}?"))
}

/// Quotes text for a message: control characters are escaped, long text is cut.
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Whether a terminal would obey a character, or a reader not see it: control characters of both sets,
/// marks that turn the direction of writing, and what has no width. Line ends are not among them.
pub fn is_harmful(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Replaces what a terminal would obey ([`is_harmful`]).
///
/// ```
/// assert_eq!(plimsoll_ground::diag::harmless("a\u{1b}[31mb\u{202e}c\n"), "a\u{fffd}[31mb\u{fffd}c\n");
/// ```
pub fn harmless(text: &str) -> String {
    text.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect()
}

/// JSON in which such characters are escaped: they occur in strings alone, and say the same there.
///
/// ```
/// let value = serde_json::json!({ "a": "\u{202e}\u{9b}" });
/// let text = plimsoll_ground::diag::harmless_json(&value);
/// assert!(text.is_ascii() && serde_json::from_str::<serde_json::Value>(&text).unwrap() == value);
/// ```
pub fn harmless_json(value: &serde_json::Value) -> String {
    let text = format!("{value:#}");
    if !text.contains(is_harmful) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if is_harmful(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.extend(["\\u".to_owned(), format!("{unit:04x}")]);
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The same for what belongs on one line, such as a path: a line end would begin a line of its own making.
///
/// ```
/// assert_eq!(plimsoll_ground::diag::harmless_line("disk\nerror: none"), "disk\u{fffd}error: none");
/// ```
pub fn harmless_line(text: &str) -> String {
    harmless(text).replace('\n', "\u{fffd}")
}
