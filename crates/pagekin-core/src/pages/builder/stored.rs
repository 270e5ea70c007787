//! Pages of an index: made again from their text and layout, without the bytes that they came from.

use super::super::block::{Anchor, PageRow, NO_URL};
use super::super::layout::{unpack_breaks, AnchorPlaces};
use super::{PageBuilder, PageWords};
use crate::text::Language;
use crate::url::{self, LONGEST_URL};

/// A page as an index keeps it.
#[derive(Debug, Clone, Copy)]
pub struct StoredPage<'a> {
    /// Its canonical URL.
    pub url: &'a str,
    /// Number of the file it came from.
    pub file: u32,
    /// Offset of its record in that file.
    pub offset: u64,
    /// Date of the capture, in seconds since 1970.
    pub date: Option<i64>,
    /// Date of the earliest capture of its URL that is known.
    pub since: Option<i64>,
    /// Hash of the body.
    pub body: u64,
    /// The URL that it names as its canonical one, or nothing.
    pub canonical: &'a str,
    /// The language of its text, if it was recognised.
    pub language: Option<Language>,
    /// The title, cut to its longest length.
    pub title: &'a str,
    /// The words of a title that was cut, with spaces between them; nothing if they are those of
    /// `title`.
    pub title_words: &'a str,
    /// The body as it is read.
    pub text: &'a str,
    /// The target of each link, one a line; a link of the page to itself is an empty line.
    pub links: &'a str,
    /// The places of the links.
    pub anchors: &'a [u8],
    /// The breaks.
    pub breaks: &'a [u8],
}

impl PageBuilder {
    /// Adds a page; the error names a part that no build writes.
    pub(crate) fn add_stored(&mut self, page: &StoredPage<'_>) -> Result<(), &'static str> {
        if url::canonical(page.url).as_deref() != Some(page.url) {
            return Err("a page has no canonical URL");
        }
        let number = self.block.urls.intern(page.url.as_bytes());
        let mut sink = PageWords(&mut self.words, &mut self.block.vocabulary);
        self.scanner.scan(page.text.as_bytes(), &mut sink);
        self.scanner.finish(&mut sink);
        self.cut_words();
        self.breaks = unpack_breaks(page.breaks, self.words.len())
            .ok_or("a break lies outside of its page")?;
        self.add_stored_links(page, number)?;
        let canonical = match page.canonical {
            "" => NO_URL,
            url if is_url(url) => self.block.urls.intern(url.as_bytes()),
            _ => return Err("a page names a canonical URL that is none"),
        };
        self.add_stored_title(page);
        self.push_page(PageRow {
            url: number,
            file: page.file,
            offset: page.offset,
            date: page.date,
            since: page.since,
            digest: page.body,
            canonical,
            language: page.language,
        });
        self.block.texts.push(page.text.bytes());
        Ok(())
    }

    fn add_stored_links(&mut self, page: &StoredPage<'_>, own: u32) -> Result<(), &'static str> {
        let mut places = AnchorPlaces::new(page.anchors, self.words.len());
        for target in page.links.split_terminator('\n') {
            let place = places.next();
            let (first, last) = place.ok_or("a link lies outside of its page")?;
            let target = match target {
                "" => own,
                url if is_url(url) => self.block.urls.intern(url.as_bytes()),
                _ => return Err("a link leads to no web page"),
            };
            self.anchors.push(Anchor {
                first,
                last,
                target,
            });
        }
        match places.is_at_end() {
            true => Ok(()),
            false => Err("a link has no target"),
        }
    }

    fn add_stored_title(&mut self, page: &StoredPage<'_>) {
        if page.title_words.is_empty() {
            self.title(page.title.as_bytes());
            return;
        }
        self.title = Some(page.title.to_owned());
        let vocabulary = &mut self.block.vocabulary;
        let words = page.title_words.split(' ');
        self.title_words
            .extend(words.map(|word| vocabulary.intern(word.as_bytes())));
    }
}

/// Whether this may be a canonical URL: the build that wrote it resolved the links.
fn is_url(text: &str) -> bool {
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    is_web && text.len() <= LONGEST_URL
}
