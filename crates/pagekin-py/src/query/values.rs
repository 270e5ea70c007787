//! What goes into a question and comes out of it.

use pagekin_core::index::LinkWindow;
use pagekin_core::query::{
    Exclusions, FilterCounts, PageCondition, PageRef, PageSelection, QueryBag, ScoredPage,
    SearchOptions, SearchResult,
};
use pagekin_core::sketches::Sketcher;
use pyo3::prelude::*;

use crate::errors;

/// A page: its shard and its row in it.
#[pyclass(
    name = "PageRef",
    frozen,
    eq,
    ord,
    hash,
    get_all,
    from_py_object,
    module = "pagekin._core"
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PyPageRef {
    shard: u32,
    row: u32,
}

#[pymethods]
impl PyPageRef {
    /// A page by its shard and its row.
    #[new]
    fn new(shard: u32, row: u32) -> Self {
        Self { shard, row }
    }

    fn __repr__(&self) -> String {
        format!("PageRef({}, {})", self.shard, self.row)
    }
}

impl From<PyPageRef> for PageRef {
    fn from(page: PyPageRef) -> Self {
        Self {
            shard: page.shard,
            row: page.row,
        }
    }
}

impl From<PageRef> for PyPageRef {
    fn from(page: PageRef) -> Self {
        Self {
            shard: page.shard,
            row: page.row,
        }
    }
}

pub fn page_refs(pages: Vec<PyPageRef>) -> Vec<PageRef> {
    pages.into_iter().map(PageRef::from).collect()
}

/// The words around a link: `start` to `end`, of which `anchor_start` to `anchor_end` are its own.
#[pyclass(
    name = "LinkWindow",
    frozen,
    get_all,
    from_py_object,
    module = "pagekin._core"
)]
#[derive(Clone, Copy)]
pub struct PyLinkWindow {
    start: u32,
    anchor_start: u32,
    anchor_end: u32,
    end: u32,
}

#[pymethods]
impl PyLinkWindow {
    /// A window by the places of its words in the page's text.
    #[new]
    fn new(start: u32, anchor_start: u32, anchor_end: u32, end: u32) -> Self {
        Self {
            start,
            anchor_start,
            anchor_end,
            end,
        }
    }
}

impl From<PyLinkWindow> for LinkWindow {
    fn from(window: PyLinkWindow) -> Self {
        Self {
            start: window.start,
            anchor_start: window.anchor_start,
            anchor_end: window.anchor_end,
            end: window.end,
        }
    }
}

/// A bag to search with.
#[pyclass(name = "QueryBag", frozen, module = "pagekin._core")]
pub struct PyQueryBag(pub QueryBag);

#[pymethods]
impl PyQueryBag {
    fn __len__(&self) -> usize {
        self.0.bag().terms.len()
    }

    /// The terms, ascending.
    #[getter]
    fn terms(&self) -> Vec<u64> {
        self.0.bag().terms.to_vec()
    }

    /// The weight of each term.
    #[getter]
    fn weights(&self) -> Vec<u16> {
        self.0.bag().weights.to_vec()
    }

    /// The sketch of the bag.
    fn sketch(&self, py: Python<'_>, positions: usize, seed: u64) -> PyResult<Vec<u32>> {
        errors::guarded(py, || {
            let mut sketch = vec![0; positions];
            let bag = self.0.bag();
            Sketcher::new(positions, seed).sketch(bag, &mut sketch);
            sketch
        })
    }

    /// What `like` have in common and `unlike` do not.
    #[staticmethod]
    fn mix(like: Vec<PyRef<'_, Self>>, unlike: Vec<PyRef<'_, Self>>) -> Self {
        let like: Vec<_> = like.iter().map(|query| &query.0).collect();
        let unlike: Vec<_> = unlike.iter().map(|query| &query.0).collect();
        Self(QueryBag::mix(&like, &unlike))
    }
}

/// Which pages may be hits, whatever the question.
#[pyclass(
    name = "PageSelection",
    frozen,
    eq,
    hash,
    from_py_object,
    module = "pagekin._core"
)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyPageSelection(pub PageSelection);

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct SelectionFields {
    crawled: Option<bool>,
    site: Option<String>,
    prefix: Option<String>,
    from_date: Option<i64>,
    to_date: Option<i64>,
    min_length: Option<u32>,
    language: Option<String>,
}

#[pymethods]
impl PyPageSelection {
    /// Conditions by the names of their fields, as far as they are given. Dates are seconds since
    /// 1970.
    #[new]
    fn new(fields: &Bound<'_, PyAny>) -> PyResult<Self> {
        let fields: SelectionFields = fields.extract()?;
        let conditions = [
            fields.crawled.map(PageCondition::Crawled),
            fields.site.map(PageCondition::Site),
            fields.prefix.map(PageCondition::Prefix),
            fields.from_date.map(PageCondition::From),
            fields.to_date.map(PageCondition::To),
            fields.min_length.map(PageCondition::MinLength),
            fields.language.map(PageCondition::Language),
        ];
        let conditions = conditions.into_iter().flatten().collect();
        Ok(Self(PageSelection { conditions }))
    }
}

/// Which pages are wanted.
#[pyclass(name = "SearchOptions", frozen, module = "pagekin._core")]
pub struct PySearchOptions(pub SearchOptions);

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct OptionFields {
    k: usize,
    pages: PyPageSelection,
    min_score: f64,
    alpha: f64,
    exact: bool,
    one_per_site: bool,
    duplicate_score: f64,
    exclude_pages: Vec<PyPageRef>,
    exclude_sites: Vec<String>,
    exclude_links_from: Vec<u64>,
}

#[pymethods]
impl PySearchOptions {
    /// Options by the names of their fields.
    #[new]
    fn new(fields: &Bound<'_, PyAny>) -> PyResult<Self> {
        let fields: OptionFields = fields.extract()?;
        Ok(Self(SearchOptions {
            k: fields.k,
            pages: fields.pages.0,
            min_score: fields.min_score,
            alpha: fields.alpha,
            exact: fields.exact,
            one_per_site: fields.one_per_site,
            duplicate_score: fields.duplicate_score,
            exclude_pages: page_refs(fields.exclude_pages),
            exclude_sites: fields.exclude_sites,
            exclude_links_from: fields.exclude_links_from,
        }))
    }
}

/// Which pages are never hits of a page: those of its site, those that it links to, those in
/// another language.
#[pyclass(name = "Exclusions", frozen, module = "pagekin._core")]
pub struct PyExclusions(pub Exclusions);

#[pymethods]
impl PyExclusions {
    /// What to exclude.
    #[new]
    #[pyo3(signature = (*, site, linked, language))]
    fn new(site: bool, linked: bool, language: bool) -> Self {
        Self(Exclusions {
            site,
            linked,
            language,
        })
    }
}

/// A related page, its overlap with the query, and its near duplicates.
#[pyclass(
    name = "ScoredPage",
    frozen,
    eq,
    hash,
    get_all,
    module = "pagekin._core"
)]
#[derive(PartialEq, Hash)]
pub struct PyScoredPage {
    pub page: PyPageRef,
    overlap: u32,
    pub duplicates: Vec<PyPageRef>,
}

#[pymethods]
impl PyScoredPage {
    /// A page of which the overlap is known.
    #[new]
    fn new(page: PyPageRef, overlap: u32, duplicates: Vec<PyPageRef>) -> Self {
        Self {
            page,
            overlap,
            duplicates,
        }
    }
}

impl From<ScoredPage> for PyScoredPage {
    fn from(hit: ScoredPage) -> Self {
        Self {
            page: hit.page.into(),
            overlap: hit.overlap,
            duplicates: hit.duplicates.into_iter().map(PyPageRef::from).collect(),
        }
    }
}

/// How many pages each filter left out.
#[pyclass(name = "FilterCounts", frozen, eq, get_all, module = "pagekin._core")]
#[derive(Clone, Copy, PartialEq)]
pub struct PyFilterCounts {
    score: usize,
    site: usize,
    linked: usize,
    same_site: usize,
}

impl From<FilterCounts> for PyFilterCounts {
    fn from(counts: FilterCounts) -> Self {
        Self {
            score: counts.score,
            site: counts.site,
            linked: counts.linked,
            same_site: counts.same_site,
        }
    }
}

/// The hits of a search, best first, and what the filters left out.
#[pyclass(name = "SearchResult", frozen, get_all, module = "pagekin._core")]
pub struct PySearchResult {
    hits: Vec<Py<PyScoredPage>>,
    copies: Vec<PyPageRef>,
    filtered: PyFilterCounts,
    compared: usize,
    exact: bool,
}

impl PySearchResult {
    pub fn new(py: Python<'_>, result: SearchResult) -> PyResult<Self> {
        let hits = result.hits.into_iter();
        let hits = hits.map(|hit| Py::new(py, PyScoredPage::from(hit)));
        Ok(Self {
            hits: hits.collect::<PyResult<_>>()?,
            copies: result.copies.into_iter().map(PyPageRef::from).collect(),
            filtered: result.filtered.into(),
            compared: result.compared,
            exact: result.exact,
        })
    }
}
