//! Which column of a structured log is what, by event and version.
//!
//! Known here, and where from:
//! - the columns that all events of commands share: version 0 without, from 50 (2020.1) with `f_cmdident` and `f_serverid`,
//!   from 55 (2022.2) with `f_cmdgroup`, the same at 58 (2024.1); the manual's releases for these fields, and the columns
//!   of error events of versions 0, 50, 55 and 58 that Perforce's own tools print;
//! - columns of usage, network, tables, triggers, estimates and errors at version 50, as an add-on for these logs lists them.
//!
//! Everything else is what the output of `p4 logschema` says.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::columns::Columns;
use super::rows::{MOST_COLUMNS, Row};

/// The latest version whose common columns are known.
const LATEST: u32 = 58;
/// Longest output of `p4 logschema` that is read.
const LONGEST: u64 = 8 << 20;
/// Events of which columns are kept.
const MOST_EVENTS: usize = 1000;

/// What all events of commands begin with.
const COMMON_0: &str = "eventtype timestamp timestamp2 date pid cmdno user client func host prog version args";
const COMMON_50: &str =
    "eventtype timestamp timestamp2 date pid cmdident serverid cmdno user client func host prog version args";
const COMMON_55: &str =
    "eventtype timestamp timestamp2 date pid cmdident serverid cmdno user client func host prog version args cmdgroup";

/// What follows at version 50.
const OF_50: &[(u32, &str)] = &[
    (0, ""),
    (4, "severity subsys subcode text"),
    (5, "severity subsys subcode text"),
    (7, "tracktype timer utime stime ioin ioout netin netout maxrss pagefaults"),
    (
        8,
        "tracktype recvcount sendcount recvbytes sendbytes rpchimarkfwd rpchimarkrev recvtime sendtime senderror recverror duplexfwd duplexrev",
    ),
    (
        9,
        "tracktype dbname pagesin pagesout pagescached reorderintl reorderleaf readlocks writelocks gets positions scans puts deletes invcache splitintl splitleaf totallockwaitread totallockheldread maxlockwaitread maxlockheldread totallockwaitwrite totallockheldwrite maxlockwaitwrite maxlockheldwrite peeklocks totallockwaitpeek totallockheldpeek maxlockwaitpeek maxlockheldpeek",
    ),
    (11, "triggeraction triggerdata triggertype triggerlapse"),
    (14, "filesadded filesupdated filesdeleted bytesadded bytesupdated bytesdeleted"),
];

/// Names of events, by their number.
const NAMES: &[&str] = &[
    "CommandStart",
    "ComputeEnd",
    "CommandEnd",
    "AnyError",
    "Error",
    "FatalError",
    "Audit",
    "PerformanceUsage",
    "NetworkPerformance",
    "DatabasePerformance",
    "Logappend",
    "Trigger",
    "ServerEvent",
    "Obliterate",
    "NetworkEstimates",
    "Integrity",
    "Authentication",
    "NetworkRoute",
    "AuditSize",
    "LDAPSync",
    "Action",
    "RemoteDatabasePerformance",
    "ServerLockPerformance",
    "DatabaseBlockingLocksTaken",
    "LibrarianUsage",
    "ClientStats",
    "CacheStats",
];

/// The name of an event.
pub(super) fn name(event: u32) -> &'static str {
    NAMES.get(event as usize).copied().unwrap_or("an event that is not known")
}

/// What is known of the columns of a row.
#[derive(Debug)]
pub(super) enum RowColumns<'s> {
    /// Which they are.
    Columns(&'s Columns),
    /// The event says nothing that is read.
    Ignored,
    /// Nothing.
    Unknown,
}

/// The name of a column as it is compared: `f_pagesIn`, `f_pages_in` and `pagesin` are the same.
fn plain(name: &str) -> String {
    let name = name.strip_prefix("f_").unwrap_or(name);
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Events that say nothing of what commands cost.
fn is_ignored(event: u32) -> bool {
    matches!(event, 3 | 6 | 10 | 12 | 13 | 15..=20)
}

/// What is known here of an event: `None` if its version is not known.
fn built_in((event, version): (u32, u32)) -> Option<Columns> {
    let common = match version {
        0..50 => COMMON_0,
        50..55 => COMMON_50,
        55..=LATEST => COMMON_55,
        _ => return None,
    };
    if event as usize >= NAMES.len() {
        return None;
    }
    let further = OF_50.iter().find(|(known, _)| *known == event);
    Some(match (event, further) {
        // The time between beginning and end is that of the rows.
        (0..=2, _) => Columns::of(&[common], true),
        (4 | 5, Some((_, further))) => Columns::of(&[common, further], true),
        (_, Some((_, further))) if version == 50 => Columns::of(&[common, further], true),
        _ => Columns::of(&[common], false),
    })
}

/// Columns by event and version.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    defined: BTreeMap<(u32, u32), Columns>,
    /// Those that are known here, once a row had them.
    known: BTreeMap<(u32, u32), Option<Columns>>,
}

impl Schemas {
    /// Reads the output of `p4 logschema`: `... f_recordType 4`, `... f_recordVersion 58`, `... f_field 0`, `... f_name f_eventtype`.
    pub(super) fn define(&mut self, text: &mut dyn Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        text.take(LONGEST).read_to_end(&mut bytes)?;
        let (mut event, mut version, mut column) = (None, 0, None);
        for line in String::from_utf8_lossy(&bytes).lines() {
            let Some((key, value)) = line.trim().strip_prefix("... ").and_then(|line| line.split_once(' ')) else {
                continue;
            };
            let number = || value.trim().parse::<u32>().ok();
            match key {
                "f_recordType" => (event, version, column) = (number(), 0, None),
                "f_recordVersion" => version = number().unwrap_or(0),
                "f_field" => column = number().map(|n| n as usize),
                "f_name" => {
                    if let (Some(event), Some(column)) = (event, column)
                        && column < MOST_COLUMNS
                    {
                        self.name((event, version), column, value.trim());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn name(&mut self, event: (u32, u32), column: usize, name: &str) {
        if self.defined.len() < MOST_EVENTS || self.defined.contains_key(&event) {
            let columns = self.defined.entry(event).or_insert_with(Columns::none);
            columns.name(column, &plain(name));
        }
    }

    /// The columns of a row: as they were defined, else as they are known here.
    pub(super) fn of(&mut self, row: &Row) -> RowColumns<'_> {
        if is_ignored(row.event.0) {
            return RowColumns::Ignored;
        }
        if let Some(defined) = self.defined.get(&row.event) {
            return RowColumns::Columns(defined);
        }
        if !self.known.contains_key(&row.event) && self.known.len() >= MOST_EVENTS {
            return RowColumns::Unknown;
        }
        let known = self.known.entry(row.event);
        let known = known.or_insert_with(|| built_in(row.event)).as_ref();
        known.map_or(RowColumns::Unknown, RowColumns::Columns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::Column;
    use super::super::rows::{NextRow, Rows};
    use super::{RowColumns, Schemas};

    fn field(schemas: &mut Schemas, row: &str, column: Column) -> Option<String> {
        let mut rows = Rows::new(row.as_bytes());
        assert!(matches!(rows.advance(), Ok(NextRow::Row)), "{row}");
        match schemas.of(rows.row()) {
            RowColumns::Columns(columns) => {
                let field = columns.field(rows.row(), column);
                Some(String::from_utf8_lossy(field).into_owned())
            }
            RowColumns::Ignored | RowColumns::Unknown => None,
        }
    }

    #[test]
    fn columns_are_those_of_the_version() {
        let mut schemas = Schemas::default();
        let head = "1420649505,12,2015/01/07 16:51:45,77";
        for (row, user) in [
            (format!("0,{head},1,ann,ws,user-sync"), Some("ann")),
            (format!("2.49,{head},1,ann,ws,user-sync"), Some("ann")),
            (format!("0.50,{head},id,server,1,ann,ws,user-sync"), Some("ann")),
            (format!("9.58,{head},id,server,1,ann,ws,user-sync"), Some("ann")),
            (format!("0.59,{head},id,server,1,ann,ws,user-sync"), None),
        ] {
            assert_eq!(field(&mut schemas, &row, Column::User).as_deref(), user, "{row}");
        }
    }

    #[test]
    fn the_output_of_logschema_defines_columns() {
        let mut schemas = Schemas::default();
        let names = ["f_eventtype", "f_timestamp", "f_timestamp2", "f_date", "f_db_name", "f_user"];
        let fields = names.iter().enumerate().map(|(at, name)| {
            format!("... f_recordType 9\r\n... f_recordVersion 59\r\n... f_recordName DatabasePerformance\r\n... f_field {at}\r\n... f_name {name}\r\n\r\n")
        });
        let text = fields.collect::<Vec<_>>().concat();
        schemas.define(&mut text.as_bytes()).expect("a slice is read without errors");
        let row = "9.59,1420649505,12,2024-01-07T16:51:45Z,db.have,ann";
        assert_eq!(field(&mut schemas, row, Column::Table).as_deref(), Some("db.have"));
        assert_eq!(field(&mut schemas, row, Column::User).as_deref(), Some("ann"));
        assert_eq!(field(&mut schemas, row, Column::Timer).as_deref(), Some(""));
    }
}
