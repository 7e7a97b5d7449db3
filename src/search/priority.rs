//! Who gives way when the processors are busy.

use std::io;
use std::thread::Builder;

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

/// From here on the thread gives way to others. On Linux it is one for idle processors (`SCHED_IDLE`): whoever else has something to do
/// takes its processor at once, where a low nice value would let it go on to the end of its turn, some milliseconds; of a processor that
/// is never idle it gets about a three-hundredth part. Elsewhere a priority belongs to the whole process, and nothing is done.
#[cfg(target_os = "linux")]
fn give_way() {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
    let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let this = thread_priority::thread_native_id();
    if let Err(problem) = thread_priority::set_thread_priority_and_policy(this, ThreadPriority::Min, policy) {
        tracing::warn!(?problem, "the index may be made anew with the priority of searches");
    }
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}
