//! Text packed and unpacked in memory (deflate, as gzip has it): what a checkpoint costs its processor, beside the rows.
//!
//! The text is that of a checkpoint: a line for each record, with the names of a table and of a file, numbers and a digest. The
//! implementation is Rust's (`miniz_oxide`); p4d's is zlib.

use std::hint::black_box;
use std::io::{self, Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::data::Data;
use super::matrix::BLOCK;
use super::round::Work;
use super::stopwatch::{Part, Stopwatch};

/// Blocks of text, of which each operation takes another.
const BLOCKS: usize = 32;

/// Blocks of text, plain and packed.
#[derive(Debug)]
pub(super) struct Text {
    plain: Vec<Vec<u8>>,
    packed: Vec<Vec<u8>>,
}

/// A block of records of db.rev as a checkpoint writes them.
fn records(data: &mut Data, block: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(2 * BLOCK);
    let mut number = block * 1000;
    while text.len() < BLOCK {
        let (change, size, time) = (data.below(2_000_000), data.below(1 << 22), data.below(1 << 27));
        let line = format!(
            "@pv@ 9 @db.rev@ @//depot/main/src/module{:04}/file{number:08}.cpp@ {} 3 0 {change} {} {} {:016X}{:016X} {size} 0 0 \
             @//depot/main/src/module{:04}/file{number:08}.cpp@ @1.{change}@ 3 \n",
            number / 500,
            1 + data.below(20),
            1_400_000_000 + time,
            1_400_000_000 + time,
            data.next(),
            data.next(),
            number / 500,
        );
        text.extend_from_slice(line.as_bytes());
        number += 1;
    }
    text.truncate(BLOCK);
    text
}

fn pack(plain: &[u8], into: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(into, Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

impl Text {
    pub(super) fn create() -> io::Result<Self> {
        let mut data = Data::new(2);
        let plain: Vec<Vec<u8>> = (0..BLOCKS).map(|block| records(&mut data, block)).collect();
        let packed: io::Result<_> = plain.iter().map(|plain| pack(plain, Vec::new())).collect();
        Ok(Self { plain, packed: packed? })
    }

    /// One thread's work: packing, or unpacking.
    pub(super) fn work(text: &Arc<Self>, packs: bool) -> Box<dyn Work> {
        Box::new(Packer { text: Arc::clone(text), packs, next: 0, room: Vec::with_capacity(2 * BLOCK) })
    }
}

struct Packer {
    text: Arc<Text>,
    packs: bool,
    next: usize,
    room: Vec<u8>,
}

impl Work for Packer {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        self.room.clear();
        watch.skip();
        if self.packs {
            self.room = pack(&self.text.plain[self.next], std::mem::take(&mut self.room))?;
            black_box(&self.room);
            watch.mark(Part::Write);
        } else {
            DeflateDecoder::new(&self.text.packed[self.next][..]).read_to_end(&mut self.room)?;
            if black_box(&self.room).len() != BLOCK {
                return Err(io::Error::other("a text was not unpacked to what it was"));
            }
            watch.mark(Part::Read);
        }
        self.next = (self.next + 1) % BLOCKS;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_unpacked_to_what_it_was_and_packs_as_a_checkpoint_does() {
        let text = Text::create().expect("memory takes it");
        for (plain, packed) in text.plain.iter().zip(&text.packed) {
            let mut found = Vec::new();
            let read = DeflateDecoder::new(&packed[..]).read_to_end(&mut found);
            assert_eq!(read.expect("it is deflate"), BLOCK);
            assert_eq!(&found, plain);
            // Checkpoints shrink to a third or a quarter.
            assert!((3..8).contains(&(BLOCK / packed.len())), "{}", packed.len());
        }
    }
}
