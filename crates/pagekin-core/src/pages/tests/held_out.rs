//! See-also sections and the links of chosen pages are left out, and handed back as pairs.

use super::super::block::{PageRow, PageView};
use super::super::builder::{HeldOut, HoldOut, PageBuilder};
use super::super::{stream, tree};
use crate::hash::url_id;

const PAGE: &str = "http://a.example/d/p.html";

/// The words of a page that stay, the paths of its links that stay, and what was held out.
type ReadPage = (String, Vec<String>, HeldOut);

fn kept(kind: HoldOut, read: impl Fn(&mut PageBuilder)) -> ReadPage {
    let mut builder = PageBuilder::holding_out(Some(kind));
    read(&mut builder);
    builder.finish(PAGE, None, None, PageRow::default());
    let block = &builder.block;
    let page: PageView<'_> = block.page(0);
    let words = page.words.iter().map(|&word| block.vocabulary.get(word));
    let words: Vec<&str> = words.collect();
    let links = page.anchors.iter().map(|link| {
        assert!(link.last as usize <= words.len());
        let url = block.urls.get(link.target);
        url.trim_start_matches("http://a.example/d/").to_owned()
    });
    let positions: Vec<u32> = page.breaks.iter().map(|at| at.position).collect();
    assert!(
        positions.is_sorted_by(|one, next| one < next),
        "{positions:?}"
    );
    let links = links.collect();
    (words.join(" "), links, builder.take_held_out())
}

/// By both readers, which must agree.
fn held(kind: HoldOut, html: &str) -> ReadPage {
    let by_tree = kept(kind, |builder| assert!(tree::read(html, builder)));
    let by_stream = kept(kind, |builder| {
        stream::read(html, builder, true);
    });
    assert_eq!(by_stream, by_tree, "{html}");
    by_tree
}

fn listed(pages: &[&str]) -> Vec<(u64, u64)> {
    let id = |page: &&str| url_id(format!("http://a.example/d/{page}"));
    pages.iter().map(|page| (url_id(PAGE), id(page))).collect()
}

#[track_caller]
fn check(html: &str, words: &str, links: &[&str], related: &[&str]) {
    let (found_words, found_links, held_out) = held(HoldOut::SeeAlso, html);
    assert_eq!(found_words, words);
    assert_eq!(found_links, links);
    assert_eq!(held_out.pairs, listed(related));
    assert_eq!(held_out.pages, 1);
}

#[test]
fn section_ends_before_a_heading_of_its_level() {
    check(
        "<h1>A page</h1><p>text <a href=x>one</a></p><h2>See also</h2><ul><li><a href=b>Bee</a> \
         a note<li><a href=c>Cee</a></ul><h3>Deeper</h3><a href=d>Dee</a><h2>Notes</h2>end \
         <a href=y>two</a>",
        "a page text one notes end two",
        &["x", "y"],
        &["b", "c", "d"],
    );
}

#[test]
fn section_ends_with_the_block_around_its_heading() {
    check(
        "<div class=refsect1><h2>See Also</h2><a href=b>B</a>, <a href=c>C</a></div>\
         <div class=nav><a href=next>Next</a></div>",
        "next",
        &["next"],
        &["b", "c"],
    );
}

#[test]
fn admonition_of_sphinx_is_a_section() {
    check(
        "<p>Before.</p><div class='admonition seealso'><p class='admonition-title'>See also</p>\
         <p><a href=b>B</a> and</p><dl><dt><a href=c>C</a><dd>what it is</dl></div><p>After \
         <a href=d>D</a></p>",
        "before after d",
        &["d"],
        &["b", "c"],
    );
}

#[test]
fn label_elsewhere_has_the_block_that_follows() {
    let after = "<p>After <a href=d>D</a></p>";
    for label in [
        "<p>See also:</p><ul><li><a href=b>B</a></ul>",
        "<p><b>See also</b></p><p>this <a href=b>B</a>.</p>",
        "<p><strong>See also:</strong> <a href=b>B</a>.</p>",
        "<b>See also</b>: <a href=b>B</a>",
        "<table><tr><th>See also<td><a href=b>B</a></table>",
    ] {
        check(
            &format!("<p>Before</p>{label}{after}"),
            "before after d",
            &["d"],
            &["b"],
        );
    }
    check(
        "<dl><dt>See also<dd><a href=b>B</a><dt>Returns<dd>a <a href=d>D</a></dl>",
        "returns a d",
        &["d"],
        &["b"],
    );
}

#[test]
fn heading_in_a_block_of_its_own_heads_what_follows() {
    check(
        "<div class=mw-heading><h2 id=x>See also</h2><span>[<a href=edit>edit</a>]</span></div>\
         <ul><li><a href=b>B</a></ul><div class=mw-heading><h2>Notes</h2></div>end",
        "notes end",
        &[],
        &["edit", "b"],
    );
}

#[test]
fn numbers_edit_links_and_permalinks_belong_to_a_heading() {
    for title in [
        "3. See also:",
        "3.2 SEE ALSO",
        "See also [edit]",
        "Voir aussi [modifier | modifier le code]",
        "See also<a href=#s>¶</a>",
        "<a href=#s>See also</a>",
        "<b>See</b> also",
    ] {
        check(
            &format!("text<h3>{title}</h3><a href=b>B</a>"),
            "text",
            &[],
            &["b"],
        );
    }
}

#[test]
fn titles_of_many_languages_are_known() {
    for title in [
        "Further reading",
        "Related articles",
        "Siehe auch",
        "Voir aussi",
        "Véase también",
        "Ver também",
        "Vedi anche",
        "Zie ook",
        "Zobacz też",
        "См. также",
        "Див. також",
        "Viz též",
        "Se även",
        "Se også",
        "Katso myös",
        "Lásd még",
        "Vezi și",
        "Vegeu també",
        "Ayrıca Bakınız",
        "Δείτε επίσης",
        "関連項目",
        "参见",
        "같이 보기",
        "انظر أيضا",
        "ראו גם",
        "इन्हें भी देखें",
        "Xem thêm",
        "Lihat pula",
        "ดูเพิ่ม",
    ] {
        check(
            &format!("text<h2>{title}</h2><a href=b>B</a>"),
            "text",
            &[],
            &["b"],
        );
    }
}

#[test]
fn other_pages_stay_whole() {
    for html in [
        "",
        "see also <a href=b>B</a>",
        "<p>See also the <a href=b>B</a></p>",
        "<h2>See also the notes</h2><a href=b>B</a>",
        "<ul><li><p><a href=#s>See also</a></p><li><p><a href=b>B</a></ul>",
        "<h2></h2><p></p><b></b>",
        "<p>a few short words</p><h2>Internationalisation of telecommunications</h2>",
    ] {
        let (words, links, held_out) = held(HoldOut::SeeAlso, html);
        assert_eq!(held_out, HeldOut::default(), "{html}");
        let plain = super::by_tree(html);
        assert_eq!(words, plain.words.join(" "));
        assert_eq!(links.len(), plain.anchors.len());
    }
}

#[test]
fn titles_may_have_long_words() {
    check(
        "a few words<h2>Internationalisation</h2>b<h2>See also</h2><a href=b>telecommunications</a>",
        "a few words internationalisation b",
        &[],
        &["b"],
    );
}

#[test]
fn section_without_links_is_counted() {
    check("a<h2>See also</h2>nothing", "a", &[], &[]);
}

#[test]
fn chosen_page_keeps_its_words_and_loses_its_links() {
    let html = "<p><a href=b>B</a>, <a href=c>C</a> and <a href=c>C</a> <a href=p.html>P</a></p>\
         <p><a href=d>D</a></p>and<ul><li><a href=e>E</a><li><a href=f>F</a></ul>\
         <a href=g>G</a><h2><a href=h>H</a></h2>";
    let links = |share| HoldOut::Links { share, seed: 0 };
    let (words, kept, held_out) = held(links(1.0), html);
    assert_eq!(words, "b c and c p d and e f g h");
    assert!(kept.is_empty());
    let id = |page| url_id(format!("http://a.example/d/{page}"));
    let pairs = [("b", "c"), ("c", "b"), ("e", "f"), ("f", "e")];
    assert_eq!(
        held_out.pairs,
        pairs.map(|(one, other)| (id(one), id(other)))
    );
    assert_eq!(held_out.pages, 1);
    let (_, kept, held_out) = held(links(0.0), html);
    assert_eq!((kept.len(), held_out), (9, HeldOut::default()));
}
