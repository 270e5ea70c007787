//! The page's tokens for html5ever's tree construction (HTML Standard, section 13.2.6).
//!
//! The lexer's tokens come sooner than those of html5ever's own tokenizer, and nothing is made of
//! a token that neither the construction nor a page needs. A test compares the resulting trees.

use html5ever::interface::{Attribute, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag as HtmlTag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{ns, LocalName, QualName};
use html5gum::State;

use super::super::lexer::{
    tokenize, AttributeFilter, Attributes, DoctypeToken, LexerSink, TagToken,
};
use super::super::tags::{self, Rules, Tag};
use super::arena::Arena;
use super::nodes::{NodeId, Tree};
use crate::text::StringInterner;

/// Deeper nesting is not built: its cost grows with the square of the depth.
const MAX_DEPTH: usize = 1000;
/// Number of bytes parsed between two checks of the tree's size.
const CHECK_BYTES: usize = 16 * 1024;
/// Maximum number of attributes of a tag: each is compared with those before it.
const MAX_ATTRIBUTES: usize = 100;
/// Names of up to this many bytes are not in a table of the library.
const LONGEST_INLINE: usize = 7;

/// The tree of a page, unless it is too deep, too large or too much work.
pub(super) fn build_tree(html: &str) -> Option<Tree> {
    let mut feed = TreeFeed {
        tree: TreeBuilder::new(Arena::default(), TreeBuilderOpts::default()),
        text: Vec::new(),
        names: StringInterner::default(),
        next_check: CHECK_BYTES,
        is_too_much: false,
    };
    tokenize(html.as_bytes(), &mut feed);
    let arena = feed.tree.sink;
    (!feed.is_too_much && is_small(&arena, html.len())).then(|| arena.finish())
}

/// Whether the tree of N bytes is as shallow and as small as that of a real page. A page has
/// more nodes than bytes only if it makes the parser open the same elements again and again. The
/// construction looks up an element's name for each open element that it passes on its way
/// outwards, less than once a byte in real pages; tags that end nothing may send it through all
/// open elements each time.
fn is_small(arena: &Arena, bytes: usize) -> bool {
    let max_nodes = (bytes + 10_000).min(2_000_000);
    let max_lookups = 16 * bytes + 1_000_000;
    arena.len() <= max_nodes && arena.lookups() <= max_lookups && !arena.is_deeper(MAX_DEPTH)
}

/// Turns the lexer's tokens into html5ever's.
struct TreeFeed {
    tree: TreeBuilder<NodeId, Arena>,
    /// Text that has not been handed on.
    text: Vec<u8>,
    /// Long names that HTML does not know, in lower case.
    names: StringInterner,
    next_check: usize,
    is_too_much: bool,
}

impl LexerSink for TreeFeed {
    #[inline]
    fn attributes_of(tag: Tag, rules: Rules) -> AttributeFilter {
        // Two formatting elements are alike if their attributes are.
        let compares = rules.is_formatting();
        if compares || matches!(tag, tags::INPUT | tags::TEMPLATE | tags::ANNOTATION_XML) {
            AttributeFilter::All
        } else {
            AttributeFilter::of(rules)
        }
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.is_too_much
    }

    fn in_foreign_content(&self) -> bool {
        self.tree
            .adjusted_current_node_present_but_not_in_html_namespace()
    }

    #[inline]
    fn text(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    fn start_tag(&mut self, token: &TagToken<'_>) -> Option<State> {
        self.tag(TagKind::StartTag, token)
    }

    fn end_tag(&mut self, token: &TagToken<'_>) {
        self.tag(TagKind::EndTag, token);
    }

    fn comment(&mut self) {
        self.flush_text();
        self.process(Token::CommentToken(StrTendril::new()));
    }

    fn doctype(&mut self, doctype: &DoctypeToken) {
        self.flush_text();
        self.process(Token::DoctypeToken(Doctype {
            name: (!doctype.name.is_empty()).then(|| tendril(&doctype.name)),
            public_id: doctype.public.as_deref().map(tendril),
            system_id: doctype.system.as_deref().map(tendril),
            force_quirks: doctype.force_quirks,
        }));
    }

    fn end(&mut self) {
        self.flush_text();
        self.process(Token::EOFToken);
        self.tree.end();
    }
}

impl TreeFeed {
    fn tag(&mut self, kind: TagKind, token: &TagToken<'_>) -> Option<State> {
        self.flush_text();
        if token.end >= self.next_check {
            self.next_check = token.end + CHECK_BYTES;
            self.is_too_much = !is_small(&self.tree.sink, token.end);
        }
        let tag = HtmlTag {
            kind,
            name: self.local_name(token.name),
            self_closing: token.self_closing,
            attrs: self.first_attributes(token.attributes),
            had_duplicate_attributes: false,
        };
        self.process(Token::TagToken(tag))
    }

    /// The first attribute of each name.
    fn first_attributes(&mut self, attributes: &Attributes) -> Vec<Attribute> {
        let mut kept: Vec<Attribute> = Vec::new();
        for (name, value) in attributes.iter() {
            if kept.len() == MAX_ATTRIBUTES {
                break;
            }
            let name = QualName::new(None, ns!(), self.local_name(name));
            if kept.iter().all(|known| known.name != name) {
                let value = tendril(value);
                kept.push(Attribute { name, value });
            }
        }
        kept
    }

    /// A name in lower case, given in any. The library keeps long names that it does not know in one table,
    /// whose hash everybody knows. Only their equality matters, so they are numbered here.
    fn local_name(&mut self, name: &[u8]) -> LocalName {
        let name = name.to_ascii_lowercase();
        let text = String::from_utf8_lossy(&name);
        if text.len() <= LONGEST_INLINE {
            return LocalName::from(&*text);
        }
        let known = LocalName::try_static(&text);
        known.unwrap_or_else(|| LocalName::from(format!("x-{}", self.names.intern(&name))))
    }

    /// The construction has its own rules for NUL.
    fn flush_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        for (place, piece) in text.split(|&byte| byte == 0).enumerate() {
            if place > 0 {
                self.process(Token::NullCharacterToken);
            }
            if !piece.is_empty() {
                self.process(Token::CharacterTokens(tendril(piece)));
            }
        }
        self.text = text;
        self.text.clear();
    }

    fn process(&self, token: Token) -> Option<State> {
        // Nobody reads errors, so lines are not counted.
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
}

fn tendril(bytes: &[u8]) -> StrTendril {
    StrTendril::from_slice(&String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::super::nodes::NodeKind;
    use super::*;

    fn nodes(html: &str) -> Option<usize> {
        build_tree(html).map(|tree| tree.len())
    }

    #[test]
    fn ignored_elements_are_read_in_linear_time() {
        for end in ["", "</style>"] {
            let html = format!("<frameset>{}{end}", "<style>".repeat(300_000));
            assert!(nodes(&html).is_some_and(|nodes| nodes < 10));
        }
    }

    #[test]
    fn endless_names_are_read_in_linear_time() {
        for start in ["<script><!--", "<style>", "<table></i><script><!--"] {
            let html = format!("{start}{}>", "<a".repeat(300_000));
            assert!(nodes(&html).is_some_and(|nodes| nodes < 20));
        }
    }

    #[test]
    fn searches_for_an_element_to_end_are_limited() {
        for (open, tag) in [("<svg>", "<g>"), ("<b>", "<span>")] {
            let html = |tags| format!("{open}{}{}", tag.repeat(900), "</i>".repeat(tags));
            assert!(nodes(&html(300)).is_some());
            assert!(nodes(&html(2_000_000)).is_none());
        }
    }

    #[test]
    fn unknown_names_are_numbered() {
        let tree = build_tree("<b><my-element>x</my-element></b><other-element><FIGCAPTION><x-y>");
        let tree = tree.expect("a small tree");
        let elements = tree.iter().filter_map(|node| match &node.kind {
            NodeKind::Element(element) => Some(&*element.name),
            _ => None,
        });
        let names: Vec<&str> = elements.collect();
        let expected = [
            "html",
            "head",
            "body",
            "b",
            "x-0",
            "x-1",
            "figcaption",
            "x-y",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn million_attributes_are_read_in_linear_time() {
        let names: String = (0..1_000_000).map(|number| format!(" a{number}")).collect();
        let html = format!("<b{names} href=x><i>");
        assert!(nodes(&html).is_some_and(|nodes| nodes < 10));
    }
}
