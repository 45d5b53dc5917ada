//! Which instance of a cloud carries the site, in one or two sentences.

use super::super::peak::percent;
use super::AnswerSource;
use crate::advisor::{Cap, CapRow, InstanceFit, asked_of_instance};
use crate::catalog::Called;
use crate::units::{Bytes, grouped};

impl AnswerSource<'_> {
    /// "Cloud instance of two-extra-large size is the smallest …: the peak takes 33 % of 64 GiB of memory, …."; nothing
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

/// "33 % of 64 GiB of memory, 1 % of 4 cores, …": the part of each limit that the peak takes.
fn caps(rows: &[CapRow]) -> String {
    let used = rows.iter().filter(|row| row.needs > 0.0);
    let words = used.filter_map(|row| {
        let of = of_all(row.cap, row.has?);
        Some(format!("{} of {of}", part(row.share())))
    });
    words.collect::<Vec<String>>().join(", ")
}

/// All that there is of what an instance limits.
fn of_all(cap: Cap, has: f64) -> String {
    match cap {
        Cap::Memory => format!("{} of memory", Bytes::new(has)),
        Cap::Cores if has == 1.0 => "1 core".to_owned(),
        Cap::Cores => format!("{has} cores"),
        Cap::Operations => format!("{} volume operations/s", grouped(has)),
        Cap::Volumes => format!("{} MB/s to its volumes", grouped((has / 1e6).round())),
        Cap::Network => format!("{:.1} Gb/s of network", has * 8e-9),
    }
}

/// A share, of which less than a hundredth says nothing more.
fn part(share: f64) -> String {
    if share < 0.01 { "less than 1 %".to_owned() } else { percent(share) }
}
