//! Why a record yielded no capture, and how often each reason occurred.
//!
//! The order of [`Skip::ALL`] is the order of every summary.

use std::fmt;

macro_rules! skips {
    ($($name:ident $text:literal,)*) => {
        /// The reason why a record yielded no capture.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Skip {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Skip {
            /// Every reason, in the order of summaries.
            pub const ALL: &'static [Skip] = &[$(Skip::$name,)*];

            /// The stable short text of the reason.
            pub fn text(self) -> &'static str {
                match self { $(Skip::$name => $text,)* }
            }
        }
    };
}

skips! {
    Truncated "truncated",
    Damaged "damaged",
    TooLarge "too large",
    BadWarcHeader "bad WARC header",
    BadHttpHeader "bad HTTP header",
    BadEncoding "bad encoding",
    NoUrl "no URL",
    UrlTooLong "URL too long",
    BadUrl "bad URL",
    NotHttp "not http",
    NotHtml "not HTML",
    EmptyBody "empty body",
    Status1xx "status 1xx",
    Status2xx "status 2xx",
    Status3xx "status 3xx",
    Status4xx "status 4xx",
    Status5xx "status 5xx",
    StatusOther "status other",
    Request "request",
    Revisit "revisit",
    Metadata "metadata",
    Resource "resource",
    Conversion "conversion",
    Continuation "continuation",
    UnknownType "unknown type",
    Info "crawl information",
    Later "fetched later",
}

impl Skip {
    /// Whether records of this type are captures of a URL, although they are not pages.
    pub(super) fn is_capture(self) -> bool {
        matches!(self, Self::Revisit | Self::Resource)
    }

    /// The reason for a status other than 200, by its class.
    pub(super) fn status(code: u16) -> Self {
        match code / 100 {
            1 => Self::Status1xx,
            2 => Self::Status2xx,
            3 => Self::Status3xx,
            4 => Self::Status4xx,
            5 => Self::Status5xx,
            _ => Self::StatusOther,
        }
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// How often each reason occurred. Adding is associative and commutative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skips {
    counts: [u64; Skip::ALL.len()],
}

impl Skips {
    /// Counts one more skipped record.
    pub fn count(&mut self, skip: Skip) {
        self.counts[skip as usize] += 1;
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Skips) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
    }

    /// How often one reason occurred.
    pub fn of(&self, skip: Skip) -> u64 {
        self.counts[skip as usize]
    }

    /// How many records were skipped in all.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The reasons that occurred, in the order of [`Skip::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Skip, u64)> + '_ {
        let pairs = Skip::ALL.iter().copied().zip(self.counts);
        pairs.filter(|&(_, count)| count > 0)
    }
}

impl fmt::Display for Skips {
    /// `3 truncated, 1 not HTML`, or `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.total() == 0 {
            return f.write_str("none");
        }
        for (i, (skip, count)) in self.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{count} {skip}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_summed_and_displayed() {
        let (mut a, mut b) = (Skips::default(), Skips::default());
        assert_eq!(a.to_string(), "none");
        a.count(Skip::NotHtml);
        b.count(Skip::Truncated);
        b.count(Skip::Truncated);
        a.add(&b);
        assert_eq!(a.to_string(), "2 truncated, 1 not HTML");
        assert_eq!((a.total(), a.of(Skip::Truncated)), (3, 2));
    }

    #[test]
    fn reasons_are_ordered_as_listed() {
        for (i, &skip) in Skip::ALL.iter().enumerate() {
            assert_eq!(skip as usize, i);
        }
        assert_eq!(Skip::status(404), Skip::Status4xx);
        assert_eq!(Skip::status(999), Skip::StatusOther);
    }
}
