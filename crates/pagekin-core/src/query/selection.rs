//! Which pages may be hits, whatever the question: conditions on the rows of the table `pages`.

use crate::index::{Shard, TableError};

/// Pages that meet all conditions may be hits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PageSelection {
    /// The conditions, in the order in which an answer tells what each leaves out.
    pub conditions: Vec<PageCondition>,
}

/// A condition on a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageCondition {
    /// It was fetched, or it is only linked to.
    Crawled(bool),
    /// It is on this host, or on a host of this domain.
    Site(String),
    /// Its URL begins with this; without a scheme, what follows the scheme does.
    Prefix(String),
    /// It was fetched at this second since 1970 or later.
    From(i64),
    /// It was fetched at this second since 1970 or earlier.
    To(i64),
    /// It has at least this many words.
    MinLength(u32),
    /// It is in the language with this code, or in none that is known.
    Language(String),
}

impl PageCondition {
    /// The name of the filter that people set.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Crawled(_) => "pages",
            Self::Site(_) => "site",
            Self::Prefix(_) => "prefix",
            Self::From(_) => "from_date",
            Self::To(_) => "to_date",
            Self::MinLength(_) => "min_length",
            Self::Language(_) => "language",
        }
    }

    /// Whether the page in a row meets it.
    pub(super) fn admits(&self, shard: &Shard, row: usize) -> Result<bool, TableError> {
        Ok(match self {
            Self::Crawled(wanted) => shard.is_crawled(row)? == *wanted,
            Self::Site(wanted) => is_within(shard.page_meta(row)?.site, wanted),
            Self::Prefix(prefix) => begins_with(shard.page_meta(row)?.url, prefix),
            Self::From(first) => shard.date(row)?.is_some_and(|date| date >= *first),
            Self::To(last) => shard.date(row)?.is_some_and(|date| date <= *last),
            Self::MinLength(least) => shard.length(row)? >= *least,
            Self::Language(code) => {
                let language = shard.page_meta(row)?.language;
                language.is_none_or(|language| language == code)
            }
        })
    }
}

/// Whether a site is this host, or a host of this domain, on whatever port unless one is named.
fn is_within(site: &str, wanted: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let parted = site.rsplit_once(':').filter(|(_, port)| is_port(port));
    let host = parted.map_or(site, |(host, _)| host);
    [site, host].into_iter().any(|name| {
        let above = name.strip_suffix(wanted);
        above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
    })
}

fn begins_with(url: &str, prefix: &str) -> bool {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    url.starts_with(prefix) || bare.starts_with(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_host_or_a_domain() {
        for wanted in ["www.a.example", "a.example", "example"] {
            assert!(is_within("www.a.example", wanted), "{wanted}");
            assert!(is_within("www.a.example:8080", wanted), "{wanted}");
        }
        for wanted in ["ww.a.example", ".a.example", "b.www.a.example", "a.examp"] {
            assert!(!is_within("www.a.example", wanted), "{wanted}");
        }
        assert!(!is_within("xa.example", "a.example"));
        assert!(is_within("a.example:8080", "a.example:8080"));
        assert!(!is_within("a.example:8080", "a.example:80"));
        assert!(is_within("[::1]:80", "[::1]"));
        assert!(is_within("[::1]", "[::1]"));
        assert!(!is_within("[::1]", "1]"));
    }

    #[test]
    fn a_prefix_may_lack_its_scheme() {
        let url = "https://a.example/guide/x";
        for prefix in ["https://a.example/gui", "a.example/guide/", url] {
            assert!(begins_with(url, prefix), "{prefix}");
        }
        for prefix in ["http://a.example/", "example/guide", "a.example/guide/x/"] {
            assert!(!begins_with(url, prefix), "{prefix}");
        }
    }
}
