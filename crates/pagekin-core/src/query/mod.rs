//! Questions to an index: which pages are most like this one, and why?

mod answers;
mod candidates;
mod folding;
mod matches;
mod maxscore;
mod options;
mod prepared;
mod result;
mod search;
mod searcher;
#[cfg(test)]
mod test_index;
mod why;

pub use answers::{AnswerTable, Exclusions};
pub use options::SearchOptions;
pub use prepared::PreparedQuery;
pub use result::{FilterCounts, PageRef, ScoredPage, SearchResult};
pub use searcher::Searcher;
pub use why::{
    CitingPage, ConceptTerms, Explainer, Explanation, ExplanationLimits, Remainder, SharedConcept,
    SharedTerm,
};
