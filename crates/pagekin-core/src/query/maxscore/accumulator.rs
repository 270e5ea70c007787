//! Score accumulators: what each page of a segment shares with a query, as far as it has been added.

use crate::columns::PACKED_BLOCK;
use crate::index::{ColumnReader, ListBlock, ListReader};

/// Pages that are skipped together if the score of none is large enough.
const STRETCH: usize = 64;
/// Pages whose scores stay in a near cache while several terms are added.
const BLOCK: usize = 8_192;

/// A score for each page of a segment.
#[derive(Debug, Default)]
pub struct ScoreAccumulator {
    scores: Vec<u16>,
    /// The highest score of each stretch of pages, since the last update.
    tops: Vec<u16>,
}

impl ScoreAccumulator {
    /// This many scores of 0.
    pub fn reset(&mut self, pages: usize) {
        self.scores.clear();
        self.scores.resize(pages, 0);
        self.tops.clear();
    }

    /// Adds min(own weight, page's weight) of a term that few pages have; nothing if the list is
    /// broken, or a place lies outside. `block` may hold anything.
    pub fn add(&mut self, own: u16, mut list: ListReader<'_>, block: &mut ListBlock) -> Option<()> {
        loop {
            let (places, weights) = list.next(block)?;
            if places.is_empty() {
                return Some(());
            }
            for (&place, &weight) in places.iter().zip(weights) {
                let score = self.scores.get_mut(place as usize)?;
                *score = score.saturating_add(weight.min(own.into()) as u16);
            }
        }
    }

    /// The same of terms with a weight for every page; nothing if one has not.
    pub fn add_columns(&mut self, terms: &mut [(u16, ColumnReader<'_>)]) -> Option<()> {
        let mut weights = [0; PACKED_BLOCK];
        for scores in self.scores.chunks_mut(BLOCK) {
            for (own, column) in terms.iter_mut() {
                for scores in scores.chunks_mut(PACKED_BLOCK) {
                    if column.next(&mut weights)? != scores.len() {
                        return None;
                    }
                    for (score, &weight) in scores.iter_mut().zip(&weights) {
                        *score = score.saturating_add(weight.min(*own));
                    }
                }
            }
        }
        Some(())
    }

    /// Makes a score 0.
    pub fn clear(&mut self, place: u32) {
        if let Some(score) = self.scores.get_mut(place as usize) {
            *score = 0;
        }
    }

    /// Finds the highest score of each stretch.
    pub fn update_tops(&mut self) {
        let stretches = self.scores.chunks(STRETCH);
        let highest = |scores: &[u16]| scores.iter().fold(0, |most, &score| score.max(most));
        self.tops.clear();
        self.tops.extend(stretches.map(highest));
    }

    /// The scores.
    pub fn scores(&self) -> &[u16] {
        &self.scores
    }

    /// The scores, to change them.
    pub fn scores_mut(&mut self) -> &mut [u16] {
        &mut self.scores
    }

    /// The highest scores of stretches.
    pub fn tops(&self) -> &[u16] {
        &self.tops
    }

    /// The places with at least this score, and their scores. The tops must be up to date.
    pub fn at_least(&self, least: u32) -> impl Iterator<Item = (u32, u16)> + '_ {
        let stretches = self
            .tops
            .iter()
            .zip(self.scores.chunks(STRETCH))
            .enumerate();
        let high = stretches.filter(move |(_, (&top, _))| u32::from(top) >= least);
        high.flat_map(move |(number, (_, scores))| {
            let places = (number * STRETCH) as u32..;
            let pairs = places.zip(scores.iter().copied());
            pairs.filter(move |&(_, score)| u32::from(score) >= least)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::PackedReader;
    use crate::index::{pack_list, ListHead};

    fn packed_list(places: &[u32], weights: &[u16]) -> Vec<u8> {
        let mut packed = Vec::new();
        pack_list(places, weights, &mut packed);
        packed
    }

    fn list_reader(packed: &[u8]) -> ListReader<'_> {
        let (reader, head) = opened(packed);
        ListReader::new(reader, head)
    }

    fn column_reader(packed: &[u8]) -> ColumnReader<'_> {
        let (reader, head) = opened(packed);
        ColumnReader::new(reader, head)
    }

    fn opened(packed: &[u8]) -> (PackedReader<'_>, ListHead) {
        let mut reader = PackedReader::new(packed);
        let head = ListHead::read(&mut reader).expect("sound");
        (reader, head)
    }

    #[test]
    fn smaller_weights_are_summed_by_place() {
        let (mut scores, mut block) = (ScoreAccumulator::default(), ListBlock::default());
        scores.reset(4);
        for (own, places, weights) in [(10, [0, 2], [4, 40]), (7, [2, 3], [9, 1])] {
            let packed = packed_list(&places, &weights);
            let mut add = |scores: &mut ScoreAccumulator, packed| {
                scores.add(own, list_reader(packed), &mut block)
            };
            assert_eq!(add(&mut scores, &packed[..]), Some(()));
            let mut few = ScoreAccumulator::default();
            few.reset(2);
            assert_eq!(add(&mut few, &packed[..]), None);
            assert_eq!(add(&mut few, &packed[..packed.len() - 1]), None);
        }
        assert_eq!(scores.scores, [4, 0, 17, 1]);
    }

    #[test]
    fn columns_are_added_block_by_block() {
        let pages = 2 * BLOCK + 77;
        let weights: Vec<u16> = (0..pages).map(|place| (place * 31 % 97) as u16).collect();
        let packed = packed_list(&[], &weights);
        let column = column_reader(&packed);
        let mut scores = ScoreAccumulator::default();
        scores.reset(pages);
        let added = scores.add_columns(&mut [(50, column), (20, column)]);
        assert_eq!(added, Some(()));
        let expected: Vec<u16> = weights.iter().map(|&w| w.min(50) + w.min(20)).collect();
        assert_eq!(scores.scores, expected);
        scores.reset(pages + 1);
        assert_eq!(scores.add_columns(&mut [(50, column)]), None);
    }

    #[test]
    fn high_scores_are_found_in_order() {
        let mut scores = ScoreAccumulator::default();
        scores.reset(1000);
        for (place, score) in scores.scores.iter_mut().enumerate() {
            *score = (place * 7919 % 1000) as u16;
        }
        scores.clear(3);
        for least in [1, 500, 990, 999, 1000, 70_000] {
            scores.update_tops();
            let expected = (0..).zip(scores.scores.iter().copied());
            let expected: Vec<_> = expected
                .filter(|&(_, score)| u32::from(score) >= least)
                .collect();
            assert_eq!(scores.at_least(least).collect::<Vec<_>>(), expected);
        }
    }
}
