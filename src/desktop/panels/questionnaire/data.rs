//! What the questionnaire shows: parts with their progress, the questions in sight, what to ask first.

use std::sync::Arc;

use super::control::Control;
use super::question::{Assumed, Matter, Question};
use crate::advisor::{Influence, OFFICES, OPENING};
use crate::desktop::engine::Engine;
use crate::desktop::inquiry::Part;
use crate::desktop::reading::Problem;
use crate::desktop::state::State;
use crate::site::{Assumption, FIELDS, Field, Kind, field};

/// The questionnaire.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// The text of the site file.
    pub text: Arc<str>,
    /// Whether the text is shown instead of the form.
    pub is_text: bool,
    /// What is searched for.
    pub query: String,
    /// Whether answered questions are left out.
    pub is_open_only: bool,
    /// Questions that are answered.
    pub answered: usize,
    /// All questions.
    pub total: usize,
    /// All parts.
    pub parts: Vec<PartHead>,
    /// The part in sight; none while all are searched.
    pub part: Option<Part>,
    /// The three unanswered questions that matter most.
    pub ask_first: Vec<Ask>,
    /// All that is wrong.
    pub faults: Vec<Problem>,
    /// Errors that are shown at no question in sight. What is being typed is wrong now and then, and must
    /// not push the questions about.
    pub faults_elsewhere: Vec<Problem>,
    /// What looks wrong without being so.
    pub warnings: Vec<String>,
    /// Why the text is no TOML, if it is none.
    pub syntax: Option<String>,
    /// The questions in sight.
    pub groups: Vec<Group>,
    /// The question to bring into sight.
    pub sought: Option<String>,
    /// The line of the text to bring into sight, from 1.
    pub sought_line: Option<usize>,
}

/// A part with its progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartHead {
    /// Which.
    pub part: Part,
    /// Questions of it that are answered.
    pub answered: usize,
    /// All its questions.
    pub total: usize,
    /// Answers of it that are wrong.
    pub wrong: usize,
}

/// Questions that stand together.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Their part.
    pub part: Part,
    /// What they are about.
    pub title: String,
    /// In a sentence.
    pub about: String,
    /// The table that can be taken away: list and number.
    pub table: Option<(&'static str, usize)>,
    /// The list that can be added to: its path, and the word for one of it.
    pub adds: Option<(&'static str, &'static str)>,
    /// The questions.
    pub questions: Vec<Question>,
}

/// A question worth asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The path of its field.
    pub path: String,
    /// What is asked.
    pub question: String,
    /// The value that is assumed meanwhile.
    pub value: String,
    /// What it does.
    pub matter: Matter,
}

/// Questions worth asking that are shown.
const ASKED: usize = 3;

impl Data {
    /// From the state alone.
    pub fn of(state: &State, engine: &Engine) -> Self {
        let view = &state.inquiry;
        let form = Form::new(state, engine);
        let terms: Vec<String> = view.query.split_whitespace().map(str::to_lowercase).collect();
        let part = terms.is_empty().then_some(view.part);
        let parts: Vec<PartHead> = Part::ALL.iter().map(|part| form.head(*part)).collect();
        let groups = if view.is_text {
            Vec::new()
        } else {
            let shown = part.map_or_else(|| Part::ALL.to_vec(), |part| vec![part]);
            shown.into_iter().flat_map(|part| form.groups(part, &terms)).collect()
        };
        let faults = state.reading.problems.clone();
        let shown = || groups.iter().flat_map(|g| &g.questions);
        let is_shown = |fault: &Problem| shown().any(|q| q.fault.as_ref() == Some(fault));
        let elsewhere = faults.iter().filter(|fault| !is_shown(fault)).cloned();
        Self {
            faults_elsewhere: elsewhere.collect(),
            faults,
            text: state.scenario.text.clone(),
            is_text: view.is_text,
            query: view.query.clone(),
            is_open_only: view.is_open_only,
            answered: parts.iter().map(|p| p.answered).sum(),
            total: parts.iter().map(|p| p.total).sum(),
            parts,
            part,
            ask_first: form.ask_first(),
            warnings: state.reading.site.as_ref().map_or_else(Vec::new, |site| site.warnings.clone()),
            syntax: state.reading.syntax.clone(),
            groups,
            sought: view.sought.clone(),
            sought_line: view.sought_line,
        }
    }
}

/// Questions that are answered, and all of them.
pub fn progress(state: &State, engine: &Engine) -> (usize, usize) {
    let form = Form::new(state, engine);
    let heads = Part::ALL.iter().map(|part| form.head(*part));
    heads.fold((0, 0), |(answered, total), head| (answered + head.answered, total + head.total))
}

/// The open question that follows one, over all parts in their order and then from the first, or that comes before it; `None`
/// where no other is open.
pub fn next_open(state: &State, engine: &Engine, from: &str, back: bool) -> Option<String> {
    let form = Form::new(state, engine);
    let all = Part::ALL.into_iter().flat_map(|part| form.paths(part));
    let mut all: Vec<String> = all.map(|(path, _)| path).collect();
    if back {
        all.reverse();
    }
    let at = all.iter().position(|path| path == from)?;
    all.rotate_left(at + 1);
    all.pop();
    all.into_iter().find(|path| !form.is_answered(path))
}

/// What the parts are made from.
struct Form<'a> {
    state: &'a State,
    engine: &'a Engine,
    assumptions: Vec<Assumption>,
    influences: Option<&'a [Influence]>,
}

impl<'a> Form<'a> {
    fn new(state: &'a State, engine: &'a Engine) -> Self {
        let site = state.reading.last.as_ref();
        let advised = state.lanes.advice.answer();
        Self {
            state,
            engine,
            assumptions: site.map_or_else(Vec::new, |site| site.assumptions()),
            // Without a recommendation nothing was tried.
            influences: advised
                .filter(|advised| advised.advice.chosen.is_some())
                .map(|advised| &*advised.advice.influences),
        }
    }

    /// Every path that a part asks for, with its field.
    fn paths(&self, part: Part) -> Vec<(String, &'static Field)> {
        let fields =
            FIELDS.iter().filter(move |field| field.kind != Kind::Tables && Part::of(field.path) == Some(part));
        match list_of(part) {
            None => fields.map(|f| (f.path.to_owned(), f)).collect(),
            Some(list) => {
                let (listed, once): (Vec<&'static Field>, Vec<&'static Field>) =
                    fields.partition(|field| field.path.starts_with(list));
                let mut once: Vec<_> = once.into_iter().map(|f| (f.path.to_owned(), f)).collect();
                once.sort_by_key(|(path, _)| OPENING.iter().position(|known| known == path));
                let tables = 0..self.state.reading.count(list);
                let listed = tables.flat_map(|i| {
                    let listed = listed.clone().into_iter();
                    listed.map(move |f| (format!("{list}.{i}.{}", f.key()), f))
                });
                once.into_iter().chain(listed).collect()
            }
        }
    }

    fn is_answered(&self, path: &str) -> bool {
        let mut answers = self.state.reading.answers.iter();
        answers.any(|(known, _)| known == path)
    }

    fn head(&self, part: Part) -> PartHead {
        let paths = self.paths(part);
        let problems = self.state.reading.problems.iter();
        PartHead {
            part,
            answered: paths.iter().filter(|(p, _)| self.is_answered(p)).count(),
            total: paths.len(),
            wrong: problems.filter(|p| p.field.as_deref().and_then(Part::of) == Some(part)).count(),
        }
    }

    fn question(&self, path: String, field: &Field) -> Question {
        let assumption = self.assumptions.iter().find(|a| a.field == path);
        let assumed = assumption.map(|a| Assumed::of(a, self.influences));
        let is_helped = self.state.inquiry.helped.as_ref() == Some(&path);
        let question = Question::new(path, field, &self.state.reading, assumed, self.engine);
        let question = Question { is_helped, ..question };
        match &self.state.inquiry.draft {
            Some(draft) if draft.path == question.path => question.typed(&draft.typed, draft.problem.as_ref()),
            _ => question,
        }
    }

    /// What of a part is in sight.
    fn groups(&self, part: Part, terms: &[String]) -> Vec<Group> {
        let view = &self.state.inquiry;
        let mut questions: Vec<Question> =
            self.paths(part).into_iter().map(|(path, field)| self.question(path, field)).collect();
        if part == Part::Criteria {
            weigh(&mut questions);
        }
        questions.retain(|question| {
            // What is being typed must not slip away under the hands.
            let is_typed = self.state.gesture.as_ref() == Some(&question.path) || question.draft.is_some();
            let is_in = !view.is_open_only || question.answer.is_none() || is_typed;
            is_in && question.has(terms, part.title())
        });
        let head = Group {
            part,
            title: part.title().to_owned(),
            about: part.about().to_owned(),
            table: None,
            adds: None,
            questions: Vec::new(),
        };
        match list_of(part) {
            None if questions.is_empty() && !terms.is_empty() => Vec::new(),
            None => vec![Group { questions, ..head }],
            Some(list) => {
                let (word, key) = match part {
                    Part::Basics => ("office", "name"),
                    Part::Equipment => ("system", "name"),
                    Part::Today => ("volume", "roles"),
                    _ => ("price", "item"),
                };
                // What is asked once stands before the tables.
                let (listed, once): (Vec<Question>, Vec<Question>) =
                    questions.into_iter().partition(|q| q.path.starts_with(list));
                let mut groups = Vec::new();
                let lists = Group {
                    about: field(list).map_or_else(String::new, |f| f.question.to_owned()),
                    adds: Some((list, word)),
                    ..head.clone()
                };
                if part == Part::Basics {
                    let offices = "Offices".to_owned();
                    groups.extend((!once.is_empty()).then(|| Group { questions: once, ..head.clone() }));
                    groups.extend(terms.is_empty().then_some(Group { title: offices, ..lists }));
                } else if terms.is_empty() || !once.is_empty() {
                    groups.push(Group { questions: once, ..lists });
                }
                let called = |index: usize| {
                    let name = self.state.reading.answer(&format!("{list}.{index}.{key}"));
                    name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("{word} {}", index + 1))
                };
                groups.extend(tables(list, called, listed, &head));
                groups
            }
        }
    }

    fn ask_first(&self) -> Vec<Ask> {
        let influences = self.influences.unwrap_or_default().iter();
        influences
            .filter(|influence| !self.is_answered(&influence.field))
            .filter_map(|influence| {
                let mut assumptions = self.assumptions.iter();
                Some(Ask {
                    path: influence.field.clone(),
                    question: field(&influence.field)?.question.to_owned(),
                    value: assumptions.find(|a| a.field == influence.field)?.value.clone(),
                    matter: Matter::of(Some(influence)),
                })
            })
            .take(ASKED)
            .collect()
    }
}

/// The list of tables that a part asks for, if it does.
fn list_of(part: Part) -> Option<&'static str> {
    match part {
        Part::Basics => Some(OFFICES),
        Part::Equipment => Some("equipment"),
        Part::Today => Some("today.volume"),
        Part::Prices => Some("price"),
        _ => None,
    }
}

/// The questions of a list, table by table.
fn tables(list: &'static str, called: impl Fn(usize) -> String, questions: Vec<Question>, head: &Group) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for question in questions {
        let rest = question.path.strip_prefix(list).unwrap_or_default();
        let number = rest.trim_start_matches('.').split('.').next();
        let index: usize = number.and_then(|n| n.parse().ok()).unwrap_or_default();
        if groups.last().and_then(|g| g.table) != Some((list, index)) {
            groups.push(Group {
                title: called(index),
                about: String::new(),
                table: Some((list, index)),
                ..head.clone()
            });
        }
        if let Some(group) = groups.last_mut() {
            group.questions.push(question);
        }
    }
    groups
}

/// Turns the criteria into marks with their shares of the whole.
fn weigh(questions: &mut [Question]) {
    let mark = |question: &Question| {
        let said = question.answer.as_deref();
        let said = said.or(question.assumed.as_ref().map(|a| &*a.value))?;
        let mark: f64 = said.parse().ok()?;
        let is_mark = question.path.starts_with("criteria.") && (0.0..=10.0).contains(&mark);
        is_mark.then_some(mark)
    };
    let marks: Vec<Option<f64>> = questions.iter().map(mark).collect();
    let sum: f64 = marks.iter().flatten().sum();
    for (question, mark) in questions.iter_mut().zip(marks) {
        // What is no mark stays a line of text, so that it can be mended.
        if let Some(mark) = mark {
            let share = if sum > 0.0 { format!("{:.0} %", 100.0 * mark / sum) } else { "–".to_owned() };
            question.control = Control::Weight { mark, share };
        }
    }
}
