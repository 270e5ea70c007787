//! The Jacobi eigenvalue algorithm (Jacobi 1846) for a small symmetric matrix.

/// Eigenvalues, the largest first, each with its eigenvector.
#[derive(Debug)]
pub struct Eigen {
    /// The eigenvalues.
    pub values: Vec<f64>,
    /// As many vectors of length 1.
    pub vectors: Vec<Vec<f64>>,
}

/// Seven are usual; only a matrix with NaN needs more than this.
const MAX_SWEEPS: usize = 40;
/// Tolerance: squares beside the diagonal as a share of those on it.
const NOTHING: f64 = 1e-24;

/// The eigenvalues of a symmetric matrix of `size` rows.
pub fn eigen(mut matrix: Vec<f64>, size: usize) -> Eigen {
    let mut vectors: Vec<Vec<f64>> = (0..size).map(|at| unit(at, size)).collect();
    for _ in 0..MAX_SWEEPS {
        if is_diagonal(&matrix, size) {
            break;
        }
        for p in 0..size {
            for q in p + 1..size {
                rotate(&mut matrix, &mut vectors, size, (p, q));
            }
        }
    }
    let value = |at: usize| matrix[at * size + at];
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&one, &other| value(other).total_cmp(&value(one)));
    Eigen {
        values: order.iter().map(|&at| value(at)).collect(),
        vectors: order
            .iter()
            .map(|&at| std::mem::take(&mut vectors[at]))
            .collect(),
    }
}

fn unit(at: usize, size: usize) -> Vec<f64> {
    let mut vector = vec![0.0; size];
    vector[at] = 1.0;
    vector
}

fn is_diagonal(matrix: &[f64], size: usize) -> bool {
    let (mut on, mut beside) = (0.0, 0.0);
    for (at, row) in matrix.chunks_exact(size.max(1)).enumerate() {
        on += row[at] * row[at];
        beside += row[at + 1..].iter().map(|item| item * item).sum::<f64>();
    }
    beside <= NOTHING * on
}

/// Turns rows and columns p and q so that the item where they cross becomes 0.
fn rotate(matrix: &mut [f64], vectors: &mut [Vec<f64>], size: usize, (p, q): (usize, usize)) {
    let crossing = matrix[p * size + q];
    if crossing == 0.0 {
        return;
    }
    let ratio = (matrix[q * size + q] - matrix[p * size + p]) / (2.0 * crossing);
    let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let turn = |one: &mut f64, other: &mut f64| {
        let (a, b) = (*one, *other);
        *one = cosine * a - cosine * tangent * b;
        *other = cosine * tangent * a + cosine * b;
    };
    for row in matrix.chunks_exact_mut(size) {
        let (left, right) = row.split_at_mut(q);
        turn(&mut left[p], &mut right[0]);
    }
    let (above, below) = matrix.split_at_mut(q * size);
    let rows = above[p * size..][..size].iter_mut().zip(below);
    rows.for_each(|(one, other)| turn(one, other));
    let (before, after) = vectors.split_at_mut(q);
    let items = before[p].iter_mut().zip(&mut after[0]);
    items.for_each(|(one, other)| turn(one, other));
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
