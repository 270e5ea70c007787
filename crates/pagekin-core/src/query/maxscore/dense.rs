//! Dense vectors of frequent terms: one weight for every page, so that the processor adds
//! sixteen pages at a time. Concepts are such terms.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::index::WeightedPostings;

/// A term is frequent if one page in this many has it.
const ONE_IN: usize = 4;
/// The most vectors that are kept of a shard.
const MOST: usize = 640;

/// The vectors of a shard, each made when it is first needed.
#[derive(Debug, Default)]
pub struct DenseTerms {
    vectors: RwLock<HashMap<u64, Arc<[u16]>>>,
}

impl DenseTerms {
    /// The weight of a term in each row of its shard, if it is frequent.
    pub fn vector(
        &self,
        term: u64,
        postings: WeightedPostings<'_>,
        rows: usize,
    ) -> Option<Arc<[u16]>> {
        if !is_frequent(postings.rows.len(), rows) {
            return None;
        }
        let vectors = self.vectors.read().unwrap_or_else(PoisonError::into_inner);
        let cached = vectors.get(&term).cloned();
        let has_room = vectors.len() < MOST;
        drop(vectors);
        cached.or_else(|| has_room.then(|| self.insert(term, densify(postings, rows)?))?)
    }

    fn insert(&self, term: u64, vector: Arc<[u16]>) -> Option<Arc<[u16]>> {
        let mut vectors = self.vectors.write().unwrap_or_else(PoisonError::into_inner);
        vectors.insert(term, Arc::clone(&vector));
        Some(vector)
    }
}

/// Whether a term with this many postings is frequent.
pub fn is_frequent(postings: usize, rows: usize) -> bool {
    postings * ONE_IN >= rows
}

/// A weight for each row; nothing if a row lies outside.
fn densify(postings: WeightedPostings<'_>, rows: usize) -> Option<Arc<[u16]>> {
    let mut weights = vec![0; rows];
    for (&row, &weight) in postings.rows.iter().zip(postings.weights) {
        *weights.get_mut(row as usize)? = weight;
    }
    Some(weights.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_frequent_terms_have_a_vector() {
        let dense = DenseTerms::default();
        let postings = |rows: &'static [u32], weights| WeightedPostings { rows, weights };
        let few = postings(&[3], &[9]);
        assert_eq!(dense.vector(1, few, 5), None);
        for _ in 0..2 {
            let weights = dense.vector(1, few, 4);
            assert_eq!(weights.as_deref(), Some(&[0, 0, 0, 9][..]));
        }
        assert_eq!(dense.vector(2, postings(&[0, 4], &[7, 7]), 4), None);
    }

    #[test]
    fn vectors_are_bounded() {
        let dense = DenseTerms::default();
        let postings = WeightedPostings {
            rows: &[0],
            weights: &[5],
        };
        let made = (0..2 * MOST as u64).filter(|&term| dense.vector(term, postings, 1).is_some());
        assert_eq!(made.count(), MOST);
    }
}
