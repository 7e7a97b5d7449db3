//! How many requests read at once, and where.
//!
//! As many as there are processors, each to its end: were they all begun at once, all would end late. Who takes long makes room
//! for those who wait, and goes on beside them.
//!
//! What is read for a request is read in the thread that heard it: to hand it to another thread and its answer back makes whoever
//! asked wait for two threads to wake up. Another thread is woken to listen meanwhile, for which nobody waits.

use super::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::block_in_place;
use tokio::time::{Instant, timeout};

/// Who takes longer makes room for those who wait.
const QUICK: Duration = Duration::from_millis(25);
/// So many for each processor may have made room and go on; with more of them the others wait.
const LONG: usize = 2;

/// The queue of those who read.
pub struct Queue {
    quick: Arc<Semaphore>,
    long: Arc<Semaphore>,
    turns: Mutex<Turns>,
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
struct Reading<'q> {
    queue: &'q Queue,
    number: u64,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.queue.turns().now.retain(|(number, _)| *number != self.number);
    }
}

impl Queue {
    /// A queue for a machine with so many processors.
    pub fn new(processors: usize) -> Queue {
        Queue { quick: Arc::new(Semaphore::new(processors)), long: Arc::new(Semaphore::new(processors * LONG)), turns: Mutex::default() }
    }

    /// Does the work when its turn comes, in this thread of a runtime that has several. Fails with [`Error::Broken`] when it breaks
    /// down.
    pub async fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Error> {
        let _reading = self.turn().await?;
        block_in_place(|| catch_unwind(AssertUnwindSafe(work))).map_err(Error::of_panic)
    }

    async fn turn(&self) -> Result<Reading<'_>, Error> {
        let place = Arc::clone(&self.quick).acquire_owned();
        tokio::pin!(place);
        let place = loop {
            let look = if self.quick.available_permits() == 0 { self.make_room() } else { QUICK };
            if let Ok(place) = timeout(look, &mut place).await {
                break place.map_err(|error| Error::Broken(error.to_string()))?;
            }
        };
        let mut turns = self.turns();
        turns.last += 1;
        let number = turns.last;
        turns.now.push((number, Turn { begun: Instant::now(), place, made_room: false }));
        Ok(Reading { queue: self, number })
    }

    /// Whoever takes long goes to the long ones, as far as there are places; when to look again.
    fn make_room(&self) -> Duration {
        let mut look = QUICK;
        for (_, turn) in self.turns().now.iter_mut().filter(|(_, turn)| !turn.made_room) {
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

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
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
            (tell, tokio::spawn(async move { queue.run(work).await.unwrap() }))
        };
        // One and two make room, so that the third is begun; it stays, and the fourth waits.
        let mut begun: Vec<_> = (0..3).map(|_| begin()).collect();
        let under_way = || queue.turns().now.len();
        while under_way() < 3 {
            tokio::time::sleep(QUICK / 5).await;
        }
        let fourth = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.run(|| 4).await.unwrap() }
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
    async fn who_reads_keeps_nobody_from_being_heard() {
        let ((tell, told), (begin, begun)) = (channel(), channel());
        let queue = Queue::new(2);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let heard = tokio::spawn(async move { drop(listener.accept().await.unwrap()) });
        let work = move || {
            begin.send(()).unwrap();
            waiting(told)()
        };
        let reading = tokio::spawn(async move { queue.run(work).await.unwrap() });
        // From outside the runtime, whose one thread reads by now.
        std::thread::spawn(move || {
            begun.recv().unwrap();
            drop(std::net::TcpStream::connect(address).unwrap());
        });
        heard.await.unwrap();
        assert!(!reading.is_finished());
        tell.send(()).unwrap();
        assert!(reading.await.unwrap());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn work_that_breaks_down_gives_its_turn_back() {
        let queue = Queue::new(1);
        assert!(matches!(queue.run(|| -> i32 { panic!("on purpose") }).await, Err(Error::Broken(why)) if why == "on purpose"));
        assert_eq!(queue.run(|| 7).await.unwrap(), 7);
        assert_eq!(queue.quick.available_permits(), 1);
    }
}
