//! Posting lists of words, packed: page numbers as distances, counts and weights, in blocks.
//!
//! A list is its length and blocks of at most 128 postings. A block has the distances of the pages,
//! the counts in content, and the anchor weights. Pages are by site first, so a distance may be
//! negative: zigzag coding makes small numbers of those.

use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, LargeBinaryArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;

use super::{batch, column, damaged, list, numbers, PackedTable, BROKEN, LARGEST_BATCH};
use crate::columns::{list_array, put_block, put_number, Block, Ends, PackedReader, PACKED_BLOCK};

/// Bytes of a posting in memory.
const POSTING: usize = 12;

const LENGTHS: &str = "the lists of a term differ in length";

/// The table of posting lists of words.
#[derive(Debug, Default)]
pub struct PackedPostings;

/// The postings of a term, or of several, one after another.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PostingColumns {
    /// Rows, counted through all shards, by site and page.
    pub pages: Vec<u32>,
    /// How often the title and text of each have the term.
    pub content: Vec<u32>,
    /// Its weight in the windows of links to each.
    pub anchor: Vec<u32>,
}

impl PostingColumns {
    /// Appends a packed list of at most `most` postings; `None` if it is broken or longer.
    pub fn unpack(&mut self, packed: &[u8], most: usize) -> Option<()> {
        let mut reader = PackedReader::new(packed);
        let count = usize::try_from(reader.number()?).ok()?;
        if count > most {
            return None;
        }
        let (mut page, mut block) = (0_u32, [0; PACKED_BLOCK]);
        let mut left = count;
        while left > 0 {
            let some = left.min(PACKED_BLOCK);
            reader.block(some, &mut block)?;
            self.pages.extend(block[..some].iter().map(|&gap| {
                page = page.wrapping_add(from_zigzag(gap));
                page
            }));
            for column in [&mut self.content, &mut self.anchor] {
                reader.block(some, &mut block)?;
                column.extend_from_slice(&block[..some]);
            }
            left -= some;
        }
        reader.is_empty().then_some(())
    }
}

/// Packs the postings of a term.
fn pack_list(pages: &[u32], content: &[u32], anchor: &[u32], out: &mut Vec<u8>) {
    put_number(pages.len() as u32, out);
    let counts = content
        .chunks(PACKED_BLOCK)
        .zip(anchor.chunks(PACKED_BLOCK));
    let (mut before, mut gaps): (u32, Block) = (0, [0; PACKED_BLOCK]);
    for (pages, (content, anchor)) in pages.chunks(PACKED_BLOCK).zip(counts) {
        for (gap, &page) in gaps.iter_mut().zip(pages) {
            *gap = to_zigzag(page.wrapping_sub(before));
            before = page;
        }
        for numbers in [&gaps[..pages.len()], content, anchor] {
            put_block(numbers, out);
        }
    }
}

/// A small number for a small distance, in either direction.
fn to_zigzag(distance: u32) -> u32 {
    let signed = distance as i32;
    (signed << 1 ^ signed >> 31) as u32
}

fn from_zigzag(number: u32) -> u32 {
    number >> 1 ^ (number & 1).wrapping_neg()
}

impl PackedTable for PackedPostings {
    fn pack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let terms: &UInt64Array = column(rows, "term")?;
        let (mut packed, mut ends) = (Vec::new(), Ends::<u64>::default());
        let lists = [
            numbers::<UInt32Type>(rows, "pages")?,
            numbers::<UInt32Type>(rows, "content")?,
            numbers::<UInt32Type>(rows, "anchor")?,
        ];
        for row in 0..rows.num_rows() {
            let [pages, content, anchor] = lists.map(|(lists, all)| list(lists, all, row));
            let (pages, content, anchor) = (pages?, content?, anchor?);
            if content.len() != pages.len() || anchor.len() != pages.len() {
                return Err(damaged(LENGTHS));
            }
            pack_list(pages, content, anchor, &mut packed);
            ends.push(packed.len());
        }
        let packed = LargeBinaryArray::try_new(ends.offsets(), packed.into(), None)?;
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("term", Arc::new(terms.clone())),
            ("postings", Arc::new(packed)),
        ];
        batch(columns)
    }

    fn unpack(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let terms: &UInt64Array = column(rows, "term")?;
        let packed: &LargeBinaryArray = column(rows, "postings")?;
        let (mut all, mut ends) = (PostingColumns::default(), Ends::<u64>::default());
        for row in 0..rows.num_rows() {
            let most = LARGEST_BATCH / POSTING - all.pages.len();
            all.unpack(packed.value(row), most)
                .ok_or_else(|| damaged(BROKEN))?;
            ends.push(all.pages.len());
        }
        let offsets = ends.offsets();
        let list = |values: Vec<u32>| list_array(&offsets, UInt32Array::from(values));
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("term", Arc::new(terms.clone())),
            ("pages", list(all.pages)?),
            ("content", list(all.content)?),
            ("anchor", list(all.anchor)?),
        ];
        batch(columns)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    /// Lists of some lengths, by site and page.
    fn lists(lengths: &[usize]) -> RecordBatch {
        let mut columns = PostingColumns::default();
        let mut ends = Ends::<u64>::default();
        for (row, &length) in (1..).zip(lengths) {
            for at in 0..length as u32 {
                columns.pages.push((at * 7 + row) % 1_000 * 3 + at / 500);
                columns.content.push(at % row);
                columns
                    .anchor
                    .push(if at % 9 == 0 { u32::MAX - at } else { at });
            }
            ends.push(columns.pages.len());
        }
        let offsets = ends.offsets();
        let list = |values| list_array(&offsets, UInt32Array::from(values)).expect("sound");
        let terms = UInt64Array::from_iter_values(0..lengths.len() as u64);
        RecordBatch::try_from_iter_with_nullable([
            ("term", Arc::new(terms) as ArrayRef, false),
            ("pages", list(columns.pages), false),
            ("content", list(columns.content), false),
            ("anchor", list(columns.anchor), false),
        ])
        .expect("columns of one length")
    }

    #[test]
    fn lists_are_read_back_row_by_row() {
        let rows = lists(&[1, 0, 127, 128, 129, 4_000, 3]);
        let packed = PackedPostings.pack(&rows).expect("sound");
        let unpack = |packed: &RecordBatch| PackedPostings.unpack(packed).expect("sound");
        assert_eq!(unpack(&packed), rows);
        for row in 0..rows.num_rows() {
            let one = PackedPostings.pack(&rows.slice(row, 1)).expect("sound");
            assert_eq!(
                one,
                packed.slice(row, 1),
                "a list does not depend on those before"
            );
            assert_eq!(unpack(&packed.slice(row, 1)), rows.slice(row, 1));
        }
    }

    #[test]
    fn lists_of_different_lengths_are_refused() {
        let rows = lists(&[5, 6]);
        let mut columns = rows.columns().to_vec();
        columns[2] = lists(&[6, 5]).column(2).clone();
        let rows = RecordBatch::try_new(rows.schema(), columns).expect("columns of one length");
        assert!(PackedPostings.pack(&rows).is_err());
    }

    #[test]
    fn broken_lists_are_refused() {
        let packed = PackedPostings.pack(&lists(&[300])).expect("sound");
        let bytes = packed.column(1).as_binary::<i64>().value(0).to_vec();
        let unpack = |bytes: &[u8], most| PostingColumns::default().unpack(bytes, most);
        assert_eq!(unpack(&bytes, 300), Some(()));
        assert_eq!(unpack(&bytes, 299), None, "more pages than there are");
        for cut in 0..bytes.len() {
            assert_eq!(unpack(&bytes[..cut], 300), None);
        }
        assert_eq!(unpack(&[&bytes[..], &[0]].concat(), 300), None);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let _ = unpack(&changed, 300);
            }
        }
    }
}
