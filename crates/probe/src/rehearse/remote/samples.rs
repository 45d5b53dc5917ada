//! Samples on the wire: 52 bytes each, numbers with their lowest byte first.

use super::super::client::Sample;
use super::super::connection::{Parts, word};

/// Bytes of a sample.
pub(super) const BYTES: usize = 4 + 6 * 8;
/// About as many samples as a rehearsal may have: they are kept in memory until the end.
pub(super) const MOST: u64 = 4_000_000;

/// All of them, one after the other.
pub(super) fn written(samples: &[Sample]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(samples.len() * BYTES);
    for sample in samples {
        bytes.extend_from_slice(&(sample.kind as u32).to_le_bytes());
        let [locks, storage, processor, network] = sample.parts.array();
        for number in [
            sample.at,
            sample.response,
            locks,
            storage,
            processor,
            network,
        ] {
            bytes.extend_from_slice(&number.to_bits().to_le_bytes());
        }
    }
    bytes
}

/// Samples from bytes; none where one cannot be, of `kinds` kinds of work in a rehearsal of so many seconds.
pub(super) fn read(bytes: &[u8], kinds: usize, time: f64) -> Option<Vec<Sample>> {
    let each = bytes.chunks_exact(BYTES).map(|bytes| {
        let kind = u32::from_le_bytes(bytes[..4].try_into().ok()?) as usize;
        let numbers: Vec<f64> = bytes[4..]
            .chunks_exact(8)
            .map(|number| f64::from_bits(word(number)))
            .collect();
        let [at, response, locks, storage, processor, network] = numbers[..] else {
            return None;
        };
        // A command that ends has begun, and the last one may end a little late.
        let most = 2.0 * time + 60.0;
        let can_be = numbers.iter().all(|number| (0.0..=most).contains(number));
        (kind < kinds && can_be).then_some(Sample {
            kind,
            at,
            response,
            parts: Parts::of([locks, storage, processor, network]),
        })
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kind: usize, response: f64) -> Sample {
        Sample {
            kind,
            at: 1.25,
            response,
            parts: Parts::of([0.1, 0.2, 0.3, 0.4]),
        }
    }

    #[test]
    fn samples_come_over_whole() {
        let samples = [sample(0, 0.5), sample(2, 1e-9)];
        let bytes = written(&samples);
        assert_eq!(bytes.len(), 2 * BYTES);
        assert_eq!(read(&bytes, 3, 10.0).as_deref(), Some(&samples[..]));
    }

    #[test]
    fn what_cannot_be_is_no_sample() {
        assert_eq!(read(&written(&[sample(3, 0.5)]), 3, 10.0), None);
        for response in [-1.0, f64::NAN, f64::INFINITY, 1e6] {
            assert_eq!(read(&written(&[sample(0, response)]), 3, 10.0), None);
        }
    }
}
