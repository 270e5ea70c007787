//! Bucket sort of evenly spread hashes: the leading bits choose the bucket (Knuth, TAOCP 5.2.1).

use std::cmp::Ordering;

use super::transpose::starts;
use crate::columns::clear_for;

/// Sorts items by a hash of theirs, and items with equal hashes by `compare`, which looks at the hash
/// first. Laying items by the leading bits of their hashes puts them nearly in order, in less time
/// than sorting takes. `spare` is memory that is used again.
pub fn sort_by_hash<T: Copy>(
    (items, spare): (&mut Vec<T>, &mut Vec<T>),
    hash: impl Fn(&T) -> u64,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) {
    let lowest = items.iter().map(&hash).min().unwrap_or(0);
    let highest = items.iter().map(&hash).max().unwrap_or(0);
    let bits = (items.len().max(1) as u64).ilog2();
    let shift = (highest - lowest).checked_ilog2().unwrap_or(0) + 1;
    let shift = shift.saturating_sub(bits);
    let group = |item: &T| ((hash(item) - lowest) >> shift) as usize;
    clear_for(spare, items.len());
    spare.extend_from_slice(items);
    let mut start = 0;
    for end in counting_sort(spare, items, 1 << bits, group) {
        let together = &mut items[start..end as usize];
        if together.len() > 1 {
            together.sort_unstable_by(&mut compare);
        }
        start = end as usize;
    }
}

/// Counting sort (Knuth, TAOCP 5.2): lays items by group, in their order within a group; returns
/// where each group ends.
pub fn counting_sort<T: Copy>(
    from: &[T],
    to: &mut [T],
    groups: usize,
    group: impl Fn(&T) -> usize,
) -> Vec<u32> {
    let mut next: Vec<u32> = starts(groups, from.iter().map(&group));
    for item in from {
        let next = &mut next[group(item)];
        to[*next as usize] = *item;
        *next += 1;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::word_term;

    fn sorted(mut items: Vec<u64>) -> Vec<u64> {
        sort_by_hash((&mut items, &mut vec![7]), |&item| item, u64::cmp);
        items
    }

    #[test]
    fn items_of_any_distribution_are_sorted() {
        let hashes: Vec<u64> = (0..3000)
            .map(|i| word_term(format!("w{}", i % 1000)))
            .collect();
        let near: Vec<u64> = (0..500).map(|i| u64::MAX - i * 7 % 64).collect();
        let far = vec![u64::MAX, 3, 0, 1 << 63, 3];
        for items in [
            hashes,
            near,
            far,
            vec![5; 9],
            vec![u64::MAX, 0],
            vec![7],
            vec![],
        ] {
            let mut expected = items.clone();
            expected.sort_unstable();
            assert_eq!(sorted(items), expected);
        }
    }

    #[test]
    fn equal_hashes_are_ordered_by_comparison() {
        let mut items: Vec<(u64, u32)> = (0..100).map(|i| (word_term("w"), 99 - i)).collect();
        items.push((0, 5));
        sort_by_hash((&mut items, &mut Vec::new()), |item| item.0, Ord::cmp);
        assert!(items.is_sorted());
    }
}
