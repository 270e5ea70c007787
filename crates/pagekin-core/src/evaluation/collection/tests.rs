use super::*;

/// Three bags: two share a half, the third is alone.
fn collection() -> Collection {
    let bags = [
        bag(&[5, 9], &[60, 40]),
        bag(&[5, 7], &[50, 50]),
        bag(&[8], &[100]),
    ];
    Collection::new(&bags).expect("equal sums")
}

fn bag<'a>(terms: &'a [u64], weights: &'a [u16]) -> Bag<'a> {
    Bag { terms, weights }
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
    let mut bags = Vec::new();
    for page in 0..64u64 {
        let has: Vec<u64> = (0..6).filter(|bit| page % (1 << bit) == 0).collect();
        let share = 60 / has.len() as u16;
        let mut weights = vec![share; has.len()];
        weights[0] += 60 - share * has.len() as u16;
        let terms: Vec<u64> = has.iter().map(|bit| bit << 60 | 3).collect();
        bags.push((terms, weights));
    }
    let bags: Vec<_> = bags
        .iter()
        .map(|(terms, weights)| bag(terms, weights))
        .collect();
    let found = Collection::new(&bags).expect("equal sums");
    assert!(found.row_of.contains(&NO_ROW));
    assert!(found.row_of.iter().any(|&row| row != NO_ROW));
    for (page, sums) in found.minima(0..64).into_iter().enumerate() {
        for (other, &sum) in sums.iter().enumerate().filter(|&(other, _)| other != page) {
            assert_eq!(u32::from(sum), bags[page].overlap(&bags[other]));
        }
    }
}

#[test]
fn bags_with_different_sums_are_rejected() {
    let found = Collection::new(&[bag(&[1], &[7]), bag(&[], &[]), bag(&[2], &[8])]);
    assert_eq!(found.err(), Some(UnequalSums { bag: 2 }));
    let found = Collection::new(&[bag(&[1], &[u16::MAX]), bag(&[1, 2], &[u16::MAX, 1])]);
    assert_eq!(found.err(), Some(UnequalSums { bag: 1 }));
}
