use super::*;
use crate::text::{Stemming, TermRules, WordStemmer};

fn makers() -> TermMakers {
    TermMakers::new(TermRules {
        stemming: Stemming::Stem,
        stemmer: WordStemmer::named("porter"),
        stop_words: Some(vec!["the".into()]),
    })
}

/// The snippet with its marks in brackets.
fn snippet(text: &str, templates: Option<Range<u32>>, title: &str, words: &[&str]) -> String {
    let makers = makers();
    let weights = words.iter().zip(1..);
    let weight = |(word, weight): (&&str, u8)| (makers.of(None).id(word.as_bytes()), weight.into());
    let weights: TermMap<f32> = weights.map(weight).collect();
    let page = PageText {
        text: text.into(),
        templates: templates.into_iter().collect(),
    };
    let found = SnippetMaker::new(&makers).snippet(&page, title, None, &weights);
    let Some(found) = found else {
        return "none".into();
    };
    let letters: Vec<char> = found.text.chars().collect();
    let mut marked = String::new();
    let mut at = 0;
    for mark in found.marks {
        marked.extend(&letters[at..mark.start]);
        marked.push('[');
        marked.extend(&letters[mark.clone()]);
        marked.push(']');
        at = mark.end;
    }
    marked.extend(&letters[at..]);
    marked
}

const TEXT: &str = "Old roses\nHome Roses Hellebores\nA hedge keeps the wind away from the beds. Old \
    \u{201c}garden roses\u{201d} like loam, and so do the hellebores. Nothing else here matters.\nWrite to us";

#[test]
fn the_sentence_with_most_weight_is_shown_with_marks() {
    let shown = |words: &[&str]| snippet(TEXT, None, "Old roses", words);
    assert_eq!(
        shown(&["rose", "hellebore"]),
        "Old \u{201c}garden [roses]\u{201d} like loam, and so do the [hellebores]."
    );
    assert_eq!(
        shown(&["wind", "loam"]),
        "A hedge keeps the [wind] away from the beds. Old \u{201c}garden roses\u{201d} like [loam], \
         and so do the hellebores."
    );
}

#[test]
fn titles_and_templates_are_not_shown() {
    let shown =
        |templates: Option<Range<u32>>| snippet(TEXT, templates, "Old roses", &["old", "home"]);
    assert_eq!(
        shown(None),
        "[Home] Roses Hellebores … [Old] \u{201c}garden roses\u{201d} like loam, and so do the hellebores."
    );
    assert!(shown(Some(2..5)).starts_with("[Old] \u{201c}garden"));
}

#[test]
fn a_page_without_the_words_shows_its_first_sentence() {
    let shown = |templates: Option<Range<u32>>| snippet(TEXT, templates, "Old roses", &["zebra"]);
    assert_eq!(shown(None), "A hedge keeps the wind away from the beds.");
    assert_eq!(
        snippet("Old roses\nA menu", None, "Old roses", &["zebra"]),
        "none"
    );
    assert_eq!(snippet("", None, "", &["zebra"]), "none");
    assert_eq!(shown(Some(0..40)), "none");
}

#[test]
fn long_sentences_are_cut_between_words() {
    let many: Vec<String> = (0..200).map(|number| format!("w{number}x")).collect();
    let text = many.join(" ").replace("w100x", "rose w100x hellebore");
    let shown = snippet(&text, None, "", &["rose", "hellebore"]);
    assert!(
        shown.starts_with("… w9") && shown.ends_with("x …"),
        "{shown}"
    );
    assert!(
        shown.contains("x [rose] w100x [hellebore] w101x"),
        "{shown}"
    );
    assert!(shown.len() <= LENGTH + 20, "{shown}");
}

#[test]
fn marks_are_counted_in_characters_and_grow_over_bigrams() {
    let text = "ÄÖ\u{200b}Ü: 東京都の庭にはたくさんの薔薇が咲いています。";
    let found = snippet(text, None, "", &["東京", "京都", "薔薇"]);
    assert_eq!(
        found,
        "ÄÖÜ: [東京都]の庭にはたくさんの[薔薇]が咲いています。"
    );
}

#[test]
fn any_text_has_a_snippet_that_fits() {
    let alphabet: Vec<char> = "aRose rose. !?\n\u{200b}東京。é".chars().collect();
    let mut state = 7_u64;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..400 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        let shown = snippet(&text, Some(1..9), "a", &["rose", "東京"]);
        assert!(
            !shown.contains('\n') && shown.len() <= 2 * LENGTH,
            "{text:?}: {shown}"
        );
    }
}

#[test]
fn a_text_without_spaces_or_sentences_is_cut_between_letters() {
    let text = "東京".repeat(100_000);
    let shown = snippet(&text, None, "", &["東京"]);
    assert!(
        shown.starts_with("[東京") && shown.len() <= LENGTH + 20,
        "{shown}"
    );
}
