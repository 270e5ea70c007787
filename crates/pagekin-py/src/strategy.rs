//! The strategy in the form that the core takes.

use pagekin_core::strategy::{self as core, Concept, Frequency, KindWeights, Topic, WindowKind};
use pagekin_core::text::{
    stemmer_names, Language, Stemming, TermMaker, TermMakers, TermRules, WordStemmer,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A strategy, checked and ready for the kernels.
#[pyclass(frozen, name = "Strategy", module = "pagekin._core")]
pub struct PyStrategy(pub core::Strategy);

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Fields {
    kinds: KindWeights,
    window_kind: String,
    window_size: usize,
    distance: bool,
    lead: u32,
    template_pages: u32,
    stemming: String,
    stemmer: String,
    stop_words: Option<Vec<String>>,
    language_stop_words: bool,
    frequency: String,
    mu: f64,
    sigma: f64,
    normalise_kinds: bool,
    concept_weight: f64,
    concept_kinds: KindWeights,
    concept_power: f64,
    concept_cited: f64,
    topic_weight: f64,
    topic_kinds: KindWeights,
}

#[pymethods]
impl PyStrategy {
    /// A strategy of the flat fields that Python's `Strategy.to_core` gives.
    #[new]
    fn new(fields: &Bound<'_, PyAny>) -> PyResult<Self> {
        let fields: Fields = fields.extract()?;
        Ok(Self(core::Strategy {
            kinds: fields.kinds,
            window: window(&fields.window_kind)?,
            size: fields.window_size,
            distance: fields.distance,
            lead: fields.lead,
            template_pages: fields.template_pages,
            frequency: frequency(&fields)?,
            normalise_kinds: fields.normalise_kinds,
            terms: terms(&fields)?,
            concept: concept(&fields),
            topic: topic(&fields),
        }))
    }
}

fn unknown(field: &str, value: &str) -> PyErr {
    PyValueError::new_err(format!("{field} = {value} is not known to the core"))
}

fn window(name: &str) -> PyResult<WindowKind> {
    match name {
        "basic" => Ok(WindowKind::Basic),
        "syntactic" => Ok(WindowKind::Syntactic),
        "topical" => Ok(WindowKind::Topical),
        _ => Err(unknown("window_kind", name)),
    }
}

fn frequency(fields: &Fields) -> PyResult<Frequency> {
    match fields.frequency.as_str() {
        "none" => Ok(Frequency::None),
        "log" => Ok(Frequency::Log),
        "sqrt" => Ok(Frequency::Sqrt),
        "nmdf" => Ok(Frequency::Nmdf {
            mu: fields.mu,
            sigma: fields.sigma,
        }),
        name => Err(unknown("frequency", name)),
    }
}

fn concept(fields: &Fields) -> Option<Concept> {
    (fields.concept_weight > 0.0).then_some(Concept {
        weight: fields.concept_weight,
        kinds: fields.concept_kinds,
        power: fields.concept_power,
        cited: fields.concept_cited,
    })
}

fn topic(fields: &Fields) -> Option<Topic> {
    (fields.topic_weight > 0.0).then_some(Topic {
        weight: fields.topic_weight,
        kinds: fields.topic_kinds,
    })
}

fn terms(fields: &Fields) -> PyResult<TermMakers> {
    let stemming = match fields.stemming.as_str() {
        "nostem" => Stemming::NoStem,
        "stem" => Stemming::Stem,
        "stopstem" => Stemming::StopStem,
        name => return Err(unknown("stemming", name)),
    };
    let stemmer = match fields.stemmer.as_str() {
        "auto" => None,
        name => Some(WordStemmer::named(name).ok_or_else(|| unknown("stemmer", name))?),
    };
    let english = || TermMaker::english_stop_words().map(str::to_owned).collect();
    let given = fields.stop_words.clone();
    Ok(TermMakers::new(TermRules {
        stemming,
        stemmer,
        stop_words: (!fields.language_stop_words).then(|| given.unwrap_or_else(english)),
    }))
}

/// The names of the stemmers.
#[pyfunction]
pub fn stemmers() -> Vec<&'static str> {
    stemmer_names().to_vec()
}

/// A term: its id, and its text.
#[pyclass(frozen, get_all, module = "pagekin._core")]
pub struct Term {
    id: u64,
    text: String,
}

/// The languages with these codes; None is an unknown one.
pub fn languages(codes: &[Option<String>]) -> Vec<Option<Language>> {
    let named = |code: &Option<String>| code.as_deref().and_then(Language::named);
    match codes {
        [] => vec![None],
        _ => codes.iter().map(named).collect(),
    }
}

/// The term that the strategy makes of a word in a language, or None for a stop word.
#[pyfunction]
#[pyo3(signature = (strategy, word, language=None))]
pub fn term_of(strategy: &PyStrategy, word: &str, language: Option<&str>) -> Option<Term> {
    let language = language.and_then(Language::named);
    let text = strategy.0.terms.of(language).text(word)?;
    let id = pagekin_core::hash::word_term(&text);
    Some(Term { id, text })
}
