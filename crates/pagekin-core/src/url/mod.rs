//! URL canonicalisation and resolution of references.
//!
//! The `url` crate parses and resolves (WHATWG URL Standard). On top of it this module accepts
//! only http and https, drops user and fragment, and normalises percent escapes as RFC 3986
//! prefers (unreserved characters bare, upper-case digits otherwise).

mod escapes;
mod plain;
mod variants;

use std::borrow::Cow;

use url::{Position, Url};

use self::escapes::normalise_escapes;
pub use self::variants::{are_variants, is_same_host, variant_form, variant_key};

/// The longest URL that is accepted.
pub const LONGEST_URL: usize = 8 * 1024;

/// The file that stands for its folder in a folder of pages.
pub const INDEX_PAGE: &str = "index.html";

/// The URL of the folder, if this is the URL of the file that stands for it.
pub fn without_index_page(url: &[u8]) -> &[u8] {
    let folder = url.strip_suffix(INDEX_PAGE.as_bytes());
    folder
        .filter(|folder| folder.ends_with(b"/") && !folder.contains(&b'?'))
        .unwrap_or(url)
}

/// The canonical form of an absolute http or https URL.
pub fn canonical(url: &str) -> Option<String> {
    if url.len() > LONGEST_URL {
        return None;
    }
    canonicalise(Url::parse(url.trim()).ok()?)
}

/// The site of a canonical URL: its host, with the port if it is not the default one.
pub fn site(canonical: &str) -> &str {
    let start = canonical.find("://").map_or(0, |at| at + 3);
    let rest = &canonical[start..];
    &rest[..rest.find(['/', '?']).unwrap_or(rest.len())]
}

/// Resolves the links of one page against its base.
#[derive(Debug)]
pub struct Resolver {
    base: Url,
    /// Index of the start of the base's path.
    root: usize,
    /// Index of the start of that path's last segment.
    folder: usize,
    /// Whether the folder is in canonical form.
    is_plain: bool,
}

impl Resolver {
    /// A resolver for a page at `page` whose `<base href>` is `base`.
    pub fn new(page: &str, base: Option<&str>) -> Option<Self> {
        let page = Url::parse(page).ok()?;
        let base = base
            .filter(|href| href.len() <= LONGEST_URL)
            .and_then(|href| join(&page, href))
            .filter(|base| !matches!(base.scheme(), "data" | "javascript"))
            .unwrap_or(page);
        let root = base[..Position::BeforePath].len();
        let folder = base[..Position::AfterPath]
            .rfind('/')
            .map_or(0, |at| at + 1);
        let is_plain = matches!(base.scheme(), "http" | "https")
            && base.username().is_empty()
            && base.password().is_none()
            && !base[..Position::AfterPath].contains(['%', '^']);
        Some(Self {
            base,
            root,
            folder,
            is_plain,
        })
    }

    /// The canonical target of a reference, if it leads to a web page.
    pub fn resolve(&self, reference: &str) -> Option<String> {
        if reference.len() > LONGEST_URL {
            return None;
        }
        canonicalise(join(&self.base, reference)?)
    }
}

/// Joins a reference to a base. The standard ignores all but two of the slashes before a host;
/// the parser rejects more than two.
fn join(base: &Url, reference: &str) -> Option<Url> {
    let reference = reference.trim_start_matches(|letter| letter <= ' ');
    let host = reference.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
    let before = reference[..reference.len() - host.len()].bytes();
    let slashes = before.filter(|byte| matches!(byte, b'/' | b'\\')).count();
    if slashes > 2 && matches!(base.scheme(), "http" | "https") {
        base.join(&format!("//{host}")).ok()
    } else {
        base.join(reference).ok()
    }
}

fn canonicalise(mut url: Url) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    if url.fragment().is_some() {
        url.set_fragment(None);
    }
    if !url.username().is_empty() || url.password().is_some() {
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
    }
    // The standard escapes ^, the parser does not.
    if url.path().contains('^') {
        url.set_path(&url.path().replace('^', "%5E"));
    }
    let text = String::from(url);
    if text.len() > LONGEST_URL {
        return None;
    }
    Some(match normalise_escapes(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(normal) => normal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_urls_have_one_canonical_form() {
        let one = Some("http://example.org/~ann/".to_owned());
        for spelling in [
            "http://example.org/~ann/",
            "HTTP://EXAMPLE.ORG:80/%7eann/#top",
            " http://me:secret@example.org/x/../~ann/ ",
            "http://example.org\\~ann\\",
        ] {
            assert_eq!(canonical(spelling), one, "{spelling}");
        }
        assert_eq!(
            canonical("http://bücher.example").as_deref(),
            Some("http://xn--bcher-kva.example/")
        );
        assert_eq!(
            canonical("http://a.example/%c3%89%").as_deref(),
            Some("http://a.example/%C3%89%")
        );
        assert_eq!(
            canonical("http://a.example/^%5e?^").as_deref(),
            Some("http://a.example/%5E%5E?^")
        );
    }

    #[test]
    fn canonical_form_is_idempotent() {
        for path in [
            "%%34%31",
            "%4%31",
            "%",
            "%%%41",
            "%2%35%34",
            "%7e%2f%C3",
            "a%zz%41",
        ] {
            let once = canonical(&format!("http://a.example/{path}")).expect("canonical");
            assert_eq!(canonical(&once).as_ref(), Some(&once), "{path}");
        }
    }

    #[test]
    fn only_web_urls_are_canonical() {
        for address in [
            "mailto:ann@example.org",
            "javascript:alert(1)",
            "ftp://a.example/",
            "garden",
            "http://",
            "",
        ] {
            assert_eq!(canonical(address), None, "{address}");
        }
        assert_eq!(
            canonical(&format!("http://a.example/{}", "x".repeat(1 << 20))),
            None
        );
    }

    #[test]
    fn links_resolve_against_the_base() {
        let page = Resolver::new("http://a.example/x/y.html?q", None).expect("resolver");
        for (reference, target) in [
            ("../z.html#s", Some("http://a.example/z.html")),
            ("//b.example", Some("http://b.example/")),
            ("?r", Some("http://a.example/x/y.html?r")),
            ("#top", Some("http://a.example/x/y.html?q")),
            ("mailto:x@y", None),
            ("///b.example/z", Some("http://b.example/z")),
            (" /\n/\\\t//b.example/z", Some("http://b.example/z")),
            ("/\\b.example/z", Some("http://b.example/z")),
            ("///", None),
        ] {
            assert_eq!(page.resolve(reference).as_deref(), target, "{reference}");
        }
        for (base, target) in [
            ("/other/", Some("http://a.example/other/z.html")),
            ("/o^r/", Some("http://a.example/o%5Er/z.html")),
            ("///b.example/", Some("http://b.example/z.html")),
            ("data:x", Some("http://a.example/x/z.html")),
            ("http://", Some("http://a.example/x/z.html")),
            ("mailto:x", None),
            ("about:blank", None),
        ] {
            let based = Resolver::new("http://a.example/x/y.html", Some(base)).expect("resolver");
            assert_eq!(based.resolve("z.html").as_deref(), target, "{base}");
            let mut plain = Vec::new();
            if based.resolve_plain(b"z.html", &mut plain) {
                assert_eq!(Some(plain.as_slice()), target.map(str::as_bytes), "{base}");
            }
            let absolute = Some("http://c.example/");
            assert_eq!(based.resolve("http://c.example").as_deref(), absolute);
        }
    }

    #[test]
    fn site_is_host_and_unusual_port() {
        assert_eq!(site("http://a.example/x"), "a.example");
        assert_eq!(site("http://a.example:81/"), "a.example:81");
    }
}
