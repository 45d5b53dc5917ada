//! Today's system and what to change first: one object for text and JSON.
//!
//! The text is one screen of at most [`LINES`] lines; the rest is left to `--full`.

use serde::Serialize;
use serde_json::{Value, json};

use super::Inputs;
use super::answer::{FindingRow, place_in_words};
use super::prose::{Names, about_count, capital, grouped, list};
use super::screen::{COLUMNS, LINES, Screen, Tone};
use super::table::{Table, WIDTH, cut, paragraph, wrap};

use crate::advisor::rules::Finding;
use crate::advisor::today::{Effect, State, Time, TodayAdvice, words};
use crate::advisor::{FACTOR_LEAST, NO_LIMIT};
use crate::catalog::{Catalog, Change, ReadLocks};
use crate::site::Site;
use crate::units::{Fraction, Seconds, two_digits};

/// Today's system and what to change first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TodayAnswer {
    /// The site's name.
    pub title: String,
    /// Whether today's system meets what the site wants.
    pub meets_targets: bool,
    /// What it does and what limits it, in sentences.
    pub verdict: Vec<String>,
    /// Where everything lies today, with the server and the network.
    pub volumes: Vec<Place>,
    /// "8 cores, 64 GB of memory, p4d 2019.1; one link of 1 Gb/s Ethernet to the clients".
    pub server: String,
    /// What nobody stated of it, and where it is taken from.
    pub taken: Vec<Taken>,
    /// Multiple of today's peak load that it carries.
    pub factor: f64,
    /// The same as people.
    pub people: f64,
    /// What limits it.
    pub limit: String,
    /// The store that is too small or fills before the horizon; none where there is room.
    pub space: Option<String>,
    /// Times at today's peak.
    pub times: Vec<TimeRow>,
    /// What the rules find in it, gravest first.
    pub findings: Vec<FindingRow>,
    /// Single changes that give something, best first.
    pub changes: Vec<ChangeRow>,
    /// Changes that give nothing.
    pub no_gain: Vec<ChangeRow>,
    /// The best two together; none where no two give more than the better of them.
    pub pair: Option<ChangeRow>,
    /// The best plan, one change after the other: what holds after each.
    pub plan: Vec<ChangeRow>,
    /// What the plan comes to, in sentences.
    pub plan_verdict: String,
}

/// Where something lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// "database, journal".
    pub roles: String,
    /// "6 local 10,000 /min disks (600 GB) in RAID 5, NTFS".
    pub place: String,
}

/// What nobody stated of today's system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Of what.
    pub of: String,
    /// What.
    pub what: &'static str,
    /// What is taken.
    pub value: String,
    /// From where.
    pub from: String,
}

/// The time of one kind of work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeRow {
    /// Which kind of work.
    pub name: String,
    /// 95th percentile today \[s\]; none where today's peak is overloaded.
    pub before_s: Option<f64>,
    /// The same after a change; for today's system itself the same as before.
    pub after_s: Option<f64>,
    /// What the site wants \[s\], where it wants something.
    pub target_s: Option<f64>,
}

/// A change, or several together, and what they give.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeRow {
    /// The changes, in the order in which they are made.
    pub changes: Vec<PartRow>,
    /// What it is: the titles of all.
    pub title: String,
    /// Multiple of today's peak load that is carried after it.
    pub factor: f64,
    /// The same as people.
    pub people: f64,
    /// Kinds of work whose target is met only after it.
    pub fixes: Vec<String>,
    /// What limits the system then.
    pub limit: String,
    /// Targets that are still missed.
    pub missed: Vec<String>,
    /// Times before and after.
    pub times: Vec<TimeRow>,
    /// How long p4d is down for all of them \[s\].
    pub down_time_s: f64,
    /// The same in words.
    pub down_time: String,
    /// Grade of trouble, 0 to 4: the highest.
    pub trouble: f64,
    /// The same in words.
    pub trouble_means: &'static str,
    /// Grades of cost, 0 to 5 each: their sum.
    pub cost: f64,
}

/// One change of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartRow {
    /// Its id in `models/changes`.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What it does.
    pub does: String,
    /// What can go wrong.
    pub risk: String,
    /// How long p4d is down \[s\].
    pub down_time_s: f64,
    /// Grade of trouble, 0 to 4.
    pub trouble: f64,
    /// Grade of cost, 0 to 5.
    pub cost: f64,
    /// What is done, in order.
    pub steps: Vec<String>,
}

/// Findings of the screen.
const FINDINGS: usize = 3;
/// A change after which so many times fewer people are carried is told to be one.
const FEWER: f64 = 0.9;

/// What grades of trouble mean.
const TROUBLE: [&str; 5] = [
    "configuration only",
    "restart",
    "new hardware in the server",
    "data migration",
    "new server",
];

impl TodayAnswer {
    /// Of an analysis.
    pub fn of(site: &Site, catalog: &Catalog, advice: &TodayAdvice) -> Self {
        let told = Told {
            site,
            catalog,
            advice,
            names: Names::of(catalog),
        };
        let rows = |effects: &[Effect]| effects.iter().map(|e| told.row(e)).collect::<Vec<_>>();
        let plan = rows(&advice.plan);
        Self {
            title: site.name.clone(),
            meets_targets: !advice.falls_short(),
            verdict: told.verdict(),
            volumes: told.volumes(),
            server: told.server(),
            taken: told.taken(),
            factor: advice.today.factor,
            people: told.people(&advice.today),
            limit: told.named(&advice.today.limit),
            space: told.space(),
            times: told.times(&advice.today),
            findings: advice.findings.iter().map(|f| told.finding(f)).collect(),
            changes: rows(&advice.singles),
            no_gain: rows(&advice.useless),
            pair: advice.pair.as_ref().map(|pair| told.row(pair)),
            plan_verdict: told.plan_verdict(),
            plan,
        }
    }
}

/// What an answer is about.
struct Told<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    advice: &'a TodayAdvice,
    names: Names,
}

impl Told<'_> {
    fn named(&self, clause: &str) -> String {
        self.names.said(clause)
    }

    fn finding(&self, finding: &Finding) -> FindingRow {
        FindingRow::of(finding, |text| self.named(text))
    }

    fn people(&self, state: &State) -> f64 {
        state.factor * self.site.people.developers.value
    }

    /// "about 210 people (70 % of today's peak load)".
    fn carried(&self, state: &State) -> String {
        let people = about_count(self.people(state));
        if state.limit == NO_LIMIT {
            return format!(
                "{people} people or more ({} times today's peak load)",
                two_digits(state.factor)
            );
        }
        if state.factor < 1.0 {
            let share = two_digits(100.0 * state.factor);
            return format!("about {people} people ({share} % of today's peak load)");
        }
        let times = two_digits(state.factor);
        format!("about {people} people ({times} times today's peak load)")
    }

    fn verdict(&self) -> Vec<String> {
        let today = &self.advice.today;
        let people = grouped(self.site.people.developers.value);
        let mut said = Vec::new();
        if self.advice.system.is_assumed {
            said.push(
                "The present system is not stated: the estimate assumes everything on one volume. State it as [[today.volume]] or infrastructure.current_layout."
                    .to_owned(),
            );
        }
        if today.overloaded {
            said.push(format!(
                "Today's system does not carry the peak of its {people} people: {}.",
                self.named(&today.missed.join("; "))
            ));
            said.push(format!("It carries {}.", self.carried(today)));
        } else if today.missed.is_empty() {
            let what = if crate::advisor::has_targets(self.site) {
                "meets every target"
            } else {
                "carries its work (no target is stated; the limit is three times today's times)"
            };
            said.push(format!(
                "Today's system {what} for its {people} people, and up to {}.",
                self.carried(today)
            ));
            if today.limit != NO_LIMIT {
                said.push(format!("Then {}.", self.named(&today.limit)));
            }
        } else {
            said.push(format!(
                "Today's system misses targets of its {people} people: {}.",
                self.named(&today.missed.join("; "))
            ));
            said.push(if is_at_floor(today) {
                "A smaller load does not help.".to_owned()
            } else {
                format!("It meets every target for {}.", self.carried(today))
            });
        }
        if let Some((name, busy)) = today.busiest.as_ref().filter(|_| !is_at_floor(today)) {
            let busy = Fraction::new(*busy).estimated();
            said.push(format!(
                "Busiest at that load: {}, {busy}.",
                self.named(name)
            ));
        }
        if let Some(space) = self.space() {
            said.push(format!("{}.", capital(&space)));
        }
        if let Some(first) = self.advice.singles.first() {
            said.push(format!("First change: {}.", self.title(first)));
        } else {
            said.push("No single change of the catalogue gives anything.".to_owned());
        }
        said
    }

    fn space(&self) -> Option<String> {
        let space = self.advice.system.space(self.site, self.catalog)?;
        Some(self.named(&space))
    }

    fn volumes(&self) -> Vec<Place> {
        let mounts = self.advice.system.deployment.volumes.iter();
        let place = |mount| place_in_words(&self.names, self.catalog, mount);
        let places = mounts.map(|mount| Place {
            roles: words(&mount.roles),
            place: place(mount),
        });
        places.collect()
    }

    fn server(&self) -> String {
        let d = &self.advice.system.deployment;
        let links = if d.client_links == 1.0 {
            "one link".to_owned()
        } else {
            format!("{} links", d.client_links)
        };
        let cores = if d.cores == 1.0 {
            "one core".to_owned()
        } else {
            format!("{} cores", d.cores)
        };
        let reads = match d.read_locks {
            ReadLocks::All => "reads take locks",
            ReadLocks::Few => "reads without most locks",
            ReadLocks::None => "reads without locks",
        };
        let edges = if d.edges > 0 {
            format!("; {}", d.edges_in_words())
        } else {
            String::new()
        };
        format!(
            "{}, {} of memory, p4d {} ({reads}); {links} of {} to the clients{edges}",
            cores,
            crate::units::Bytes::new(d.memory),
            d.release,
            self.names.name(&d.client_network)
        )
    }

    fn taken(&self) -> Vec<Taken> {
        let taken = self.advice.system.taken.iter();
        let taken = taken.map(|taken| Taken {
            of: taken.of.clone(),
            what: taken.what,
            value: self.named(&taken.value),
            from: taken.from.clone(),
        });
        taken.collect()
    }

    fn times(&self, after: &State) -> Vec<TimeRow> {
        let before = &self.advice.today.times;
        // Where one of the two is overloaded, the other names the kinds of work.
        let all = if after.times.is_empty() {
            before
        } else {
            &after.times
        };
        let of = |times: &[Time], one: &Time| {
            let mut times = times.iter();
            Some(times.find(|time| time.work == one.work)?.p95)
        };
        let rows = all.iter().map(|time| TimeRow {
            name: time.name.clone(),
            before_s: of(before, time),
            after_s: of(&after.times, time),
            target_s: time.target.map(|(limit, _)| limit),
        });
        rows.collect()
    }

    fn changes(&self, effect: &Effect) -> Vec<&Change> {
        let ids = effect.changes.iter();
        ids.filter_map(|id| self.catalog.changes.get(id)).collect()
    }

    fn title(&self, effect: &Effect) -> String {
        let titles = self
            .changes(effect)
            .into_iter()
            .map(|c| c.entry.title.as_str());
        list(&titles.collect::<Vec<_>>())
    }

    fn row(&self, effect: &Effect) -> ChangeRow {
        let changes = self.changes(effect);
        let down: f64 = changes.iter().map(|c| c.down_time.value.get()).sum();
        let trouble = changes.iter().map(|c| c.trouble.value).fold(0.0, f64::max);
        ChangeRow {
            changes: changes.iter().map(|change| part(change)).collect(),
            title: capital(&self.title(effect)),
            factor: effect.after.factor,
            people: self.people(&effect.after),
            fixes: effect.fixes.clone(),
            limit: self.named(&effect.after.limit),
            missed: effect.after.missed.iter().map(|m| self.named(m)).collect(),
            times: self.times(&effect.after),
            down_time_s: down,
            down_time: down_in_words(down),
            trouble,
            trouble_means: TROUBLE
                .get(trouble as usize)
                .copied()
                .unwrap_or("new server"),
            cost: changes.iter().map(|c| c.cost.value).sum(),
        }
    }

    fn plan_verdict(&self) -> String {
        let time = self.site.horizon.time.value;
        let until = self.site.horizon.until(time);
        let rate = format!(
            "at {} % growth a year, with {} % to spare",
            two_digits(100.0 * self.site.data.db_growth.value.get()),
            two_digits(100.0 * self.site.horizon.headroom.value.get())
        );
        match self.advice.plan.last() {
            None if self.advice.is_plan_enough() => {
                format!("Nothing must change: today's system lasts {until} {rate}.")
            }
            None => "No change of the catalogue helps: `plimsoll advise` without --from-today compares new designs.".to_owned(),
            Some(last) => {
                let carried = self.carried(&last.after);
                if self.advice.is_plan_enough() {
                    format!("Then the system carries {carried}: enough {until} {rate}.")
                } else if last.after.missed.is_empty() {
                    let needed = two_digits(self.advice.horizon);
                    format!(
                        "Then the system carries {carried}. {needed} times today's peak load are needed {until} {rate}: `plimsoll advise` without --from-today compares new designs."
                    )
                } else {
                    let missed: Vec<String> = last.after.missed.iter().map(|m| self.named(m)).collect();
                    format!(
                        "Then the system carries {carried}, and still misses: {}. `plimsoll advise` without --from-today compares new designs.",
                        missed.join("; ")
                    )
                }
            }
        }
    }
}

/// Whether no load that is looked at is small enough: what is missed does not come from load.
fn is_at_floor(state: &State) -> bool {
    state.factor <= FACTOR_LEAST
}

fn part(change: &Change) -> PartRow {
    PartRow {
        id: change.entry.id.clone(),
        title: capital(&change.entry.title),
        does: change.entry.summary.clone(),
        risk: change.risk.value.clone(),
        down_time_s: change.down_time.value.get(),
        trouble: change.trouble.value,
        cost: change.cost.value,
        steps: change.steps.clone(),
    }
}

impl PartRow {
    /// "Risk: … Down time: 2 h; cost 1 of 5."
    pub fn risk_and_cost(&self) -> String {
        let down = down_in_words(self.down_time_s);
        format!(
            "Risk: {} Down time: {down}; cost {} of 5.",
            self.risk, self.cost
        )
    }
}

/// "2 h", "none".
fn down_in_words(seconds: f64) -> String {
    if seconds > 0.0 {
        Seconds::new(seconds).estimated()
    } else {
        "none".to_owned()
    }
}

/// The answer for programs.
pub fn today_json(inputs: &Inputs<'_>, answer: &TodayAnswer) -> Value {
    let mut map = inputs.header();
    map.insert("site".to_owned(), inputs.site.name.clone().into());
    map.insert("warnings".to_owned(), inputs.site.warnings.clone().into());
    map.insert("today".to_owned(), json!(answer));
    Value::Object(map)
}

/// Rows of changes, steps of the plan with their steps, and lines of places: as many as there is room for.
const ROOM: [(usize, usize, usize); 7] = [
    (10, 4, 6),
    (9, 3, 6),
    (8, 2, 6),
    (8, 1, 4),
    (7, 1, 3),
    (6, 0, 3),
    (4, 0, 2),
];

/// One screen.
pub fn today_screen(site: &Site, answer: &TodayAnswer) -> Screen {
    let mut all = ROOM.iter().map(|room| lines(site, answer, *room));
    let fitting = all.find(|lines| lines.len() <= LINES);
    let lines = fitting.unwrap_or_else(|| lines(site, answer, (3, 0, 1)));
    screen(lines.into_iter().take(LINES))
}

fn screen(lines: impl Iterator<Item = (Tone, String)>) -> Screen {
    let (mut text, mut tones) = (String::new(), Vec::new());
    for (tone, line) in lines {
        text.push_str(&line);
        text.push('\n');
        tones.push(tone);
    }
    Screen { text, tones }
}

type Lines = Vec<(Tone, String)>;

fn plain(out: &mut Lines, text: &str, indent: usize, most: usize) {
    let mut lines = wrap(text, COLUMNS - indent);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let room: String = last.chars().take(COLUMNS - indent - 2).collect();
            *last = format!("{room} …");
        }
    }
    let pad = " ".repeat(indent);
    out.extend(
        lines
            .into_iter()
            .map(|line| (Tone::Plain, format!("{pad}{line}"))),
    );
}

fn heading(out: &mut Lines, text: &str) {
    out.push((Tone::Plain, String::new()));
    out.push((Tone::Heading, text.to_owned()));
}

fn lines(site: &Site, answer: &TodayAnswer, (rows, steps, places): (usize, usize, usize)) -> Lines {
    let mut out = Lines::new();
    plain(
        &mut out,
        &format!("{} ({}): today's system", answer.title, site.file),
        0,
        2,
    );
    out.push((Tone::Plain, String::new()));
    let from = out.len();
    plain(&mut out, &answer.verdict.join(" "), 0, 7);
    let tone = if answer.meets_targets {
        Tone::Good
    } else {
        Tone::Bad
    };
    for (of, _) in &mut out[from..] {
        *of = tone;
    }
    heading(&mut out, "What is there");
    for place in answer.volumes.iter().take(places) {
        plain(&mut out, &format!("{}: {}", place.roles, place.place), 2, 2);
    }
    plain(&mut out, &format!("server: {}", answer.server), 2, 2);
    findings(&mut out, answer, steps);
    changes(&mut out, answer, rows);
    if let Some(pair) = &answer.pair {
        heading(&mut out, "Best two together");
        plain(&mut out, &format!("{}: {}", pair.title, pair.gives()), 2, 3);
    }
    plan(&mut out, answer, steps);
    plain(&mut out, &answer.plan_verdict, 2, 3);
    out.push((Tone::Plain, String::new()));
    let warnings = match site.warnings.len() {
        0 => String::new(),
        1 => "1 warning about the answers, ".to_owned(),
        n => format!("{n} warnings about the answers, "),
    };
    plain(
        &mut out,
        &format!(
            "Cost from 0 to 5, assumed. --full shows {warnings}all times, risks, steps and what was not stated."
        ),
        0,
        2,
    );
    out
}

/// The gravest findings: what is wrong in short, and what to do.
fn findings(out: &mut Lines, answer: &TodayAnswer, most: usize) {
    if answer.findings.is_empty() {
        return;
    }
    heading(out, "What is wrong");
    for finding in answer.findings.iter().take(most.clamp(1, FINDINGS)) {
        plain(out, &finding.short(), 2, 3);
    }
}

/// The table of single changes, and those that give nothing.
fn changes(out: &mut Lines, answer: &TodayAnswer, rows: usize) {
    if !answer.changes.is_empty() {
        out.push((Tone::Plain, String::new()));
        let head = row([
            "What to change first",
            "people",
            "what it fixes",
            "down time",
            "cost",
        ]);
        out.push((Tone::Heading, head));
        for change in answer.changes.iter().take(rows) {
            out.push((Tone::Plain, change.line()));
        }
        let more = answer.changes.len().saturating_sub(rows);
        if more > 0 {
            out.push((
                Tone::Plain,
                format!("  and {more} more that help less for their price"),
            ));
        }
    }
    if !answer.no_gain.is_empty() {
        if answer.changes.is_empty() {
            out.push((Tone::Plain, String::new()));
        }
        // Large syncs that a change makes faster come more often, which other work can feel.
        let fewer = |row: &ChangeRow| {
            if row.factor < FEWER * answer.factor {
                format!(" (fewer people: about {})", about_count(row.people))
            } else {
                String::new()
            }
        };
        let none = answer.no_gain.iter();
        let small: Vec<String> = none
            .map(|row| format!("{}{}", small(&row.title), fewer(row)))
            .collect();
        plain(
            out,
            &format!("These alone give nothing: {}.", small.join("; ")),
            2,
            3,
        );
    }
}

/// The plan, step by step.
fn plan(out: &mut Lines, answer: &TodayAnswer, steps: usize) {
    heading(out, "Plan");
    for (n, after) in answer.plan.iter().enumerate() {
        // Each row of the plan has the changes before it: the last is new.
        let Some(new) = after.changes.last() else {
            continue;
        };
        let title = new.title.as_str();
        plain(
            out,
            &format!("{}. {title}: then {}", n + 1, after.gives()),
            2,
            2,
        );
        for what in new.steps.iter().take(steps) {
            plain(out, &format!("- {what}"), 5, 1);
        }
    }
}

/// With a small letter at its head, where the first word is no name.
fn small(title: &str) -> String {
    let mut letters = title.chars();
    let (first, second) = (letters.next(), letters.next());
    match (first, second) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            let head: String = first.to_lowercase().collect();
            format!("{head}{}", title.chars().skip(1).collect::<String>())
        }
        _ => title.to_owned(),
    }
}

fn row([change, people, fixes, down, cost]: [&str; 5]) -> String {
    let (change, fixes) = (cut(change, 44), cut(fixes, 24));
    let row = format!("  {change:<44} {people:>8}  {fixes:<24} {down:>9}  {cost:>4}");
    row.trim_end().to_owned()
}

impl ChangeRow {
    /// The change's line of the table.
    fn line(&self) -> String {
        let people = about_count(self.people);
        let cost = format!("{}", self.cost);
        let title = format!("  {}", self.title);
        let fixes = self.what_it_fixes();
        row([title.trim_start(), &people, &fixes, &self.down_time, &cost])
    }

    /// "meets submit", "submit 12 × faster", "more people".
    pub fn what_it_fixes(&self) -> String {
        if self.fixes.is_empty() {
            self.faster().unwrap_or_else(|| "more people".to_owned())
        } else {
            format!("meets {}", list(&self.fixes))
        }
    }

    /// The heads of [`Self::time_rows`].
    pub const TIME_HEADS: [&'static str; 4] = ["95 % within", ">today", ">after it", ">target"];

    /// Times of each kind of work today and after it, beside its target.
    pub fn time_rows(&self) -> Vec<[String; 4]> {
        let shown =
            |s: Option<f64>, none: &str| s.map_or(none.to_owned(), |s| Seconds::new(s).estimated());
        let rows = self.times.iter().map(|time| {
            [
                time.name.clone(),
                shown(time.before_s, "overloaded"),
                shown(time.after_s, "overloaded"),
                shown(time.target_s, ""),
            ]
        });
        rows.collect()
    }

    /// "submit 12 × faster": of the work with a target, or of all where none has one, what gains most; none where nothing is
    /// much faster.
    fn faster(&self) -> Option<String> {
        const MUCH: f64 = 1.5;
        let any = self.times.iter().any(|time| time.target_s.is_some());
        let judged = self.times.iter();
        let judged = judged.filter(|time| !any || time.target_s.is_some());
        let gains = judged.filter_map(|time| Some((time, time.before_s? / time.after_s?)));
        let (time, times) = gains.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (times >= MUCH).then(|| format!("{} {} × faster", time.name, two_digits(times)))
    }

    /// "about 3,700 people; meets submit and edit; then …".
    pub fn gives(&self) -> String {
        let mut said = vec![format!(
            "about {} people ({} times today's peak load)",
            about_count(self.people),
            two_digits(self.factor)
        )];
        if !self.fixes.is_empty() {
            said.push(format!("meets {}", list(&self.fixes)));
        }
        let all = if self.changes.len() > 1 {
            " in all"
        } else {
            ""
        };
        said.push(if self.down_time_s > 0.0 {
            format!("{} down{all}", self.down_time)
        } else {
            "no down time".to_owned()
        });
        said.push(self.trouble_means.to_owned());
        said.join("; ")
    }
}

/// Everything: the screen, then all changes with times, risks and steps, and what nobody stated.
pub fn today_text(site: &Site, answer: &TodayAnswer) -> String {
    let mut text = String::new();
    for warning in &site.warnings {
        text.push_str(warning);
        text.push('\n');
    }
    let all = (usize::MAX, usize::MAX, usize::MAX);
    text.push_str(&screen(lines(site, answer, all).into_iter()).text);
    if !answer.findings.is_empty() {
        line!(text, "\nFindings");
        line!(text, "════════");
        for finding in &answer.findings {
            let word = finding.severity.word();
            text.push_str(&paragraph(&format!("{word}: {}", finding.whole()), 2));
        }
    }
    if !answer.taken.is_empty() {
        line!(text, "\nWhat was not stated of today's system");
        line!(text, "═════════════════════════════════════");
        let mut table = Table::new(&["of", "what", "taken", "from"]);
        for taken in &answer.taken {
            let Taken {
                of,
                what,
                value,
                from,
            } = taken;
            table.row(vec![
                of.clone(),
                (*what).to_owned(),
                value.clone(),
                from.clone(),
            ]);
        }
        text.push_str(&table.render());
    }
    let pair = answer.pair.iter();
    for row in answer.changes.iter().chain(pair).chain(&answer.no_gain) {
        line!(text, "\n{}", row.title);
        line!(text, "{}", "═".repeat(row.title.chars().count().min(WIDTH)));
        for part in &row.changes {
            text.push_str(&paragraph(&part.does, 2));
        }
        text.push_str(&paragraph(&format!("Gives: {}.", row.gives()), 2));
        if row.limit != NO_LIMIT {
            text.push_str(&paragraph(&format!("Then {}.", row.limit), 2));
        }
        for missed in &row.missed {
            text.push_str(&paragraph(&format!("Still misses: {missed}."), 2));
        }
        let mut table = Table::new(&ChangeRow::TIME_HEADS);
        for cells in row.time_rows() {
            table.row(cells.to_vec());
        }
        if !table.is_empty() {
            text.push_str(&table.render());
        }
        for part in &row.changes {
            text.push_str(&paragraph(&part.risk_and_cost(), 2));
            for (n, step) in part.steps.iter().enumerate() {
                text.push_str(&paragraph(&format!("{}. {step}", n + 1), 4));
            }
        }
    }
    text
}
