//! Start tags, end tags and text, in the order of the page.

use html5gum::State;
use memchr::memchr;

use super::super::tags::{self, Tag};
use super::ignored::may_stay_open;
use super::Reader;

impl Reader<'_> {
    /// A tag parts the words on its two sides, unless it is ignored.
    #[inline]
    pub(super) fn part(&mut self, ignored: bool) {
        self.doubt = ignored && (self.doubt || self.builder.in_word());
        self.builder.boundary();
    }

    /// Whether nothing is open in which a tag means more than elsewhere.
    #[inline]
    fn is_quiet(&self) -> bool {
        let mute = self.mute.is_some() || self.templates > 0;
        !mute && self.foreign.is_empty() && !self.anchor.open
    }

    #[inline]
    fn quiet_start(&mut self) {
        self.part(false);
        self.opened = !self.rules.is_void();
        self.nest.start(self.tag, self.rules, self.paragraph_open);
        if self.rules.closes_paragraph() {
            self.end_paragraph();
            self.paragraph_open |= self.tag == tags::P;
        }
        self.builder.mark(self.rules.at_start);
    }

    #[inline]
    fn quiet_end(&mut self) {
        let paragraph = self.tag == tags::P;
        let matched = paragraph || self.opened && self.tag == self.last_start;
        self.part(!matched);
        self.opened = false;
        self.nest.end(self.tag, self.rules, self.paragraph_open);
        if paragraph {
            self.end_paragraph();
        }
        self.builder.mark(self.rules.at_end);
    }

    #[inline]
    pub(super) fn start_tag(&mut self) -> Option<State> {
        if self.rules.is_quiet() && self.is_quiet() {
            self.quiet_start();
            return None;
        }
        self.any_start()
    }

    fn any_start(&mut self) -> Option<State> {
        let tag = self.tag;
        let ignored = self.is_ignored(tag);
        self.part(ignored);
        self.opened = !ignored && !self.rules.is_void() && !may_stay_open(tag);
        if !self.foreign.is_empty() {
            self.foreign_start(tag);
            return None;
        }
        if tag == tags::TEMPLATE {
            self.templates += 1;
        }
        if self.templates > 0 {
            // A raw element behind a column is ignored, and its text becomes markup; a link that
            // is open in a scope of its own outlives the template, and one around it is lost sight of.
            let hides = self.anchor.open && tag != tags::TEMPLATE;
            let leaks = (self.link_in_template || hides) && self.rules.is_scope();
            if tag == tags::COL || leaks {
                self.needs_tree();
            }
            self.link_in_template |= tag == tags::A;
            self.start_foreign(tag);
            return raw_state(tag);
        }
        if self.rules.is_mute() {
            self.mute = Some(tag);
            return raw_state(tag);
        }
        self.content_start(tag);
        raw_state(tag)
    }

    pub(super) fn content_start(&mut self, tag: Tag) {
        match tag {
            tags::A => return self.start_anchor(),
            tags::TITLE => {
                if self.between_cells() {
                    self.needs_tree();
                }
                self.title = Some(Vec::new());
            }
            tags::SVG | tags::MATH => return self.start_foreign(tag),
            tags::BASE => {
                if let Some(href) = self.href.get() {
                    self.builder.base(href);
                }
            }
            tags::FRAMESET => self.needs_tree(),
            tags::SELECT => self.in_select = true,
            tags::FORM if self.in_form => return,
            tags::FORM => self.in_form = true,
            _ if self.rules.is_scope() && !self.rules.is_table_part() => self.in_scope = true,
            _ => {}
        }
        if !self.anchor.open {
            self.start_around_anchor(tag);
        } else if !self.patient {
            self.start_inside_anchor(tag);
        }
        if tag == tags::BUTTON {
            self.in_button = true;
        }
        self.start_table_part(tag);
        if self.rules.closes_paragraph() {
            self.end_paragraph();
            self.paragraph_open |= tag == tags::P;
        }
        if tag == tags::BR {
            self.builder.settle(self.html);
        }
        self.builder.start(tag);
        self.picture(tag);
    }

    /// Ends the paragraph, unless it may be one outside of what is open.
    pub(super) fn end_paragraph(&mut self) {
        self.paragraph_open &= self.in_button || self.in_scope || self.in_select;
    }

    /// What pictures and image maps say and where they lead.
    pub(super) fn picture(&mut self, tag: Tag) {
        let speaks = matches!(tag, tags::IMG | tags::IMAGE | tags::AREA | tags::INPUT)
            && self.alt.get().is_some();
        let leads = tag == tags::AREA && self.href.get().is_some();
        if (speaks || leads) && (self.between_cells() || self.in_select) {
            return self.needs_tree();
        }
        let link = if leads {
            self.href.get().map(|href| self.builder.open_anchor(href))
        } else {
            None
        };
        if speaks {
            if let Some(alt) = self.alt.get() {
                self.builder.alt(alt);
            }
        }
        if let Some(link) = link {
            self.builder.close_anchor(link);
        }
    }

    #[inline]
    pub(super) fn end_tag(&mut self) {
        if self.rules.is_quiet() && self.is_quiet() {
            self.quiet_end();
        } else {
            self.any_end();
        }
    }

    fn any_end(&mut self) {
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
            tags::BR => {
                self.builder.settle(self.html);
                return self.builder.start(tags::BR);
            }
            _ => {}
        }
        if !self.anchor.open {
            self.end_around_anchor(tag);
        } else if !self.patient {
            self.end_inside_anchor(tag);
        }
        self.end_table_part(tag);
        if tag == tags::P {
            self.end_paragraph();
        }
        self.builder.end(tag);
    }

    /// Whether text is text of the page, wherever it stands.
    #[inline]
    pub(super) fn speaks(&self) -> bool {
        let silent = self.mute.is_some() || self.templates > 0 || self.foreign_mute > 0;
        !silent && self.title.is_none() && !self.doubt && !self.between_cells()
    }

    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
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
        let moves = self.between_cells() && !text.iter().all(u8::is_ascii_whitespace);
        if moves || memchr(0, text).is_some() {
            self.needs_tree();
        }
        self.builder.text(text);
    }
}

/// How the tokenizer goes on after this start tag, as a browser that runs
/// scripts has it.
#[inline]
pub(super) fn raw_state(tag: Tag) -> Option<State> {
    if !tags::rules_of(tag).is_raw() {
        return None;
    }
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
