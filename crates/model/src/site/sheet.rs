//! A site file on its way to a [`Site`]: read, overridden, checked.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Diagnostic, Diagnostics, Errors, Place, SourceId, harmless_line};
use crate::document::{self, Kind as Toml, ReadError, Reader, Value};

use super::fields::{Kind, field};
use super::measured::Measurements;
use super::observed::{LAYER, Moved, Observed};
use super::peak::Peak;
use super::section::{Ledger, Section};
use super::sections::{Horizon, Infrastructure, Protection};
use super::times::{self, Times};
use super::vocabulary::Vocabulary;
use super::{Site, checks, consistency, equipment, large_syncs, read, resolve};

/// The version of the form that is read.
const SCHEMA: f64 = 1.0;

/// A site file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Answers are wrong or missing.
    #[error("the site file is not usable")]
    Invalid(Box<Diagnostics>),
}

impl SiteError {
    /// Everything that is wrong, for a person.
    pub fn render(&self) -> String {
        match self {
            Self::Read(error) => format!("error[DOC001]: {error}\n"),
            Self::Invalid(diagnostics) => diagnostics.render(),
        }
    }

    /// Everything that is wrong, for a program; the form of [`Diagnostics::to_json`].
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Read(error) => Errors::unread("DOC001", error.to_string()).to_json(),
            Self::Invalid(diagnostics) => diagnostics.to_json(),
        }
    }
}

/// A parsed site file with its overrides, not yet checked for meaning.
#[derive(Debug)]
pub struct Sheet {
    file: String,
    text: String,
    overrides: Vec<String>,
    moved: Vec<Moved>,
    /// `None` where the text is not TOML.
    root: Option<Value>,
    /// The same without overrides and prices.
    tree: Arc<Value>,
    /// How many times the load is taken.
    times: Times,
    /// People in the file itself.
    before: Option<f64>,
    diagnostics: Diagnostics,
}

impl Sheet {
    /// Parses a text; what is wrong with it is kept until [`Sheet::resolve`].
    pub fn new(file: &str, text: &str) -> Self {
        let file = harmless_line(file);
        let mut diagnostics = Diagnostics::default();
        let source = diagnostics.add_source(file.as_str(), text);
        let root = document::parse(source, &diagnostics);
        let before = root.as_ref().and_then(developers);
        Self {
            before,
            tree: Arc::new(unpriced(root.as_ref(), source)),
            times: Times::default(),
            file,
            text: text.to_owned(),
            overrides: Vec::new(),
            moved: Vec::new(),
            root,
            diagnostics,
        }
    }

    /// The file of a site that was read, without its prices: what else is tried of it keeps those.
    fn unpriced(site: &Site) -> Self {
        let mut diagnostics = Diagnostics::default();
        diagnostics.add_source(site.file.as_str(), site.text.as_str());
        Self {
            before: developers(&site.tree),
            tree: Arc::clone(&site.tree),
            times: Times::default(),
            file: site.file.clone(),
            text: site.text.clone(),
            overrides: Vec::new(),
            moved: Vec::new(),
            root: Some(Value::clone(&site.tree)),
            diagnostics,
        }
    }

    /// Lays one override over it, `data.db_size=34 GiB`.
    pub fn set(&mut self, text: &str) {
        let text = &*listed(text);
        self.overrides.push(text.to_owned());
        if self.times.take(text, &mut self.diagnostics) {
            return;
        }
        if let Some(root) = &mut self.root {
            document::apply_override(root, text, &mut self.diagnostics);
        }
    }

    /// Lays what the system that is there shows over the questions that the text leaves open.
    pub(super) fn observe(&mut self, moved: &[Moved]) {
        let Some(root) = &mut self.root else { return };
        for one in moved {
            let path = &one.assumption.field;
            if !is_there(root, path) {
                let text = format!("{path}={}", one.value);
                document::apply_layer(root, LAYER, &text, &mut self.diagnostics);
                self.moved.push(one.clone());
            }
        }
    }

    /// Checks every answer and supplies the missing ones.
    pub fn resolve(mut self, vocabulary: &Vocabulary) -> Result<Site, Box<Diagnostics>> {
        let Some(root) = self.root.take() else {
            return Err(Box::new(self.diagnostics));
        };
        let site = self.read(&root, vocabulary);
        if self.diagnostics.has_errors() {
            return Err(Box::new(self.diagnostics));
        }
        Ok(Site { warnings: self.diagnostics.render_each(), ..site })
    }

    #[expect(clippy::too_many_lines, reason = "one section after the other, each of what those before it answer")]
    fn read(&self, root: &Value, vocabulary: &Vocabulary) -> Site {
        let root_reader = Reader::new(root, &self.diagnostics);
        // What the site describes is known to all that follows.
        let first = Ledger {
            vocabulary,
            diagnostics: &self.diagnostics,
            times: &self.times,
            assumptions: RefCell::default(),
            measured: Measurements::default(),
            measured_ranges: RefCell::default(),
            moved: &[],
            contradictions: RefCell::default(),
        };
        let equipment = equipment::equipment(&Section {
            reader: Reader::new(root, &self.diagnostics),
            prefix: String::new(),
            ledger: &first,
        });
        let vocabulary = equipment::extended(vocabulary, &equipment);
        let vocabulary = &*vocabulary;
        let ledger = Ledger {
            vocabulary,
            diagnostics: &self.diagnostics,
            times: &self.times,
            assumptions: RefCell::default(),
            measured: Measurements::of(&root_reader),
            measured_ranges: RefCell::default(),
            moved: &self.moved,
            contradictions: RefCell::default(),
        };
        let top = Section { reader: root_reader, prefix: String::new(), ledger: &ledger };
        let section = |key: &'static str| Section {
            reader: top.reader.table_or_empty(key),
            prefix: format!("{key}."),
            ledger: &ledger,
        };
        top.require(&["schema", "name"]);
        schema(&top);
        top.reader.raw("equipment");
        let name = read::name(&top, "name");
        let criteria = read::criteria(&section("criteria"));

        let people_table = section("people");
        // Where [people] is no table, that was reported, and nothing in it is missing.
        let people_value = top.reader.raw("people");
        if people_value.is_none_or(|value| matches!(value.kind, Toml::Table(_))) {
            people_table.require(&["people.developers"]);
        }
        let people = resolve::people(&people_table);
        checks::people(&people_table, &people);

        let data_table = section("data");
        // More load is no other system: what follows from people is that of the file's.
        let settled = people.over(people_table.times_of("people.developers"));
        let data = resolve::data(&data_table, &settled);
        data_table.reader.finish();
        checks::data(&data_table, &data);
        let workload_table = section("workload");
        let workload = resolve::workload(&workload_table, &people, &data);
        checks::workload(&workload_table, &workload, &people);
        let tables = consistency::Tables { people: &people_table, data: &data_table, workload: &workload_table };
        consistency::check(&tables, &people, &data, &workload);

        // Which operating systems are run says which model a server of its time is.
        let surroundings = section("infrastructure");
        let systems = surroundings.stated::<Vec<String>>("infrastructure.operating_systems");
        let run = systems.as_ref().map(|systems| &*systems.value);

        let server_table = section("server");
        let (server, model) = resolve::server(&server_table, &settled, &data, run);
        let model = model.as_ref();
        checks::server(&server_table, &server);
        if let Some(model) = model {
            checks::machine(&server_table, &server, model);
            model.check_systems(&surroundings, run.unwrap_or_default());
        }
        let edge_table = section("edge");
        let edge = resolve::edge(&edge_table, &server);
        let proxy = resolve::proxy(&section("proxy"), &edge, &data);

        let systems = resolve::operating_systems(&surroundings, systems, model);
        let storage = resolve::storage(&surroundings, model, &equipment);
        let tables = [&server_table, &edge_table];
        checks::rented_media(tables, &server, &edge, model, &storage.value);
        let protocols = resolve::protocols(&surroundings, &storage, &server.local_disks);
        let storage_network = resolve::storage_network(&surroundings, &protocols);
        let edges_max = resolve::edges_max(&surroundings, &server.release);
        let infrastructure =
            Infrastructure::read(&surroundings, systems, protocols, storage, storage_network, edges_max);
        read::check_lists(&surroundings, &infrastructure);
        checks::infrastructure(&surroundings, &infrastructure, &server);

        let today_table = section("today");
        let mut today = read::today(&today_table, infrastructure.current_layout.is_some());
        checks::today(&today_table, &mut today, &data);

        let mut workload = workload;
        let paces = resolve::Paces {
            people: &people,
            data: &data,
            server: &server,
            infrastructure: &infrastructure,
            today: &today,
            vocabulary,
        };
        resolve::large_syncs(&workload_table, &mut workload, &paces);

        let target_table = section("targets");
        let targets = resolve::targets(&target_table, &workload, &data);
        checks::targets(&target_table, &targets, &workload);
        checks::reachable(&target_table, &targets, &workload, &data);
        let protection = Protection::read(&section("protection"));
        let horizon = Horizon::read(&section("horizon"));
        let prices = Arc::new(read::prices(&top));
        top.reader.finish();
        let assumptions = ledger.assumptions.take();
        let measured_ranges = ledger.measured_ranges.take();
        let contradictions = ledger.contradictions.take();
        Site {
            name,
            file: self.file.clone(),
            text: self.text.clone(),
            overrides: self.overrides.clone(),
            warnings: Vec::new(),
            peak: Peak::of(self.times.all()),
            notes: times::notes(&self.times, self.before, &self.overrides, &people, &workload),
            criteria,
            people,
            data,
            workload,
            server,
            edge,
            proxy,
            infrastructure,
            today,
            targets,
            protection,
            horizon,
            equipment,
            prices,
            observed: Observed::default(),
            contradictions,
            assumptions,
            measured_ranges,
            tree: Arc::clone(&self.tree),
        }
    }
}

/// Whether a document has a key, in any of its tables where there are several.
fn is_there(value: &Value, path: &str) -> bool {
    match &value.kind {
        Toml::List(items) => items.iter().any(|item| is_there(item, path)),
        Toml::Table(entries) => match path.split_once('.') {
            Some((table, rest)) => entries.get(table).is_some_and(|(_, v)| is_there(v, rest)),
            None => entries.contains_key(path),
        },
        _ => false,
    }
}

/// People, as a document has them.
fn developers(root: &Value) -> Option<f64> {
    let Toml::Table(tables) = &root.kind else {
        return None;
    };
    let Toml::Table(people) = &tables.get("people")?.1.kind else {
        return None;
    };
    match people.get("developers")?.1.kind {
        Toml::Integer(count) => Some(count as f64),
        _ => None,
    }
}

/// An override of a list, written as words: `infrastructure.protocols=iscsi, nfsv3` is a list of two.
fn listed(text: &str) -> Cow<'_, str> {
    let words = text.split_once('=').filter(|(path, words)| {
        let is_list = field(path.trim()).is_some_and(|f| matches!(f.kind, Kind::List(_)));
        is_list && !words.trim_start().starts_with('[')
    });
    let Some((path, words)) = words else {
        return Cow::Borrowed(text);
    };
    let quoted = words.split(',').map(|word| format!("{:?}", word.trim().trim_matches('"')));
    let words: Vec<String> = quoted.collect();
    Cow::Owned(format!("{path}=[{}]", words.join(", ")))
}

fn schema(top: &Section<'_>) {
    let Some(found) = top.reader.number("schema") else {
        return;
    };
    if found.value != SCHEMA {
        top.report(
            "schema",
            Diagnostic::error("SIT011", "this version of plimsoll reads schema 1")
                .help("a later schema needs a later plimsoll; docs/site-file.md describes schema 1"),
            &format!("found {}", found.value),
        );
    }
}

/// Reads a site file: see [`parse`].
pub fn load(path: &Path, overrides: &[String], vocabulary: &Vocabulary) -> Result<Site, SiteError> {
    let text = document::read_named(path, document::BYTES_MAX)?;
    parse(&path.to_string_lossy(), &text, overrides, vocabulary).map_err(SiteError::Invalid)
}

/// Makes a site of a text: every problem is reported, every missing answer assumed.
///
/// `name` stands before the line in messages; an override is `key=value`, as `--set` takes it.
pub fn parse(name: &str, text: &str, overrides: &[String], vocabulary: &Vocabulary) -> Result<Site, Box<Diagnostics>> {
    parse_over(name, text, (&[], &[]), overrides, vocabulary)
}

/// The same over what the system that is there shows, and the overrides with which that was found.
pub(super) fn parse_over(
    name: &str,
    text: &str,
    moved: (&[Moved], &[String]),
    overrides: &[String],
    vocabulary: &Vocabulary,
) -> Result<Site, Box<Diagnostics>> {
    let filed = || Sheet::new(name, text);
    laid_over(filed(), filed, moved, overrides, vocabulary)
}

/// The same file as that of a site with other observations and overrides. Where these say nothing of prices, and no price is
/// warned of, its tree and its prices are taken as they were read.
pub(super) fn parse_again(
    before: &Site,
    moved: &[Moved],
    overrides: &[String],
    vocabulary: &Vocabulary,
) -> Result<Site, Box<Diagnostics>> {
    let is_price = |text: &&String| text.trim_start().starts_with("price");
    let same = before.overrides.iter().filter(is_price).eq(overrides.iter().filter(is_price));
    let is_free = before.prices.iter().any(|price| price.money.value.amount == 0.0);
    if !same || is_free {
        return parse_over(&before.file, &before.text, (moved, &before.overrides), overrides, vocabulary);
    }
    let others: Vec<String> = overrides.iter().filter(|text| !is_price(text)).cloned().collect();
    let filed = || Sheet::unpriced(before);
    let moved = (moved, &before.overrides[..]);
    let site = laid_over(filed(), filed, moved, &others, vocabulary)?;
    Ok(Site { prices: Arc::clone(&before.prices), overrides: overrides.to_vec(), ..site })
}

/// A sheet with what is shown of it and overrides laid over; `filed` is the file as it stands.
fn laid_over(
    mut sheet: Sheet,
    filed: impl Fn() -> Sheet,
    moved: (&[Moved], &[String]),
    overrides: &[String],
    vocabulary: &Vocabulary,
) -> Result<Site, Box<Diagnostics>> {
    let filed = || filed().resolve(vocabulary).ok();
    let moved = large_syncs::held(&sheet.text, filed, moved, overrides);
    sheet.observe(&moved);
    for text in overrides {
        sheet.set(text);
    }
    sheet.resolve(vocabulary)
}

/// A document without its prices.
fn unpriced(root: Option<&Value>, source: SourceId) -> Value {
    let entries = match root.map(|root| &root.kind) {
        Some(Toml::Table(entries)) => entries.clone(),
        _ => BTreeMap::new(),
    };
    let others = entries.into_iter().filter(|(key, _)| key != "price");
    Value { kind: Toml::Table(others.collect()), place: Place { source, span: 0..0 } }
}
