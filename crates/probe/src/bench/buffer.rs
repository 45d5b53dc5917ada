//! Memory that a device can read and write without the kernel's copy.

/// What any device asks for \[B\]: a page of memory.
pub(super) const ALIGNMENT: usize = 4096;

/// A block of memory that begins at a page.
#[derive(Debug)]
pub(super) struct Buffer {
    room: Vec<u8>,
    begin: usize,
    length: usize,
}

impl Buffer {
    pub(super) fn new(length: usize) -> Self {
        let room = vec![0; length + ALIGNMENT];
        let begin = room.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Self { room, begin, length }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.room[self.begin..self.begin + self.length]
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.begin..self.begin + self.length]
    }
}
