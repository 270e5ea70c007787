//! Aggregation by group: the evidence about one URL after another, summed by term.

use std::iter::repeat;

use crate::bags::merge::term_accumulator::TermAccumulator;
use crate::bags::merge::{CrawlFacts, LinkRow};
use crate::bags::raw::RawBags;
use crate::columns::zeros;
use crate::fragments::FragmentBlock;
use crate::hash::mixed;
use crate::strategy::{Strategy, UNIT};

/// The place of a stop word, which is not a term.
pub(in crate::bags) const STOP: u32 = u32::MAX;

/// Maximum number of cited pages: links further down a page say little of its subject.
const MAX_CITED: usize = 16;

/// The weights of the words of a window, by their distance from the anchor.
struct WindowWeights {
    /// Of the words before it, the farthest first.
    before: Vec<u32>,
    own: u32,
    after: Vec<u32>,
}

impl WindowWeights {
    fn new(strategy: &Strategy) -> Self {
        let weights = strategy.distance_weights();
        let (own, after) = weights.split_first().unwrap_or((&UNIT, &[]));
        let after: Vec<u32> = after.iter().map(|&weight| weight as u32).collect();
        Self {
            before: after.iter().rev().copied().collect(),
            own: *own as u32,
            after,
        }
    }

    /// Of the last N words before the anchor.
    fn before(&self, words: usize) -> &[u32] {
        &self.before[self.before.len() - words..]
    }
}

/// The evidence about the URLs of a partition, and working memory.
#[derive(Debug, Default)]
pub(crate) struct PartitionBags {
    /// In how many of the partition's bags each term is.
    pub frequencies: Vec<u32>,
    /// The bags, not yet weighed.
    pub raw: RawBags,
    /// How often each block's words stand on crawled pages.
    pub word_counts: Vec<Vec<u32>>,
    page_counts: Vec<Vec<u32>>,
    distinct: Vec<u32>,
    /// The words of a page that are in no template.
    own: Vec<u32>,
    /// Hashes of templates and of the words by which they link to the page.
    named_by: Vec<u64>,
    bag: TermAccumulator,
}

/// The blocks of a partition, the place of each of their words among the bags' terms, and what is left
/// out of them.
#[derive(Clone, Copy)]
pub(in crate::bags) struct Evidence<'a> {
    pub(in crate::bags) blocks: &'a [FragmentBlock],
    pub(in crate::bags) maps: &'a [Vec<u32>],
    pub(in crate::bags) facts: CrawlFacts<'a>,
}

impl PartitionBags {
    /// No evidence yet, from blocks whose terms are those of the bags.
    fn begin(&mut self, blocks: &[FragmentBlock], strategy: &Strategy) {
        let terms = self.raw.terms.len();
        zeros(&mut self.frequencies, terms);
        for counts in [&mut self.word_counts, &mut self.page_counts] {
            counts.resize_with(blocks.len(), Vec::new);
            for (counts, block) in counts.iter_mut().zip(blocks) {
                zeros(counts, block.words.len());
            }
        }
        self.bag.begin(terms, strategy.lead > 0);
    }
}

/// Sums up one bag after another.
pub(in crate::bags) struct BagAccumulator<'a> {
    from: Evidence<'a>,
    strategy: &'a Strategy,
    weights: WindowWeights,
    to: &'a mut PartitionBags,
}

impl<'a> BagAccumulator<'a> {
    /// Nothing yet.
    pub(in crate::bags) fn new(
        from: Evidence<'a>,
        strategy: &'a Strategy,
        to: &'a mut PartitionBags,
    ) -> Self {
        to.begin(from.blocks, strategy);
        Self {
            from,
            strategy,
            weights: WindowWeights::new(strategy),
            to,
        }
    }

    /// The words of the page itself; its title also speaks as an anchor would.
    pub(in crate::bags) fn add_page(&mut self, page: Option<(u32, u32)>) {
        let Some((number, page)) = page else { return };
        let block = &self.from.blocks[number as usize];
        let title = block.texts.title_words.row(page as usize);
        let map = &self.from.maps[number as usize];
        let mut own = std::mem::take(&mut self.to.own);
        let words = self.own_words(block, map, page as usize, &mut own);
        if words.len() < block.texts.words.row(page as usize).len() {
            self.count_forms(number as usize, page as usize);
        }
        self.count_words(number as usize, words.iter().chain(title));
        if self.strategy.lead > 0 {
            self.weigh_words(map, words, title);
        }
        self.to.own = own;
        if self.strategy.needs_anchor() {
            let title = title.iter().zip(repeat(&self.weights.own));
            add_linked(&mut self.to.bag, map, title);
        }
    }

    /// Counts the words of a page's templates: a link in one may name a page by words that stand
    /// nowhere else.
    fn count_forms(&mut self, number: usize, page: usize) {
        let block = &self.from.blocks[number];
        let words = block.texts.words.row(page);
        let counts = &mut self.to.word_counts[number];
        for (range, key) in block.pagelets_of(page).iter() {
            if self.from.facts.templates.contains(key) {
                for &word in &words[range] {
                    counts[word as usize] += 1;
                }
            }
        }
    }

    /// The words of a page that are in no template; all of them if no term would be left.
    fn own_words<'w>(
        &self,
        block: &'w FragmentBlock,
        map: &[u32],
        page: usize,
        own: &'w mut Vec<u32>,
    ) -> &'w [u32] {
        let words = block.texts.words.row(page);
        let pagelets = block.pagelets_of(page);
        if !pagelets.any(|key| self.from.facts.templates.contains(key)) {
            return words;
        }
        own.clear();
        for (range, key) in pagelets.iter() {
            if !self.from.facts.templates.contains(key) {
                own.extend_from_slice(&words[range]);
            }
        }
        let has_term = own.iter().any(|&word| map[word as usize] != STOP);
        if has_term {
            own
        } else {
            words
        }
    }

    /// The first pages that the page, which has this id, links to outside of templates, each once.
    pub(in crate::bags) fn add_cited(&mut self, page: Option<(u32, u32)>, id: u64) {
        if !self.strategy.needs_cited() {
            return;
        }
        let mut cited: Vec<u64> = Vec::new();
        if let Some((number, page)) = page {
            let block = &self.from.blocks[number as usize];
            let texts = &block.texts;
            let links = texts.cited.row(page as usize).iter();
            let links = links.zip(texts.cited_at.row(page as usize));
            let pagelets = block.pagelets_of(page as usize);
            for (&target, &at) in links {
                let is_template = |key| self.from.facts.templates.contains(key);
                if cited.len() == MAX_CITED {
                    break;
                }
                let target = self.from.facts.aliases.page_of(target).unwrap_or(target);
                let is_new = target != id && !cited.contains(&target);
                if is_new && !pagelets.key_at(at).is_some_and(is_template) {
                    cited.push(target);
                }
            }
        }
        self.to.raw.cited.push(cited);
    }

    /// Counts each word first and looks at the distinct ones then: a word
    /// stands three times on a page on average.
    fn count_words<'w>(&mut self, number: usize, words: impl Iterator<Item = &'w u32>) {
        let counts = &mut self.to.page_counts[number];
        let mut distinct = 0;
        // Without branches: whether a word is new cannot be predicted.
        for &word in words {
            if distinct == self.to.distinct.len() {
                self.to.distinct.resize(distinct * 2 + 64, 0);
            }
            let count = &mut counts[word as usize];
            self.to.distinct[distinct] = word;
            distinct += usize::from(*count == 0);
            *count += 1;
        }
        for &word in &self.to.distinct[..distinct] {
            let count = std::mem::take(&mut self.to.page_counts[number][word as usize]);
            self.to.word_counts[number][word as usize] += count;
            let term = self.from.maps[number][word as usize];
            if term != STOP {
                self.to.bag.add_content(term, count);
            }
        }
    }

    /// Adds up the weights of counted words by position; the title stands at the first.
    fn weigh_words(&mut self, map: &[u32], words: &[u32], title: &[u32]) {
        let strategy = self.strategy;
        let term = |word: &u32| Some(map[*word as usize]).filter(|&term| term != STOP);
        for (position, term) in (0..).zip(words.iter().filter_map(term)) {
            self.to.bag.add_early(term, strategy.lead_weight(position));
        }
        for term in title.iter().filter_map(term) {
            self.to.bag.add_early(term, strategy.lead_weight(0));
        }
    }

    /// The windows of the links to the page, and the linking pages; `places` are those of their
    /// terms.
    pub(in crate::bags) fn add_links(&mut self, links: &[LinkRow], places: &[u32]) {
        if self.strategy.needs_anchor() {
            self.to.named_by.clear();
            links.iter().for_each(|link| self.add_window(link));
        }
        if self.strategy.needs_link() {
            let mut last = None;
            for (link, &term) in links.iter().zip(places) {
                let block = &self.from.blocks[link.block as usize];
                let in_template = block.links.template_words_of(link.link as usize).is_some();
                if !in_template && last.replace(link.source) != Some(link.source) {
                    self.to.bag.add_linked([(term, UNIT as u32)].into_iter());
                }
            }
        }
    }

    fn add_window(&mut self, link: &LinkRow) {
        let links = &self.from.blocks[link.block as usize].links;
        let map = &self.from.maps[link.block as usize];
        let weights = &self.weights;
        if let Some(own) = links.template_words_of(link.link as usize) {
            // A menu is the same on every page: it counts once, without the words around the link.
            let terms = &self.from.blocks[link.block as usize].terms;
            let terms = own.iter().map(|&word| terms[word as usize]);
            let said = mixed(links.pagelet[link.link as usize], terms);
            if !self.to.named_by.contains(&said) {
                self.to.named_by.push(said);
                add_linked(&mut self.to.bag, map, own.iter().zip(repeat(&weights.own)));
            }
            return;
        }
        let [left, own, right] = links.window_of(link.link as usize);
        let before = weights.before(left.len());
        add_linked(&mut self.to.bag, map, left.iter().zip(before));
        add_linked(&mut self.to.bag, map, own.iter().zip(repeat(&weights.own)));
        add_linked(&mut self.to.bag, map, right.iter().zip(&weights.after));
    }

    pub(in crate::bags) fn finish(&mut self) {
        let PartitionBags {
            frequencies,
            raw: bags,
            bag,
            ..
        } = &mut *self.to;
        let start = bags.term.len();
        bag.finish(bags);
        // Without the content kind a page's own words weigh nothing, but they are counted, since
        // postings need them.
        let counts = self.strategy.needs_content();
        for (&term, &linked) in bags.term[start..].iter().zip(&bags.linked[start..]) {
            frequencies[term as usize] += u32::from(counts || linked > 0);
        }
    }
}

/// Adds words to a bag with the weights they have as anchors.
#[inline(always)]
fn add_linked<'w>(
    bag: &mut TermAccumulator,
    map: &[u32],
    words: impl Iterator<Item = (&'w u32, &'w u32)>,
) {
    let terms = words.map(|(&word, &weight)| (map[word as usize], weight));
    bag.add_linked(terms.filter(|&(term, _)| term != STOP));
}
