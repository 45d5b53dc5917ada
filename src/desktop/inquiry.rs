//! How the questionnaire is looked at: which part, what is searched for, the form or the text.
//!
//! Plain state of a view: nothing of it is saved, and none of it can be undone.

use super::reading::Problem;
use crate::advisor::{OFFICES, OPENING};

/// A part of the questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Part {
    /// What a customer knows in the room, with the offices beside the main one.
    #[default]
    Basics,
    /// Who works when.
    People,
    /// What is stored.
    Data,
    /// What is done with it.
    Workload,
    /// The machine.
    Server,
    /// What surrounds it.
    Infrastructure,
    /// Storage that the catalogue does not have.
    Equipment,
    /// Today's system.
    Today,
    /// What must be reached.
    Targets,
    /// How it is kept safe.
    Protection,
    /// For how long.
    Horizon,
    /// What things cost.
    Prices,
    /// What matters how much: no answer of the model depends on it, the choice alone.
    Criteria,
}

impl Part {
    /// All, in the order of asking.
    pub const ALL: [Self; 13] = [
        Self::Basics,
        Self::People,
        Self::Data,
        Self::Workload,
        Self::Server,
        Self::Infrastructure,
        Self::Equipment,
        Self::Today,
        Self::Targets,
        Self::Protection,
        Self::Horizon,
        Self::Prices,
        Self::Criteria,
    ];

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Criteria => "What matters",
            Self::Basics => "Basics",
            Self::People => "People",
            Self::Data => "Data",
            Self::Workload => "Workload",
            Self::Server => "Server",
            Self::Infrastructure => "Infrastructure",
            Self::Equipment => "Own storage",
            Self::Today => "Today",
            Self::Targets => "Targets",
            Self::Protection => "Protection",
            Self::Horizon => "Horizon",
            Self::Prices => "Prices",
        }
    }

    /// What it asks for, in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Criteria => "Weights from 0 to 10: only their proportions count.",
            Self::Basics => {
                "What a customer knows in the room: people, where it runs, offices, how much is stored and on what, how long a sync may take."
            }
            Self::People => "When the developers work, and their connections.",
            Self::Data => "What the server holds, and how it grows.",
            Self::Workload => "The commands, submits and syncs of a typical day and of its peak.",
            Self::Server => "The machine that p4d runs on, and the machines of edges and proxies.",
            Self::Infrastructure => "Storage, protocols and networks that may be used. All choices are compared.",
            Self::Equipment => "Systems that the catalogue does not have, beside those of the infrastructure.",
            Self::Today => "Today's system: the panel Today says what to change first in it.",
            Self::Targets => {
                "Times that 95 of 100 commands must meet. Leave out targets that the customer does not have."
            }
            Self::Protection => "Recovery objectives, backups and snapshots.",
            Self::Horizon => "How long the equipment must last.",
            Self::Prices => "Prices of what is on offer; without them the catalogue's cost grades count.",
        }
    }

    /// The part that asks for a field; none for the version of the form, which is no question.
    ///
    /// ```
    /// use plimsoll::desktop::inquiry::Part;
    /// assert_eq!(Part::of("people.site.2.bandwidth"), Some(Part::Basics));
    /// assert_eq!(Part::of("people.developers"), Some(Part::Basics));
    /// assert_eq!(Part::of("people.at_work"), Some(Part::People));
    /// assert_eq!(Part::of("schema"), None);
    /// ```
    pub fn of(path: &str) -> Option<Self> {
        let is_of_an_office = path.strip_prefix(OFFICES).is_some_and(|rest| rest.starts_with('.'));
        if is_of_an_office || OPENING.contains(&path) {
            return Some(Self::Basics);
        }
        match path.split_once('.').map_or(path, |(table, _)| table) {
            "criteria" => Some(Self::Criteria),
            "people" => Some(Self::People),
            "data" => Some(Self::Data),
            "workload" => Some(Self::Workload),
            "server" | "edge" | "proxy" => Some(Self::Server),
            "infrastructure" => Some(Self::Infrastructure),
            "equipment" => Some(Self::Equipment),
            "today" => Some(Self::Today),
            "targets" => Some(Self::Targets),
            "protection" => Some(Self::Protection),
            "horizon" => Some(Self::Horizon),
            "price" => Some(Self::Prices),
            _ => None,
        }
    }
}

/// How the questionnaire is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inquiry {
    /// The part that is shown, as long as nothing is searched for.
    pub part: Part,
    /// What is searched for.
    pub query: String,
    /// Whether questions that are answered are left out.
    pub is_open_only: bool,
    /// Whether the text of the file is shown instead of the form.
    pub is_text: bool,
    /// The question whose help is open.
    pub helped: Option<String>,
    /// The question to bring into sight.
    pub sought: Option<String>,
    /// The line of the text to bring into sight, from 1.
    pub sought_line: Option<usize>,
    /// What is being typed into a field and is no answer yet.
    pub draft: Option<Draft>,
}

/// What is being typed into the field of a question. It becomes the answer when the field is left or Enter is
/// pressed, and only where it can be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The path of the field.
    pub path: String,
    /// As typed.
    pub typed: String,
    /// Why it did not become the answer.
    pub problem: Option<Problem>,
}

/// What can be asked of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inquire {
    /// Show a part.
    Part(Part),
    /// Search in all parts.
    Search(String),
    /// Leave out what is answered, or not.
    OpenOnly(bool),
    /// Show the text of the file, or the form.
    Text(bool),
    /// Open or close the help of a question.
    Help(String),
    /// Bring a question into sight: its path.
    Seek(String),
    /// Go from a question to the next open one, of any part, or to the one before.
    Onward {
        /// The path of its field.
        from: String,
        /// Whether to the one before.
        back: bool,
    },
    /// Show the text of the file at a line, from 1.
    Line(usize),
    /// Something is typed into the field of a question.
    Draft {
        /// The path of the field.
        path: String,
        /// As typed.
        typed: String,
    },
    /// What was typed is given up.
    DropDraft,
    /// It is in sight.
    Found,
}

impl Inquiry {
    /// Changes the view.
    pub fn take(&mut self, asked: Inquire) {
        match asked {
            Inquire::Part(part) => {
                self.part = part;
                self.query.clear();
            }
            Inquire::Search(query) => self.query = query,
            Inquire::OpenOnly(is_open_only) => self.is_open_only = is_open_only,
            Inquire::Text(is_text) => self.is_text = is_text,
            Inquire::Help(path) => {
                let is_open = self.helped.as_ref() == Some(&path);
                self.helped = Some(path).filter(|_| !is_open);
            }
            Inquire::Seek(path) => {
                // A place in the text that is no question is sought in the text.
                self.is_text = Part::of(&path).is_none();
                self.part = Part::of(&path).unwrap_or(self.part);
                self.query.clear();
                self.is_open_only = false;
                self.sought = Some(path);
            }
            // Which question is next depends on the answers: `update` seeks it.
            Inquire::Onward { .. } => {}
            Inquire::Line(line) => {
                self.is_text = true;
                self.sought_line = Some(line);
            }
            Inquire::Draft { path, typed } => {
                self.draft = Some(Draft { path, typed, problem: None });
            }
            Inquire::DropDraft => self.draft = None,
            Inquire::Found => {
                self.sought = None;
                self.sought_line = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::FIELDS;

    #[test]
    fn every_field_but_the_version_has_a_part() {
        for field in FIELDS.iter() {
            assert_eq!(Part::of(field.path).is_none(), field.path == "schema", "{}", field.path);
        }
    }

    #[test]
    fn seeking_leaves_the_search() {
        let mut inquiry = Inquiry { query: "growth".to_owned(), is_text: true, ..Inquiry::default() };
        inquiry.take(Inquire::Seek("data.db_growth".to_owned()));
        assert_eq!((inquiry.part, inquiry.query.as_str()), (Part::Data, ""));
        assert!(!inquiry.is_text);
        inquiry.take(Inquire::Found);
        assert_eq!(inquiry.sought, None);
    }
}
