//! Limits on rendering long texts, which takes up to a second and 150 MiB for a page.
//!
//! A read that needs to render a long text fails with [`Error::LongText`], which releases its
//! permit, and runs again here. So long texts wait for each other, and other reads do not wait for
//! them. The number of slots bounds the memory.

use super::client_id::ClientId;
use super::semaphore::{BoundedSemaphore, KeyedSemaphores};
use crate::error::Error;
use crate::server::blocking::run_blocking;
use quarry_config::{Limit, Limits};
use std::time::{Duration, Instant};

/// Maximum number of pages with long texts that are rendered at once, whatever the number of CPUs.
const MAX_SLOTS: usize = 4;
/// Maximum number of waiting pages with long texts of one client.
const MAX_QUEUE_PER_CLIENT: usize = 16;

/// The slots for rendering long texts: one per two CPUs. Each client can occupy one.
pub struct RenderLimiter {
    slots: BoundedSemaphore,
    slots_of_client: KeyedSemaphores<ClientId>,
    time: Option<Duration>,
}

impl RenderLimiter {
    /// Creates a limiter for this number of CPUs.
    pub fn new(cpus: usize, limits: &Limits) -> RenderLimiter {
        let queue = limits.count(Limit::QueueLength);
        let wait = limits.duration(Limit::QueueTimeout);
        let client_queue = limits.queue_length(MAX_QUEUE_PER_CLIENT);
        RenderLimiter {
            slots: BoundedSemaphore::new((cpus / 2).clamp(1, MAX_SLOTS), queue, wait),
            slots_of_client: KeyedSemaphores::new(move || {
                BoundedSemaphore::new(1, client_queue, wait)
            }),
            time: limits.duration(Limit::ReadTimeout),
        }
    }

    /// Returns how many pages wait.
    pub fn waiting(&self) -> usize {
        self.slots.waiting() + self.slots_of_client.waiting()
    }

    /// Waits for a slot and runs a read, which receives its deadline. Fails with
    /// [`Error::Overloaded`] when the queue is full or the wait takes too long.
    pub async fn run<T: Send>(
        &self,
        client: ClientId,
        read: impl FnOnce(Option<Instant>) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        let _own = self.slots_of_client.acquire(client).await?;
        let _slot = self.slots.acquire().await?;
        run_blocking(|| read(self.time.and_then(|time| Instant::now().checked_add(time))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_domain::ids::UserId;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn client(id: i64) -> ClientId {
        ClientId::User(UserId(id))
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn long_texts_are_rendered_one_at_a_time_on_two_cpus() {
        let limiter = Arc::new(RenderLimiter::new(2, &Limits::default()));
        let running = Arc::new(AtomicUsize::new(0));
        let max_running = Arc::new(AtomicUsize::new(0));
        let reads: Vec<_> = (0..40)
            .map(|id| {
                let limiter = Arc::clone(&limiter);
                let running = Arc::clone(&running);
                let max_running = Arc::clone(&max_running);
                let read = move |_| {
                    max_running
                        .fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                tokio::spawn(async move { limiter.run(client(id % 5), read).await })
            })
            .collect();
        for read in reads {
            read.await.unwrap().unwrap();
        }
        assert_eq!(max_running.load(Ordering::SeqCst), 1);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn too_many_waiting_texts_of_a_client_are_refused() {
        let limiter = Arc::new(RenderLimiter::new(
            2,
            &Limits::default().with(Limit::QueueLength, 1),
        ));
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let (has_slot, wait_for_slot) = tokio::sync::oneshot::channel::<()>();
        let first = Arc::clone(&limiter);
        let read = move |_| {
            has_slot.send(()).map_err(|()| Error::Overloaded)?;
            receiver.recv().map_err(|_| Error::Overloaded)
        };
        let first = tokio::spawn(async move { first.run(client(1), read).await });
        wait_for_slot.await.unwrap();
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let limiter = Arc::clone(&limiter);
                tokio::spawn(async move { limiter.run(client(1), |_| Ok(())).await })
            })
            .collect();
        while waiting.iter().filter(|read| read.is_finished()).count() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        sender.send(()).unwrap();
        first.await.unwrap().unwrap();
        let mut refused = 0;
        for read in waiting {
            refused += usize::from(matches!(read.await.unwrap(), Err(Error::Overloaded)));
        }
        assert_eq!(refused, 2);
    }
}
