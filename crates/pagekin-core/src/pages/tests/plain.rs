//! Plain markup must give what html5gum reads.

use std::sync::LazyLock;

use super::soup::{soup, Dice};
use crate::pages::block::PageRow;
use crate::pages::builder::PageBuilder;
use crate::pages::stream::{self, StreamOutcome};

const PAGES: u64 = 60_000;

/// Pieces of markup that begin, end or spoil tags, comments and references.
static PIECES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "<|>|</|/>|<!|<!-|<!--|-->|--!>|--|->|!|=|\"|'|/|&|;|#|&#|&nbsp;|&amp;|&quot|&lt;|\
    &#233;|&#65;|&#39;|&#x27;|&#XE9;|&#x;|&#;|&#xg;|&#13;|&#1114112;|&#x10fffe;|&#0;|\
    &#8217;|&#128;|&#99999;|&#55555;|&eacute;|&copy|a|A|b|td|table|p|br|img|script|\
    style|title|svg|template|href|HREF|alt|class| |  |\n|\r|\r\n|\t|\x0c|\0|é|\u{301}|日|\
    word|fifteenletterss|sixteenletterssx|.|?|x=y|<a href=|<a href=\"|<a href='u|\
    <img alt=\"|</a>|<p>|<br/>|</script>"
        .split('|')
        .collect()
});

type ReadFunction = fn(&str, &mut PageBuilder, bool) -> StreamOutcome;

/// All that a reader finds in a page.
fn read_all(html: &str, read: ReadFunction, best_effort: bool) -> Option<String> {
    let mut builder = PageBuilder::default();
    if read(html, &mut builder, best_effort) == StreamOutcome::NeedsTree {
        return None;
    }
    builder.finish("http://a.example/d/p.html", None, None, PageRow::default());
    let block = &builder.block;
    let page = block.page(0);
    let words: Vec<&str> = page
        .words
        .iter()
        .map(|&word| block.vocabulary.get(word))
        .collect();
    let targets: Vec<&str> = page
        .anchors
        .iter()
        .map(|to| block.urls.get(to.target))
        .collect();
    let rest = (
        page.anchors,
        targets,
        page.breaks,
        page.title,
        page.title_words.len(),
    );
    Some(format!("{words:?} {rest:?}"))
}

fn check(html: &str) {
    for best_effort in [true, false] {
        // The streaming reader gives up pages with NUL, unless it may not.
        if best_effort || !html.contains('\0') {
            let library = read_all(html, stream::read_by_library, best_effort);
            assert_eq!(
                read_all(html, stream::read, best_effort),
                library,
                "{html:?}"
            );
        }
    }
}

#[test]
fn broken_markup_is_read_like_html5gum() {
    for seed in 0..PAGES {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let count = 1 + dice.roll(40);
        check(&(0..count).map(|_| dice.pick(&PIECES)).collect::<String>());
    }
}

#[test]
fn tag_soup_is_read_like_html5gum() {
    for seed in 0..PAGES / 4 {
        check(&soup(seed).concat());
    }
}
