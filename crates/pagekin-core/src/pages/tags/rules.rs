//! The rules of HTML by tag, as lists. Nothing asks them but the table of [`super::known`],
//! which is made of them when the program is compiled.

use super::super::block::breaks;
use super::*;

/// The break that a start tag makes before its content.
pub const fn break_at_start(tag: Tag) -> u8 {
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
pub const fn break_at_end(tag: Tag) -> u8 {
    match tag {
        UL | OL | DL | MENU | DIR => breaks::LIST_END,
        TABLE => breaks::TABLE_END,
        HR => 0,
        H1 | H2 | H3 | H4 | H5 | H6 => breaks::PARAGRAPH,
        _ => break_at_start(tag),
    }
}

const fn is_block(tag: Tag) -> bool {
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
pub const fn is_void(tag: Tag) -> bool {
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
pub const fn is_mute(tag: Tag) -> bool {
    matches!(
        tag,
        SCRIPT | STYLE | NOSCRIPT | IFRAME | NOEMBED | NOFRAMES | TEMPLATE
    )
}

/// "Formatting" elements of the HTML standard.
pub const fn is_formatting(tag: Tag) -> bool {
    matches!(
        tag,
        A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U
    )
}

/// Blocks that are not "special": formatting ends through them. The standard has `search` as
/// special, the library of the tree not yet.
pub const fn is_porous(tag: Tag) -> bool {
    matches!(tag, DIALOG | SEARCH)
}

/// Elements of the "special" category that can be open inside an anchor.
pub const fn is_special(tag: Tag) -> bool {
    is_block(tag) && !is_porous(tag)
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
pub const fn is_table_part(tag: Tag) -> bool {
    matches!(
        tag,
        TR | TD | TH | TBODY | THEAD | TFOOT | CAPTION | COLGROUP | COL
    )
}

/// Elements that formatting neither enters nor leaves.
pub const fn is_scope(tag: Tag) -> bool {
    matches!(
        tag,
        OBJECT | APPLET | MARQUEE | TEMPLATE | TD | TH | CAPTION
    )
}

/// Headings: the end tag of one ends any other.
pub const fn is_heading(tag: Tag) -> bool {
    matches!(tag, H1 | H2 | H3 | H4 | H5 | H6)
}

/// Start tags that end an open paragraph.
pub const fn closes_paragraph(tag: Tag) -> bool {
    is_block(tag)
        || matches!(
            tag,
            H1 | H2 | H3 | H4 | H5 | H6 | HR | UL | OL | DL | MENU | DIR | TABLE | LI | DT | DD
        )
}

/// Start tags that end foreign content (SVG, MathML).
pub const fn breaks_out_of_foreign(tag: Tag) -> bool {
    is_block(tag)
        || is_formatting(tag) && !matches!(tag, A)
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
                | SUB
                | SUP
                | UL
                | VAR
        )
}

/// Elements whose content is text alone, as a browser that runs scripts has it.
pub const fn is_raw(tag: Tag) -> bool {
    matches!(
        tag,
        TITLE
            | TEXTAREA
            | SCRIPT
            | STYLE
            | IFRAME
            | XMP
            | NOEMBED
            | NOFRAMES
            | NOSCRIPT
            | PLAINTEXT
    )
}

/// Elements of which `href` or `alt` says something.
pub const fn is_attributed(tag: Tag) -> bool {
    matches!(tag, A | AREA | BASE | IMAGE | IMG | INPUT)
}

/// Elements that do nothing but part words, make a break and end a paragraph.
pub const fn is_quiet(tag: Tag) -> bool {
    let loud = matches!(
        tag,
        A | BASE | BODY | BR | BUTTON | FORM | FRAME | FRAMESET | HEAD | HTML | SELECT | TABLE
    ) || matches!(tag, MATH | SVG)
        || is_attributed(tag)
        || is_porous(tag);
    !loud && !is_mute(tag) && !is_raw(tag) && !is_scope(tag) && !is_table_part(tag)
}

/// Start tags that end an open item, heading or part of a ruby.
pub const fn ends_others(tag: Tag) -> bool {
    is_heading(tag) || matches!(tag, LI | DT | DD | RB | RP | RT | RTC)
}
