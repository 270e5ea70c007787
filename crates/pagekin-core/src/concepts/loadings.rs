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
use crate::hash::MOST_CONCEPTS;

/// How much each term says of each component, in 1/32,768: rows of the right
/// singular vectors, in order of terms.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Loadings {
    /// Terms, ascending.
    pub terms: Vec<u64>,
    /// How many components were found.
    pub components: usize,
    /// The loadings of each term.
    pub values: Vec<i16>,
}

impl Loadings {
    /// The rows as numbers, each as many lines as it needs and filled up with zeros.
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

    /// One row a term.
    pub fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        let offsets = OffsetBuffer::from_lengths(repeat_n(self.components, self.terms.len()));
        let lists = list_array(&offsets, Int16Array::from(self.values))?;
        let terms: ArrayRef = Arc::new(UInt64Array::from(self.terms));
        RecordBatch::try_from_iter_with_nullable([
            ("term", terms, false),
            ("loadings", lists, false),
        ])
    }

    /// The loadings in batches of the table; None if these are other batches.
    pub fn from_batches(batches: &[RecordBatch]) -> Option<Self> {
        let mut all = Self::default();
        for batch in batches.iter().filter(|batch| batch.num_rows() > 0) {
            all.append(batch)?;
        }
        let ordered = all.terms.windows(2).all(|pair| pair[0] < pair[1]);
        let few = 2 * all.components < MOST_CONCEPTS as usize;
        (ordered && few).then_some(all)
    }

    fn append(&mut self, batch: &RecordBatch) -> Option<()> {
        let terms = batch.column_by_name("term")?;
        let lists = batch.column_by_name("loadings")?.as_list_opt::<i64>()?;
        if self.terms.is_empty() {
            self.components = lists.value_length(0) as usize;
        }
        let ends = lists.offsets();
        let whole = |ends: &[i64]| ends[1] - ends[0] == self.components as i64;
        if !ends.windows(2).all(whole) {
            return None;
        }
        let values = lists.values().as_primitive_opt::<Int16Type>()?.values();
        let range = *ends.first()? as usize..*ends.last()? as usize;
        let terms = terms.as_primitive_opt::<UInt64Type>()?.values();
        self.terms.extend_from_slice(terms);
        self.values.extend_from_slice(values.get(range)?);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loadings(terms: &[u64], components: usize) -> Loadings {
        Loadings {
            terms: terms.to_vec(),
            components,
            values: (0..).take(terms.len() * components).collect(),
        }
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
        let many = batch(&[2], MOST_CONCEPTS as usize / 2);
        assert_eq!(Loadings::from_batches(&[many]), None);
    }
}
