//! Link targets: references of a page resolved to URLs of the block, in batches.

use crate::text::{SlotProbe, StringInterner};
use crate::url::{Resolver, LONGEST_URL};

/// How many resolved references are cached.
const CACHED: usize = 1 << 18;
/// The longest reference that is cached, with its folder.
const LONGEST_CACHED: usize = 512;
/// How many targets are looked up in one batch.
const BATCH: usize = 64;

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
    /// The plain targets of a batch.
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

/// What a reference alone says of its target.
#[derive(Clone, Copy)]
enum LinkTarget {
    Number(u32),
    /// A URL that ends here in the batch's buffer.
    Plain(usize),
    /// The URL library must say.
    Odd,
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
        for ends in ends.chunks(BATCH) {
            let mut batch = [&[][..]; BATCH];
            for (reference, &end) in batch.iter_mut().zip(ends) {
                *reference = &references[std::mem::replace(&mut start, end)..end];
            }
            if !self.resolve_batch(base, &batch[..ends.len()], urls, &mut take) {
                break;
            }
        }
        (self.references, self.ends) = (references, ends);
    }

    /// Does so for one batch. Most of the work is waiting for memory, so the first slots of all
    /// targets are fetched together.
    fn resolve_batch(
        &mut self,
        base: &LinkBase,
        references: &[&[u8]],
        urls: &mut StringInterner,
        mut take: impl FnMut(u32) -> bool,
    ) -> bool {
        let mut targets = [LinkTarget::Odd; BATCH];
        let mut hashes = [0; BATCH];
        self.plain.clear();
        for (place, reference) in references.iter().enumerate() {
            let start = self.plain.len();
            targets[place] = self.classify(base, reference);
            hashes[place] = SlotProbe::hash(&self.plain[start..]);
        }
        let probes = hashes.map(|hash| urls.probe(hash));
        let mut start = 0;
        let targets = targets.into_iter().zip(probes);
        references
            .iter()
            .zip(targets)
            .all(|(reference, (target, probe))| {
                take(match target {
                    LinkTarget::Number(number) => number,
                    LinkTarget::Plain(end) => {
                        let target = &self.plain[std::mem::replace(&mut start, end)..end];
                        urls.intern_probed(probe, target)
                    }
                    LinkTarget::Odd => self.resolve_odd(&base.resolver, reference, urls),
                })
            })
    }

    fn classify(&mut self, base: &LinkBase, reference: &[u8]) -> LinkTarget {
        let within = !base.is_declared && matches!(reference.first(), None | Some(b'#'));
        if within && reference.len() <= LONGEST_URL {
            return LinkTarget::Number(base.page);
        }
        if Resolver::is_foreign(reference) {
            return LinkTarget::Number(NO_PAGE);
        }
        if base.resolver.resolve_plain(reference, &mut self.plain) {
            LinkTarget::Plain(self.plain.len())
        } else {
            LinkTarget::Odd
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
