//! Every field of the questionnaire: its path, kind, limits, the question behind it, why the limits, and how to find the answer.
//!
//! They are data, `models/questions.toml`. Knows nothing about reading; [`FIELDS`] serves the reader, the window, `plimsoll explain`
//! and `docs/site-file.md` alike, so that they cannot disagree. The order is the order of asking.

use std::sync::LazyLock;

use super::vocabulary::Words;
use crate::diag::Diagnostics;
use crate::document::{self, Reader, Value};

/// The questions, and what is assumed where there is no answer: `models/questions.toml`.
pub const QUESTIONS: &str = include_str!("../../../../models/questions.toml");

/// The name of that file, for messages.
pub(super) const FILE: &str = "models/questions.toml";

/// The entries of that file: each stands at the path of its field.
pub(super) static ENTRIES: LazyLock<Value> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source(FILE, QUESTIONS);
    document::parse(source, &diagnostics).unwrap_or_else(|| panic!("{}", diagnostics.render()))
});

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
    /// The kind of that name; `words` are those of a word or a list.
    fn named(name: &str, words: impl FnOnce() -> Option<Words>) -> Option<Self> {
        Some(match name {
            "text" => Self::Text,
            "count" => Self::Count,
            "number" => Self::Number,
            "size" => Self::Size,
            "time" => Self::Time,
            "rate" => Self::Rate,
            "bandwidth" => Self::Bandwidth,
            "clock" => Self::Clock,
            "share" => Self::Share,
            "growth" => Self::Growth,
            "release" => Self::Release,
            "yes-no" => Self::YesNo,
            "word" => Self::Word(words()?),
            "list" => Self::List(words()?),
            "tables" => Self::Tables,
            "money" => Self::Money,
            _ => return None,
        })
    }
}

/// One field of the questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Where it stands, `people.developers`; a field of `[[people.site]]` is `people.site.name`.
    pub path: &'static str,
    /// What kind of answer it takes.
    pub kind: Kind,
    /// Unit or form of the answer, with an example: that of its kind, or its own.
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
    /// What to run or whom to ask for the answer; `None` where the question says enough.
    pub find: Option<&'static str>,
    /// What the documentation says of a missing answer, where that is not just what is assumed: `{}` stands for this, and
    /// `{PATH}` for the value that is assumed of another.
    pub(super) default: Option<&'static str>,
}

impl Field {
    /// The key inside its table: `developers` of `people.developers`.
    pub fn key(&self) -> &'static str {
        self.path.rsplit_once('.').map_or(self.path, |(_, key)| key)
    }

    /// One entry. What it does not state itself, the question that it is like does.
    fn read(path: &'static str, entry: &Reader<'_>, like: Option<&Reader<'_>>) -> Option<Self> {
        let of = |key| match like {
            Some(like) if entry.raw(key).is_none() => like,
            _ => entry,
        };
        let text = |reader: &Reader<'_>, key| Some(kept(reader.text(key)?.value));
        let optional = |key| entry.raw(key).and_then(|_| text(entry, key));
        let kind = Kind::named(text(of("kind"), "kind")?, || Words::read(of("words")))?;
        let limits = of("limits");
        let limits = match limits.raw("limits") {
            Some(_) => {
                let ends = limits.texts("limits")?;
                let [low, high] = <[_; 2]>::try_from(ends).ok()?.map(|end| kept(end.value));
                Some((low, high))
            }
            None => None,
        };
        let n13 = entry.raw("n13").and_then(|_| entry.count("n13"));
        let field = Self {
            path,
            kind,
            unit: optional("unit").unwrap_or_else(|| kind.unit()),
            limits,
            question: text(entry, "question")?,
            why: text(of("why"), "why")?,
            required: entry.boolean("required").is_some_and(|is| is.value),
            n13: n13.map(|question| question.value as u8),
            find: optional("find"),
            default: optional("default"),
        };
        entry.raw("assumed");
        entry.finish();
        Some(field)
    }
}

/// A text that is kept as long as the program runs, since it is read once.
pub(super) fn kept(text: String) -> &'static str {
    text.leak()
}

/// Every field, in the order of asking, which is that of the file.
pub static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let mut diagnostics = Diagnostics::default();
    diagnostics.add_source(FILE, QUESTIONS);
    let entries = Reader::new(&ENTRIES, &diagnostics);
    let fields = entries.entries().into_iter().filter_map(|item| {
        // Without a question it is a factor of an assumption.
        let entry = item.table().filter(|entry| entry.raw("question").is_some())?;
        let like = entry.raw("like").and_then(|_| entry.text("like"));
        let like = like.and_then(|like| entries.table(kept(like.value)));
        let field = Field::read(kept(item.name), &entry, like.as_ref());
        Some(field.unwrap_or_else(|| panic!("{}: {}", item.path, diagnostics.render())))
    });
    let fields = fields.collect();
    assert!(diagnostics.is_empty(), "{}", diagnostics.render());
    fields
});

/// The field at a path. A number inside the path (`people.site.0.name`) is skipped.
///
/// ```
/// use plimsoll_model::site::field;
/// assert_eq!(field("people.site.0.name").unwrap().path, "people.site.name");
/// assert!(field("people.zebra").is_none());
/// ```
pub fn field(path: &str) -> Option<&'static Field> {
    let plain: Vec<&str> = path.split('.').filter(|part| part.parse::<usize>().is_err()).collect();
    let plain = plain.join(".");
    FIELDS.iter().find(|field| field.path == plain)
}

/// What to run or whom to ask for the answer to a field; nothing where its question says enough.
///
/// ```
/// use plimsoll_model::site::how_to_find;
/// assert!(how_to_find("data.db_size").unwrap().contains("du -s"));
/// assert!(how_to_find("people.site.0.round_trip").unwrap().contains("ping"));
/// assert!(how_to_find("name").is_none());
/// ```
pub fn how_to_find(path: &str) -> Option<&'static str> {
    field(path)?.find
}
