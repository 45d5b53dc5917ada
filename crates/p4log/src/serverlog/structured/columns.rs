//! Columns of structured logs that are read: what `p4 logschema` calls them, and where they stand in a row.

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
    UserTime "utime"
    SystemTime "stime"
    BlocksIn "ioin"
    BlocksOut "ioout"
    Resident "maxrss"
    Faults "pagefaults"
    Received "recvcount"
    Sent "sendcount"
    ReceivedBytes "recvbytes"
    SentBytes "sendbytes"
    HimarkForward "rpchimarkfwd"
    HimarkReverse "rpchimarkrev"
    ReceiveTime "recvtime"
    SendTime "sendtime"
    Table "dbname"
    PagesIn "pagesin"
    PagesOut "pagesout"
    PagesCached "pagescached"
    ReorderInternal "reorderintl"
    ReorderLeaf "reorderleaf"
    ReadLocks "readlocks"
    WriteLocks "writelocks"
    Gets "gets"
    Positions "positions"
    Scans "scans"
    Puts "puts"
    Deletes "deletes"
    SplitInternal "splitintl"
    SplitLeaf "splitleaf"
    ReadWait "totallockwaitread"
    ReadHeld "totallockheldread"
    WriteWait "totallockwaitwrite"
    WriteHeld "totallockheldwrite"
    LongestReadWait "maxlockwaitread"
    LongestReadHeld "maxlockheldread"
    LongestWriteWait "maxlockwaitwrite"
    LongestWriteHeld "maxlockheldwrite"
    Peeks "peeklocks"
    PeekWait "totallockwaitpeek"
    PeekHeld "totallockheldpeek"
    TriggerName "triggerdata"
    TriggerLapse "triggerlapse"
    Added "filesadded"
    Updated "filesupdated"
    Deleted "filesdeleted"
    AddedBytes "bytesadded"
    UpdatedBytes "bytesupdated"
}

/// Where the columns of an event are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    at: [Option<u8>; COLUMNS.len()],
    /// Whether these are all columns, and not only those that all events share.
    pub(super) are_all_known: bool,
    /// How many the event has at least.
    pub(super) count: usize,
}

impl Columns {
    pub(super) fn none() -> Self {
        Self {
            at: [None; COLUMNS.len()],
            are_all_known: true,
            count: 0,
        }
    }

    pub(super) fn of(names: &[&str], are_all_known: bool) -> Self {
        let mut columns = Self::none();
        let names = names
            .iter()
            .flat_map(|names| names.split_ascii_whitespace());
        for (at, name) in names.enumerate() {
            columns.name(at, name);
        }
        columns.are_all_known = are_all_known;
        columns
    }

    pub(super) fn name(&mut self, at: usize, name: &str) {
        self.count = self.count.max(at + 1);
        let known = COLUMNS.iter().find(|(_, known)| *known == name);
        if let (Some((column, _)), Ok(at)) = (known, u8::try_from(at)) {
            self.at[*column as usize] = Some(at);
        }
    }

    /// A field of a row; nothing where the event has no such column.
    pub(super) fn field<'r>(&self, row: &'r Row, column: Column) -> &'r [u8] {
        self.at[column as usize].map_or(&[], |at| row.field(usize::from(at)))
    }
}
