//! Small indexes in memory, for the tests of searches.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_buffer::Buffer;
use arrow_ipc::writer::FileWriter;

use super::query_bag::QueryBag;
use super::searcher::Searcher;
use super::sketches::SketchParams;
use crate::columns::{Bag, BagColumn, OwnedBag, TOTAL};
use crate::index::{
    packed_table, BagPacker, BlockChecksums, FileChecksums, Segment, VerifiedFile,
    WeightedPostingsBuilder, PAGE_COLUMNS,
};

/// The terms of a bag and their weights.
pub type Terms = (Vec<u64>, Vec<u16>);

/// The query of an index with matches, whose only term is 1.
pub fn query() -> QueryBag {
    let (terms, weights) = (vec![1], vec![TOTAL as u16]);
    QueryBag::from(OwnedBag { terms, weights })
}

/// An index of these bags with inverted lists.
pub fn index_with_postings(bags: &[Terms]) -> Searcher {
    let pages = Segment::ALL.map(|segment| places(bags.len(), segment).count());
    let mut builder = WeightedPostingsBuilder::new(0, u64::MAX, pages);
    for segment in Segment::ALL {
        for (place, row) in (0..).zip(places(bags.len(), segment)) {
            let (terms, weights) = (&bags[row].0, &bags[row].1);
            builder.add(segment, place, &Bag { terms, weights });
        }
    }
    let holders = packed_table("holders").expect("it is packed");
    let packed = holders.pack(&builder.into_batch().expect("sound"));
    let postings = file(&[packed.expect("sound")]);
    let inverse = empty(&["value", "row"]);
    let inverted = vec![("inverse", inverse), ("holders", postings)];
    searcher(bags, SKETCHING, inverted)
}

/// The rows of a segment: every third page was not fetched.
fn places(rows: usize, segment: Segment) -> impl Iterator<Item = usize> {
    (0..rows).filter(move |row| Segment::of(row % 3 != 2) == segment)
}

/// An index of these bags with inverted sketches, each of which shares as many of `positions`
/// with [`query`] as `matches` says.
pub fn index_with_matches(bags: &[Terms], matches: &[usize], positions: usize) -> Searcher {
    let sketching = SketchParams {
        positions,
        ..SKETCHING
    };
    let sketch = sketching.sketch(query().bag());
    let batch = |position: usize| {
        let value = |row: u32| match matches[row as usize] > position {
            true => sketch[position],
            false => !sketch[position],
        };
        let mut rows: Vec<u32> = (0..matches.len() as u32).collect();
        rows.sort_by_key(|&row| value(row));
        let values = UInt32Array::from_iter_values(rows.iter().map(|&row| value(row)));
        let rows = UInt32Array::from(rows);
        let columns: [(&str, ArrayRef); 2] = [("value", Arc::new(values)), ("row", Arc::new(rows))];
        RecordBatch::try_from_iter(columns).expect("columns of one length")
    };
    let batches: Vec<RecordBatch> = (0..positions).map(batch).collect();
    searcher(bags, sketching, vec![("inverse", file(&batches))])
}

const SKETCHING: SketchParams = SketchParams {
    positions: 80,
    seed: 0,
    min_inlinks: 0,
};

fn searcher(
    bags: &[Terms],
    sketching: SketchParams,
    inverted: Vec<(&str, Arc<VerifiedFile>)>,
) -> Searcher {
    let links = [
        "target", "source", "from", "first", "last", "to", "template",
    ];
    let mut tables = vec![
        ("pages", file(&[page_batch(bags.len())])),
        ("bags", file(&[bag_batch(bags)])),
        ("terms", file(&[term_batch(bags)])),
        ("links", empty(&links)),
        ("texts", empty(&["text", "templates"])),
        ("lexicon", empty(&["term", "word", "frequency"])),
        ("postings", empty(&["term", "postings"])),
    ];
    tables.extend(inverted);
    let tables: HashMap<_, _> = tables
        .into_iter()
        .map(|(name, file)| (name.to_owned(), vec![file]))
        .collect();
    Searcher::open(&[tables], sketching).expect("sound")
}

/// Pages of which nothing is known but whether they were fetched.
fn page_batch(pages: usize) -> RecordBatch {
    let crawled: ArrayRef = Arc::new(BooleanArray::from_iter(
        (0..pages).map(|row| Some(row % 3 != 2)),
    ));
    let none: ArrayRef = Arc::new(UInt32Array::from(vec![0; pages]));
    let columns = PAGE_COLUMNS.map(|name| match name {
        "crawled" => (name, Arc::clone(&crawled)),
        _ => (name, Arc::clone(&none)),
    });
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

fn bag_batch(bags: &[Terms]) -> RecordBatch {
    let mut column = BagColumn::default();
    for (terms, weights) in bags {
        column.push(Bag { terms, weights });
    }
    let ids: ArrayRef = Arc::new(UInt64Array::from_iter_values(0..bags.len() as u64));
    let [terms, weights] = column.into_arrays().expect("columns of one length");
    let columns = [("id", ids), ("terms", terms), ("weights", weights)];
    let rows =
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, of)| (name, of, false)));
    let packer = BagPacker::new(all_terms(bags));
    let packed = packer.pack(&rows.expect("columns of one length"));
    packed.expect("sound")
}

fn term_batch(bags: &[Terms]) -> RecordBatch {
    let terms: ArrayRef = Arc::new(UInt64Array::from(all_terms(bags)));
    RecordBatch::try_from_iter([("term", terms)]).expect("one column")
}

fn all_terms(bags: &[Terms]) -> Vec<u64> {
    let mut terms: Vec<u64> = bags.iter().flat_map(|bag| bag.0.clone()).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

fn file(batches: &[RecordBatch]) -> Arc<VerifiedFile> {
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, &batches[0].schema()).expect("writable");
    for batch in batches {
        writer.write(batch).expect("writable");
    }
    writer.finish().expect("writable");
    drop(writer);
    let checksums = FileChecksums::compute(&bytes[..]).expect("readable");
    let checksums = BlockChecksums::new(checksums.blocks.into());
    let bytes = Buffer::from(bytes);
    Arc::new(VerifiedFile::new("made".into(), bytes, checksums))
}

/// A table that is never read.
fn empty(columns: &[&str]) -> Arc<VerifiedFile> {
    let none = || Arc::new(UInt32Array::from(Vec::<u32>::new())) as ArrayRef;
    let columns = columns.iter().map(|&name| (name, none()));
    file(&[RecordBatch::try_from_iter(columns).expect("sound")])
}
