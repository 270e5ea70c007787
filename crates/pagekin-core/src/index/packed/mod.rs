//! Tables whose lists are bit-packed: from lists of numbers, as every stage makes them, to one column
//! of bytes, and back.

mod bags;
mod holders;
mod postings;
mod weights;

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, LargeListArray, RecordBatch};
use arrow_schema::ArrowError;

use holders::PackedHolders;
use postings::PackedPostings;

pub use bags::{unpack_bag, BagPacker};
pub use holders::{pack_list, ColumnReader, ListBlock, ListHead, ListReader};
pub use postings::PostingColumns;

const BROKEN: &str = "a packed list is broken";
/// What the lists of a batch may take in memory.
const LARGEST_BATCH: usize = 1 << 30;

/// A table that is stored packed.
pub trait PackedTable: Sync {
    /// Rows as they are stored.
    fn pack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError>;
    /// Stored rows as lists of numbers.
    fn unpack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError>;
}

/// The table of a name, if it is stored packed.
pub fn packed_table(name: &str) -> Option<&'static dyn PackedTable> {
    match name {
        "holders" => Some(&PackedHolders),
        "postings" => Some(&PackedPostings),
        _ => None,
    }
}

/// An error of rows that do not hold what their table says.
fn damaged(what: &str) -> ArrowError {
    ArrowError::InvalidArgumentError(what.to_owned())
}

/// A column of a batch as an array of a type.
fn column<'a, T: 'static>(rows: &'a RecordBatch, name: &str) -> Result<&'a T, ArrowError> {
    let column = rows.column_by_name(name);
    let column = column.filter(|column| column.null_count() == 0);
    let array = column.and_then(|column| column.as_any().downcast_ref::<T>());
    array.ok_or_else(|| damaged("the table has other columns than its format says"))
}

/// The list of a row, checked against the numbers that there are.
fn list<'a, T>(lists: &LargeListArray, values: &'a [T], row: usize) -> Result<&'a [T], ArrowError> {
    let offsets = lists.value_offsets();
    let place = |at: usize| usize::try_from(offsets[at]).unwrap_or(usize::MAX);
    let list = values.get(place(row)..place(row + 1));
    list.ok_or_else(|| damaged("a list lies outside the table"))
}

/// A column of lists, and its numbers.
fn numbers<'a, T: ArrowPrimitiveType>(
    rows: &'a RecordBatch,
    name: &str,
) -> Result<(&'a LargeListArray, &'a [T::Native]), ArrowError> {
    let lists: &LargeListArray = column(rows, name)?;
    let numbers = lists.values().as_primitive_opt::<T>();
    let numbers = numbers.filter(|numbers| numbers.null_count() == 0);
    let numbers = numbers.ok_or_else(|| damaged("a list holds something else than numbers"))?;
    Ok((lists, numbers.values()))
}

/// Columns without nulls.
fn batch(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, ArrowError> {
    let columns = columns.into_iter();
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, values)| (name, values, false)))
}
