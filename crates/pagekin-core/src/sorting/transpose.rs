//! Transposing a sparse matrix by counting sort (Gustavson 1978): from rows of columns to columns
//! of rows, in linear time.

use crate::columns::{End, Ragged};

/// Lays entries together by key; those of a key stay in the order in which they come.
///
/// `entries` gives every entry twice: first keys are counted, then the entries are laid out.
pub fn transpose<V: Copy + Default, E: End>(
    keys: usize,
    entries: impl Iterator<Item = (usize, V)> + Clone,
) -> Ragged<V, E> {
    let mut total = 0;
    let counted = entries.clone().inspect(|_| total += 1);
    let mut next: Vec<E> = starts(keys, counted.map(|(key, _)| key));
    let mut values = vec![V::default(); total];
    // Not a `for` loop: nested iterators are faster inside out.
    entries.for_each(|(key, value)| {
        let place = next[key].place();
        values[place] = value;
        next[key] = E::from_place(place + 1);
    });
    // The place of a key's next entry is now the end of its entries.
    Ragged::new(values, next).unwrap_or_default()
}

/// Where each of N groups starts if items are laid group by group: a prefix sum of their counts.
pub fn starts<E: End>(groups: usize, of: impl Iterator<Item = usize>) -> Vec<E> {
    let mut starts = vec![E::default(); groups];
    of.for_each(|group| starts[group] = E::from_place(starts[group].place() + 1));
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, E::from_place(sum)).place();
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_entries_are_grouped_by_key_in_order() {
        let entries = [(2, 'a'), (0, 'b'), (2, 'c'), (2, 'd')];
        let turned: Ragged<char> = transpose(4, entries.into_iter());
        let rows: Vec<&[char]> = turned.iter().collect();
        assert_eq!(rows, [&['b'][..], &[], &['a', 'c', 'd'], &[]]);
        let nothing: Ragged<u8, u32> = transpose(0, std::iter::empty());
        assert!(nothing.is_empty());
    }
}
