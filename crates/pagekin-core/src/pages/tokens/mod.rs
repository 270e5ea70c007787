//! The quick reader: a page as a stream of tokens.
//!
//! Words and anchors come out right without a tree as long as nothing happens
//! that would make a browser's tree differ from the stream. What could is
//! watched for, rather too often than too seldom, and reported as
//! [`Outcome::NeedsTree`]:
//! text, pictures or anchors inside a table but outside its cells (they move
//! before the table); a link whose content does not nest (it is split or
//! copied); a tag inside a word that may be ignored (the word goes on); NUL in
//! text (it is dropped or replaced);
//! elements that suspend the rules (framesets, selects with markup, HTML inside
//! SVG). Where a rule of the standard depends on what else is open, the flags
//! here say "open" whenever it may be.

mod anchors;
mod emitter;
mod foreign;
mod ignored;
mod markup;
mod nest;
mod plain;
mod tables;

use std::cell::Cell;

use html5gum::Tokenizer;

use self::anchors::AnchorState;
use self::emitter::{Kept, Wanted};
use self::nest::Nest;
use self::tables::TableLevel;
use super::builder::PageBuilder;
use super::cursor::Cursor;
use super::tags::{Name, Rules, Tag};

/// How a page was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Completely.
    Read,
    /// Its tree matters: nothing that was put down may be kept.
    NeedsTree,
}

/// Reads a page. A `patient` reader never asks for a tree and does what it can.
pub fn read(html: &str, builder: &mut PageBuilder, patient: bool) -> Outcome {
    let mut reader = Reader::new(html.as_bytes(), builder, patient);
    let mut at = 0;
    while !reader.done {
        at = reader.read_plain(at);
        at = reader.read_on(at);
        if reader.stop {
            return Outcome::NeedsTree;
        }
    }
    Outcome::Read
}

/// Reads a page with the library alone.
#[cfg(test)]
pub fn read_by_library(html: &str, builder: &mut PageBuilder, patient: bool) -> Outcome {
    let mut reader = Reader::new(html.as_bytes(), builder, patient);
    let mut at = 0;
    while !reader.done && !reader.stop {
        at = reader.read_on(at);
    }
    if reader.stop {
        Outcome::NeedsTree
    } else {
        Outcome::Read
    }
}

struct Reader<'a> {
    html: &'a [u8],
    builder: &'a mut PageBuilder,
    patient: bool,
    stop: bool,
    /// A tag is complete after which plain text follows.
    pause: bool,
    /// The page is at its end.
    done: bool,
    // the token under way
    name: Name,
    tag: Tag,
    rules: Rules,
    is_start: bool,
    self_closing: bool,
    attribute: Name,
    wanted: Wanted,
    href: Kept,
    alt: Kept,
    last_start: Tag,
    cut: Vec<u8>,
    // the page under way
    mute: Option<Tag>,
    templates: usize,
    title: Option<Vec<u8>>,
    foreign: Vec<Tag>,
    /// How many of `foreign` are mute or in something mute.
    foreign_mute: usize,
    tables: Vec<TableLevel>,
    /// What is open around the link, if one is.
    nest: Nest,
    in_select: bool,
    in_form: bool,
    in_button: bool,
    in_scope: bool,
    link_in_template: bool,
    paragraph_open: bool,
    anchor: AnchorState,
    /// The tag before was a start tag that opened an element.
    opened: bool,
    /// A word was under way at a tag that a browser may ignore.
    doubt: bool,
}

impl<'a> Reader<'a> {
    fn new(html: &'a [u8], builder: &'a mut PageBuilder, patient: bool) -> Self {
        Self {
            html,
            builder,
            patient,
            stop: false,
            pause: false,
            done: false,
            name: Name::default(),
            tag: Tag::default(),
            rules: Rules::default(),
            is_start: false,
            self_closing: false,
            attribute: Name::default(),
            wanted: Wanted::Nothing,
            href: Kept::default(),
            alt: Kept::default(),
            last_start: Tag::default(),
            cut: Vec::new(),
            mute: None,
            templates: 0,
            title: None,
            foreign: Vec::new(),
            foreign_mute: 0,
            tables: Vec::new(),
            nest: Nest::default(),
            in_select: false,
            in_form: false,
            in_button: false,
            in_scope: false,
            link_in_template: false,
            paragraph_open: false,
            anchor: AnchorState::default(),
            opened: false,
            doubt: false,
        }
    }

    /// Lets the library read on from `at`, to the end of the next tag whose
    /// content is plain or to that of the page. Returns how far it came.
    fn read_on(&mut self, at: usize) -> usize {
        let end = Cell::new(at);
        self.pause = false;
        let cursor = Cursor::new(self.html, &end);
        // Reading from memory cannot fail, and a token is given out only to stop.
        self.done = Tokenizer::new_with_emitter(cursor, &mut *self)
            .next()
            .is_none();
        end.get()
    }

    fn needs_tree(&mut self) {
        self.stop = !self.patient;
    }
}
