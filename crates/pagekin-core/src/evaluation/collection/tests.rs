use super::*;

/// Three bags: two share a half, the third is alone.
fn collection() -> Collection {
    let terms = [5, 9, 5, 7, 8];
    Collection::new(&[2, 4, 5], &terms, &[60, 40, 50, 50, 100]).expect("equal sums")
}

#[test]
fn jaccard_and_cosine_of_a_pair() {
    let found = collection().similarities(0, Similarity::Jaccard);
    assert!((found[1] - 50.0 / 150.0).abs() < 1e-12);
    assert_eq!(found[2], 0.0);
    let found = collection().similarities(0, Similarity::Cosine);
    let norms = (60f64.powi(2) + 40f64.powi(2)).sqrt() * (2.0 * 50f64.powi(2)).sqrt();
    assert!((found[1] - 60.0 * 50.0 / norms).abs() < 1e-12);
    assert_eq!(found[2], 0.0);
}

#[test]
fn sparse_and_dense_sums_agree() {
    // One term in every page, one in every second, ..., one in two pages of 64.
    let (mut ends, mut terms, mut weights) = (vec![], vec![], vec![]);
    for page in 0..64u64 {
        let has: Vec<u64> = (0..6).filter(|bit| page % (1 << bit) == 0).collect();
        let share = 60 / has.len() as u16;
        for (place, &bit) in has.iter().enumerate() {
            terms.push(bit << 60 | 3);
            let rest = 60 - share * has.len() as u16;
            weights.push(share + if place == 0 { rest } else { 0 });
        }
        ends.push(terms.len());
    }
    let found = Collection::new(&ends, &terms, &weights).expect("equal sums");
    assert!(found.row_of.contains(&NO_ROW));
    assert!(found.row_of.iter().any(|&row| row != NO_ROW));
    for (page, sums) in found.minima(0..64).into_iter().enumerate() {
        for (other, &sum) in sums.iter().enumerate().filter(|&(other, _)| other != page) {
            assert_eq!(
                u32::from(sum),
                slow_minimum(&ends, &terms, &weights, page, other)
            );
        }
    }
}

fn slow_minimum(ends: &[usize], terms: &[u64], weights: &[u16], a: usize, b: usize) -> u32 {
    let bag = |page: usize| if page == 0 { 0 } else { ends[page - 1] }..ends[page];
    let pairs = bag(a).flat_map(|one| bag(b).map(move |two| (one, two)));
    let same = pairs.filter(|&(one, two)| terms[one] == terms[two]);
    same.map(|(one, two)| u32::from(weights[one].min(weights[two])))
        .sum()
}

#[test]
fn bags_with_different_sums_are_rejected() {
    let found = Collection::new(&[1, 1, 2], &[1, 2], &[7, 8]);
    assert_eq!(found.err(), Some(UnequalSums { bag: 2 }));
    let found = Collection::new(&[1, 3], &[1, 1, 2], &[u16::MAX, u16::MAX, 1]);
    assert_eq!(found.err(), Some(UnequalSums { bag: 1 }));
}
