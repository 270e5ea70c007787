//! Term loadings: the right singular vectors of the sample, in memory and as a table of the index.

use std::iter::repeat_n;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, UInt64Type};
use arrow_array::{ArrayRef, Int16Array, RecordBatch, UInt64Array};
use arrow_buffer::OffsetBuffer;
use arrow_schema::ArrowError;

use super::panel::{Line, LANES};
use crate::columns::list_array;
use crate::hash::MAX_CONCEPTS;
use crate::sorting::Ranks;

/// How much each term says of each component, in 1/32,768: rows of the right
/// singular vectors, in order of terms.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Loadings {
    /// Terms, ascending.
    pub terms: Vec<u64>,
    /// How many components were found.
    pub components: usize,
    /// How many of them, the last ones, are topics.
    pub topics: usize,
    /// The loadings of each term.
    pub values: Vec<i16>,
}

impl Loadings {
    /// The rows as floats, each padded with zeros to whole lines.
    pub(super) fn lines(&self) -> Vec<Line> {
        let given = self.values.chunks_exact(self.components.max(1));
        let parts = given.flat_map(|row| row.chunks(LANES));
        let line = |part: &[i16]| {
            let mut line = Line([0.0; LANES]);
            for (value, &given) in line.0.iter_mut().zip(part) {
                *value = f32::from(given);
            }
            line
        };
        parts.map(line).collect()
    }

    /// The first line of every row, then the second of every row, and so on.
    pub(super) fn lines_by_place(&self) -> Vec<Line> {
        let (lines, width) = (self.lines(), self.components.div_ceil(LANES));
        (0..width)
            .flat_map(|place| lines.iter().skip(place).step_by(width).copied())
            .collect()
    }

    /// The same with the components of others behind them, as topics.
    pub fn with_topics(self, topics: &Self) -> Self {
        let components = self.components + topics.components;
        let terms = Ranks::new([&self.terms[..], &topics.terms].concat()).into_values();
        let mut values = vec![0; terms.len() * components];
        for (given, first) in [(&self, 0), (topics, self.components)] {
            let rows = given.values.chunks_exact(given.components.max(1));
            let mut at = 0;
            for (term, row) in given.terms.iter().zip(rows) {
                at += terms[at..].partition_point(|other| other < term);
                let start = at * components + first;
                values[start..start + row.len()].copy_from_slice(row);
            }
        }
        Self {
            terms,
            components,
            topics: topics.components,
            values,
        }
    }

    /// One row per term.
    pub fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let plain = self.components - self.topics;
        let rows = self.values.chunks_exact(self.components.max(1));
        let (loadings, topics): (Vec<&[i16]>, Vec<&[i16]>) =
            rows.map(|row| row.split_at(plain)).unzip();
        let lists = |rows: Vec<&[i16]>, length| {
            let offsets = OffsetBuffer::from_lengths(repeat_n(length, self.terms.len()));
            list_array(&offsets, Int16Array::from(rows.concat()))
        };
        let (loadings, topics) = (lists(loadings, plain)?, lists(topics, self.topics)?);
        let terms: ArrayRef = Arc::new(UInt64Array::from(self.terms));
        RecordBatch::try_from_iter_with_nullable([
            ("term", terms, false),
            ("loadings", loadings, false),
            ("topics", topics, false),
        ])
    }

    /// The loadings in batches of the table; `None` if the batches are not of this table.
    pub fn from_batches(batches: &[RecordBatch]) -> Option<Self> {
        let mut all = Self::default();
        for batch in batches.iter().filter(|batch| batch.num_rows() > 0) {
            all.append(batch)?;
        }
        let ordered = all.terms.windows(2).all(|pair| pair[0] < pair[1]);
        let few = 2 * all.components < MAX_CONCEPTS as usize;
        (ordered && few).then_some(all)
    }

    fn append(&mut self, batch: &RecordBatch) -> Option<()> {
        let terms = batch.column_by_name("term")?;
        let terms = terms.as_primitive_opt::<UInt64Type>()?.values();
        let (plain, loadings) = rows_of(batch, "loadings")?;
        let (topics, more) = rows_of(batch, "topics")?;
        if self.terms.is_empty() {
            (self.components, self.topics) = (plain + topics, topics);
        }
        if (self.components, self.topics) != (plain + topics, topics) {
            return None;
        }
        for row in 0..terms.len() {
            self.values
                .extend_from_slice(&loadings[row * plain..][..plain]);
            self.values
                .extend_from_slice(&more[row * topics..][..topics]);
        }
        self.terms.extend_from_slice(terms);
        Some(())
    }
}

/// How long the lists of a column are, which must all have the same length, and their values.
fn rows_of<'a>(batch: &'a RecordBatch, name: &str) -> Option<(usize, &'a [i16])> {
    let lists = batch.column_by_name(name)?.as_list_opt::<i64>()?;
    let length = lists.value_length(0);
    let ends = lists.offsets();
    if !ends.windows(2).all(|ends| ends[1] - ends[0] == length) {
        return None;
    }
    let values = lists.values().as_primitive_opt::<Int16Type>()?.values();
    let range = *ends.first()? as usize..*ends.last()? as usize;
    Some((length as usize, values.get(range)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loadings(terms: &[u64], components: usize) -> Loadings {
        Loadings {
            terms: terms.to_vec(),
            components,
            topics: 0,
            values: (0..).take(terms.len() * components).collect(),
        }
    }

    #[test]
    fn topics_follow_the_other_components() {
        let both = loadings(&[2, 5], 2).with_topics(&loadings(&[1, 5], 1));
        assert_eq!((both.components, both.topics), (3, 1));
        assert_eq!(both.terms, [1, 2, 5]);
        assert_eq!(both.values, [0, 0, 0, 0, 1, 0, 2, 3, 1]);
        let batch = both.into_batch().expect("a table");
        let read = Loadings::from_batches(&[batch]).expect("the same table");
        assert_eq!((read.components, read.topics), (3, 1));
        assert_eq!(read.values, [0, 0, 0, 0, 1, 0, 2, 3, 1]);
    }

    fn batch(terms: &[u64], components: usize) -> RecordBatch {
        loadings(terms, components).into_batch().expect("a table")
    }

    #[test]
    fn written_loadings_are_read_back_whole_and_in_parts() {
        let all = batch(&[2, 5, 9], 4);
        let parts = [all.slice(0, 0), all.slice(0, 1), all.slice(1, 2)];
        assert_eq!(
            Loadings::from_batches(&[all]),
            Some(loadings(&[2, 5, 9], 4))
        );
        assert_eq!(
            Loadings::from_batches(&parts),
            Some(loadings(&[2, 5, 9], 4))
        );
        assert_eq!(Loadings::from_batches(&[]), Some(Loadings::default()));
    }

    #[test]
    fn malformed_loadings_are_rejected() {
        assert_eq!(Loadings::from_batches(&[batch(&[5, 2], 1)]), None);
        let unequal = [batch(&[2], 1), batch(&[5], 2)];
        assert_eq!(Loadings::from_batches(&unequal), None);
        let many = batch(&[2], MAX_CONCEPTS as usize / 2);
        assert_eq!(Loadings::from_batches(&[many]), None);
    }
}
