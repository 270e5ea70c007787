//! What the library calls.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink};
use html5gum::{Emitter, Error, State};

use super::super::tags::Tag;
use super::{tendril, Feed, Words};

impl Emitter for &mut Feed<'_> {
    type Token = ();

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start = Tag::new(last_start_tag.unwrap_or_default());
    }

    fn emit_eof(&mut self) {
        self.end_text();
        self.hand_on(Token::EOFToken);
        self.tree.end();
    }

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
        if !self.mute {
            self.text.extend_from_slice(text);
        }
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(true);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_comment(&mut self) {
        self.end_text();
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        let state = self.end_tag();
        self.pause = state.is_none();
        state
    }

    fn emit_current_comment(&mut self) {
        self.hand_on(Token::CommentToken(StrTendril::new()));
    }

    fn emit_current_doctype(&mut self) {
        let Words {
            name,
            public,
            system,
            force_quirks,
        } = std::mem::take(&mut self.doctype);
        self.hand_on(Token::DoctypeToken(Doctype {
            name: (!name.is_empty()).then(|| tendril(&name)),
            public_id: public.as_deref().map(tendril),
            system_id: system.as_deref().map(tendril),
            force_quirks,
        }));
    }

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn set_force_quirks(&mut self) {
        self.doctype.force_quirks = true;
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn push_doctype_name(&mut self, name: &[u8]) {
        self.doctype.name.extend_from_slice(name);
    }

    fn init_doctype(&mut self) {
        self.end_text();
        self.doctype = Words::default();
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
        self.in_attribute = true;
        self.attribute.clear();
        self.value.clear();
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend_from_slice(name);
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        self.value.extend_from_slice(value);
    }

    fn set_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype.public = Some(value.to_vec());
    }

    fn set_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype.system = Some(value.to_vec());
    }

    fn push_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype
            .public
            .get_or_insert_default()
            .extend_from_slice(value);
    }

    fn push_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype
            .system
            .get_or_insert_default()
            .extend_from_slice(value);
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && Tag::new(&self.name) == self.last_start
    }

    #[inline]
    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.tree
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
