//! Template detection (Bar-Yossef and Rajagopalan 2002): pagelets that recur on a host.
//!
//! Each partition counts on how many of its pages a pagelet stands, cut into ranges of keys; a range
//! of all partitions is merged at a time, and the keys that reach the threshold are kept.

use super::captures::latest::SupersededCaptures;
use crate::columns::{check_length, ArrayReader, ArrayWriter, CodecError};
use crate::fragments::{is_navigation, CaptureColumns};
use crate::hash::partition_of;
use crate::sorting::{sort_by_hash, Ranks};
use crate::spill::Parts;

/// The keys of the pagelets that are templates.
#[derive(Debug, Default)]
pub struct Templates(Ranks);

impl Templates {
    /// These keys, in any order.
    pub fn new(keys: Vec<u64>) -> Self {
        Self(Ranks::new(keys))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no templates.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a pagelet is one: it recurs, or its page says that it is navigation.
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        is_navigation(key) || !self.is_empty() && self.0.find(key).is_some()
    }
}

/// On how many of a partition's pages each pagelet stands: one packed part for each of `2^bits`
/// ranges of keys. Captures that later ones replace do not count.
pub fn pack_pagelet_counts(
    blocks: &[CaptureColumns],
    superseded: &SupersededCaptures,
    bits: u32,
) -> Parts {
    let (mut keys, mut own) = (Vec::new(), Vec::new());
    for block in blocks {
        for (pagelets, &number) in block.pagelets.iter().zip(&block.number) {
            if !superseded.contains(block.run(), number) {
                own.clear();
                own.extend(pagelets.iter().filter(|&&key| !is_navigation(key)));
                own.sort_unstable();
                own.dedup();
                keys.append(&mut own);
            }
        }
    }
    sort_by_hash((&mut keys, &mut Vec::new()), |&key| key, u64::cmp);
    let counted = keys.chunk_by(|one, other| one == other);
    let counted: Vec<(u64, u32)> = counted.map(|same| (same[0], same.len() as u32)).collect();
    let mut rest = &counted[..];
    let mut parts = Parts::with_capacity(counted.len() * 10);
    for range in 0..1 << bits {
        let end = rest.partition_point(|&(key, _)| partition_of(key, bits) <= range);
        let (here, later) = rest.split_at(end);
        rest = later;
        let (keys, counts): (Vec<u64>, Vec<u32>) = here.iter().copied().unzip();
        parts.put(|part| {
            part.put_u64s(&keys);
            part.put_u32s(&counts);
        });
    }
    parts
}

/// The keys of one range of all partitions' parts that stand on at least `min_pages` pages, in
/// order.
pub fn merge_pagelet_counts(
    parts: &[impl AsRef<[u8]>],
    min_pages: u32,
) -> Result<Vec<u64>, CodecError> {
    let mut counted: Vec<(u64, u32)> = Vec::new();
    for part in parts {
        let mut from = ArrayReader::new(part.as_ref());
        let (keys, counts) = (from.u64s()?, from.u32s()?);
        check_length("counts of pagelets", keys.len(), counts.len())?;
        counted.extend(keys.into_iter().zip(counts));
    }
    let key = |counted: &(u64, u32)| counted.0;
    sort_by_hash((&mut counted, &mut Vec::new()), key, Ord::cmp);
    let same = counted.chunk_by(|one, other| one.0 == other.0);
    let pages = |same: &[(u64, u32)]| same.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
    Ok(same
        .filter(|same| pages(same) >= u64::from(min_pages))
        .map(|same| same[0].0)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(keys: &[u64], counts: &[u32]) -> Vec<u8> {
        let mut out = Vec::new();
        out.put_u64s(keys);
        out.put_u32s(counts);
        out
    }

    #[test]
    fn pagelets_on_enough_pages_of_all_partitions_are_templates() {
        let parts = [part(&[2, 6, 8], &[4, 10, 9]), part(&[2, 8], &[6, 0])];
        assert_eq!(merge_pagelet_counts(&parts, 10), Ok(vec![2, 6]));
        assert!(merge_pagelet_counts(&[part(&[3], &[])], 10).is_err());
        let templates = Templates::new(vec![6, 2]);
        assert_eq!(
            [2, 6, 8, 9].map(|key| templates.contains(key)),
            [true, true, false, true],
            "navigation always is one"
        );
        assert!(!Templates::default().contains(2));
    }
}
