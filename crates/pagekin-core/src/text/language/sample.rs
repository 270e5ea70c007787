//! Systematic sampling: stretches of words at equal distances stand for a text.

/// How many words a sample has at the most.
const SAMPLE: usize = 80;
/// Words in a row that are taken.
const STRETCH: usize = 10;

/// A sample of a text's words that is large enough to tell its language.
pub fn sample<T>(words: &[T]) -> impl Iterator<Item = &T> {
    let step = words.len().div_ceil(SAMPLE / STRETCH).max(STRETCH);
    let stretches = words.chunks(step);
    stretches.flat_map(|stretch| &stretch[..stretch.len().min(STRETCH)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_taken_whole_and_long_ones_in_stretches() {
        for count in [0, 1, 25, 80] {
            let words: Vec<usize> = (0..count).collect();
            assert_eq!(sample(&words).copied().collect::<Vec<_>>(), words);
        }
        for count in [81, 799, 800, 801, 12_345] {
            let words: Vec<usize> = (0..count).collect();
            let taken: Vec<usize> = sample(&words).copied().collect();
            assert!((60..=SAMPLE).contains(&taken.len()) || count < 160);
            assert_eq!(taken[..STRETCH], words[..STRETCH]);
            assert!(taken.is_sorted() && taken[taken.len() - 1] >= count * 3 / 4);
        }
    }
}
