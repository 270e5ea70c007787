//! Terms that very many pages hold, as one weight for every page: so they are
//! added sixteen pages at a time. Concepts are such terms.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::index::Held;

/// A term is common if one page in so many holds it.
const ONE_IN: usize = 4;
/// So many common terms of a shard are kept.
const MOST: usize = 256;

/// The weights of the common terms of a shard, made when they are first asked for.
#[derive(Debug, Default)]
pub struct Common {
    terms: RwLock<HashMap<u64, Arc<[u16]>>>,
}

impl Common {
    /// The weight of a term in each of the rows of its shard, if it is common.
    pub fn weights(&self, term: u64, held: Held<'_>, rows: usize) -> Option<Arc<[u16]>> {
        if !is_common(held.rows.len(), rows) {
            return None;
        }
        let terms = self.terms.read().unwrap_or_else(PoisonError::into_inner);
        let known = terms.get(&term).cloned();
        let has_room = terms.len() < MOST;
        drop(terms);
        known.or_else(|| has_room.then(|| self.keep(term, spread(held, rows)?))?)
    }

    fn keep(&self, term: u64, weights: Arc<[u16]>) -> Option<Arc<[u16]>> {
        let mut terms = self.terms.write().unwrap_or_else(PoisonError::into_inner);
        terms.insert(term, Arc::clone(&weights));
        Some(weights)
    }
}

/// Whether a term is common that so many of the rows hold.
pub fn is_common(holders: usize, rows: usize) -> bool {
    holders * ONE_IN >= rows
}

/// A weight for each row; nothing if a row lies outside.
fn spread(held: Held<'_>, rows: usize) -> Option<Arc<[u16]>> {
    let mut weights = vec![0; rows];
    for (&row, &weight) in held.rows.iter().zip(held.weights) {
        *weights.get_mut(row as usize)? = weight;
    }
    Some(weights.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_common_terms_have_a_weight_for_every_row() {
        let common = Common::default();
        let held = |rows: &'static [u32], weights| Held { rows, weights };
        let few = held(&[3], &[9]);
        assert_eq!(common.weights(1, few, 5), None);
        for _ in 0..2 {
            let weights = common.weights(1, few, 4);
            assert_eq!(weights.as_deref(), Some(&[0, 0, 0, 9][..]));
        }
        assert_eq!(common.weights(2, held(&[0, 4], &[7, 7]), 4), None);
    }

    #[test]
    fn there_are_never_too_many() {
        let common = Common::default();
        let held = Held {
            rows: &[0],
            weights: &[5],
        };
        let made = (0..2 * MOST as u64).filter(|&term| common.weights(term, held, 1).is_some());
        assert_eq!(made.count(), MOST);
    }
}
