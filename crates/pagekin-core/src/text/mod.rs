//! Words: cutting text into them, keeping each once, and what a strategy makes
//! of them (stems, stop words).

mod interner;
mod letters;
mod marks;
mod recent;
mod run;
mod scanner;
mod short;
mod stemmer;
mod strings;
mod terms;
mod units;

pub use interner::Interner;
pub use scanner::{WordScanner, WordSink};
pub use short::ShortWord;
pub use stemmer::{stemmer_names, Stem};
pub use strings::{Glance, Strings};
pub use terms::{words_of, Stemming, TermMaker};
