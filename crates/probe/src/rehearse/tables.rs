//! The tables: ordered rows in pages of 8 KiB, read and written through the page cache; cold pages past it.
//!
//! A page holds so many rows in the order of their keys, half full as those of db.\* are. Keys are dense, so that the index of a
//! table, which p4d's upper levels are and which stay in memory, is a division.

use std::fs::File;
use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bench::ground::{Block, Data, KEY, Named, ROW, Room, read_at, stopped, write_at};

/// A page \[B\].
pub(super) const PAGE: usize = 8192;
/// Pages that are written at once when a table is made.
const STRIDE: usize = 128;

/// All tables of a rehearsal.
#[derive(Debug)]
pub(super) struct Tables {
    room: Room,
    files: Vec<File>,
    /// Pages of each.
    pages: u64,
    rows_in_page: usize,
    /// Pages that memory does not have, and how many they are.
    cold: Option<(File, u64)>,
}

fn key(number: u64) -> [u8; KEY] {
    let mut key = *b"//depot/main/source/module/component/part/file.........\0";
    key[KEY - 9..KEY - 1].copy_from_slice(&number.to_be_bytes());
    key
}

fn fill_page(page: &mut [u8], first: u64, rows: usize) {
    for (place, row) in page.chunks_exact_mut(ROW).take(rows).enumerate() {
        row[..KEY].copy_from_slice(&key(first + place as u64));
    }
}

impl Tables {
    /// Lays out `count` tables of `hot` bytes together, and the cold pages.
    pub(super) fn create(
        room: &Room,
        count: usize,
        (hot, cold): (u64, u64),
        rows_per_page: f64,
        stop: &AtomicBool,
    ) -> io::Result<Self> {
        /// The fewest pages of a table: less would be one page that all write.
        const LEAST: u64 = 64;
        let pages = (hot / PAGE as u64 / count.max(1) as u64).max(LEAST);
        let rows_in_page = (rows_per_page.round() as usize).clamp(1, PAGE / ROW);
        let mut data = Data::fresh();
        let mut files = Vec::with_capacity(count);
        let mut stride = vec![0; STRIDE * PAGE];
        for table in 0..count {
            let file = room.create(Named::Table, table)?;
            let mut page = 0;
            while page < pages {
                if stop.load(Ordering::Relaxed) {
                    return Err(stopped());
                }
                let now = (pages - page).min(STRIDE as u64) as usize;
                let bytes = &mut stride[..now * PAGE];
                data.fill(bytes);
                for (n, one) in bytes.chunks_exact_mut(PAGE).enumerate() {
                    let first = (page + n as u64) * rows_in_page as u64;
                    fill_page(one, first, rows_in_page);
                }
                write_at(&file, bytes, page * PAGE as u64)?;
                page += now as u64;
            }
            file.sync_all()?;
            files.push(file);
        }
        let cold = if cold > 0 {
            let cached = room.lay_out((Named::Blocks, 0), cold, stop)?;
            let length = cached.metadata()?.len() / PAGE as u64;
            let past = room.open_direct(Named::Blocks, 0);
            Some((past.unwrap_or(cached), length))
        } else {
            None
        };
        Ok(Self { room: room.clone(), files, pages, rows_in_page, cold })
    }

    /// Opens and closes a table's file.
    pub(super) fn reopen(&self, table: usize) -> io::Result<()> {
        drop(self.room.open(Named::Table, table)?);
        Ok(())
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// Reads a hot page; gives its number and its rows.
    fn hot_page<'b>(
        &self,
        table: usize,
        (data, block): (&mut Data, &'b mut Block),
    ) -> io::Result<(u64, &'b [[u8; ROW]])> {
        let page = data.below(self.pages);
        read_at(&self.files[table], block.bytes_mut(), page * PAGE as u64)?;
        let (rows, _) = block.bytes()[..self.rows_in_page * ROW].as_chunks();
        Ok((page, rows))
    }

    /// Reads a hot page and finds so many of its rows.
    pub(super) fn read(&self, table: usize, rows: usize, (data, block): (&mut Data, &mut Block)) -> io::Result<()> {
        let (page, sorted) = self.hot_page(table, (&mut *data, block))?;
        for _ in 0..rows {
            let wanted = page * self.rows_in_page as u64 + data.below(self.rows_in_page as u64);
            let wanted = key(wanted);
            let place = sorted.binary_search_by(|row| row[..KEY].cmp(&wanted[..]));
            let row = place.ok().map(|place| sorted[place]);
            if black_box(row).is_none() {
                return Err(io::Error::other("a row is not where its index says"));
            }
        }
        Ok(())
    }

    /// Reads a hot page and every row of it.
    pub(super) fn scan(&self, table: usize, into: (&mut Data, &mut Block)) -> io::Result<()> {
        let (_, rows) = self.hot_page(table, into)?;
        let least = rows.iter().map(|row| row[ROW - 1]).min();
        black_box(least);
        Ok(())
    }

    /// Reads a page that memory does not have.
    pub(super) fn read_cold(&self, data: &mut Data, block: &mut Block) -> io::Result<()> {
        match &self.cold {
            Some((file, pages)) => {
                let page = data.below(*pages);
                read_at(file, block.bytes_mut(), page * PAGE as u64)
            }
            None => Ok(()),
        }
    }

    /// Puts so many rows into a hot page.
    pub(super) fn write(&self, table: usize, rows: usize, (data, block): (&mut Data, &mut Block)) -> io::Result<()> {
        let page = data.below(self.pages);
        let at = page * PAGE as u64;
        read_at(&self.files[table], block.bytes_mut(), at)?;
        let bytes = block.bytes_mut();
        let first = page * self.rows_in_page as u64;
        for _ in 0..rows {
            let place = data.below(self.rows_in_page as u64);
            let row = &mut bytes[place as usize * ROW..][..ROW];
            row[..KEY].copy_from_slice(&key(first + place));
            data.fill(&mut row[KEY..]);
        }
        write_at(&self.files[table], block.bytes(), at)
    }

    /// Forces a table out.
    pub(super) fn flush(&self, table: usize) -> io::Result<()> {
        self.files[table].sync_data()
    }
}
