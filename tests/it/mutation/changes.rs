//! Random changes of a text: what a slip of the hand or an attacker makes of a file.

/// A stream of random numbers (`SplitMix64`).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub(super) fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Numbers at and beyond what anything takes.
const NUMBERS: [&str; 18] = [
    "0",
    "-1",
    "1",
    "2",
    "1e9",
    "1e-9",
    "1e300",
    "-1e-300",
    "nan",
    "inf",
    "-inf",
    "0.1",
    "65536",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "1000000",
    "0x7fffffff",
];

const UNITS: [&str; 16] =
    ["s", "ms", "us", "h", "d", "/s", "/day", "%", "%/year", "GiB", "TiB", "B", "Gb/s", "MB/s", "EUR", ""];

/// Texts that something may obey, mistake or not have room for.
pub(super) fn hostile(dice: &mut Dice) -> String {
    let n = [1, 60, 300, 4000, 100_000][dice.below(5)];
    match dice.below(9) {
        0 => "\\u001b]0;x\\u0007\\u001b[31m".to_owned(),
        1 => "\\u202e\\u2066\\u200b\\u009b31m".to_owned(),
        2 => "=cmd|'/c calc'!A0".to_owned(),
        3 => "../../../../etc/passwd".to_owned(),
        4 => "</script><img src=x onerror=alert(1)>".to_owned(),
        5 => "$(touch x); `id`; ${HOME}".to_owned(),
        6 => "é漢🚢".repeat(n),
        7 => "a".repeat(n),
        _ => String::new(),
    }
}

pub(super) fn number(dice: &mut Dice) -> String {
    if dice.chance(30) {
        let exponent = i32::try_from(dice.below(40)).unwrap() - 20;
        return format!("{}e{exponent}", 1 + dice.below(999));
    }
    dice.one(&NUMBERS).to_owned()
}

/// Where a number stands in a text, if there is one after a random place.
fn find_number(text: &str, dice: &mut Dice) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let from = dice.below(bytes.len());
    let start = (from..bytes.len()).find(|i| bytes[*i].is_ascii_digit())?;
    let end = (start..bytes.len())
        .find(|i| !bytes[*i].is_ascii_digit() && !b".e_".contains(&bytes[*i]))
        .unwrap_or(bytes.len());
    Some(start..end)
}

/// One change of a text.
pub(super) fn mutate(text: &str, other: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let n = lines.len();
    let at = dice.below(n);
    let made;
    match dice.below(13) {
        0 if n > 0 => {
            lines.remove(at);
        }
        1 if n > 0 => lines.insert(at, lines[dice.below(n)]),
        2 if n > 0 => lines.swap(at, dice.below(n)),
        3..=5 => {
            if let Some(range) = find_number(text, dice) {
                return format!("{}{}{}", &text[..range.start], number(dice), &text[range.end..]);
            }
        }
        6 => {
            let unit = dice.one(&UNITS);
            if let Some(range) = find_number(text, dice) {
                return format!("{}{} {unit}\"{}", &text[..range.start], number(dice), &text[range.end..]);
            }
        }
        // Another text in quotes.
        7 => {
            let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
            if quotes.len() > 1 {
                let first = dice.below(quotes.len() - 1);
                let (from, to) = (quotes[first] + 1, quotes[first + 1]);
                return format!("{}{}{}", &text[..from], hostile(dice), &text[to..]);
            }
        }
        // A table or a line many times.
        8 if n > 0 => {
            let end = (at + 1..n).find(|i| lines[*i].starts_with('[')).unwrap_or(n);
            let block = lines[at..end].join("\n");
            let times = [2, 20, 500, 20_000][dice.below(4)].min(1 + 900_000 / (block.len() + 1));
            made = format!("{block}\n").repeat(times);
            lines.insert(at, &made);
        }
        9 => {
            let cut = dice.below(text.len());
            let cut = (0..=cut).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            return text[..cut].to_owned();
        }
        // A piece of another file.
        10 => {
            let theirs: Vec<&str> = other.lines().collect();
            if !theirs.is_empty() {
                let from = dice.below(theirs.len());
                let to = (from + 1 + dice.below(12)).min(theirs.len());
                made = theirs[from..to].join("\n");
                lines.insert(at.min(n), &made);
                return lines.join("\n") + "\n";
            }
        }
        11 if n > 0 => {
            let depth = [3, 31, 33, 500, 50_000][dice.below(5)];
            made = format!("x{} = {}1{}", dice.below(9), "[".repeat(depth), "]".repeat(depth));
            lines.insert(at, &made);
        }
        _ => {
            let odd = ["\u{0}", "\u{1b}[2J", "\"", "\\", "#", "=", "[[", "\u{202e}", "\r", "\u{feff}"];
            let cut = dice.below(text.len());
            let cut = (0..=cut).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            return format!("{}{}{}", &text[..cut], dice.one(&odd), &text[cut..]);
        }
    }
    lines.join("\n") + "\n"
}
