//! Returned pages against a comparison of every bag, whatever a comparison is said to cost.

use super::*;
use crate::columns::OwnedBag;
use crate::query::selection::PageSelection;
use crate::query::test_index::{index_with_postings, Terms};

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d);
        self.0 = self.0.wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % limit
    }
}

/// Bags of subjects: everybody's terms, terms of the subject, and some of nobody else.
fn bags(count: u64, numbers: &mut Numbers) -> Vec<Terms> {
    let bag = |row: u64| {
        let mut entries: Vec<(u64, f64)> = Vec::new();
        for _ in 0..40 {
            let rank = numbers.below(30) * numbers.below(30) / 30;
            entries.push((rank, 1.0 + numbers.below(20) as f64));
            let own = 1000 * (1 + row % 9) + numbers.below(60);
            entries.push((own, 1.0 + numbers.below(30) as f64));
        }
        entries.push((1_000_000 + row, 3.0));
        for entry in &mut entries {
            entry.0 = entry.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        }
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by_key(|entry| entry.0);
        let bag = QueryBag::from_weights(&entries);
        (bag.bag().terms.to_vec(), bag.bag().weights.to_vec())
    };
    let mut bags: Vec<Terms> = (0..count).map(bag).collect();
    bags[5] = (vec![], vec![]);
    bags
}

#[test]
fn no_page_above_the_threshold_is_missed() {
    let mut numbers = Numbers(7);
    let bags = bags(400, &mut numbers);
    let index = index_with_postings(&bags);
    let all = index.mask(&PageSelection::default()).expect("sound");
    let mut scores = [ScoreAccumulator::default(), ScoreAccumulator::default()];
    let mut compared = 0;
    for asked in 0..60 {
        let row = if asked < 6 { 5 } else { numbers.below(400) } as usize;
        let (terms, weights) = (&bags[row].0, &bags[row].1);
        let bag = QueryBag::from(OwnedBag::from(Bag { terms, weights }));
        let overlap = |other: &Terms| {
            bag.bag().overlap(&Bag {
                terms: &other.0,
                weights: &other.1,
            })
        };
        let overlaps: Vec<u32> = bags.iter().map(overlap).collect();
        for bag_work in [0, 1, 20, BAG_WORK] {
            let mut pages =
                MaxScore::new(&index, &bag, Arc::clone(&all), &mut scores).expect("sound");
            pages.bag_work = bag_work;
            let mut found = pages.likely_best(12).expect("sound");
            assert_eq!(found.is_empty(), terms.is_empty());
            // Down to what is shared by chance, sometimes in steps, and at last all.
            for level in [40_000, 30_000 - 400 * asked, 9_000, 5_000, 1] {
                compared += usize::from(!pages.is_complete());
                found.extend(pages.at_least(level).expect("sound"));
                found.sort_unstable();
                let places = found.iter().map(|page| page.1.row as usize);
                assert!(found
                    .iter()
                    .all(|page| page.0 == overlaps[page.1.row as usize]));
                let given: Vec<usize> = places.collect();
                let reach = (0..400).filter(|&row| overlaps[row] >= level);
                assert!(reach.into_iter().all(|row| given.contains(&row)));
            }
            let shared = overlaps.iter().filter(|&&overlap| overlap > 0).count();
            assert_eq!(found.len(), shared, "each page is given once");
            assert!(pages.likely_best(12).expect("sound").is_empty());
        }
    }
    assert!(compared > 100);
}
