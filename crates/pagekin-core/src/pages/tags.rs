//! Tag names as numbers, and what HTML says about them.

use super::block::breaks;

/// A tag name as a number: its letters if they are up to eight, else a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tag(u64);

impl Tag {
    /// The tag with this lower-case name.
    pub const fn new(name: &[u8]) -> Self {
        let mut whole = Name {
            packed: 0,
            length: 0,
        };
        whole.push(name);
        whole.tag()
    }
}

/// A name that comes in pieces.
#[derive(Debug, Clone, Copy, Default)]
pub struct Name {
    packed: u64,
    length: usize,
}

impl Name {
    /// Appends a piece.
    #[inline]
    pub const fn push(&mut self, piece: &[u8]) {
        let mut at = 0;
        while at < piece.len() {
            let byte = piece[at] as u64;
            if self.length < 8 {
                self.packed |= byte << (8 * self.length);
            } else {
                self.packed =
                    (self.packed.rotate_left(23) ^ byte).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
            self.length += 1;
            at += 1;
        }
    }

    /// The tag with this name.
    #[inline]
    pub const fn tag(self) -> Tag {
        Tag(if self.length > 8 {
            self.packed | 0xff << 56
        } else {
            self.packed
        })
    }
}

macro_rules! tags {
    ($($constant:ident = $name:literal),* $(,)?) => {
        $(#[doc = $name] pub const $constant: Tag = Tag::new($name.as_bytes());)*
    };
}

tags! {
    A = "a", ADDRESS = "address", ANNOTATION_XML = "annotation-xml", APPLET = "applet", AREA = "area",
    ARTICLE = "article", ASIDE = "aside",
    B = "b", BASE = "base", BASEFONT = "basefont", BGSOUND = "bgsound", BIG = "big", BLOCKQUOTE = "blockquote",
    BODY = "body", BR = "br", BUTTON = "button", CAPTION = "caption", CENTER = "center", CODE = "code",
    COL = "col", COLGROUP = "colgroup", DD = "dd", DETAILS = "details", DIALOG = "dialog", DIR = "dir",
    DIV = "div", DL = "dl", DT = "dt", EM = "em", EMBED = "embed", FIELDSET = "fieldset",
    FIGCAPTION = "figcaption", FIGURE = "figure", FONT = "font", FOOTER = "footer", FOREIGN_OBJECT = "foreignobject",
    FORM = "form",
    FRAME = "frame", FRAMESET = "frameset", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6",
    HEAD = "head", HEADER = "header", HGROUP = "hgroup", HR = "hr", HTML = "html", I = "i", IFRAME = "iframe",
    IMAGE = "image", IMG = "img", INPUT = "input", KEYGEN = "keygen", LI = "li", LINK = "link",
    LISTING = "listing", MAIN = "main", MARQUEE = "marquee", MATH = "math", MENU = "menu", META = "meta",
    NAV = "nav", NOBR = "nobr", NOEMBED = "noembed", NOFRAMES = "noframes", NOSCRIPT = "noscript",
    OBJECT = "object", OL = "ol", OPTGROUP = "optgroup", OPTION = "option", P = "p", PARAM = "param",
    PLAINTEXT = "plaintext", PRE = "pre", RB = "rb", RP = "rp", RT = "rt", RTC = "rtc", RUBY = "ruby",
    S = "s", SCRIPT = "script", SEARCH = "search", SECTION = "section",
    SELECT = "select", SMALL = "small", SOURCE = "source", SPAN = "span", STRIKE = "strike", STRONG = "strong",
    STYLE = "style", SUMMARY = "summary", SVG = "svg", TABLE = "table", TBODY = "tbody", TD = "td",
    TEMPLATE = "template", TEXTAREA = "textarea", TFOOT = "tfoot", TH = "th", THEAD = "thead", TITLE = "title",
    TR = "tr", TRACK = "track", TT = "tt", U = "u", UL = "ul", WBR = "wbr", XMP = "xmp",
}

/// The break that a start tag makes before its content.
pub fn break_at_start(tag: Tag) -> u8 {
    match tag {
        H1 | H2 | H3 | H4 | H5 | H6 => breaks::HEADING,
        TD | TH | TR | CAPTION => breaks::CELL,
        LI | DT | DD => breaks::LIST_ITEM,
        HR | UL | OL | DL | MENU | DIR | TABLE => breaks::PARAGRAPH,
        _ if is_block(tag) => breaks::PARAGRAPH,
        _ => 0,
    }
}

/// The break that an end tag makes after its content.
pub fn break_at_end(tag: Tag) -> u8 {
    match tag {
        UL | OL | DL | MENU | DIR => breaks::LIST_END,
        TABLE => breaks::TABLE_END,
        HR => 0,
        H1 | H2 | H3 | H4 | H5 | H6 => breaks::PARAGRAPH,
        _ => break_at_start(tag),
    }
}

fn is_block(tag: Tag) -> bool {
    matches!(
        tag,
        P | DIV
            | ADDRESS
            | ARTICLE
            | ASIDE
            | BLOCKQUOTE
            | CENTER
            | DETAILS
            | DIALOG
            | FIELDSET
            | FIGCAPTION
            | FIGURE
            | FOOTER
            | FORM
            | HEADER
            | HGROUP
            | MAIN
            | NAV
            | PRE
            | LISTING
            | SEARCH
            | SECTION
            | SUMMARY
            | XMP
            | PLAINTEXT
    )
}

/// Elements without content or end tag.
pub fn is_void(tag: Tag) -> bool {
    matches!(
        tag,
        AREA | BASE
            | BASEFONT
            | BGSOUND
            | BR
            | COL
            | EMBED
            | FRAME
            | HR
            | IMAGE
            | IMG
            | INPUT
            | KEYGEN
            | LINK
            | META
            | PARAM
            | SOURCE
            | TRACK
            | WBR
    )
}

/// Elements whose text no reader sees.
pub fn is_mute(tag: Tag) -> bool {
    matches!(
        tag,
        SCRIPT | STYLE | NOSCRIPT | IFRAME | NOEMBED | NOFRAMES | TEMPLATE
    )
}

/// "Formatting" elements of the HTML standard.
pub fn is_formatting(tag: Tag) -> bool {
    matches!(
        tag,
        A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U
    )
}

/// Elements of the "special" category that can be open inside an anchor.
pub fn is_special(tag: Tag) -> bool {
    is_block(tag)
        || matches!(
            tag,
            H1 | H2
                | H3
                | H4
                | H5
                | H6
                | TD
                | TH
                | TR
                | CAPTION
                | LI
                | DT
                | DD
                | UL
                | OL
                | DL
                | MENU
                | DIR
                | TABLE
                | TBODY
                | THEAD
                | TFOOT
                | COLGROUP
                | APPLET
                | MARQUEE
                | OBJECT
                | BUTTON
                | SELECT
                | BODY
                | HTML
                | HEAD
                | FRAMESET
                | TEMPLATE
                | TEXTAREA
                | TITLE
        )
}

/// Elements that only a table may hold, or one of its parts.
pub fn is_table_part(tag: Tag) -> bool {
    matches!(
        tag,
        TR | TD | TH | TBODY | THEAD | TFOOT | CAPTION | COLGROUP | COL
    )
}

/// Elements that formatting neither enters nor leaves.
pub fn is_scope(tag: Tag) -> bool {
    matches!(
        tag,
        OBJECT | APPLET | MARQUEE | TEMPLATE | TD | TH | CAPTION
    )
}

/// Headings: the end tag of one ends any other.
pub fn is_heading(tag: Tag) -> bool {
    matches!(tag, H1 | H2 | H3 | H4 | H5 | H6)
}

/// Start tags that end an open paragraph.
pub fn closes_paragraph(tag: Tag) -> bool {
    is_block(tag)
        || matches!(
            tag,
            H1 | H2 | H3 | H4 | H5 | H6 | HR | UL | OL | DL | MENU | DIR | TABLE | LI | DT | DD
        )
}

/// Start tags that end foreign content (SVG, MathML).
pub fn breaks_out_of_foreign(tag: Tag) -> bool {
    is_block(tag)
        || is_formatting(tag) && tag != A
        || matches!(
            tag,
            BODY | BR
                | DD
                | DL
                | DT
                | EMBED
                | H1
                | H2
                | H3
                | H4
                | H5
                | H6
                | HEAD
                | HR
                | IMG
                | LI
                | MENU
                | META
                | OL
                | PRE
                | RUBY
                | SPAN
                | TABLE
                | UL
        )
        || tag == Tag::new(b"sub")
        || tag == Tag::new(b"sup")
        || tag == Tag::new(b"var")
}
