//! Rows of the short answer as tables of a page.

use super::Answer;
use crate::page::{Cell, Table};

impl Answer {
    /// What ends the use of the deployment as it is, soonest first.
    pub fn limits_table(&self) -> Table {
        let rows = self.limits.iter();
        let rows = rows.map(|limit| vec![limit.what.to_owned(), limit.when.clone(), limit.text.to_string()]);
        Table::new(&["", "When", "What happens"]).with(rows)
    }

    /// Unanswered questions; each is about its field.
    pub fn questions_table(&self) -> Table {
        let mut table = Table::new(&["Question", "Assumed", "With another answer"]);
        for asked in &self.questions {
            let question = Cell::plain(asked.question.clone()).about(&asked.path, "");
            let others = [&asked.assumed, &asked.case].map(|text| Cell::plain(text.clone()));
            table.linked(String::new(), [question].into_iter().chain(others).collect());
        }
        table
    }
}
