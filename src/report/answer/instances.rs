//! Which instance of a cloud carries the site, in one or two sentences.

use super::AnswerSource;
use crate::advisor::{Cap, CapRow, InstanceFit, asked_of_instance};
use crate::catalog::Called;
use crate::units::{Bytes, grouped, two_digits};

impl AnswerSource<'_> {
    /// "Cloud instance of two-extra-large size is the smallest …: the peak takes 21 GiB of 64 GiB of memory, …."; nothing
    /// where no instance is needed.
    pub(super) fn instance(&self) -> String {
        let chosen = self.advice.chosen.as_ref();
        let Some(found) = chosen.and_then(|chosen| chosen.instances.as_ref()) else {
            return String::new();
        };
        let Some(smallest) = &found.smallest else {
            return "No instance of the catalogue carries this within its own limits.".to_owned();
        };
        let name = |fit: &InstanceFit| self.catalog.servers.called(&fit.id).to_owned();
        let (same, other) = match &found.named {
            Some(named) if named.id == smallest.id => (", as named,", String::new()),
            Some(named) => ("", format!(" (named: {})", name(named))),
            None => ("", String::new()),
        };
        format!(
            "{}{same} is the smallest of the catalogue{} that carries this{other}: the peak takes {}.",
            name(smallest),
            asked_of_instance(self.site),
            caps(&smallest.rows)
        )
    }
}

/// "21 GiB of 64 GiB of memory, 1.2 of 4 cores, …".
fn caps(rows: &[CapRow]) -> String {
    let used = rows.iter().filter(|row| row.needs > 0.0);
    let words = used.filter_map(|row| Some(in_words(row.cap, row.needs, row.has?)));
    words.collect::<Vec<String>>().join(", ")
}

fn in_words(cap: Cap, needs: f64, has: f64) -> String {
    match cap {
        Cap::Memory => format!(
            "{} of {} of memory",
            Bytes::new(needs).estimated(),
            Bytes::new(has)
        ),
        Cap::Cores => {
            let s = if has == 1.0 { "" } else { "s" };
            format!("{} of {has} core{s}", at_least(needs, 0.01))
        }
        Cap::Operations => {
            let needs = at_least(needs.round(), 1.0);
            format!("{needs} of {} volume operations/s", grouped(has))
        }
        Cap::Volumes => format!(
            "{} of {} MB/s to its volumes",
            at_least(needs / 1e6, 0.01),
            grouped((has / 1e6).round())
        ),
        Cap::Network => format!(
            "{} of {:.1} Gb/s of network",
            at_least(needs * 8e-9, 0.01),
            has * 8e-9
        ),
    }
}

/// Two digits; of what is too small for that to say anything "less than 0.01".
fn at_least(amount: f64, least: f64) -> String {
    match amount {
        amount if amount < least => format!("less than {least}"),
        amount if least >= 1.0 => grouped(amount),
        amount => two_digits(amount),
    }
}
