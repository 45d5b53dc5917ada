//! Blocks of one large file: written, committed, read, in random order or behind each other.
//!
//! Reads of the device go past the page cache; where the filesystem cannot do that, the file's pages are
//! dropped before each round, no block is read twice in a round, and the kernel is asked whether they are gone.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::buffer::Buffer;
use super::data::Data;
use super::layout::{STRIDE, lay_out};
use super::matrix::{Mode, Order};
use super::round::{Work, stopped};
use super::scratch::{Own, Scratch};
use super::stopwatch::{Part, Stopwatch};
use super::system;

/// The file, written as a whole.
#[derive(Debug)]
pub(super) struct Blocks {
    own: Arc<Own>,
    name: String,
    file: File,
    bytes: u64,
    way: Way,
}

/// How the device is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Past the page cache.
    Direct,
    /// Through it, after it was emptied.
    Dropped,
    /// Not at all: the pages stay, or there is no device.
    Never(&'static str),
}

/// Blocks that are looked at to see whether the file is still cached.
const SAMPLES: u64 = 64;

impl Blocks {
    /// Lays the file out: `bytes` of data that cannot be compressed, forced out.
    pub(super) fn create(
        scratch: &Scratch,
        bytes: u64,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(f64),
    ) -> io::Result<Self> {
        let bytes = bytes / STRIDE as u64 * STRIDE as u64;
        let own = Arc::clone(scratch.own());
        let name = Scratch::named("blocks", 0);
        let file = lay_out((&own, &name), bytes, stop, progress)?;
        let mut blocks = Self { own, name, file, bytes, way: Way::Direct };
        blocks.way = blocks.way()?;
        Ok(blocks)
    }

    fn way(&self) -> io::Result<Way> {
        if system::is_memory(&self.file)? {
            return Ok(Way::Never("this filesystem lives in memory"));
        }
        let mut first = Buffer::new(super::buffer::ALIGNMENT);
        let direct = self.own.open_direct(&self.name).and_then(|file| system::read_at(&file, first.bytes_mut(), 0));
        if direct.is_ok() {
            return Ok(Way::Direct);
        }
        Ok(match self.drop_cached() {
            Ok(true) => Way::Dropped,
            Ok(false) => Way::Never("its pages stay in memory after they were to be dropped"),
            Err(_) => Way::Never("neither O_DIRECT nor dropping the page cache is available"),
        })
    }

    /// How the device is reached.
    pub(super) fn reached(&self) -> Way {
        self.way
    }

    /// Empties the page cache of the file; whether it is gone.
    fn drop_cached(&self) -> io::Result<bool> {
        self.file.sync_data()?;
        system::drop_cached(&self.file)?;
        let mut block = [0; 4096];
        let mut data = Data::new(1);
        let mut cached = 0;
        for _ in 0..SAMPLES {
            let at = data.below(self.bytes / 4096) * 4096;
            match system::fully_cached(&self.file, &mut block, at)? {
                None => return Ok(false),
                Some(is) => cached += u64::from(is),
            }
        }
        // A sample may have brought its neighbours along.
        Ok(cached * 20 <= SAMPLES)
    }

    /// Brings the file to where `mode` wants it, before a round. Not timed.
    pub(super) fn prepare(&self, mode: Mode, stop: &AtomicBool) -> io::Result<()> {
        match mode {
            Mode::ReadCached => self.warm(stop),
            Mode::Read if self.way == Way::Dropped => {
                if self.drop_cached()? {
                    system::advise_random(&self.file)
                } else {
                    Err(io::Error::other("the file's pages came back into memory"))
                }
            }
            // What laying out or an earlier test left in memory would have to be thrown out by each write past
            // it, and commits would have to search it for what is new: in large pieces that is most of the time.
            _ if self.way == Way::Direct && (mode.is_uncached() || mode.commits()) => {
                self.file.sync_data()?;
                system::drop_cached(&self.file)
            }
            _ => Ok(()),
        }
    }

    /// Bytes that stay in memory while cached reads are measured.
    fn warm_bytes(&self) -> u64 {
        self.bytes.min(256 << 20)
    }

    fn warm(&self, stop: &AtomicBool) -> io::Result<()> {
        let mut buffer = Buffer::new(STRIDE);
        for at in (0..self.warm_bytes()).step_by(STRIDE) {
            if stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            system::read_at(&self.file, buffer.bytes_mut(), at)?;
        }
        Ok(())
    }

    /// Forces out what a round left.
    pub(super) fn flush(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// One thread's work.
    pub(super) fn work(
        &self,
        (mode, order, block): (Mode, Order, usize),
        (thread, threads): (usize, usize),
        cached_bytes_max: u64,
    ) -> io::Result<Box<dyn Work>> {
        let direct = mode.is_uncached() && self.way == Way::Direct;
        let file = if direct { self.own.open_direct(&self.name)? } else { self.own.open(&self.name)? };
        let bytes = match mode {
            Mode::ReadCached => self.warm_bytes(),
            _ => self.bytes,
        };
        let share = bytes / block as u64 / threads as u64;
        Ok(Box::new(Worker {
            file,
            buffer: Buffer::new(block),
            data: Data::fresh(),
            mode,
            places: Places::new(order, share, thread as u64 * share, Data::fresh().next()),
            left: if mode == Mode::Read && self.way == Way::Dropped {
                // What was read once through the page cache is in it.
                share
            } else if mode == Mode::Write {
                // What is written to memory must be forced out after the round, on any disk in good time.
                (cached_bytes_max / block as u64).max(1)
            } else {
                u64::MAX
            },
        }))
    }
}

/// The blocks of one thread, one after the other.
#[derive(Debug)]
struct Places {
    first: u64,
    count: u64,
    order: Order,
    /// How many were given.
    next: u64,
    key: u64,
}

impl Places {
    fn new(order: Order, count: u64, first: u64, key: u64) -> Self {
        Self { first, count: count.max(1), order, next: 0, key }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        let place = self.next % self.count;
        self.next += 1;
        self.first
            + match self.order {
                Order::Sequential => place,
                Order::Random => shuffled(place, self.count, self.key),
            }
    }
}

/// Where the `place`-th of `count` lies in a random order: each place once. Equal steps would be no stand-in: in
/// them no place is ever near the one before.
///
/// Multiplying by an odd number, adding and folding the upper half into the lower one are bijections of the
/// numbers of so many bits; what falls beyond `count` goes round again (J. Black, P. Rogaway, "Ciphers with
/// arbitrary finite domains", CT-RSA 2002, section 3: cycle walking).
fn shuffled(place: u64, count: u64, key: u64) -> u64 {
    const ODD: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];
    let bits = (u64::BITS - (count - 1).leading_zeros()).max(2);
    let mask = u64::MAX >> (u64::BITS - bits);
    let mut place = place;
    loop {
        for odd in ODD {
            place = place.wrapping_mul(odd).wrapping_add(key >> 7) & mask;
            place ^= place >> (bits / 2);
        }
        if place < count {
            return place;
        }
    }
}

struct Worker {
    file: File,
    buffer: Buffer,
    data: Data,
    mode: Mode,
    places: Places,
    /// Operations until the round ends early.
    left: u64,
}

impl Work for Worker {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let at = self.places.next() * self.buffer.bytes().len() as u64;
        if self.mode.reads() {
            system::read_at(&self.file, self.buffer.bytes_mut(), at)?;
            watch.mark(Part::Read);
        }
        if self.mode.writes() {
            // To write back what was read would be no new data to a device that deduplicates.
            self.data.fill(self.buffer.bytes_mut());
            watch.skip();
            system::write_at(&self.file, self.buffer.bytes(), at)?;
            watch.mark(Part::Write);
        }
        if self.mode.commits() {
            self.file.sync_data()?;
            watch.mark(Part::Commit);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_order_has_each_place_once_and_another_key_another_order() {
        for count in [1, 2, 3, 7, 64, 1000, 4097] {
            let order = |key| {
                let mut places = Places::new(Order::Random, count, 10, Data::new(key).next());
                (0..count).map(|_| places.next()).collect::<Vec<u64>>()
            };
            let mut sorted = order(1);
            sorted.sort_unstable();
            assert_eq!(sorted, (10..10 + count).collect::<Vec<u64>>());
            assert!(count < 7 || order(1) != order(2), "{count}");
        }
    }

    #[test]
    fn neighbours_of_a_random_order_are_as_near_as_chance_has_them() {
        let count = 65_536;
        let mut places = Places::new(Order::Random, count, 0, Data::new(3).next());
        let order: Vec<u64> = (0..count).map(|_| places.next()).collect();
        // Two random places are within a sixteenth of all with a chance of 2/16 − 1/256 = 12.1 %.
        let near = |w: &&[u64]| w[0].abs_diff(w[1]) < count / 16;
        let share = order.windows(2).filter(near).count() as f64 / count as f64;
        assert!((share - 0.121).abs() < 0.01, "{share}");
    }
}
