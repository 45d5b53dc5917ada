//! Every field of the questionnaire: its path, kind, limits, the question behind it and why the limits.
//!
//! Knows nothing about reading; [`FIELDS`] serves the reader, the window, `plimsoll explain`
//! and `docs/site-file.md` alike, so that they cannot disagree. The order is the order of asking.

mod equipment;
mod goals;
mod organization;
mod stated;
mod today;
mod usage;

use super::vocabulary::Words;

/// What kind of answer a field takes, and with it the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words in quotes.
    Text,
    /// A whole number of things, without unit.
    Count,
    /// A number without unit.
    Number,
    /// A size in text with unit, such as `"34 GiB"`.
    Size,
    /// A time in text with unit, such as `"140 ms"`.
    Time,
    /// Events a time in text with unit, such as `"150000 /day"`.
    Rate,
    /// Data a time in text with unit, such as `"100 Mb/s"`.
    Bandwidth,
    /// A clock of a processor in text with unit, such as `"3.2 GHz"`.
    Clock,
    /// A share in text with unit, such as `"20 %"`.
    Share,
    /// Compound growth in text with unit, such as `"25 %/year"`.
    Growth,
    /// A p4d release, such as `"2024.2"`.
    Release,
    /// `true` or `false`.
    YesNo,
    /// One known word in quotes.
    Word(Words),
    /// A list of known words, such as `["nfsv3", "fc"]`.
    List(Words),
    /// A repeated table, such as `[[price]]`.
    Tables,
    /// An amount and a currency, such as `"12000 EUR"`.
    Money,
}

impl Kind {
    /// The unit or form of the answer, with an example, for a person.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Count => "count",
            Self::Number => "number",
            Self::Size => "size, \"34 GiB\"",
            Self::Time => "time, \"140 ms\"",
            Self::Rate => "rate, \"150000 /day\"",
            Self::Bandwidth => "bandwidth, \"100 Mb/s\"",
            Self::Clock => "clock, \"3.2 GHz\"",
            Self::Share => "share, \"20 %\"",
            Self::Growth => "growth, \"25 %/year\"",
            Self::Release => "release, \"2024.2\"",
            Self::YesNo => "true or false",
            Self::Word(_) => "one word",
            Self::List(_) => "list of words",
            Self::Tables => "tables",
            Self::Money => "price, \"12000 EUR\"",
        }
    }
}

/// One field of the questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Where it stands, `people.developers`; a field of `[[people.site]]` is `people.site.name`.
    pub path: &'static str,
    /// What kind of answer it takes.
    pub kind: Kind,
    /// Unit or form of the answer, with an example; the same as `kind.unit()`.
    pub unit: &'static str,
    /// Least and most, written as in the site file; `None` where the kind itself bounds the answer.
    pub limits: Option<(&'static str, &'static str)>,
    /// What to ask the customer.
    pub question: &'static str,
    /// Why the limits are where they are, or what bounds the answer.
    pub why: &'static str,
    /// Whether the file is refused without it.
    pub required: bool,
    /// Which of the seven questions of N13 section 9 it answers, from 1.
    pub n13: Option<u8>,
}

impl Field {
    /// The key inside its table: `developers` of `people.developers`.
    pub fn key(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, key)| key)
    }

    const fn bounded(
        path: &'static str,
        kind: Kind,
        limits: (&'static str, &'static str),
        question: &'static str,
        why: &'static str,
    ) -> Self {
        let field = Self::free(path, kind, question, why);
        Self {
            limits: Some(limits),
            ..field
        }
    }

    const fn free(
        path: &'static str,
        kind: Kind,
        question: &'static str,
        why: &'static str,
    ) -> Self {
        Self {
            path,
            kind,
            unit: kind.unit(),
            limits: None,
            question,
            why,
            required: false,
            n13: None,
        }
    }

    const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    const fn answers(self, n13: u8) -> Self {
        Self {
            n13: Some(n13),
            ..self
        }
    }
}

/// Every field, in the order of asking.
pub static FIELDS: &[Field] = &ALL;

const LENGTH: usize = organization::FIELDS.len()
    + usage::FIELDS.len()
    + equipment::FIELDS.len()
    + stated::FIELDS.len()
    + today::FIELDS.len()
    + goals::FIELDS.len();

static ALL: [Field; LENGTH] = {
    let parts = [
        organization::FIELDS,
        usage::FIELDS,
        equipment::FIELDS,
        stated::FIELDS,
        today::FIELDS,
        goals::FIELDS,
    ];
    let mut all = [organization::FIELDS[0]; LENGTH];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[at] = parts[part][i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    all
};

/// The field at a path. A number inside the path (`people.site.0.name`) is skipped.
///
/// ```
/// use plimsoll::site::field;
/// assert_eq!(field("people.site.0.name").unwrap().path, "people.site.name");
/// assert!(field("people.zebra").is_none());
/// ```
pub fn field(path: &str) -> Option<&'static Field> {
    let plain: Vec<&str> = path
        .split('.')
        .filter(|part| part.parse::<usize>().is_err())
        .collect();
    let plain = plain.join(".");
    FIELDS.iter().find(|field| field.path == plain)
}
