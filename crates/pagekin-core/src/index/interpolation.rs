//! Interpolation search (Peterson 1957; Perl, Itai and Avni 1978): hashes are evenly spread, so
//! a key lies near the place that its value predicts. Galloping steps correct the guess.

/// The first place whose value is not below this one, looked for around a guess.
pub(super) fn lower_bound<T: Copy + PartialOrd>(values: &[T], value: T, guess: usize) -> usize {
    let length = values.len();
    let guess = guess.min(length);
    let (mut low, mut high) = (guess, guess);
    let mut step = 16;
    while low > 0 && values[low - 1] >= value {
        high = low - 1;
        low = low.saturating_sub(step);
        step *= 4;
    }
    step = 16;
    while high < length && values[high] < value {
        low = high + 1;
        high = (high + step).min(length);
        step *= 4;
    }
    low + values[low..high].partition_point(|&at| at < value)
}

/// Where a key is expected among `count` keys from `first` to `last`.
pub(super) fn expected_place(key: u64, first: u64, last: u64, count: usize) -> usize {
    let share = key.saturating_sub(first) as f64 / last.saturating_sub(first).max(1) as f64;
    (share * count as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(keys: &[u64], key: u64) -> usize {
        let (first, last) = (keys.first(), keys.last());
        let ends = first.zip(last);
        ends.map_or(0, |(&first, &last)| {
            expected_place(key, first, last, keys.len())
        })
    }

    #[test]
    fn any_guess_leads_to_the_position() {
        let mut values: Vec<u64> = (0..3000u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        values.extend([77; 500]);
        values.sort_unstable();
        for value in values.iter().copied().chain([0, 1, 78, u64::MAX]) {
            let place = values.partition_point(|&at| at < value);
            for guess in [expected(&values, value), 0, 1700, 3500, 9999] {
                assert_eq!(lower_bound(&values, value, guess), place, "{value}");
            }
        }
        for few in [&[][..], &[9; 40], &[u64::MAX; 40]] {
            for value in [0, 9, 10, u64::MAX] {
                let place = few.partition_point(|&at| at < value);
                assert_eq!(lower_bound(few, value, expected(few, value)), place);
            }
        }
    }
}
