//! Raw bags to bytes and back, and bytes that are none.

use super::*;

#[test]
fn packed_bags_come_back() {
    let raw = RawBags {
        urls: vec![1, 2],
        terms: vec![7, 9],
        ends: vec![2, 3],
        term: vec![0, 1, 0],
        content: vec![3, 0, 70_000],
        early: vec![1500, 0, 80_000],
        linked: vec![0, 5, 1 << 40],
        cited_ends: vec![0, 2],
        cited: vec![5, 1 << 60],
    };
    assert_eq!([raw.cited_by(0), raw.cited_by(1)], [&[][..], &[5, 1 << 60]]);
    assert_eq!(RawBags::default().cited_by(0), []);
    let mut other = RawBags::unpack(&raw.pack()).expect("sound bytes");
    assert_eq!(other, raw);
    // Nothing is left of what was there before.
    other
        .refill(&RawBags::default().pack())
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
        ends: lengths
            .iter()
            .scan(0, |end, &length| {
                *end += u64::from(length);
                Some(*end)
            })
            .collect(),
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
fn bags_of_all_kinds_come_back() {
    let raw = mixed();
    assert_eq!(raw.content_by_bag().0, [5, 6]);
    assert_eq!(RawBags::unpack(&raw.pack()), Ok(raw));
}

#[test]
fn bags_that_do_not_fit_their_entries_are_damage() {
    // After eight URLs and the lengths of three lists, of which one is empty.
    let with_end = |bag: usize, end: u8| {
        let mut packed = mixed().pack();
        packed[64 + 24 + 8 * bag] = end;
        RawBags::unpack(&packed)
    };
    assert_eq!(with_end(7, 204), Ok(mixed()), "as it was");
    assert!(with_end(7, 205).is_err(), "behind the last entry");
    assert!(with_end(1, 200).is_err(), "behind the next one");
    assert!(with_end(7, 203).is_err(), "before the last entry");
}

#[test]
fn columns_of_other_lengths_are_damage() {
    let changes: [fn(&mut RawBags); 5] = [
        |bags| bags.urls.push(9),
        |bags| bags.linked.push(1),
        |bags| bags.early.push(1),
        |bags| bags.cited.push(1),
        |bags| bags.cited_ends.push(0),
    ];
    for change in changes {
        let mut raw = mixed();
        change(&mut raw);
        assert!(RawBags::unpack(&raw.pack()).is_err(), "{raw:?}");
    }
    let mut raw = mixed();
    let mut content = Vec::new();
    content.put_small(&raw.content_by_bag().1);
    let packed = raw.pack();
    let at = packed
        .windows(content.len())
        .position(|some| some == content);
    let at = at.expect("the content is there");
    let mut longer = Vec::new();
    longer.put_small(&[raw.content_by_bag().1, vec![1]].concat());
    let packed = [&packed[..at], &longer, &packed[at + content.len()..]].concat();
    assert!(RawBags::unpack(&packed).is_err(), "content of no bag");
    raw.cited = vec![4, 5];
    raw.cited_ends = vec![0, 2, 1, 2, 2, 2, 2, 2];
    assert!(RawBags::unpack(&raw.pack()).is_err(), "out of order");
    raw.cited_ends[2] = 2;
    assert_eq!(RawBags::unpack(&raw.pack()), Ok(raw));
}
