//! Counters of a log, declared once: what each is called in JSON Lines, in log2sql's tables and in structured logs, and how
//! the parts of one command are added up. All of these follow from one row beside the field, in [`super::used`].

use super::section_lines::SectionLines;

/// What a counter counts, where forms of the records write it in other units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// The same number everywhere.
    Count,
    /// Bytes of which log2sql's tables have whole MiB; those that they have as they are count as any number.
    Bytes,
    /// Milliseconds; seconds in JSON Lines.
    Milliseconds,
    /// Blocks of 512 B; bytes in JSON Lines.
    Blocks,
    /// KiB; bytes in JSON Lines.
    Kib,
}

/// What is said of a counter beside its value.
#[derive(Debug)]
pub(super) struct Counter {
    /// What it counts.
    pub(super) unit: Unit,
    /// Its key in JSON Lines, or the keys of an object and in it; empty if it is not there.
    pub(super) json: &'static [&'static str],
    /// Its column in log2sql's tables, without the prefix that tells kinds of archives apart.
    pub(super) sql: Option<&'static str>,
    /// Its column in structured logs.
    pub(super) csv: Option<&'static str>,
    /// The line of a table's section that states it; no line of a counter that needs none.
    pub(super) line: SectionLines,
}

/// A struct whose counters are declared by [`counters!`].
pub(super) trait Counted: Default {
    /// Its counters, in the order of log2sql's columns.
    const COUNTERS: &'static [Counter];

    /// Each counter with its value.
    fn counters(&self) -> impl Iterator<Item = (&'static Counter, u64)>;

    /// Sets each counter.
    fn set_counters(&mut self, value: impl FnMut(&'static Counter) -> u64);

    /// Adds those of another part of the same command.
    fn add_counters(&mut self, other: &Self);
}

/// Declares the counters of a struct, a row each:
///
/// ```text
/// field:   how parts are added up   unit   JSON Lines   log2sql   structured logs   in LINE;
/// ```
///
/// `_` says that a form has no such counter; `[..]` are several names. A field of a field is written with its dot.
macro_rules! counters {
    ($counted:ident { $(
        $($field:ident).+: $add_up:ident $unit:ident $json:tt $sql:tt $csv:tt $(in $line:ident)?;
    )* }) => {
        impl $crate::serverlog::counters::Counted for $counted {
            const COUNTERS: &'static [$crate::serverlog::counters::Counter] = &[
                $($crate::serverlog::counters::Counter {
                    unit: $crate::serverlog::counters::Unit::$unit,
                    json: $crate::serverlog::counters::names!($json),
                    sql: $crate::serverlog::counters::names!($sql).first().copied(),
                    csv: $crate::serverlog::counters::names!($csv).first().copied(),
                    line: $crate::serverlog::counters::line!($($line)?),
                },)*
            ];

            fn counters(
                &self,
            ) -> impl Iterator<Item = (&'static $crate::serverlog::counters::Counter, u64)> {
                Self::COUNTERS.iter().zip([$(self.$($field).+),*])
            }

            fn set_counters(
                &mut self,
                value: impl FnMut(&'static $crate::serverlog::counters::Counter) -> u64,
            ) {
                let mut values = Self::COUNTERS.iter().map(value);
                $(self.$($field).+ = values.next().unwrap_or_default();)*
            }

            #[inline]
            fn add_counters(&mut self, other: &Self) {
                $(
                    let sum = &mut self.$($field).+;
                    *sum = $crate::serverlog::counters::$add_up(*sum, other.$($field).+);
                )*
            }
        }
    };
}

/// The names in a row of [`counters!`].
macro_rules! names {
    (_) => {
        &[]
    };
    ($name:literal) => {
        &[$name]
    };
    ([$($name:literal),+]) => {
        &[$($name),+]
    };
}

/// The line in a row of [`counters!`].
macro_rules! line {
    () => {
        $crate::serverlog::section_lines::SectionLines::NONE
    };
    ($line:ident) => {
        $crate::serverlog::section_lines::SectionLines::$line
    };
}

pub(super) use {counters, line, names};

/// Adds what is counted.
#[inline]
pub(super) fn sum(one: u64, other: u64) -> u64 {
    one.saturating_add(other)
}

/// Keeps the largest: high water marks, and what lies there in the end.
#[inline]
pub(super) fn largest(one: u64, other: u64) -> u64 {
    one.max(other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Counted;
    use crate::serverlog::record::{ArchiveUse, Estimate, FileTotals, ProxyTotals, Rpc, TableUse, Usage};

    /// Sets every counter to a value of its own; what a row was forgotten for stays 0.
    fn filled<C: Counted + std::fmt::Debug>() -> (C, String) {
        let mut counted = C::default();
        let mut value = 0;
        counted.set_counters(|_| {
            value += 1;
            value
        });
        let values = counted.counters().map(|(_, value)| value);
        assert!(values.eq(1..=C::COUNTERS.len() as u64));
        let text = format!("{counted:?}");
        (counted, text)
    }

    #[test]
    fn every_number_of_a_record_has_a_row() {
        for text in [
            filled::<Usage>().1,
            filled::<FileTotals>().1,
            filled::<Estimate>().1,
            filled::<ProxyTotals>().1,
            filled::<ArchiveUse>().1,
            filled::<TableUse>().1.replace("SectionLines(0)", ""),
            filled::<Rpc>().1,
        ] {
            assert!(!text.contains(": 0,") && !text.contains(": 0 "), "{text}");
        }
    }

    #[test]
    fn no_two_counters_of_a_struct_share_a_name() {
        fn names<C: Counted>() {
            let counters = || C::COUNTERS.iter();
            for names in [
                counters().map(|c| c.json.join(".")).filter(|n| !n.is_empty()).collect::<Vec<_>>(),
                counters().filter_map(|c| c.sql).map(str::to_owned).collect(),
                counters().filter_map(|c| c.csv).map(str::to_owned).collect(),
            ] {
                assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
            }
        }
        names::<Usage>();
        names::<FileTotals>();
        names::<Estimate>();
        names::<ProxyTotals>();
        names::<ArchiveUse>();
        names::<TableUse>();
        names::<Rpc>();
    }

    #[test]
    fn parts_of_one_command_are_added_up() {
        let (mut table, _) = filled::<TableUse>();
        let other = table.clone();
        table.add_counters(&other);
        assert_eq!((table.pages_in, table.pages_cached), (2, other.pages_cached));
        assert_eq!(table.total.read_wait_ms, 2 * other.total.read_wait_ms);
        assert_eq!(table.longest, other.longest);
    }
}
