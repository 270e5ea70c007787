//! Single pages and addresses.

use pagekin_core::pages::{Origin, PageParser};
use pagekin_core::{address, hash};
use pyo3::prelude::*;

/// A parsed page, for looking at.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct Page {
    url: String,
    title: String,
    words: Vec<String>,
    /// First word, the word after the last, and the target of each link.
    anchors: Vec<(u32, u32, String)>,
    /// Position and kinds of each break.
    breaks: Vec<(u32, u8)>,
}

/// Parses one page. None if the URL is none of a web page.
#[pyfunction]
#[pyo3(signature = (url, body, charset=None))]
pub fn parse_page(py: Python<'_>, url: &str, body: &[u8], charset: Option<&str>) -> Option<Page> {
    py.detach(|| {
        let mut parser = PageParser::default();
        parser.add(
            url,
            body,
            charset,
            Origin {
                file: 0,
                offset: 0,
                date: None,
            },
        )?;
        let block = parser.block();
        let page = block.page(0);
        Some(Page {
            url: block.urls.get(page.url).to_owned(),
            title: page.title.to_owned(),
            words: page
                .words
                .iter()
                .map(|&word| block.vocabulary.get(word).to_owned())
                .collect(),
            anchors: page
                .anchors
                .iter()
                .map(|anchor| {
                    (
                        anchor.first,
                        anchor.last,
                        block.urls.get(anchor.target).to_owned(),
                    )
                })
                .collect(),
            breaks: page
                .breaks
                .iter()
                .map(|at| (at.position, at.kinds))
                .collect(),
        })
    })
}

/// The canonical form of a URL. None if it is none of a web page.
#[pyfunction]
pub fn canonical(url: &str) -> Option<String> {
    address::canonical(url)
}

/// The site of a canonical URL.
#[pyfunction]
pub fn site(url: &str) -> String {
    address::site(url).to_owned()
}

/// The id of a canonical URL.
#[pyfunction]
pub fn url_id(url: &str) -> u64 {
    hash::url_id(url)
}
