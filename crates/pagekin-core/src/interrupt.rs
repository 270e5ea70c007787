//! Cooperative cancellation by unwinding, as in salsa: a loop asks now and then whether its caller still
//! wants the answer, and if not unwinds to `watched`. So no signature between the two speaks of it.
//!
//! Only loops that answer questions ask. What they hold while they do must be of use after an unwind.

use std::cell::RefCell;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

/// Says whether the work of this thread is to end.
pub type Probe = Box<dyn Fn() -> bool>;

/// The work was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

thread_local! {
    static PROBE: RefCell<Option<Probe>> = const { RefCell::new(None) };
}

/// Runs work that ends early if the probe says so. Other panics go on.
pub fn watched<T>(probe: Probe, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    let outer = PROBE.replace(Some(probe));
    let done = catch_unwind(AssertUnwindSafe(|| {
        check();
        work()
    }));
    PROBE.set(outer);
    done.or_else(|panic| match panic.downcast::<Interrupted>() {
        Ok(interrupted) => Err(*interrupted),
        Err(panic) => resume_unwind(panic),
    })
}

/// Ends the work of `watched` here if its probe says so. Takes nanoseconds.
pub fn check() {
    let is_over = PROBE.with_borrow(|probe| probe.as_ref().is_some_and(|probe| probe()));
    if is_over {
        // Not a panic: no hook is to print it.
        resume_unwind(Box::new(Interrupted));
    }
}

/// The same in one of 64 rounds of a loop whose rounds are short.
pub fn check_now_and_then(round: usize) {
    if round.is_multiple_of(64) {
        check();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// A probe that ends the work when it is asked for this time.
    fn at_most(times: usize) -> (Probe, Rc<Cell<usize>>) {
        let asked = Rc::new(Cell::new(0));
        let count = Rc::clone(&asked);
        let probe = move || {
            count.set(count.get() + 1);
            count.get() > times
        };
        (Box::new(probe), asked)
    }

    #[test]
    fn long_loop_ends() {
        let (probe, asked) = at_most(10);
        let done = watched(probe, || (0..1 << 40).for_each(check_now_and_then));
        assert_eq!(done, Err(Interrupted));
        assert_eq!(asked.get(), 11);
        // Nothing is left of the probe.
        check();
    }

    #[test]
    fn work_does_not_begin_when_it_is_over() {
        let done: Result<(), _> = watched(Box::new(|| true), || panic!("it began"));
        assert_eq!(done, Err(Interrupted));
    }

    #[test]
    fn work_in_time_has_its_result() {
        let (probe, asked) = at_most(10);
        let inner = || watched(Box::new(|| true), || 1);
        let outer = || {
            let done = inner();
            check();
            done
        };
        assert_eq!(watched(probe, outer), Ok(Err(Interrupted)));
        assert_eq!(asked.get(), 2);
    }

    #[test]
    fn other_panics_go_on() {
        let panic =
            catch_unwind(|| watched(Box::new(|| false), || resume_unwind(Box::new("a bug"))));
        let panic: Box<&str> = panic.expect_err("a panic").downcast().expect("text");
        assert_eq!(*panic, "a bug");
    }
}
