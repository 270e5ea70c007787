//! Link prediction within a site: which pages ought to link to each other and do not?
//!
//! Wikification (Mihalcea and Csomai, *Wikify!*, 2007; Milne and Witten, *Learning to link with
//! Wikipedia*, 2008): what links call a page are its names, and a page that has such a name in its
//! text, outside of links, ought to link there. How often a name is a link, and where it leads,
//! says how likely that is; the similarity of the two pages says the rest.

mod dictionary;
mod suggest;
mod trie;

pub use dictionary::{AnchorDictionary, Mention, SiteLink};
pub use suggest::{LinkSuggester, Suggestion, Suggestions};
pub use trie::PhraseTrie;
