//! The effects of start tags, end tags and text on the page, in document order.

use html5gum::State;
use memchr::memchr;

use super::super::builder::Edge;
use super::super::lexer::TagToken;
use super::super::tags::{self, Tag};
use super::StreamReader;

impl StreamReader<'_> {
    /// A tag separates the words on its two sides, unless a browser ignores it.
    #[inline]
    fn separate(&mut self, may_be_ignored: bool) {
        self.word_may_go_on = may_be_ignored && (self.word_may_go_on || self.builder.in_word());
        self.builder.boundary();
    }

    /// Whether no element is open that gives a quiet tag a special meaning.
    #[inline]
    fn is_quiet(&self) -> bool {
        self.templates.depth == 0 && self.foreign.is_empty() && !self.link.is_open
    }

    #[inline]
    pub(super) fn start_element(&mut self, token: &TagToken<'_>) -> Option<State> {
        if token.rules.is_quiet() && self.is_quiet() {
            self.start_quiet(token);
            return None;
        }
        self.start_any(token)
    }

    #[inline]
    fn start_quiet(&mut self, token: &TagToken<'_>) {
        self.separate(false);
        self.just_opened = (!token.rules.is_void()).then_some(token.tag);
        self.elements.start_paragraph(token.tag, token.rules);
        self.builder.mark(token.tag, Edge::Start);
        self.builder.enter(token.tag, token.attributes.get(b"role"));
        self.builder.add_break(token.rules.at_start);
    }

    fn start_any(&mut self, token: &TagToken<'_>) -> Option<State> {
        let (tag, rules) = (token.tag, token.rules);
        let is_ignored = self.ignores_start(token);
        self.separate(is_ignored);
        let opens = !is_ignored && !rules.is_void() && !may_stay_open(tag);
        self.just_opened = opens.then_some(tag);
        if !self.foreign.is_empty() {
            if !self.foreign.start(tag, rules, token.self_closing) {
                self.need_tree();
            }
            return None;
        }
        self.templates.depth += usize::from(tag == tags::TEMPLATE);
        if self.templates.depth > 0 {
            self.start_in_template(token);
        } else if !rules.is_mute() {
            self.start_content(token);
        }
        raw_state(token)
    }

    fn start_in_template(&mut self, token: &TagToken<'_>) {
        let tag = token.tag;
        // A raw element behind a column is ignored, and its text becomes markup. A link that is
        // open in a scope of its own outlives the template, and one around it is lost sight of.
        let hides_link = self.link.is_open && tag != tags::TEMPLATE;
        let leaks = (self.templates.has_link || hides_link) && token.rules.is_scope();
        if tag == tags::COL || leaks {
            self.need_tree();
        }
        self.templates.has_link |= tag == tags::A;
        self.foreign.open_root(tag, token.self_closing);
    }

    fn start_content(&mut self, token: &TagToken<'_>) {
        let (tag, rules) = (token.tag, token.rules);
        match tag {
            tags::A => return self.start_link(token),
            tags::TITLE => {
                if self.tables.is_between_cells() {
                    self.need_tree();
                }
                self.title = Some(Vec::new());
            }
            tags::SVG | tags::MATH => return self.foreign.open_root(tag, token.self_closing),
            tags::BASE => {
                if let Some(href) = token.attributes.get(b"href") {
                    self.builder.base(href);
                }
            }
            tags::LINK => {
                let value = |name| token.attributes.get(name);
                if let (Some(rel), Some(href)) = (value(b"rel"), value(b"href")) {
                    self.builder.link(rel, href, value(b"title"));
                }
            }
            tags::FRAMESET => self.need_tree(),
            tags::SELECT => self.elements.in_select = true,
            tags::FORM if self.elements.in_form => return,
            tags::FORM => self.elements.in_form = true,
            _ if rules.is_scope() && !rules.is_table_part() => self.elements.in_scope = true,
            _ => {}
        }
        if self.link.is_open && !self.best_effort {
            self.start_inside_link(tag, rules);
        }
        if tag == tags::BUTTON {
            self.elements.in_button = true;
        }
        if tag == tags::TABLE && self.tables.is_between_cells() {
            self.need_tree();
        }
        self.tables
            .start(tag, rules, &mut self.elements.in_paragraph);
        self.elements.start_paragraph(tag, rules);
        self.builder.start(tag, token.attributes.get(b"role"));
        self.add_picture(token);
    }

    /// The text of pictures and image maps, and where those lead.
    fn add_picture(&mut self, token: &TagToken<'_>) {
        let value = |name| token.attributes.get(name);
        let alt = match token.tag {
            tags::IMG | tags::IMAGE | tags::AREA | tags::INPUT => value(b"alt"),
            _ => None,
        };
        let href = value(b"href").filter(|_| token.tag == tags::AREA);
        let has_content = alt.is_some() || href.is_some();
        if has_content && (self.tables.is_between_cells() || self.elements.in_select) {
            return self.need_tree();
        }
        let anchor = href.map(|href| self.builder.open_anchor(href, None));
        if let Some(alt) = alt {
            self.builder.alt(alt);
        }
        if let Some(anchor) = anchor {
            self.builder.close_anchor(anchor);
        }
    }

    #[inline]
    pub(super) fn end_element(&mut self, token: &TagToken<'_>) {
        if token.rules.is_quiet() && self.is_quiet() {
            self.end_quiet(token);
        } else {
            self.end_any(token);
        }
    }

    #[inline]
    fn end_quiet(&mut self, token: &TagToken<'_>) {
        let is_paragraph = token.tag == tags::P;
        let is_matched = is_paragraph || self.just_opened == Some(token.tag);
        self.separate(!is_matched);
        self.just_opened = None;
        if is_paragraph {
            self.elements.end_paragraph();
        }
        self.builder.mark(token.tag, Edge::End);
        self.builder.leave(token.tag);
        self.builder.add_break(token.rules.at_end);
    }

    fn end_any(&mut self, token: &TagToken<'_>) {
        let (tag, rules) = (token.tag, token.rules);
        let is_matched = !self.foreign.is_empty() || self.is_matched(tag);
        self.separate(!is_matched);
        // Nothing but text stands between the tags of an element whose text no reader sees.
        let ends_hidden = self.just_opened.take() == Some(tag) && rules.is_mute();
        if !self.foreign.is_empty() {
            if !self.foreign.end(tag) {
                self.need_tree();
            }
        } else if tag == tags::TEMPLATE {
            self.templates.depth = self.templates.depth.saturating_sub(1);
        } else if self.templates.depth > 0 {
            self.templates.has_link &= tag != tags::A;
        } else if !ends_hidden {
            self.end_content(token);
        }
    }

    fn end_content(&mut self, token: &TagToken<'_>) {
        let (tag, rules) = (token.tag, token.rules);
        match tag {
            tags::A if self.link.is_open => return self.end_link(),
            tags::A | tags::BODY | tags::HTML | tags::HEAD => return,
            tags::TITLE => {
                if let Some(title) = self.title.take() {
                    self.builder.title(&title);
                }
                return;
            }
            tags::SELECT => self.elements.in_select = false,
            tags::FORM => self.elements.in_form = false,
            tags::BUTTON => {
                self.elements.in_button &= self.elements.in_select || !self.tables.is_empty();
            }
            tags::BR => return self.builder.start(tags::BR, None),
            _ => {}
        }
        if self.link.is_open && !self.best_effort {
            self.end_inside_link(tag, rules);
        }
        self.tables.end(tag, rules, &mut self.elements.in_paragraph);
        if tag == tags::P {
            self.elements.end_paragraph();
        }
        self.builder.end(tag);
    }

    /// Whether a browser ignores this start tag: the words on its two sides are then one.
    fn ignores_start(&self, token: &TagToken<'_>) -> bool {
        match token.tag {
            tags::HTML | tags::HEAD | tags::BODY | tags::FRAME => true,
            tags::FORM => self.elements.in_form,
            _ => self.tables.is_empty() && token.rules.is_table_part(),
        }
    }

    /// Whether this end tag surely ends an element, or makes one.
    fn is_matched(&self, tag: Tag) -> bool {
        match tag {
            tags::P | tags::BR => true,
            tags::A if self.link.is_open => true,
            tags::TITLE => self.title.is_some(),
            tags::TEMPLATE => self.templates.depth > 0,
            tags::TABLE => !self.tables.is_empty(),
            _ => self.templates.depth > 0 || self.just_opened == Some(tag),
        }
    }

    /// Whether text belongs to the page, whatever it is and wherever a browser puts it.
    #[inline]
    pub(super) fn takes_text(&self) -> bool {
        let is_hidden = self.templates.depth > 0 || self.foreign.is_hidden();
        let is_certain = !self.word_may_go_on && !self.tables.is_between_cells();
        !is_hidden && self.title.is_none() && is_certain
    }

    #[inline]
    pub(super) fn add_text(&mut self, text: &[u8]) {
        if self.templates.depth > 0 {
            return;
        }
        if let Some(title) = &mut self.title {
            title.extend_from_slice(text);
            return;
        }
        if self.foreign.is_hidden() {
            return;
        }
        let goes_on = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
        if std::mem::take(&mut self.word_may_go_on) && text.first().is_some_and(goes_on) {
            self.need_tree();
        }
        let moves = self.tables.is_between_cells() && !text.iter().all(u8::is_ascii_whitespace);
        if moves || memchr(0, text).is_some() {
            self.need_tree();
        }
        self.builder.text(text);
    }
}

/// Elements that their end tag does not always end, even right behind the start tag.
fn may_stay_open(tag: Tag) -> bool {
    matches!(tag, tags::FORM | tags::SELECT | tags::SVG | tags::MATH)
}

/// The tokenizer state behind this start tag, as in a browser that runs scripts.
#[inline]
fn raw_state(token: &TagToken<'_>) -> Option<State> {
    if !token.rules.is_raw() {
        return None;
    }
    Some(match token.tag {
        tags::TITLE | tags::TEXTAREA => State::RcData,
        tags::SCRIPT => State::ScriptData,
        tags::PLAINTEXT => State::PlainText,
        _ => State::RawText,
    })
}
