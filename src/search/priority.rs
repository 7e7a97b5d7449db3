//! Who gives way when the processors are busy.

use std::io;
use std::thread::Builder;
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

/// The priority of work that nobody waits for, of 0 to 99. On Linux it is a nice value of 15, beside which a thread of the usual
/// priority gets some thirty times as much of a processor; idle processors are used in full.
const PATIENT: u8 = 10;

/// Runs work in a thread that gives way to others, as do the threads that it starts, and waits for it. Where the system gives no such
/// priority the work is done with the usual one. Fails when the system gives no thread.
pub(super) fn patiently<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = Builder::new().name("rebuilding".to_owned()).spawn_scoped(scope, || {
            give_way();
            work()
        })?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Elsewhere a priority belongs to the whole process.
fn give_way() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let outcome = ThreadPriorityValue::try_from(PATIENT).map(|value| set_current_thread_priority(ThreadPriority::Crossplatform(value)));
    if !matches!(outcome, Ok(Ok(()))) {
        tracing::warn!(problem = ?outcome, "the index is made anew with the priority of searches");
    }
}
