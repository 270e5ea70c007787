//! An anchor dictionary: the names that the links of a site give its pages, how often such a name is a
//! link (keyphraseness) and to which page (commonness; Milne and Witten 2008).

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::trie::PhraseTrie;

/// Maximum words of a name; longer anchors are sentences.
const MAX_WORDS: usize = 8;
/// Added to counts: a name that was a link once is not a link each time.
const PRIOR: f64 = 0.5;

/// A link of a page: its target and its own words.
#[derive(Debug, Clone, Copy)]
pub struct SiteLink {
    /// The number of the page it leads to; none if that is not of the site.
    pub target: Option<u32>,
    /// Its first word.
    pub first: u32,
    /// The word behind its last.
    pub last: u32,
    /// Whether it stands in a template.
    pub template: bool,
}

/// Where a text names a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// How likely the name is a link to the page.
    pub probability: f64,
    /// Its words.
    pub words: Range<u32>,
}

/// The targets and occurrences of a name.
#[derive(Debug, Default)]
struct Name {
    /// The pages it stands for, and how many pages link to each by it.
    targets: BTreeMap<u32, u32>,
    /// How many pages have it in their text, linked or not.
    pages: u32,
}

impl Name {
    /// How likely the name, seen in a text, is a link to this target.
    fn probability(&self, linking: u32) -> f64 {
        let links = f64::from(self.targets.values().sum::<u32>());
        let commonness = (f64::from(linking) + PRIOR) / (links + PRIOR * self.targets.len() as f64);
        let keyphraseness = (links + PRIOR) / (f64::from(self.pages) + 2.0 * PRIOR);
        commonness * keyphraseness.min(1.0)
    }
}

/// The names of the pages of a site.
#[derive(Debug, Default)]
pub struct AnchorDictionary {
    trie: PhraseTrie,
    names: Vec<Name>,
}

impl AnchorDictionary {
    /// Adds a name of a page that links may not use, such as its title.
    pub fn add_title(&mut self, title: &[&str], page: u32) {
        if let Some(name) = self.name(title) {
            name.targets.entry(page).or_default();
        }
    }

    /// Adds the names that the links of a page outside of templates give their targets. A page that
    /// uses a name twice counts once.
    pub fn add_links(&mut self, words: &[&str], links: &[SiteLink]) {
        let mut seen: Vec<(u32, Range<usize>)> = Vec::new();
        for link in links.iter().filter(|link| !link.template) {
            let Some(target) = link.target else { continue };
            let place = link.first as usize..(link.last as usize).min(words.len());
            let Some(anchor) = words.get(place.clone()) else {
                continue;
            };
            if seen
                .iter()
                .any(|(to, at)| *to == target && words[at.clone()] == *anchor)
            {
                continue;
            }
            if let Some(name) = self.name(anchor) {
                *name.targets.entry(target).or_default() += 1;
                seen.push((target, place));
            }
        }
    }

    fn name(&mut self, words: &[&str]) -> Option<&mut Name> {
        if words.is_empty() || words.len() > MAX_WORDS {
            return None;
        }
        let number = self.trie.insert(words) as usize;
        self.names.resize_with(self.trie.len(), Name::default);
        self.names.get_mut(number)
    }

    /// Counts the names that the text of a page has. All names must have been added.
    pub fn count(&mut self, words: &[&str]) {
        let mut found = Vec::new();
        self.trie
            .matches(&self.trie.numbers(words), |name, _, _| found.push(name));
        found.sort_unstable();
        found.dedup();
        for name in found {
            self.names[name as usize].pages += 1;
        }
    }

    /// The pages that a text names outside of its links, each by its likeliest mention, the first
    /// of equals.
    pub fn mentions(&self, words: &[&str], links: &[SiteLink]) -> HashMap<u32, Mention> {
        let mut numbers = self.trie.numbers(words);
        for link in links {
            let place = link.first as usize..(link.last as usize).min(numbers.len());
            if let Some(anchor) = numbers.get_mut(place) {
                anchor.fill(PhraseTrie::UNKNOWN);
            }
        }
        let mut found: HashMap<u32, Mention> = HashMap::new();
        self.trie.matches(&numbers, |name, from, to| {
            let name = &self.names[name as usize];
            for (&target, &linking) in &name.targets {
                let mention = Mention {
                    probability: name.probability(linking),
                    words: from as u32..to as u32,
                };
                let best = found.entry(target).or_insert_with(|| mention.clone());
                if mention.probability > best.probability {
                    *best = mention;
                }
            }
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(target: u32, first: u32, last: u32) -> SiteLink {
        SiteLink {
            target: Some(target),
            first,
            last,
            template: false,
        }
    }

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn names_that_are_often_links_to_one_page_are_likely() {
        let mut names = AnchorDictionary::default();
        let texts = [
            "rose garden here",
            "here rose garden",
            "here rose garden here",
        ];
        let texts = texts.map(words);
        names.add_links(&texts[0], &[link(7, 0, 2)]);
        names.add_links(&texts[1], &[link(7, 1, 3), link(8, 0, 1)]);
        texts.iter().for_each(|text| names.count(text));
        let found = names.mentions(&texts[2], &[]);
        // Two of three pages link the name, to one page: (2.5 / 2.5) · (2.5 / 4).
        assert_eq!(found[&7].probability, 0.625);
        assert_eq!(found[&7].words, 1..3);
        // One of three pages links "here": (1.5 / 1.5) · (1.5 / 4).
        assert_eq!(found[&8].probability, 0.375);
        assert_eq!(found[&8].words, 0..1);
    }

    #[test]
    fn mentions_in_links_and_names_in_templates_do_not_count() {
        let mut names = AnchorDictionary::default();
        let text = words("rose garden and rose garden");
        let menu = SiteLink {
            template: true,
            ..link(3, 0, 2)
        };
        names.add_links(&text, &[menu]);
        names.add_title(&["rose", "garden"], 7);
        names.count(&text);
        let found = names.mentions(&text, &[link(9, 0, 2)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[&7].words, 3..5);
        assert!(names.mentions(&text, &[link(9, 0, 5)]).is_empty());
    }

    #[test]
    fn a_page_counts_once_for_a_name_and_places_beyond_the_text_are_ignored() {
        let mut names = AnchorDictionary::default();
        let text = words("rose rose");
        names.add_links(
            &text,
            &[link(7, 0, 1), link(7, 1, 2), link(8, 5, 6), link(8, 2, 1)],
        );
        names.count(&text);
        let found = names.mentions(&text, &[link(7, 9, 12)]);
        assert_eq!(found[&7].probability, 0.75);
        assert_eq!(found.len(), 1);
    }
}
