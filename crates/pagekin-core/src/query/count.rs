//! How many positions of a sketch each page shares: I is asked for each value.

use crate::index::{first_at_least, Fault, Shard};

/// The number of equal positions of every row of a shard; 255 stands for all above.
pub fn count(shard: &Shard, sketch: &[u32], counts: &mut Vec<u8>) -> Result<(), Fault> {
    counts.clear();
    counts.resize(shard.rows(), 0);
    for (position, &value) in sketch.iter().enumerate() {
        let (values, rows) = shard.position(position)?;
        let guess = ((u64::from(value) * values.len() as u64) >> 32) as usize;
        let start = first_at_least(values, value, guess);
        let same = values[start..]
            .iter()
            .take_while(|&&at| at == value)
            .count();
        // With its neighbours the run is where it is in a table that is in order.
        let end = start + same;
        let around = start.saturating_sub(1)..values.len().min(end + 1);
        shard.inverse.check_values(&values[around])?;
        shard.inverse.check_values(&rows[start..end])?;
        for &row in &rows[start..end] {
            let count = counts
                .get_mut(row as usize)
                .ok_or_else(|| shard.inverse.fault("a row lies outside the shard"))?;
            *count = count.saturating_add(1);
        }
    }
    Ok(())
}

/// The chance that a page of similarity `p` shares at most `most` of `m` positions.
pub fn chance_of_at_most(most: usize, m: usize, p: f64) -> f64 {
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
    fn the_binomial_distribution() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12, "{value}");
        near(chance_of_at_most(0, 2, 0.5), 0.25);
        near(chance_of_at_most(1, 2, 0.5), 0.75);
        near(chance_of_at_most(2, 2, 0.5), 1.0);
        near(chance_of_at_most(3, 80, 0.0), 1.0);
        near(chance_of_at_most(3, 80, 1.0), 0.0);
    }
}
