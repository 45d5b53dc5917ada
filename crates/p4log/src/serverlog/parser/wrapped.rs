//! Lines that a paste broke in two are put together again.

use super::Parser;
use crate::serverlog::block::is_dashed;
use crate::serverlog::record::Sink;
use crate::serverlog::scan::Scan;
use crate::serverlog::server;
use crate::serverlog::track::Class;

/// Lines of a paste that are put together again.
const MOST_WRAPPED: u64 = 8;

/// Longest of these lines, in bytes.
pub(super) const LONGEST_WRAPPED: usize = 16 << 10;

impl Parser {
    /// Whether the line is the rest of one that ended too early.
    pub(super) fn goes_on(&mut self, line: &[u8], sink: &mut dyn Sink) -> bool {
        let text = line.trim_ascii_start();
        let begins = text.is_empty()
            || is_dashed(text).is_some()
            || server::header(text).is_some()
            || self.calendar.moment(&mut Scan::new(text)).is_some();
        if !begins && self.wrapped_lines < MOST_WRAPPED && line.len() < LONGEST_WRAPPED {
            match self.joined(text.trim_ascii_end(), sink) {
                Class::Understood | Class::Noise => {
                    self.understood.understood += self.wrapped_lines + 1;
                    self.wrapped_lines = 0;
                    return true;
                }
                Class::Partial => {
                    self.wrapped_lines += 1;
                    return true;
                }
                Class::Unknown => {}
            }
        }
        self.drop_wrapped(sink);
        false
    }

    /// What the kept beginning and a further line are together: mail wraps at a space, a terminal anywhere.
    fn joined(&mut self, text: &[u8], sink: &mut dyn Sink) -> Class {
        let mut whole = std::mem::take(&mut self.wrapped);
        let before = whole.len();
        let mut classes = [Class::Unknown; 2];
        for (class, between) in classes.iter_mut().zip([&b" "[..], b""]) {
            whole.truncate(before);
            whole.extend_from_slice(between);
            whole.extend_from_slice(text);
            *class = self.classify(&whole, self.wrapped_place, sink);
            if matches!(class, Class::Understood | Class::Noise) {
                break;
            }
        }
        let class = match classes {
            [Class::Partial, Class::Unknown | Class::Partial] => {
                whole.truncate(before);
                whole.push(b' ');
                whole.extend_from_slice(text);
                Class::Partial
            }
            [Class::Unknown, Class::Unknown] => {
                whole.truncate(before);
                Class::Unknown
            }
            [Class::Unknown | Class::Partial, second] => second,
            [first, _] => first,
        };
        self.wrapped = whole;
        class
    }

    /// What was kept of a wrapped line is not understood.
    pub(super) fn drop_wrapped(&mut self, sink: &mut dyn Sink) {
        if self.wrapped_lines > 0 {
            self.understood.unknown += self.wrapped_lines;
            self.wrapped_lines = 0;
            let (bytes, place) = (self.wrapped.len() as u64 + 1, self.wrapped_place);
            let line = std::mem::take(&mut self.wrapped);
            self.unknown.line(place, bytes, &line, false, sink);
            self.wrapped = line;
        }
    }
}
