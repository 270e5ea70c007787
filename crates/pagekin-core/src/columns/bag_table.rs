//! Bags in an Arrow batch of the table `bags`.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt16Type, UInt64Type};
use arrow_array::{Array, LargeListArray, RecordBatch};
use thiserror::Error;

use super::bag::Bag;

/// Why a batch has no bags.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BagTableError {
    /// A column is missing, of another type, or has nulls.
    #[error("the bags have no column {0}: give a batch of the table `bags`")]
    Column(&'static str),
    /// Terms and weights of a row do not match, or lie outside of the batch.
    #[error("the bag in row {0} is damaged: build the index again")]
    Bag(usize),
}

/// The bags of a batch. Its offsets may come from a damaged file, so each bag is checked.
pub struct BagTable<'a> {
    ids: &'a [u64],
    terms: &'a LargeListArray,
    weights: &'a LargeListArray,
    all_terms: &'a [u64],
    all_weights: &'a [u16],
}

impl<'a> BagTable<'a> {
    /// The bags of a batch with the columns `id`, `terms` and `weights`.
    pub fn new(batch: &'a RecordBatch) -> Result<Self, BagTableError> {
        let missing = BagTableError::Column;
        let (terms, weights) = (list(batch, "terms")?, list(batch, "weights")?);
        let ids = batch.column_by_name("id");
        let ids = ids.filter(|ids| ids.null_count() == 0);
        let ids = ids.and_then(|ids| ids.as_primitive_opt::<UInt64Type>());
        let all_terms = terms.values().as_primitive_opt::<UInt64Type>();
        let all_weights = weights.values().as_primitive_opt::<UInt16Type>();
        Ok(Self {
            ids: ids.ok_or(missing("id"))?.values(),
            terms,
            weights,
            all_terms: all_terms.ok_or(missing("terms"))?.values(),
            all_weights: all_weights.ok_or(missing("weights"))?.values(),
        })
    }

    /// The ids of the bags' pages.
    pub fn ids(&self) -> &'a [u64] {
        self.ids
    }

    /// One bag.
    pub fn bag(&self, row: usize) -> Result<Bag<'a>, BagTableError> {
        self.find(row).ok_or(BagTableError::Bag(row))
    }

    /// Every bag.
    pub fn bags(&self) -> impl ExactSizeIterator<Item = Result<Bag<'a>, BagTableError>> + '_ {
        (0..self.ids.len()).map(|row| self.bag(row))
    }

    fn find(&self, row: usize) -> Option<Bag<'a>> {
        let terms = self.all_terms.get(range(self.terms, row)?)?;
        let weights = self.all_weights.get(range(self.weights, row)?)?;
        (terms.len() == weights.len()).then_some(Bag { terms, weights })
    }
}

fn range(list: &LargeListArray, row: usize) -> Option<Range<usize>> {
    let offsets = list.value_offsets();
    let start = usize::try_from(*offsets.get(row)?).ok()?;
    Some(start..usize::try_from(*offsets.get(row + 1)?).ok()?)
}

fn list<'a>(
    batch: &'a RecordBatch,
    name: &'static str,
) -> Result<&'a LargeListArray, BagTableError> {
    let found = batch.column_by_name(name);
    let found = found.filter(|column| column.null_count() == 0);
    let list = found.and_then(|column| column.as_list_opt());
    list.ok_or(BagTableError::Column(name))
}
