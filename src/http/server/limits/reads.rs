//! Limits on concurrent reads.
//!
//! A read starts as a light one with a fraction of a second. One that takes longer is heavy: it is
//! stopped, releases its permit, and runs again with more time, after the other heavy reads of the
//! same client. So slow reads wait for each other, and fast ones do not wait for them. One client
//! can have half of the light permits.
//!
//! Reads that take long without statements, such as writing a large document, cannot be stopped.
//! So each client has a budget of processor time. While it is used up, its reads take the few permits
//! for all such clients in place of the light ones: as many as one client may have, so that a client
//! alone is as fast as before.

use super::client_id::ClientId;
use super::costs::ClientCosts;
use super::semaphore::{BoundedSemaphore, KeyedPermit, KeyedSemaphores};
use crate::error::Error;
use crate::server::blocking::run_blocking;
use quarry_config::{Limit, Limits};
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// Number of concurrent light reads per CPU.
const LIGHT_PER_CPU: usize = 4;
/// Number of concurrent light reads per CPU of clients that have used up their budget. One client alone
/// is not limited by it.
const OVER_BUDGET_PER_CPU: usize = LIGHT_PER_CPU / CLIENT_SHARE;
/// One client can have this fraction (1/n) of the light permits.
const CLIENT_SHARE: usize = 2;
/// Maximum number of waiting heavy reads of one client.
const MAX_HEAVY_QUEUE: usize = 16;

/// The permits for reads.
pub struct ReadLimiter {
    light: BoundedSemaphore,
    light_of_client: KeyedSemaphores<ClientId>,
    /// For clients that have used up their budget.
    over_budget: BoundedSemaphore,
    costs: ClientCosts,
    heavy: BoundedSemaphore,
    heavy_of_client: KeyedSemaphores<ClientId>,
    light_time: Option<Duration>,
    heavy_time: Option<Duration>,
}

impl ReadLimiter {
    /// Creates a limiter for this number of CPUs.
    pub fn new(cpus: usize, limits: &Limits) -> ReadLimiter {
        let queue = limits.count(Limit::QueueLength);
        let wait = limits.duration(Limit::QueueTimeout);
        let heavy_queue = limits.queue_length(MAX_HEAVY_QUEUE);
        let heavy_time = limits.duration(Limit::ReadTimeout);
        ReadLimiter {
            light: BoundedSemaphore::new(cpus * LIGHT_PER_CPU, queue, wait),
            light_of_client: KeyedSemaphores::new(move || {
                BoundedSemaphore::new((cpus * LIGHT_PER_CPU / CLIENT_SHARE).max(1), queue, wait)
            }),
            over_budget: BoundedSemaphore::new(cpus * OVER_BUDGET_PER_CPU, queue, wait),
            costs: ClientCosts::new(),
            heavy: BoundedSemaphore::new(cpus, queue, wait),
            heavy_of_client: KeyedSemaphores::new(move || {
                BoundedSemaphore::new(1, heavy_queue, wait)
            }),
            light_time: limits
                .duration(Limit::HeavyRead)
                .filter(|light| heavy_time.is_none_or(|heavy| *light < heavy)),
            heavy_time,
        }
    }

    /// Returns how many reads wait, new ones and slow ones.
    pub fn waiting(&self) -> (usize, usize) {
        (
            self.light.waiting() + self.light_of_client.waiting() + self.over_budget.waiting(),
            self.heavy.waiting() + self.heavy_of_client.waiting(),
        )
    }

    /// Runs a read, and again with more time if it fails with [`Error::TimedOut`]. `read` receives
    /// its deadline.
    pub async fn run<T: Send>(
        &self,
        client: ClientId,
        read: impl Fn(Option<Instant>) -> Result<T, Error> + Send + Sync,
    ) -> Result<T, Error> {
        {
            let _permits = self.light_permits(client).await?;
            let time = self.light_time.or(self.heavy_time);
            let outcome = self.run_charged(client, || read(deadline_after(time)));
            match outcome {
                Err(Error::TimedOut) if self.light_time.is_some() => {}
                outcome => return outcome,
            }
        }
        let _own = self.heavy_of_client.acquire(client).await?;
        let _permit = self.heavy.acquire().await?;
        self.run_charged(client, || read(deadline_after(self.heavy_time)))
    }

    /// Reads a chunk of a streamed response. It waits for its permits however long it takes, because the
    /// response has begun; the number of streams is limited.
    pub async fn run_chunk<T: Send>(
        &self,
        client: ClientId,
        read: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        let _own = self.light_of_client.acquire_unbounded(client).await?;
        let _permit = self.permits(client).acquire_unbounded().await?;
        self.run_charged(client, read)
    }

    /// Runs work of a client that has other permits, and charges it.
    pub fn charge<T>(&self, client: ClientId, work: impl FnOnce() -> T) -> T {
        self.costs.charge(client, work)
    }

    async fn light_permits(
        &self,
        client: ClientId,
    ) -> Result<(OwnedSemaphorePermit, KeyedPermit), Error> {
        let own = self.light_of_client.acquire(client).await?;
        // Dropped in this order: the next request of the client finds both permits.
        Ok((self.permits(client).acquire().await?, own))
    }

    fn permits(&self, client: ClientId) -> &BoundedSemaphore {
        if self.costs.is_over_budget(client) {
            &self.over_budget
        } else {
            &self.light
        }
    }

    fn run_charged<T>(
        &self,
        client: ClientId,
        read: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.costs.charge(client, || run_blocking(read))
    }
}

fn deadline_after(time: Option<Duration>) -> Option<Instant> {
    time.and_then(|time| Instant::now().checked_add(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::ids::UserId;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    fn limiter(queue: u64) -> Arc<ReadLimiter> {
        let limits = Limits::default()
            .with(Limit::HeavyRead, 5)
            .with(Limit::QueueLength, queue);
        Arc::new(ReadLimiter::new(2, &limits))
    }

    /// A heavy read: times out when its deadline is near, and otherwise runs until it receives a
    /// message.
    fn heavy(
        running: Arc<AtomicUsize>,
        end: Arc<Mutex<std::sync::mpsc::Receiver<()>>>,
    ) -> impl Fn(Option<Instant>) -> Result<(), Error> {
        move |deadline| {
            if deadline.unwrap() < Instant::now() + Duration::from_secs(1) {
                return Err(Error::TimedOut);
            }
            running.fetch_add(1, Ordering::SeqCst);
            end.lock()
                .unwrap()
                .recv_timeout(Duration::from_secs(60))
                .unwrap();
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn heavy_reads_of_a_client_run_one_at_a_time_and_block_no_light_ones() {
        let limiter = limiter(256);
        let client = |id: i64| ClientId::User(UserId(id));
        let running = Arc::new(AtomicUsize::new(0));
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let reads: Vec<_> = (0..4)
            .map(|_| {
                let limiter = Arc::clone(&limiter);
                let read = heavy(Arc::clone(&running), Arc::clone(&receiver));
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
            sender.send(()).unwrap();
        }
        for read in reads {
            read.await.unwrap().unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn begun_stream_waits_where_a_new_read_is_refused() {
        let limiter = limiter(1);
        let client = ClientId::User(UserId(1));
        let mut permits = Vec::new();
        for _ in 0..2 * LIGHT_PER_CPU / CLIENT_SHARE {
            permits.push(limiter.light_permits(client).await.unwrap());
        }
        let mut queued = std::pin::pin!(limiter.light_permits(client));
        assert!(futures_util::poll!(&mut queued).is_pending());
        let refused = limiter.light_permits(client).await;
        assert!(matches!(refused, Err(Error::Overloaded)));
        let mut chunk = std::pin::pin!(limiter.run_chunk(client, || Ok(())));
        assert!(futures_util::poll!(&mut chunk).is_pending());
        permits.clear();
        drop(queued.await);
        assert!(chunk.await.is_ok());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn too_many_waiting_reads_are_refused() {
        let limiter = limiter(1);
        let (sender, receiver) = channel::<()>();
        let receiver = Arc::new(Mutex::new(receiver));
        let reads: Vec<_> = (0..8 + 1 + 3)
            .map(|id| {
                let limiter = Arc::clone(&limiter);
                let receiver = Arc::clone(&receiver);
                let read = move |_| {
                    let _ = receiver
                        .lock()
                        .unwrap()
                        .recv_timeout(Duration::from_secs(60));
                    Ok(())
                };
                tokio::spawn(async move { limiter.run(ClientId::User(UserId(id)), read).await })
            })
            .collect();
        while reads.iter().filter(|read| read.is_finished()).count() < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(sender);
        let mut refused = 0;
        for read in reads {
            refused += usize::from(matches!(read.await.unwrap(), Err(Error::Overloaded)));
        }
        assert_eq!(refused, 3);
    }
}
