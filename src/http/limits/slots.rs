//! Semaphores with bounded queues.

use crate::http::Error;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A semaphore whose queue has a maximum length, and in which nobody waits longer than a maximum time.
pub struct Slots {
    slots: Arc<Semaphore>,
    queue: Semaphore,
    max_wait: Duration,
}

impl Slots {
    /// `slots` at once; `queue` more may wait for `max_wait`, or practically for ever without one.
    pub fn new(slots: usize, queue: usize, max_wait: Option<Duration>) -> Slots {
        let permits = |count: usize| count.min(Semaphore::MAX_PERMITS);
        Slots {
            slots: Arc::new(Semaphore::new(permits(slots))),
            queue: Semaphore::new(permits(queue)),
            max_wait: max_wait.unwrap_or(Duration::from_secs(24 * 3600)),
        }
    }

    /// Waits for a slot, which is free again when the permit is dropped. Fails with [`Error::Overloaded`] when the queue is full or the
    /// wait too long.
    pub async fn acquire(&self) -> Result<OwnedSemaphorePermit, Error> {
        if let Ok(permit) = Arc::clone(&self.slots).try_acquire_owned() {
            return Ok(permit);
        }
        let _place = self.queue.try_acquire().map_err(|_| Error::Overloaded)?;
        match timeout(self.max_wait, Arc::clone(&self.slots).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Error::Overloaded),
        }
    }
}

/// Slots for each key, such as one for each client. Keys that nobody uses take no memory.
pub struct KeyedSlots<K> {
    by_key: Mutex<HashMap<K, Arc<Slots>>>,
    new: Box<dyn Fn() -> Slots + Send + Sync>,
}

/// A slot of a key; free again when this is dropped.
pub struct KeyedPermit {
    _permit: OwnedSemaphorePermit,
    _slots: Arc<Slots>,
}

/// From how many keys on those are removed that nobody uses.
const SWEEP: usize = 1024;

impl<K: Eq + Hash> KeyedSlots<K> {
    /// `new` makes the slots of a key.
    pub fn new(new: impl Fn() -> Slots + Send + Sync + 'static) -> KeyedSlots<K> {
        KeyedSlots { by_key: Mutex::default(), new: Box::new(new) }
    }

    /// Waits for a slot of this key, as [`Slots::acquire`] does.
    pub async fn acquire(&self, key: K) -> Result<KeyedPermit, Error> {
        let slots = {
            let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
            if by_key.len() >= SWEEP {
                by_key.retain(|_, slots| Arc::strong_count(slots) > 1);
            }
            Arc::clone(by_key.entry(key).or_insert_with(|| Arc::new((self.new)())))
        };
        let permit = slots.acquire().await?;
        Ok(KeyedPermit { _permit: permit, _slots: slots })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn queue_has_a_length_and_a_wait_an_end() {
        let slots = Slots::new(1, 1, Some(Duration::from_millis(20)));
        let first = slots.acquire().await.unwrap();
        let (second, third) = tokio::join!(slots.acquire(), slots.acquire());
        assert!(matches!(second, Err(Error::Overloaded)), "waited too long");
        assert!(matches!(third, Err(Error::Overloaded)), "the queue is full");
        drop(first);
        assert!(slots.acquire().await.is_ok());
    }

    #[tokio::test]
    async fn keys_do_not_wait_for_each_other() {
        let slots = KeyedSlots::new(|| Slots::new(1, 0, None));
        let one = slots.acquire(1).await.unwrap();
        assert!(slots.acquire(1).await.is_err());
        assert!(slots.acquire(2).await.is_ok());
        drop(one);
        assert!(slots.acquire(1).await.is_ok());
    }

    #[tokio::test]
    async fn unused_keys_take_no_memory() {
        let slots = KeyedSlots::new(|| Slots::new(1, 0, None));
        let _used = slots.acquire(0).await.unwrap();
        for key in 1..3 * SWEEP {
            drop(slots.acquire(key).await.unwrap());
        }
        assert!(slots.by_key.lock().unwrap().len() <= SWEEP);
        assert!(slots.acquire(0).await.is_err(), "a key that is used stays");
    }
}
