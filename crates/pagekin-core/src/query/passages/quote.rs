//! Quotations: the sentences around links as they stand on the page, each anchor in brackets.

use std::ops::Range;

use super::{line_at, sentences, word_end_before, word_start_before, ZERO_WIDTH_SPACE};
use crate::index::LinkWindow;
use crate::text::WordSpans;

/// Bytes quoted on each side of an anchor at the most.
const ASIDE: usize = 120;

/// The sentences with the anchors of links, in their order on the page; those that follow each
/// other are quoted as one. An anchor without words is `[]`.
pub fn quote(text: &str, windows: &[LinkWindow]) -> String {
    let anchors = anchors(text, windows);
    let mut quoted = String::new();
    for (number, span) in spans(text, &anchors).into_iter().enumerate() {
        if number > 0 {
            quoted.push_str(" … ");
        }
        add_marked(&mut quoted, text, span, &anchors);
    }
    quoted
}

/// Where the anchors of links are, in order; those behind the last word are left out.
fn anchors(text: &str, windows: &[LinkWindow]) -> Vec<Range<usize>> {
    let mut ends: Vec<(u32, u32)> = windows
        .iter()
        .map(|window| (window.anchor_start, window.anchor_end))
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let last = ends.iter().map(|&(start, end)| start.max(end)).max();
    let last = last.map_or(0, |last| last as usize + 1);
    let words: Vec<Range<usize>> = WordSpans::new(text).take(last).collect();
    let place = |(start, end): (u32, u32)| {
        let (start, end) = (start as usize, end as usize);
        match words.get(start) {
            Some(first) if start < end => {
                let last = words.get(end - 1).or(words.last()).unwrap_or(first);
                Some(first.start..last.end)
            }
            Some(word) => Some(word.start..word.start),
            None if start == end && start == words.len() => Some(text.len()..text.len()),
            None => None,
        }
    };
    ends.into_iter().filter_map(place).collect()
}

/// What is quoted of the anchors, in order.
fn spans(text: &str, anchors: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for anchor in anchors {
        let around = around(text, anchor);
        match spans.last_mut() {
            Some(span) if around.start <= span.end + 1 && !text[span.end..].starts_with('\n') => {
                span.end = span.end.max(around.end);
            }
            Some(span) if around.end <= span.end => {}
            _ => spans.push(around),
        }
    }
    spans
}

/// The sentence of an anchor, without its far ends if it is long.
fn around(text: &str, anchor: &Range<usize>) -> Range<usize> {
    let start = sentences(text, line_at(text, anchor.start));
    let start = start.iter().rev().find(|one| one.start <= anchor.start);
    let start = start.map_or(anchor.start, |one| one.start);
    let end = sentences(text, line_at(text, anchor.end));
    let end = end.iter().find(|one| one.end >= anchor.end);
    let end = end.map_or(anchor.end, |one| one.end);
    let first = match anchor.start - start {
        0..=ASIDE => start,
        _ => word_start_before(text, anchor.start - ASIDE, start),
    };
    let last = match end - anchor.end {
        0..=ASIDE => end,
        _ => word_end_before(text, anchor.end + ASIDE, anchor.end),
    };
    first..last
}

/// Adds a part of the text with brackets around anchors.
fn add_marked(quoted: &mut String, text: &str, span: Range<usize>, anchors: &[Range<usize>]) {
    let mut from = span.start;
    for anchor in anchors {
        if anchor.start < from || anchor.end > span.end {
            continue;
        }
        add_shown(quoted, &text[from..anchor.start]);
        quoted.push('[');
        add_shown(quoted, &text[anchor.clone()]);
        quoted.push(']');
        if anchor.is_empty() && anchor.end < span.end {
            quoted.push(' ');
        }
        from = anchor.end;
    }
    add_shown(quoted, &text[from..span.end]);
}

/// Adds text in one line.
fn add_shown(quoted: &mut String, text: &str) {
    let shown = text.chars().filter(|&letter| letter != ZERO_WIDTH_SPACE);
    quoted.extend(shown.map(|letter| if letter == '\n' { ' ' } else { letter }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(anchors: &[[u32; 2]]) -> Vec<LinkWindow> {
        let window = |&[anchor_start, anchor_end]: &[u32; 2]| LinkWindow {
            start: 0,
            anchor_start,
            anchor_end,
            end: u32::MAX,
        };
        anchors.iter().map(window).collect()
    }

    const TEXT: &str =
        "A menu\nOn old roses, see Hedgerow's page. Their hellebores\u{200b}s are as good.\nThe end";

    #[test]
    fn the_sentence_of_an_anchor_is_quoted_with_its_punctuation() {
        let cases: [(&[[u32; 2]], &str); 9] = [
            (&[[6, 8]], "On old roses, see [Hedgerow's] page."),
            (&[[0, 2]], "[A menu]"),
            (
                &[[0, 1], [4, 5]],
                "[A] menu … On old [roses], see Hedgerow's page.",
            ),
            (
                &[[10, 11], [4, 5]],
                "On old [roses], see Hedgerow's page. Their [hellebores]s are as good.",
            ),
            (&[[4, 5], [4, 5]], "On old [roses], see Hedgerow's page."),
            (&[[15, 15]], "[] The end"),
            (&[[17, 17]], "The end[]"),
            (&[], ""),
            (&[[50, 51]], ""),
        ];
        for (places, expected) in cases {
            assert_eq!(quote(TEXT, &windows(places)), expected, "{places:?}");
        }
        assert_eq!(quote("", &windows(&[[0, 0]])), "[]");
    }

    #[test]
    fn long_sentences_are_cut_between_words() {
        let many: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
        let quoted = quote(&many.join(" "), &windows(&[[100, 101]]));
        assert!(
            quoted.starts_with("w7") && quoted.ends_with(" w123"),
            "{quoted}"
        );
        assert!(quoted.contains("w99 [w]100 w101"), "{quoted}");
    }
}
