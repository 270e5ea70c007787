use super::*;

/// Texts of a page, and whether the last sentence has ended behind them.
fn ended(texts: &[&str]) -> bool {
    let mut builder = PageBuilder::default();
    texts.iter().for_each(|text| builder.text(text.as_bytes()));
    let mut before_markup = PageBuilder::default();
    for text in texts {
        before_markup.text_before_markup(format!("{text}<p>").as_bytes(), 0);
    }
    assert_eq!(builder.sentence_ended, before_markup.sentence_ended);
    builder.sentence_ended
}

/// A minimal reader: a title in the first line, then a paragraph a line; `@URL` is a link.
fn read_lines(text: &str, builder: &mut PageBuilder) {
    let (title, text) = text.split_once('\n').unwrap_or((text, ""));
    builder.title(title.as_bytes());
    for line in text.lines() {
        if let Some(url) = line.strip_prefix('@') {
            let anchor = builder.open_anchor(url.as_bytes(), None);
            builder.text(url.as_bytes());
            builder.close_anchor(anchor);
        } else {
            builder.text(line.as_bytes());
            builder.boundary();
        }
        builder.add_break(breaks::PARAGRAPH);
    }
}

#[test]
fn minimal_reader_makes_a_page() {
    let mut builder = PageBuilder::default();
    read_lines("A title\nTwo words\n@/more\nend", &mut builder);
    builder.finish("http://a.example/", None, None, PageRow::default());
    let page = builder.block.page(0);
    let words = page
        .words
        .iter()
        .map(|&at| builder.block.vocabulary.get(at));
    assert_eq!(words.collect::<Vec<_>>(), ["two", "words", "more", "end"]);
    assert_eq!((page.title, page.title_words.len()), ("A title", 2));
    let link = page.anchors[0];
    assert_eq!((link.first, link.last), (2, 3));
    assert_eq!(builder.block.urls.get(link.target), "http://a.example/more");
    let breaks: Vec<u32> = page.breaks.iter().map(|at| at.position).collect();
    assert_eq!(breaks, [2, 3, 4]);
}

#[test]
fn ignored_characters_do_not_change_the_sentence_end() {
    assert!(ended(&["An end.", " \n", "\") "]));
    assert!(!ended(&["An end.", "None", " "]));
    assert!(!ended(&[" "]));
}

#[test]
fn sentence_end_is_forgotten_with_its_page() {
    let mut builder = PageBuilder::default();
    builder.text(b"An end.");
    assert!(builder.sentence_ended);
    builder.abandon();
    assert!(!builder.sentence_ended);
}
