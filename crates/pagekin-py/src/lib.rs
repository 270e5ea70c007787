//! The Python face of `pagekin-core`: conversions, and the files between kernels. Every
//! kernel runs with the GIL released.

mod bags;
mod concepts;
mod errors;
mod evaluation;
mod exchange;
mod extract;
mod graph;
mod inverse;
mod memory;
mod merge;
mod pages;
mod query;
mod sealed;
mod sketches;
mod strategy;
mod sums;
mod sweep;
mod weigh;

/// The kernels of pagekin.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::bags::{answer_terms, merge_lexicon, pack_terms, superseded, Superseded};
    #[pymodule_export]
    use crate::concepts::{concept_number, concept_term, learn_concepts, Concepts};
    #[pymodule_export]
    use crate::errors::CoreError;
    #[pymodule_export]
    use crate::evaluation::{Collection, Family, Ranking};
    #[pymodule_export]
    use crate::exchange::{Exchange, Slot};
    #[pymodule_export]
    use crate::extract::{extract, make_fragments, Extracted, Queue};
    #[pymodule_export]
    use crate::graph::{merge_postings, pack_postings, url_ids, LinkGraph, PageRank};
    #[pymodule_export]
    use crate::inverse::{invert, Holders};
    #[pymodule_export]
    use crate::merge::{Merged, Merger};
    #[pymodule_export]
    use crate::pages::{canonical, parse_page, site, url_id, Page};
    #[pymodule_export]
    use crate::query::{words_of, Answer, Options, QueryBag, Searcher};
    #[pymodule_export]
    use crate::sealed::SealedTable;
    #[pymodule_export]
    use crate::sketches::sketch;
    #[pymodule_export]
    use crate::strategy::{stemmers, term_of, Strategy};
    #[pymodule_export]
    use crate::sums::checksums;
    #[pymodule_export]
    use crate::sweep::{cocitations, cut_run, keep_pages, Chosen};
    #[pymodule_export]
    use crate::weigh::Weigher;

    /// Facts of the core that Python must agree with.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // A panic becomes an exception, and that is where it is told.
        std::panic::set_hook(Box::new(|_| ()));
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("LINK_BIT", pagekin_core::hash::LINK_BIT)?;
        module.add("EXCHANGE_FORM", pagekin_core::exchange::FORM)?;
        module.add("FEW_BAGS", pagekin_core::index::FEW_BAGS)?;
        module.add("TOTAL", pagekin_core::bags::TOTAL)
    }
}
