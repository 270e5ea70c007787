//! Columnar data (structures of arrays): what every stage from fragments on works with.
//!
//! Rows of different lengths lie in one array with their ends beside it, as in Arrow's lists and
//! compressed sparse rows. One codec turns columns into bytes and back, and checks all lengths.

mod bag;
mod bag_table;
mod codec;
mod packed;
mod ragged;
mod reuse;
mod strings;

pub use bag::{overlap_of, score, Bag, BagColumn, OwnedBag, TOTAL};
pub use bag_table::{BagTable, BagTableError};
pub(crate) use codec::impl_column;
pub use codec::{check_length, ArrayReader, ArrayWriter, CodecError, Column};
pub use packed::{
    from_gaps, put_block, put_number, to_gaps, Block, PackedReader, BLOCK as PACKED_BLOCK,
};
pub use ragged::{list_array, End, Ends, Ragged};
pub(crate) use reuse::{clear_for, zeros};
pub use strings::{StringColumn, TextColumn};
