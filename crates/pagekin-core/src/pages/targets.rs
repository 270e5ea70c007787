//! Link targets: references of a page resolved to URLs of the block.

use super::block::NO_URL;
use crate::columns::{Column, StringColumn};
use crate::text::StringInterner;
use crate::url::{is_same_host, without_index_page, Resolver, LONGEST_URL};

/// The target of a reference that leads to no page.
pub(super) const NO_PAGE: u32 = u32::MAX;

/// The references of the current page.
#[derive(Debug, Default)]
pub(super) struct LinkTargets {
    references: StringColumn,
    /// Room for a plain target.
    plain: Vec<u8>,
}

/// The base of the references of a page.
pub(super) struct LinkBase<'a> {
    pub(super) resolver: Resolver,
    /// The URL of the folder whose file the page is.
    pub(super) folder: Option<&'a str>,
    /// The number of the page's URL.
    pub(super) page: u32,
    /// Whether the page declares a base.
    pub(super) is_declared: bool,
}

impl LinkBase<'_> {
    /// The number of the canonical URL that a page names, if it is on the page's host.
    pub(super) fn canonical(&self, page: &str, reference: &[u8], urls: &mut StringInterner) -> u32 {
        let url = self.resolver.resolve(&String::from_utf8_lossy(reference));
        let own = url.filter(|url| is_same_host(url, page));
        own.map_or(NO_URL, |url| urls.intern(self.address(url.as_bytes())))
    }

    /// The URL that a reference leads to.
    pub(super) fn url_of(&self, reference: &[u8]) -> Option<Vec<u8>> {
        let url = self.resolver.resolve(&String::from_utf8_lossy(reference))?;
        Some(self.address(url.as_bytes()).to_vec())
    }

    /// The address of the page that a URL leads to.
    fn address<'u>(&self, url: &'u [u8]) -> &'u [u8] {
        match self.folder {
            Some(folder) if url.starts_with(folder.as_bytes()) => without_index_page(url),
            _ => url,
        }
    }
}

impl LinkTargets {
    /// Adds a reference of the current page.
    pub(super) fn push(&mut self, reference: &[u8]) {
        self.references.push(reference.trim_ascii());
    }

    /// How many references the current page has.
    pub(super) fn len(&self) -> usize {
        self.references.len()
    }

    /// Drops the references of the current page.
    pub(super) fn clear(&mut self) {
        self.references.clear();
    }

    /// Calls `take` with the number and the length of each reference's target, until it returns
    /// false.
    pub(super) fn resolve(
        &mut self,
        base: &LinkBase<'_>,
        urls: &mut StringInterner,
        mut take: impl FnMut(u32, usize) -> bool,
    ) {
        let references = std::mem::take(&mut self.references);
        for number in 0..references.len() {
            let target = self.target(base, references.bytes_of(number), urls);
            let length = (target != NO_PAGE).then(|| urls.bytes_of(target).len());
            if !take(target, length.unwrap_or(0)) {
                break;
            }
        }
        self.references = references;
    }

    fn target(&mut self, base: &LinkBase<'_>, reference: &[u8], urls: &mut StringInterner) -> u32 {
        let within = !base.is_declared && matches!(reference.first(), None | Some(b'#'));
        if within && reference.len() <= LONGEST_URL {
            return base.page;
        }
        if Resolver::is_foreign(reference) {
            return NO_PAGE;
        }
        self.plain.clear();
        if base.resolver.resolve_plain(reference, &mut self.plain) {
            urls.intern(base.address(&self.plain))
        } else {
            let text = String::from_utf8_lossy(reference);
            let url = base.resolver.resolve(&text);
            url.map_or(NO_PAGE, |url| urls.intern(base.address(url.as_bytes())))
        }
    }
}
