//! Web addresses in one canonical form.
//!
//! Parsing and resolving is the `url` crate's (WHATWG). On top of it: only http
//! and https, no user, no fragment, and percent escapes as RFC 3986 prefers
//! them (unreserved characters bare, upper-case digits otherwise).

mod plain;

use std::borrow::Cow;

use url::{Position, Url};

/// An address longer than this is no address of a page.
pub const LONGEST_ADDRESS: usize = 8 * 1024;

/// The canonical form of an absolute address, if it is one of a web page.
pub fn canonical(address: &str) -> Option<String> {
    if address.len() > LONGEST_ADDRESS {
        return None;
    }
    finished(Url::parse(address.trim()).ok()?)
}

/// The part of a canonical address that names its site: the host, with the
/// port if it is not the usual one.
pub fn site(canonical: &str) -> &str {
    let start = canonical.find("://").map_or(0, |at| at + 3);
    let rest = &canonical[start..];
    &rest[..rest.find(['/', '?']).unwrap_or(rest.len())]
}

/// Resolves the links of one page against its base.
#[derive(Debug)]
pub struct Resolver {
    base: Url,
    /// Where the base's path begins.
    root: usize,
    /// Where the last part of that path begins.
    folder: usize,
    /// Its folder is in canonical form already.
    is_plain: bool,
}

impl Resolver {
    /// A resolver for a page at `page` whose `<base href>` is `base`.
    pub fn new(page: &str, base: Option<&str>) -> Option<Self> {
        let page = Url::parse(page).ok()?;
        let base = base
            .filter(|href| href.len() <= LONGEST_ADDRESS)
            .and_then(|href| page.join(href).ok())
            .filter(|base| !base.cannot_be_a_base())
            .unwrap_or(page);
        let root = base[..Position::BeforePath].len();
        let folder = base[..Position::AfterPath]
            .rfind('/')
            .map_or(0, |at| at + 1);
        let is_plain = matches!(base.scheme(), "http" | "https")
            && base.username().is_empty()
            && base.password().is_none()
            && !base[..Position::AfterPath].contains('%');
        Some(Self {
            base,
            root,
            folder,
            is_plain,
        })
    }

    /// What a reference that [`Resolver::is_shareable`] is resolved against:
    /// pages with the same folder give it the same target.
    pub fn folder(&self) -> &str {
        &self.base.as_str()[..self.folder]
    }

    /// Whether the reference's target depends on the base's folder alone. Of
    /// references with a scheme only those with `://` surely do: `http:x` may
    /// be relative, and control characters may be ignored.
    pub fn is_shareable(reference: &[u8]) -> bool {
        let relative = !matches!(reference.first(), None | Some(b'#' | b'?' | b' '));
        let special = reference
            .iter()
            .position(|byte| matches!(byte, b':' | b'/' | b'\\' | b'?' | b'#'));
        let scheme = special.filter(|&at| reference[at] == b':');
        let absolute = scheme.is_none_or(|at| reference[at..].starts_with(b"://"));
        relative && absolute && !reference.iter().any(u8::is_ascii_control)
    }

    /// The canonical target of a reference, if it leads to a web page.
    pub fn resolve(&self, reference: &str) -> Option<String> {
        if reference.len() > LONGEST_ADDRESS {
            return None;
        }
        finished(self.base.join(reference).ok()?)
    }
}

fn finished(mut url: Url) -> Option<String> {
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
    let text = String::from(url);
    if text.len() > LONGEST_ADDRESS {
        return None;
    }
    Some(match tidy_escapes(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(tidied) => tidied,
    })
}

fn tidy_escapes(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'%', text.as_bytes()) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut rest = &text[first..];
    // How many characters from here on could complete a lone % to an escape.
    let mut guarded: usize = 0;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        guarded = guarded.saturating_sub(at);
        rest = &rest[at..];
        let Some(byte) = escaped(rest.as_bytes()) else {
            out.push('%');
            rest = &rest[1..];
            guarded = 2;
            continue;
        };
        if is_bare(byte) && guarded == 0 {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        guarded = guarded.saturating_sub(1);
        rest = &rest[3..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a character is written without an escape wherever it stands.
fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn escaped(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    Some((digit(1)? * 16 + digit(2)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_for_every_spelling() {
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
    }

    #[test]
    fn the_canonical_form_is_its_own() {
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
    fn what_may_be_shared_between_pages_of_a_folder() {
        for reference in [
            "x.html",
            "../x",
            "/x",
            "//b.example/",
            "http://b.example/:",
            "a/b:c",
        ] {
            assert!(Resolver::is_shareable(reference.as_bytes()), "{reference}");
        }
        for reference in [
            "", "#x", "?q", "http:", "http:?q", "HTTPS:x", "ht\ntp:x", "mailto:a",
        ] {
            assert!(!Resolver::is_shareable(reference.as_bytes()), "{reference}");
        }
    }

    #[test]
    fn what_is_no_page() {
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
        ] {
            assert_eq!(page.resolve(reference).as_deref(), target, "{reference}");
        }
        assert_eq!(page.folder(), "http://a.example/x/");
        let based = Resolver::new("http://a.example/x/y.html", Some("/other/")).expect("resolver");
        assert_eq!(
            based.resolve("z.html").as_deref(),
            Some("http://a.example/other/z.html")
        );
    }

    #[test]
    fn sites() {
        assert_eq!(site("http://a.example/x"), "a.example");
        assert_eq!(site("http://a.example:81/"), "a.example:81");
    }
}
