//! The rules of HTML for a tag.

use super::super::block::breaks::{
    CELL, HEADING as HEADING_BREAK, LIST_END, LIST_ITEM, PARAGRAPH, TABLE_END,
};
use super::Tag;

/// The rules of HTML for a tag: the breaks at its start and its end, and the lists that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The break that a start tag makes before its content.
    pub at_start: u8,
    /// The break that an end tag makes after its content.
    pub at_end: u8,
    lists: u16,
}

const fn rules(lists: u16, at_start: u8, at_end: u8) -> Rules {
    Rules {
        at_start,
        at_end,
        lists,
    }
}

macro_rules! lists {
    ($($list:ident = $bit:literal, $test:ident, $doc:literal;)*) => {
        $(const $list: u16 = 1 << $bit;)*

        impl Rules {
            $(
                #[doc = $doc]
                #[inline]
                pub fn $test(self) -> bool {
                    self.lists & $list != 0
                }
            )*
        }
    };
}

lists! {
    VOID = 0, is_void, "Elements without content or end tag.";
    MUTE = 1, is_mute, "Elements whose text no reader sees.";
    FORMATTING = 2, is_formatting, "\"Formatting\" elements of the HTML Standard.";
    SPECIAL = 3, is_special, "Elements of the \"special\" category that can be open inside a link.";
    TABLE_PART = 4, is_table_part, "Elements that only a table or one of its parts may hold.";
    SCOPE = 5, is_scope, "Elements that formatting neither enters nor leaves.";
    HEADING = 6, is_heading, "Headings: the end tag of one ends any other.";
    ENDS_P = 7, closes_paragraph, "Start tags that end an open paragraph.";
    BREAKS_OUT = 8, breaks_out_of_foreign, "Start tags that end foreign content (SVG, MathML).";
    RAW = 9, is_raw, "Elements whose content is text alone, as in a browser that runs scripts.";
    ATTRIBUTED = 10, is_attributed, "Elements whose `href`, `rel` or `alt` matters.";
    QUIET = 11, is_quiet, "Elements that only separate words, make a break and end a paragraph.";
    POROUS = 12, is_porous, "Blocks that are not \"special\": formatting ends through them. \
        The standard has `search` as special, html5ever not yet.";
}

/// The lists of most blocks.
const BLOCK: u16 = SPECIAL | ENDS_P | BREAKS_OUT;
/// The rules of any other tag.
const OTHER: Rules = rules(QUIET, 0, 0);

macro_rules! tags {
    ($($rules:expr => $($constant:ident = $name:literal),*;)*) => {
        $($(#[doc = $name] pub const $constant: Tag = Tag::new($name.as_bytes());)*)*

        /// The rules for a tag.
        pub fn rules_of(tag: Tag) -> Rules {
            match tag {
                $($($constant)|* => $rules,)*
                _ => OTHER,
            }
        }
    };
}

tags! {
    rules(BLOCK | QUIET, PARAGRAPH, PARAGRAPH) =>
        ADDRESS = "address", ARTICLE = "article", ASIDE = "aside", BLOCKQUOTE = "blockquote",
        CENTER = "center", DETAILS = "details", DIV = "div", FIELDSET = "fieldset",
        FIGCAPTION = "figcaption", FIGURE = "figure", FOOTER = "footer", HEADER = "header",
        HGROUP = "hgroup", LISTING = "listing", MAIN = "main", NAV = "nav", P = "p", PRE = "pre",
        SECTION = "section", SUMMARY = "summary";
    rules(BLOCK, PARAGRAPH, PARAGRAPH) => FORM = "form";
    rules(BLOCK | RAW, PARAGRAPH, PARAGRAPH) => PLAINTEXT = "plaintext", XMP = "xmp";
    rules(ENDS_P | BREAKS_OUT | POROUS, PARAGRAPH, PARAGRAPH) => DIALOG = "dialog", SEARCH = "search";
    rules(BLOCK | HEADING | QUIET, HEADING_BREAK, PARAGRAPH) =>
        H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6";
    rules(BLOCK | QUIET, PARAGRAPH, LIST_END) => DL = "dl", MENU = "menu", OL = "ol", UL = "ul";
    rules(SPECIAL | ENDS_P | QUIET, PARAGRAPH, LIST_END) => DIR = "dir";
    rules(BLOCK | QUIET, LIST_ITEM, LIST_ITEM) => DD = "dd", DT = "dt", LI = "li";
    rules(BLOCK, PARAGRAPH, TABLE_END) => TABLE = "table";
    rules(SPECIAL | TABLE_PART, CELL, CELL) => TR = "tr";
    rules(SPECIAL | TABLE_PART | SCOPE, CELL, CELL) => CAPTION = "caption", TD = "td", TH = "th";
    rules(SPECIAL | TABLE_PART, 0, 0) =>
        COLGROUP = "colgroup", TBODY = "tbody", TFOOT = "tfoot", THEAD = "thead";
    rules(VOID | TABLE_PART, 0, 0) => COL = "col";
    rules(FORMATTING | ATTRIBUTED, 0, 0) => A = "a";
    rules(FORMATTING | BREAKS_OUT | QUIET, 0, 0) =>
        B = "b", BIG = "big", CODE = "code", EM = "em", FONT = "font", I = "i", NOBR = "nobr",
        S = "s", SMALL = "small", STRIKE = "strike", STRONG = "strong", TT = "tt", U = "u";
    rules(BREAKS_OUT | QUIET, 0, 0) =>
        RUBY = "ruby", SPAN = "span", SUB = "sub", SUP = "sup", VAR = "var";
    rules(VOID | BREAKS_OUT, 0, 0) => BR = "br";
    rules(VOID | ENDS_P | BREAKS_OUT | QUIET, PARAGRAPH, 0) => HR = "hr";
    rules(VOID | BREAKS_OUT | ATTRIBUTED, 0, 0) => IMG = "img";
    rules(VOID | ATTRIBUTED, 0, 0) =>
        AREA = "area", BASE = "base", IMAGE = "image", INPUT = "input", LINK = "link";
    rules(VOID | BREAKS_OUT | QUIET, 0, 0) => EMBED = "embed", META = "meta";
    rules(VOID | QUIET, 0, 0) =>
        BASEFONT = "basefont", BGSOUND = "bgsound", KEYGEN = "keygen", PARAM = "param",
        SOURCE = "source", TRACK = "track", WBR = "wbr";
    rules(VOID, 0, 0) => FRAME = "frame";
    rules(MUTE | RAW, 0, 0) =>
        IFRAME = "iframe", NOEMBED = "noembed", NOFRAMES = "noframes", NOSCRIPT = "noscript",
        SCRIPT = "script", STYLE = "style";
    rules(MUTE | SPECIAL | SCOPE, 0, 0) => TEMPLATE = "template";
    rules(SPECIAL | RAW, 0, 0) => TEXTAREA = "textarea", TITLE = "title";
    rules(SPECIAL | SCOPE, 0, 0) => APPLET = "applet", MARQUEE = "marquee", OBJECT = "object";
    rules(SPECIAL | BREAKS_OUT, 0, 0) => BODY = "body", HEAD = "head";
    rules(SPECIAL, 0, 0) =>
        BUTTON = "button", FRAMESET = "frameset", HTML = "html", SELECT = "select";
    rules(0, 0, 0) => MATH = "math", SVG = "svg";
    OTHER =>
        ANNOTATION_XML = "annotation-xml", FOREIGN_OBJECT = "foreignobject",
        OPTGROUP = "optgroup", OPTION = "option", RB = "rb", RP = "rp", RT = "rt", RTC = "rtc";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_tags_have_the_rules_of_other_tags() {
        for name in [&b"x-y"[..], b"blink", b"figcaptiom", b""] {
            assert_eq!(rules_of(Tag::new(name)), OTHER);
        }
    }

    #[test]
    fn tag_rules_match_the_standard() {
        assert!(rules_of(BR).is_void() && !rules_of(BR).is_quiet());
        assert!(rules_of(SCRIPT).is_mute() && rules_of(SCRIPT).is_raw());
        assert!(rules_of(H1).is_heading() && rules_of(H1).closes_paragraph());
        assert!(rules_of(TD).is_scope() && rules_of(TD).is_table_part());
        assert!(!rules_of(DIALOG).is_special() && rules_of(DIALOG).is_porous());
        assert_eq!(rules_of(UL).at_end, LIST_END);
    }
}
