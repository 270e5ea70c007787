//! Score accumulators: what each page of a segment shares with a query, as far as it has been added.

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

    /// Adds min(own weight, page's weight) of a term that few pages have; nothing if a place lies
    /// outside.
    pub fn add(&mut self, own: u16, places: &[u32], weights: &[u16]) -> Option<()> {
        for (&place, &weight) in places.iter().zip(weights) {
            let score = self.scores.get_mut(place as usize)?;
            *score = score.saturating_add(weight.min(own));
        }
        Some(())
    }

    /// The same of terms with a weight for every page.
    pub fn add_columns(&mut self, terms: &[(u16, &[u16])]) {
        for (block, scores) in self.scores.chunks_mut(BLOCK).enumerate() {
            for (own, weights) in terms {
                for (score, &weight) in scores.iter_mut().zip(&weights[block * BLOCK..]) {
                    *score = score.saturating_add(weight.min(*own));
                }
            }
        }
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

    #[test]
    fn smaller_weights_are_summed_by_place() {
        let mut scores = ScoreAccumulator::default();
        scores.reset(4);
        for (own, places, weights) in [(10, [0, 2], [4, 40]), (7, [2, 3], [9, 1])] {
            assert_eq!(scores.add(own, &places, &weights), Some(()));
            let mut few = ScoreAccumulator::default();
            few.reset(2);
            assert_eq!(few.add(own, &places, &weights), None);
        }
        assert_eq!(scores.scores, [4, 0, 17, 1]);
    }

    #[test]
    fn columns_are_added_block_by_block() {
        let pages = 2 * BLOCK + 77;
        let weights: Vec<u16> = (0..pages).map(|place| (place * 31 % 97) as u16).collect();
        let mut scores = ScoreAccumulator::default();
        scores.reset(pages);
        scores.add_columns(&[(50, &weights), (20, &weights)]);
        let expected: Vec<u16> = weights.iter().map(|&w| w.min(50) + w.min(20)).collect();
        assert_eq!(scores.scores, expected);
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
