//! One search: in a small index by the holders of the bag's terms, else candidates
//! by equal positions, re-ranked by their bags until no page that was not looked at
//! is likely to be among the best.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::bag::QueryBag;
use super::candidates::Candidates;
use super::count::{chance_of_at_most, count};
use super::holders::Sharing;
use super::options::{Answer, Hit, LeftOut, Options, Place};
use super::searcher::{Counts, Memory, Searcher};
use crate::bags::TOTAL;
use crate::index::{overlap_of, score, Fault};

/// Re-ranking stops when a page as good as the last hit would be overlooked this seldom.
const OVERLOOKED: f64 = 0.003;
/// An index of at most so many pages is read in whole where the sketches cannot tell.
const SMALL: usize = 1 << 18;
/// Whoever wants more hits than this wants them all.
const MANY: usize = 1_000;

type Ranked = (Reverse<u32>, Place);

/// A search under way.
pub struct Search<'a> {
    index: &'a Searcher,
    bag: &'a QueryBag,
    sketch: &'a [u32],
    options: &'a Options,
    least: u32,
    without: HashSet<Place>,
    /// Every page that may be a hit.
    ranked: Vec<Ranked>,
    /// The best overlaps, the least of them on top.
    best: BinaryHeap<Reverse<u32>>,
    left_out: LeftOut,
    compared: usize,
}

impl<'a> Search<'a> {
    /// A search for the pages most like a bag.
    pub fn new(
        index: &'a Searcher,
        bag: &'a QueryBag,
        sketch: &'a [u32],
        options: &'a Options,
    ) -> Self {
        Self {
            index,
            bag,
            sketch,
            options,
            least: overlap_of(options.min_score).max(1),
            without: options.without.iter().copied().collect(),
            ranked: Vec::new(),
            best: BinaryHeap::new(),
            left_out: LeftOut::default(),
            compared: 0,
        }
    }

    /// The answer. What is in `memory` does not matter.
    pub fn run(mut self, memory: &mut Memory) -> Result<Answer, Fault> {
        if self.bag.is_empty() {
            return Ok(Answer::default());
        }
        if self.options.exact || self.options.k > MANY {
            self.scan()?;
            return self.answer(true);
        }
        if self.index.has_holders() && self.options.alpha == 0.0 {
            let pages = Sharing::new(self.index, self.bag, &mut memory.sums)?;
            return self.by_overlap(pages);
        }
        self.by_sketch(&mut memory.counts)
    }

    /// The best of the pages that share something: first likely ones, then
    /// whatever may be as good as the last hit, or a mirror of it.
    fn by_overlap(mut self, mut pages: Sharing<'_>) -> Result<Answer, Fault> {
        let mut wanted = 2 * self.options.k + 10;
        let mut settled = u32::MAX;
        loop {
            let answer = self.answer(true)?;
            let needed = self.needed(&answer.hits);
            let found = match needed {
                Some(level) if level >= settled => return Ok(answer),
                Some(level) => pages.at_least(level)?,
                None => pages.likely(wanted)?,
            };
            if needed.is_none() && found.is_empty() {
                return Ok(answer);
            }
            settled = needed.unwrap_or(settled);
            wanted *= 4;
            self.compared += found.len();
            for (overlap, place) in found {
                self.consider(place, overlap)?;
            }
        }
    }

    /// The least overlap that matters to these hits, if there are enough.
    fn needed(&self, hits: &[Hit]) -> Option<u32> {
        let last = hits.last().filter(|_| hits.len() >= self.options.k)?;
        Some(last.overlap.saturating_sub(self.mirrors_fall_by()).max(1))
    }

    /// The best of these pages, whoever named them.
    pub fn among(mut self, pages: &[Place]) -> Result<Answer, Fault> {
        if !self.bag.is_empty() {
            for &page in pages {
                self.compare(page, 0)?;
            }
        }
        self.answer(false)
    }

    fn by_sketch(mut self, counts: &mut Counts) -> Result<Answer, Fault> {
        for (shard, counts) in self.index.shards().iter().zip(counts.iter_mut()) {
            count(shard, self.sketch, counts)?;
        }
        let mut candidates = Candidates::new(counts, self.fewest_positions());
        let mut wanted = self.options.k;
        loop {
            let sure = self.rerank(&mut candidates, wanted)?;
            if !sure && self.options.alpha == 0.0 && self.index.pages() <= SMALL {
                self.scan()?;
                return self.answer(true);
            }
            let answer = self.answer(false)?;
            if !sure || self.is_settled(&answer, &mut candidates, wanted) {
                return Ok(answer);
            }
            wanted = wanted * 2 + 10;
        }
    }

    /// Whether no candidate is left that may be a hit. Mirrors and pages of one
    /// site fall together, so the last hit may be far behind the best pages.
    /// Fewer pages than wanted are sure only if the others fall below the least score.
    fn is_settled(&self, answer: &Answer, candidates: &mut Candidates<'_>, wanted: usize) -> bool {
        let next = candidates.next_count();
        let last = answer.hits.get(self.options.k.saturating_sub(1));
        last.is_some_and(|hit| self.is_unlikely(next.unwrap_or(0).into(), hit.overlap))
            || self.ranked.len() < wanted
    }

    /// How many positions a page must share to be a candidate.
    fn fewest_positions(&self) -> u8 {
        let above = (self.options.alpha * self.sketch.len() as f64).floor() + 1.0;
        above.min(255.0) as u8
    }

    /// Compare candidates, the likeliest first, until `wanted` hits are sure.
    /// Tells whether they are.
    fn rerank(&mut self, candidates: &mut Candidates<'_>, wanted: usize) -> Result<bool, Fault> {
        self.best = self.ranked.iter().map(|ranked| ranked.0).collect();
        while self.best.len() > wanted {
            self.best.pop();
        }
        while let Some(count) = candidates.next_count() {
            if self.is_sure(usize::from(count), wanted) {
                return Ok(true);
            }
            for place in candidates.take() {
                self.compare(place, wanted)?;
            }
        }
        Ok(self.is_sure(0, wanted))
    }

    /// Whether pages that share at most so many positions are hardly ever hits.
    fn is_sure(&self, positions: usize, wanted: usize) -> bool {
        let last = match self.best.peek() {
            Some(Reverse(last)) if self.best.len() >= wanted => *last,
            _ => self.least,
        };
        self.is_unlikely(positions, last)
    }

    fn is_unlikely(&self, positions: usize, overlap: u32) -> bool {
        chance_of_at_most(positions, self.sketch.len(), score(overlap)) < OVERLOOKED
    }

    fn compare(&mut self, place: Place, wanted: usize) -> Result<(), Fault> {
        let overlap = self.bag.overlap(&self.index.bag(place)?);
        self.compared += 1;
        if self.consider(place, overlap)? {
            self.best.push(Reverse(overlap));
            if self.best.len() > wanted {
                self.best.pop();
            }
        }
        Ok(())
    }

    /// Rank a page, unless it is none that is wanted; tells which.
    fn consider(&mut self, place: Place, overlap: u32) -> Result<bool, Fault> {
        if overlap == 0 || self.without.contains(&place) || !self.is_wanted(place, overlap)? {
            return Ok(false);
        }
        self.ranked.push((Reverse(overlap), place));
        Ok(true)
    }

    fn is_wanted(&mut self, place: Place, overlap: u32) -> Result<bool, Fault> {
        let options = self.options;
        if overlap < self.least {
            self.left_out.score += 1;
            return Ok(false);
        }
        if !options.without_sites.is_empty() {
            let site = self.index.card(place)?.site;
            if options.without_sites.iter().any(|other| other == site) {
                self.left_out.site += 1;
                return Ok(false);
            }
        }
        for &source in &options.without_links_from {
            if self.index.is_link(source, self.index.id(place)?)? {
                self.left_out.linked += 1;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compare every page there is.
    fn scan(&mut self) -> Result<(), Fault> {
        self.ranked.clear();
        self.left_out = LeftOut::default();
        self.compared = 0;
        for (number, shard) in (0..).zip(self.index.shards()) {
            for row in 0..shard.rows() as u32 {
                self.compare(Place { shard: number, row }, 0)?;
            }
            self.forget_the_worst();
        }
        Ok(())
    }

    /// Keep memory bounded however many pages share something.
    fn forget_the_worst(&mut self) {
        let kept = self.options.k.saturating_mul(2).max(SMALL);
        if self.ranked.len() > kept {
            self.ranked.select_nth_unstable(kept);
            self.ranked.truncate(kept);
        }
    }

    /// The best pages as hits: mirrors folded, sites once if that is wanted.
    fn answer(&mut self, exact: bool) -> Result<Answer, Fault> {
        self.ranked.sort_unstable();
        let mut answer = Answer {
            left_out: self.left_out,
            compared: self.compared,
            exact,
            hits: Vec::new(),
        };
        let mut sites = HashSet::new();
        for &(Reverse(overlap), place) in &self.ranked {
            if let Some(hit) = self.mirrored(&answer.hits, overlap, place)? {
                answer.hits[hit].mirrors.push(place);
                continue;
            }
            // Mirrors of the last hit may still come.
            if answer.hits.len() >= self.options.k && !self.is_near(&answer.hits, overlap) {
                break;
            }
            if self.options.one_a_site && !sites.insert(self.index.card(place)?.site) {
                answer.left_out.same_site += 1;
            } else if answer.hits.len() < self.options.k {
                answer.hits.push(Hit {
                    place,
                    overlap,
                    mirrors: Vec::new(),
                });
            }
        }
        Ok(answer)
    }

    /// The hit that a page mirrors. What a page shares with the query and its
    /// mirror does not is at most what the two do not share, so mirrors of a
    /// hit have nearly its overlap.
    fn mirrored(&self, hits: &[Hit], overlap: u32, place: Place) -> Result<Option<usize>, Fault> {
        let near = hits
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, hit)| self.is_near_overlap(hit.overlap, overlap));
        for (number, hit) in near {
            if self.is_mirror(hit.place, place)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn is_near(&self, hits: &[Hit], overlap: u32) -> bool {
        hits.last()
            .is_some_and(|hit| self.is_near_overlap(hit.overlap, overlap))
    }

    fn is_near_overlap(&self, above: u32, below: u32) -> bool {
        above - below <= self.mirrors_fall_by()
    }

    /// How far the overlap of a mirror may be from that of its hit.
    fn mirrors_fall_by(&self) -> u32 {
        TOTAL - overlap_of(self.options.mirror)
    }

    /// Whether two pages are more alike than mirrors must be. Their sketches
    /// say so first: five standard deviations below, no mirror is overlooked.
    fn is_mirror(&self, hit: Place, page: Place) -> Result<bool, Fault> {
        let (a, b) = (self.index.sketch(hit)?, self.index.sketch(page)?);
        let (m, p) = (a.len() as f64, self.options.mirror);
        let most = m * (1.0 - p) + 5.0 * (m * p * (1.0 - p)).sqrt() + 1.0;
        let mut unequal = a.iter().zip(b).filter(|(a, b)| a != b);
        if unequal.nth(most as usize).is_some() {
            return Ok(false);
        }
        let overlap = self.index.bag(hit)?.overlap(&self.index.bag(page)?);
        Ok(score(overlap) > self.options.mirror)
    }
}
