//! Eigenvalues and vectors of a small symmetric matrix: Householder's tridiagonal form (1958) and the
//! implicit QL algorithm with Wilkinson's shift (Dubrulle, Martin and Wilkinson 1968).

/// Eigenvalues, the largest first, each with its eigenvector.
#[derive(Debug)]
pub struct Eigen {
    /// The eigenvalues.
    pub values: Vec<f64>,
    /// As many vectors of length 1.
    pub vectors: Vec<Vec<f64>>,
}

/// A value needs two rounds on average; a matrix that needs more than these has items that are
/// no numbers.
const MAX_ROUNDS: usize = 50;

/// A symmetric tridiagonal matrix, and how to turn its eigenvectors back.
struct Tridiagonal {
    diagonal: Vec<f64>,
    /// What is beside the diagonal, one fewer.
    beside: Vec<f64>,
    /// The rows are the columns of the orthogonal matrix by which it was reached.
    turn: Vec<Vec<f64>>,
}

/// The eigenvalues of a symmetric matrix of `size` rows.
pub fn eigen(matrix: Vec<f64>, size: usize) -> Eigen {
    let mut reduced = tridiagonal(matrix, size);
    for first in 0..size {
        for _ in 0..MAX_ROUNDS {
            let last = reduced.block_end(first);
            if last == first {
                break;
            }
            reduced.chase(first, last);
        }
    }
    let value = |at: usize| reduced.diagonal[at];
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&one, &other| value(other).total_cmp(&value(one)));
    Eigen {
        values: order.iter().map(|&at| value(at)).collect(),
        vectors: order
            .iter()
            .map(|&at| std::mem::take(&mut reduced.turn[at]))
            .collect(),
    }
}

/// Householder's reflections, one a row, each of which empties a row beside the diagonal.
fn tridiagonal(mut matrix: Vec<f64>, size: usize) -> Tridiagonal {
    let (mut diagonal, mut beside) = (Vec::with_capacity(size), Vec::with_capacity(size));
    let mut reflectors = Vec::with_capacity(size);
    for at in 0..size {
        let (done, rest) = matrix.split_at_mut((at + 1) * size);
        let row = &done[at * size + at..];
        diagonal.push(row[0]);
        if at + 1 < size {
            let (reflector, length) = Reflector::new(&row[1..]);
            reflector.reflect_both_sides(rest, size, at + 1);
            beside.push(length);
            reflectors.push(reflector);
        }
    }
    let unit = |at: usize| {
        (0..size)
            .map(|other| if at == other { 1.0 } else { 0.0 })
            .collect()
    };
    let mut turn: Vec<Vec<f64>> = (0..size).map(unit).collect();
    for (at, reflector) in reflectors.iter().enumerate().rev() {
        for row in &mut turn[at + 1..] {
            reflector.reflect(&mut row[at + 1..]);
        }
    }
    Tridiagonal {
        diagonal,
        beside,
        turn,
    }
}

/// The reflection that turns a vector into a multiple of the first unit vector.
struct Reflector {
    normal: Vec<f64>,
    /// 2 by the square of the normal's length; 0 if nothing is to be done.
    factor: f64,
}

impl Reflector {
    /// The reflection, and the item that it leaves of the vector.
    fn new(vector: &[f64]) -> (Self, f64) {
        let mut normal = vector.to_vec();
        let beyond: f64 = vector[1..].iter().map(|item| item * item).sum();
        if beyond == 0.0 {
            return (
                Self {
                    normal,
                    factor: 0.0,
                },
                vector[0],
            );
        }
        let length = (vector[0] * vector[0] + beyond).sqrt();
        // Away from the first item, so that no digits cancel.
        let left = if vector[0] > 0.0 { -length } else { length };
        normal[0] -= left;
        let factor = 2.0 / (normal[0] * normal[0] + beyond);
        (Self { normal, factor }, left)
    }

    fn reflect(&self, row: &mut [f64]) {
        let step = self.factor * dot(&self.normal, row);
        add_multiple(row, -step, &self.normal);
    }

    /// Reflects rows and columns of a symmetric matrix from `first` on, whose rows these are.
    fn reflect_both_sides(&self, rows: &mut [f64], size: usize, first: usize) {
        if self.factor == 0.0 {
            return;
        }
        let products = rows.chunks_exact(size);
        let mut image: Vec<f64> = products
            .map(|row| self.factor * dot(&self.normal, &row[first..]))
            .collect();
        let half = self.factor * dot(&self.normal, &image) / 2.0;
        add_multiple(&mut image, -half, &self.normal);
        let items = self.normal.iter().zip(&image);
        for (row, (&normal, &moved)) in rows.chunks_exact_mut(size).zip(items) {
            let both = self.normal.iter().zip(&image);
            for (item, (other, other_moved)) in row[first..].iter_mut().zip(both) {
                *item -= normal * other_moved + moved * other;
            }
        }
    }
}

/// The scalar product, in four sums: each addition has to wait for the one before.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    let (fours, rest) = one.as_chunks::<4>();
    let (other_fours, other_rest) = other.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (four, other) in fours.iter().zip(other_fours) {
        for (sum, (item, other)) in sums.iter_mut().zip(four.iter().zip(other)) {
            *sum += item * other;
        }
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn add_multiple(row: &mut [f64], factor: f64, other: &[f64]) {
    for (item, other) in row.iter_mut().zip(other) {
        *item += factor * other;
    }
}

impl Tridiagonal {
    /// Where the block that begins at `first` ends: beside its last item is nothing.
    fn block_end(&self, first: usize) -> usize {
        let is_split = |&at: &usize| {
            let around = self.diagonal[at].abs() + self.diagonal[at + 1].abs();
            self.beside[at].abs() <= f64::EPSILON * around
        };
        let inner = first..self.beside.len();
        inner.clone().find(is_split).unwrap_or(inner.end)
    }

    /// A step of the QL algorithm with Wilkinson's shift: plane rotations from the end of a block
    /// to its beginning, each of which removes what the one before has put beside the others.
    fn chase(&mut self, first: usize, last: usize) {
        let mut along = self.diagonal[last] - self.shift(first);
        let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
        for at in (first..last).rev() {
            let (bulge, next) = (sine * self.beside[at], cosine * self.beside[at]);
            let length = (along * along + bulge * bulge).sqrt();
            if at + 1 < last {
                self.beside[at + 1] = length;
            }
            if length == 0.0 {
                // The block has fallen apart.
                self.diagonal[at + 1] -= moved;
                return;
            }
            (sine, cosine) = (bulge / length, along / length);
            let lower = self.diagonal[at + 1] - moved;
            let change = (self.diagonal[at] - lower) * sine + 2.0 * cosine * next;
            moved = sine * change;
            self.diagonal[at + 1] = lower + moved;
            along = cosine * change - next;
            let (before, after) = self.turn.split_at_mut(at + 1);
            rotate(&mut before[at], &mut after[0], (cosine, sine));
        }
        self.diagonal[first] -= moved;
        self.beside[first] = along;
        if let Some(split) = self.beside.get_mut(last) {
            *split = 0.0;
        }
    }

    /// The eigenvalue of the first two rows that is nearer to the first.
    fn shift(&self, first: usize) -> f64 {
        let (value, beside) = (self.diagonal[first], self.beside[first]);
        let half = (self.diagonal[first + 1] - value) / (2.0 * beside);
        let root = (half * half + 1.0).sqrt();
        value - beside / (half + if half < 0.0 { -root } else { root })
    }
}

/// Turns two vectors in the plane that they span.
fn rotate(one: &mut [f64], other: &mut [f64], (cosine, sine): (f64, f64)) {
    for (one, other) in one.iter_mut().zip(other) {
        let (a, b) = (*one, *other);
        *one = cosine * a - sine * b;
        *other = sine * a + cosine * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_match_a_hand_calculation() {
        let found = eigen(vec![2.0, 1.0, 1.0, 2.0], 2);
        assert!((found.values[0] - 3.0).abs() < 1e-12);
        assert!((found.values[1] - 1.0).abs() < 1e-12);
        let half = 0.5f64.sqrt();
        assert!((found.vectors[0][0].abs() - half).abs() < 1e-12);
        assert!((found.vectors[0][0] - found.vectors[0][1]).abs() < 1e-12);
    }

    #[test]
    fn eigenvectors_are_scaled_by_their_eigenvalues() {
        let size = 30;
        let item = |i: usize, j: usize| ((i * j + i + j) % 17) as f64 - 8.0;
        let matrix: Vec<f64> = (0..size * size)
            .map(|at| item(at / size, at % size))
            .collect();
        let found = eigen(matrix.clone(), size);
        assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]));
        for (value, vector) in found.values.iter().zip(&found.vectors) {
            for (row, item) in matrix.chunks_exact(size).zip(vector) {
                let product: f64 = row.iter().zip(vector).map(|(a, b)| a * b).sum();
                assert!((product - value * item).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn empty_matrix_has_no_eigenvalues() {
        assert!(eigen(Vec::new(), 0).values.is_empty());
        assert_eq!(eigen(vec![0.0; 4], 2).values, [0.0, 0.0]);
    }
}
