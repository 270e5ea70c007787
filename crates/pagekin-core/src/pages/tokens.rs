//! The quick reader: a page as a stream of tokens.
//!
//! Words and anchors come out right without a tree as long as nothing happens
//! that would make a browser's tree differ from the stream. What could is
//! watched for, rather too often than too seldom, and reported as
//! [`Outcome::NeedsTree`]:
//! text, pictures or anchors inside a table but outside its cells (they move
//! before the table); a link whose content does not nest (it is split or
//! copied); a tag inside a word that may be ignored (the word goes on);
//! elements that suspend the rules (framesets, selects with markup, HTML inside
//! SVG). Where a rule of the standard depends on what else is open, the flags
//! here say "open" whenever it may be.

use html5gum::{Emitter, Error, State, Tokenizer};

use super::builder::{OpenAnchor, PageBuilder};
use super::tags::{self, Name, Tag};

/// The attributes that are kept.
const HREF: Tag = Tag::new(b"href");
const ALT: Tag = Tag::new(b"alt");

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
    // Where NUL is dropped and where it is replaced, only the tree knows.
    if !patient && memchr::memchr(0, html.as_bytes()).is_some() {
        return Outcome::NeedsTree;
    }
    let mut tokenizer = Tokenizer::new_with_emitter(html, Reader::new(builder, patient));
    // Reading from memory cannot fail, and a token is given out only to stop.
    if tokenizer.next().is_some() {
        return Outcome::NeedsTree;
    }
    Outcome::Read
}

/// A link's `<a>` that is open, and what has been opened in it.
#[derive(Debug, Default)]
struct AnchorState {
    open: bool,
    link: Option<OpenAnchor>,
    inside: Vec<Tag>,
    tables: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableLevel {
    /// Outside cells; whether a paragraph was open before the table.
    Structure {
        paragraph_open: bool,
    },
    Cell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Wanted {
    #[default]
    Nothing,
    Href,
    Alt,
}

struct Reader<'a> {
    builder: &'a mut PageBuilder,
    patient: bool,
    stop: bool,
    // the token under way
    name: Name,
    tag: Tag,
    is_start: bool,
    self_closing: bool,
    attribute: Name,
    wanted: Wanted,
    href: Option<Vec<u8>>,
    alt: Option<Vec<u8>>,
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
    fn new(builder: &'a mut PageBuilder, patient: bool) -> Self {
        Self {
            builder,
            patient,
            stop: false,
            name: Name::default(),
            tag: Tag::default(),
            is_start: false,
            self_closing: false,
            attribute: Name::default(),
            wanted: Wanted::Nothing,
            href: None,
            alt: None,
            last_start: Tag::default(),
            cut: Vec::new(),
            mute: None,
            templates: 0,
            title: None,
            foreign: Vec::new(),
            foreign_mute: 0,
            tables: Vec::new(),
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

    fn needs_tree(&mut self) {
        self.stop = !self.patient;
    }

    fn between_cells(&self) -> bool {
        matches!(self.tables.last(), Some(TableLevel::Structure { .. }))
    }

    /// A tag parts the words on its two sides, unless it is ignored.
    #[inline]
    fn part(&mut self, ignored: bool) {
        self.doubt = ignored && (self.doubt || self.builder.in_word());
        self.builder.boundary();
    }

    /// Whether a browser ignores this start tag.
    fn is_ignored(&self, tag: Tag) -> bool {
        match tag {
            tags::HTML | tags::HEAD | tags::BODY | tags::FRAME => true,
            tags::FORM => self.in_form,
            _ => self.tables.is_empty() && tags::is_table_part(tag),
        }
    }

    /// Whether this end tag surely ends an element, or makes one.
    fn is_matched(&self, tag: Tag) -> bool {
        match tag {
            tags::P | tags::BR => true,
            tags::A if self.anchor.open => true,
            tags::TITLE => self.title.is_some(),
            tags::TEMPLATE => self.templates > 0,
            tags::TABLE => !self.tables.is_empty(),
            _ => {
                self.mute.is_some()
                    || self.templates > 0
                    || self.opened && self.tag == self.last_start
            }
        }
    }

    fn start_tag(&mut self) -> Option<State> {
        let tag = self.tag;
        let ignored = self.is_ignored(tag);
        self.part(ignored);
        self.opened = !ignored && !tags::is_void(tag) && !may_stay_open(tag);
        if !self.foreign.is_empty() {
            self.foreign_start(tag);
            return None;
        }
        if tag == tags::TEMPLATE {
            self.templates += 1;
        }
        if self.templates > 0 {
            // A raw element behind a column is ignored, and its text becomes markup;
            // a link that is open in a scope of its own outlives the template.
            let leaks = self.link_in_template && tags::is_scope(tag);
            if tag == tags::COL || leaks {
                self.needs_tree();
            }
            self.link_in_template |= tag == tags::A;
            self.start_foreign(tag);
            return raw_state(tag);
        }
        if tags::is_mute(tag) {
            self.mute = Some(tag);
            return raw_state(tag);
        }
        self.content_start(tag);
        raw_state(tag)
    }

    fn content_start(&mut self, tag: Tag) {
        match tag {
            tags::A => return self.start_anchor(),
            tags::TITLE => self.title = Some(Vec::new()),
            tags::SVG | tags::MATH => return self.start_foreign(tag),
            tags::BASE => {
                if let Some(href) = self.href.take() {
                    self.builder.base(&href);
                }
            }
            tags::FRAMESET => self.needs_tree(),
            tags::SELECT => self.in_select = true,
            tags::FORM if self.in_form => return,
            tags::FORM => self.in_form = true,
            _ if tags::is_scope(tag) && !tags::is_table_part(tag) => self.in_scope = true,
            _ => {}
        }
        if self.anchor.open && !self.patient {
            self.start_inside_anchor(tag);
        }
        if tag == tags::BUTTON {
            self.in_button = true;
        }
        self.start_table_part(tag);
        if tags::closes_paragraph(tag) {
            self.end_paragraph();
            self.paragraph_open |= tag == tags::P;
        }
        self.builder.start(tag);
        self.picture(tag);
    }

    /// Ends the paragraph, unless it may be one outside of what is open.
    fn end_paragraph(&mut self) {
        self.paragraph_open &= self.in_button || self.in_scope;
    }

    /// What pictures and image maps say and where they lead.
    fn picture(&mut self, tag: Tag) {
        let speaks =
            matches!(tag, tags::IMG | tags::IMAGE | tags::AREA | tags::INPUT) && self.alt.is_some();
        let leads = tag == tags::AREA && self.href.is_some();
        if (speaks || leads) && (self.between_cells() || self.in_select) {
            return self.needs_tree();
        }
        let link = if leads {
            self.href.take().map(|href| self.builder.open_anchor(&href))
        } else {
            None
        };
        if speaks {
            if let Some(alt) = self.alt.take() {
                self.builder.alt(&alt);
            }
        }
        if let Some(link) = link {
            self.builder.close_anchor(link);
        }
    }

    fn start_anchor(&mut self) {
        if self.between_cells() || self.in_select {
            self.needs_tree();
        }
        if self.anchor.open {
            self.end_anchor();
        }
        // Whatever happens to one without a link, nobody can tell.
        if let Some(href) = self.href.take() {
            self.anchor.open = true;
            self.anchor.inside.clear();
            self.anchor.tables = self.tables.len();
            self.anchor.link = Some(self.builder.open_anchor(&href));
        }
    }

    fn end_anchor(&mut self) {
        if self.anchor.inside.iter().any(|&tag| tags::is_special(tag)) {
            self.needs_tree();
        }
        self.close_anchor();
    }

    fn close_anchor(&mut self) {
        if let Some(link) = self.anchor.link.take() {
            self.builder.close_anchor(link);
        }
        self.anchor.open = false;
    }

    fn start_inside_anchor(&mut self, tag: Tag) {
        let inside = &mut self.anchor.inside;
        let last = inside.last().copied().unwrap_or_default();
        if tags::closes_paragraph(tag) && last == tags::P
            || tags::is_heading(tag) && tags::is_heading(last)
        {
            inside.pop();
            self.end_paragraph();
        }
        let in_the_way = match tag {
            tags::LI => !matches!(last, tags::UL | tags::OL | tags::MENU),
            tags::DT | tags::DD => last != tags::DL,
            tags::BUTTON => self.in_button || self.in_scope,
            tags::OPTION | tags::OPTGROUP | tags::SELECT | tags::FORM | tags::NOBR => true,
            tags::RB | tags::RP | tags::RT | tags::RTC => last != tags::RUBY,
            _ if tags::is_table_part(tag) => self.tables.len() <= self.anchor.tables,
            _ => false,
        };
        if in_the_way || tags::closes_paragraph(tag) && self.paragraph_open {
            self.needs_tree();
        }
        if !tags::is_void(tag) && tag != tags::TITLE {
            self.anchor.inside.push(tag);
        }
    }

    fn end_inside_anchor(&mut self, tag: Tag) {
        if tags::is_void(tag) || tag == tags::P && !self.paragraph_open {
            return;
        }
        let inside = &mut self.anchor.inside;
        let Some(at) = inside.iter().rposition(|&open| open == tag) else {
            return self.needs_tree();
        };
        if inside[at + 1..].iter().any(|&open| tags::is_special(open)) {
            self.needs_tree();
        } else {
            inside.truncate(at);
        }
    }

    fn start_table_part(&mut self, tag: Tag) {
        match tag {
            tags::TABLE => {
                if self.between_cells() {
                    self.needs_tree();
                }
                self.tables.push(TableLevel::Structure {
                    paragraph_open: self.paragraph_open,
                });
            }
            tags::TD | tags::TH | tags::CAPTION => {
                if self.between_cells() {
                    self.tables.push(TableLevel::Cell);
                }
                self.paragraph_open &= self.tables.is_empty();
            }
            _ if tags::is_table_part(tag) => self.leave_cell(),
            _ => {}
        }
    }

    fn leave_cell(&mut self) {
        if self.tables.last() == Some(&TableLevel::Cell) {
            self.tables.pop();
        }
    }

    fn end_table_part(&mut self, tag: Tag) {
        if tag == tags::TABLE {
            self.leave_cell();
            if let Some(TableLevel::Structure { paragraph_open }) = self.tables.pop() {
                self.paragraph_open = paragraph_open;
            }
        } else if tags::is_table_part(tag) {
            self.leave_cell();
        }
    }

    fn end_tag(&mut self) {
        let tag = self.tag;
        let matched = !self.foreign.is_empty() || self.is_matched(tag);
        self.part(!matched);
        self.opened = false;
        if !self.foreign.is_empty() {
            return self.foreign_end(tag);
        }
        if tag == tags::TEMPLATE {
            self.templates = self.templates.saturating_sub(1);
            return;
        }
        if self.templates > 0 {
            self.link_in_template &= tag != tags::A;
            return;
        }
        if let Some(mute) = self.mute {
            if mute == tag {
                self.mute = None;
            }
            return;
        }
        match tag {
            tags::A => {
                if self.anchor.open {
                    self.end_anchor();
                }
                return;
            }
            tags::TITLE => {
                if let Some(title) = self.title.take() {
                    self.builder.title(&title);
                }
                return;
            }
            tags::SELECT => self.in_select = false,
            tags::FORM => self.in_form = false,
            tags::BUTTON => self.in_button &= self.in_select || !self.tables.is_empty(),
            tags::BODY | tags::HTML | tags::HEAD => return,
            tags::BR => return self.builder.start(tags::BR),
            _ => {}
        }
        if self.anchor.open && !self.patient {
            self.end_inside_anchor(tag);
        }
        self.end_table_part(tag);
        if tag == tags::P {
            self.end_paragraph();
        }
        self.builder.end(tag);
    }

    fn start_foreign(&mut self, tag: Tag) {
        if matches!(tag, tags::SVG | tags::MATH) && !self.self_closing {
            self.foreign.push(tag);
        }
    }

    fn foreign_start(&mut self, tag: Tag) {
        let inside_text = matches!(self.foreign.last(), Some(&top) if is_text_holder(top));
        let html_inside = matches!(tag, tags::FOREIGN_OBJECT | tags::ANNOTATION_XML);
        if inside_text || html_inside || tags::breaks_out_of_foreign(tag) {
            self.needs_tree();
        }
        if !self.self_closing {
            self.foreign.push(tag);
            self.foreign_mute += usize::from(self.foreign_mute > 0 || tags::is_mute(tag));
        }
    }

    fn foreign_end(&mut self, tag: Tag) {
        if self.foreign.last() == Some(&tag) {
            self.foreign.pop();
            self.foreign_mute = self.foreign_mute.saturating_sub(1);
        } else {
            self.needs_tree();
            if matches!(tag, tags::SVG | tags::MATH) {
                self.foreign.clear();
                self.foreign_mute = 0;
            }
        }
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        if self.mute.is_some() || self.templates > 0 {
            return;
        }
        if let Some(title) = &mut self.title {
            title.extend_from_slice(text);
            return;
        }
        if self.foreign_mute > 0 {
            return;
        }
        if self.doubt {
            self.doubt = false;
            if text
                .first()
                .is_some_and(|&byte| byte >= 0x80 || byte.is_ascii_alphabetic())
            {
                self.needs_tree();
            }
        }
        if self.between_cells() && !text.iter().all(u8::is_ascii_whitespace) {
            self.needs_tree();
        }
        self.builder.text(text);
    }
}

/// Elements that their end tag does not always end, even right behind the start tag.
fn may_stay_open(tag: Tag) -> bool {
    matches!(tag, tags::FORM | tags::SELECT | tags::SVG | tags::MATH)
}

/// Elements of SVG and MathML whose children would be HTML.
fn is_text_holder(tag: Tag) -> bool {
    tag == tags::TITLE
        || [&b"desc"[..], b"mi", b"mo", b"mn", b"ms", b"mtext"]
            .iter()
            .any(|name| tag == Tag::new(name))
}

/// How the tokenizer goes on after this start tag, as a browser that runs
/// scripts has it.
fn raw_state(tag: Tag) -> Option<State> {
    match tag {
        tags::TITLE | tags::TEXTAREA => Some(State::RcData),
        tags::SCRIPT => Some(State::ScriptData),
        tags::STYLE
        | tags::IFRAME
        | tags::XMP
        | tags::NOEMBED
        | tags::NOFRAMES
        | tags::NOSCRIPT => Some(State::RawText),
        tags::PLAINTEXT => Some(State::PlainText),
        _ => None,
    }
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
