//! Pages written to be hard to read, each with what a browser makes of it.

use super::{agree, by_tree, stream, PageBuilder, PageContent};

/// Words, with the words of each link in brackets.
fn shown(content: &PageContent) -> String {
    let mut words = content.words.clone();
    for (first, last, target) in content.anchors.iter().rev() {
        let name = target.rsplit('/').next().unwrap_or_default();
        let inside = words
            .splice(*first as usize..*last as usize, [])
            .collect::<Vec<_>>()
            .join(" ");
        words.insert(*first as usize, format!("[{name}:{inside}]"));
    }
    words.join(" ")
}

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        agree(html);
        assert_eq!(shown(&by_tree(html)), *expected, "{html}");
    }
}

#[test]
fn links_that_do_not_nest_are_split() {
    check(&[
        (
            "<a href=x>one<a href=y>two</a>three",
            "[x:one] [y:two] three",
        ),
        ("<a href=x>one <p>two", "[x:one two]"),
        (
            "<p><a href=x>one</p><p>two</a>three",
            "[x:one] [x:two] three",
        ),
        ("<ul><li><a href=x>one<li>two</a></ul>", "[x:one] [x:two]"),
        ("<b><a href=x>one</b>two</a>", "[x:one] [x:two]"),
        ("<a href=x><h2>one</a>two</h2>", "[x:] [x:one] two"),
        ("<a name=n><h2>one</a>two</h2>", "one two"),
        (
            "<table><td><a href=x>one</td><td>two</a></table>three",
            "[x:one] two three",
        ),
        ("<a href=x><button>one</button></a>", "[x:one]"),
        (
            "<button><a href=x>one<button>two</a>",
            "[x:one] [x:] [x:two]",
        ),
        (
            "<a href=x><p>one<div>two</div></a>three",
            "[x:one two] three",
        ),
        (
            "<div><b><span></b><label></span><a href=x>one</label> two</a></div>",
            "[x:one] [x:two]",
        ),
        (
            "<div><a href=x><dialog>one</a>two</dialog></div>",
            "[x:one] two",
        ),
    ]);
    let nested = by_tree("<a href=x>one<table><td><a href=y>two</a></table></a>");
    assert_eq!(nested.anchors.len(), 2);
    assert_eq!(nested.anchors[0].1, 2);
}

#[test]
fn links_that_depend_on_their_surroundings_need_the_tree() {
    for (html, expected, suffices) in [
        (
            "<ul><a href=x><li>one</li></a><a href=y><li>two</li></a></ul>",
            "[x:one] [y:two]",
            false,
        ),
        ("<dl><a href=x><dt>one</dt></a></dl>", "[x:one]", false),
        ("<li><a href=x>one</span></a></li>two", "[x:one] two", false),
        (
            "<div><b><a href=x>one</label> two</a></b></div>",
            "[x:one two]",
            false,
        ),
        (
            "<a href=x><span><div>one</span></div></a>two",
            "[x:one] two",
            true,
        ),
        ("<a href=x><form>one</form></a>two", "[x:one] two", true),
        (
            "<a href=x><h1><p>one<h1>two</h1></a>three",
            "[x:one two] three",
            true,
        ),
        (
            "<dialog><p><a href=x>one</a></dialog>two",
            "[x:one] two",
            true,
        ),
    ] {
        assert_eq!(agree(html), suffices, "{html}");
        assert_eq!(shown(&by_tree(html)), expected, "{html}");
    }
    for html in [
        "<ul><li><a href=x>one<li>two</a></ul>",
        "<span><a href=x>one</span>two</a>",
        "<ul><li><div><a href=x>one<li>two</a></ul>",
        "<div><b><span></b><label></span><a href=x>one</label> two</a></div>",
        "<li><button><object></button></object><ul><button></button><a href=x><li>one</li></a>",
        "<div><a href=x><dialog>one</a>two</dialog></div>",
        "<dialog><div><a href=x>one</dialog>two</a>",
        "<h1><a href=x><h1><p><h1>one</h1></h1>two",
    ] {
        assert!(!agree(html), "{html}");
    }
}

/// Each of these would take hours if all that is open were looked at for every tag.
#[test]
fn elements_left_open_are_not_walked_for_every_tag() {
    let many = |piece: &str| piece.repeat(300_000);
    for start in [
        "<div>",
        "<div><a href=x>",
        "<button><p></button><a href=x><div>",
        "<p><button>",
        "<ul><a href=x>",
    ] {
        for tag in ["</label>", "<p></p>", "<h2></h2>", "<li></li>", "<hr>"] {
            let html = format!("{start}{}{}", many("<span>"), many(tag));
            let mut builder = PageBuilder::default();
            stream::read(&html, &mut builder, false);
        }
    }
}

#[test]
fn misplaced_table_content_moves_before_the_table() {
    check(&[
        ("<table><tr><td>one</td>two</tr></table>", "two one"),
        ("<table><a href=x>one</a><td>two</table>", "[x:one] two"),
        ("<table><td>one<img alt=two></table>", "one two"),
        ("<table><td>one</td><img alt=two></table>", "two one"),
        ("zero<table>one<td>two</table>", "zeroone two"),
        (
            "<table><td>one<table><td>two</table>three</table>four",
            "one two three four",
        ),
    ]);
}

#[test]
fn ignored_tag_does_not_separate_a_word() {
    check(&[
        ("foot</b>ball", "football"),
        ("foot<td>ball", "football"),
        ("foot</body>ball", "football"),
        ("foot</body><!-- c -->ball", "football"),
        ("foot<b>ball</b>er", "foot ball er"),
        ("foot</p>ball", "foot ball"),
        ("foot<!-- c -->ball", "foot ball"),
        ("foot<!DOCTYPE html>ball", "football"),
        ("<form>foot<form>ball", "football"),
        ("foot\0ball", "football"),
    ]);
}

#[test]
fn invisible_elements_are_ignored() {
    check(&[
        ("<script>one <a href=x></script>two", "two"),
        ("<script><!-- <script> one </script> --> </script>two", "two"),
        ("<noscript>one<a href=x>two</a></noscript>three", "three"),
        ("<style>one</style><iframe>two</iframe><noembed>three</noembed><noframes>four</noframes>five", "five"),
        ("<template>one<template>two</template><a href=x>three</template>four", "four"),
        ("<template><svg><title>one</title></svg></template>two", "two"),
        ("<title>one</title>two<title>three</title>", "two"),
        ("one<!-- two --><?three?><!four>five", "one five"),
        ("<svg><style>one</style><script>two</script><desc>three</desc></svg>", "three"),
    ]);
    assert_eq!(
        by_tree("<title> one \n two</title><svg><title>three</title></svg>").title,
        "one two"
    );
}

#[test]
fn foreign_and_special_elements_follow_their_own_rules() {
    check(&[
        ("<svg><a href=x>one</a><title>two</title></svg>", "one two"),
        (
            "<svg><foreignObject><a href=x>one</a></foreignObject></svg>two",
            "[x:one] two",
        ),
        ("<svg><g>one<p>two</svg>three", "one twothree"),
        ("<math><mi>one<a href=x>two</a></mi></math>", "one [x:two]"),
        (
            "<math><annotation-xml encoding='text/HTML'><a href=x>one</a></math>two",
            "[x:one] two",
        ),
        (
            "<math><annotation-xml encoding=other><a href=x>one</a></math>two",
            "one two",
        ),
        ("<svg><![CDATA[one <b> two]]></svg>three", "one b two three"),
        ("<![CDATA[one]]>two", "two"),
        (
            "<textarea>one <a href=x>two</textarea>three",
            "one a href x two three",
        ),
        ("<xmp>one <b></xmp>two", "one b two"),
        ("one<plaintext>two</plaintext>", "one two plaintext"),
        (
            "<select><option>one<option>two</select>three",
            "one two three",
        ),
        ("<select><select>one</select>two", "onetwo"),
        ("<frameset><frame></frameset><noframes>one</noframes>", ""),
        ("one<frameset>two", "onetwo"),
    ]);
}

#[test]
fn attributes_and_characters_are_decoded() {
    check(&[
        ("<a href>one</a>", "[p.html:one]"),
        ("<a href=x HREF=y>one</a>", "[x:one]"),
        ("<a href=x/>one</a>", "[:one]"),
        ("<a href='x\0y'>one</a>", "[x%EF%BF%BDy:one]"),
        ("<a href='x'/>one</a>", "[x:one]"),
        ("<a href=x", ""),
        ("<base href=/e/><base href=/f/><a href=x>one</a>", "[x:one]"),
        (
            "<img alt='one' alt='two'><img alt><input alt=three><image alt=four>",
            "one three four",
        ),
        (
            "<map><area href=x alt=one><area href=y></map>",
            "[x:one] [y:]",
        ),
        (
            "&eacute;t&eacute; &amp;über &thorn;ö <ü &#xe9;a &nosuch;ä",
            "été über þö ü éa nosuch ä",
        ),
        ("&copyright &notit; &amp", "right it"),
    ]);
    let based = by_tree("<base href=/e/><base href=/f/><a href=x>one</a>");
    assert_eq!(based.anchors[0].2, "http://a.example/e/x");
}
