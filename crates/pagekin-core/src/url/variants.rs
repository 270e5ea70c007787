//! Address variants: URLs that servers often give to one page, and which of them to prefer.
//!
//! Variants differ in the scheme, a leading `www.`, the name of a default page or a trailing slash.
//! That alone says nothing: the responses decide whether they are one page.

use sha1::{Digest, Sha1};

use super::site;

/// The parts of a canonical URL that variants share, and those in which they differ.
struct Address<'a> {
    host: &'a str,
    path: &'a str,
    query: &'a str,
    is_plain_http: bool,
    has_www: bool,
    has_default_page: bool,
    has_slash: bool,
}

impl<'a> Address<'a> {
    fn new(url: &'a str) -> Self {
        let whole = site(url);
        let start = url.find("://").map_or(0, |at| at + 3) + whole.len();
        let rest = &url[start..];
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        let folder = without_default_page(path);
        let bare = folder.strip_suffix('/').unwrap_or(folder);
        let host = whole.strip_prefix("www.");
        Self {
            host: host.unwrap_or(whole),
            path: bare,
            query,
            is_plain_http: url.starts_with("http://"),
            has_www: host.is_some(),
            has_default_page: folder.len() < path.len(),
            has_slash: bare.len() < folder.len(),
        }
    }
}

/// The same number for all variants of a canonical URL.
///
/// URLs of one key may become one page, and their bytes are not at hand there. So it is a hash to which nobody
/// finds a second text: 128 bits of SHA-1.
pub fn variant_key(url: &str) -> u128 {
    let Address {
        host, path, query, ..
    } = Address::new(url);
    // No canonical URL has a line end.
    let hash = Sha1::digest([host, path, query].join("\n"));
    hash.iter()
        .take(size_of::<u128>())
        .fold(0, |key, &byte| key << 8 | u128::from(byte))
}

/// Whether two canonical URLs are variants of one address.
pub fn are_variants(one: &str, other: &str) -> bool {
    let (one, other) = (Address::new(one), Address::new(other));
    (one.host, one.path, one.query) == (other.host, other.path, other.query)
}

/// Whether two canonical URLs have the same host, with or without `www.`.
pub fn is_same_host(one: &str, other: &str) -> bool {
    Address::new(one).host == Address::new(other).host
}

/// The sort key by which the first of several variants names a page: without the name of a default
/// page, with TLS, without `www.`; a folder has a slash, a file has none.
pub fn variant_form(url: &str) -> u8 {
    let address = Address::new(url);
    let name = address.path.rsplit('/').next().unwrap_or_default();
    let is_file = name.contains('.');
    u8::from(address.has_default_page) << 3
        | u8::from(address.is_plain_http) << 2
        | u8::from(address.has_www) << 1
        | u8::from(address.has_slash == is_file)
}

/// A path without the name of a usual default page.
fn without_default_page(path: &str) -> &str {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let (folder, name) = path.split_at(start);
    let is = |text: &str, names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    let is_default = name.split_once('.').is_some_and(|(stem, extension)| {
        const EXTENSIONS: [&str; 9] = [
            "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "cgi",
        ];
        is(stem, &["index", "default"]) && is(extension, &EXTENSIONS)
    });
    if is_default {
        folder
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_an_address_have_the_same_key() {
        for variants in [
            &["http://a.example/", "https://www.a.example/index.html"][..],
            &[
                "http://a.example/b",
                "http://a.example/b/",
                "https://a.example/b/Default.aspx",
            ],
            &["http://a.example/?q=1", "https://a.example/index.php?q=1"],
        ] {
            let keys = variants.iter().map(|url| variant_key(url));
            let keys: std::collections::BTreeSet<u128> = keys.collect();
            assert_eq!(keys.len(), 1, "{variants:?}");
            assert!(variants.iter().all(|url| are_variants(url, variants[0])));
        }
    }

    #[test]
    fn other_addresses_have_other_keys() {
        let urls = [
            "http://a.example/b",
            "http://a.example/B",
            "http://a.example/b//",
            "http://a.example/b?",
            "http://a.example/b?q",
            "http://a.example/c",
            "http://a.example:81/b",
            "http://b.example/b",
            "http://a.example/b/index.txt",
            "http://a.example/b/myindex.html",
        ];
        let keys: std::collections::BTreeSet<u128> = urls.map(variant_key).into_iter().collect();
        assert_eq!(keys.len(), urls.len());
        assert!(!are_variants(urls[0], urls[1]));
    }

    #[test]
    fn page_is_named_by_the_plainest_variant() {
        let order = [
            "https://a.example/b/",
            "https://a.example/b",
            "https://www.a.example/b/",
            "http://a.example/b/",
            "https://a.example/b/index.html",
        ];
        assert!(order.map(variant_form).is_sorted());
        assert!(
            variant_form("https://a.example/b.html") < variant_form("https://a.example/b.html/")
        );
        assert!(is_same_host("http://www.a.example/", "https://a.example/b"));
        assert!(!is_same_host("http://a.example/", "http://b.example/"));
    }
}
