//! Pages that share much with a bag, told by the holders of its terms.
//!
//! The lesser weights of the terms are added up page by page, those terms first
//! that weigh most for the work they make. The weight of the terms that are left
//! is the most that any sum can still grow by. So once only few pages can still
//! reach what is looked for, their bags are compared, and the long lists of light
//! terms are never read. Nothing is overlooked.

use std::cmp::Reverse;

use super::bag::QueryBag;
use super::common::is_common;
use super::fetch::{fetch_bags, fetch_lists};
use super::options::Place;
use super::searcher::Searcher;
use super::sums::Sums;
use crate::bags::TOTAL;
use crate::index::{Bag, Fault, Held};

/// Comparing a bag costs as much as adding so many weights.
const BAG: usize = 1_500;
/// Terms are added until those left weigh this much, before a bag is compared.
const LEFT: u32 = TOTAL / 8;
/// A light term is held by one page in so many, more or less.
const HELD_BY_ONE_IN: usize = 16;
/// The lightest terms, which weigh at most this much together, are not even looked up before.
const LIGHT: u32 = TOTAL / 32;

/// Terms in order with their weights.
type Entries = Vec<(u64, u16)>;

/// The pages that share something with a bag, each of which is given once.
pub struct Sharing<'a> {
    index: &'a Searcher,
    bag: &'a QueryBag,
    sums: &'a mut [Sums],
    /// What is still to be added, the best worth last.
    due: Vec<Due<'a>>,
    /// What was not looked up yet.
    light: Entries,
    /// The most that the sums of each shard can still grow by.
    left: Vec<u32>,
    given: Vec<Place>,
    /// The work of comparing a bag.
    bag_work: usize,
}

/// A term whose weights are still to be added in a shard.
struct Due<'a> {
    shard: usize,
    term: u64,
    weight: u16,
    held: Held<'a>,
    /// The work of adding it, in weights added one by one.
    work: usize,
}

impl<'a> Sharing<'a> {
    /// The pages of an index that has holders. What is in `sums` does not matter.
    pub fn new(
        index: &'a Searcher,
        bag: &'a QueryBag,
        sums: &'a mut [Sums],
    ) -> Result<Self, Fault> {
        for (shard, sums) in index.shards().iter().zip(sums.iter_mut()) {
            sums.clear(shard.rows());
        }
        let (heavy, light) = parted(bag.bag());
        let mut sharing = Self {
            index,
            bag,
            left: vec![0; sums.len()],
            sums,
            due: Vec::new(),
            light,
            given: Vec::new(),
            bag_work: BAG,
        };
        sharing.look_up(&heavy)?;
        Ok(sharing)
    }

    /// Finds who holds these terms, which ascend.
    fn look_up(&mut self, entries: &[(u64, u16)]) -> Result<(), Fault> {
        let terms: Vec<u64> = entries.iter().map(|entry| entry.0).collect();
        let due = &mut self.due;
        for (number, shard) in self.index.shards().iter().enumerate() {
            shard.held(&terms, |at, held| {
                due.push(Due {
                    shard: number,
                    term: terms[at],
                    weight: entries[at].1,
                    held,
                    work: work(held.rows.len(), shard.rows()),
                });
            })?;
        }
        due.sort_unstable_by_key(|due| Reverse(due.work * 256 / usize::from(due.weight.max(1))));
        let light: u32 = self.light.iter().map(|entry| u32::from(entry.1)).sum();
        self.left.fill(light);
        for due in &self.due {
            self.left[due.shard] += u32::from(due.weight);
        }
        Ok(())
    }

    /// Whether the sums are the overlaps.
    fn is_added_up(&self) -> bool {
        self.due.is_empty() && self.light.is_empty()
    }

    /// Pages that are likely the best, about `wanted` of them, with their
    /// overlaps; none if all were given.
    pub fn likely(&mut self, wanted: usize) -> Result<Vec<(u32, Place)>, Fault> {
        self.add(LEFT)?;
        self.forget_given();
        let mut least = self.least_of(wanted);
        let reaching = self.reaching(|_| least);
        if reaching == 0 || reaching * self.bag_work > self.work() {
            self.add(0)?;
            self.forget_given();
            least = self.least_of(wanted);
        }
        self.give(|_| least)
    }

    /// A sum that about so many pages reach.
    fn least_of(&self, wanted: usize) -> u32 {
        let tops = self.sums.iter().flat_map(Sums::tops);
        let mut sums: Vec<u16> = tops.copied().collect();
        if sums.len() < wanted {
            sums = self.sums.iter().flat_map(Sums::all).copied().collect();
        }
        match sums.len().checked_sub(wanted) {
            Some(lower) if wanted > 0 => (*sums.select_nth_unstable(lower).1).max(1).into(),
            _ => 1,
        }
    }

    /// Every page that was not given yet and whose overlap is at least `level`,
    /// with its overlap; perhaps others.
    pub fn at_least(&mut self, level: u32) -> Result<Vec<(u32, Place)>, Fault> {
        loop {
            self.forget_given();
            let left = self.left.clone();
            let least = |shard: usize| level.saturating_sub(left[shard]).max(1);
            // A page of which nothing was added yet has no sum to be found by.
            let is_known = left.iter().all(|&left| left < level);
            let is_cheap = || self.reaching(least) * self.bag_work <= self.half_the_work();
            if self.is_added_up() || (is_known && is_cheap()) {
                return self.give(least);
            }
            let most = left.iter().copied().max();
            self.add(most.unwrap_or(0) / 2)?;
        }
    }

    /// Gives the pages whose sums are at least so large.
    fn give(&mut self, least: impl Fn(usize) -> u32) -> Result<Vec<(u32, Place)>, Fault> {
        let mut pages = Vec::new();
        for (shard, sums) in self.sums.iter().enumerate() {
            for (row, sum) in sums.at_least(least(shard)) {
                let shard = shard as u32;
                pages.push((sum.into(), Place { shard, row }));
            }
        }
        if !self.is_added_up() {
            let bags = pages.iter().map(|page| self.index.bag(page.1));
            let bags = bags.collect::<Result<Vec<_>, _>>()?;
            fetch_bags(&bags);
            for (page, bag) in pages.iter_mut().zip(&bags) {
                page.0 = self.bag.overlap(bag);
            }
        }
        self.given.extend(pages.iter().map(|page| page.1));
        Ok(pages)
    }

    /// A page that was given has no sum any more.
    fn forget_given(&mut self) {
        for place in &self.given {
            self.sums[place.shard as usize].forget(place.row);
        }
        if self.is_added_up() {
            self.given.clear();
        }
        for sums in self.sums.iter_mut() {
            sums.find_tops();
        }
    }

    /// How many pages have sums at least so large.
    fn reaching(&self, least: impl Fn(usize) -> u32) -> usize {
        let shards = self.sums.iter().enumerate();
        shards
            .map(|(shard, sums)| sums.at_least(least(shard)).count())
            .sum()
    }

    /// About the work of adding all terms.
    fn work(&self) -> usize {
        let due: usize = self.due.iter().map(|due| due.work).sum();
        due + self.light.len() * self.index.pages() / HELD_BY_ONE_IN
    }

    /// About the work of adding terms until those left weigh half as much.
    fn half_the_work(&self) -> usize {
        let mut more = self.left.iter().sum::<u32>() / 2;
        let due = self.due.iter().rev().take_while(|due| {
            let wanted = more > 0;
            more = more.saturating_sub(due.weight.into());
            wanted
        });
        let work = due.map(|due| due.work).sum();
        if more > 0 {
            self.work()
        } else {
            work
        }
    }

    /// Adds terms until those left of no shard weigh more than this.
    fn add(&mut self, left: u32) -> Result<(), Fault> {
        let terms = self.taken(left)?;
        fetch_lists(terms.iter().map(|due| due.held));
        let mut common = vec![Vec::new(); self.sums.len()];
        for due in terms {
            let shard = &self.index.shards()[due.shard];
            shard.check_held(due.held)?;
            let known = self.index.common(due.shard);
            match known.weights(due.term, due.held, shard.rows()) {
                Some(weights) => common[due.shard].push((due.weight, weights)),
                None => {
                    let added = self.sums[due.shard].add(due.weight, due.held);
                    let outside = || shard.holders.fault("a row lies outside the shard");
                    added.ok_or_else(outside)?;
                }
            }
        }
        for (sums, common) in self.sums.iter_mut().zip(common) {
            sums.add_common(&common);
        }
        Ok(())
    }

    /// Takes terms off those due until what is left of no shard weighs more than this.
    fn taken(&mut self, left: u32) -> Result<Vec<Due<'a>>, Fault> {
        let mut taken = Vec::new();
        while self.left.iter().any(|&weight| weight > left) {
            match self.due.pop() {
                Some(due) => {
                    self.left[due.shard] -= u32::from(due.weight);
                    taken.push(due);
                }
                None => {
                    let light = std::mem::take(&mut self.light);
                    self.look_up(&light)?;
                }
            }
        }
        Ok(taken)
    }
}

/// The heavy terms of a bag and the light ones, both in order.
fn parted(bag: Bag<'_>) -> (Entries, Entries) {
    let mut weights = bag.weights.to_vec();
    weights.sort_unstable();
    let mut sum = 0;
    let lightest = weights.iter().find(|&&weight| {
        sum += u32::from(weight);
        sum > LIGHT
    });
    let heavy = lightest.copied().unwrap_or(0);
    let entries = bag.terms.iter().copied().zip(bag.weights.iter().copied());
    entries.partition(|entry| entry.1 >= heavy)
}

/// The work of adding a term that so many of the pages hold.
fn work(holders: usize, rows: usize) -> usize {
    if is_common(holders, rows) {
        rows / 16
    } else {
        holders
    }
}

#[cfg(test)]
mod tests;
