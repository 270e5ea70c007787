//! Single pages and addresses.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use pagekin_core::pages::{Origin, PageParser};
use pagekin_core::{address, hash};
use pyo3::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::errors;

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

/// The checksum of a file: XXH3 with 128 bits, in hexadecimal.
#[pyfunction]
pub fn checksum(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| {
        let mut file = File::open(path)?;
        let mut state = Xxh3::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(format!("{:032x}", state.digest128())),
                read => state.update(&buffer[..read]),
            }
        }
    })
    .map_err(errors::io)
}
