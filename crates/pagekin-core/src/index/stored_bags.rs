//! The bags of a shard: each as the places of its terms in the sorted terms of the shard.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::UInt64Type;

use super::files::table::MappedTable;
use super::files::verified::{TableError, Unverified, VerifiedFile};
use super::packed::{unpack_bag, ListBlock, ListHead, ListReader};
use crate::columns::{BagColumn, OwnedBag, PackedReader, TOTAL};

/// The bags of a shard, and its terms.
#[derive(Debug)]
pub struct StoredBags {
    bags: MappedTable,
    terms: MappedTable,
}

/// A bag as it is stored, to be read block by block.
#[derive(Debug, Clone, Copy)]
pub struct PackedBag<'a> {
    packed: Unverified<'a, u8>,
    bytes: &'a [u8],
    list: ListReader<'a>,
}

impl<'a> PackedBag<'a> {
    fn new(packed: Unverified<'a, u8>) -> Result<Self, TableError> {
        let bytes = packed.verify()?;
        let mut reader = PackedReader::new(bytes);
        match ListHead::read(&mut reader).filter(|head| !head.is_column) {
            Some(head) => Ok(Self {
                packed,
                bytes,
                list: ListReader::new(reader, head),
            }),
            None => Err(broken(packed)),
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Σ min with another bag of the shard, or nothing if it is below `least`: of two bags that are
    /// not much alike only the first terms are read.
    pub fn overlap_if_at_least(
        &self,
        other: &PackedBag<'_>,
        least: u32,
    ) -> Result<Option<u32>, TableError> {
        let (mut own, mut others) = (BagEntries::new(self), BagEntries::new(other));
        let mut left = TOTAL;
        let mut theirs = others.next()?;
        while let Some((place, weight)) = own.next()? {
            while theirs.is_some_and(|entry| entry.0 < place) {
                theirs = others.next()?;
            }
            let shared = theirs.filter(|entry| entry.0 == place);
            let lost = weight.saturating_sub(shared.map_or(0, |entry| entry.1));
            match left.checked_sub(lost).filter(|&left| left >= least) {
                Some(rest) => left = rest,
                None => return Ok(None),
            }
        }
        Ok(Some(left))
    }

    /// Calls `visit` for each block, with the places of its terms and their weights.
    #[inline]
    pub fn for_each_block(
        &self,
        block: &mut ListBlock,
        mut visit: impl FnMut(&[u32], &[u32]),
    ) -> Result<(), TableError> {
        let mut list = self.list;
        loop {
            let (places, weights) = list.next(block).ok_or_else(|| broken(self.packed))?;
            if places.is_empty() {
                return Ok(());
            }
            visit(places, weights);
        }
    }
}

/// The entries of a bag in order: places of terms, and weights.
struct BagEntries<'a> {
    packed: Unverified<'a, u8>,
    list: ListReader<'a>,
    block: ListBlock,
    /// The place of the next entry in the block, and how many the block has.
    at: usize,
    count: usize,
}

impl<'a> BagEntries<'a> {
    fn new(bag: &PackedBag<'a>) -> Self {
        Self {
            packed: bag.packed,
            list: bag.list,
            block: ListBlock::default(),
            at: 0,
            count: 0,
        }
    }

    #[inline]
    fn next(&mut self) -> Result<Option<(u32, u32)>, TableError> {
        if self.at == self.count {
            let block = self.list.next(&mut self.block);
            self.count = block.ok_or_else(|| broken(self.packed))?.0.len();
            self.at = 0;
            if self.count == 0 {
                return Ok(None);
            }
        }
        let entry = self.block.entry(self.at);
        self.at += 1;
        Ok(Some(entry))
    }
}

fn broken(packed: Unverified<'_, u8>) -> TableError {
    packed.error("a packed bag is broken")
}

/// A batch of terms, and the place of its first.
#[derive(Default)]
struct TermBatch<'a> {
    first: usize,
    terms: Option<Unverified<'a, u64>>,
}

impl StoredBags {
    /// The tables that it reads.
    pub const TABLES: [&'static str; 2] = ["bags", "terms"];

    /// Opens them; they are in these files.
    pub fn open(files: &HashMap<&str, Arc<VerifiedFile>>) -> Result<Self, TableError> {
        let open = |name: &str, columns: &[&str]| {
            let file = files.get(name).cloned();
            let file = file.ok_or_else(|| TableError {
                file: name.to_owned(),
                what: "the table is missing".to_owned(),
            });
            MappedTable::open(file?, columns)
        };
        Ok(Self {
            bags: open("bags", &["id", "bag"])?,
            terms: open("terms", &["term"])?,
        })
    }

    /// How many there are.
    pub fn rows(&self) -> usize {
        self.bags.rows()
    }

    /// How many terms there are.
    pub fn term_count(&self) -> usize {
        self.terms.rows()
    }

    /// The row of a page.
    pub fn row_of(&self, id: u64) -> Result<Option<usize>, TableError> {
        let row = self.bags.partition_point(|row| Ok(self.id(row)? < id))?;
        Ok((row < self.rows() && self.id(row)? == id).then_some(row))
    }

    /// The id of the page in a row.
    pub fn id(&self, row: usize) -> Result<u64, TableError> {
        self.bags.number::<UInt64Type>(row, 0)
    }

    /// The bag in a row, as it is stored.
    #[inline]
    pub fn packed(&self, row: usize) -> Result<PackedBag<'_>, TableError> {
        PackedBag::new(self.packed_bytes(row)?)
    }

    /// The bag in a row.
    pub fn bag(&self, row: usize) -> Result<OwnedBag, TableError> {
        let packed = self.packed_bytes(row)?;
        let (mut bag, mut unreadable) = (BagColumn::default(), None);
        let mut batch = TermBatch::default();
        let term_at = |place: u32| {
            let term = self.term(place as usize, &mut batch);
            term.map_err(|error| unreadable = Some(error)).ok()
        };
        let count = unpack_bag(packed.verify()?, self.term_count(), &mut bag, term_at);
        match (count, unreadable) {
            (Some(_), _) => Ok(bag.bag(0).into()),
            (None, Some(error)) => Err(error),
            (None, None) => Err(broken(packed)),
        }
    }

    /// The places of those of some terms, which ascend, that the shard has: with the number of each.
    pub fn places(&self, terms: &[u64]) -> Result<Vec<(usize, usize)>, TableError> {
        let mut places = Vec::with_capacity(terms.len());
        self.terms.find_keys(terms, |first, _, found| {
            places.extend(found.iter().map(|&(number, at)| (number, first + at)));
            Ok(())
        })?;
        Ok(places)
    }

    /// The term at a place. Those of a bag ascend, so most are in the batch of the one before.
    #[inline]
    fn term<'a>(&'a self, place: usize, batch: &mut TermBatch<'a>) -> Result<u64, TableError> {
        let known = batch
            .terms
            .filter(|terms| place.wrapping_sub(batch.first) < terms.len());
        let terms = match known {
            Some(terms) => terms,
            None => {
                let (found, at) = self.terms.find(place)?;
                batch.first = place - at;
                *batch.terms.insert(found.numbers::<UInt64Type>(0)?)
            }
        };
        terms.value(place - batch.first)
    }

    fn packed_bytes(&self, row: usize) -> Result<Unverified<'_, u8>, TableError> {
        let (batch, at) = self.bags.find(row)?;
        batch.bytes(1)?.row(at)
    }
}
