//! An object pool: memory that threads take turns with.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values that nobody works with at the moment. Their memory is used again: touching memory for
/// the first time takes as long as much of what is done with it.
pub struct ObjectPool<T>(Mutex<Vec<T>>);

impl<T> Default for ObjectPool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Default> ObjectPool<T> {
    /// One of the values, or a new one.
    pub fn take(&self) -> T {
        self.values().pop().unwrap_or_default()
    }

    /// Leaves a value for others.
    pub fn put(&self, value: T) {
        self.values().push(value);
    }

    fn values(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
