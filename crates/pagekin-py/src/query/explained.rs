//! Hits as Python gets them: plain tuples, all hits of an answer in one call.

use std::borrow::Cow;

use pagekin_core::index::Fault;
use pagekin_core::query::{Place, Reasons, Searcher, Why};

/// URL, site, title and whether it was fetched.
pub type Card<'a> = (&'a str, &'a str, Option<&'a str>, bool);
/// Terms with their weights; of the others how many they are, and what they weigh.
type Terms<'a> = (Vec<(Cow<'a, str>, u32)>, (usize, u32));
/// A concept by its number, its weight, and the words by which the pages have it.
type Concept<'a> = (u32, u32, Vec<Cow<'a, str>>);
/// Concepts, and the others as of terms.
type Concepts<'a> = (Vec<Concept<'a>>, (usize, u32));
/// URL, and the words around both links.
type Citation<'a> = (Cow<'a, str>, String);

/// A hit: its card, the URLs of its mirrors, terms, concepts, and who links to both.
pub type Explained<'a> = (
    Card<'a>,
    Vec<&'a str>,
    Terms<'a>,
    Concepts<'a>,
    Vec<Citation<'a>>,
);

/// A hit and its mirrors with the reasons.
pub fn explained<'a>(
    index: &'a Searcher,
    reasons: &mut Reasons<'a, '_>,
    hit: Place,
    mirrors: Vec<Place>,
) -> Result<Explained<'a>, Fault> {
    let urls = mirrors.into_iter().map(|place| Ok(index.card(place)?.url));
    let urls = urls.collect::<Result<_, _>>()?;
    let (terms, concepts, citations) = told(reasons.of(hit)?);
    Ok((card(index, hit)?, urls, terms, concepts, citations))
}

/// What a page is called.
pub fn card(index: &Searcher, page: Place) -> Result<Card<'_>, Fault> {
    let card = index.card(page)?;
    Ok((card.url, card.site, card.title, card.crawled))
}

fn told(why: Why<'_>) -> (Terms<'_>, Concepts<'_>, Vec<Citation<'_>>) {
    let concepts = why.concepts.into_iter();
    let concepts = concepts.map(|about| (about.number, about.weight, about.here));
    let citations = why.citations.into_iter();
    (
        (why.terms, why.other_terms),
        (concepts.collect(), why.other_concepts),
        citations.map(|page| (page.url, page.words)).collect(),
    )
}
