//! Tag names as numbers, and what HTML says about them.

mod known;
mod rules;

pub use self::known::{rules_of, Rules};

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

    /// Some number of its own, most likely, whose lowest bits differ.
    pub fn spread(self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
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

    /// A name of ASCII in lower case, and the bytes from its start on.
    #[inline]
    pub fn lower(bytes: &[u8; 8], name: &[u8]) -> Self {
        if name.len() > bytes.len() {
            return Self::lower_long(name);
        }
        let beyond = u64::MAX.checked_shl(8 * name.len() as u32).unwrap_or(0);
        Self {
            packed: lower_eight(u64::from_le_bytes(*bytes) & !beyond),
            length: name.len(),
        }
    }

    fn lower_long(name: &[u8]) -> Self {
        let mut lower = Self::default();
        for byte in name {
            lower.push(&[byte.to_ascii_lowercase()]);
        }
        lower
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

/// Eight bytes of ASCII in lower case.
#[inline]
fn lower_eight(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let from_a = bytes + EACH * (0x80 - b'A' as u64);
    let past_z = bytes + EACH * (0x7f - b'Z' as u64);
    bytes | (from_a & !past_z & EACH << 7) >> 2
}

macro_rules! tags {
    ($($constant:ident = $name:literal),* $(,)?) => {
        $(#[doc = $name] pub const $constant: Tag = Tag::new($name.as_bytes());)*

        /// All of them.
        const ALL: [Tag; [$($name),*].len()] = [$($constant),*];
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
    STYLE = "style", SUB = "sub", SUMMARY = "summary", SUP = "sup", SVG = "svg", TABLE = "table", TBODY = "tbody", TD = "td",
    TEMPLATE = "template", TEXTAREA = "textarea", TFOOT = "tfoot", TH = "th", THEAD = "thead", TITLE = "title",
    TR = "tr", TRACK = "track", TT = "tt", U = "u", UL = "ul", VAR = "var", WBR = "wbr", XMP = "xmp",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_in_one_go() {
        for name in ["A", "Div", "h1", "@[`{-Z_z", "blockquote", "H-T.M~L1"] {
            let padded = format!("{name}>>>>>>>>");
            let bytes = padded.as_bytes().first_chunk().expect("eight bytes");
            let lower = Name::lower(bytes, name.as_bytes()).tag();
            assert_eq!(
                lower,
                Tag::new(name.to_ascii_lowercase().as_bytes()),
                "{name}"
            );
        }
    }
}
