//! Keyword-in-context quotations: the words around links, each anchor in brackets.

use std::ops::Range;

use crate::index::LinkWindow;

/// Words quoted on each side of an anchor at the most.
const ASIDE: u32 = 8;
/// Bytes whose spaces are counted together.
const STRETCH: usize = 128;

/// The words of windows in their order on the page; windows that touch are quoted
/// as one.
pub fn quote(text: &str, windows: &[LinkWindow]) -> String {
    let mut quoted = String::new();
    for (number, span) in spans(windows).into_iter().enumerate() {
        if number > 0 {
            quoted.push_str(" … ");
        }
        let words = words_between(text, span.clone());
        add_marked(&mut quoted, words, span.start, windows);
    }
    quoted
}

/// What is quoted of the windows, in order.
fn spans(windows: &[LinkWindow]) -> Vec<Range<u32>> {
    let mut windows = windows.to_vec();
    windows.sort_unstable();
    let mut spans: Vec<Range<u32>> = Vec::new();
    for window in windows {
        let begin = window.start.max(window.anchor_start.saturating_sub(ASIDE));
        let end = window.end.min(window.anchor_end.saturating_add(ASIDE));
        match spans.last_mut() {
            Some(span) if begin <= span.end => span.end = span.end.max(end),
            _ => spans.push(begin..end),
        }
    }
    spans
}

/// Adds the words from a place on, brackets around anchors; an anchor without words is `[]`.
fn add_marked<'a>(
    quoted: &mut String,
    words: impl Iterator<Item = &'a str>,
    begin: u32,
    windows: &[LinkWindow],
) {
    let anchors = || {
        windows
            .iter()
            .map(|window| window.anchor_start..window.anchor_end)
    };
    let is_empty_anchor = |at| anchors().any(|anchor| (anchor.start, anchor.end) == (at, at));
    let opens = |at| anchors().any(|anchor| anchor.start == at && !anchor.is_empty());
    let closes = |at| anchors().any(|anchor| anchor.end == at && !anchor.is_empty());
    let mut gap = "";
    let ended = words.map(Some).chain([None]);
    for (at, word) in (begin..).zip(ended) {
        if is_empty_anchor(at) {
            quoted.push_str(gap);
            quoted.push_str("[]");
            gap = " ";
        }
        if let Some(word) = word {
            quoted.push_str(gap);
            quoted.push_str(if opens(at) { "[" } else { "" });
            quoted.push_str(word);
            quoted.push_str(if closes(at + 1) { "]" } else { "" });
            gap = " ";
        }
    }
}

/// The words of a text from one place up to another, as far as there are any.
pub fn words_between(text: &str, places: Range<u32>) -> impl Iterator<Item = &str> {
    let start = start_of(text.as_bytes(), places.start as usize);
    let rest = start.map(|start| text[start..].split(' '));
    rest.into_iter().flatten().take(places.len())
}

/// Where a word begins; words are separated by single spaces.
fn start_of(text: &[u8], word: usize) -> Option<usize> {
    let mut left = word;
    if left == 0 {
        return (!text.is_empty()).then_some(0);
    }
    for (number, stretch) in text.chunks(STRETCH).enumerate() {
        // Few enough for a byte, so that sixteen are counted at a time.
        let spaces = stretch
            .iter()
            .map(|&byte| u8::from(byte == b' '))
            .sum::<u8>();
        if usize::from(spaces) >= left {
            let mut places = stretch.iter().enumerate().filter(|(_, &byte)| byte == b' ');
            return places
                .nth(left - 1)
                .map(|(at, _)| number * STRETCH + at + 1);
        }
        left -= usize::from(spaces);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(places: &[[u32; 4]]) -> Vec<LinkWindow> {
        let window = |&[start, anchor_start, anchor_end, end]: &[u32; 4]| LinkWindow {
            start,
            anchor_start,
            anchor_end,
            end,
        };
        places.iter().map(window).collect()
    }

    const WORDS: &str = "zero one two three four five six seven eight nine ten eleven twelve";

    #[test]
    fn anchors_are_put_in_brackets() {
        let whole = "zero one two [three four] five six seven eight nine ten eleven twelve";
        let cases: [(&[[u32; 4]], &str); 12] = [
            (&[[0, 3, 5, 13]], whole),
            (&[[2, 3, 5, 6]], "two [three four] five"),
            (
                &[[2, 3, 4, 5], [8, 9, 10, 11]],
                "two [three] four … eight [nine] ten",
            ),
            (
                &[[8, 9, 10, 11], [2, 3, 4, 5]],
                "two [three] four … eight [nine] ten",
            ),
            (&[[2, 3, 4, 5], [4, 5, 6, 7]], "two [three] four [five] six"),
            (&[[2, 3, 4, 5], [2, 3, 4, 5]], "two [three] four"),
            (&[[2, 3, 3, 5]], "two [] three four"),
            (&[[11, 12, 13, 13]], "eleven [twelve]"),
            (&[[12, 13, 13, 13]], "twelve []"),
            (&[[0, 0, 1, 2]], "[zero] one"),
            (&[], ""),
            (&[[50, 60, 61, 70]], ""),
        ];
        for (places, expected) in cases {
            assert_eq!(quote(WORDS, &windows(places)), expected, "{places:?}");
        }
        assert_eq!(quote("", &windows(&[[0, 0, 0, 0]])), "[]");
    }

    #[test]
    fn quotation_has_at_most_eight_words_on_each_side() {
        let many: Vec<String> = (0..100).map(|number| format!("w{number}")).collect();
        let quoted = quote(&many.join(" "), &windows(&[[0, 50, 51, 100]]));
        let expected = format!(
            "{} [w50] {}",
            many[42..50].join(" "),
            many[51..59].join(" ")
        );
        assert_eq!(quoted, expected);
    }

    #[test]
    fn words_are_found_across_block_boundaries() {
        let words: Vec<String> = (0..400).map(|number| "ä".repeat(number % 7 + 1)).collect();
        let text = words.join(" ");
        for start in 0..=words.len() {
            let found: Vec<&str> = words_between(&text, start as u32..start as u32 + 3).collect();
            assert_eq!(found, words[start..(start + 3).min(words.len())]);
        }
        assert_eq!(words_between("", 0..9).count(), 0);
        assert_eq!(words_between("one", 1..9).count(), 0);
        assert_eq!(words_between("one", 0..0).count(), 0);
    }
}
