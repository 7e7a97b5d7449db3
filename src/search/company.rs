//! Several threads for one question, as long as processors have nothing else to do.
//!
//! The work is cut into pieces, which whoever works on it takes one after the other. To wake a thread takes some fifty microseconds, as
//! long as a piece or several: it is woken before it is known what there is to do, and is there when it is. Who asked neither waits for
//! one that does not come nor leaves it a piece, but works until nothing is left and waits then for the pieces alone that others have begun.

use std::fs::File;
use std::hint::spin_loop;
use std::num::NonZero;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::patience::Until;

/// So many threads help with a question at most.
pub(super) const MOST: usize = 3;
/// For so long a thread stays awake that will soon have something to do: a few times as long as it takes to wake it.
const AWAKE: Duration = Duration::from_micros(300);

/// What several threads can work on at once.
pub(super) trait Shared: Send + Sync + 'static {
    /// What one of them has worked out.
    type Share: Send;

    /// Works on what nobody works on yet, until nothing is left.
    fn share(&self) -> Self::Share;
}

/// The threads of this process that help.
static HELPERS: LazyLock<Helpers> = LazyLock::new(Helpers::begin);
/// How many of them are awake and have nothing to do.
static WAITING: AtomicUsize = AtomicUsize::new(0);

struct Helpers {
    each: Vec<Helper>,
    processors: usize,
    /// Where Linux says how many threads of the whole machine run or want to; elsewhere nobody is called.
    load: Option<File>,
}

struct Helper {
    is_called: Arc<AtomicBool>,
    hand: Mutex<Sender<Arc<dyn Job>>>,
}

/// Work in which a thread can help.
trait Job: Send + Sync {
    fn help(&self);
}

impl Helpers {
    fn begin() -> Helpers {
        let processors = available_parallelism().map_or(1, NonZero::get);
        let many = if cfg!(test) { MOST } else { MOST.min(processors - 1) };
        let each = (0..many).filter_map(|_| Helper::begin().ok()).collect();
        Helpers { each, processors, load: File::open("/proc/loadavg").ok() }
    }

    /// How many processors have nothing to do. Tests do not depend on that.
    fn idle(&self) -> usize {
        if cfg!(test) {
            return MOST;
        }
        let busy = self.load.as_ref().and_then(running).unwrap_or(usize::MAX);
        self.processors.saturating_sub(busy.saturating_sub(WAITING.load(Ordering::Relaxed)))
    }

    /// Calls those who have nothing to do, at most so many.
    fn call(&self, most: usize, job: &Arc<impl Job + 'static>) {
        let free = self.each.iter().filter(|helper| !helper.is_called.swap(true, Ordering::Relaxed));
        for helper in free.take(most) {
            let hand = helper.hand.lock().unwrap_or_else(PoisonError::into_inner);
            // A thread that has ended stays called, and is not called again.
            drop(hand.send(Arc::clone(job) as Arc<dyn Job>));
        }
    }
}

impl Helper {
    fn begin() -> std::io::Result<Helper> {
        let (hand, jobs) = channel::<Arc<dyn Job>>();
        let is_called = Arc::new(AtomicBool::new(false));
        let called = Arc::clone(&is_called);
        let help = move || {
            while let Some(job) = next(&jobs) {
                // Whoever asked is told by the job when it breaks down.
                drop(catch_unwind(AssertUnwindSafe(|| job.help())));
                drop(job);
                called.store(false, Ordering::Relaxed);
            }
        };
        std::thread::Builder::new().name("helper".to_owned()).spawn(help)?;
        Ok(Helper { is_called, hand: Mutex::new(hand) })
    }
}

/// The next job: one often comes soon after another.
fn next(jobs: &Receiver<Arc<dyn Job>>) -> Option<Arc<dyn Job>> {
    WAITING.fetch_add(1, Ordering::Relaxed);
    let soon = awake(|| jobs.try_recv().ok());
    WAITING.fetch_sub(1, Ordering::Relaxed);
    soon.or_else(|| jobs.recv().ok())
}

/// How many threads run or want to, the fourth number of five: `0.20 0.18 0.12 1/80 11206`.
#[cfg(unix)]
fn running(load: &File) -> Option<usize> {
    let mut said = [0; 80];
    let length = load.read_at(&mut said, 0).ok()?;
    let said = std::str::from_utf8(said.get(..length)?).ok()?;
    said.split(' ').nth(3)?.split_once('/')?.0.parse().ok()
}

#[cfg(not(unix))]
fn running(_: &File) -> Option<usize> {
    None
}

/// Looks again and again for a while.
#[allow(clippy::disallowed_methods, reason = "for how long a thread is kept awake is real time, not the time of records")]
fn awake<T>(look: impl Fn() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return Some(seen);
        }
        if begun.elapsed() > AWAKE {
            return None;
        }
        spin_loop();
    }
}

/// What is worked on together.
struct Together<W: Shared> {
    work: OnceLock<W>,
    /// How many have come too early.
    early: AtomicUsize,
    until: Until,
    /// Whether nobody need come any more.
    is_over: AtomicBool,
    /// How many others are within.
    within: AtomicUsize,
    said: Mutex<Said<W::Share>>,
    left: Condvar,
}

/// What those have said who came.
struct Said<S> {
    /// Whether nobody can come any more.
    is_over: bool,
    shares: Vec<S>,
    broke_down: bool,
}

/// Has the work done as soon as it is known what it is: here, and by others as well where it is `worth` the while and processors have
/// nothing else to do. What each has worked out comes in any order. Fails as `known` does; panics where one who helped did.
pub(super) fn together<W: Shared, E>(worth: bool, known: impl FnOnce() -> Result<W, E>) -> Result<Vec<W::Share>, E> {
    let idle = if worth { HELPERS.idle() } else { 0 };
    if idle == 0 {
        return Ok(vec![known()?.share()]);
    }
    let said = Said { is_over: false, shares: Vec::new(), broke_down: false };
    let together = Arc::new(Together {
        work: OnceLock::new(),
        early: AtomicUsize::new(0),
        until: Until::now(),
        is_over: AtomicBool::new(false),
        within: AtomicUsize::new(0),
        said: Mutex::new(said),
        left: Condvar::new(),
    });
    HELPERS.call(idle, &together);
    let over = Over(&together);
    let known = known()?;
    let work = together.work.get_or_init(|| known);
    HELPERS.call(together.early.load(Ordering::Relaxed), &together);
    let own = work.share();
    drop(over);
    let mut shares = together.others();
    shares.push(own);
    Ok(shares)
}

/// Sees to it that nobody comes any more once this is dropped.
struct Over<'t, W: Shared>(&'t Together<W>);

impl<W: Shared> Drop for Over<'_, W> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.said().is_over = true;
    }
}

/// Sees to it that one who came is waited for no longer once this is dropped.
struct Within<'t, W: Shared> {
    together: &'t Together<W>,
    share: Option<W::Share>,
}

impl<W: Shared> Drop for Within<'_, W> {
    fn drop(&mut self) {
        let mut said = self.together.said();
        match self.share.take() {
            Some(share) => said.shares.push(share),
            None => said.broke_down = true,
        }
        self.together.within.fetch_sub(1, Ordering::Release);
        self.together.left.notify_one();
    }
}

impl<W: Shared> Together<W> {
    fn said(&self) -> MutexGuard<'_, Said<W::Share>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Comes in, if that is of any use still.
    fn come(&self) -> Option<Within<'_, W>> {
        let said = self.said();
        if said.is_over {
            return None;
        }
        self.within.fetch_add(1, Ordering::Relaxed);
        Some(Within { together: self, share: None })
    }

    /// What others have worked out, when all have left.
    fn others(&self) -> Vec<W::Share> {
        awake(|| (self.within.load(Ordering::Acquire) == 0).then_some(()));
        let mut said = self.said();
        while self.within.load(Ordering::Acquire) > 0 {
            said = self.left.wait(said).unwrap_or_else(PoisonError::into_inner);
        }
        assert!(!said.broke_down, "a thread that helped broke down");
        std::mem::take(&mut said.shares)
    }
}

impl<W: Shared> Job for Together<W> {
    fn help(&self) {
        awake(|| (self.work.get().is_some() || self.is_over.load(Ordering::Relaxed)).then_some(()));
        let Some(work) = self.work.get() else {
            self.early.fetch_add(1, Ordering::Relaxed);
            return;
        };
        if let Some(mut within) = self.come() {
            let _patience = self.until.begin();
            within.share = Some(work.share());
        }
    }
}

#[cfg(test)]
mod tests;
