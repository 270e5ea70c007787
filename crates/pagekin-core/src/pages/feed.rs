//! A page's tokens for html5ever's tree construction.
//!
//! They are those of plain markup and for the rest html5gum's, which are had sooner than those of
//! html5ever's own tokenizer, and nothing is made of a token that neither the construction nor
//! a page needs. A test holds them against those of html5ever's tokenizer.

mod emitter;
mod names;
mod plain;

use std::cell::Cell;

use html5ever::interface::Attribute;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{ns, QualName};
use html5gum::{State, Tokenizer};

use self::names::Names;
use super::arena::Arena;
use super::cursor::Cursor;
use super::nodes::Id;
use super::tags::{self, Tag};

/// Deeper nesting is not built: its cost grows with the square of the depth.
const DEEPEST: usize = 1000;
/// How much is parsed between two looks at the depth.
const STEP: usize = 16 * 1024;
/// Of a tag no more attributes are kept: each is compared with those before it.
const MOST_ATTRIBUTES: usize = 100;

/// The tree of a page, unless it is too deep, too large or too much work.
pub(super) fn tree_of(html: &str, arena: Arena) -> Option<Arena> {
    let at = Cell::new(0);
    let mut feed = Feed::new(&at, arena);
    let mut done = false;
    while !feed.stop && !done {
        feed.read_plain(html.as_bytes());
        feed.pause = false;
        // A token is given out only to stop, or to leave what follows to the other reader.
        done = Tokenizer::new_with_emitter(Cursor::new(html.as_bytes(), &at), &mut feed)
            .next()
            .is_none();
    }
    (!feed.stop && feed.is_sound()).then_some(feed.tree.sink)
}

/// A page of so many bytes has no more nodes, unless it makes the parser open
/// the same elements again and again.
fn most_nodes(bytes: usize) -> usize {
    (bytes + 10_000).min(2_000_000)
}

/// So often a page of so many bytes makes the construction ask what an element is: tags that end
/// nothing may send it through all that is open again and again. Real pages ask less than
/// once a byte.
fn most_asked(bytes: usize) -> usize {
    16 * bytes + 1_000_000
}

/// Puts tokens together and hands them to the tree construction.
struct Feed<'a> {
    tree: TreeBuilder<Id, Arena>,
    /// How far the page has been read.
    at: &'a Cell<usize>,
    next_look: usize,
    stop: bool,
    /// A tag is complete after which plain text may follow.
    pause: bool,
    // the token under way
    is_start: bool,
    self_closing: bool,
    name: Vec<u8>,
    names: Names,
    attributes: Vec<Attribute>,
    in_attribute: bool,
    attribute: Vec<u8>,
    value: Vec<u8>,
    doctype: Words,
    /// Text that has not been handed on.
    text: Vec<u8>,
    last_start: Tag,
    /// The text is that of an element whose text no reader sees.
    mute: bool,
    /// The end of such an element was never looked for in vain.
    skips_mute: bool,
}

/// What a doctype says.
#[derive(Default)]
struct Words {
    name: Vec<u8>,
    public: Option<Vec<u8>>,
    system: Option<Vec<u8>>,
    force_quirks: bool,
}

impl<'a> Feed<'a> {
    fn new(at: &'a Cell<usize>, arena: Arena) -> Self {
        Self {
            tree: TreeBuilder::new(arena, TreeBuilderOpts::default()),
            at,
            next_look: STEP,
            stop: false,
            pause: false,
            is_start: false,
            self_closing: false,
            name: Vec::new(),
            names: Names::default(),
            attributes: Vec::new(),
            in_attribute: false,
            attribute: Vec::new(),
            value: Vec::new(),
            doctype: Words::default(),
            text: Vec::new(),
            last_start: Tag::default(),
            mute: false,
            skips_mute: true,
        }
    }

    fn is_sound(&self) -> bool {
        let (tree, bytes) = (&self.tree.sink, self.at.get());
        let small = tree.len() <= most_nodes(bytes) && tree.asked() <= most_asked(bytes);
        small && !tree.too_deep(DEEPEST)
    }

    fn look(&mut self) {
        if self.at.get() >= self.next_look {
            self.next_look = self.at.get() + STEP;
            self.stop = !self.is_sound();
        }
    }

    fn hand_on(&self, token: Token) -> Option<State> {
        // Errors are not told, so lines are not counted.
        match self.tree.process_token(token, 1) {
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            TokenSinkResult::RawData(_) => Some(State::ScriptData),
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => None,
        }
    }

    /// The construction has rules of its own for NUL.
    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        for (place, piece) in text.split(|&byte| byte == 0).enumerate() {
            if place > 0 {
                self.hand_on(Token::NullCharacterToken);
            }
            if !piece.is_empty() {
                self.hand_on(Token::CharacterTokens(tendril(piece)));
            }
        }
        self.text = text;
        self.text.clear();
    }

    fn begin_tag(&mut self, is_start: bool) {
        self.end_text();
        self.is_start = is_start;
        self.self_closing = false;
        self.name.clear();
        self.attributes.clear();
        self.in_attribute = false;
    }

    /// Hands on the tag that is complete. Returns how its content is to be read.
    fn end_tag(&mut self) -> Option<State> {
        self.look();
        let tag = Tag::new(&self.name);
        if self.is_start {
            self.last_start = tag;
        }
        let token = TagToken {
            kind: if self.is_start {
                TagKind::StartTag
            } else {
                TagKind::EndTag
            },
            name: self.names.get(&self.name),
            self_closing: self.self_closing,
            attrs: std::mem::take(&mut self.attributes),
            had_duplicate_attributes: false,
        };
        let state = self.hand_on(Token::TagToken(token));
        self.mute = state.is_some() && tags::rules_of(tag).is_mute();
        state
    }

    /// Keeps the attribute that is complete, if it matters and is the first of its name.
    fn end_attribute(&mut self) {
        if std::mem::take(&mut self.in_attribute) && self.wants() {
            self.keep_attribute();
        }
    }

    fn keep_attribute(&mut self) {
        if self.attributes.len() >= MOST_ATTRIBUTES {
            return;
        }
        let name = QualName::new(None, ns!(), self.names.get(&self.attribute));
        if self.attributes.iter().all(|known| known.name != name) {
            let value = tendril(&self.value);
            self.attributes.push(Attribute { name, value });
        }
    }

    /// Whether the attribute matters: to a page, or to the construction, for which
    /// formatting elements are alike if their attributes are.
    fn wants(&self) -> bool {
        matches!(self.attribute.as_slice(), b"href" | b"alt") || is_looked_at(Tag::new(&self.name))
    }
}

/// Whether the construction looks at the attributes of such elements.
fn is_looked_at(tag: Tag) -> bool {
    tags::rules_of(tag).is_formatting()
        || matches!(tag, tags::INPUT | tags::TEMPLATE | tags::ANNOTATION_XML)
}

fn tendril(bytes: &[u8]) -> StrTendril {
    StrTendril::from_slice(&String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_are_ignored_are_read_in_time() {
        for (start, end) in [("<frameset>", ""), ("<frameset>", "</style>")] {
            let html = format!("{start}{}{end}", "<style>".repeat(300_000));
            let tree = tree_of(&html, Arena::default());
            assert!(tree.is_some_and(|tree| tree.len() < 10));
        }
    }

    #[test]
    fn names_that_never_end_are_read_in_time() {
        for start in ["<script><!--", "<style>", "<table></i><script><!--"] {
            let html = format!("{start}{}>", "<a".repeat(300_000));
            let tree = tree_of(&html, Arena::default());
            assert!(tree.is_some_and(|tree| tree.len() < 20));
        }
    }

    #[test]
    fn tags_that_end_nothing_are_not_looked_for_without_end() {
        for (open, tag) in [("<svg>", "<g>"), ("<b>", "<span>")] {
            let html = |tags| format!("{open}{}{}", tag.repeat(900), "</i>".repeat(tags));
            assert!(tree_of(&html(300), Arena::default()).is_some());
            assert!(tree_of(&html(2_000_000), Arena::default()).is_none());
        }
    }

    #[test]
    fn a_million_attributes_are_read_in_time() {
        let names: String = (0..1_000_000).map(|number| format!(" a{number}")).collect();
        let tree = tree_of(&format!("<b{names} href=x><i>"), Arena::default());
        assert!(tree.is_some_and(|tree| tree.len() < 10));
    }
}
