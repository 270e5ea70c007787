//! A block of pages to a run.

use std::io;
use std::ops::Range;

use super::found::{FoundLink, Fragments, Names};
use super::links::SegmentLinks;
use super::place::PartWriter;
use super::segment::{Segment, NO_DATE};
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
    /// The part of `kept` that ends with the last word of the segment's windows.
    shown: Range<usize>,
    words: Renumber,
    urls: Renumber,
    /// Those of the segment's pages: of a folder every page has its own.
    own_files: Renumber,
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
            shown: 0..0,
            words: Renumber::new(block.vocabulary.len()),
            urls: Renumber::new(block.urls.len()),
            own_files: Renumber::new(files.len()),
            cites,
            segment: Segment::default(),
        }
    }

    /// The segment of these pages and links, good until the next.
    fn segment(&mut self, run: u32, pages: &[u32], links: &[FoundLink]) -> &Segment {
        let mut segment = std::mem::take(&mut self.segment);
        segment.begin(run);
        for &number in pages {
            self.page(&mut segment, number, &self.block.page(number as usize));
        }
        let page_words = self.words.used.len();
        self.shown = 0..0;
        for link in links {
            self.link(&mut segment.links, link);
        }
        for &file in &self.own_files.used {
            segment.files.push(self.files[file as usize].as_bytes());
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
        self.own_files.forget();
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
        self.show(links, link);
    }

    /// Adds the words of a link's window that the links before it have not shown.
    fn show(&mut self, links: &mut SegmentLinks, link: &FoundLink) {
        let start = link.start as usize;
        let end = start + link.counts.iter().sum::<u32>() as usize;
        if start < self.shown.start || start > self.shown.end {
            self.shown = start..start;
        }
        links.back.push((self.shown.end - start) as u32);
        let new = &self.kept[self.shown.end..end.max(self.shown.end)];
        let numbers = new.iter().map(|&word| self.words.number(word));
        links.windows.extend(numbers);
        self.shown.end += new.len();
    }

    fn page(&mut self, segment: &mut Segment, number: u32, page: &PageView<'_>) {
        let pages = &mut segment.pages;
        pages.number.push(number);
        pages.url.push(self.urls.number(page.url));
        pages.file.push(self.own_files.number(page.file));
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
