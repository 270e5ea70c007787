//! The Python face of `pagekin-core`: conversions, and the files between kernels. Every
//! kernel runs with the GIL released.

mod arrow;
mod audit;
mod bags;
mod concepts;
mod errors;
mod evaluation;
mod extract;
mod graph;
mod index;
mod interrupt;
mod pages;
mod query;
mod spill;
mod strategy;

/// The kernels of pagekin.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::audit::{PyLinkSuggester, SiteSuggestions};
    #[pymodule_export]
    use crate::bags::{
        answer_terms, captures_of, count_pagelets, merge_addresses, merge_lexicon, merge_pagelets,
        merge_postings, move_links, pack_addresses, pack_postings, pack_terms, superseded,
        BagSelection, CaptureCensus, MergedTables, Merger, PartitionCounts, PyAddressRange,
        PyAliases, PySupersededCaptures, PyTemplates, UrlSet, Weigher,
    };
    #[pymodule_export]
    use crate::concepts::{
        concept_number, concept_term, learn_concepts, page_vectors, LearntConcepts, PyConcepts,
    };
    #[pymodule_export]
    use crate::errors::{CoreError, CorePanic};
    #[pymodule_export]
    use crate::evaluation::{cocitations, cut_run, keep_pages};
    #[pymodule_export]
    use crate::evaluation::{PyCollection, PyFamily, PyRanking};
    #[cfg(feature = "bench")]
    #[pymodule_export]
    use crate::extract::make_fragments;
    #[pymodule_export]
    use crate::extract::{extract, PyExtractSummary, PyQueue, Run, SourceFailure};
    #[pymodule_export]
    use crate::extract::{extract_stored, PyStoredPages};
    #[pymodule_export]
    use crate::extract::{read_record, PyArchivedRecord};
    #[pymodule_export]
    use crate::graph::{url_ids, PyLinkGraph, PyPageRank};
    #[pymodule_export]
    use crate::index::{
        checksums, invert, pack, sketch, unpack, PyBagPacker, PyCompressedWriter, PyFileChecksums,
        PyTermCollector, PyVerifiedFile, PyVerifiedTable, PyWeightedPostingsBuilder,
    };
    #[pymodule_export]
    use crate::interrupt::{Interrupted, PyCancellation};
    #[pymodule_export]
    use crate::pages::{
        canonical, decode_text, parse_page, site, url_id, PyPage, PyPageAnchor, PyPageBreak,
    };
    #[pymodule_export]
    use crate::query::{
        detect_language, field_counts, is_stop_word, language_named, phrases, query_term,
        query_words, sentences, word_digest, words_of, PyBm25f, PyCitingPage, PyExclusions,
        PyExplanation, PyExplanationLimits, PyFilterCounts, PyLinkWindow, PyPageMeta, PyPageRef,
        PyPageSelection, PyQueryBag, PyQueryWords, PyRemainder, PyScoredPage, PySearchOptions,
        PySearchResult, PySearcher, PySharedConcept, PySharedTerm, PySnippet,
    };
    #[pymodule_export]
    use crate::spill::{PySpillFile, PySpillStore};
    #[pymodule_export]
    use crate::strategy::{stemmers, term_of, PyStrategy, Term};

    /// Facts of the core that Python must agree with.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // A panic becomes an exception, which reports it.
        std::panic::set_hook(Box::new(|_| ()));
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("LINK_BIT", pagekin_core::hash::LINK_BIT)?;
        module.add("SPILL_FORM", pagekin_core::spill::FORM)?;
        module.add("TEXT_ROWS", pagekin_core::index::TEXT_ROWS)?;
        module.add("FEW_BAGS", pagekin_core::index::FEW_BAGS)?;
        module.add("TOTAL", pagekin_core::columns::TOTAL)
    }
}
