//! Link targets: references of a page resolved to URLs of the block.

use crate::text::StringInterner;
use crate::url::{Resolver, LONGEST_URL};

/// How many resolved references are cached.
const CACHED: usize = 1 << 18;
/// The longest reference that is cached, with its folder.
const LONGEST_CACHED: usize = 512;

/// The target of a reference that leads to no page.
pub(super) const NO_PAGE: u32 = u32::MAX;

/// The references of the current page, and a cache of targets.
#[derive(Debug, Default)]
pub(super) struct LinkTargets {
    references: Vec<u8>,
    ends: Vec<usize>,
    cached: StringInterner,
    cached_targets: Vec<u32>,
    key: Vec<u8>,
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

    /// Calls `take` with the number of each reference's target, until it returns false.
    pub(super) fn resolve(
        &mut self,
        base: &LinkBase,
        urls: &mut StringInterner,
        mut take: impl FnMut(u32) -> bool,
    ) {
        let references = std::mem::take(&mut self.references);
        let ends = std::mem::take(&mut self.ends);
        let mut start = 0;
        for &end in &ends {
            let reference = &references[std::mem::replace(&mut start, end)..end];
            if !take(self.target(base, reference, urls)) {
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
            self.resolve_odd(&base.resolver, reference, urls)
        }
    }

    /// The target of a reference that is not plain. Parsing is slow, and most of these references
    /// recur on pages of the same folder.
    fn resolve_odd(
        &mut self,
        resolver: &Resolver,
        reference: &[u8],
        urls: &mut StringInterner,
    ) -> u32 {
        let long = resolver.folder().len() + reference.len() > LONGEST_CACHED;
        if long || !Resolver::is_shareable(reference) {
            return parse(resolver, reference, urls);
        }
        if self.cached.len() >= CACHED {
            self.clear_cache();
        }
        self.key.clear();
        self.key.extend_from_slice(resolver.folder().as_bytes());
        self.key.push(b' ');
        self.key.extend_from_slice(reference);
        let number = self.cached.intern(&self.key) as usize;
        if number == self.cached_targets.len() {
            let target = parse(resolver, reference, urls);
            self.cached_targets.push(target);
        }
        self.cached_targets[number]
    }

    /// Roughly its size in memory.
    pub(super) fn bytes_held(&self) -> usize {
        self.cached.bytes_held()
    }

    /// Drops the cached targets.
    pub(super) fn clear_cache(&mut self) {
        self.cached.clear();
        self.cached_targets.clear();
    }
}

fn parse(resolver: &Resolver, reference: &[u8], urls: &mut StringInterner) -> u32 {
    if reference.len() > LONGEST_URL {
        return NO_PAGE;
    }
    resolver
        .resolve(&String::from_utf8_lossy(reference))
        .map_or(NO_PAGE, |url| urls.intern(url.as_bytes()))
}
