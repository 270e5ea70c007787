//! A block of pages to a run of fragments, one block a partition (hash partitioning).

use std::io;
use std::ops::Range;

use super::block::{FragmentBlock, NO_DATE, REDIRECT};
use super::capture_list::CaptureList;
use super::layouts::ITSELF;
use super::links::LinkColumns;
use super::page_block::{BlockIds, Fragments, LinkFragment};
use crate::pages::{Anchor, PageBlock, PageView};
use crate::spill::SpillWriter;
use crate::strategy::Strategy;
use crate::text::Language;
use crate::url;

/// Writes the block's evidence and all captures that were read with it, one block for each of
/// `2^bits` partitions.
pub fn write_run(
    (block, captures): (&PageBlock, &CaptureList),
    strategy: &Strategy,
    files: &[String],
    run: u32,
    bits: u32,
    out: &mut SpillWriter<'_>,
) -> io::Result<()> {
    let fragments = Fragments::new(block, strategy, bits);
    let pages = (0..block.len() as u32).map(|page| (page, block.rows[page as usize].url));
    let pages = by_partition(pages, &fragments.ids, bits);
    let redirects = block.redirects.iter().map(|&url| (url, url));
    let redirects = by_partition(redirects, &fragments.ids, bits);
    let cites = strategy.needs_cited();
    let mut builder = BlockBuilder::new(block, files, &fragments, cites);
    let of_urls = pages.iter().zip(&redirects).zip(&fragments.links);
    for (((pages, redirects), links), listed) in of_urls.zip(captures.cut(bits)) {
        builder.build(run, (pages, redirects), links).listed = listed;
        builder.out.write(out)?;
    }
    Ok(())
}

/// Numbers by the partition of the URL that each has.
fn by_partition(
    numbers: impl Iterator<Item = (u32, u32)>,
    ids: &BlockIds,
    bits: u32,
) -> Vec<Vec<u32>> {
    let mut parts = vec![Vec::new(); 1 << bits];
    for (number, url) in numbers {
        parts[ids.partition(url, bits)].push(number);
    }
    parts
}

/// Numbers of the block to numbers of a fragment block, in order of first use.
struct Renumbering {
    /// The new numbers plus one, or 0.
    to: Vec<u32>,
    used: Vec<u32>,
}

impl Renumbering {
    fn new(count: usize) -> Self {
        Self {
            to: vec![0; count],
            used: Vec::new(),
        }
    }

    #[inline]
    fn number(&mut self, of: u32) -> u32 {
        let to = &mut self.to[of as usize];
        if *to == 0 {
            self.used.push(of);
            *to = self.used.len() as u32;
        }
        *to - 1
    }

    fn forget(&mut self) {
        for of in self.used.drain(..) {
            self.to[of as usize] = 0;
        }
    }
}

struct BlockBuilder<'a> {
    block: &'a PageBlock,
    files: &'a [String],
    ids: &'a BlockIds,
    fragments: &'a Fragments,
    /// The part of the fragments' `content_words` that ends with the last word of the block's windows.
    shown: Range<usize>,
    words: Renumbering,
    urls: Renumbering,
    /// The URLs that its pages link to, few of which are its own.
    targets: Renumbering,
    /// The files of the block's pages: in a folder every page has its own.
    own_files: Renumbering,
    /// Whether the pages that a page links to are evidence about it.
    cites: bool,
    out: FragmentBlock,
}

impl<'a> BlockBuilder<'a> {
    fn new(
        block: &'a PageBlock,
        files: &'a [String],
        fragments: &'a Fragments,
        cites: bool,
    ) -> Self {
        Self {
            block,
            files,
            ids: &fragments.ids,
            fragments,
            shown: 0..0,
            words: Renumbering::new(fragments.ids.terms.len()),
            urls: Renumbering::new(block.urls.len()),
            targets: Renumbering::new(block.urls.len()),
            own_files: Renumbering::new(files.len()),
            cites,
            out: FragmentBlock::default(),
        }
    }

    /// The block of these pages, redirects and links, good until the next.
    fn build(
        &mut self,
        run: u32,
        (pages, redirects): (&[u32], &[u32]),
        links: &[LinkFragment],
    ) -> &mut FragmentBlock {
        let mut out = std::mem::take(&mut self.out);
        out.begin(run);
        for &number in pages {
            self.page(&mut out, number, &self.block.page(number as usize));
        }
        for &url in redirects {
            let key = url::variant_key(self.block.urls.get(url));
            let number = self.urls.number(url);
            out.captures.named.push(number, key, REDIRECT);
        }
        let page_words = self.words.used.len();
        self.shown = 0..0;
        for link in links {
            self.link(&mut out.links, link);
        }
        for &url in &self.targets.used {
            let targets = &mut out.texts.layouts.targets;
            targets.push(self.block.urls.bytes_of(url));
        }
        for &file in &self.own_files.used {
            out.captures
                .files
                .push(self.files[file as usize].as_bytes());
        }
        for &url in &self.urls.used {
            out.urls.push(self.block.urls.bytes_of(url));
            out.captures.url_ids.push(self.ids.url_ids[url as usize]);
        }
        for &place in &self.words.used[..page_words] {
            let word = self.ids.terms.word(place);
            out.words.push(self.block.vocabulary.bytes_of(word));
        }
        let terms = self.words.used.iter();
        out.terms
            .extend(terms.map(|&place| self.ids.terms.term(place)));
        self.own_files.forget();
        self.targets.forget();
        self.urls.forget();
        self.words.forget();
        self.out = out;
        &mut self.out
    }

    fn link(&mut self, links: &mut LinkColumns, link: &LinkFragment) {
        let page = link.page as usize;
        let anchor = self.block.anchors.row(page)[link.anchor as usize];
        links.target.push(self.urls.number(anchor.target));
        let source = self.block.rows[page].url;
        links.source.push(self.ids.url_ids[source as usize]);
        links.page.push(link.page);
        links
            .places
            .extend([link.from, anchor.first, anchor.last, link.to]);
        links.counts.extend(link.counts);
        if !self.fragments.pagelets.starts.is_empty() {
            let key = self.fragments.pagelets.key_at(page, anchor.first);
            links.pagelet.push(key.unwrap_or_default());
        }
        self.show(links, link);
    }

    /// Adds the words of a link's window that the links before it have not shown.
    fn show(&mut self, links: &mut LinkColumns, link: &LinkFragment) {
        let start = link.start as usize;
        let end = start + link.counts.iter().sum::<u32>() as usize;
        if start < self.shown.start || start > self.shown.end {
            self.shown = start..start;
        }
        links.back.push((self.shown.end - start) as u32);
        self.show_pagelets(links, end);
        let new = &self.fragments.content_words[self.shown.end..end.max(self.shown.end)];
        let numbers = new.iter().map(|&word| self.words.number(word));
        links.windows.extend(numbers);
        self.shown.end += new.len();
    }

    /// Adds the pagelets of the words up to `end` that have not been shown.
    fn show_pagelets(&self, links: &mut LinkColumns, end: usize) {
        let pagelets = &self.fragments.content_pagelets;
        let from = self.shown.end;
        if end <= from || pagelets.is_empty() {
            return;
        }
        let after = pagelets.partition_point(|&(start, _)| start as usize <= from);
        let here = pagelets[after.saturating_sub(1)..].iter();
        for &(start, key) in here.take_while(|&&(start, _)| (start as usize) < end) {
            let at = links.windows.len() + (start as usize).saturating_sub(from);
            links.shown_at.push(at as u32);
            links.shown_key.push(key);
        }
    }

    fn page(&mut self, out: &mut FragmentBlock, number: u32, page: &PageView<'_>) {
        let FragmentBlock {
            captures, texts, ..
        } = out;
        let first = self.ids.terms.first_of(number as usize);
        captures.number.push(number);
        captures.url.push(self.urls.number(page.url));
        captures.page_urls.push(self.block.urls.bytes_of(page.url));
        captures.file.push(self.own_files.number(page.file));
        captures.offset.push(page.offset);
        captures.date.push(date_number(page.date));
        captures.since.push(date_number(page.since));
        captures.digest.push(page.digest);
        let own = self.block.urls.get(page.url);
        let other = page.canonical.filter(|&url| url != page.url);
        captures.variant_keys.push(url::variant_key(own));
        let form = u32::from(url::variant_form(own)) | u32::from(other.is_some()) << 8;
        captures.form.push(form);
        if let Some(other) = other {
            let key = url::variant_key(self.block.urls.get(other));
            let row = captures.number.len() as u32 - 1;
            captures.named.push(self.urls.number(other), key, row);
        }
        captures
            .language
            .push(page.language.map_or(0, Language::number));
        let pagelets = &self.fragments.pagelets;
        if !pagelets.starts.is_empty() {
            let keys = pagelets.keys.row(number as usize);
            captures.pagelets.push(keys.iter().copied());
            let starts = pagelets.starts.row(number as usize);
            texts.pagelets.push(starts.iter().copied());
        }
        texts.title.push(page.title.as_bytes());
        let mut number = |&word: &u32| self.words.number(first + word);
        texts
            .title_words
            .push(page.title_words.iter().map(&mut number));
        texts.words.push(page.words.iter().map(number));
        texts.text.push(page.text.as_bytes());
        if !self.block.texts.is_empty() {
            let layouts = &mut texts.layouts;
            let targets = &mut self.targets;
            layouts.anchors.push(page.anchors.iter().map(|link| Anchor {
                target: match link.target {
                    target if target == page.url => ITSELF,
                    target => targets.number(target),
                },
                ..*link
            }));
            layouts.breaks.push(page.breaks.iter().copied());
        }
        let outward = page.anchors.iter().filter(|link| link.target != page.url);
        let cited = outward.filter(|_| self.cites);
        let ids = cited.clone();
        texts
            .cited
            .push(ids.map(|link| self.ids.url_ids[link.target as usize]));
        texts.cited_at.push(cited.map(|link| link.first));
    }
}

/// A date as a block has it.
fn date_number(date: Option<i64>) -> u64 {
    let number = date.map(|date| (date + (1 << 62)).max(1) as u64);
    number.unwrap_or(NO_DATE)
}
