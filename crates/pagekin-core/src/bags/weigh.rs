//! Term weighting (tf-idf and its kin, the paper's section 5.2): raw bags to bags of integers.

mod blend;
pub(super) mod quantise;
pub(super) mod text;

use std::ops::Range;

use super::raw::RawBags;
use super::weigh::quantise::Quantiser;
use crate::columns::{Bag, BagColumn, Ends, Ragged};
use crate::concepts::Concepts;
use crate::hash;
use crate::strategy::{Frequency, KindWeights, Strategy, ANCHOR, CONTENT, LINK, UNIT};
use blend::ConceptBlender;

/// Bags of one partition: one integer a term, in order of URL and term.
#[derive(Debug, Default)]
pub struct WeighedBags {
    /// URL ids.
    pub urls: Vec<u64>,
    /// The bag of each.
    pub bags: BagColumn,
}

/// At most so many bags are projected together, line by line of the loadings.
const BAGS_TOGETHER: usize = 128;

/// The same for their entries; a larger bag is projected alone.
const ENTRIES_TOGETHER: usize = 1 << 17;

/// Weighs the bags of a partition. `frequencies` are the document frequencies of its terms among
/// the crawl's `bags` bags. Concepts are blended in if they are given.
pub fn weigh(
    raw: &RawBags,
    frequencies: &[u32],
    bags: u64,
    strategy: &Strategy,
    concepts: Option<&Concepts>,
) -> WeighedBags {
    let factors = factors(frequencies, bags, strategy.frequency);
    let mixer = KindMixer::new(raw, &factors, strategy.normalise_kinds);
    let mut blender = ConceptBlender::new(raw, strategy, concepts);
    let mut out = BagColumn::with_capacity(raw.ends.len(), raw.term.len());
    let (mut terms, mut real) = (Vec::new(), Vec::new());
    let mut quantiser = Quantiser::default();
    let mut next = 0;
    while next < raw.ends.len() {
        let some = bags_together(&raw.ends, next);
        next = some.end;
        let mut reals = Ragged::<f64>::default();
        for bag in some.clone() {
            mixer.mix(raw.ends.range(bag), strategy.kinds, &mut real);
            reals.push(real.iter().copied());
        }
        if let Some(blender) = &mut blender {
            blender.project(&mixer, some.clone(), &reals);
        }
        for (row, bag) in some.enumerate() {
            real.clear();
            real.extend_from_slice(reals.row(row));
            terms.clear();
            let places = raw.term[raw.ends.range(bag)].iter();
            terms.extend(places.map(|&term| raw.terms[term as usize]));
            if let Some(blender) = &mut blender {
                blender.blend((row, bag), &mut terms, &mut real);
            }
            out.push(Bag {
                terms: &terms,
                weights: quantiser.quantise(&real),
            });
        }
    }
    WeighedBags {
        urls: raw.urls.clone(),
        bags: out,
    }
}

/// The bags from `first` on that are projected together.
fn bags_together(ends: &Ends, first: usize) -> Range<usize> {
    let all = ends.len().min(first + BAGS_TOGETHER);
    let entries = ends.start(first) + ENTRIES_TOGETHER;
    let end = (first + 1..all).find(|&bag| ends.range(bag).end > entries);
    first..end.unwrap_or(all)
}

/// Computes real weights from the integers of the kinds.
pub(super) struct KindMixer<'a> {
    raw: &'a RawBags,
    factors: &'a [f64],
    /// Terms from this one on stand for linking pages.
    first_link: u32,
    normalise: bool,
}

impl<'a> KindMixer<'a> {
    fn new(raw: &'a RawBags, factors: &'a [f64], normalise: bool) -> Self {
        Self {
            raw,
            factors,
            first_link: raw.terms.partition_point(|&term| !hash::is_link(term)) as u32,
            normalise,
        }
    }

    /// The real weight of each entry: its kinds, weighed and added up.
    pub(super) fn mix(&self, entries: Range<usize>, weights: KindWeights, out: &mut Vec<f64>) {
        let (words, links) = self.apart(entries);
        let scales = self.scales((words.clone(), links.clone()), weights);
        let words = self.evidence(words);
        out.clear();
        out.extend(words.map(|[own, linked]| scales[CONTENT] * own + scales[ANCHOR] * linked));
        out.extend(
            self.evidence(links)
                .map(|[_, linked]| scales[LINK] * linked),
        );
    }

    /// The words of a bag, and the linking pages, whose terms are the last.
    fn apart(&self, entries: Range<usize>) -> (Range<usize>, Range<usize>) {
        let terms = self.raw.term[entries.clone()].iter();
        let links = terms.rev().take_while(|&&term| term >= self.first_link);
        let first = entries.end - links.count();
        (entries.start..first, first..entries.end)
    }

    /// The weights of entries as content of the page, and as evidence from links to it.
    #[inline]
    fn evidence(&self, entries: Range<usize>) -> impl ExactSizeIterator<Item = [f64; 2]> + '_ {
        let (own, unit) = self.raw.own(entries.clone());
        let linked = &self.raw.linked[entries.clone()];
        let terms = self.raw.term[entries].iter();
        terms
            .zip(own)
            .zip(linked)
            .map(move |((&term, &own), &linked)| {
                let factor = self.factors[term as usize];
                let linked = linked as f64 / UNIT as f64;
                [f64::from(own) * unit * factor, linked * factor]
            })
    }

    /// The factor of each kind.
    fn scales(
        &self,
        (words, links): (Range<usize>, Range<usize>),
        mut scales: KindWeights,
    ) -> KindWeights {
        if !self.normalise {
            return scales;
        }
        let mut sums = [0.0; 3];
        for [own, linked] in self.evidence(words) {
            sums[CONTENT] += own;
            sums[ANCHOR] += linked;
        }
        sums[LINK] = self.evidence(links).map(|[_, linked]| linked).sum();
        for (scale, sum) in scales.iter_mut().zip(sums) {
            *scale = if sum > 0.0 { *scale / sum } else { 0.0 };
        }
        scales
    }
}

/// Factors are cached for document frequencies below this, which nearly all terms have.
const CACHED_FREQUENCIES: usize = 1024;

/// Each term's factor by its document frequency.
fn factors(frequencies: &[u32], bags: u64, frequency: Frequency) -> Vec<f64> {
    let mut known = [None; CACHED_FREQUENCIES];
    let factor = |df: u32| factor(f64::from(df.max(1)), bags, frequency);
    let each = frequencies.iter();
    each.map(|&df| match known.get_mut(df as usize) {
        Some(known) => *known.get_or_insert_with(|| factor(df)),
        None => factor(df),
    })
    .collect()
}

/// The factor for one document frequency. Computed by `libm`, which gives the
/// same bits on every machine.
fn factor(df: f64, bags: u64, frequency: Frequency) -> f64 {
    match frequency {
        Frequency::None => 1.0,
        Frequency::Log => 1.0 / (1.0 + libm::log2(df)),
        Frequency::Sqrt => 1.0 / libm::sqrt(df),
        Frequency::Nmdf { mu, sigma } => {
            let scale = libm::log(bags.max(2) as f64);
            let off = (libm::log(df) - mu * scale) / (sigma * scale);
            libm::exp(-0.5 * off * off)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequency_weights_match_the_paper() {
        let near = |value: f64, expected: f64| {
            assert!((value - expected).abs() < 1e-12, "{value} {expected}")
        };
        near(factor(8.0, 100, Frequency::None), 1.0);
        near(factor(8.0, 100, Frequency::Log), 0.25);
        near(factor(16.0, 100, Frequency::Sqrt), 0.25);
        let nmdf = Frequency::Nmdf {
            mu: 0.5,
            sigma: 0.25,
        };
        // ln N = ln 10^4; df = 100 is the preferred one, df = 1 lies two spreads away.
        near(factor(100.0, 10_000, nmdf), 1.0);
        near(factor(1.0, 10_000, nmdf), (-2.0f64).exp());
    }
}
