//! Raw bags to weighed bags of integers.

use std::cmp::Reverse;
use std::ops::Range;

use super::about::About;
use super::quantise::Quantiser;
use super::raw::RawBags;
use crate::concepts::Concepts;
use crate::hash;
use crate::strategy::{Frequency, Strategy, UNIT};

/// Bags of one partition: the terms and integers of each URL's bag, in order
/// of URL and term.
#[derive(Debug, Default)]
pub struct Bags {
    /// URL ids.
    pub urls: Vec<u64>,
    /// Where each bag ends.
    pub ends: Vec<u64>,
    /// Terms.
    pub terms: Vec<u64>,
    /// Integers, which sum to a constant in each bag.
    pub weights: Vec<u16>,
}

impl Bags {
    /// Appends a bag without the terms that weigh nothing.
    fn push(&mut self, terms: &[u64], weights: &[u16]) {
        if weights.contains(&0) {
            for (&term, &weight) in terms.iter().zip(weights).filter(|(_, &weight)| weight > 0) {
                self.terms.push(term);
                self.weights.push(weight);
            }
        } else {
            self.terms.extend_from_slice(terms);
            self.weights.extend_from_slice(weights);
        }
        self.ends.push(self.terms.len() as u64);
    }

    /// The `most` heaviest terms of each bag; of equals those with the least ids.
    pub fn heaviest(mut self, most: usize) -> Self {
        let (mut start, mut to) = (0, 0);
        let mut sorted = Vec::new();
        for end in &mut self.ends {
            let entries = start..*end as usize;
            start = entries.end;
            let (least, mut equal) = lightest(&self.weights[entries.clone()], most, &mut sorted);
            for at in entries {
                let weight = self.weights[at];
                if weight > least || weight == least && equal > 0 {
                    equal -= usize::from(weight == least);
                    self.terms[to] = self.terms[at];
                    self.weights[to] = weight;
                    to += 1;
                }
            }
            *end = to as u64;
        }
        self.terms.truncate(to);
        self.weights.truncate(to);
        self
    }
}

/// The least of the `most` heaviest weights, and how many of these are equal to it.
fn lightest(weights: &[u16], most: usize, sorted: &mut Vec<u16>) -> (u16, usize) {
    if weights.len() <= most {
        return (0, usize::MAX);
    }
    sorted.clear();
    sorted.extend_from_slice(weights);
    sorted.select_nth_unstable_by_key(most, |&weight| Reverse(weight));
    let heaviest = || sorted[..most].iter().copied();
    let least = heaviest().min().unwrap_or(u16::MAX);
    (least, heaviest().filter(|&weight| weight == least).count())
}

/// Weighs the bags of a partition. `frequencies` tells of each of its terms in
/// how many of the crawl's `bags` bags it is. Without `concepts` there are none
/// in the bags.
pub fn weigh(
    raw: &RawBags,
    frequencies: &[u32],
    bags: u64,
    strategy: &Strategy,
    concepts: Option<&Concepts>,
) -> Bags {
    let factors = factors(frequencies, bags, strategy.frequency);
    let mixer = Mixer::new(raw, &factors, strategy.normalise_kinds);
    let mut about = About::new(raw, strategy, concepts);
    let mut out = Bags {
        urls: raw.urls.clone(),
        ends: Vec::with_capacity(raw.ends.len()),
        terms: Vec::with_capacity(raw.term.len()),
        weights: Vec::with_capacity(raw.term.len()),
    };
    let (mut terms, mut real) = (Vec::new(), Vec::new());
    let mut quantiser = Quantiser::default();
    let mut start = 0;
    for (bag, &end) in raw.ends.iter().enumerate() {
        let entries = start..end as usize;
        start = end as usize;
        mixer.mix(entries.clone(), strategy.kinds(), &mut real);
        terms.clear();
        terms.extend(
            raw.term[entries.clone()]
                .iter()
                .map(|&term| raw.terms[term as usize]),
        );
        if let Some(about) = &mut about {
            about.blend(&mixer, (bag, entries), &mut terms, &mut real);
        }
        out.push(&terms, quantiser.quantise(&real));
    }
    out
}

/// Real weights out of the kinds' integers.
pub(super) struct Mixer<'a> {
    raw: &'a RawBags,
    factors: &'a [f64],
    /// Terms from this one on stand for linking pages.
    first_link: u32,
    normalise: bool,
}

impl<'a> Mixer<'a> {
    fn new(raw: &'a RawBags, factors: &'a [f64], normalise: bool) -> Self {
        Self {
            raw,
            factors,
            first_link: raw.terms.partition_point(|&term| !hash::is_link(term)) as u32,
            normalise,
        }
    }

    /// The real weight of each entry: its kinds, weighed and added up.
    pub(super) fn mix(&self, entries: Range<usize>, weights: [f64; 3], out: &mut Vec<f64>) {
        let (words, links) = self.apart(entries);
        let scales = self.scales((words.clone(), links.clone()), weights);
        let words = self.evidence(words);
        out.clear();
        out.extend(words.map(|[own, linked]| scales[0] * own + scales[1] * linked));
        out.extend(self.evidence(links).map(|[_, linked]| scales[2] * linked));
    }

    /// The words of a bag, and the linking pages, whose terms are the last.
    fn apart(&self, entries: Range<usize>) -> (Range<usize>, Range<usize>) {
        let terms = self.raw.term[entries.clone()].iter();
        let links = terms.rev().take_while(|&&term| term >= self.first_link);
        let first = entries.end - links.count();
        (entries.start..first, first..entries.end)
    }

    /// What entries weigh on the page itself, and by what links to it.
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

    /// What each kind is multiplied by.
    fn scales(
        &self,
        (words, links): (Range<usize>, Range<usize>),
        mut scales: [f64; 3],
    ) -> [f64; 3] {
        if !self.normalise {
            return scales;
        }
        let mut sums = [0.0; 3];
        for [own, linked] in self.evidence(words) {
            sums[0] += own;
            sums[1] += linked;
        }
        sums[2] = self.evidence(links).map(|[_, linked]| linked).sum();
        for (scale, sum) in scales.iter_mut().zip(sums) {
            *scale = if sum > 0.0 { *scale / sum } else { 0.0 };
        }
        scales
    }
}

/// Document frequencies below this are those of most terms.
const FEW: usize = 1024;

/// Each term's factor by its document frequency.
fn factors(frequencies: &[u32], bags: u64, frequency: Frequency) -> Vec<f64> {
    let mut known = [None; FEW];
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
    fn the_heaviest_terms_stay_in_order() {
        let bags = Bags {
            urls: vec![7, 8, 9],
            ends: vec![4, 4, 6],
            terms: vec![1, 2, 3, 4, 1, 2],
            weights: vec![5, 9, 1, 5, 3, 4],
        };
        let cut = bags.heaviest(2);
        assert_eq!((cut.urls, cut.ends), (vec![7, 8, 9], vec![2, 2, 4]));
        assert_eq!(
            (cut.terms, cut.weights),
            (vec![1, 2, 1, 2], vec![5, 9, 3, 4])
        );
    }

    #[test]
    fn the_frequency_weights_of_the_paper() {
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
