//! Dates of captures, in seconds since 1970.

/// Parses a WARC date of any precision that WARC 1.1 allows: `2006` to
/// `2006-01-02T03:04:05.678Z`. Some writers add the offset of a time zone.
pub(super) fn warc_date(text: &[u8]) -> Option<i64> {
    let text = text.strip_suffix(b"Z").unwrap_or(text);
    let (text, offset) = split_offset(text).unwrap_or((text, 0));
    let seconds = text.split(|&b| b == b'.').next()?;
    let mut digits = [0; 14];
    let mut n = 0;
    for (i, &byte) in seconds.iter().enumerate() {
        let separator = match i {
            4 | 7 => Some(b'-'),
            10 => Some(b'T'),
            13 | 16 => Some(b':'),
            _ => None,
        };
        match separator {
            Some(separator) if byte == separator => {}
            None if n < 14 && byte.is_ascii_digit() => {
                digits[n] = byte;
                n += 1;
            }
            _ => return None,
        }
    }
    arc_date(&digits[..n]).map(|date| date - offset)
}

/// Splits off the time zone, as seconds ahead of UTC: `…+01:00`.
fn split_offset(text: &[u8]) -> Option<(&[u8], i64)> {
    let (time, offset) = text.split_last_chunk::<6>()?;
    let [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] = *offset else {
        return None;
    };
    if ![h1, h2, m1, m2].iter().all(u8::is_ascii_digit) || !time.contains(&b'T') {
        return None;
    }
    let two = |tens: u8, ones: u8| i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
    let seconds = two(h1, h2) * 3_600 + two(m1, m2) * 60;
    Some((time, if sign == b'-' { -seconds } else { seconds }))
}

/// Parses a date of digits only: `20060102030405`, or a prefix of it.
pub(super) fn arc_date(digits: &[u8]) -> Option<i64> {
    if !matches!(digits.len(), 4 | 6 | 8 | 10 | 12 | 14) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let part = |from: usize, to: usize, otherwise: i64| {
        let digits = digits.get(from..to);
        digits.map_or(otherwise, |d| {
            d.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'))
        })
    };
    let (year, month, day) = (part(0, 4, 0), part(4, 6, 1), part(6, 8, 1));
    let (hour, minute, second) = (part(8, 10, 0), part(10, 12, 0), part(12, 14, 0));
    let length = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let real = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=length).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    real.then(|| days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second.min(59))
}

/// Days since 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the
/// leap day is the last day of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let since_march = (month + 9) % 12;
    let in_year = (153 * since_march + 2) / 5 + day - 1;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + in_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_every_precision_are_parsed() {
        for (text, want) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2017-03-06T04:02:06Z", Some(1_488_772_926)),
            ("2017-03-06T04:02:06.123456Z", Some(1_488_772_926)),
            ("2000-02-29T12:00Z", Some(951_825_600)),
            ("1970-01-01T01:30:00+01:30", Some(0)),
            ("1969-12-31T19:00:00.5-05:00", Some(0)),
            ("1970-01-01T00:00:00+0x:00", None),
            ("2006", Some(1_136_073_600)),
            ("2006-01", Some(1_136_073_600)),
            ("2006-01-02", Some(1_136_160_000)),
            ("1969-12-31", Some(-86_400)),
            ("2006-13", None),
            ("06-01-02", None),
            ("2006-01-02 03:04:05", None),
            ("2006-01-02T03:04:05:06:07:08", None),
            ("", None),
        ] {
            assert_eq!(warc_date(text.as_bytes()), want, "{text}");
        }
        assert_eq!(arc_date(b"20170306040206"), Some(1_488_772_926));
        assert_eq!(arc_date(b"2017030604020"), None);
    }
}
