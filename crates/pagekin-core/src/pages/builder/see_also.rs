//! The titles of sections in which authors list related pages.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::text::words_of;

/// Maximum words of a title and its surroundings; scripts without spaces have a word for every two
/// letters.
pub const MAX_WORDS: usize = 32;

/// Text that wikis put behind a heading: "[edit]", "[edit source]".
const EDIT: &[&str] = &[
    "edit",
    "source",
    "bearbeiten",
    "quelltext",
    "modifier",
    "le",
    "code",
    "wikicode",
    "editar",
    "código",
    "modifica",
    "wikitesto",
    "sorgente",
    "bewerken",
    "brontekst",
    "edytuj",
    "kod",
    "править",
    "код",
    "редагувати",
    "upravit",
    "zdroj",
    "redigera",
    "rediger",
    "wikitext",
    "muokkaa",
    "szerkesztés",
    "değiştir",
    "kaynağı",
    "編集",
    "编辑",
    "編輯",
    "편집",
    "عدل",
];

/// A language a line: titles of see-also sections, of related articles and of further reading.
const TITLES: &[&[&str]] = &[
    &[
        "see also",
        "related articles",
        "related pages",
        "related posts",
        "related stories",
        "related content",
        "related reading",
        "related entries",
        "further reading",
        "you may also like",
    ],
    &[
        "siehe auch",
        "verwandte Artikel",
        "verwandte Themen",
        "verwandte Seiten",
        "ähnliche Artikel",
        "zum Weiterlesen",
        "weiterführende Literatur",
    ],
    &[
        "voir aussi",
        "voir également",
        "articles connexes",
        "articles liés",
        "pages connexes",
        "à lire aussi",
        "lire aussi",
        "pour aller plus loin",
        "lectures complémentaires",
    ],
    &[
        "véase también",
        "vea también",
        "ver también",
        "consulte también",
        "artículos relacionados",
        "páginas relacionadas",
        "lecturas adicionales",
        "lectura adicional",
        "lecturas recomendadas",
    ],
    &[
        "ver também",
        "veja também",
        "consulte também",
        "leia também",
        "artigos relacionados",
        "páginas relacionadas",
        "leitura adicional",
        "leituras adicionais",
    ],
    &[
        "vedi anche",
        "vedere anche",
        "voci correlate",
        "articoli correlati",
        "pagine correlate",
        "leggi anche",
        "per approfondire",
        "letture consigliate",
    ],
    &[
        "zie ook",
        "verwante artikelen",
        "gerelateerde artikelen",
        "lees ook",
        "verder lezen",
    ],
    &[
        "zobacz też",
        "zobacz także",
        "zobacz również",
        "powiązane artykuły",
        "czytaj też",
        "dalsza lektura",
    ],
    &[
        "см. также",
        "смотри также",
        "смотрите также",
        "читайте также",
        "похожие статьи",
        "статьи по теме",
        "дополнительная литература",
    ],
    &[
        "див. також",
        "дивіться також",
        "дивись також",
        "читайте також",
        "пов'язані статті",
    ],
    &[
        "viz též",
        "viz také",
        "podívejte se také na",
        "související články",
        "další čtení",
    ],
    &["pozri aj", "pozri tiež", "súvisiace články"],
    &[
        "se även",
        "se också",
        "relaterade artiklar",
        "läs också",
        "vidare läsning",
    ],
    &[
        "se også",
        "relaterte artikler",
        "relaterede artikler",
        "les også",
        "læs også",
        "videre lesning",
        "videre læsning",
    ],
    &["katso myös", "lue myös", "aiheeseen liittyvät artikkelit"],
    &[
        "lásd még",
        "kapcsolódó szócikkek",
        "kapcsolódó cikkek",
        "további olvasnivaló",
    ],
    &[
        "vezi și",
        "vedeți și",
        "articole conexe",
        "articole similare",
        "lectură suplimentară",
    ],
    &[
        "vegeu també",
        "articles relacionats",
        "lectures addicionals",
    ],
    &[
        "ayrıca bakınız",
        "ilgili makaleler",
        "ilgili yazılar",
        "ek okumalar",
    ],
    &[
        "δείτε επίσης",
        "βλέπε επίσης",
        "σχετικά άρθρα",
        "περαιτέρω ανάγνωση",
    ],
    &[
        "関連項目",
        "関連記事",
        "関連ページ",
        "関連文献",
        "参考",
        "参照",
        "あわせて読みたい",
    ],
    &[
        "参见",
        "參見",
        "另见",
        "另見",
        "参阅",
        "相关条目",
        "相關條目",
        "相关文章",
        "相關文章",
        "延伸阅读",
        "延伸閱讀",
        "扩展阅读",
    ],
    &[
        "같이 보기",
        "함께 보기",
        "참고",
        "관련 문서",
        "관련 기사",
        "관련 항목",
        "더 읽을거리",
    ],
    &[
        "انظر أيضا",
        "انظر أيضًا",
        "اقرأ أيضا",
        "طالع أيضا",
        "مقالات ذات صلة",
    ],
    &["همچنین ببینید", "جستارهای وابسته", "مطالب مرتبط"],
    &["ראו גם", "מאמרים קשורים", "לקריאה נוספת"],
    &["इन्हें भी देखें", "यह भी देखें", "संबंधित लेख"],
    &["xem thêm", "bài viết liên quan", "đọc thêm"],
    &[
        "lihat pula",
        "lihat juga",
        "artikel terkait",
        "baca juga",
        "bacaan lanjutan",
    ],
    &["ดูเพิ่ม", "บทความที่เกี่ยวข้อง"],
];

static KNOWN: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let titles = TITLES.iter().copied().flatten();
    titles.map(|title| words_of(title).join(" ")).collect()
});

/// Whether words are such a title, apart from a number before it and a link to edit behind it.
pub fn is_title<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let is_number = |word: &&str| {
        word.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let mut words: Vec<&str> = words.skip_while(is_number).collect();
    while words.last().is_some_and(|word| EDIT.contains(word)) {
        words.pop();
    }
    KNOWN.contains(&words.join(" "))
}
