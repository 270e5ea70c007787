//! Inverted sketches, from H to I: for each position the pages in order of their value there,
//! by a radix sort from the least significant digit (Knuth, TAOCP 5.2.5).

use crate::sorting::counting_sort;

/// The rows of H sorted by their value at one position, and those values.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct InvertedSketches {
    /// The values, ascending.
    pub values: Vec<u32>,
    /// The row of each value; rows of equal value ascend.
    pub rows: Vec<u32>,
}

/// The inverse of one position: `values` are those of `rows`, which ascend.
///
/// A stable sort by value keeps the rows of a value in order.
pub fn invert(values: &[u32], rows: &[u32]) -> InvertedSketches {
    let mut keys: Vec<u64> = values
        .iter()
        .zip(rows)
        .map(|(&value, &row)| u64::from(value) << 32 | u64::from(row))
        .collect();
    let mut spare = vec![0; keys.len()];
    // By eight bits: more places to write to than that do not fit the nearest cache.
    for shift in [32, 40, 48, 56] {
        let digit = |key: &u64| (key >> shift & 0xff) as usize;
        counting_sort(&keys, &mut spare, 256, digit);
        std::mem::swap(&mut keys, &mut spare);
    }
    InvertedSketches {
        values: keys.iter().map(|key| (key >> 32) as u32).collect(),
        rows: keys.iter().map(|&key| key as u32).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_of_their_value() {
        let rows: Vec<u32> = (0..300).filter(|row| row % 7 != 0).collect();
        let values: Vec<u32> = rows
            .iter()
            .map(|&row| row.wrapping_mul(2_654_435_761) >> (row % 3 * 9 + 8))
            .collect();
        let mut expected: Vec<(u32, u32)> = values.iter().copied().zip(rows.clone()).collect();
        expected.sort_unstable();
        let inverse = invert(&values, &rows);
        let found: Vec<_> = inverse.values.into_iter().zip(inverse.rows).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn empty_sketches_invert_to_no_rows() {
        assert_eq!(invert(&[], &[]), InvertedSketches::default());
    }
}
