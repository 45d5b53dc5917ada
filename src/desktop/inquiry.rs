//! How the questionnaire is looked at: which part, what is searched for, the form or the text.
//!
//! Plain state of a view: nothing of it is saved, and none of it can be undone.

/// A part of the questionnaire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Part {
    /// Name and criteria.
    #[default]
    Criteria,
    /// Who works.
    People,
    /// Offices beside the main one.
    Offices,
    /// What is stored.
    Data,
    /// What is done with it.
    Workload,
    /// The machine.
    Server,
    /// What surrounds it.
    Infrastructure,
    /// What must be reached.
    Targets,
    /// How it is kept safe.
    Protection,
    /// For how long.
    Horizon,
    /// What things cost.
    Prices,
}

impl Part {
    /// All, in the order of asking.
    pub const ALL: [Self; 11] = [
        Self::Criteria,
        Self::People,
        Self::Offices,
        Self::Data,
        Self::Workload,
        Self::Server,
        Self::Infrastructure,
        Self::Targets,
        Self::Protection,
        Self::Horizon,
        Self::Prices,
    ];

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Criteria => "What matters",
            Self::People => "People",
            Self::Offices => "Offices",
            Self::Data => "Data",
            Self::Workload => "Workload",
            Self::Server => "Server",
            Self::Infrastructure => "Infrastructure",
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
            Self::People => "Who works with the server, and when.",
            Self::Offices => "Offices beside the main one, and their lines to the server.",
            Self::Data => "What the server holds, and how it grows.",
            Self::Workload => "What is done on a typical day, and at its peak.",
            Self::Server => "The machine that p4d runs on, and those of edges.",
            Self::Infrastructure => {
                "What may be used around it. More choices cost nothing: all are compared."
            }
            Self::Targets => {
                "What must be reached in 95 of 100 cases. Leave out what nobody asked for."
            }
            Self::Protection => "What a disaster may cost, and how the data are kept.",
            Self::Horizon => "For how long the equipment is to last.",
            Self::Prices => "What things on offer cost; the catalogue's grades stand in for them.",
        }
    }

    /// The part that asks for a field; none for the version of the form, which nobody is asked for.
    ///
    /// ```
    /// use plimsoll::desktop::inquiry::Part;
    /// assert_eq!(Part::of("people.site.2.bandwidth"), Some(Part::Offices));
    /// assert_eq!(Part::of("people.developers"), Some(Part::People));
    /// assert_eq!(Part::of("schema"), None);
    /// ```
    pub fn of(path: &str) -> Option<Self> {
        let (table, rest) = path.split_once('.').unwrap_or((path, ""));
        match table {
            "name" | "criteria" => Some(Self::Criteria),
            "people" if rest == "site" || rest.starts_with("site.") => Some(Self::Offices),
            "people" => Some(Self::People),
            "data" => Some(Self::Data),
            "workload" => Some(Self::Workload),
            "server" | "edge" => Some(Self::Server),
            "infrastructure" => Some(Self::Infrastructure),
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
    /// It is in sight.
    Found,
}

impl Inquiry {
    /// Does what is asked for.
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
            Inquire::Found => self.sought = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::FIELDS;

    #[test]
    fn every_field_but_the_version_has_a_part() {
        for field in FIELDS {
            assert_eq!(
                Part::of(field.path).is_none(),
                field.path == "schema",
                "{}",
                field.path
            );
        }
    }

    #[test]
    fn seeking_leaves_the_search() {
        let mut inquiry = Inquiry {
            query: "growth".to_owned(),
            is_text: true,
            ..Inquiry::default()
        };
        inquiry.take(Inquire::Seek("data.db_growth".to_owned()));
        assert_eq!((inquiry.part, inquiry.query.as_str()), (Part::Data, ""));
        assert!(!inquiry.is_text);
        inquiry.take(Inquire::Found);
        assert_eq!(inquiry.sought, None);
    }
}
