//! Link targets: references of a page resolved to URLs of the block.

use crate::text::StringInterner;
use crate::url::{Resolver, LONGEST_URL};

/// The target of a reference that leads to no page.
pub(super) const NO_PAGE: u32 = u32::MAX;

/// The references of the current page.
#[derive(Debug, Default)]
pub(super) struct LinkTargets {
    references: Vec<u8>,
    ends: Vec<usize>,
    /// Room for a plain target.
    plain: Vec<u8>,
}

/// What the references of a page are relative to.
pub(super) struct LinkBase {
    pub(super) resolver: Resolver,
    /// The number of the page's URL.
    pub(super) page: u32,
    /// Whether the page declares a base.
    pub(super) is_declared: bool,
}

impl LinkTargets {
    /// Adds a reference of the current page.
    pub(super) fn push(&mut self, reference: &[u8]) {
        self.references.extend_from_slice(reference.trim_ascii());
        self.ends.push(self.references.len());
    }

    /// How many references the current page has.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Drops the references of the current page.
    pub(super) fn clear(&mut self) {
        self.references.clear();
        self.ends.clear();
    }

    /// Calls `take` with the number and the length of each reference's target, until it returns false.
    pub(super) fn resolve(
        &mut self,
        base: &LinkBase,
        urls: &mut StringInterner,
        mut take: impl FnMut(u32, usize) -> bool,
    ) {
        let references = std::mem::take(&mut self.references);
        let ends = std::mem::take(&mut self.ends);
        let mut start = 0;
        for &end in &ends {
            let reference = &references[std::mem::replace(&mut start, end)..end];
            let target = self.target(base, reference, urls);
            let length = (target != NO_PAGE).then(|| urls.bytes_of(target).len());
            if !take(target, length.unwrap_or(0)) {
                break;
            }
        }
        (self.references, self.ends) = (references, ends);
    }

    fn target(&mut self, base: &LinkBase, reference: &[u8], urls: &mut StringInterner) -> u32 {
        let within = !base.is_declared && matches!(reference.first(), None | Some(b'#'));
        if within && reference.len() <= LONGEST_URL {
            return base.page;
        }
        if Resolver::is_foreign(reference) {
            return NO_PAGE;
        }
        self.plain.clear();
        if base.resolver.resolve_plain(reference, &mut self.plain) {
            urls.intern(&self.plain)
        } else {
            let text = String::from_utf8_lossy(reference);
            let url = base.resolver.resolve(&text);
            url.map_or(NO_PAGE, |url| urls.intern(url.as_bytes()))
        }
    }
}
