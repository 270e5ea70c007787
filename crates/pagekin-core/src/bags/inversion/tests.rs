use super::*;

const LINK: u64 = 1 << 63 | 5;

fn raw(terms: &[u64], ends: &[u64], term: &[u32], content: &[u32], linked: &[u64]) -> RawBags {
    RawBags {
        urls: (0..ends.len() as u64).collect(),
        terms: terms.to_vec(),
        ends: Ends::new(ends.to_vec()).expect("ends in order"),
        term: term.to_vec(),
        content: content.to_vec(),
        linked: linked.to_vec(),
        ..RawBags::default()
    }
}

#[test]
fn postings_do_not_depend_on_term_ranges() {
    let high = 1 << 62;
    // Page 0: 7 (3, 0), high (0, 5), a link. Page 1: 7 (1, far too much).
    let one = raw(
        &[7, high, LINK],
        &[3, 4],
        &[0, 1, 2, 0],
        &[3, 0, 0, 1],
        &[0, 5, 9, 1 << 40],
    );
    let other = raw(&[7, 9], &[0, 1, 3], &[1, 0, 1], &[2, 4, 6], &[0, 0, 1]);
    for bits in [0, 1, 3] {
        let mut found = Postings::default();
        let one = pack_postings(&one, &[1, 1], bits).expect("sites of all pages");
        let other = pack_postings(&other, &[0, 0, 1], bits).expect("sites of all pages");
        let mut ends = Vec::new();
        for (one, other) in one.frames().iter().zip(other.frames().iter()) {
            let part = merge_postings(&[(0, one), (2, other)]).expect("sound");
            let start = found.pages.len() as u64;
            found.terms.extend(part.terms);
            ends.extend(part.ends.as_slice().iter().map(|end| start + end));
            found.pages.extend(part.pages);
            found.content.extend(part.content);
            found.anchor.extend(part.anchor);
        }
        found.ends = Ends::new(ends).expect("ends in order");
        let expected = Postings {
            terms: vec![7, 9, high],
            ends: Ends::new(vec![3, 5, 6]).expect("ends in order"),
            pages: vec![0, 1, 4, 3, 4, 0],
            content: vec![3, 1, 4, 2, 6, 0],
            anchor: vec![0, u32::MAX, 0, 0, 1, 5],
        };
        assert_eq!(found, expected, "{bits} bits");
    }
}

#[test]
fn entries_without_a_page_or_a_term_are_damage() {
    let slice = |counts: Vec<u32>, term: Vec<u32>| PostingSlice {
        terms: vec![7, 9],
        pages: vec![0; counts.len()],
        sites: vec![0; counts.len()],
        counts,
        content: vec![1; term.len()],
        anchor: vec![1; term.len()],
        term,
        ..PostingSlice::default()
    };
    let merged = |slice: PostingSlice| {
        let mut packed = Vec::new();
        slice.write(&mut packed);
        merge_postings(&[(0, packed)])
    };
    assert!(merged(slice(vec![2], vec![0, 1])).is_ok());
    assert!(merged(slice(vec![1], vec![0, 1])).is_err());
    assert!(merged(slice(vec![3], vec![0, 1])).is_err());
    assert!(merged(slice(vec![2], vec![0, 2])).is_err());
}

#[test]
fn page_without_a_site_is_damage() {
    let bags = raw(&[7], &[1], &[0], &[1], &[0]);
    assert!(pack_postings(&bags, &[], 0).is_err());
}
