//! Raw bags to bytes and back, and bytes that are none.

use super::*;

fn ends(ends: &[u64]) -> Ends {
    Ends::new(ends.to_vec()).expect("ends in order")
}

fn cited(rows: &[&[u64]]) -> Ragged<u64> {
    let mut cited = Ragged::default();
    rows.iter().for_each(|row| cited.push(row.iter().copied()));
    cited
}

fn written(raw: &RawBags) -> Vec<u8> {
    let mut out = Vec::new();
    raw.write(&mut out);
    out
}

fn read(bytes: &[u8]) -> Result<RawBags, CodecError> {
    let mut bags = RawBags::default();
    bags.read(bytes).map(|()| bags)
}

#[test]
fn written_bags_are_read_back() {
    let raw = RawBags {
        urls: vec![1, 2],
        terms: vec![7, 9],
        ends: ends(&[2, 3]),
        term: vec![0, 1, 0],
        content: vec![3, 0, 70_000],
        early: vec![1500, 0, 80_000],
        linked: vec![0, 5, 1 << 40],
        cited: cited(&[&[], &[5, 1 << 60]]),
    };
    assert_eq!([raw.cited_by(0), raw.cited_by(1)], [&[][..], &[5, 1 << 60]]);
    assert_eq!(RawBags::default().cited_by(0), []);
    let mut other = read(&written(&raw)).expect("sound bytes");
    assert_eq!(other, raw);
    // Nothing is left of what was there before.
    other
        .read(&written(&RawBags::default()))
        .expect("sound bytes");
    assert_eq!(other, RawBags::default());
}

/// Bags without content, without entries, and longer than what is packed at once.
fn mixed() -> RawBags {
    let lengths = [0, 3, 130, 0, 0, 70, 1, 0];
    let terms = || {
        lengths
            .iter()
            .flat_map(|&length| (0..length).map(|at| at * 900 + 5))
    };
    RawBags {
        urls: (1..=lengths.len() as u64).collect(),
        ends: ends(&[0, 3, 133, 133, 133, 203, 204, 204]),
        term: terms().collect(),
        content: terms()
            .zip(0..)
            .map(|(_, at)| u32::from(at > 132))
            .collect(),
        linked: terms().map(u64::from).collect(),
        ..RawBags::default()
    }
}

#[test]
fn bags_of_all_kinds_are_read_back() {
    let raw = mixed();
    assert_eq!(raw.content_by_bag().0, [5, 6]);
    assert_eq!(read(&written(&raw)), Ok(raw));
}

#[test]
fn bags_that_do_not_match_their_entries_are_rejected() {
    let with_ends = |lengths: &[u32]| {
        let raw = mixed();
        let (mut now, mut other) = (Vec::new(), Vec::new());
        raw.ends.write(&mut now);
        other.put_u32s(lengths);
        read(&replaced(&written(&raw), &now, &other))
    };
    assert_eq!(with_ends(&[0, 3, 130, 0, 0, 70, 1, 0]), Ok(mixed()));
    assert!(with_ends(&[0, 3, 130, 0, 0, 70, 1, 1]).is_err(), "too many");
    assert!(with_ends(&[0, 3, 130, 0, 0, 70, 0, 0]).is_err(), "too few");
}

/// Bytes with a part of them replaced.
fn replaced(bytes: &[u8], part: &[u8], by: &[u8]) -> Vec<u8> {
    let at = bytes.windows(part.len()).position(|some| some == part);
    let at = at.expect("the part is there");
    [&bytes[..at], by, &bytes[at + part.len()..]].concat()
}

#[test]
fn columns_of_different_lengths_are_rejected() {
    let changes: [fn(&mut RawBags); 4] = [
        |bags| bags.urls.push(9),
        |bags| bags.linked.push(1),
        |bags| bags.early.push(1),
        |bags| bags.cited.push([1]),
    ];
    for change in changes {
        let mut raw = mixed();
        change(&mut raw);
        assert!(read(&written(&raw)).is_err(), "{raw:?}");
    }
    let mut raw = mixed();
    let (mut content, mut longer) = (Vec::new(), Vec::new());
    content.put_u32s(&raw.content_by_bag().1);
    longer.put_u32s(&[raw.content_by_bag().1, vec![1]].concat());
    let packed = replaced(&written(&raw), &content, &longer);
    assert!(read(&packed).is_err(), "content of no bag");
    raw.cited = cited(&[&[], &[4, 5], &[], &[], &[], &[], &[], &[]]);
    assert_eq!(read(&written(&raw)), Ok(raw));
}

#[test]
fn chosen_bags_keep_their_terms() {
    let raw = RawBags {
        urls: vec![1, 2, 5],
        terms: vec![7, 9, 11],
        ends: ends(&[2, 3, 5]),
        term: vec![0, 1, 0, 1, 2],
        content: vec![3, 0, 4, 5, 6],
        early: vec![9, 0, 8, 7, 6],
        linked: vec![0, 5, 1, 2, 3],
        cited: cited(&[&[2], &[], &[1, 9]]),
    };
    let chosen = raw.only(&[0, 5, 9]);
    assert_eq!((chosen.urls, chosen.ends), (vec![5], ends(&[2])));
    assert_eq!((chosen.terms, chosen.term), (vec![9, 11], vec![0, 1]));
    assert_eq!((chosen.content, chosen.early), (vec![5, 6], vec![7, 6]));
    assert_eq!(chosen.linked, [2, 3]);
    assert_eq!(chosen.cited, cited(&[&[1, 9]]));
    assert_eq!(raw.only(&[1, 2, 5]), raw);
}
