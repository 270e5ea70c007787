//! The language that a page declares: the `lang` of its `html` element.

use html5gum::State;

use super::lexer::{tokenize, AttributeFilter, LexerSink, TagToken};
use super::tags::{self, Rules, Tag};
use crate::text::Language;

/// The language that a page declares, if it is known.
pub(super) fn declared_language(html: &str) -> Option<Language> {
    let mut first = FirstTag::default();
    tokenize(html.as_bytes(), &mut first);
    first.language
}

/// Looks at the first start tag, which is that of `html` if the page has one.
#[derive(Default)]
struct FirstTag {
    is_done: bool,
    language: Option<Language>,
}

impl LexerSink for FirstTag {
    fn attributes_of(tag: Tag, _: Rules) -> AttributeFilter {
        match tag {
            tags::HTML => AttributeFilter::All,
            _ => AttributeFilter::Nothing,
        }
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn start_tag(&mut self, token: &TagToken<'_>) -> Option<State> {
        if !self.is_done && token.tag == tags::HTML {
            let value = |name| std::str::from_utf8(token.attributes.get(name)?).ok();
            let declared = value(&b"lang"[..]).or_else(|| value(b"xml:lang"));
            self.language = declared.and_then(Language::named);
        }
        self.is_done = true;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_of_the_html_element_is_read() {
        let declared = |html| declared_language(html).map(|found| found.code().to_owned());
        for html in [
            "<!doctype html><html lang=fr><p lang=de>",
            "<?xml version='1.0'?>\n<!-- <html lang=de> --><HTML class=x LANG=' fr-CA '>",
            "<html xml:lang='fr' xmlns='http://www.w3.org/1999/xhtml'>",
        ] {
            assert_eq!(declared(html).as_deref(), Some("fr"), "{html}");
        }
        for html in [
            "",
            "text",
            "<p lang=fr>",
            "<body><html lang=fr>",
            "<html lang=''>",
            "<html lang=q",
        ] {
            assert_eq!(declared(html), None, "{html}");
        }
    }
}
