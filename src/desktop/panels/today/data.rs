//! What is shown of today's system.

use std::sync::Arc;

use crate::desktop::answer::FromToday;
use crate::desktop::state::State;
use crate::report::{ChangeRow, PartRow, people_in_words};

/// Today's system, or why it cannot be shown.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// Why there is nothing to show.
    pub waiting: Option<String>,
    /// Whether the answers must be changed first: they describe no system that there can be.
    pub is_refused: bool,
    /// The answer as the command line has it.
    pub found: Option<Arc<FromToday>>,
    /// Changes by what they are.
    pub groups: Vec<Group>,
    /// The change that is looked at.
    pub shown: Option<Change>,
    /// Whether an answer to newer questions is on its way.
    pub is_stale: bool,
}

/// Changes under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The title.
    pub title: &'static str,
    /// The changes.
    pub changes: Vec<Change>,
    /// What they come to; empty where nothing is to be said.
    pub note: String,
}

/// A change, or several together.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// By which it is chosen.
    pub name: String,
    /// What it is.
    pub title: String,
    /// People that are carried today and after it: "210 → 3,700".
    pub people: String,
    /// What it fixes.
    pub fixes: String,
    /// What can go wrong.
    pub risk: String,
    /// Whether it is the one that is looked at.
    pub is_shown: bool,
    /// Whether it is a step of the plan: then its row has the changes before it too, and the last is new.
    pub is_step: bool,
    /// Everything about it.
    pub row: ChangeRow,
}

impl Data {
    /// From the state alone.
    pub fn of(state: &State) -> Self {
        let nothing = |waiting: &str, is_refused| Self {
            waiting: Some(waiting.to_owned()),
            is_refused,
            ..Self::default()
        };
        if let Some(problem) = state.lanes.today.problem() {
            return nothing(problem, true);
        }
        let Some(found) = state.lanes.today.answer() else {
            return if state.lanes.today.is_busy() {
                nothing("Computing what to change first…", false)
            } else {
                nothing(
                    "Answer the questions first: the number of developers is enough.",
                    false,
                )
            };
        };
        let mut groups = groups(found);
        let shown = chosen(&mut groups, state.change_shown.as_deref());
        Self {
            found: Some(found.clone()),
            groups,
            shown,
            is_stale: state.lanes.today.is_busy(),
            ..Self::default()
        }
    }
}

fn groups(found: &FromToday) -> Vec<Group> {
    let answer = &found.answer;
    let of = |kind: &str, row: &ChangeRow| {
        let ids: Vec<&str> = row.changes.iter().map(|part| part.id.as_str()).collect();
        change(answer.people, row, format!("{kind}: {}", ids.join(", ")))
    };
    let all = |kind: &str, rows: &[ChangeRow]| -> Vec<Change> {
        rows.iter().map(|row| of(kind, row)).collect()
    };
    let steps = answer.plan.iter().enumerate().map(|(n, after)| {
        let mut step = of("plan", after);
        step.is_step = true;
        if let Some(new) = after.changes.last() {
            step.title = format!("{}. {}", n + 1, new.title);
            step.risk.clone_from(&new.risk);
        }
        step
    });
    let mut useless = all("nothing", &answer.no_gain);
    for change in &mut useless {
        let with = answer.only_together.iter().find_map(|pair| {
            let [partner, last] = pair.changes.as_slice() else {
                return None;
            };
            (change.row.changes.first() == Some(last)).then(|| {
                format!(
                    "{} people with {}",
                    people_in_words(pair.people),
                    partner.title
                )
            })
        });
        change.fixes = with.unwrap_or_else(|| "nothing".to_owned());
    }
    let groups = [
        Group {
            title: "Plan, one step after the other",
            changes: steps.collect(),
            note: answer.plan_verdict.clone(),
        },
        Group {
            title: "Single changes, best for their price first",
            changes: all("single", &answer.changes),
            note: String::new(),
        },
        Group {
            title: "Best two together",
            changes: answer.pair.iter().map(|row| of("pair", row)).collect(),
            note: String::new(),
        },
        Group {
            title: "These alone give nothing",
            changes: useless,
            note: String::new(),
        },
    ];
    let is_said = |group: &Group| !group.changes.is_empty() || !group.note.is_empty();
    groups.into_iter().filter(is_said).collect()
}

fn change(people: Option<f64>, row: &ChangeRow, name: String) -> Change {
    let risks: Vec<&str> = row.changes.iter().map(|part| &*part.risk).collect();
    Change {
        name,
        title: row.title.clone(),
        people: format!(
            "{} → {}",
            people_in_words(people),
            people_in_words(row.people)
        ),
        fixes: row.what_it_fixes(),
        risk: risks.join(" "),
        is_shown: false,
        is_step: false,
        row: row.clone(),
    }
}

/// The change that is looked at: the first of all where none is chosen, or it is no more.
fn chosen(groups: &mut [Group], name: Option<&str>) -> Option<Change> {
    let mut all: Vec<&mut Change> = groups.iter_mut().flat_map(|g| &mut g.changes).collect();
    let place = all.iter().position(|change| Some(&*change.name) == name);
    let shown = all.get_mut(place.unwrap_or(0))?;
    shown.is_shown = true;
    Some((**shown).clone())
}

impl Change {
    /// The changes of which something is to be said here: of a step of the plan the new one, else all.
    pub fn parts(&self) -> &[PartRow] {
        let parts = &self.row.changes;
        if self.is_step {
            &parts[parts.len().saturating_sub(1)..]
        } else {
            parts
        }
    }
}
