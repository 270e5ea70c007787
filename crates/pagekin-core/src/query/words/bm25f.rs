//! BM25F (Robertson, Zaragoza, Taylor 2004), term at a time over posting lists.
//!
//! tf(t) = Σ over fields of weight · count(t) / (1 - b + b · length / mean length), and a page
//! scores Σ weight(t) · tf(t) / (k1 + tf(t)). No posting list has the counts of titles and URLs, so
//! these are looked up for the pages with the best text and links only.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::fields::{words_in_path, FieldLengths};
use crate::index::TableError;
use crate::interrupt;
use crate::query::row_mask::IndexMask;
use crate::query::{PageRef, Searcher};
use crate::text::{words_of, Language, TermMakers};

/// Terms of titles are kept of a crawl of at most this many pages.
const MOST_KEPT: usize = 1 << 18;
/// No place among the pages looked up.
const NOWHERE: u32 = u32::MAX;

/// The constants of the formula.
#[derive(Debug, Clone, Copy)]
pub struct Bm25fParams {
    /// A word that a page has this often has half of its weight.
    pub k1: f64,
    /// How much long texts are discounted.
    pub text_b: f64,
    /// How much long titles are discounted.
    pub title_b: f64,
    /// How much words of links are discounted for pages with many inlinks.
    pub anchor_b: f64,
    /// The weight of a word in the title, beside 1 in the text.
    pub title: f64,
    /// The weight of a word in the URL.
    pub url: f64,
    /// The weight of a word in links.
    pub anchor: f64,
    /// Pages whose titles and URLs are looked up.
    pub looked_up: usize,
}

/// A term and its weight in a query.
pub type WeightedTerm = (u64, f64);

/// What BM25F knows of each page of an index, row by row through all shards.
#[derive(Debug)]
pub struct Bm25f {
    /// The first row of each shard.
    starts: Vec<usize>,
    /// The discounts 1 - b + b · length / mean length of each field.
    text: Vec<f64>,
    title: Vec<f64>,
    anchor: Vec<f64>,
    /// The terms of titles and URLs, as far as they were looked up.
    terms: Vec<OnceLock<FieldTerms>>,
    params: Bm25fParams,
}

/// A field that no posting list has apart.
#[derive(Debug, Clone, Copy)]
enum Field {
    Title,
    Url,
}

/// How often the title and the URL of a page have a term.
#[derive(Debug, Clone, Copy, Default)]
struct FieldCount {
    title: u8,
    url: u8,
}

impl FieldCount {
    fn add(&mut self, field: Field) {
        let count = match field {
            Field::Title => &mut self.title,
            Field::Url => &mut self.url,
        };
        *count = count.saturating_add(1);
    }
}

/// The terms of a page's title, then those of its URL.
#[derive(Debug)]
struct FieldTerms {
    terms: Box<[u64]>,
    in_title: usize,
}

impl FieldTerms {
    fn read(index: &Searcher, makers: &TermMakers, page: PageRef) -> Result<Self, TableError> {
        let meta = index.page_meta(page)?;
        let maker = makers.of(meta.language.and_then(Language::named));
        let id = |word: String| maker.id_without_stop_list(word.as_bytes());
        let title = words_of(meta.title.unwrap_or_default());
        let in_title = title.len();
        let url = words_of(&words_in_path(meta.url));
        let terms = title.into_iter().chain(url).map(id).collect();
        Ok(Self { terms, in_title })
    }
}

impl Bm25f {
    /// Reads the lengths of all fields. A field that a page does not have counts as average.
    pub fn new(index: &Searcher, params: Bm25fParams) -> Result<Self, TableError> {
        let lengths = FieldLengths::read(index)?;
        let mut starts = vec![0];
        for shard in index.shards() {
            starts.push(starts[starts.len() - 1] + shard.rows());
        }
        let rows = lengths.crawled.len();
        let kept = if rows <= MOST_KEPT { rows } else { 0 };
        let discounts = |field: &[u32], b| discounts(field, &lengths.crawled, b);
        Ok(Self {
            starts,
            text: discounts(&lengths.text, params.text_b),
            title: discounts(&lengths.title, params.title_b),
            anchor: discounts(&lengths.inlinks, params.anchor_b),
            terms: (0..kept).map(|_| OnceLock::new()).collect(),
            params,
        })
    }

    /// The score of every page that `mask` admits, by row; 0 for all others. Stop words are in no
    /// posting list: they count in titles and URLs. A query of stop words alone looks at every title.
    pub fn scores(
        &self,
        index: &Searcher,
        makers: &TermMakers,
        mask: &IndexMask,
        terms: &[WeightedTerm],
        stop_terms: &[WeightedTerm],
    ) -> Result<Vec<f64>, TableError> {
        let mut scores = vec![0.0; self.text.len()];
        for &(term, weight) in terms {
            self.visit(index, term, |row, tf| {
                scores[row] += weight * self.saturated(tf)
            })?;
        }
        for (score, admitted) in scores.iter_mut().zip(mask.rows()) {
            if !admitted {
                *score = 0.0;
            }
        }
        let rows = match terms.is_empty() {
            true if mask.admitted > MOST_KEPT || stop_terms.is_empty() => Vec::new(),
            true => (0..)
                .zip(mask.rows())
                .filter(|row| row.1)
                .map(|row| row.0)
                .collect(),
            false => best_rows(&scores, self.params.looked_up),
        };
        let found = self.with_titles(index, makers, &rows, terms, stop_terms)?;
        for (&row, score) in rows.iter().zip(found) {
            scores[row as usize] = score;
        }
        Ok(scores)
    }

    /// The scores of pages with the words of their titles and URLs.
    fn with_titles(
        &self,
        index: &Searcher,
        makers: &TermMakers,
        rows: &[u32],
        terms: &[WeightedTerm],
        stop_terms: &[WeightedTerm],
    ) -> Result<Vec<f64>, TableError> {
        let mut place = vec![NOWHERE; self.text.len()];
        for (at, &row) in (0..).zip(rows) {
            place[row as usize] = at;
        }
        let all: Vec<WeightedTerm> = terms.iter().chain(stop_terms).copied().collect();
        let numbers: HashMap<u64, usize> = all.iter().map(|term| term.0).zip(0..).collect();
        let mut counts = vec![FieldCount::default(); rows.len() * all.len()];
        for (at, &row) in rows.iter().enumerate() {
            self.visit_fields(index, makers, row, |term, field| {
                if let Some(&number) = numbers.get(&term) {
                    counts[number * rows.len() + at].add(field);
                }
            })?;
        }
        let mut scores = vec![0.0; rows.len()];
        for (number, &(term, weight)) in all.iter().enumerate() {
            let counts = &counts[number * rows.len()..(number + 1) * rows.len()];
            let counts = rows.iter().zip(counts);
            let mut tf: Vec<f64> = counts.map(|(&row, &count)| self.tf(row, count)).collect();
            if number < terms.len() {
                self.visit(index, term, |row, own| {
                    if let Some(tf) = tf.get_mut(place[row] as usize) {
                        *tf += own;
                    }
                })?;
            }
            for (score, &tf) in scores.iter_mut().zip(&tf) {
                *score += weight * self.saturated(tf);
            }
        }
        Ok(scores)
    }

    /// The frequency of a term in a page's title and URL.
    fn tf(&self, row: u32, count: FieldCount) -> f64 {
        let title = self.params.title / self.title[row as usize];
        title * f64::from(count.title) + self.params.url * f64::from(count.url)
    }

    /// Calls `visit` for each word of a page's title and URL: with its term and its field.
    fn visit_fields(
        &self,
        index: &Searcher,
        makers: &TermMakers,
        row: u32,
        mut visit: impl FnMut(u64, Field),
    ) -> Result<(), TableError> {
        interrupt::check();
        let shard = self.starts.partition_point(|&start| start <= row as usize) - 1;
        let page = PageRef {
            shard: shard as u32,
            row: row - self.starts[shard] as u32,
        };
        let read = || FieldTerms::read(index, makers, page);
        let fresh;
        let fields = match self.terms.get(row as usize) {
            Some(kept) => match kept.get() {
                Some(fields) => fields,
                None => {
                    let fields = read()?;
                    kept.get_or_init(|| fields)
                }
            },
            None => {
                fresh = read()?;
                &fresh
            }
        };
        let (title, url) = fields.terms.split_at(fields.in_title);
        title.iter().for_each(|&term| visit(term, Field::Title));
        url.iter().for_each(|&term| visit(term, Field::Url));
        Ok(())
    }

    /// Calls `visit` for each page with a term: with its row and the frequency in text and links.
    fn visit(
        &self,
        index: &Searcher,
        term: u64,
        mut visit: impl FnMut(usize, f64),
    ) -> Result<(), TableError> {
        interrupt::check();
        for list in index.word_postings(term)? {
            let counts = list.postings.content.iter().zip(&list.postings.anchor);
            for (&row, (&content, &anchor)) in list.postings.pages.iter().zip(counts) {
                let row = list.first_row + row as usize;
                let (Some(text), Some(links)) = (self.text.get(row), self.anchor.get(row)) else {
                    return Err(list.row_error());
                };
                let links = f64::from(anchor) / 1024.0 / links;
                visit(row, f64::from(content) / text + self.params.anchor * links);
            }
        }
        Ok(())
    }

    fn saturated(&self, tf: f64) -> f64 {
        tf / (self.params.k1 + tf)
    }
}

/// 1 - b + b · length / mean length of crawled pages.
fn discounts(lengths: &[u32], crawled: &[bool], b: f64) -> Vec<f64> {
    let known = lengths.iter().zip(crawled).filter(|(_, &crawled)| crawled);
    let (sum, count) = known.fold((0, 0), |(sum, count), (&length, _)| {
        (sum + u64::from(length), count + 1_u64)
    });
    let mean = (sum as f64 / count.max(1) as f64).max(1.0);
    let relative = |&length: &u32| match length {
        0 => 1.0,
        length => f64::from(length) / mean,
    };
    let discount = |length: &u32| 1.0 - b + b * relative(length);
    lengths.iter().map(discount).collect()
}

/// The rows with the highest scores above 0, in no order; of equals those that come first.
fn best_rows(scores: &[f64], most: usize) -> Vec<u32> {
    let rows = (0..scores.len() as u32).filter(|&row| scores[row as usize] > 0.0);
    let mut rows: Vec<u32> = rows.collect();
    if rows.len() > most {
        let score = |row: u32| scores[row as usize];
        rows.select_nth_unstable_by(most, |&one, &other| {
            let by_score = score(other).partial_cmp(&score(one));
            by_score.unwrap_or(Ordering::Equal).then(one.cmp(&other))
        });
        rows.truncate(most);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_fields_are_of_average_length() {
        let found = discounts(&[0, 20, 40, 60], &[true, true, true, false], 0.5);
        assert_eq!(found, [1.0, 1.0, 1.5, 2.0]);
        assert_eq!(discounts(&[0], &[false], 0.5), [1.0]);
    }

    #[test]
    fn best_rows_are_those_with_the_highest_scores() {
        let scores = [0.5, 0.0, 0.9, 0.5, 0.5, 0.1];
        for (most, expected) in [
            (2, vec![0, 2]),
            (3, vec![0, 2, 3]),
            (9, vec![0, 2, 3, 4, 5]),
        ] {
            let mut found = best_rows(&scores, most);
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
