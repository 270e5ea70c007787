//! Questions that are given up: by a `Cancellation`, or by a signal that Python has a handler for.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagekin_core::interrupt::Probe;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    pagekin._core,
    Interrupted,
    PyException,
    "The question was given up before its answer was there."
);

/// Asking Python for signals takes the GIL, for which other threads may be in line.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(100);

thread_local! {
    static CURRENT: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Gives up what a thread asks the core within its `with` block.
#[pyclass(name = "Cancellation", frozen, module = "pagekin._core")]
#[derive(Default)]
pub struct PyCancellation(Arc<AtomicBool>);

#[pymethods]
impl PyCancellation {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Gives up the question, from any thread.
    fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn __enter__(&self) {
        CURRENT.set(Some(Arc::clone(&self.0)));
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyAny>) {
        CURRENT.set(None);
    }
}

/// What stops the work that a thread is about to do.
pub struct Stop {
    cancelled: Option<Arc<AtomicBool>>,
    /// What the handler of a signal raised.
    raised: Rc<RefCell<Option<PyErr>>>,
}

impl Stop {
    /// The stop of this thread.
    pub fn of_thread() -> Self {
        Self {
            cancelled: CURRENT.with_borrow(Clone::clone),
            raised: Rc::default(),
        }
    }

    /// Whether the work is to stop; to be asked without the GIL.
    pub fn probe(&self) -> Probe {
        if let Some(cancelled) = self.cancelled.clone() {
            return Box::new(move || cancelled.load(Ordering::Relaxed));
        }
        let raised = Rc::clone(&self.raised);
        let last = RefCell::new(Instant::now());
        Box::new(move || {
            let is_due = last.borrow().elapsed() >= BETWEEN_SIGNALS;
            if is_due {
                *raised.borrow_mut() = Python::attach(|py| py.check_signals()).err();
                last.replace(Instant::now());
            }
            raised.borrow().is_some()
        })
    }

    /// Why the work stopped.
    pub fn error(self) -> PyErr {
        let raised = self.raised.take();
        raised.unwrap_or_else(|| Interrupted::new_err("nobody waits for the answer any more"))
    }
}
