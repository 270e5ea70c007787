//! The quick reader: a page as a stream of tokens.
//!
//! Words and anchors come out right without a tree as long as nothing happens
//! that would make a browser's tree differ from the stream. What could is
//! watched for, rather too often than too seldom, and reported as
//! [`Outcome::NeedsTree`]:
//! text, pictures or anchors inside a table but outside its cells (they move
//! before the table); an anchor whose content does not nest (it is split or
//! copied); elements that suspend the rules (framesets, selects with markup,
//! HTML inside SVG).

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
    let mut tokenizer = Tokenizer::new_with_emitter(html, Reader::new(builder, patient));
    // Reading from memory cannot fail, and a token is given out only to stop.
    if tokenizer.next().is_some() {
        return Outcome::NeedsTree;
    }
    Outcome::Read
}

/// An `<a>` that is open, and what has been opened in it.
#[derive(Debug, Default)]
struct AnchorState {
    open: bool,
    link: Option<OpenAnchor>,
    inside: Vec<Tag>,
    tables: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableLevel {
    Structure,
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
    // the page under way
    mute: Option<Tag>,
    templates: usize,
    title: Option<Vec<u8>>,
    foreign: Vec<Tag>,
    tables: Vec<TableLevel>,
    in_select: bool,
    paragraph_open: bool,
    anchor: AnchorState,
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
            mute: None,
            templates: 0,
            title: None,
            foreign: Vec::new(),
            tables: Vec::new(),
            in_select: false,
            paragraph_open: false,
            anchor: AnchorState::default(),
        }
    }

    fn needs_tree(&mut self) {
        self.stop = !self.patient;
    }

    fn between_cells(&self) -> bool {
        self.tables.last() == Some(&TableLevel::Structure)
    }

    fn start_tag(&mut self) -> Option<State> {
        let tag = self.tag;
        self.builder.boundary();
        if !self.foreign.is_empty() {
            self.foreign_start(tag);
            return None;
        }
        if tag == tags::TEMPLATE {
            self.templates += 1;
        }
        if self.templates > 0 {
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
            tags::SVG | tags::MATH => {
                if !self.self_closing {
                    self.foreign.push(tag);
                }
                return;
            }
            tags::BASE => {
                if let Some(href) = self.href.take() {
                    self.builder.base(&href);
                }
            }
            tags::FRAMESET => self.needs_tree(),
            tags::SELECT => self.in_select = true,
            _ => {}
        }
        if self.anchor.open {
            self.start_inside_anchor(tag);
        }
        self.start_table_part(tag);
        if tags::closes_paragraph(tag) {
            self.paragraph_open = tag == tags::P;
        }
        self.builder.start(tag);
        self.picture(tag);
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
        self.anchor.open = true;
        self.anchor.inside.clear();
        self.anchor.tables = self.tables.len();
        self.anchor.link = self.href.take().map(|href| self.builder.open_anchor(&href));
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
        let paragraph_inside = self.anchor.inside.contains(&tags::P);
        let in_the_way = match tag {
            tags::LI => !matches!(
                self.anchor.inside.last(),
                Some(&(tags::UL | tags::OL | tags::MENU))
            ),
            tags::DT | tags::DD => self.anchor.inside.last() != Some(&tags::DL),
            tags::OPTION
            | tags::OPTGROUP
            | tags::SELECT
            | tags::BUTTON
            | tags::FORM
            | tags::NOBR => true,
            tags::TR
            | tags::TD
            | tags::TH
            | tags::TBODY
            | tags::THEAD
            | tags::TFOOT
            | tags::CAPTION => self.tables.len() <= self.anchor.tables,
            _ => tags::closes_paragraph(tag) && (self.paragraph_open || paragraph_inside),
        };
        if in_the_way {
            self.needs_tree();
        }
        if !tags::is_void(tag) {
            self.anchor.inside.push(tag);
        }
    }

    fn end_inside_anchor(&mut self, tag: Tag) {
        let inside = &mut self.anchor.inside;
        match inside.iter().rposition(|&open| open == tag) {
            Some(at) if at + 1 == inside.len() => {
                inside.pop();
            }
            Some(at)
                if tags::is_formatting(tag)
                    && inside[at..].iter().any(|&open| tags::is_special(open)) =>
            {
                inside.remove(at);
            }
            Some(at) => inside.truncate(at),
            None => self.needs_tree(),
        }
    }

    fn start_table_part(&mut self, tag: Tag) {
        match tag {
            tags::TABLE => {
                if self.between_cells() {
                    self.needs_tree();
                }
                self.tables.push(TableLevel::Structure);
            }
            tags::TD | tags::TH | tags::CAPTION => match self.tables.last_mut() {
                Some(level) if *level == TableLevel::Structure => {
                    self.tables.push(TableLevel::Cell)
                }
                _ => {}
            },
            tags::TR | tags::TBODY | tags::THEAD | tags::TFOOT | tags::COLGROUP | tags::COL => {
                self.leave_cell()
            }
            _ => {}
        }
    }

    fn leave_cell(&mut self) {
        if self.tables.last() == Some(&TableLevel::Cell) {
            self.tables.pop();
            self.paragraph_open = true;
        }
    }

    fn end_table_part(&mut self, tag: Tag) {
        match tag {
            tags::TD
            | tags::TH
            | tags::CAPTION
            | tags::TR
            | tags::TBODY
            | tags::THEAD
            | tags::TFOOT => {
                self.leave_cell();
            }
            tags::TABLE => {
                self.leave_cell();
                self.tables.pop();
                self.paragraph_open = true;
            }
            _ => {}
        }
    }

    fn end_tag(&mut self) {
        let tag = self.tag;
        self.builder.boundary();
        if !self.foreign.is_empty() {
            return self.foreign_end(tag);
        }
        if tag == tags::TEMPLATE {
            self.templates = self.templates.saturating_sub(1);
            return;
        }
        if self.templates > 0 {
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
            tags::BODY | tags::HTML | tags::HEAD => return,
            tags::BR => return self.builder.start(tags::BR),
            _ => {}
        }
        if self.anchor.open {
            self.end_inside_anchor(tag);
        }
        self.end_table_part(tag);
        if tags::is_special(tag) {
            self.paragraph_open = false;
        }
        self.builder.end(tag);
    }

    fn foreign_start(&mut self, tag: Tag) {
        let inside_text = matches!(self.foreign.last(), Some(&top) if is_text_holder(top));
        let html_inside = tag == Tag::new(b"foreignobject") || tag == Tag::new(b"annotation-xml");
        if inside_text || html_inside || tags::breaks_out_of_foreign(tag) {
            self.needs_tree();
        }
        if !self.self_closing {
            self.foreign.push(tag);
        }
    }

    fn foreign_end(&mut self, tag: Tag) {
        if self.foreign.last() == Some(&tag) {
            self.foreign.pop();
        } else {
            self.needs_tree();
            if let Some(at) = self.foreign.iter().rposition(|&open| open == tag) {
                self.foreign.truncate(at);
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
        if matches!(self.foreign.last(), Some(&(tags::SCRIPT | tags::STYLE))) {
            return;
        }
        if self.between_cells() && !text.iter().all(u8::is_ascii_whitespace) {
            self.needs_tree();
        }
        self.builder.text(text);
    }
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
        self.text(text);
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
        if self.mute.is_none() {
            self.builder.boundary();
        }
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

impl Reader<'_> {
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
