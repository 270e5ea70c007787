//! What the tokenizer calls: tokens are put together here, and nothing is kept
//! of them that no rule asks for.

use html5gum::{Emitter, Error, State};

use super::super::tags::{Name, Tag};
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

impl Emitter for Reader<'_> {
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
        self.stop.then_some(())
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
        self.is_start = true;
        self.self_closing = false;
        self.name = Name::default();
        self.attribute = Name::default();
        self.wanted = Wanted::Nothing;
        self.href = None;
        self.alt = None;
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.is_start = false;
        self.name = Name::default();
    }

    #[inline]
    fn init_comment(&mut self) {
        // Doubt stays: behind the body a comment does not stand where it is written.
        self.builder.boundary();
    }

    #[inline]
    fn emit_current_tag(&mut self) -> Option<State> {
        self.tag = self.name.tag();
        if self.is_start {
            self.want();
            self.last_start = self.tag;
            self.start_tag()
        } else {
            self.end_tag();
            None
        }
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
        kept.get_or_insert_default().extend_from_slice(value);
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
        if attribute == HREF && self.href.is_none() {
            self.href = Some(Vec::new());
            self.wanted = Wanted::Href;
        } else if attribute == ALT && self.alt.is_none() {
            self.alt = Some(Vec::new());
            self.wanted = Wanted::Alt;
        }
    }
}
