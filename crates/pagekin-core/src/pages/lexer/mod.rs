//! HTML tokenisation (HTML Standard, section 13.2.5): the one place where bytes become tokens.
//!
//! Most of a page is text, comments and tags in their usual form. [`plain`] reads those by
//! looking for the byte that ends them. Everything else (an odd tag, a rare character reference,
//! the end of the page) is left to html5gum, which follows the standard's states up to the end of
//! the next tag ([`library`]). Tests hold the two against each other.
//!
//! A [`LexerSink`] takes the tokens. It says beforehand which attributes it needs; others are
//! skipped. Token buffers are reused for the whole page and all calls are monomorphised.

mod attributes;
mod library;
mod plain;
mod references;

use std::cell::Cell;

use html5gum::State;
use memchr::memchr2;

pub use self::attributes::{AttributeFilter, Attributes};
use self::library::TagDraft;
use super::tags::{Rules, Tag};
use crate::text::TextEnd;

/// Takes the tokens of a page, in order.
pub trait LexerSink {
    /// The attributes that the sink needs of such a tag.
    fn attributes_of(tag: Tag, rules: Rules) -> AttributeFilter;

    /// Whether the sink needs no more tokens.
    fn is_done(&self) -> bool;

    /// Whether the innermost open element is not HTML, but SVG or MathML.
    fn in_foreign_content(&self) -> bool {
        false
    }

    /// Text, in whole characters. The text of elements that no reader sees is left out.
    fn text(&mut self, _: &[u8]) {}

    /// Takes text from `at` to the next `<`, `&` or, if the sink prefers, NUL. Returns its end.
    #[inline]
    fn plain_text(&mut self, html: &[u8], at: usize) -> usize {
        let end = end_of_text(html, at);
        if end > at {
            self.text(&html[at..end]);
        }
        end
    }

    /// A start tag. Returns the tokenizer state for its content, unless it is the data state.
    fn start_tag(&mut self, token: &TagToken<'_>) -> Option<State>;

    /// An end tag; its attributes are left out.
    fn end_tag(&mut self, _: &TagToken<'_>) {}

    /// A comment.
    fn comment(&mut self) {}

    /// A doctype.
    fn doctype(&mut self, _: &DoctypeToken) {}

    /// The end of the page.
    fn end(&mut self) {}
}

/// Where the text ends that begins at `at`: at the next `<` or `&`.
#[inline]
pub fn end_of_text(html: &[u8], at: usize) -> usize {
    memchr2(b'<', b'&', &html[at..]).map_or(html.len(), |length| at + length)
}

/// Where the text of a page may end. The page's tree decides what to do with NUL.
pub struct MarkupStart;

impl TextEnd for MarkupStart {
    const BYTES: &'static [u8] = b"<&\0";

    /// A reference may be a letter, and a browser may ignore a `<` that does not begin a tag.
    #[inline]
    fn ends_word(rest: &[u8]) -> bool {
        match rest {
            [b'&', ..] => false,
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => true,
            [b'<', b'!', b'-', ..] => true,
            [b'<', ..] => false,
            _ => true,
        }
    }
}

/// A start or end tag.
pub struct TagToken<'a> {
    /// The name as a number.
    pub tag: Tag,
    /// The rules of HTML for the tag.
    pub rules: Rules,
    /// The name as written, in any case.
    pub name: &'a [u8],
    /// Whether it ends with `/>`.
    pub self_closing: bool,
    /// Those that the sink asked for.
    pub attributes: &'a Attributes,
    /// The offset behind the tag.
    pub end: usize,
}

/// A doctype and its identifiers.
#[derive(Debug, Default)]
pub struct DoctypeToken {
    /// The name, in lower case.
    pub name: Vec<u8>,
    /// The public identifier.
    pub public: Option<Vec<u8>>,
    /// The system identifier.
    pub system: Option<Vec<u8>>,
    /// Whether the page asks for quirks mode by an incomplete doctype.
    pub force_quirks: bool,
}

/// Reads a page and hands its tokens to `sink`.
pub fn tokenize(html: &[u8], sink: &mut impl LexerSink) {
    let at = Cell::new(0);
    let mut lexer = Lexer::new(html, &at, sink);
    let mut finished = false;
    while !finished && !lexer.sink.is_done() {
        lexer.read_plain();
        finished = lexer.read_by_library();
    }
}

/// Reads a page with html5gum alone.
#[cfg(test)]
pub fn tokenize_by_library(html: &[u8], sink: &mut impl LexerSink) {
    let at = Cell::new(0);
    let mut lexer = Lexer::new(html, &at, sink);
    while !lexer.read_by_library() && !lexer.sink.is_done() {}
}

struct Lexer<'a, S> {
    html: &'a [u8],
    /// How far the page has been read.
    at: &'a Cell<usize>,
    sink: &'a mut S,
    /// The tag that html5gum reads.
    draft: TagDraft,
    attributes: Attributes,
    doctype: DoctypeToken,
    /// The name of the last start tag, by which raw text knows its end tag.
    last_start: Tag,
    /// The start of a character whose rest comes with the next text.
    cut: Vec<u8>,
    /// html5gum has read a tag behind which plain markup may follow.
    pause: bool,
    /// html5gum reads text that no reader sees.
    hides_text: bool,
    /// Whether to search for the end of hidden text. A page may have any number of elements whose
    /// text the tree construction does not take as such; each search may run to the page's end.
    searches_end: bool,
}

impl<'a, S: LexerSink> Lexer<'a, S> {
    fn new(html: &'a [u8], at: &'a Cell<usize>, sink: &'a mut S) -> Self {
        Self {
            html,
            at,
            sink,
            draft: TagDraft::default(),
            attributes: Attributes::default(),
            doctype: DoctypeToken::default(),
            last_start: Tag::default(),
            cut: Vec::new(),
            pause: false,
            hides_text: false,
            searches_end: true,
        }
    }

    /// Hands on a start tag, with the attributes read so far.
    #[inline]
    fn start_tag(
        &mut self,
        (tag, rules): (Tag, Rules),
        name: &[u8],
        (end, self_closing): (usize, bool),
    ) -> Option<State> {
        let is_raw = rules.is_raw() && !self.sink.in_foreign_content();
        self.last_start = tag;
        let state = self.sink.start_tag(&TagToken {
            tag,
            rules,
            name,
            self_closing,
            attributes: &self.attributes,
            end,
        });
        self.searches_end &= state.is_some() || !is_raw;
        state
    }

    /// Hands on an end tag.
    #[inline]
    fn end_tag(&mut self, (tag, rules): (Tag, Rules), name: &[u8], end: usize) {
        self.attributes.clear();
        self.sink.end_tag(&TagToken {
            tag,
            rules,
            name,
            self_closing: false,
            attributes: &self.attributes,
            end,
        });
    }
}
