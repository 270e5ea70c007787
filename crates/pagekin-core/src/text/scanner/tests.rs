use super::buffer::LONGEST_WORD;
use super::*;

fn words(pieces: &[&str]) -> Vec<String> {
    let mut scanner = WordScanner::default();
    let mut out = Vec::new();
    for piece in pieces {
        scanner.scan(piece.as_bytes(), &mut out);
    }
    scanner.finish(&mut out);
    out
}

#[test]
fn words_are_runs_of_letters() {
    assert_eq!(
        words(&["Don't, mp3 GARDENS_x"]),
        ["don", "t", "mp", "gardens", "x"]
    );
}

#[test]
fn word_continues_in_the_next_piece() {
    assert_eq!(words(&["caf", "é", "s ", "CAFE\u{301}"]), ["cafés", "café"]);
}

#[test]
fn case_marks_and_joiners_are_normalised() {
    assert_eq!(
        words(&["ΣΊΣΥΦΟΣ Straße data\u{ad}base"]),
        ["σίσυφος", "straße", "database"]
    );
    assert_eq!(words(&["हिन्दी भाषा"]), ["हिन्दी", "भाषा"]);
}

#[test]
fn scripts_without_spaces_give_bigrams() {
    assert_eq!(words(&["日本語"]), ["日本", "本語"]);
    assert_eq!(words(&["水"]), ["水"]);
    assert_eq!(words(&["日", "本", "web東"]), ["日本", "web", "東"]);
    assert_eq!(words(&["ไทย"]), ["ไท", "ทย"]);
    assert_eq!(words(&["か\u{3099}き"]), ["がき"]);
}

#[test]
fn long_run_is_truncated() {
    let long = "a".repeat(1000);
    assert_eq!(words(&[&long]), ["a".repeat(LONGEST_WORD)]);
    let accented = "é".repeat(1000);
    assert_eq!(words(&[&accented])[0].len(), LONGEST_WORD);
}

/// A text that a tag ends.
struct Tag;

impl TextEnd for Tag {
    const BYTES: &'static [u8] = b"<";

    fn ends_word(_: &[u8]) -> bool {
        true
    }
}

#[test]
fn masks_find_the_same_words_as_single_bytes() {
    const PIECES: &[&str] = &[
        "a",
        "Zebra",
        "-",
        " ",
        "é",
        "’",
        "1",
        "incomprehensibly",
        "日",
    ];
    let mut state = 7u64;
    for length in 0..400 {
        let mut text = String::new();
        for _ in 0..length {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            text.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        let html = format!("{text}<p>{}", " ".repeat(length));
        let (mut scanner, mut found) = (WordScanner::default(), Vec::new());
        let end = scanner.scan_until::<Tag>(html.as_bytes(), 0, &mut found);
        scanner.finish(&mut found);
        assert_eq!(end, text.len());
        assert_eq!(found, words(&[&text]), "{text}");
    }
}

#[test]
fn two_byte_letters_match_the_unicode_libraries() {
    let slowly = |text: &str| {
        let mut scanner = WordScanner::default();
        let mut out = Vec::new();
        for letter in text.chars() {
            if letter.is_ascii() {
                scanner.scan(letter.encode_utf8(&mut [0; 4]).as_bytes(), &mut out);
            } else {
                scanner.character(letter, &mut out);
            }
        }
        scanner.finish(&mut out);
        out
    };
    for letter in ('\u{80}'..'\u{800}').chain('\u{2000}'..'\u{2070}') {
        for text in [
            format!("{letter}"),
            format!("a{letter}B {letter}{letter}C"),
            format!("{letter}\u{301}x \u{301}{letter}"),
            format!("ΑΣ{letter}Σ日{letter}本{letter}"),
            format!("{}{letter}", "é".repeat(LONGEST_WORD / 2 - 1)),
            format!("{}{letter}", "x".repeat(LONGEST_WORD - 1)),
        ] {
            assert_eq!(words(&[&text]), slowly(&text), "{text}");
        }
    }
}
