//! The words around an anchor (the paper's section 3.1).
//!
//! Stop words are passed over and do not count: a window is a slice of the
//! page's words without them.

use crate::pages::{breaks, Anchor, PageView};
use crate::strategy::{Strategy, WindowKind};

/// The words around one anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window<'a> {
    /// Words before the anchor, the nearest last.
    pub left: &'a [u32],
    /// Words of the anchor.
    pub own: &'a [u32],
    /// Words after the anchor, the nearest first.
    pub right: &'a [u32],
    /// Where they begin among the page's words without stop words ([`PageWindows::content_words`]),
    /// one after another: left, own, right.
    pub start: usize,
    /// Position of the window's first word on the page.
    pub from: u32,
    /// Position after the window's last word.
    pub to: u32,
}

/// The windows of one page after another; keeps its memory between pages.
#[derive(Debug, Default)]
pub struct PageWindows {
    content_words: Vec<u32>,
    positions: Vec<u32>,
    ranks: Vec<u32>,
    cuts: Vec<u32>,
}

impl PageWindows {
    /// Turns to a page. `is_term` says of each word whether it is a term and not a stop word.
    pub fn turn_to(&mut self, page: &PageView<'_>, is_term: &[bool], strategy: &Strategy) {
        let count = page.words.len();
        self.content_words.resize(count, 0);
        self.positions.resize(count, 0);
        self.ranks.resize(count + 1, 0);
        // Without branches: which word is a stop word cannot be predicted.
        let mut rank = 0;
        for (position, &word) in page.words.iter().enumerate() {
            self.ranks[position] = rank as u32;
            self.content_words[rank] = word;
            self.positions[rank] = position as u32;
            rank += usize::from(is_term[word as usize]);
        }
        self.ranks[count] = rank as u32;
        self.content_words.truncate(rank);
        self.positions.truncate(rank);
        let cutting = cutting_breaks(strategy.window);
        self.cuts.clear();
        self.cuts.extend(
            page.breaks
                .iter()
                .filter(|at| at.kinds & cutting != 0)
                .map(|at| at.position),
        );
    }

    /// The page's words without stop words.
    pub fn content_words(&self) -> &[u32] {
        &self.content_words
    }

    /// Number of those before a position.
    pub fn rank(&self, position: u32) -> u32 {
        self.ranks[position as usize]
    }

    /// The window around an anchor, of at most `size` words a side.
    pub fn around(&self, anchor: &Anchor, size: usize) -> Window<'_> {
        let (first, last) = (anchor.first as usize, anchor.last as usize);
        let own = self.ranks[first] as usize..self.ranks[last] as usize;
        let lowest = self.rank_of_cut(
            self.cuts
                .partition_point(|&cut| cut <= anchor.first)
                .checked_sub(1),
        );
        let highest = self.cuts.partition_point(|&cut| cut < anchor.last);
        let highest = self
            .cuts
            .get(highest)
            .map_or(self.content_words.len(), |&cut| {
                self.ranks[cut as usize] as usize
            });
        let start = own.start.saturating_sub(size).max(lowest.min(own.start));
        let end = own
            .end
            .saturating_add(size)
            .min(highest.max(own.end))
            .min(self.content_words.len());
        let from = if start < own.start {
            self.positions[start]
        } else {
            anchor.first
        };
        let to = if end > own.end {
            self.positions[end - 1] + 1
        } else {
            anchor.last
        };
        Window {
            left: &self.content_words[start..own.start],
            own: &self.content_words[own.clone()],
            right: &self.content_words[own.end..end],
            start,
            from,
            to,
        }
    }

    fn rank_of_cut(&self, index: Option<usize>) -> usize {
        index.map_or(0, |index| self.ranks[self.cuts[index] as usize] as usize)
    }
}

fn cutting_breaks(kind: WindowKind) -> u8 {
    const TOPICAL: u8 = breaks::HEADING | breaks::LIST_END | breaks::TABLE_END;
    match kind {
        WindowKind::Basic => 0,
        WindowKind::Syntactic => {
            TOPICAL | breaks::PARAGRAPH | breaks::CELL | breaks::LIST_ITEM | breaks::SENTENCE_BREAK
        }
        WindowKind::Topical => TOPICAL,
    }
}
