//! One question as it is shown: what is asked, how it can be answered, what is assumed, what is wrong.

use crate::advisor::Influence;
use crate::catalog::{Catalog, Entry};
use crate::desktop::engine::Engine;
use crate::desktop::reading::{Problem, Reading, as_typed};
use crate::site::{Assumption, Field, Kind, Words, spelling};
use crate::units::significant;

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The path of its field: `people.site.0.name`.
    pub path: String,
    /// What is asked; commands stand between backticks.
    pub asked: String,
    /// Unit or form of the answer, with an example.
    pub unit: String,
    /// The least and the most.
    pub limits: Option<String>,
    /// Why the limits are where they are.
    pub why: String,
    /// How it is answered.
    pub control: Control,
    /// The answer as typed, if there is one.
    pub answer: Option<String>,
    /// What stands in for it.
    pub assumed: Option<Assumed>,
    /// What is wrong with it.
    pub fault: Option<Fault>,
    /// Whether nothing is reckoned without it.
    pub is_required: bool,
    /// Whether its help is open.
    pub is_helped: bool,
}

/// How a question is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Control {
    /// In words or with an amount; what stands in the empty field.
    Line(String),
    /// With a mark from 0 to 10.
    Weight {
        /// The mark, stated or assumed.
        mark: f64,
        /// Its share of all marks.
        share: String,
    },
    /// With one of few words, side by side.
    One(Vec<Word>),
    /// With one of many words, in a menu.
    Menu(Vec<Word>),
    /// With any of some words; whether with none of them too.
    Many(Vec<Word>, bool),
}

/// A word that an answer may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As the file has it.
    pub spelled: String,
    /// What it is, where the catalogue says it.
    pub title: String,
    /// More about it.
    pub about: String,
    /// Whether it is in the answer.
    pub picked: Picked,
}

/// Whether a word is in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picked {
    /// It is not.
    No,
    /// It is.
    Yes,
    /// Nobody answered, and it is assumed.
    Assumed,
    /// It is, and cannot be.
    Wrong,
}

/// What stands in for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// What is reckoned with.
    pub value: String,
    /// Between what it may be in truth (80 % interval); none where nobody can say.
    pub range: Option<String>,
    /// Why.
    pub origin: String,
    /// What it does to the recommendation; none where that is not known.
    pub matter: Option<Matter>,
}

/// What an unanswered question does to the recommendation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matter {
    /// In words.
    pub words: String,
    /// In a sentence.
    pub sentence: String,
    /// Whether it is worth asking.
    pub is_large: bool,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The field, if it stands at one.
    pub path: Option<String>,
    /// The line of the text, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What was found.
    pub found: String,
    /// What helps.
    pub help: Vec<String>,
}

impl Fault {
    /// For the window.
    pub fn of(problem: &Problem) -> Self {
        Self {
            path: problem.field.clone(),
            line: problem.line,
            message: problem.message.clone(),
            found: problem.found.clone(),
            help: problem.help.clone(),
        }
    }
}

/// A ratio from which on a question is worth asking.
const LARGE: f64 = 1.25;

impl Matter {
    /// What an unanswered question does; `influence` is none where it was tried and does little.
    pub fn of(influence: Option<&Influence>) -> Self {
        match influence {
            None => Self {
                words: "matters little".to_owned(),
                sentence: "No time changes by more than 2 % over this range.".to_owned(),
                is_large: false,
            },
            Some(i) if i.saturates => Self {
                words: "may saturate".to_owned(),
                sentence: "At one end of this range the recommended deployment is overloaded."
                    .to_owned(),
                is_large: true,
            },
            Some(i) => {
                let ratio = significant(i.ratio, 3);
                Self {
                    words: format!("× {ratio} on {}", i.time),
                    sentence: format!(
                        "Over this range the time of {} changes by up to × {ratio}.",
                        i.time
                    ),
                    is_large: i.ratio >= LARGE,
                }
            }
        }
    }
}

impl Assumed {
    /// For the window; `influences` are none as long as nothing is recommended.
    pub fn of(assumption: &Assumption, influences: Option<&[Influence]>) -> Self {
        let has_range = assumption.low != assumption.high;
        // The weights are not moved: they are a wish, not a fact.
        let is_moved = has_range && !assumption.field.starts_with("criteria");
        Self {
            value: assumption.value.clone(),
            range: has_range.then(|| format!("{} to {}", assumption.low, assumption.high)),
            origin: assumption.origin.to_string(),
            matter: influences.filter(|_| is_moved).map(|influences| {
                let mut all = influences.iter();
                Matter::of(all.find(|i| i.field == assumption.field))
            }),
        }
    }
}

impl Question {
    /// The question of a field at a path.
    pub fn new(
        path: String,
        field: &Field,
        reading: &Reading,
        assumed: Option<Assumed>,
        engine: &Engine,
    ) -> Self {
        let answer = reading.answer(&path);
        let assumed = assumed.filter(|_| answer.is_none());
        let control = control(field, answer.as_deref(), assumed.as_ref(), engine);
        Self {
            asked: field.question.to_owned(),
            unit: field.unit.to_owned(),
            limits: field
                .limits
                .map(|(low, high)| limits(field.kind, low, high)),
            why: field.why.to_owned(),
            control,
            fault: reading.problem(&path).map(Fault::of),
            is_required: field.required,
            is_helped: false,
            answer,
            assumed,
            path,
        }
    }

    /// The answer as a person reads it: counts with commas.
    pub fn shown(&self) -> String {
        let answer = self.answer.clone().unwrap_or_default();
        let is_count = self.unit == Kind::Count.unit() || self.unit == Kind::Number.unit();
        if is_count && answer.len() > 4 && answer.bytes().all(|b| b.is_ascii_digit()) {
            return grouped(&answer);
        }
        answer
    }

    /// What the catalogue calls the word that was chosen in a menu.
    pub fn title(&self) -> Option<&str> {
        let Control::Menu(words) = &self.control else {
            return None;
        };
        let chosen = words.iter().find(|word| word.picked == Picked::Yes)?;
        Some(chosen.title.as_str()).filter(|title| !title.is_empty())
    }

    /// Whether what is typed means the answer as it stands: then the field keeps what was typed.
    pub fn means(&self, typed: &str) -> bool {
        if typed.trim().is_empty() {
            return self.answer.is_none();
        }
        self.answer.as_deref() == Some(&*as_typed(&spelling(&self.path, typed)))
    }

    /// The answer after a word was clicked; none is no answer.
    pub fn toggled(&self, clicked: &str) -> Option<String> {
        let Control::Many(words, may_be_none) = &self.control else {
            return Some(clicked.to_owned());
        };
        let was_in = |w: &Word| matches!(w.picked, Picked::Yes | Picked::Wrong);
        let is_in = |w: &&Word| was_in(w) != (w.spelled == clicked);
        let left: Vec<&str> = words.iter().filter(is_in).map(|w| &*w.spelled).collect();
        if left.is_empty() && !may_be_none {
            return None;
        }
        Some(left.join(", "))
    }

    /// Whether all the words of a search are in it; they are small letters.
    pub fn has(&self, terms: &[String], part: &str) -> bool {
        let mut hay = vec![part, &self.asked, &self.path, &self.why, &self.unit];
        if let Control::One(words) | Control::Menu(words) | Control::Many(words, _) = &self.control
        {
            for word in words {
                hay.extend([&*word.spelled, &*word.title]);
            }
        }
        let hay = hay.join(" ").to_lowercase();
        terms.iter().all(|term| hay.contains(term))
    }
}

fn limits(kind: Kind, low: &str, high: &str) -> String {
    let readable = |limit: &str| {
        let (number, unit) = limit.split_once(' ').unwrap_or((limit, ""));
        if number.bytes().all(|b| b.is_ascii_digit()) {
            format!("{} {unit}", grouped(number)).trim_end().to_owned()
        } else {
            limit.to_owned()
        }
    };
    if low == high {
        return format!("always {low}");
    }
    let of_what = if kind == Kind::Text {
        " characters"
    } else {
        ""
    };
    format!("from {} to {}{of_what}", readable(low), readable(high))
}

/// Digits with a comma at each thousand.
fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Words beside each other up to this many; more go into a menu.
const SIDE_BY_SIDE: usize = 6;

fn control(
    field: &Field,
    answer: Option<&str>,
    assumed: Option<&Assumed>,
    engine: &Engine,
) -> Control {
    let picked = |answer: Option<&str>| {
        let answer = answer.map(split);
        let assumed = assumed.map(|a| split(&a.value)).unwrap_or_default();
        move |word: &str| match &answer {
            Some(answer) if answer.iter().any(|w| w == word) => Picked::Yes,
            None if assumed.iter().any(|w| w == word) => Picked::Assumed,
            _ => Picked::No,
        }
    };
    match field.kind {
        Kind::YesNo => {
            let answer = match answer {
                Some("true") => Some("yes"),
                Some("false") => Some("no"),
                other => other,
            };
            Control::One(words(&["yes", "no"], &[], answer, &picked(answer)))
        }
        Kind::Word(kind) => {
            let known = engine.vocabulary.words(kind);
            let entries = entries(kind, &engine.catalog);
            let words = words(&known, &entries, answer, &picked(answer));
            if known.len() <= SIDE_BY_SIDE {
                Control::One(words)
            } else {
                Control::Menu(words)
            }
        }
        Kind::List(kind) => {
            let known = engine.vocabulary.words(kind);
            let entries = entries(kind, &engine.catalog);
            // That there is no cache is an answer; that there is no storage is none.
            let may_be_none = kind == Words::Caches;
            Control::Many(
                words(&known, &entries, answer, &picked(answer)),
                may_be_none,
            )
        }
        _ => Control::Line(hint(field, assumed)),
    }
}

fn split(list: &str) -> Vec<String> {
    let items = list.split(',').map(str::trim);
    items.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// What stands in the empty field: the assumption, or an example.
fn hint(field: &Field, assumed: Option<&Assumed>) -> String {
    if let Some(assumed) = assumed {
        return assumed.value.clone();
    }
    let example = field.unit.split('"').nth(1);
    example.map_or_else(String::new, |example| format!("such as {example}"))
}

/// The words with what the catalogue says of them, then those of the answer that nobody knows.
fn words(
    known: &[&str],
    entries: &[&Entry],
    answer: Option<&str>,
    picked: &dyn Fn(&str) -> Picked,
) -> Vec<Word> {
    let mut words: Vec<Word> = known
        .iter()
        .map(|word| {
            let entry = entries.iter().find(|entry| entry.id == *word);
            Word {
                spelled: (*word).to_owned(),
                title: entry.map_or_else(String::new, |e| e.title.clone()),
                about: entry.map_or_else(String::new, |e| e.summary.clone()),
                picked: picked(word),
            }
        })
        .collect();
    for word in answer.map(split).unwrap_or_default() {
        if !known.contains(&&*word) {
            words.push(Word {
                spelled: word,
                title: String::new(),
                about: "not a word that this answer can take".to_owned(),
                picked: Picked::Wrong,
            });
        }
    }
    words
}

/// What the catalogue says of the words.
fn entries(words: Words, catalog: &Catalog) -> Vec<&Entry> {
    let kinds: &[&str] = match words {
        Words::These(_) => &[],
        Words::Servers => &["servers"],
        Words::Arrays => &["arrays"],
        Words::Protocols => &["protocols"],
        Words::Filesystems => &["filesystems"],
        Words::Networks => &["networks"],
        Words::Media => &["media"],
        Words::Caches => &["caches"],
        Words::Layouts => &["layouts"],
        Words::Anything => &["servers", "arrays", "networks", "media", "caches"],
    };
    kinds
        .iter()
        .flat_map(|kind| catalog.entries(kind))
        .collect()
}
