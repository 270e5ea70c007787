//! The language of a text: a few candidates by stop words, and whatlang to choose among them.
//!
//! Comparing a text with all of whatlang's Latin languages takes ten times as long, and finds
//! Latin or Tagalog in a table of function names. The language of a text without stop words is unknown,
//! whatever its trigrams look like.

use whatlang::{Detector, Lang};

use super::stop_lists::{listing, LISTED};
use super::Language;

/// The language of fewer words is not guessed.
const FEWEST_WORDS: usize = 10;
/// Minimum number of stop words that a text has of its language.
const FEWEST_STOP_WORDS: u32 = 3;
/// Maximum number of languages that are compared.
const CANDIDATES: usize = 4;
/// Above this whatlang calls its answer reliable.
const RELIABLE: f64 = 0.9;

/// The language of a text by a [`super::sample`] of its words; `None` if it is not recognised.
/// Where words leave it open, the language that the text says it is in decides.
pub fn detect_language(words: &[&str], declared: Option<Language>) -> Option<Language> {
    if words.len() < FEWEST_WORDS {
        return declared;
    }
    let mut text = String::new();
    // Names and code are in Latin letters on pages of any script.
    let others = words.iter().filter(|word| is_of_other_script(word));
    if others.clone().count() * 4 >= words.len() {
        others.for_each(|word| push_word(&mut text, word));
        let found = whatlang::detect(&text).filter(|found| found.confidence() >= RELIABLE);
        return found.map(|found| language_of(found.lang())).or(declared);
    }
    let candidates = candidates(words);
    let [(likeliest, most), ..] = candidates[..] else {
        return declared;
    };
    let declared_lang = declared.and_then(lang_of);
    if declared.is_some_and(|language| language == likeliest) && declared_lang.is_none() {
        return declared;
    }
    let known = candidates
        .iter()
        .filter_map(|&(language, _)| lang_of(language));
    let allowed: Vec<Lang> = known.chain(declared_lang).collect();
    words.iter().for_each(|word| push_word(&mut text, word));
    let Some(found) = Detector::with_allowlist(allowed).detect(&text) else {
        return declared;
    };
    let language = language_of(found.lang());
    if found.confidence() >= RELIABLE || language == likeliest {
        return Some(language);
    }
    let next = candidates.get(1).map_or(0, |&(_, count)| count);
    let is_clear = next * 3 <= most * 2;
    declared.or(is_clear.then_some(likeliest))
}

/// The languages with the most stop words among some words, each with its number of them.
fn candidates(words: &[&str]) -> Vec<(Language, u32)> {
    let mut counts: Vec<(Language, u32)> = LISTED.iter().map(|&each| (each, 0)).collect();
    for word in words {
        let mut languages = listing(word);
        while languages != 0 {
            counts[languages.trailing_zeros() as usize].1 += 1;
            languages &= languages - 1;
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let most = counts[0].1;
    counts.truncate(CANDIDATES);
    counts.retain(|&(_, count)| count >= FEWEST_STOP_WORDS && count * 2 >= most);
    counts
}

fn push_word(text: &mut String, word: &str) {
    text.push_str(word);
    text.push(' ');
}

/// Whether a word begins with a letter that is not Latin.
fn is_of_other_script(word: &str) -> bool {
    let first = word.chars().next();
    first.is_some_and(|letter| letter >= '\u{370}' && !('\u{1e00}'..'\u{1f00}').contains(&letter))
}

macro_rules! codes {
    ($($lang:ident $code:literal),* $(,)?) => {
        fn language_of(lang: Lang) -> Language {
            match lang {
                $(Lang::$lang => Language(*$code),)*
            }
        }

        /// The language as whatlang has it.
        pub(super) fn lang_of(language: Language) -> Option<Lang> {
            match &language.0 {
                $($code => Some(Lang::$lang),)*
                _ => None,
            }
        }
    };
}

codes! {
    Afr b"af", Aka b"ak", Amh b"am", Ara b"ar", Aze b"az", Bel b"be", Ben b"bn", Bul b"bg",
    Cat b"ca", Ces b"cs", Cmn b"zh", Cym b"cy", Dan b"da", Deu b"de", Ell b"el", Eng b"en",
    Epo b"eo", Est b"et", Fin b"fi", Fra b"fr", Guj b"gu", Heb b"he", Hin b"hi", Hrv b"hr",
    Hun b"hu", Hye b"hy", Ind b"id", Ita b"it", Jav b"jv", Jpn b"ja", Kan b"kn", Kat b"ka",
    Khm b"km", Kor b"ko", Lat b"la", Lav b"lv", Lit b"lt", Mal b"ml", Mar b"mr", Mkd b"mk",
    Mya b"my", Nep b"ne", Nld b"nl", Nob b"no", Ori b"or", Pan b"pa", Pes b"fa", Pol b"pl",
    Por b"pt", Ron b"ro", Rus b"ru", Sin b"si", Slk b"sk", Slv b"sl", Sna b"sn", Spa b"es",
    Srp b"sr", Swe b"sv", Tam b"ta", Tel b"te", Tgl b"tl", Tha b"th", Tuk b"tk", Tur b"tr",
    Ukr b"uk", Urd b"ur", Uzb b"uz", Vie b"vi", Yid b"yi", Zul b"zu",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words_of;

    fn detected(text: &str, declared: Option<&str>) -> Option<String> {
        let words = words_of(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let found = detect_language(&words, declared.and_then(Language::named));
        found.map(|language| language.code().to_owned())
    }

    #[test]
    fn languages_of_sentences_are_found() {
        for (code, text) in [
            ("en", "The server reads this file when it starts, and again whenever it is told to do so."),
            ("fr", "Le serveur lit ce fichier à son démarrage et chaque fois que vous le lui demandez."),
            ("de", "Der Server liest diese Datei, wenn er startet, und immer dann, wenn man ihn darum bittet."),
            ("es", "El servidor lee este archivo cuando se inicia y cada vez que se le pide que lo haga."),
            ("tr", "Sunucu bu dosyayı başladığında ve daha sonra her istendiğinde yeniden okur, ama daha çok değil."),
            ("ru", "Сервер читает этот файл при запуске и каждый раз, когда его об этом просят люди."),
            ("ja", "サーバは起動するときにこのファイルを読み込みます。"),
            ("el", "Ο διακομιστής διαβάζει αυτό το αρχείο όταν ξεκινά και κάθε φορά που του το ζητούν."),
        ] {
            assert_eq!(detected(text, None).as_deref(), Some(code), "{text}");
        }
    }

    #[test]
    fn names_and_few_words_are_in_no_language() {
        let names = "numpy linalg eigh svd qr cholesky lstsq pinv inv solve det norm cond";
        assert_eq!(detected(names, None), None);
        assert_eq!(detected("the end of it all", None), None);
        assert_eq!(detected("", None), None);
    }

    #[test]
    fn declaration_decides_where_words_do_not() {
        assert_eq!(detected("Accueil", Some("fr")).as_deref(), Some("fr"));
        let german =
            "Der Server liest diese Datei, wenn er startet, und auch dann, wenn man ihn bittet.";
        assert_eq!(detected(german, Some("en")).as_deref(), Some("de"));
    }

    #[test]
    fn code_among_words_of_another_script_does_not_matter() {
        let text = "<Directory> に AllowOverride None を設定すると .htaccess は完全に無視されます ServerRoot Options";
        assert_eq!(detected(text, None).as_deref(), Some("ja"));
    }
}
