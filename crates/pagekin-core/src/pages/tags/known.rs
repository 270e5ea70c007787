//! What HTML says of a tag, found by one look at a table: many rules ask of each tag.

use super::{rules, Tag, ALL};

/// What HTML says of a tag: the breaks at its start and its end, and one bit a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules {
    /// The break that a start tag makes before its content.
    pub at_start: u8,
    /// The break that an end tag makes after its content.
    pub at_end: u8,
    lists: u16,
}

#[derive(Clone, Copy)]
struct Known {
    tag: Tag,
    rules: Rules,
}

const SLOT_BITS: u32 = 12;

const TABLE: [Known; ALL.len() + 1] = {
    // The last is any tag that is not known.
    let mut table = [known(Tag(u64::MAX)); ALL.len() + 1];
    let mut at = 0;
    while at < ALL.len() {
        table[at] = known(ALL[at]);
        at += 1;
    }
    table
};

/// The first odd number that gives each tag a slot of its own.
const SPREAD: u64 = {
    let mut spread = 0x9e37_79b9_7f4a_7c15;
    while slots(spread).is_none() {
        spread += 2;
    }
    spread
};

static SLOTS: [u8; 1 << SLOT_BITS] = match slots(SPREAD) {
    Some(slots) => slots,
    None => panic!("each tag has a slot"),
};

/// The place of each tag in the table by its slot, unless two share one.
const fn slots(spread: u64) -> Option<[u8; 1 << SLOT_BITS]> {
    let mut slots = [ALL.len() as u8; 1 << SLOT_BITS];
    let mut at = 0;
    while at < ALL.len() {
        let slot = slot(ALL[at], spread);
        if slots[slot] as usize != ALL.len() {
            return None;
        }
        slots[slot] = at as u8;
        at += 1;
    }
    Some(slots)
}

#[inline]
const fn slot(tag: Tag, spread: u64) -> usize {
    (tag.0.wrapping_mul(spread) >> (64 - SLOT_BITS)) as usize
}

/// What HTML says of a tag.
#[inline]
pub fn rules_of(tag: Tag) -> Rules {
    static KNOWN: [Known; ALL.len() + 1] = TABLE;
    let known = &KNOWN[SLOTS[slot(tag, SPREAD)] as usize];
    if known.tag == tag {
        known.rules
    } else {
        KNOWN[ALL.len()].rules
    }
}

macro_rules! lists {
    ($($list:ident = $bit:literal, $doc:literal;)*) => {
        const fn known(tag: Tag) -> Known {
            let rules = Rules {
                at_start: rules::break_at_start(tag),
                at_end: rules::break_at_end(tag),
                lists: 0 $(| (rules::$list(tag) as u16) << $bit)*,
            };
            Known { tag, rules }
        }

        impl Rules {
            $(
                #[doc = $doc]
                #[inline]
                pub fn $list(self) -> bool {
                    self.lists & 1 << $bit != 0
                }
            )*
        }
    };
}

lists! {
    is_void = 0, "Elements without content or end tag.";
    is_mute = 1, "Elements whose text no reader sees.";
    is_formatting = 2, "\"Formatting\" elements of the HTML standard.";
    is_special = 3, "Elements of the \"special\" category that can be open inside an anchor.";
    is_table_part = 4, "Elements that only a table may hold, or one of its parts.";
    is_scope = 5, "Elements that formatting neither enters nor leaves.";
    is_heading = 6, "Headings: the end tag of one ends any other.";
    closes_paragraph = 7, "Start tags that end an open paragraph.";
    breaks_out_of_foreign = 8, "Start tags that end foreign content (SVG, MathML).";
    is_raw = 9, "Elements whose content is text alone.";
    is_attributed = 10, "Elements of which `href` or `alt` says something.";
    is_quiet = 11, "Elements that do nothing but part words, make a break and end a paragraph.";
    ends_others = 12, "Start tags that end an open item, heading or part of a ruby.";
    is_porous = 13, "Blocks that are not \"special\": formatting ends through them.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_the_rules_say() {
        let others = [&b"x-y"[..], b"blink", b"figcaptiom", b""].map(Tag::new);
        for tag in ALL.into_iter().chain(others) {
            let known = rules_of(tag);
            assert_eq!(known.at_start, rules::break_at_start(tag));
            assert_eq!(known.at_end, rules::break_at_end(tag));
            assert_eq!(known.is_void(), rules::is_void(tag));
            assert_eq!(known.is_special(), rules::is_special(tag));
            assert_eq!(known.is_raw(), rules::is_raw(tag));
            assert_eq!(known.is_attributed(), rules::is_attributed(tag));
            assert_eq!(known.is_quiet(), rules::is_quiet(tag));
            assert_eq!(known.is_porous(), rules::is_porous(tag));
        }
    }
}
