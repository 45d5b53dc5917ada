//! Lines that `p4` prints. Each function takes one line and gives what it says, or nothing where it is of another kind.

use super::amount::{count, size};
use super::facts::{Depot, Location, Running, Setting, Sizes, Space};
use crate::serverlog::beside;

/// The names in `p4 info`, and the fields that `p4 -ztag info` has for them.
const INFO: &[(&str, &str)] = &[
    ("User name", "userName"),
    ("Client name", "clientName"),
    ("Client host", "clientHost"),
    ("Client root", "clientRoot"),
    ("Client stream", "clientStream"),
    ("Current directory", "clientCwd"),
    ("Peer address", "peerAddress"),
    ("Client address", "clientAddress"),
    ("Server address", "serverAddress"),
    ("Server root", "serverRoot"),
    ("Server date", "serverDate"),
    ("Server uptime", "serverUptime"),
    ("Server version", "serverVersion"),
    ("Server encryption", "serverEncryption"),
    ("Server cert expires", "serverCertExpires"),
    ("ServerID", "ServerID"),
    ("Server services", "serverServices"),
    ("Server license", "serverLicense"),
    ("Server license-ip", "serverLicenseIp"),
    ("Case Handling", "caseHandling"),
    ("Proxy address", "proxyAddress"),
    ("Proxy version", "proxyVersion"),
    ("Proxy root", "proxyRoot"),
    ("Proxy date", "proxyDate"),
    ("Proxy encryption", "proxyEncryption"),
    ("Broker address", "brokerAddress"),
    ("Broker version", "brokerVersion"),
    ("Broker encryption", "brokerEncryption"),
    ("Replica of", "replica"),
    ("Changelist server", "changeServer"),
    ("Authorization Server", "authServer"),
    ("Submits to", "submitServer"),
    ("Unicode", "unicode"),
    ("Security level", "security"),
    ("Peeking", "peeking"),
];

/// A line of `p4 info`: "Server version: P4D/…".
pub(super) fn info(line: &str) -> Option<(String, String)> {
    if line == "Client unknown." {
        return Some(("Client unknown".to_owned(), String::new()));
    }
    let (name, value) = line.trim_start().split_once(": ")?;
    let (known, _) = INFO.iter().find(|(known, _)| *known == name)?;
    Some(((*known).to_owned(), value.trim().to_owned()))
}

/// The name in `p4 info` of a field of `p4 -ztag info`.
pub(super) fn tagged_info(field: &str) -> Option<&'static str> {
    let found = INFO.iter().find(|(_, tagged)| *tagged == field);
    found.map(|(name, _)| *name)
}

/// Settings without a point in their names; others have one, or begin with P4.
const BARE: &[&str] = &[
    "monitor",
    "server",
    "track",
    "security",
    "unicode",
    "journalPrefix",
    "serviceUser",
    "minClient",
    "defaultChangeType",
    "rpl",
    "zerosyncPrefix",
];

/// Names that hold secrets: what they are set to is neither kept nor shown.
pub(super) const SECRET: &[&str] = &["P4PASSWD", "P4TICKETS"];

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// Whether a name is one of p4d's settings, as far as its spelling shows it.
fn is_setting(name: &str) -> bool {
    let is_variable =
        name.starts_with("P4") && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_name(name) && (is_variable || BARE.contains(&name) || (name.contains('.') && !name.ends_with('.')))
}

/// A line of `p4 configure show`, `p4 set` or of an environment.
///
/// `asked` says that the output is known to be one of these, so that a line without origin is one too.
pub(super) fn setting(line: &str, asked: bool) -> Option<Setting> {
    let line = line.trim();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (left, right) = line.split_once('=')?;
    let (scope, name) = match left.trim().split_once(':') {
        Some((scope, name)) => (Some(scope.trim()), name.trim()),
        None => (None, left.trim()),
    };
    let scope = match scope {
        Some(scope) if is_name(scope) => Some(scope.to_owned()),
        Some(_) => return None,
        None => None,
    };
    let (value, origin) = with_origin(right.trim());
    let is_variable = name.starts_with("P4");
    let stated = !origin.is_empty() || scope.is_some() || asked || (is_variable && !left.ends_with(' '));
    if !is_setting(name) || !stated || SECRET.contains(&name) {
        return None;
    }
    let value = value.trim_matches(['"', '\'']).to_owned();
    Some(Setting { name: name.to_owned(), value, scope, origin: origin.to_owned() })
}

/// Whether a line sets what is secret, as `p4 set` and an environment print it.
pub(super) fn is_secret(line: &str) -> bool {
    let name = line.split('=').next().unwrap_or(line).trim();
    let name = name.rsplit([' ', ':']).next().unwrap_or(name);
    line.contains('=') && SECRET.contains(&name)
}

/// Parts "2 (default)": a value and where it comes from.
fn with_origin(text: &str) -> (&str, &str) {
    let Some(inner) = text.strip_suffix(')') else {
        return (text, "");
    };
    let Some((value, origin)) = inner.rsplit_once('(') else {
        return (text, "");
    };
    let is_origin = origin.starts_with('-')
        || ["configure", "default", "env", "set", "config", "P4", "service", "tunable", "argv", "argument"]
            .iter()
            .any(|word| origin.starts_with(word));
    if is_origin { (value.trim_end(), origin) } else { (text, "") }
}

/// Counters that p4d itself keeps.
const COUNTERS: &[&str] =
    &["change", "journal", "upgrade", "maxCommitChange", "lastCheckpointAction", "logger", "counter", "job", "traits"];

/// A line of `p4 counters`: "change = 12345". `asked` as in [`setting`].
pub(super) fn counter(line: &str, asked: bool) -> Option<(String, String)> {
    let (name, value) = line.trim().split_once(" = ")?;
    let is_own = COUNTERS.contains(&name) && count(value.trim()).is_some();
    let may_be = asked && !name.is_empty() && !name.contains(' ');
    (is_own || may_be).then(|| (name.to_owned(), value.trim().to_owned()))
}

/// A line of `p4 sizes -s`: "//... 1234 files 567890 bytes".
pub(super) fn sizes(line: &str) -> Option<Sizes> {
    let line = line.trim();
    let (left, right) = line.rsplit_once(" files ")?;
    let (path, files) = left.rsplit_once(' ')?;
    if !path.starts_with("//") {
        return None;
    }
    let mut words = right.split_whitespace();
    let amount = words.next()?;
    let unit = words.next();
    let factor = match unit {
        None | Some("bytes") => 1.0,
        Some(_) => return None,
    };
    // "with 512 bytes blocks" and the like have more words.
    if words.next().is_some() {
        return None;
    }
    Some(Sizes { path: path.to_owned(), files: count(files)?, bytes: size(amount, factor)?, all: None })
}

/// A line of `p4 diskspace`: "P4ROOT (type ext4 mounted on /hxmetadata) : 100.3G free, 273.2G used, 393.5G total (73% full)".
pub(super) fn location(line: &str) -> Option<Location> {
    let line = line.trim();
    let (name, rest) = line.split_once(" (type ")?;
    let (what, amounts) = rest.split_once(')')?;
    let (kind, target) = match what.split_once(" mounted on ") {
        Some((kind, target)) => (kind.trim(), target.trim()),
        None => (what.trim(), ""),
    };
    let amounts = amounts.trim_start().strip_prefix(':')?;
    let of = |word: &str| {
        let mut parts = amounts.split([',', '(']).map(str::trim);
        // A decimal comma would part the number from its unit; `p4` writes points.
        let part = parts.find_map(|part| part.strip_suffix(word));
        size(part?.trim(), 1.0)
    };
    let total = of(" total")?;
    let used = of(" used").or_else(|| Some(total - of(" free")?))?;
    if name.is_empty() || name.contains(' ') {
        return None;
    }
    Some(Location {
        name: name.to_owned(),
        space: Space {
            source: String::new(),
            kind: Some(kind.to_owned()).filter(|k| !k.is_empty()),
            target: target.to_owned(),
            total_bytes: total,
            used_bytes: used,
            asked: None,
        },
    })
}

/// A line of `p4 monitor show` with any of its options: "1234 R user 00:01:02 sync //...".
pub(super) fn running(line: &str) -> Option<Running> {
    beside::shown(line).map(|shown| Running { status: shown.status, seconds: shown.seconds, command: shown.command })
}

/// A line of `p4 pull -ls`: transfers and bytes that wait.
pub(super) fn transfers(line: &str) -> Option<(f64, f64)> {
    let rest = line.trim().strip_prefix("File transfers:")?;
    let (transfers, bytes) = rest.split_once("bytes:")?;
    let total = |part: &str| {
        let (_, total) = part.split_once('/')?;
        count(total.split_whitespace().next()?)
    };
    Some((total(transfers)?, total(bytes)?))
}

/// A line of `p4 pull -lj`: "Current replica journal state is: Journal 12, Sequence 345."
pub(super) fn journal(line: &str) -> Option<(String, f64, f64)> {
    let rest = line.trim().strip_prefix("Current ")?;
    let (which, rest) = rest.split_once(" journal state is:")?;
    let (number, sequence) = rest.trim().strip_prefix("Journal ")?.split_once(',')?;
    let sequence = sequence.trim().strip_prefix("Sequence ")?;
    let sequence = sequence.trim_end_matches('.');
    Some((which.to_owned(), count(number.trim())?, count(sequence)?))
}

/// Further lines of `p4 pull`, which say nothing that is used.
pub(super) fn is_more_of_pull(line: &str) -> bool {
    let line = line.trim();
    ["Oldest change with at least one", "The statefile was last modified at", "The replica server time is currently"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// "User limit: 500" of `p4 license -u`: what was bought, not who works.
pub(super) fn is_user_limit(line: &str) -> bool {
    line.trim().starts_with("User limit: ")
}

/// A line of `p4 depots`: "Depot main 2013/01/01 local main/... 'Created by …'".
pub(super) fn depot(line: &str) -> Option<Depot> {
    let mut words = line.trim().strip_prefix("Depot ")?.split_whitespace();
    let name = words.next()?;
    let date = words.next()?;
    if !(date.len() == 10 && date.split('/').count() == 3) {
        return None;
    }
    let kind = words.next()?;
    let map = words.take(3).find_map(|word| word.strip_suffix("/..."))?;
    Some(Depot { name: name.to_owned(), kind: kind.to_owned(), map: map.to_owned() })
}

/// Whether a line is one of `p4 users`: "ann <ann@example.com> (Ann) accessed 2024/01/01".
pub(super) fn is_user(line: &str) -> bool {
    line.contains(" <") && line.contains("> (") && line.contains(") accessed 2")
}

/// Whether a line is one of `p4 clients`: "Client ann-ws 2024/01/01 root /home/ann/ws 'Created by ann. '".
pub(super) fn is_client(line: &str) -> bool {
    line.starts_with("Client ") && (line.contains(" root ") || line.contains(" host ")) && line.ends_with('\'')
}

/// The number of users in `p4 license -u`.
pub(super) fn user_count(line: &str) -> Option<f64> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim().to_ascii_lowercase().replace(' ', "");
    (name == "usercount").then(|| count(value.trim()))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Setting {
        setting(line, false).unwrap_or_else(|| panic!("{line}"))
    }

    #[test]
    fn settings_of_every_form() {
        assert_eq!(of("P4ROOT=/p4/1/root (-r)").origin, "-r");
        assert_eq!(of("db.peeking=2 (default)").value, "2");
        assert_eq!(of("server=3 (-v)").origin, "-v");
        assert_eq!(of("P4LOG=/p4/1/logs/log (environment)").value, "/p4/1/logs/log");
        let any = of("any: net.parallel.max = 10");
        assert_eq!((any.scope.as_deref(), any.value.as_str()), (Some("any"), "10"));
        assert_eq!(of("monitor = 1 (configure)").value, "1");
        assert_eq!(of("export P4JOURNAL=\"/p4/1/logs/journal\"").value, "/p4/1/logs/journal");
        assert_eq!(of("server.depot.root=/a (b)/c (configure)").value, "/a (b)/c");
        for line in
            ["change = 12", "P4PASSWD=secret (set)", "x == y", "https://a.b/?c=d", "a b.c=1 (default)", "=1 (default)"]
        {
            assert_eq!(setting(line, false), None, "{line}");
        }
        assert!(is_secret("P4PASSWD=secret (set)") && is_secret("export P4PASSWD=\"secret\""));
        assert!(is_secret("any: P4TICKETS = /p4/.p4tickets") && !is_secret("P4PASSWD is secret"));
    }

    #[test]
    fn diskspace_of_both_forms() {
        let text =
            location("P4ROOT (type ext4 mounted on /hxmetadata) : 100.3G free, 273.2G used, 393.5G total (73% full)");
        let text = text.unwrap_or_else(|| panic!("it is one"));
        assert_eq!((text.name.as_str(), text.space.target.as_str()), ("P4ROOT", "/hxmetadata"));
        assert_eq!(text.space.used_bytes, 273.2 * 1024_f64.powi(3));
        assert_eq!(
            location("P4ROOT (type ext4) : 31.9G free, 4G used, 36G total (11% full)").map(|l| l.space.target),
            Some(String::new())
        );
        assert!(location("P4ROOT (type ext4) : nothing").is_none());
    }

    #[test]
    fn monitor_lines_with_and_without_the_program() {
        let plain = running(" 2303 B svc_master 270:49:23 ldapsync -g -i 1800").unwrap_or_else(|| panic!("it is one"));
        assert_eq!((plain.status, plain.seconds, plain.command.as_str()), ('B', 974_963, "ldapsync"));
        let long = running("1234 p4/v92 10.0.0.1 R ann 00:00:07 sync //...").unwrap_or_else(|| panic!("it is one"));
        assert_eq!((long.status, long.seconds), ('R', 7));
        assert!(running("1234 5678 files").is_none());
        assert!(running("12:00:01 up 3 days").is_none());
    }

    #[test]
    fn the_rest_of_p4() {
        assert_eq!(
            transfers("File transfers: 3 active/169 total, bytes: 10 active/460828016 total."),
            Some((169.0, 460_828_016.0))
        );
        assert_eq!(
            journal("Current replica journal state is:\tJournal 12,\tSequence 345."),
            Some(("replica".to_owned(), 12.0, 345.0))
        );
        let found = sizes("//depot/a b/... 1234 files 567890 bytes").unwrap_or_else(|| panic!("it is one"));
        assert_eq!((found.path.as_str(), found.files, found.bytes), ("//depot/a b/...", 1234.0, 567_890.0));
        assert!(sizes("//... 12 files 34 blocks").is_none());
        assert!(sizes("we have 12 files 34 bytes").is_none());
        assert_eq!(counter("change = 1234", false), Some(("change".to_owned(), "1234".to_owned())));
        assert_eq!(counter("swarm-x = y", false), None);
        assert_eq!(
            depot("Depot main 2013/01/01 stream 1 /hx/main/... 'Created by x. '").map(|d| d.map),
            Some("/hx/main".to_owned())
        );
        assert_eq!(user_count("User Count: 183"), Some(183.0));
    }
}
