//! Merging by URL (a hash-partitioned group-by): all evidence about the URLs of one partition.
//!
//! Sums of integers only, so the order of the evidence does not matter.

pub(super) mod accumulate;
pub(super) mod term_accumulator;

use super::addresses::Aliases;
use super::captures::forged::{ForgedUrls, UrlUse, NAMELESS};
use super::captures::latest::SupersededCaptures;
use super::captures::standby::Standby;
use super::merge::accumulate::{BagAccumulator, Evidence, PartitionBags, STOP};
use super::raw::RawBags;
use super::templates::Templates;
use crate::columns::{clear_for, Column, Ragged};
use crate::fragments::FragmentBlock;
use crate::hash;
use crate::sorting::{sort_by_hash, Ranks};
use crate::spill::{PartLocation, SpillError};
use crate::strategy::Strategy;

/// A URL of the partition.
#[derive(Debug, Clone)]
pub(crate) struct UrlRow {
    /// Segment and number of its URL in it.
    pub name: (u32, u32),
    /// Segment and place of its page, if it was crawled.
    pub page: Option<(u32, u32)>,
    /// How many pages link to it.
    pub inlinks: u32,
}

/// A link, ready for the link table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkRow {
    pub target: u64,
    pub source: u64,
    pub block: u32,
    pub link: u32,
}

/// Facts of the whole crawl: captures that do not count, templates, which are not evidence, and other
/// addresses of pages.
#[derive(Debug, Clone, Copy)]
pub struct CrawlFacts<'a> {
    /// Captures that others replace.
    pub superseded: &'a SupersededCaptures,
    /// Pagelets that are templates.
    pub templates: &'a Templates,
    /// Other addresses of pages.
    pub aliases: &'a Aliases,
}

/// A term, and a word of a block that stands for it.
type TermUse = (u64, u32, u32);

/// A merged partition: URLs in order of their ids, and their raw bags. The next one reuses its memory:
/// touching new memory costs as much time as the work done in it.
#[derive(Debug, Default)]
pub struct MergedPartition {
    pub(crate) blocks: Vec<FragmentBlock>,
    pub(crate) urls: Ranks,
    pub(crate) rows: Vec<UrlRow>,
    pub(crate) links: Vec<LinkRow>,
    forged: ForgedUrls,
    /// Ids of pages, and other addresses of them: block and row.
    pub(crate) variants: Vec<(u64, (u32, u32))>,
    /// What is kept beside the pages.
    pub(crate) standby: Standby,
    pub(crate) bags: PartitionBags,
    /// Of each crawled page the words in templates: from, to, and so on.
    pub(crate) template_words: Ragged<u32>,
    /// Of each block's words, and last of the links' sources, the places of their terms.
    pub(super) maps: Vec<Vec<u32>>,
    named: Vec<TermUse>,
    spare: Vec<TermUse>,
}

impl MergedPartition {
    /// How many URLs there are.
    pub fn urls(&self) -> usize {
        self.rows.len()
    }

    /// How many URLs are left out because their ids are those of others.
    pub fn urls_left_out(&self) -> usize {
        self.forged.count
    }

    /// The bags, not yet weighed.
    pub fn bags(&self) -> &RawBags {
        &self.bags.raw
    }

    /// Merges the blocks of one partition, in place of the partition before. Templates are not
    /// evidence.
    pub fn merge(
        &mut self,
        blocks: &[PartLocation],
        facts: CrawlFacts<'_>,
        strategy: &Strategy,
    ) -> Result<(), SpillError> {
        self.blocks
            .resize_with(blocks.len(), FragmentBlock::default);
        for (block, part) in self.blocks.iter_mut().zip(blocks) {
            block.read_part(part)?;
            let none = block.terms.len() as u32;
            block
                .links
                .leave_out(|key| facts.templates.contains(key), none);
        }
        (self.urls, self.rows, self.forged) = url_rows(&self.blocks, facts);
        self.find_links(facts);
        self.find_variants();
        self.standby = Standby::find(&self.blocks, &self.urls, &self.rows, facts.superseded);
        let entries = self.blocks.iter().map(FragmentBlock::likely_entries);
        let entries = entries.sum::<usize>() + self.links.len();
        let bags = &mut self.bags.raw;
        bags.begin(entries, strategy.lead > 0);
        bags.urls.extend_from_slice(self.urls.values());
        self.find_terms(strategy);
        self.gather(facts, strategy);
        self.find_template_words(facts.templates);
        Ok(())
    }

    /// The words of each crawled page that are in templates; pagelets side by side are one.
    fn find_template_words(&mut self, templates: &Templates) {
        self.template_words.clear();
        let pages = self.rows.iter().filter_map(|row| row.page);
        for (block, page) in pages {
            let pagelets = self.blocks[block as usize].pagelets_of(page as usize);
            let mut places: Vec<u32> = Vec::new();
            for (words, _) in pagelets.iter().filter(|&(_, key)| templates.contains(key)) {
                if places.last() == Some(&(words.start as u32)) {
                    places.pop();
                } else {
                    places.push(words.start as u32);
                }
                places.push(words.end as u32);
            }
            self.template_words.push(places);
        }
    }

    /// The links of live pages by target, source and place.
    fn find_links(&mut self, facts: CrawlFacts<'_>) {
        let Self {
            blocks,
            links,
            forged,
            ..
        } = self;
        let count = blocks.iter().map(|block| block.links.target.len());
        clear_for(links, count.sum());
        for (number, block) in (0..).zip(blocks.iter()) {
            let kept = live_links(block, facts)
                .filter(|&link| !forged.contains((number, block.links.target[link])));
            links.extend(kept.map(|link| LinkRow {
                target: block.captures.url_ids[block.links.target[link] as usize],
                source: block.links.source[link],
                block: number,
                link: link as u32,
            }));
        }
        let anchor = |row: &LinkRow| {
            let places = &blocks[row.block as usize].links.places;
            [1, 2].map(|at| places[row.link as usize * 4 + at])
        };
        let target = |row: &LinkRow| row.target;
        sort_by_hash((links, &mut Vec::new()), target, |one, other| {
            let by_page = (one.target, one.source).cmp(&(other.target, other.source));
            by_page.then_with(|| anchor(one).cmp(&anchor(other)))
        });
    }

    /// The other addresses of each page, each once and in order.
    fn find_variants(&mut self) {
        let Self {
            blocks, variants, ..
        } = self;
        variants.clear();
        for (number, block) in (0..).zip(blocks.iter()) {
            let rows = (0..).zip(&block.variant_of);
            variants.extend(rows.map(|(row, &page)| (page, (number, row))));
        }
        let name = |&(page, (block, row)): &(u64, (u32, u32))| {
            let names = &blocks[block as usize].variants;
            (page, names.bytes_of(row as usize))
        };
        variants.sort_unstable_by(|one, other| name(one).cmp(&name(other)));
        variants.dedup_by(|one, other| name(one) == name(other));
    }

    /// The distinct terms, and of each block's words which of them they are.
    fn find_terms(&mut self, strategy: &Strategy) {
        let mut named = std::mem::take(&mut self.named);
        let words = self.blocks.iter().map(|block| block.terms.len());
        clear_for(&mut named, words.sum::<usize>() + self.links.len());
        for (number, block) in (0..).zip(&self.blocks) {
            let words = (0..).zip(&block.terms);
            let words = words.map(|(word, &term)| (term, number, word));
            named.extend(words.filter(|named| named.0 != 0));
        }
        if strategy.needs_link() {
            let links = (0..).zip(&self.links);
            let number = self.blocks.len() as u32;
            named.extend(links.map(|(at, link)| (hash::link_term(link.source), number, at)));
        }
        let all = (&mut named, &mut self.spare);
        sort_by_hash(all, |named| named.0, |one, other| one.0.cmp(&other.0));
        self.number_terms(&named);
        self.named = named;
    }

    /// Gives terms that are in order their places.
    fn number_terms(&mut self, named: &[TermUse]) {
        let words = self.blocks.iter().map(|block| block.terms.len());
        let lengths = words.chain([self.links.len()]);
        self.maps.resize_with(self.blocks.len() + 1, Vec::new);
        // One more for words that are left out of windows.
        for (map, length) in self.maps.iter_mut().zip(lengths) {
            clear_for(map, length + 1);
            map.resize(length + 1, STOP);
        }
        let terms = &mut self.bags.raw.terms;
        for same in named.chunk_by(|one, other| one.0 == other.0) {
            for &(_, block, word) in same {
                self.maps[block as usize][word as usize] = terms.len() as u32;
            }
            terms.push(same[0].0);
        }
    }

    /// Adds up the evidence about each URL.
    fn gather(&mut self, facts: CrawlFacts<'_>, strategy: &Strategy) {
        let (maps, sources) = self.maps.split_at(self.blocks.len());
        let sources = sources.first().map_or(&[][..], |places| places);
        let evidence = Evidence {
            blocks: &self.blocks,
            maps,
            facts,
        };
        let mut bag = BagAccumulator::new(evidence, strategy, &mut self.bags);
        let mut next_link = 0;
        for (row, &id) in self.rows.iter_mut().zip(self.urls.values()) {
            let from = next_link;
            let more = self.links[from..].iter();
            next_link += more.take_while(|link| link.target == id).count();
            let links = &self.links[from..next_link];
            row.inlinks = distinct_sources(links);
            bag.add_page(row.page);
            bag.add_cited(row.page, id);
            bag.add_links(links, &sources[from..next_link]);
            bag.finish();
        }
    }
}

/// The captures of a block that no later one replaces.
fn live_pages<'a>(
    block: &'a FragmentBlock,
    superseded: &'a SupersededCaptures,
) -> impl Iterator<Item = usize> + 'a {
    let (run, numbers) = (block.captures.run(), &block.captures.number);
    (0..numbers.len()).filter(move |&page| !superseded.contains(run, numbers[page]))
}

/// The links of a block that are on such captures.
fn live_links<'a>(
    block: &'a FragmentBlock,
    facts: CrawlFacts<'a>,
) -> impl Iterator<Item = usize> + 'a {
    let (run, pages) = (block.captures.run(), &block.links.page);
    let (ids, targets) = (&block.captures.url_ids, &block.links.target);
    // Links to other addresses of a page have moved to it.
    let has_moved = move |link: usize| facts.aliases.page_of(ids[targets[link] as usize]).is_some();
    (0..pages.len())
        .filter(move |&link| !facts.superseded.contains(run, pages[link]) && !has_moved(link))
}

/// Which of a block's URLs are those of live pages or of targets of live links.
fn used_urls(block: &FragmentBlock, facts: CrawlFacts<'_>) -> Vec<bool> {
    let mut is_used = vec![false; block.captures.url_ids.len()];
    for page in live_pages(block, facts.superseded) {
        is_used[block.captures.url[page] as usize] = true;
    }
    for link in live_links(block, facts) {
        is_used[block.links.target[link] as usize] = true;
    }
    is_used
}

/// How many URLs a merge of these blocks will have: those of replaced captures do not count.
pub fn count_urls(blocks: &[PartLocation], facts: CrawlFacts<'_>) -> Result<usize, SpillError> {
    let (mut block, mut ids) = (FragmentBlock::default(), Vec::new());
    for part in blocks {
        block.read_part(part)?;
        let used = used_urls(&block, facts);
        let urls = block.captures.url_ids.iter().zip(used);
        ids.extend(urls.filter(|&(_, used)| used).map(|(&id, _)| id));
    }
    Ok(Ranks::new(ids).len())
}

/// The partition's URLs, those of live pages and of targets of live links; and the URLs left out.
fn url_rows(blocks: &[FragmentBlock], facts: CrawlFacts<'_>) -> (Ranks, Vec<UrlRow>, ForgedUrls) {
    let mut names: Vec<UrlUse> = Vec::new();
    let mut moved: Vec<UrlUse> = Vec::new();
    for (number, block) in (0..).zip(blocks) {
        let is_used = used_urls(block, facts);
        let urls = (0..).zip(&block.captures.url_ids).zip(is_used);
        let used = urls.filter(|&(_, is_used)| is_used);
        let used = used.map(|((url, &id), _)| (id, (number, url)));
        if block.is_moved() {
            moved.extend(used);
        } else {
            names.extend(used);
        }
    }
    let ids = names.iter().chain(&moved).map(|name| name.0);
    let urls = Ranks::new(ids.collect());
    let nothing = UrlRow {
        name: NAMELESS,
        page: None,
        inlinks: 0,
    };
    let mut rows = vec![nothing; urls.len()];
    for (number, block) in (0..).zip(blocks) {
        for page in live_pages(block, facts.superseded) {
            let row = &mut rows[urls.of(block.captures.url_id_of(page)) as usize];
            row.page = Some((number, page as u32));
            row.name = (number, block.captures.url[page]);
        }
        // A capture that lost its id to another URL is counted as well.
        let captures = block.captures.url.iter();
        names.extend(captures.map(|&url| (block.captures.url_ids[url as usize], (number, url))));
    }
    let forged = ForgedUrls::find(blocks, &names, &urls, &mut rows);
    // Moved links name their page by another address, which is its name if its capture does not count.
    for (id, name) in moved {
        let row = &mut rows[urls.of(id) as usize];
        if row.name == NAMELESS {
            row.name = name;
        }
    }
    (urls, rows, forged)
}

fn distinct_sources(links: &[LinkRow]) -> u32 {
    links
        .chunk_by(|one, other| one.source == other.source)
        .count() as u32
}
