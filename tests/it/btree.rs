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
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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
    let pages = db.query_row("pragma page_count", (), |row| row.get(0)).unwrap();
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
        assert!((0.5..1.6).contains(&back), "{part}: {written} for {read} and {grown}");
        seen.push(read);
    }
    assert!(seen.is_sorted_by(|less, more| less > more), "{seen:?}");
    let (_, [read, _]) = loaded(&folder, &scattered, 1e6);
    assert!(read < 10.0, "{read}");
}

/// Share of the leaves of a tree that do not lie behind the leaf before them, and the pages that a dump of it reads.
fn dumped(db: &Connection, file: &Path) -> (f64, f64) {
    let leaves = "select pageno from dbstat where name = 't' and pagetype = 'leaf' order by path";
    let mut leaves = db.prepare(leaves).unwrap();
    let leaves: Vec<i64> = leaves.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let apart = leaves.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
    // Another connection has nothing in its cache.
    let cold = Connection::open(file).unwrap();
    let before = moved();
    let rows: f64 = cold.query_row("select count(v) from t", [], |row| row.get(0)).unwrap();
    assert!(rows >= ROWS as f64);
    (apart as f64 / leaves.len() as f64, moved()[0] - before[0])
}

/// A checkpoint reads each page once, fresh or aged; what ages is the share of leaves that lie out of order: next to none
/// after rows came in key order, more with each row that came in between, next to none after a rebuild.
#[test]
fn leaves_fall_out_of_order_as_rows_come_in_between_and_a_rebuild_mends_it() {
    let file = scratch("aged").join("aged.db");
    let db = Connection::open(&file).unwrap();
    let setting = |text: &str| db.execute_batch(text).unwrap();
    setting("pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off");
    setting("create table t (k text primary key, v text) without rowid");
    let value = "x".repeat(180);
    let insert = |keys: &[u64], tail: u64| {
        setting("begin");
        let mut insert = db.prepare("insert into t values (?1, ?2)").unwrap();
        for key in keys {
            insert.execute((format!("{key:012}.{tail}"), &value)).unwrap();
        }
        setting("commit");
    };
    insert(&order(ROWS, 0), 0);
    // Loaded in the order of the keys, with full pages.
    setting("vacuum");
    let (fresh, pages) = dumped(&db, &file);
    assert!(fresh < 0.1, "{fresh}");
    let mut before = fresh;
    // Of so many rows, those of a part of the tree that another order picks.
    for part in [200, 50, 10] {
        insert(&order(ROWS, 1)[..(ROWS / part) as usize], part);
        let (apart, read) = dumped(&db, &file);
        assert!(apart > before, "{apart} after {before}");
        assert!(read >= pages, "{read} of {pages}");
        before = apart;
    }
    assert!(before > 0.3, "{before}");
    setting("vacuum");
    let (rebuilt, _) = dumped(&db, &file);
    assert!(rebuilt < 0.1, "{rebuilt}");
}
