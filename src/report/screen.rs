//! The advice on one screen: what a person reads first, and most read no more.
//!
//! At most [`LINES`] lines of [`COLUMNS`] columns. What does not fit is left to `--full`.

use super::contest::ALONE;
use super::prose::{Names, about, about_count, capital, grouped, list, rounded, two_digits};
use super::response::{Response, responses};
use super::table::wrap;
use super::volumes::volume_rows;
use crate::advisor::{Advice, Chosen, Contest, DoubtKind, Influence, has_targets};
use crate::catalog::Catalog;
use crate::site::{Assumption, Site, field};
use crate::system::memory::ServerMemory;
use crate::system::{Deployment, Mount};
use crate::units::{Bytes, Seconds};
use crate::workload::Work;

/// Most lines of a screen.
pub const LINES: usize = 45;
/// Most columns of a line.
pub const COLUMNS: usize = 100;

/// Columns before the text of a labelled line.
const LABEL: usize = 21;
/// Rows of times, limits, and findings and questions: as many as there is room for, in this order.
const ROOM: [(usize, usize, usize); 11] = [
    (10, 5, 3),
    (10, 4, 3),
    (10, 3, 3),
    (9, 3, 3),
    (8, 3, 3),
    (7, 3, 3),
    (6, 3, 3),
    (5, 3, 3),
    (5, 2, 3),
    (4, 2, 3),
    (3, 2, 2),
];
/// Most lines of one finding or question.
const LINES_EACH: usize = 2;
/// The rule that says which questions matter: the screen asks them itself.
const QUESTIONS: &str = "EVD002";
/// A chance of missing a target below this is not in the verdict.
const RISK_TOLD: u32 = 10;

/// The whole screen.
pub fn advice_screen(site: &Site, catalog: &Catalog, advice: &Advice) -> String {
    let told = Told {
        site,
        names: Names::of(catalog),
        catalog,
        advice,
    };
    let mut fitting = ROOM
        .iter()
        .map(|(times, limits, points)| told.lines(*times, *limits, *points));
    let lines = fitting.find(|lines| lines.len() <= LINES);
    let lines = lines.unwrap_or_else(|| told.lines(3, 2, 1));
    let mut out = lines.into_iter().take(LINES).collect::<Vec<_>>().join("\n");
    out.push('\n');
    out
}

/// What the screen is about.
struct Told<'a> {
    site: &'a Site,
    names: Names,
    catalog: &'a Catalog,
    advice: &'a Advice,
}

impl Told<'_> {
    fn lines(&self, times: usize, limits: usize, points: usize) -> Vec<String> {
        let mut out = cut(
            wrap(&format!("{} ({})", self.site.name, self.site.file), COLUMNS),
            2,
            COLUMNS,
        );
        out.push(String::new());
        let verdict: String = self.verdict().join(" ");
        out.extend(cut(
            wrap(&rounded(&self.names.said(&verdict)), COLUMNS),
            7,
            COLUMNS,
        ));
        let Some(chosen) = &self.advice.chosen else {
            self.others(&mut out);
            self.last(&mut out);
            return out;
        };
        let years = rounded(&self.site.horizon.time.value.to_string());
        let title = format!(
            "Layout: {} (sizes today and in {years})",
            chosen.deployment.title
        );
        heading(&mut out, &title);
        self.layout(&mut out, chosen);
        self.times(&mut out, chosen, times);
        heading(&mut out, "Limits");
        self.limits(&mut out, chosen, limits);
        self.findings(&mut out, points);
        self.questions(&mut out, points);
        let sure = rounded(&sure(&self.advice.contest, self.catalog));
        labelled(&mut out, "How sure", &sure, 3);
        self.last(&mut out);
        out
    }

    /// The verdict in sentences.
    fn verdict(&self) -> Vec<String> {
        let people = grouped(self.site.people.developers.value);
        let Some(chosen) = &self.advice.chosen else {
            return vec![
                format!("Does not carry today's {people} people."),
                self.advice.sentence.clone(),
            ];
        };
        let mut said = Vec::new();
        let is_short = chosen.memory.servers.iter().any(ServerMemory::is_short);
        if is_short {
            said.push(format!(
                "Does not carry today's {people} people: memory is missing."
            ));
        } else if chosen.missed.is_empty() {
            said.push(self.carries(chosen, &people));
        } else {
            said.push(format!(
                "Carries today's {people} people but misses a target: {}.",
                chosen.missed.join("; ")
            ));
        }
        let h = &chosen.headroom;
        if !is_short && chosen.missed.is_empty() && h.reached_in.is_some() {
            said.push(format!("Then {}.", h.limit));
        }
        let (busiest, busy) = chosen.prediction.bottleneck();
        said.push(format!(
            "Busiest today: {busiest}, {} %.",
            two_digits(100.0 * busy)
        ));
        let rows = responses(&chosen.prediction, Some(self.site));
        let risky = rows.iter().filter_map(|row| {
            let target = row.target.as_ref()?;
            let risk = target
                .risk
                .filter(|risk| *risk >= RISK_TOLD && target.is_met)?;
            Some((risk, row.name.split(',').next()?.to_owned()))
        });
        if let Some((risk, name)) = risky.max_by_key(|(risk, _)| *risk) {
            said.push(format!(
                "Not certain: {name} may miss its target today (chance {risk} %)."
            ));
        }
        said.extend(chosen.cautions.iter().map(|c| format!("{}.", capital(c))));
        said
    }

    /// How long and how many people.
    fn carries(&self, chosen: &Chosen, people: &str) -> String {
        let h = &chosen.headroom;
        let what = if has_targets(self.site) {
            "and meets every target"
        } else {
            "(no target is stated; the limit is three times today's times)"
        };
        let growth = &self.site.data.db_growth;
        let assumed = if growth.is_stated() { "" } else { " (assumed)" };
        let rate = two_digits(100.0 * growth.value.get());
        let more = format!(
            "about {} people ({} times today's peak load)",
            about_count(h.factor * self.site.people.developers.value),
            two_digits(h.factor)
        );
        if h.factor < 1.1 {
            let when = h.reached_in.map_or(String::new(), |time| {
                format!(
                    ": at {rate} % growth a year{assumed} it lasts {}",
                    about(time)
                )
            });
            return format!(
                "Carries today's {people} people {what}, with hardly any room to grow{when}."
            );
        }
        match h.reached_in {
            Some(time) => format!(
                "Carries today's {people} people {what} for {}, at {rate} % growth a year{assumed}, up to {more}.",
                about(time)
            ),
            None => format!(
                "Carries today's {people} people {what}, up to {more}; then {}.",
                h.limit
            ),
        }
    }

    /// Where each volume lies, in short lines.
    fn layout(&self, out: &mut Vec<String>, chosen: &Chosen) {
        let d = &chosen.deployment;
        let rows = volume_rows(
            self.site,
            self.catalog,
            d,
            &chosen.prediction,
            &chosen.sizes,
        );
        let si = typed_in_powers_of_1000(&self.site.text, &["db_size", "depot_size"]);
        for (place, roles) in self.places(&d.volumes) {
            let of = |at_horizon: bool| {
                let mine = rows
                    .iter()
                    .filter(|r| r.server_idx == 0 && roles.contains(&r.role));
                let sizes = mine.map(|r| {
                    if at_horizon {
                        r.size_at_horizon
                    } else {
                        r.size
                    }
                });
                size(sizes.map(Bytes::get).sum(), si)
            };
            let shown: Vec<&str> = roles
                .iter()
                .copied()
                .filter(|r| *r != "offline_db")
                .collect();
            let shown = match shown.len() {
                5.. => "everything".to_owned(),
                _ => shown.join(", "),
            };
            let text = format!("{place}; {}, {}", of(false), of(true));
            labelled(out, &shown, &rounded(&text), 2);
        }
        labelled(out, "servers", &rounded(&self.servers(d)), 2);
    }

    fn servers(&self, d: &Deployment) -> String {
        let mut said = format!(
            "{}: {} cores, {} of memory",
            self.names.name(&d.server),
            d.cores,
            Bytes::new(d.memory)
        );
        let beside = d.edges as usize - d.offices.len();
        match beside {
            0 => {}
            1 => said.push_str("; one edge server like it"),
            n => said = format!("{said}; {n} edge servers like it"),
        }
        if !d.offices.is_empty() {
            said = format!(
                "{said}; an edge server in {} with its own disks",
                list(&d.offices)
            );
        }
        if d.proxies {
            said.push_str("; proxies for build farms");
        }
        if let Some(cache) = &d.cache {
            said = format!("{said}; {}", self.names.name(cache));
        }
        said
    }

    /// Places and what lies there, in the order of the volumes.
    fn places<'d>(&self, volumes: &'d [Mount]) -> Vec<(String, Vec<&'d str>)> {
        let mut places: Vec<(&str, String, Vec<&str>)> = Vec::new();
        for mount in volumes {
            let place = self.place(mount);
            let set = if mount.is_private() {
                mount.set.as_str()
            } else {
                ""
            };
            match places.iter_mut().find(|(s, p, _)| *s == set && *p == place) {
                Some((.., held)) => held.extend(&mount.roles),
                None => places.push((set, place, mount.roles.clone())),
            }
        }
        places
            .into_iter()
            .map(|(_, place, roles)| (place, roles))
            .collect()
    }

    /// "4 NVMe drives of 7.7 TB in RAID 10, XFS".
    fn place(&self, mount: &Mount) -> String {
        let name = |id: &str| self.names.name(id).to_owned();
        let fs = mount
            .filesystem
            .as_deref()
            .map_or(String::new(), |fs| format!(", {}", name(fs)));
        let medium = name(&mount.medium);
        if mount.is_local() {
            let each = Bytes::new(mount.disk_bytes).si();
            return format!(
                "{} local {medium}s ({each}) in {}{fs}",
                mount.disks,
                name(&mount.raid)
            );
        }
        if mount.is_cloud() {
            return format!("{medium}{fs}");
        }
        let usual = self.catalog.arrays.get(&mount.device).map(|a| &a.raid);
        let raid = match usual {
            Some(usual) if *usual != mount.raid => format!(" ({})", name(&mount.raid)),
            _ => String::new(),
        };
        format!(
            "{}{raid} over {}{fs}",
            name(&mount.device),
            name(&mount.protocol)
        )
    }

    /// Who waits how long against which target.
    fn times(&self, out: &mut Vec<String>, chosen: &Chosen, most: usize) {
        out.push(String::new());
        out.push(time_row([
            "At the peak hour",
            "95 % within",
            "80 % interval",
            "target",
        ]));
        let rows = responses(&chosen.prediction, Some(self.site));
        let mut rows: Vec<Response> = rows
            .into_iter()
            .filter(|r| r.work.target().is_some())
            .collect();
        let all = rows.len();
        if all > most {
            // Those nearest to missing a target stay.
            let need = |r: &Response| match &r.target {
                None => 0,
                Some(t) => 1 + t.risk.unwrap_or(if t.is_met { 0 } else { 100 }),
            };
            let mut order: Vec<usize> = (0..all).collect();
            order.sort_by_key(|i| (std::cmp::Reverse(need(&rows[*i])), *i));
            let kept = &order[..most];
            let mut at = 0..all;
            rows.retain(|_| at.next().is_some_and(|i| kept.contains(&i)));
        }
        for row in &rows {
            let p95 = chosen.prediction.class(&row.work).map(|c| c.p95);
            let (value, interval) = p95.map_or_else(Default::default, |p| {
                let between = format!("{} to {}", Seconds::new(p.low), Seconds::new(p.high));
                (
                    Seconds::new(p.value).to_string(),
                    if p.low < p.high {
                        between
                    } else {
                        String::new()
                    },
                )
            });
            let target = row.target.as_ref().map_or(String::new(), |t| {
                format!("{}: {}", rounded(&t.limit), t.verdict())
            });
            let name = self.name(&row.work, &row.name);
            out.push(time_row([
                &name,
                &rounded(&value),
                &rounded(&interval),
                &target,
            ]));
        }
        if rows.len() < all {
            out.push(format!("  and {} more kinds of work", all - rows.len()));
        }
    }

    /// "large sync of 60 GB".
    fn name(&self, work: &Work, name: &str) -> String {
        if work.is_large_sync() {
            let size = self.site.workload.concurrent_sync_size.value;
            let si = typed_in_powers_of_1000(&self.site.text, &["concurrent_sync_size"]);
            let name = name.split(',').next().unwrap_or(name);
            return rounded(&format!("{name} of {}", self::size(size.get(), si)));
        }
        name.to_owned()
    }

    fn limits(&self, out: &mut Vec<String>, chosen: &Chosen, most: usize) {
        let h = &chosen.headroom;
        let mut limits: Vec<(f64, String, String)> = Vec::new();
        let never = f64::INFINITY;
        let when = |time: Option<Seconds>| time.map_or("not at this growth".to_owned(), about);
        let said = |text: &str| rounded(&self.names.said(text));
        limits.push((
            0.0,
            "load".to_owned(),
            format!("{}: {}", when(h.reached_in), said(&h.limit)),
        ));
        if let Some(memory) = h.memory_later() {
            limits.push((
                memory.reached_in.map_or(never, Seconds::get),
                "memory".to_owned(),
                format!(
                    "{}: {} has no memory left, at {} times today's peak load",
                    when(memory.reached_in),
                    memory.why.split(" needs ").next().unwrap_or(&memory.why),
                    two_digits(memory.factor)
                ),
            ));
        }
        let si = typed_in_powers_of_1000(&self.site.text, &["db_size", "depot_size"]);
        for limit in &h.capacity {
            let buy = limit
                .to_buy
                .as_ref()
                .map_or(String::new(), |b| format!("; buy {}", said(b)));
            let [holds, needs] = [limit.usable, limit.needed].map(|b| size(b.get(), si));
            let years = rounded(&self.site.horizon.time.value.to_string());
            let room = if (limit.usable.get() / limit.needed.get() - 1.0).abs() < 0.02 {
                format!("(sized for the {needs} of {years} from now)")
            } else {
                format!("({holds}; needs {needs} in {years})")
            };
            limits.push((
                limit.full_in.map_or(never, Seconds::get),
                "space".to_owned(),
                format!(
                    "{}: {} full {room}{buy}",
                    when(limit.full_in),
                    said(&limit.store)
                ),
            ));
        }
        limits.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, label, text) in limits.iter().take(most) {
            labelled(out, label, text, LINES_EACH);
        }
    }

    fn findings(&self, out: &mut Vec<String>, most: usize) {
        let mut findings: Vec<_> = self
            .advice
            .findings
            .iter()
            .filter(|f| f.rule != QUESTIONS)
            .collect();
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        if findings.is_empty() {
            return;
        }
        heading(out, "What to do first");
        for (i, f) in findings.iter().take(most).enumerate() {
            let action = capital(&rounded(&self.names.said(&f.action)));
            let message = capital(&rounded(&self.names.said(&f.message)));
            // The whole reason if there is room, else its first clause.
            let whole = format!("{message}. {action}. [{}]", f.rule);
            let first = message.split([';', ':']).next().unwrap_or_default();
            let short = format!("{first}. {action}. [{}]", f.rule);
            let fits = |text: &str| wrap(text, COLUMNS - 5).len() <= LINES_EACH;
            let text = [whole, short]
                .into_iter()
                .find(|t| fits(t))
                .unwrap_or(format!("{action}. [{}]", f.rule));
            numbered(out, i + 1, &text);
        }
    }

    fn questions(&self, out: &mut Vec<String>, most: usize) {
        let influences = &self.advice.influences;
        if influences.is_empty() {
            return;
        }
        heading(
            out,
            "Ask first (unanswered questions that move this answer most)",
        );
        let assumptions = self.site.assumptions();
        for (i, influence) in influences.iter().take(most).enumerate() {
            let path = influence.field.as_str();
            let asked = question(&self.names, self.site, &assumptions, path, Some(influence));
            let text = format!(
                "{} Assumed {}; {} ({path}).",
                asked.question, asked.assumed, asked.moves
            );
            numbered(out, i + 1, &text);
        }
    }

    /// The other layouts where none is chosen.
    fn others(&self, out: &mut Vec<String>) {
        heading(out, "Why not");
        let mut said: Vec<String> = Vec::new();
        for a in &self.advice.alternatives {
            let title = self
                .catalog
                .layouts
                .get(&a.layout)
                .map_or(a.layout.as_str(), |l| &l.entry.title);
            let text = format!("{title}: {}", rounded(&self.names.said(&a.why_not)));
            if said.contains(&text) || said.len() == 8 {
                continue;
            }
            let lines = wrap(&text, COLUMNS - 2);
            said.push(text);
            out.extend(
                cut(lines, 3, COLUMNS - 2)
                    .into_iter()
                    .map(|l| format!("  {l}")),
            );
        }
    }

    fn last(&self, out: &mut Vec<String>) {
        let warnings = match self.site.warnings.len() {
            0 => String::new(),
            1 => "1 warning about the answers and ".to_owned(),
            n => format!("{n} warnings about the answers and "),
        };
        out.push(format!(
            "--full shows {warnings}all tables, reasons and evidence."
        ));
    }
}

/// An unanswered question as a person is asked it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question's own words, with the office where it is about one.
    pub question: String,
    /// "5 (1 to 176)": what is assumed, and the range; nothing where nothing is.
    pub assumed: String,
    /// "moves edit times up to 22-fold"; nothing where that is not known.
    pub moves: String,
    /// The field, as `--set` takes it.
    pub path: String,
}

/// The question at a path, with what is assumed for it and what its answer moves.
pub fn asked(catalog: &Catalog, site: &Site, path: &str, influence: Option<&Influence>) -> Asked {
    question(
        &Names::of(catalog),
        site,
        &site.assumptions(),
        path,
        influence,
    )
}

fn question(
    names: &Names,
    site: &Site,
    assumptions: &[Assumption],
    path: &str,
    influence: Option<&Influence>,
) -> Asked {
    let question = field(path).map_or(path, |f| f.question);
    let office = path.split('.').find_map(|part| part.parse::<usize>().ok());
    let office = office.and_then(|i| site.people.sites.get(i));
    let office = office.map_or(String::new(), |office| format!("{}: ", office.name));
    let assumed = assumptions.iter().find(|a| a.field == path).map(|a| {
        let [value, low, high] = [&a.value, &a.low, &a.high].map(|x| rounded(&names.said(x)));
        if low == high {
            value
        } else {
            format!("{value} ({low} to {high})")
        }
    });
    Asked {
        question: format!("{office}{question}"),
        assumed: assumed.unwrap_or_default(),
        moves: influence.map_or(String::new(), moves),
        path: path.to_owned(),
    }
}

/// "moves edit times up to 22-fold".
fn moves(influence: &Influence) -> String {
    if influence.saturates {
        return "an end of that range overloads this layout".to_owned();
    }
    let by = match influence.ratio {
        r if r < 1.95 => format!("by up to {} %", two_digits(100.0 * (r - 1.0))),
        r if r < 10.0 => format!("up to {}-fold", two_digits(r)),
        r => format!("up to {}-fold", about_count(r)),
    };
    match influence.time.as_str() {
        "" => "moves what nobody waits for".to_owned(),
        time if time.contains(" of the ") => format!("moves the {time} {by}"),
        time => format!("moves {time} times {by}"),
    }
}

/// How sure the choice among the layouts is.
fn sure(contest: &Contest, catalog: &Catalog) -> String {
    let title = |id: &str| {
        let layout = catalog.layouts.get(id);
        layout.map_or(id.to_owned(), |l| format!("\"{}\"", l.entry.title))
    };
    let chance = |c: f64| format!("{} %", two_digits(100.0 * c));
    let Some(first) = contest.rivals.first() else {
        return ALONE.to_owned();
    };
    let tied: Vec<String> = contest
        .rivals
        .iter()
        .filter(|r| r.is_tied())
        .map(|r| {
            format!(
                "{}, better with a chance of {}",
                title(&r.layout),
                chance(r.chance)
            )
        })
        .collect();
    let mut said = match tied.as_slice() {
        [] => {
            let at_most = if first.chance < 0.01 {
                "less than 1 %".to_owned()
            } else {
                chance(first.chance)
            };
            format!(
                "clear: the next best layout, {}, is better with a chance of {at_most}.",
                title(&first.layout)
            )
        }
        [likeliest, more @ ..] => {
            let more = match more.len() {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            format!("tied with {likeliest}{more}.")
        }
    };
    if let Some(doubt) = contest.doubts.first().filter(|_| !tied.is_empty()) {
        let what = match doubt.kind {
            DoubtKind::Model => "the model's own error".to_owned(),
            DoubtKind::Question => format!("the answer to {}", doubt.name),
            DoubtKind::Parameter | DoubtKind::Number => {
                format!("a number of the model, {}", doubt.name)
            }
        };
        said = format!(
            "{said} Most of the doubt: {what} ({}).",
            chance(doubt.share)
        );
    }
    said
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

fn size(bytes: f64, si: bool) -> String {
    let bytes = Bytes::new(bytes);
    let text = if si { bytes.si() } else { bytes.to_string() };
    rounded(&text)
}

fn heading(out: &mut Vec<String>, title: &str) {
    out.push(String::new());
    out.extend(cut(wrap(title, COLUMNS), 1, COLUMNS));
}

/// The first lines of a text; where there were more, the last ends with a mark.
fn cut(mut lines: Vec<String>, most: usize, width: usize) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let room: String = last.chars().take(width - 2).collect();
            *last = format!("{} …", room.trim_end_matches([',', ';', ':', ' ']));
        }
    }
    lines
}

fn labelled(out: &mut Vec<String>, label: &str, text: &str, most: usize) {
    let width = LABEL.max(label.chars().count() + 4);
    for (n, line) in cut(wrap(text, COLUMNS - width), most, COLUMNS - width)
        .iter()
        .enumerate()
    {
        let label = if n == 0 { label } else { "" };
        out.push(format!("  {label:<0$}{line}", width - 2));
    }
}

fn numbered(out: &mut Vec<String>, n: usize, text: &str) {
    for (i, line) in cut(wrap(text, COLUMNS - 5), LINES_EACH, COLUMNS - 5)
        .iter()
        .enumerate()
    {
        let mark = if i == 0 {
            format!("{n}.")
        } else {
            String::new()
        };
        out.push(format!("  {mark:<3}{line}"));
    }
}

fn time_row([name, time, interval, target]: [&str; 4]) -> String {
    let name: String = name.chars().take(27).collect();
    let row = format!("  {name:<27}  {time:>11}  {interval:<19}  {target}");
    row.trim_end().to_owned()
}
