//! URLs whose 64-bit ids were chosen to equal those of others: a URL is its bytes, not its id.
//!
//! Of URLs with the same id the crawled page gets the row, or, if none was crawled, the first URL in
//! the alphabet. The others, and the links to them, are left out and counted.

use std::collections::BTreeSet;

use crate::bags::merge::UrlRow;
use crate::fragments::FragmentBlock;
use crate::sorting::Ranks;

/// A URL's block, and its number there.
pub(in crate::bags) type UrlName = (u32, u32);
/// An id, and a URL that has it.
pub(in crate::bags) type UrlUse = (u64, UrlName);

/// The name of a row without a name.
pub(in crate::bags) const NAMELESS: UrlName = (u32::MAX, 0);

/// The URLs of a partition that are left out.
#[derive(Debug, Default)]
pub(in crate::bags) struct ForgedUrls {
    names: BTreeSet<UrlName>,
    /// How many distinct ones there are.
    pub(in crate::bags) count: usize,
}

impl ForgedUrls {
    /// Names the rows that have no page, and finds the URLs that have the id of a row but not its bytes.
    pub(in crate::bags) fn find(
        blocks: &[FragmentBlock],
        uses: &[UrlUse],
        ids: &Ranks,
        rows: &mut [UrlRow],
    ) -> Self {
        let bytes = |name: UrlName| blocks[name.0 as usize].urls.bytes_of(name.1 as usize);
        let mut is_forged = false;
        for &(id, name) in uses {
            let Some(row) = ids.find(id) else { continue };
            let row = &mut rows[row as usize];
            if row.name == NAMELESS {
                row.name = name;
            } else if row.name != name {
                is_forged |= bytes(row.name) != bytes(name);
            }
        }
        if is_forged {
            Self::settle(bytes, uses, ids, rows)
        } else {
            Self::default()
        }
    }

    #[cold]
    fn settle<'a>(
        bytes: impl Fn(UrlName) -> &'a [u8],
        uses: &[UrlUse],
        ids: &Ranks,
        rows: &mut [UrlRow],
    ) -> Self {
        let known = || (uses.iter()).filter_map(|&(id, name)| Some((ids.find(id)? as usize, name)));
        for (row, name) in known() {
            let row = &mut rows[row];
            if row.page.is_none() && bytes(name) < bytes(row.name) {
                row.name = name;
            }
        }
        let others = known().filter(|&(row, name)| bytes(name) != bytes(rows[row].name));
        let names: BTreeSet<UrlName> = others.map(|(_, name)| name).collect();
        let distinct: BTreeSet<&[u8]> = names.iter().map(|&name| bytes(name)).collect();
        Self {
            count: distinct.len(),
            names,
        }
    }

    /// Whether a URL is one of them.
    #[inline]
    pub(in crate::bags) fn contains(&self, name: UrlName) -> bool {
        self.count > 0 && self.names.contains(&name)
    }
}
