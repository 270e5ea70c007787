//! Familial distance: how far apart two pages stand in a directory (the paper's definition 1).

use crate::columns::Ragged;

/// What a page is to a query page. In order of distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// In the query page's class, or in one below it.
    Same,
    /// In another class of the same parent.
    Sibling,
    /// Their nearest common class lies farther up.
    Cousin,
    /// They have nothing but the root in common.
    Unrelated,
}

/// A directory: classes by their paths, pages by their classes.
#[derive(Debug)]
pub struct Family {
    paths: Vec<Vec<u32>>,
    /// The classes of each page.
    classes: Ragged<u32>,
}

impl Family {
    /// Paths are numbers of names from the top down; `pages` tells the classes
    /// of each page. None if a page has no class or one that is not there.
    pub fn new(paths: Vec<Vec<u32>>, pages: &[Vec<u32>]) -> Option<Self> {
        let known = |page: &Vec<u32>| {
            !page.is_empty() && page.iter().all(|&class| (class as usize) < paths.len())
        };
        if !pages.iter().all(known) {
            return None;
        }
        let mut classes = Ragged::default();
        for page in pages {
            classes.push(page.iter().copied());
        }
        Some(Self { paths, classes })
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.classes.len()
    }

    /// What every page is to this one. Where one of them is in several
    /// classes, the nearest relation counts.
    pub fn relations(&self, page: usize, out: &mut Vec<Relation>) {
        let mut nearest = vec![Relation::Unrelated; self.paths.len()];
        for &from in self.classes.row(page) {
            for (to, nearest) in nearest.iter_mut().enumerate() {
                *nearest = relation(&self.paths[from as usize], &self.paths[to]).min(*nearest);
            }
        }
        out.clear();
        out.extend(self.classes.iter().map(|classes| {
            let relations = classes.iter().map(|&class| nearest[class as usize]);
            relations.min().unwrap_or(Relation::Unrelated)
        }));
    }
}

/// What a page of class `to` is to a page of class `from`: the distance from
/// the latter to the most specific class that holds both.
fn relation(from: &[u32], to: &[u32]) -> Relation {
    let shared = from.iter().zip(to).take_while(|(one, two)| one == two);
    let shared = shared.count();
    match from.len() - shared {
        0 => Relation::Same,
        _ if shared == 0 => Relation::Unrelated,
        1 => Relation::Sibling,
        _ => Relation::Cousin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Relation::{Cousin, Same, Sibling, Unrelated};

    #[test]
    fn relations_match_the_paper() {
        let from = [1, 2, 3];
        assert_eq!(relation(&from, &[1, 2, 3]), Same);
        assert_eq!(relation(&from, &[1, 2, 4]), Sibling);
        assert_eq!(relation(&from, &[1, 5, 3]), Cousin);
        assert_eq!(relation(&from, &[6, 2, 3]), Unrelated);
    }

    #[test]
    fn relation_is_measured_from_the_class_of_the_query() {
        assert_eq!(relation(&[1, 2], &[1, 3, 4]), Sibling);
        assert_eq!(relation(&[1, 3, 4], &[1, 2]), Cousin);
        assert_eq!(relation(&[1], &[1, 2]), Same);
        assert_eq!(relation(&[1, 2], &[1]), Sibling);
        assert_eq!(relation(&[1], &[2]), Unrelated);
    }

    #[test]
    fn nearest_of_several_classes_counts() {
        let paths = vec![vec![1, 2], vec![1, 3], vec![4, 5]];
        let pages = [vec![0, 2], vec![1], vec![2], vec![1, 2]];
        let family = Family::new(paths, &pages).expect("known classes");
        let mut relations = Vec::new();
        family.relations(0, &mut relations);
        assert_eq!(relations, [Same, Sibling, Same, Same]);
        family.relations(1, &mut relations);
        assert_eq!(relations, [Sibling, Same, Unrelated, Same]);
    }

    #[test]
    fn page_without_a_known_class_is_rejected() {
        assert!(Family::new(vec![vec![1]], &[vec![]]).is_none());
        assert!(Family::new(vec![vec![1]], &[vec![1]]).is_none());
    }
}
