//! Lookup of hashes in a sorted list by a table of their prefixes: a bucket has about one.

/// A sorted list, and where each prefix begins in it.
pub struct PrefixLookup<'a> {
    sorted: &'a [u64],
    starts: Vec<u32>,
    shift: u32,
}

impl<'a> PrefixLookup<'a> {
    /// Lookups in a sorted list.
    pub fn new(sorted: &'a [u64]) -> Self {
        let bits = (usize::BITS - sorted.len().leading_zeros()).max(1);
        let shift = 64 - bits;
        let mut starts = vec![0; (1 << bits) + 1];
        for &value in sorted {
            starts[(value >> shift) as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Self {
            sorted,
            starts,
            shift,
        }
    }

    /// The place of a value, if it is there.
    pub fn find(&self, value: u64) -> Option<u32> {
        let bucket = (value >> self.shift) as usize;
        let (start, end) = (self.starts[bucket], self.starts[bucket + 1]);
        (start..end).find(|&place| self.sorted[place as usize] == value)
    }
}
