//! Top-k selection by insertion into a short sorted list: the few heaviest of many terms.

/// The heaviest terms so far, the heaviest first; equals in order of terms.
#[derive(Debug, Clone)]
pub struct TopK<W> {
    limit: usize,
    terms: Vec<(u64, W)>,
}

impl<W: Copy + PartialOrd> TopK<W> {
    /// An empty list for at most `limit` terms.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            terms: Vec::with_capacity(limit.min(64)),
        }
    }

    /// The weight below which no term enters the list; `minimum` while there is room.
    #[inline]
    pub fn floor(&self, minimum: W) -> W {
        let last = self.terms.get(self.limit.wrapping_sub(1));
        last.map_or(minimum, |last| last.1)
    }

    /// Adds a term if it is one of the heaviest.
    #[inline]
    pub fn add(&mut self, term: u64, weight: W) {
        let has_room = self.terms.len() < self.limit;
        let last = self.terms.last();
        if has_room || last.is_some_and(|last| is_before((term, weight), *last)) {
            self.keep((term, weight));
        }
    }

    fn keep(&mut self, entry: (u64, W)) {
        let at = self.terms.partition_point(|&kept| is_before(kept, entry));
        self.terms.truncate(self.limit - 1);
        self.terms.insert(at, entry);
    }

    /// The terms with their weights.
    pub fn into_terms(self) -> Vec<(u64, W)> {
        self.terms
    }
}

#[inline]
fn is_before<W: PartialOrd>(one: (u64, W), other: (u64, W)) -> bool {
    one.1 > other.1 || (one.1 == other.1 && one.0 < other.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heaviest(entries: &[(u64, u32)], limit: usize) -> Vec<(u64, u32)> {
        let mut heaviest = TopK::new(limit);
        for &(term, weight) in entries {
            heaviest.add(term, weight);
        }
        heaviest.into_terms()
    }

    #[test]
    fn top_k_matches_a_full_sort() {
        let entries: Vec<(u64, u32)> = (0..200u64)
            .map(|term| (term * 7919 % 200, (term * 31 % 17) as u32))
            .collect();
        let mut sorted = entries.clone();
        sorted.sort_by_key(|&(term, weight)| (std::cmp::Reverse(weight), term));
        for limit in [1, 2, 8, 199, 200, 500] {
            let expected = &sorted[..limit.min(200)];
            assert_eq!(heaviest(&entries, limit), expected);
        }
        assert_eq!(heaviest(&entries, 0), []);
    }

    #[test]
    fn floor_is_the_smallest_weight_that_can_enter() {
        let mut heaviest = TopK::new(2);
        for (term, floor) in [(1, 0.0), (2, 0.0), (3, 1.0), (4, 2.0)] {
            assert_eq!(heaviest.floor(0.0), floor);
            heaviest.add(term, term as f32);
        }
        assert_eq!(TopK::new(0).floor(7), 7);
    }
}
