//! Who gives way when the processors are busy.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// How often threads are looked for that give way.
const LOOK: Duration = Duration::from_millis(100);
/// After so many looks each moves on to the next processor. Where they move with each look, or oftener, searches wait longer.
const TURN: usize = 10;

/// Runs work in a thread that gives way to others, as do the threads that it starts, and waits for it. Where the system gives no such
/// priority the work is done with the usual one. Fails when the system gives no thread.
pub(super) fn patiently<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let (working, ended) = channel::<()>();
        let thread = Builder::new().name("rebuilding".to_owned()).spawn_scoped(scope, move || {
            let _working = working;
            give_way();
            work()
        })?;
        let mut looks = 0;
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            set_apart(looks / TURN);
            looks += 1;
        }
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

/// Leaves each thread of this process that gives way one processor, the next one with each turn.
///
/// Where several wait on one processor while on another only such a thread runs, Linux evens out their number: as often as not it takes
/// a thread that gives way from the one to the other, and the search goes on waiting. A thread that may not be moved leaves it no choice.
/// They take turns, for a processor that somebody else keeps busy is as good as none.
#[cfg(target_os = "linux")]
fn set_apart(turn: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let processors: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|processor| allowed.is_set(*processor)).collect();
    for (place, thread) in giving_way().enumerate() {
        let mut one = CpuSet::new();
        one.set(processors[(place + turn) % processors.len()]);
        let _ = sched_setaffinity(Some(thread), &one); // it may have ended
    }
}

#[cfg(not(target_os = "linux"))]
fn set_apart(_: usize) {}

/// The threads of this process that give way, in the order of their beginning.
#[cfg(target_os = "linux")]
fn giving_way() -> impl Iterator<Item = rustix::thread::Pid> {
    use rustix::thread::Pid;
    let all = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    all.filter_map(|thread| {
        let said = std::fs::read_to_string(thread.path().join("stat")).ok()?;
        is_giving_way(&said).then(|| thread.file_name().to_str()?.parse().ok().and_then(Pid::from_raw))?
    })
}

/// Whether what Linux says of a thread has the policy of `SCHED_IDLE`: the 41st word, where the second, in brackets, may say anything.
#[cfg(target_os = "linux")]
fn is_giving_way(said: &str) -> bool {
    said.rsplit_once(')').and_then(|(_, words)| words.split_whitespace().nth(38)) == Some("5")
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use rustix::thread::{CpuSet, sched_getaffinity};
    use std::thread::{available_parallelism, sleep, spawn};

    fn may_run_on() -> CpuSet {
        sched_getaffinity(None).unwrap()
    }

    /// Waits until this thread has been moved so often.
    fn moved(times: usize) -> Vec<CpuSet> {
        let mut seen = vec![may_run_on()];
        for milliseconds in 0.. {
            if seen.len() > times {
                break;
            }
            assert!(milliseconds < 60_000, "not moved any more: {seen:?}");
            sleep(Duration::from_millis(1));
            let now = may_run_on();
            if seen.last() != Some(&now) {
                seen.push(now);
            }
        }
        seen
    }

    #[test]
    fn whoever_gives_way_stays_on_one_processor_for_a_turn() {
        let before = may_run_on();
        if available_parallelism().unwrap().get() < 2 {
            return;
        }
        let begun = patiently(|| {
            let other = spawn(|| moved(2));
            [moved(2), other.join().unwrap()]
        });
        for seen in begun.unwrap() {
            assert!(seen[1..].iter().all(|set| set.count() == 1), "{seen:?}");
        }
        assert_eq!(may_run_on(), before);
    }

    #[test]
    fn the_policy_is_read_behind_a_name_with_brackets() {
        let said = |policy: u8| format!("12 (a) b) R{} {policy} 0 0", " 1".repeat(37));
        assert!(is_giving_way(&said(5)) && !is_giving_way(&said(0)) && !is_giving_way("") && !is_giving_way("12 (a"));
    }
}
