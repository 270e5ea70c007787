//! How bags are made and weighed: the core's side of the Python `Strategy`.

use crate::text::TermMakers;

/// Where a window ends besides its size (the paper's section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowKind {
    /// Nowhere: the size alone counts.
    Basic,
    /// At paragraphs, cells, list items and hard breaks after a sentence.
    Syntactic,
    /// At heading starts, list ends and table ends.
    Topical,
}

/// How a term's document frequency weighs on it (section 5.2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Frequency {
    /// Not at all.
    None,
    /// tf / (1 + log2 df).
    Log,
    /// tf / sqrt(df).
    Sqrt,
    /// tf · exp(-½((ln df - μ ln N) / (σ ln N))²), with μ and σ as fractions of ln N.
    Nmdf {
        /// The preferred ln df, as a fraction of ln N.
        mu: f64,
        /// The spread, as a fraction of ln N.
        sigma: f64,
    },
}

/// A weight for each kind of evidence.
pub type KindWeights = [f64; 3];
/// The page's own words.
pub const CONTENT: usize = 0;
/// The words around links to the page.
pub const ANCHOR: usize = 1;
/// The linking pages.
pub const LINK: usize = 2;

/// Everything that decides how bags are made and weighed.
pub struct Strategy {
    /// The weights of the kinds of evidence.
    pub kinds: KindWeights,
    /// Where windows end.
    pub window: WindowKind,
    /// Maximum number of words on each side of a window.
    pub size: usize,
    /// Whether words far from the anchor weigh less.
    pub distance: bool,
    /// The position at which a page's own word weighs half of its first; 0 if
    /// all weigh alike.
    pub lead: u32,
    /// Text on this many pages of a host is its template and not evidence; with 0 it is evidence.
    pub template_pages: u32,
    /// How document frequencies weigh.
    pub frequency: Frequency,
    /// Whether each kind is scaled to the same sum before its weight.
    pub normalise_kinds: bool,
    /// Words to terms.
    pub terms: TermMakers,
    /// Concepts of the page, as a kind beside the others.
    pub concept: Option<Concept>,
    /// Topics of the page, as a kind beside the others; only with concepts.
    pub topic: Option<Topic>,
}

/// Evidence and weight of the topics of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Topic {
    /// Their weight beside all the other kinds together but concepts.
    pub weight: f64,
    /// The weights of the evidence that they are made of.
    pub kinds: KindWeights,
}

/// Evidence and weight of the concepts of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Concept {
    /// Their weight beside all the other kinds together.
    pub weight: f64,
    /// The weights of the evidence that they are made of.
    pub kinds: KindWeights,
    /// The power that the weight of a term is raised to.
    pub power: f64,
    /// How much of the concepts of the pages that it links to is added to a page's own.
    pub cited: f64,
}

/// The unit of fragment weights: a plain word weighs `UNIT`.
pub const UNIT: u64 = 1024;

impl Strategy {
    /// Whether the page's own words are evidence.
    pub fn needs_content(&self) -> bool {
        self.needs(CONTENT)
    }

    /// Whether the words around links are evidence.
    pub fn needs_anchor(&self) -> bool {
        self.needs(ANCHOR)
    }

    /// Whether the linking pages are evidence.
    pub fn needs_link(&self) -> bool {
        self.needs(LINK)
    }

    fn needs(&self, kind: usize) -> bool {
        let concept = self.concept.map(|concept| concept.kinds);
        let topic = self.topic.map(|topic| topic.kinds);
        let all = [Some(self.kinds), concept, topic];
        all.iter().flatten().any(|weights| weights[kind] > 0.0)
    }

    /// Whether the pages that a page links to are evidence.
    pub fn needs_cited(&self) -> bool {
        self.concept.is_some_and(|concept| concept.cited > 0.0)
    }

    /// The weight of a page's own word at a position among those that count, in
    /// [`UNIT`]s: half / (half + position), never below one unit.
    pub fn lead_weight(&self, position: u32) -> u32 {
        let half = self.lead;
        (UNIT as u32 * half / half.saturating_add(position)).max(1)
    }

    /// The weight of a window's word by its distance from the anchor, in
    /// [`UNIT`]s: log2(32 / (1 + d)), never below 0. The list ends where the
    /// weights do.
    pub fn distance_weights(&self) -> Vec<u64> {
        (0..=self.size)
            .map(|distance| {
                if self.distance {
                    distance_weight(distance)
                } else {
                    UNIT
                }
            })
            .take_while(|&weight| weight > 0)
            .collect()
    }
}

fn distance_weight(distance: usize) -> u64 {
    let weight = libm::log2(32.0 / (1.0 + distance as f64));
    (weight * UNIT as f64).round().max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_with_the_logarithm_of_the_distance() {
        assert_eq!(distance_weight(0), 5 * UNIT);
        assert_eq!(distance_weight(1), 4 * UNIT);
        assert_eq!(distance_weight(7), 2 * UNIT);
        assert_eq!(distance_weight(31), 0);
        assert_eq!(distance_weight(100), 0);
    }
}
