//! A 4-ary heap of times, each kept as the bits of a positive `f64`, which order as the times do.

/// Times, the least on top.
pub(super) struct Heap {
    /// Keys; beyond the length the largest there is, so that four children can always be compared.
    keys: Vec<u64>,
    len: usize,
}

impl Heap {
    pub(super) fn new(most: usize) -> Self {
        Self { keys: vec![u64::MAX; most + 4], len: 0 }
    }

    /// The least time; not a number where there is none.
    #[inline]
    pub(super) fn top(&self) -> f64 {
        f64::from_bits(self.keys[0])
    }

    #[inline]
    pub(super) fn push(&mut self, time: f64) {
        let key = time.to_bits();
        let mut hole = self.len;
        self.len += 1;
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if self.keys[parent] <= key {
                break;
            }
            self.keys[hole] = self.keys[parent];
            hole = parent;
        }
        self.keys[hole] = key;
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.len -= 1;
        let last = std::mem::replace(&mut self.keys[self.len], u64::MAX);
        if self.len > 0 {
            self.replace_top(last);
        }
    }

    #[inline]
    fn replace_top(&mut self, key: u64) {
        let keys = &mut self.keys[..];
        let mut hole = 0;
        loop {
            let first = 4 * hole + 1;
            if first >= self.len {
                break;
            }
            let four = &keys[first..first + 4];
            let least = |a: usize, b: usize| if four[b] < four[a] { b } else { a };
            let child = least(least(0, 1), least(2, 3));
            if four[child] >= key {
                break;
            }
            keys[hole] = four[child];
            hole = first + child;
        }
        keys[hole] = key;
    }
}
