//! Bags to sketches as Arrow batches: the kernel of the stage.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt16Type, UInt64Type};
use arrow_array::{Array, ArrayRef, FixedSizeListArray, LargeListArray, RecordBatch, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field};

use super::{Sketcher, MAX_POSITIONS};

/// Why a batch was not sketched.
#[derive(Debug, thiserror::Error)]
pub enum SketchError {
    /// No sketch has that many positions.
    #[error("{0} positions are not possible: allowed are 1 to {MAX_POSITIONS}")]
    Positions(usize),
    /// A column is missing, of another type, or has nulls.
    #[error("the bags have no column {0}: give a batch of the table `bags`")]
    Column(&'static str),
    /// Terms and weights of a row do not match, or lie outside of the batch.
    #[error("the bag in row {0} is damaged: build the index again")]
    Bag(usize),
    /// The result is no batch.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

/// The sketches of a batch of bags (`id`, `terms`, `weights`), in the same
/// order: `id`, `sketch`.
pub fn sketch_batch(bags: &RecordBatch, m: usize, seed: u64) -> Result<RecordBatch, SketchError> {
    if !(1..=MAX_POSITIONS).contains(&m) {
        return Err(SketchError::Positions(m));
    }
    let id = column(bags, "id", &DataType::UInt64)?;
    let bags = Bags::of(bags)?;
    let mut sketcher = Sketcher::new(m, seed);
    let mut values = vec![0; id.len() * m];
    for (row, out) in values.chunks_exact_mut(m).enumerate() {
        let (terms, weights) = bags.get(row).ok_or(SketchError::Bag(row))?;
        sketcher.sketch(terms, weights, out);
    }
    Ok(RecordBatch::try_from_iter_with_nullable([
        ("id", id.clone(), false),
        ("sketch", fixed_size_list(values, m)?, false),
    ])?)
}

fn fixed_size_list(values: Vec<u32>, m: usize) -> Result<ArrayRef, ArrowError> {
    let field = Arc::new(Field::new("item", DataType::UInt32, false));
    let values = Arc::new(UInt32Array::from(values));
    Ok(Arc::new(FixedSizeListArray::try_new(
        field, m as i32, values, None,
    )?))
}

/// The columns of the table of bags.
struct Bags<'a> {
    terms: &'a LargeListArray,
    weights: &'a LargeListArray,
    all_terms: &'a [u64],
    all_weights: &'a [u16],
}

impl<'a> Bags<'a> {
    fn of(batch: &'a RecordBatch) -> Result<Self, SketchError> {
        let (terms, weights) = (list(batch, "terms")?, list(batch, "weights")?);
        let all_terms = terms.values().as_primitive_opt::<UInt64Type>();
        let all_weights = weights.values().as_primitive_opt::<UInt16Type>();
        Ok(Self {
            terms,
            weights,
            all_terms: all_terms.ok_or(SketchError::Column("terms"))?.values(),
            all_weights: all_weights.ok_or(SketchError::Column("weights"))?.values(),
        })
    }

    /// One bag. The offsets may come from a damaged file.
    fn get(&self, row: usize) -> Option<(&'a [u64], &'a [u16])> {
        let terms = self.all_terms.get(range(self.terms, row)?)?;
        let weights = self.all_weights.get(range(self.weights, row)?)?;
        (terms.len() == weights.len()).then_some((terms, weights))
    }
}

fn range(list: &LargeListArray, row: usize) -> Option<Range<usize>> {
    let offsets = list.value_offsets();
    let start = usize::try_from(*offsets.get(row)?).ok()?;
    Some(start..usize::try_from(*offsets.get(row + 1)?).ok()?)
}

fn list<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a LargeListArray, SketchError> {
    let found = batch
        .column_by_name(name)
        .filter(|column| column.null_count() == 0);
    found
        .and_then(|column| column.as_list_opt())
        .ok_or(SketchError::Column(name))
}

fn column<'a>(
    batch: &'a RecordBatch,
    name: &'static str,
    kind: &DataType,
) -> Result<&'a ArrayRef, SketchError> {
    batch
        .column_by_name(name)
        .filter(|column| column.data_type() == kind && column.null_count() == 0)
        .ok_or(SketchError::Column(name))
}
