//! What a replay asks of disks, counted in a real B-tree: `SQLite` with a cache of so many pages.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use plimsoll::system::missed_while_growing;
use rusqlite::Connection;

use crate::cli::scratch;

/// Rows of 200 B: some 1,700 pages.
const ROWS: u64 = 60_000;
const PAGE: f64 = 8192.0;

/// What this thread has read and written by system calls \[pages\].
fn moved() -> [f64; 2] {
    let mut text = String::new();
    let mut file = File::open("/proc/thread-self/io").unwrap();
    file.read_to_string(&mut text).unwrap();
    let bytes = |key: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap().trim().parse().unwrap()
    };
    [bytes("rchar:") / PAGE, bytes("wchar:") / PAGE]
}

/// An order of the first `n` numbers in which every `each`-th stands anywhere.
fn order(n: u64, each: usize) -> Vec<u64> {
    let mut all: Vec<u64> = (0..n).collect();
    if each == 0 {
        return all;
    }
    // Fisher and Yates 1938, with the numbers of Knuth's MMIX.
    let mut state = 1_u64;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for last in (1..n / each as u64).rev() {
        let other = below(last + 1) as usize;
        all.swap(last as usize * each, other * each);
    }
    all
}

/// Pages of the tree, and those that were read and written while it was loaded in this order.
fn loaded(folder: &Path, order: &[u64], cache: f64) -> (f64, [f64; 2]) {
    let file = folder.join(format!("{cache}-{}.db", order.is_sorted()));
    let db = Connection::open(file).unwrap();
    let setting = |text: String| db.execute_batch(&text).unwrap();
    setting("pragma page_size = 8192".to_owned());
    setting("pragma journal_mode = off; pragma synchronous = off".to_owned());
    setting(format!("pragma cache_size = {}", cache.round()));
    setting("create table t (k text primary key, v text) without rowid; begin".to_owned());
    let value = "x".repeat(180);
    let mut insert = db.prepare("insert into t values (?1, ?2)").unwrap();
    let before = moved();
    for row in order {
        insert.execute((format!("{row:016}"), &value)).unwrap();
    }
    drop(insert);
    setting("commit".to_owned());
    let after = moved();
    let pages = db
        .query_row("pragma page_count", (), |row| row.get(0))
        .unwrap();
    (pages, [after[0] - before[0], after[1] - before[1]])
}

#[test]
fn a_replay_reads_a_page_for_each_row_out_of_order_that_memory_misses() {
    let folder = scratch("btree");
    let in_order = order(ROWS, 0);
    let (pages, _) = loaded(&folder, &in_order, 1e6);
    // In the order of the keys nothing is read again, however little memory there is.
    let (_, [read, written]) = loaded(&folder, &in_order, pages * 0.1);
    assert!(read < pages * 0.01, "{read} of {pages}");
    assert!(written < pages * 1.1, "{written} of {pages}");
    // A tenth of the rows anywhere: as many misses as the formula says, and each page is written back.
    let scattered = order(ROWS, 10);
    let mut seen = Vec::new();
    for part in [0.1, 0.25, 0.5] {
        let (grown, [read, written]) = loaded(&folder, &scattered, pages * part);
        let expected = ROWS as f64 / 10.0 * missed_while_growing(pages * part / grown);
        let ratio = read / expected;
        assert!((0.7..1.4).contains(&ratio), "{part}: {read} for {expected}");
        let back = (written - grown) / read;
        assert!(
            (0.5..1.6).contains(&back),
            "{part}: {written} for {read} and {grown}"
        );
        seen.push(read);
    }
    assert!(seen.is_sorted_by(|less, more| less > more), "{seen:?}");
    let (_, [read, _]) = loaded(&folder, &scattered, 1e6);
    assert!(read < 10.0, "{read}");
}
