//! Outputs with a header: `df`, plain `lsblk`, `findmnt`, `iostat -x`, `free`.

use std::ops::Range;

use super::amount::{count, number, percent, size};
use super::facts::{Device, Mount, Sampled, Space};

/// Which table the lines below a header belong to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Table {
    /// Bytes of a block, and whether a column has the file system.
    Df {
        unit: f64,
        has_kind: bool,
    },
    /// Files in place of bytes.
    DfInodes {
        has_kind: bool,
    },
    /// Columns by name.
    Lsblk(Vec<(String, Range<usize>)>),
    Findmnt,
    /// Columns by name.
    Iostat(Vec<String>),
    Free,
}

/// The table that a line is the header of.
pub(super) fn header(line: &str) -> Option<Table> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    match *words.first()? {
        "Filesystem" if has("Mounted") => df_header(&words),
        "NAME" if has("SIZE") || has("TYPE") || has("ROTA") => Some(Table::Lsblk(columns(line))),
        "TARGET" if words[1..] == ["SOURCE", "FSTYPE", "OPTIONS"] => Some(Table::Findmnt),
        "Device" | "Device:" if has("%util") => {
            let names = words.iter().map(|word| word.trim_end_matches(':').to_owned());
            Some(Table::Iostat(names.collect()))
        }
        "total"
            if has("used")
                && has("free")
                && (has("shared") || has("buffers") || has("cached") || has("buff/cache")) =>
        {
            Some(Table::Free)
        }
        _ => None,
    }
}

fn df_header(words: &[&str]) -> Option<Table> {
    let has = |word: &str| words.contains(&word);
    let has_kind = has("Type");
    if has("Inodes") {
        return Some(Table::DfInodes { has_kind });
    }
    let blocks = words.iter().find_map(|word| word.strip_suffix("-blocks"));
    let unit = match blocks {
        Some(blocks) => size(blocks, 1.0)?,
        None if has("kbytes") => 1024.0,
        // Sizes with their own prefixes.
        None if has("Size") || has("size") => 1.0,
        None => return None,
    };
    Some(Table::Df { unit, has_kind })
}

/// A row of `df`.
#[derive(Debug, PartialEq)]
pub(super) struct DfRow {
    pub(super) space: Space,
    /// Of `df -i` the share of files that are used.
    pub(super) fraction: f64,
}

/// A row of `df`: the source, its file system, three amounts, a share, and where it is mounted.
pub(super) fn df_row(line: &str, unit: f64, has_kind: bool) -> Option<DfRow> {
    let words: Vec<(usize, &str)> = words(line);
    let first = if has_kind { 5 } else { 4 };
    let is_share = |text: &str| text == "-" || percent(text).is_some();
    let at = (first..words.len()).find(|at| {
        let amounts = &words[at - 3..*at];
        is_share(words[*at].1) && amounts.iter().all(|(_, word)| *word == "-" || size(word, 1.0).is_some())
    })?;
    let (from, _) = words.get(at + 1)?;
    let target = line[*from..].to_owned();
    let is_path = target.starts_with('/') || target.get(1..3) == Some(":\\") || target.get(1..) == Some(":");
    if !is_path {
        return None;
    }
    let total_bytes = size(words[at - 3].1, unit).unwrap_or(0.0);
    let used_bytes = size(words[at - 2].1, unit).unwrap_or(0.0);
    let kind = has_kind.then(|| words[at - 4].1.to_owned());
    let end = if has_kind { at - 4 } else { at - 3 };
    let source = line[words[0].0..words[end].0].trim_end().to_owned();
    Some(DfRow {
        fraction: percent(words[at].1).unwrap_or(0.0) / 100.0,
        space: Space { source, kind, target, total_bytes, used_bytes, asked: None },
    })
}

/// Words and where they begin.
fn words(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut rest = line;
    let mut at = 0;
    loop {
        let skipped = rest.len() - rest.trim_start().len();
        at += skipped;
        rest = &rest[skipped..];
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        found.push((at, &rest[..end]));
        at += end;
        rest = &rest[end..];
    }
}

/// The columns of a header with their places, counted in characters.
fn columns(line: &str) -> Vec<(String, Range<usize>)> {
    let found = words(line).into_iter().map(|(at, word)| {
        let from = line[..at].chars().count();
        (word.to_owned(), from..from + word.chars().count())
    });
    found.collect()
}

/// What draws the tree of `lsblk` and `findmnt`.
fn is_branch(c: char) -> bool {
    matches!(c, '├' | '└' | '│' | '─' | '|' | '`' | '-' | ' ' | '\u{fffd}')
}

/// A row of plain `lsblk`: the device and how deep it lies in the tree.
pub(super) fn lsblk_row(line: &str, columns: &[(String, Range<usize>)]) -> Option<(usize, Device)> {
    let name_at = line.find(|c: char| !is_branch(c))?;
    let depth = line[..name_at].chars().count().div_ceil(2);
    let mut device = Device::default();
    for (i, (at, word)) in words(line).into_iter().enumerate() {
        let word = if i == 0 || at < name_at { word.trim_start_matches(is_branch) } else { word };
        if word.is_empty() {
            continue;
        }
        let from = line[..at].chars().count();
        let span = from..from + word.chars().count();
        let column = if device.name.is_empty() { "NAME" } else { nearest(&span, columns)? };
        put(&mut device, column, word);
    }
    let is_whole = !device.name.is_empty() && (!device.kind.is_empty() || device.size_bytes.is_some());
    is_whole.then_some((depth, device))
}

/// The column over a word: the one that it overlaps, else the nearest.
fn nearest<'c>(span: &Range<usize>, columns: &'c [(String, Range<usize>)]) -> Option<&'c str> {
    let distance = |column: &Range<usize>| {
        let gap = column.start.saturating_sub(span.end).max(span.start.saturating_sub(column.end));
        let overlap = column.end.min(span.end).saturating_sub(column.start.max(span.start));
        (gap, usize::MAX - overlap)
    };
    let rest = columns.iter().skip(1);
    let best = rest.min_by_key(|(_, column)| distance(column));
    best.map(|(name, _)| name.as_str())
}

/// Puts a value of a column of `lsblk` into a device.
pub(super) fn put(device: &mut Device, column: &str, value: &str) {
    let set = |text: &mut String| {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(value);
    };
    match column.to_ascii_uppercase().as_str() {
        "NAME" => value.trim_start_matches("/dev/").clone_into(&mut device.name),
        "TYPE" => value.clone_into(&mut device.kind),
        "SIZE" => {
            device.is_exact = count(value).is_some();
            device.size_bytes = size(value, 1.0);
        }
        "ROTA" => {
            device.rotates = match value {
                "1" | "true" => Some(true),
                "0" | "false" => Some(false),
                _ => None,
            }
        }
        "TRAN" => value.clone_into(&mut device.transport),
        "MODEL" => set(&mut device.model),
        "MOUNTPOINT" | "MOUNTPOINTS" if value.starts_with('/') || value.get(1..2) == Some(":") => {
            device.targets.push(value.to_owned());
        }
        _ => {}
    }
}

/// A row of `findmnt`.
pub(super) fn findmnt_row(line: &str) -> Option<Mount> {
    let line = line.trim_start_matches(is_branch);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [target, source, kind, options] = words[..] else {
        return None;
    };
    // "/dev/sda1[/sub]" is a folder of it.
    let source = source.split('[').next().unwrap_or(source);
    target.starts_with('/').then(|| Mount {
        source: source.to_owned(),
        target: target.to_owned(),
        kind: kind.to_owned(),
        options: options.to_owned(),
    })
}

/// A row of `iostat -x`.
pub(super) fn iostat_row(line: &str, columns: &[String]) -> Option<Sampled> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() != columns.len() {
        return None;
    }
    let of = |name: &str| {
        let at = columns.iter().position(|column| column == name)?;
        number(words[at])
    };
    Some(Sampled { device: words[0].to_owned(), busy_fraction: of("%util")? / 100.0 })
}

/// The memory in a row of `free`: bytes where the unit is known (`unit`, or a prefix), else the number alone.
pub(super) fn free_row(line: &str, unit: Option<f64>) -> Option<Result<f64, f64>> {
    // No server has 128 TiB: so many are KiB.
    const IMPOSSIBLE_MIB: f64 = 128.0 * 1024.0 * 1024.0;
    let rest = line.trim_start().strip_prefix("Mem:")?;
    let total = rest.split_whitespace().next()?;
    match (number(total), unit) {
        (None, _) => size(total, 1.0).map(Ok),
        (Some(number), Some(unit)) => Some(Ok(number * unit)),
        (Some(number), None) if number >= IMPOSSIBLE_MIB => Some(Ok(number * 1024.0)),
        (Some(number), None) => Some(Err(number)),
    }
}

/// Whether a line is another of `free`.
pub(super) fn is_free(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("Swap:") || line.starts_with("-/+ buffers") || line.starts_with("Total:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_df_have_sources_with_spaces_and_targets_too() {
        let row = df_row("//nas/p4 depots cifs  1000 400 600  40% /hx depots", 1024.0, true)
            .unwrap_or_else(|| panic!("it is one"));
        assert_eq!((row.space.source.as_str(), row.space.target.as_str()), ("//nas/p4 depots", "/hx depots"));
        assert_eq!(row.space.used_bytes, 400.0 * 1024.0);
        let row = df_row("/dev/sda1        36G  4.0G   32G  12% /", 1.0, false).unwrap_or_else(|| panic!("it is one"));
        assert_eq!((row.space.kind, row.fraction), (None, 0.12));
        assert!(df_row("/dev/sda1 is full: 12%", 1.0, false).is_none());
    }

    #[test]
    fn headers_are_recognised() {
        assert_eq!(
            header("Filesystem     Type 1024-blocks Used Available Capacity Mounted on"),
            Some(Table::Df { unit: 1024.0, has_kind: true })
        );
        assert_eq!(
            header("Filesystem      Size  Used Avail Use% Mounted on"),
            Some(Table::Df { unit: 1.0, has_kind: false })
        );
        assert_eq!(header("Filesystem Inodes IUsed IFree IUse% Mounted on"), Some(Table::DfInodes { has_kind: false }));
        assert_eq!(
            header("              total        used        free      shared  buff/cache   available"),
            Some(Table::Free)
        );
        assert_eq!(header("NAME of the thing"), None);
    }

    #[test]
    fn plain_lsblk_is_read_by_its_columns() {
        let head = "NAME        MAJ:MIN RM   SIZE RO TYPE   MOUNTPOINT";
        let Some(Table::Lsblk(columns)) = header(head) else {
            panic!("it is one");
        };
        let row = |line: &str| lsblk_row(line, &columns).unwrap_or_else(|| panic!("{line}"));
        let (depth, device) = row("nvme0n1     259:0    0   3.5T  0 disk   ");
        assert_eq!((depth, device.name.as_str(), device.kind.as_str()), (0, "nvme0n1", "disk"));
        assert_eq!(device.size_bytes, Some(3.5 * 1024_f64.powi(4)));
        let (depth, device) = row("└─md0         9:0    0     7T  0 raid10 /hxmetadata");
        assert_eq!((depth, device.targets[0].as_str(), device.kind.as_str()), (1, "/hxmetadata", "raid10"));
        let (depth, _) = row("  └─vg-root 253:0    0    50G  0 lvm    /");
        assert_eq!(depth, 2);
        let Some(Table::Lsblk(columns)) = header("NAME ROTA TRAN   SIZE TYPE MODEL") else {
            panic!("it is one");
        };
        let (_, device) =
            lsblk_row("sda     1 sas  837.8G disk DELL PERC H730", &columns).unwrap_or_else(|| panic!("it is one"));
        assert_eq!((device.rotates, device.model.as_str()), (Some(true), "DELL PERC H730"));
    }

    #[test]
    fn memory_without_unit_is_not_guessed() {
        assert_eq!(free_row("Mem:  263842816 1 2 3 4 5", None), Some(Ok(263_842_816.0 * 1024.0)));
        assert_eq!(free_row("Mem:  257659 1 2 3 4 5", None), Some(Err(257_659.0)));
        assert_eq!(free_row("Mem:  251Gi 1 2 3 4 5", None), Some(Ok(251.0 * 1024_f64.powi(3))));
        assert_eq!(free_row("Mem:  257659 1 2 3 4 5", Some(1_048_576.0)), Some(Ok(257_659.0 * 1_048_576.0)));
    }

    #[test]
    fn rows_of_iostat_are_read_by_their_columns() {
        let Some(Table::Iostat(columns)) = header("Device            r/s     w/s     rkB/s   %util") else {
            panic!("it is one");
        };
        let row = iostat_row("nvme0n1          10.00   20,50     1.00   73.00", &columns)
            .unwrap_or_else(|| panic!("it is one"));
        assert_eq!((row.device.as_str(), row.busy_fraction), ("nvme0n1", 0.73));
        assert_eq!(iostat_row("nvme0n1 10.00 73.00", &columns), None);
    }
}
