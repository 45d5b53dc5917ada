//! The server's side of a connection: walks the script of each command that comes.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;

use super::archives::{Archives, CHUNK};
use super::connection::{Parts, Portion, Request, ServerEnd};
use super::field::Field;
use super::locks::Held;
use super::processor::Burner;
use super::script::{Content, Op};
use super::tables::PAGE;
use super::turns::Turns;
use crate::bench::ground::{Block, Data, now, stopped, write_at};

/// One connection's thread.
pub(super) struct Server {
    field: Arc<Field>,
    end: ServerEnd,
    burner: Burner,
    data: Data,
    page: Block,
    chunk: Block,
    /// Of the command: where its time went, tables with dirty pages, and the end of its journal text.
    parts: Parts,
    dirty: Vec<bool>,
    journalled: u64,
    factor: f64,
    kind: usize,
    turns: Turns,
}

impl Server {
    pub(super) fn new(field: &Arc<Field>, stream: Arc<TcpStream>, burner: &Burner, seed: u64) -> Self {
        let mut data = Data::new(seed);
        let mut chunk = Block::new(CHUNK);
        data.fill(chunk.bytes_mut());
        Self {
            end: ServerEnd::new(stream),
            burner: burner.clone(),
            data,
            page: Block::new(PAGE),
            chunk,
            parts: Parts::default(),
            dirty: vec![false; field.tables.count()],
            journalled: 0,
            factor: 1.0,
            kind: 0,
            turns: Turns::of_this_thread(),
            field: Arc::clone(field),
        }
    }

    /// Serves until the client goes or the time is up.
    pub(super) fn serve(mut self) {
        let field = Arc::clone(&self.field);
        // It was made by another thread.
        self.turns = Turns::of_this_thread();
        loop {
            match self.end.request() {
                Ok(Some(request)) => {
                    if let Err(error) = self.command(&request) {
                        return field.course.fail(error);
                    }
                }
                Ok(None) => return,
                Err(error) => return field.course.fail(error),
            }
        }
    }

    fn command(&mut self, request: &Request) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        // Also the turn that it waited for after the request had come.
        self.parts = Parts { processor: self.turns.waited(), ..Parts::default() };
        self.factor = request.factor;
        self.kind = request.kind as usize;
        if matches!(request.portion, Portion::Whole | Portion::Head) {
            self.dirty.fill(false);
            self.journalled = 0;
        }
        let script = field.scripts.get(request.script as usize).ok_or(io::ErrorKind::InvalidData)?;
        let shared = |op: &Op| matches!(op, Op::Out(content) if content.archived > 0.0);
        let place = script.ops.iter().position(shared).unwrap_or(script.ops.len());
        let ops = match request.portion {
            Portion::Whole => &script.ops[..],
            Portion::Head => &script.ops[..place],
            Portion::Content => &script.ops[place..(place + 1).min(script.ops.len())],
            Portion::Tail => &script.ops[(place + 1).min(script.ops.len())..],
        };
        if request.portion == Portion::Content {
            self.factor /= f64::from(request.threads.max(1));
        }
        for op in ops {
            self.op(op, 1.0)?;
        }
        // What is left of the next command's time begins here.
        let done = self.end.done(self.parts);
        self.turns.waited();
        done
    }

    /// A whole number whose mean is `amount` times the command's size and `share`.
    fn whole(&mut self, amount: f64, share: f64) -> u64 {
        let amount = amount * self.factor * share;
        let chance = (amount.fract() * 1e9) as u64;
        amount as u64 + u64::from(self.data.below(1_000_000_000) < chance)
    }

    fn timed<T>(
        &mut self,
        part: impl Fn(&mut Parts) -> &mut f64,
        does: impl FnOnce(&mut Self) -> io::Result<T>,
    ) -> io::Result<T> {
        let begun = now();
        let done = does(self);
        let spent = begun.elapsed().as_secs_f64();
        let turn = self.turn(spent);
        *part(&mut self.parts) += spent - turn;
        self.parts.processor += turn;
        done
    }

    /// Of a time that is over, what the thread waited for a processor; of a short one none, for asking takes time as well.
    fn turn(&mut self, spent: f64) -> f64 {
        const ASKED: f64 = 100e-6;
        if spent < ASKED {
            return 0.0;
        }
        self.turns.waited().min(spent)
    }

    fn op(&mut self, op: &Op, share: f64) -> io::Result<()> {
        if self.field.course.is_over() {
            return Err(stopped());
        }
        let field = Arc::clone(&self.field);
        match op {
            Op::Begin => {
                let seconds = field.burns.command * self.factor;
                self.burn(seconds);
                Ok(())
            }
            Op::Open(count) => {
                for table in 0..count.round() as usize {
                    let table = table % field.tables.count();
                    self.timed(|p| &mut p.storage, |_| field.tables.reopen(table))?;
                }
                Ok(())
            }
            Op::Section { locks, batch, body } => {
                let times = match batch {
                    Some((each, rows)) => (rows * self.factor * share / each).ceil().max(1.0),
                    None => 1.0,
                };
                for _ in 0..times as u64 {
                    self.section(locks, body, share / times)?;
                }
                Ok(())
            }
            Op::ReadRows { rows, scan, tables } => self.read_rows((*rows, *scan), tables, share),
            Op::ReadPages(pages) => {
                for _ in 0..self.whole(*pages, share) {
                    self.read_page(0, 0)?;
                }
                Ok(())
            }
            Op::WriteRows { rows, tables } => self.write_rows(*rows, tables, share),
            Op::WritePages { pages, commits } => self.write_pages(*pages, *commits, share),
            Op::Journal(bytes) => {
                let bytes = self.whole(*bytes, share);
                self.journalled = self.timed(|p| &mut p.storage, |_| field.journal.append(bytes))?;
                Ok(())
            }
            Op::Log(bytes) => {
                let bytes = self.whole(*bytes, share);
                self.timed(|p| &mut p.storage, |_| field.log.append(bytes))?;
                Ok(())
            }
            Op::Flush(files) => self.flush(files.round() as usize),
            Op::Out(content) => self.send(content, share),
            Op::In(content) => self.receive(content, share),
        }
    }

    fn burn(&mut self, seconds: f64) {
        let begun = now();
        self.burner.burn(seconds);
        self.parts.processor += begun.elapsed().as_secs_f64();
    }

    fn section(&mut self, locks: &[(usize, bool)], body: &[Op], share: f64) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let mut held: Vec<Held> = Vec::with_capacity(locks.len());
        let mut done = Ok(());
        for (table, exclusive) in locks {
            let begun = now();
            let taken = field.locks.take(*table, (self.kind, *exclusive), field.course.over());
            let spent = begun.elapsed().as_secs_f64();
            match taken {
                Ok((one, wait)) => {
                    held.push(one);
                    let turn = self.turn(spent);
                    self.parts.processor += turn;
                    let waited = (wait - turn).max(0.0);
                    self.parts.locks += waited;
                    // What the call itself takes: over an export a round trip.
                    self.parts.storage += (spent - turn - waited).max(0.0);
                }
                Err(error) => {
                    done = Err(error);
                    break;
                }
            }
        }
        if done.is_ok() {
            done = body.iter().try_for_each(|op| self.op(op, share));
        }
        // Whatever happened, nobody waits for a command that has ended.
        self.timed(
            |p| &mut p.storage,
            |_| {
                for one in held.into_iter().rev() {
                    done = std::mem::replace(&mut done, Ok(())).and(field.locks.leave(one));
                }
                done
            },
        )
    }

    /// A page of a table with so many of its rows, or one that memory does not have.
    fn read_page(&mut self, table: usize, rows: usize) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        if !self.chance(field.db_hit) {
            self.timed(|p| &mut p.storage, |s| field.tables.read_cold(&mut s.data, &mut s.page))?;
        }
        self.timed(|p| &mut p.processor, |s| field.tables.read(table, rows, (&mut s.data, &mut s.page)))
    }

    fn read_rows(&mut self, (rows, scan): (f64, bool), tables: &[usize], share: f64) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let rows = self.whole(rows, share);
        let each = if scan { field.rates.rows_per_page } else { 1.0 / field.rates.pages_per_row };
        let cost = if scan { field.burns.row_read * field.rates.scan_share } else { field.burns.row_read };
        let (mut left, mut page) = (rows as f64, 0);
        while left > 0.0 {
            // Neighbours on a page: with 3.3 of them three, and now and then four.
            let here = (each.floor() + f64::from(u8::from(self.chance(each.fract())))).clamp(1.0, left.max(1.0));
            let table = tables.get(page % tables.len().max(1)).copied().unwrap_or(0);
            if scan {
                self.timed(|p| &mut p.processor, |s| field.tables.scan(table, (&mut s.data, &mut s.page)))?;
                if !self.chance(field.db_hit) {
                    self.timed(|p| &mut p.storage, |s| field.tables.read_cold(&mut s.data, &mut s.page))?;
                }
            } else {
                self.read_page(table, here as usize)?;
            }
            self.burn(cost * here);
            left -= here;
            page += 1;
        }
        Ok(())
    }

    fn chance(&mut self, probability: f64) -> bool {
        (self.data.below(1 << 30) as f64) < probability * f64::from(1 << 30)
    }

    fn write_rows(&mut self, rows: f64, tables: &[usize], share: f64) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let rows = self.whole(rows, share);
        let on_page = (PAGE as f64 / field.rates.bytes_a_row).clamp(1.0, field.rates.rows_per_page);
        let tables = if tables.is_empty() { &[0] } else { tables };
        let each = (rows as f64 / tables.len() as f64).ceil();
        let mut left = rows as f64;
        for table in tables {
            let mut of_table = each.min(left);
            left -= of_table;
            while of_table > 0.0 {
                let here = of_table.min(on_page.round());
                self.timed(
                    |p| &mut p.processor,
                    |s| field.tables.write(*table, here as usize, (&mut s.data, &mut s.page)),
                )?;
                self.burn(field.burns.row_write * here);
                self.dirty[*table] = true;
                of_table -= here;
            }
        }
        Ok(())
    }

    fn write_pages(&mut self, pages: f64, commits: f64, share: f64) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let (pages, commits) = (self.whole(pages, share), self.whole(commits, share));
        for page in 0..pages {
            let table = self.data.below(field.tables.count() as u64) as usize;
            self.timed(
                |p| &mut p.storage,
                |s| {
                    field.tables.write(table, 1, (&mut s.data, &mut s.page))?;
                    if page < commits { field.tables.flush(table) } else { Ok(()) }
                },
            )?;
        }
        Ok(())
    }

    /// Forces out so many of the tables that the command wrote, and its journal text with everybody else's.
    fn flush(&mut self, files: usize) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let mut left = files;
        for table in 0..self.dirty.len() {
            if left > 0 && std::mem::take(&mut self.dirty[table]) {
                left -= 1;
                self.timed(|p| &mut p.storage, |_| field.tables.flush(table))?;
            }
        }
        let end = self.journalled;
        self.timed(|p| &mut p.storage, |_| field.journal.commit(end))
    }

    /// Reads archive files, digests them and sends them on, chunk by chunk.
    fn send(&mut self, content: &Content, share: f64) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let archived = content.archived * self.factor * share;
        let mut moved = content.moved * self.factor * share;
        let mut digested = content.digested * self.factor * share;
        let size = field.archives.size() as f64;
        let mut left = archived;
        while left >= 1.0 {
            let bytes = left.min(size);
            let is_hit = self.chance(field.depot_hit);
            let file = self.timed(|p| &mut p.storage, |s| field.archives.open(&mut s.data, is_hit))?;
            let mut at = 0.0;
            while at < bytes {
                if field.course.is_over() {
                    return Err(stopped());
                }
                let here = (bytes - at).min(CHUNK as f64);
                self.timed(
                    |p| &mut p.storage,
                    |s| Archives::read(&file, &mut s.chunk, at as u64, here.ceil() as usize),
                )?;
                if digested > 0.0 {
                    self.burn(field.burns.byte_digested * here);
                    digested -= here;
                }
                if moved > 0.0 {
                    self.send_bytes(here.min(moved) as usize)?;
                    moved -= here;
                }
                at += here;
            }
            left -= bytes;
        }
        while moved >= 1.0 {
            let here = moved.min(CHUNK as f64);
            self.send_bytes(here as usize)?;
            moved -= here;
        }
        Ok(())
    }

    fn send_bytes(&mut self, bytes: usize) -> io::Result<()> {
        self.burn(self.field.burns.byte_moved * bytes as f64);
        self.timed(
            |p| &mut p.network,
            |s| {
                let from = s.chunk.bytes();
                s.end.send(&from[..bytes.min(from.len())])
            },
        )
    }

    /// Takes content from the client, digests it and writes it to new archive files.
    fn receive(&mut self, content: &Content, share: f64) -> io::Result<()> {
        let field = Arc::clone(&self.field);
        let moved = self.whole(content.moved, share);
        let archived = content.archived * self.factor * share;
        if moved == 0 {
            return Ok(());
        }
        let digested = content.digested * self.factor * share / moved as f64;
        let written = (archived / moved as f64).min(1.0);
        self.timed(|p| &mut p.network, |s| s.end.want(moved))?;
        let size = field.archives.size();
        let (mut left, mut file, mut room) = (moved, None, 0);
        while left > 0 {
            if field.course.is_over() {
                return Err(stopped());
            }
            let here = left.min(CHUNK as u64).min(size.max(1024)) as usize;
            self.timed(|p| &mut p.network, |s| s.end.receive(&mut s.chunk.bytes_mut()[..here]))?;
            self.burn((field.burns.byte_moved + field.burns.byte_digested * digested) * here as f64);
            let bytes = (here as f64 * written) as usize;
            if bytes > 0 {
                self.timed(
                    |p| &mut p.storage,
                    |s| {
                        if room == 0 || file.is_none() {
                            file = Some(field.archives.make()?);
                            room = size;
                        }
                        let Some(to) = &file else {
                            return Ok(());
                        };
                        let at = size - room;
                        write_at(to, &s.chunk.bytes()[..bytes], at)?;
                        room = room.saturating_sub(bytes as u64);
                        Ok(())
                    },
                )?;
            }
            left -= here as u64;
        }
        Ok(())
    }
}
