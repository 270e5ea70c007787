//! Single pages and URLs.

use pagekin_core::crawl::MediaType;
use pagekin_core::pages::{decode_body, Document, Origin, PageParser};
use pagekin_core::{hash, url};
use pyo3::prelude::*;

/// A link of a page: the first word of its anchor, the word after the last, and its target.
#[pyclass(name = "PageAnchor", frozen, get_all, module = "pagekin._core")]
#[derive(Clone)]
pub struct PyPageAnchor {
    first: u32,
    last: u32,
    target: String,
}

/// A break in the text of a page: the word before which it is, and its kinds.
#[pyclass(name = "PageBreak", frozen, get_all, module = "pagekin._core")]
#[derive(Clone, Copy)]
pub struct PyPageBreak {
    position: u32,
    kinds: u8,
}

/// A parsed page, for inspection.
#[pyclass(name = "Page", frozen, get_all, module = "pagekin._core")]
pub struct PyPage {
    url: String,
    title: String,
    language: Option<String>,
    words: Vec<String>,
    /// The words that are not navigation; all of them if there are no others.
    content_words: Vec<String>,
    text: String,
    anchors: Vec<PyPageAnchor>,
    breaks: Vec<PyPageBreak>,
}

/// Parses one page of HTML. None unless the URL is one of a web page.
#[pyfunction]
#[pyo3(signature = (url, body, charset=None))]
pub fn parse_page(py: Python<'_>, url: &str, body: &[u8], charset: Option<&str>) -> Option<PyPage> {
    py.detach(|| {
        let mut parser = PageParser::default();
        let document = Document {
            url,
            folder: None,
            media: MediaType::Html,
            charset,
            language: None,
            body,
        };
        let origin = Origin {
            file: 0,
            offset: 0,
            date: None,
        };
        parser.add(document, origin).ok()?;
        let block = parser.block();
        let page = block.page(0);
        let words: Vec<String> = page
            .words
            .iter()
            .map(|&word| block.vocabulary.get(word).to_owned())
            .collect();
        Some(PyPage {
            content_words: page
                .content()
                .flat_map(|range| words[range].iter().cloned())
                .collect(),
            url: block.urls.get(page.url).to_owned(),
            title: page.title.to_owned(),
            language: page.language.map(|found| found.code().to_owned()),
            words,
            text: page.text.to_owned(),
            anchors: page
                .anchors
                .iter()
                .map(|anchor| PyPageAnchor {
                    first: anchor.first,
                    last: anchor.last,
                    target: block.urls.get(anchor.target).to_owned(),
                })
                .collect(),
            breaks: page
                .breaks
                .iter()
                .map(|at| PyPageBreak {
                    position: at.position,
                    kinds: at.kinds,
                })
                .collect(),
        })
    })
}

/// The text of bytes, by the charset that the server sent, by the page's declaration, or by detection.
#[pyfunction]
#[pyo3(signature = (url, body, charset=None))]
pub fn decode_text(py: Python<'_>, url: &str, body: &[u8], charset: Option<&str>) -> String {
    py.detach(|| decode_body(url, body, charset).into_owned())
}

/// The canonical form of a URL. None if it is not a valid URL of a web page.
#[pyfunction]
pub fn canonical(url: &str) -> Option<String> {
    url::canonical(url)
}

/// The site of a canonical URL.
#[pyfunction]
pub fn site(url: &str) -> String {
    url::site(url).to_owned()
}

/// The id of a canonical URL.
#[pyfunction]
pub fn url_id(url: &str) -> u64 {
    hash::url_id(url)
}
