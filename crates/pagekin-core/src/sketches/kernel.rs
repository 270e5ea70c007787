//! Bags to sketches as Arrow batches: the kernel of the stage.

use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeListArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field};

use super::{Sketcher, MAX_POSITIONS};
use crate::columns::{BagTable, BagTableError};

/// Why a batch was not sketched.
#[derive(Debug, thiserror::Error)]
pub enum SketchError {
    /// No sketch has that many positions.
    #[error("{0} positions are not possible: allowed are 1 to {MAX_POSITIONS}")]
    Positions(usize),
    /// The batch does not hold bags.
    #[error(transparent)]
    Bags(#[from] BagTableError),
    /// Arrow refuses the result.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
}

/// The sketches of a batch of bags (`id`, `terms`, `weights`), in the same
/// order: `id`, `sketch`.
pub fn sketch_batch(bags: &RecordBatch, m: usize, seed: u64) -> Result<RecordBatch, SketchError> {
    if !(1..=MAX_POSITIONS).contains(&m) {
        return Err(SketchError::Positions(m));
    }
    let bags = BagTable::new(bags)?;
    let mut sketcher = Sketcher::new(m, seed);
    let mut values = vec![0; bags.ids().len() * m];
    for (bag, out) in bags.bags().zip(values.chunks_exact_mut(m)) {
        sketcher.sketch(bag?, out);
    }
    let ids: ArrayRef = Arc::new(UInt64Array::from(bags.ids().to_vec()));
    Ok(RecordBatch::try_from_iter_with_nullable([
        ("id", ids, false),
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
