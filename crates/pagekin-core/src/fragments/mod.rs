//! Pages to evidence about URLs.
//!
//! A page is evidence about itself (its words) and about every page it links
//! to (the words around the link, and the fact that it links).

mod windows;

pub use windows::{PageWindows, Window};
