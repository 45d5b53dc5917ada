//! Settings: what to write into the configuration of a server, when, and why.
//!
//! A file holds the settings of one place (`sysctl`, `p4` …). A value is a text, an amount reckoned from a
//! known quantity, or a question to the administrator. Texts name what is known of a server in braces:
//! a role is its mount point, an amount is shown with its unit.

use super::entry::Entry;
use super::feature::Feature;
use super::layout::ROLES;
use super::release::Release;
use crate::diag::quoted;
use crate::document::{Located, Reader};
use crate::origin::{Origin, Sourced};

/// Where a setting is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Options of mounts in `/etc/fstab`; decided for each mount.
    Fstab,
    /// Options of the mounts of users' workspaces.
    Workspaces,
    /// Kernel variables.
    Sysctl,
    /// Kernel files below `/sys`, written at boot.
    Tmpfiles,
    /// Parameters of kernel modules.
    Modprobe,
    /// Attributes of block devices; decided for each mount.
    Udev,
    /// `/etc/nfs.conf`, by section.
    NfsConf,
    /// `/etc/multipath.conf`, by section.
    Multipath,
    /// The iSCSI initiator.
    Iscsid,
    /// The unit of p4d, by section.
    Systemd,
    /// Directories to make; the value is the path.
    Directories,
    /// The environment of p4d.
    Environment,
    /// `p4 configure set`.
    P4,
    /// Maps of depots, where no configurable says where they begin; the value is the folder.
    DepotMaps,
    /// Arguments of the command that makes a checkpoint, where no configurable says where it goes.
    Checkpoint,
    /// Limits of a group of users: fields of its form.
    Groups,
    /// Rules of alerts for Prometheus; the value is the expression.
    Alerts,
    /// Parameters of `Format-Volume` on Windows; decided for each mount.
    Format,
    /// Files that a system has no use for: what takes their place, and why.
    Notes,
}

/// The words for targets in a file, and the targets.
const TARGETS: [(&str, Target); 19] = [
    ("fstab", Target::Fstab),
    ("workspaces", Target::Workspaces),
    ("sysctl", Target::Sysctl),
    ("tmpfiles", Target::Tmpfiles),
    ("modprobe", Target::Modprobe),
    ("udev", Target::Udev),
    ("nfs-conf", Target::NfsConf),
    ("multipath", Target::Multipath),
    ("iscsid", Target::Iscsid),
    ("systemd", Target::Systemd),
    ("directories", Target::Directories),
    ("environment", Target::Environment),
    ("p4", Target::P4),
    ("depot-maps", Target::DepotMaps),
    ("checkpoint", Target::Checkpoint),
    ("groups", Target::Groups),
    ("alerts", Target::Alerts),
    ("format", Target::Format),
    ("notes", Target::Notes),
];

/// Amounts that are known of a server; a size in bytes, a time in seconds, a share in percent, else a count.
pub const AMOUNTS: [&str; 28] = [
    "memory",
    "cores",
    "connections",
    "processes",
    "processes_most",
    "edges",
    "peeking",
    "log_level",
    "file_size",
    "bandwidth_delay",
    "round_trip",
    "running_most",
    "blocked_most",
    "stalled",
    "stalled_at_limit",
    "pause_at",
    "memory_used",
    "longest_hold",
    "files_most",
    "rows_most",
    "largest_command",
    "journal_a_minute",
    "volume_db",
    "volume_offline_db",
    "volume_journal",
    "volume_log",
    "volume_depot",
    "volume_checkpoint",
];

/// Conditions that are a single word. Others are `protocol:ID`, `array:ID`, `ROLE:STORE` and, where each mount
/// is decided by itself, `this:ID` of its protocol, its role or its store.
pub const CONDITIONS: [&str; 14] = [
    "linux",
    "solaris",
    "windows",
    "commit",
    "edge",
    "standby",
    "edges",
    "distant",
    "shared-depot",
    "offices",
    "proxies",
    "lockless",
    "pausing-helps",
    "leaves-memory",
];

/// What a volume can lie on: how it is reached, and what its medium is.
pub const STORES: [&str; 7] = ["local", "cloud", "block", "file", "object", "flash", "disk"];

/// The settings of one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Id, title, summary, facts.
    pub entry: Entry,
    /// Where they are written.
    pub target: Target,
    /// The settings, in the order in which they are written.
    pub list: Vec<Setting>,
}

/// One setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// What is set; may name a known text.
    pub name: String,
    /// To what.
    pub value: Value,
    /// Conditions that must all hold.
    pub when: Vec<String>,
    /// Conditions of which none may hold.
    pub unless: Vec<String>,
    /// The first release of p4d that it is for, or that is of the age that it is for.
    pub since: Option<Release>,
    /// The last.
    pub until: Option<Release>,
    /// Why, in a sentence or two.
    pub why: String,
    /// Of a rule for an alert: when it fires and what to do first.
    pub alert: Option<Alert>,
}

/// When an alert fires, and what to do then.
#[derive(Debug, Clone, PartialEq)]
pub struct Alert {
    /// For how long its expression holds before it fires, as Prometheus writes it: `5m`.
    pub lasts: String,
    /// How bad it is, one of [`SEVERITIES`].
    pub severity: &'static str,
    /// The first command to type.
    pub first: String,
}

/// How bad an alert is, worst last.
pub const SEVERITIES: [&str; 3] = ["low", "warning", "high"];

/// What a setting is set to.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text.
    Text(Sourced<String>),
    /// A number reckoned from an amount.
    Amount(Amount),
    /// What only the administrator knows: a variable that stops the script while it is empty.
    Ask {
        /// The variable, `PLIMSOLL_COMMIT`.
        variable: String,
        /// What to set it to.
        what: Sourced<String>,
    },
}

impl Value {
    /// Where it comes from.
    pub fn origin(&self) -> &Origin {
        match self {
            Self::Text(text) => &text.origin,
            Self::Amount(amount) => &amount.text.origin,
            Self::Ask { what, .. } => &what.origin,
        }
    }
}

/// A number reckoned from a known amount: `times` of it, in the unit, within limits, rounded up.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// The amount: one of [`AMOUNTS`].
    pub of: &'static str,
    /// Factor.
    pub times: f64,
    /// The unit in the written value: 1, a millisecond, or 1024 to some power.
    pub unit: f64,
    /// The least, in the unit.
    pub least: f64,
    /// The most, in the unit.
    pub most: f64,
    /// The amount that it never exceeds, whatever the least: one of [`AMOUNTS`], where there is one.
    pub not_over: Option<&'static str>,
    /// Whether it is rounded up to a power of two rather than to a whole number.
    pub power_of_two: bool,
    /// The written value, with `{}` for the number.
    pub text: Sourced<String>,
}

impl Amount {
    /// The number to write, in the amount's unit.
    ///
    /// ```
    /// use plimsoll_model::catalog::{Amount, Catalog, Setting, Value};
    /// let catalog = Catalog::embedded();
    /// let all = catalog.settings.values().flat_map(|file| &file.list);
    /// let amounts = all.filter_map(|s| if let Value::Amount(a) = &s.value { Some(a) } else { None });
    /// for amount in amounts {
    ///     let number = amount.reckon(1e9);
    ///     assert!(amount.least <= number && number <= amount.most && number.fract() == 0.0);
    /// }
    /// ```
    pub fn reckon(&self, of: f64) -> f64 {
        let number = of * self.times / self.unit;
        let rounded = if self.power_of_two { number.max(1.0).log2().ceil().exp2() } else { number.ceil() };
        rounded.clamp(self.least, self.most)
    }

    /// The number to write where the amount that it must not exceed is known; `None` where not even one fits.
    ///
    /// ```
    /// use plimsoll_model::catalog::{Catalog, Setting, Value};
    /// let catalog = Catalog::embedded();
    /// let mut all = catalog.settings.values().flat_map(|file| &file.list);
    /// let limit = all.find(|setting| setting.name == "server.maxcommands").unwrap();
    /// let Value::Amount(limit) = &limit.value else { panic!() };
    /// assert_eq!(limit.reckon(400.0), 2500.0);
    /// assert_eq!(limit.reckon_below(400.0, 911.5), Some(911.0));
    /// assert_eq!(limit.reckon_below(400.0, 0.0), None);
    /// ```
    pub fn reckon_below(&self, of: f64, ceiling: f64) -> Option<f64> {
        let ceiling = (ceiling / self.unit).floor();
        if ceiling < 1.0 {
            return None;
        }
        let ceiling = if self.power_of_two { ceiling.log2().floor().exp2() } else { ceiling };
        Some(self.reckon(of).min(ceiling))
    }
}

impl Settings {
    pub(super) fn read(r: &Reader<'_>, entry: Entry) -> Option<Self> {
        r.require(&["target", "setting"]);
        let words = TARGETS.map(|(word, _)| word);
        let target = r.word("target", &words);
        let list = r.tables("setting").iter().filter_map(read_one).collect();
        r.finish();
        let target = target?.value;
        let (_, target) = TARGETS.into_iter().find(|(word, _)| *word == target)?;
        Some(Self { entry, target, list })
    }
}

fn read_one(r: &Reader<'_>) -> Option<Setting> {
    r.require(&["name", "why"]);
    let value = read_value(r);
    let release = |key| {
        let text: Located<String> = r.text(key)?;
        if let Some(feature) = Feature::of(&text.value) {
            return Some(feature.since());
        }
        let release = text.value.parse::<Release>();
        if let Err(error) = &release {
            r.report("MOD005", error.to_string(), &text.place, "not a release");
        }
        release.ok()
    };
    let words = |key| -> Vec<String> {
        let words = r.texts(key).unwrap_or_default();
        words.into_iter().map(|word| word.value).collect()
    };
    let (since, until) = (release("since"), release("until"));
    let (when, unless) = (words("when"), words("unless"));
    let (name, why) = (r.text("name"), r.text("why"));
    let alert = r.raw("alert").and_then(|_| read_alert(&r.table("alert")?));
    r.finish();
    let setting = Setting { name: name?.value, value: value?, when, unless, since, until, why: why?.value, alert };
    check(r, &setting);
    Some(setting)
}

fn read_alert(r: &Reader<'_>) -> Option<Alert> {
    r.require(&["lasts", "severity", "first"]);
    let (lasts, first) = (r.text("lasts"), r.text("first"));
    let severity = r.word("severity", &SEVERITIES);
    r.finish();
    let lasts = lasts?;
    let number = lasts.value.strip_suffix(['s', 'm', 'h']);
    if number.is_none_or(|number| number.parse::<u16>().is_err()) {
        let message = "`lasts` is a whole number of seconds, minutes or hours, such as `5m`";
        r.report("MOD006", message, &lasts.place, "not such a time");
        return None;
    }
    Some(Alert { lasts: lasts.value, severity: severity?.value, first: first?.value })
}

fn read_value(r: &Reader<'_>) -> Option<Value> {
    let text = r.raw("value").is_some();
    let amount = r.raw("amount").is_some();
    let ask = r.raw("ask").is_some();
    if [text, amount, ask].into_iter().filter(|there| *there).count() != 1 {
        let message = "a setting needs exactly one of `value`, `amount` and `ask`";
        r.report("MOD006", message, r.place(), "in this table");
        return None;
    }
    if text {
        return r.statement("value").map(Value::Text);
    }
    if amount {
        return read_amount(&r.table("amount")?).map(Value::Amount);
    }
    let ask = r.table("ask")?;
    ask.require(&["variable", "text"]);
    let (variable, what, origin) = (ask.text("variable"), ask.text("text"), ask.origin());
    ask.finish();
    let variable = variable?;
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !variable.value.starts_with("PLIMSOLL_") || !variable.value.chars().all(fits) {
        let message = "a variable is PLIMSOLL_ and capitals, digits and underscores";
        ask.report("MOD006", message, &variable.place, "not such a name");
        return None;
    }
    Some(Value::Ask { variable: variable.value, what: Sourced::new(what?.value, origin?) })
}

fn read_amount(r: &Reader<'_>) -> Option<Amount> {
    const UNITS: [(&str, f64); 5] =
        [("1", 1.0), ("ms", 1e-3), ("K", 1024.0), ("M", 1024.0 * 1024.0), ("G", 1024.0 * 1024.0 * 1024.0)];
    r.require(&["of", "text"]);
    let number = |key| r.number(key).map(|n| n.value);
    let of = r.word("of", &AMOUNTS);
    let (times, least, most) = (number("times"), number("least"), number("most"));
    let not_over = r.word("not_over", &AMOUNTS).map(|word| word.value);
    let unit = r.word("unit", &UNITS.map(|(word, _)| word));
    let power_of_two = r.boolean("power_of_two").is_some_and(|b| b.value);
    let (text, origin) = (r.text("text"), r.origin());
    r.finish();
    let (least, most) = (least.unwrap_or(0.0), most.unwrap_or(f64::MAX));
    if least > most {
        r.report("MOD006", "`least` is more than `most`", r.place(), "here");
        return None;
    }
    let unit = unit.map_or("1", |unit| unit.value);
    Some(Amount {
        of: of?.value,
        times: times.unwrap_or(1.0),
        unit: UNITS.into_iter().find(|(word, _)| *word == unit)?.1,
        least,
        most,
        not_over,
        power_of_two,
        text: Sourced::new(text?.value, origin?),
    })
}

/// Checks that texts name what is known, and that conditions are such.
fn check(r: &Reader<'_>, setting: &Setting) {
    let value = match &setting.value {
        Value::Text(text) => &text.value,
        Value::Amount(amount) => &amount.text.value,
        Value::Ask { what, .. } => &what.value,
    };
    let first = setting.alert.as_ref().map(|alert| &alert.first);
    for text in [&setting.name, value, &setting.why].into_iter().chain(first) {
        for name in names(text) {
            let known = name.is_empty() || name == "server" || AMOUNTS.contains(&name) || ROLES.contains(&name);
            if !known {
                let message = format!("a setting names {}, which is unknown", quoted(name));
                r.report("MOD006", message, r.place(), "in this table");
            }
        }
    }
    for word in setting.when.iter().chain(&setting.unless) {
        let known = match word.split_once(':') {
            None => CONDITIONS.contains(&word.as_str()),
            Some(("protocol" | "array" | "this", id)) => !id.is_empty(),
            Some((role, store)) => ROLES.contains(&role) && STORES.contains(&store),
        };
        if !known {
            let message = format!("{} is no condition of a setting", quoted(word));
            r.report("MOD006", message, r.place(), "in this table");
        }
    }
}

/// What stands in braces.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split('{').skip(1);
    after.filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}
