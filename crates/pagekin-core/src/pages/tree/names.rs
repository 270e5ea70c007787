//! Direct-mapped cache of html5ever's names.

use html5ever::LocalName;

use super::super::tags::{Tag, TagName};

const SLOTS: usize = 256;
/// A longer name may share its number with another.
const LONGEST_EXACT: usize = 8;

/// Names met in a page: looking them up here is faster than in the library's table.
pub(super) struct NameCache(Vec<Option<(Tag, LocalName)>>);

impl Default for NameCache {
    fn default() -> Self {
        Self(vec![None; SLOTS])
    }
}

impl NameCache {
    /// A name in lower case, given in any.
    pub(super) fn get(&mut self, name: &[u8]) -> LocalName {
        if name.len() > LONGEST_EXACT {
            return intern(name);
        }
        let tag = TagName::lower_any(name).tag();
        let slot = &mut self.0[tag.spread() as usize % SLOTS];
        match slot {
            Some((known, found)) if *known == tag => found.clone(),
            _ => slot.insert((tag, intern(name))).1.clone(),
        }
    }
}

fn intern(name: &[u8]) -> LocalName {
    LocalName::from(&*String::from_utf8_lossy(&name.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_html5ever() {
        let mut names = NameCache::default();
        let letters = || (b'a'..=b'z').map(char::from);
        for _ in 0..2 {
            for (one, two) in letters().flat_map(|one| letters().map(move |two| (one, two))) {
                let name = format!("{one}nam{two}");
                assert_eq!(*names.get(name.to_uppercase().as_bytes()), *name);
            }
            for name in ["", "a", "div", "foreignobject", "foreignobjecu", "\u{e9}"] {
                assert_eq!(*names.get(name.as_bytes()), *name);
            }
        }
    }
}
