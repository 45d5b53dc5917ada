//! What a command used, as the server counts it: each struct of counters with what they are called elsewhere.
//!
//! A new counter is a field and its row here, and its line of the log in [`super::track`]; a row that names a column of
//! log2sql which is new stands in `export/schema.sql` as well.

use super::counters::counters;
use super::section_lines::SectionLines;

/// What the operating system counted (`--- usage`, or the tail of "completed").
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Processor time in user mode, in milliseconds.
    pub user_ms: u64,
    /// Processor time in the system, in milliseconds.
    pub system_ms: u64,
    /// Blocks of 512 B read from storage: 0 where the page cache had them.
    pub blocks_in: u64,
    /// Blocks of 512 B written.
    pub blocks_out: u64,
    /// Messages received from other processes, as the operating system counts them: 0 on Linux.
    pub ipc_in: u64,
    /// Messages sent to them.
    pub ipc_out: u64,
    /// Largest resident memory, in KiB.
    pub resident_kib: u64,
    /// Page faults that read from storage.
    pub faults: u64,
}

counters! { Usage {
    //             parts    unit          JSON Lines        log2sql       structured
    user_ms:       sum      Milliseconds  "user_s"          "uCpu"        "utime";
    system_ms:     sum      Milliseconds  "system_s"        "sCpu"        "stime";
    blocks_in:     sum      Blocks        "read_bytes"      "diskIn"      "ioin";
    blocks_out:    sum      Blocks        "written_bytes"   "diskOut"     "ioout";
    ipc_in:        sum      Count         "ipc_in"          "ipcIn"       "netin";
    ipc_out:       sum      Count         "ipc_out"         "ipcOut"      "netout";
    resident_kib:  largest  Kib           "resident_bytes"  "maxRss"      "maxrss";
    faults:        sum      Count         "faults"          "pageFaults"  "pagefaults";
} }

/// Messages of one connection (`--- rpc msgs/size in+out …`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rpc {
    /// Messages received.
    pub received: u64,
    /// Messages sent.
    pub sent: u64,
    /// Bytes received, cut to whole MiB by p4d.
    pub received_bytes: u64,
    /// Bytes sent, cut to whole MiB by p4d.
    pub sent_bytes: u64,
    /// High water mark of bytes in flight to the client.
    pub himark_forward: u64,
    /// High water mark of bytes in flight from the client.
    pub himark_reverse: u64,
    /// Seconds blocked in sending.
    pub send_s: f64,
    /// Seconds waited for the client.
    pub receive_s: f64,
}

// Its two times are no whole numbers: each form writes them itself.
counters! { Rpc {
    //               parts    unit   JSON Lines              log2sql         structured
    received:        sum      Count  "received"              "rpcMsgsIn"     "recvcount";
    sent:            sum      Count  "sent"                  "rpcMsgsOut"    "sendcount";
    received_bytes:  sum      Bytes  "received_bytes"        "rpcSizeIn"     "recvbytes";
    sent_bytes:      sum      Bytes  "sent_bytes"            "rpcSizeOut"    "sendbytes";
    himark_forward:  largest  Count  "himark_forward_bytes"  "rpcHimarkFwd"  "rpchimarkfwd";
    himark_reverse:  largest  Count  "himark_reverse_bytes"  "rpcHimarkRev"  "rpchimarkrev";
} }

/// Whole files sent and received (`--- filetotals`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FileTotals {
    /// Files sent.
    pub sent_files: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Files received.
    pub received_files: u64,
    /// Their bytes.
    pub received_bytes: u64,
}

counters! { FileTotals {
    //               parts  unit   JSON Lines        log2sql            structured
    sent_files:      sum    Count  "sent_files"      "fileTotalsSnd"    _;
    received_files:  sum    Count  "received_files"  "fileTotalsRcv"    _;
    sent_bytes:      sum    Bytes  "sent_bytes"      "fileTotalsSndMB"  _;
    received_bytes:  sum    Bytes  "received_bytes"  "fileTotalsRcvMB"  _;
} }

/// What a sync is about to send (`Server network estimates`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Files added in the workspace.
    pub added: u64,
    /// Files updated.
    pub updated: u64,
    /// Files deleted.
    pub deleted: u64,
    /// Bytes of those added.
    pub added_bytes: u64,
    /// Bytes of those updated.
    pub updated_bytes: u64,
}

counters! { Estimate {
    //              parts  unit   JSON Lines       log2sql                structured
    added:          sum    Count  "added"          "netSyncFilesAdded"    "filesadded";
    updated:        sum    Count  "updated"        "netSyncFilesUpdated"  "filesupdated";
    deleted:        sum    Count  "deleted"        "netSyncFilesDeleted"  "filesdeleted";
    added_bytes:    sum    Count  "added_bytes"    "netSyncBytesAdded"    "bytesadded";
    updated_bytes:  sum    Count  "updated_bytes"  "netSyncBytesUpdated"  "bytesupdated";
} }

/// What a proxy served (`--- proxytotals`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProxyTotals {
    /// Files fetched from the server.
    pub server_files: u64,
    /// Their bytes.
    pub server_bytes: u64,
    /// Files found in its cache.
    pub cache_files: u64,
    /// Their bytes.
    pub cache_bytes: u64,
}

counters! { ProxyTotals {
    //             parts  unit   JSON Lines      log2sql  structured
    server_files:  sum    Count  "server_files"  _        _;
    server_bytes:  sum    Bytes  "server_bytes"  _        _;
    cache_files:   sum    Count  "cache_files"   _        _;
    cache_bytes:   sum    Bytes  "cache_bytes"   _        _;
} }

/// How archive files are kept (`--- lbr KIND`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArchiveKind {
    /// Text in RCS files.
    #[default]
    Rcs,
    /// One file a revision.
    Binary,
    /// One compressed file a revision.
    Compress,
    /// Kept compressed, sent as it is.
    Uncompress,
}

/// Archive files touched by a command (`--- lbr KIND`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ArchiveUse {
    /// How they are kept.
    pub kind: ArchiveKind,
    /// Files opened.
    pub opens: u64,
    /// Files closed.
    pub closes: u64,
    /// Revisions checked in.
    pub checkins: u64,
    /// Queries whether a file exists.
    pub exists: u64,
    /// Reads.
    pub reads: u64,
    /// Bytes read, by binary prefixes with one decimal in the log.
    pub read_bytes: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Digests computed.
    pub digests: u64,
    /// Queries of a file's size.
    pub file_sizes: u64,
    /// Queries of a file's time of change.
    pub modtimes: u64,
    /// Files copied.
    pub copies: u64,
}

counters! { ArchiveUse {
    //              parts  unit   JSON Lines       log2sql       structured
    opens:          sum    Count  "opens"          "Opens"       _;
    closes:         sum    Count  "closes"         "Closes"      _;
    checkins:       sum    Count  "checkins"       "Checkins"    _;
    exists:         sum    Count  "exists"         "Exists"      _;
    reads:          sum    Count  "reads"          "Reads"       _;
    read_bytes:     sum    Count  "read_bytes"     "ReadBytes"   _;
    writes:         sum    Count  "writes"         "Writes"      _;
    written_bytes:  sum    Count  "written_bytes"  "WriteBytes"  _;
    digests:        sum    Count  "digests"        "Digests"     _;
    file_sizes:     sum    Count  "file_sizes"     "FileSizes"   _;
    modtimes:       sum    Count  "modtimes"       "Modtimes"    _;
    copies:         sum    Count  "copies"         "Copies"      _;
} }

/// Waits and holds of locks, in milliseconds; those that p4d prints as negative, since they were shorter than its clock or
/// the clock went back, are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "a number's name ends in its unit")]
pub struct LockTimes {
    /// Waited for shared locks.
    pub read_wait_ms: u64,
    /// Held shared locks.
    pub read_held_ms: u64,
    /// Waited for exclusive locks.
    pub write_wait_ms: u64,
    /// Held exclusive locks.
    pub write_held_ms: u64,
}

impl LockTimes {
    /// Waited for both.
    pub fn waited_ms(&self) -> u64 {
        self.read_wait_ms.saturating_add(self.write_wait_ms)
    }
}

/// Whether a lock section of the log is of a db.* table or of one of the other locks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// A table: `db.have`, `rdb.lbr`, `pdb.monitor`.
    #[default]
    Table,
    /// A lock file: `clients/NAME`, `meta/db`, `change/N`, `label/NAME`, `storageup/storageup`, `replica/pull`.
    LockFile,
}

/// What a command did to one table, or to one lock file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableUse {
    /// Its name as in the log, `%` codes resolved, without the mode.
    pub name: String,
    /// Table or lock file.
    pub section: Section,
    /// The mode in brackets after a lock file's name: `R` or `W`.
    pub mode: Option<char>,
    /// Which of its lines the log has; the numbers of others are 0 and not known.
    pub lines: SectionLines,
    /// Pages of 8 KiB read from the file.
    pub pages_in: u64,
    /// Pages written to it.
    pub pages_out: u64,
    /// Pages in the process's own cache in the end.
    pub pages_cached: u64,
    /// Internal pages split.
    pub splits_internal: u64,
    /// Leaf pages split.
    pub splits_leaf: u64,
    /// Internal pages put into order again.
    pub reordered_internal: u64,
    /// Leaf pages put into order again.
    pub reordered_leaf: u64,
    /// Shared locks taken.
    pub read_locks: u64,
    /// Exclusive locks taken.
    pub write_locks: u64,
    /// Rows read by key.
    pub rows_get: u64,
    /// Cursors positioned.
    pub rows_pos: u64,
    /// Rows scanned.
    pub rows_scan: u64,
    /// Rows written.
    pub rows_put: u64,
    /// Rows deleted.
    pub rows_del: u64,
    /// Sums over all locks.
    pub total: LockTimes,
    /// The longest of each; 0 if the log has no such line, as for lock files.
    pub longest: LockTimes,
    /// Reads without a lock (peeks).
    pub peeks: u64,
    /// Milliseconds that peeks waited, together.
    pub peek_wait_ms: u64,
    /// Milliseconds that peeks lasted, together.
    pub peek_held_ms: u64,
    /// Milliseconds that the peek which waited longest did.
    pub peek_longest_wait_ms: u64,
    /// Milliseconds that the longest peek lasted.
    pub peek_longest_held_ms: u64,
    /// Whether a lock was got by waiting after three attempts in vain (`db.trylock`).
    pub blocked: bool,
}

counters! { TableUse {
    //                      parts    unit          JSON Lines                    log2sql           structured
    pages_in:               sum      Count         "pages_in"                    "pagesIn"         "pagesin" in PAGES;
    pages_out:              sum      Count         "pages_out"                   "pagesOut"        "pagesout" in PAGES;
    pages_cached:           largest  Count         "pages_cached"                "pagesCached"     "pagescached" in PAGES;
    splits_internal:        sum      Count         "splits_internal"             "pagesSplitInternal"  "splitintl" in SPLITS;
    splits_leaf:            sum      Count         "splits_leaf"                 "pagesSplitLeaf"  "splitleaf" in SPLITS;
    reordered_internal:     sum      Count         "reordered_internal"          _                 "reorderintl" in REORDERED;
    reordered_leaf:         sum      Count         "reordered_leaf"              _                 "reorderleaf" in REORDERED;
    read_locks:             sum      Count         "read_locks"                  "readLocks"       "readlocks" in ROWS;
    write_locks:            sum      Count         "write_locks"                 "writeLocks"      "writelocks" in ROWS;
    rows_get:               sum      Count         "rows_get"                    "getRows"         "gets" in ROWS;
    rows_pos:               sum      Count         "rows_pos"                    "posRows"         "positions" in ROWS;
    rows_scan:              sum      Count         "rows_scan"                   "scanRows"        "scans" in ROWS;
    rows_put:               sum      Count         "rows_put"                    "putRows"         "puts" in ROWS;
    rows_del:               sum      Count         "rows_del"                    "delRows"         "deletes" in ROWS;
    total.read_wait_ms:     sum      Milliseconds  ["total", "read_wait_s"]      "totalReadWait"   "totallockwaitread" in TOTAL;
    total.read_held_ms:     sum      Milliseconds  ["total", "read_held_s"]      "totalReadHeld"   "totallockheldread" in TOTAL;
    total.write_wait_ms:    sum      Milliseconds  ["total", "write_wait_s"]     "totalWriteWait"  "totallockwaitwrite" in TOTAL;
    total.write_held_ms:    sum      Milliseconds  ["total", "write_held_s"]     "totalWriteHeld"  "totallockheldwrite" in TOTAL;
    longest.read_wait_ms:   largest  Milliseconds  ["longest", "read_wait_s"]    "maxReadWait"     "maxlockwaitread" in LONGEST;
    longest.read_held_ms:   largest  Milliseconds  ["longest", "read_held_s"]    "maxReadHeld"     "maxlockheldread" in LONGEST;
    longest.write_wait_ms:  largest  Milliseconds  ["longest", "write_wait_s"]   "maxWriteWait"    "maxlockwaitwrite" in LONGEST;
    longest.write_held_ms:  largest  Milliseconds  ["longest", "write_held_s"]   "maxWriteHeld"    "maxlockheldwrite" in LONGEST;
    peeks:                  sum      Count         "peeks"                       "peekCount"       "peeklocks" in PEEKS;
    peek_wait_ms:           sum      Milliseconds  "peek_wait_s"                 "totalPeekWait"   "totallockwaitpeek" in PEEKS;
    peek_held_ms:           sum      Milliseconds  "peek_held_s"                 "totalPeekHeld"   "totallockheldpeek" in PEEKS;
    peek_longest_wait_ms:   largest  Milliseconds  "peek_longest_wait_s"         "maxPeekWait"     "maxlockwaitpeek" in PEEKS;
    peek_longest_held_ms:   largest  Milliseconds  "peek_longest_held_s"         "maxPeekHeld"     "maxlockheldpeek" in PEEKS;
} }

impl TableUse {
    /// The longest time that one shared lock of the table was held, and one exclusive, in milliseconds: as the log says it,
    /// or where it says sums alone the sum of the only lock. `None` if there were several and only their sum is known.
    pub fn longest_holds_ms(&self) -> [Option<u64>; 2] {
        let of = |longest: u64, total: u64, locks: u64| {
            if longest > 0 || total == 0 {
                Some(longest)
            } else if locks <= 1 {
                Some(total)
            } else {
                None
            }
        };
        let (longest, total) = (self.longest, self.total);
        [
            of(longest.read_held_ms, total.read_held_ms, self.read_locks),
            of(longest.write_held_ms, total.write_held_ms, self.write_locks),
        ]
    }
}
