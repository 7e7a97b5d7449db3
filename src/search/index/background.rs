//! Runs work with a lower scheduling priority than requests.

use std::io;
use std::panic::resume_unwind;
use std::thread::Builder;

/// Runs work in a thread of the lowest scheduling priority and waits for it. Threads that the work
/// starts inherit the priority. Fails when no thread can be created.
pub(crate) fn run_in_background<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = Builder::new()
            .name("background".to_owned())
            .spawn_scoped(scope, || {
                lower_priority();
                work()
            })?;
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Sets the nice value of the calling thread to the highest. Linux keeps one for each thread;
/// elsewhere it belongs to the process, and the priority stays as it is.
#[cfg(target_os = "linux")]
fn lower_priority() {
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::warn!(error = %error, "the priority of a background thread could not be lowered");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::run_in_background;
    use rustix::process::getpriority_process;
    use std::thread::spawn;

    fn nice_value() -> i32 {
        getpriority_process(None).unwrap()
    }

    #[test]
    fn only_the_background_thread_has_a_low_priority() {
        let before = nice_value();
        let inside =
            run_in_background(|| [nice_value(), spawn(nice_value).join().unwrap()]).unwrap();
        assert_eq!((inside, nice_value()), ([19, 19], before));
        assert!(before < 19, "otherwise the test is meaningless");
    }
}
