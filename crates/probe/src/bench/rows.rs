//! Rows read by key from a B-tree in memory: what the processor does for a command of p4d.
//!
//! Sorted pages of 8 KiB, half full as those of db.\* are, under one level that holds the first key of each page. A read
//! finds the page, finds the row in it, and copies it. The table is larger than the caches of a core, and keys come in any
//! order, so that memory is waited for as well.

use std::hint::black_box;
use std::io;
use std::sync::Arc;

use super::data::Data;
use super::matrix::PAGE;
use super::round::Work;
use super::stopwatch::{Part, Stopwatch};

/// Rows of an operation: reading the clock takes as long as a part of one row.
pub(crate) const ROWS: usize = 100;
/// Bytes of all pages.
const TABLE: usize = 64 << 20;
/// Bytes of a key: a depot path and a revision.
pub(crate) const KEY: usize = 56;
/// Bytes of a row with its key.
pub(crate) const ROW: usize = 200;
/// Rows in a page: half of it.
const IN_PAGE: usize = PAGE / ROW / 2;
/// Pages.
const PAGES: usize = TABLE / PAGE;

/// A table in memory.
#[derive(Debug)]
pub(super) struct Rows {
    /// First key of each page.
    roots: Vec<[u8; KEY]>,
    /// Pages behind each other.
    pages: Vec<u8>,
}

/// The key of a row, in the order of the numbers; paths have their beginning in common.
fn key(number: usize) -> [u8; KEY] {
    let text = format!("//depot/main/src/module{:04}/file{number:08}.cpp#1", number / 500);
    let mut key = [0; KEY];
    let length = text.len().min(KEY);
    key[..length].copy_from_slice(&text.as_bytes()[..length]);
    key
}

impl Rows {
    pub(super) fn create() -> Self {
        let mut data = Data::new(1);
        let mut pages = vec![0; TABLE];
        let mut roots = Vec::with_capacity(PAGES);
        for (number, page) in pages.chunks_exact_mut(PAGE).enumerate() {
            let first = number * IN_PAGE;
            roots.push(key(first));
            for (place, row) in page.chunks_exact_mut(ROW).take(IN_PAGE).enumerate() {
                data.fill(row);
                row[..KEY].copy_from_slice(&key(first + place));
            }
        }
        Self { roots, pages }
    }

    /// The row with a key.
    fn read(&self, wanted: &[u8; KEY]) -> Option<[u8; ROW]> {
        let page = self.roots.partition_point(|root| root <= wanted).checked_sub(1)?;
        let page = &self.pages[page * PAGE..][..IN_PAGE * ROW];
        let (rows, _) = page.as_chunks::<ROW>();
        let place = rows.binary_search_by(|row| row[..KEY].cmp(&wanted[..]));
        place.ok().map(|place| rows[place])
    }

    /// One thread's work.
    pub(super) fn work(table: &Arc<Self>) -> Box<dyn Work> {
        Box::new(Reader { table: Arc::clone(table), data: Data::fresh(), keys: Vec::with_capacity(ROWS) })
    }
}

struct Reader {
    table: Arc<Rows>,
    data: Data,
    keys: Vec<[u8; KEY]>,
}

impl Work for Reader {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        self.keys.clear();
        for _ in 0..ROWS {
            let number = self.data.below((PAGES * IN_PAGE) as u64);
            self.keys.push(key(number as usize));
        }
        watch.skip();
        for wanted in &self.keys {
            let row = self.table.read(wanted);
            if black_box(row).is_none() {
                return Err(io::Error::other("a row was not found"));
            }
        }
        watch.mark(Part::Read);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_and_no_other() {
        let table = Rows::create();
        for number in [0, 1, 499, 500, 12_345, PAGES * IN_PAGE - 1] {
            let row = table.read(&key(number)).expect("it is there");
            assert_eq!(row[..KEY], key(number));
        }
        assert!(table.read(&key(PAGES * IN_PAGE)).is_none());
        assert!(table.read(&[0; KEY]).is_none());
    }
}
