//! The page builder: words, anchors and breaks of one page after another, into a block.
//!
//! A reader calls it in document order: `text` for text in UTF-8, `boundary` where a word must end,
//! then `add_break` or `hard_break` where a window may end. The text of a link stands between
//! `open_anchor` and `close_anchor`. `read_lines` in `builder/tests.rs` is a minimal reader. The parser
//! calls `finish`; a reader that cannot go on calls `abandon` and returns a [`crate::crawl::Skip`].

mod held_out;
mod language;
mod limits;
mod navigation;
mod outline;
mod see_also;
mod stored;
mod visible_text;

pub use self::held_out::{HeldOut, HoldOut};
pub use self::limits::{MAX_LINKS, MAX_LINK_BYTES};
use self::navigation::Navigation;
pub use self::outline::Edge;
pub use self::stored::StoredPage;
use self::visible_text::VisibleText;
use super::block::{breaks, Anchor, Break, PageBlock, PageRow, NO_URL};
use super::lexer::MarkupStart;
use super::tags::{self, Tag};
use super::targets::{LinkBase, LinkTargets, NO_PAGE};
use crate::text::{Language, ShortWord, WordInterner, WordScanner, WordSink};
use crate::url::Resolver;

/// The longest title in bytes; a longer one is cut.
const LONGEST_TITLE: usize = 1000;
/// Maximum length of a title that readers read, in bytes.
const TITLE_READ: usize = 64 << 10;
/// An anchor that has been opened; close it with [`PageBuilder::close_anchor`].
#[derive(Debug, Clone, Copy)]
pub struct OpenAnchor(usize);

/// Collects one page after another into a block.
#[derive(Debug, Default)]
pub struct PageBuilder {
    /// The pages finished so far.
    pub block: PageBlock,
    /// Links left out because their page has more than [`MAX_LINKS`] or [`MAX_LINK_BYTES`].
    pub links_left_out: u64,
    /// Pages cut because they have too many distinct words.
    pub pages_cut: u64,
    scanner: WordScanner,
    /// The last word ends where a tag may begin.
    touches_tag: bool,
    words: Vec<ShortWord>,
    text: VisibleText,
    anchors: Vec<Anchor>,
    breaks: Vec<Break>,
    targets: LinkTargets,
    base: Option<Vec<u8>>,
    /// The reference to the page's canonical URL.
    canonical: Option<Vec<u8>>,
    title: Option<String>,
    title_words: Vec<u32>,
    /// The text so far ends with a complete sentence.
    sentence_ended: bool,
    /// Where the last hard break is.
    hard_break: Option<u32>,
    navigation: Navigation,
    /// Evidence that is held out, to judge a build by it.
    holder: Option<Box<held_out::Holder>>,
}

/// Takes the words of the current page, which are numbered later.
struct PageWords<'a>(&'a mut Vec<ShortWord>, &'a mut WordInterner);

impl WordSink for PageWords<'_> {
    fn word(&mut self, word: &[u8]) {
        self.0.push(self.1.shorten(word));
    }

    #[inline]
    fn short_word(&mut self, word: ShortWord) {
        self.0.push(word);
    }
}

impl PageBuilder {
    /// Text of the page.
    #[inline]
    pub fn text(&mut self, text: &[u8]) {
        let mut sink = PageWords(&mut self.words, &mut self.block.vocabulary);
        self.scanner.scan(text, &mut sink);
        self.touches_tag = false;
        self.text.push(text);
        self.notice_sentence_end(text);
    }

    /// Text of the page from `at` to the next `<`, `&` or NUL. Returns where that is.
    #[inline]
    pub fn text_before_markup(&mut self, html: &[u8], at: usize) -> usize {
        let mut sink = PageWords(&mut self.words, &mut self.block.vocabulary);
        let end = self.scanner.scan_until::<MarkupStart>(html, at, &mut sink);
        if end > at {
            let is_tag = html.get(end) == Some(&b'<');
            self.touches_tag = is_tag && html[end - 1].is_ascii_alphabetic();
            self.text.push(&html[at..end]);
            self.notice_sentence_end(&html[at..end]);
        }
        end
    }

    /// A text of white space, quotes and brackets alone does not end a sentence.
    fn notice_sentence_end(&mut self, text: &[u8]) {
        let passed = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'"' | b'\'' | b')');
        if let Some(last) = text.iter().rev().find(|&byte| !passed(byte)) {
            self.sentence_ended = matches!(last, b'.' | b'!' | b'?');
        }
    }

    /// Ends the current word. HTML has a boundary at every tag and comment.
    #[inline]
    pub fn boundary(&mut self) {
        let mut sink = PageWords(&mut self.words, &mut self.block.vocabulary);
        self.scanner.finish(&mut sink);
        self.text.boundary();
        self.touches_tag = false;
    }

    /// Whether a word reaches to here.
    #[inline]
    pub fn in_word(&self) -> bool {
        self.touches_tag || !self.scanner.is_idle()
    }

    /// The alternative text of a picture.
    pub fn alt(&mut self, text: &[u8]) {
        self.boundary();
        self.text.space();
        self.text(text);
        self.boundary();
        self.text.space();
    }

    /// Start of an element, for the break it makes.
    #[inline]
    pub fn start(&mut self, tag: Tag, role: Option<&[u8]>) {
        self.mark(tag, Edge::Start);
        self.enter(tag, role);
        if tag == tags::BR {
            self.hard_break();
        } else {
            self.add_break(tags::rules_of(tag).at_start);
        }
    }

    /// End of an element, for the break it makes.
    #[inline]
    pub fn end(&mut self, tag: Tag) {
        self.mark(tag, Edge::End);
        self.leave(tag);
        self.add_break(tags::rules_of(tag).at_end);
    }

    /// The page's title; only the first one counts.
    pub fn title(&mut self, text: &[u8]) {
        if self.title.is_some() {
            return;
        }
        let text = &text[..title_end(text)];
        self.title = Some(cut_title(text));
        let mut words = Vec::new();
        let mut sink = PageWords(&mut words, &mut self.block.vocabulary);
        let mut scanner = WordScanner::default();
        scanner.scan(text, &mut sink);
        scanner.finish(&mut sink);
        self.block
            .vocabulary
            .intern_all(&words, &mut self.title_words);
    }

    /// The page's base; only the first one counts.
    pub fn base(&mut self, reference: &[u8]) {
        self.base.get_or_insert_with(|| reference.to_vec());
    }

    /// A `link` of the page. The canonical URL is one of the head: it comes before all text.
    pub fn link(&mut self, rel: &[u8], reference: &[u8], title: Option<&[u8]>) {
        self.add_neighbour(rel, reference, title);
        let mut types = rel.split(u8::is_ascii_whitespace);
        let is_canonical = types.any(|name| name.eq_ignore_ascii_case(b"canonical"));
        if is_canonical && self.words.is_empty() && self.anchors.is_empty() {
            self.canonical.get_or_insert_with(|| reference.to_vec());
        }
    }

    /// An anchor with this reference and relation begins.
    pub fn open_anchor(&mut self, reference: &[u8], rel: Option<&[u8]>) -> OpenAnchor {
        self.boundary();
        if let Some(rel) = rel {
            self.add_neighbour(rel, reference, None);
        }
        self.targets.push(reference);
        let first = self.position();
        self.anchors.push(Anchor {
            first,
            last: first,
            target: 0,
        });
        OpenAnchor(self.anchors.len() - 1)
    }

    /// The anchor ends.
    pub fn close_anchor(&mut self, anchor: OpenAnchor) {
        self.boundary();
        self.anchors[anchor.0].last = self.position();
    }

    /// Drops the current page.
    pub fn abandon(&mut self) {
        self.boundary();
        self.begin();
    }

    /// Completes the current page: resolves its links and adds it to the block. `row` holds what is
    /// known besides its text; `folder` is the URL of the folder whose file it is, `declared` the
    /// language that it says it is in.
    pub(crate) fn finish(
        &mut self,
        url: &str,
        folder: Option<&str>,
        declared: Option<Language>,
        mut row: PageRow,
    ) {
        self.boundary();
        row.language = language::language_of(&self.words, &self.block.vocabulary, declared);
        row.url = self.block.urls.intern(url.as_bytes());
        self.cut_words();
        row.canonical = self.resolve(url, folder, row.url);
        self.hold_out(url, row.url);
        self.mark_navigation();
        self.block.texts.push(self.text.bytes().iter().copied());
        self.push_page(row);
    }

    /// Adds the current page to the block, but for its text, and begins the next.
    fn push_page(&mut self, row: PageRow) {
        let vocabulary = &mut self.block.vocabulary;
        let number = |numbers: &mut Vec<u32>| vocabulary.intern_all(&self.words, numbers);
        self.block.words.push_with(number);
        let title = self.title.as_deref().unwrap_or_default();
        self.block.titles.push(title.bytes());
        self.block.title_words.push(self.title_words.drain(..));
        self.block.anchors.push(self.anchors.drain(..));
        self.block.breaks.push(self.breaks.drain(..));
        if !self.block.languages.contains(&row.language) {
            self.block.languages.push(row.language);
        }
        self.block.rows.push(row);
        self.begin();
    }

    fn begin(&mut self) {
        self.words.clear();
        self.text.clear();
        self.anchors.clear();
        self.breaks.clear();
        self.targets.clear();
        self.base = None;
        self.canonical = None;
        self.title = None;
        self.title_words.clear();
        self.sentence_ended = false;
        self.hard_break = None;
        self.navigation.clear();
        self.clear_outline();
    }

    #[inline]
    fn position(&self) -> u32 {
        self.words.len() as u32
    }

    /// Adds a break of these kinds, if any, after the last word; a boundary ends that first.
    #[inline]
    pub fn add_break(&mut self, kinds: u8) {
        if kinds != 0 {
            self.end_line(kinds);
        }
    }

    fn end_line(&mut self, kinds: u8) {
        self.text.line();
        let position = self.position();
        let navigation = self.navigation.kind();
        match self.breaks.last_mut() {
            Some(last) if last.position == position => {
                last.kinds = (last.kinds | kinds) & !breaks::NAVIGATION | navigation;
            }
            _ => self.breaks.push(Break {
                position,
                kinds: kinds | navigation,
            }),
        }
    }

    /// Adds the break of a line that its author ended. Two in a row separate paragraphs.
    pub fn hard_break(&mut self) {
        let position = Some(self.position());
        let again = self.hard_break == position;
        self.hard_break = position;
        self.end_line(match (again, self.sentence_ended) {
            (true, _) => breaks::PARAGRAPH,
            (false, true) => breaks::SENTENCE_BREAK,
            (false, false) => 0,
        });
    }

    /// Gives each anchor its target. Drops those that lead to no page, and those past the limits of
    /// links to other pages. Returns the canonical URL that the page names, if it is of its host.
    fn resolve(&mut self, url: &str, folder: Option<&str>, page: u32) -> u32 {
        let base = self.base.as_deref().map(String::from_utf8_lossy);
        let Some(resolver) = Resolver::new(url, base.as_deref()) else {
            self.anchors.clear();
            return NO_URL;
        };
        let base = LinkBase {
            resolver,
            folder,
            page,
            is_declared: self.base.is_some(),
        };
        let anchors = &mut self.anchors;
        let (mut number, mut kept, mut outward, mut bytes) = (0, 0, 0, 0);
        let urls = &mut self.block.urls;
        self.targets.resolve(&base, urls, |target, length| {
            if target != NO_PAGE && target != page {
                outward += 1;
                bytes += length;
            }
            if target != NO_PAGE {
                anchors[kept] = Anchor {
                    target,
                    ..anchors[number]
                };
                kept += 1;
            }
            number += 1;
            outward < MAX_LINKS && bytes < MAX_LINK_BYTES
        });
        anchors.truncate(kept);
        self.links_left_out += (self.targets.len() - number) as u64;
        self.resolve_neighbours(&base);
        let canonical = self.canonical.as_deref();
        canonical.map_or(NO_URL, |reference| {
            base.canonical(url, reference, &mut self.block.urls)
        })
    }
}

/// Where the part of a title ends that is read.
fn title_end(text: &[u8]) -> usize {
    let is_inside = |&byte: &u8| byte & 0xc0 == 0x80;
    let mut end = text.len().min(TITLE_READ);
    while text.get(end).is_some_and(is_inside) {
        end -= 1;
    }
    end
}

/// A title in one line, of at most [`LONGEST_TITLE`] bytes.
fn cut_title(text: &[u8]) -> String {
    let mut title = String::new();
    for word in String::from_utf8_lossy(text).split_whitespace() {
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
        if title.len() > LONGEST_TITLE {
            let mut end = LONGEST_TITLE;
            while !title.is_char_boundary(end) {
                end -= 1;
            }
            title.truncate(end);
            title.truncate(title.trim_end().len());
            break;
        }
    }
    title
}

#[cfg(test)]
mod tests;
