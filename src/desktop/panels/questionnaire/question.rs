//! One question as it is shown: what is asked, how it can be answered, what is assumed, what is wrong.

use super::control::{Control, Picked, Word, control};
use crate::advisor::Influence;
use crate::desktop::engine::Engine;
use crate::desktop::reading::{Problem, Reading};
use crate::site::{Assumption, Field, Kind};
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
    /// What is typed and no answer yet.
    pub draft: Option<String>,
    /// What stands in for it.
    pub assumed: Option<Assumed>,
    /// What is wrong with it.
    pub fault: Option<Problem>,
    /// Whether no advice is possible without it.
    pub is_required: bool,
    /// Whether its help is open.
    pub is_helped: bool,
}

/// What stands in for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The value that is assumed.
    pub value: String,
    /// Its 80 % interval; none where it has none.
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
                sentence: "At one end of this range the recommended deployment is overloaded.".to_owned(),
                is_large: true,
            },
            Some(i) => {
                let (ratio, time) = (significant(i.ratio, 3), i.time_in_words());
                Self {
                    words: format!("× {ratio} on {time}"),
                    sentence: format!("Over this range the time of {time} changes by up to × {ratio}."),
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
    pub fn new(path: String, field: &Field, reading: &Reading, assumed: Option<Assumed>, engine: &Engine) -> Self {
        let answer = reading.answer(&path);
        let assumed = assumed.filter(|_| answer.is_none());
        let control = control(field, answer.as_deref(), assumed.as_ref(), engine);
        Self {
            asked: field.question.to_owned(),
            unit: field.unit.to_owned(),
            limits: field.limits.map(|(low, high)| limits(field.kind, low, high)),
            why: field.why.to_owned(),
            control,
            fault: reading.problem(&path).cloned(),
            is_required: field.required,
            is_helped: false,
            draft: None,
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

    /// The same while something is typed into its field; `problem` says why that is no answer.
    #[must_use]
    pub fn typed(self, typed: &str, problem: Option<&Problem>) -> Self {
        let stays = match (&self.answer, &self.assumed) {
            (Some(answer), _) => format!("{answer} still counts"),
            (None, Some(assumed)) => format!("{} is still assumed", assumed.value),
            (None, None) => String::new(),
        };
        let fault = problem.map(|problem| {
            let mut fault = problem.clone();
            if !stays.is_empty() {
                fault.help.insert(0, format!("Not an answer yet: {stays}."));
            }
            fault
        });
        Self { draft: Some(typed.to_owned()), fault: fault.or(self.fault), ..self }
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
        if let Control::One(words) | Control::Menu(words) | Control::Many(words, _) = &self.control {
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
    let of_what = if kind == Kind::Text { " characters" } else { "" };
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
