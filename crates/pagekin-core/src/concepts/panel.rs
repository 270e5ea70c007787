//! Tall and skinny matrices, and their orthonormal bases: by the Cholesky factor of the Gram matrix
//! (Cholesky QR) where any basis will do, by its eigenvectors (SVQB, Stathopoulos and Wu 2002) where
//! the strongest directions are needed.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::eigen::{eigen, Eigen};

/// Number of columns that are added up at a time; the width of a panel is a multiple.
pub const LANES: usize = 16;

/// The same for `f64`; [`LANES`] is a multiple.
const WIDE_LANES: usize = 8;

/// So many rows are multiplied with themselves at a time.
const GRAM_ROWS: usize = 4;

/// Rows one after another; columns that are not needed are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// How many columns there are.
    pub width: usize,
    /// The rows.
    pub values: Vec<f32>,
}

/// [`LANES`] columns of a row, which are one line of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Line(pub [f32; LANES]);

/// An eigenvalue below this share of the largest is noise.
const NOISE: f64 = 1e-10;

impl Panel {
    /// Zeros, at least `columns` wide.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let width = columns.next_multiple_of(LANES);
        Self {
            width,
            values: vec![0.0; rows * width],
        }
    }

    /// A row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.values[row * self.width..][..self.width]
    }

    /// The rows, to be filled.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.values.chunks_exact_mut(self.width.max(1))
    }

    /// Ones with random signs, which are bits of hashes of the rows' names.
    pub fn signs(names: &[u64], columns: usize) -> Self {
        let mut panel = Self::zeros(names.len(), columns);
        for (row, name) in panel.values.chunks_exact_mut(panel.width).zip(names) {
            for (part, signs) in row.chunks_mut(64).enumerate() {
                let bits = xxh3_64_with_seed(&name.to_le_bytes(), part as u64);
                for (bit, sign) in signs.iter_mut().enumerate() {
                    *sign = if bits >> bit & 1 == 0 { 1.0 } else { -1.0 };
                }
            }
        }
        panel
    }

    /// The columns, [`LANES`] at a time: of each block a line for each row.
    pub fn blocks(&self) -> Vec<Vec<Line>> {
        let mut blocks = vec![Vec::new(); self.width / LANES];
        for row in self.values.chunks_exact(self.width.max(1)) {
            let (lines, _) = row.as_chunks::<LANES>();
            for (block, &line) in blocks.iter_mut().zip(lines) {
                block.push(Line(line));
            }
        }
        blocks
    }

    /// The columns' products with each other; only those on and above the diagonal. Rows are added
    /// up a few at a time, one after another, so that the products are read less often.
    fn gram(&self) -> Vec<f64> {
        let width = self.width;
        let mut products = vec![0.0; width * width];
        let mut own = vec![0.0; GRAM_ROWS * width];
        for rows in self.values.chunks(GRAM_ROWS * width) {
            // Rows of zeros, which the last ones may need beside them, change no sum.
            own[rows.len()..].fill(0.0);
            for (own, &item) in own.iter_mut().zip(rows) {
                *own = f64::from(item);
            }
            let rows: [&[f64]; GRAM_ROWS] = std::array::from_fn(|row| &own[row * width..][..width]);
            for (at, line) in products.chunks_exact_mut(width).enumerate() {
                // Two columns have the same product either way: half of them will do.
                add_products(rows.map(|row| &row[at..]), &mut line[at..]);
            }
        }
        products
    }

    /// Columns of length 1 at right angles that span what these columns do, in any direction;
    /// columns that depend on those before them become 0.
    pub fn basis(&self) -> Self {
        let mut basis = Self::zeros(self.values.len() / self.width.max(1), self.width);
        if self.width > 0 {
            self.times(&inverse_cholesky(self.gram(), self.width), &mut basis);
        }
        basis
    }

    /// Columns of length 1 at right angles that span the same space: up to `limit` of them, the
    /// strongest, fewer if the others are noise.
    pub fn orthonormal(&self, limit: usize) -> Self {
        let width = self.width;
        let mut products = self.gram();
        for one in 0..width {
            for other in 0..one {
                products[one * width + other] = products[other * width + one];
            }
        }
        // The squares of the panel's singular values, and its directions.
        let Eigen { values, vectors } = eigen(products, width);
        let noise = values.first().map_or(0.0, |largest| largest * NOISE);
        let strong = values.iter().take_while(|&&value| value > noise);
        let count = strong.count().min(limit);
        let mut turned = Self::zeros(self.values.len() / self.width.max(1), count);
        if count == 0 {
            return turned;
        }
        let mut turn = vec![0.0; self.width * turned.width];
        for (column, (value, vector)) in values.iter().zip(&vectors).take(count).enumerate() {
            for (row, item) in vector.iter().enumerate() {
                turn[row * turned.width + column] = item / value.sqrt();
            }
        }
        self.times(&turn, &mut turned);
        turned
    }

    /// The product with a square matrix, or its first columns. A block of columns at a time stays
    /// in the nearest cache, and two rows at a time in registers.
    fn times(&self, turn: &[f64], out: &mut Self) {
        let (width, turned) = (self.width, out.width);
        for block in 0..turned / WIDE_LANES {
            let lines = turn.chunks_exact(turned);
            let mut lines: Vec<[f64; WIDE_LANES]> = lines
                .map(|line| std::array::from_fn(|at| line[block * WIDE_LANES + at]))
                .collect();
            // Half of a triangular matrix adds nothing.
            while lines.pop_if(|line| *line == [0.0; WIDE_LANES]).is_some() {}
            let pairs = self.values.chunks(2 * width);
            for (rows, out) in pairs.zip(out.values.chunks_mut(2 * turned)) {
                let (row, next) = rows.split_at(width);
                // The last row may have none beside it.
                let next = if next.is_empty() { row } else { next };
                let sums = combine([row, next], &lines);
                for (out, sums) in out.chunks_exact_mut(turned).zip(sums) {
                    out[block * WIDE_LANES..][..WIDE_LANES].copy_from_slice(&sums);
                }
            }
        }
    }
}

/// Adds to `sums` the products of a few rows, each with its own first item.
fn add_products(rows: [&[f64]; GRAM_ROWS], sums: &mut [f64]) {
    let [one, two, three, four] = rows;
    let items = rows.map(|row| row[0]);
    let columns = one.iter().zip(two).zip(three).zip(four);
    for (sum, (((one, two), three), four)) in sums.iter_mut().zip(columns) {
        *sum = *sum + items[0] * one + items[1] * two + items[2] * three + items[3] * four;
    }
}

/// The linear combinations of lines that two rows ask for.
fn combine(rows: [&[f32]; 2], lines: &[[f64; WIDE_LANES]]) -> [[f32; WIDE_LANES]; 2] {
    let mut sums = [[0f64; WIDE_LANES]; 2];
    for ((&one, &other), line) in rows[0].iter().zip(rows[1]).zip(lines) {
        for (sums, item) in sums.iter_mut().zip([one, other]) {
            for (sum, factor) in sums.iter_mut().zip(line) {
                *sum += f64::from(item) * factor;
            }
        }
    }
    sums.map(|sums| sums.map(|sum| sum as f32))
}

/// The inverse of the upper triangular R with RᵀR = `gram`. Where a column depends on those before
/// it, its row and column are 0.
fn inverse_cholesky(mut gram: Vec<f64>, size: usize) -> Vec<f64> {
    let largest = (0..size).map(|at| gram[at * size + at]).fold(0.0, f64::max);
    let mut inverse = vec![0.0; size * size];
    for at in 0..size {
        let (done, rest) = gram.split_at_mut(at * size);
        let row = &mut rest[at..size];
        for before in done.chunks_exact(size) {
            let factor = before[at];
            for (item, other) in row.iter_mut().zip(&before[at..]) {
                *item -= factor * other;
            }
        }
        let length = row[0];
        if length <= largest * NOISE {
            row.fill(0.0);
            continue;
        }
        let scale = 1.0 / length.sqrt();
        row.iter_mut().for_each(|item| *item *= scale);
    }
    // Column by column: R times it is a unit vector.
    for column in 0..size {
        for at in (0..=column).rev() {
            let diagonal = gram[at * size + at];
            if diagonal == 0.0 {
                continue;
            }
            let known = (at + 1..=column)
                .map(|other| gram[at * size + other] * inverse[other * size + column]);
            let sum: f64 = known.sum();
            let unit = if at == column { 1.0 } else { 0.0 };
            inverse[at * size + column] = (unit - sum) / diagonal;
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(panel: &Panel, one: usize, other: usize) -> f32 {
        let rows = panel.values.chunks_exact(panel.width);
        rows.map(|row| row[one] * row[other]).sum()
    }

    #[test]
    fn columns_become_orthonormal() {
        let names: Vec<u64> = (0..200).collect();
        let panel = Panel::signs(&names, 16).orthonormal(16);
        for one in 0..16 {
            for other in 0..16 {
                let expected = if one == other { 1.0 } else { 0.0 };
                assert!((product(&panel, one, other) - expected).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn basis_is_orthonormal_and_drops_dependent_columns() {
        let names: Vec<u64> = (0..200).collect();
        let mut panel = Panel::signs(&names, 16);
        for row in panel.values.chunks_exact_mut(LANES) {
            row[7] = row[2] - 3.0 * row[5];
        }
        let basis = panel.basis();
        for one in 0..16 {
            for other in 0..16 {
                let expected = if one == other && one != 7 { 1.0 } else { 0.0 };
                assert!((product(&basis, one, other) - expected).abs() < 1e-5);
            }
        }
        assert!(Panel::zeros(4, 2)
            .basis()
            .values
            .iter()
            .all(|&item| item == 0.0));
        assert!(Panel::zeros(0, 0).basis().values.is_empty());
    }

    #[test]
    fn dependent_columns_become_one() {
        let mut panel = Panel::zeros(4, 2);
        for (number, row) in panel.values.chunks_exact_mut(LANES).enumerate() {
            row[0] = number as f32 + 1.0;
            row[1] = -row[0];
        }
        let turned = panel.orthonormal(2);
        assert!((product(&turned, 0, 0) - 1.0).abs() < 1e-5);
        assert_eq!(product(&turned, 1, 1), 0.0);
        assert!(Panel::zeros(4, 2).orthonormal(2).values.is_empty());
    }
}
