//! Reading numbers, times and sizes out of the bytes of a line.

use super::record::{Moment, Usage};

/// Beyond this no count of a real server goes: sums of some hundred of them still fit.
pub(super) const LARGEST: u64 = 1 << 56;

/// Thirty years \[s\]: what is longer was damaged.
pub(super) const LONGEST_S: f64 = 1e9;

/// What is left of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a> {
    /// Not read yet.
    pub(super) rest: &'a [u8],
}

impl<'a> Scan<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Passes over exactly these bytes.
    #[inline]
    pub(super) fn tag(&mut self, tag: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(tag)?;
        Some(())
    }

    /// Passes over spaces.
    #[inline]
    pub(super) fn spaces(&mut self) {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// A whole number.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        let mut digits = 0;
        for byte in self.rest {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            digits += 1;
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        }
        self.rest = self.rest.get(digits..)?;
        match digits {
            0 => None,
            1..=16 => Some(value),
            // It may have turned over; leading zeros are none of a server's.
            _ => Some(LARGEST),
        }
    }

    /// `A+B`.
    #[inline]
    pub(super) fn pair(&mut self) -> Option<(u64, u64)> {
        let first = self.number()?;
        self.tag(b"+")?;
        Some((first, self.number()?))
    }

    /// `A+B+C`.
    #[inline]
    pub(super) fn three(&mut self) -> Option<(u64, u64, u64)> {
        let (first, second) = self.pair()?;
        self.tag(b"+")?;
        Some((first, second, self.number()?))
    }

    /// A number with decimals: `.031`, `1.38`, `109`, as a value and a power of ten to divide it by.
    #[inline]
    fn decimal(&mut self) -> Option<(u64, u64)> {
        let (mut value, mut divisor) = (0_u64, 1_u64);
        let (mut digits, mut used, mut point) = (0, 0, false);
        for byte in self.rest {
            match byte {
                b'0'..=b'9' => {
                    digits += 1;
                    // Fifteen digits are exact in a f64; what follows them changes nothing here.
                    if value < 100_000_000_000_000 && divisor < 100_000_000_000_000 {
                        value = value * 10 + u64::from(byte - b'0');
                        if point {
                            divisor *= 10;
                        }
                    } else if !point {
                        value = value.saturating_mul(10).min(LARGEST);
                    }
                }
                b'.' if !point => point = true,
                _ => break,
            }
            used += 1;
        }
        self.rest = self.rest.get(used..)?;
        (digits > 0).then_some((value, divisor))
    }

    /// Seconds with their `s`.
    #[inline]
    pub(super) fn seconds(&mut self) -> Option<f64> {
        let (value, divisor) = self.decimal()?;
        self.tag(b"s")?;
        let seconds = value as f64 / divisor as f64;
        (seconds < LONGEST_S).then_some(seconds)
    }

    /// Bytes by binary prefixes: `0`, `153K`, `25.6M`, `1862mb`, `0B`.
    #[inline]
    pub(super) fn size(&mut self) -> Option<u64> {
        let (value, divisor) = self.decimal()?;
        let shift = match self.rest.first().map(u8::to_ascii_lowercase) {
            Some(b'k') => 10,
            Some(b'm') => 20,
            Some(b'g') => 30,
            Some(b't') => 40,
            Some(b'p') => 50,
            _ => 0,
        };
        if shift > 0 {
            self.rest = &self.rest[1..];
        }
        if let [b'b' | b'B', rest @ ..] = self.rest {
            self.rest = rest;
        }
        let bytes = if divisor == 1 && value < 1 << 12 {
            value << shift
        } else {
            (value as f64 / divisor as f64 * (1_u64 << shift) as f64).round() as u64
        };
        Some(bytes.min(LARGEST))
    }

    /// Milliseconds with their `ms`, perhaps negative.
    #[inline]
    pub(super) fn milliseconds(&mut self) -> Option<i64> {
        let negative = self.tag(b"-").is_some();
        let value = i64::try_from(self.number()?).ok()?;
        self.tag(b"ms")?;
        Some(if negative { -value } else { value })
    }

    /// `0ms+22ms/0ms+24795ms`: waited and held, left and right of the bar.
    #[inline]
    pub(super) fn lock_times(&mut self) -> Option<[i64; 4]> {
        let left_wait = self.milliseconds()?;
        self.tag(b"+")?;
        let left_held = self.milliseconds()?;
        self.tag(b"/")?;
        let right_wait = self.milliseconds()?;
        self.tag(b"+")?;
        Some([left_wait, left_held, right_wait, self.milliseconds()?])
    }

    /// `7+4us 0+584io 0+0net 4580k 0pf`.
    #[inline]
    pub(super) fn usage(&mut self) -> Option<Usage> {
        let (user_ms, system_ms) = self.pair()?;
        self.tag(b"us ")?;
        let (blocks_in, blocks_out) = self.pair()?;
        self.tag(b"io ")?;
        let (ipc_in, ipc_out) = self.pair()?;
        self.tag(b"net ")?;
        let resident_kib = self.number()?;
        self.tag(b"k ")?;
        let faults = self.number()?;
        self.tag(b"pf")?;
        Some(Usage { user_ms, system_ms, blocks_in, blocks_out, ipc_in, ipc_out, resident_kib, faults })
    }
}

/// Reads `YYYY/MM/DD HH:MM:SS`; remembers the day, which seldom changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Calendar {
    day: [u8; 10],
    seconds: i64,
}

impl Calendar {
    /// The moment at the beginning of `text`, which is passed over.
    #[inline]
    pub(super) fn moment(&mut self, scan: &mut Scan<'_>) -> Option<Moment> {
        let (day, rest) = scan.rest.split_first_chunk::<10>()?;
        let ([b' ', time @ ..], rest) = rest.split_first_chunk::<9>()? else {
            return None;
        };
        if *day != self.day {
            self.seconds = day_seconds(day)?;
            self.day = *day;
        }
        let [h, hh, b':', m, mm, b':', s, ss] = *time else {
            return None;
        };
        let (hours, minutes, seconds) = (two(h, hh)?, two(m, mm)?, two(s, ss)?);
        // A leap second is written as 60.
        if hours > 23 || minutes > 59 || seconds > 60 {
            return None;
        }
        scan.rest = rest;
        Some(Moment { micros: (self.seconds + hours * 3600 + minutes * 60 + seconds) * 1_000_000 })
    }

    /// The moment at the beginning of a text with any signs between date and time: `2024-06-19T12:25:31+0200`, as structured
    /// logs from 2024.1 on and databases have it.
    pub(super) fn written(&mut self, text: &[u8]) -> Option<Moment> {
        let mut text = *text.first_chunk::<19>()?;
        (text[4], text[7], text[10]) = (b'/', b'/', b' ');
        self.moment(&mut Scan::new(&text))
    }
}

fn two(tens: u8, ones: u8) -> Option<i64> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
}

/// Seconds since 1970 at the beginning of `YYYY/MM/DD`.
fn day_seconds(day: &[u8; 10]) -> Option<i64> {
    let [a, b, c, d, b'/', m, mm, b'/', e, ee] = *day else {
        return None;
    };
    let (year, month, day) = (two(a, b)? * 100 + two(c, d)?, two(m, mm)?, two(e, ee)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days from a civil date (Hinnant 2013, `days_from_civil`): years begin in March, so that the leap day is the last.
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some((era * 146_097 + day_of_era - 719_468) * 86_400)
}

#[cfg(test)]
mod tests {
    use super::{Calendar, Scan};

    #[test]
    fn seconds_are_what_the_text_says() {
        for (text, value) in [
            (".031s", Some(0.031)),
            ("0.802s", Some(0.802)),
            ("1.38s", Some(1.38)),
            ("70.9s", Some(70.9)),
            ("109s", Some(109.0)),
            (".s", None),
            ("s", None),
            ("12", None),
            (".0000000000000000000000000001s", Some(0.0)),
            ("999999999s", Some(999_999_999.0)),
            ("1000000000s", None),
            ("123456789012345678901234567890s", None),
        ] {
            assert_eq!(Scan::new(text.as_bytes()).seconds(), value, "{text}");
        }
    }

    #[test]
    fn sizes_have_binary_prefixes() {
        for (text, value) in [
            ("0", 0),
            ("0B", 0),
            ("153K", 153 << 10),
            ("1862mb", 1862 << 20),
            ("25.6M", 26_843_546),
            ("197.8K", 202_547),
            ("12.1P", 13_623_388_872_795_750),
            ("99999999999999999999", 1 << 56),
        ] {
            assert_eq!(Scan::new(text.as_bytes()).size(), Some(value), "{text}");
        }
    }

    #[test]
    fn a_moment_comes_back_as_it_was_written() {
        let mut calendar = Calendar::default();
        for text in [
            "2024/02/29 23:59:59",
            "1970/01/01 00:00:01",
            "2000/03/01 12:00:01",
            "1969/12/31 23:59:59",
            "2026/11/26 16:33:00",
        ] {
            let moment = calendar.moment(&mut Scan::new(text.as_bytes()));
            assert_eq!(moment.map(|moment| moment.to_string()), Some(text.to_owned()));
        }
        for text in [
            "2024/13/01 00:00:00",
            "2024/01/00 00:00:00",
            "2024/01/01 24:00:00",
            "2024/01/01 00:60:00",
            "2024-01-01 00:00:00",
            "2024/01/01 00:00:0",
        ] {
            assert_eq!(calendar.moment(&mut Scan::new(text.as_bytes())), None, "{text}");
        }
    }

    #[test]
    fn a_hold_may_be_negative() {
        let times = Scan::new(b"0ms+-25ms/1ms+-1ms").lock_times();
        assert_eq!(times, Some([0, -25, 1, -1]));
    }
}
