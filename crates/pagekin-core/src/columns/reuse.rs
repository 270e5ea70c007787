//! Buffer reuse: touching new memory takes as long as much of the work done in it.

/// Empties a list for N items. Its memory is reused if it suffices. Otherwise the list gets a little
/// more than N items, since the next one is about as long; no old items are copied.
pub(crate) fn clear_for<T>(items: &mut Vec<T>, count: usize) {
    items.clear();
    if items.capacity() < count {
        *items = Vec::new();
        items.reserve_exact(count + count / 8);
    }
}

/// Replaces a list by N zeros.
pub(crate) fn zeros<T: Clone + Default>(list: &mut Vec<T>, count: usize) {
    clear_for(list, count);
    list.resize(count, T::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_reused() {
        let mut list = vec![7u32; 100];
        let place = list.as_ptr();
        zeros(&mut list, 60);
        assert_eq!((&list[..], list.as_ptr()), (&[0; 60][..], place));
        clear_for(&mut list, 1000);
        assert!(list.is_empty() && list.capacity() >= 1125);
    }
}
