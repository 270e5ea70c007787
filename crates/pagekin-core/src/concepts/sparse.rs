//! A sparse matrix by compressed rows (CSR), and its products with panels.

use std::thread;

use super::panel::{Line, Panel, LANES};
use crate::columns::Ragged;
use crate::sorting::transpose;

/// Rows of columns and values.
#[derive(Debug, Default, PartialEq)]
pub struct SparseMatrix {
    rows: Ragged<(u32, f32)>,
}

impl SparseMatrix {
    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f32)>) {
        self.rows.push(row);
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Rows and columns exchanged, given the number of columns.
    pub fn transposed(&self, columns: usize) -> Self {
        let rows = (0..).zip(self.rows.iter());
        let entries = rows.flat_map(|(row, items)| {
            let turned = move |&(column, value): &(u32, f32)| (column as usize, (row, value));
            items.iter().map(turned)
        });
        Self {
            rows: transpose(columns, entries),
        }
    }

    /// The product with a panel that has a row for each column. A thread adds
    /// up whole rows, so that their number does not matter.
    pub fn times(&self, panel: &Panel, threads: usize) -> Panel {
        let mut out = Panel::zeros(self.rows(), panel.width);
        let blocks = panel.blocks();
        if threads < 2 {
            self.times_rows(0, &blocks, &mut out.values);
            return out;
        }
        let share = self.rows().div_ceil(threads).max(1);
        thread::scope(|scope| {
            for (part, out) in out
                .values
                .chunks_mut(share * panel.width.max(1))
                .enumerate()
            {
                let blocks = &blocks;
                scope.spawn(move || self.times_rows(part * share, blocks, out));
            }
        });
        out
    }

    /// One block after the other: the lines of one fit a near cache.
    fn times_rows(&self, first: usize, blocks: &[Vec<Line>], out: &mut [f32]) {
        for (block, lines) in blocks.iter().enumerate() {
            for (number, out) in out.chunks_exact_mut(blocks.len() * LANES).enumerate() {
                let mut sums = [0f32; LANES];
                for &(column, value) in self.rows.row(first + number) {
                    for (sum, item) in sums.iter_mut().zip(&lines[column as usize].0) {
                        *sum += item * value;
                    }
                }
                out[block * LANES..][..LANES].copy_from_slice(&sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sparse() -> SparseMatrix {
        let mut sparse = SparseMatrix::default();
        sparse.push([(0, 2.0), (2, 1.0)]);
        sparse.push([]);
        sparse.push([(1, 3.0)]);
        sparse
    }

    #[test]
    fn product_does_not_depend_on_threads() {
        let mut panel = Panel::zeros(3, 2);
        for (row, items) in panel.values.chunks_exact_mut(LANES).enumerate() {
            items[0] = row as f32 + 1.0;
            items[1] = 10.0;
        }
        for threads in [1, 2, 7] {
            let found = sparse().times(&panel, threads);
            let rows: Vec<&[f32]> = found.values.chunks(LANES).map(|row| &row[..2]).collect();
            assert_eq!(rows, [[5.0, 30.0], [0.0, 0.0], [6.0, 30.0]]);
        }
    }

    #[test]
    fn transposing_twice_is_the_identity() {
        let turned = sparse().transposed(3);
        assert_eq!(turned.rows.ends().as_slice(), [1, 2, 3]);
        assert_eq!(turned.transposed(3), sparse());
    }
}
