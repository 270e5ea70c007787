//! Buffer reuse: touching memory for the first time takes as long as much of what is done with
//! it.

/// Empties a list for N items. Its memory is used again if it is enough; if not, the list gets
/// some to spare, since the next one is about as long, and nothing of the old is copied.
pub(crate) fn clear_for<T>(items: &mut Vec<T>, count: usize) {
    items.clear();
    if items.capacity() < count {
        *items = Vec::new();
        items.reserve_exact(count + count / 8);
    }
}

/// Makes a list one of N zeros.
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
