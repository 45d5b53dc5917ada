//! The planning questionnaire: the site file, its answers, and what is assumed where there is none.
//!
//! Knows the fields ([`FIELDS`]), how to read them with every problem reported at once ([`load`],
//! [`parse`]), and the assumptions for missing answers, each with its origin and range. Ids of
//! hardware are checked against a [`Vocabulary`] that the caller takes from the catalogue. Must not
//! know how a site will be solved.
//!
//! ```
//! use plimsoll_model::site::{self, Vocabulary};
//! let text = "schema = 1\nname = \"Studio\"\n[people]\ndevelopers = 400\n[data]\ndb_size = \"34 GiB\"\n";
//! let site = site::parse("site.toml", text, &[], &Vocabulary::default()).unwrap();
//! assert_eq!(site.data.db_size.origin.to_string(), "stated: site.toml:6");
//! assert_eq!(site.horizon.headroom.value.to_string(), "20 %");
//!
//! // What was assumed can be varied.
//! let assumed = site.assumptions();
//! let growth = assumed.iter().find(|a| a.field == "data.db_growth").unwrap();
//! let faster = vec![format!("{}={}", growth.field, growth.high_override)];
//! let varied = site::parse("site.toml", text, &faster, &Vocabulary::default()).unwrap();
//! assert_eq!(varied.data.db_growth.value, site.data.db_growth.high);
//! ```

mod answer;
mod answerable;
mod asked;
mod assumptions;
mod checks;
mod codes;
mod consistency;
mod equipment;
mod examples;
mod fields;
mod large_syncs;
mod machine;
mod measured;
mod next_server;
mod observed;
mod peak;
mod price;
mod protection;
mod read;
mod reference;
mod resolve;
mod schema;
mod section;
mod sections;
mod sheet;
mod sign;
mod spelling;
mod times;
mod unfinished;
mod vocabulary;

use std::sync::Arc;

use crate::document::Value;
use crate::units::{Bytes, Seconds};

pub use crate::catalog::{Release, ReleaseError};
pub use answer::{Answer, Assumption};
pub use assumptions::database_of;
pub use assumptions::default_text;
pub use codes::CODES;
pub use equipment::{Equipment, Sort};
pub use examples::EXAMPLES;
pub use fields::{FIELDS, Field, Kind, QUESTIONS, field, how_to_find};
pub use large_syncs::is_about_large_syncs;
pub use measured::{can_be_measured, set_measured};
pub use next_server::NextServer;
pub use observed::{Moved, Observed, split as split_amount};
pub use peak::Peak;
pub use price::{Money, Per, Price, UNLISTED};
pub use protection::Backup;
pub use reference::reference;
pub use resolve::assumed_tcp_window;
pub use schema::schema;
pub use sections::{
    Criteria, Data, Edge, Horizon, Infrastructure, Office, People, Polls, Protection, ProxyCache, SYSTEM_DISK, Server,
    Target, Targets, Today, TodayVolume, Workload,
};
pub use sheet::{Sheet, SiteError, load, parse};
pub use sign::SIGNS;
pub use spelling::spelling;
pub use times::{LOAD_KEY, taken};
pub use unfinished::{parse_unfinished, required, still_required};
pub use vocabulary::{BOUGHT, Machine, Vocabulary, Words, answer_in_words};

/// A questionnaire, answered: what the user said, and assumptions for the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// What the installation is called.
    pub name: String,
    /// The file it was read from, as named by the caller.
    pub file: String,
    /// The file's text, for hashing.
    pub text: String,
    /// The overrides, in their order, for hashing.
    pub overrides: Vec<String>,
    /// What looks wrong without making the file unusable, each rendered with its place.
    pub warnings: Vec<String>,
    /// Which peak the answers describe.
    pub peak: Peak,
    /// What the load is, where it is not as the file states it: sentences.
    pub notes: Vec<String>,
    /// What matters.
    pub criteria: Criteria,
    /// Who works.
    pub people: People,
    /// What is stored.
    pub data: Data,
    /// What is done with it.
    pub workload: Workload,
    /// The machine.
    pub server: Server,
    /// The machines of edges.
    pub edge: Edge,
    /// What a proxy keeps.
    pub proxy: ProxyCache,
    /// What surrounds it.
    pub infrastructure: Infrastructure,
    /// What is there today.
    pub today: Today,
    /// What must be reached.
    pub targets: Targets,
    /// How it is kept safe.
    pub protection: Protection,
    /// For how long.
    pub horizon: Horizon,
    /// Storage that the site describes itself.
    pub equipment: Vec<Equipment>,
    /// What things cost; empty where nobody said.
    pub prices: Arc<Vec<Price>>,
    /// What the system that is there shows of unanswered questions.
    pub observed: Observed,
    /// Answers that contradict each other, and which of them is used: sentences, each a warning too.
    pub contradictions: Vec<String>,
    assumptions: Vec<Assumption>,
    measured_ranges: Vec<Assumption>,
    /// The file as it was read, without overrides and prices.
    tree: Arc<Value>,
}

/// Sizes up to so many bytes are shown: 1 EB is more than any store of the catalogue grows to.
pub const SIZE_SHOWN: f64 = 1e18;
/// What is shown of a larger one.
pub const BEYOND: &str = "more than 1 EB";

impl Site {
    /// Whether a model of the server is stated.
    pub fn names_server(&self) -> bool {
        self.server.model.as_ref().is_some_and(Answer::is_stated)
    }

    /// Whether its sizes are shown in powers of 1000: those of database and depots are typed so.
    pub fn in_powers_of_1000(&self) -> bool {
        typed_in_powers_of_1000(&self.text, &["db_size", "depot_size"])
    }

    /// A size in the powers in which the site's own are typed, with three digits.
    pub fn size(&self, bytes: Bytes) -> String {
        if bytes.get() > SIZE_SHOWN {
            BEYOND.to_owned()
        } else if self.in_powers_of_1000() {
            bytes.si()
        } else {
            bytes.iec()
        }
    }

    /// The same as an estimate is shown, with two digits.
    pub fn size_estimated(&self, bytes: Bytes) -> String {
        bytes.estimated_in(self.in_powers_of_1000())
    }

    /// The sizes of a medium's drives that have a price of their own \[B\], the smallest first: only these are bought.
    pub fn drive_sizes(&self, medium: &str) -> Vec<f64> {
        let prices = self.prices.iter();
        let of_drives = prices.filter(|p| p.item == medium && p.per == Per::Drive);
        let mut sizes: Vec<f64> = of_drives.filter_map(|p| Some(p.size?.get())).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    }

    /// What is wanted of a kind of work, of the people of a distant office where one is named; none of large syncs where a
    /// rate is wanted in its place. An assumed time is longer over a line, by what no server can mend: round trips, and content
    /// at the pace of the line.
    pub fn target(&self, target: Target, office: Option<&str>) -> Option<Answer<Seconds>> {
        let answer = self.targets.time(target)?.clone();
        let office = office.and_then(|name| self.people.sites.iter().find(|o| o.name == name));
        let Some(office) = office.filter(|_| !answer.is_stated()) else {
            return Some(answer);
        };
        let client = self.workload.client_rate.value.get();
        let line = office.bandwidth.value.get().min(client);
        let content = self.bytes_moved(target) / self.targets.pace_share(target);
        let longer = self.targets.round_trips * office.round_trip.value.get() + content * (1.0 / line - 1.0 / client);
        let further = |time: Seconds| Seconds::new(time.get() + longer);
        Some(Answer {
            value: further(answer.value),
            low: further(answer.low),
            high: further(answer.high),
            origin: answer.origin,
        })
    }

    /// The content that a kind of work moves.
    fn bytes_moved(&self, target: Target) -> f64 {
        resolve::bytes_moved(target, &self.workload, &self.data)
    }

    /// What was assumed for every question without answer, in the order of the sections.
    pub fn assumptions(&self) -> Vec<Assumption> {
        self.assumptions.clone()
    }

    /// Answers that were measured with a range, in the order of the sections: what each was, and what else it may be.
    pub fn measured_ranges(&self) -> &[Assumption] {
        &self.measured_ranges
    }

    /// The question behind a field in its own words, with the office where it is about one.
    pub fn question(&self, path: &str) -> String {
        let question = field(path).map_or(path, |f| f.question);
        let question = without_brackets(question);
        let office = path.split('.').find_map(|part| part.parse::<usize>().ok());
        let office = office.and_then(|i| self.people.sites.get(i));
        let office = office.map_or(String::new(), |office| format!("{}: ", office.name));
        format!("{office}{question}")
    }
}

/// A question without what stands in brackets: that helps to answer it, and is not part of it.
fn without_brackets(question: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in question.chars() {
        match c {
            '(' => {
                depth += 1;
                out.truncate(out.trim_end().len());
            }
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Whether the sizes in a site file are typed in powers of 1000.
fn typed_in_powers_of_1000(text: &str, keys: &[&str]) -> bool {
    let sizes = text.lines().filter(|line| {
        let line = line.trim_start();
        keys.iter().any(|key| line.starts_with(key))
    });
    let mut answers = sizes.filter_map(|line| line.split('"').nth(1)).peekable();
    answers.peek().is_some() && answers.all(|a| !a.contains("iB"))
}
