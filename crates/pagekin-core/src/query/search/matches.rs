//! ScanCount (Li, Lu and Lu 2008) over inverted sketches: the equal positions of every row. And
//! the binomial distribution that says when a search may stop.

use crate::index::{Shard, TableError};
use crate::interrupt;

/// Counts the equal positions of every row of a shard. Pages without a bag, and those with fewer
/// inlinks than the strategy requires, share none.
pub fn count_matches(
    shard: &Shard,
    sketch: &[u32],
    counts: &mut Vec<u16>,
) -> Result<(), TableError> {
    counts.clear();
    counts.resize(shard.rows(), 0);
    for (number, &value) in sketch.iter().enumerate() {
        interrupt::check();
        let position = shard.sketch_position(number)?;
        let guess = ((u64::from(value) * position.values.len() as u64) >> 32) as usize;
        let same = position.values.equal_range(value, guess)?;
        for &row in position.rows.slice(same)?.verify()? {
            let count = counts
                .get_mut(row as usize)
                .ok_or_else(|| position.rows.error("a row lies outside the shard"))?;
            *count = count.saturating_add(1);
        }
    }
    Ok(())
}

/// The same of a small index, which has no inverted sketches: by those of all its bags.
pub fn count_equal(
    shard: &Shard,
    sketch: &[u32],
    sketches: &[u32],
    min_inlinks: u32,
    counts: &mut Vec<u16>,
) -> Result<(), TableError> {
    counts.clear();
    for (row, other) in sketches.chunks_exact(sketch.len()).enumerate() {
        interrupt::check_now_and_then(row);
        let is_listed = || Ok(min_inlinks == 0 || shard.inlinks(row)? >= min_inlinks);
        // The sketch of an empty bag is zeros.
        counts.push(
            match other.iter().any(|&value| value != 0) && is_listed()? {
                true => {
                    let same = sketch.iter().zip(other).filter(|(one, other)| one == other);
                    u16::try_from(same.count()).unwrap_or(u16::MAX)
                }
                false => 0,
            },
        );
    }
    Ok(())
}

/// The binomial distribution function: the chance that a page of similarity `p` shares at most
/// `most` of `m` positions.
pub fn binomial_cdf(most: usize, m: usize, p: f64) -> f64 {
    if p >= 1.0 {
        return if most >= m { 1.0 } else { 0.0 };
    }
    let odds = p / (1.0 - p);
    let mut chance = libm::pow(1.0 - p, m as f64);
    let mut sum = chance;
    for count in 1..=most.min(m) {
        chance *= odds * (m - count + 1) as f64 / count as f64;
        sum += chance;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_distribution_matches_known_values() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12, "{value}");
        near(binomial_cdf(0, 2, 0.5), 0.25);
        near(binomial_cdf(1, 2, 0.5), 0.75);
        near(binomial_cdf(2, 2, 0.5), 1.0);
        near(binomial_cdf(3, 80, 0.0), 1.0);
        near(binomial_cdf(3, 80, 1.0), 0.0);
    }
}
