//! Names as html5ever has them.

use html5ever::LocalName;

use super::super::tags::Tag;

const SLOTS: usize = 256;
/// A longer name is not told by its tag alone.
const LONGEST: usize = 8;

/// Names of a page met so far: looking them up in the library's table takes longer.
pub(super) struct Names(Vec<Option<(Tag, LocalName)>>);

impl Default for Names {
    fn default() -> Self {
        Self(vec![None; SLOTS])
    }
}

impl Names {
    /// A name in lower case.
    pub(super) fn get(&mut self, name: &[u8]) -> LocalName {
        if name.len() > LONGEST {
            return new(name);
        }
        let tag = Tag::new(name);
        let known = &mut self.0[tag.spread() as usize % SLOTS];
        match known {
            Some((known, found)) if *known == tag => found.clone(),
            _ => known.insert((tag, new(name))).1.clone(),
        }
    }
}

fn new(name: &[u8]) -> LocalName {
    LocalName::from(&*String::from_utf8_lossy(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_library() {
        let mut names = Names::default();
        let letters = || (b'a'..=b'z').map(char::from);
        for _ in 0..2 {
            for (one, two) in letters().flat_map(|one| letters().map(move |two| (one, two))) {
                let name = format!("{one}nam{two}");
                assert_eq!(*names.get(name.as_bytes()), *name);
            }
            for name in ["", "a", "div", "foreignobject", "foreignobjecu", "\u{e9}"] {
                assert_eq!(*names.get(name.as_bytes()), *name);
            }
        }
    }
}
