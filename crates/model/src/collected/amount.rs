//! Amounts as outputs write them: "100.3G", "1,024", "3.5T", "16384 MB".

/// Bytes of a binary prefix.
fn prefix(letter: char) -> Option<f64> {
    let power = match letter.to_ascii_uppercase() {
        'B' => 0,
        'K' => 1,
        'M' => 2,
        'G' => 3,
        'T' => 4,
        'P' => 5,
        'E' => 6,
        _ => return None,
    };
    Some(1024_f64.powi(power))
}

/// A plain number; thousands may be parted by commas, decimals by a point or a comma.
pub(super) fn number(text: &str) -> Option<f64> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let groups: Vec<&str> = text.split(',').collect();
    let plain = match &groups[..] {
        [_] => text.to_owned(),
        // One comma that parts no thousand is a decimal comma.
        [whole, rest] if rest.len() != 3 && !rest.contains('.') => format!("{whole}.{rest}"),
        [first, rest @ ..] => {
            let last = rest.last().map_or("", |last| last.split('.').next().unwrap_or(last));
            let are_thousands = first.len() <= 3 && last.len() == 3;
            if !are_thousands {
                return None;
            }
            groups.concat()
        }
        [] => return None,
    };
    let is_plain = plain.chars().all(|c| c.is_ascii_digit() || c == '.');
    plain.parse().ok().filter(|n: &f64| is_plain && n.is_finite())
}

/// A whole number without a sign.
pub(super) fn count(text: &str) -> Option<f64> {
    number(text).filter(|n| n.fract() == 0.0)
}

/// A size in bytes; a number alone counts units of `unit` bytes, and prefixes are binary as in `df -h`.
pub(super) fn size(text: &str, unit: f64) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    let Some(end) = end else {
        return number(text).map(|n| n * unit);
    };
    let (digits, suffix) = text.split_at(end);
    let mut letters = suffix.trim_start().chars();
    let factor = prefix(letters.next()?)?;
    matches!(letters.as_str(), "" | "B" | "iB" | "i" | "b").then_some(())?;
    Some(number(digits)? * factor)
}

/// The number of a share such as "73%".
pub(super) fn percent(text: &str) -> Option<f64> {
    number(text.strip_suffix('%')?)
}

/// A size as an answer has it: four digits in a binary unit, or the bytes where these are few.
pub(super) fn iec(bytes: f64) -> String {
    shown(bytes, 1024.0, ["KiB", "MiB", "GiB", "TiB", "PiB"])
}

/// The same in decimal units, as drives are sold.
pub(super) fn si(bytes: f64) -> String {
    shown(bytes, 1000.0, ["kB", "MB", "GB", "TB", "PB"])
}

fn shown(bytes: f64, step: f64, units: [&str; 5]) -> String {
    let mut number = bytes;
    let mut unit = "B";
    for next in units {
        if number < step {
            break;
        }
        number /= step;
        unit = next;
    }
    let decimals = match number {
        n if unit == "B" || n >= 1000.0 => 0,
        n if n >= 100.0 => 1,
        n if n >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_spelling() {
        for (text, wanted) in [
            ("1024", Some(1024.0)),
            ("1,024", Some(1024.0)),
            ("1,234,567", Some(1_234_567.0)),
            ("3,5", Some(3.5)),
            ("3.5", Some(3.5)),
            ("1,2,3", None),
            ("", None),
            ("-", None),
            ("12x", None),
            ("0x10", None),
            ("1e9", None),
            ("inf", None),
        ] {
            assert_eq!(number(text), wanted, "{text}");
        }
    }

    #[test]
    fn sizes_take_binary_prefixes() {
        assert_eq!(size("100.3G", 1.0), Some(100.3 * 1024_f64.powi(3)));
        assert_eq!(size("3,5T", 1.0), Some(3.5 * 1024_f64.powi(4)));
        assert_eq!(size("12", 1024.0), Some(12288.0));
        assert_eq!(size("56 KB", 1.0), Some(57344.0));
        assert_eq!(size("251Gi", 1.0), Some(251.0 * 1024_f64.powi(3)));
        assert_eq!(size("12 files", 1.0), None);
        assert_eq!(size("G", 1.0), None);
    }

    #[test]
    fn sizes_are_shown_with_four_digits() {
        assert_eq!(iec(100.3 * 1024_f64.powi(3)), "100.3 GiB");
        assert_eq!(iec(512.0), "512 B");
        assert_eq!(iec(1024_f64.powi(4)), "1 TiB");
        assert_eq!(si(3_840_755_982_336.0), "3.841 TB");
        assert_eq!(iec(5e18), "4441 PiB");
    }
}
