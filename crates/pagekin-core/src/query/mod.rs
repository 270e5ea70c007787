//! Questions to an index: which pages are most like this one, and why?

mod answers;
mod maxscore;
mod members;
mod options;
pub mod passages;
mod prepared;
mod query_bag;
mod result;
mod row_mask;
mod search;
mod searcher;
mod selection;
mod sketches;
#[cfg(test)]
mod test_index;
mod why;
mod words;

pub use answers::{AnswerTable, Exclusions};
pub use members::IndexFiles;
pub use options::SearchOptions;
pub use prepared::PreparedQuery;
pub use query_bag::QueryBag;
pub use result::{FilterCounts, PageRef, ScoredPage, SearchResult};
pub use row_mask::IndexMask;
pub use search::WordScores;
pub use searcher::Searcher;
pub use selection::{PageCondition, PageSelection};
pub use sketches::SketchParams;
pub use why::{
    CitingPage, ConceptTerms, Explainer, Explanation, ExplanationLimits, Remainder, SharedConcept,
    SharedTerm,
};
pub use words::{
    Bm25f, Bm25fParams, FieldCounts, PhraseMatcher, QueryWords, WeightedTerm, WordPair,
};
