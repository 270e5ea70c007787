//! The lexicon by a model: document frequencies and words that another crawl has given.

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::RecordBatch;

use super::LexiconRange;

impl LexiconRange {
    /// The terms of a model in batches of the lexicon that has it; None if these are other batches.
    /// Terms with a frequency of 0 are not the model's.
    pub fn of_model(batches: &[RecordBatch]) -> Option<Self> {
        let mut model = Self::default();
        for batch in batches {
            let terms = batch.column_by_name("term")?;
            let terms = terms.as_primitive_opt::<UInt64Type>()?;
            let words = batch.column_by_name("word")?.as_string_opt::<i32>()?;
            let frequencies = batch.column_by_name("frequency")?;
            let frequencies = frequencies.as_primitive_opt::<UInt32Type>()?;
            for row in (0..terms.len()).filter(|&row| frequencies.value(row) > 0) {
                model.push(
                    terms.value(row),
                    frequencies.value(row),
                    words.value(row).as_bytes(),
                );
            }
        }
        let ordered = model.terms.windows(2).all(|pair| pair[0] < pair[1]);
        ordered.then_some(model)
    }

    /// All terms of a model, with its frequencies and words, and those of this range that it lacks,
    /// with a frequency of 0.
    pub fn by_model(&self, model: &Self) -> Self {
        let mut both = Self::default();
        let mut next = 0;
        for (row, &term) in self.terms.iter().enumerate() {
            let end = next + model.terms[next..].partition_point(|&known| known <= term);
            (next..end).for_each(|known| both.push_row(model, known));
            if end.checked_sub(1).map(|last| model.terms[last]) != Some(term) {
                both.push(term, 0, self.words.bytes_of(row));
            }
            next = end;
        }
        (next..model.terms.len()).for_each(|known| both.push_row(model, known));
        both
    }

    fn push_row(&mut self, from: &Self, row: usize) {
        self.push(
            from.terms[row],
            from.frequencies[row],
            from.words.bytes_of(row),
        );
    }

    fn push(&mut self, term: u64, frequency: u32, word: &[u8]) {
        self.terms.push(term);
        self.frequencies.push(frequency);
        self.words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bags::lexicon_batch;

    fn range(rows: &[(u64, u32, &str)]) -> LexiconRange {
        let mut range = LexiconRange::default();
        for &(term, frequency, word) in rows {
            range.push(term, frequency, word.as_bytes());
        }
        range
    }

    #[test]
    fn terms_have_the_frequency_and_the_word_of_the_model() {
        let model = range(&[(3, 9, "old"), (5, 8, "roses"), (9, 7, "bare")]);
        let own = range(&[
            (2, 1, "new"),
            (5, 2, "rose"),
            (7, 1, "newer"),
            (11, 4, "last"),
        ]);
        let expected = range(&[
            (2, 0, "new"),
            (3, 9, "old"),
            (5, 8, "roses"),
            (7, 0, "newer"),
            (9, 7, "bare"),
            (11, 0, "last"),
        ]);
        assert_eq!(own.by_model(&model), expected);
        assert_eq!(range(&[]).by_model(&model), model);
    }

    #[test]
    fn terms_that_a_model_lacks_are_not_handed_on() {
        let batch = lexicon_batch(range(&[(2, 0, "new"), (3, 9, "old")])).expect("a table");
        let model = LexiconRange::of_model(std::slice::from_ref(&batch));
        assert_eq!(model, Some(range(&[(3, 9, "old")])));
        assert_eq!(LexiconRange::of_model(&[batch.clone(), batch]), None);
    }
}
