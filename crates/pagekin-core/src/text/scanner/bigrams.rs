//! Character bigrams for scripts that are written without spaces.

use unicode_normalization::UnicodeNormalization;

use crate::text::scanner::letters::is_plain_spaceless;
use crate::text::scanner::WordSink;
use crate::text::short::ShortWord;

/// A letter with the combining marks that follow it.
#[derive(Debug, Clone, Copy, Default)]
struct LetterCluster {
    bytes: [u8; MAX_BYTES],
    length: usize,
    /// No neighbour changes it.
    plain: bool,
}

/// Marks of a letter beyond this many bytes are dropped.
const MAX_BYTES: usize = 32;

impl LetterCluster {
    fn new(letter: char) -> Self {
        let mut cluster = Self::default();
        cluster.push(letter);
        cluster.plain = is_plain_spaceless(letter);
        cluster
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

/// The last one or two letters of a text. A bigram is complete when the next letter shows that its
/// second letter has no more marks.
#[derive(Debug, Default)]
pub(in crate::text) struct BigramBuffer {
    clusters: [LetterCluster; 2],
    count: usize,
}

impl BigramBuffer {
    #[inline]
    pub(in crate::text) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The next letter.
    pub(in crate::text) fn letter(&mut self, letter: char, sink: &mut impl WordSink) {
        if self.count == self.clusters.len() {
            self.pair(sink);
            self.clusters[0] = self.clusters[1];
            self.count = 1;
        }
        self.clusters[self.count] = LetterCluster::new(letter);
        self.count += 1;
    }

    /// A mark on the last letter.
    pub(in crate::text) fn mark(&mut self, mark: char) {
        if let Some(last) = self.clusters[..self.count].last_mut() {
            last.push(mark);
        }
    }

    /// Ends the text.
    pub(in crate::text) fn finish(&mut self, sink: &mut impl WordSink) {
        if !self.is_empty() {
            self.pair(sink);
            self.count = 0;
        }
    }

    fn pair(&self, sink: &mut impl WordSink) {
        match &self.clusters[..self.count] {
            [one, two] if one.plain && two.plain => {
                let mut bytes = [0; 8];
                bytes[..one.length].copy_from_slice(one.bytes());
                bytes[one.length..one.length + two.length].copy_from_slice(two.bytes());
                sink.short_word(ShortWord::new(&bytes[..one.length + two.length]));
            }
            clusters => {
                let bytes: Vec<u8> = clusters
                    .iter()
                    .flat_map(LetterCluster::bytes)
                    .copied()
                    .collect();
                let pair: String = String::from_utf8_lossy(&bytes).nfc().collect();
                sink.word(pair.as_bytes());
            }
        }
    }
}
