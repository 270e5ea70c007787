//! Snippets: query-biased summaries (Tombros and Sanderson 1998). Of all passages of a page the one
//! whose sentences have the most weight of distinct terms is shown as it stands, and beside a short
//! one the passage that adds most to it.

use std::ops::Range;

use super::matches::{start_of, Match, TermFinder};
use super::{boundary, line_at, sentences, word_end_before, word_start_before, ZERO_WIDTH_SPACE};
use crate::hash::TermMap;
use crate::index::{PageText, TableError};
use crate::interrupt;
use crate::query::result::PageRef;
use crate::query::searcher::Searcher;
use crate::text::{Language, TermMakers, WordSpans};

/// Bytes of a snippet at the most.
const LENGTH: usize = 240;
/// A passage of fewer bytes has room for a second one beside it,
const SHORT: usize = 120;
/// which has at least this share of the first one's weight in new terms.
const WORTH_ADDING: f32 = 0.25;
/// Bytes before the first term of a passage that begins inside a sentence.
const LEAD: usize = 48;
/// What a sentence has at least; less is a heading or an entry of a list.
const SENTENCE_WORDS: usize = 6;
/// What terms count in sentences without a full stop, and in less than a sentence.
const UNFINISHED: f32 = 0.7;
const HEADING: f32 = 0.4;

/// A part of a page, and where it has the terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// As it stands on the page, in one line.
    pub text: String,
    /// The terms in it, counted in characters; ascending and apart.
    pub marks: Vec<Range<usize>>,
}

/// Makes the snippets of one answer.
pub struct SnippetMaker<'m> {
    finder: TermFinder<'m>,
}

/// A part of a text that may be shown.
#[derive(Debug, Clone)]
struct Passage {
    range: Range<usize>,
    /// Its matches, by their numbers.
    matches: Range<usize>,
    quality: f32,
}

impl<'m> SnippetMaker<'m> {
    /// For an index whose terms are made by these.
    pub fn new(makers: &'m TermMakers) -> Self {
        Self {
            finder: TermFinder::new(makers),
        }
    }

    /// What to show of a page of an index for terms with these weights. None if it was not fetched.
    pub fn of(
        &mut self,
        index: &Searcher,
        page: PageRef,
        terms: &[(u64, f32)],
    ) -> Result<Option<Snippet>, TableError> {
        interrupt::check();
        let Some(text) = index.text(page)? else {
            return Ok(None);
        };
        let meta = index.page_meta(page)?;
        let language = meta.language.and_then(Language::named);
        let weights = terms.iter().copied().collect();
        Ok(self.snippet(&text, meta.title.unwrap_or_default(), language, &weights))
    }

    /// What to show of a text for terms with these weights: if it has none of them, its first
    /// sentence. None if there is nothing to show but the title and templates.
    fn snippet(
        &mut self,
        page: &PageText,
        title: &str,
        language: Option<Language>,
        weights: &TermMap<f32>,
    ) -> Option<Snippet> {
        let text = start_of(&page.text);
        let found = self.finder.find(page, language, weights);
        let passages = passages(text, title, &found);
        let scorer = Scorer {
            found: &found,
            weights,
        };
        let Some(best) = scorer.best(passages.iter(), &[]) else {
            let range = first_sentence(page, title)?;
            return Some(shown(text, &[range], &[]));
        };
        let mut ranges = vec![best.range.clone()];
        if best.range.len() < SHORT {
            let second = scorer.second(best, &passages);
            ranges.extend(second.map(|second| second.range.clone()));
            ranges.sort_by_key(|range| range.start);
        }
        Some(shown(text, &ranges, &found))
    }
}

/// What passages are worth.
struct Scorer<'a> {
    found: &'a [Match],
    weights: &'a TermMap<f32>,
}

impl Scorer<'_> {
    /// The passage that is worth most beside some matches, the first of equals.
    fn best<'p>(
        &self,
        passages: impl Iterator<Item = &'p Passage>,
        beside: &[Match],
    ) -> Option<&'p Passage> {
        let mut best: Option<(f32, &Passage)> = None;
        for passage in passages {
            let worth = self.worth(passage, beside);
            if worth > best.map_or(0.0, |best| best.0) {
                best = Some((worth, passage));
            }
        }
        best.map(|best| best.1)
    }

    /// The passage to show beside a short one, if one is worth it.
    fn second<'p>(&self, first: &Passage, passages: &'p [Passage]) -> Option<&'p Passage> {
        let beside = &self.found[first.matches.clone()];
        let least = WORTH_ADDING * self.worth(first, &[]);
        let fits = passages.iter().filter(|other| {
            let (one, other) = (&first.range, &other.range);
            let is_apart = other.end <= one.start || other.start >= one.end;
            is_apart && one.len() + other.len() <= LENGTH
        });
        let second = self.best(fits, beside);
        second.filter(|second| self.worth(second, beside) >= least)
    }

    /// The weight of the distinct terms of a passage that are not among other matches.
    fn worth(&self, passage: &Passage, beside: &[Match]) -> f32 {
        let matches = &self.found[passage.matches.clone()];
        let is_new = |at: usize| {
            let mut others = matches[..at].iter().chain(beside);
            others.all(|other| other.term != matches[at].term)
        };
        let new = (0..matches.len()).filter(|&at| is_new(at));
        let weight: f32 = new.map(|at| self.weights[&matches[at].term]).sum();
        weight * passage.quality
    }
}

/// The passages of a text with matches: sentences of one line that follow each other, or a part of a
/// long one.
fn passages(text: &str, title: &str, found: &[Match]) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut next = 0;
    while let Some(first) = found.get(next) {
        let line = line_at(text, first.span.start);
        let end = next + found[next..].partition_point(|each| each.span.start < line.end);
        if !repeats(title, &text[line.clone()]) {
            let sentences = sentences(text, line);
            for number in 0..sentences.len() {
                add_passages(text, &sentences[number..], found, next..end, &mut passages);
            }
        }
        next = end;
    }
    passages
}

/// Whether a line is the title, which is shown anyway.
fn repeats(title: &str, line: &str) -> bool {
    title.starts_with(line.trim())
}

/// The passages that begin with the first of some sentences.
fn add_passages(
    text: &str,
    sentences: &[Range<usize>],
    found: &[Match],
    among: Range<usize>,
    passages: &mut Vec<Passage>,
) {
    let within = |range: &Range<usize>| {
        let found = &found[among.clone()];
        let first = found.partition_point(|each| each.span.start < range.start);
        let end = found.partition_point(|each| each.span.end <= range.end);
        among.start + first..among.start + end.max(first)
    };
    let first = &sentences[0];
    if within(first).is_empty() {
        return;
    }
    let quality = quality(&text[first.clone()]);
    if first.len() > LENGTH {
        let mut next = first.start;
        for each in &found[within(first)] {
            if each.span.start < next {
                continue;
            }
            next = each.span.start + LEAD;
            let range = cut(text, first, each.span.start);
            let matches = within(&range);
            passages.push(Passage {
                range,
                matches,
                quality,
            });
        }
        return;
    }
    for last in sentences {
        let range = first.start..last.end;
        let matches = within(&range);
        if range.len() > LENGTH {
            break;
        }
        passages.push(Passage {
            range,
            matches,
            quality,
        });
    }
}

/// A part of a long sentence that begins a little before a place.
fn cut(text: &str, sentence: &Range<usize>, at: usize) -> Range<usize> {
    let from = at.saturating_sub(LEAD).max(sentence.start);
    let start = match from == sentence.start {
        true => from,
        // A text without spaces is not searched to its start.
        false => word_start_before(
            text,
            from,
            boundary(text, from.saturating_sub(LEAD)).max(sentence.start),
        ),
    };
    let end = match start + LENGTH < sentence.end {
        true => word_end_before(text, start + LENGTH, at),
        false => sentence.end,
    };
    start..end
}

/// How much like a sentence it is.
fn quality(sentence: &str) -> f32 {
    if WordSpans::new(sentence).take(SENTENCE_WORDS).count() < SENTENCE_WORDS {
        HEADING
    } else if sentence.ends_with(|last: char| last.is_alphanumeric()) {
        UNFINISHED
    } else {
        1.0
    }
}

/// The first sentence outside of templates, or the first part of it.
fn first_sentence(page: &PageText, title: &str) -> Option<Range<usize>> {
    let text = start_of(&page.text);
    let mut words = WordSpans::new(text).enumerate().peekable();
    let mut start = 0;
    for line in text.split('\n') {
        let (from, to) = (start, start + line.len());
        start = to + 1;
        let mut own = 0;
        while let Some((number, _)) = words.next_if(|(_, span)| span.start < to) {
            let number = number as u32;
            own += usize::from(!page.templates.iter().any(|words| words.contains(&number)));
        }
        if own < SENTENCE_WORDS || repeats(title, line) {
            continue;
        }
        let mut range = sentences(text, from..to).into_iter().next()?;
        if range.len() > LENGTH {
            range = cut(text, &range, range.start);
        }
        return Some(range);
    }
    None
}

/// Passages in one line with the matches in them.
fn shown(text: &str, ranges: &[Range<usize>], found: &[Match]) -> Snippet {
    let mut shown = Shown::default();
    let mut last_end = None;
    for range in ranges {
        let inside = !starts_sentence(text, range.start);
        match last_end {
            Some(_) => shown.add(" … "),
            None if inside => shown.add("… "),
            None => {}
        }
        shown.add_marked(text, range, found);
        last_end = Some(range.end);
    }
    if last_end.is_some_and(|end| !ends_sentence(text, end)) {
        shown.add(" …");
    }
    shown.snippet
}

fn starts_sentence(text: &str, at: usize) -> bool {
    sentences(text, line_at(text, at))
        .iter()
        .any(|each| each.start == at)
}

fn ends_sentence(text: &str, at: usize) -> bool {
    sentences(text, line_at(text, at))
        .iter()
        .any(|each| each.end == at)
}

/// A snippet that is put together.
#[derive(Default)]
struct Shown {
    snippet: Snippet,
    characters: usize,
}

impl Shown {
    fn add(&mut self, text: &str) {
        for letter in text.chars().filter(|&letter| letter != ZERO_WIDTH_SPACE) {
            let shown = if letter.is_control() { ' ' } else { letter };
            self.snippet.text.push(shown);
            self.characters += 1;
        }
    }

    fn add_marked(&mut self, text: &str, range: &Range<usize>, found: &[Match]) {
        let mut at = range.start;
        for each in found {
            if each.span.start < range.start || each.span.end > range.end {
                continue;
            }
            // Bigrams of scripts without spaces overlap: their mark grows.
            let start = each.span.start.max(at);
            self.add(&text[at..start]);
            let first = self.characters;
            self.add(&text[start..each.span.end.max(start)]);
            at = each.span.end.max(at);
            match self.snippet.marks.last_mut() {
                Some(last) if last.end == first => last.end = self.characters,
                _ if first < self.characters => self.snippet.marks.push(first..self.characters),
                _ => {}
            }
        }
        self.add(&text[at..range.end]);
    }
}

#[cfg(test)]
mod tests;
