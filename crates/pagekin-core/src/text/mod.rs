//! Words: tokenising text into them, interning them, and turning them into terms (stemming, stop
//! words).

mod digest;
mod language;
mod scanner;
mod short;
mod spans;
mod string_interner;
mod terms;
mod word_interner;

pub use digest::WordDigest;
pub use language::{detect_language, is_stop_word, sample, stop_words, Language};
pub use scanner::{TextEnd, WordScanner, WordSink};
pub use short::ShortWord;
pub use spans::{is_word_part, scan_words, WordSpans};
pub use string_interner::StringInterner;
pub use terms::stemmer::{stemmer_names, WordStemmer};
pub use terms::term_makers::{likeliest_term, TermMakers, TermRules};
pub use terms::{words_of, Stemming, TermMaker};
pub use word_interner::WordInterner;
