//! Ragged rows in one array, as in compressed sparse rows (CSR) and Arrow's lists.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, ArrowPrimitiveType, LargeListArray, PrimitiveArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field};

use super::codec::{check_length, ArrayReader, ArrayWriter, CodecError, Column};
use super::reuse::clear_for;

/// An integer that says where a row ends.
pub trait End: Copy + Default {
    /// From a place in the array; arrays with ends of four bytes are short enough for them.
    fn from_place(place: usize) -> Self;
    /// As a place in the array.
    fn place(self) -> usize;
}

macro_rules! impl_end {
    ($($integer:ty),+) => {$(
        impl End for $integer {
            #[inline]
            fn from_place(place: usize) -> Self {
                place as Self
            }

            #[inline]
            fn place(self) -> usize {
                self as usize
            }
        }
    )+};
}
impl_end!(u32, u64);

/// Where the rows of an array end; the first begins at 0. They never descend.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Ends<E = u64>(Vec<E>);

impl<E: End> Ends<E> {
    /// No rows yet, with memory for these.
    pub fn with_capacity(rows: usize) -> Self {
        Self(Vec::with_capacity(rows))
    }

    /// Ends that do not descend; `None` if these do.
    pub fn new(ends: Vec<E>) -> Option<Self> {
        let ordered = ends.is_sorted_by_key(|end| end.place());
        ordered.then_some(Self(ends))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends the row under way at a place.
    #[inline]
    pub fn push(&mut self, place: usize) {
        self.0.push(E::from_place(place));
    }

    /// Where a row begins.
    #[inline]
    pub fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |last| self.0[last].place())
    }

    /// Where a row is.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.start(row)..self.0[row].place()
    }

    /// Where each row is.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + '_ {
        let mut start = 0;
        let range = move |end: &E| std::mem::replace(&mut start, end.place())..end.place();
        self.0.iter().map(range)
    }

    /// Where the last row ends.
    pub fn total(&self) -> usize {
        self.0.last().map_or(0, |end| end.place())
    }

    /// The ends.
    pub fn as_slice(&self) -> &[E] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The same for Arrow, which also says where the first row begins.
    pub fn offsets(&self) -> OffsetBuffer<i64> {
        let ends = self.0.iter().map(|end| end.place() as i64);
        OffsetBuffer::new(ScalarBuffer::from_iter(std::iter::once(0).chain(ends)))
    }

    /// Writes how long rows are, since lengths are small numbers.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.put_u32s_of(self.len(), |first, lengths| {
            for (row, length) in (first..).zip(lengths) {
                *length = self.range(row).len() as u32;
            }
        });
    }

    /// Reads the lengths of rows, which have this many values together.
    pub(crate) fn read(
        &mut self,
        from: &mut ArrayReader<'_>,
        total: usize,
    ) -> Result<(), CodecError> {
        let lengths = from.u32s()?;
        clear_for(&mut self.0, lengths.len());
        let mut end = 0usize;
        for length in lengths {
            end += length as usize;
            self.push(end.min(total));
        }
        check_length("rows of an array", total, end)
    }
}

/// Values row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ragged<T, E = u64> {
    values: Vec<T>,
    ends: Ends<E>,
}

impl<T, E: Default> Default for Ragged<T, E> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            ends: Ends(Vec::new()),
        }
    }
}

impl<T, E: End> Ragged<T, E> {
    /// No rows yet, with memory for these and their values.
    pub fn with_capacity(rows: usize, values: usize) -> Self {
        Self {
            values: Vec::with_capacity(values),
            ends: Ends::with_capacity(rows),
        }
    }

    /// Values that are already in rows; `None` if these are other rows.
    pub fn new(values: Vec<T>, ends: Vec<E>) -> Option<Self> {
        let ends = Ends::new(ends).filter(|ends| ends.total() == values.len())?;
        Some(Self { values, ends })
    }

    /// Values, each with the number of its row; `None` if rows descend or lie beyond the last.
    pub fn from_sorted(rows: usize, entries: impl IntoIterator<Item = (usize, T)>) -> Option<Self> {
        let mut ragged = Self::default();
        for (row, value) in entries {
            if row >= rows || row < ragged.len() {
                return None;
            }
            ragged.end_rows_before(row);
            ragged.values.push(value);
        }
        ragged.end_rows_before(rows);
        Some(ragged)
    }

    fn end_rows_before(&mut self, row: usize) {
        let place = E::from_place(self.values.len());
        self.ends.0.resize(row, place);
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.values.extend(row);
        self.ends.push(self.values.len());
    }

    /// Appends a row: what `fill` appends to the values.
    pub fn push_with(&mut self, fill: impl FnOnce(&mut Vec<T>)) {
        fill(&mut self.values);
        self.ends.push(self.values.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.values[self.ends.range(row)]
    }

    /// Every row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        self.ends.ranges().map(|range| &self.values[range])
    }

    /// All values, row after row, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// All values, row after row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Where the rows end.
    pub fn ends(&self) -> &Ends<E> {
        &self.ends
    }

    /// The values and where their rows end.
    pub fn into_parts(self) -> (Vec<T>, Ends<E>) {
        (self.values, self.ends)
    }
}

impl<T, E: End> Column for Ragged<T, E>
where
    Vec<T>: Column,
{
    fn clear(&mut self) {
        self.values.clear();
        self.ends.clear();
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.values.write(out);
        self.ends.write(out);
    }

    fn read(&mut self, from: &mut ArrayReader<'_>) -> Result<(), CodecError> {
        self.values.read(from)?;
        self.ends.read(from, self.values.len())
    }
}

/// An Arrow column of lists that end at these offsets.
pub fn list_array<T: ArrowPrimitiveType>(
    offsets: &OffsetBuffer<i64>,
    values: PrimitiveArray<T>,
) -> Result<ArrayRef, ArrowError> {
    let field = Arc::new(Field::new("item", T::DATA_TYPE, false));
    let list = LargeListArray::try_new(field, offsets.clone(), Arc::new(values), None)?;
    Ok(Arc::new(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ragged() -> Ragged<u64> {
        let mut ragged = Ragged::default();
        ragged.push([5, 7]);
        ragged.push([]);
        ragged.push([9]);
        ragged
    }

    #[test]
    fn rows_are_where_they_were_pushed() {
        let ragged = ragged();
        assert_eq!(ragged.row(0), [5, 7]);
        assert_eq!(ragged.iter().collect::<Vec<_>>(), [&[5, 7][..], &[], &[9]]);
        assert_eq!(ragged.ends().as_slice(), [2, 2, 3]);
        assert_eq!(ragged.ends().offsets().as_ref(), [0, 2, 2, 3]);
        assert_eq!(Ragged::<u64>::default().ends().total(), 0);
    }

    #[test]
    fn rows_that_do_not_match_their_values_are_rejected() {
        assert_eq!(Ragged::new(vec![5, 7, 9], vec![2, 2, 3]), Some(ragged()));
        assert_eq!(Ragged::new(vec![5, 7, 9], vec![2u64, 1, 3]), None);
        assert_eq!(Ragged::new(vec![5, 7, 9], vec![2u64]), None);
    }

    #[test]
    fn values_in_order_of_their_rows_are_taken_as_they_come() {
        let found = Ragged::from_sorted(3, [(0, 5), (0, 7), (2, 9)]);
        assert_eq!(found, Some(ragged()));
        let descending = Ragged::<u64>::from_sorted(3, [(2, 9), (0, 5)]);
        let outside = Ragged::<u64>::from_sorted(3, [(3, 9)]);
        assert_eq!((descending, outside), (None, None));
    }

    #[test]
    fn written_rows_are_read_back_and_damaged_ones_rejected() {
        let (mut bytes, mut read) = (Vec::new(), ragged());
        ragged().write(&mut bytes);
        read.clear();
        assert_eq!(read.read(&mut ArrayReader::new(&bytes)), Ok(()));
        assert_eq!(read, ragged());
        let mut other = Vec::new();
        other.put_u64s(&[5, 7]);
        ragged().ends().write(&mut other);
        let error = CodecError {
            what: "rows of an array",
            expected: 2,
            found: 3,
        };
        assert_eq!(read.read(&mut ArrayReader::new(&other)), Err(error));
    }
}
