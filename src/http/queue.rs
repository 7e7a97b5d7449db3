//! How many requests read at once, and where.
//!
//! As many as there are processors, each to its end: were they all begun at once, all would end late. Who takes long makes room
//! for those who wait, and goes on beside them.
//!
//! A connection that has a thread of its own has its requests read there; others hand them over.

use super::error::Error;
use super::hearing::{Alone, done};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Who takes longer makes room for those who wait.
const QUICK: Duration = Duration::from_millis(25);
/// So many for each processor may have made room and go on; with more of them the others wait.
const LONG: usize = 2;

/// The queue of those who read.
pub struct Queue {
    quick: Arc<Semaphore>,
    long: Arc<Semaphore>,
    turns: Arc<Mutex<Turns>>,
}

/// Whose turn it is, each with its number.
#[derive(Default)]
struct Turns {
    now: Vec<(u64, Turn)>,
    last: u64,
}

/// The right to read.
struct Turn {
    begun: Instant,
    /// The place among the quick, or among the long once room was made.
    place: OwnedSemaphorePermit,
    made_room: bool,
}

/// Somebody's turn, until this is dropped.
struct Reading {
    turns: Arc<Mutex<Turns>>,
    number: u64,
}

impl Drop for Reading {
    fn drop(&mut self) {
        locked(&self.turns).now.retain(|(number, _)| *number != self.number);
    }
}

fn locked(turns: &Mutex<Turns>) -> MutexGuard<'_, Turns> {
    turns.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    /// A queue for a machine with so many processors.
    pub fn new(processors: usize) -> Queue {
        Queue { quick: Arc::new(Semaphore::new(processors)), long: Arc::new(Semaphore::new(processors * LONG)), turns: Arc::default() }
    }

    /// Does the work when its turn comes, in the thread that heard of it or in another, as [`done`] does. Fails with [`Error::Broken`]
    /// when it breaks down.
    pub async fn run<T: Send + 'static>(&self, alone: Option<Alone>, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let reading = self.turn().await?;
        done(alone, move || {
            let _until_the_end = reading;
            work()
        })
        .await
    }

    async fn turn(&self) -> Result<Reading, Error> {
        let place = Arc::clone(&self.quick).acquire_owned();
        tokio::pin!(place);
        let place = loop {
            let look = if self.quick.available_permits() == 0 { self.make_room() } else { QUICK };
            if let Ok(place) = timeout(look, &mut place).await {
                break place.map_err(|error| Error::Broken(error.to_string()))?;
            }
        };
        let mut turns = locked(&self.turns);
        turns.last += 1;
        let number = turns.last;
        turns.now.push((number, Turn { begun: Instant::now(), place, made_room: false }));
        Ok(Reading { turns: Arc::clone(&self.turns), number })
    }

    /// Whoever takes long goes to the long ones, as far as there are places; when to look again.
    fn make_room(&self) -> Duration {
        let mut look = QUICK;
        for (_, turn) in locked(&self.turns).now.iter_mut().filter(|(_, turn)| !turn.made_room) {
            let left = QUICK.saturating_sub(turn.begun.elapsed());
            if !left.is_zero() {
                look = look.min(left);
            } else if let Ok(place) = Arc::clone(&self.long).try_acquire_owned() {
                turn.place = place;
                turn.made_room = true;
            }
        }
        look
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    /// Work that waits until it is told to end.
    fn waiting(told: Receiver<()>) -> impl FnOnce() -> bool + Send + 'static {
        move || told.recv_timeout(Duration::from_secs(30)).is_ok()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn who_takes_long_makes_room_but_not_for_ever_more() {
        let queue = Arc::new(Queue::new(1));
        let begin = || {
            let (tell, told) = channel();
            let (queue, work) = (Arc::clone(&queue), waiting(told));
            (tell, tokio::spawn(async move { queue.run(None, work).await.unwrap() }))
        };
        // One and two make room, so that the third is begun; it stays, and the fourth waits.
        let mut begun: Vec<_> = (0..3).map(|_| begin()).collect();
        let under_way = || locked(&queue.turns).now.len();
        while under_way() < 3 {
            tokio::time::sleep(QUICK / 5).await;
        }
        let fourth = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.run(None, || 4).await.unwrap() }
        });
        tokio::time::sleep(QUICK * 4).await;
        assert_eq!((queue.quick.available_permits(), queue.long.available_permits(), under_way()), (0, 0, 3));
        // As soon as one of the two has ended, the third makes room too.
        let (tell, first) = begun.remove(0);
        tell.send(()).unwrap();
        assert!(first.await.unwrap());
        assert_eq!(fourth.await.unwrap(), 4);
        for (tell, task) in begun {
            tell.send(()).unwrap();
            assert!(task.await.unwrap());
        }
        assert_eq!((queue.quick.available_permits(), queue.long.available_permits(), under_way()), (1, LONG, 0));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn work_that_breaks_down_gives_its_turn_back() {
        let queue = Queue::new(1);
        let broken = queue.run(None, || -> i32 { panic!("on purpose") }).await;
        assert!(matches!(broken, Err(Error::Broken(why)) if why == "on purpose"));
        assert_eq!(queue.run(None, || 7).await.unwrap(), 7);
        assert_eq!(queue.quick.available_permits(), 1);
    }
}
