//! How many requests read at once.
//!
//! As many as there are processors, each to its end: were they all begun at once, all would end late. Who takes long makes room
//! for the next and goes on beside them.

use super::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Who takes longer makes room for the next.
const QUICK: Duration = Duration::from_millis(25);
/// So many for each processor may have made room and go on; with more of them the others wait.
const LONG: usize = 2;

/// The queue of those who read.
pub struct Queue {
    quick: Arc<Semaphore>,
    long: Semaphore,
}

/// The right to read, until the work is done or goes on beside.
type Turn = Mutex<Option<OwnedSemaphorePermit>>;

fn give_back(turn: &Turn) {
    drop(turn.lock().unwrap_or_else(PoisonError::into_inner).take());
}

impl Queue {
    /// A queue for a machine with so many processors.
    pub fn new(processors: usize) -> Queue {
        Queue { quick: Arc::new(Semaphore::new(processors)), long: Semaphore::new(processors * LONG) }
    }

    /// Does the work in a thread of its own when its turn comes. Fails with [`Error::Broken`] when it breaks down.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let permit = Arc::clone(&self.quick).acquire_owned().await.map_err(|error| Error::Broken(error.to_string()))?;
        let turn = Arc::new(Turn::new(Some(permit)));
        let end = Arc::clone(&turn);
        let mut task = spawn_blocking(move || {
            let outcome = work();
            give_back(&end);
            outcome
        });
        let mut beside = None;
        let done = loop {
            match timeout(QUICK, &mut task).await {
                Ok(done) => break done,
                Err(_) if beside.is_some() => {}
                Err(_) => {
                    beside = self.long.try_acquire().ok();
                    if beside.is_some() {
                        give_back(&turn);
                    }
                }
            }
        };
        done.map_err(|error| Error::Broken(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    /// Work that waits until it is told to end.
    fn waiting(told: Receiver<()>) -> impl FnOnce() -> bool + Send + 'static {
        move || told.recv().is_ok()
    }

    #[tokio::test]
    async fn who_takes_long_makes_room_but_not_for_ever_more() {
        let queue = Arc::new(Queue::new(1));
        let begin = || {
            let (tell, told) = channel();
            let (queue, work) = (Arc::clone(&queue), waiting(told));
            (tell, tokio::spawn(async move { queue.run(work).await.unwrap() }))
        };
        // One and two make room, so that the third is begun; it stays, and the fourth waits.
        let mut begun: Vec<_> = (0..3).map(|_| begin()).collect();
        while queue.long.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        while queue.quick.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        // As soon as one of the two has ended, the third makes room too.
        let (tell, first) = begun.remove(0);
        tell.send(()).unwrap();
        assert!(first.await.unwrap());
        assert_eq!(queue.run(|| 4).await.unwrap(), 4);
        for (tell, task) in begun {
            tell.send(()).unwrap();
            assert!(task.await.unwrap());
        }
        assert_eq!((queue.quick.available_permits(), queue.long.available_permits()), (1, LONG));
    }

    #[tokio::test]
    async fn work_that_breaks_down_gives_its_turn_back() {
        let queue = Queue::new(1);
        assert!(matches!(queue.run(|| -> i32 { panic!("on purpose") }).await, Err(Error::Broken(_))));
        assert_eq!(queue.run(|| 7).await.unwrap(), 7);
    }
}
