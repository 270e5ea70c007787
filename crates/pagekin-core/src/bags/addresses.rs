//! Which addresses are one page, decided by what was fetched (docs/addresses.md).
//!
//! Each partition says which addresses it knows, cut into ranges of variant keys; a range of all
//! partitions is merged at a time. An address is decided on in the group of one key only, so there
//! can be neither chains nor cycles.

use super::captures::latest::SupersededCaptures;
use crate::columns::{check_length, ArrayReader, ArrayWriter, CodecError};
use crate::fragments::{CaptureColumns, REDIRECT};
use crate::hash::partition_of;
use crate::sorting::{sort_by_hash, Ranks};
use crate::spill::Parts;

/// Other addresses of pages, and the page of each.
#[derive(Debug, Default)]
pub struct Aliases {
    ids: Ranks,
    pages: Vec<u64>,
}

impl Aliases {
    /// These ids of addresses and of their pages, in any order.
    pub fn new(mut aliases: Vec<(u64, u64)>) -> Self {
        aliases.sort_unstable();
        aliases.dedup_by_key(|alias| alias.0);
        let (ids, pages) = aliases.into_iter().unzip();
        Self {
            ids: Ranks::new(ids),
            pages,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The page that an address is another address of.
    #[inline]
    pub fn page_of(&self, id: u64) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        self.ids.find(id).map(|at| self.pages[at as usize])
    }

    /// The ids of the addresses, in order, and of their pages.
    pub fn columns(&self) -> (&[u64], &[u64]) {
        (self.ids.values(), &self.pages)
    }
}

/// How a partition came to know an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AddressStatus {
    /// It was fetched, and its group is that of the address that it goes by.
    Fetched,
    /// It was fetched, and names a canonical URL of another group.
    Elsewhere,
    /// A page that may decide this says that it is an address of a page of its group.
    Named,
}

/// An address that a partition knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AddressRow {
    key: u128,
    status: AddressStatus,
    digest: u64,
    form: u32,
    id: u64,
    run: u32,
    page: u32,
}

/// The addresses that a partition knows: one packed part for each of `2^bits` ranges of variant
/// keys. Captures that later ones replace do not count.
pub fn pack_addresses(
    blocks: &[CaptureColumns],
    superseded: &SupersededCaptures,
    bits: u32,
) -> Parts {
    let mut rows = Vec::new();
    for block in blocks {
        add_rows(block, superseded, &mut rows);
    }
    sort_by_hash((&mut rows, &mut Vec::new()), first_half, Ord::cmp);
    let mut rest = &rows[..];
    let mut parts = Parts::with_capacity(rows.len() * 40);
    for range in 0..1 << bits {
        let end = rest.partition_point(|row| partition_of(first_half(row), bits) <= range);
        let (here, later) = rest.split_at(end);
        rest = later;
        parts.put(|part| write_rows(here, part));
    }
    parts
}

fn add_rows(block: &CaptureColumns, superseded: &SupersededCaptures, rows: &mut Vec<AddressRow>) {
    let is_live = |row: usize| !superseded.contains(block.run(), block.number[row]);
    let keys: Vec<u128> = block.variant_keys.iter().collect();
    let mut goes_by = keys.clone();
    let named = &block.named;
    let by_key = named.url.iter().zip(named.variant_keys.iter());
    for ((&url, key), &by) in by_key.zip(&named.by) {
        if by != REDIRECT && !is_live(by as usize) {
            continue;
        }
        if by != REDIRECT {
            goes_by[by as usize] = key;
        }
        rows.push(AddressRow {
            key,
            status: AddressStatus::Named,
            digest: 0,
            form: 0,
            id: block.url_ids[url as usize],
            run: 0,
            page: 0,
        });
    }
    for row in (0..block.len()).filter(|&row| is_live(row)) {
        let own = AddressRow {
            key: keys[row],
            status: AddressStatus::Fetched,
            digest: block.digest[row],
            form: block.form[row],
            id: block.url_id_of(row),
            run: block.run(),
            page: block.number[row],
        };
        let key = goes_by[row];
        rows.push(AddressRow { key, ..own });
        if key != own.key {
            let status = AddressStatus::Elsewhere;
            rows.push(AddressRow { status, ..own });
        }
    }
}

/// By which rows are sorted and cut into ranges.
fn first_half(row: &AddressRow) -> u64 {
    (row.key >> 64) as u64
}

fn write_rows(rows: &[AddressRow], out: &mut Vec<u8>) {
    let large = |of: fn(&AddressRow) -> u64| rows.iter().map(of).collect::<Vec<_>>();
    let small = |of: fn(&AddressRow) -> u32| rows.iter().map(of).collect::<Vec<_>>();
    out.put_u64s(&large(first_half));
    out.put_u64s(&large(|row| row.key as u64));
    out.put_u64s(&large(|row| row.digest));
    out.put_u64s(&large(|row| row.id));
    out.put_u32s(&small(|row| row.status as u32));
    out.put_u32s(&small(|row| row.form));
    out.put_u32s(&small(|row| row.run));
    out.put_u32s(&small(|row| row.page));
}

fn read_rows(bytes: &[u8], rows: &mut Vec<AddressRow>) -> Result<(), CodecError> {
    let mut from = ArrayReader::new(bytes);
    let (key, rest) = (from.u64s()?, from.u64s()?);
    let (digest, id) = (from.u64s()?, from.u64s()?);
    let (status, form) = (from.u32s()?, from.u32s()?);
    let (run, page) = (from.u32s()?, from.u32s()?);
    from.finish()?;
    let small = [&status, &form, &run, &page].map(Vec::len);
    let large = [&rest, &digest, &id].map(Vec::len);
    for length in large.into_iter().chain(small) {
        check_length("addresses", key.len(), length)?;
    }
    for at in 0..key.len() {
        rows.push(AddressRow {
            key: u128::from(key[at]) << 64 | u128::from(rest[at]),
            status: match status[at] {
                0 => AddressStatus::Fetched,
                1 => AddressStatus::Elsewhere,
                2 => AddressStatus::Named,
                other => return Err(CodecError::outside("kinds", 3, other.into())),
            },
            digest: digest[at],
            form: form[at],
            id: id[at],
            run: run[at],
            page: page[at],
        });
    }
    Ok(())
}

/// The result for a range of addresses.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AddressRange {
    /// Ids of addresses, and of the pages that they are other addresses of.
    pub aliases: Vec<(u64, u64)>,
    /// The captures (run, page) of those that were fetched.
    pub folded: Vec<(u32, u32)>,
}

/// Decides on one range of all partitions' addresses.
pub fn merge_addresses(parts: &[impl AsRef<[u8]>]) -> Result<AddressRange, CodecError> {
    let mut rows = Vec::new();
    for part in parts {
        read_rows(part.as_ref(), &mut rows)?;
    }
    sort_by_hash((&mut rows, &mut Vec::new()), first_half, Ord::cmp);
    let mut range = AddressRange::default();
    for group in rows.chunk_by(|one, other| one.key == other.key) {
        range.decide(group);
    }
    Ok(range)
}

impl AddressRange {
    /// Decides on the addresses of one key, which are in order.
    fn decide(&mut self, group: &[AddressRow]) {
        let fetched = group.partition_point(|row| row.status == AddressStatus::Fetched);
        let (fetched, others) = group.split_at(fetched);
        let mut pages = 0;
        for same in fetched.chunk_by(|one, other| one.digest == other.digest) {
            pages += 1;
            for row in &same[1..] {
                self.aliases.push((row.id, same[0].id));
                self.folded.push((row.run, row.page));
            }
        }
        // With several pages it is unknown which one is meant.
        let [page, ..] = fetched else { return };
        if pages > 1 {
            return;
        }
        let elsewhere = others.partition_point(|row| row.status == AddressStatus::Elsewhere);
        let (elsewhere, named) = others.split_at(elsewhere);
        if named.is_empty() {
            return;
        }
        let known = fetched.iter().chain(elsewhere).map(|row| row.id);
        let known = Ranks::new(known.collect());
        let named = named.chunk_by(|one, other| one.id == other.id);
        let named = named.map(|same| same[0].id);
        let new = named.filter(|&id| known.find(id).is_none());
        self.aliases.extend(new.map(|id| (id, page.id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: u128, status: AddressStatus, digest: u64, form: u32, id: u64) -> AddressRow {
        let (run, page) = (1, id as u32);
        AddressRow {
            key,
            status,
            digest,
            form,
            id,
            run,
            page,
        }
    }

    fn decided(rows: &[AddressRow]) -> AddressRange {
        let mut part = Vec::new();
        write_rows(rows, &mut part);
        merge_addresses(&[part]).expect("sound rows")
    }

    #[test]
    fn fetched_variants_of_the_same_bytes_are_one_page() {
        use AddressStatus::Fetched;
        let range = decided(&[
            row(9, Fetched, 5, 4, 1),
            row(9, Fetched, 5, 0, 2),
            row(9, Fetched, 6, 0, 3),
            row(8, Fetched, 5, 0, 4),
        ]);
        assert_eq!((range.aliases, range.folded), (vec![(1, 2)], vec![(1, 1)]));
    }

    #[test]
    fn named_address_is_the_only_page_of_its_group_unless_it_was_fetched() {
        use AddressStatus::{Elsewhere, Fetched, Named};
        let named = |others: &[AddressRow]| {
            let mut rows = vec![row(9, Named, 0, 0, 7)];
            rows.extend_from_slice(others);
            decided(&rows).aliases
        };
        assert_eq!(named(&[]), []);
        assert_eq!(named(&[row(9, Fetched, 5, 0, 1)]), [(7, 1)]);
        let two = [row(9, Fetched, 5, 0, 1), row(9, Fetched, 6, 0, 2)];
        assert_eq!(named(&two), []);
        let elsewhere = [row(9, Fetched, 5, 0, 1), row(9, Elsewhere, 6, 0, 7)];
        assert_eq!(named(&elsewhere), []);
        assert_eq!(named(&[row(9, Fetched, 5, 0, 7)]), []);
    }

    #[test]
    fn damaged_addresses_are_rejected() {
        let mut part = Vec::new();
        write_rows(&[row(9, AddressStatus::Named, 0, 0, 7)], &mut part);
        part.pop();
        assert!(merge_addresses(&[part]).is_err());
    }

    #[test]
    fn aliases_lead_to_their_page() {
        let aliases = Aliases::new(vec![(7, 1), (3, 2), (7, 1)]);
        assert_eq!(aliases.len(), 2);
        assert_eq!(
            [3, 7, 1].map(|id| aliases.page_of(id)),
            [Some(2), Some(1), None]
        );
        assert_eq!(Aliases::default().page_of(3), None);
    }
}
