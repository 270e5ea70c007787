//! The anchors and breaks of a block's pages, from which they can be made again without their bytes.

use crate::columns::{check_length, impl_column, CodecError, Ragged, StringColumn};
use crate::pages::{Anchor, Break};

/// The target of a link of a page to itself.
pub(crate) const ITSELF: u32 = u32::MAX;

/// Anchors and breaks of the pages of a block; no rows if only words are needed.
#[derive(Debug, Default)]
pub(crate) struct LayoutColumns {
    /// The URLs that the pages link to.
    pub targets: StringColumn,
    /// The links of each page: their targets are numbers of `targets`, or [`ITSELF`].
    pub anchors: Ragged<Anchor, u32>,
    pub breaks: Ragged<Break, u32>,
}

impl_column!(LayoutColumns {
    targets,
    anchors,
    breaks,
});

impl LayoutColumns {
    /// Fails unless each of the pages has a row, and each link a target.
    pub(super) fn check(&self, pages: usize) -> Result<(), CodecError> {
        if self.anchors.is_empty() && self.breaks.is_empty() {
            return Ok(());
        }
        check_length("pages with links", pages, self.anchors.len())?;
        check_length("pages with breaks", pages, self.breaks.len())?;
        let targets = self.targets.len();
        let is_outside = |link: &&Anchor| link.target != ITSELF && link.target as usize >= targets;
        match self.anchors.values().iter().find(is_outside) {
            Some(link) => {
                let found = link.target.into();
                Err(CodecError::outside("targets", targets as u64, found))
            }
            None => Ok(()),
        }
    }

    /// The target of a link; nothing if that is the page itself.
    pub(crate) fn target_of(&self, link: &Anchor) -> Option<&str> {
        (link.target != ITSELF).then(|| self.targets.get(link.target as usize))
    }
}
