//! How an answer that a person typed is spelt in a site file.

use super::fields::{Kind, field};

/// The TOML value for what was typed as the answer to a field: words and quantities in quotes, numbers and
/// switches bare, lists from words between commas. What does not fit its kind is put in quotes, so that
/// reading the file says what is wrong with it.
///
/// ```
/// use plimsoll_model::site::spelling;
/// assert_eq!(spelling("data.db_size", "34 GiB"), "\"34 GiB\"");
/// assert_eq!(spelling("people.developers", "350"), "350");
/// assert_eq!(spelling("infrastructure.protocols", "nfsv3, fc"), "[\"nfsv3\", \"fc\"]");
/// assert_eq!(spelling("name", "2024"), "\"2024\"");
/// ```
pub fn spelling(path: &str, typed: &str) -> String {
    let text = |words: &str| toml::Value::String(words.trim().to_owned()).to_string();
    let typed = typed.trim();
    match field(path).map(|field| field.kind) {
        Some(Kind::Count | Kind::Number) => {
            let digits = typed.replace([',', '_', ' '], "");
            let is_number = digits.parse::<f64>().is_ok() && format!("v = {digits}").parse::<toml::Table>().is_ok();
            if is_number && is_in_thousands(typed) { digits } else { text(typed) }
        }
        Some(Kind::YesNo) => match typed.to_lowercase().as_str() {
            "yes" | "true" => "true".to_owned(),
            "no" | "false" => "false".to_owned(),
            _ => text(typed),
        },
        Some(Kind::List(_)) => {
            let words = typed.split(',').map(str::trim).filter(|w| !w.is_empty());
            let words: Vec<String> = words.map(text).collect();
            format!("[{}]", words.join(", "))
        }
        _ => text(typed),
    }
}

/// Whether what stands between marks is three digits each: "1,200", and not "1,5", which some write for one and a half.
fn is_in_thousands(typed: &str) -> bool {
    let whole = typed.split('.').next().unwrap_or(typed);
    let mut groups = whole.split([',', '_', ' ']);
    groups.next();
    groups.all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_stays_readable_as_text() {
        assert_eq!(spelling("people.developers", "12 x"), "\"12 x\"");
        assert_eq!(spelling("people.developers", "1,200"), "1200");
        assert_eq!(spelling("people.developers", "1 200 000"), "1200000");
        assert_eq!(spelling("people.developers", "1,5"), "\"1,5\"");
        assert_eq!(spelling("people.developers", "1,2000"), "\"1,2000\"");
        assert_eq!(spelling("people.developers", "3."), "\"3.\"");
        assert_eq!(spelling("infrastructure.dedicated", "yes"), "true");
        assert_eq!(spelling("infrastructure.protocols", ""), "[]");
        assert_eq!(spelling("name", "a\"b\\"), toml::Value::String("a\"b\\".into()).to_string());
    }

    #[test]
    fn whatever_is_typed_is_toml() {
        for path in ["name", "people.developers", "data.db_size", "infrastructure.protocols"] {
            for typed in ["", "\"", "'''", "a\nb", "1e400", "0x", "-", "]", "\u{202e}", "007", "1e5", "3."] {
                let line = format!("v = {}", spelling(path, typed));
                assert!(line.parse::<toml::Table>().is_ok(), "{path} {typed:?}: {line}");
            }
        }
    }
}
