//! What the tokenizer calls: tokens are put together here, and nothing is kept
//! of them that no rule asks for.

use html5gum::{Emitter, Error, State};

use super::super::tags::{self, Name, Rules, Tag};
use super::Reader;

/// The attributes that are kept.
const HREF: Tag = Tag::new(b"href");
const ALT: Tag = Tag::new(b"alt");

/// Which attribute's value is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wanted {
    #[default]
    Nothing,
    Href,
    Alt,
}

/// The value of an attribute, if the tag has it. Keeps its memory from tag to tag.
#[derive(Debug, Default)]
pub(super) struct Kept {
    there: bool,
    value: Vec<u8>,
}

impl Kept {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.there = false;
    }

    /// The tag has it: what its value is goes here.
    pub(super) fn begin(&mut self) -> &mut Vec<u8> {
        self.there = true;
        self.value.clear();
        &mut self.value
    }

    pub(super) fn push(&mut self, piece: &[u8]) {
        self.value.extend_from_slice(piece);
    }

    #[inline]
    pub(super) fn get(&self) -> Option<&[u8]> {
        self.there.then_some(self.value.as_slice())
    }
}

impl Emitter for &mut Reader<'_> {
    type Token = ();

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start = Tag::new(last_start_tag.unwrap_or_default());
    }

    fn emit_eof(&mut self) {
        if let Some(title) = self.title.take() {
            self.builder.title(&title);
        }
        self.close_anchor();
    }

    #[inline]
    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<()> {
        (self.stop || self.pause).then_some(())
    }

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        if self.cut.is_empty() && !ends_inside_character(text) {
            self.text(text);
        } else {
            self.rejoin(text);
        }
    }

    #[inline]
    fn init_start_tag(&mut self) {
        self.begin_start_tag();
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.begin_end_tag();
    }

    #[inline]
    fn init_comment(&mut self) {
        self.begin_comment();
    }

    #[inline]
    fn emit_current_tag(&mut self) -> Option<State> {
        self.want();
        let tag = self.name.tag();
        self.end_of_tag(tag, tags::rules_of(tag))
    }

    #[inline]
    fn emit_current_comment(&mut self) {}

    #[inline]
    fn emit_current_doctype(&mut self) {}

    #[inline]
    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    #[inline]
    fn set_force_quirks(&mut self) {}

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.push(name);
    }

    #[inline]
    fn push_comment(&mut self, _: &[u8]) {}

    #[inline]
    fn push_doctype_name(&mut self, _: &[u8]) {}

    #[inline]
    fn init_doctype(&mut self) {}

    #[inline]
    fn init_attribute(&mut self) {
        self.want();
        self.attribute = Name::default();
        self.wanted = Wanted::Nothing;
    }

    #[inline]
    fn init_attribute_value(&mut self) {
        self.want();
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.push(name);
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        let kept = match self.wanted {
            Wanted::Nothing => return,
            Wanted::Href => &mut self.href,
            Wanted::Alt => &mut self.alt,
        };
        kept.push(value);
    }

    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && self.name.tag() == self.last_start
    }

    #[inline]
    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        !self.foreign.is_empty()
    }
}

/// Whether the last character lacks some of its bytes.
#[inline]
fn ends_inside_character(text: &[u8]) -> bool {
    let following = text
        .iter()
        .rev()
        .take(3)
        .take_while(|&&byte| byte & 0xc0 == 0x80)
        .count();
    match text.len().checked_sub(following + 1).map(|at| text[at]) {
        Some(lead @ 0xc0..) => lead.leading_ones() as usize > following + 1,
        _ => false,
    }
}

impl Reader<'_> {
    #[inline]
    pub(super) fn begin_start_tag(&mut self) {
        self.is_start = true;
        self.self_closing = false;
        self.name = Name::default();
        self.attribute = Name::default();
        self.wanted = Wanted::Nothing;
        self.href.clear();
        self.alt.clear();
    }

    #[inline]
    pub(super) fn begin_end_tag(&mut self) {
        self.is_start = false;
        self.name = Name::default();
    }

    #[inline]
    pub(super) fn begin_comment(&mut self) {
        // Doubt stays: behind the body a comment does not stand where it is written.
        self.builder.boundary();
    }

    /// The tag is complete. Returns how its content is to be read.
    #[inline]
    pub(super) fn end_of_tag(&mut self, tag: Tag, rules: Rules) -> Option<State> {
        (self.tag, self.rules) = (tag, rules);
        let state = if self.is_start {
            self.last_start = self.tag;
            self.start_tag()
        } else {
            self.end_tag();
            None
        };
        self.pause = state.is_none();
        state
    }

    /// The tokenizer cuts text between any two bytes, a word needs whole characters.
    #[cold]
    fn rejoin(&mut self, text: &[u8]) {
        self.cut.extend_from_slice(text);
        if !ends_inside_character(&self.cut) {
            let whole = std::mem::take(&mut self.cut);
            self.text(&whole);
        }
    }

    /// Whether the attribute whose name is complete is one to keep: the first
    /// of its name, on an element that uses it.
    #[inline]
    fn want(&mut self) {
        if !self.is_start {
            return;
        }
        let attribute = self.attribute.tag();
        if attribute == HREF && self.href.get().is_none() {
            self.href.begin();
            self.wanted = Wanted::Href;
        } else if attribute == ALT && self.alt.get().is_none() {
            self.alt.begin();
            self.wanted = Wanted::Alt;
        }
    }
}
