//! Letters of scripts that are written without spaces, two by two.

use unicode_normalization::UnicodeNormalization;

use super::letters::is_plain_spaceless;
use super::scanner::WordSink;
use super::short::ShortWord;

/// A letter with the marks that follow it.
#[derive(Debug, Clone, Copy, Default)]
struct Unit {
    bytes: [u8; LONGEST],
    length: usize,
    /// It is as it is, whatever its neighbours are.
    plain: bool,
}

/// Marks of one letter past this many bytes are dropped.
const LONGEST: usize = 32;

impl Unit {
    fn new(letter: char) -> Self {
        let mut unit = Self::default();
        unit.push(letter);
        unit.plain = is_plain_spaceless(letter);
        unit
    }

    fn push(&mut self, letter: char) {
        let room = &mut self.bytes[self.length..];
        if letter.len_utf8() <= room.len() {
            self.length += letter.encode_utf8(room).len();
        }
        self.plain = false;
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The last one or two letters of a run: a pair is given out when the next letter shows that
/// its second one is complete.
#[derive(Debug, Default)]
pub(super) struct Units {
    units: [Unit; 2],
    count: usize,
}

impl Units {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The next letter of the run.
    pub(super) fn letter(&mut self, letter: char, sink: &mut impl WordSink) {
        if self.count == self.units.len() {
            self.pair(sink);
            self.units[0] = self.units[1];
            self.count = 1;
        }
        self.units[self.count] = Unit::new(letter);
        self.count += 1;
    }

    /// A mark on the last letter.
    pub(super) fn mark(&mut self, mark: char) {
        if let Some(last) = self.units[..self.count].last_mut() {
            last.push(mark);
        }
    }

    /// The run is at its end.
    pub(super) fn finish(&mut self, sink: &mut impl WordSink) {
        if !self.is_empty() {
            self.pair(sink);
            self.count = 0;
        }
    }

    fn pair(&self, sink: &mut impl WordSink) {
        match &self.units[..self.count] {
            [one, two] if one.plain && two.plain => {
                let mut bytes = [0; 8];
                bytes[..one.length].copy_from_slice(one.bytes());
                bytes[one.length..one.length + two.length].copy_from_slice(two.bytes());
                sink.short_word(ShortWord::new(&bytes[..one.length + two.length]));
            }
            units => {
                let bytes: Vec<u8> = units.iter().flat_map(Unit::bytes).copied().collect();
                let pair: String = String::from_utf8_lossy(&bytes).nfc().collect();
                sink.word(pair.as_bytes());
            }
        }
    }
}
