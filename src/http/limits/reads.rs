//! How many reads run at once.
//!
//! A read begins as a light one and has a fraction of a second. One that takes longer is heavy: it is stopped, gives its slot
//! back and runs again with more time, after the other heavy reads of the same client. So lists that take seconds wait for each other, and
//! what is quick waits for none of them. One client has half of the light slots at most.

use super::{ClientId, KeyedSlots, Slots};
use crate::config::{Limit, Limits};
use crate::http::{Error, run_blocking};
use std::time::{Duration, Instant};

/// Light reads per CPU.
const LIGHT_PER_CPU: usize = 4;
/// The part of the light slots that one client can have.
const CLIENT_SHARE: usize = 2;
/// How many heavy reads of one client may wait for the one that runs.
const HEAVY_QUEUE: usize = 16;

/// The slots for reads.
pub struct ReadLimiter {
    light: Slots,
    light_of_client: KeyedSlots<ClientId>,
    heavy: Slots,
    heavy_of_client: KeyedSlots<ClientId>,
    light_time: Option<Duration>,
    heavy_time: Option<Duration>,
}

impl ReadLimiter {
    /// Slots for a machine with so many CPUs.
    pub fn new(cpus: usize, limits: &Limits) -> ReadLimiter {
        let (queue, wait) = (limits.count(Limit::QueueLength), limits.duration(Limit::QueueTimeout));
        let heavy_time = limits.duration(Limit::ReadTimeout);
        ReadLimiter {
            light: Slots::new(cpus * LIGHT_PER_CPU, queue, wait),
            light_of_client: KeyedSlots::new(move || Slots::new((cpus * LIGHT_PER_CPU / CLIENT_SHARE).max(1), queue, wait)),
            heavy: Slots::new(cpus, queue, wait),
            heavy_of_client: KeyedSlots::new(move || Slots::new(1, HEAVY_QUEUE, wait)),
            light_time: limits.duration(Limit::HeavyRead).filter(|light| heavy_time.is_none_or(|heavy| *light < heavy)),
            heavy_time,
        }
    }

    /// Runs a read, and again with more time if it fails with [`Error::TimedOut`]. `read` is told its deadline.
    pub async fn run<T: Send>(
        &self,
        client: ClientId,
        read: impl Fn(Option<Instant>) -> Result<T, Error> + Send + Sync,
    ) -> Result<T, Error> {
        let after = |time: Option<Duration>| time.and_then(|time| Instant::now().checked_add(time));
        {
            let _own = self.light_of_client.acquire(client).await?;
            let _slot = self.light.acquire().await?;
            let outcome = run_blocking(|| read(after(self.light_time.or(self.heavy_time))));
            match outcome {
                Err(Error::TimedOut) if self.light_time.is_some() => {}
                outcome => return outcome,
            }
        }
        let _own = self.heavy_of_client.acquire(client).await?;
        let _slot = self.heavy.acquire().await?;
        run_blocking(|| read(after(self.heavy_time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::UserId;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    fn limiter(queue: u64) -> Arc<ReadLimiter> {
        let limits = Limits::default().with(Limit::HeavyRead, 5).with(Limit::QueueLength, queue);
        Arc::new(ReadLimiter::new(2, &limits))
    }

    /// Runs until its deadline when that is near, as a heavy read does; then until it is told to end.
    fn heavy(running: Arc<AtomicUsize>, end: Arc<Mutex<std::sync::mpsc::Receiver<()>>>) -> impl Fn(Option<Instant>) -> Result<(), Error> {
        move |deadline| {
            if deadline.unwrap() < Instant::now() + Duration::from_secs(1) {
                return Err(Error::TimedOut);
            }
            running.fetch_add(1, Ordering::SeqCst);
            end.lock().unwrap().recv_timeout(Duration::from_secs(60)).unwrap();
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn heavy_reads_of_a_client_run_one_after_the_other_and_hold_up_nobody() {
        let limiter = limiter(256);
        let client = |id: i64| ClientId::User(UserId(id));
        let (running, (tell, told)) = (Arc::new(AtomicUsize::new(0)), channel());
        let told = Arc::new(Mutex::new(told));
        let reads: Vec<_> = (0..4)
            .map(|_| {
                let (limiter, read) = (Arc::clone(&limiter), heavy(Arc::clone(&running), Arc::clone(&told)));
                tokio::spawn(async move { limiter.run(client(1), read).await })
            })
            .collect();
        while running.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for _ in 0..50 {
            assert!(limiter.run(client(1), |_| Ok(())).await.is_ok());
            assert!(limiter.run(client(2), |_| Ok(())).await.is_ok());
            assert_eq!(running.load(Ordering::SeqCst), 1);
        }
        for _ in 0..4 {
            tell.send(()).unwrap();
        }
        for read in reads {
            read.await.unwrap().unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn too_many_waiting_reads_are_refused() {
        let limiter = limiter(1);
        let (tell, told) = channel::<()>();
        let told = Arc::new(Mutex::new(told));
        let reads: Vec<_> = (0..8 + 1 + 3)
            .map(|id| {
                let (limiter, told) = (Arc::clone(&limiter), Arc::clone(&told));
                let read = move |_| {
                    let _ = told.lock().unwrap().recv_timeout(Duration::from_secs(60));
                    Ok(())
                };
                tokio::spawn(async move { limiter.run(ClientId::User(UserId(id)), read).await })
            })
            .collect();
        while reads.iter().filter(|read| read.is_finished()).count() < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(tell);
        let mut refused = 0;
        for read in reads {
            refused += usize::from(matches!(read.await.unwrap(), Err(Error::Overloaded)));
        }
        assert_eq!(refused, 3);
    }
}
