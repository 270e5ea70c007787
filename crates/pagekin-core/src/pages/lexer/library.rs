//! html5gum as the lexer's second half: tokens that need the tokenizer's states.

use std::cell::Cell;
use std::convert::Infallible;

use html5gum::{Emitter, Error, Reader, State, Tokenizer};
use memchr::memchr3;

use super::super::tags::{self, Tag, TagName};
use super::{DoctypeToken, Lexer, LexerSink};

/// The tag that html5gum is reading.
#[derive(Debug, Default)]
pub(super) struct TagDraft {
    is_start: bool,
    self_closing: bool,
    name: TagName,
    /// The letters of the name.
    letters: Vec<u8>,
    /// The name of the attribute.
    attribute: Vec<u8>,
    in_attribute_name: bool,
    /// The value that follows is that of an attribute to keep.
    takes_value: bool,
}

impl TagDraft {
    fn begin(&mut self, is_start: bool) {
        self.is_start = is_start;
        self.self_closing = false;
        self.name = TagName::default();
        self.letters.clear();
        self.in_attribute_name = false;
        self.takes_value = false;
    }
}

impl<S: LexerSink> Lexer<'_, S> {
    /// Lets html5gum read to the end of the next tag behind which plain markup may follow.
    /// Returns whether the page is at its end.
    pub(super) fn read_by_library(&mut self) -> bool {
        self.pause = false;
        let input = LexerInput {
            html: self.html,
            at: self.at,
        };
        // Reading from memory cannot fail, and a token is given out only to pause.
        Tokenizer::new_with_emitter(input, self).next().is_none()
    }

    /// The name of an attribute is complete: keeps it if the sink needs it.
    fn end_attribute_name(&mut self) {
        if !std::mem::take(&mut self.draft.in_attribute_name) {
            return;
        }
        let tag = self.draft.name.tag();
        let filter = S::attributes_of(tag, tags::rules_of(tag));
        self.draft.takes_value = self.draft.is_start && filter.takes(&self.draft.attribute);
        if self.draft.takes_value {
            self.attributes.push(&self.draft.attribute);
        }
    }

    /// Hands on the tag that is complete. Returns the state for its content.
    fn end_draft(&mut self) -> Option<State> {
        let tag = self.draft.name.tag();
        let rules = tags::rules_of(tag);
        let name = std::mem::take(&mut self.draft.letters);
        let end = self.at.get();
        let state = if self.draft.is_start {
            self.start_tag((tag, rules), &name, (end, self.draft.self_closing))
        } else {
            self.end_tag((tag, rules), &name, end);
            None
        };
        self.draft.letters = name;
        self.hides_text = state.is_some() && rules.is_mute();
        self.pause = state.is_none();
        state
    }

    /// html5gum cuts text between any two bytes; sinks take whole characters.
    #[cold]
    fn rejoin(&mut self, text: &[u8]) {
        self.cut.extend_from_slice(text);
        if !ends_inside_character(&self.cut) {
            self.sink.text(&self.cut);
            self.cut.clear();
        }
    }
}

impl<S: LexerSink> Emitter for &mut Lexer<'_, S> {
    type Token = ();

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start = Tag::new(last_start_tag.unwrap_or_default());
    }

    fn emit_eof(&mut self) {
        self.sink.end();
    }

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<()> {
        (self.pause || self.sink.is_done()).then_some(())
    }

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        if self.hides_text {
        } else if self.cut.is_empty() && !ends_inside_character(text) {
            self.sink.text(text);
        } else {
            self.rejoin(text);
        }
    }

    #[inline]
    fn init_start_tag(&mut self) {
        self.attributes.clear();
        self.draft.begin(true);
    }

    #[inline]
    fn init_end_tag(&mut self) {
        self.draft.begin(false);
    }

    fn init_comment(&mut self) {}

    #[inline]
    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute_name();
        self.end_draft()
    }

    fn emit_current_comment(&mut self) {
        self.sink.comment();
    }

    fn emit_current_doctype(&mut self) {
        self.sink.doctype(&self.doctype);
    }

    fn set_self_closing(&mut self) {
        self.draft.self_closing = true;
    }

    fn set_force_quirks(&mut self) {
        self.doctype.force_quirks = true;
    }

    #[inline]
    fn push_tag_name(&mut self, name: &[u8]) {
        self.draft.name.push(name);
        self.draft.letters.extend_from_slice(name);
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn push_doctype_name(&mut self, name: &[u8]) {
        self.doctype.name.extend_from_slice(name);
    }

    fn init_doctype(&mut self) {
        self.doctype = DoctypeToken::default();
    }

    fn init_attribute(&mut self) {
        self.end_attribute_name();
        self.draft.in_attribute_name = true;
        self.draft.attribute.clear();
    }

    fn init_attribute_value(&mut self) {
        self.end_attribute_name();
    }

    #[inline]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.draft.attribute.extend_from_slice(name);
    }

    #[inline]
    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.draft.takes_value {
            self.attributes.push_value(value);
        }
    }

    fn set_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype.public = Some(value.to_vec());
    }

    fn set_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype.system = Some(value.to_vec());
    }

    fn push_doctype_public_identifier(&mut self, value: &[u8]) {
        let identifier = self.doctype.public.get_or_insert_default();
        identifier.extend_from_slice(value);
    }

    fn push_doctype_system_identifier(&mut self, value: &[u8]) {
        let identifier = self.doctype.system.get_or_insert_default();
        identifier.extend_from_slice(value);
    }

    #[inline]
    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.draft.is_start && self.draft.name.tag() == self.last_start
    }

    #[inline]
    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.sink.in_foreign_content()
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

/// The page's bytes for html5gum, from `at` on.
struct LexerInput<'a> {
    html: &'a [u8],
    at: &'a Cell<usize>,
}

impl<'a> LexerInput<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.html[self.at.get()..]
    }

    fn advance(&self, bytes: usize) {
        self.at.set(self.at.get() + bytes);
    }
}

impl Reader for LexerInput<'_> {
    type Error = Infallible;

    #[inline]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let byte = self.html.get(self.at.get()).copied();
        self.advance(usize::from(byte.is_some()));
        Ok(byte)
    }

    #[inline]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        _: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let rest = self.rest();
        if rest.is_empty() {
            return Ok(None);
        }
        // A needle alone, or all before the first.
        let length = first_of(needle, rest).map_or(rest.len(), |at| at.max(1));
        self.advance(length);
        Ok(Some(&rest[..length]))
    }

    #[inline]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let start = self.rest().get(..text.len());
        let same = start.is_some_and(|start| {
            start == text || !case_sensitive && start.eq_ignore_ascii_case(text)
        });
        self.advance(if same { text.len() } else { 0 });
        Ok(same)
    }
}

/// Scripts and styles, the longest texts, are searched for three bytes.
#[inline]
fn first_of(needle: &[u8], text: &[u8]) -> Option<usize> {
    if let [one, two, three] = *needle {
        return memchr3(one, two, three, text);
    }
    text.iter().position(|byte| needle.contains(byte))
}
