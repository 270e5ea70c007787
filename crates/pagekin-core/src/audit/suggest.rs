//! Missing links of a page: pages that it names or resembles and does not link to.

use super::dictionary::{AnchorDictionary, Mention, SiteLink};
use crate::columns::{score, Ragged};
use crate::index::TableError;
use crate::interrupt;
use crate::query::{PageRef, PreparedQuery, QueryBag, SearchOptions, SearchResult, Searcher};
use crate::text::words_of;

/// Added to the probability of a mention and to a similarity before they are multiplied, so that
/// a page with one of them alone still counts. Tuned by hidden links of NumPy's manual.
const MENTION: f64 = 0.02;
const SIMILARITY: f64 = 0.1;

/// A page that another ought to link to.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The number of the page.
    pub target: u32,
    /// From 0 to 1.
    pub score: f64,
    /// Weighted Jaccard similarity of the two pages.
    pub similarity: f64,
    /// Where the page is named.
    pub mention: Option<Mention>,
}

/// What is found for one page.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// Missing links, the best first.
    pub links: Vec<Suggestion>,
    /// The numbers of its near duplicates.
    pub duplicates: Vec<u32>,
}

/// Finds the missing links of the pages of a site.
#[derive(Debug)]
pub struct LinkSuggester {
    /// The pages of the site, ascending.
    pages: Vec<PageRef>,
    /// The links of each page.
    links: Ragged<SiteLink>,
    names: AnchorDictionary,
}

impl LinkSuggester {
    /// Reads the texts of a site. Pages are in ascending order and have a row of links each; titles
    /// are words.
    pub fn new(
        index: &Searcher,
        pages: Vec<PageRef>,
        links: Ragged<SiteLink>,
        titles: &[Vec<String>],
    ) -> Result<Self, TableError> {
        let mut names = AnchorDictionary::default();
        for (title, page) in titles.iter().zip(0..) {
            let words: Vec<&str> = title.iter().map(String::as_str).collect();
            names.add_title(&words, page);
        }
        for (number, &page) in pages.iter().enumerate() {
            with_words(index, page, |words| {
                names.add_links(words, links.row(number))
            })?;
        }
        for &page in &pages {
            with_words(index, page, |words| names.count(words))?;
        }
        Ok(Self {
            pages,
            links,
            names,
        })
    }

    /// Up to `limit` missing links of a page, and its near duplicates among the hits of a search.
    pub fn suggest(
        &self,
        index: &Searcher,
        number: usize,
        options: &SearchOptions,
        limit: usize,
    ) -> Result<Suggestions, TableError> {
        let page = self.pages[number];
        let bag = QueryBag::from(index.bag(page)?);
        let query = PreparedQuery::new(index, &bag);
        let mut options = options.clone();
        options.exclude_pages = vec![page];
        let result = index.search(&bag, &options)?;
        let duplicates = self.duplicates(&result, options.duplicate_score);
        let links = self.links.row(number);
        let mentions = &mut with_words(index, page, |words| self.names.mentions(words, links))?;
        let related = self.numbers_of(result.hits.iter().map(|hit| &hit.page));
        let mut links = Vec::new();
        for target in self.unlinked(number, related.chain(mentions.keys().copied()).collect()) {
            let likeness = score(query.overlap(self.pages[target as usize])?);
            if likeness <= options.duplicate_score && duplicates.binary_search(&target).is_err() {
                links.push(Suggestion::new(target, likeness, mentions.remove(&target)));
            }
        }
        links.sort_by(|one, other| other.score.total_cmp(&one.score));
        links.truncate(limit);
        Ok(Suggestions { links, duplicates })
    }

    /// Pages with the text of the page asked about, or nearly so.
    fn duplicates(&self, found: &SearchResult, min_score: f64) -> Vec<u32> {
        let near = found
            .hits
            .iter()
            .filter(|hit| score(hit.overlap) > min_score);
        let near = near.flat_map(|hit| hit.duplicates.iter().chain([&hit.page]));
        let mut numbers: Vec<u32> = self.numbers_of(found.copies.iter().chain(near)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Those of the pages that a page does not link to, ascending; not itself.
    fn unlinked(&self, number: usize, mut pages: Vec<u32>) -> Vec<u32> {
        let links = self.links.row(number).iter();
        let mut linked: Vec<u32> = links.filter_map(|link| link.target).collect();
        linked.push(number as u32);
        linked.sort_unstable();
        pages.sort_unstable();
        pages.dedup();
        pages.retain(|page| linked.binary_search(page).is_err());
        pages
    }

    /// The numbers of those of the pages that are of the site.
    fn numbers_of<'a>(
        &'a self,
        pages: impl Iterator<Item = &'a PageRef> + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        pages.filter_map(|page| Some(self.pages.binary_search(page).ok()? as u32))
    }
}

impl Suggestion {
    fn new(target: u32, similarity: f64, mention: Option<Mention>) -> Self {
        let named = mention.as_ref().map_or(0.0, |mention| mention.probability);
        let highest = (1.0 + MENTION) * (1.0 + SIMILARITY);
        Self {
            target,
            score: (named + MENTION) * (similarity + SIMILARITY) / highest,
            similarity,
            mention,
        }
    }
}

/// Calls a function with the words of a page.
fn with_words<T>(
    index: &Searcher,
    page: PageRef,
    work: impl FnOnce(&[&str]) -> T,
) -> Result<T, TableError> {
    interrupt::check();
    let words = words_of(&index.text(page)?.unwrap_or_default().text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(work(&words))
}
