//! From H to I: for each position the pages in order of their value there.

use std::ops::Range;

use super::sealed::Fault;

/// The rows of H sorted by their value at one position, and those values.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Inverse {
    /// The values, ascending.
    pub values: Vec<u32>,
    /// The row of each value; rows of equal value ascend.
    pub rows: Vec<u32>,
}

/// The inverse of each of `positions`. `sketch` gives that of a row; `rows` are
/// those that are taken, ascending.
pub fn invert<'a>(
    sketch: impl Fn(u32) -> Result<&'a [u32], Fault>,
    rows: &[u32],
    positions: Range<usize>,
) -> Result<Vec<Inverse>, Fault> {
    let mut keys: Vec<Vec<u64>> = positions
        .clone()
        .map(|_| Vec::with_capacity(rows.len()))
        .collect();
    for &row in rows {
        for (keys, &value) in keys.iter_mut().zip(&sketch(row)?[positions.clone()]) {
            keys.push(u64::from(value) << 32 | u64::from(row));
        }
    }
    Ok(keys.into_iter().map(sorted).collect())
}

/// Sorts by value; rows come in order, and a stable sort keeps them so.
fn sorted(mut keys: Vec<u64>) -> Inverse {
    let mut spare = vec![0; keys.len()];
    for shift in [32, 40, 48, 56] {
        pass(&keys, &mut spare, shift);
        std::mem::swap(&mut keys, &mut spare);
    }
    Inverse {
        values: keys.iter().map(|key| (key >> 32) as u32).collect(),
        rows: keys.iter().map(|&key| key as u32).collect(),
    }
}

/// One pass of a radix sort, by eight bits: more places to write to than that
/// do not fit the nearest cache.
fn pass(from: &[u64], to: &mut [u64], shift: u32) {
    const BITS: u64 = 0xff;
    let mut starts = [0u32; 256];
    for key in from {
        starts[(key >> shift & BITS) as usize] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, sum);
    }
    for &key in from {
        let start = &mut starts[(key >> shift & BITS) as usize];
        to[*start as usize] = key;
        *start += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_in_order_of_their_value_at_each_position() {
        let size = 3;
        let sketches: Vec<u32> = (0..300u32)
            .map(|i| i.wrapping_mul(2_654_435_761) >> (i % 3 * 9))
            .collect();
        let rows: Vec<u32> = (0..100).filter(|row| row % 7 != 0).collect();
        let sketch = |row: u32| Ok(&sketches[row as usize * size..][..size]);
        let inverses = invert(sketch, &rows, 1..3).expect("sound");
        assert_eq!(inverses.len(), 2);
        for (position, inverse) in (1..).zip(inverses) {
            let mut expected: Vec<(u32, u32)> = rows
                .iter()
                .map(|&row| (sketches[row as usize * size + position], row))
                .collect();
            expected.sort_unstable();
            let found: Vec<_> = inverse.values.into_iter().zip(inverse.rows).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn nothing_inverts_to_nothing() {
        let nothing = [Inverse::default(), Inverse::default()];
        assert_eq!(invert(|_| Ok(&[1, 2]), &[], 0..2), Ok(nothing.to_vec()));
    }
}
