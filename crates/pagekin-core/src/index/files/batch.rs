//! One batch of a table: columns whose values can only be had through a check.

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, OffsetSizeTrait, RecordBatch};
use arrow_buffer::{ArrowNativeType, BooleanBuffer};

use crate::index::files::verified::{TableError, Unverified, VerifiedFile};

/// A batch whose text and flags have been verified, and whose numbers have not.
#[derive(Debug, Clone, Copy)]
pub struct TableBatch<'a> {
    file: &'a VerifiedFile,
    columns: &'a RecordBatch,
}

impl<'a> TableBatch<'a> {
    pub(in crate::index) fn new(file: &'a VerifiedFile, columns: &'a RecordBatch) -> Self {
        Self { file, columns }
    }

    /// How many rows it has.
    pub fn rows(self) -> usize {
        self.columns.num_rows()
    }

    /// A column of numbers.
    #[inline]
    pub fn numbers<T: ArrowPrimitiveType>(
        self,
        column: usize,
    ) -> Result<Unverified<'a, T::Native>, TableError> {
        self.primitive::<T>(self.columns.column(column).as_ref())
    }

    /// A column of lists of numbers.
    #[inline]
    pub fn lists<T: ArrowPrimitiveType>(
        self,
        column: usize,
    ) -> Result<UnverifiedLists<'a, T::Native>, TableError> {
        let lists = self.columns.column(column).as_list_opt::<i64>();
        let lists = lists.ok_or_else(|| self.wrong_column())?;
        Ok(UnverifiedLists {
            offsets: Unverified::new(self.file, lists.value_offsets()),
            values: self.primitive::<T>(lists.values().as_ref())?,
        })
    }

    /// A column of bytes.
    #[inline]
    pub fn bytes(self, column: usize) -> Result<UnverifiedLists<'a, u8>, TableError> {
        let bytes = self.columns.column(column).as_binary_opt::<i64>();
        let bytes = bytes.filter(|bytes| bytes.null_count() == 0);
        let bytes = bytes.ok_or_else(|| self.wrong_column())?;
        Ok(UnverifiedLists {
            offsets: Unverified::new(self.file, bytes.value_offsets()),
            values: Unverified::new(self.file, bytes.value_data()),
        })
    }

    /// The numbers of a row of a column whose lists all have the same length.
    pub fn fixed_list<T: ArrowPrimitiveType>(
        self,
        column: usize,
        row: usize,
    ) -> Result<&'a [T::Native], TableError> {
        let lists = self.columns.column(column).as_fixed_size_list_opt();
        let lists = lists.ok_or_else(|| self.wrong_column())?;
        let size = lists.value_length() as usize;
        let values = self.primitive::<T>(lists.values().as_ref())?;
        values.slice(row * size..(row + 1) * size)?.verify()
    }

    /// The text of a row, if there is one.
    pub fn text<O: OffsetSizeTrait>(
        self,
        column: usize,
        row: usize,
    ) -> Result<Option<&'a str>, TableError> {
        let text = self.columns.column(column).as_string_opt::<O>();
        let text = text.ok_or_else(|| self.wrong_column())?;
        Ok(text.is_valid(row).then(|| text.value(row)))
    }

    /// The flag of a row.
    pub fn flag(self, column: usize, row: usize) -> Result<bool, TableError> {
        let flags = self.columns.column(column).as_boolean_opt();
        Ok(flags.ok_or_else(|| self.wrong_column())?.value(row))
    }

    /// The number or the time of a row, if it is known. A batch with text is verified whole, its
    /// numbers included; no other has numbers that may be unknown.
    pub fn known<T: ArrowPrimitiveType>(
        self,
        column: usize,
        row: usize,
    ) -> Result<Option<T::Native>, TableError> {
        let column = self.columns.column(column).as_primitive_opt::<T>();
        let column = column.ok_or_else(|| self.wrong_column())?;
        Ok(column.is_valid(row).then(|| column.value(row)))
    }

    /// A column of flags.
    pub fn flags(self, column: usize) -> Result<&'a BooleanBuffer, TableError> {
        let flags = self.columns.column(column).as_boolean_opt();
        let flags = flags.filter(|flags| flags.null_count() == 0);
        let flags = flags.ok_or_else(|| self.wrong_column())?.values();
        Unverified::new(self.file, flags.values()).verify()?;
        Ok(flags)
    }

    #[inline]
    fn primitive<T: ArrowPrimitiveType>(
        self,
        column: &'a dyn Array,
    ) -> Result<Unverified<'a, T::Native>, TableError> {
        let numbers = column.as_primitive_opt::<T>();
        let numbers = numbers.filter(|numbers| numbers.null_count() == 0);
        let numbers = numbers.ok_or_else(|| self.wrong_column())?;
        Ok(Unverified::new(self.file, numbers.values()))
    }

    fn wrong_column(self) -> TableError {
        self.file
            .error("the table has other columns than its format says")
    }
}

/// Lists of numbers, one a row.
#[derive(Debug, Clone, Copy)]
pub struct UnverifiedLists<'a, T> {
    offsets: Unverified<'a, i64>,
    values: Unverified<'a, T>,
}

impl<'a, T: ArrowNativeType> UnverifiedLists<'a, T> {
    /// The numbers of a row.
    #[inline]
    pub fn row(&self, row: usize) -> Result<Unverified<'a, T>, TableError> {
        let ends = self.offsets.slice(row..row + 2)?.verify()?;
        self.values.slice(ends[0] as usize..ends[1] as usize)
    }
}
