//! A setting of the catalogue, made out for one server.

use crate::catalog::layout::ROLES;
use crate::catalog::{Alert, Setting, Target, Value};
use crate::origin::Origin;
use crate::site::Site;
use crate::units::Bytes;

use super::sheet::{Place, Sheet};

/// The question of the site file that an amount is the answer to.
const FIELDS: [(&str, &str); 13] = [
    ("memory", "server.ram"),
    ("cores", "server.cores"),
    ("connections", "people.connections_at_peak"),
    ("peeking", "server.peeking"),
    ("log_level", "server.log_level"),
    ("file_size", "data.file_size"),
    ("bandwidth_delay", "people.site.bandwidth"),
    ("round_trip", "people.site.round_trip"),
    ("edges", "infrastructure.edges_max"),
    ("volume_db", "data.db_size"),
    ("volume_journal", "workload.submits_per_day"),
    ("volume_log", "workload.commands_per_day"),
    ("volume_depot", "data.depot_size"),
];

/// A setting with its value, as plain text: not yet quoted for any place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Filled {
    /// What is set.
    pub(super) name: String,
    /// To what; for a question, what it asks for.
    pub(super) value: String,
    /// The variable that a question's answer stands in.
    pub(super) ask: Option<String>,
    /// Why.
    pub(super) reason: String,
    /// Ids that it rests on.
    pub(super) evidence: Vec<String>,
    /// When it fires, if it is a rule of an alert.
    pub(super) alert: Option<Alert>,
}

/// The settings of a target that hold for a server, or for one place of it, in the catalogue's order.
pub(super) fn settings(sheet: &Sheet<'_>, target: Target, place: Option<&Place<'_>>) -> Vec<Filled> {
    let files = sheet.catalog.settings.values().filter(|file| file.target == target);
    let all = files.flat_map(|file| file.list.iter().map(move |setting| (&file.entry.id, setting)));
    all.filter(|(_, setting)| applies(sheet, setting, place))
        .filter_map(|(file, setting)| fill(sheet, file, setting))
        .collect()
}

fn applies(sheet: &Sheet<'_>, setting: &Setting, place: Option<&Place<'_>>) -> bool {
    let release = sheet.deployment.release;
    setting.since.is_none_or(|first| release >= first)
        && setting.until.is_none_or(|last| release <= last)
        && setting.when.iter().all(|word| sheet.holds(word, place))
        && !setting.unless.iter().any(|word| sheet.holds(word, place))
}

/// `None` where a text names a role that the server has no volume for, and where not even one fits below a ceiling.
fn fill(sheet: &Sheet<'_>, file: &str, setting: &Setting) -> Option<Filled> {
    let mut field = None;
    let (value, ask) = match &setting.value {
        Value::Text(text) => (expand(sheet, &text.value)?, None),
        Value::Amount(amount) => {
            let of = *sheet.amounts.get(amount.of)?;
            let number = match amount.not_over {
                Some(ceiling) => amount.reckon_below(of, *sheet.amounts.get(ceiling)?)?,
                None => amount.reckon(of),
            };
            let text = expand(sheet, &amount.text.value)?;
            field = FIELDS.iter().find(|(name, _)| *name == amount.of);
            (text.replace("{}", &format!("{number:.0}")), None)
        }
        Value::Ask { variable, what } => (expand(sheet, &what.value)?, Some(variable.clone())),
    };
    let why = expand(sheet, &setting.why)?;
    let mut evidence = vec![format!("settings/{file}")];
    let reason = match setting.value.origin() {
        Origin::Assumed { why: assumed } => {
            evidence.push("assumed".to_owned());
            format!("{why} Assumed: {assumed}.")
        }
        Origin::Derived { ids, how } => {
            evidence.extend(ids.iter().cloned());
            format!("{why} Derived: {how}.")
        }
        origin => {
            evidence.extend(origin.ids().iter().cloned());
            why
        }
    };
    evidence.extend(field.map(|(_, path)| (*path).to_owned()));
    let alert = match &setting.alert {
        Some(alert) => Some(Alert { first: expand(sheet, &alert.first)?, ..alert.clone() }),
        None => None,
    };
    Some(Filled { name: expand(sheet, &setting.name)?, value, ask, reason, evidence, alert })
}

/// Replaces what stands in braces: the server's id, a role by its mount point, an amount by its number and unit; `{{` is a brace.
/// A text that begins with a role is a path, and Windows separates its parts by `\`.
fn expand(sheet: &Sheet<'_>, text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        if let Some(tail) = after.strip_prefix('{') {
            out.push('{');
            rest = tail;
            continue;
        }
        let (name, tail) = after.split_once('}')?;
        match name {
            "" => out.push_str("{}"),
            "server" => out.push_str(&sheet.id),
            role => match sheet.mount_point(role) {
                Some(drive) if sheet.is_windows() => {
                    out.push_str(drive.trim_end_matches(['/', '\\']));
                }
                Some(mount_point) => out.push_str(mount_point.trim_end_matches('/')),
                None => out.push_str(&sheet.shown(role)?),
            },
        }
        rest = tail;
    }
    out.push_str(rest);
    let path = text.strip_prefix('{');
    let is_path = path.is_some_and(|path| ROLES.iter().any(|role| path.starts_with(role)));
    Some(if is_path && sheet.is_windows() { out.replace('/', "\\") } else { out })
}

/// A size in words for reasons, today and at the horizon, in the powers in which the site's own are typed.
pub(super) fn sizes(site: &Site, size: (f64, f64)) -> String {
    let [today, later] = [size.0, size.1].map(|bytes| site.size(Bytes::new(bytes)));
    format!("{today} to provide today, {later} at the horizon")
}
