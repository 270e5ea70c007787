//! Random tag soup, the same in every run.

use std::sync::LazyLock;

use super::{agree, by_library, by_stream, by_tree};

const PAGES: u64 = 20_000;

/// What the soup is made of; a name stands for its start and end tag.
static TAGS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "a a a b i font nobr span p p div h1 h2 ul li li dl dt dd table table tr td td th \
    tbody thead caption colgroup col form button select option optgroup input img image \
    area br hr base object marquee body html head title textarea script style noscript \
    iframe template svg math g mi desc foreignObject annotation-xml pre center address \
    plaintext xmp frameset frame noframes meta ruby rt custom-element \
    custom-element-two main em summary dialog search label"
        .split(' ')
        .collect()
});

const ATTRIBUTES: &[&str] = &[
    " href=x",
    " href='y?z'",
    " href",
    " name=n",
    " alt=pic",
    " alt='two words'",
    " href=1 HREF=2",
    " /",
    " class=c",
    " href=\"&amp;é\"",
    " type=hidden",
    " encoding=Text/HTML",
];

static TEXT: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "one|two | three|four.| |\n|é|&eacute;|&amp;ü|&copy|&#x41;|日本|<|</|< b|a\u{ad}b|\
    \u{301}|<!-- c -->|<!DOCTYPE html>|<![CDATA[cd]]>|<!x>|<?y>|1|&|&nosuch;ö|\0"
        .split('|')
        .collect()
});

pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides as u64) as usize
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

pub(super) fn soup(seed: u64) -> Vec<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    // Few kinds of tags in one page meet more often.
    let kinds: Vec<&str> = (0..2 + dice.roll(6)).map(|_| dice.pick(&TAGS)).collect();
    (0..3 + dice.roll(60))
        .map(|_| piece(&mut dice, &kinds))
        .collect()
}

fn piece(dice: &mut Dice, kinds: &[&str]) -> String {
    match dice.roll(10) {
        0..=3 => dice.pick(&TEXT).to_owned(),
        4..=6 => format!(
            "<{}{}>",
            dice.pick(kinds),
            if dice.roll(2) == 0 {
                dice.pick(ATTRIBUTES)
            } else {
                ""
            }
        ),
        _ => format!("</{}>", dice.pick(kinds)),
    }
}

/// Soup in which most elements are closed in their order, so that much is known of what is open.
fn nested(seed: u64) -> Vec<String> {
    let mut dice = Dice(seed.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let kinds: Vec<&str> = (0..3 + dice.roll(8)).map(|_| dice.pick(&TAGS)).collect();
    let mut open = Vec::new();
    let mut pieces = Vec::new();
    for _ in 0..10 + dice.roll(80) {
        pieces.push(match dice.roll(20) {
            0..=5 => dice.pick(&TEXT).to_owned(),
            6..=12 => {
                let link = dice.roll(3) == 0;
                open.push(if link { "a" } else { dice.pick(&kinds) });
                format!(
                    "<{}{}>",
                    open[open.len() - 1],
                    if link { " href=x" } else { "" }
                )
            }
            13..=18 => open.pop().map_or(String::new(), |tag| format!("</{tag}>")),
            _ => piece(&mut dice, &kinds),
        });
    }
    pieces
}

fn differ(html: &str) -> bool {
    by_stream(html).is_some_and(|content| content != by_tree(html))
}

/// The page without whatever it does not need to show the difference.
fn shrunk(mut pieces: Vec<String>) -> String {
    let mut at = 0;
    while at < pieces.len() {
        let piece = pieces.remove(at);
        if !differ(&pieces.concat()) {
            pieces.insert(at, piece);
            at += 1;
        }
    }
    pieces.concat()
}

/// Panics with the smallest page on which the readers differ.
/// One page in `share` must do without its tree, or too little is tested.
fn agree_on(soup: impl Fn(u64) -> Vec<String>, share: usize) {
    let mut quick = 0;
    for seed in 0..PAGES {
        let pieces = soup(seed);
        if differ(&pieces.concat()) {
            agree(&shrunk(pieces));
        } else {
            quick += usize::from(by_stream(&pieces.concat()).is_some());
        }
    }
    assert!(
        quick * share > PAGES as usize,
        "only {quick} pages did without their tree"
    );
}

#[test]
fn both_readers_agree_on_tag_soup() {
    agree_on(soup, 3);
}

#[test]
fn both_readers_agree_on_nested_soup() {
    agree_on(nested, 5);
}

#[test]
fn both_tokenizers_feed_the_same_tree() {
    for seed in 0..PAGES / 4 {
        let html = format!("{}\0{}", soup(seed).concat(), soup(seed + PAGES).concat());
        assert_eq!(by_tree(&html), by_library(&html), "{html}");
    }
}
