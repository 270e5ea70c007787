//! Searches by sketch, in indexes whose pages share given numbers of positions with the query.

use std::cell::Cell;
use std::rc::Rc;

use super::*;
use crate::columns::TOTAL;
use crate::interrupt::{watched, Interrupted};
use crate::query::selection::PageSelection;
use crate::query::test_index::{index_with_matches, query, Terms};

/// A bag that shares this much with the query, whose only term is 1.
fn bag(overlap: u16) -> Terms {
    (vec![1, 2], vec![overlap, TOTAL as u16 - overlap])
}

fn search(index: &Searcher, k: usize, alpha: f64) -> SearchResult {
    search_with(index, k, alpha, false)
}

fn search_with(index: &Searcher, k: usize, alpha: f64, exact: bool) -> SearchResult {
    let options = SearchOptions {
        k,
        min_score: 0.0,
        alpha,
        exact,
        one_per_site: false,
        pages: PageSelection::default(),
        duplicate_score: 1.0,
        exclude_pages: vec![],
        exclude_sites: vec![],
        exclude_links_from: vec![],
    };
    index.search(&query(), &options).expect("sound")
}

fn rows(result: &SearchResult) -> Vec<u32> {
    result.hits.iter().map(|hit| hit.page.row).collect()
}

#[test]
fn candidates_beyond_the_bound_are_given_up_and_the_answer_is_not_called_exact() {
    let mut bags = vec![bag(1); 31_000];
    let mut matches = vec![3; bags.len()];
    (bags[0], matches[0]) = (bag(12_000), 20);
    bags[30_500] = bag(40_000);
    let index = index_with_matches(&bags, &matches, 80);
    let result = search(&index, 1, 0.0);
    assert_eq!((rows(&result), result.exact), (vec![0], false));
    let result = search_with(&index, 1, 0.0, true);
    assert_eq!((rows(&result), result.exact), (vec![30_500], true));
}

#[test]
fn few_candidates_are_enough_if_the_others_are_unlikely() {
    let mut bags = vec![bag(1); 1_000];
    let mut matches = vec![0; bags.len()];
    (bags[7], matches[7]) = (bag(40_000), 40);
    let result = search(&index_with_matches(&bags, &matches, 80), 1, 0.0);
    assert_eq!((rows(&result), result.exact), (vec![7], false));
}

#[test]
fn agreement_is_counted_beyond_255_positions() {
    let bags = [bag(50_000), bag(49_000), bag(48_000)];
    let index = index_with_matches(&bags, &[300, 260, 281], 400);
    assert_eq!(rows(&search(&index, 10, 0.7)), [0, 2]);
}

#[test]
fn long_exact_search_stops_when_nobody_waits_any_more() {
    let bags: Vec<Terms> = (1..=10_000).map(bag).collect();
    let index = index_with_matches(&bags, &vec![0; bags.len()], 80);
    for most in [1, 10, 100] {
        let asked = Rc::new(Cell::new(0));
        let count = Rc::clone(&asked);
        let probe = move || {
            count.set(count.get() + 1);
            count.get() > most
        };
        let done = watched(Box::new(probe), || {
            search_with(&index, 10, 0.0, true).compared
        });
        assert_eq!(done, Err(Interrupted), "after {most} times");
        assert_eq!(asked.get(), most + 1);
    }
    let result = search_with(&index, 10, 0.0, true);
    assert_eq!((result.compared, result.hits.len()), (bags.len(), 10));
}
