//! An object pool: memory that threads take turns with.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values that are not in use. Their memory is reused: touching memory for the first time takes
/// about as long as the work on it.
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
