//! Co-citation by proximity of links (Dean and Henzinger 1999), the paper's baseline.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::ArrowError;

use crate::hash;
use crate::pages::{PageBlock, PageView};

/// Number of links before and after a link that count as side by side with it.
const SIDE: usize = 4;

/// How many pages link to two chosen pages side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CocitationCount {
    /// The place of a chosen page.
    pub one: u32,
    /// The place of the other.
    pub other: u32,
    /// How many pages link to both.
    pub count: u32,
}

/// How often the pages of a block link to each two of the chosen pages (sorted ids) side by side,
/// in order. Of links to the same page the first counts.
pub fn cocitations(
    block: &PageBlock,
    chosen: &[u64],
    live: impl Fn(u32) -> bool,
) -> Vec<CocitationCount> {
    let urls = 0..block.urls.len() as u32;
    let places: Vec<Option<u32>> = urls
        .map(|url| {
            let id = hash::url_id(block.urls.get(url));
            chosen.binary_search(&id).ok().map(|place| place as u32)
        })
        .collect();
    let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
    for page in (0..block.len()).filter(|&page| live(page as u32)) {
        let targets = distinct_targets(&block.page(page));
        for (at, &target) in targets.iter().enumerate() {
            let Some(one) = places[target as usize] else {
                continue;
            };
            let end = targets.len().min(at + SIDE + 1);
            let beside = &targets[at + 1..end];
            for two in beside.iter().filter_map(|&url| places[url as usize]) {
                *counts.entry((one, two)).or_default() += 1;
                *counts.entry((two, one)).or_default() += 1;
            }
        }
    }
    let mut rows: Vec<_> = counts
        .into_iter()
        .map(|((one, other), count)| CocitationCount { one, other, count })
        .collect();
    rows.sort_unstable();
    rows
}

/// Where a page leads, each target once, in order.
fn distinct_targets(page: &PageView<'_>) -> Vec<u32> {
    let mut seen = HashSet::new();
    let targets = page.anchors.iter().map(|anchor| anchor.target);
    targets
        .filter(|&target| target != page.url && seen.insert(target))
        .collect()
}

/// One row for each two pages.
pub fn cocitation_batch(found: &[CocitationCount]) -> Result<RecordBatch, ArrowError> {
    let column = |field: fn(&CocitationCount) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(found.iter().map(field)))
    };
    RecordBatch::try_from_iter([
        ("one", column(|pair| pair.one)),
        ("other", column(|pair| pair.other)),
        ("count", column(|pair| pair.count)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::MediaType;
    use crate::pages::{Document, Origin, PageParser};

    #[test]
    fn adjacent_links_are_counted_once_per_page() {
        let mut parser = PageParser::default();
        for (page, links) in [("p", "abacdefg"), ("q", "ab"), ("r", "ab")] {
            let html: String = links
                .chars()
                .map(|link| format!("<a href=/{link}>x</a>"))
                .collect();
            let origin = Origin {
                file: 0,
                offset: 0,
                date: None,
            };
            let url = format!("http://t.example/{page}");
            let document = Document {
                url: &url,
                folder: None,
                media: MediaType::Html,
                charset: None,
                language: None,
                body: html.as_bytes(),
            };
            parser.add(document, origin).expect("valid URL");
        }
        let id = |name: &str| hash::url_id(format!("http://t.example/{name}"));
        let mut chosen = ["a", "b", "f"].map(id);
        chosen.sort_unstable();
        let place = |name| chosen.binary_search(&id(name)).expect("chosen") as u32;
        // The last page is not live. f is five links from a, and four from b.
        let rows = cocitations(parser.block(), &chosen, |page| page < 2);
        let (a, b, f) = (place("a"), place("b"), place("f"));
        let mut expected = vec![(a, b, 2), (b, a, 2), (b, f, 1), (f, b, 1)];
        expected.sort_unstable();
        let rows: Vec<_> = rows
            .iter()
            .map(|pair| (pair.one, pair.other, pair.count))
            .collect();
        assert_eq!(rows, expected);
    }
}
