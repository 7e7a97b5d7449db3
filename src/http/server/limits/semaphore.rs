//! Semaphores with bounded queues.

use crate::error::Error;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A semaphore with a maximum queue length and a maximum waiting time.
pub struct BoundedSemaphore {
    permits: Arc<Semaphore>,
    queue: Semaphore,
    queue_length: usize,
    max_wait: Duration,
}

impl BoundedSemaphore {
    /// Creates a semaphore. Up to `queue` requests wait for a permit, for at most `max_wait`, or a
    /// day without it.
    pub fn new(permits: usize, queue: usize, max_wait: Option<Duration>) -> BoundedSemaphore {
        let queue_length = queue.min(Semaphore::MAX_PERMITS);
        BoundedSemaphore {
            permits: Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS))),
            queue: Semaphore::new(queue_length),
            queue_length,
            max_wait: max_wait.unwrap_or(Duration::from_secs(24 * 3600)),
        }
    }

    /// Returns how many requests wait for a permit.
    pub fn waiting(&self) -> usize {
        self.queue_length
            .saturating_sub(self.queue.available_permits())
    }

    /// Waits for a permit. Fails with [`Error::Overloaded`] when the queue is full or the wait
    /// takes too long.
    pub async fn acquire(&self) -> Result<OwnedSemaphorePermit, Error> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let _queued = self.queue.try_acquire().map_err(|_| Error::Overloaded)?;
        match timeout(self.max_wait, Arc::clone(&self.permits).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Error::Overloaded),
        }
    }

    /// Waits for a permit however long it takes, outside of the queue. For what has begun and would be
    /// lost otherwise; its caller limits how many wait.
    pub async fn acquire_unbounded(&self) -> Result<OwnedSemaphorePermit, Error> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.map_err(|_| Error::Overloaded)
    }
}

/// A semaphore for each key, such as a client. Unused keys take no memory.
pub struct KeyedSemaphores<K> {
    by_key: Mutex<HashMap<K, Arc<BoundedSemaphore>>>,
    new: Box<dyn Fn() -> BoundedSemaphore + Send + Sync>,
}

/// A permit for a key, released when it is dropped.
pub struct KeyedPermit {
    _permit: OwnedSemaphorePermit,
    _semaphore: Arc<BoundedSemaphore>,
}

/// Number of keys from which on unused ones are removed.
const SWEEP_THRESHOLD: usize = 1024;

impl<K: Eq + Hash> KeyedSemaphores<K> {
    /// `new` creates the semaphore of a key.
    pub fn new(new: impl Fn() -> BoundedSemaphore + Send + Sync + 'static) -> KeyedSemaphores<K> {
        KeyedSemaphores {
            by_key: Mutex::default(),
            new: Box::new(new),
        }
    }

    /// Returns how many requests wait for a permit for any key.
    pub fn waiting(&self) -> usize {
        let by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        by_key.values().map(|semaphore| semaphore.waiting()).sum()
    }

    /// Waits for a permit for this key, as [`BoundedSemaphore::acquire`] does.
    pub async fn acquire(&self, key: K) -> Result<KeyedPermit, Error> {
        let semaphore = self.semaphore(key);
        Ok(KeyedPermit {
            _permit: semaphore.acquire().await?,
            _semaphore: semaphore,
        })
    }

    /// Waits for a permit for this key, as [`BoundedSemaphore::acquire_unbounded`] does.
    pub async fn acquire_unbounded(&self, key: K) -> Result<KeyedPermit, Error> {
        let semaphore = self.semaphore(key);
        Ok(KeyedPermit {
            _permit: semaphore.acquire_unbounded().await?,
            _semaphore: semaphore,
        })
    }

    fn semaphore(&self, key: K) -> Arc<BoundedSemaphore> {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if by_key.len() >= SWEEP_THRESHOLD {
            by_key.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        Arc::clone(by_key.entry(key).or_insert_with(|| Arc::new((self.new)())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn queue_length_and_waiting_time_are_limited() {
        let semaphore = BoundedSemaphore::new(1, 1, Some(Duration::from_millis(20)));
        let first = semaphore.acquire().await.unwrap();
        assert_eq!(semaphore.waiting(), 0);
        let (second, third) = tokio::join!(semaphore.acquire(), async {
            assert_eq!(semaphore.waiting(), 1);
            semaphore.acquire().await
        });
        assert_eq!(semaphore.waiting(), 0);
        assert!(matches!(second, Err(Error::Overloaded)), "waited too long");
        assert!(matches!(third, Err(Error::Overloaded)), "the queue is full");
        drop(first);
        assert!(semaphore.acquire().await.is_ok());
    }

    #[tokio::test]
    async fn keys_do_not_wait_for_each_other() {
        let semaphores = KeyedSemaphores::new(|| BoundedSemaphore::new(1, 0, None));
        let permit = semaphores.acquire(1).await.unwrap();
        assert!(semaphores.acquire(1).await.is_err());
        assert!(semaphores.acquire(2).await.is_ok());
        drop(permit);
        assert!(semaphores.acquire(1).await.is_ok());
    }

    #[tokio::test]
    async fn unused_keys_take_no_memory() {
        let semaphores = KeyedSemaphores::new(|| BoundedSemaphore::new(1, 0, None));
        let _used = semaphores.acquire(0).await.unwrap();
        for key in 1..3 * SWEEP_THRESHOLD {
            drop(semaphores.acquire(key).await.unwrap());
        }
        assert!(semaphores.by_key.lock().unwrap().len() <= SWEEP_THRESHOLD);
        assert!(semaphores.acquire(0).await.is_err(), "a used key is kept");
    }
}
