//! What can be said without the reference; the rest is in `tests/sketches`.

use super::*;

fn of<'a>(terms: &'a [u64], weights: &'a [u16]) -> Bag<'a> {
    Bag { terms, weights }
}

fn sketch(m: usize, bag: &[(u64, u16)]) -> Vec<u32> {
    let (terms, weights): (Vec<u64>, Vec<u16>) = bag.iter().copied().unzip();
    let mut values = vec![u32::MAX; m];
    Sketcher::new(m, 1).sketch(of(&terms, &weights), &mut values);
    values
}

#[test]
fn empty_bag_has_a_sketch_of_zeros() {
    assert_eq!(sketch(3, &[]), [0, 0, 0]);
    assert_eq!(sketch(3, &[(7, 0), (8, 0)]), [0, 0, 0]);
}

#[test]
fn sketch_does_not_depend_on_order_or_absent_terms() {
    let sorted = sketch(80, &[(1, 300), (2, 20_000), (3, 1)]);
    assert_eq!(sketch(80, &[(3, 1), (9, 0), (1, 300), (2, 20_000)]), sorted);
}

#[test]
fn reused_sketcher_gives_the_same_sketch() {
    let mut sketcher = Sketcher::new(80, 1);
    let (mut once, mut again) = ([0; 80], [0; 80]);
    sketcher.sketch(of(&[5, 6], &[1, 65_535]), &mut once);
    sketcher.sketch(of(&[1], &[9]), &mut again);
    sketcher.sketch(of(&[5, 6], &[1, 65_535]), &mut again);
    assert_eq!(once, again);
}

/// More cells than are gathered at once, of many terms and of one.
#[test]
fn sketch_does_not_depend_on_blocks_of_cells() {
    let many: Vec<(u64, u16)> = (0..3000).map(|term| (term, 65_535 - term as u16)).collect();
    let all = sketch(200, &many);
    let parts: Vec<Vec<u32>> = many.iter().map(|&bag| sketch(200, &[bag])).collect();
    for (position, value) in all.iter().enumerate() {
        assert!(parts.iter().any(|part| part[position] == *value));
    }
}

#[test]
fn largest_sketch_is_filled() {
    let values = sketch(MAX_POSITIONS, &[(1, 65_535)]);
    assert_eq!(values.iter().filter(|&&value| value == 0).count(), 0);
}
