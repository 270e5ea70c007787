//! The streaming reader: a page in one pass over its tokens, without a tree.
//!
//! Words and anchors come out right without a tree as long as nothing makes a browser's tree
//! differ from the stream. The reader watches for whatever could, too often rather than too
//! seldom, and gives up with [`StreamOutcome::NeedsTree`]:
//! text, pictures or anchors inside a table but outside its cells (foster parenting moves them
//! before the table); a link whose content does not nest (the adoption agency algorithm splits or
//! copies it); a tag inside a word that may be ignored (the word goes on); NUL in text (it is
//! dropped or replaced); elements that suspend the rules (framesets, selects with markup, HTML
//! inside SVG). Where a rule of the standard depends on what else is open, the state here says
//! "open" whenever it may be.

mod elements;
mod foreign;
mod link;
mod markup;
mod tables;

use html5gum::State;

use self::elements::OpenElements;
use self::foreign::ForeignStack;
use self::link::OpenLink;
use self::tables::TableStack;
use super::builder::PageBuilder;
use super::lexer::{end_of_text, tokenize, AttributeFilter, LexerSink, TagToken};
use super::tags::{Rules, Tag};

/// The outcome of the streaming reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamOutcome {
    /// The page is complete.
    Complete,
    /// The page's tree matters: the builder must drop the page.
    NeedsTree,
}

/// Reads a page. With `best_effort` it never asks for a tree.
pub fn read(html: &str, builder: &mut PageBuilder, best_effort: bool) -> StreamOutcome {
    let mut reader = StreamReader::new(builder, best_effort);
    tokenize(html.as_bytes(), &mut reader);
    reader.outcome()
}

/// Reads a page whose tokens are html5gum's alone.
#[cfg(test)]
pub fn read_by_library(html: &str, builder: &mut PageBuilder, best_effort: bool) -> StreamOutcome {
    let mut reader = StreamReader::new(builder, best_effort);
    super::lexer::tokenize_by_library(html.as_bytes(), &mut reader);
    reader.outcome()
}

struct StreamReader<'a> {
    builder: &'a mut PageBuilder,
    best_effort: bool,
    gives_up: bool,
    /// The text of the title that is open.
    title: Option<Vec<u8>>,
    /// The element that the last tag opened, if that was a start tag.
    just_opened: Option<Tag>,
    /// The last tag stood inside a word and a browser may ignore it: the word may go on.
    word_may_go_on: bool,
    templates: OpenTemplates,
    foreign: ForeignStack,
    tables: TableStack,
    elements: OpenElements,
    link: OpenLink,
}

/// Templates, whose content belongs to no page.
#[derive(Debug, Default)]
struct OpenTemplates {
    depth: usize,
    /// A link is open in a template.
    has_link: bool,
}

impl<'a> StreamReader<'a> {
    fn new(builder: &'a mut PageBuilder, best_effort: bool) -> Self {
        Self {
            builder,
            best_effort,
            gives_up: false,
            title: None,
            just_opened: None,
            word_may_go_on: false,
            templates: OpenTemplates::default(),
            foreign: ForeignStack::default(),
            tables: TableStack::default(),
            elements: OpenElements::default(),
            link: OpenLink::default(),
        }
    }

    fn outcome(&self) -> StreamOutcome {
        if self.gives_up {
            StreamOutcome::NeedsTree
        } else {
            StreamOutcome::Complete
        }
    }

    fn need_tree(&mut self) {
        self.gives_up = !self.best_effort;
    }
}

impl LexerSink for StreamReader<'_> {
    #[inline]
    fn attributes_of(_: Tag, rules: Rules) -> AttributeFilter {
        AttributeFilter::of(rules)
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.gives_up
    }

    #[inline]
    fn in_foreign_content(&self) -> bool {
        !self.foreign.is_empty()
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        self.add_text(text);
    }

    #[inline]
    fn plain_text(&mut self, html: &[u8], at: usize) -> usize {
        if self.takes_text() {
            return self.builder.text_before_markup(html, at);
        }
        let end = end_of_text(html, at);
        if end > at {
            self.add_text(&html[at..end]);
        }
        end
    }

    #[inline]
    fn start_tag(&mut self, token: &TagToken<'_>) -> Option<State> {
        self.start_element(token)
    }

    #[inline]
    fn end_tag(&mut self, token: &TagToken<'_>) {
        self.end_element(token);
    }

    #[inline]
    fn comment(&mut self) {
        // A word may still go on: behind the body a comment does not stand where it is written.
        self.builder.boundary();
    }

    fn end(&mut self) {
        if let Some(title) = self.title.take() {
            self.builder.title(&title);
        }
        self.close_link();
    }
}
