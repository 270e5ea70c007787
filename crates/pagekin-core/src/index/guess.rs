//! Finding a value by guessing: hashes in order are evenly spread, so where one
//! should be is nearly where it is.

/// The first place whose value is not below this one, looked for around a guess.
pub fn first_at_least<T: Copy + PartialOrd>(values: &[T], value: T, guess: usize) -> usize {
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

/// Where a key should be among keys in order.
pub fn guess(keys: &[u64], key: u64) -> usize {
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else {
        return 0;
    };
    let share = key.saturating_sub(first) as f64 / last.saturating_sub(first).max(1) as f64;
    (share * keys.len() as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guess_leads_there() {
        let mut values: Vec<u64> = (0..3000u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        values.extend([77; 500]);
        values.sort_unstable();
        for value in values.iter().copied().chain([0, 1, 78, u64::MAX]) {
            let expected = values.partition_point(|&at| at < value);
            for guess in [guess(&values, value), 0, 1700, 3500, 9999] {
                assert_eq!(first_at_least(&values, value, guess), expected, "{value}");
            }
        }
        for few in [&[][..], &[9; 40], &[u64::MAX; 40]] {
            for value in [0, 9, 10, u64::MAX] {
                let expected = few.partition_point(|&at| at < value);
                assert_eq!(first_at_least(few, value, guess(few, value)), expected);
            }
        }
    }
}
