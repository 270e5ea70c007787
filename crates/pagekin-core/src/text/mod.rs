//! Words: tokenising text into them, interning them, and turning them into terms (stemming, stop
//! words).

mod bigrams;
mod buffer;
mod digest;
mod language;
mod letters;
mod masks;
mod scanner;
mod short;
mod spans;
mod stemmer;
mod string_interner;
mod term_makers;
mod terms;
mod word_interner;

pub use digest::WordDigest;
pub use language::{detect_language, is_stop_word, sample, stop_words, Language};
pub use scanner::{TextEnd, WordScanner, WordSink};
pub use short::ShortWord;
pub use spans::{is_word_part, scan_words, WordSpans};
pub use stemmer::{stemmer_names, WordStemmer};
pub use string_interner::StringInterner;
pub use term_makers::{likeliest_term, TermMakers, TermRules};
pub use terms::{words_of, Stemming, TermMaker};
pub use word_interner::WordInterner;
