//! A block of pages to a run.

use std::io;

use super::place::PartWriter;
use super::segment::{Segment, SegmentLinks, NO_DATE};
use crate::fragments::PageWindows;
use crate::hash;
use crate::pages::{PageBlock, PageView};
use crate::strategy::Strategy;

/// Links further down a page say little of what it is about.
const MOST_CITED: usize = 16;

/// Writes the block's evidence, one segment for each of `2^bits` partitions.
pub fn write_run(
    block: &PageBlock,
    strategy: &Strategy,
    files: &[String],
    run: u32,
    bits: u32,
    out: &mut PartWriter<'_>,
) -> io::Result<()> {
    let Fragments { names, kept, links } = Fragments::new(block, strategy, bits);
    let pages = pages_by_partition(block, &names, bits);
    let cites = strategy.needs_cited();
    let mut maker = SegmentMaker::new(block, files, &names, &kept, cites);
    for (pages, links) in pages.into_iter().zip(links) {
        let segment = maker.segment(run, &pages, &links);
        out.put(|bytes| segment.pack(bytes))?;
    }
    Ok(())
}

/// The evidence of a block in memory. A page's own words are the block's; here is
/// what terms they are, and every link with its window, by partition of the target.
pub struct Fragments {
    names: Names,
    /// The words that are no stop words, of all pages with links. Each window is a part of them:
    /// copied, they would be the largest thing in memory.
    kept: Vec<u32>,
    links: Vec<Vec<FoundLink>>,
}

/// A link by numbers of the block, without the words of its window. There are many, so it is
/// kept small.
struct FoundLink {
    page: u32,
    /// Its place among the page's links.
    anchor: u32,
    /// Where its window is on the page, in words.
    from: u32,
    to: u32,
    /// Words left, own, right.
    counts: [u32; 3],
    /// Where its window begins in [`Fragments::kept`].
    start: u32,
}

impl Fragments {
    /// The evidence of a block for `2^bits` partitions.
    pub fn new(block: &PageBlock, strategy: &Strategy, bits: u32) -> Self {
        // Targets are hashes, so every partition has about as many links; what is not needed of
        // their room is never touched.
        let room = (block.anchors.len() >> bits) * 5 / 4;
        let mut fragments = Self {
            names: Names::new(block, strategy),
            kept: Vec::with_capacity(block.words.len()),
            links: (0..1 << bits).map(|_| Vec::with_capacity(room)).collect(),
        };
        let mut windows = PageWindows::default();
        let reach = strategy.distance_weights().len().saturating_sub(1);
        let extent = (reach, strategy.needs_anchor());
        for number in 0..block.len() {
            let page = block.page(number);
            if !page.anchors.is_empty() {
                windows.turn_to(&page, &fragments.names.stops, strategy);
                fragments.add_links(number as u32, &page, &windows, extent);
                fragments.kept.extend_from_slice(windows.kept());
            }
        }
        fragments
    }

    /// Adds a page's links to others with their windows: how far they reach, and whether
    /// their words are evidence. Numbers are the block's.
    fn add_links(
        &mut self,
        number: u32,
        page: &PageView<'_>,
        windows: &PageWindows,
        (reach, has_words): (usize, bool),
    ) {
        let bits = self.links.len().trailing_zeros();
        let kept = self.kept.len();
        for (place, anchor) in (0..).zip(page.anchors) {
            if anchor.target == page.url {
                continue;
            }
            let window = windows.around(anchor, reach);
            let sides = [window.left, window.own, window.right];
            self.links[self.names.partition(anchor.target, bits)].push(FoundLink {
                page: number,
                anchor: place,
                from: window.from,
                to: window.to,
                counts: sides.map(|side| if has_words { side.len() as u32 } else { 0 }),
                start: (kept + window.start) as u32,
            });
        }
    }
}

/// The stable names of the block's URLs and words.
struct Names {
    url_ids: Vec<u64>,
    terms: Vec<u64>,
    stops: Vec<bool>,
}

impl Names {
    fn new(block: &PageBlock, strategy: &Strategy) -> Self {
        let urls = 0..block.urls.len() as u32;
        let words = 0..block.vocabulary.len() as u32;
        let terms: Vec<u64> = words
            .map(|word| strategy.terms.id(block.vocabulary.bytes_of(word)))
            .collect();
        Self {
            url_ids: urls
                .map(|url| hash::url_id(block.urls.bytes_of(url)))
                .collect(),
            stops: terms.iter().map(|&term| term == 0).collect(),
            terms,
        }
    }

    fn partition(&self, url: u32, bits: u32) -> usize {
        hash::partition_of(self.url_ids[url as usize], bits)
    }
}

fn pages_by_partition(block: &PageBlock, names: &Names, bits: u32) -> Vec<Vec<u32>> {
    let mut pages = vec![Vec::new(); 1 << bits];
    for number in 0..block.len() as u32 {
        pages[names.partition(block.page(number as usize).url, bits)].push(number);
    }
    pages
}

/// Numbers of the block to numbers of a segment, in order of first use.
struct Renumber {
    to: Vec<u32>,
    used: Vec<u32>,
}

impl Renumber {
    fn new(count: usize) -> Self {
        Self {
            to: vec![u32::MAX; count],
            used: Vec::new(),
        }
    }

    #[inline]
    fn number(&mut self, of: u32) -> u32 {
        let to = &mut self.to[of as usize];
        if *to == u32::MAX {
            *to = self.used.len() as u32;
            self.used.push(of);
        }
        *to
    }

    fn forget(&mut self) {
        for of in self.used.drain(..) {
            self.to[of as usize] = u32::MAX;
        }
    }
}

struct SegmentMaker<'a> {
    block: &'a PageBlock,
    files: &'a [String],
    names: &'a Names,
    /// The words of windows.
    kept: &'a [u32],
    words: Renumber,
    urls: Renumber,
    /// Whether the pages that a page links to are evidence about it.
    cites: bool,
    segment: Segment,
}

impl<'a> SegmentMaker<'a> {
    fn new(
        block: &'a PageBlock,
        files: &'a [String],
        names: &'a Names,
        kept: &'a [u32],
        cites: bool,
    ) -> Self {
        Self {
            block,
            files,
            names,
            kept,
            words: Renumber::new(block.vocabulary.len()),
            urls: Renumber::new(block.urls.len()),
            cites,
            segment: Segment::default(),
        }
    }

    /// The segment of these pages and links, good until the next.
    fn segment(&mut self, run: u32, pages: &[u32], links: &[FoundLink]) -> &Segment {
        let mut segment = std::mem::take(&mut self.segment);
        segment.begin(run);
        for name in self.files {
            segment.files.push(name.as_bytes());
        }
        for &number in pages {
            self.page(&mut segment, number, &self.block.page(number as usize));
        }
        let page_words = self.words.used.len();
        for link in links {
            self.link(&mut segment.links, link);
        }
        for &url in &self.urls.used {
            segment.urls.push(self.block.urls.bytes_of(url));
            segment.url_ids.push(self.names.url_ids[url as usize]);
        }
        for &word in &self.words.used[..page_words] {
            segment.words.push(self.block.vocabulary.bytes_of(word));
        }
        let terms = self.words.used.iter();
        segment
            .terms
            .extend(terms.map(|&word| self.names.terms[word as usize]));
        self.urls.forget();
        self.words.forget();
        self.segment = segment;
        &self.segment
    }

    fn link(&mut self, links: &mut SegmentLinks, link: &FoundLink) {
        let page = self.block.page(link.page as usize);
        let anchor = page.anchors[link.anchor as usize];
        links.target.push(self.urls.number(anchor.target));
        links.source.push(self.names.url_ids[page.url as usize]);
        links.page.push(link.page);
        links
            .places
            .extend([link.from, anchor.first, anchor.last, link.to]);
        links.counts.extend(link.counts);
        let (start, count) = (link.start as usize, link.counts.iter().sum::<u32>());
        let words = &self.kept[start..start + count as usize];
        let numbers = words.iter().map(|&word| self.words.number(word));
        links.windows.extend(numbers);
    }

    fn page(&mut self, segment: &mut Segment, number: u32, page: &PageView<'_>) {
        let pages = &mut segment.pages;
        pages.number.push(number);
        pages.url.push(self.urls.number(page.url));
        pages.file.push(page.file);
        pages.offset.push(page.offset);
        pages.date.push(
            page.date
                .map_or(NO_DATE, |date| (date + (1 << 62)).max(1) as u64),
        );
        pages.digest.push(page.digest);
        pages.title.push(page.title.as_bytes());
        pages
            .title_words
            .extend(page.title_words.iter().map(|&word| self.words.number(word)));
        pages.title_word_ends.push(pages.title_words.len() as u32);
        pages
            .words
            .extend(page.words.iter().map(|&word| self.words.number(word)));
        pages.word_ends.push(pages.words.len() as u32);
        if self.cites {
            self.cite(&mut pages.cited, page);
        }
        pages.cited_ends.push(pages.cited.len() as u32);
    }

    /// Appends the first pages that a page links to, each once.
    fn cite(&self, cited: &mut Vec<u64>, page: &PageView<'_>) {
        let first = cited.len();
        let outward = page.anchors.iter().filter(|link| link.target != page.url);
        for target in outward.map(|link| self.names.url_ids[link.target as usize]) {
            if !cited[first..].contains(&target) {
                cited.push(target);
            }
            if cited.len() == first + MOST_CITED {
                break;
            }
        }
    }
}
