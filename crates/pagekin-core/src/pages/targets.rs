//! Where the links of a page lead.

use crate::address::{Resolver, LONGEST_ADDRESS};
use crate::text::{Glance, Strings};

/// How many resolved references are remembered.
const REMEMBERED: usize = 1 << 18;
/// Longer references are not remembered.
const LONGEST_REMEMBERED: usize = 512;
/// How many targets are looked up side by side.
const SIDE_BY_SIDE: usize = 64;

/// The target of a reference that leads to no page.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The references of the page under way, and where those of the pages before led.
#[derive(Debug, Default)]
pub(super) struct Targets {
    references: Vec<u8>,
    ends: Vec<usize>,
    remembered: Strings,
    remembered_targets: Vec<u32>,
    key: Vec<u8>,
    /// The plain targets that are looked up side by side.
    plain: Vec<u8>,
}

/// The page that references are of.
pub(super) struct Base {
    pub(super) resolver: Resolver,
    /// The number of its URL.
    pub(super) page: u32,
    /// It says itself what its references are relative to.
    pub(super) is_declared: bool,
}

/// What a look at a reference alone tells of its target.
#[derive(Clone, Copy)]
enum Look {
    Number(u32),
    /// It is put together, and ends here among the others.
    Plain(usize),
    Odd,
}

impl Targets {
    /// Adds a reference of the page under way.
    pub(super) fn push(&mut self, reference: &[u8]) {
        self.references.extend_from_slice(reference.trim_ascii());
        self.ends.push(self.references.len());
    }

    /// How many references the page under way has.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Drops the references of the page under way.
    pub(super) fn clear(&mut self) {
        self.references.clear();
        self.ends.clear();
    }

    /// Tells `take` the number of each reference's target in turn, until it has enough.
    pub(super) fn resolve(
        &mut self,
        base: &Base,
        urls: &mut Strings,
        mut take: impl FnMut(u32) -> bool,
    ) {
        let references = std::mem::take(&mut self.references);
        let ends = std::mem::take(&mut self.ends);
        let mut start = 0;
        for ends in ends.chunks(SIDE_BY_SIDE) {
            let mut together = [&[][..]; SIDE_BY_SIDE];
            for (reference, &end) in together.iter_mut().zip(ends) {
                *reference = &references[std::mem::replace(&mut start, end)..end];
            }
            if !self.resolve_some(base, &together[..ends.len()], urls, &mut take) {
                break;
            }
        }
        (self.references, self.ends) = (references, ends);
    }

    /// Does so for some references. Most of the work is waiting for memory, so all of them are
    /// looked for side by side.
    fn resolve_some(
        &mut self,
        base: &Base,
        references: &[&[u8]],
        urls: &mut Strings,
        mut take: impl FnMut(u32) -> bool,
    ) -> bool {
        let mut looks = [Look::Odd; SIDE_BY_SIDE];
        let mut hashes = [0; SIDE_BY_SIDE];
        self.plain.clear();
        for (place, reference) in references.iter().enumerate() {
            let start = self.plain.len();
            looks[place] = self.look(base, reference);
            hashes[place] = Glance::hash(&self.plain[start..]);
        }
        let glances = hashes.map(|hash| urls.glance(hash));
        let mut start = 0;
        let looks = looks.into_iter().zip(glances);
        references
            .iter()
            .zip(looks)
            .all(|(reference, (look, glance))| {
                take(match look {
                    Look::Number(number) => number,
                    Look::Plain(end) => {
                        let target = &self.plain[std::mem::replace(&mut start, end)..end];
                        urls.intern_after(glance, target)
                    }
                    Look::Odd => self.odd(&base.resolver, reference, urls),
                })
            })
    }

    fn look(&mut self, base: &Base, reference: &[u8]) -> Look {
        let within = !base.is_declared && matches!(reference.first(), None | Some(b'#'));
        if within && reference.len() <= LONGEST_ADDRESS {
            return Look::Number(base.page);
        }
        if Resolver::is_foreign(reference) {
            return Look::Number(NOWHERE);
        }
        if base.resolver.resolve_plain(reference, &mut self.plain) {
            Look::Plain(self.plain.len())
        } else {
            Look::Odd
        }
    }

    /// The target of a reference that is not plain. Parsing these is dear, and most recur on
    /// pages of the same folder.
    fn odd(&mut self, resolver: &Resolver, reference: &[u8], urls: &mut Strings) -> u32 {
        let long = resolver.folder().len() + reference.len() > LONGEST_REMEMBERED;
        if long || !Resolver::is_shareable(reference) {
            return parsed(resolver, reference, urls);
        }
        if self.remembered.len() >= REMEMBERED {
            self.forget();
        }
        self.key.clear();
        self.key.extend_from_slice(resolver.folder().as_bytes());
        self.key.push(b' ');
        self.key.extend_from_slice(reference);
        let number = self.remembered.intern(&self.key) as usize;
        if number == self.remembered_targets.len() {
            let target = parsed(resolver, reference, urls);
            self.remembered_targets.push(target);
        }
        self.remembered_targets[number]
    }

    /// Roughly what is held in memory.
    pub(super) fn bytes_held(&self) -> usize {
        self.remembered.bytes_held()
    }

    /// Forgets where references of the pages before led.
    pub(super) fn forget(&mut self) {
        self.remembered.clear();
        self.remembered_targets.clear();
    }
}

fn parsed(resolver: &Resolver, reference: &[u8], urls: &mut Strings) -> u32 {
    if reference.len() > LONGEST_ADDRESS {
        return NOWHERE;
    }
    resolver
        .resolve(&String::from_utf8_lossy(reference))
        .map_or(NOWHERE, |url| urls.intern(url.as_bytes()))
}
