//! Whether a folder is, or lies in, the P4ROOT of a server: by the names in it, in whatever case.

use std::path::Path;

use crate::diag::harmless_line;
use crate::files::Folder;

/// The tables of p4d, by what stands behind `db.`. Assumed: collected from memory of the schema of releases since 2005, and not
/// checked against one; a name too many or too few only moves when a folder is refused.
const TABLES: &[&str] = &[
    "archive",
    "archmap",
    "bodresolve",
    "bodresolvex",
    "bodtext",
    "bodtextcx",
    "bodtexthx",
    "bodtextsx",
    "bodtextwx",
    "change",
    "changeidx",
    "changex",
    "ckphist",
    "config",
    "configh",
    "counters",
    "depot",
    "desc",
    "domain",
    "domainx",
    "excl",
    "exclg",
    "exclgx",
    "fix",
    "fixrev",
    "graphindex",
    "graphperm",
    "group",
    "groupx",
    "have",
    "have.pt",
    "have.rp",
    "haveg",
    "haveview",
    "integ",
    "integed",
    "integedss",
    "integtx",
    "ixdate",
    "ixtext",
    "jnlack",
    "job",
    "jobdesc",
    "jobpend",
    "label",
    "ldap",
    "locks",
    "locksg",
    "logger",
    "message",
    "monitor",
    "nameval",
    "object",
    "object.rp",
    "peeking",
    "property",
    "protect",
    "pubkey",
    "ref",
    "refcntadjust",
    "refhist",
    "remote",
    "repo",
    "resolve",
    "resolveg",
    "resolvex",
    "rev",
    "revbx",
    "revcx",
    "revdx",
    "revfs",
    "revhx",
    "revpx",
    "revsh",
    "revstg",
    "revsx",
    "revtr",
    "revtx",
    "revux",
    "review",
    "rmtview",
    "scanctl",
    "scandir",
    "sendq",
    "sendq.pt",
    "server",
    "stash",
    "storage",
    "storageg",
    "storagesh",
    "storagesup0",
    "storagesx",
    "storageup0",
    "storageup1",
    "stream",
    "streamq",
    "streamrelation",
    "streamview",
    "streamviewx",
    "submodule",
    "svrview",
    "template",
    "templatesx",
    "templatewx",
    "ticket",
    "ticket.rp",
    "topology",
    "traits",
    "trigger",
    "upgrades",
    "upgrades.rp",
    "user",
    "user.rp",
    "uxtext",
    "view",
    "view.rp",
    "working",
    "workingg",
    "workingx",
];
/// Files and folders that p4d alone makes.
const ALONE: [&str; 2] = ["server.id", "server.locks"];
/// A file that p4d makes beside its tables, and others elsewhere.
const BESIDE: &str = "journal";

/// Most names that are shown.
const SHOWN: usize = 3;

/// What makes a folder look like a live P4ROOT, in words such as "db.rev and db.have"; none if nothing does.
///
/// Two tables do, or one with a journal beside it, or what p4d alone makes.
pub(super) fn signs(folder: &Folder) -> Option<String> {
    match folder.names() {
        Ok(names) => {
            let mut names: Vec<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            names.sort();
            signs_among(&names)
        }
        Err(_) => signs_by_name(|name| matches!(folder.look(name), Ok(Some(_)))),
    }
}

/// The same of a folder by its path.
pub(super) fn signs_at(path: &Path) -> Option<String> {
    match Folder::open(path) {
        Ok(folder) => signs(&folder),
        Err(_) => signs_by_name(|name| path.join(name).symlink_metadata().is_ok()),
    }
}

/// The same of a folder that may be entered and not listed: the usual names can be asked for.
fn signs_by_name(is_there: impl Fn(&str) -> bool) -> Option<String> {
    let tables = TABLES.iter().map(|table| format!("db.{table}"));
    let others = ALONE.iter().chain([&BESIDE]).map(|name| (*name).to_owned());
    let found = tables.chain(others).filter(|name| is_there(name));
    signs_among(&found.collect::<Vec<_>>())
}

/// The same of names.
fn signs_among(names: &[String]) -> Option<String> {
    let (mut alone, mut tables, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let lower = name.to_lowercase();
        let table = lower.strip_prefix("db.");
        if ALONE.contains(&lower.as_str()) {
            alone.push(harmless_line(name));
        } else if table.is_some_and(|table| TABLES.contains(&table)) {
            tables.push(harmless_line(name));
        } else if lower == BESIDE {
            beside.push(harmless_line(name));
        }
    }
    let is_root = !alone.is_empty() || tables.len() + beside.len().min(1) >= 2 && !tables.is_empty();
    is_root.then(|| {
        let found = [alone, tables, beside].concat();
        match found.as_slice() {
            [one] => one.clone(),
            [first @ .., last] if found.len() <= SHOWN => {
                format!("{} and {last}", first.join(", "))
            }
            more => format!("{} and {} more", more[..SHOWN].join(", "), more.len() - SHOWN),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Option<String> {
        signs_among(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_root_is_known_by_any_two_tables_in_any_case() {
        for a in TABLES {
            for b in ["db.rev", "DB.HAVE"] {
                let a = format!("Db.{a}");
                if !a.eq_ignore_ascii_case(b) {
                    assert_eq!(found(&[&a, b]), Some(format!("{a} and {b}")));
                }
            }
        }
        assert_eq!(found(&["Server.ID"]), Some("Server.ID".to_owned()));
        assert_eq!(found(&["server.locks", "x"]), Some("server.locks".to_owned()));
        assert_eq!(found(&["db.have", "Journal"]), Some("db.have and Journal".to_owned()));
        assert_eq!(
            found(&["db.config", "db.have", "db.rev", "db.user", "journal"]),
            Some("db.config, db.have, db.rev and 2 more".to_owned())
        );
    }

    #[test]
    fn what_others_have_is_no_root() {
        for names in [
            &["db.rev"][..],
            &["journal"],
            &["db.sqlite3", "db.json", "journal"],
            &["db", "server", "server.id.txt", "xdb.rev", "db.have.bak"],
            &[],
        ] {
            assert_eq!(found(names), None, "{names:?}");
        }
    }
}
