//! Columns of structured logs that are read: what `p4 logschema` calls them, and where they stand in a row. Those of
//! counters are named beside the counters.

use super::super::counters::Counted;
use super::super::record::{Estimate, Rpc, TableUse, Usage};
use super::rows::Row;

/// Defines [`Column`] and the names of its columns.
macro_rules! columns {
    ($($column:ident $name:literal)*) => {
        /// A column that is read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Column {
            $($column),*
        }

        /// Columns by their names: in small letters without `f_` and underscores.
        const COLUMNS: &[(Column, &str)] = &[$((Column::$column, $name)),*];
    };
}

columns! {
    Date "date"
    Pid "pid"
    Ident "cmdident"
    Number "cmdno"
    User "user"
    Client "client"
    Function "func"
    Host "host"
    Program "prog"
    Version "version"
    Arguments "args"
    Lapse "lapse"
    Severity "severity"
    Text "text"
    Timer "timer"
    ReceiveTime "recvtime"
    SendTime "sendtime"
    Table "dbname"
    TriggerName "triggerdata"
    TriggerLapse "triggerlapse"
}

/// Where the columns of counters are, in the order in which the counters name them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CounterColumns(Vec<(&'static str, Option<u8>)>);

impl CounterColumns {
    fn of<C: Counted>() -> Self {
        let names = C::COUNTERS.iter().filter_map(|counter| counter.csv);
        Self(names.map(|name| (name, None)).collect())
    }

    fn name(&mut self, at: u8, name: &str) {
        if let Some((_, place)) = self.0.iter_mut().find(|(known, _)| *known == name) {
            *place = Some(at);
        }
    }

    /// The fields of a row in that order; empty where the event has no such column.
    pub(super) fn fields<'r>(&self, row: &'r Row) -> impl Iterator<Item = &'r [u8]> {
        let places = self.0.iter();
        places.map(|(_, at)| at.map_or(&[][..], |at| row.field(usize::from(at))))
    }
}

/// Where the columns of an event are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columns {
    at: [Option<u8>; COLUMNS.len()],
    pub(super) usage: CounterColumns,
    pub(super) rpc: CounterColumns,
    pub(super) table: CounterColumns,
    pub(super) estimate: CounterColumns,
    /// Whether these are all columns, and not only those that all events share.
    pub(super) are_all_known: bool,
    /// How many the event has at least.
    pub(super) count: usize,
}

impl Columns {
    pub(super) fn none() -> Self {
        Self {
            at: [None; COLUMNS.len()],
            usage: CounterColumns::of::<Usage>(),
            rpc: CounterColumns::of::<Rpc>(),
            table: CounterColumns::of::<TableUse>(),
            estimate: CounterColumns::of::<Estimate>(),
            are_all_known: true,
            count: 0,
        }
    }

    pub(super) fn of(names: &[&str], are_all_known: bool) -> Self {
        let mut columns = Self::none();
        let names = names.iter().flat_map(|names| names.split_ascii_whitespace());
        for (at, name) in names.enumerate() {
            columns.name(at, name);
        }
        columns.are_all_known = are_all_known;
        columns
    }

    pub(super) fn name(&mut self, at: usize, name: &str) {
        self.count = self.count.max(at + 1);
        let Ok(at) = u8::try_from(at) else {
            return;
        };
        if let Some((column, _)) = COLUMNS.iter().find(|(_, known)| *known == name) {
            self.at[*column as usize] = Some(at);
        }
        self.usage.name(at, name);
        self.rpc.name(at, name);
        self.table.name(at, name);
        self.estimate.name(at, name);
    }

    /// A field of a row; empty if the event has no such column.
    pub(super) fn field<'r>(&self, row: &'r Row, column: Column) -> &'r [u8] {
        self.at[column as usize].map_or(&[], |at| row.field(usize::from(at)))
    }
}
